//! `palpable run`: simulates a scene, records it, draws it and sums it up.

mod areas;
mod bearing;
mod figure_energy;
mod figures;
mod history;
mod joints;
mod recorder;
mod report;
pub mod settings;
mod simulate;
mod summary;

use crate::failure::Failure;
use crate::text::plural;
use crate::{Done, hand, output, stop};
use palpable_scene::{Built, RemarkKind, Scene};
use palpable_studio::located;
use recorder::Formats;
use report::Report;
use simulate::{Ended, Run};
use std::path::{Path, PathBuf};

/// Simulate a scene or robot file: summary, recording, plots
#[derive(clap::Args)]
#[command(after_help = "Examples:
  palpable run oscillator
  palpable run scenes/robots/arm.urdf --coordinates generalized
  palpable run scene.toml --duration 60s --scheme symplectic-euler
  palpable run scenes/box-drop.toml --contact-law printed-plastic --sides 4
  palpable run scene.toml --json --no-record --no-plots | jq .energy.max_defect
  palpable run scenes/reference-port.toml --device simulated
  palpable run scenes/reference-port.toml \\
      --device replay:palpable-out/x/run.mcap
  palpable run peg-two-hands --device simulated --device simulated

Exit code: 0 done, 1 a step was refused or a device failed, 2 mistakes in the
scene or the command,
130 interrupted by Ctrl-C, SIGTERM or SIGHUP (the recording is complete up to
there).")]
pub struct Args {
    /// Scene file, TOML or JSON, or robot, URDF
    scene: PathBuf,
    /// Read no file outside the folder of the scene: for a scene that you did not write
    #[arg(long)]
    own_folder: bool,
    /// Folder for recording and plots [default: palpable-out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulated time, instead of the scene's: seconds, or with a unit such as "2 min"
    #[arg(long, value_name = "TIME", value_parser = settings::duration,
        allow_negative_numbers = true)]
    duration: Option<f64>,
    /// Integrator, instead of the scene's
    #[arg(long, value_name = "NAME", value_parser = settings::schemes())]
    scheme: Option<String>,
    /// Contact law, instead of the scene's
    #[arg(long, value_name = "NAME", value_parser = settings::contact_laws())]
    contact_law: Option<String>,
    /// Sides of the friction pyramid of a printed contact law, 4 to 64
    #[arg(long, value_name = "N")]
    sides: Option<u32>,
    /// Coordinates of robots, instead of the scene's
    #[arg(long, value_name = "KIND", value_parser = ["maximal", "generalized"])]
    coordinates: Option<String>,
    /// Which random step lengths, instead of the scene's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write no recording
    #[arg(long, conflicts_with_all = ["csv", "mcap"])]
    no_record: bool,
    /// Record as CSV; alone, as CSV only
    #[arg(long)]
    csv: bool,
    /// Record as MCAP, for Foxglove and Rerun; alone, as MCAP only
    #[arg(long)]
    mcap: bool,
    /// Record every so many steps, instead of the scene's: 10 makes a file a tenth as long
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Draw no plots
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    hand: hand::DeviceArgs,
}

/// Where results go, and in which form.
pub struct Plan {
    /// Folder.
    pub out: PathBuf,
    /// Recordings.
    pub formats: Formats,
    /// Whether plots are drawn.
    pub plots: bool,
}

impl Plan {
    /// Everything, in a folder of this name under `palpable-out`.
    pub fn everything(name: &str) -> Self {
        let formats = Formats { csv: true, mcap: true };
        Self { out: Path::new("palpable-out").join(name), formats, plots: true }
    }

    fn of_args(args: &Args) -> Self {
        let stem = args.scene.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let both = !args.no_record && args.csv == args.mcap;
        let formats = Formats { csv: args.csv || both, mcap: args.mcap || both };
        let plan = Self::everything(&stem);
        Self { out: args.out.clone().unwrap_or(plan.out), formats, plots: !args.no_plots }
    }

    /// Creates the folder before the work, so that a wrong name costs no time.
    fn prepare(&self) -> Result<(), Failure> {
        if !(self.plots || self.formats.csv || self.formats.mcap) {
            return Ok(());
        }
        std::fs::create_dir_all(&self.out).map_err(|error| {
            let cure = "work in a folder you may write in, or name one by `palpable run --out DIR`";
            let out = self.out.display();
            Failure::new(format!("{out}: cannot create the folder for results: {error}; {cure}"))
        })
    }
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let load = if args.own_folder { Scene::load_within } else { Scene::load };
    let found = located::find(&args.scene)?;
    let mut scene = load(&found.path)?;
    settings::set_coordinates(&mut scene, args.coordinates.as_deref())?;
    let mut built = scene.build()?;
    if let Some(seed) = args.seed {
        built = settings::reseeded(&scene, seed)?;
    }
    settings::apply(&mut built, args.duration, args.scheme.as_deref());
    built.record.every = args.every.unwrap_or(built.record.every);
    let law = args.contact_law.as_deref();
    settings::set_contact_law(&mut built, &args.scene, law, args.sides)?;
    remark_on_robots(&built, &args.scene);
    for warning in built.warnings() {
        output::remark(&format!("warning: {warning}"));
    }
    let plan = Plan::of_args(args);
    if args.hand.is_wanted() {
        let recording = plan.formats.mcap.then(|| plan.out.join("run.mcap"));
        return hand::main(built, &args.hand, recording, json);
    }
    let run = go(built, &plan)?;
    let report = Report::new(&run);
    if json {
        output::print_json(&report)?
    } else {
        output::print(&summary::text(&run))?
    }
    Ok(done(&run))
}

/// Says on standard error that parts of robots are not simulated.
fn remark_on_robots(built: &Built, scene: &Path) {
    let remarks = built.robots.iter().flat_map(|robot| robot.remarks());
    let missing = [RemarkKind::Ignored, RemarkKind::NotSimulated];
    let count = remarks.filter(|remark| missing.contains(&remark.kind)).count();
    if count > 0 {
        let what = plural(count, "part of a robot is", "parts of robots are");
        output::remark(&format!(
            "{what} not simulated: `palpable check {}` lists them",
            scene.display()
        ));
    }
}

/// Simulates, records and draws.
///
/// # Errors
/// Files that cannot be written.
pub fn go(built: Built, plan: &Plan) -> Result<Run, Failure> {
    stop::listen();
    plan.prepare()?;
    let mut run = simulate::simulate(built, plan)?;
    if plan.plots {
        run.files.extend(figures::draw(&run, &plan.out)?);
    }
    Ok(run)
}

/// A run as JSON.
pub fn print_json(run: &Run) -> Result<(), Failure> {
    output::print_json(&Report::new(run))
}

pub use summary::{books, speed};

/// How the program ends after a run; says on standard error if it did not finish.
pub fn done(run: &Run) -> Done {
    match &run.ended {
        Ended::Finished => Done::Well,
        Ended::Interrupted => {
            output::remark("interrupted: the results above end where the run was stopped");
            Done::Interrupted
        }
        Ended::Refused(status) => {
            output::remark(&simulate::refusal(&run.world, *status, run.refused_length));
            Done::Failed
        }
    }
}
