//! Stiffness and damping of springs and ports, row by row.

use crate::dimension::Description;
use crate::document::{Rows, SpringKind, Triple};
use crate::place::{At, Mistakes, Place};
use crate::quantity::Loose;
use crate::read::Field;
use palpable::Vec6;

/// What the rows of an element are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Three offsets.
    Offsets,
    /// Three rotations.
    Rotations,
    /// Three offsets and three rotations.
    Both,
    /// A reference port: three offsets, and rotations if the file gives them.
    Port,
}

impl From<SpringKind> for Layout {
    fn from(kind: SpringKind) -> Self {
        match kind {
            SpringKind::Point => Layout::Offsets,
            SpringKind::Rotation => Layout::Rotations,
            SpringKind::Pose => Layout::Both,
        }
    }
}

/// A linear and an angular dimension.
pub(super) type Dimensions = [Description; 2];

/// The rows of stiffness or damping; `None` if something is wrong with them, which is noted.
pub(super) fn rows(
    rows: &At<Rows>,
    layout: Layout,
    about: &Dimensions,
    mistakes: &mut Mistakes,
) -> Option<Vec6> {
    let at = &rows.place;
    match &rows.value {
        Rows::Same(value) => same(value, layout, about, at, mistakes),
        Rows::Each(values) => each(values, layout, about, at, mistakes),
        Rows::Split(split) => {
            let [linear, angular] = about;
            let offsets = triple(&split.linear, linear, layout != Layout::Rotations, mistakes)?;
            let turns = triple(&split.angular, angular, layout != Layout::Offsets, mistakes)?;
            Some(match layout {
                Layout::Rotations => stack(turns, [0.0; 3]),
                _ => stack(offsets, turns),
            })
        }
    }
}

fn stack([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> Vec6 {
    Vec6::new(a, b, c, d, e, f)
}

fn same(
    value: &Loose,
    layout: Layout,
    about: &Dimensions,
    at: &Place,
    mistakes: &mut Mistakes,
) -> Option<Vec6> {
    let [linear, angular] = about;
    let value = match layout {
        Layout::Both => value.resolve_both(about, at, mistakes)?,
        Layout::Rotations => value.resolve(angular, at, mistakes)?,
        _ => value.resolve(linear, at, mistakes)?,
    };
    let others = if layout == Layout::Both { value } else { 0.0 };
    Some(stack([value; 3], [others; 3]))
}

fn each(
    values: &[At<Loose>],
    layout: Layout,
    about: &Dimensions,
    at: &Place,
    mistakes: &mut Mistakes,
) -> Option<Vec6> {
    let fits = match layout {
        Layout::Offsets | Layout::Rotations => values.len() == 3,
        Layout::Both => values.len() == 6,
        Layout::Port => matches!(values.len(), 3 | 6),
    };
    if !fits {
        let cure = match layout {
            Layout::Offsets | Layout::Rotations => "give one number, or three",
            Layout::Both => "give one number, six, or { linear, angular }",
            Layout::Port => "give one number, three, six, or { linear, angular }",
        };
        mistakes.add(at, format!("this list has {} rows", values.len()), cure);
        return None;
    }
    let mut rows = Vec6::zeros();
    let mut complete = true;
    for (i, value) in values.iter().enumerate() {
        let is_angular = i >= 3 || layout == Layout::Rotations;
        match value.resolve(&about[usize::from(is_angular)], &value.place, mistakes) {
            Some(number) => rows[i] = number,
            None => complete = false,
        }
    }
    complete.then_some(rows)
}

/// Three rows of a kind that the element has or has not.
fn triple(
    field: &Field<Triple>,
    about: &Description,
    exists: bool,
    mistakes: &mut Mistakes,
) -> Option<[f64; 3]> {
    let Some(at) = field.get() else { return Some([0.0; 3]) };
    if !exists {
        let message = format!("this kind of spring has no {}", about.noun);
        mistakes.add(&at.place, message, "remove it, or choose kind = \"pose\"");
        return None;
    }
    let [x, y, z] = at.value.each().map(|v| v.resolve(about, &at.place, mistakes));
    Some([x?, y?, z?])
}
