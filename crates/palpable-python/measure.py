"""Measures the wheel of the Python that runs it: what stands in docs/python.md. Not a test: times are a machine's.

    python measure.py                    all of it
    python measure.py count KIND STEPS   for callgrind: STEPS steps inside `run` of a world of the bench `instructions`, or
                                         of a scene file; `palpable bench --suite --only NAME --steps N` is Rust's side
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

H = 1e-3


def free(n=1):
    """Bodies that touch nothing, as in crates/palpable/benches/instructions.rs."""
    from palpable import Body, Model, World

    model = Model()
    model.ghosts()
    model.gravity([0, 0, -9.81])
    for i in range(n):
        body = Body.cuboid(f"b{i}", [0.1, 0.2, 0.3]).position([i, 0, 0])
        model.body(body.angular_velocity([1 + i * 1e-3, 5.0, 0.3]))
    return World(model)


def chain(n=10):
    """Rods of 1 g joined end to end by point springs of 1e4 N/m, as there."""
    from palpable import Anchor, Body, Model, Spring, World

    model = Model()
    model.ghosts()
    model.gravity([0, 0, -9.81])
    end = Anchor.world([0, 0, 0])
    for i in range(n):
        rod = model.body(Body.cuboid(f"b{i}", [0.05, 0.01, 0.01]).mass(1e-3).position([0.1 * i + 0.05, 0, 0]))
        model.spring(Spring.point(rod.at([-0.05, 0, 0]), end).stiffness(1e4))
        end = rod.at([0.05, 0, 0])
    return World(model)


KINDS = {"free": free, "chain": chain}


def best(measure, tries):
    """The least of several tries: others may be using the machine."""
    return min(measure() for _ in range(tries))


def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def import_time():
    code = "import time; t = time.perf_counter(); import palpable; print(time.perf_counter() - t)"
    ask = lambda: float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)  # noqa: E731
    print(f"import palpable          {1e3 * best(ask, 20):8.2f} ms")


def step_time():
    world = free()

    def steps():
        step = world.step
        for _ in range(1000):
            step(H)

    one = best(lambda: timed(steps), 300) / 1000
    inside = best(lambda: timed(lambda: world.run(1000 * H, H)), 300) / 1000
    print(f"one step, free body      {1e9 * one:8.0f} ns; inside run {1e9 * inside:.0f} ns; above it {1e9 * (one - inside):.0f} ns")


def waited():
    """Seconds that this thread ran and that it waited for a processor (Linux)."""
    with open("/proc/thread-self/schedstat") as file:
        ran, queued, _ = file.read().split()
    return int(ran) * 1e-9, int(queued) * 1e-9


def together(count, world, steps):
    """Seconds on the clock, and of the threads: run, waited for a processor, alive; one world each."""
    import copy

    worlds, sums = [copy.copy(world) for _ in range(count)], []

    def work(w):
        began, (ran, queued) = time.perf_counter(), waited()
        w.run(steps * H, H)
        after = waited()
        sums.append((after[0] - ran, after[1] - queued, time.perf_counter() - began))

    threads = [threading.Thread(target=work, args=(w,)) for w in worlds]
    clock = timed(lambda: ([t.start() for t in threads], [t.join() for t in threads]))
    return clock, *(sum(s[i] for s in sums) for i in range(3))


def thread_time():
    """What a thread does neither running nor queueing it spends waiting for others: for the interpreter's lock."""
    world, steps = chain(20), 2000
    tries = []
    for _ in range(8):
        single = sum(together(1, world, steps)[0] for _ in range(8))
        clock, ran, queued, alive = together(8, world, steps)
        tries.append((single / clock, ran / clock, 1 - (ran + queued) / alive))
    gain, busy, _ = max(tries)
    blocked = min(t[2] for t in tries)
    print(f"8 threads, 8 worlds      {gain:8.2f} x one after the other, {busy:.2f} processors had ({os.cpu_count()} there)")
    print(f"                         {100 * max(blocked, 0.0):8.2f} % of their time they waited for each other")


def vector_time(name, actions, count=64):
    """Rates on one and two threads; and what of the work is not shared, by time of processors on one thread."""
    import numpy as np

    import palpable.gym

    rates = {1: 0.0, 2: 0.0}
    envs = {n: palpable.gym.TaskVectorEnv(count, name, n) for n in rates}
    random = np.random.default_rng(1)
    shape = envs[1].action_space.shape
    for env in envs.values():
        env.reset(seed=1)
    inside = [0.0]
    step = envs[1].task.pass_time

    def watched(*arguments):
        began = time.thread_time()
        step(*arguments)
        inside[0] += time.thread_time() - began

    envs[1].task.pass_time = watched
    spent = 0.0
    rounds = []
    for _ in range(12):
        clock, ran = {}, {}
        for threads, env in envs.items():
            draws = [random.uniform(-1, 1, shape).astype(np.float32) for _ in range(actions)]
            began, all_began = time.thread_time(), time.process_time()
            clock[threads] = timed(lambda: [env.step(a) for a in draws])
            ran[threads] = time.process_time() - all_began
            rates[threads] = max(rates[threads], count * actions / clock[threads])
            spent += (time.thread_time() - began) * (threads == 1)
        rounds.append((clock[1] / clock[2], ran[2] / clock[2], ran[2] / ran[1]))
    one, two = rates[1], rates[2]
    alone = 1 - inside[0] / spent
    gains, busy, dearer = (sorted(r) for r in zip(*rounds))
    print(
        f"{name:<12} 64 worlds   {two:8.0f} actions/s on two threads, {one:.0f} on one: {two / one:.2f} x; {100 * alone:.1f} % of "
        f"the work is Python's and not shared: at most {2 / (1 + alone):.2f} x on two processors"
    )
    print(
        f"                         12 rounds of one and two: {gains[0]:.2f} to {gains[-1]:.2f} x, median {gains[6]:.2f}; "
        f"{busy[0]:.2f} to {busy[-1]:.2f} processors had; two threads took {dearer[6]:.2f} x the processors' time of one"
    )


def gymnasium_time(name, count=8):
    """Random actions a second of another environment, alone and in 8 processes."""
    import gymnasium

    env = gymnasium.make(name)
    env.reset(seed=1)
    env.action_space.seed(1)

    def some():
        for _ in range(200):
            _, _, over, late, _ = env.step(env.action_space.sample())
            if over or late:
                env.reset()

    one = 200 / best(lambda: timed(some), 10)
    model = env.unwrapped.model
    step, frames = model.opt.timestep, env.unwrapped.frame_skip
    print(f"{name:<22} {one:10.0f} actions/s on one thread; {frames} steps of {1e3 * step:g} ms each, {model.nbody} bodies")


def main():
    if sys.argv[1:2] == ["count"]:
        import palpable

        world = KINDS[sys.argv[2]]() if sys.argv[2] in KINDS else palpable.load(sys.argv[2])
        world.run(int(sys.argv[3]) * H, H)
        return
    import_time()
    step_time()
    thread_time()
    for name, actions in (("Press", 100), ("PegInHole", 3), ("Grasp", 5)):
        vector_time(name, actions)
    try:
        import mujoco  # noqa: F401
    except ImportError:
        return
    for name in ("Reacher-v5", "Pusher-v5", "Ant-v5", "Humanoid-v5"):
        gymnasium_time(name)


if __name__ == "__main__":
    main()
