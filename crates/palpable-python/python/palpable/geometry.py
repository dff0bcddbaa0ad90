"""Questions to shapes: contacts before they touch, rays, the nearest body, the first impact.

Numbers of bodies are those given to ``Collider``; poses are given to ``CollisionPipeline.update``. What is asked for
and is not there is None; so is an answer for a pose that is not finite.
"""

from ._core import (
    Collider,
    CollisionPipeline,
    CollisionReport,
    CollisionShape,
    Contact,
    Found,
    Groups,
    Impact,
    Manifold,
    Motion,
    Pose,
    Proximity,
    RayHit,
    Shape,
)

__all__ = [
    "Collider",
    "CollisionPipeline",
    "CollisionReport",
    "CollisionShape",
    "Contact",
    "Found",
    "Groups",
    "Impact",
    "Manifold",
    "Motion",
    "Pose",
    "Proximity",
    "RayHit",
    "Shape",
]
