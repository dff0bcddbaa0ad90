"""Gymnasium environments in which something is touched.

``palpable/Press-v0``, ``palpable/PegInHole-v0``, ``palpable/Grasp-v0``: ``gymnasium.make(id)`` for one,
``gymnasium.make_vec(id, num_envs=64, vectorization_mode="vector_entry_point")`` for many worlds on threads. What comes
out does not depend on the number of threads. ``info["energy"]`` holds the accounts: what is stored, what the
hand supplied, what was lost [J].
"""

from .._gym_plugin import register
from .env import TaskEnv
from .tasks import Grasp, PegInHole, Press, Task
from .vector import TaskVectorEnv

register()

__all__ = ["Grasp", "PegInHole", "Press", "Task", "TaskEnv", "TaskVectorEnv"]
