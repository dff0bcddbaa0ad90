"""Device and world joined by a link of 50 ms that loses every fifth packet: set positions move
only as far as is paid [Lee2008]."""

from collections import deque
from math import cos, sin

import numpy as np

from palpable import Body, Model, Port, World
from palpable.coupling import DeviceSide, Handle, PspmSettings, WorldSide

DELAY = 50

# 500 N/m on a device of 0.5 N·s/m; 2 kN/m and 10 N·s/m in the world
at_device, at_world = PspmSettings.point(500.0, 0.5), PspmSettings.point(2e3, 10.0)
device, far = DeviceSide(at_device), WorldSide(at_world)

model = Model()
model.ghosts()
tool = model.body(Body.sphere("tool", 0.01).mass(0.001))
port = model.port(Port.reference("hand", tool.origin(), at_world.port_stiffness(), at_world.port_damping()))
# the damper's loss pays for moves of the reference, so the world must not keep it as well
world = World(model, dissipation="drop")
inputs = world.inputs()

up, down = deque(), deque()
worst = -float("inf")
for tick in range(10_000):
    t = tick * 1e-3
    device.sample(Handle.at([0.03 * sin(3.0 * t), 0.02 * cos(t), 0]), 1e-3)
    worst = max(worst, device.to_hand() - device.damped() - device.received())
    inputs.set(port, far.reference())
    world.step(1e-3, inputs)
    far.after_step(world.port(port), 1e-3)
    # what is sent now arrives later, or not at all
    sent, answered = device.send(), far.send()
    lost = tick % 5 == 0
    up.append(None if lost else sent)
    down.append(None if lost else answered)
    if len(up) > DELAY:
        there, back = up.popleft(), down.popleft()
        if there is not None:
            far.receive(there)
        if back is not None:
            device.receive(back)

print(f"tool at {1e3 * np.linalg.norm(world.port(port).position):.1f} mm")
print(f"the hand put in {-1e3 * device.to_hand():.1f} mJ")
print(f"and never got more than {1e3 * worst:.3f} mJ of 10 mJ granted")
assert worst <= at_device.grant and device.reserve() >= 0.0 and far.reserve() >= 0.0
