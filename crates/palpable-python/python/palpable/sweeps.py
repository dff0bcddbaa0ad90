"""Parameters x seeds into one table, on any executor, resumable.

``sweep(case, grid, ...)`` calls ``case(**parameters)`` for every point of the grid. A case returns a dictionary of
numbers. A case that fails becomes a row with its error and is not lost; what is done already is not done again.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from . import _core

__all__ = ["Sweep", "ray_executor", "sweep"]

Row = dict[str, Any]
Metric = Callable[[_core.World], float]


@dataclass
class Sweep:
    """What a sweep found: a row per case, in the order of the grid."""

    rows: list[Row] = field(default_factory=list)
    reused: int = 0
    """Cases that an earlier run had done."""

    @property
    def failed(self) -> list[Row]:
        """Cases that raised, with the text in ``error``."""
        return [row for row in self.rows if row.get("error")]

    def table(self) -> Any:
        """The rows as an Arrow table; needs pyarrow (``pip install pyarrow``)."""
        import pyarrow  # type: ignore[import-untyped,unused-ignore]

        names: dict[str, None] = {}
        for row in self.rows:
            names.update(dict.fromkeys(row))
        return pyarrow.table({name: [row.get(name) for row in self.rows] for name in names})

    def write(self, path: str | PathLike[str]) -> None:
        """Writes the rows as Parquet."""
        import pyarrow.parquet  # type: ignore[import-untyped,unused-ignore]

        pyarrow.parquet.write_table(self.table(), os.fspath(path))


class SceneCase:
    """Runs a scene once: parameters replace ``{name}`` in its text or go to ``prepare(world, **parameters)``."""

    def __init__(
        self,
        scene: str,
        origin: str,
        metrics: Mapping[str, Metric],
        prepare: Callable[..., None] | None,
        seconds: float | None,
    ) -> None:
        self.scene, self.origin, self.metrics = scene, origin, dict(metrics)
        self.prepare, self.seconds = prepare, seconds

    def __call__(self, **parameters: Any) -> Row:
        text = self.scene
        for name, value in parameters.items():
            text = text.replace("{" + name + "}", str(value))
        world = _core.parse(text, self.origin)
        if self.prepare is not None:
            self.prepare(world, **parameters)
        world.run(self.seconds)
        return {name: metric(world) for name, metric in self.metrics.items()}


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python: as such they come back from a file."""
    return value.item() if hasattr(value, "item") else value


def _points(grid: Mapping[str, Sequence[Any]], seeds: Sequence[int] | None) -> Iterator[Row]:
    axes = {name: [_plain(v) for v in values] for name, values in grid.items()}
    if seeds is not None:
        axes["seed"] = [_plain(seed) for seed in seeds]
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values))


def _key(parameters: Row) -> str:
    return json.dumps(parameters, sort_keys=True, default=str)


def _work(case: Callable[..., Row], chunk: list[Row]) -> list[Row]:
    """Runs some cases in a worker; what one raises stays with it."""
    rows = []
    for parameters in chunk:
        began = time.perf_counter()
        row: Row = dict(parameters)
        try:
            row.update(case(**parameters))
            row["error"] = ""
        except Exception as error:  # a failing case is a row, not the end
            row["error"] = f"{type(error).__name__}: {error}"
        row["seconds"] = time.perf_counter() - began
        rows.append(row)
    return rows


class _Journal:
    """Rows as they come in, one JSON text a line; a torn last line is left out."""

    def __init__(self, path: Path | None, names: Sequence[str]) -> None:
        self.path = path
        self.done: dict[str, Row] = {}
        if path is None:
            return
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                # what failed is tried again
                if not row.get("error") and all(name in row for name in names):
                    self.done[_key({name: row[name] for name in names})] = row
        path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, rows: list[Row]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row, default=str) + "\n" for row in rows)


def sweep(
    scene: str | PathLike[str] | Callable[..., Row],
    grid: Mapping[str, Sequence[Any]],
    metrics: Mapping[str, Metric] | None = None,
    executor: Executor | None = None,
    *,
    seeds: Sequence[int] | None = None,
    prepare: Callable[..., None] | None = None,
    seconds: float | None = None,
    resume: str | PathLike[str] | None = None,
    chunk: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Runs every point of a grid.

    ``scene`` is a scene file, with ``{name}`` where a parameter stands, or a function ``case(**parameters)`` that returns a
    dictionary. ``metrics`` are functions of the world at the end. ``executor`` is any of ``concurrent.futures``, or
    ``ray_executor()``; here and now if none. ``resume`` is a file that keeps what is done (JSON lines).
    """
    if callable(scene):
        case = scene
    else:
        path = Path(scene)
        if not metrics:
            raise ValueError("metrics is empty; name at least one function of the world")
        case = SceneCase(path.read_text(encoding="utf-8"), str(path), metrics, prepare, seconds)
    points = list(_points(grid, seeds))
    names = [*grid, *(["seed"] if seeds is not None else [])]
    journal = _Journal(None if resume is None else Path(resume), names)
    keys = [_key(point) for point in points]
    todo = [point for point, key in zip(points, keys) if key not in journal.done]
    reused = len(points) - len(todo)
    size = chunk or max(1, min(256, math.ceil(len(todo) / 64)))
    chunks = [todo[i : i + size] for i in range(0, len(todo), size)]
    found = journal.done
    count = reused
    for rows in _spread(case, chunks, executor):
        journal.add(rows)
        found.update({_key({name: row[name] for name in names}): row for row in rows})
        count += len(rows)
        if progress is not None:
            progress(count, len(points))
    return Sweep([found[key] for key in keys], reused)


def _spread(
    case: Callable[..., Row], chunks: list[list[Row]], executor: Executor | None
) -> Iterator[list[Row]]:
    if executor is None:
        for part in chunks:
            yield _work(case, part)
        return
    left = iter(chunks)
    waiting: dict[Future[list[Row]], list[Row]] = {}
    while True:
        # a few chunks ahead of the workers, not all of a million
        for part in itertools.islice(left, 64 - len(waiting)):
            try:
                waiting[executor.submit(_work, case, part)] = part
            except RuntimeError as error:  # the executor has broken down
                yield _lost(part, error)
        if not waiting:
            return
        ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in ready:
            part = waiting.pop(future)
            try:
                rows = future.result()
            except Exception as error:  # a worker that died takes its chunk with it
                rows = _lost(part, error)
            yield rows


def _lost(part: list[Row], error: Exception) -> list[Row]:
    return [{**row, "error": f"{type(error).__name__}: {error}", "seconds": 0.0} for row in part]


def ray_executor(**options: Any) -> Executor:
    """An executor on a Ray cluster; needs Ray (``pip install ray pyarrow``)."""
    from ray.util.multiprocessing import Pool  # type: ignore[import-not-found,unused-ignore]

    return _PoolExecutor(Pool(**options))


class _PoolExecutor(Executor):
    def __init__(self, pool: Any) -> None:
        self.pool = pool

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.pool.apply_async(
            fn, args, kwargs, callback=future.set_result, error_callback=future.set_exception
        )
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.pool.close()
        if wait:
            self.pool.join()
