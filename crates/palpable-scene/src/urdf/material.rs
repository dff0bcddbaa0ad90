//! Colours: `<material>` of the robot and of visuals.

use super::reader::Reader;
use super::tag::{Known, Tag};
use std::collections::HashMap;

/// Colours by name.
pub(super) type Materials = HashMap<String, [f64; 4]>;

/// The materials that the robot names for all its links.
pub(super) fn read_materials(robot: &Tag, reader: &mut Reader) -> Materials {
    let mut materials = Materials::new();
    for tag in robot.children("material") {
        let color = read_color(&tag, reader);
        let name = tag.required("name", reader);
        if let (Some(name), Some(color)) = (name, color) {
            materials.insert(name.value, color);
        }
    }
    materials
}

/// The colour of a visual, its own or that of a named material.
pub(super) fn color_of(
    visual: &Tag,
    materials: &Materials,
    reader: &mut Reader,
) -> Option<[f64; 4]> {
    let tag = visual.child("material")?;
    let own = read_color(&tag, reader);
    own.or_else(|| materials.get(tag.text("name")?).copied())
}

fn read_color(tag: &Tag, reader: &mut Reader) -> Option<[f64; 4]> {
    tag.close(&Known { once: &["color"], many: &[], attributes: &["name"] }, reader);
    let color = tag.child("color")?;
    color.close(&Known { once: &[], many: &[], attributes: &["rgba"] }, reader);
    color.numbers("rgba", reader)
}
