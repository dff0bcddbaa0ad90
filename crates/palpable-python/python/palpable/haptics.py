"""Haptic devices: a servo loop in Rust on a thread of its own, looked at from Python.

The loop never waits for Python. ``Servo.live`` and ``Servo.rows`` say how it is doing, ``watch`` calls a
function with it, ``Servo.stop`` fades the force out and returns the statistics. Only the safety stage speaks to a
device.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._core import Servo, _survey

__all__ = ["Found", "Servo", "survey", "watch"]


@dataclass(frozen=True)
class Found:
    """What was found of one kind of device."""

    device: str
    standing: str
    seen: str
    cure: str


def survey() -> list[Found]:
    """Looks for every kind of device; opens none and sends no force."""
    return [Found(*found) for found in _survey()]


def watch(
    servo: Servo, callback: Callable[[dict[str, Any]], object], seconds: float, period: float = 0.02
) -> dict[str, Any]:
    """Calls ``callback(servo.live())`` every ``period`` seconds, then stops the loop.

    However it is left, by its end, Ctrl-C or an exception of the callback, the device is left at zero. Returns
    the statistics.
    """
    end = time.monotonic() + seconds
    try:
        while servo.running and time.monotonic() < end:
            if callback(servo.live()) is False:
                break
            time.sleep(period)
    finally:
        stats = servo.stop()
    return stats
