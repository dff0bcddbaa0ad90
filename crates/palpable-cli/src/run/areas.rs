//! Contacts over an area in a recording: one row of numbers a body, whatever presses on it.

use palpable::{BodyId, Patch, Vec3, World};
use palpable_record::Column;
use palpable_scene::{Named, RecordPlan};

/// Bodies whose areas are recorded: all that are, if some surface yields when the run begins.
pub fn bodies(world: &World, plan: &RecordPlan) -> Vec<Named<BodyId>> {
    if world.params().surfaces.any_soft() { plan.bodies.clone() } else { Vec::new() }
}

/// Area, where the pressure acts, mean pressure, friction torque, energy held.
pub fn columns(body: &str) -> [Column; 7] {
    let group = format!("area/{body}");
    let [x, y, z] = ["x", "y", "z"].map(|axis| (axis, "m"));
    [("area", "m²"), x, y, z, ("pressure", "Pa"), ("torque", "N·m"), ("store", "J")]
        .map(|(key, unit)| Column::new(format!("area.{body}.{key}"), unit, &group))
}

/// The numbers of [`columns`] for a body: areas and stores are sums, the place is weighted by
/// pressure, the torque of friction is that about all normals. Without contact the place is not a
/// number.
pub fn values(world: &World, body: BodyId) -> [f64; 7] {
    let on = |p: &&Patch| p.bodies.contains(&body.index());
    let (mut area, mut load, mut moment, mut store) = (0.0, 0.0, Vec3::zeros(), 0.0);
    let mut torque = Vec3::zeros();
    for patch in world.patches().iter().filter(on) {
        let pressed = patch.pressure * patch.area;
        area += patch.area;
        load += pressed;
        moment += patch.centroid * pressed;
        torque += patch.normal * patch.friction_torque;
        store += patch.store;
    }
    let at = moment / load;
    let pressure = if area > 0.0 { load / area } else { 0.0 };
    [area, at.x, at.y, at.z, pressure, torque.norm(), store]
}
