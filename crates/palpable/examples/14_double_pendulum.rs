//! Two rods on hard hinges, against the equations of motion in their two angles.

use palpable::{Anchor, Body, BuildErrors, Inputs, Joint, Model, World};

const LENGTH: f64 = 0.4;
const MASS: f64 = 0.2;
/// Half the thickness of a rod \[m\].
const HALF: f64 = 0.01;
const GRAVITY: f64 = 9.81;

/// Both rods level, hung at a height of 1 m.
fn build() -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    model.gravity([0.0, -GRAVITY, 0.0]);
    let rod = |name: &str, x: f64| {
        Body::cuboid(name, [0.5 * LENGTH, HALF, HALF]).mass(MASS).position([x, 1.0, 0.0])
    };
    let upper = model.body(rod("upper", 0.5 * LENGTH));
    let lower = model.body(rod("lower", 1.5 * LENGTH));
    let (start, end) = ([-0.5 * LENGTH, 0.0, 0.0], [0.5 * LENGTH, 0.0, 0.0]);
    // a hinge turns about the z axis of its frames, which is that of the world here
    model.joint(Joint::hinge(upper.at(start), Anchor::world([0.0, 1.0, 0.0])));
    model.joint(Joint::hinge(lower.at(start), upper.at(end)));
    Ok(World::new(model.build()?))
}

/// Angles from the vertical and their rates: `[θ1, θ2, θ1', θ2']`.
type State = [f64; 4];

/// Lagrange's equations of two equal rods.
fn rates([a, b, a_rate, b_rate]: State) -> State {
    let moment = MASS * (LENGTH * LENGTH + 4.0 * HALF * HALF) / 12.0;
    let square = MASS * LENGTH * LENGTH;
    let m22 = moment + 0.25 * square;
    let (m11, m12) = (m22 + square, 0.5 * square * (a - b).cos());
    let whirl = 0.5 * square * (a - b).sin();
    let weight = MASS * GRAVITY * LENGTH;
    let fa = -whirl * b_rate * b_rate - 1.5 * weight * a.sin();
    let fb = whirl * a_rate * a_rate - 0.5 * weight * b.sin();
    let det = m11 * m22 - m12 * m12;
    [a_rate, b_rate, (m22 * fa - m12 * fb) / det, (m11 * fb - m12 * fa) / det]
}

/// Fourth-order Runge-Kutta, steps short enough to call the result exact.
fn exact(time: f64) -> State {
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut s = [quarter, quarter, 0.0, 0.0];
    let h = time / 20_000.0;
    let along = |s: &State, k: &State, h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
    for _ in 0..20_000 {
        let k1 = rates(s);
        let k2 = rates(along(&s, &k1, 0.5 * h));
        let k3 = rates(along(&s, &k2, 0.5 * h));
        let k4 = rates(along(&s, &k3, h));
        s = std::array::from_fn(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    s
}

/// Distance of the lower rod's middle from where it should be after 1 s \[m\].
fn error(h: f64) -> Result<f64, BuildErrors> {
    let mut world = build()?;
    let lower = world.body_named("lower").expect("it was just added");
    let mut gap: f64 = 0.0;
    for _ in 0..(1.0 / h).round() as u32 {
        gap = gap.max(world.step(h, &Inputs::none()).gap);
    }
    let [a, b, ..] = exact(1.0);
    let x = LENGTH * (a.sin() + 0.5 * b.sin());
    let y = 1.0 - LENGTH * (a.cos() + 0.5 * b.cos());
    let at = world.pose(lower).position;
    let error = (at.x - x).hypot(at.y - y);
    println!("h = {:.1} ms: off by {error:.1e} m, hinges open by {gap:.0e} m", 1e3 * h);
    assert!(gap < 1e-9 && world.audit().is_clean(), "{}", world.audit());
    Ok(error)
}

fn main() -> Result<(), BuildErrors> {
    let errors = [error(2e-3)?, error(1e-3)?, error(5e-4)?];
    let order = (errors[0] / errors[2]).log2() / 2.0;
    println!("the error falls with the step to the power of {order:.2}");
    assert!(errors[2] < 1e-5 && order > 1.9);
    Ok(())
}
