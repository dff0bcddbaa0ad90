"""A free body spun about its middle axis turns over again and again, keeping energy and momentum."""

from numpy.linalg import norm

from palpable import Body, Model, World

model = Model()
model.ghosts()
body = Body.new("body").principal_inertia(1.0, [1e-3, 2e-3, 3e-3])
body = model.body(body.angular_velocity([0.1, 10, 0.1]))
world = World(model)

energy, momentum = world.energy().kinetic, world.angular_momentum()
turns, sign = 0, 1
for _ in range(10_000):
    assert world.step(0.01).status == "taken"
    if world.angular_velocity(body)[1] * sign < 0:
        turns, sign = turns + 1, -sign
de = abs(world.energy().kinetic / energy - 1)
dl = norm(world.angular_momentum() - momentum) / norm(momentum)
print(f"{turns} turns in 100 s; energy off by {de:.0e}, angular momentum by {dl:.0e}")
assert turns == 51 and de < 1e-12 and dl < 1e-10
