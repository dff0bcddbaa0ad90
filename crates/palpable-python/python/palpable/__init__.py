"""palpable: a physics engine you can feel. It never creates energy.

Start with ``Model``, make a ``World``, call ``World.step`` or ``World.run``::

    from palpable import Anchor, Body, Model, Spring, World

    model = Model()
    ball = model.body(Body.sphere("ball", 0.01).mass(1e-5).position([0.1, 0, 0]))
    model.spring(Spring.point(ball.origin(), Anchor.world([0, 0, 0])).stiffness(100))
    world = World(model)
    world.run(100.0, 1e-3)
    print(world.audit())

SI units, radians; world axes unless said otherwise. Names and meanings are those of the Rust crate.
"""

from ._core import (
    Anchor,
    Audit,
    Batch,
    Beam,
    Body,
    BodyId,
    BuildError,
    BusyError,
    Chain,
    ChangeError,
    CollisionShape,
    Contacts,
    CouplingError,
    DeviceError,
    ElementId,
    Flows,
    ForeignError,
    Inputs,
    Joint,
    Ledger,
    Link,
    Material,
    Model,
    PalpableError,
    PassivityError,
    Port,
    PortId,
    PortInput,
    PortOutput,
    Pose,
    Receipt,
    RecordError,
    Rotation,
    SceneError,
    Shape,
    Snapshot,
    Spring,
    StepError,
    StepReport,
    Stored,
    Studio,
    SystemId,
    World,
    __version__,
    load,
    parse,
    scenes,
    studio,
)

__all__ = [
    "Anchor",
    "Audit",
    "Batch",
    "Beam",
    "Body",
    "BodyId",
    "BuildError",
    "BusyError",
    "Chain",
    "ChangeError",
    "CollisionShape",
    "Contacts",
    "CouplingError",
    "DeviceError",
    "ElementId",
    "Flows",
    "ForeignError",
    "Inputs",
    "Joint",
    "Ledger",
    "Link",
    "Material",
    "Model",
    "PalpableError",
    "PassivityError",
    "Port",
    "PortId",
    "PortInput",
    "PortOutput",
    "Pose",
    "Receipt",
    "RecordError",
    "Rotation",
    "SceneError",
    "Shape",
    "Snapshot",
    "Spring",
    "StepError",
    "StepReport",
    "Stored",
    "Studio",
    "SystemId",
    "World",
    "__version__",
    "coupling",
    "experiments",
    "geometry",
    "gym",
    "haptics",
    "load",
    "parse",
    "passivity",
    "read",
    "recordings",
    "reproduce",
    "scenes",
    "studio",
    "sweep",
]

_PLACES = {
    "experiments": "recordings",
    "read": "recordings",
    "reproduce": "recordings",
    "sweep": "sweeps",
}
_MODULES = ("coupling", "geometry", "gym", "haptics", "passivity", "recordings", "sweeps")


def __getattr__(name: str) -> object:
    # what is not needed is not imported: `import palpable` takes a millisecond
    from importlib import import_module

    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _PLACES:
        return getattr(import_module(f".{_PLACES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
