//! The command line.

use palpable_soak::scene::Profile;
use palpable_soak::soak::campaign::{Goal, Plan};
use std::path::PathBuf;

/// What the program is asked to do.
#[derive(Debug, PartialEq)]
pub enum Task {
    /// Many worlds.
    Soak(Plan),
    /// One world: its findings, and a program for each.
    One {
        /// Its seed.
        seed: u64,
        /// Folder of the programs.
        out: Option<PathBuf>,
    },
    /// Help.
    Help,
}

/// Help at 80 columns.
pub const HELP: &str = "\
Runs random worlds and checks every step: no energy from nowhere.

Usage:
  palpable-soak --minutes M   soak for so long
  palpable-soak --steps N     until N steps are done; the same on every machine
  palpable-soak --seed SEED   one world, what it breaks, and a program for each

Options:
  --from SEED     first seed (default 0, or where the folder's last call ended)
  --profile NAME  wild, moderate, iso, pile, pile-hit, press, articulated or
                  moderate-pile (default all of them), or soft: surfaces that
                  yield, seeds from 281474976710656 on
  --out DIR       keep state, violations and programs here; goes on if it can
  --threads N     (default all cores; the result does not depend on it)

Exit code: 0 no violation, 1 violations, 2 a mistake, 130 interrupted.
";

/// Reads the command line; says what is wrong with it.
pub fn read(arguments: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut words = arguments;
    let mut given = Given::default();
    while let Some(word) = words.next() {
        if word == "--help" || word == "-h" {
            return Ok(Task::Help);
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value; see --help"))?;
        given.take(&word, &value)?;
    }
    given.task()
}

#[derive(Default)]
struct Given {
    goal: Option<Goal>,
    seed: Option<u64>,
    from: Option<u64>,
    only: Option<Profile>,
    out: Option<PathBuf>,
    threads: Option<usize>,
}

impl Given {
    fn take(&mut self, word: &str, value: &str) -> Result<(), String> {
        match word {
            "--minutes" => {
                let minutes: f64 = number(word, value)?;
                if !(minutes > 0.0 && minutes.is_finite()) {
                    return Err(format!("--minutes {value}: must be a positive number"));
                }
                self.goal = Some(Goal::Minutes(minutes));
            }
            "--steps" => self.goal = Some(Goal::Steps(number(word, value)?)),
            "--seed" => self.seed = Some(number(word, value)?),
            "--from" => self.from = Some(number(word, value)?),
            "--profile" => {
                let names = Profile::ALL.map(Profile::name).join(", ");
                let unknown = || format!("no profile \"{value}\"; there are {names}");
                self.only = Some(Profile::named(value).ok_or_else(unknown)?);
            }
            "--out" => self.out = Some(PathBuf::from(value)),
            "--threads" => self.threads = Some(number(word, value)?),
            _ => return Err(format!("unknown option {word}; see --help")),
        }
        Ok(())
    }

    fn task(self) -> Result<Task, String> {
        let Self { goal, seed, from, only, out, threads } = self;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        match (goal, seed) {
            (Some(goal), None) => {
                let threads = threads.unwrap_or(cores);
                Ok(Task::Soak(Plan { goal, from, only, out, threads }))
            }
            (None, Some(seed)) => Ok(Task::One { seed, out }),
            _ => Err("give one of --minutes, --steps and --seed; see --help".to_owned()),
        }
    }
}

fn number<T: std::str::FromStr>(word: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{word} {value}: not a number that fits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Result<Task, String> {
        read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_may_stand_in_any_order() {
        let task = read_line("--profile iso --steps 10 --from 3 --threads 2").expect("a plan");
        let (goal, from, only) = (Goal::Steps(10), Some(3), Some(Profile::Iso));
        assert_eq!(task, Task::Soak(Plan { goal, from, only, out: None, threads: 2 }));
    }

    #[test]
    fn mistakes_are_named() {
        for line in ["", "--steps", "--steps x", "--minutes 0", "--profile calm", "--sed 3"] {
            assert!(read_line(line).is_err(), "{line}");
        }
        assert!(read_line("--steps 3 --seed 4").is_err());
    }
}
