"""Between a hand and a port of a world, for whoever writes the loop.

A device sample becomes the input of a reference port (``Inputs.set``), whose spring is solved with the world; the port's
output becomes the force held at the device until the next sample. Forces are those on the hand. A number that is not
finite gives zero force and a ``fault``, never an exception: a loop must go on. Each coupling keeps an energy account.

``VirtualCoupling`` is for device and world that step together, ``DeviceSide`` and ``WorldSide`` for a link with delay and
loss, ``FourChannel`` sends positions and forces both ways, ``Unilateral`` is felt in contact only. For a loop that must
not wait for Python see ``palpable.haptics``.
"""

from ._core import (
    CouplingAccount,
    CouplingError,
    CouplingSettings,
    Cutaneous,
    DeviceSide,
    Edge,
    Felt,
    FourChannel,
    Guard,
    Handle,
    ImpulseChannel,
    Mapped,
    Packet,
    PassivityObserver,
    PspmSettings,
    Synergy,
    Unilateral,
    VirtualCoupling,
    Workspace,
    WorldSide,
)

__all__ = [
    "CouplingAccount",
    "CouplingError",
    "CouplingSettings",
    "Cutaneous",
    "DeviceSide",
    "Edge",
    "Felt",
    "FourChannel",
    "Guard",
    "Handle",
    "ImpulseChannel",
    "Mapped",
    "Packet",
    "PassivityObserver",
    "PspmSettings",
    "Synergy",
    "Unilateral",
    "VirtualCoupling",
    "Workspace",
    "WorldSide",
]
