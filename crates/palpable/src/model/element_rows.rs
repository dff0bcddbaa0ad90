//! Joints as rows of their own: offsets, aligned axes and rotations of frame `a` seen from `b`.

use super::element::End;
use super::{element_point, element_pose, element_rotation};
use crate::math::{Mat3, Mat6, Vec3, Vec6, so3};
use nalgebra::RowVector3;
use std::f64::consts::TAU;

/// One scalar measure between two frames; each is 0 where the joint is closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Row {
    /// Component 0..3 of the offset `p_a − p_b` in the axes of `b` [m].
    Offset(usize),
    /// Component 0..3, in the axes of `b`, of the z axis of `a` [1]; 0 if perpendicular.
    Align(usize),
    /// Component 0..3 of the rotation vector from `b` to `a` [rad].
    Turn(usize),
    /// Angle by which `a` is turned about the z axis of `b` [rad]; counts whole turns.
    Angle,
    /// Distance of the two points less this length [m].
    Distance(f64),
}

pub(super) fn strain(rows: &[Row], a: &End, b: &End, near: &Vec6) -> Vec6 {
    let (pa, pb) = (a.pose(), b.pose());
    let gap = pa.position - pb.position;
    let seen = |v: Vec3| pb.rotation.inverse() * v;
    let mut g = Vec6::zeros();
    for (i, row) in rows.iter().enumerate() {
        g[i] = match *row {
            Row::Offset(c) => seen(gap)[c],
            Row::Align(c) => seen(pa.rotation * Vec3::z())[c],
            Row::Turn(c) => element_rotation::rotation_vector(a, b, &turn_near(rows, near))[c],
            Row::Angle => angle_near(a, b, near[i]),
            Row::Distance(length) => gap.norm() - length,
        };
    }
    g
}

/// The last rotation vector, from the rows that carry it; components without a row count as 0.
fn turn_near(rows: &[Row], near: &Vec6) -> Vec3 {
    let mut v = Vec3::zeros();
    for (i, row) in rows.iter().enumerate() {
        if let Row::Turn(c) = row {
            v[*c] = near[i];
        }
    }
    v
}

/// Secant Jacobians, exact for offsets, axes and distances when the motion is as predicted.
pub(super) fn jacobian(rows: &[Row], a: &End, b: &End, g: &Vec6, h: f64) -> [Mat6; 2] {
    let mut near = Vec6::zeros();
    near.fixed_rows_mut::<3>(3).copy_from(&turn_near(rows, g));
    let pose = element_pose::jacobian(a, b, &near, h);
    let mut out = [Mat6::zeros(); 2];
    for (i, row) in rows.iter().enumerate() {
        match *row {
            Row::Offset(c) => (0..2).for_each(|s| out[s].set_row(i, &pose[s].row(c))),
            Row::Turn(c) => (0..2).for_each(|s| out[s].set_row(i, &pose[s].row(3 + c))),
            Row::Align(c) => {
                let axis = axis_rates(a, b, h);
                (0..2).for_each(|s| out[s].fixed_view_mut::<1, 3>(i, 3).copy_from(&axis[s].row(c)));
            }
            Row::Angle => {
                let rates = angle_rates(a, b, h);
                (0..2).for_each(|s| out[s].fixed_view_mut::<1, 3>(i, 3).copy_from(&rates[s]));
            }
            Row::Distance(_) => {
                let (n, points) = (mean_direction(a, b, h), element_point::jacobian(a, b, h));
                for s in 0..2 {
                    let rows = points[s].fixed_view::<3, 6>(0, 0);
                    out[s].set_row(i, &(n.transpose() * rows));
                }
            }
        }
    }
    out
}

/// Rates of the z axis of `a` in the axes of `b`: with `d = R_a F_a e_z` and `B = R_b F_b`,
/// `B⁺ᵀd⁺ − Bᵀd = ½(B⁺ + B)ᵀ (d⁺ − d) + F_bᵀ S(z) h ω_b` as for an offset.
fn axis_rates(a: &End, b: &End, h: f64) -> [Mat3; 2] {
    let (a_next, b_next) = (a.moved(h), b.moved(h));
    let arm = a.frame * Vec3::z();
    let mean = (a.r * arm + a_next.r * arm) * 0.5;
    let axes = |end: &End| end.pose().rotation.to_rotation_matrix().into_inner();
    let mean_axes = (axes(b) + axes(&b_next)).transpose() * 0.5;
    let to_a = mean_axes * a.r * so3::cayley_secant(&(a.omega * h)) * so3::skew(&-arm);
    let z = so3::cayley_secant(&(b.omega * h)).tr_mul(&b.r.tr_mul(&mean));
    let to_b = b.frame.to_rotation_matrix().into_inner().transpose() * so3::skew(&z);
    [to_a, to_b]
}

/// The twist about z, `2 atan2(q_z, q_w)` of the relative rotation, on the turn nearest to `near`.
pub(super) fn angle_near(a: &End, b: &End, near: f64) -> f64 {
    let q = (b.q * b.frame).inverse() * (a.q * a.frame);
    let angle = 2.0 * q.coords.z.atan2(q.coords.w);
    angle + TAU * ((near - angle) / TAU).round()
}

/// Rates of that angle at the predicted midpoint. With `q̇ = ½ q ⊗ ω` in the axes of `a`:
/// `(q_w² + q_z²) θ̇ = (q_x q_z − q_w q_y) ω_x + (q_w q_x + q_y q_z) ω_y + (q_w² + q_z²) ω_z`.
pub(super) fn angle_rates(a: &End, b: &End, h: f64) -> [RowVector3<f64>; 2] {
    let (a, b) = (a.moved(0.5 * h), b.moved(0.5 * h));
    let q = ((b.q * b.frame).inverse() * (a.q * a.frame)).coords;
    let size = q.w * q.w + q.z * q.z;
    // upside down there is no angle about z: no rate is passive
    if size < 1e-12 {
        return [RowVector3::zeros(); 2];
    }
    let rate = RowVector3::new(q.x * q.z - q.w * q.y, q.w * q.x + q.y * q.z, size) / size;
    let to_a = rate * a.frame.to_rotation_matrix().into_inner().transpose();
    [to_a, -to_a * a.r.transpose() * b.r]
}

/// `(d + d⁺) / (|d| + |d⁺|)`: the direction along which a distance changes over a step, exactly.
fn mean_direction(a: &End, b: &End, h: f64) -> Vec3 {
    let gap = |a: &End, b: &End| a.pose().position - b.pose().position;
    let (d, d_next) = (gap(a, b), gap(&a.moved(h), &b.moved(h)));
    let size = d.norm() + d_next.norm();
    // coincident points have no direction: any one is passive
    if size > 0.0 { (d + d_next) / size } else { Vec3::x() }
}
