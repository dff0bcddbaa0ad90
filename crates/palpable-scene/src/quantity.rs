//! Numbers of a scene: plain SI, or texts with a unit.

use crate::dimension::{Description, Dimension, Sign};
use crate::place::{Mistakes, Place};
use crate::read::Read;
use crate::tree::{Node, Value};
use palpable_units::{self as unit, Powers};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::marker::PhantomData;

/// A number whose dimension is known from the field it stands in, in SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quantity<D>(pub f64, PhantomData<D>);

/// A number whose dimension depends on other fields; checked when the scene is put together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Loose {
    value: f64,
    powers: Option<Powers>,
}

impl Loose {
    /// The number [SI], if it has the dimension and sign that `about` asks for.
    pub fn resolve(&self, about: &Description, at: &Place, mistakes: &mut Mistakes) -> Option<f64> {
        if let Some(powers) = self.powers
            && !about.accepts(&powers)
        {
            let message = format!("the unit is {}, not {}", show(&powers), about.unit);
            mistakes.add(at, message, about.cure());
            return None;
        }
        if !about.allows(self.value) {
            mistakes.add(at, format!("{} is not allowed here", self.value), about.cure());
            return None;
        }
        Some(self.value)
    }

    /// The number for offsets and rotations alike [SI]: it cannot have a unit.
    pub fn resolve_both(
        &self,
        [linear, angular]: &[Description; 2],
        at: &Place,
        mistakes: &mut Mistakes,
    ) -> Option<f64> {
        if self.powers.is_some() {
            let message = "one number with a unit cannot serve offsets and rotations";
            let [linear, angular] = [linear.example, angular.example];
            let cure = format!("write {{ linear = \"{linear}\", angular = \"{angular}\" }}");
            mistakes.add(at, message, cure);
            return None;
        }
        self.resolve(linear, at, mistakes)
    }
}

/// Powers as a unit, such as `kg m s^-2`.
fn show(powers: &Powers) -> String {
    let one = |(unit, power): (&str, &i32)| match power {
        0 => None,
        1 => Some(unit.to_owned()),
        _ => Some(format!("{unit}^{power}")),
    };
    let factors: Vec<String> =
        ["m", "kg", "s", "rad"].into_iter().zip(powers).filter_map(one).collect();
    if factors.is_empty() { "a plain number".to_owned() } else { factors.join(" ") }
}

/// A finite number, or a text with a finite number and a unit.
pub(crate) fn read_loose(
    node: &Node,
    cure: impl Fn() -> String,
    at: &Place,
    mistakes: &mut Mistakes,
) -> Option<Loose> {
    let loose = match &node.value {
        Value::Integer(i) => Loose { value: *i as f64, powers: None },
        Value::Float(f) => Loose { value: *f, powers: None },
        Value::String(text) => match unit::parse(text) {
            Ok(found) => Loose { value: found.value, powers: Some(found.powers) },
            Err(error) => {
                mistakes.add(at, format!("this is {error}"), cure());
                return None;
            }
        },
        other => {
            mistakes.add(at, format!("this is {}, not a number", other.kind()), cure());
            return None;
        }
    };
    if !loose.value.is_finite() {
        mistakes.add(at, "this is not a finite number", cure());
        return None;
    }
    Some(loose)
}

impl Loose {
    /// A number in SI units.
    pub fn new(value: f64) -> Self {
        Self { value, powers: None }
    }
}

impl<D> Quantity<D> {
    /// A number in SI units.
    pub fn new(value: f64) -> Self {
        Self(value, PhantomData)
    }
}

impl<D: Dimension> Read for Quantity<D> {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let loose = read_loose(node, || D::ABOUT.cure(), at, mistakes)?;
        Some(Quantity(loose.resolve(&D::ABOUT, at, mistakes)?, PhantomData))
    }
}

impl Read for Loose {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let cure = || "give a finite number, or a text such as \"2 kN/m\"".to_owned();
        read_loose(node, cure, at, mistakes)
    }
}

impl<D> Serialize for Quantity<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl Serialize for Loose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value)
    }
}

impl<D: Dimension> JsonSchema for Quantity<D> {
    fn schema_name() -> Cow<'static, str> {
        D::ABOUT.name.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let Description { noun, unit, example, .. } = D::ABOUT;
        let article = if "aeiou".contains(&noun[..1]) { "An" } else { "A" };
        let mut schema = if unit.is_empty() {
            json_schema!({ "type": "number", "description": format!("{article} {noun}.") })
        } else {
            let text =
                format!("{article} {noun} [{unit}]: a number, or a text such as \"{example}\".");
            json_schema!({ "type": ["number", "string"], "description": text, "x-unit": unit })
        };
        match D::ABOUT.sign {
            Sign::Any => None,
            Sign::NotNegative => schema.insert("minimum".to_owned(), 0.into()),
            Sign::Positive => schema.insert("exclusiveMinimum".to_owned(), 0.into()),
        };
        schema
    }
}

impl JsonSchema for Loose {
    fn schema_name() -> Cow<'static, str> {
        "Quantity".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = "A number in SI units, or a text such as \"2 kN/m\".";
        json_schema!({ "type": ["number", "string"], "description": text })
    }
}
