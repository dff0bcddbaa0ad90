"""A two-link arm in joint coordinates: a motor at the elbow, springs at both joints, gravity."""

import numpy as np

from palpable import Chain, Link, Model, Port, Rotation, Spring, World

# two rods of 30 cm and 200 g that turn in the x-y plane
MASS, LENGTH = 0.2, 0.3
J = MASS * LENGTH * LENGTH / 12


def rod(name):
    return Link.revolute(name).inertia(MASS, [0.5 * LENGTH, 0, 0], np.diag([1e-2 * J, J, J]))


arm = Chain.new("arm").link(rod("upper").start(-1.0, 0.0))
elbow = rod("lower").on(0).at([LENGTH, 0, 0], Rotation.identity())
arm = arm.link(elbow.start(0.5, 0.0))
model = Model()
model.ghosts()
model.gravity([0, -9.81, 0])
arm = model.chain(arm)
model.spring(Spring.coordinate(arm, 0).stiffness(1.0))
model.spring(Spring.coordinate(arm, 1).stiffness(0.5))
motor = model.port(Port.motor("elbow", Spring.coordinate(arm, 1)))
world = World(model)

start = world.energy().total()
inputs, work = world.inputs(), 0.0
for _ in range(2000):
    # swing with the elbow: energy flows in
    inputs.effort(motor, np.copysign(0.1, world.port(motor).rate))
    assert world.step(1e-3, inputs).status == "taken"
    work += world.port(motor).work
driven = world.energy().total()
for _ in range(8000):
    assert world.step(1e-3).status == "taken"
after = world.energy().total()
print(f"the motor gave {work:.6f} J, the arm holds {driven - start:.6f} J more")
print(f"8 s later it has lost {driven - after:.0e} J")
assert work > 0.1 and abs(driven - start - work) < 1e-12
assert abs(after - driven) < 1e-12 and world.audit().is_clean()
