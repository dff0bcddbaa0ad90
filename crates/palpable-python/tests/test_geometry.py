"""Questions to shapes, against closed forms."""

import math

import numpy as np
import pytest

from palpable import BuildError, Rotation
from palpable.geometry import Collider, CollisionPipeline, CollisionShape, Groups, Motion, Pose, Shape

BALL = CollisionShape.sphere(0.1)


def test_two_balls_are_as_far_as_their_centres_less_their_radii():
    random = np.random.default_rng(3)
    for _ in range(100):
        a, b = random.normal(0, 1, 3), random.normal(0, 1, 3)
        near = BALL.proximity(Pose(a), BALL, Pose(b), 100.0)
        gap = np.linalg.norm(b - a) - 0.2
        assert near.gap == pytest.approx(gap, abs=1e-12)
        assert near.normal == pytest.approx((b - a) / np.linalg.norm(b - a), abs=1e-12)
        # a flight straight at the other, at 3 m/s
        hit = BALL.first_impact(Motion(Pose(a), near.normal * 3), BALL, Motion.still(Pose(b)), 100.0)
        assert hit.time == pytest.approx(max(gap, 0.0) / 3, abs=1e-9)
        ray = BALL.ray_cast(Pose(b), a, b - a, 100.0)
        assert gap < -0.1 or ray.distance == pytest.approx(gap + 0.1, abs=1e-12)
    assert BALL.proximity(Pose(), BALL, Pose([1, 0, 0]), 0.1) is None


def test_contacts_are_found_before_they_touch_and_keep_their_number():
    box = CollisionShape.cuboid([0.1, 0.1, 0.1])
    scene = CollisionPipeline(2, [Collider(0, CollisionShape.half_space(), still=True), Collider(1, box)])
    ids = []
    for height in (0.1005, 0.1002, 0.0999):
        report = scene.update([Pose(), Pose([0, 0, height])], 1e-3)
        (manifold,) = scene.manifolds()
        assert report.contacts == len(manifold.contacts) == len(scene.contacts()) == 4
        assert manifold.normal.tolist() == [0, 0, 1] and (manifold.body_a, manifold.body_b) == (0, 1)
        for contact in manifold.contacts:
            assert contact.gap == pytest.approx(height - 0.1, abs=1e-12)
            assert contact.is_new == (not ids) and contact.point_a[2] == pytest.approx(0.0, abs=1e-12)
        ids.append({c.id for c in manifold.contacts})
    assert ids[0] == ids[1] == ids[2]
    assert scene.update([Pose()], 1e-3).bodies_rejected == 1
    assert scene.update([Pose(), Pose([math.nan, 0, 0])], 1e-3).bodies_rejected == 1


def test_groups_offsets_and_excluded_pairs_decide_who_meets():
    at = [Pose(), Pose([0.15, 0, 0])]
    meet = CollisionPipeline(2, [Collider(0, BALL), Collider(1, BALL)])
    assert meet.update(at, 0.0).contacts == 1
    apart = [Collider(0, BALL, groups=Groups(1, 1)), Collider(1, BALL, groups=Groups(2, 2))]
    assert CollisionPipeline(2, apart).update(at, 0.0).contacts == 0
    assert CollisionPipeline(2, [Collider(0, BALL), Collider(1, BALL)], excluded=[(1, 0)]).update(at, 0.0).contacts == 0
    high = Collider(1, BALL, Pose([0, 0, 1], Rotation.identity()))
    raised = CollisionPipeline(2, [Collider(0, BALL), high])
    assert raised.update(at, 0.0).contacts == 0
    hit = raised.ray_cast([-1, 0, 1], [1, 0, 0], 10.0)
    assert hit.body == 1 and hit.what.distance == pytest.approx(1.05) and hit.what.normal == pytest.approx([-1, 0, 0])
    assert raised.ray_cast([-1, 0, 1], [0, 0, 0], 10.0) is None
    near = raised.nearest(BALL, Pose([0.15, 0, 2]), 5.0)
    assert near.body == 1 and near.what.gap == pytest.approx(0.8)
    assert raised.first_impact(BALL, Motion.sliding(Pose([0.15, 0, 2]), [0, 0, -1]), 0.5) is None


def test_mistakes_are_told():
    with pytest.raises(BuildError, match="greater than zero"):
        CollisionShape.sphere(-1.0)
    with pytest.raises(BuildError):
        CollisionPipeline(1, [Collider(3, BALL)])
    with pytest.raises(BuildError, match="cluster"):
        CollisionPipeline(1, [Collider(0, BALL)], cluster_distance=math.nan)
    with pytest.raises(ValueError, match="out of range"):
        CollisionPipeline(10**9, [])
    with pytest.raises(TypeError):
        CollisionPipeline(1, [BALL])
    with pytest.raises(TypeError):
        Collider(0, Shape.sphere(1.0))
