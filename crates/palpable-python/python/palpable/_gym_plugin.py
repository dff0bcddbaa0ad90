"""Tells Gymnasium which environments there are, without importing them."""

from __future__ import annotations

NAMES = {"Press-v0": "Press", "PegInHole-v0": "PegInHole", "Grasp-v0": "Grasp"}


def register() -> None:
    """Called by ``import palpable.gym``; older releases of Gymnasium call it when imported."""
    from gymnasium.envs.registration import register as add
    from gymnasium.envs.registration import registry

    for id, task in NAMES.items():
        if f"palpable/{id}" not in registry:
            add(
                id=f"palpable/{id}",
                entry_point="palpable.gym:TaskEnv",
                vector_entry_point="palpable.gym:TaskVectorEnv",
                kwargs={"task": task},
            )
