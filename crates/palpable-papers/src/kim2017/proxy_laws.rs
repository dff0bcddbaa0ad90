//! A proxy of 1 g on a spring against a wall, by the laws of contact that were tried.
//!
//! The printed ones are solved by Lemke's method on the pyramid; the others have a closed form for
//! a point; the last is the engine's own step.

use crate::PaperError;
use palpable::solve::cone::pyramid::Printed;
use palpable::solve::cone::{Capacity, ConeProblem, Contact, Law as Rubs, Side};
use palpable::{Body, Material, Model, Port, PortInput, Rotation, Vec3, Vec6, World};

const MASS: f64 = 1e-3;
const STIFFNESS: f64 = 1000.0;
const FRICTION: f64 = 0.5;
/// Sides of the printed pyramid.
const SIDES: usize = 8;
/// Length of a run \[s\].
const DURATION: f64 = 20.0;
/// Where a run that gains without bound is stopped \[J\].
const LOST: f64 = 1e6;
/// The proxy starts this far from the hand, so that it swings about it \[m\].
const OFF: Vec3 = Vec3::new(2e-3, 1e-3, 3e-3);

/// Which law of contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Law {
    /// `[Kim2017, (34)]`: conditions on `V̂`.
    Elastic,
    /// The same on `V_{k+1}`.
    Plastic,
    /// `û_n ≥ ½ min(u⁻_n, 0)`, friction at `û_t`.
    Clamped,
    /// The same with friction at `û_t − ½ u⁻_t`.
    Shifted,
    /// Impulse, then midpoint; only what already overlaps takes part.
    TwoPhase,
    /// The engine: two phases, and gaps may close but not cross.
    Engine,
}

/// Height of the proxy over the wall \[m\], and the energy that contact gave so far \[J\].
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    pub time: Vec<f64>,
    pub height: Vec<f64>,
    pub gained: Vec<f64>,
}

impl Run {
    fn take(&mut self, time: f64, height: f64, works: [f64; 2]) {
        let gained = works.into_iter().map(|w| w.max(0.0)).sum::<f64>();
        self.gained.push(self.total() + gained);
        self.time.push(time);
        self.height.push(height);
    }

    /// Sum of the positive work of contact \[J\].
    pub(super) fn total(&self) -> f64 {
        self.gained.last().copied().unwrap_or(0.0)
    }

    /// Furthest inside the wall \[m\].
    pub(super) fn depth(&self) -> f64 {
        self.height.iter().fold(0.0, |deepest: f64, z| deepest.max(-z))
    }
}

/// Where the hand is: in and out of the wall, and along it \[m\].
pub(super) fn hand(t: f64) -> Vec3 {
    Vec3::new(0.05 * (9.0 * t).sin(), 0.02 * (7.0 * t).sin(), 0.02 * (10.0 * t).cos() - 0.01)
}

/// Runs a law at steps of `h` \[s\].
pub(super) fn simulate(law: Law, h: f64) -> Result<Run, PaperError> {
    if law == Law::Engine { engine(h) } else { Point::new(law, h).run() }
}

/// `(2m/h + h K/2) v̂ = 2m/h v + K (y − x) + λ`.
struct Point {
    law: Law,
    h: f64,
    mobility: f64,
    x: Vec3,
    v: Vec3,
    /// friction left over from the last step \[N·s\]
    capacity: f64,
    problem: ConeProblem,
}

impl Point {
    fn new(law: Law, h: f64) -> Self {
        Self {
            law,
            h,
            mobility: 1.0 / (2.0 * MASS / h + 0.5 * h * STIFFNESS),
            x: hand(0.0) + OFF,
            v: Vec3::zeros(),
            capacity: 0.0,
            problem: ConeProblem::new(Capacity::bodies(1, 1)),
        }
    }

    fn run(mut self) -> Result<Run, PaperError> {
        let mut run = Run::default();
        for n in 1..=(DURATION / self.h) as u32 {
            let time = f64::from(n) * self.h;
            let works = self.step(hand(time))?;
            run.take(time, self.x.z, works);
            if run.total() > LOST {
                break;
            }
        }
        Ok(run)
    }

    /// Works of the impulse and of the force \[J\].
    fn step(&mut self, hand: Vec3) -> Result<[f64; 2], PaperError> {
        let touches = self.x.z <= 0.0;
        let mut struck = 0.0;
        if touches && self.law == Law::TwoPhase {
            let p = push(&self.v, 1.0 / MASS, 0.0, &Vec3::zeros(), self.capacity);
            struck = p.dot(&self.v) + 0.5 * p.norm_squared() / MASS;
            self.v += p / MASS;
        }
        let pull = (hand - self.x) * STIFFNESS;
        let free = (self.v * (2.0 * MASS / self.h) + pull) * self.mobility;
        let force = if touches { self.force(&free)? } else { Vec3::zeros() };
        let mid = free + force * self.mobility;
        self.capacity = self.h * (FRICTION * force.z - force.xy().norm()).max(0.0);
        if mid.xy().norm() * self.h > 1e-9 {
            self.capacity = 0.0;
        }
        self.x += mid * self.h;
        self.v = mid * 2.0 - self.v;
        Ok([struck, self.h * force.dot(&mid)])
    }

    fn force(&mut self, free: &Vec3) -> Result<Vec3, PaperError> {
        let half = self.v * 0.5;
        let none = Vec3::zeros();
        Ok(match self.law {
            Law::Elastic | Law::Plastic => self.printed(free)?,
            Law::Clamped => push(free, self.mobility, half.z.min(0.0), &none, 0.0),
            Law::Shifted => push(free, self.mobility, half.z.min(0.0), &half, 0.0),
            Law::TwoPhase | Law::Engine => push(free, self.mobility, 0.0, &none, 0.0),
        })
    }

    /// `[Kim2017, (34)]` with one contact.
    fn printed(&mut self, free: &Vec3) -> Result<Vec3, PaperError> {
        let problem = &mut self.problem;
        problem.clear();
        // rows: normal, then the two tangents
        let rows = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let answers = rows.map(|r| r * self.mobility);
        let full = PaperError::Missing { what: "room for a point in the problem" };
        let group = problem.group(3).ok_or(full)?;
        let sides = [Side { group, column: 0, jacobian: &rows, response: &answers }];
        let law = Rubs::Frictional { mu: FRICTION };
        let bias = [free.z, free.x, free.y];
        let (target, restitution, start) = (0.0, 0.0, &[][..]);
        let contact =
            Contact { law, target, restitution, bias: &bias, carry: &[], start, sides: &sides };
        // there is room for one
        let _ = problem.push(&contact);
        let before = [self.v.z, self.v.x, self.v.y];
        let plastic = self.law == Law::Plastic;
        let law = if plastic { Printed::Plastic(&before) } else { Printed::Elastic };
        problem.solve_printed(SIDES, law)?;
        Ok(Vec3::from_column_slice(problem.change(0)) / self.mobility)
    }
}

/// What a point that would move at `free` needs: `v_n ≥ target`, friction against `v_t − shift`.
fn push(free: &Vec3, mobility: f64, target: f64, shift: &Vec3, capacity: f64) -> Vec3 {
    let normal = ((target - free.z) / mobility).max(0.0);
    let mut force = (shift - free) / mobility;
    force.z = 0.0;
    let (size, most) = (force.norm(), FRICTION * normal + capacity);
    if size > most {
        force *= most / size;
    }
    force.z = normal;
    force
}

fn engine(h: f64) -> Result<Run, PaperError> {
    const RADIUS: f64 = 5e-3;
    let (mut model, rough) = (Model::builder(), Material::new(FRICTION, 0.0));
    model.contacts(0);
    model.body(Body::half_space("wall").material(rough));
    let up = Vec3::z() * RADIUS;
    let ball = Body::sphere("proxy", RADIUS).mass(MASS).position(hand(0.0) + OFF + up);
    let ball = model.body(ball.material(rough));
    let k = Vec6::new(STIFFNESS, STIFFNESS, STIFFNESS, 0.0, 0.0, 0.0);
    let port = model.port(Port::reference("hand", ball.origin(), k, Vec6::zeros()));
    let mut world = World::new(model.build()?);
    let (mut inputs, mut run) = (world.inputs(), Run::default());
    for n in 1..=(DURATION / h) as u32 {
        let time = f64::from(n) * h;
        let (position, rotation) = (hand(time) + up, Rotation::identity());
        inputs.set(port, PortInput::Reference { position, rotation });
        let flows = world.step(h, &inputs).entry.flows;
        let height = world.pose(ball).position.z - RADIUS;
        run.take(time, height, [-flows.friction, -flows.impact]);
    }
    Ok(run)
}
