//! Bodies at frozen poses that touch: contact problems without a world, and an independent check
//! of their solutions with dense matrices.
#![allow(dead_code)]

use nalgebra::{DMatrix, DVector};
use palpable::math::{Mat6, Vec3, Vec6};
use palpable::solve::cone::{Capacity, ConeProblem, Contact, Law, Side};

use super::common::Random;

/// A contact between two bodies (or one and the world) at offsets from their centres.
#[derive(Clone)]
pub struct Touch {
    /// the bodies it pushes against `n` and along `n`
    pub on: [Option<(usize, Vec3)>; 2],
    pub n: Vec3,
    pub law: Law,
    pub target: f64,
    pub restitution: f64,
    pub start: Vec<f64>,
}

#[derive(Clone, Default)]
pub struct Rig {
    /// system matrix and contact-free velocity per body
    pub a: Vec<Mat6>,
    pub u: Vec<Vec6>,
    pub touches: Vec<Touch>,
}

pub fn friction(mu: f64) -> Law {
    Law::Frictional { mu }
}

/// `diag(m, m, m, inertia)`.
pub fn mass(m: f64, inertia: Vec3) -> Mat6 {
    Mat6::from_diagonal(&Vec6::new(m, m, m, inertia.x, inertia.y, inertia.z))
}

/// A box's mass matrix from half edges.
pub fn cuboid(m: f64, half: Vec3) -> Mat6 {
    let s = half.component_mul(&half) * (m / 3.0);
    mass(m, Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y))
}

/// `−S(l)` in the angular block: the gyroscopic part of a midpoint matrix.
pub fn spin(a: &mut Mat6, l: Vec3) {
    let skew = l.cross_matrix();
    for i in 0..3 {
        for j in 0..3 {
            a[(3 + i, 3 + j)] -= skew[(i, j)];
        }
    }
}

impl Rig {
    pub fn body(&mut self, a: Mat6, u: Vec6) -> usize {
        self.a.push(a);
        self.u.push(u);
        self.a.len() - 1
    }

    pub fn touch(&mut self, on: [Option<(usize, Vec3)>; 2], n: Vec3, law: Law) -> &mut Touch {
        let (target, restitution, start) = (0.0, 0.0, Vec::new());
        self.touches.push(Touch { on, n, law, target, restitution, start });
        self.touches.last_mut().expect("just added")
    }

    /// `J` of one touch towards one body, rows × 6.
    fn jacobian(&self, touch: &Touch, side: usize) -> DMatrix<f64> {
        let (_, r) = touch.on[side].expect("a body");
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let helper = if touch.n.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() };
        let t1 = touch.n.cross(&helper).normalize();
        let axes = [touch.n, t1, touch.n.cross(&t1)];
        let rows = match touch.law {
            Law::Unilateral | Law::Bounded { .. } => 1,
            Law::Frictional { .. } => 3,
            Law::Rolling { .. } => 6,
        };
        DMatrix::from_fn(rows, 6, |i, k| {
            let (linear, axis) = (i < 3, axes[i % 3]);
            let arm = if linear { r.cross(&axis) } else { axis };
            sign * if k >= 3 { arm[k - 3] } else { f64::from(u8::from(linear)) * axis[k] }
        })
    }

    /// Fills `problem`.
    pub fn fill(&self, problem: &mut ConeProblem) {
        problem.clear();
        for _ in &self.a {
            problem.group(6).expect("room for the body");
        }
        for touch in &self.touches {
            let mut data = Vec::new();
            for side in 0..2 {
                if let Some((b, _)) = touch.on[side] {
                    let j = self.jacobian(touch, side);
                    let inverse = self.a[b].try_inverse().expect("a regular matrix");
                    let inverse = DMatrix::from_fn(6, 6, |r, c| inverse[(r, c)]);
                    let y = &inverse * j.transpose();
                    let bias = &j * DVector::from_column_slice(self.u[b].as_slice());
                    // column-major storage of Jᵀ is row-major storage of J
                    data.push((b, j.transpose(), y, bias));
                }
            }
            let sides: Vec<Side> = data
                .iter()
                .map(|(group, j, y, _)| Side {
                    group: *group,
                    column: 0,
                    jacobian: j.as_slice(),
                    response: y.as_slice(),
                })
                .collect();
            let rows = data[0].3.len();
            let bias = data.iter().fold(DVector::zeros(rows), |sum, d| sum + &d.3);
            let contact = Contact {
                law: touch.law,
                target: touch.target,
                restitution: touch.restitution,
                bias: bias.as_slice(),
                carry: &[],
                start: &touch.start,
                sides: &sides,
            };
            problem.push(&contact).expect("room for the contact");
        }
    }

    /// A problem of the right size, filled.
    pub fn problem(&self) -> ConeProblem {
        let mut capacity = Capacity::bodies(self.a.len(), self.touches.len());
        for size in [&mut capacity.rows, &mut capacity.jacobian, &mut capacity.response] {
            *size *= 2;
        }
        let mut problem = ConeProblem::new(capacity);
        self.fill(&mut problem);
        problem
    }

    /// Dense `W` and `c` of all rows, made without the engine's buffers.
    pub fn dense(&self) -> (DMatrix<f64>, DVector<f64>) {
        let rows: usize = self
            .touches
            .iter()
            .map(|t| match t.law {
                Law::Unilateral | Law::Bounded { .. } => 1,
                Law::Frictional { .. } => 3,
                Law::Rolling { .. } => 6,
            })
            .sum();
        let n = 6 * self.a.len();
        let (mut a, mut j) = (DMatrix::zeros(n, n), DMatrix::zeros(rows, n));
        let mut u = DVector::zeros(n);
        for (b, block) in self.a.iter().enumerate() {
            a.view_mut((6 * b, 6 * b), (6, 6)).copy_from(block);
            u.rows_mut(6 * b, 6).copy_from(&self.u[b]);
        }
        let mut row = 0;
        for touch in &self.touches {
            let mut count = 0;
            for side in 0..2 {
                if let Some((b, _)) = touch.on[side] {
                    let block = self.jacobian(touch, side);
                    count = block.nrows();
                    let mut view = j.view_mut((row, 6 * b), (count, 6));
                    view += &block;
                }
            }
            row += count;
        }
        let response = a.lu().solve(&j.transpose()).expect("regular bodies");
        (&j * response, &j * u)
    }
}

/// Forces of all contacts in a row.
pub fn forces(problem: &ConeProblem) -> DVector<f64> {
    let all: Vec<f64> = (0..problem.len()).flat_map(|i| problem.lambda(i).to_vec()).collect();
    DVector::from_vec(all)
}

/// Random bodies with random contacts, masses 0.1 to 10, half of them against the world.
pub fn clutter(r: &mut Random, contacts: usize) -> Rig {
    let mut rig = Rig::default();
    let bodies = contacts / 3 + 1;
    for _ in 0..bodies {
        let m = r.decades(0.1, 10.0);
        let half = Vec3::new(r.between(0.05, 0.2), r.between(0.05, 0.2), r.between(0.05, 0.2));
        let (v, w) = (r.vector(1.0), r.vector(5.0));
        rig.body(cuboid(m, half), Vec6::new(v.x, v.y, v.z, w.x, w.y, w.z));
    }
    for _ in 0..contacts {
        let (b, other) = (r.below(bodies), r.below(bodies));
        let a = (other != b && r.below(2) == 0).then(|| (other, r.vector(0.2)));
        let n = (r.vector(1.0) + Vec3::z() * 0.5).normalize();
        let mu = r.between(0.0, 1.0);
        let at = r.vector(0.2);
        rig.touch([a, Some((b, at))], n, friction(mu));
    }
    rig
}

/// Makes a rig's matrices those of a midpoint step `h` with bodies turning at `omega`.
pub fn midpoint(rig: &mut Rig, h: f64, omega: f64, r: &mut Random) {
    for a in &mut rig.a {
        let inertia = Vec3::new(a[(3, 3)], a[(4, 4)], a[(5, 5)]);
        let l = inertia.component_mul(&r.vector(omega));
        *a *= 2.0 / h;
        spin(a, l);
    }
}

/// A tower of boxes, four contacts per face, falling at `speed`.
pub fn tower(boxes: usize, masses: &[f64], mu: f64, speed: f64) -> Rig {
    let mut rig = Rig::default();
    let half = Vec3::new(0.5, 0.5, 0.5);
    for (k, &m) in masses.iter().enumerate().take(boxes) {
        let b = rig.body(cuboid(m, half), Vec6::new(0.0, 0.0, -speed, 0.0, 0.0, 0.0));
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let below = (k > 0).then(|| (b - 1, Vec3::new(x, y, 0.5)));
            rig.touch([below, Some((b, Vec3::new(x, y, -0.5)))], Vec3::z(), friction(mu));
        }
    }
    rig
}

/// Sets a random lawful or unlawful start.
pub fn random_start(rig: &mut Rig, r: &mut Random, size: f64) {
    for touch in &mut rig.touches {
        touch.start = vec![
            r.between(-0.2, 1.0) * size,
            r.between(-1.0, 1.0) * size,
            r.between(-1.0, 1.0) * size,
        ];
    }
}
