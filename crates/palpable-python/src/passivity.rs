//! What a haptic device can render. Plain numbers in and out; `passivity.py` gives them names.

use crate::errors::{self, PassivityError, Refuse};
use crate::vector::{Count, Numbers, array};
use numpy::PyArray1;
use palpable_passivity as theory;
use pyo3::prelude::*;
use theory::{Device, Rendering, Sampling, Velocity, Wall};

/// Period and delay of a loop \[s\].
type Loop = (f64, f64);

fn sampling((period, delay): Loop) -> PyResult<Sampling> {
    let plain = Sampling::new(period).or_raise(errors::passivity)?;
    plain.with_delay_seconds(delay).or_raise(errors::passivity)
}

fn velocity(filter: Option<f64>) -> Velocity {
    filter.map_or(Velocity::BackwardDifference, Velocity::Filtered)
}

fn integrator(name: &str) -> PyResult<theory::Integrator> {
    use theory::Integrator as I;
    Ok(match name {
        "delayed-euler" => I::DelayedEuler,
        "symplectic-euler" => I::SymplecticEuler,
        "trapezoidal" => I::Trapezoidal,
        "implicit-euler" => I::ImplicitEuler,
        "implicit-taylor" => I::ImplicitTaylor,
        _ => {
            let words = format!(
                "integrator is {name:?}; use \"trapezoidal\", \"delayed-euler\", \
                 \"symplectic-euler\", \"implicit-euler\" or \"implicit-taylor\""
            );
            return Err(PassivityError::new_err(words));
        }
    })
}

/// Damping that a wall asks of the device \[N·s/m\], frequency that asks most \[rad per sample\],
/// whether it is stable.
#[pyfunction]
#[pyo3(name = "_wall")]
pub fn wall(k: f64, b: f64, when: Loop, filter: Option<f64>) -> PyResult<(f64, f64, bool)> {
    let sampling = sampling(when)?;
    let wall = Wall { stiffness: k, damping: b, velocity: velocity(filter) };
    let tf = wall.transfer_function(&sampling).or_raise(errors::passivity)?;
    let need = theory::required_damping(&tf, &sampling).or_raise(errors::passivity)?;
    Ok((need.damping, need.theta, need.stable))
}

/// What a wall asks at each frequency \[N·s/m\].
#[pyfunction]
#[pyo3(name = "_wall_at")]
pub fn wall_at<'py>(
    py: Python<'py>,
    k: f64,
    b: f64,
    when: Loop,
    thetas: Numbers,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let sampling = sampling(when)?;
    let wall = Wall::backward_difference(k, b);
    let tf = wall.transfer_function(&sampling).or_raise(errors::passivity)?;
    let at = |theta: &f64| theory::damping_at(&tf, &sampling, *theta).or_raise(errors::passivity);
    let values: Vec<f64> = thetas.0.iter().map(at).collect::<PyResult<_>>()?;
    Ok(array(py, &values))
}

/// Damping that a coupling to any passive world asks of the device \[N·s/m\]: backward difference,
/// or the midpoint coupling if `gamma` is given.
#[pyfunction]
#[pyo3(name = "_coupling")]
pub fn coupling(k: f64, b: f64, when: Loop, gamma: Option<f64>) -> PyResult<f64> {
    let sampling = sampling(when)?;
    let rendering = match gamma {
        None => Rendering::Coupling { stiffness: k, damping: b },
        Some(gamma) => {
            let made = theory::MidpointCoupling::new(k, b, gamma).or_raise(errors::passivity)?;
            Rendering::Midpoint(made)
        }
    };
    rendering.required_damping(&sampling).or_raise(errors::passivity)
}

/// The lightest virtual mass behind a coupling \[kg\]: 0 for any, infinite for none.
#[pyfunction]
#[pyo3(name = "_mass")]
pub fn mass(k: f64, b: f64, device: f64, when: Loop, method: &str) -> PyResult<f64> {
    let sampling = sampling(when)?;
    let found = theory::lightest_mass(integrator(method)?, k, b, device, &sampling);
    Ok(found.or_raise(errors::passivity)?.kilograms())
}

/// Dampings and stiffnesses.
type Edge<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Dampings \[N·s/m\] and the largest stiffness \[N/m\] at each.
#[pyfunction]
#[pyo3(name = "_zwidth")]
pub fn zwidth<'py>(
    py: Python<'py>,
    device: f64,
    when: Loop,
    range: (f64, f64, Count),
    filter: Option<f64>,
) -> PyResult<Edge<'py>> {
    let sampling = sampling(when)?;
    let (lowest, highest, count) = range;
    let edge = py
        .detach(|| theory::zwidth(device, lowest..=highest, count.0, velocity(filter), &sampling));
    let edge = edge.or_raise(errors::passivity)?;
    let of = |f: fn(&theory::ZPoint) -> f64| edge.iter().map(f).collect::<Vec<_>>();
    Ok((array(py, &of(|p| p.damping)), array(py, &of(|p| p.stiffness))))
}

/// A device by its numbers: mass, damping, Coulomb friction, encoder step, rate, delay; largest
/// force and stiffness if they are known.
#[pyclass(frozen, from_py_object, module = "palpable.passivity")]
#[derive(Debug, Clone)]
pub struct DeviceNumbers(Device);

#[pymethods]
impl DeviceNumbers {
    #[new]
    fn new(
        name: &str,
        numbers: [f64; 6],
        max_force: Option<f64>,
        max_stiffness: Option<f64>,
    ) -> PyResult<Self> {
        let [mass, damping, coulomb_friction, encoder_step, rate, delay] = numbers;
        let device = Device {
            coulomb_friction,
            encoder_step,
            delay,
            max_force,
            max_stiffness,
            ..Device::new(name, mass, damping, rate)
        };
        device.check().or_raise(errors::passivity)?;
        Ok(Self(device))
    }
}

/// Name, numbers, limits, status and source of a profile.
type Profile = (String, [f64; 6], Option<f64>, Option<f64>, String, String);

/// What a device profile says.
#[pyfunction]
#[pyo3(name = "_profile")]
pub fn profile(text: &str) -> PyResult<Profile> {
    let p = theory::DeviceProfile::parse(text).or_raise(errors::passivity)?;
    let d = p.device;
    let numbers = [d.mass, d.damping, d.coulomb_friction, d.encoder_step, d.rate, d.delay];
    Ok((d.name, numbers, d.max_force, d.max_stiffness, p.status, p.source))
}

/// Stiffness, damping, lightest mass.
type Trade = (f64, f64, f64);

/// Largest stiffness, bound that set it, chosen point, margin, trade, midpoint K, B, gamma, notes.
type Tuned = (f64, String, Trade, f64, Vec<Trade>, [f64; 3], Vec<String>);

/// The tuning procedure for a device.
#[pyfunction]
#[pyo3(name = "_tune")]
pub fn tune(device: &DeviceNumbers, beta: f64, share: f64, method: &str) -> PyResult<Tuned> {
    let integrator = integrator(method)?;
    let options = theory::TuneOptions { beta, share, integrator, wanted_mass: None };
    let report = theory::tune(&device.0, &options).or_raise(errors::passivity)?;
    let point = |p: &theory::TradePoint| (p.stiffness, p.damping, p.minimum_mass.kilograms());
    let m = report.midpoint;
    Ok((
        report.max_stiffness,
        format!("{:?}", report.limited_by).to_lowercase(),
        point(&report.chosen),
        report.margin,
        report.trade.iter().map(point).collect(),
        [m.stiffness(), m.virtual_damping(), m.gamma()],
        report.notes,
    ))
}

/// Bound, whether it holds, available, needed, words.
type Finding = (String, bool, f64, f64, String);
/// Knob, from, to, words.
type Way = (String, f64, f64, String);

/// Why a rendering vibrates: a wall, or a midpoint coupling if `gamma` is given.
#[pyfunction]
#[pyo3(name = "_explain")]
pub fn explain(
    device: &DeviceNumbers,
    k: f64,
    b: f64,
    gamma: Option<f64>,
) -> PyResult<(bool, Vec<Finding>, Vec<Way>)> {
    let told = match gamma {
        Some(gamma) => theory::explain_coupling(&device.0, k, b, gamma),
        None => theory::explain(&device.0, &Rendering::Wall(Wall::backward_difference(k, b))),
    };
    let told = told.or_raise(errors::passivity)?;
    let name = |what: &dyn std::fmt::Debug| format!("{what:?}").to_lowercase();
    let finding = |f: theory::Finding| (name(&f.bound), f.holds, f.available, f.needed, f.text);
    let way = |w: theory::WayOut| (name(&w.knob), w.from, w.to, w.text);
    let findings = told.findings.into_iter().map(finding).collect();
    Ok((told.passive, findings, told.ways_out.into_iter().map(way).collect()))
}
