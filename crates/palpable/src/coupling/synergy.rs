//! A hand of many joints led by one coordinate: the grip of an under-actuated tendon-driven hand.

use super::error::{CouplingError, positive};
use nalgebra::{DMatrix, DVector};

/// Maps one coordinate of a device to the pull of motors on tendons, and the hand back to it.
///
/// # Equation
/// ```text
/// q_d(z) = q1 + (z - z_min) / (z_max - z_min) (q2 - q1)                    [Kim2017 sec. 5.3]
/// K = Ja' Ka Ja + Jp' Kp Jp,   J_theta = Ja' Ka Ra
/// theta = -(J_theta' J_theta)^-1 J_theta' K q_d(z)
/// f_z = -k_hd (z - z_proj(q)),   z_proj = z_min + (z_max - z_min) |q - q1| / |q2 - q1|
/// ```
/// # Symbols
/// `q` joint angles [rad]; `q1`, `q2` unfolded and folded; `Ja`, `Jp` pulley radii of active and
/// passive tendons at each joint [m]; `Ka`, `Kp` their stiffness [N/m]; `theta` motor
/// angles [rad].
/// # Differs from the source
/// `Ra theta` is what a motor winds up [m]; a tendon's motor takes the length at which it is slack,
/// `-Ra theta`, so the radii of the motors' pulleys cancel and are not asked for.
/// # Guarantee
/// None: `f_z` is a function of `|q - q1|`, which no potential of the hand gives. Bound it by the
/// device's damping, as [`super::PassivityObserver`] does.
#[derive(Debug, Clone, PartialEq)]
pub struct Synergy {
    unfolded: Vec<f64>,
    folded: Vec<f64>,
    /// per motor: slack length unfolded, and what folding adds [m]
    pulls: Vec<[f64; 2]>,
    range: [f64; 2],
    gain: f64,
}

/// A set of equal tendons: stiffness [N/m], and for each its pulley radius at every joint [m].
#[derive(Debug, Clone, Copy)]
pub struct Tendons<'a> {
    /// Stiffness of each [N/m].
    pub stiffness: f64,
    /// Radii, one list a tendon, as long as there are joints.
    pub radii: &'a [Vec<f64>],
}

impl Tendons<'_> {
    fn matrix(&self, joints: usize) -> DMatrix<f64> {
        let radius = |t: usize, j: usize| self.radii[t].get(j).copied().unwrap_or(0.0);
        DMatrix::from_fn(self.radii.len(), joints, radius)
    }
}

impl Synergy {
    /// The map for a hand with these tendons, from its unfolded to its folded configuration, over
    /// `range` of the device [m], felt with `gain` [N/m].
    ///
    /// # Errors
    /// A gain, stiffness or range that is not above zero; active tendons that are not independent;
    /// configurations that are the same.
    pub fn new(
        [active, passive]: [Tendons<'_>; 2],
        [unfolded, folded]: [&[f64]; 2],
        range: [f64; 2],
        gain: f64,
    ) -> Result<Self, CouplingError> {
        positive("feedback gain [N/m]", gain, "give a stiffness such as 100")?;
        positive("range of the device [m]", range[1] - range[0], "give z_max above z_min")?;
        positive("active stiffness [N/m]", active.stiffness, "[Kim2017] has 100")?;
        let joints = unfolded.len().min(folded.len());
        let (q1, q2) = (&unfolded[..joints], &folded[..joints]);
        let way = (DVector::from_row_slice(q2) - DVector::from_row_slice(q1)).norm();
        positive("way from unfolded to folded [rad]", way, "give two configurations")?;
        let (ja, jp) = (active.matrix(joints), passive.matrix(joints));
        let stiffness =
            ja.transpose() * &ja * active.stiffness + jp.transpose() * &jp * passive.stiffness;
        let pull = ja.transpose() * active.stiffness;
        let square = (pull.transpose() * &pull).cholesky();
        let independent = square.as_ref().map_or(0.0, |_| 1.0);
        positive("independent active tendons", independent, "remove one that repeats another")?;
        let solve = |q: &[f64]| {
            let right = pull.transpose() * &stiffness * DVector::from_row_slice(q);
            square.as_ref().map_or(right.clone(), |s| s.solve(&right))
        };
        let (first, last) = (solve(q1), solve(q2));
        let pulls = first.iter().zip(last.iter()).map(|(a, b)| [*a, b - a]).collect();
        Ok(Self { unfolded: q1.to_vec(), folded: q2.to_vec(), pulls, range, gain })
    }

    /// Share of the way from unfolded to folded at `z` [m].
    fn share(&self, z: f64) -> f64 {
        (z - self.range[0]) / (self.range[1] - self.range[0])
    }

    /// Lengths [m] at which the motors' tendons are slack when the device is at `z` [m].
    pub fn targets(&self, z: f64) -> impl Iterator<Item = f64> + '_ {
        let share = self.share(z);
        self.pulls.iter().map(move |[start, way]| start + share * way)
    }

    /// Where on the device's axis joint angles `q` [rad] belong [m].
    pub fn projected(&self, q: &[f64]) -> f64 {
        let square = |a: f64, b: f64| (a - b) * (a - b);
        let (mut from, mut way) = (0.0, 0.0);
        for (i, (a, b)) in self.unfolded.iter().zip(&self.folded).enumerate() {
            from += square(q.get(i).copied().unwrap_or(*a), *a);
            way += square(*b, *a);
        }
        self.range[0] + (self.range[1] - self.range[0]) * (from / way).sqrt()
    }

    /// Force on the hand along the axis [N]; zero for angles that are not finite.
    pub fn force(&self, z: f64, q: &[f64]) -> f64 {
        let force = -self.gain * (z - self.projected(q));
        if force.is_finite() { force } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn synergy(gain: f64) -> Result<Synergy, CouplingError> {
        let active = Tendons { stiffness: 100.0, radii: &[vec![0.01, 0.01], vec![0.01]] };
        let passive = Tendons { stiffness: 0.0, radii: &[vec![0.0, 0.01]] };
        Synergy::new([active, passive], [&[0.0, 0.0], &[1.0, 0.5]], [-0.02, 0.02], gain)
    }

    #[test]
    fn with_as_many_motors_as_joints_the_slack_lengths_are_those_of_the_wish() {
        let map = synergy(100.0).expect("a map");
        // K = Ja' Ka Ja, so theta winds up Ja q_d exactly
        for (z, lengths) in [(-0.02, [0.0, 0.0]), (0.02, [0.015, 0.01]), (0.0, [0.0075, 0.005])] {
            for (found, wanted) in map.targets(z).zip(lengths) {
                assert!((found - wanted).abs() < 1e-15, "{z}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn the_hand_is_felt_where_it_lags_behind_and_not_where_it_follows() {
        let map = synergy(100.0).expect("a map");
        assert!(map.force(0.02, &[1.0, 0.5]).abs() < 1e-12);
        assert!(map.force(-0.02, &[0.0, 0.0]).abs() < 1e-12);
        // halfway along the line
        assert!((map.force(0.02, &[0.5, 0.25]) + 2.0).abs() < 1e-12);
        assert_eq!(map.force(0.0, &[f64::NAN, 0.0]), 0.0);
        assert!(synergy(0.0).is_err());
    }
}
