"""Four channels: positions and forces go both ways between hand and tool
[Constantinescu2005, fig. 5b]; a unilateral coupler beside it, and the fingertip's share."""

import numpy as np

from palpable import Anchor, Body, Model, Port, Spring, World
from palpable.coupling import CouplingSettings, Cutaneous, FourChannel, Handle, Unilateral

H = 1e-3
WALL = 1000.0

# position coordination of 100 N/m with the damping that the paper gives it
settings = CouplingSettings.point(100.0, H, damping=70.0)
four, one, pad = FourChannel(settings, energy=0.1), Unilateral(settings), Cutaneous(0.01)

# a 2 kg peg against a spring that plays the wall
model = Model()
model.ghosts()
peg = model.body(Body.sphere("peg", 0.02).mass(2.0))
model.spring(Spring.point(peg.origin(), Anchor.world([0, 0, 0])).stiffness(WALL).damping(50.0))
k, b = four.coupling().stiffness(), four.coupling().damping()
coordinate = model.port(Port.reference("coordination", peg.origin(), k, b))
push = model.port(Port.force("hand force", peg.origin()))
world = World(model)
inputs = world.inputs()

# the hand stands still and pushes with 0.4 N
hand, force = Handle.at([0, 0, 0]), [0.4, 0, 0]
for _ in range(5000):
    reference, wrench = four.sample(hand, force)
    one.sample(hand)
    inputs.set(coordinate, reference)
    inputs.set(push, wrench)
    world.step(H, inputs)
    a, c = world.port(coordinate), world.port(push)
    environment = a.position * -WALL
    felt = four.force(a, c, environment, H).force
    other = one.force(a, bool(np.any(environment)), H).force
    skin, _ = pad.update(environment, a.rotation, H)
print(f"four channels {felt[0]:.3f} N, unilateral {other[0]:.3f} N")
print(f"fingertip {skin[0]:.3f} N")
# the wall carries the hand, less what the coordination takes: x (1000 + 100) = 0.4
x = 0.4 / 1100.0
assert abs(skin[0] + WALL * x) < 1e-6 and abs(other[0] - 100.0 * x) < 1e-6
assert abs(felt[0] - (other[0] + skin[0])) < 1e-6
