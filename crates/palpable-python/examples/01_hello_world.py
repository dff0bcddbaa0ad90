"""The smallest world: 10 mg on a stiff spring, at a step that other engines do not survive."""

from palpable import Anchor, Body, Model, Spring, World

model = Model()
model.ghosts()
ball = model.body(Body.sphere("ball", 0.01).mass(1e-5).position([0.1, 0, 0]))
model.spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(100))
world = World(model)
world.run(100.0, 1e-3)  # raises if a step is refused
print(f"x = {world.pose(ball).position[0]:.4f} m, energy {world.energy().total():.15f} J")
print(world.audit(), end="")
assert world.tick == 100_000
assert abs(world.energy().total() / 0.5 - 1) < 1e-12 and world.audit().is_clean()
