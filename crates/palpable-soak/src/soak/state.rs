//! The state of a soak as a text file, so that a second call goes on where the first one ended.

use super::tally::{Tally, Violations, Worlds};
use crate::check::finding::Kind;
use crate::run::GateCounts;
use crate::scene::Profile;
use std::fmt::Write;
use std::str::FromStr;

/// First line of the file.
const TITLE: &str = "palpable-soak state 1";

/// Where a soak stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// First seed.
    pub from: u64,
    /// The next seed: all before it are counted.
    pub next: u64,
    /// The only profile, if not all are run.
    pub only: Option<Profile>,
    /// Wall time of all calls [s].
    pub seconds: f64,
    /// Length of the list of violations that these counts include [bytes].
    pub listed: u64,
    /// What was counted.
    pub tally: Tally,
}

impl State {
    /// The state before the first world.
    pub fn begin(from: u64, only: Option<Profile>) -> Self {
        Self { from, next: from, only, ..Default::default() }
    }

    /// As text.
    pub fn to_text(&self) -> String {
        let only = self.only.map_or("all", Profile::name);
        let mut text = format!(
            "{TITLE}\nfrom {}\nnext {}\nprofile {only}\nseconds {}\nlisted {}\n",
            self.from, self.next, self.seconds, self.listed
        );
        for (profile, w) in &self.tally.profiles {
            let (name, gate) = (profile.name(), &w.gate);
            let _ = writeln!(
                text,
                "worlds {name} {} {} {} {} {} {} {} {} {:?} {}",
                w.worlds,
                w.refused,
                w.steps,
                w.touching,
                w.violating,
                gate.paid,
                gate.retries,
                gate.held,
                w.slowest,
                w.slowest_seed
            );
        }
        for ((kind, profile), v) in &self.tally.violations {
            let (kind, profile) = (kind.name(), profile.name());
            let Violations { worlds, steps, size, relative, seed } = v;
            let line = format!("{worlds} {steps} {size:?} {relative:?} {seed}");
            let _ = writeln!(text, "violation {kind} {profile} {line}");
        }
        text
    }

    /// From text; says which line it does not understand.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut state = State::default();
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(format!("its first line is not \"{TITLE}\""));
        }
        for line in lines {
            state.read_line(line).ok_or_else(|| format!("cannot read \"{line}\""))?;
        }
        Ok(state)
    }

    fn read_line(&mut self, line: &str) -> Option<()> {
        let mut words = Words(line.split(' '));
        match words.word()? {
            "from" => self.from = words.number()?,
            "next" => self.next = words.number()?,
            "profile" => {
                let name = words.word()?;
                self.only = if name == "all" { None } else { Some(Profile::named(name)?) };
            }
            "seconds" => self.seconds = words.number()?,
            "listed" => self.listed = words.number()?,
            "worlds" => {
                let profile = words.profile()?;
                self.tally.profiles.insert(profile, words.worlds()?);
            }
            "violation" => {
                let key = (Kind::named(words.word()?)?, words.profile()?);
                self.tally.violations.insert(key, words.violations()?);
            }
            _ => return None,
        }
        words.word().is_none().then_some(())
    }
}

/// The words of a line.
struct Words<'a>(std::str::Split<'a, char>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    fn profile(&mut self) -> Option<Profile> {
        Profile::named(self.word()?)
    }

    fn worlds(&mut self) -> Option<Worlds> {
        Some(Worlds {
            worlds: self.number()?,
            refused: self.number()?,
            steps: self.number()?,
            touching: self.number()?,
            violating: self.number()?,
            gate: GateCounts {
                paid: self.number()?,
                retries: self.number()?,
                held: self.number()?,
            },
            slowest: self.number()?,
            slowest_seed: self.number()?,
        })
    }

    fn violations(&mut self) -> Option<Violations> {
        Some(Violations {
            worlds: self.number()?,
            steps: self.number()?,
            size: self.number()?,
            relative: self.number()?,
            seed: self.number()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;
    use crate::run::run;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let mut state = State::begin(7, Some(Profile::Iso));
        for seed in 7..10 {
            let mut scene = generate(seed);
            scene.steps = 3;
            let mut outcome = run(&scene);
            outcome.findings.add(Kind::Rise, 1e-300, f64::INFINITY, String::new);
            state.tally.add(seed, scene.profile, &outcome);
        }
        (state.next, state.seconds, state.listed) = (10, 0.1, 33);
        assert_eq!(State::from_text(&state.to_text()), Ok(state));
    }

    #[test]
    fn a_state_that_is_cut_off_or_foreign_is_refused() {
        assert!(State::from_text("").is_err());
        assert!(State::from_text("palpable-soak state 1\nnext seven\n").is_err());
        assert!(State::from_text("palpable-soak state 1\nnext 7 8\n").is_err());
    }
}
