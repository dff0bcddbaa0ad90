//! Articulated and flexible systems against closed forms, Runge-Kutta references, and reference
//! steps written here: the published arm and chain, and the carried-strain step in its first form.

use nalgebra::{Matrix2, SMatrix, SVector, Vector2};
use palpable::math::Mat6;
use palpable::model::{Lagrangian, Start, Terms};
use palpable::*;
use std::sync::Arc;

/// Two unit rods turning about z, springs of 10 and 5 N·m/rad on the joints.
mod arm {
    use super::*;

    pub const START: ([f64; 2], [f64; 2]) = ([1.0, -0.5], [2.0, -3.0]);
    pub const ENERGY: f64 = 7.580750771443;

    pub fn mass(q: &Vector2<f64>) -> Matrix2<f64> {
        let (own, c) = (1.0 / 12.0 + 0.25, q.y.cos());
        Matrix2::new(2.0 * own + 1.0 + c, own + 0.5 * c, own + 0.5 * c, own)
    }

    pub fn coriolis(q: &Vector2<f64>, w: &Vector2<f64>) -> Matrix2<f64> {
        let s = 0.5 * q.y.sin();
        Matrix2::new(-s * w.y, -s * (w.x + w.y), s * w.x, 0.0)
    }

    pub fn stiffness() -> Matrix2<f64> {
        Matrix2::new(10.0, 0.0, 0.0, 5.0)
    }

    /// The same arm in the engine.
    pub fn world() -> (World, SystemId) {
        let (q, w) = START;
        let inertia = Mat3::from_diagonal(&Vec3::new(2e-4, 1.0 / 12.0, 1.0 / 12.0));
        let mut chain = Chain::new("arm");
        let link = |name| Link::revolute(name).inertia(1.0, [0.5, 0.0, 0.0], inertia);
        let upper = chain.link(link("upper").start(q[0], w[0]));
        let lower = link("lower").on(upper).at([1.0, 0.0, 0.0], Rotation::identity());
        chain.link(lower.start(q[1], w[1]));
        let mut model = Model::ghosts();
        let id = model.chain(chain);
        model.spring(Spring::coordinate(id, 0).stiffness(10.0));
        model.spring(Spring::coordinate(id, 1).stiffness(5.0));
        (World::new(model.build().expect("an arm")), id)
    }
}

/// One step of the generalized form with all coefficients at `q_k` `[Kim2017, (36)-(40)]`: `root`
/// gives `H` with `M = H Hᵀ`, `gyro` the skew `Q` of `ξ = Hᵀ q̇`.
fn arm_step(
    q: &mut Vector2<f64>,
    xi: &mut Vector2<f64>,
    h: f64,
    root: impl Fn(&Matrix2<f64>) -> Matrix2<f64>,
    gyro: impl Fn(&Matrix2<f64>, &Matrix2<f64>) -> Matrix2<f64>,
) {
    let factor = root(&arm::mass(q));
    let inverse = factor.try_inverse().expect("regular");
    let w = inverse.transpose() * *xi;
    let skew = gyro(&factor, &arm::coriolis(q, &w));
    let stiff = inverse * arm::stiffness();
    let bracket = Matrix2::identity() * (2.0 / h) + skew + stiff * inverse.transpose() * (0.5 * h);
    let mid = bracket.try_inverse().expect("regular") * (*xi * (2.0 / h) - stiff * *q);
    *q += inverse.transpose() * mid * h;
    *xi = mid * 2.0 - *xi;
}

fn cholesky(m: &Matrix2<f64>) -> Matrix2<f64> {
    let a = m.m11.sqrt();
    let b = m.m21 / a;
    Matrix2::new(a, 0.0, b, (m.m22 - b * b).sqrt())
}

/// `Q = tril(P) − tril(P)ᵀ`, `P = L⁻¹ C L⁻ᵀ`.
fn cholesky_gyro(l: &Matrix2<f64>, c: &Matrix2<f64>) -> Matrix2<f64> {
    let inverse = l.try_inverse().expect("regular");
    let p = (inverse * c * inverse.transpose()).m21;
    Matrix2::new(0.0, -p, p, 0.0)
}

fn square_root(m: &Matrix2<f64>) -> Matrix2<f64> {
    let s = m.determinant().sqrt();
    (m + Matrix2::identity() * s) / (m.trace() + 2.0 * s).sqrt()
}

/// `Q = H⁻¹ C H⁻¹ − X H⁻¹` with `X H + H X = Ṁ`.
fn square_root_gyro(root: &Matrix2<f64>, c: &Matrix2<f64>) -> Matrix2<f64> {
    let rate = c + c.transpose();
    let (a, b, d) = (root.m11, root.m12, root.m22);
    // rows: entries 11, 12, 22 of X H + H X for symmetric X
    let sums = Mat3::new(2.0 * a, 2.0 * b, 0.0, b, a + d, b, 0.0, 2.0 * b, 2.0 * d);
    let x = sums.try_inverse().expect("regular") * Vec3::new(rate.m11, rate.m12, rate.m22);
    let inverse = root.try_inverse().expect("regular");
    inverse * c * inverse - Matrix2::new(x.x, x.y, x.y, x.z) * inverse
}

#[test]
fn the_published_arm_steps_to_its_regression_values() {
    let end = |steps: u32, sqrt: bool| {
        let (q, w) = (Vector2::from(arm::START.0), Vector2::from(arm::START.1));
        let root = if sqrt { square_root } else { cholesky };
        let gyro = if sqrt { square_root_gyro } else { cholesky_gyro };
        let (mut q, mut xi) = (q, root(&arm::mass(&q)).transpose() * w);
        (0..steps).for_each(|_| arm_step(&mut q, &mut xi, 1e-2, root, gyro));
        let energy = 0.5 * xi.norm_squared() + 0.5 * q.dot(&(arm::stiffness() * q));
        // the form is exact in energy with coefficients from anywhere
        assert!((energy / arm::ENERGY - 1.0).abs() < 1e-12, "{energy}");
        q
    };
    let values = [
        (1, false, [1.018909624921, -0.527015070058]),
        (100, false, [0.638277884010, -0.932685073340]),
        (1, true, [1.018918469597, -0.527058086053]),
        (100, true, [0.637844691018, -0.935400639516]),
    ];
    for (steps, sqrt, expected) in values {
        let off = (end(steps, sqrt) - Vector2::from(expected)).amax();
        assert!(off < 1e-9, "{steps} steps, square root {sqrt}: {off:.1e}");
    }
}

/// One step without input.
fn run(world: &mut World, h: f64) {
    assert_eq!(world.step(h, &Inputs::none()).status, Status::Taken);
}

fn order(errors: &[f64]) -> f64 {
    let n = errors.len() - 1;
    (errors[0] / errors[n]).log2() / n as f64
}

#[test]
fn the_arm_converges_to_its_ordinary_differential_equation() {
    // reference: Dormand-Prince at 1e-13, sound to 1e-9
    let (q_end, w_end) = ([0.632304079694, -0.919427631314], [-1.815126107202, 0.247732827087]);
    let errors: Vec<f64> = [4e-3f64, 2e-3, 1e-3]
        .iter()
        .map(|h| {
            let (mut world, id) = arm::world();
            assert!((world.energy().total() / arm::ENERGY - 1.0).abs() < 1e-12);
            (0..(1.0 / h).round() as u32).for_each(|_| run(&mut world, *h));
            assert!((world.energy().total() / arm::ENERGY - 1.0).abs() < 1e-12);
            let mut w = [0.0; 2];
            world.coordinate_rates(id, &mut w);
            let q = world.coordinates(id);
            let off = |i: usize| (q[i] - q_end[i]).abs().max((w[i] - w_end[i]).abs());
            off(0).max(off(1))
        })
        .collect();
    println!("{errors:?} order {:.2}", order(&errors));
    assert!(order(&errors) > 1.9 && errors[2] < 1e-4, "{errors:?}");
}

type Mat12 = SMatrix<f64, 12, 12>;
type Rows = SMatrix<f64, 6, 12>;
type Vec12 = SVector<f64, 12>;

/// Two pinned links of 0.1 m and 1 g, dense, with exponential maps: the reference steps.
struct TwoLinks {
    x: [Vec3; 2],
    r: [Mat3; 2],
    u: Vec12,
    g: Vec6,
    stiffness: f64,
    tank: f64,
    mids: Vec<Vec12>,
}

const SPINS: [[f64; 3]; 2] = [[1.0, 2.0, 10.0], [-2.0, 1.0, 14.0]];
const MOMENTS: [f64; 3] = [4e-7, 1e-6, 1e-6];
const MASS: f64 = 1e-3;
const HALF: Vec3 = Vec3::new(0.05, 0.0, 0.0);
const CHAIN_ENERGY: f64 = 0.00175775;

fn skew(a: Vec3) -> Mat3 {
    a.cross_matrix()
}

/// `[c₁, c₂]` with `exp S(a) = 1 + c₁ S + c₂ S²`, and those of its left Jacobian.
fn series(a: &Vec3) -> ([f64; 2], [f64; 2]) {
    let t = a.norm();
    if t < 1e-6 {
        return ([1.0, 0.5], [0.5, 1.0 / 6.0]);
    }
    let versine = (1.0 - t.cos()) / (t * t);
    ([t.sin() / t, versine], [versine, (t - t.sin()) / (t * t * t)])
}

fn polynomial([a, b]: [f64; 2], v: Vec3) -> Mat3 {
    Mat3::identity() + skew(v) * a + skew(v) * skew(v) * b
}

fn velocities_of_chain() -> [Vec3; 2] {
    let [w0, w1] = SPINS.map(Vec3::from);
    let first = w0.cross(&HALF);
    [first, 2.0 * first + w1.cross(&HALF)]
}

impl TwoLinks {
    fn new(stiffness: f64) -> Self {
        let v = velocities_of_chain();
        let mut u = Vec12::zeros();
        for i in 0..2 {
            u.fixed_rows_mut::<3>(6 * i).copy_from(&v[i]);
            u.fixed_rows_mut::<3>(6 * i + 3).copy_from(&Vec3::from(SPINS[i]));
        }
        let x = [HALF, 3.0 * HALF];
        let (r, g) = ([Mat3::identity(); 2], Vec6::zeros());
        Self { x, r, u, g, stiffness, tank: 0.0, mids: Vec::new() }
    }

    fn mass() -> Mat12 {
        let moments = Vec3::from(MOMENTS);
        let of = |i: usize| if i % 6 < 3 { MASS } else { moments[i % 3] };
        Mat12::from_diagonal(&Vec12::from_fn(|i, _| of(i)))
    }

    fn turn(u: &Vec12, i: usize) -> Vec3 {
        u.fixed_rows::<3>(6 * i + 3).into_owned()
    }

    /// Openings of the pin and of the joint [m].
    fn gaps(&self) -> Vec6 {
        let [a, b] = [0, 1].map(|i| (self.x[i] - self.r[i] * HALF, self.x[i] + self.r[i] * HALF));
        let mut g = Vec6::zeros();
        g.fixed_rows_mut::<3>(0).copy_from(&a.0);
        g.fixed_rows_mut::<3>(3).copy_from(&(b.0 - a.1));
        g
    }

    /// Rows of the openings, as secants over a step of turns `h ω`.
    fn rows(&self, turns: [Vec3; 2]) -> Rows {
        let lever = |i: usize, arm: Vec3| {
            -self.r[i] * polynomial(series(&turns[i]).1, turns[i]) * skew(arm)
        };
        let (mut j, one) = (Rows::zeros(), Mat3::identity());
        j.fixed_view_mut::<3, 3>(0, 0).copy_from(&one);
        j.fixed_view_mut::<3, 3>(0, 3).copy_from(&lever(0, -HALF));
        j.fixed_view_mut::<3, 3>(3, 6).copy_from(&one);
        j.fixed_view_mut::<3, 3>(3, 9).copy_from(&lever(1, -HALF));
        j.fixed_view_mut::<3, 3>(3, 0).copy_from(&-one);
        j.fixed_view_mut::<3, 3>(3, 3).copy_from(&-lever(0, HALF));
        j
    }

    /// `2M/h − S(I ω)`.
    fn inertia(u: &Vec12, h: f64) -> Mat12 {
        let mut a = Self::mass() * (2.0 / h);
        for i in 0..2 {
            let spin = skew(Self::turn(u, i).component_mul(&Vec3::from(MOMENTS)));
            let mut block = a.fixed_view_mut::<3, 3>(6 * i + 3, 6 * i + 3);
            block -= spin;
        }
        a
    }

    fn shift(&mut self, step: &Vec12) {
        for i in 0..2 {
            self.x[i] += step.fixed_rows::<3>(6 * i);
            let turn = Self::turn(step, i);
            self.r[i] *= polynomial(series(&turn).0, turn);
        }
    }

    fn energy(&self) -> f64 {
        let kinetic = 0.5 * self.u.dot(&(Self::mass() * self.u));
        kinetic + 0.5 * self.stiffness * self.g.norm_squared() + self.tank
    }

    /// `[Kim2017, (26)]`: everything at the start of the step, strain measured anew.
    fn published(&mut self, h: f64) {
        let (j, k) = (self.rows([Vec3::zeros(); 2]), self.stiffness);
        let a = Self::inertia(&self.u, h) + j.transpose() * j * (0.5 * h * k);
        let b = Self::mass() * self.u * (2.0 / h) - j.transpose() * self.g * k;
        let mid = a.lu().solve(&b).expect("regular");
        self.u = mid * 2.0 - self.u;
        self.shift(&(mid * h));
        self.g = self.gaps();
    }

    /// The carried-strain step with the extrapolated midpoint, one projection and full booking.
    fn carried(&mut self, h: f64) {
        let guess = match self.mids.as_slice() {
            [] => self.u,
            [one] => *one,
            [.., before, last] => last * 2.0 - before,
        };
        let j = self.rows([0, 1].map(|i| Self::turn(&guess, i) * h));
        let inverse = Self::inertia(&guess, h).try_inverse().expect("regular");
        let free = inverse * Self::mass() * self.u * (2.0 / h);
        let soft = Mat6::identity() * (2.0 / (self.stiffness * h));
        let dual = j * inverse * j.transpose() + soft;
        let force = dual.lu().solve(&(-self.g * (2.0 / h) - j * free)).expect("regular");
        let mid = free + inverse * j.transpose() * force;
        self.g += j * mid * h;
        self.u = mid * 2.0 - self.u;
        self.shift(&(mid * h));
        self.mids.push(mid);
        self.project();
    }

    fn project(&mut self) {
        let j = self.rows([Vec3::zeros(); 2]);
        let light = Self::mass().try_inverse().expect("regular");
        let mut w = j * light * j.transpose();
        w += Mat6::identity() * (1e-9 * w.trace() / 6.0);
        let push = w.lu().solve(&(self.g - self.gaps())).expect("regular");
        self.shift(&(light * j.transpose() * push));
        let (k, gaps) = (0.5 * self.stiffness, self.gaps());
        let need = k * gaps.norm_squared() - k * self.g.norm_squared() - self.tank;
        self.tank = (-need).max(0.0);
        self.g = gaps;
        let kinetic = 0.5 * self.u.dot(&(Self::mass() * self.u));
        assert!(need < 0.5 * kinetic, "the motion can pay");
        self.u *= (1.0 - need.max(0.0) / kinetic).sqrt();
    }
}

#[test]
fn the_published_chain_multiplies_its_energy_in_one_step() {
    let mut chain = TwoLinks::new(1e7);
    assert!((chain.energy() / CHAIN_ENERGY - 1.0).abs() < 1e-12);
    chain.published(1e-2);
    assert!((chain.energy() / 3.18154919921235 - 1.0).abs() < 1e-9, "{}", chain.energy());
    // and so does the engine's published scheme, for the same reason
    let mut world = engine_chain(1e7, Scheme::PublishedMidpoint).0;
    let _ = world.step(1e-2, &Inputs::none());
    assert!((world.energy().total() / 3.18154919921235 - 1.0).abs() < 1e-9);
}

#[test]
fn the_carried_strain_steps_to_its_regression_values() {
    let mut chain = TwoLinks::new(1e7);
    (0..10).for_each(|_| chain.carried(1e-2));
    let expected = Vec3::new(0.062526473238, 0.134768677911, -0.020369860889);
    let off = (chain.x[1] - expected).norm();
    assert!(off < 1e-9, "{off:.1e}");
    assert!((chain.energy() / CHAIN_ENERGY - 1.0).abs() < 1e-12, "{}", chain.energy());
}

/// The same chain in the engine.
fn engine_chain(stiffness: f64, scheme: Scheme) -> (World, BodyId) {
    let mut model = Model::ghosts();
    let v = velocities_of_chain();
    let mut end = Anchor::world([0.0; 3]);
    let mut last = None;
    for i in 0..2 {
        let body = Body::new(format!("link{i}")).principal_inertia(MASS, MOMENTS);
        let body = body.position(HALF * (1.0 + 2.0 * i as f64)).velocity(v[i]);
        let link = model.body(body.angular_velocity(SPINS[i]));
        model.joint(Joint::ball(link.at(-HALF), end).stiffness(stiffness));
        end = link.at(HALF);
        last = Some(link);
    }
    let options = Options { scheme, joint_loss: 0.0, ..Default::default() };
    let world =
        World::with_options(model.build().expect("a chain"), options).expect("options that fit");
    (world, last.expect("two links"))
}

#[test]
fn the_chain_converges_to_its_ordinary_differential_equation() {
    // the joints ring at 3000 rad/s, which these steps resolve
    let expected = Vec3::new(0.062478025067, 0.134805232768, -0.020383951893);
    let errors: Vec<f64> = [1e-4f64, 5e-5, 2.5e-5]
        .iter()
        .map(|h| {
            let (mut world, last) = engine_chain(1e3, Scheme::PassiveMidpoint);
            (0..(0.1 / h).round() as u32).for_each(|_| run(&mut world, *h));
            assert!((world.energy().total() / CHAIN_ENERGY - 1.0).abs() < 1e-11);
            (world.pose(last).position - expected).norm()
        })
        .collect();
    println!("{errors:?} order {:.2}", order(&errors));
    assert!(order(&errors) > 1.9 && errors[2] < 2e-7, "{errors:?}");
}

/// Independent masses on their coordinates: a user's own subsystem.
#[derive(Debug)]
struct Masses(Vec<f64>);

impl Lagrangian for Masses {
    fn freedoms(&self) -> usize {
        self.0.len()
    }
    fn links(&self) -> usize {
        1
    }
    fn configure(&self, _q: &[f64], _gravity: &Vec3, out: &mut Terms) {
        self.0.iter().enumerate().for_each(|(i, m)| out.mass[(i, i)] = *m);
    }
    fn coriolis(&self, _q: &[f64], _w: &[f64], _out: &mut Terms) {}
}

const PRINTED_HZ: [f64; 3] = [11.91, 74.65, 209.03];

#[test]
fn three_modes_turn_by_their_closed_form_for_1e4_steps() {
    let mut model = Model::ghosts();
    let (mass, sizes) = (1.4683, [0.01, 0.002, 0.0005]);
    let law = Arc::new(Masses(vec![mass; 3]));
    let start = Start { q: sizes.to_vec(), w: vec![0.0; 3] };
    let id = model.lagrangian("modes", law, start, vec![0.0; 3]);
    for (i, hertz) in PRINTED_HZ.iter().enumerate() {
        let omega = 2.0 * std::f64::consts::PI * hertz;
        model.spring(Spring::coordinate(id, i).stiffness(mass * omega * omega));
    }
    let mut world = World::new(model.build().expect("three modes"));
    let energy = world.energy().total();
    (0..10_000).for_each(|_| run(&mut world, 1e-3));
    let expected = [9.6122219018e-03, 1.4062672482e-05, -4.4228086783e-04];
    for (i, q) in world.coordinates(id).iter().enumerate() {
        assert!((q - expected[i]).abs() < 1e-9 * sizes[i], "mode {i}: {q}");
    }
    assert!((world.energy().total() / energy - 1.0).abs() < 1e-12);
}

/// The beam of `[Kim2017 sec. 5.2]`: 0.907 x 0.05 x 0.012 m of aluminium, 1.4683 kg.
fn aluminium() -> Beam {
    Beam::rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9)
}

#[test]
fn a_beam_of_aluminium_has_the_printed_frequencies() {
    for (i, hertz) in PRINTED_HZ.iter().enumerate() {
        let found = aluminium().frequency(i) / (2.0 * std::f64::consts::PI);
        assert!((found / hertz - 1.0).abs() < 1e-3, "mode {i}: {found} Hz");
    }
    let computed = [11.9077, 74.6244, 208.9504];
    for (i, hertz) in computed.iter().enumerate() {
        let found = aluminium().frequency(i) / (2.0 * std::f64::consts::PI);
        assert!((found - hertz).abs() < 1e-4, "mode {i}: {found} Hz");
    }
}

#[test]
fn the_midpoint_rule_lowers_the_modes_of_a_beam_as_it_must() {
    let h = 1e-3;
    for (i, printed) in [11.904, 73.325, 184.958].iter().enumerate() {
        let mut start = vec![(0.0, 0.0); 3];
        start[i].0 = 1e-3;
        let mut model = Model::ghosts();
        let id = model.beam(aluminium().start(start));
        let mut world = World::new(model.build().expect("a beam"));
        // time between crossings of zero upwards, interpolated by phase: x = cos θn
        let (mut turns, mut last, mut first, mut end) = (-1.0, 1.0, 0.0, 0.0);
        for n in 1..=4000 {
            let _ = world.step(h, &Inputs::none());
            let q = world.coordinates(id)[i] / 1e-3;
            if last < 0.0 && q >= 0.0 {
                let phase = |q: f64| f64::asin(q.clamp(-1.0, 1.0));
                let part = phase(q) / (phase(q) - phase(last));
                end = f64::from(n) - part;
                turns += 1.0;
                first = if turns == 0.0 { end } else { first };
            }
            last = q;
        }
        let found = turns / ((end - first) * h);
        let omega = aluminium().frequency(i);
        let lowered = 2.0 * (0.5 * omega * h).atan() / h / (2.0 * std::f64::consts::PI);
        println!("mode {i}: {found} Hz, closed form {lowered}");
        // phases of single samples are exact, so only rounding is left
        assert!((found / lowered - 1.0).abs() < 1e-9, "{found} {lowered}");
        assert!((lowered / printed - 1.0).abs() < 1e-3, "{lowered} {printed}");
    }
}

#[test]
fn a_clamped_beam_sags_under_a_load_at_its_tip_as_a_cantilever() {
    // F L³ / (3 E I), of which ten modes leave out 12 Σ 1/z⁴ beyond them: 4e-5
    let (length, rigidity, force) = (0.907f64, 68.9e9 * 0.05 * 0.012f64.powi(3) / 12.0, 5.0);
    let mut model = Model::ghosts();
    let id = model.beam(aluminium().modes(10).damping_ratio(1.0).stations(0));
    let tip = model.port(Port::force("tip", id.link(1).origin()));
    let mut world = World::new(model.build().expect("a beam"));
    let mut inputs = world.inputs();
    inputs.force(tip, [0.0, force, 0.0]);
    for _ in 0..2000 {
        let _ = world.step(1e-3, &inputs);
    }
    let sag = world.pose(id.link(1)).position.y;
    let exact = force * length.powi(3) / (3.0 * rigidity);
    println!("{sag} {exact} {}", sag / exact - 1.0);
    assert!((sag / exact - 1.0).abs() < 1e-4, "{sag} {exact}");
}
