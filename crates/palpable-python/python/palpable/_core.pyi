"""The compiled part of palpable. SI units, radians; world axes unless said otherwise."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Generic, Literal, Protocol, TypedDict, TypeVar, final

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

_What = TypeVar("_What", covariant=True)
_Value = TypeVar("_Value")

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
class CouplingError(PalpableError): ...
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
    def sphere(radius: float) -> CollisionShape:
        """A ball of a radius [m]."""
    @staticmethod
    def cuboid(half_extents: Vector) -> CollisionShape:
        """A box with the given half edges [m]."""
    @staticmethod
    def capsule(half_length: float, radius: float) -> CollisionShape:
        """A capsule along z: half the length of the straight part and the radius [m]."""
    @staticmethod
    def cylinder(half_length: float, radius: float) -> CollisionShape:
        """A cylinder along z: half length and radius [m]."""
    @staticmethod
    def convex_hull(points: Matrix) -> CollisionShape:
        """The convex hull of points [m]."""
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
    def proximity(
        self, pose: Pose, other: CollisionShape, other_pose: Pose, within: float
    ) -> Proximity | None:
        """The nearest place of this shape at `pose` and another one, if nearer than `within` [m]."""
    def ray_cast(self, pose: Pose, start: Vector, direction: Vector, most: float) -> RayHit | None:
        """Where a ray from `start` [m] along `direction` enters the shape, up to `most` [m]."""
    def first_impact(
        self, motion: Motion, other: CollisionShape, other_motion: Motion, duration: float
    ) -> Impact | None:
        """The first time within `duration` [s] at which this shape and another one touch, both moving."""

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
        """The accounts as a numpy array: kinetic, elastic, gravity, tank, contact, supplied, damped, friction, impact, discarded, created [J]."""

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
class PortInput:
    """What enters at one port: what a coupling gives, for `Inputs.set`."""

    @staticmethod
    def idle() -> PortInput:
        """Nothing: no force, or the reference stays where it is."""
    @staticmethod
    def wrench(force: Vector, torque: Vector = ...) -> PortInput:
        """A force [N] at the port's point and a torque [N·m], world axes."""
    @staticmethod
    def reference(position: Vector, rotation: Rotation = ...) -> PortInput:
        """Where the far end of a reference port moves to, world axes [m]."""
    @property
    def kind(self) -> str:
        """One of "idle", "wrench", "reference", "effort", "rate" and "target"."""
    @property
    def values(self) -> list[float]:
        """Its numbers: force and torque, position and quaternion, or one."""

@final
class Inputs:
    """The inputs of all ports for one step; ports not mentioned are idle."""

    def set(self, port: PortId, input: PortInput) -> None:
        """What enters at a port, as couplings give it."""
    def get(self, port: PortId) -> PortInput:
        """What enters at a port."""
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
    def remove_body(self, body: BodyId) -> None:
        """Takes a body out, and with it every joint, spring and port on it."""
    def remove_element(self, element: ElementId) -> None:
        """Takes out a spring, damper or joint; that of a port leaves with its port."""
    def remove_system(self, system: SystemId) -> None:
        """Takes out a chain or beam with its links and all that is on them."""
    def remove_port(self, port: PortId) -> None:
        """Takes out a port."""
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
        """Names of the bodies, by their places; empty where one was removed."""
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
    def element_named(self, name: str) -> ElementId:
        """The spring, damper or joint of a name."""
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
        """Coordinates of a subsystem; a floating base comes first: position, then quaternion, scalar last."""
    def coordinate_rates(self, system: SystemId) -> Array:
        """Velocities of a subsystem."""
    def port(self, port: PortId) -> PortOutput:
        """What a port showed at the last step."""
    def inputs(self) -> Inputs:
        """Idle inputs for all ports."""
    def script(self, time: float | None = None) -> Inputs:
        """What the scene's script puts in at the ports at a time [s], now unless given."""
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
    def set_pair_material(self, a: BodyId, b: BodyId, material: Material) -> None:
        """Sets the material where two bodies touch, whatever their own."""
    def set_pose(self, body: BodyId, pose: Pose) -> Receipt:
        """Puts a body elsewhere, at the velocity that it has; what that stores is supplied."""
    def set_velocity(self, body: BodyId, velocity: Vector, angular_velocity: Vector) -> Receipt:
        """Sets velocity [m/s, world axes] and angular velocity [rad/s, body axes]; what that stores is supplied."""
    def apply_force(self, body: BodyId, force: Vector, torque: Vector = ...) -> None:
        """A force [N] at the centre of mass and a torque [N·m] during the next step; calls add up."""
    def apply_force_at(self, body: BodyId, force: Vector, point: Vector) -> None:
        """The same for a force at a point of the world [m]."""
    def angle(self, joint: ElementId) -> float:
        """Angle of a hinge or coordinate [rad]."""
    def rate(self, joint: ElementId) -> float:
        """How fast that angle changes [rad/s]."""
    def port_impulse(self, port: PortId) -> tuple[Array, Array]:
        """Impulse of contact on the body of a port at the start of the last step [N·s], and its moment [N·m·s]."""
    def set_impulse_limit(self, force: float, torque: float, spread: bool = True) -> None:
        """Largest force [N] and torque [N·m] of impulses on bodies of ports: `ImpulseChannel.limits`."""
    def edit(self, change: Callable[[Model], _Value]) -> _Value:
        """Changes what the world is made of while it runs.

        `change(model)` gets the description that the world was built from and may add and remove bodies, springs, joints,
        chains and ports; what it returns is returned. All that stays keeps its state, forces and id; the energy of what is
        added is supplied, of what is removed discarded. Nothing changes if it raises, or if the description has a mistake.
        Inputs of before know no new ports: call `inputs` again.
        """
    def attach(self, port: Port) -> PortId:
        """Adds a port: a hand takes hold."""
    def detach(self, port: PortId) -> Receipt:
        """Removes a port; what its coupling stores goes to the tank, or is discarded."""
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: object) -> World: ...

@final
class Handle:
    """Pose of a handle, a reference or a proxy, world axes."""

    def __new__(cls, position: Vector, rotation: Rotation = ...) -> Handle:
        """Position [m] and orientation."""
    @staticmethod
    def at(position: Vector) -> Handle:
        """At a point [m], unturned."""
    @staticmethod
    def of(port: PortOutput) -> Handle:
        """Where a port is."""
    @property
    def position(self) -> Array:
        """Position [m]."""
    @property
    def rotation(self) -> Rotation:
        """Orientation."""

@final
class Guard:
    """What pays for moves of the reference, if somebody must."""

    def __new__(
        cls,
        device_damping: float = 0.0,
        turning_damping: float = 0.0,
        grant: float = 0.0,
        ceiling: float = 0.01,
    ) -> Guard:
        """Damping of the device that can be counted on [N·s/m, N·m·s/rad], energy granted at the start and
        largest reserve [J].
        """

@final
class CouplingSettings:
    """What a virtual coupling is made of."""

    @staticmethod
    def point(
        stiffness: float,
        period: float,
        *,
        gamma: float = 1.0,
        damping: float | None = None,
        device_side_damping: float = 0.0,
        guard: Guard | None = None,
    ) -> CouplingSettings:
        """Positions: stiffness [N/m] and period of the loop [s]. `gamma` is the share of the step's motion
        that is sent to the device, `damping` that of the virtual side [N·s/m], K T/2 unless given.
        """
    @staticmethod
    def pose(
        stiffness: float,
        turning: float,
        period: float,
        *,
        gamma: float = 1.0,
        damping: float | None = None,
        turning_damping: float | None = None,
        device_side_damping: float = 0.0,
        guard: Guard | None = None,
    ) -> CouplingSettings:
        """Poses: `turning` is the rotational stiffness [N·m/rad]."""
    @staticmethod
    def line(
        stiffness: float,
        direction: Vector,
        period: float,
        *,
        gamma: float = 1.0,
        damping: float | None = None,
        device_side_damping: float = 0.0,
        guard: Guard | None = None,
    ) -> CouplingSettings:
        """One direction; it need not have length one."""

@final
class Felt:
    """What the hand feels until the next sample."""

    @property
    def force(self) -> Array:
        """Force on the hand, world axes [N]."""
    @property
    def torque(self) -> Array:
        """Torque on the hand, world axes [N·m]."""
    @property
    def fault(self) -> str | None:
        """Why the force is zero, if an input was bad: "sample", "world" or "period"."""

@final
class CouplingAccount:
    """What a coupling moved between hand and world since it was built [J]."""

    @property
    def to_hand(self) -> float:
        """Work of the held forces on the hand; negative if the hand put energy in."""
    @property
    def to_world(self) -> float:
        """Work of moving the reference, which the world received."""
    @property
    def damped(self) -> float:
        """What the device's own damping took at least."""
    @property
    def worst(self) -> float:
        """The largest energy ever created; zero or below for a passive coupling."""
    def created(self) -> float:
        """Energy created so far, net of the device's damping [J]."""
    def sampled(self) -> float:
        """Energy that sampling created, before the device's damping [J]."""

@final
class VirtualCoupling:
    """A spring between a device sample and a port of a world, solved with the world."""

    def __new__(cls, settings: CouplingSettings) -> VirtualCoupling:
        """Builds the coupling; raises `CouplingError` for a number out of range."""
    def stiffness(self) -> Array:
        """Stiffness for the reference port, offsets first."""
    def damping(self) -> Array:
        """Damping for the reference port, offsets first."""
    def required_damping(self) -> float:
        """Damping that the device must have along every direction [N·s/m]."""
    def required_turning_damping(self) -> float:
        """Rotational damping that the device must have [N·m·s/rad]."""
    def account(self) -> CouplingAccount:
        """The energy account; a copy."""
    def reserve(self) -> float:
        """Energy in the guard's reserve [J]."""
    def debt(self) -> float:
        """Energy that the hand got and nobody has paid yet [J]."""
    def reference(self) -> Handle | None:
        """Where the reference is now, once there was a sample."""
    def sample(self, hand: Handle) -> PortInput:
        """Before the step: takes a device sample, gives the input of the reference port."""
    def sample_with_drift(self, hand: Handle, drift: Vector) -> PortInput:
        """The same for a hand whose coordinates were moved by `drift` [m] since the last sample."""
    def force(self, port: PortOutput, h: float) -> Felt:
        """After the step of length `h` [s]: takes the port's output, gives what the hand feels."""

@final
class Edge:
    """Beyond a radius of the device's centre the world drifts past."""

    def __new__(cls, radius: float, rate: float, max_speed: float) -> Edge:
        """Where rate control begins [m], speed per metre beyond it [1/s], largest speed [m/s]."""

@final
class Mapped:
    """A sample in world coordinates."""

    @property
    def handle(self) -> Handle:
        """The handle, world axes."""
    @property
    def drift(self) -> Array:
        """The part of its motion that was not the hand's: drift at the edge [m]."""
    @property
    def engaged(self) -> bool:
        """False while the clutch is open."""

@final
class Workspace:
    """Maps device poses to world poses, and forces back."""

    def __new__(cls, scale: float = 1.0, force_scale: float = 1.0) -> Workspace:
        """World metres per device metre, and the device's share of forces."""
    def turned(self, world_from_device: Rotation) -> Workspace:
        """The same with device axes turned to world axes."""
    def centered(self, offset: Vector) -> Workspace:
        """The same with the device's centre elsewhere in the world [m]."""
    def with_edge(self, center: Vector, edge: Edge) -> Workspace:
        """The same with rate control beyond the edge of a workspace around `center`, device axes [m]."""
    def felt_stiffness(self, stiffness: float) -> float:
        """The device's share of a world stiffness."""
    def world_damping(self, damping: float) -> float:
        """The device's damping as the world sees it: what a guard may count on."""
    def energy_scale(self) -> float:
        """Energy at the device per energy in the world."""
    def map(self, device: Handle, clutch: bool, h: float) -> Mapped | None:
        """Maps a device sample, `h` [s] after the last one; while `clutch` is True the hand moves alone.
        None if a number is not finite; nothing changes then.
        """
    def to_device(self, felt: Felt, engaged: bool) -> Felt:
        """A force in the world as the device shall show it, device axes."""

@final
class PspmSettings:
    """One side of a coupling over a link that is late and loses packets [Lee2008]."""

    @staticmethod
    def point(
        stiffness: float,
        damping: float,
        *,
        turning_stiffness: float = 0.0,
        turning_damping: float = 0.0,
        sampled_damping: float = 0.0,
        grant: float = 0.01,
        ceiling: float = 0.05,
        shuffling: float = 1.0,
        continuous: bool = False,
    ) -> PspmSettings:
        """Stiffness [N/m] and damping [N·s/m] of this side; `grant` [J] at the start, more than `ceiling`
        [J] is sent to the other side. With a `turning_stiffness` [N·m/rad] poses are coupled.
        """
    @property
    def grant(self) -> float:
        """Energy in the reservoir at the start [J]."""
    def port_stiffness(self) -> Array:
        """Stiffness for a reference port, offsets first."""
    def port_damping(self) -> Array:
        """Damping for a reference port, offsets first."""

@final
class Packet:
    """What is sent to the other side."""

    def __new__(cls, sequence: int, handle: Handle, energy: float) -> Packet:
        """A packet that came over a network of one's own."""
    @property
    def sequence(self) -> int:
        """Counts up; a packet that comes after a later one brings only its energy."""
    @property
    def handle(self) -> Handle:
        """Where the sender's end is."""
    @property
    def energy(self) -> float:
        """Energy handed over [J]; a packet must not be delivered twice."""

@final
class DeviceSide:
    """Passive set-position modulation at the device [Lee2008]."""

    def __new__(cls, settings: PspmSettings) -> DeviceSide:
        """Builds this side."""
    def receive(self, packet: Packet) -> None:
        """Takes in a packet of the world's side; packets may come late or in any order."""
    def sample(self, hand: Handle, elapsed: float) -> Felt:
        """A sample of the handle, `elapsed` [s] after the last one: the force held until the next."""
    def send(self) -> Packet | None:
        """What to send to the world's side; None before the first sample."""
    def reserve(self) -> float:
        """Energy in the reservoir [J]."""
    def debt(self) -> float:
        """What is still owed [J]; zero unless the device has less damping than declared."""
    def set_position(self) -> Handle | None:
        """The set position in use."""
    def to_hand(self) -> float:
        """Work of the held forces on the hand so far [J]."""
    def damped(self) -> float:
        """What the device's damping took at least [J]."""
    def received(self) -> float:
        """Energy received in packets [J]."""

@final
class WorldSide:
    """Passive set-position modulation at the world [Lee2008]."""

    def __new__(cls, settings: PspmSettings) -> WorldSide:
        """Builds this side. Until it has seen a step it leaves the reference where it is."""
    def receive(self, packet: Packet) -> None:
        """Takes in a packet of the device's side."""
    def reference(self) -> PortInput:
        """Before a step: the input of the reference port."""
    def after_step(self, port: PortOutput, h: float) -> None:
        """After a step of length `h` [s]: books the price of the move and the damper's loss."""
    def send(self) -> Packet | None:
        """What to send to the device's side; None before the first step."""
    def reserve(self) -> float:
        """Energy in the reservoir [J]."""
    def debt(self) -> float:
        """What is still owed [J]: rounding at most."""
    def set_position(self) -> Handle | None:
        """The set position in use."""
    def to_world(self) -> float:
        """Work of moving the reference so far [J]."""

@final
class FourChannel:
    """The four-channel controller: positions and forces go both ways [Constantinescu2005]."""

    def __new__(cls, settings: CouplingSettings, energy: float = 0.0) -> FourChannel:
        """Builds the controller, with energy in the observer's account [J] to start with."""
    def coupling(self) -> VirtualCoupling:
        """The coupling behind it; a copy."""
    def energy(self) -> float:
        """Energy that hand and tool put in and did not get back [J]."""
    def sample(self, hand: Handle, hand_force: Vector) -> tuple[PortInput, PortInput]:
        """Before the step: a device sample and the hand's force [N]; gives the inputs of the tool's
        reference port and of its force port.
        """
    def force(self, reference: PortOutput, push: PortOutput, environment: Vector, h: float) -> Felt:
        """After the step: what the hand feels, from the outputs of the reference and the force port and the
        force of the environment on the tool [N].
        """
    def wrench(self, reference: PortOutput, push: PortOutput, force: Vector, torque: Vector, h: float) -> Felt:
        """The same with a torque of the environment [N·m]: for devices that turn."""

@final
class Unilateral:
    """A virtual coupling that is felt only while the tool touches something."""

    def __new__(cls, settings: CouplingSettings) -> Unilateral:
        """Builds the coupler."""
    def coupling(self) -> VirtualCoupling:
        """The coupling behind it; a copy."""
    def sample(self, hand: Handle) -> PortInput:
        """Before the step: takes a device sample, gives the input of the reference port."""
    def force(self, port: PortOutput, in_contact: bool, h: float) -> Felt:
        """After the step of length `h` [s]: what the hand feels if the tool is `in_contact`."""

@final
class Cutaneous:
    """What a pad presses onto a fingertip: a low-pass of the contact force in its frame."""

    def __new__(cls, time_constant: float) -> Cutaneous:
        """A filter of `time_constant` [s]."""
    def update(self, force: Vector, rotation: Rotation, h: float) -> tuple[Array, str | None]:
        """Takes the contact force [N] on a fingertip, held over `h` [s]; gives the force for the pad in the
        fingertip's axes, and why it is zero if an input was bad.
        """

@final
class PassivityObserver:
    """Counts the energy that left through a device and brakes when it exceeds what came in."""

    def __new__(cls, energy: float = 0.0) -> PassivityObserver:
        """Starts with energy in the account [J]."""
    def energy(self) -> float:
        """Energy counted so far [J]."""
    def spend(self, amount: float) -> None:
        """Energy that something else took from the account [J]."""
    def step(self, force: Vector, velocity: Vector, h: float) -> tuple[Array, float, str | None]:
        """One sample as published: force [N] and velocity [m/s] hold over `h` [s]. Returns the force to
        apply, the damping that was added, and a fault.
        """
    def step_held(self, force: Vector, moved: Vector, h: float) -> tuple[Array, float, str | None]:
        """One sample of a held force: the last one moved the hand by `moved` [m] within `h` [s]."""

@final
class ImpulseChannel:
    """Brings the collisions of a tool to a hand, within what a device can do [Constantinescu2005]."""

    def __new__(
        cls,
        force: float,
        torque: float,
        rendering: str = "spread",
        slew: float = ...,
        turning_slew: float = ...,
    ) -> ImpulseChannel:
        """Largest force [N] and torque [N·m]; `rendering` is "spread", "scale" or "saturate"; the force of
        impulses changes by at most `slew` [N/s] and `turning_slew` [N·m/s].
        """
    def limits(self) -> tuple[float, float, bool]:
        """Limits for `World.set_impulse_limit`: force [N], torque [N·m], whether they spread."""
    def energy(self) -> float:
        """Energy that the hand gave to impulses and did not get back [J]."""
    def force(self) -> tuple[Array, Array]:
        """Force and torque of impulses on the hand in the present period [N, N·m]."""
    def owed(self) -> tuple[Array, Array]:
        """Impulse that the hand has yet to get [N·s], and its moment [N·m·s]."""
    def felt(
        self,
        impulse: tuple[Vector, Vector],
        spring: tuple[Vector, Vector],
        moved: tuple[Vector, Vector],
        h: float,
    ) -> tuple[Array, Array]:
        """Force and torque on the hand in the coming period of `h` [s]: of impulses on the tool
        (`World.port_impulse`), besides the spring's, after the hand moved by a way and a turn.
        """

@final
class Synergy:
    """One coordinate of a device that closes a tendon-driven hand [Kim2017 sec. 5.3]."""

    def __new__(
        cls,
        active: tuple[float, Sequence[Numbers]],
        passive: tuple[float, Sequence[Numbers]],
        unfolded: Numbers,
        folded: Numbers,
        range: tuple[float, float],
        gain: float,
    ) -> Synergy:
        """Active and passive tendons as pairs of a stiffness [N/m] and pulley radii [m], a list per tendon;
        joint angles unfolded and folded [rad]; range of the device [m]; gain [N/m].
        """
    def targets(self, z: float) -> Array:
        """Lengths [m] at which the motors' tendons are slack when the device is at `z` [m]."""
    def projected(self, q: Numbers) -> float:
        """Where on the device's axis joint angles `q` [rad] belong [m]."""
    def force(self, z: float, q: Numbers) -> float:
        """Force on the hand along the axis [N]; zero for angles that are not finite."""

@final
class Groups:
    """Whom a collider meets: two meet if each is a member of a group that the other one meets."""

    def __new__(cls, member: int = ..., meets: int = ...) -> Groups:
        """Groups it belongs to and groups it meets, one bit each; all unless given."""
    @property
    def member(self) -> int:
        """Groups it belongs to."""
    @property
    def meets(self) -> int:
        """Groups it meets."""

@final
class Collider:
    """A shape on a body of a pipeline."""

    def __new__(
        cls,
        body: int,
        shape: CollisionShape,
        offset: Pose | None = None,
        groups: Groups = ...,
        still: bool = False,
    ) -> Collider:
        """A shape on body number `body`, in a frame of that body; `still` if that does not move by itself."""

@final
class CollisionReport:
    """What an update of a pipeline did."""

    @property
    def pairs(self) -> int:
        """Pairs of pieces that are near each other."""
    @property
    def manifolds(self) -> int:
        """Manifolds found."""
    @property
    def contacts(self) -> int:
        """Contacts found."""
    @property
    def contacts_dropped(self) -> int:
        """Contacts dropped for want of room."""
    @property
    def pairs_dropped(self) -> int:
        """Pairs dropped for want of room, at least so many."""
    @property
    def clustered(self) -> int:
        """Contacts merged into a near one."""
    @property
    def bodies_rejected(self) -> int:
        """Bodies left out because their pose is not one, or missing."""

@final
class Contact:
    """One contact: a point of each body, and the gap between them along the manifold's normal."""

    @property
    def gap(self) -> float:
        """Distance along the normal [m]: negative inside each other."""
    @property
    def id(self) -> int:
        """A number kept for the life of the contact."""
    @property
    def is_new(self) -> bool:
        """True if it was not there at the last update."""
    @property
    def point_a(self) -> Array:
        """On the surface of body a, in the world [m]."""
    @property
    def point_b(self) -> Array:
        """On the surface of body b, in the world [m]."""

@final
class Manifold:
    """Contacts of two colliders that share one normal."""

    @property
    def body_a(self) -> int:
        """The body with the lower number."""
    @property
    def body_b(self) -> int:
        """The body with the higher number."""
    @property
    def collider_a(self) -> int:
        """Collider of body a, as numbered when the pipeline was built."""
    @property
    def collider_b(self) -> int:
        """Collider of body b."""
    @property
    def normal(self) -> Array:
        """Unit vector in the world, from a to b: a pushes b along it."""
    @property
    def contacts(self) -> list[Contact]:
        """Its contacts, 1 to 8."""

@final
class RayHit:
    """Where a ray enters a shape."""

    @property
    def distance(self) -> float:
        """Along the ray [m]."""
    @property
    def point(self) -> Array:
        """In the world [m]."""
    @property
    def normal(self) -> Array:
        """Unit normal of the surface in the world, against the ray."""

@final
class Proximity:
    """The nearest, or deepest, place of two shapes."""

    @property
    def gap(self) -> float:
        """Signed distance [m]: negative is how far they must be moved apart along the normal."""
    @property
    def normal(self) -> Array:
        """Unit vector in the world, from the one that asks to the other."""
    @property
    def point_a(self) -> Array:
        """On the surface of the one that asks, in the world [m]."""
    @property
    def point_b(self) -> Array:
        """On the surface of the other, in the world [m]."""

@final
class Impact:
    """The first touch of two moving shapes."""

    @property
    def time(self) -> float:
        """When [s], from 0."""
    @property
    def proximity(self) -> Proximity:
        """Where, at that time."""

@final
class Found(Generic[_What]):
    """What a question found, and on which body."""

    @property
    def body(self) -> int:
        """The number of the body."""
    @property
    def collider(self) -> int:
        """The collider, as numbered when the pipeline was built."""
    @property
    def what(self) -> _What:
        """What was found there: a `RayHit`, a `Proximity` or an `Impact`."""

@final
class Motion:
    """A pose that moves at constant velocities, linear in the world, angular about its origin."""

    def __new__(cls, pose: Pose, velocity: Vector = ..., angular_velocity: Vector = ...) -> Motion:
        """Where it begins, velocity [m/s] and angular velocity [rad/s], world axes."""
    @staticmethod
    def still(pose: Pose) -> Motion:
        """A pose that stays."""
    @staticmethod
    def sliding(pose: Pose, velocity: Vector) -> Motion:
        """A pose that moves without turning [m/s]."""
    def at(self, time: float) -> Pose:
        """The pose at a time [s]."""

@final
class CollisionPipeline:
    """Finds the contacts of a scene from the poses of its bodies, and answers questions about it."""

    def __new__(
        cls,
        bodies: int,
        colliders: Sequence[Collider],
        *,
        contacts: int = ...,
        pairs: int = ...,
        cluster_distance: float = 1e-4,
        coherence_distance: float = 1e-2,
        excluded: Sequence[tuple[int, int]] = ...,
    ) -> CollisionPipeline:
        """A scene of colliders on bodies 0 to `bodies` - 1. Room for `contacts` and near `pairs`, by their
        number if 0; contacts nearer than `cluster_distance` [m] become one, one that moved less than
        `coherence_distance` [m] is the same; pairs of bodies in `excluded` never touch.
        """
    def update(self, poses: Sequence[Pose], margin: float) -> CollisionReport:
        """Finds all contacts with a gap up to `margin` [m] at the given poses, one for each body."""
    def manifolds(self) -> list[Manifold]:
        """Manifolds of the last update with their contacts; a copy."""
    def contacts(self) -> list[Contact]:
        """Contacts of the last update, manifold by manifold; a copy."""
    def ray_cast(self, start: Vector, direction: Vector, most: float, groups: Groups = ...) -> Found[RayHit] | None:
        """The first collider that a ray from `start` [m] along `direction` enters, up to `most` [m]."""
    def nearest(self, shape: CollisionShape, pose: Pose, within: float, groups: Groups = ...) -> Found[Proximity] | None:
        """The collider nearest to a shape at a pose, if nearer than `within` [m]."""
    def first_impact(
        self,
        shape: CollisionShape,
        motion: Motion,
        duration: float,
        groups: Groups = ...,
    ) -> Found[Impact] | None:
        """The first collider that a moving shape touches within `duration` [s], all others standing."""
    def reset(self) -> None:
        """Forgets contacts and pairs, as after a jump to another state."""

@final
class Batch:
    """Worlds of one model that are stepped together by the same reference ports."""

    def __new__(
        cls, worlds: Sequence[World], ports: Sequence[PortId], motors: Sequence[PortId] = ...
    ) -> Batch: ...
    def __len__(self) -> int: ...
    def step(
        self,
        references: Array,
        h: float,
        steps: int,
        threads: int = 1,
        active: Sequence[bool] | None = None,
        targets: Array | None = None,
    ) -> None:
        """Steps every world on threads, with references and targets held.

        References are worlds x ports x 3 [m], or x 7 with quaternions, scalar first; targets worlds x motors [m or rad].
        """
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
    """A world of a scene file (TOML, JSON), a robot (URDF) or a scene of the gallery by its name; options replace the file's."""

def scenes() -> dict[str, str]:
    """Scenes of the gallery, for `load`: their names, and the group each is in."""

def parse(text: str, origin: str | PathLike[str] = "scene.toml", **named: Unpack[Options]) -> World:
    """A world of the text of a scene; `origin` is the file that relative paths start from."""

@final
class Studio:
    """A running studio; ends when it is closed or forgotten."""

    @property
    def address(self) -> str:
        """The address to open, with its token."""
    def show(self, world: World) -> None:
        """Shows a world as it is now; time on the page stands still there until somebody runs it on."""
    def close(self) -> None:
        """Ends it."""
    def __enter__(self) -> Studio: ...
    def __exit__(self, _kind: object, _value: object, _trace: object) -> bool: ...

def studio(world: World | None = None, *, h: float = 1e-3, port: int = 0, browser: bool = True) -> Studio:
    """Opens the studio on a copy of a world as it is now, or on the gallery."""

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
