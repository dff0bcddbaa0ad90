//! Two hands put a peg into a box: the task of `[Kim2017 sec. 5.1]`, from the scene of the gallery.

use super::solids;
use crate::PaperError;
use palpable::coupling::Cutaneous;
use palpable::{BodyId, Rotation, Vec3, World};
use palpable_record::figure::Color;
use palpable_record::picture::Solid;
use palpable_scene::{Built, Scene};

const TEXT: &str = include_str!("../../../../scenes/peg-two-hands.toml");
/// Time constant of the filter before the pads \[s\].
const FILTER: f64 = 0.010;
/// Step \[s\].
pub(super) const STEP: f64 = 1e-3;
/// Finger tips that touch something in the task.
pub(super) const TIPS: [&str; 7] = [
    "right index far",
    "right middle far",
    "right ring far",
    "right thumb far",
    "left middle far",
    "left ring far",
    "left thumb far",
];

/// What is seen along the task.
pub(super) struct Task {
    pub time: Vec<f64>,
    /// Force on each tip in its own axes, z into the pad, as it is and after the filter \[N\].
    pub raw: Vec<[Vec3; 7]>,
    pub felt: Vec<[Vec3; 7]>,
    /// Where the peg is in the axes of the box \[m\].
    pub peg: Vec<Vec3>,
    /// Largest strain of a joint \[m\].
    pub stretch: f64,
    /// Largest relative defect of a step's account.
    pub defect: f64,
    /// Energy that nobody accounts for \[J\], and whether the audit is clean.
    pub closure: f64,
    pub is_clean: bool,
}

/// A run of the task.
pub(super) struct Run {
    built: Built,
    world: World,
    filters: Vec<Cutaneous>,
    pub task: Task,
}

/// From the axes of a tip to those of its pad, whose z points into it: fingers close along
/// their body's x, the thumb against it.
fn pad(name: &str) -> Rotation {
    let angle = if name.ends_with("thumb far") { 1.0 } else { -1.0 };
    Rotation::from_axis_angle(&Vec3::y_axis(), angle * std::f64::consts::FRAC_PI_2)
}

fn tip(name: &str) -> Color {
    let hues = [Color::VERMILION, Color::ORANGE, Color::GREEN, Color::BLUE];
    let names = ["index", "middle", "ring", "thumb"];
    let found = names.iter().position(|n| name.contains(n)).map(|i| hues[i]);
    found.unwrap_or(Color::SKY)
}

impl Run {
    pub(super) fn new() -> Result<Self, PaperError> {
        let built = Scene::parse(TEXT, "peg-two-hands.toml")?.build()?;
        let world = built.world();
        let filters = TIPS.iter().map(|_| Cutaneous::new(FILTER)).collect::<Result<_, _>>()?;
        let (time, raw, felt, peg) = Default::default();
        let (stretch, defect, closure, is_clean) = (0.0, 0.0, 0.0, true);
        let task = Task { time, raw, felt, peg, stretch, defect, closure, is_clean };
        Ok(Self { built, world, filters, task })
    }

    pub(super) fn duration(&self) -> f64 {
        self.built.duration
    }

    pub(super) fn time(&self) -> f64 {
        self.world.time()
    }

    fn body(&self, name: &str) -> BodyId {
        // a name that is not there gives a body at the origin, which the checks see
        self.world.body_named(name).unwrap_or(BodyId::from_index(usize::MAX))
    }

    /// One step of the scripted task.
    pub(super) fn step(&mut self, inputs: &mut palpable::Inputs) {
        self.built.script.inputs(self.world.time(), inputs);
        let report = self.world.step(STEP, inputs);
        let mut rows = [[Vec3::zeros(); 7]; 2];
        for (i, name) in TIPS.iter().enumerate() {
            let id = self.body(name);
            let turn = self.world.pose(id).rotation * pad(name);
            let force = self.world.contact_force(id);
            rows[0][i] = turn.inverse() * force;
            rows[1][i] = self.filters[i].update(&force, &turn, STEP).force;
        }
        let holes = self.world.pose(self.body("box"));
        let peg = self.world.pose(self.body("peg")).position - holes.position;
        let task = &mut self.task;
        task.time.push(self.world.time());
        task.raw.push(rows[0]);
        task.felt.push(rows[1]);
        task.peg.push(holes.rotation.inverse() * peg);
        task.defect = task.defect.max(report.entry.relative_defect().abs());
        let joints = self.world.model().elements().iter().enumerate().filter(|(_, e)| e.joint);
        for (i, _) in joints {
            let strain = self.world.element(i).map(|id| self.world.strain(id)).unwrap_or_default();
            task.stretch = task.stretch.max(strain.norm());
        }
    }

    pub(super) fn inputs(&self) -> palpable::Inputs {
        self.world.inputs()
    }

    /// Runs to the end.
    pub(super) fn finish(mut self, mut each: impl FnMut(&Self)) -> Task {
        let mut inputs = self.inputs();
        while !self.built.is_over(self.world.time()) {
            self.step(&mut inputs);
            each(&self);
        }
        let audit = self.world.audit();
        (self.task.closure, self.task.is_clean) = (audit.closure, audit.is_clean());
        self.task
    }

    /// What is there now.
    pub(super) fn solids(&self) -> Vec<Solid> {
        let color = |name: &str| match name {
            "peg" => Color::new(0xe0, 0x8a, 0x2c),
            "box" => Color::new(0x8a, 0x9b, 0xb0),
            name if name.starts_with("right") => Color::new(0x3f, 0x8f, 0xd8),
            _ => Color::new(0x3a, 0xa8, 0x7c),
        };
        solids::seen(&self.world, &self.built.looks, color)
    }
}

/// Colour of the curve of a tip.
pub(super) fn curve_color(name: &str) -> Color {
    tip(name)
}
