//! A servo loop on a thread of its own, with a device that is two functions of the caller.

use crate::border::{Registry, guard, pal_status, read, write, wrong};
use crate::model::pal_port;
use crate::world::{WORLDS, pal_world, port};
use palpable::Vec3;
use palpable_haptics::rt::SystemClock;
use palpable_haptics::{
    Attached, Axes, Capabilities, Command, Device, DeviceError, Direct, ForceLimit, Limits,
    Mapping, Safety, Sample, Servo, ServoThread,
};
use std::ffi::c_void;
use std::time::Duration;

/// A running servo loop.
pub type pal_servo = u64;

static SERVOS: Registry<Option<ServoThread<Direct>>> = Registry::new();

/// A device of the caller. Both functions are called once a tick, on the loop's thread.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pal_device {
    /// Writes the position of the handle [m]; returns 0, or another number to end the loop.
    pub read: Option<extern "C" fn(user: *mut c_void, position: *mut f64) -> i32>,
    /// Takes the force on the hand [N], made safe; returns 0, or another number to end the loop.
    pub write: Option<extern "C" fn(user: *mut c_void, force: *const f64) -> i32>,
    /// Handed to both.
    pub user: *mut c_void,
    /// Ticks per second [Hz], 10 to 20000.
    pub rate: f64,
    /// Mass at the handle [kg].
    pub mass: f64,
    /// Viscous damping at the handle [N·s/m].
    pub damping: f64,
    /// Largest force [N]; half of it for ever.
    pub max_force: f64,
}

/// How a loop is doing.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct pal_servo_live {
    /// Ticks so far.
    pub ticks: u64,
    /// Deadlines missed so far.
    pub missed: u64,
    /// Position of the handle [m].
    pub position: [f64; 3],
    /// Force on the hand [N].
    pub force: [f64; 3],
    /// Energy that the hand received so far [J].
    pub given: f64,
    /// Not 0 while it ticks.
    pub running: u32,
}

/// The caller's functions as a device.
struct Foreign {
    functions: pal_device,
    capabilities: Capabilities,
    sequence: u64,
    closed: bool,
}

// SAFETY: the pointer is never used here, only handed back to the caller's functions, which by the
// contract of the header may run on the loop's thread.
unsafe impl Send for Foreign {}

impl Foreign {
    fn send(&mut self, force: [f64; 3]) -> Result<(), DeviceError> {
        let ended =
            self.functions.write.is_some_and(|w| w(self.functions.user, force.as_ptr()) != 0);
        if ended { Err(DeviceError::Ended) } else { Ok(()) }
    }
}

impl Device for Foreign {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        let mut position = [0.0; 3];
        let user = self.functions.user;
        if self.functions.read.is_some_and(|read| read(user, position.as_mut_ptr()) != 0) {
            return Err(DeviceError::Ended);
        }
        self.sequence += 1;
        Ok(Sample::at(self.sequence, position))
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.send(command.force().into())
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        if self.closed {
            return Ok(());
        }
        self.closed = true;
        self.send([0.0; 3])
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

fn device(given: &pal_device) -> Result<Box<dyn Device>, String> {
    if given.read.is_none() || given.write.is_none() {
        return Err("read or write of the device is null; give both functions".to_owned());
    }
    let sound = |v: f64| v.is_finite() && v > 0.0;
    if !(10.0..=20_000.0).contains(&given.rate) || !sound(given.mass) || !sound(given.max_force) {
        return Err("rate is 10 to 20000 Hz; mass and max_force are above 0".to_owned());
    }
    if !(given.damping >= 0.0 && given.damping.is_finite()) {
        return Err("damping is a finite number, 0 or more".to_owned());
    }
    let mut what = Capabilities::new("device of the program", Axes::THREE, given.rate);
    (what.mass, what.damping) = (Some(given.mass), Some(given.damping));
    what.force = ForceLimit::new(given.max_force, 0.5 * given.max_force);
    Ok(Box::new(Foreign { functions: *given, capabilities: what, sequence: 0, closed: false }))
}

/// Starts a loop on a copy of a world: each tick reads the device, moves the reference port, steps
/// the world and writes the force, after the safety stage.
#[unsafe(no_mangle)]
pub extern "C" fn pal_servo_start(
    world: pal_world,
    number: pal_port,
    functions: *const pal_device,
    servo: *mut pal_servo,
) -> pal_status {
    guard(|| {
        let given = read(functions, "functions")?;
        let failed = |words: String| wrong(pal_status::PAL_DEVICE, words);
        let (copy, id) = WORLDS.with(world, |s| Ok((s.world.clone(), port(number, &s.world)?)))?;
        let device = match device(&given) {
            Ok(device) => device,
            Err(words) => return failed(words),
        };
        let safety = match Safety::new(Limits::for_device(device.capabilities())) {
            Ok(safety) => safety,
            Err(error) => return failed(error.to_string()),
        };
        let render = Direct::new(copy, id, Mapping::default());
        let (inner, handle) = Servo::new(render, safety, SystemClock::new(Duration::ZERO));
        let pair = (inner.with_damping(given.damping), handle);
        match ServoThread::start(Attached::Polled(device), pair, None) {
            Ok(thread) => {
                let kept = SERVOS.add(Some(thread));
                write(servo, kept, "servo").inspect_err(|_| drop(SERVOS.take(kept)))
            }
            Err(error) => failed(error.to_string()),
        }
    })
}

/// How a loop is doing.
#[unsafe(no_mangle)]
pub extern "C" fn pal_servo_look(servo: pal_servo, live: *mut pal_servo_live) -> pal_status {
    guard(|| {
        let shown = SERVOS.with(servo, |slot| {
            let Some(thread) = slot else { return Ok(pal_servo_live::default()) };
            let running = u32::from(thread.is_running());
            let now = thread.handle().live();
            let array = |v: Vec3| <[f64; 3]>::from(v);
            Ok(pal_servo_live {
                ticks: now.ticks,
                missed: now.missed,
                position: array(now.position),
                force: array(now.force),
                given: now.given,
                running,
            })
        })?;
        write(live, shown, "live")
    })
}

/// Fades the force out, ends the loop and frees it; the last force that the device was sent is 0.
#[unsafe(no_mangle)]
pub extern "C" fn pal_servo_stop(servo: pal_servo) -> pal_status {
    guard(|| {
        let slot = SERVOS.take(servo)?;
        let thread = slot.lock().ok().and_then(|mut slot| slot.take());
        let Some(mut thread) = thread else { return Ok(()) };
        thread.handle().stop();
        match thread.join() {
            Some(_) => Ok(()),
            None => wrong(pal_status::PAL_DEVICE, "the loop broke down"),
        }
    })
}
