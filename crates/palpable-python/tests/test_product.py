"""Passivity, recordings, papers, haptics, studio, sweeps, stubs."""

import ast
import concurrent.futures
import inspect
import pickle
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from conftest import held

import palpable
from palpable import _core, passivity

PACKAGE = Path(palpable.__file__).parent
ROOT = Path(__file__).resolve().parents[3]


def test_a_wall_asks_half_its_stiffness_times_the_period_plus_its_damping():
    # [Brown1998, (3.9)]: b > KT/2 + |B|
    need = passivity.wall(10_000.0, 20.0)
    assert need.damping == pytest.approx(25.0, abs=1e-9) and need.stable
    assert passivity.wall(10_000.0, 20.0, delay=1e-3).damping > need.damping
    spectrum = passivity.wall_spectrum(10_000.0, 20.0, np.linspace(0.01, np.pi, 50))
    assert spectrum.max() <= need.damping * (1 + 1e-9)


def test_the_zwidth_is_the_line_of_brown():
    edge = passivity.zwidth(2.0, count=5)
    assert edge.stiffnesses == pytest.approx(2 * (2.0 - edge.dampings) / 1e-3, abs=1e-6)


def test_tuning_and_explaining_agree():
    device = passivity.Device("mine", mass=0.1, damping=2.0)
    tuned = passivity.tune(device)
    k, b, gamma = tuned.midpoint
    assert passivity.explain(device, k, b, gamma).passive and tuned.margin > 1
    told = passivity.explain(device, 10 * k, b, gamma)
    assert not told.passive and told.ways_out and "damping" in told.findings[0].text
    assert passivity.coupling(k, b, gamma=gamma) <= 2.0
    assert passivity.mass(500.0, 0.5, 2.0) >= 0.0
    with pytest.raises(palpable.PassivityError, match="mass"):
        passivity.tune(passivity.Device("none", mass=-1.0, damping=2.0))


def test_profiles_of_devices_are_read():
    for file in (ROOT / "devices").glob("*.toml"):
        device = passivity.Device.load(file)
        assert device.rate > 0 and device.status


def test_recordings_come_back_as_arrays(tmp_path, scenes):
    program = Path(sys.executable).parent / "palpable"
    if not program.exists():
        pytest.skip("the program is not installed beside this Python")
    out = [program, "run", scenes / "oscillator.toml", "--out", tmp_path / "run", "--json"]
    subprocess.run([str(o) for o in out], check=True, capture_output=True)
    files = sorted(f for f in (tmp_path / "run").rglob("*") if f.suffix in (".csv", ".mcap"))
    assert files
    for file in files:
        table = palpable.read(file)
        assert len(table.time) > 10 and len(table) > 3
        name = next(iter(table))
        assert table[name].shape == table.time.shape and name in table.units
        assert list(palpable.read(file, [name])) == [name]
    with pytest.raises(palpable.RecordError):
        palpable.read(tmp_path / "none.csv")


def test_a_figure_of_a_paper_is_reproduced(tmp_path):
    assert len(palpable.experiments("kim2017")) > 5
    (outcome,) = palpable.reproduce("kim2017/fig1", tmp_path)
    assert outcome.passed and all(f.exists() for f in outcome.files)
    with pytest.raises(palpable.PalpableError):
        palpable.reproduce("kim2017/fig99", tmp_path)


def test_a_servo_loop_ticks_without_python():
    from palpable import haptics

    world, _, hand = held()
    servo = haptics.Servo(world, hand, offset=[0, 0, 0.05], swing=([0, 0, 0.02, 0, 0, 0], 2.0))
    seen = []
    stats = haptics.watch(servo, lambda live: seen.append(live["ticks"]), 0.5, 0.05)
    assert not servo.running and stats["ticks"] > 50 and seen[-1] > seen[0]
    # the hand never got more than it had put in
    assert stats["most_given"] <= 1e-9
    with pytest.raises(palpable.DeviceError, match="no device"):
        haptics.Servo(world, hand, "nonsense")


def test_the_studio_opens_on_a_world_from_python(scenes):
    world, _, _ = held()
    with palpable.studio(world, browser=False) as studio:
        with urllib.request.urlopen(studio.address, timeout=20) as page:
            assert b"<html" in page.read().lower()
            # or the frame that a notebook makes stays empty
            policy = page.headers["content-security-policy"]
            assert "http://localhost:*" in policy.split("frame-ancestors")[1] and studio.address in studio._repr_html_()
        before = world.state_hash()
        for _ in range(3):
            studio.show(world)
        assert world.state_hash() == before
        # one of other parts, too
        other = palpable.load(scenes / "arm.toml")
        other.run(0.01)
        studio.show(other)
        with pytest.raises(TypeError):
            studio.show(None)  # type: ignore[arg-type]
    with pytest.raises(OSError):
        urllib.request.urlopen(studio.address, timeout=2)
    with pytest.raises(palpable.PalpableError, match="closed"):
        studio.show(world)


def test_scenes_are_found_by_name_in_any_folder(tmp_path, monkeypatch, scenes):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()  # a folder is no scene
    assert "demo" in palpable.scenes() and len(palpable.scenes()) > 40
    for name in palpable.scenes():
        world = palpable.load(name)
        assert world.state_hash() == palpable.load(scenes / f"{name}.toml").state_hash()
    # one that names files of meshes and tables comes back from a pickle
    world = palpable.load("gears")
    world.run(0.05)
    assert pickle.loads(pickle.dumps(world)).state_hash() == world.state_hash()
    with pytest.raises(palpable.SceneError, match="did you mean `gears`"):
        palpable.load("gaers")
    # a file goes before a name
    (tmp_path / "arm").write_text('version = 1\n[[body]]\nname = "mine"\nfixed = true\n')
    assert palpable.load("arm").bodies == ["mine"]


def test_the_program_is_on_the_path():
    program = Path(sys.executable).parent / "palpable"
    if not program.exists():
        pytest.skip("the program is not installed beside this Python")
    told = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True)
    assert palpable.__version__ in told.stdout


def test_a_sweep_keeps_failures_and_resumes(tmp_path, scenes):
    calls = []

    def case(stiffness, seed):
        calls.append((stiffness, seed))
        if stiffness < 0:
            raise ValueError("negative")
        return {"damping": passivity.wall(stiffness, 0.0).damping + seed}

    grid = {"stiffness": [100.0, -1.0, 300.0]}
    file = tmp_path / "sweep.jsonl"
    done = palpable.sweep(case, grid, seeds=[0, 1], resume=file)
    assert len(done.rows) == 6 and len(done.failed) == 2 and "negative" in done.failed[0]["error"]
    assert done.rows[0]["damping"] == pytest.approx(0.05)
    file.open("a").write('{"torn')
    again = palpable.sweep(case, grid, seeds=[0, 1], resume=file)
    # what failed was tried again, the rest was not
    assert again.reused == 4 and len(calls) == 8
    strip = lambda rows: [{k: v for k, v in r.items() if k != "seconds"} for r in rows]  # noqa: E731
    assert strip(again.rows) == strip(done.rows)


def _energy(world):
    return world.energy().total()


def test_sweeps_do_not_depend_on_the_executor(tmp_path):
    scene = tmp_path / "ball.toml"
    scene.write_text(
        'version = 1\n[[body]]\nname = "ball"\nshape = { sphere = { radius = 0.05 } }\nmass = 0.2\n'
        '[[spring]]\na = { body = "ball" }\nb = { world = [0, 0, 1] }\nstiffness = {k}\n[run]\nduration = 0.1\n'
    )
    grid = {"k": [100.0, 200.0, 400.0]}
    rows = []
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for executor in (None, pool):
            found = palpable.sweep(scene, grid, {"energy": _energy}, executor, chunk=1)
            assert not found.failed, found.failed
            rows.append([(r["k"], r["energy"]) for r in found.rows])
    assert rows[0] == rows[1] and [e for _, e in rows[0]] == pytest.approx([50.0, 100.0, 200.0])
    pytest.importorskip("pyarrow")
    found.write(tmp_path / "table.parquet")
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(tmp_path / "table.parquet").num_rows == 3


def need(stiffness):
    if stiffness < 0:
        raise ValueError("negative")
    return {"damping": passivity.wall(stiffness, 0.0).damping}


GRID = {"stiffness": [100.0, -1.0, 300.0, 400.0, 500.0]}


def told(found):
    return [(row["stiffness"], row.get("damping"), row["error"]) for row in found.rows]


def test_pools_of_the_interface_that_ray_has_are_executors(tmp_path):
    # ray.util.multiprocessing.Pool copies this interface of the standard library
    from multiprocessing.pool import ThreadPool

    with palpable.sweeps._PoolExecutor(ThreadPool(2)) as pool:
        found = palpable.sweep(need, GRID, executor=pool, chunk=2, resume=tmp_path / "done.jsonl")
    assert told(found) == told(palpable.sweep(need, GRID)) and len(found.failed) == 1
    assert palpable.sweep(need, GRID, resume=tmp_path / "done.jsonl").reused == 4


def test_ray_runs_sweeps():
    # not among what the tests install: it starts a cluster
    pytest.importorskip("ray")

    def local(stiffness):  # goes over by value; a module of tests is not there on workers
        if stiffness < 0:
            raise ValueError("negative")
        return {"damping": palpable.passivity.wall(stiffness, 0.0).damping}

    with palpable.sweeps.ray_executor(processes=2) as pool:
        found = palpable.sweep(local, GRID, executor=pool, chunk=2)
    assert told(found) == told(palpable.sweep(need, GRID))


def test_numbers_of_numpy_resume_as_numbers(tmp_path):
    grid = {"stiffness": np.arange(1, 4), "damping": np.linspace(0, 1, 2)}
    case = lambda stiffness, damping: {"sum": stiffness + damping}  # noqa: E731
    first = palpable.sweep(case, grid, resume=tmp_path / "done.jsonl")
    again = palpable.sweep(case, grid, resume=tmp_path / "done.jsonl")
    assert again.reused == 6 and again.rows == first.rows and isinstance(again.rows[0]["stiffness"], int)


def test_the_zwidth_map_is_made_and_goes_on(tmp_path):
    pytest.importorskip("pyarrow")
    program = ROOT / "crates/palpable-python/examples/zwidth_map.py"
    for reused in (0, 200):
        run = [sys.executable, str(program), str(tmp_path), "--size", "20", "10"]
        told = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert f"{reused} of them done before, 0 failed" in told.stdout
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "zwidth.parquet")
    assert table.num_rows == 200 and set(table.column_names) >= {"stiffness", "damping", "need", "passive"}


def test_import_is_light():
    code = (
        "import sys; before = set(sys.modules); import palpable;"
        "print(sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "numpy" not in told.stdout and "gymnasium" not in told.stdout


def stub_names(body):
    return {n.name for n in body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}


def test_the_stubs_are_complete():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    private = {"_remake", "_model", "_world", "_snapshot", "_inputs", "_rotation", "_anchor"}
    private |= {"_body_id", "_element_id", "_port_id", "_system_id"}
    shown = {n for n in vars(_core) if not n.startswith("__")} - private
    assert shown <= stub_names(tree.body), shown - stub_names(tree.body)
    for name in shown:
        made = getattr(_core, name)
        if not inspect.isclass(made) or issubclass(made, BaseException):
            continue
        members = {m for m in vars(made) if not m.startswith("_")}
        told = stub_names(classes[name].body)
        assert members == {t for t in told if not t.startswith("_")}, (name, members ^ told)
        for member in members:
            node = next(n for n in classes[name].body if getattr(n, "name", "") == member)
            signature = getattr(getattr(made, member), "__text_signature__", None)
            if signature and isinstance(node, ast.FunctionDef):
                real = [p.strip(" ,/*$").split("=")[0] for p in signature.strip("()").split(",")]
                real = [p for p in real if p and p != "self"]
                stub = [a.arg for a in node.args.args + node.args.kwonlyargs if a.arg not in ("self", "cls")]
                assert real == stub, (name, member, real, stub)


def test_the_version_is_that_of_the_workspace():
    assert f'version = "{palpable.__version__}"' in (ROOT / "Cargo.toml").read_text()
    assert time.perf_counter() > 0
