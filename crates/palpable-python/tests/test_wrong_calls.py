"""Whatever is called with whatever: an exception, never a crash."""

import os
import random

import numpy as np
from conftest import held, hello

import palpable
from palpable import _core

CALLS = int(os.environ.get("PALPABLE_CALLS", "100000"))


def things(draw):
    """Values to call with, sensible and not."""
    world, ball = hello()
    other, stone, hand = held()
    model = palpable.Model()
    mine = model.body(palpable.Body.sphere("ball", 0.1))
    return [
        None, True, 0, 1, -1, 7, 2**31, 2**63, -(2**70), 10**30, 0.0, 1e-3, -1.0, 0.5, 1e300, float("nan"), float("inf"),
        "", "ball", "hand", "cone", "tank", "\0", "é" * 50, b"bytes", [], [0, 0, 1], [1.0] * 6, (1, 2), [float("nan")] * 3,
        ["a", "b", "c"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], np.zeros(3), np.ones(6), np.zeros((2, 3)), np.zeros((1, 1, 3)),
        np.array(["x"]), {}, {"scheme": 3}, object(), lambda *a: None, world, ball, other, stone, hand, model, mine,
        ball.origin(), mine.at([0, 0, 1]), palpable.Anchor.world([0, 0, 0]), palpable.Rotation.identity(), palpable.Pose(),
        palpable.Material(), palpable.Shape.sphere(0.1), palpable.Body.sphere("x", 0.1), palpable.Body.half_space("f"),
        palpable.Spring.point(mine.origin(), palpable.Anchor.world([0, 0, 0])).stiffness(10),
        palpable.Joint.ball(mine.origin(), palpable.Anchor.world([0, 0, 0])), palpable.Port.force("p", mine.origin()),
        palpable.Chain.new("c"), palpable.Link.revolute("l"), world.snapshot(), other.inputs(), world.step(1e-3), world.element(0),
        other.contacts(), world.ledger(), world.audit(), palpable.Beam.new("b", 1, 1, 1), [world], [hand], [ball, ball],
    ]  # fmt: skip


SLOW = {"run", "studio", "Studio", "Servo", "_reproduce", "_survey", "_read", "load"}


def test_random_calls_raise_and_never_crash():
    draw = random.Random(18)
    names = [n for n in dir(_core) if not n.startswith("__") and n not in SLOW]
    pool, raised, passed = things(draw), 0, 0
    for count in range(CALLS):
        if count % 5000 == 0:
            pool = things(draw)
        if draw.random() < 0.2:
            target = getattr(_core, draw.choice(names))
        else:
            owner = draw.choice(pool)
            members = [m for m in dir(owner) if m not in SLOW and (not m.startswith("__") or m in ("__reduce__", "__copy__"))]
            if type(owner).__module__.split(".")[0] != "palpable" or not members:
                continue
            name = draw.choice(members)
            try:
                target = getattr(owner, name)
            except Exception:
                raised += 1
                continue
        if not callable(target) or (isinstance(target, type) and issubclass(target, BaseException)):
            continue
        arguments = [draw.choice(pool) for _ in range(draw.randrange(0, 6))]
        try:
            made = target(*arguments)
        except Exception:
            raised += 1
            continue
        passed += 1
        # what came out may be called in turn, unless it is large
        if made is not None and len(pool) < 150 and type(made).__module__.startswith("palpable"):
            pool.append(made)
    print(f"{raised} raised, {passed} returned")
    assert raised > CALLS // 10 and passed > CALLS // 100
    # the library still works
    world, _ = hello()
    world.run(1.0, 1e-3)
    assert world.audit().is_clean()
