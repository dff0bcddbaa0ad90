"""A user's own element: a rubber band that pulls only when it is longer than its rest length."""

import math

from palpable import Anchor, Body, Model, Spring, World


class RubberBand:
    """Strain is the stretch beyond `rest` [m], smoothed over `soft` [m] where it goes slack."""

    rows = 1

    def __init__(self, rest, soft):
        self.rest, self.soft = rest, soft

    def strain(self, a, b):
        stretch = math.sqrt(sum((a.position - b.position) ** 2)) - self.rest
        # a hyperbola: 0 when slack, the stretch when taut, no kink between
        return [0.5 * (stretch + math.sqrt(stretch * stretch + self.soft * self.soft))]


model = Model()
model.gravity([0, 0, -9.81])
ball = model.body(Body.sphere("ball", 0.02).mass(0.1).velocity([0.5, 0, 0]))
band = RubberBand(rest=0.3, soft=0.005)
hook = Anchor.world([0, 0, 0])
model.spring(Spring.custom(band, ball.at([0, 0, 0.02]), hook).stiffness(80))
world = World(model)

start = world.energy().total()
lowest = 0.0
for _ in range(5000):
    assert world.step(2e-3).status == "taken"
    lowest = min(lowest, world.pose(ball).position[2])
now = world.energy().total()
print(f"lowest point {lowest:.3f} m, energy {now:.9f} J from {start:.9f} J")
print(world.audit(), end="")
assert lowest < -0.3 and abs(now - start) < 1e-10 and world.audit().is_clean()
