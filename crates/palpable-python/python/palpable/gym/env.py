"""One world as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .tasks import Task, named


class TaskEnv(gymnasium.Env[NDArray[np.float64], NDArray[np.float32]]):
    """A task with one world; ``env.unwrapped.world`` is the world itself."""

    metadata: dict[str, Any] = {"render_modes": [], "render_fps": 50}

    def __init__(self, task: str | type[Task] = "Press", render_mode: str | None = None) -> None:
        if render_mode is not None:
            raise ValueError("there is no rendering; show the world with palpable.studio(env.unwrapped.world)")
        self.render_mode = None
        self.task = named(task)(1)
        self.world = self.task.worlds[0]
        self.observation_space = self.task.observation_space
        self.action_space = self.task.action_space
        self._step = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        super().reset(seed=seed)
        self.task.reset(0, self.np_random)
        self._step = 0
        return self.task.observe()[0], self._info()

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        rows = np.asarray(action, np.float64).reshape(1, -1)
        if rows.shape[1] != self.task.ACTIONS:
            raise ValueError(f"an action has {self.task.ACTIONS} numbers, not {rows.shape[1]}")
        self.task.act(rows, np.ones(1, bool))
        self._step += 1
        reward, done = self.task.judge()
        late = self._step >= self.task.LENGTH
        return self.task.observe()[0], float(reward[0]), bool(done[0]), late, self._info()

    def _info(self) -> dict[str, Any]:
        return {"energy": {name: float(values[0]) for name, values in self.task.energy().items()}}
