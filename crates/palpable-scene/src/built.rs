//! A scene put together.

use crate::record::RecordPlan;
use crate::script::Script;
use crate::steps::Steps;
use crate::urdf::{Form, Mounted, Remark, Robot};
use palpable::coupling::Rendering;
use palpable::{Model, Options, Pose, SystemId, Vec3, World};

/// Everything needed to run a scene.
///
/// ```
/// # fn main() -> Result<(), palpable_scene::SceneErrors> {
/// let text = "version = 1\n[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.05 } }";
/// let mut built = palpable_scene::Scene::parse(text, "ball.toml")?.build()?;
/// let mut world = built.world();
/// let mut inputs = world.inputs();
/// while !built.is_over(world.time()) {
///     let h = built.steps.next_length();
///     built.script.during(world.time(), h, &mut inputs);
///     let report = world.step(h, &inputs);
/// }
/// assert_eq!(world.tick(), 1000);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Built {
    /// Name of the scene; that of its file unless it gives one.
    pub name: String,
    /// What the scene shows; may be empty.
    pub description: String,
    /// The frozen model.
    pub model: Model,
    /// Scheme, tolerances and tank.
    pub options: Options,
    /// Simulated time to run [s].
    pub duration: f64,
    /// What enters at the ports, over time.
    pub script: Script,
    /// Step lengths.
    pub steps: Steps,
    /// What to record.
    pub record: RecordPlan,
    /// Robots that the scene includes.
    pub robots: Vec<Included>,
    /// What bodies look like where their shapes do not tell, in the order of the bodies.
    pub looks: Vec<Look>,
    /// Joints of chains and robots in joint coordinates.
    pub joints: Vec<ChainJoint>,
    /// Chains and beams, by name.
    pub systems: Vec<(String, SystemId)>,
    /// Width and thickness of beams that are given by their section [m], by name.
    pub sections: Vec<(String, [f64; 2])>,
    /// What a device is sent of impulses that it cannot apply; `None`: nothing of any.
    pub impulses: Option<Rendering>,
    /// How the studio shows the scene.
    pub staging: Staging,
}

/// A joint of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainJoint {
    /// Name of the link below it.
    pub name: String,
    /// Its chain.
    pub system: SystemId,
    /// Its number among the joints of the chain.
    pub number: usize,
    /// True if it turns, false if it slides.
    pub turns: bool,
}

/// A shape that is drawn with a body and does nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Name of the body in the model.
    pub body: String,
    /// Where it is in the axes of the body.
    pub pose: Pose,
    /// The shape.
    pub form: Form,
    /// Red, green and blue, each from 0 to 1.
    pub color: Option<[f64; 3]>,
}

/// How the studio shows a scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Staging {
    /// Where the eye is and what it looks at, world axes [m].
    pub viewpoint: Option<[Vec3; 2]>,
    /// What happens when the scene's duration is over.
    pub end: End,
    /// When that happens [s], if not after the duration of the run.
    pub after: Option<f64>,
    /// Stiffness [N/m] and damping [N·s/m] of the hand to begin with.
    pub hand: Option<[f64; 2]>,
}

/// What happens when the duration of a scene is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// Time goes on.
    #[default]
    GoOn,
    /// The scene begins again.
    Loop,
    /// Time stands still.
    Stop,
}

/// A robot of a scene.
#[derive(Debug, Clone)]
pub struct Included {
    /// Put before all its names; empty for none.
    pub name: String,
    /// What its file says.
    pub robot: Robot,
    /// What became of it.
    pub mounted: Mounted,
}

impl Included {
    /// What is worth knowing about its file, in the order of its lines.
    pub fn remarks(&self) -> Vec<&Remark> {
        let mut all: Vec<_> = self.robot.remarks.iter().chain(&self.mounted.remarks).collect();
        all.sort_by_key(|remark| remark.line);
        all
    }
}

impl Built {
    /// A world at the start of the scene.
    pub fn world(&self) -> World {
        World::begin(self.model.clone(), self.options)
    }

    /// True once `time` [s] has reached the duration, up to the rounding of a sum of steps.
    pub fn is_over(&self, time: f64) -> bool {
        !(time < self.duration * (1.0 - 1e-9))
    }

    /// About how many steps the scene takes.
    pub fn expected_steps(&self) -> u64 {
        // the cast saturates
        (self.duration / self.steps.mean_length()).round().max(1.0) as u64
    }
}
