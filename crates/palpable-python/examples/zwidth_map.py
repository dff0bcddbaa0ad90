"""A Z-width map: for each stiffness and damping of a wall, the damping that it asks of a device
[Brown1998], with and without a delay of half a sample; a row per case, on all processors, resumable.

    python zwidth_map.py FOLDER                 400 x 250 cases into FOLDER/zwidth.parquet (needs pyarrow)
    python zwidth_map.py FOLDER --size 20 10    fewer

Whoever stops it goes on later with the same command: what is done stands in FOLDER/zwidth.jsonl.
"""

import argparse
import concurrent.futures
import time
from pathlib import Path

import palpable
from palpable import passivity

RATE = 1000.0
DEVICE = 5.0
"""Damping of the device [N·s/m]."""


def case(stiffness, damping):
    """One wall; a function of a module, so that other processes can call it."""
    wall = passivity.wall(stiffness, damping, rate=RATE)
    late = passivity.wall(stiffness, damping, rate=RATE, delay=0.5 / RATE)
    return {"need": wall.damping, "need_late": late.damping, "passive": wall.damping < DEVICE}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, nargs=2, default=(400, 250), metavar=("STIFFNESSES", "DAMPINGS"))
    asked = parser.parse_args()
    rows, columns = asked.size
    grid = {
        "stiffness": [12_000.0 * (i + 0.5) / rows for i in range(rows)],
        "damping": [6.0 * (j + 0.5) / columns for j in range(columns)],
    }
    asked.folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    with concurrent.futures.ProcessPoolExecutor() as pool:
        found = palpable.sweep(case, grid, executor=pool, resume=asked.folder / "zwidth.jsonl")
    spent = time.perf_counter() - began
    found.write(asked.folder / "zwidth.parquet")
    print(f"{len(found.rows)} cases in {spent:.1f} s, {found.reused} of them done before, {len(found.failed)} failed")
    # KT/2 + B < b is the line of [Brown1998, (3.9)]
    wrong = [r for r in found.rows if r["passive"] != (0.5 * r["stiffness"] / RATE + r["damping"] < DEVICE)]
    late = sum(r["need_late"] > r["need"] for r in found.rows)
    print(f"{len(wrong)} of them on the wrong side of the line; the delay asks for more in {late}")
    assert not wrong and not found.failed


if __name__ == "__main__":
    main()
