//! What is fed with inputs.

use crate::guest::Guest;
use crate::root;
use palpable_record::{McapSink, read_csv, read_mcap};
use palpable_scene::Scene;
use palpable_studio::protocol::Command;
use palpable_studio::stage::{Order, Show, Stage};
use std::path::{Path, PathBuf};

/// Something that reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Scenes, TOML and JSON.
    Scene,
    /// Robots.
    Urdf,
    /// Meshes.
    Stl,
    /// Meshes.
    Obj,
    /// Meshes.
    Dae,
    /// Tables.
    Csv,
    /// Recordings.
    Mcap,
    /// Device profiles.
    Profile,
    /// Commands of the studio's page.
    Command,
    /// Messages of the Haply service.
    Haply,
    /// The bytes of a connection to the Haply service: frames of a WebSocket.
    HaplyFrames,
    /// The bytes of a connection to the studio: requests, and frames of a WebSocket.
    Socket,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 12] = [
        Target::Scene,
        Target::Urdf,
        Target::Stl,
        Target::Obj,
        Target::Dae,
        Target::Csv,
        Target::Mcap,
        Target::Profile,
        Target::Command,
        Target::Haply,
        Target::HaplyFrames,
        Target::Socket,
    ];

    /// Its name, which is that of its seeds.
    pub fn name(self) -> &'static str {
        match self {
            Target::Scene => "scene",
            Target::Urdf => "urdf",
            Target::Stl => "stl",
            Target::Obj => "obj",
            Target::Dae => "dae",
            Target::Csv => "csv",
            Target::Mcap => "mcap",
            Target::Profile => "profile",
            Target::Command => "command",
            Target::Haply => "haply",
            Target::HaplyFrames => "haply-frames",
            Target::Socket => "socket",
        }
    }

    /// Inputs to begin with: what the project has, and whatever was a defect once.
    pub fn seeds(self) -> Vec<Vec<u8>> {
        let (root, own) = (root(), root().join("crates/palpable-fuzz/seeds"));
        let mut seeds = files(&own.join(self.name()), None);
        seeds.extend(match self {
            Target::Scene => files(&root.join("scenes"), Some("toml")),
            Target::Urdf => files(&root.join("scenes/robots"), Some("urdf")),
            Target::Stl => files(&root.join("scenes/meshes"), Some("stl")),
            Target::Obj => files(&root.join("scenes/meshes"), Some("obj")),
            Target::Csv => files(&root.join("scenes"), Some("csv")),
            Target::Profile => files(&root.join("devices"), Some("toml")),
            Target::Mcap => vec![recording()],
            // short inputs are tried more often
            Target::Command => seeds.iter().flat_map(|seed| lines(seed)).collect(),
            Target::Dae | Target::Haply | Target::HaplyFrames | Target::Socket => vec![],
        });
        seeds.push(Vec::new());
        seeds
    }
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

/// The files of a folder, by name, those with an ending if one is given.
fn files(folder: &Path, ending: Option<&str>) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| ending.is_none_or(|e| path.extension().is_some_and(|x| x == e)));
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

/// A small recording.
fn recording() -> Vec<u8> {
    let path = scratch().join("seed.mcap");
    let mut columns = vec![palpable_record::Column::new("energy.kinetic", "J", "energy")];
    columns.extend(palpable_record::Column::pose("ball"));
    let mut table = palpable_record::Table::new(&columns);
    for i in 0..20 {
        let _ = table.push(0.01 * f64::from(i), &vec![f64::from(i); columns.len()]);
    }
    let _ = McapSink::create(&path).and_then(|mut sink| table.play(&mut sink));
    std::fs::read(path).unwrap_or_default()
}

/// A folder of this process, in memory where there is such a place.
fn scratch() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let all = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = all.join(format!("palpable-fuzz-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    folder
}

/// A target and what it needs.
pub struct Bench {
    target: Target,
    folder: PathBuf,
    shows: Option<Shows>,
    stage: Option<(Stage, usize)>,
    studio: Option<Guest>,
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Bench {
    /// Ready for inputs.
    pub fn new(target: Target) -> Self {
        let folder = scratch().join(target.name());
        let _ = std::fs::create_dir_all(&folder);
        Self { target, folder, shows: None, stage: None, studio: None }
    }

    /// Feeds one input; errors are what is expected of most.
    pub fn run(&mut self, input: &[u8]) {
        let text = String::from_utf8_lossy(input);
        match self.target {
            Target::Scene | Target::Urdf => self.scene(text.into_owned()),
            Target::Stl | Target::Obj | Target::Dae => self.mesh(input),
            Target::Csv => {
                let path = self.put("x.csv", input);
                let _ = read_csv(&path);
                self.scene("version = 1\nstep = { table = { file = \"x.csv\" } }\n".into());
            }
            Target::Mcap => drop(read_mcap(self.put("x.mcap", input))),
            Target::Profile => drop(palpable_passivity::DeviceProfile::parse(&text)),
            Target::Command => self.commands(&text),
            Target::Haply => palpable_haptics::drivers::haply::try_to_read(&text),
            Target::HaplyFrames => palpable_haptics::drivers::haply::try_to_hear(input),
            Target::Socket => self.studio.get_or_insert_with(Guest::new).visit(input),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.join(name);
        let _ = std::fs::write(&path, bytes);
        path
    }

    /// Builds a scene and takes a few steps.
    fn scene(&self, text: String) {
        let scene = Scene::parse_within(text, self.folder.join("s.toml"), &self.folder);
        let Ok(built) = scene.and_then(|scene| scene.build()) else { return };
        let mut world = built.world();
        let (mut inputs, mut steps) = (world.inputs(), built.steps.clone());
        for _ in 0..3 {
            built.script.inputs(world.time(), &mut inputs);
            let _ = world.step(steps.next_length(), &inputs);
        }
    }

    fn mesh(&self, input: &[u8]) {
        let file = format!("x.{}", self.target.name());
        self.put(&file, input);
        self.scene(format!(
            "version = 1\n[[body]]\nname = \"b\"\nmass = 1\n\
             shape = {{ mesh = {{ file = \"{file}\" }} }}\n"
        ));
    }

    /// Gives commands to a stage, each followed by a step. What one input has done stays for the
    /// next few.
    fn commands(&mut self, text: &str) {
        let shows = self.shows.get_or_insert_with(Shows::new);
        let (stage, given) = self.stage.get_or_insert_with(|| (Stage::new(shows.first()), 0));
        for line in text.lines().take(MOST_COMMANDS) {
            let Ok(command) = Command::parse(line) else { continue };
            let order = match &command {
                Command::Reset {} => Some(Order::Load(Box::new(stage.show().clone()))),
                Command::Load { scene } => shows.named(scene).map(Order::Load),
                other => other.order().ok().flatten(),
            };
            let Some(order) = order else { continue };
            stage.give(order);
            if stage.is_running() {
                stage.tick();
            }
        }
        *given += 1;
        if *given == KEPT {
            self.stage = None;
        }
    }

    /// True if no input before this one has left traces.
    pub fn is_new(&self) -> bool {
        self.stage.is_none() && self.studio.as_ref().is_none_or(Guest::is_new)
    }
}

/// Commands of one input that are obeyed, and inputs before a stage begins anew.
const MOST_COMMANDS: usize = 16;
const KEPT: usize = 16;
/// Scenes that commands may load, light ones of every kind; the first is the one to begin with.
const LIGHT: [&str; 8] = [
    "box-drop",
    "oscillator",
    "reference-port",
    "csv-port",
    "double-pendulum",
    "coupled-finger",
    "sliding-block",
    "arm-two-link",
];

/// Scenes made ready.
struct Shows(Vec<Box<Show>>);

impl Shows {
    fn new() -> Self {
        let made = |id: &&str| {
            let exhibit = palpable_studio::gallery::find(id)?;
            let origin = root().join("scenes").join(id).with_extension("toml");
            let scene = Scene::parse(exhibit.text, origin).ok()?;
            Show::of_scene(id, scene).ok().map(Box::new)
        };
        Self(LIGHT.iter().filter_map(made).collect())
    }

    fn first(&self) -> Box<Show> {
        self.0[0].clone()
    }

    fn named(&self, id: &str) -> Option<Box<Show>> {
        self.0.iter().find(|show| show.id == id).cloned()
    }
}
