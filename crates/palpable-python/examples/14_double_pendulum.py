"""Two rods on hard hinges, against the equations of motion in their two angles."""

import numpy as np

from palpable import Anchor, Body, Joint, Model, World

LENGTH, MASS, HALF, GRAVITY = 0.4, 0.2, 0.01, 9.81  # HALF: half the thickness of a rod [m]


def rates(s):
    """Lagrange's equations of two equal rods; `[θ1, θ2, θ1', θ2']`, from the vertical."""
    a, b, a_rate, b_rate = s.tolist()
    square, weight = MASS * LENGTH**2, MASS * GRAVITY * LENGTH
    m22 = MASS * (LENGTH**2 + 4 * HALF**2) / 12 + 0.25 * square
    m11, m12, whirl = m22 + square, 0.5 * square * np.cos(a - b), 0.5 * square * np.sin(a - b)
    fa = -whirl * b_rate**2 - 1.5 * weight * np.sin(a)
    fb = whirl * a_rate**2 - 0.5 * weight * np.sin(b)
    det = m11 * m22 - m12**2
    return np.array([a_rate, b_rate, (m22 * fa - m12 * fb) / det, (m11 * fb - m12 * fa) / det])


# fourth-order Runge-Kutta over 1 s, steps short enough to call the result exact
s, dt = np.array([np.pi / 2, np.pi / 2, 0, 0]), 1 / 20_000
for _ in range(20_000):
    k1 = rates(s)
    k2 = rates(s + 0.5 * dt * k1)
    k3 = rates(s + 0.5 * dt * k2)
    s = s + dt / 6 * (k1 + 2 * (k2 + k3) + rates(s + dt * k3))
a, b = s[:2]
x = LENGTH * (np.sin(a) + 0.5 * np.sin(b))
y = 1 - LENGTH * (np.cos(a) + 0.5 * np.cos(b))

errors = []
for h in [2e-3, 1e-3, 5e-4]:
    model = Model()
    model.ghosts()
    model.gravity([0, -GRAVITY, 0])
    # both rods level, hung at a height of 1 m
    upper, lower = (
        model.body(Body.cuboid(name, [0.5 * LENGTH, HALF, HALF]).mass(MASS).position([at, 1, 0]))
        for name, at in [("upper", 0.5 * LENGTH), ("lower", 1.5 * LENGTH)]
    )
    # a hinge turns about the z axis of its frames, which is that of the world here
    start, end = [-0.5 * LENGTH, 0, 0], [0.5 * LENGTH, 0, 0]
    model.joint(Joint.hinge(upper.at(start), Anchor.world([0, 1, 0])))
    model.joint(Joint.hinge(lower.at(start), upper.at(end)))
    world = World(model)
    gap = max(world.step(h).gap for _ in range(round(1 / h)))
    errors.append(np.hypot(*(world.pose(lower).position[:2] - [x, y])))
    print(f"h = {1e3 * h:.1f} ms: off by {errors[-1]:.1e} m, hinges open by {gap:.0e} m")
    assert gap < 1e-9 and world.audit().is_clean(), world.audit()
order = np.log2(errors[0] / errors[2]) / 2
print(f"the error falls with the step to the power of {order:.2f}")
assert errors[2] < 1e-5 and order > 1.9
