//! Worlds: stepping, ports, reads, snapshots.

use crate::border::{
    Call, Registry, fill, guard, numbers, pal_status, put_text, text, write, wrong,
};
use crate::ids::{Id, find};
use crate::model::{MODELS, pal_body, pal_model, pal_port, rotation};
use palpable::{BodyId, Inputs, PortId, PortInput, Snapshot, StepReport, Touch, TouchEvent};
use palpable::{Vec3, World};
use std::ffi::c_char;

/// A world.
pub type pal_world = u64;
/// A moment of a world.
pub type pal_snapshot = u64;

/// A world and what enters it.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    pub world: World,
    pub inputs: Inputs,
}

pub(crate) static WORLDS: Registry<Stage> = Registry::new();
static SNAPSHOTS: Registry<Snapshot> = Registry::new();

/// What a step says about itself.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct pal_report {
    /// Steps taken since the world was built.
    pub tick: u64,
    /// Simulated time after the step [s].
    pub time: f64,
    /// What the accounts leave unexplained [J].
    pub closure: f64,
    /// Largest gap of a carried strain [m or rad].
    pub gap: f64,
    /// Deepest overlap [m].
    pub depth: f64,
    /// Points of contact within reach.
    pub contacts: u64,
    /// Parts it was divided into.
    pub substeps: u32,
    /// Not 0 if an input was not finite and counted as idle.
    pub input_ignored: u32,
}

/// What a port shows after a step.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct pal_port_output {
    /// Position of the port's point [m].
    pub position: [f64; 3],
    /// Orientation of its frame: quaternion, scalar first.
    pub rotation: [f64; 4],
    /// Representative velocity over the step [m/s].
    pub velocity: [f64; 3],
    /// Force on whoever holds a reference; the force applied at a force port [N].
    pub force: [f64; 3],
    /// Likewise the torque [N·m].
    pub torque: [f64; 3],
    /// Energy that entered in the step [J].
    pub work: f64,
}

/// A contact of the last step.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct pal_contact {
    /// The two bodies, as `pal_world_body_named` gives them.
    pub bodies: [u64; 2],
    /// Where it is [m].
    pub point: [f64; 3],
    /// Unit normal from the first to the second.
    pub normal: [f64; 3],
    /// Mean force on the second over the step [N].
    pub force: [f64; 3],
    /// Distance of the surfaces at the start of the step [m].
    pub gap: f64,
    /// Kept as long as the contact lasts.
    pub id: u64,
    /// Not 0 if it was not there in the step before.
    pub begins: u32,
}

fn quaternion(r: &palpable::Rotation) -> [f64; 4] {
    [r.w, r.i, r.j, r.k]
}

/// The port of a number, if there is one.
pub(crate) fn port(number: u64, world: &World) -> Call<PortId> {
    find("port", number, |n| world.port_id(n))
}

fn body(number: u64, world: &World) -> Call<BodyId> {
    find("body", number, |n| world.body(n))
}

fn keep(made: World, world: *mut pal_world) -> Call<()> {
    let inputs = made.inputs();
    let handle = WORLDS.add(Stage { world: made, inputs });
    write(world, handle, "world").inspect_err(|_| drop(WORLDS.take(handle)))
}

/// A world of a model.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_new(model: pal_model, world: *mut pal_world) -> pal_status {
    guard(|| {
        let frozen = MODELS.with(model, |plan| match plan.builder.build() {
            Ok(frozen) => Ok(frozen),
            Err(errors) => wrong(pal_status::PAL_BUILD, errors.to_string()),
        })?;
        keep(World::new(frozen), world)
    })
}

/// A world of a scene file (TOML, JSON) or a robot (URDF).
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_load(path: *const c_char, world: *mut pal_world) -> pal_status {
    guard(|| {
        let path = text(path, "path")?;
        let built = palpable_scene::Scene::load(path).and_then(|scene| scene.build());
        match built {
            Ok(built) => keep(built.world(), world),
            Err(errors) => wrong(pal_status::PAL_SCENE, errors.to_string()),
        }
    })
}

/// A copy of a world.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_clone(world: pal_world, copy: *mut pal_world) -> pal_status {
    guard(|| {
        let made = WORLDS.with(world, |stage| Ok(stage.clone()))?;
        let handle = WORLDS.add(made);
        write(copy, handle, "copy").inspect_err(|_| drop(WORLDS.take(handle)))
    })
}

/// Frees a world.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_free(world: pal_world) -> pal_status {
    guard(|| WORLDS.take(world).map(drop))
}

fn refused<T>(status: palpable::Status, h: f64) -> Call<T> {
    let words = match status {
        palpable::Status::BadStep => format!("h is {h}; a step is a positive number of seconds"),
        palpable::Status::Unsupported => "the scheme or contact law does not suit it".to_owned(),
        _ => "the result would not be finite; use a shorter step".to_owned(),
    };
    wrong(pal_status::PAL_REFUSED, words)
}

fn told(r: &StepReport) -> pal_report {
    pal_report {
        tick: r.tick,
        time: r.time,
        closure: r.entry.closure(),
        gap: r.gap,
        depth: r.contact.depth,
        contacts: r.contact.points as u64,
        substeps: r.substeps,
        input_ignored: u32::from(r.status == palpable::Status::InputIgnored),
    }
}

/// One step of `h` [s] with the inputs that were set; `report` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_step(world: pal_world, h: f64, report: *mut pal_report) -> pal_status {
    guard(|| {
        let taken = WORLDS.with(world, |stage| Ok(stage.world.step(h, &stage.inputs)))?;
        if !taken.status.is_taken() {
            return refused(taken.status, h);
        }
        fill(&[told(&taken)], report, 1, std::ptr::null_mut())
    })
}

/// Many steps of `h` [s] with the inputs that were set.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_run(world: pal_world, h: f64, steps: u64) -> pal_status {
    guard(|| {
        WORLDS.with(world, |stage| {
            for _ in 0..steps {
                let taken = stage.world.step(h, &stage.inputs);
                if !taken.status.is_taken() {
                    return refused(taken.status, h);
                }
            }
            Ok(())
        })
    })
}

fn set(world: pal_world, number: pal_port, input: PortInput) -> Call<()> {
    if !input.is_finite() {
        return wrong(pal_status::PAL_BAD_NUMBER, "the input is not a finite number");
    }
    WORLDS.with(world, |stage| {
        let id = port(number, &stage.world)?;
        stage.inputs.set(id, input);
        Ok(())
    })
}

/// Holds a force [N] and a torque [N·m], world axes, at a force port from now on; `torque` may
/// be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_set_force(
    world: pal_world,
    port: pal_port,
    force: *const f64,
    torque: *const f64,
) -> pal_status {
    guard(|| {
        let force = Vec3::from(numbers::<3>(force, "force")?);
        let torque = if torque.is_null() { [0.0; 3] } else { numbers::<3>(torque, "torque")? };
        set(world, port, PortInput::Wrench { force, torque: torque.into() })
    })
}

/// Moves a reference port to a position [m] and an orientation (quaternion, scalar first; may be
/// null).
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_set_reference(
    world: pal_world,
    port: pal_port,
    position: *const f64,
    orientation: *const f64,
) -> pal_status {
    guard(|| {
        let position = Vec3::from(numbers::<3>(position, "position")?);
        let turned = !orientation.is_null();
        let turn =
            if turned { numbers::<4>(orientation, "orientation")? } else { [1.0, 0.0, 0.0, 0.0] };
        set(world, port, PortInput::Reference { position, rotation: rotation(turn) })
    })
}

/// Nothing enters at a port from now on.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_idle(world: pal_world, port: pal_port) -> pal_status {
    guard(|| set(world, port, PortInput::Idle))
}

/// Simulated time [s].
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_time(world: pal_world, time: *mut f64) -> pal_status {
    guard(|| write(time, WORLDS.with(world, |s| Ok(s.world.time()))?, "time"))
}

/// A 64-bit hash of the bits of the state: same inputs, same hash, in every language.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_hash(world: pal_world, hash: *mut u64) -> pal_status {
    guard(|| write(hash, WORLDS.with(world, |s| Ok(s.world.state_hash()))?, "hash"))
}

/// How many bodies there are.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_body_count(world: pal_world, count: *mut usize) -> pal_status {
    guard(|| write(count, WORLDS.with(world, |s| Ok(s.world.model().bodies().len()))?, "count"))
}

/// The body of a name.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_body_named(
    world: pal_world,
    name: *const c_char,
    body: *mut pal_body,
) -> pal_status {
    guard(|| {
        let name = text(name, "name")?;
        let found = WORLDS.with(world, |s| Ok(s.world.body_named(&name)))?;
        match found {
            Some(id) => write(body, id.told(), "body"),
            None => wrong(pal_status::PAL_BAD_NAME, format!("there is no body \"{name}\"")),
        }
    })
}

/// The port of a name.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_port_named(
    world: pal_world,
    name: *const c_char,
    port: *mut pal_port,
) -> pal_status {
    guard(|| {
        let name = text(name, "name")?;
        let found = WORLDS.with(world, |s| Ok(s.world.port_named(&name)))?;
        match found {
            Some(id) => write(port, id.told(), "port"),
            None => wrong(pal_status::PAL_BAD_NAME, format!("there is no port \"{name}\"")),
        }
    })
}

/// Position [m] and orientation (quaternion, scalar first) of a body; either may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_pose(
    world: pal_world,
    number: pal_body,
    position: *mut f64,
    orientation: *mut f64,
) -> pal_status {
    guard(|| {
        let pose = WORLDS.with(world, |s| Ok(s.world.pose(body(number, &s.world)?)))?;
        fill(&[<[f64; 3]>::from(pose.position)], position.cast(), 1, std::ptr::null_mut())?;
        fill(&[quaternion(&pose.rotation)], orientation.cast(), 1, std::ptr::null_mut())
    })
}

/// Velocity of a body's centre of mass [m/s] and angular velocity in its own axes [rad/s];
/// either may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_velocity(
    world: pal_world,
    number: pal_body,
    linear: *mut f64,
    angular: *mut f64,
) -> pal_status {
    guard(|| {
        let (v, w) = WORLDS.with(world, |s| {
            let id = body(number, &s.world)?;
            Ok((s.world.velocity(id), s.world.angular_velocity(id)))
        })?;
        fill(&[<[f64; 3]>::from(v)], linear.cast(), 1, std::ptr::null_mut())?;
        fill(&[<[f64; 3]>::from(w)], angular.cast(), 1, std::ptr::null_mut())
    })
}

/// What a port showed at the last step.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_port(
    world: pal_world,
    number: pal_port,
    output: *mut pal_port_output,
) -> pal_status {
    guard(|| {
        let o = WORLDS.with(world, |s| Ok(s.world.port(port(number, &s.world)?)))?;
        let shown = pal_port_output {
            position: o.position.into(),
            rotation: quaternion(&o.rotation),
            velocity: o.velocity.into(),
            force: o.force.into(),
            torque: o.torque.into(),
            work: o.work,
        };
        write(output, shown, "output")
    })
}

/// The contacts of the last step, into a buffer of `room`; `count` gets how many there are. A null
/// buffer asks for the count alone.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_contacts(
    world: pal_world,
    buffer: *mut pal_contact,
    room: usize,
    count: *mut usize,
) -> pal_status {
    let shown = |world: &World, t: &Touch| pal_contact {
        bodies: t.bodies.map(|b| world.body(b).map_or(b as u64, Id::told)),
        point: t.point.into(),
        normal: t.normal.into(),
        force: t.force.into(),
        gap: t.gap,
        id: t.id,
        begins: u32::from(t.event == TouchEvent::Begin),
    };
    guard(|| {
        let all: Vec<pal_contact> = WORLDS.with(world, |s| {
            let contacts = s.world.contacts();
            Ok(contacts.iter().map(|t| shown(&s.world, t)).collect())
        })?;
        fill(&all, buffer, room, count)
    })
}

/// The books [J], `PAL_ACCOUNTS` numbers: kinetic, elastic, gravity, tank, contact; supplied,
/// damped, friction, impact, discarded, created since the start.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_ledger(world: pal_world, accounts: *mut f64) -> pal_status {
    guard(|| {
        let row = WORLDS.with(world, |s| Ok(s.world.ledger().accounts()))?;
        write(accounts.cast(), row, "accounts")
    })
}

/// Checks the books: `clean` gets 1 if no energy is unexplained; words go to a buffer of `room`
/// bytes, which may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_audit(
    world: pal_world,
    clean: *mut u32,
    buffer: *mut c_char,
    room: usize,
) -> pal_status {
    guard(|| {
        let audit = WORLDS.with(world, |s| Ok(s.world.audit()))?;
        put_text(&audit.to_string(), buffer, room);
        write(clean, u32::from(audit.is_clean()), "clean")
    })
}

/// Keeps a moment of a world.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_snapshot(world: pal_world, kept: *mut pal_snapshot) -> pal_status {
    guard(|| {
        let handle = SNAPSHOTS.add(WORLDS.with(world, |s| Ok(s.world.snapshot()))?);
        write(kept, handle, "kept").inspect_err(|_| drop(SNAPSHOTS.take(handle)))
    })
}

/// Returns to a moment of this world or of one of an equal model.
#[unsafe(no_mangle)]
pub extern "C" fn pal_world_restore(world: pal_world, kept: pal_snapshot) -> pal_status {
    guard(|| {
        let moment = SNAPSHOTS.with(kept, |s| Ok(s.clone()))?;
        let fits = WORLDS.with(world, |s| Ok(s.world.restore(&moment)))?;
        let words = "the moment is of another model";
        if fits { Ok(()) } else { wrong(pal_status::PAL_CHANGE, words) }
    })
}

/// Frees a moment.
#[unsafe(no_mangle)]
pub extern "C" fn pal_snapshot_free(kept: pal_snapshot) -> pal_status {
    guard(|| SNAPSHOTS.take(kept).map(drop))
}
