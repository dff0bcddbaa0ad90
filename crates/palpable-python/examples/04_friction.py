"""Blocks on a slope: friction of 0.5 holds up to 26.6 degrees; beyond, they slide as they should."""

import math

from palpable import Body, Material, Model, World

G = 9.81
MU = 0.5


def slide(angle):
    """How far a block slides down a slope in a second [m]."""
    model = Model()
    # the slope stays level and gravity leans
    model.gravity([G * math.sin(angle), 0, -G * math.cos(angle)])
    material = Material(MU, 0.0)
    model.body(Body.half_space("slope").material(material))
    block = Body.cuboid("block", [0.1, 0.1, 0.02]).mass(1.0).position([0, 0, 0.02])
    block = model.body(block.material(material))
    world = World(model)
    for _ in range(1000):
        assert world.step(1e-3).status == "taken"
    assert world.audit().is_clean()
    return world.pose(block).position[0]


for degrees in [20, 26, 27, 35, 45]:
    angle = math.radians(degrees)
    slid = slide(angle)
    # the surplus of gravity over friction, for a second
    expected = 0.5 * G * max(0.0, math.sin(angle) - MU * math.cos(angle))
    print(f"{degrees:2} degrees: slid {slid:.6f} m, Coulomb says {expected:.6f} m")
    assert abs(slid - expected) < 1e-6, f"{slid} against {expected}"
