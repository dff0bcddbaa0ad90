"""Worlds on threads: no lock of the interpreter, no race, no leak."""

import copy
import gc
import os
import resource
import threading

import pytest
from conftest import held, hello

import palpable
from palpable import Batch, Body, BusyError, Model, World


def rss() -> int:
    """Memory of this process [bytes]."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_eight_threads_step_eight_worlds_to_the_same_bits(scenes):
    worlds = [palpable.load(scenes / "stack-3.toml") for _ in range(8)]

    def work(world):
        for _ in range(5):
            world.run(0.05, 5e-3)
            world.step(5e-3)

    threads = [threading.Thread(target=work, args=(w,)) for w in worlds]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len({w.state_hash() for w in worlds}) == 1


def test_two_threads_on_one_world_are_refused_not_raced():
    world, _, _ = held()
    refused, broken = [], []

    def work():
        for _ in range(300):
            try:
                world.run(2e-3, 1e-3)
                world.positions()
            except BusyError:
                refused.append(1)
            except BaseException as error:  # noqa: BLE001
                broken.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not broken
    world.verify()
    assert world.audit().is_clean()


def test_batches_do_not_depend_on_the_number_of_threads():
    import numpy as np

    world, ball, hand = held()
    hashes = []
    for threads in (1, 2, 7):
        batch = Batch([copy.copy(world) for _ in range(16)], [hand])
        places = np.linspace(0.0, 0.05, 48).reshape(16, 1, 3)
        for _ in range(10):
            batch.step(places, 1e-3, 20, threads)
        hashes.append(batch.state_hashes())
    assert hashes[0] == hashes[1] == hashes[2] and len(set(hashes[0])) == 16
    with pytest.raises(BusyError):
        Batch([world, world], [hand]).step(np.zeros((2, 1, 3)), 1e-3, 1)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_worlds_that_are_dropped_leave_nothing_behind():
    cycles = int(os.environ.get("PALPABLE_CYCLES", "20000"))

    def cycle(count):
        for _ in range(count):
            model = Model()
            model.body(Body.sphere("ball", 0.1))
            world = World(model)
            world.step(1e-3)
        gc.collect()

    cycle(2000)
    before = rss()
    cycle(cycles)
    grown = rss() - before
    print(f"{cycles} cycles: {grown} bytes")
    # the allocator keeps some pages, however many cycles; a leak of one world would be kilobytes a cycle
    assert grown < 4 << 20


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_edits_couplings_and_failures_leave_nothing_behind():
    from palpable import ForeignError, PalpableError, coupling

    world, _, hand = held()
    other, stranger = hello()

    def cycle(count):
        for _ in range(count):
            twin = copy.copy(world)
            ball = twin.edit(lambda m: m.body(Body.sphere("more", 0.1).position([1, 0, 1])))
            twin.edit(lambda m: m.remove_body(ball))
            made = coupling.VirtualCoupling(coupling.CouplingSettings.point(100.0, 1e-3))
            made.sample(coupling.Handle.at([0, 0, 1]))
            made.force(twin.port(hand), 1e-3)
            for wrong in (lambda: twin.pose(stranger), lambda: twin.edit(lambda m: 1 / 0)):
                try:
                    wrong()
                except (ForeignError, PalpableError, ZeroDivisionError):
                    pass
        gc.collect()

    cycle(300)
    before = rss()
    cycle(1500)
    grown = rss() - before
    print(f"{grown} bytes")
    assert grown < 4 << 20


def test_no_reference_is_kept_by_runs_and_snapshots():
    import weakref

    world, _ = hello()
    gone = weakref.ref(world)
    kept = world.snapshot()
    world.run(0.01, 1e-3, lambda w: None)
    del world, kept
    gc.collect()
    assert gone() is None
