"""Recordings (CSV, MCAP) as numpy arrays, and the papers' experiments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Check", "Outcome", "Recording", "experiments", "read", "reproduce"]


class Recording(Mapping[str, "NDArray[np.float64]"]):
    """The columns of a recording by name; ``time`` [s], ``units`` and ``groups`` beside them."""

    def __init__(
        self,
        time: NDArray[np.float64],
        columns: dict[str, NDArray[np.float64]],
        units: dict[str, str],
        groups: dict[str, str],
    ) -> None:
        self.time = time
        self.units = units
        self.groups = groups
        self._columns = columns

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Recording of {len(self)} columns and {len(self.time)} rows>"


def read(path: str | PathLike[str], columns: Sequence[str] | None = None) -> Recording:
    """Reads a recording of ``palpable run``; only some columns if they are named."""
    time, found = _core._read(path, None if columns is None else list(columns))
    return Recording(
        time,
        {name: values for name, _, _, values in found},
        {name: unit for name, unit, _, _ in found},
        {name: group for name, _, group, _ in found},
    )


@dataclass(frozen=True)
class Check:
    """A number measured on the drawn data, and what it must satisfy."""

    name: str
    value: float
    bound: str
    passed: bool


@dataclass(frozen=True)
class Outcome:
    """What an experiment found and wrote."""

    id: str
    checks: list[Check]
    files: list[Path]

    @property
    def passed(self) -> bool:
        """True if every check passed."""
        return all(check.passed for check in self.checks)


def experiments(pattern: str = "") -> list[tuple[str, str, str, str]]:
    """Id, paper, title and sentence of each experiment that a pattern names."""
    return [(id, paper, title, shows) for id, paper, title, shows in _core._experiments(pattern)]


def reproduce(pattern: str, out: str | PathLike[str] = "palpable-out/reproduce") -> list[Outcome]:
    """Draws the papers' figures anew and checks them."""
    outcomes = []
    for id, *_ in experiments(pattern):
        checks, files = _core._reproduce(id, out)
        outcomes.append(Outcome(id, [Check(*check) for check in checks], [Path(file) for file in files]))
    return outcomes
