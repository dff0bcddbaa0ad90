"""Many worlds on threads as one Gymnasium vector environment."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .tasks import Task, named

Array = NDArray[np.float64]


class TaskVectorEnv(VectorEnv[Array, NDArray[np.float32], NDArray[Any]]):
    """A task with many worlds. Each has a random generator of its own, so results do not depend on threads.

    An episode that has ended begins anew at the next step, whose action it ignores (``NEXT_STEP``).
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        task: str | type[Task] = "Press",
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}; use 1 or more")
        if render_mode is not None:
            raise ValueError("there is no rendering; show a world with palpable.studio(env.task.worlds[0])")
        self.num_envs = num_envs
        self.render_mode = None
        self.task = named(task)(num_envs, threads or os.cpu_count() or 1)
        self.single_observation_space = self.task.observation_space
        self.single_action_space = self.task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._randoms = [np.random.default_rng() for _ in range(num_envs)]
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        if isinstance(seed, int):
            seed = [seed + i for i in range(self.num_envs)]
        for i, one in enumerate(seed or []):
            if one is not None:
                self._randoms[i] = np.random.default_rng(one)
        for i, random in enumerate(self._randoms):
            self.task.reset(i, random)
        self._steps[:] = 0
        self._over[:] = False
        return self.task.observe(), self._info()

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[Array, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        rows = np.asarray(actions, np.float64)
        if rows.shape != (self.num_envs, self.task.ACTIONS):
            raise ValueError(f"actions must have the shape {(self.num_envs, self.task.ACTIONS)}")
        fresh = self._over
        self.task.act(rows, ~fresh)
        self._steps += 1
        reset = fresh.any()
        if reset:
            for i in np.flatnonzero(fresh):
                self.task.reset(int(i), self._randoms[i])
            self._steps[fresh] = 0
        reward, done = self.task.judge()
        late = self._steps >= self.task.LENGTH
        if reset:
            done, late, reward = done & ~fresh, late & ~fresh, np.where(fresh, 0.0, reward)
            self.task.held[fresh] = 0.0
        self._over = done | late
        return self.task.observe(), reward, done, late, self._info()

    def _info(self) -> dict[str, Any]:
        energy: dict[str, Any] = dict(self.task.energy())
        there = np.ones(self.num_envs, bool)
        energy.update({f"_{name}": there for name in list(energy)})
        return {"energy": energy, "_energy": there}
