//! Building a model.

use crate::border::{Call, Registry, fill, guard, numbers, pal_status, read, text, write, wrong};
use crate::ids::{Id, find};
use palpable::{Anchor, Body, BodyId, ContactLaw, Joint, Material, ModelBuilder, Port, Rotation};
use palpable::{Spring, Vec3, Vec6, VolumeLaw};
use std::ffi::c_char;

/// A model under construction.
pub type pal_model = u64;
/// A body: what the model or world gave, which others refuse, or its place in the model.
pub type pal_body = u64;
/// A spring, damper or joint: what the model gave, or its place in the model.
pub type pal_element = u64;
/// A port: what the model or world gave, which others refuse, or its place in the model.
pub type pal_port = u64;

/// The world instead of a body.
pub const PAL_WORLD: u64 = 0xffff_ffff_ffff_ffff;

/// A model and the bodies it has.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub builder: ModelBuilder,
    pub bodies: Vec<BodyId>,
}

pub(crate) static MODELS: Registry<Plan> = Registry::new();

/// Shapes of bodies.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pal_shape {
    /// No shape: mass and principal moments are given.
    PAL_POINT = 0,
    /// A ball: radius.
    PAL_SPHERE = 1,
    /// A box: three half edges.
    PAL_BOX = 2,
    /// A capsule along z: half length, radius.
    PAL_CAPSULE = 3,
    /// A cylinder along z: half length, radius.
    PAL_CYLINDER = 4,
    /// A fixed floor: everything below the x-y plane of its axes.
    PAL_HALF_SPACE = 5,
}

/// How a surface touches. Two surfaces agree as materials of scenes do.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pal_law {
    /// Hard; as the other surface says, else by friction cones.
    PAL_LAW_OPEN = 0,
    /// Hard, with exact friction cones.
    PAL_LAW_CONE = 1,
    /// Hard, a friction pyramid on the midpoint velocity, as printed in [Kim2017, (34)].
    PAL_LAW_PRINTED_ELASTIC = 2,
    /// Hard, the same on the velocity at the end: creates energy, which the books show.
    PAL_LAW_PRINTED_PLASTIC = 3,
    /// Yields, and touches over an area.
    PAL_LAW_VOLUME = 4,
    /// The same, and contacts begin with impulses.
    PAL_LAW_IMPULSE = 5,
}

/// A body to be added. Begin with `pal_body_default`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pal_body_desc {
    /// Its name; must be set.
    pub name: *const c_char,
    /// One of `pal_shape`.
    pub shape: u32,
    /// Sizes of the shape [m]; principal moments [kg·m²] without a shape.
    pub size: [f64; 3],
    /// Mass [kg]; 0 takes 1000 kg/m³.
    pub mass: f64,
    /// Where its origin starts [m].
    pub position: [f64; 3],
    /// Orientation at the start: quaternion, scalar first.
    pub rotation: [f64; 4],
    /// Velocity of its centre of mass at the start [m/s].
    pub velocity: [f64; 3],
    /// Angular velocity at the start, body axes [rad/s].
    pub angular_velocity: [f64; 3],
    /// Coefficient of friction.
    pub friction: f64,
    /// Restitution, 0 to 1; down to -1 with the law `PAL_LAW_IMPULSE`.
    pub restitution: f64,
    /// How it touches: one of `pal_law`.
    pub law: u32,
    /// Pressure per depth of a surface that yields [Pa/m]: laws `PAL_LAW_VOLUME` and
    /// `PAL_LAW_IMPULSE`.
    pub modulus: f64,
    /// Pressure per rate of depth [Pa·s/m]: the same laws.
    pub damping: f64,
    /// Not 0 if it never moves.
    pub fixed: u32,
}

/// Where a spring, joint or port holds on.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pal_anchor {
    /// The body, or `PAL_WORLD`.
    pub body: pal_body,
    /// Point in body (or world) axes [m].
    pub point: [f64; 3],
    /// Orientation in body (or world) axes: quaternion, scalar first; all 0 is none.
    pub rotation: [f64; 4],
}

/// Kinds of springs.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pal_spring {
    /// Pulls point a onto point b: three rows.
    PAL_SPRING_POINT = 0,
    /// Turns frame a onto frame b: three rows.
    PAL_SPRING_ROTATION = 1,
    /// Pulls and turns: six rows.
    PAL_SPRING_POSE = 2,
    /// Turns about z of b: one row.
    PAL_SPRING_ANGLE = 3,
    /// Slides along z of b: one row.
    PAL_SPRING_SLIDE = 4,
}

/// Kinds of hard joints.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pal_joint {
    /// The two points stay together.
    PAL_JOINT_BALL = 0,
    /// Nothing is free.
    PAL_JOINT_FIXED = 1,
    /// Turns about the common z axis.
    PAL_JOINT_HINGE = 2,
    /// z of a stays perpendicular to x of b.
    PAL_JOINT_UNIVERSAL = 3,
    /// Slides along z of b.
    PAL_JOINT_PRISMATIC = 4,
    /// Slides along and turns about z of b.
    PAL_JOINT_CYLINDRICAL = 5,
    /// Slides in the x-y plane of b and turns about its normal.
    PAL_JOINT_PLANAR = 6,
}

/// A rotation from a quaternion, scalar first; none if it has no length.
pub(crate) fn rotation([w, x, y, z]: [f64; 4]) -> Rotation {
    let q = nalgebra::Quaternion::new(w, x, y, z);
    if q.norm() == 0.0 { Rotation::identity() } else { Rotation::from_quaternion(q) }
}

fn anchor(plan: &Plan, a: &pal_anchor) -> Call<Anchor> {
    let point = Vec3::from(a.point);
    let made = if a.body == PAL_WORLD {
        Anchor::world(point)
    } else {
        find("body", a.body, |n| plan.bodies.get(n).copied())?.at(point)
    };
    Ok(made.turned(rotation(a.rotation)))
}

fn material(d: &pal_body_desc) -> Call<Material> {
    let made = Material::new(d.friction, d.restitution);
    let (layer, sides) = (VolumeLaw::new(d.modulus, d.damping), ContactLaw::SIDES);
    Ok(match d.law {
        0 => made,
        1 => made.law(ContactLaw::Cone),
        2 => made.law(ContactLaw::PrintedElastic { sides }),
        3 => made.law(ContactLaw::PrintedPlastic { sides }),
        4 => made.soft(layer),
        5 => made.soft(layer.with_impulses()),
        other => {
            let words = format!("law is {other}; use one of pal_law");
            return wrong(pal_status::PAL_BAD_NUMBER, words);
        }
    })
}

fn described(d: &pal_body_desc) -> Call<Body> {
    let name = text(d.name, "name of the body")?;
    let [a, b, c] = d.size;
    let made = match d.shape {
        0 => Body::new(name).principal_inertia(d.mass, [a, b, c]),
        1 => Body::sphere(name, a),
        2 => Body::cuboid(name, [a, b, c]),
        3 => Body::capsule(name, a, b),
        4 => Body::cylinder(name, a, b),
        5 => Body::half_space(name),
        other => {
            let words = format!("shape is {other}; use one of pal_shape");
            return wrong(pal_status::PAL_BAD_NUMBER, words);
        }
    };
    let made = if d.mass != 0.0 && d.shape != 0 { made.mass(d.mass) } else { made };
    let made = made.position(d.position).rotation(rotation(d.rotation)).velocity(d.velocity);
    let made = made.angular_velocity(d.angular_velocity);
    let made = made.material(material(d)?);
    Ok(if d.fixed != 0 { made.fixed() } else { made })
}

/// An empty model.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_new(model: *mut pal_model) -> pal_status {
    guard(|| {
        let handle = MODELS.add(Plan::default());
        write(model, handle, "model").inspect_err(|_| drop(MODELS.take(handle)))
    })
}

/// Frees a model; worlds made of it go on.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_free(model: pal_model) -> pal_status {
    guard(|| MODELS.take(model).map(drop))
}

/// Acceleration of gravity [m/s²]; none unless set.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_gravity(model: pal_model, gravity: *const f64) -> pal_status {
    guard(|| {
        let gravity = numbers::<3>(gravity, "gravity")?;
        MODELS.with(model, |plan| {
            plan.builder.gravity(gravity);
            Ok(())
        })
    })
}

/// Most contacts that may be asked for.
const MOST_CONTACTS: usize = 1 << 20;

/// Room for at most `capacity` contacts; 0 leaves that to the number of bodies.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_contacts(model: pal_model, capacity: usize) -> pal_status {
    guard(|| {
        if capacity > MOST_CONTACTS {
            let words = format!("capacity is {capacity}; use {MOST_CONTACTS} at most");
            return wrong(pal_status::PAL_BAD_NUMBER, words);
        }
        MODELS.with(model, |plan| {
            plan.builder.contacts(capacity);
            Ok(())
        })
    })
}

/// Lets all bodies pass through each other.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_ghosts(model: pal_model) -> pal_status {
    guard(|| {
        MODELS.with(model, |plan| {
            plan.builder.ghosts();
            Ok(())
        })
    })
}

/// A ball of 1 cm at the origin, friction 0.5, that has no name yet.
#[unsafe(no_mangle)]
pub extern "C" fn pal_body_default(desc: *mut pal_body_desc) -> pal_status {
    let made = pal_body_desc {
        name: std::ptr::null(),
        shape: 1,
        size: [0.01, 0.01, 0.01],
        mass: 0.0,
        position: [0.0; 3],
        rotation: [1.0, 0.0, 0.0, 0.0],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        friction: 0.5,
        restitution: 0.0,
        law: 0,
        modulus: 0.0,
        damping: 0.0,
        fixed: 0,
    };
    guard(|| write(desc, made, "desc"))
}

/// Adds a body; its number goes to `body`, which may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_body(
    model: pal_model,
    desc: *const pal_body_desc,
    body: *mut pal_body,
) -> pal_status {
    guard(|| {
        let made = described(&read(desc, "desc")?)?;
        let id = MODELS.with(model, |plan| {
            let id = plan.builder.body(made);
            plan.bodies.push(id);
            Ok(id.told())
        })?;
        fill(&[id], body, 1, std::ptr::null_mut())
    })
}

/// Adds a spring and damper between two anchors, six rows of stiffness and damping (those it does
/// not have are ignored); its number goes to `element`, which may be null. `kind` is one of
/// `pal_spring`.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_spring(
    model: pal_model,
    kind: u32,
    ends: *const pal_anchor,
    stiffness: *const f64,
    damping: *const f64,
    element: *mut pal_element,
) -> pal_status {
    guard(|| {
        let [a, b]: [pal_anchor; 2] = read(ends.cast(), "ends")?;
        let k = Vec6::from(numbers::<6>(stiffness, "stiffness")?);
        let d = Vec6::from(numbers::<6>(damping, "damping")?);
        let id = MODELS.with(model, |plan| {
            let (a, b) = (anchor(plan, &a)?, anchor(plan, &b)?);
            let make = match kind {
                0 => Spring::point,
                1 => Spring::rotation,
                2 => Spring::pose,
                3 => Spring::angle,
                4 => Spring::slide,
                _ => return wrong(pal_status::PAL_BAD_NUMBER, "kind is none of pal_spring"),
            };
            let spring = make(a, b).stiffness_rows(k).damping_rows(d);
            Ok(plan.builder.spring(spring).told())
        })?;
        fill(&[id], element, 1, std::ptr::null_mut())
    })
}

/// Adds a hard joint; its number goes to `element`, which may be null. `kind` is one of
/// `pal_joint`.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_joint(
    model: pal_model,
    kind: u32,
    ends: *const pal_anchor,
    element: *mut pal_element,
) -> pal_status {
    guard(|| {
        let [a, b]: [pal_anchor; 2] = read(ends.cast(), "ends")?;
        let id = MODELS.with(model, |plan| {
            let (a, b) = (anchor(plan, &a)?, anchor(plan, &b)?);
            let make = match kind {
                0 => Joint::ball,
                1 => Joint::fixed,
                2 => Joint::hinge,
                3 => Joint::universal,
                4 => Joint::prismatic,
                5 => Joint::cylindrical,
                6 => Joint::planar,
                _ => return wrong(pal_status::PAL_BAD_NUMBER, "kind is none of pal_joint"),
            };
            Ok(plan.builder.joint(make(a, b)).told())
        })?;
        fill(&[id], element, 1, std::ptr::null_mut())
    })
}

/// Adds a port that takes forces and torques; its number goes to `port`, which may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_force_port(
    model: pal_model,
    name: *const c_char,
    at: *const pal_anchor,
    port: *mut pal_port,
) -> pal_status {
    guard(|| {
        let (name, at) = (text(name, "name of the port")?, read(at, "at")?);
        let id = MODELS.with(model, |plan| {
            let made = Port::force(name, anchor(plan, &at)?);
            Ok(plan.builder.port(made).told())
        })?;
        fill(&[id], port, 1, std::ptr::null_mut())
    })
}

/// Adds a port that takes a reference pose, joined to the body by six rows of stiffness and
/// damping; its number goes to `port`, which may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_model_reference_port(
    model: pal_model,
    name: *const c_char,
    at: *const pal_anchor,
    stiffness: *const f64,
    damping: *const f64,
    port: *mut pal_port,
) -> pal_status {
    guard(|| {
        let (name, at) = (text(name, "name of the port")?, read(at, "at")?);
        let (k, b) = (numbers::<6>(stiffness, "stiffness")?, numbers::<6>(damping, "damping")?);
        let id = MODELS.with(model, |plan| {
            let made = Port::reference(name, anchor(plan, &at)?, k, b);
            Ok(plan.builder.port(made).told())
        })?;
        fill(&[id], port, 1, std::ptr::null_mut())
    })
}
