//! What the page may ask for: JSON texts, read with care.

use super::Wish;
use crate::stage::{Change, Coupling, Edit, Line, Order, Rival, Target};
use palpable::{ContactLaw, Payment, PortInput, Rotation, Scheme, Vec3};
use palpable_scene::End;
use serde::Deserialize;
use thiserror::Error;

/// A message of the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Shows a scene of the gallery.
    Load {
        /// Its id.
        scene: String,
    },
    /// Shows a file that was uploaded.
    Open {
        /// Its name.
        file: String,
    },
    /// Begins the scene again.
    Reset {},
    /// Takes the hand from whoever has it.
    Take {},
    /// Takes hold of a point of a body, in body axes [m].
    Grab {
        /// Index of the body.
        body: u32,
        /// The point [m].
        point: [f64; 3],
    },
    /// Moves the hand.
    Move {
        /// Where to, world axes [m].
        target: [f64; 3],
        /// Rotation vector since it took hold, world axes [rad].
        #[serde(default)]
        turn: [f64; 3],
    },
    /// Lets go.
    Release {},
    /// Changes a parameter.
    Set {
        /// Which: `mass`, `body-damping`, `stiffness`, `damping`, `friction`, `restitution`,
        /// `gravity`, `step`, `scheme`, `law`, `sides`, `coupling`, `line`, `grant`.
        what: String,
        /// Index of the body, spring or lane; all of them if left out.
        #[serde(default)]
        part: Option<u32>,
        /// The new value.
        value: Value,
        /// Who pays: `supply` (the user, the default) or `tank`.
        #[serde(default)]
        pay: Option<String>,
    },
    /// Shows the same scene under another scheme or contact law beside it; neither ends the
    /// comparison.
    Compare {
        /// Name of the scheme.
        #[serde(default)]
        scheme: Option<String>,
        /// Name of the contact law.
        #[serde(default)]
        law: Option<String>,
    },
    /// Stops or lets time run.
    Pause {
        /// True to stop.
        on: bool,
    },
    /// Takes single steps.
    Step {
        /// How many.
        #[serde(default = "one")]
        count: u32,
    },
    /// Simulated seconds per second.
    Speed {
        /// 1 is real time.
        value: f64,
    },
    /// Goes back in time.
    Rewind {
        /// By so much [s].
        seconds: f64,
    },
    /// Looks at the moment so long before the present; 0 is the present.
    Peek {
        /// How long [s].
        seconds: f64,
    },
    /// What happens when the scene is over.
    End {
        /// `go-on`, `loop` or `stop`.
        then: String,
    },
    /// Tells a motor what to do instead of what the scene says.
    Drive {
        /// Number of its port.
        port: u32,
        /// `target`, `rate` or `effort`.
        kind: String,
        /// The value in SI units; what the scene says if left out.
        #[serde(default)]
        value: Option<f64>,
    },
    /// Adds a body: a box, a ball, a capsule, or a mesh that was uploaded.
    Add(Wish),
    /// Removes a body, with every joint and spring on it.
    Delete {
        /// Index of the body.
        body: u32,
    },
    /// Asks for the world as a scene file.
    Save {},
    /// Begins or ends a take.
    Record {
        /// True to begin.
        on: bool,
    },
    /// Begins or ends a replay.
    Replay {
        /// True to begin.
        on: bool,
    },
    /// Where the coupling stands on a device.
    Gauge {
        /// Its place in the list of devices; one without friction, encoder or limits if left out.
        #[serde(default)]
        device: Option<u32>,
        /// Viscous damping of the device [N·s/m].
        damping: f64,
        /// Update rate [Hz].
        rate: f64,
        /// Delay [s].
        delay: f64,
    },
}

fn one() -> u32 {
    1
}

/// A number, a few numbers, or a word.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Three numbers, or two.
    Vector(Vec<f64>),
    /// A word.
    Word(String),
}

/// Why a message was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadCommand {
    /// Not a command at all.
    #[error("not a command: {0}")]
    Syntax(String),
    /// A value of the wrong kind or out of range.
    #[error("{field}: {cure}")]
    Value {
        /// The field at fault.
        field: &'static str,
        /// What to give.
        cure: &'static str,
    },
}

pub(super) fn bad<T>(field: &'static str, cure: &'static str) -> Result<T, BadCommand> {
    Err(BadCommand::Value { field, cure })
}

impl Command {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, BadCommand> {
        serde_json::from_str(text).map_err(|error| {
            // the message may quote the text; keep it short
            BadCommand::Syntax(error.to_string().chars().take(160).collect())
        })
    }

    /// The order to the stage, for commands that are one.
    ///
    /// # Errors
    /// A value of the wrong kind or out of range.
    pub fn order(&self) -> Result<Option<Order>, BadCommand> {
        Ok(Some(match self {
            Command::Grab { body, point } => {
                Order::Grab { body: *body as usize, point: vector("point", *point)? }
            }
            Command::Move { target, turn } => {
                let turn = Rotation::from_scaled_axis(vector("turn", *turn)?);
                Order::Move { target: vector("target", *target)?, turn }
            }
            Command::Release {} => Order::Release,
            Command::Set { what, part, value, pay } => {
                Order::Set(change(what, *part, value)?, payment(pay.as_deref())?)
            }
            Command::Compare { scheme, law } => {
                Order::Compare(rival(scheme.as_deref(), law.as_deref())?)
            }
            Command::Pause { on } => Order::Pause(*on),
            Command::Step { count } => Order::Step((*count).clamp(1, 100_000)),
            Command::Speed { value } if *value > 0.0 => Order::Speed(*value),
            Command::Speed { .. } => return bad("speed", "give a number greater than 0"),
            Command::Rewind { seconds } if *seconds >= 0.0 => Order::Rewind(*seconds),
            Command::Rewind { .. } => return bad("seconds", "give a number of 0 or more"),
            Command::Peek { seconds } if *seconds >= 0.0 => Order::Peek(*seconds),
            Command::Peek { .. } => return bad("seconds", "give a number of 0 or more"),
            Command::End { then } => Order::End(end_named(then)?),
            Command::Drive { port, kind, value } => {
                Order::Drive(*port as usize, drive(kind, *value)?)
            }
            Command::Delete { body } => Order::Edit(Edit::Remove(*body as usize)),
            Command::Save {} => Order::Copy,
            Command::Record { on } => Order::Record(*on),
            Command::Replay { on } => Order::Replay(*on),
            Command::Load { .. }
            | Command::Open { .. }
            | Command::Reset {}
            | Command::Take {}
            | Command::Add(_)
            | Command::Gauge { .. } => return Ok(None),
        }))
    }
}

/// Coordinates beyond this are a mistake [m].
const FARTHEST: f64 = 1e4;

pub(super) fn vector(field: &'static str, values: [f64; 3]) -> Result<Vec3, BadCommand> {
    let good = values.iter().all(|v| v.abs() <= FARTHEST);
    if good { Ok(values.into()) } else { bad(field, "give three numbers within 10 km") }
}

fn payment(word: Option<&str>) -> Result<Payment, BadCommand> {
    match word {
        None | Some("supply") => Ok(Payment::Supply),
        Some("tank") => Ok(Payment::Tank),
        Some(_) => bad("pay", "give `supply` or `tank`"),
    }
}

fn end_named(word: &str) -> Result<End, BadCommand> {
    match word {
        "go-on" => Ok(End::GoOn),
        "loop" => Ok(End::Loop),
        "stop" => Ok(End::Stop),
        _ => bad("then", "give `go-on`, `loop` or `stop`"),
    }
}

fn drive(kind: &str, value: Option<f64>) -> Result<Option<PortInput>, BadCommand> {
    let Some(value) = value else { return Ok(None) };
    match kind {
        _ if !(value.abs() <= FARTHEST) => bad("value", "give a number within 10 000"),
        "target" => Ok(Some(PortInput::Target(value))),
        "rate" => Ok(Some(PortInput::Rate(value))),
        "effort" => Ok(Some(PortInput::Effort(value))),
        _ => bad("kind", "give `target`, `rate` or `effort`"),
    }
}

fn scheme_named(name: &str) -> Result<Scheme, BadCommand> {
    let found = Scheme::ALL.into_iter().find(|s| s.name() == name);
    found.map_or_else(|| bad("scheme", "give a name such as `symplectic-euler`"), Ok)
}

fn law_named(name: &str) -> Result<ContactLaw, BadCommand> {
    let found = ContactLaw::named(name, ContactLaw::SIDES);
    found.map_or_else(|| bad("law", "give `cone`, `printed-elastic` or `printed-plastic`"), Ok)
}

fn rival(scheme: Option<&str>, law: Option<&str>) -> Result<Option<Rival>, BadCommand> {
    match (scheme, law) {
        (None, None) => Ok(None),
        (Some(name), None) => scheme_named(name).map(|scheme| Some(Rival::Scheme(scheme))),
        (None, Some(name)) => law_named(name).map(|law| Some(Rival::Law(law))),
        (Some(_), Some(_)) => bad("compare", "give a scheme or a law, not both"),
    }
}

fn change(what: &str, part: Option<u32>, value: &Value) -> Result<Change, BadCommand> {
    let target = part.map_or(Target::All, |p| Target::One(p as usize));
    Ok(match (what, value) {
        ("mass", Value::Number(m)) => Change::Mass(target, *m),
        ("stiffness", Value::Number(k)) => Change::Stiffness(target, *k),
        ("damping", Value::Number(b)) => Change::Damping(target, *b),
        ("body-damping", Value::Vector(b)) if b.len() == 2 => {
            Change::BodyDamping(target, b[0], b[1])
        }
        ("gravity", Value::Vector(g)) if g.len() == 3 => {
            Change::Gravity(vector("gravity", [g[0], g[1], g[2]])?)
        }
        ("friction", Value::Number(mu)) => Change::Friction(target, *mu),
        ("restitution", Value::Number(e)) => Change::Restitution(target, *e),
        ("line", Value::Vector(l)) if l.len() == 3 => {
            Change::Line(Line { damping: l[0], delay: l[1], loss: l[2] })
        }
        ("step", Value::Number(h)) => Change::Step(*h),
        ("grant", Value::Number(e)) => Change::Grant(*e),
        ("scheme", Value::Word(name)) => {
            Change::Scheme(part.unwrap_or(0) as usize, scheme_named(name)?)
        }
        ("law", Value::Word(name)) => Change::Law(part.unwrap_or(0) as usize, law_named(name)?),
        // the cast saturates
        ("sides", Value::Number(n)) => Change::Sides(part.unwrap_or(0) as usize, *n as u32),
        ("coupling", Value::Vector(c)) if c.len() == 3 => {
            Change::Coupling(Coupling { stiffness: c[0], damping: c[1], turning: c[2] })
        }
        _ => return bad("set", "give a known `what` with a value of its kind"),
    })
}
