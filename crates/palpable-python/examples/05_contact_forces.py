"""Who presses on whom, and how hard: a plank on two supports, with a weight nearer to one of them."""

import numpy as np

from palpable import Body, Model, World

G = 9.81

model = Model()
model.gravity([0, 0, -G])
left, right = (
    model.body(Body.cuboid(name, [0.02, 0.1, 0.1]).fixed().position([x, 0, 0.1]))
    for name, x in [("left", -0.5), ("right", 0.5)]
)
plank = model.body(Body.cuboid("plank", [0.6, 0.1, 0.01]).mass(1.0).position([0, 0, 0.21]))
weight = model.body(Body.sphere("weight", 0.05).mass(3.0).position([0.25, 0, 0.27]))
world = World(model)
for _ in range(500):
    assert world.step(1e-3).status == "taken"
touch = world.contacts()
for (a, b), force, point in zip(touch.bodies, touch.forces, touch.points):
    names = f"{world.bodies[a]:>6} on {world.bodies[b]:<6}"
    print(f"{names} {np.linalg.norm(force):7.3f} N at x = {point[0]:6.3f} m")


def down(body):
    return -world.contact_force(body)[2]


print(f"left {down(left):.4f} N, right {down(right):.4f} N")
# levers about the posts, which are 1 m apart
assert abs(down(left) - (0.5 * G + 0.25 * 3 * G)) < 0.3
assert abs(down(left) + down(right) - 4 * G) < 1e-6
assert abs(down(weight) + 3 * G) < 1e-6
assert abs(down(plank) + G) < 1e-6
