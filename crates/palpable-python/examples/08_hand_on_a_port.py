"""A hand drags a tool by a reference port; what it puts in is what is stored plus what is lost."""

import numpy as np

from palpable import Body, Model, Port, Rotation, World

model = Model()
tool = model.body(Body.capsule("tool", 0.05, 0.01).mass(0.001))
stiffness = np.array([500, 500, 500, 0.1, 0.1, 0.1])
hand = model.port(Port.reference("hand", tool.at([0, 0, 0.05]), stiffness, stiffness * 5e-4))
world = World(model)

inputs = world.inputs()
largest = 0.0
for tick in range(5000):
    t = tick * 1e-3
    position = 0.1 * np.sin([2 * t, 3 * t, 0])
    rotation = Rotation.from_scaled_axis([0, 0.3 * np.sin(t), 0])
    inputs.reference(hand, position, rotation)
    assert world.step(1e-3, inputs).status == "taken"
    largest = max(largest, np.linalg.norm(world.port(hand).force))
energy, flows = world.energy(), world.ledger().totals
print(f"hand felt up to {largest:.2f} N and supplied {flows.supplied:.6f} J")
print(f"stored {energy.total():.6f} J, lost {flows.lost():.6f} J")
assert abs(flows.supplied - energy.total() - flows.lost()) < 1e-12
