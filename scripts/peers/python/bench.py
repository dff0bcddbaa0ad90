"""MuJoCo and Bullet: bench.py mujoco|bullet WORLD BOXES WARM STEPS, both as they come."""

import ctypes
import os
import sys
import time

import numpy as np

toggle = ctypes.CDLL(os.path.join(os.environ["PEERS_BIN"], "libtoggle.so"))


def layout(kind, n):
    """Half edges, places and step; the same as in rust/src/layout.rs."""
    if kind == "pyramid":
        row = 1
        while row * (row + 1) // 2 < n:
            row += 1
        places, z = [], 0.5
        while n > 0:
            count = min(row, n)
            places += [(2.1 * (k - (count - 1) / 2), 0.0, z) for k in range(count)]
            n, row, z = n - count, max(row - 1, 1), z + 1.0
    elif kind == "wall":
        places = [(2.02 * (i % 10) + 0.5 * (i // 10 % 2), 0.0, 0.5 + i // 10) for i in range(n)]
    else:
        places = [(0.0, 0.0, 0.1 + 0.2 * i) for i in range(n)]
    half = (0.1, 0.1, 0.1) if kind == "tower" else (1.0, 0.5, 0.5)
    return half, places, 5e-3 if kind == "pyramid" else 1e-3


class MuJoCo:
    def __init__(self, half, places, step):
        import mujoco

        self.lib = mujoco
        size = " ".join(map(str, half))
        bodies = "".join(
            f'<body pos="{x} {y} {z}"><freejoint/>'
            f'<geom type="box" size="{size}" mass="1" friction="0.5"/></body>'
            for x, y, z in places
        )
        xml = (
            f'<mujoco><option timestep="{step}" gravity="0 0 -9.81" cone="elliptic"/>'
            '<size memory="256M"/><worldbody>'
            '<geom type="plane" size="500 500 1" friction="0.5"/>'
            f"{bodies}</worldbody></mujoco>"
        )
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)

    def steps(self, count):
        self.lib.mj_step(self.model, self.data, nstep=count)

    def places(self):
        return self.data.qpos.reshape(-1, 7)[:, :3]

    def speeds(self):
        return self.data.qvel.reshape(-1, 6)[:, :3]


class Bullet:
    def __init__(self, half, places, step):
        import pybullet

        self.lib = pybullet
        pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(0, 0, -9.81)
        pybullet.setTimeStep(step)
        floor = pybullet.createCollisionShape(pybullet.GEOM_PLANE)
        ground = pybullet.createMultiBody(0, floor)
        pybullet.changeDynamics(ground, -1, lateralFriction=0.5**0.5)
        box = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=half)
        self.ids = [
            pybullet.createMultiBody(1.0, box, basePosition=p, useMaximalCoordinates=1)
            for p in places
        ]
        for body in self.ids:
            pybullet.changeDynamics(body, -1, lateralFriction=0.5**0.5)

    def steps(self, count):
        for _ in range(count):
            self.lib.stepSimulation()

    def places(self):
        return np.array([self.lib.getBasePositionAndOrientation(b)[0] for b in self.ids])

    def speeds(self):
        return np.array([self.lib.getBaseVelocity(b)[0] for b in self.ids])


def main():
    engine, kind, n, warm, steps = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    half, places, step = layout(kind, n)
    world = (MuJoCo if engine == "mujoco" else Bullet)(half, places, step)
    world.steps(warm)
    toggle.peers_count_on()
    before = time.thread_time()
    world.steps(steps)
    each = (time.thread_time() - before) / steps * 1e6
    toggle.peers_count_off()
    moved = np.linalg.norm(world.places() - np.array(places), axis=1).max()
    speed = np.linalg.norm(world.speeds(), axis=1).max()
    print(f"moved={moved:.1e} speed={speed:.1e} residual=- us={each:.1f} p999=- max=-")


main()
