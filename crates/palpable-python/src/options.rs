//! Settings of a world, by name.

use crate::errors::PalpableError;
use palpable::{ContactLaw, Dissipation, Options, Payment, Scheme, Surplus};
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn unknown(field: &str, value: &str, known: &[&str]) -> PyErr {
    let known = known.join("\", \"");
    PalpableError::new_err(format!("{field} is {value:?}; use \"{known}\""))
}

/// Options from keyword arguments, on top of others.
pub fn options(named: Option<&Bound<'_, PyDict>>, start: Options) -> PyResult<Options> {
    let mut made = start;
    for (key, value) in named.into_iter().flatten() {
        let key: String = key.extract()?;
        match key.as_str() {
            "scheme" => made.scheme = scheme(&value.extract::<String>()?)?,
            "contact_law" => made.contact_law = law(&value.extract::<String>()?, sides(named)?)?,
            "sides" => drop(value.extract::<u32>()?),
            "tank_cap" => made.tank.cap = amount(&key, &value)?,
            "tank_grant" => made.tank.grant = amount(&key, &value)?,
            "dissipation" => made.tank.dissipation = dissipation(&value.extract::<String>()?)?,
            "surplus" => made.tank.surplus = surplus(&value.extract::<String>()?)?,
            "resolve_tolerance" => made.resolve_tolerance = amount(&key, &value)?,
            "substep_tolerance" => made.substep_tolerance = amount(&key, &value)?,
            "max_substeps" => made.max_substeps = value.extract::<u32>()?.clamp(1, 1000),
            "joint_loss" => made.joint_loss = amount(&key, &value)?,
            _ => {
                let words = format!("there is no option {key:?}; see help(palpable.World)");
                return Err(pyo3::exceptions::PyTypeError::new_err(words));
            }
        }
    }
    Ok(made)
}

fn amount(field: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let value: f64 = value.extract()?;
    // written so that NaN is a mistake
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(PalpableError::new_err(format!("{field} is {value}; it must be finite and 0 or more")))
}

fn sides(named: Option<&Bound<'_, PyDict>>) -> PyResult<u32> {
    let given = named.map(|n| n.get_item("sides")).transpose()?.flatten();
    given.map_or(Ok(ContactLaw::SIDES), |s| s.extract())
}

fn scheme(name: &str) -> PyResult<Scheme> {
    let found = Scheme::ALL.into_iter().find(|s| s.name() == name);
    found.ok_or_else(|| unknown("scheme", name, &Scheme::ALL.map(Scheme::name)))
}

/// The contact law of a name.
pub fn law(name: &str, sides: u32) -> PyResult<ContactLaw> {
    let found = ContactLaw::named(name, sides);
    found.ok_or_else(|| unknown("contact_law", name, &ContactLaw::NAMES))
}

fn dissipation(name: &str) -> PyResult<Dissipation> {
    match name {
        "keep" => Ok(Dissipation::Keep),
        "drop" => Ok(Dissipation::Drop),
        _ => Err(unknown("dissipation", name, &["keep", "drop"])),
    }
}

fn surplus(name: &str) -> PyResult<Surplus> {
    match name {
        "keep" => Ok(Surplus::Keep),
        "return" => Ok(Surplus::Return),
        _ => Err(unknown("surplus", name, &["keep", "return"])),
    }
}

/// Who pays for a live change.
pub fn payment(name: &str) -> PyResult<Payment> {
    match name {
        "tank" => Ok(Payment::Tank),
        "supply" => Ok(Payment::Supply),
        _ => Err(unknown("payment", name, &["tank", "supply"])),
    }
}
