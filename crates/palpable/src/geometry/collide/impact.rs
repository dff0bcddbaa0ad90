//! When two moving shapes first touch: continuous detection for fast small tools, by conservative
//! advancement `[Mirtich1996]`.

use super::collision_shape::CollisionShape;
use super::frame::{Frame, Isometry};
use super::piece::Body;
use super::proximity::{Proximity, of_pieces};
use crate::math::{Rotation, Vec3};

/// A pose that moves at constant velocities, linear in the world, angular about its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// At time 0.
    pub pose: Isometry,
    /// Of the origin of the pose [m/s], world axes.
    pub velocity: Vec3,
    /// [rad/s], world axes.
    pub angular_velocity: Vec3,
}

impl Motion {
    /// A pose that stays.
    pub fn still(pose: Isometry) -> Self {
        Self { pose, velocity: Vec3::zeros(), angular_velocity: Vec3::zeros() }
    }

    /// A pose that moves without turning [m/s].
    pub fn sliding(pose: Isometry, velocity: Vec3) -> Self {
        Self { pose, velocity, angular_velocity: Vec3::zeros() }
    }

    /// The pose at a time [s].
    pub fn at(&self, time: f64) -> Isometry {
        let turn = Rotation::from_scaled_axis(self.angular_velocity * time);
        let place = self.pose.translation.vector + self.velocity * time;
        Isometry::from_parts(place.into(), turn * self.pose.rotation)
    }

    fn is_finite(&self) -> bool {
        let numbers = self.velocity.iter().chain(self.angular_velocity.iter());
        numbers.into_iter().all(|c| c.is_finite())
    }
}

/// The first touch of two moving shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// When [s], from 0.
    pub time: f64,
    /// Where, at that time.
    pub proximity: Proximity,
}

/// Rounds before the search gives the time it is sure of.
const MOST_ROUNDS: usize = 200;

/// A gap below this share of the distance travelled and the size is a touch.
const TOUCH: f64 = 1e-9;

impl CollisionShape {
    /// The first time within `duration` [s] at which this shape and another touch, both moving.
    ///
    /// Conservative advancement: along the normal of the nearest points two convex pieces need at
    /// least `gap / closing speed` to meet. Shapes that overlap at the start touch at time 0.
    /// # Guarantee
    /// No touch before the time returned, however fast or thin; within a fixed number of rounds.
    pub fn first_impact(
        &self,
        motion: &Motion,
        other: &CollisionShape,
        other_motion: &Motion,
        duration: f64,
    ) -> Option<Impact> {
        let mut best: Option<Impact> = None;
        self.each_piece(|ga, a| {
            other.each_piece(|gb, b| {
                let most = best.map_or(duration, |i| i.time);
                let found = of_moving((a, ga, motion), (b, gb, other_motion), most);
                if let Some(found) = found.filter(|f| best.is_none_or(|i| f.time < i.time)) {
                    best = Some(found);
                }
            });
        });
        best
    }
}

/// Furthest point of a piece from the origin of the pose that carries it [m].
fn radius(body: &Body, frame: &Frame) -> f64 {
    let bounds = body.aabb(&Frame::identity());
    bounds.map_or(0.0, |b| frame.x.norm() + b.low.abs().sup(&b.high.abs()).norm())
}

/// A piece, its frame on the pose, and how the pose moves.
type Moving<'a> = (&'a Body, &'a Frame, &'a Motion);

/// The first touch of two pieces within `duration` [s].
pub(super) fn of_moving((a, ga, ma): Moving, (b, gb, mb): Moving, duration: f64) -> Option<Impact> {
    if !(ma.is_finite() && mb.is_finite() && duration >= 0.0) {
        return None;
    }
    let (ra, rb) = (radius(a, ga), radius(b, gb));
    let swing = ma.angular_velocity.norm() * ra + mb.angular_velocity.norm() * rb;
    let relative = ma.velocity - mb.velocity;
    let fastest = relative.norm() + swing;
    let convex = matches!((a, b), (Body::Solid(_), Body::Solid(_)));
    let solid_and_plane = a.is_endless() || b.is_endless();
    let touch = TOUCH * (fastest * duration).min(1e12).max(ra.min(rb)).max(f64::MIN_POSITIVE);
    let mut time = 0.0;
    for _ in 0..MOST_ROUNDS {
        let fa = Frame::checked(&ma.at(time))?.times(ga);
        let fb = Frame::checked(&mb.at(time))?.times(gb);
        let within = fastest * (duration - time) + touch;
        let proximity = of_pieces((a, &fa), (b, &fb), within)?;
        if proximity.gap <= touch {
            return Some(Impact { time, proximity });
        }
        // a plane between two convex pieces parts them until one has come up to it
        let closing = relative.dot(&proximity.normal) + swing;
        let speed = if convex || solid_and_plane { closing } else { fastest };
        if !(speed > 0.0) {
            return None;
        }
        time += proximity.gap / speed;
        if time > duration {
            return None;
        }
    }
    let (pa, pb) = (Frame::checked(&ma.at(time))?, Frame::checked(&mb.at(time))?);
    let proximity = of_pieces((a, &pa.times(ga)), (b, &pb.times(gb)), f64::MAX)?;
    Some(Impact { time, proximity })
}
