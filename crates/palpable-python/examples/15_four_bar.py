"""A motor turns a crank, a coupler takes a rocker along: a closed loop of four hard hinges."""

import numpy as np

from palpable import Anchor, Body, Joint, Model, Port, Rotation, Spring, World

CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.5, 0.4, 0.4

model = Model()
model.ghosts()
model.gravity([0, -9.81, 0])


def bar(name, length, x, y, angle):
    body = Body.cuboid(name, [0.5 * length, 0.01, 0.01]).mass(0.2 * length).position([x, y, 0])
    body = model.body(body.rotation(Rotation.from_scaled_axis([0, 0, angle])))
    return body, body.at([-0.5 * length, 0, 0]), body.at([0.5 * length, 0, 0])


# the crank upright; 3, 4 and 5 make the loop close
crank, crank_foot, crank_pin = bar("crank", CRANK, 0, 0.05, np.pi / 2)
_, coupler_start, coupler_end = bar("coupler", COUPLER, 0.2, 0.25, np.arctan(0.75))
rocker, rocker_foot, rocker_top = bar("rocker", ROCKER, 0.4, 0.2, np.pi / 2)
model.joint(Joint.hinge(crank_foot, Anchor.world([0, 0, 0])))
model.joint(Joint.hinge(coupler_start, crank_pin))
model.joint(Joint.hinge(rocker_top, coupler_end))
model.joint(Joint.hinge(rocker_foot, Anchor.world([GROUND, 0, 0])))
# grease on the shaft
model.spring(Spring.rotation(crank.origin(), Anchor.world([0, 0, 0])).damping(0.05))
motor = model.port(Port.force("motor", crank.origin()))
world = World(model)


def meeting(pin):
    """Where coupler and rocker meet, from the crank's pin: two circles, the upper crossing."""
    across = [GROUND, 0] - pin
    d = np.hypot(*across)
    along = (COUPLER**2 - ROCKER**2 + d * d) / (2 * d)
    up = np.sqrt(COUPLER**2 - along**2)
    return pin + (across * along + np.array([-across[1], across[0]]) * up) / d


start, inputs = world.energy().total(), world.inputs()
inputs.wrench(motor, [0, 0, 0], [0, 0, 0.3])
turned, stray, swing = 0.0, 0.0, []
for _ in range(4000):
    assert world.step(1e-3, inputs).status == "taken"
    turned += 1e-3 * world.angular_velocity(crank)[2]
    pin, top = (
        world.pose(body).rotation.apply([length, 0, 0])[:2]
        for body, length in [(crank, CRANK), (rocker, ROCKER)]
    )
    stray = max(stray, np.hypot(*([GROUND, 0] + top - meeting(pin))))
    swing.append(np.degrees(np.arctan2(top[1], top[0])))
flows, low, high = world.ledger().totals, min(swing), max(swing)
missing = start + flows.supplied - world.energy().total() - flows.lost()
print(f"the crank made {turned / (2 * np.pi):.2f} turns")
print(f"the rocker swung from {low:.1f}° to {high:.1f}°")
print(f"the loop is off the drawing by {stray:.0e} m at most")
print(f"the motor gave {flows.supplied:.3f} J, of which {missing:.0e} J are missing")
# crank and coupler in line, one beyond the other or folded back: sides 0.6 and 0.4, 0.4, 0.4
limits = [180 - np.degrees(np.arccos(-0.125)), 120]
assert np.allclose([low, high], limits, rtol=0, atol=0.01), (low, high, limits)
assert turned > 15 and stray < 1e-9
assert abs(missing) < 1e-12 * flows.supplied and world.audit().is_clean()
