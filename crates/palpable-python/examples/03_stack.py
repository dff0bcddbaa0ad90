"""Four boxes on top of each other, the uppermost a thousand times heavier, stand still."""

import numpy as np

from palpable import Body, Material, Model, World

model = Model()
model.gravity([0, 0, -9.81])
rough = Material(0.5, 0.0)
model.body(Body.half_space("table").material(rough))
starts = 0.05 + 0.1 * np.arange(4)
boxes = []
for i, z in enumerate(starts):
    box = Body.cuboid(f"box {i}", [0.05, 0.05, 0.05]).mass(1000.0 if i == 3 else 1.0)
    boxes.append(model.body(box.position([0, 0, z]).material(rough)))
world = World(model)
for _ in range(2000):
    assert world.step(5e-3).status == "taken"
sunk = max(0.0, *(starts - world.positions()[1:, 2]))
asleep = sum(world.is_asleep(box) for box in boxes)
print(f"after 10 s: sunk by {1e9 * sunk:.2f} nm, {asleep} of {len(boxes)} asleep")
assert sunk < 1e-7 and asleep == len(boxes) and world.audit().is_clean()
