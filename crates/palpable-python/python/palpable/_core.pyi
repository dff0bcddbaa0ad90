"""The compiled part of palpable. SI units, radians; world axes unless said otherwise."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Unpack

__version__: str

Vector = ArrayLike
"""Three or six numbers: a list, a tuple or an array."""
Matrix = ArrayLike
"""Rows of three numbers."""
Numbers = ArrayLike
Array = NDArray[np.float64]
Payment = Literal["tank", "supply"]
Scheme = Literal[
    "passive-midpoint", "published-midpoint", "explicit-euler", "symplectic-euler", "implicit-euler"
]
Law = Literal["cone", "printed-elastic", "printed-plastic"]

class Options(TypedDict, total=False):
    """Settings of a world, by name."""

    scheme: Scheme
    contact_law: Law
    sides: int
    tank_cap: float
    tank_grant: float
    dissipation: Literal["keep", "drop"]
    surplus: Literal["keep", "return"]
    resolve_tolerance: float
    substep_tolerance: float
    max_substeps: int
    joint_loss: float

class Element(Protocol):
    """A measure of one's own."""

    rows: int

    def strain(self, a: Pose, b: Pose) -> Sequence[float]: ...

class PalpableError(ValueError): ...
class BuildError(PalpableError): ...
class SceneError(PalpableError): ...
class ChangeError(PalpableError): ...
class StepError(PalpableError): ...
class ForeignError(PalpableError): ...
class RecordError(PalpableError): ...
class PassivityError(PalpableError): ...
class BusyError(RuntimeError): ...
class DeviceError(RuntimeError): ...

@final
class Rotation:
    """An orientation."""

    @staticmethod
    def identity() -> Rotation:
        """No turn at all."""
    @staticmethod
    def from_scaled_axis(axis: Vector) -> Rotation:
        """A turn about an axis by its length [rad]."""
    @staticmethod
    def from_quaternion(w: float, x: float, y: float, z: float) -> Rotation:
        """From a quaternion, scalar first; its length does not matter."""
    @property
    def quaternion(self) -> Array:
        """Quaternion, scalar first."""
    @property
    def matrix(self) -> Array:
        """Rotation matrix, 3 x 3."""
    @property
    def scaled_axis(self) -> Array:
        """Axis times angle [rad]."""
    def inverse(self) -> Rotation:
        """The opposite turn."""
    def apply(self, vector: Vector) -> Array:
        """A vector turned."""
    def __mul__(self, other: Rotation) -> Rotation: ...

@final
class Pose:
    """A frame in the world."""

    def __new__(cls, position: Vector = ..., rotation: Rotation = ...) -> Pose: ...
    @property
    def position(self) -> Array:
        """Origin [m]."""
    @property
    def rotation(self) -> Rotation:
        """Orientation."""

@final
class BodyId:
    """A body of a model."""

    @property
    def index(self) -> int:
        """Place in the list of bodies."""
    def at(self, point: Vector) -> Anchor:
        """A point fixed to this body, in body axes [m]."""
    def origin(self) -> Anchor:
        """The origin of this body."""
    def __hash__(self) -> int: ...

@final
class ElementId:
    """A spring, damper or joint of a model."""

    @property
    def index(self) -> int:
        """Place in the list of elements."""
    def __hash__(self) -> int: ...

@final
class PortId:
    """A port of a model."""

    @property
    def index(self) -> int:
        """Place in the list of ports."""
    def __hash__(self) -> int: ...

@final
class SystemId:
    """A chain, beam or other subsystem of a model."""

    @property
    def index(self) -> int:
        """Place in the list of subsystems."""
    def link(self, i: int) -> BodyId:
        """The body of link `i`, to attach things to; stations of a beam count from its root."""
    def base(self) -> BodyId:
        """The floating base of a chain; its first link if it has none."""
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class Anchor:
    """A frame fixed to a body or to the world: where an element or port holds on."""

    @staticmethod
    def world(point: Vector) -> Anchor:
        """A point of the world [m]."""
    def turned(self, rotation: Rotation) -> Anchor:
        """The same point with another orientation of the frame."""
    @property
    def body(self) -> BodyId | None:
        """The body it is on; none for the world."""
    @property
    def point(self) -> Array:
        """Origin in body (or world) axes [m]."""
    @property
    def rotation(self) -> Rotation:
        """Orientation in body (or world) axes."""

@final
class Shape:
    """A solid, in its own frame. Lengths in metres."""

    @staticmethod
    def sphere(radius: float) -> Shape:
        """A ball of the given radius [m]."""
    @staticmethod
    def cuboid(half_extents: Vector) -> Shape:
        """A cuboid with the given half edges [m]."""
    @staticmethod
    def capsule(half_length: float, radius: float) -> Shape:
        """A capsule along z: half the length of the straight part and the radius [m]."""
    @staticmethod
    def cylinder(half_length: float, radius: float) -> Shape:
        """A cylinder along z: half length and radius [m]."""
    @staticmethod
    def convex_hull(points: Matrix) -> Shape:
        """The convex hull of points [m]."""
    @staticmethod
    def mesh(vertices: Matrix, triangles: Matrix) -> Shape:
        """A closed triangle mesh [m], wound outward."""
    @property
    def volume(self) -> float:
        """Volume [m³]."""

@final
class CollisionShape:
    """What touches, where that is not the shape itself."""

    @staticmethod
    def of(shape: Shape) -> CollisionShape:
        """As a solid."""
    @staticmethod
    def half_space() -> CollisionShape:
        """Everything below the plane z = 0 of its frame."""
    @staticmethod
    def triangle_mesh(vertices: Matrix, triangles: Matrix) -> CollisionShape:
        """Triangles [m] that convex shapes touch from their front."""
    @staticmethod
    def height_field(columns: int, dx: float, dy: float, heights: Numbers) -> CollisionShape:
        """Ground over a grid: heights [m] row by row; touched from above."""
    @staticmethod
    def compound(pieces: Sequence[tuple[Pose, CollisionShape]]) -> CollisionShape:
        """Convex shapes that move as one: pairs of a pose and a shape."""

@final
class Material:
    """How a surface rubs and bounces."""

    @staticmethod
    def new(friction: float, restitution: float) -> Material:
        """One coefficient of friction and a restitution, 0 to 1."""
    def sticky(self, static_friction: float) -> Material:
        """A higher coefficient at rest."""
    def rolling(self, spin_radius: float, roll_radius: float) -> Material:
        """Friction against spinning and rolling: levers [m] of the normal force."""
    def law(self, name: str, sides: int = 8) -> Material:
        """A law of its own for its hard contacts: "cone", "printed-elastic" or
        "printed-plastic", the printed ones with a pyramid of `sides`."""
    def __new__(cls, friction: float = 0.5, restitution: float = 0.0) -> Material: ...
    @property
    def friction(self) -> float:
        """Coefficient of friction while sliding."""
    @property
    def static_friction(self) -> float:
        """Coefficient of friction at rest."""
    @property
    def restitution(self) -> float:
        """Restitution, 0 to 1."""

@final
class Body:
    """A rigid body to be added to a model."""

    @staticmethod
    def new(name: str) -> Body:
        """A body without a shape; needs `inertia` unless it is fixed."""
    @staticmethod
    def sphere(name: str, radius: float) -> Body:
        """A ball of a radius [m]."""
    @staticmethod
    def cuboid(name: str, half_extents: Vector) -> Body:
        """A box with the given half edges [m]."""
    @staticmethod
    def capsule(name: str, half_length: float, radius: float) -> Body:
        """A capsule along z: half the length of the straight part and the radius [m]."""
    @staticmethod
    def cylinder(name: str, half_length: float, radius: float) -> Body:
        """A cylinder along z: half length and radius [m]."""
    @staticmethod
    def convex_hull(name: str, points: Matrix) -> Body:
        """The convex hull of points [m]."""
    @staticmethod
    def mesh(name: str, vertices: Matrix, triangles: Matrix) -> Body:
        """A closed triangle mesh [m], wound outward."""
    @staticmethod
    def with_shape(name: str, shape: Shape) -> Body:
        """A body with a shape made elsewhere."""
    @staticmethod
    def half_space(name: str) -> Body:
        """A fixed floor: everything below the x-y plane of its axes."""
    def collider(self, shape: CollisionShape) -> Body:
        """What touches, where that is not the shape itself."""
    def material(self, material: Material) -> Body:
        """How its surface rubs and bounces."""
    def ghost(self) -> Body:
        """Nothing touches it."""
    def density(self, density: float) -> Body:
        """Density of the shape [kg/m³]; 1000 unless set."""
    def mass(self, mass: float) -> Body:
        """Mass [kg], spread evenly over the shape."""
    def inertia(self, mass: float, center_of_mass: Vector, inertia: Matrix) -> Body:
        """Mass [kg], centre of mass [m] and inertia about it [kg·m²], body axes."""
    def principal_inertia(self, mass: float, moments: Vector) -> Body:
        """Mass [kg] and principal moments about the body's origin [kg·m²]."""
    def fixed(self) -> Body:
        """Never moves."""
    def position(self, position: Vector) -> Body:
        """Where the body's origin starts [m]."""
    def rotation(self, rotation: Rotation) -> Body:
        """Orientation of the body's axes at the start."""
    def velocity(self, velocity: Vector) -> Body:
        """Velocity of the centre of mass at the start, world axes [m/s]."""
    def angular_velocity(self, angular_velocity: Vector) -> Body:
        """Angular velocity at the start, body axes [rad/s]."""
    def damping(self, linear: float, angular: float) -> Body:
        """Viscous damping of the centre of mass [N·s/m] and the rotation [N·m·s/rad]."""

@final
class Spring:
    """A spring, damper or both between two anchors."""

    @staticmethod
    def point(a: Anchor, b: Anchor) -> Spring:
        """Pulls point `a` onto point `b`: three rows."""
    @staticmethod
    def rotation(a: Anchor, b: Anchor) -> Spring:
        """Turns frame `a` onto frame `b`: three rows."""
    @staticmethod
    def pose(a: Anchor, b: Anchor) -> Spring:
        """Pulls and turns frame `a` onto frame `b`: six rows."""
    @staticmethod
    def angle(a: Anchor, b: Anchor) -> Spring:
        """Turns frame `a` back about the z axis of `b`, counting whole turns: one row."""
    @staticmethod
    def slide(a: Anchor, b: Anchor) -> Spring:
        """Pulls point `a` back along the z axis of `b`: one row."""
    @staticmethod
    def coordinate(system: SystemId, i: int) -> Spring:
        """Pulls coordinate `i` of a subsystem back to its rest: one row."""
    @staticmethod
    def tendon(system: SystemId, radii: Numbers) -> Spring:
        """An elastic tendon over the joints of a chain: lengthening is the sum of pulley radius [m] times coordinate."""
    @staticmethod
    def custom(element: Element, a: Anchor, b: Anchor) -> Spring:
        """Your own measure: an object with `rows` (1 to 6) and `strain(a, b)`, which takes two poses and returns that many numbers."""
    def rest(self, rest: float) -> Spring:
        """The measure of the first row [m or rad] at which the spring is slack."""
    def stops(self, lower: float, upper: float) -> Spring:
        """The first row's measure [m or rad] stays between these."""
    def friction(self, limit: float) -> Spring:
        """Dry friction of the first row [N or N·m]."""
    def named(self, name: str) -> Spring:
        """A name for plots and messages."""
    def stiffness(self, k: float) -> Spring:
        """The same stiffness on every row [N/m or N·m/rad]."""
    def damping(self, b: float) -> Spring:
        """The same damping on every row [N·s/m or N·m·s/rad]."""
    def stiffness_rows(self, k: Vector) -> Spring:
        """Stiffness row by row."""
    def damping_rows(self, b: Vector) -> Spring:
        """Damping row by row."""

@final
class Joint:
    """Joins two bodies so that some motions stay free; hard unless given a stiffness."""

    @staticmethod
    def ball(a: Anchor, b: Anchor) -> Joint:
        """The two points stay together."""
    @staticmethod
    def fixed(a: Anchor, b: Anchor) -> Joint:
        """Nothing is free."""
    @staticmethod
    def hinge(a: Anchor, b: Anchor) -> Joint:
        """Turns about the common z axis."""
    @staticmethod
    def universal(a: Anchor, b: Anchor) -> Joint:
        """z of `a` stays perpendicular to x of `b`."""
    @staticmethod
    def prismatic(a: Anchor, b: Anchor) -> Joint:
        """Slides along z of `b` without turning."""
    @staticmethod
    def cylindrical(a: Anchor, b: Anchor) -> Joint:
        """Slides along and turns about z of `b`."""
    @staticmethod
    def planar(a: Anchor, b: Anchor) -> Joint:
        """Slides in the x-y plane of `b` and turns about its normal."""
    @staticmethod
    def distance(a: Anchor, b: Anchor, length: float) -> Joint:
        """The two points keep a distance [m]."""
    @staticmethod
    def gear(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: float) -> Joint:
        """The angle of `a` against `b` plus `ratio` times that of `c` against `d` stays."""
    @staticmethod
    def rack(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: float) -> Joint:
        """The angle of `a` against `b` plus `ratio` [rad/m] times the slide of `c` stays."""
    @staticmethod
    def tied_slides(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: float) -> Joint:
        """The slide of `a` against `b` plus `ratio` times that of `c` against `d` stays."""
    @staticmethod
    def coupling(system: SystemId, i: int, j: int, ratio: float, rest: float) -> Joint:
        """`q_i + ratio * q_j` of a subsystem stays what it is at `rest`."""
    def stiffness(self, k: float) -> Joint:
        """A soft joint: the same stiffness on every row."""
    def stiffness_rows(self, k: Vector) -> Joint:
        """Stiffness row by row; infinite is hard."""
    def damping(self, b: float) -> Joint:
        """Damping of every row of a soft joint."""
    def named(self, name: str) -> Joint:
        """A name for plots and messages."""

@final
class Port:
    """Where a hand, a motor or a script holds on."""

    @staticmethod
    def force(name: str, anchor: Anchor) -> Port:
        """Takes forces and torques at an anchor on a moving body."""
    @staticmethod
    def reference(name: str, anchor: Anchor, stiffness: Vector, damping: Vector) -> Port:
        """Takes a reference pose, joined to the anchor by stiffness and damping: three offsets [N/m, N·s/m], three rotations [N·m/rad, N·m·s/rad]."""
    @staticmethod
    def motor(name: str, measure: Spring) -> Port:
        """A motor on a measure of one row: an angle, slide or coordinate."""
    def limit(self, effort: float) -> Port:
        """The largest effort [N·m or N] that may be asked of a motor."""

@final
class Link:
    """A link of a chain."""

    @staticmethod
    def revolute(name: str) -> Link:
        """Turns about the z axis of its joint."""
    @staticmethod
    def prismatic(name: str) -> Link:
        """Slides along the z axis of its joint."""
    def on(self, parent: int) -> Link:
        """The link it hangs on, by its number in the chain."""
    def at(self, point: Vector, rotation: Rotation) -> Link:
        """The joint's frame in the parent's axes [m]."""
    def held_at(self, point: Vector, rotation: Rotation) -> Link:
        """The joint's frame in the link's own axes [m]."""
    def inertia(self, mass: float, center_of_mass: Vector, inertia: Matrix) -> Link:
        """Mass [kg], centre of mass [m] and inertia about it [kg·m²], link axes."""
    def shape(self, shape: Shape, density: float) -> Link:
        """A shape whose even density [kg/m³] gives the inertia."""
    def looks(self, shape: Shape) -> Link:
        """A shape for contact and pictures that leaves the inertia alone."""
    def collider(self, shape: CollisionShape) -> Link:
        """What touches, if not its shape."""
    def start(self, position: float, velocity: float) -> Link:
        """Where the joint starts [rad or m], and how fast [rad/s or m/s]."""
    def damping(self, damping: float) -> Link:
        """Viscous damping of the joint [N·m·s/rad or N·s/m]."""

@final
class Beam:
    """A slender beam that bends in the x-y plane of its frame."""

    @staticmethod
    def new(name: str, length: float, mass: float, rigidity: float) -> Beam:
        """Length [m], mass [kg] and bending stiffness E I [N·m²]; three modes."""
    @staticmethod
    def rectangular(name: str, size: Vector, density: float, young: float) -> Beam:
        """Length, width, thickness [m], density [kg/m³] and Young's modulus [Pa]."""
    def modes(self, modes: int) -> Beam:
        """Number of bending modes."""
    def at(self, frame: Pose) -> Beam:
        """Where the root is; x along the beam, y the way it bends."""
    def damping_ratio(self, ratio: float) -> Beam:
        """Damping of every mode as a part of critical damping."""
    def stations(self, stations: int) -> Beam:
        """Frames along the beam besides root and tip."""
    def start(self, values_and_rates: Numbers) -> Beam:
        """Starting values and rates of the coordinates in turn, mount first, then modes."""
    def mount(self, mount: str, mass: float, inertia: float) -> Beam:
        """What its root may do (`clamped`, `hub` or `planar`), with mass [kg] and inertia [kg·m²] of the mount itself."""
    def frequency(self, i: int) -> float:
        """Angular frequency of bending mode `i` with the root clamped [rad/s]."""

@final
class Chain:
    """Links joined by turning and sliding joints, simulated in joint coordinates."""

    @staticmethod
    def new(name: str) -> Chain:
        """A chain on a fixed base."""
    def link(self, link: Link) -> Chain:
        """The same chain with one more link; links count from 0."""
    def floating(self, name: str, mass: float, center_of_mass: Vector, inertia: Matrix, pose: Pose) -> Chain:
        """On a free body: mass [kg], centre of mass [m], inertia [kg·m²], and its pose."""
    def floating_shape(self, name: str, shape: Shape, density: float, pose: Pose) -> Chain:
        """The same, of a shape with an even density [kg/m³]."""
    def base_velocity(self, v: Vector, omega: Vector) -> Chain:
        """How a floating base starts: velocity [m/s], angular velocity [rad/s]."""
    def base_shape(self, shape: Shape) -> Chain:
        """The shape of a floating base."""

@final
class Stored:
    """Stored energy by account [J]."""

    @property
    def kinetic(self) -> float:
        """Kinetic energy [J]."""
    @property
    def elastic(self) -> float:
        """Energy in the carried strains of springs and joints [J]."""
    @property
    def gravity(self) -> float:
        """Potential energy of gravity [J]."""
    @property
    def tank(self) -> float:
        """Content of the tank [J]."""
    @property
    def contact(self) -> float:
        """Energy in the layers of contacts over a volume [J]."""
    def total(self) -> float:
        """Sum of all accounts [J]."""

@final
class Flows:
    """Energy that crossed a boundary [J]."""

    @property
    def supplied(self) -> float:
        """In through ports, and what a user granted."""
    @property
    def damped(self) -> float:
        """Out by viscous damping."""
    @property
    def friction(self) -> float:
        """Out by friction."""
    @property
    def impact(self) -> float:
        """Out by impacts."""
    @property
    def discarded(self) -> float:
        """Turned away by a full tank, released by a wrapped angle, or lost by arithmetic."""
    @property
    def created(self) -> float:
        """In from nowhere, by a contact law that is not passive."""
    def lost(self) -> float:
        """Everything that left [J]."""
    def entered(self) -> float:
        """Everything that entered [J]."""

@final
class Ledger:
    """The books of a world since it was built."""

    @property
    def initial(self) -> Stored:
        """Stored energy at the start."""
    @property
    def now(self) -> Stored:
        """Stored energy now."""
    @property
    def totals(self) -> Flows:
        """Everything that crossed the boundary since the start."""
    @property
    def booked(self) -> float:
        """Sum of the magnitudes of all bookings [J]."""
    @property
    def max_defect(self) -> float:
        """Largest raw step defect relative to the energy in play."""
    @property
    def fallbacks(self) -> int:
        """Times a strain could not follow because nobody could pay."""
    @property
    def steps(self) -> int:
        """Steps and live changes entered."""
    @property
    def gate(self) -> tuple[int, int, int, float]:
        """Groups that paid, steps done again, groups held, energy taken back [J]."""
    def closure(self) -> float:
        """What the accounts leave unexplained since the start [J]."""
    def as_array(self) -> Array:
        """The accounts as a numpy array: kinetic, elastic, gravity, tank, supplied, damped, friction, impact, discarded, created [J]."""

@final
class Audit:
    """Does the account close, and if not, which account moved, in words."""

    @property
    def closure(self) -> float:
        """Unexplained energy since the start [J]."""
    @property
    def max_defect(self) -> float:
        """Largest raw step defect, relative."""
    @property
    def findings(self) -> list[str]:
        """What was noticed, in words."""
    def is_clean(self) -> bool:
        """True if no energy is unexplained or created."""
    def __str__(self) -> str: ...

@final
class StepReport:
    """What a step says about itself."""

    @property
    def status(self) -> str:
        """`taken` or `input-ignored`."""
    @property
    def tick(self) -> int:
        """Steps taken since the world was built, this one included."""
    @property
    def time(self) -> float:
        """Simulated time after the step [s]."""
    @property
    def before(self) -> Stored:
        """Stored energy when the step began."""
    @property
    def after(self) -> Stored:
        """Stored energy when it ended."""
    @property
    def flows(self) -> Flows:
        """What crossed the boundary in between."""
    @property
    def defect(self) -> float:
        """Raw defect of the linear step before any booking [J]."""
    @property
    def closure(self) -> float:
        """What the accounts leave unexplained [J]."""
    @property
    def substeps(self) -> int:
        """Parts it was divided into."""
    @property
    def resolves(self) -> int:
        """Islands solved a second time."""
    @property
    def gap(self) -> float:
        """Largest gap left at the end [m or rad]."""
    @property
    def residual(self) -> float:
        """Largest relative residual of the linear solves."""
    @property
    def contact_points(self) -> int:
        """Points of contact within reach."""
    @property
    def contact_dropped(self) -> int:
        """Points of contact that found no room."""
    @property
    def contact_depth(self) -> float:
        """Deepest overlap at the end of the step [m]."""
    @property
    def contact_iterations(self) -> int:
        """Sweeps and Newton steps of contact."""
    @property
    def gate(self) -> tuple[int, int, int, float]:
        """Groups that paid, times the step was done again, groups held, energy taken back [J]."""

@final
class Receipt:
    """What a live change cost and how far it went."""

    @property
    def applied(self) -> float:
        """Part of the change that was made, 0 to 1."""
    @property
    def jump(self) -> float:
        """Change of mechanical energy that remained [J]."""
    @property
    def tank(self) -> float:
        """Paid by the tank [J]; negative if it received."""
    @property
    def supplied(self) -> float:
        """Supplied by the user [J]."""

@final
class PortOutput:
    """What a port shows after a step."""

    @property
    def work(self) -> float:
        """Energy that entered through this port in the step [J]."""
    @property
    def measure(self) -> float:
        """Motor: its measure at the end of the step [m or rad]."""
    @property
    def rate(self) -> float:
        """Motor: representative rate of the measure [m/s or rad/s]."""
    @property
    def effort(self) -> float:
        """Motor: effort along the measure [N or N·m]."""
    @property
    def position(self) -> Array:
        """Position of the port's point [m]."""
    @property
    def rotation(self) -> Rotation:
        """Orientation of the port's frame."""
    @property
    def velocity(self) -> Array:
        """Representative velocity of the point over the step [m/s]."""
    @property
    def angular_velocity(self) -> Array:
        """Representative angular velocity over the step, world axes [rad/s]."""
    @property
    def force(self) -> Array:
        """Reference port: force on whoever holds the reference [N]. Force port: the force applied."""
    @property
    def torque(self) -> Array:
        """Likewise the torque, world axes [N·m]."""

@final
class Contacts:
    """The contacts of the last step, as arrays with one row per contact."""

    def __len__(self) -> int: ...
    @property
    def bodies(self) -> NDArray[np.int64]:
        """Indices of the two bodies."""
    @property
    def normals(self) -> Array:
        """Unit normal from the first to the second body, world axes."""
    @property
    def points(self) -> Array:
        """Where they are, world axes [m]."""
    @property
    def forces(self) -> Array:
        """Mean force on the second body over the step [N]."""
    @property
    def torques(self) -> Array:
        """Mean torque on the second body by spinning and rolling friction [N·m]."""
    @property
    def impulses(self) -> Array:
        """Impulse on the second body at the start of the step [N·s]."""
    @property
    def gaps(self) -> Array:
        """Distance of the surfaces at the start of the step [m]."""
    @property
    def ids(self) -> NDArray[np.uint64]:
        """Names of the contacts, kept as long as they last."""
    @property
    def begins(self) -> NDArray[np.bool_]:
        """True where a contact was not there in the step before."""

@final
class Inputs:
    """The inputs of all ports for one step; ports not mentioned are idle."""

    def force(self, port: PortId, force: Vector) -> None:
        """A force [N] in world axes at a port."""
    def wrench(self, port: PortId, force: Vector, torque: Vector) -> None:
        """A force [N] at the port's point and a torque [N·m], world axes."""
    def reference(self, port: PortId, position: Vector, rotation: Rotation = ...) -> None:
        """Where the far end of a reference port moves to, world axes [m]."""
    def effort(self, port: PortId, effort: float) -> None:
        """Motor: force or torque along its measure [N or N·m]."""
    def rate(self, port: PortId, rate: float) -> None:
        """Motor: rate that its damping enforces [m/s or rad/s]."""
    def target(self, port: PortId, target: float) -> None:
        """Motor: measure at which its stiffness is slack [m or rad]."""
    def idle(self, port: PortId) -> None:
        """Nothing enters: no force, or the reference stays where it is."""

@final
class Model:
    """Collects bodies, springs, joints and ports; `World(model)` freezes them."""

    def __new__(cls) -> Model: ...
    @staticmethod
    def builder() -> Model:
        """An empty description, as in Rust."""
    def gravity(self, gravity: Vector) -> None:
        """Acceleration of gravity, world axes [m/s²]; none unless set."""
    def contacts(self, capacity: int = 0) -> None:
        """Room for at most `capacity` contacts; 0 leaves that to the number of bodies."""
    def ghosts(self) -> None:
        """Lets all bodies pass through each other."""
    def contact_pair(self, a: BodyId, b: BodyId, m: Material) -> None:
        """The material where two bodies touch, whatever their own."""
    def no_contact(self, a: BodyId, b: BodyId) -> None:
        """Two bodies that never touch."""
    def body(self, body: Body) -> BodyId:
        """Adds a body."""
    def spring(self, spring: Spring | Joint) -> ElementId:
        """Adds a spring, damper, joint or element of your own."""
    def joint(self, joint: Joint) -> ElementId:
        """Adds a joint."""
    def port(self, port: Port) -> PortId:
        """Adds a port."""
    def chain(self, chain: Chain) -> SystemId:
        """Adds a chain of links in generalized coordinates."""
    def beam(self, beam: Beam) -> SystemId:
        """Adds a flexible beam; its bending modes become springs of the model."""
    def build(self) -> Model:
        """Looks for every mistake and raises `BuildError` with all of them; returns the model."""

@final
class Snapshot:
    """Everything that changes in a world; goes back with `World.restore`."""

@final
class World:
    """A simulated world. One thread at a time may use it; others get `BusyError`."""

    def __new__(cls, model: Model, **named: Unpack[Options]) -> World: ...
    def step(self, h: float, inputs: Inputs | None = None) -> StepReport:
        """One step of `h` [s]. Raises `StepError` if it is refused."""
    def run(
        self,
        seconds: float | None = None,
        h: float | None = None,
        callback: Callable[[World], object] | None = None,
        *,
        inputs: Inputs | None = None,
        every: int = 1,
    ) -> int:
        """Steps until `seconds` have passed, in Rust, without the interpreter's lock.

        Ctrl-C ends it between two steps. `callback(world)` is called after every `every` steps; it may change `inputs`,
        and ends the run by returning False or by an exception. Returns the number of steps.
        """
    @property
    def time(self) -> float:
        """Simulated time [s]."""
    @property
    def tick(self) -> int:
        """Steps taken."""
    @property
    def name(self) -> str:
        """Name of the scene it is from; empty if it is from none."""
    @property
    def description(self) -> str:
        """What the scene shows."""
    @property
    def duration(self) -> float | None:
        """How long the scene lasts [s]; None if it is from none."""
    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, in their order."""
    @property
    def ports(self) -> list[str]:
        """Names of the ports, in their order."""
    @property
    def elements(self) -> list[str]:
        """Names of the springs, dampers and joints, in their order; may be empty."""
    def body_named(self, name: str) -> BodyId:
        """The body of a name."""
    def port_named(self, name: str) -> PortId:
        """The port of a name."""
    def element(self, index: int) -> ElementId:
        """The element at a place in `elements`."""
    def system_named(self, name: str) -> SystemId:
        """The subsystem of a name."""
    def pose(self, body: BodyId) -> Pose:
        """Where a body's own frame is."""
    def velocity(self, body: BodyId) -> Array:
        """Velocity of a body's centre of mass, world axes [m/s]."""
    def angular_velocity(self, body: BodyId) -> Array:
        """Angular velocity of a body in its own axes [rad/s]."""
    def positions(self, out: Array | None = None) -> Array:
        """Positions of all bodies [m], n x 3; a copy, into `out` if it is given."""
    def rotations(self, out: Array | None = None) -> Array:
        """Orientations of all bodies as quaternions, scalar first, n x 4; a copy."""
    def velocities(self, out: Array | None = None) -> Array:
        """Velocities of all centres of mass, world axes [m/s], n x 3; a copy."""
    def angular_velocities(self, out: Array | None = None) -> Array:
        """Angular velocities of all bodies in their own axes [rad/s], n x 3; a copy."""
    def contact_forces(self, out: Array | None = None) -> Array:
        """Sums of the forces of contact on all bodies over the last step [N], n x 3; a copy."""
    def contact_force(self, body: BodyId) -> Array:
        """Sum of the forces of contact on a body over the last step, world axes [N]."""
    def is_asleep(self, body: BodyId) -> bool:
        """True if a body sleeps: it lay still with all that it touches, and is not stepped."""
    def contacts(self) -> Contacts:
        """The contacts of the last step, as arrays; a copy."""
    def momentum(self) -> Array:
        """Linear momentum of all moving bodies [kg·m/s]."""
    def angular_momentum(self) -> Array:
        """Angular momentum of all moving bodies about the origin [kg·m²/s]."""
    def strain(self, element: ElementId) -> Array:
        """Carried strain of an element, six rows [m or rad]."""
    def coordinates(self, system: SystemId) -> Array:
        """Coordinates of a subsystem; those of a floating base come first."""
    def coordinate_rates(self, system: SystemId) -> Array:
        """Velocities of a subsystem."""
    def port(self, port: PortId) -> PortOutput:
        """What a port showed at the last step."""
    def inputs(self) -> Inputs:
        """Idle inputs for all ports."""
    def energy(self) -> Stored:
        """Stored energy by account [J]."""
    def ledger(self) -> Ledger:
        """The books since the start; a copy."""
    def audit(self) -> Audit:
        """Checks the books."""
    def verify(self) -> None:
        """Computes the energy from poses and velocities; raises if the books differ."""
    def state_hash(self) -> int:
        """A 64-bit hash of the bits of the state: same inputs, same hash, in every language."""
    def snapshot(self) -> Snapshot:
        """A copy of everything that changes."""
    def restore(self, snapshot: Snapshot) -> None:
        """Returns to a snapshot of this world or of one of an equal model."""
    def set_stiffness(self, element: ElementId, stiffness: Vector, payment: Payment = "tank") -> Receipt:
        """Sets the stiffness of an element row by row."""
    def set_damping(self, element: ElementId, damping: Vector) -> None:
        """Sets the damping of an element row by row."""
    def set_rest(self, element: ElementId, rest: float) -> float:
        """Sets the measure at which the first row of an element is slack; returns the work [J]."""
    def set_anchor(self, element: ElementId, pose: Pose) -> float:
        """Moves the world end of an element; returns the work [J]."""
    def set_dry_friction(self, element: ElementId, limit: float) -> None:
        """Sets the dry friction of an element's first row [N or N·m]."""
    def set_mass(self, body: BodyId, mass: float, payment: Payment = "tank") -> Receipt:
        """Sets the mass of a body [kg]; its inertia follows."""
    def set_body_damping(self, body: BodyId, linear: float, angular: float) -> None:
        """Sets the viscous damping of a body [N·s/m, N·m·s/rad]."""
    def set_gravity(self, gravity: Vector, payment: Payment = "tank") -> Receipt:
        """Sets the acceleration of gravity [m/s²]."""
    def grant(self, energy: float) -> float:
        """Adds energy to the tank [J]; returns what fitted."""
    def material(self, body: BodyId) -> Material | None:
        """How the surface of a body rubs and bounces; None if nothing can touch."""
    def set_material(self, body: BodyId, material: Material) -> None:
        """Sets how the surface of a body rubs and bounces."""
    def set_contact_law(self, name: Law, sides: int = 8) -> None:
        """Chooses the contact law."""
    def attach(self, port: Port) -> PortId:
        """Adds a port at the end of the list: a hand takes hold."""
    def detach(self, port: PortId) -> Receipt:
        """Removes the port that was added last."""
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: object) -> World: ...

@final
class Batch:
    """Worlds of one model that are stepped together by the same reference ports."""

    def __new__(cls, worlds: Sequence[World], ports: Sequence[PortId]) -> Batch: ...
    def __len__(self) -> int: ...
    def step(
        self,
        references: Array,
        h: float,
        steps: int,
        threads: int = 1,
        active: Sequence[bool] | None = None,
    ) -> None:
        """Steps every world, with the references (worlds x ports x 3 [m]) held, on threads."""
    def port_positions(self) -> Array:
        """Positions of the ports [m], worlds x ports x 3; a copy."""
    def port_velocities(self) -> Array:
        """Velocities of the ports [m/s], worlds x ports x 3; a copy."""
    def port_forces(self) -> Array:
        """Forces on whoever holds the ports [N], worlds x ports x 3; a copy."""
    def positions(self, body: BodyId) -> Array:
        """Positions of a body [m], worlds x 3; a copy."""
    def velocities(self, body: BodyId) -> Array:
        """Velocities of a body [m/s], worlds x 3; a copy."""
    def contact_forces(self, body: BodyId) -> Array:
        """Forces of contact on a body [N], worlds x 3; a copy."""
    def accounts(self) -> Array:
        """The accounts of every world [J], as `Ledger.as_array`; a copy."""
    def state_hashes(self) -> list[int]:
        """The state hashes of every world."""

def load(path: str | PathLike[str], **named: Unpack[Options]) -> World:
    """A world of a scene file (TOML, JSON) or a robot (URDF); options replace the file's."""

def parse(text: str, origin: str | PathLike[str] = "scene.toml", **named: Unpack[Options]) -> World:
    """A world of the text of a scene; `origin` is the file that relative paths start from."""

@final
class Studio:
    """A running studio; ends when it is closed or forgotten."""

    @property
    def address(self) -> str:
        """The address to open, with its token."""
    def close(self) -> None:
        """Ends it."""
    def __enter__(self) -> Studio: ...
    def __exit__(self, _kind: object, _value: object, _trace: object) -> bool: ...

def studio(world: World | None = None, *, h: float = 1e-3, port: int = 0, browser: bool = True) -> Studio:
    """Opens the studio on a copy of a world, or on the gallery."""

@final
class Servo:
    """A servo loop: device and world tick in Rust on a thread of their own."""

    def __new__(
        cls,
        world: World,
        port: PortId,
        device: str = "simulated",
        *,
        rate: float = 1000.0,
        scale: float = 1.0,
        offset: Vector = ...,
        swing: tuple[Vector, float] | None = None,
    ) -> Servo: ...
    @property
    def running(self) -> bool:
        """True while it ticks."""
    def live(self) -> dict[str, Any]:
        """How it is doing."""
    def rows(self) -> dict[str, Array]:
        """Ticks since the last call, as arrays."""
    def stop(self) -> dict[str, Any]:
        """Fades the force out, closes the device and returns the statistics."""

@final
class DeviceNumbers:
    """A device by its numbers."""

    def __new__(
        cls, name: str, numbers: Sequence[float], max_force: float | None, max_stiffness: float | None
    ) -> DeviceNumbers: ...

_Loop = tuple[float, float]

def _wall(k: float, b: float, when: _Loop, filter: float | None) -> tuple[float, float, bool]: ...
def _wall_at(k: float, b: float, when: _Loop, thetas: Numbers) -> Array: ...
def _coupling(k: float, b: float, when: _Loop, gamma: float | None) -> float: ...
def _mass(k: float, b: float, device: float, when: _Loop, method: str) -> float: ...
def _zwidth(
    device: float, when: _Loop, range: tuple[float, float, int], filter: float | None
) -> tuple[Array, Array]: ...
def _profile(text: str) -> tuple[str, list[float], float | None, float | None, str, str]: ...
def _tune(
    device: DeviceNumbers, beta: float, share: float, method: str
) -> tuple[
    float,
    str,
    tuple[float, float, float],
    float,
    list[tuple[float, float, float]],
    list[float],
    list[str],
]: ...
def _explain(
    device: DeviceNumbers, k: float, b: float, gamma: float | None
) -> tuple[bool, list[tuple[str, bool, float, float, str]], list[tuple[str, float, float, str]]]: ...
def _read(
    path: str | PathLike[str], columns: list[str] | None
) -> tuple[Array, list[tuple[str, str, str, Array]]]: ...
def _experiments(pattern: str) -> list[tuple[str, str, str, str]]: ...
def _reproduce(
    id: str, out: str | PathLike[str]
) -> tuple[list[tuple[str, float, str, bool]], list[str]]: ...
def _survey() -> list[tuple[str, str, str, str]]: ...
