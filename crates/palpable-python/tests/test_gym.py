"""Environments: Gymnasium's own checker, energy, threads."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import palpable.gym  # noqa: E402

IDS = ["palpable/Press-v0", "palpable/PegInHole-v0", "palpable/Grasp-v0"]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.filterwarnings("ignore:.*Box observation space.*")
def test_gymnasiums_checker_is_content(id):
    check_env(gymnasium.make(id).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("id", IDS)
def test_nothing_is_gained_by_any_policy(id):
    env = gymnasium.make(id)
    random = np.random.default_rng(5)
    _, info = env.reset(seed=5)
    start = info["energy"]
    for _ in range(60):
        action = random.uniform(-1, 1, env.action_space.shape).astype(np.float32)
        _, reward, over, late, info = env.step(action)
        assert np.isfinite(reward)
        now = info["energy"]
        paid = now["supplied"] - start["supplied"] - (now["lost"] - start["lost"])
        # 1200 steps, each closed to 1e-15 of less than a joule in play
        assert now["stored"] - start["stored"] == pytest.approx(paid, abs=1e-11)
        assert now["created"] == 0.0
        if over or late:
            break


def press(observation):
    return np.clip(0.5 * (observation[..., 3:4] - observation[..., 4:5]), -1, 1).astype(np.float32)


def insert(observation):
    # over the hole, then down
    x, y, z = observation[:3]
    down = -1.0 if np.hypot(x, y) < 0.0015 or z < 0.03 else 0.0
    return np.clip([-300 * x, -300 * y, down], -1, 1).astype(np.float32)


def grasp(observation):
    closed = observation[6] > 0.999
    return np.array([1.0, 1.0 if closed else 0.0], np.float32)


@pytest.mark.parametrize(("id", "policy", "seeds"), [(IDS[0], press, 3), (IDS[1], insert, 2), (IDS[2], grasp, 2)])
def test_simple_policies_reach_the_goal(id, policy, seeds):
    env = gymnasium.make(id)
    for seed in range(seeds):
        observation, _ = env.reset(seed=seed)
        over = late = False
        while not (over or late):
            observation, _, over, late, _ = env.step(policy(observation))
        assert over and not late


def test_worlds_of_the_environments_are_the_scenes(scenes):
    for task, body in ((palpable.gym.PegInHole, "peg"), (palpable.gym.Grasp, "cube")):
        world = palpable.load(scenes / f"{task.SCENE}.toml")
        assert palpable.load(task.SCENE).state_hash() == world.state_hash() and body in world.bodies


def rollout(threads, count=6, steps=40):
    env = palpable.gym.TaskVectorEnv(count, "Press", threads)
    observation, _ = env.reset(seed=3)
    seen = [observation]
    for _ in range(steps):
        observation, reward, over, late, info = env.step(press(observation))
        seen += [observation, reward[:, None], over[:, None], late[:, None]]
        assert info["energy"]["stored"].shape == (count,)
    return np.concatenate([np.asarray(s, float).ravel() for s in seen])


def test_vectors_do_not_depend_on_threads_and_match_single_environments():
    one, two = rollout(1), rollout(3)
    assert np.array_equal(one, two)
    env = gymnasium.make(IDS[0])
    observation, _ = env.reset()
    vector = gymnasium.make_vec(IDS[0], num_envs=2, vectorization_mode="vector_entry_point")
    vector.reset(seed=11)
    alone = palpable.gym.TaskVectorEnv(1, "Press", 1)
    a, _ = alone.reset(seed=11)
    b, _ = vector.reset(seed=11)
    assert np.array_equal(a[0], b[0]) and not np.array_equal(b[0], b[1])


def test_an_episode_that_ended_begins_anew_at_the_next_step():
    env = palpable.gym.TaskVectorEnv(2, "Press", 1)
    env.task.LENGTH = 3
    env.reset(seed=1)
    lates = [env.step(np.zeros((2, 1), np.float32))[3].tolist() for _ in range(8)]
    assert lates == [[k % 4 == 2] * 2 for k in range(8)]


def test_wrong_actions_are_refused():
    env = gymnasium.make(IDS[0]).unwrapped
    env.reset(seed=0)
    with pytest.raises(ValueError, match="1 numbers"):
        env.step(np.zeros(3))
    with pytest.raises(ValueError, match="no task"):
        palpable.gym.TaskEnv("Nothing")
    with pytest.raises(ValueError, match="rendering"):
        palpable.gym.TaskEnv("Press", render_mode="human")
