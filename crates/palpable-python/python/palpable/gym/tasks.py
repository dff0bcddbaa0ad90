"""What is to be done: a world, the hand's ports, and numbers for any number of worlds at once."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._core import Batch, Body, BodyId, Material, Model, Port, PortId, World

Array = NDArray[np.float64]

H = 1e-3
"""Length of a physics step [s]."""
STEPS = 20
"""Physics steps per action: 50 actions a second."""


class Task:
    """Worlds of one model and what their hands are to do.

    A subclass says what the world is (``build``), where the hands begin (``begin``), how an action moves them
    (``REACH``), what is seen (``observe``) and what it is worth (``judge``). All arrays have a row per world.
    """

    ACTIONS: int
    OBSERVATIONS: int
    REACH: float
    """How far a hand moves in one action at most [m]."""
    LENGTH: int
    """Actions of an episode."""
    SETTLE = 0
    """Physics steps before an episode begins."""

    def __init__(self, count: int, threads: int = 1) -> None:
        world, ports = self.build()
        self.worlds = [world] + [copy.copy(world) for _ in range(count - 1)]
        self.start = world.snapshot()
        self.batch = Batch(self.worlds, ports)
        self.threads = threads
        self.count = count
        self.references: Array = np.zeros((count, len(ports), 3))
        self.goal: Array = np.zeros(count)
        self.held: Array = np.zeros(count)
        self.observation_space = spaces.Box(-np.inf, np.inf, (self.OBSERVATIONS,), np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (self.ACTIONS,), np.float32)

    def build(self) -> tuple[World, list[PortId]]:
        """The world and its reference ports."""
        raise NotImplementedError

    def begin(self, i: int, random: np.random.Generator) -> None:
        """Draws goal and first references of world ``i``."""
        raise NotImplementedError

    def moves(self, actions: Array) -> Array:
        """How far the references move, per unit of reach; worlds x ports x 3."""
        raise NotImplementedError

    def observe(self) -> Array:
        """What is seen."""
        raise NotImplementedError

    def judge(self) -> tuple[Array, NDArray[np.bool_]]:
        """Reward of each world, and whether it is done."""
        raise NotImplementedError

    def reset(self, i: int, random: np.random.Generator) -> None:
        """Begins an episode in world ``i``."""
        self.worlds[i].restore(self.start)
        self.held[i] = 0.0
        self.begin(i, random)
        if self.SETTLE:
            active = [k == i for k in range(self.count)]
            self.batch.step(self.references, H, self.SETTLE, 1, active)

    def act(self, actions: Array, active: NDArray[np.bool_]) -> None:
        """Moves the hands and lets time pass."""
        wanted = np.clip(np.nan_to_num(np.asarray(actions, np.float64)), -1.0, 1.0)
        moves = self.moves(wanted) * self.REACH
        self.references[active] += moves[active]
        self.batch.step(self.references, H, STEPS, self.threads, active.tolist())

    def energy(self) -> dict[str, Array]:
        """Accounts of each world [J]."""
        rows = self.batch.accounts()
        return {
            "stored": rows[:, 0:4].sum(axis=1),
            "supplied": rows[:, 4],
            "lost": rows[:, 5:9].sum(axis=1),
            "created": rows[:, 9],
        }

    def info(self) -> dict[str, Any]:
        """What else is known."""
        return {}


def _fingertip(name: str, position: list[float]) -> Body:
    return Body.sphere(name, 0.01).mass(0.05).position(position).material(Material(0.8, 0.0))


_STIFFNESS = [500.0, 500.0, 500.0, 2.0, 2.0, 2.0]
_DAMPING = [5.0, 5.0, 5.0, 0.01, 0.01, 0.01]


class Press(Task):
    """A fingertip of 10 mm presses a table until it feels a wanted force of 1 to 5 N.

    The action moves the hand up or down by up to 1 mm; hand and fingertip are joined by 500 N/m. Seen are: height of the
    hand and of the tip over the table [m], speed of the tip [m/s], force [N], wanted force [N]. Done when the
    force has stayed within 5 % for ten actions.
    """

    ACTIONS, OBSERVATIONS, REACH, LENGTH = 1, 5, 1e-3, 200

    def build(self) -> tuple[World, list[PortId]]:
        model = Model()
        model.contacts()
        model.body(Body.half_space("table").material(Material(0.5, 0.0)))
        tip = model.body(_fingertip("tip", [0.0, 0.0, 0.02]))
        hand = model.port(Port.reference("hand", tip.origin(), _STIFFNESS, _DAMPING))
        self.tip: BodyId = tip
        return World(model), [hand]

    def begin(self, i: int, random: np.random.Generator) -> None:
        self.goal[i] = random.uniform(1.0, 5.0)
        self.references[i] = [0.0, 0.0, random.uniform(0.015, 0.025)]

    def moves(self, actions: Array) -> Array:
        moves = np.zeros((self.count, 1, 3))
        moves[:, 0, 2] = actions[:, 0]
        return moves

    def force(self) -> Array:
        """Force of the table on the tip [N]."""
        return self.batch.contact_forces(self.tip)[:, 2]

    def observe(self) -> Array:
        height = self.batch.positions(self.tip)[:, 2] - 0.01
        speed = self.batch.velocities(self.tip)[:, 2]
        hand = self.references[:, 0, 2] - 0.01
        return np.stack([hand, height, speed, self.force(), self.goal], axis=1)

    def judge(self) -> tuple[Array, NDArray[np.bool_]]:
        error = np.abs(self.force() - self.goal) / self.goal
        self.held = np.where(error < 0.05, self.held + 1, 0.0)
        done = self.held >= 10
        return -np.minimum(error, 2.0) + 10.0 * done, done


class PegInHole(Task):
    """A peg of 20 mm is to reach the bottom of a square hole of 20.2 mm, 40 mm deep.

    The scene is ``scenes/peg-in-hole.toml``: box-shaped peg, four blocks, a clearance of 0.1 mm on each side. Simplified:
    the hand keeps its orientation, so only three directions are to be found. The action moves the hand by up to 1 mm
    along each axis; the first place is up to 2 mm beside the hole. Seen are: place of the peg over the bottom of
    the hole [m], its velocity [m/s], hand minus peg [m], force that the hand feels [N].
    """

    ACTIONS, OBSERVATIONS, REACH, LENGTH, SETTLE = 3, 12, 1e-3, 300, 100
    _GRIP = 0.03

    def build(self) -> tuple[World, list[PortId]]:
        model = Model()
        model.gravity([0.0, 0.0, -9.81])
        model.contacts()
        slick = Material(0.15, 0.0)
        peg = Body.cuboid("peg", [0.01, 0.01, 0.03]).mass(0.2).material(slick)
        self.peg: BodyId = model.body(peg.position([0.0, 0.0, 0.0805]))
        for name, half, at in [
            ("left", [0.02, 0.0501, 0.02], [-0.0301, 0.0, 0.02]),
            ("right", [0.02, 0.0501, 0.02], [0.0301, 0.0, 0.02]),
            ("front", [0.0101, 0.02, 0.02], [0.0, -0.0301, 0.02]),
            ("back", [0.0101, 0.02, 0.02], [0.0, 0.0301, 0.02]),
        ]:
            model.body(Body.cuboid(name, half).fixed().material(slick).position(at))
        model.body(Body.half_space("bottom"))
        grip = self.peg.at([0.0, 0.0, self._GRIP])
        hand = model.port(Port.reference("hand", grip, _STIFFNESS, _DAMPING))
        return World(model), [hand]

    def begin(self, i: int, random: np.random.Generator) -> None:
        x, y = random.uniform(-0.002, 0.002, 2)
        self.references[i] = [x, y, 0.0805 + self._GRIP + 0.002]

    def moves(self, actions: Array) -> Array:
        return actions[:, None, :]

    def depth(self) -> Array:
        """Height of the peg's lower end over the bottom [m]."""
        return self.batch.positions(self.peg)[:, 2] - 0.03

    def observe(self) -> Array:
        place = self.batch.positions(self.peg)
        place[:, 2] -= 0.03
        hand = self.references[:, 0] - self.batch.port_positions()[:, 0]
        return np.concatenate(
            [place, self.batch.velocities(self.peg), hand, self.batch.port_forces()[:, 0]], axis=1
        )

    def judge(self) -> tuple[Array, NDArray[np.bool_]]:
        place = self.batch.positions(self.peg)
        beside = np.linalg.norm(place[:, :2], axis=1)
        depth = self.depth()
        done = depth < 0.002
        return -(depth / 0.05) - 20.0 * beside + 10.0 * done, done


class Grasp(Task):
    """Two fingertips are to lift a box of 100 g by 50 mm.

    The scene is of its own: box on a table, two balls as fingertips, held by 500 N/m each. Simplified: fingers move in
    one plane. The action closes or opens the hand, and raises or lowers it, by up to 1 mm. Seen are: place of the box [m],
    its velocity [m/s], distance of the hands and their height [m], forces on both fingers along x and z [N].
    """

    ACTIONS, OBSERVATIONS, REACH, LENGTH, SETTLE = 2, 12, 1e-3, 300, 100

    def build(self) -> tuple[World, list[PortId]]:
        model = Model()
        model.gravity([0.0, 0.0, -9.81])
        model.contacts()
        rough = Material(0.8, 0.0)
        model.body(Body.half_space("table"))
        box = Body.cuboid("box", [0.02, 0.02, 0.02]).mass(0.1).material(rough)
        self.box: BodyId = model.body(box.position([0.0, 0.0, 0.02]))
        ports = []
        for name, x in [("left", -0.04), ("right", 0.04)]:
            tip = model.body(_fingertip(name, [x, 0.0, 0.02]))
            ports.append(model.port(Port.reference(name, tip.origin(), _STIFFNESS, _DAMPING)))
        return World(model), ports

    def begin(self, i: int, random: np.random.Generator) -> None:
        shift = random.uniform(-0.004, 0.004)
        width = random.uniform(0.036, 0.044)
        self.references[i, 0] = [shift - width, 0.0, 0.02]
        self.references[i, 1] = [shift + width, 0.0, 0.02]

    def moves(self, actions: Array) -> Array:
        moves = np.zeros((self.count, 2, 3))
        moves[:, 0, 0], moves[:, 1, 0] = actions[:, 0], -actions[:, 0]
        moves[:, :, 2] = actions[:, 1:2]
        return moves

    def observe(self) -> Array:
        hands = np.stack(
            [self.references[:, 1, 0] - self.references[:, 0, 0], self.references[:, 0, 2]], axis=1
        )
        forces = self.batch.port_forces()[:, :, [0, 2]].reshape(self.count, 4)
        place = self.batch.positions(self.box)
        return np.concatenate([place, self.batch.velocities(self.box), hands, forces], axis=1)

    def judge(self) -> tuple[Array, NDArray[np.bool_]]:
        height = self.batch.positions(self.box)[:, 2] - 0.02
        done = height > 0.05
        return 20.0 * np.clip(height, 0.0, 0.05) + 10.0 * done, done


TASKS: dict[str, type[Task]] = {"Press": Press, "PegInHole": PegInHole, "Grasp": Grasp}


def named(task: str | type[Task]) -> type[Task]:
    """The task of a name, or the task itself."""
    if isinstance(task, str):
        if task not in TASKS:
            raise ValueError(f"there is no task {task!r}; use one of {sorted(TASKS)}")
        return TASKS[task]
    return task
