//! Mass properties moved and added.

use palpable::{MassProperties, Mat3, Pose, Vec3};

/// One pose after another: `a_from_c = a_from_b · b_from_c`.
pub(super) fn compose(a: &Pose, b: &Pose) -> Pose {
    Pose { position: a.position + a.rotation * b.position, rotation: a.rotation * b.rotation }
}

/// Mass properties seen from the frame in which their own frame stands at `pose`.
pub(crate) fn moved(mass: &MassProperties, pose: &Pose) -> MassProperties {
    let r = pose.rotation.to_rotation_matrix().into_inner();
    MassProperties {
        mass: mass.mass,
        center_of_mass: pose.position + r * mass.center_of_mass,
        inertia: r * mass.inertia * r.transpose(),
    }
}

/// Two bodies as one, in the same frame.
pub(crate) fn joined(a: &MassProperties, b: &MassProperties) -> MassProperties {
    let mass = a.mass + b.mass;
    let center = (a.center_of_mass * a.mass + b.center_of_mass * b.mass) / mass;
    let mut inertia = Mat3::zeros();
    for body in [a, b] {
        let d: Vec3 = body.center_of_mass - center;
        // Steiner: I + m (|d|² 1 − d dᵀ)
        let shift = Mat3::from_diagonal_element(d.norm_squared()) - d * d.transpose();
        inertia += body.inertia + shift * body.mass;
    }
    MassProperties { mass, center_of_mass: center, inertia }
}
