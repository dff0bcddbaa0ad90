//! A ball against a primitive, in closed form.

use super::convex::{Convex, Core};
use super::manifold::Axis;
use crate::math::Vec3;

/// The axis from a core to a point outside or inside it; `None` for hulls.
///
/// Inside, the axis is that of the nearest part of the surface; where several are equally near
/// (the centre of a box) the first is taken.
pub(super) fn from_core(core: &Convex, p: &Vec3) -> Option<Axis> {
    match &core.core {
        Core::Point => Some(towards(Vec3::zeros(), p, Vec3::z())),
        Core::Segment(half) => {
            let on = Vec3::new(0.0, 0.0, p.z.clamp(-half, *half));
            Some(towards(on, p, Vec3::x()))
        }
        Core::Cuboid(half, _) => Some(cuboid(half, p)),
        Core::Cylinder(half, radius) => Some(cylinder(*half, *radius, p)),
        Core::Hull(_) => None,
    }
}

/// From a point of the core straight to `p`; along `fallback` if they coincide.
fn towards(on: Vec3, p: &Vec3, fallback: Vec3) -> Axis {
    let d = p - on;
    let gap = d.norm();
    let normal = if gap > 1e-300 { d / gap } else { fallback };
    Axis { normal, gap, witness: Some((on, *p)) }
}

fn cuboid(half: &Vec3, p: &Vec3) -> Axis {
    let on = p.sup(&-half).inf(half);
    if on != *p {
        return towards(on, p, Vec3::z());
    }
    let depth = half - p.abs();
    let axis = depth.imin();
    let mut on = *p;
    on[axis] = half[axis].copysign(p[axis]);
    let normal = Vec3::ith(axis, 1f64.copysign(p[axis]));
    Axis { normal, gap: -depth[axis], witness: Some((on, *p)) }
}

fn cylinder(half: f64, radius: f64, p: &Vec3) -> Axis {
    let across = (p.x * p.x + p.y * p.y).sqrt();
    let out = if across > 1e-300 { Vec3::new(p.x / across, p.y / across, 0.0) } else { Vec3::x() };
    let z = p.z.clamp(-half, half);
    if across > radius || z != p.z {
        return towards(out * across.min(radius) + Vec3::new(0.0, 0.0, z), p, Vec3::z());
    }
    let (side, cap) = (radius - across, half - p.z.abs());
    if side < cap {
        let on = out * radius + Vec3::new(0.0, 0.0, p.z);
        Axis { normal: out, gap: -side, witness: Some((on, *p)) }
    } else {
        let on = Vec3::new(p.x, p.y, half.copysign(p.z));
        let normal = Vec3::new(0.0, 0.0, 1f64.copysign(p.z));
        Axis { normal, gap: -cap, witness: Some((on, *p)) }
    }
}
