"""A motor turns a crank, a coupler takes a rocker along: a closed loop of four hard hinges."""

import numpy as np

from palpable import Anchor, Body, Joint, Model, Port, Rotation, Spring, World

CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.5, 0.4, 0.4


def bar(name, length, at, angle):
    body = Body.cuboid(name, [0.5 * length, 0.01, 0.01]).mass(0.2 * length).position([*at, 0])
    body = model.body(body.rotation(Rotation.from_scaled_axis([0, 0, angle])))
    return body, body.at([-0.5 * length, 0, 0]), body.at([0.5 * length, 0, 0])


def meeting(pin):
    """Where coupler and rocker meet; x + iy, as the crank's pin: two circles, the upper crossing."""
    across = GROUND - pin
    d = abs(across)
    along = (COUPLER**2 - ROCKER**2 + d * d) / (2 * d)
    return pin + across * (along + 1j * np.sqrt(COUPLER**2 - along**2)) / d


model = Model()
model.ghosts()
model.gravity([0, -9.81, 0])
# the crank upright; 3, 4 and 5 make the loop close
crank, crank_start, crank_end = bar("crank", CRANK, [0, 0.05], np.pi / 2)
_, coupler_start, coupler_end = bar("coupler", COUPLER, [0.2, 0.25], np.arctan(0.75))
rocker, rocker_start, rocker_end = bar("rocker", ROCKER, [0.4, 0.2], np.pi / 2)
model.joint(Joint.hinge(crank_start, Anchor.world([0, 0, 0])))
model.joint(Joint.hinge(coupler_start, crank_end))
model.joint(Joint.hinge(rocker_end, coupler_end))
model.joint(Joint.hinge(rocker_start, Anchor.world([GROUND, 0, 0])))
# grease on the shaft
model.spring(Spring.rotation(crank.origin(), Anchor.world([0, 0, 0])).damping(0.05))
motor = model.port(Port.force("motor", crank.origin()))
world = World(model)

start, inputs = world.energy().total(), world.inputs()
inputs.wrench(motor, [0, 0, 0], [0, 0, 0.3])
turned, stray, swing = 0.0, 0.0, []
for _ in range(4000):
    assert world.step(1e-3, inputs).status == "taken"
    turned += 1e-3 * world.angular_velocity(crank)[2]
    pin = complex(*world.pose(crank).rotation.apply([CRANK, 0, 0])[:2])
    top = complex(*world.pose(rocker).rotation.apply([ROCKER, 0, 0])[:2])
    stray = max(stray, abs(GROUND + top - meeting(pin)))
    swing.append(np.angle(top, deg=True))
flows, swing = world.ledger().totals, [min(swing), max(swing)]
missing = start + flows.supplied - world.energy().total() - flows.lost()
print(f"the crank made {turned / (2 * np.pi):.2f} turns")
print(f"the rocker swung from {swing[0]:.1f}° to {swing[1]:.1f}°")
print(f"the loop is off the drawing by {stray:.0e} m at most")
print(f"the motor gave {flows.supplied:.3f} J, of which {missing:.0e} J are missing")
# crank and coupler in line, one beyond the other or folded back: sides 0.6 and 0.4, 0.4, 0.4
limits = [180 - np.degrees(np.arccos(-0.125)), 120]
assert np.allclose(swing, limits, rtol=0, atol=0.01), (swing, limits)
assert turned > 15 and stray < 1e-9
assert abs(missing) < 1e-12 * flows.supplied and world.audit().is_clean()
