//! Closed forms of contact: rest, bounce, sliding, the two-link arm, and the printed law's errors.

mod common;
mod rig;

use palpable::math::{Vec3, Vec6};
use palpable::solve::cone::pyramid::Printed;
use palpable::solve::cone::{Capacity, ConeProblem, ConeSettings, Contact, Law, Rule, Side};
use rig::{Rig, cuboid, friction, mass};

const G: f64 = 9.81;
const MIDPOINT: Rule = Rule::Midpoint;

/// A point of mass 1 over a floor, moved by the two-phase step.
struct Point {
    x: Vec3,
    v: Vec3,
    h: f64,
    mu: f64,
    e: f64,
    /// heading of the first tangent [rad]
    heading: f64,
    problem: ConeProblem,
}

impl Point {
    fn new(x: Vec3, v: Vec3, h: f64) -> Self {
        let problem = ConeProblem::new(Capacity::bodies(1, 1));
        Self { x, v, h, mu: 0.0, e: 0.0, heading: 0.0, problem }
    }

    /// One contact with the floor; `mobility` is 1/m or h/2m.
    fn touch(&mut self, free: Vec3, mobility: f64, target: f64) {
        let (s, c) = self.heading.sin_cos();
        let rows = [0.0, 0.0, 1.0, c, s, 0.0, -s, c, 0.0];
        let response = rows.map(|x| x * mobility);
        let bias = [free.z, c * free.x + s * free.y, c * free.y - s * free.x];
        self.problem.clear();
        let group = self.problem.group(3).expect("room for the point");
        let sides = [Side { group, column: 0, jacobian: &rows, response: &response }];
        let law = friction(self.mu);
        let contact = Contact {
            law,
            target,
            restitution: self.e,
            bias: &bias,
            carry: &[],
            start: &[],
            sides: &sides,
        };
        self.problem.push(&contact).expect("room for the contact");
    }

    fn change(&self) -> Vec3 {
        Vec3::from_column_slice(self.problem.change(0))
    }

    fn step(&mut self) {
        let (h, settings) = (self.h, ConeSettings::default());
        let rest_speed = 2.0 * G * h;
        let bounces = self.e > 0.0 && -self.v.z > rest_speed;
        if self.x.z <= 0.0 || self.x.z + 0.5 * h * self.v.z <= 0.0 {
            self.touch(self.v, 1.0, 0.0);
            self.problem.solve(&settings, Rule::Impulse { rest_speed });
            self.v += self.change();
        }
        let free = self.v + Vec3::new(0.0, 0.0, -G) * (0.5 * h);
        let mut mid = free;
        let left_out = bounces && self.x.z > 0.0;
        if self.x.z + h * free.z <= 0.0 && !left_out {
            self.touch(free, 0.5 * h, self.x.z.max(0.0) / h);
            self.problem.solve(&settings, MIDPOINT);
            mid += self.change();
        }
        self.x += mid * h;
        self.v = 2.0 * mid - self.v;
    }
}

#[test]
fn a_point_bounces_to_the_heights_of_its_restitution() {
    for (e, apex) in [(1.0, 0.5), (0.8, 0.32031), (0.5, 0.12565), (0.2, 0.02083)] {
        let mut point = Point::new(Vec3::z() * 0.5, Vec3::zeros(), 1e-3);
        point.e = e;
        let mut rising = false;
        let mut top = 0.0f64;
        for _ in 0..2000 {
            point.step();
            rising |= point.v.z > 0.0;
            if rising && point.v.z <= 0.0 {
                break;
            }
            if rising {
                top = top.max(point.x.z);
            }
        }
        // the moment of impact is known to a step: one step's path at the impact speed
        assert!((top - apex).abs() < 1e-3 * (2.0 * G * 0.5).sqrt(), "e {e}: {top}");
    }
}

#[test]
fn a_point_comes_to_full_rest_and_stays_out_of_the_floor() {
    for h in [1e-3, 5e-3] {
        let mut point = Point::new(Vec3::z() * 0.3, Vec3::new(0.02, 0.0, 0.0), h);
        point.mu = 0.5;
        let mut lowest = 0.0f64;
        for _ in 0..(3.0 / h) as usize {
            point.step();
            lowest = lowest.min(point.x.z);
        }
        assert!(lowest > -1e-12, "{lowest:e}");
        assert!(point.v.norm() < 1e-12, "h {h}: {:e}", point.v.norm());
    }
}

#[test]
fn a_sliding_point_stops_where_coulomb_says_in_any_direction() {
    let exact = 1.0 / (2.0 * 0.3 * G);
    for k in 0..16 {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / 16.0).sin_cos();
        let mut point = Point::new(Vec3::zeros(), Vec3::new(c, s, 0.0), 1e-3);
        point.mu = 0.3;
        (0..1000).for_each(|_| point.step());
        let path = point.x.x.hypot(point.x.y);
        // the last step stops half way at most: v h = μ g h² / 2
        assert!((path - exact).abs() < 1e-5, "{k}: {path}");
        let sideways = point.x.y * c - point.x.x * s;
        assert!(sideways.abs() < 1e-12, "{sideways:e}");
    }
}

/// Slides a point to rest by the printed law; path along and across the first direction.
fn printed_slide(sides: usize, heading: f64) -> (f64, f64) {
    let mut point = Point::new(Vec3::zeros(), Vec3::x(), 1e-3);
    (point.mu, point.heading) = (0.3, heading);
    for _ in 0..1500 {
        let free = point.v + Vec3::new(0.0, 0.0, -G) * 5e-4;
        point.touch(free, 5e-4, 0.0);
        point.problem.solve_printed(sides, Printed::Elastic).expect("one contact");
        let mid = free + point.change();
        point.x += mid * 1e-3;
        point.v = 2.0 * mid - point.v;
    }
    (point.x.x, point.x.y)
}

#[test]
fn the_printed_pyramid_errs_by_the_known_amounts() {
    let degrees = std::f64::consts::PI / 180.0;
    // contact.md 1.6, four digits there
    for (sides, heading, along, across) in
        [(4, 22.5, 0.2029, 0.046), (4, 45.0, 0.2403, 0.0), (8, 22.5, 0.1839, 0.0)]
    {
        let (x, y) = printed_slide(sides, heading * degrees);
        assert!((x - along).abs() < 2e-4, "{sides} at {heading}: {x}");
        assert!((y.abs() - across).abs() < 1e-3, "{sides} at {heading}: {y}");
    }
}

#[test]
fn the_worst_dissipation_of_a_pyramid_is_the_cosine_of_half_a_side() {
    for sides in [4, 6, 8, 16] {
        let (mut least, mut widest) = (f64::INFINITY, 0.0f64);
        for k in 0..=64 {
            // a block that slides fast: friction cannot stop it in the step
            let mut point = Point::new(Vec3::zeros(), Vec3::x(), 1e-3);
            point.mu = 0.3;
            point.heading = std::f64::consts::TAU / sides as f64 * f64::from(k) / 64.0;
            let free = Vec3::new(10.0, 0.0, -0.5 * G * 1e-3);
            point.touch(free, 5e-4, 0.0);
            point.problem.solve_printed(sides, Printed::Elastic).expect("one contact");
            let force = point.change() / 5e-4;
            let exact = 0.3 * force.z;
            least = least.min(-force.x / exact);
            widest = widest.max(force.y.atan2(-force.x).abs());
        }
        let half = std::f64::consts::PI / sides as f64;
        // velocity turns by 1e-4 during the step; the widest sampled is 31/32 of the worst
        assert!((least - half.cos()).abs() < 1e-3, "{sides}: {least}");
        assert!((widest - half * 31.0 / 32.0).abs() < 1e-3, "{sides}: {widest}");
    }
}

#[test]
fn the_printed_plastic_law_adds_energy() {
    // m = 1, v = gh/2 upwards in contact: ΔE = g²h²/8
    let h = 1e-3;
    let mut point = Point::new(Vec3::zeros(), Vec3::z() * (0.5 * G * h), h);
    let free = point.v + Vec3::new(0.0, 0.0, -G) * (0.5 * h);
    point.touch(free, 0.5 * h, 0.0);
    let before = [point.v.z, 0.0, 0.0];
    point.problem.solve_printed(4, Printed::Plastic(&before)).expect("one contact");
    let mid = free + point.change();
    let next = 2.0 * mid - point.v;
    let rise = 0.5 * (next.z * next.z - point.v.z * point.v.z) + G * h * mid.z;
    assert!((rise - 1.202951e-05).abs() < 1e-11, "{rise:e}");
    // the same law on V̂ is exact
    point.touch(free, 0.5 * h, 0.0);
    point.problem.solve_printed(4, Printed::Elastic).expect("one contact");
    assert!(point.problem.lambda(0)[0] == 0.0);
}

#[test]
fn four_corners_carry_a_cube_and_only_their_sum_is_unique() {
    for settings in [
        ConeSettings::default(),
        ConeSettings { newton_steps: 0, sweeps: 200, ..Default::default() },
    ] {
        let h = 1e-3;
        let mut rig = Rig::default();
        let matrix = cuboid(1.0, Vec3::repeat(0.5)) * (2.0 / h);
        let cube = rig.body(matrix, Vec6::new(0.0, 0.0, -0.5 * G * h, 0.0, 0.0, 0.0));
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            rig.touch([None, Some((cube, Vec3::new(x, y, -0.5)))], Vec3::z(), friction(0.5));
        }
        let mut problem = rig.problem();
        let report = problem.solve(&settings, MIDPOINT);
        let sum: f64 = (0..4).map(|i| problem.lambda(i)[0]).sum();
        assert!(report.residual < 1e-9);
        assert!((sum - G).abs() < 1e-6, "{sum}");
        // wrench: no torque, no sideways force
        let speed = Vec6::from_column_slice(problem.change(cube)) + rig.u[cube];
        assert!(speed.norm() < 1e-9, "{speed:?}");
    }
}

#[test]
fn the_two_link_arm_loses_what_theory_says() {
    // uniform rods l = m = 1 at q = (π/2, 0), q̇ = (1, 1): contact.md 4.2
    let d = nalgebra::Matrix2::new(8.0 / 3.0, 5.0 / 6.0, 5.0 / 6.0, 1.0 / 3.0);
    let inverse = d.try_inverse().expect("a mass matrix");
    for (reach, loss) in [(1.0, 1.3125), (0.5, 7.0 / 3.0)] {
        for e in [0.0, 0.25, 0.5, 1.0] {
            // the contact point moves along −x with (1 + reach) q̇1 + reach q̇2
            let j = nalgebra::RowVector2::new(1.0 + reach, reach);
            let y = inverse * j.transpose();
            let (jacobian, response) = ([-j.x, -j.y], [-y.x, -y.y]);
            let bias = [-(j.x + j.y)];
            let mut problem = ConeProblem::new(Capacity::bodies(1, 1));
            let group = problem.group(2).expect("room for the arm");
            let sides = [Side { group, column: 0, jacobian: &jacobian, response: &response }];
            let law = Law::Unilateral;
            let contact = Contact {
                law,
                target: 0.0,
                restitution: e,
                bias: &bias,
                carry: &[],
                start: &[],
                sides: &sides,
            };
            problem.push(&contact).expect("room for the contact");
            let report = problem.solve(&ConeSettings::default(), Rule::Impulse { rest_speed: 0.0 });
            let expected = -(1.0 - e * e) * loss;
            assert!((report.work - expected).abs() < 1e-12, "{reach}, e {e}: {report:?}");
            let q = nalgebra::Vector2::new(1.0, 1.0)
                + nalgebra::Vector2::from_column_slice(problem.change(0));
            let energy = 0.5 * (q.transpose() * d * q).x - 7.0 / 3.0;
            assert!((energy - expected).abs() < 1e-12, "{reach}, e {e}: {energy}");
        }
    }
}

#[test]
fn rolling_and_spinning_friction_hold_up_to_their_radius() {
    // a ball of 1 kg pressed with 10 N for the step, turning about the normal or across it
    let (r_spin, r_roll) = (0.01, 0.02);
    let h = 1e-2;
    for (spin, roll) in [(0.1, 0.0), (50.0, 0.0), (0.0, 0.1), (0.0, 50.0), (30.0, 40.0)] {
        let mut rig = Rig::default();
        let inertia = 0.004;
        let u = Vec6::new(0.0, 0.0, -10.0 * h / 2.0, roll, 0.0, spin);
        let ball = rig.body(mass(1.0, Vec3::repeat(inertia)) * (2.0 / h), u);
        let law = Law::Rolling { mu: 0.0, spin_radius: r_spin, roll_radius: r_roll };
        rig.touch([None, Some((ball, Vec3::zeros()))], Vec3::z(), law);
        for newton_steps in [0, 20] {
            let mut problem = rig.problem();
            let settings = ConeSettings { newton_steps, ..Default::default() };
            let report = problem.solve(&settings, MIDPOINT);
            assert!(report.residual < 1e-9, "{report:?}");
            let l = problem.lambda(0);
            let hold = 2.0 * inertia / h;
            let expected = [(spin * hold).min(r_spin * 10.0), (roll * hold).min(r_roll * 10.0)];
            assert!((l[0] - 10.0).abs() < 1e-8, "{l:?}");
            assert!((-l[3] - expected[0]).abs() < 1e-8, "{l:?} {expected:?}");
            assert!((l[4].hypot(l[5]) - expected[1]).abs() < 1e-8, "{l:?} {expected:?}");
            assert!(report.work <= 0.0);
        }
    }
}
