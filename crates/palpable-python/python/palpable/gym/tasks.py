"""What is to be done: a world, the hand's ports, and numbers for any number of worlds at once."""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._core import Batch, Body, BodyId, Material, Model, Port, PortId, World, load

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
        self.count, self.threads = count, threads
        self.motors: list[PortId] = []
        self.turns: Array | None = None
        """Orientations of the references, if not those of the world; ports x 4."""
        world, ports = self.build()
        self.worlds = [world] + [copy.copy(world) for _ in range(count - 1)]
        self.start = world.snapshot()
        self.batch = Batch(self.worlds, ports, self.motors)
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
            self.pass_time(self.SETTLE, [k == i for k in range(self.count)], 1)

    def act(self, actions: Array, active: NDArray[np.bool_]) -> None:
        """Moves the hands and lets time pass."""
        given = np.asarray(actions, np.float64)
        # NaN moves nothing
        wanted = np.where((given == given) & active[:, None], given.clip(-1.0, 1.0), 0.0)
        self.references += self.moves(wanted) * self.REACH
        self.pass_time(STEPS, active.tolist(), self.threads)

    def pass_time(self, steps: int, active: list[bool], threads: int) -> None:
        """Takes physics steps with what the hands hold."""
        references = self.references
        if self.turns is not None:
            turns = np.broadcast_to(self.turns, (self.count, *self.turns.shape))
            references = np.concatenate([references, turns], axis=2)
        self.batch.step(references, H, steps, threads, active, self.targets())

    def targets(self) -> Array | None:
        """What the motors are to reach; worlds x motors."""
        return None

    def energy(self) -> dict[str, Array]:
        """Accounts of each world [J]."""
        rows = self.batch.accounts()
        return {
            "stored": rows[:, 0:5].sum(axis=1),
            "supplied": rows[:, 5],
            "lost": rows[:, 6:10].sum(axis=1),
            "created": rows[:, 10],
        }

    def info(self) -> dict[str, Any]:
        """What else is known."""
        return {}


@functools.cache
def _begun(scene: str, seconds: float) -> World:
    """A world of a scene that has run for a while by its own script; to be copied."""
    world = load(scene)
    world.run(seconds)
    return world


def _scripted(world: World, ports: list[PortId]) -> tuple[Array, Array]:
    """Where the scene's script wants reference ports now [m], and how they are turned."""
    now = world.script()
    places = np.array([now.get(port).values for port in ports])
    return places[:, :3], places[:, 3:]


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
    """A hand of ten links puts a peg of 20 mm into a hole of 21 mm, 40 mm deep, in a box that another hand holds.

    The scene is ``scenes/peg-two-hands.toml`` [Kim2017 sec. 5.1] after 3.4 s: forty-odd bodies and springs, the peg in the
    right hand's fingers 20 mm over the box, the box in the left hand's. The action moves the right hand by up to
    1 mm along each axis; the first place is up to 2 mm beside the hole. Seen are: place of the peg over the bottom
    of the hole [m], its velocity [m/s], hand minus palm [m], force that the hand feels [N].
    """

    ACTIONS, OBSERVATIONS, REACH, LENGTH, SETTLE = 3, 12, 1e-3, 300, 100
    SCENE = "peg-two-hands"
    START = 3.4
    _HOLE: Array = np.array([-0.02, 0.0, 0.07])
    """Where the peg's middle is in the box when it stands on the bottom [m]."""

    def build(self) -> tuple[World, list[PortId]]:
        world = copy.copy(_begun(self.SCENE, self.START))
        self.peg, self.box = world.body_named("peg"), world.body_named("box")
        # the palm comes first
        names = sorted(world.ports, key=lambda name: (not name.startswith("right"), "palm" not in name))
        self.led: Array = np.array([float(name.startswith("right")) for name in names])
        ports = [world.port_named(name) for name in names]
        self.first, self.turns = _scripted(world, ports)
        return world, ports

    def begin(self, i: int, random: np.random.Generator) -> None:
        beside = np.array([*random.uniform(-0.002, 0.002, 2), 0.0])
        self.references[i] = self.first + self.led[:, None] * beside

    def moves(self, actions: Array) -> Array:
        moves: Array = actions[:, None, :] * self.led[None, :, None]
        return moves

    def place(self) -> Array:
        """Middle of the peg from where it is to be [m]."""
        place: Array = self.batch.positions(self.peg) - self.batch.positions(self.box) - self._HOLE
        return place

    def observe(self) -> Array:
        hand = self.references[:, 0] - self.batch.port_positions()[:, 0]
        return np.concatenate(
            [self.place(), self.batch.velocities(self.peg), hand, self.batch.port_forces()[:, 0]], axis=1
        )

    def judge(self) -> tuple[Array, NDArray[np.bool_]]:
        place = self.place()
        beside, height = np.linalg.norm(place[:, :2], axis=1), place[:, 2]
        done = (np.abs(height) < 0.004) & (beside < 0.003)
        return -(np.abs(height) / 0.06) - 20.0 * beside + 10.0 * done, done


class Grasp(Task):
    """A tendon-driven hand of three fingers is to lift an object of 20 g by 50 mm.

    The scene is ``scenes/grasp-cube.toml`` [Kim2017 sec. 5.3]: three fingers of three links on a palm, six active tendons
    that motors pull, twelve passive ones, an object on a post. The action closes or opens the hand, by up to a
    fiftieth of its way, and raises or lowers the arm by up to 1 mm. Seen are: place of the object from its start
    [m], its velocity [m/s], how far the hand is closed (0 to 1), height of the arm over its start [m], force on the
    arm [N], place of the palm from its start [m]. ``SCENE`` of a subclass may be "grasp-ball" or "grasp-cylinder".
    """

    ACTIONS, OBSERVATIONS, REACH, LENGTH, SETTLE = 2, 14, 1e-3, 300, 100
    SCENE = "grasp-cube"
    CLOSING = 0.02
    """Part of the way from open to closed in one action."""

    def build(self) -> tuple[World, list[PortId]]:
        world = copy.copy(_begun(self.SCENE, 0.0))
        self.object = world.body_named(self.SCENE.removeprefix("grasp-"))
        self.palm = world.body_named("palm")
        self.motors = [world.port_named(name) for name in world.ports if name.startswith("active")]
        # the scene's script opens and closes the hand once
        opened, closed = world.script(0.0), world.script(world.duration)
        self.open: Array = np.array([opened.get(m).values[0] for m in self.motors])
        self.way: Array = np.array([closed.get(m).values[0] for m in self.motors]) - self.open
        ports = [world.port_named("arm")]
        self.first, self.turns = _scripted(world, ports)
        self.home: Array = np.stack([world.pose(self.object).position, world.pose(self.palm).position])
        self.closed: Array = np.zeros(self.count)
        return world, ports

    def begin(self, i: int, random: np.random.Generator) -> None:
        self.closed[i] = 0.0
        self.references[i] = self.first + np.array([*random.uniform(-0.002, 0.002, 2), 0.0])

    def targets(self) -> Array:
        targets: Array = self.open + self.closed[:, None] * self.way
        return targets

    def moves(self, actions: Array) -> Array:
        self.closed = np.clip(self.closed + self.CLOSING * actions[:, 0], 0.0, 1.0)
        moves = np.zeros((self.count, 1, 3))
        moves[:, 0, 2] = actions[:, 1]
        return moves

    def observe(self) -> Array:
        hand = np.stack([self.closed, self.references[:, 0, 2] - self.first[0, 2]], axis=1)
        place = self.batch.positions(self.object) - self.home[0]
        palm = self.batch.positions(self.palm) - self.home[1]
        forces = self.batch.port_forces()[:, 0]
        return np.concatenate([place, self.batch.velocities(self.object), hand, forces, palm], axis=1)

    def judge(self) -> tuple[Array, NDArray[np.bool_]]:
        height = self.batch.positions(self.object)[:, 2] - self.home[0, 2]
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
