"""Worlds keep their promise from Python as from Rust, and give the same bits."""

import copy
import math
import pickle
import threading

import numpy as np
import pytest
from conftest import held, hello

import palpable
from palpable import (
    Anchor, Beam, Body, BuildError, BusyError, Chain, ChangeError, ForeignError, Joint, Link, Model, PalpableError,
    Pose, Port, Rotation, SceneError, Shape, Spring, StepError, World,
)

# the same numbers are in crates/palpable-c/tests/same_bits.rs, which checks them against the engine
HELLO_AFTER_1000 = 0x57d01e59cd343aca
STACK_AFTER_200 = 0x47c9b019b2f0b346


def test_the_hello_world_keeps_its_energy():
    world, ball = hello()
    assert world.run(100.0, 1e-3) == 100_000
    # the carried rounding of 1e5 steps is 2e-14 in Rust
    assert world.energy().total() == pytest.approx(0.5, rel=1e-12)
    assert world.pose(ball).position[0] == pytest.approx(0.0597, abs=1e-4)
    assert world.audit().is_clean() and "closes" in str(world.audit())
    world.verify()


def test_bits_are_those_of_rust_and_c(scenes):
    world, _ = hello()
    world.run(1.0, 1e-3)
    stack = palpable.load(scenes / "stack-3.toml")
    stack.run(1.0, 5e-3, inputs=stack.inputs())
    assert (world.state_hash(), stack.state_hash()) == (HELLO_AFTER_1000, STACK_AFTER_200)


def test_run_takes_the_steps_that_step_takes():
    one, _, hand = held()
    other = copy.copy(one)
    inputs = one.inputs()
    inputs.reference(hand, [0.01, 0, 0.03])
    for _ in range(300):
        one.step(1e-3, inputs)
    assert other.run(0.3, 1e-3, inputs=inputs) == 300
    assert one.state_hash() == other.state_hash() and one.time == other.time


def test_port_work_is_stored_or_lost():
    world, ball, hand = held()
    inputs = world.inputs()
    for k in range(2000):
        inputs.reference(hand, [0.02 * math.sin(k * 1e-2), 0, 0.01 + 0.02 * math.cos(k * 1e-3)])
        world.step(1e-3, inputs)
    books = world.ledger()
    change = books.now.total() - books.initial.total()
    # each of 2000 steps closes to 1e-15 of the energy in play, which is below a joule
    assert books.totals.supplied == pytest.approx(change + books.totals.lost(), abs=1e-11)
    assert len(world.contacts()) > 0 and world.contacts().forces.shape[1] == 3
    row = books.as_array()
    assert row.shape == (11,) and row[:5].sum() == pytest.approx(books.now.total(), rel=1e-15)


def test_callbacks_change_inputs_end_runs_and_raise():
    world, _, hand = held()
    inputs, seen = world.inputs(), []

    def push(w):
        seen.append(w.time)
        inputs.reference(hand, [0, 0, 0.1])

    assert world.run(0.1, 1e-3, push, inputs=inputs, every=10) == 100
    assert len(seen) == 10 and world.port(hand).force[2] != 0.0
    assert world.run(1.0, 1e-3, lambda w: False) == 1

    def fail(w):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        world.run(1.0, 1e-3, fail)
    with pytest.raises(BusyError):
        world.run(1.0, 1e-3, lambda w: w.step(1e-3))
    world.step(1e-3)


def test_an_interrupt_ends_a_long_run():
    import _thread

    world, _ = hello()
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        world.run(1e9, 1e-3)
    assert 0 < world.time < 1e9
    world.step(1e-3)


def test_pickles_go_on_with_the_same_bits(scenes):
    world, ball, hand = held()
    inputs = world.inputs()
    for k in range(50):
        inputs.reference(hand, [0.001 * k, 0, 0.03])
        world.step(1e-3, inputs)
    world.set_mass(ball, 0.2, "supply")
    world.run(0.05, 1e-3, inputs=inputs)
    kept = world.snapshot()
    again, moment, id_ = pickle.loads(pickle.dumps((world, kept, ball)))
    assert again.state_hash() == world.state_hash()
    again.run(0.2, 1e-3, inputs=inputs)
    world.run(0.2, 1e-3, inputs=inputs)
    assert again.state_hash() == world.state_hash() and id_ == ball
    again.restore(moment)
    world.restore(kept)
    assert again.state_hash() == world.state_hash()
    scene = palpable.load(scenes / "oscillator-random-step.toml")
    scene.run(0.1)
    other = pickle.loads(pickle.dumps(scene))
    scene.run(0.1)
    other.run(0.1)
    assert other.state_hash() == scene.state_hash()


def test_a_snapshot_brings_everything_back():
    world, _, hand = held()
    start = world.snapshot()
    first = world.state_hash()
    world.run(0.5, 1e-3)
    later = world.state_hash()
    assert later != first
    world.restore(start)
    assert world.state_hash() == first
    world.run(0.5, 1e-3)
    assert world.state_hash() == later


def test_arrays_are_copies_and_fill_what_is_given():
    world, ball, _ = held()
    room = np.zeros((2, 3))
    assert world.positions(room) is room and room[1, 2] == 0.05
    room[1, 2] = 7.0
    assert world.pose(ball).position[2] == 0.05
    assert world.rotations().tolist() == [[1, 0, 0, 0], [1, 0, 0, 0]]
    for wrong in (np.zeros((3, 3)), np.zeros((2, 4)), np.zeros((3, 2)).T):
        with pytest.raises(ValueError, match="contiguous"):
            world.positions(wrong)


def test_mistakes_name_field_and_cure(scenes):
    model = Model()
    model.body(Body.sphere("ball", -1.0))
    model.body(Body.sphere("ball", 1.0).mass(float("nan")))
    with pytest.raises(BuildError, match="radius is -1 m; give a length greater than zero"):
        World(model)
    world, ball = hello()
    with pytest.raises(StepError, match="positive finite"):
        world.step(float("nan"))
    with pytest.raises(ChangeError, match="greater than 0"):
        world.set_mass(ball, -1.0)
    with pytest.raises(PalpableError, match="scheme is"):
        World(Model(), scheme="nonsense")
    with pytest.raises(SceneError, match="scene.toml:3:1: body.nmae"):
        palpable.parse('version = 1\n[[body]]\nnmae = "x"')
    with pytest.raises(SceneError):
        palpable.load(scenes / "no-such-file.toml")
    with pytest.raises(KeyError, match="no body named"):
        world.body_named("nobody")
    with pytest.raises(TypeError, match="(?s)3 numbers, such as a list.*'position'"):
        Body.sphere("a", 1).position("abc")
    with pytest.raises(TypeError, match=r'such as Body.sphere\("ball", 0.01\)'):
        Body("ball", mass=1.0)
    with pytest.raises(ValueError, match="expected 3 numbers, got 2"):
        Body.sphere("a", 1).position([1, 2])


def test_ids_of_other_models_are_refused():
    world, ball = hello()
    other, stranger, port = held()
    for call in (
        lambda: world.pose(stranger),
        lambda: world.set_mass(stranger, 1.0),
        lambda: world.inputs().force(port, [1, 0, 0]),
        lambda: world.step(1e-3, other.inputs()),
        lambda: world.run(1.0, 1e-3, inputs=other.inputs()),
        lambda: palpable.Batch([other, world], [port]),
        lambda: palpable.haptics.Servo(world, port),
        lambda: Model().spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0]))),
        lambda: Model().port(Port.motor("m", Spring.angle(ball.origin(), Anchor.world([0, 0, 0])))),
        lambda: Model().remove_body(ball),
        lambda: world.edit(lambda m: m.remove_body(stranger)),
    ):
        with pytest.raises(ForeignError, match="another model"):
            call()
    with pytest.raises(ForeignError, match="another model"):
        world.restore(other.snapshot())


def test_an_id_belongs_to_what_was_described_so_whoever_describes_it():
    one, ball = hello()
    two, same = hello()
    # described alike, so it is the same part: also from another process
    assert ball == same and hash(ball) == hash(same) and two.pose(ball) == one.pose(ball)
    assert pickle.loads(pickle.dumps(ball)) == ball and pickle.loads(pickle.dumps(one.element(0))) == two.element(0)
    model = Model()
    renamed = model.body(Body.sphere("another", 0.01).mass(1e-5))
    assert renamed.index == ball.index and renamed != ball
    with pytest.raises(ForeignError):
        one.pose(renamed)
    # what a model gets after a world was made of it is not in that world
    late = Model()
    late.body(Body.sphere("first", 0.1))
    world = World(late)
    second = late.body(Body.sphere("second", 0.1))
    with pytest.raises(ForeignError, match="look names up anew"):
        world.pose(second)


def test_parts_come_and_go_while_a_world_runs():
    world, ball, hand = held()
    alone = copy.copy(world)
    world.run(0.2, 1e-3)
    alone.run(0.2, 1e-3)

    def more(model):
        box = model.body(Body.cuboid("box", [0.05] * 3).mass(0.5).position([1, 0, 0.5]))
        spring = model.spring(Spring.point(box.origin(), Anchor.world([1, 0, 1])).stiffness(50.0).named("string"))
        arm = Chain.new("arm").link(Link.revolute("upper").inertia(0.2, [0.1, 0, 0], np.diag([1e-3] * 3)).at([3, 0, 1], Rotation.identity()))
        grip = model.port(Port.force("grip", box.origin()))
        return box, spring, model.chain(arm), grip

    before = world.ledger().totals.supplied
    box, spring, arm, grip = world.edit(more)
    assert world.bodies == ["floor", "ball", "box", "upper"] and world.ports == ["hand", "grip"]
    # what came is supplied: 0.5 kg at 0.5 m, a string of 50 N/m drawn by 0.5 m, an arm of 0.2 kg at 1 m
    came = 9.81 * 0.5 * 0.5 + 0.5 * 50 * 0.5**2 + 9.81 * 0.2 * 1.0
    assert world.ledger().totals.supplied - before == pytest.approx(came, rel=1e-12)
    assert world.element_named("string") == spring and world.system_named("arm") == arm and len(arm) == 1
    inputs = world.inputs()
    inputs.force(grip, [0, 0, 1])
    world.run(0.3, 1e-3, inputs=inputs)
    alone.run(0.3, 1e-3)
    # the ball did not notice
    assert world.pose(ball) == alone.pose(ball) and world.port(hand).force.tolist() == alone.port(hand).force.tolist()
    world.verify()
    again = pickle.loads(pickle.dumps(world))
    assert again.state_hash() == world.state_hash() and again.pose(box) == world.pose(box)

    world.edit(lambda m: (m.remove_body(box), m.remove_system(arm)))
    assert world.bodies == ["floor", "ball"] and world.ports == ["hand"]
    for gone in (lambda: world.pose(box), lambda: world.strain(spring), lambda: world.coordinates(arm), lambda: world.port(grip)):
        with pytest.raises(ForeignError, match="is gone"):
            gone()
    with pytest.raises(ForeignError):
        world.step(1e-3, inputs)
    world.run(0.1, 1e-3)
    alone.run(0.1, 1e-3)
    assert world.pose(ball) == alone.pose(ball) and world.audit().is_clean()
    again = pickle.loads(pickle.dumps(world))
    assert again.state_hash() == world.state_hash()
    arm = world.edit(lambda m: m.chain(Chain.new("arm").link(Link.revolute("l").inertia(0.2, [0.1, 0, 0], np.eye(3)))))
    for remove, words in (
        (lambda m: m.remove_body(arm.link(0)), "remove_system"),
        (lambda m: m.remove_element(world.element(0)), "remove_port"),
    ):
        with pytest.raises(PalpableError, match=words):
            world.edit(remove)
    world.edit(lambda m: m.remove_system(arm))
    # another one in the same place is another body
    new = world.edit(lambda m: m.body(Body.sphere("box", 0.05).position([1, 0, 1])))
    assert new.index == box.index and new != box and not np.isnan(world.positions()).any()


def test_an_edit_that_fails_changes_nothing():
    world, ball, hand = held()
    world.run(0.1, 1e-3)
    before, kept, parts = world.state_hash(), [], len(world.elements)

    def broken(model):
        kept.append(model)
        model.remove_body(ball)
        raise LookupError("changed my mind")

    with pytest.raises(LookupError, match="changed my mind"):
        world.edit(broken)
    with pytest.raises(BuildError, match="radius is -1 m"):
        world.edit(lambda m: m.body(Body.sphere("bad", -1.0)))
    with pytest.raises(BusyError):
        world.edit(lambda m: world.step(1e-3))
    with pytest.raises(TypeError):
        world.edit(3)
    with pytest.raises(PalpableError, match="lent"):
        kept[0].body(Body.sphere("late", 0.1))
    with pytest.raises(PalpableError, match="lent"):
        world.edit(pickle.dumps)
    assert world.state_hash() == before and world.bodies == ["floor", "ball"]
    # reading is allowed meanwhile
    assert world.edit(lambda m: world.pose(ball).position[2]) > 0
    world.step(1e-3)

    class Broken:
        rows = 1

        def strain(self, a, b):
            raise LookupError("out of rubber")

    with pytest.raises(LookupError, match="out of rubber"):
        world.edit(lambda m: m.spring(Spring.custom(Broken(), ball.origin(), Anchor.world([0, 0, 0]))))
    assert len(world.elements) == parts
    world.step(1e-3)
    assert world.audit().is_clean()


def test_bodies_are_put_pushed_and_turned():
    model = Model()
    ball = model.body(Body.sphere("ball", 0.1).mass(2.0))
    wheel = model.body(Body.cylinder("wheel", 0.01, 0.1).mass(1.0).position([1, 0, 0]))
    hinge = model.joint(Joint.hinge(wheel.origin(), Anchor.world([1, 0, 0])).named("axle"))
    world = World(model)
    assert world.set_velocity(ball, [3, 0, 0], [0, 0, 0]).supplied == pytest.approx(9.0)
    world.set_pose(ball, Pose([0, 5, 0]))
    world.apply_force(ball, [0, 0, 4.0])
    world.apply_force_at(wheel, [0, 1.0, 0], [1.1, 0, 0])
    world.step(0.5)
    # half a second of 2 m/s²; J = ½ m r² takes 0.1 N·m
    assert world.velocity(ball) == pytest.approx([3, 0, 1.0])
    assert world.rate(hinge) == pytest.approx(0.1 / 0.005 * 0.5, rel=1e-6) and world.element_named("axle") == hinge
    # a midpoint step turns by 2 atan(h ω̂/2), ω̂ half of what it ends with
    assert world.angle(hinge) == pytest.approx(2 * math.atan(0.25 * 0.5 * world.rate(hinge)), rel=1e-6)
    assert world.audit().is_clean()
    assert pickle.loads(pickle.dumps(world)).state_hash() == world.state_hash()


def test_a_spring_of_ones_own_stores_energy_and_its_mistakes_are_told():
    class Band:
        rows = 1

        def strain(self, a, b):
            stretch = float(np.linalg.norm(a.position - b.position)) - 0.3
            return [0.5 * (stretch + math.hypot(stretch, 0.005))]

    model = Model()
    model.gravity([0, 0, -9.81])
    ball = model.body(Body.sphere("ball", 0.02).mass(0.1).velocity([0.5, 0, 0]))
    model.spring(Spring.custom(Band(), ball.at([0, 0, 0.02]), Anchor.world([0, 0, 0])).stiffness(80.0))
    world = World(model)
    start = world.energy().total()
    world.run(2.0, 2e-3)
    # as crates/palpable/examples/13_own_element.rs
    assert world.energy().total() == pytest.approx(start, abs=1e-10) and world.audit().is_clean()

    class Broken(Band):
        def strain(self, a, b):
            raise LookupError("out of rubber")

    model = Model()
    ball = model.body(Body.sphere("ball", 0.02))
    model.spring(Spring.custom(Broken(), ball.origin(), Anchor.world([0, 0, 0])).stiffness(80.0))
    with pytest.raises(LookupError, match="out of rubber"):
        World(model).step(1e-3)


class Thread:
    """Of a module, so that it can be pickled."""

    rows = 3

    def strain(self, a, b):
        return (a.position - b.position).tolist()


def test_ids_and_snapshots_of_worlds_with_springs_of_ones_own_go_over_to_copies():
    model = Model()
    ball = model.body(Body.sphere("ball", 0.02).position([0.1, 0, 0]))
    spring = model.spring(Spring.custom(Thread(), ball.origin(), Anchor.world([0, 0, 0])).stiffness(80.0))
    world = World(model)
    world.run(0.1, 1e-3)
    again, id_, moment = pickle.loads(pickle.dumps((world, spring, world.snapshot())))
    assert id_ == spring and again.strain(id_).tolist() == world.strain(spring).tolist()
    again.run(0.1, 1e-3)
    again.restore(world.snapshot())
    assert again.state_hash() == world.state_hash()


def test_a_double_pendulum_keeps_its_energy():
    model = Model()
    model.gravity([0, -9.81, 0])
    rods = [
        model.body(Body.cuboid(name, [0.2, 0.01, 0.01]).mass(0.2).position([x, 1.0, 0]))
        for name, x in (("upper", 0.2), ("lower", 0.6))
    ]
    model.joint(Joint.hinge(rods[0].at([-0.2, 0, 0]), Anchor.world([0, 1, 0])))
    model.joint(Joint.hinge(rods[1].at([-0.2, 0, 0]), rods[0].at([0.2, 0, 0])))
    world = World(model)
    assert max(world.step(1e-3).gap for _ in range(1000)) < 1e-9
    assert world.audit().is_clean()


def test_coordinates_of_a_chain_and_its_links_are_told():
    # energy and motor of this arm: examples/16_arm.py
    rod = lambda name: Link.revolute(name).inertia(0.2, [0.15, 0, 0], np.diag([1.5e-5, 1.5e-3, 1.5e-3]))  # noqa: E731
    arm = Chain.new("arm").link(rod("upper").start(-1.0, 0.25))
    arm = arm.link(rod("lower").on(0).at([0.3, 0, 0], Rotation.identity()).start(0.5, -0.75))
    model = Model()
    arm = model.chain(arm)
    float_ = Chain.new("float").floating("hull", 1.0, [0, 0, 0], np.eye(3), Pose([0, 0, 2]))
    float_ = model.chain(float_.link(rod("oar").start(0.1, 0.2)))
    world = World(model)
    assert world.coordinates(arm).tolist() == [-1.0, 0.5]
    assert world.coordinate_rates(arm) == pytest.approx([0.25, -0.75], abs=1e-14)
    assert world.coordinates(float_) == pytest.approx([0, 0, 2, 0, 0, 0, 1, 0.1]) and world.coordinate_rates(float_)[-1] == pytest.approx(0.2)
    assert world.coordinate_rates(float_).shape == (7,)
    for id_, name in ((arm, "arm"), (float_, "float")):
        assert world.system_named(name) == id_ == pickle.loads(pickle.dumps(id_))
    assert len(arm) == 2 and len(float_) == 1 and world.bodies[float_.base().index] == "hull"
    assert world.bodies[float_.link(0).index] == "oar" == world.bodies[world.body_named("oar").index]
    with pytest.raises(IndexError):
        arm.link(2)


def test_a_beam_rings_at_its_own_frequency():
    beam = Beam.rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9).modes(3).start([0.01, 0.0])
    model = Model()
    model.beam(beam)
    world = World(model)
    tip, h = world.body_named("beam 9"), 1e-3
    crossings, last = [], world.pose(tip).position[1]
    while world.time < 2.0:
        world.step(h)
        y = world.pose(tip).position[1]
        if last < 0 <= y:
            crossings.append(world.time - h * y / (y - last))
        last = y
    heard = (len(crossings) - 1) / (crossings[-1] - crossings[0])
    lowered = 2 * math.atan(0.5 * h * beam.frequency(0)) / (h * math.tau)
    assert heard == pytest.approx(lowered, rel=1e-4)


def test_live_changes_are_paid_for():
    model = Model()
    ball = model.body(Body.sphere("ball", 0.05).mass(0.1).position([0.1, 0, 0]))
    spring = model.spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(100.0))
    world = World(model)
    world.run(0.1, 1e-3)
    start = world.energy().total()
    world.set_stiffness(spring, [5e3] * 6)
    assert world.energy().total() <= start * (1 + 1e-12)
    receipt = world.set_mass(ball, 0.5, "supply")
    assert receipt.supplied > 0 and receipt.applied == 1.0
    world.set_rest(spring, 0.0)
    world.set_damping(spring, [0.1] * 6)
    hand = world.attach(Port.force("hand", ball.origin()))
    inputs = world.inputs()
    inputs.force(hand, [1.0, 0, 0])
    world.step(1e-3, inputs)
    world.detach(hand)
    world.step(1e-3)
    assert world.audit().is_clean()
    again = pickle.loads(pickle.dumps(world))
    assert again.state_hash() == world.state_hash()


def test_descriptions_can_be_pickled():
    model = Model()
    box = model.body(Body.with_shape("box", Shape.cuboid([0.1, 0.1, 0.1])).rotation(Rotation.from_scaled_axis([0, 0, 1])))
    model.spring(Spring.pose(box.origin(), Anchor.world([0, 0, 0]).turned(Rotation.from_scaled_axis([1, 0, 0]))).stiffness(3))
    again = pickle.loads(pickle.dumps(model))
    assert World(again).state_hash() == World(model).state_hash()
    assert World(again).pose(box) == World(model).pose(box) != Pose()


def test_schemes_can_be_chosen_and_others_create_energy():
    model = Model()
    ball = model.body(Body.sphere("ball", 0.01).mass(1e-5).position([0.1, 0, 0]))
    model.spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(100))
    world = World(model, scheme="symplectic-euler")
    with pytest.raises(StepError, match="passive-midpoint"):
        world.run(10.0, 1e-3)
