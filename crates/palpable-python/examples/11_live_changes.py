"""Dragging parameters while the world runs: each jump of stored energy is paid for."""

from palpable import Anchor, Body, ChangeError, Model, Spring, World

model = Model()
ball = model.body(Body.sphere("ball", 0.05).mass(0.1).position([0.1, 0, 0]))
spring = Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(100)
spring = model.spring(spring)
world = World(model)


def run():
    for _ in range(100):
        assert world.step(1e-3).status == "taken"


run()
start = world.energy().total()
# nobody can pay for a stiffer spring: its strain shrinks, the energy stays
receipt = world.set_stiffness(spring, [5e3] * 6, "tank")
print(f"stiffness raised, jump {receipt.jump:.1e} J")
run()
assert world.energy().total() <= start * (1 + 1e-12)
# the user pays: the jump counts as supplied
receipt = world.set_mass(ball, 0.5, "supply")
print(f"mass raised, {receipt.supplied:.4f} J supplied")
run()
# a senseless value is refused and says why
try:
    world.set_mass(ball, -1.0, "tank")
except ChangeError as refusal:
    print(f"refused: {refusal}")
else:
    raise AssertionError("a negative mass")
print(world.audit(), end="")
assert world.audit().is_clean()
