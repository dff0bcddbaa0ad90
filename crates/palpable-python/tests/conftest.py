"""What the tests share."""

from pathlib import Path

import pytest

from palpable import Anchor, Body, Model, Port, Spring, World


@pytest.fixture
def scenes() -> Path:
    """The folder of example scenes."""
    return Path(__file__).resolve().parents[3] / "scenes"


def hello() -> tuple[World, object]:
    """10 mg on a spring of 100 N/m: the hello world of the README."""
    model = Model()
    ball = model.body(Body.sphere("ball", 0.01).mass(1e-5).position([0.1, 0, 0]))
    model.spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(100))
    return World(model), ball


def held() -> tuple[World, object, object]:
    """A ball over a floor, in a hand of 500 N/m."""
    model = Model()
    model.gravity([0, 0, -9.81])
    model.contacts()
    model.body(Body.half_space("floor"))
    ball = model.body(Body.sphere("ball", 0.02).mass(0.1).position([0, 0, 0.05]))
    rows = [500.0] * 3 + [0.1] * 3
    hand = model.port(Port.reference("hand", ball.origin(), rows, [5.0] * 3 + [0.01] * 3))
    return World(model), ball, hand
