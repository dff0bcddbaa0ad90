"""A tendon-driven finger on a free palm, after [Kim2017 sec. 5.3]: shorten a tendon, and it curls."""

import numpy as np

from palpable import Chain, Link, Model, Pose, Rotation, Shape, Spring, World

# three links of 1 g on a palm of 50 g
palm = Shape.cuboid([0.04, 0.04, 0.01])
finger = Chain.new("finger").floating_shape("palm", palm, 0.05 / palm.volume, Pose())
# joints turn about y
across = Rotation.from_scaled_axis([-np.pi / 2, 0, 0])
for i, (before, length) in enumerate([(0.04, 0.04), (0.04, 0.03), (0.03, 0.025)]):
    j = 1e-3 * length * length / 12
    link = Link.revolute(f"link {i}").at([before, 0, 0], across)
    link = link.held_at([0, 0, 0], across).damping(2e-5)
    link = link.inertia(1e-3, [0.5 * length, 0, 0], np.diag([0.2 * j, j, j]))
    finger = finger.link(link.on(i - 1) if i > 0 else link)
model = Model()
model.ghosts()
finger = model.chain(finger)
# one active tendon of 100 N/m over all joints, a passive one of 10 N/m at the back of each
radii = np.array([0.010, 0.008, 0.006])
tendon = model.spring(Spring.tendon(finger, radii).stiffness(100).named("flexor"))
for back in 0.01 * np.eye(3):
    model.spring(Spring.tendon(finger, back).stiffness(10))
world = World(model)

paid = 0.0
for step in range(3000):
    # the motor winds 12 mm within a second, and pays for it
    paid += world.set_rest(tendon, 0.012 * min(1.0, step / 1000))
    assert world.step(1e-3).status == "taken"
angles = world.coordinates(finger)[7:]
print("the joints bend by {:.3f}, {:.3f} and {:.3f} rad".format(*angles))
print(f"the motor paid {1e3 * paid:.3f} mJ")
# at rest each joint balances flexor against back: 100 a r = 10 (10 mm)² q, a the stretch
stretch = 0.012 / (1 + 100 * (radii @ radii) / (10 * 1e-4))
assert np.allclose(angles, 100 * stretch * radii / (10 * 1e-4), rtol=0, atol=1e-3), angles
# a free palm: nothing outside was pushed
assert np.linalg.norm(world.momentum()) < 1e-9 and world.audit().is_clean()
