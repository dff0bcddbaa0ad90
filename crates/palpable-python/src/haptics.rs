//! A device, the safety stage before it, and the servo loop on a thread of its own.

use crate::errors::{self, DeviceError, Refuse};
use crate::ids::PortId;
use crate::vector::{V3, V6, array, array3, table};
use crate::world::World;
use palpable::Vec6;
use palpable_haptics::drivers::force_dimension::{ForceDimension, ForceDimensionSettings};
use palpable_haptics::drivers::haply::{Haply, HaplySettings};
use palpable_haptics::record::Replay;
use palpable_haptics::rt::SystemClock;
use palpable_haptics::{
    Arm, Attached, Axes, Capabilities, Device, Direct, ForceLimit, Hand, Limits, Mapping, Safety,
    Script, ServoThread, SimulatedDevice,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A loop at work, or what is left of it.
#[derive(Default)]
struct State {
    thread: Option<ServoThread<Direct>>,
    stats: Option<Py<PyDict>>,
}

/// A servo loop: device and world tick in Rust on a thread of their own, without Python.
///
/// Python looks at it from outside: `live`, `rows`, `stop`. The loop steps a copy of the world.
#[pyclass(frozen, module = "palpable.haptics")]
pub struct Servo(Mutex<State>);

fn simulated(rate: f64, centre: Vec6, swing: Option<(V6, f64)>) -> PyResult<SimulatedDevice> {
    let mut what = Capabilities::new("simulated device", Axes::THREE, rate);
    (what.mass, what.damping) = (Some(0.1), Some(2.0));
    what.force = ForceLimit::new(10.0, 5.0);
    let mut script = Script::still(centre);
    if let Some((amplitude, frequency)) = swing {
        script = script.swing(amplitude.0, frequency, 0.0);
    }
    SimulatedDevice::new(what, Hand::Arm(Arm::relaxed(script))).or_raise(errors::device)
}

fn open(name: &str, rate: f64, swing: Option<(V6, f64)>) -> PyResult<Box<dyn Device>> {
    Ok(match name.split_once(':').unwrap_or((name, "")) {
        ("simulated", _) => Box::new(simulated(rate, Vec6::zeros(), swing)?),
        ("replay", file) => Box::new(Replay::load(file).or_raise(errors::device)?),
        ("haply", id) => {
            let device_id = (!id.is_empty()).then(|| id.to_owned());
            let settings = HaplySettings { device_id, rate, ..HaplySettings::default() };
            Box::new(Haply::open(settings).or_raise(errors::device)?)
        }
        ("forcedimension", _) => {
            let settings = ForceDimensionSettings { rate, ..ForceDimensionSettings::default() };
            Box::new(ForceDimension::open(&settings).or_raise(errors::device)?)
        }
        _ => {
            let words = format!(
                "there is no device {name:?}; use \"simulated\", \"replay:FILE\", \"haply\" or \
                 \"forcedimension\""
            );
            return Err(DeviceError::new_err(words));
        }
    })
}

impl Servo {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Servo {
    /// Opens a device and starts the loop on a copy of the world, held at a reference port.
    ///
    /// `device` is "simulated", "replay:FILE", "haply" or "forcedimension"; a simulated hand
    /// swings by `swing = (amplitude of six, frequency)` \[m, rad; Hz\]. World metres per device
    /// metre are `scale`; the device's centre is at `offset` \[m\] in the world.
    #[new]
    #[pyo3(signature = (world, port, device="simulated", *, rate=1000.0, scale=1.0,
                        offset=V3(palpable::Vec3::zeros()), swing=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        world: &World,
        port: PortId,
        device: &str,
        rate: f64,
        scale: f64,
        offset: V3,
        swing: Option<(V6, f64)>,
    ) -> PyResult<Self> {
        let numbers = [rate, scale, offset.0.x, offset.0.y, offset.0.z];
        if numbers.iter().any(|v| !v.is_finite()) || !(10.0..=20_000.0).contains(&rate) {
            let words = "rate is 10 to 20000 Hz; scale and offset are finite numbers";
            return Err(DeviceError::new_err(words));
        }
        let copy = world.lock()?.world.clone();
        let id = port.of(&copy)?;
        let opened = py.detach(|| open(device, rate, swing))?;
        let capabilities = opened.capabilities().clone();
        let mapping = Mapping { scale, offset: offset.0, ..Mapping::default() };
        let safety = Safety::new(Limits::for_device(&capabilities)).or_raise(errors::device)?;
        let clock = SystemClock::new(Duration::ZERO);
        let render = Direct::new(copy, id, mapping);
        let (servo, handle) = palpable_haptics::Servo::new(render, safety, clock);
        let servo = servo.with_damping(capabilities.damping.unwrap_or(0.0)).recording();
        let thread = ServoThread::start(Attached::Polled(opened), (servo, handle), None);
        let thread = Some(thread.or_raise(errors::device)?);
        Ok(Self(Mutex::new(State { thread, stats: None })))
    }

    /// True while it ticks.
    #[getter]
    fn running(&self) -> bool {
        self.state().thread.as_ref().is_some_and(ServoThread::is_running)
    }

    /// How it is doing: time \[s\], ticks, missed, position \[m\], force \[N\], given \[J\], state,
    /// fault.
    fn live<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut state = self.state();
        let over = || DeviceError::new_err("the loop has ended; make a new Servo");
        let live = state.thread.as_mut().ok_or_else(over)?.handle().live();
        let dict = PyDict::new(py);
        dict.set_item("time", live.time.as_secs_f64())?;
        dict.set_item("ticks", live.ticks)?;
        dict.set_item("missed", live.missed)?;
        dict.set_item("position", array3(py, &live.position))?;
        dict.set_item("force", array3(py, &live.force))?;
        dict.set_item("torque", array3(py, &live.torque))?;
        dict.set_item("given", live.given)?;
        dict.set_item("most_given", live.most_given)?;
        dict.set_item("state", format!("{:?}", live.state).to_lowercase())?;
        dict.set_item("fault", live.fault.map(|f| format!("{f:?}")))?;
        Ok(dict)
    }

    /// Ticks since the last call, as arrays: time \[s\], lateness \[s\], position \[m\],
    /// force \[N\], given \[J\].
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut state = self.state();
        let over = || DeviceError::new_err("the loop has ended; make a new Servo");
        let handle = state.thread.as_mut().ok_or_else(over)?.handle();
        let rows: Vec<_> = handle.rows().collect();
        let dict = PyDict::new(py);
        let column = |f: fn(&palpable_haptics::rt::Row) -> f64| {
            array(py, &rows.iter().map(f).collect::<Vec<_>>())
        };
        dict.set_item("time", column(|r| r.time.as_secs_f64()))?;
        dict.set_item("lateness", column(|r| r.lateness.as_secs_f64()))?;
        dict.set_item("given", column(|r| r.given))?;
        let place = |r: &palpable_haptics::rt::Row| <[f64; 3]>::from(r.sample.position);
        let force = |r: &palpable_haptics::rt::Row| <[f64; 3]>::from(r.command.force());
        dict.set_item("position", table(py, rows.iter().flat_map(place).collect(), 3)?)?;
        dict.set_item("force", table(py, rows.iter().flat_map(force).collect(), 3)?)?;
        Ok(dict)
    }

    /// Fades the force out, closes the device and returns the statistics: rate \[Hz\], ticks,
    /// missed, period, lateness and latency (median, p99, p99.9, longest \[s\]), ending,
    /// most_given \[J\].
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut state = self.state();
        let Some(mut thread) = state.thread.take() else {
            let kept = state.stats.as_ref().map(|s| s.bind(py).clone());
            return kept.ok_or_else(|| DeviceError::new_err("the loop broke down"));
        };
        let joined = py.detach(move || {
            thread.handle().stop();
            thread.join().map(|(outcome, _)| outcome)
        });
        let broke = || DeviceError::new_err("the loop broke down; the device was left at zero");
        let outcome = joined.ok_or_else(broke)?;
        let (dict, s) = (PyDict::new(py), &outcome.stats);
        dict.set_item("rate", s.rate())?;
        dict.set_item("ticks", s.ticks())?;
        dict.set_item("missed", s.missed())?;
        for (name, q) in
            [("period", s.period()), ("lateness", s.lateness()), ("latency", s.latency())]
        {
            dict.set_item(name, (q.median, q.p99, q.p999, q.max))?;
        }
        dict.set_item("ending", format!("{:?}", outcome.ending))?;
        dict.set_item("most_given", outcome.energy.most())?;
        state.stats = Some(dict.clone().unbind());
        Ok(dict)
    }
}

/// Devices that were looked for, and what is missing: name, standing, what was seen,
/// what to do.
#[pyfunction]
#[pyo3(name = "_survey")]
pub fn survey(py: Python<'_>) -> Vec<(&'static str, &'static str, String, String)> {
    use palpable_haptics::drivers::{Places, survey};
    let found = py.detach(|| survey(&Places::default()));
    found.into_iter().map(|f| (f.device, f.standing.text(), f.seen, f.cure)).collect()
}
