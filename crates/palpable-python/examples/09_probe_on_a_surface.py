"""A hand leads a ball over a table: the hand goes below the surface, the ball stays on it, and
what is felt is the spring between them and the drag of friction."""

import numpy as np

from palpable import Body, Material, Model, Port, World

K = 1000.0
MU = 0.3

model = Model()
slippery = Material(MU, 0.0)
model.body(Body.half_space("table").material(slippery))
probe = Body.sphere("probe", 0.01).mass(0.02).position([0, 0, 0.02])
probe = model.body(probe.material(slippery))
stiffness = np.array([K, K, K, 1, 1, 1])
hand = model.port(Port.reference("hand", probe.origin(), stiffness, stiffness * 2e-3))
world = World(model)
inputs = world.inputs()
deepest = 0.0
for tick in range(3000):
    t = tick * 1e-3
    # down for a second, to 4 mm below where the ball can be, then along the table
    inputs.reference(hand, [0.05 * max(0.0, t - 1), 0, 0.02 - 0.014 * min(t, 1.0)])
    assert world.step(1e-3, inputs).status == "taken"
    deepest = max(deepest, 0.01 - world.pose(probe).position[2])
x, _, z = world.port(hand).force
print(f"pressed with {z:.3f} N, dragged with {-x:.3f} N")
print(f"the ball sank in by {1e9 * deepest:.1f} nm at most")
# the damper of a port holds against the ball's own motion, by 2 N·s/m times 0.05 m/s
assert abs(z - K * 0.004) < 0.01 and abs(-x - MU * z - 0.1) < 0.05
assert deepest < 1e-7 and world.audit().is_clean()
