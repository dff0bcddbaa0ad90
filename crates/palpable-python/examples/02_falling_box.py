"""A box falls, lands on its face and lies still: what it had is what the impact took."""

import math

from palpable import Body, Model, World

G = 9.81

model = Model()
model.gravity([0, 0, -G])
model.body(Body.half_space("floor"))
# half extents: the box is 20 cm wide, its lower face 1 m above the floor
fallen = model.body(Body.cuboid("box", [0.1, 0.1, 0.1]).mass(2.0).position([0, 0, 1.1]))
world = World(model)
landed = None
for _ in range(1000):
    report = world.step(1e-3)
    assert report.status == "taken"
    if landed is None and world.contact_force(fallen)[2] > 0:
        landed = report.time
assert landed is not None, "it fell"
z, lost = world.pose(fallen).position[2], world.ledger().totals.impact
asleep = str(world.is_asleep(fallen)).lower()
print(f"landed after {landed:.3f} s, lies at {z:.9f} m, asleep: {asleep}")
print(f"the impact took {lost:.6f} J of {2 * G:.6f} J")
assert abs(landed - math.sqrt(2 / G)) <= 2e-3
# gravity is taken as it is over whole steps: the box may land a step early or late
assert abs(z - 0.1) < 1e-6 and abs(lost / (2 * G) - 1) < 1e-3
assert world.audit().is_clean()
