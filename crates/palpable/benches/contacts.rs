//! Contact problems to count instructions on: `contacts pyramid|tower BOXES STEPS`.
//!
//! Boxes at rest in frozen poses, moved by the two-phase step; count with
//! `valgrind --tool=callgrind --toggle-collect='*ConeProblem*solve*'` (or `*push*`).

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/rig/mod.rs"]
mod rig;

use palpable::math::{Vec3, Vec6};
use palpable::solve::cone::{ConeProblem, ConeReport, ConeSettings, Rule};
use rig::{Rig, cuboid, friction, tower};

const G: f64 = 9.81;
const H: f64 = 5e-3;

/// Rows of bricks, each one shorter than the row below; the last row has one brick.
fn pyramid(rows: &[usize]) -> Rig {
    let mut rig = Rig::default();
    let half = Vec3::new(1.0, 0.5, 0.5);
    let corners = |x0: f64, x1: f64| [(x0, -0.5), (x1, -0.5), (x1, 0.5), (x0, 0.5)];
    let mut below: Vec<(usize, f64)> = Vec::new();
    for (level, &count) in rows.iter().enumerate() {
        let mut row = Vec::new();
        for k in 0..count {
            let x = (k as f64 - 0.5 * (count as f64 - 1.0)) * 2.1;
            let b = rig.body(cuboid(1.0, half), Vec6::zeros());
            if level == 0 {
                for (px, py) in corners(-1.0, 1.0) {
                    rig.touch([None, Some((b, Vec3::new(px, py, -0.5)))], Vec3::z(), friction(0.5));
                }
            }
            for &(under, ux) in &below {
                let (x0, x1) = ((x - 1.0).max(ux - 1.0), (x + 1.0).min(ux + 1.0));
                if x1 - x0 > 0.01 {
                    for (px, py) in corners(x0, x1) {
                        let lower = Some((under, Vec3::new(px - ux, py, 0.5)));
                        let upper = Some((b, Vec3::new(px - x, py, -0.5)));
                        rig.touch([lower, upper], Vec3::z(), friction(0.5));
                    }
                }
            }
            row.push((b, x));
        }
        below = row;
    }
    rig
}

/// The same contacts as an impulse problem and as a midpoint problem.
struct Scene {
    impulse: Rig,
    midpoint: Rig,
    problem: ConeProblem,
}

impl Scene {
    fn new(impulse: Rig) -> Self {
        let mut midpoint = impulse.clone();
        midpoint.a.iter_mut().for_each(|a| *a *= 2.0 / H);
        let problem = impulse.problem();
        Self { impulse, midpoint, problem }
    }

    fn step(&mut self, settings: &ConeSettings) -> [ConeReport; 2] {
        self.impulse.fill(&mut self.problem);
        let first = self.problem.solve(settings, Rule::Impulse { rest_speed: 2.0 * G * H });
        for (b, u) in self.impulse.u.iter_mut().enumerate() {
            *u += Vec6::from_column_slice(self.problem.change(b));
            self.midpoint.u[b] = *u - Vec6::z() * (0.5 * H * G);
        }
        self.midpoint.fill(&mut self.problem);
        let idle = if first.busy > 0 { settings.tolerance } else { settings.idle };
        let settings = ConeSettings { idle, ..*settings };
        let second = self.problem.solve(&settings, Rule::Midpoint);
        for (b, u) in self.impulse.u.iter_mut().enumerate() {
            let mid = self.midpoint.u[b] + Vec6::from_column_slice(self.problem.change(b));
            *u = 2.0 * mid - *u;
        }
        for (i, touch) in self.midpoint.touches.iter_mut().enumerate() {
            touch.start = self.problem.lambda(i).to_vec();
        }
        [first, second]
    }
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number =
        |i: usize, default: usize| arguments.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (boxes, steps) = (number(1, 4), number(2, 3));
    let rig = match arguments.first().map_or("pyramid", String::as_str) {
        "tower" => tower(boxes, &vec![1.0; boxes], 0.5, 0.0),
        _ => pyramid(&[5, 4, 3, 1]),
    };
    let mut scene = Scene::new(rig);
    let settings = ConeSettings::default();
    for step in 0..steps {
        let [first, second] = scene.step(&settings);
        if step < 10 || step % 50 == 0 || step + 1 == steps {
            let fastest = scene.impulse.u.iter().fold(0.0f64, |a, u| a.max(u.amax()));
            println!(
                "{step}: {} points; sweeps {} + {}; residual {:.1e}, {:.1e}; speed {fastest:.1e}",
                scene.problem.len(),
                first.sweeps,
                second.sweeps,
                first.residual,
                second.residual
            );
        }
    }
}
