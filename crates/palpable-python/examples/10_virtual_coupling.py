"""A hand feels a tool through a virtual coupling: device sample → port → world → force."""

from math import sin

import numpy as np

from palpable import Anchor, Body, Model, Port, Spring, World
from palpable.coupling import CouplingSettings, Guard, Handle, VirtualCoupling, Workspace

PERIOD = 1e-3

# one device metre is two world metres, forces as they are; the device has 1.2 N·s/m
workspace = Workspace(2.0, 1.0)
device_damping = workspace.world_damping(1.2)
# 1 kN/m at 1 kHz asks for KT/2 = 0.5 N·s/m in the world
guard = Guard(device_damping=device_damping, grant=1e-3)
coupling = VirtualCoupling(CouplingSettings.point(1000.0, PERIOD, guard=guard))
assert coupling.required_damping() <= device_damping

# a 10 g tool that a spring of 200 N/m holds at the origin
model = Model()
model.ghosts()
tool = model.body(Body.sphere("tool", 0.01).mass(0.01))
model.spring(Spring.point(tool.origin(), Anchor.world([0, 0, 0])).stiffness(200.0).damping(0.5))
hand = model.port(Port.reference("hand", tool.origin(), coupling.stiffness(), coupling.damping()))
world = World(model)
inputs = world.inputs()

largest = 0.0
for tick in range(3000):
    t = tick * PERIOD
    mapped = workspace.map(Handle.at([0.01 * sin(2.0 * t), 0, 0]), False, PERIOD)
    assert mapped is not None, "finite samples"
    inputs.set(hand, coupling.sample_with_drift(mapped.handle, mapped.drift))
    world.step(PERIOD, inputs)
    felt = coupling.force(world.port(hand), PERIOD)
    command = workspace.to_device(felt, mapped.engaged)
    largest = max(largest, float(np.linalg.norm(command.force)))

account = coupling.account()
print(f"the hand felt up to {largest:.2f} N; it put in {-1e3 * account.to_hand:.3f} mJ")
print(f"sampling created {1e3 * account.sampled():.4f} mJ")
print(f"the device's damping took {1e3 * account.damped:.4f} mJ")
assert account.created() < 1e-12, "the device pays for the sampling"
