"""What a haptic device can render: sampled-data passivity analysis and tuning.

Stiffness in N/m, damping in N s/m, mass in kg, rate in Hz, delay in s. Exact functions after [Brown1998]
with its errata corrected; they are those of the Rust crate ``palpable-passivity``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Device",
    "Explanation",
    "Finding",
    "Trade",
    "Tuning",
    "WallDemand",
    "WayOut",
    "ZWidth",
    "coupling",
    "explain",
    "mass",
    "tune",
    "wall",
    "wall_spectrum",
    "zwidth",
]


@dataclass(frozen=True)
class Device:
    """A haptic device along one axis at the handle."""

    name: str
    mass: float
    damping: float
    rate: float = 1000.0
    delay: float = 0.0
    coulomb_friction: float = 0.0
    encoder_step: float = 0.0
    max_force: float | None = None
    max_stiffness: float | None = None
    status: str = ""
    source: str = ""

    @staticmethod
    def load(path: str | PathLike[str]) -> Device:
        """Reads a device profile (TOML)."""
        with open(path, encoding="utf-8") as file:
            name, numbers, force, stiffness, status, source = _core._profile(file.read())
        m, b, friction, step, rate, delay = numbers
        return Device(name, m, b, rate, delay, friction, step, force, stiffness, status, source)

    def _numbers(self) -> _core.DeviceNumbers:
        values = (self.mass, self.damping, self.coulomb_friction, self.encoder_step, self.rate, self.delay)
        return _core.DeviceNumbers(self.name, values, self.max_force, self.max_stiffness)


@dataclass(frozen=True)
class WallDemand:
    """What a wall asks of a device."""

    damping: float
    """The device must have more damping than this [N s/m]."""
    theta: float
    """The frequency that asks most [rad per sample]."""
    stable: bool
    """Whether the wall itself is stable."""


@dataclass(frozen=True)
class ZWidth:
    """The boundary of what a device renders passively."""

    dampings: NDArray[np.float64]
    stiffnesses: NDArray[np.float64]


@dataclass(frozen=True)
class Trade:
    """A coupling and the lightest virtual mass behind it."""

    stiffness: float
    damping: float
    minimum_mass: float


@dataclass(frozen=True)
class Tuning:
    """The four steps of the tuning, and the coupling they end with."""

    max_stiffness: float
    limited_by: str
    chosen: Trade
    margin: float
    trade: list[Trade]
    midpoint: tuple[float, float, float]
    """Stiffness, damping of the virtual side and gamma of the engine's own coupling."""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Finding:
    """One bound, checked."""

    bound: str
    holds: bool
    available: float
    needed: float
    text: str


@dataclass(frozen=True)
class WayOut:
    """A change that makes every bound hold."""

    knob: str
    before: float
    after: float
    text: str


@dataclass(frozen=True)
class Explanation:
    """The verdict on one rendering on one device."""

    passive: bool
    findings: list[Finding]
    ways_out: list[WayOut]


def wall(
    stiffness: float, damping: float, rate: float = 1000.0, delay: float = 0.0, filter: float | None = None
) -> WallDemand:
    """The damping that a wall asks of a device; ``filter`` is a low-pass on velocity [s]."""
    return WallDemand(*_core._wall(stiffness, damping, (1.0 / rate, delay), filter))


def wall_spectrum(
    stiffness: float, damping: float, thetas: ArrayLike, rate: float = 1000.0, delay: float = 0.0
) -> NDArray[np.float64]:
    """What a wall asks at each frequency [rad per sample]."""
    return _core._wall_at(stiffness, damping, (1.0 / rate, delay), thetas)


def coupling(
    stiffness: float, damping: float, rate: float = 1000.0, delay: float = 0.0, gamma: float | None = None
) -> float:
    """The damping that a coupling to any passive world asks of a device.

    A backward-difference coupling, or the engine's midpoint coupling if ``gamma`` is given.
    """
    return _core._coupling(stiffness, damping, (1.0 / rate, delay), gamma)


def mass(
    stiffness: float,
    damping: float,
    device_damping: float,
    rate: float = 1000.0,
    delay: float = 0.0,
    integrator: str = "trapezoidal",
) -> float:
    """The lightest virtual mass behind a coupling [kg]: 0 if any will do, inf if none."""
    return _core._mass(stiffness, damping, device_damping, (1.0 / rate, delay), integrator)


def zwidth(
    device_damping: float,
    dampings: tuple[float, float] | None = None,
    count: int = 101,
    rate: float = 1000.0,
    delay: float = 0.0,
    filter: float | None = None,
) -> ZWidth:
    """The boundary of the K-B plane; from 0 to the device's damping unless given."""
    lowest, highest = dampings or (0.0, device_damping)
    return ZWidth(*_core._zwidth(device_damping, (1.0 / rate, delay), (lowest, highest, count), filter))


def tune(device: Device, beta: float = 1.0, share: float = 0.9, integrator: str = "trapezoidal") -> Tuning:
    """Which K, B and mass may this device render?"""
    stiffness, limited, chosen, margin, trade, midpoint, notes = _core._tune(
        device._numbers(), beta, share, integrator
    )
    k, b, gamma = midpoint
    points = [Trade(*point) for point in trade]
    return Tuning(stiffness, limited, Trade(*chosen), margin, points, (k, b, gamma), notes)


def explain(device: Device, stiffness: float, damping: float, gamma: float | None = None) -> Explanation:
    """Why does it vibrate? A wall, or the engine's midpoint coupling if ``gamma`` is given."""
    passive, findings, ways = _core._explain(device._numbers(), stiffness, damping, gamma)
    return Explanation(passive, [Finding(*f) for f in findings], [WayOut(*w) for w in ways])
