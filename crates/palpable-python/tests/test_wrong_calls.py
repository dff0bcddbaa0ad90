"""Whatever is called with whatever: an exception, never a crash."""

import ast
import os
import random
from pathlib import Path

import numpy as np
from conftest import held, hello

import palpable
from palpable import _core, coupling, geometry

CALLS = int(os.environ.get("PALPABLE_CALLS", "100000"))


def things(draw):
    """Values to call with, sensible and not."""
    world, ball = hello()
    other, stone, hand = held()
    model = palpable.Model()
    mine = model.body(palpable.Body.sphere("ball", 0.1))
    return [
        None, True, 0, 1, -1, 7, 2**31, 2**63, -(2**70), 10**30, 0.0, 1e-3, -1.0, 0.5, 1e300, float("nan"), float("inf"),
        "", "ball", "hand", "cone", "tank", "\0", "é" * 50, b"bytes", [], [0, 0, 1], [1.0] * 6, (1, 2), [float("nan")] * 3,
        ["a", "b", "c"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], np.zeros(3), np.ones(6), np.zeros((2, 3)), np.zeros((1, 1, 3)),
        np.array(["x"]), {}, {"scheme": 3}, object(), lambda *a: None, world, ball, other, stone, hand, model, mine,
        ball.origin(), mine.at([0, 0, 1]), palpable.Anchor.world([0, 0, 0]), palpable.Rotation.identity(), palpable.Pose(),
        palpable.Material(), palpable.Shape.sphere(0.1), palpable.Body.sphere("x", 0.1), palpable.Body.half_space("f"),
        palpable.Spring.point(mine.origin(), palpable.Anchor.world([0, 0, 0])).stiffness(10),
        palpable.Joint.ball(mine.origin(), palpable.Anchor.world([0, 0, 0])), palpable.Port.force("p", mine.origin()),
        palpable.Chain.new("c"), palpable.Link.revolute("l"), world.snapshot(), other.inputs(), world.step(1e-3), world.element(0),
        other.contacts(), world.ledger(), world.audit(), palpable.Beam.new("b", 1, 1, 1), [world], [hand], [ball, ball],
        *couplings(other.port(hand)), *shapes(), lambda m: m.remove_body(stone), lambda m: m.body(palpable.Body.sphere("n", 1)),
        other.script(), palpable.PortInput.reference([0, 0, 1]), (1.0, [[0.01]]), ([0, 0, 1], [0, 0, 0]), (0.0, 1.0),
    ]  # fmt: skip


def couplings(port):
    """One of each kind."""
    settings, side = coupling.CouplingSettings.point(100.0, 1e-3), coupling.PspmSettings.point(100.0, 1.0)
    hand = coupling.Handle.at([0, 0, 1])
    made = coupling.VirtualCoupling(settings)
    made.sample(hand)
    device = coupling.DeviceSide(side)
    device.sample(hand, 1e-3)
    space = coupling.Workspace(2.0)
    return [
        settings, side, hand, made, made.account(), made.force(port, 1e-3), port, device, device.send(), coupling.WorldSide(side),
        coupling.FourChannel(settings), coupling.Unilateral(settings), coupling.Cutaneous(0.01), coupling.Guard(1.0), space,
        space.map(hand, False, 1e-3), coupling.Edge(1, 1, 1), coupling.PassivityObserver(), coupling.ImpulseChannel(1.0, 1.0),
        coupling.Synergy((1.0, [[0.01]]), (0.0, []), [0.0], [1.0], (0.0, 1.0), 1.0),
    ]  # fmt: skip


def shapes():
    """A scene to ask, and what it answers."""
    ball = geometry.CollisionShape.sphere(0.1)
    colliders = [geometry.Collider(0, geometry.CollisionShape.half_space()), geometry.Collider(1, ball)]
    scene, poses = geometry.CollisionPipeline(2, colliders), [palpable.Pose(), palpable.Pose([0, 0, 0.05])]
    report = scene.update(poses, 1e-3)
    return [
        ball, *colliders, colliders, poses, scene, report, *scene.manifolds(), *scene.contacts(), geometry.Groups(1, 2),
        scene.ray_cast([0, 0, 3], [0, 0, -1], 9.0), scene.nearest(ball, poses[1], 1.0), geometry.Motion(poses[1], [0, 0, -1]),
    ]  # fmt: skip


SLOW = {"run", "studio", "Studio", "Servo", "_reproduce", "_survey", "_read", "load"}
NUMBERS = [0, 1, 3, -1, 7, 2**31, 2**63, 10**30, 0.0, 1e-3, -1.0, 0.5, 100.0, 1e300, float("nan"), float("inf")]
VECTORS = [[0, 0, 1], [1.0] * 6, (1, 2), [float("nan")] * 3, [1e300] * 3, np.zeros(3), np.ones(6), [0.1, -0.2, 0.3], [], 3]


def signatures():
    """What the stubs say that calls take: (class or "", name) to types."""
    found = {}
    tree = ast.parse((Path(palpable.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))

    def add(owner, node):
        arguments = node.args.args + node.args.kwonlyargs
        types = [ast.unparse(a.annotation) for a in arguments if a.annotation is not None]
        found[owner, node.name] = types

    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            add("", node)
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    add(node.name, member)
    return found


def fitting(kind, pool, draw):
    """Something of the kind that a stub asks for, mostly."""
    if draw.random() < 0.1:
        return draw.choice(pool)
    if kind.startswith(("float", "int")):
        return draw.choice(NUMBERS)
    if kind.startswith(("Vector", "Numbers", "Matrix", "Array")):
        return draw.choice(VECTORS + [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], np.zeros((2, 3)), np.zeros((1, 1, 3))])
    if kind.startswith("bool"):
        return draw.random() < 0.5
    if kind.startswith(("str", "Law", "Payment")):
        return draw.choice(["", "ball", "hand", "cone", "tank", "supply", "spread", "mug"])
    if kind.startswith("tuple["):
        inner = kind[6 : kind.rindex("]")].split(", ")
        return tuple(fitting(k, pool, draw) for k in inner)
    if kind.startswith("Sequence["):
        inner = kind[9 : kind.rindex("]")]
        return [fitting(inner, pool, draw) for _ in range(draw.randrange(4))]
    alike = [x for x in pool if type(x).__name__ == kind.split(" |")[0]]
    alike += [x for x in pool if kind.startswith("Callable") and callable(x)]
    return draw.choice(alike or pool)


def test_random_calls_raise_and_never_crash():
    draw, known = random.Random(18), signatures()
    names = [n for n in dir(_core) if not n.startswith("__") and n not in SLOW]
    pool, raised, passed, met = things(draw), 0, 0, set()
    while raised + passed < CALLS:
        if (raised + passed) % 2000 == 0:
            pool = things(draw)
        if draw.random() < 0.2:
            owner, name = "", draw.choice(names)
            target = getattr(_core, name)
            types = known.get((name, "__new__"), known.get(("", name)))
        else:
            thing = draw.choice(pool)
            members = [m for m in dir(thing) if m not in SLOW and (not m.startswith("__") or m in ("__reduce__", "__copy__"))]
            if type(thing).__module__.split(".")[0] != "palpable" or not members:
                continue
            owner, name = type(thing).__name__, draw.choice(members)
            types = known.get((owner, name))
            try:
                target = getattr(thing, name)
            except Exception:
                raised += 1
                continue
        if not callable(target) or (isinstance(target, type) and issubclass(target, BaseException)):
            continue
        if types is not None and draw.random() < 0.7:
            arguments = [fitting(kind, pool, draw) for kind in types]
        else:
            arguments = [draw.choice(pool) for _ in range(draw.randrange(0, 6))]
        try:
            made = target(*arguments)
        except Exception:
            raised += 1
            continue
        passed += 1
        met.add((owner, name))
        # what came out may be called in turn, unless it is large
        if made is not None and len(pool) < 250 and type(made).__module__.startswith("palpable"):
            pool.append(made)
    print(f"{raised} raised, {passed} returned, {len(met)} kinds of calls")
    assert raised > CALLS // 10 and passed > CALLS // 100
    if CALLS >= 100_000:
        for call in (("World", "edit"), ("VirtualCoupling", "force"), ("DeviceSide", "sample"), ("CollisionPipeline", "update")):
            assert call in met
    # the library still works
    world, _ = hello()
    world.run(1.0, 1e-3)
    assert world.audit().is_clean()
