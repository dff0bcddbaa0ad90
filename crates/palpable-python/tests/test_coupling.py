"""Couplings that one drives from Python keep their account, and bad inputs give zero force."""

import copy
import math

import numpy as np
import pytest

from palpable import Anchor, Body, CouplingError, ForeignError, Model, Port, PortInput, Rotation, Spring, World
from palpable.coupling import (
    CouplingSettings, Cutaneous, DeviceSide, Edge, FourChannel, Guard, Handle, ImpulseChannel, Packet, PassivityObserver,
    PspmSettings, Synergy, Unilateral, VirtualCoupling, Workspace, WorldSide,
)  # fmt: skip

T = 1e-3


def tool(coupling: VirtualCoupling, mass: float = 0.01):
    """A ball that a spring of 200 N/m holds, with a port for the coupling."""
    model = Model()
    model.ghosts()
    ball = model.body(Body.sphere("tool", 0.01).mass(mass))
    model.spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(200.0).damping(0.5))
    hand = model.port(Port.reference("hand", ball.origin(), coupling.stiffness(), coupling.damping()))
    return World(model), hand


@pytest.mark.parametrize("mass", [1e-5, 0.01, 10.0])
@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_a_device_with_the_required_damping_pays_for_the_sampling(mass, gamma):
    coupling = VirtualCoupling(CouplingSettings.point(1000.0, T, gamma=gamma))
    guard = Guard(device_damping=coupling.required_damping(), grant=1.0, ceiling=1.0)
    coupling = VirtualCoupling(CouplingSettings.point(1000.0, T, gamma=gamma, guard=guard))
    world, hand = tool(coupling, mass)
    inputs, random = world.inputs(), np.random.default_rng(7)
    place = np.zeros(3)
    for k in range(2000):
        # the first sample is where the tool is: a guarded reference begins there
        place = 0.99 * place + random.normal(0, 2e-4, 3) * (k > 0)
        inputs.set(hand, coupling.sample(Handle.at(place)))
        world.step(T, inputs)
        coupling.force(world.port(hand), T)
    # the force that is held now has done its work when the next sample is taken
    coupling.sample(Handle.at(place))
    account = coupling.account()
    # sampling creates ½K|Δy|² a step and the device takes b|Δy|²/T >= that; 2000 roundings of millijoules
    assert account.sampled() > 0 and account.created() < 1e-12
    assert world.audit().is_clean() and coupling.debt() == 0.0


def test_a_guard_shortens_moves_that_nobody_pays():
    settings = CouplingSettings.point(1000.0, T, guard=Guard(grant=1e-4))
    coupling = VirtualCoupling(settings)
    world, hand = tool(coupling)
    inputs, taken = world.inputs(), 0.0
    for k in range(100):
        # a jump of a decimetre would store 5 J
        inputs.set(hand, coupling.sample(Handle.at([0.1 * (k > 2), 0, 0])))
        world.step(T, inputs)
        port = world.port(hand)
        # what the coupling's damper of KT/2 took may be spent again
        taken += coupling.damping()[0] * (port.velocity @ port.velocity) * T
        coupling.force(port, T)
    supplied = world.ledger().totals.supplied
    assert 0 < supplied <= 1e-4 + taken + 1e-15 and taken < 1e-4 and coupling.reserve() >= 0.0


def test_what_is_not_finite_gives_zero_force_and_a_word():
    coupling = VirtualCoupling(CouplingSettings.point(1000.0, T))
    world, hand = tool(coupling)
    nan = float("nan")
    assert coupling.sample(Handle.at([nan, 0, 0])) == PortInput.idle()
    world.step(T)
    felt = coupling.force(world.port(hand), T)
    assert felt.fault == "sample" and not felt.force.any() and not felt.torque.any()
    coupling.sample(Handle.at([0, 0, 0]))
    assert coupling.force(world.port(hand), nan).fault == "period"
    assert Workspace().map(Handle.at([0, nan, 0]), False, T) is None
    pad, fault = Cutaneous(0.01).update([nan, 0, 0], Rotation.identity(), T)
    assert fault == "world" and not pad.any()
    assert PassivityObserver().step([1, 0, 0], [nan, 0, 0], T)[2] == "sample"


def test_numbers_out_of_range_name_field_and_cure():
    for make, words in [
        (lambda: VirtualCoupling(CouplingSettings.point(-1.0, T)), "stiffness .* above zero"),
        (lambda: VirtualCoupling(CouplingSettings.point(1.0, 0.0)), "period .* 1 ms is usual"),
        (lambda: VirtualCoupling(CouplingSettings.point(1.0, T, gamma=2.0)), "gamma .* between 0 and 1"),
        (lambda: VirtualCoupling(CouplingSettings.line(1.0, [0, 0, 0], T)), "direction"),
        (lambda: FourChannel(CouplingSettings.pose(1.0, float("nan"), T)), "turning stiffness"),
        (lambda: Workspace(0.0), "scale"),
        (lambda: Workspace().with_edge([0, 0, 0], Edge(-1.0, 1.0, 1.0)), "radius of the edge"),
        (lambda: DeviceSide(PspmSettings.point(0.0, 1.0)), "stiffness"),
        (lambda: WorldSide(PspmSettings.point(1.0, 1.0, grant=-1.0)), "grant"),
        (lambda: Cutaneous(0.0), "time constant"),
        (lambda: Synergy((100.0, [[0.01]]), (0.0, []), [0.0], [0.0], (-1, 1), 100.0), "two configurations"),
    ]:
        with pytest.raises(CouplingError, match=words):
            make()


def test_a_workspace_scales_turns_and_clutches():
    turn = Rotation.from_scaled_axis([0, 0, math.pi / 2])
    workspace = Workspace(2.0, 0.5).turned(turn).centered([1, 0, 0])
    mapped = workspace.map(Handle.at([0.1, 0, 0]), False, T)
    assert mapped.handle.position == pytest.approx([1.0, 0.2, 0.0]) and mapped.engaged
    # while the clutch is open the hand moves alone; closing it moves nothing
    held = workspace.map(Handle.at([0.3, 0, 0]), True, T)
    again = workspace.map(Handle.at([0.3, 0, 0]), False, T)
    assert again.handle == held.handle == mapped.handle and not held.engaged
    # twice as far and half as strong: a quarter of the energy
    assert workspace.energy_scale() == 0.25 and workspace.felt_stiffness(100.0) == 100.0


def test_lost_and_late_packets_create_nothing():
    settings = PspmSettings.point(500.0, 0.5)
    device, far = DeviceSide(settings), WorldSide(PspmSettings.point(2000.0, 10.0))
    model = Model()
    ball = model.body(Body.sphere("tool", 0.01).mass(0.001))
    port = model.port(Port.reference("hand", ball.origin(), [2000.0] * 3 + [0] * 3, [10.0] * 3 + [0] * 3))
    world = World(model, dissipation="drop")
    inputs, random, late = world.inputs(), np.random.default_rng(1), []
    for k in range(4000):
        device.sample(Handle.at([0.03 * math.sin(3e-3 * k), 0, 0]), T)
        assert device.to_hand() - device.damped() - device.received() <= settings.grant + 1e-12
        inputs.set(port, far.reference())
        world.step(T, inputs)
        far.after_step(world.port(port), T)
        late += [(far, device.send()), (device, far.send())]
        # in any order, and a fifth never
        for _ in range(min(2, len(late) // 40)):
            side, packet = late.pop(random.integers(len(late)))
            if packet is not None and random.random() > 0.2:
                side.receive(packet)
    assert device.reserve() >= 0.0 and far.reserve() >= 0.0 and far.to_world() != 0.0
    packet = Packet(7, Handle.at([1, 2, 3]), 0.5)
    assert (packet.sequence, packet.energy) == (7, 0.5) and packet.handle == Handle.at([1, 2, 3])


def test_channels_and_observers_say_what_they_did():
    channel = ImpulseChannel(2.0, 0.1, slew=1000.0)
    zero, push = ([0, 0, 0], [0, 0, 0]), ([0, 0, 0.01], [0, 0, 0])
    force, torque = channel.felt(push, zero, zero, T)
    # 10 mN·s in steps of 1 ms, by 1 N a step, within 2 N
    assert 0 < force[2] <= 1.0 and not torque.any() and channel.owed()[0][2] == pytest.approx(0.01 - force[2] * T)
    assert channel.limits() == (2.0, 0.1, True)
    with pytest.raises(ValueError, match="saturate"):
        ImpulseChannel(1.0, 1.0, "nonsense")
    observer = PassivityObserver()
    braked, added, fault = observer.step([1, 0, 0], [0.1, 0, 0], T)
    # the hand had put nothing in, so all of F·v is taken back
    assert braked[0] == pytest.approx(0.0, abs=1e-15) and added == pytest.approx(10.0) and fault is None
    synergy = Synergy((100.0, [[0.01, 0.01], [0.01]]), (0.0, []), [0, 0], [1.0, 0.5], (-0.02, 0.02), 100.0)
    assert synergy.targets(0.02) == pytest.approx([0.015, 0.01]) and synergy.force(0.02, [0.5, 0.25]) == pytest.approx(-2.0)


def test_copies_go_on_alone_and_inputs_of_strangers_are_refused():
    coupling = VirtualCoupling(CouplingSettings.point(1000.0, T))
    coupling.sample(Handle.at([0.01, 0, 0]))
    twin = copy.deepcopy(coupling)
    twin.sample(Handle.at([0.02, 0, 0]))
    assert coupling.reference() == Handle.at([0.01, 0, 0]) != twin.reference()
    assert Unilateral(CouplingSettings.point(1.0, T)).coupling().required_damping() == pytest.approx(5e-4)
    world, hand = tool(coupling)
    other, _ = tool(VirtualCoupling(CouplingSettings.pose(1000.0, 1.0, T)))
    inputs = world.inputs()
    inputs.set(hand, PortInput.reference([1, 2, 3]))
    assert inputs.get(hand).kind == "reference" and inputs.get(hand).values == [1, 2, 3, 1, 0, 0, 0]
    with pytest.raises(ForeignError):
        other.inputs().set(hand, PortInput.idle())
    with pytest.raises(ForeignError):
        other.step(T, inputs)
