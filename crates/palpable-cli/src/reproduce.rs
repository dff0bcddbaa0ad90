//! `palpable reproduce`: the papers' figures, drawn anew and checked.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::text::{digits, fit, wrapped};
use crate::{Done, files, output, stop};
use palpable_papers::{Bound, Check, Experiment, Outcome, PaperError, all, find};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Draw the papers' figures anew and check them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  palpable reproduce --list
  palpable reproduce kim2017/fig1
  palpable reproduce kim2017 --json

Exit code: 0 all checks pass, 1 a check fails, 2 no such experiment.")]
pub struct Args {
    /// A paper, or one of its figures; everything unless given
    #[arg(value_name = "PAPER[/FIG]")]
    pattern: Option<String>,
    /// Folder for figures and tables
    #[arg(long, value_name = "DIR", default_value = "palpable-out/reproduce")]
    out: PathBuf,
    /// List the experiments instead of running them
    #[arg(long)]
    list: bool,
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let pattern = args.pattern.as_deref().unwrap_or_default();
    let experiments = find(pattern)?;
    if args.list {
        return list(&experiments, json).map(|()| Done::Well);
    }
    stop::listen();
    let mut reports = Vec::new();
    for experiment in experiments {
        let Some(outcome) = run(experiment, &args.out)? else {
            output::remark("interrupted: experiments that were done have left their files");
            return Ok(Done::Interrupted);
        };
        if !json {
            output::print(&text(experiment, &outcome))?;
        }
        reports.push(report(experiment, &outcome));
    }
    let (passed, failed) = tally(&reports);
    if json {
        output::print_json(&Reports { passed: failed == 0, experiments: reports })?;
    } else {
        let verdict = if failed == 0 { String::new() } else { format!(", {failed} FAILED") };
        output::print(&format!("{passed} checks passed{verdict}\n"))?;
    }
    Ok(if failed == 0 { Done::Well } else { Done::Failed })
}

/// Runs one experiment; `None` if the user stopped it.
///
/// It works on a thread of its own that is left behind when the user stops: experiments write
/// their files at their end, so nothing is left in halves.
fn run(experiment: &'static Experiment, out: &Path) -> Result<Option<Outcome>, Failure> {
    let (tell, told) = mpsc::channel();
    let out = out.to_owned();
    std::thread::spawn(move || {
        let shares = tell.clone();
        let mut progress = |share: f64| drop(shares.send(Message::Share(share)));
        let outcome = palpable_papers::run(experiment, &out, &mut progress);
        // nobody listens if the user stopped
        let _ = tell.send(Message::Done(Box::new(outcome)));
    });
    let mut progress = Progress::new(experiment.id, "");
    let outcome = loop {
        match told.recv_timeout(Duration::from_millis(50)) {
            Ok(Message::Share(share)) => progress.at(Instant::now(), share, 0),
            Ok(Message::Done(outcome)) => break Some((*outcome)?),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let id = experiment.id;
                return Err(Failure::new(format!("{id} broke off; report this as a bug")));
            }
        }
        if stop::asked() {
            break None;
        }
    };
    progress.end();
    Ok(outcome)
}

/// What an experiment tells while it works.
enum Message {
    Share(f64),
    Done(Box<Result<Outcome, PaperError>>),
}

fn tally(reports: &[Report]) -> (usize, usize) {
    let checks = || reports.iter().flat_map(|report| &report.checks);
    let passed = checks().filter(|check| check.pass).count();
    (passed, checks().count() - passed)
}

fn list(experiments: &[&Experiment], json: bool) -> Result<(), Failure> {
    if json {
        let each = experiments.iter().map(|e| {
            serde_json::json!({ "id": e.id, "paper": e.paper, "title": e.title, "shows": e.shows })
        });
        return output::print_json(&serde_json::json!({ "experiments": each.collect::<Vec<_>>() }));
    }
    let width = all().iter().map(|e| e.id.len()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    for experiment in experiments {
        let shows = wrapped(experiment.shows, width);
        text.push_str(&fit(experiment.id, width));
        text.push_str(shows.trim_start());
    }
    output::print(&text)
}

/// One experiment: checks as a table, and its files.
fn text(experiment: &Experiment, outcome: &Outcome) -> String {
    let mut text = wrapped(&format!("{}: {}", experiment.id, experiment.title), 0);
    for check in &outcome.checks {
        text.push_str(&row(check));
    }
    text.push_str(&files::text(&outcome.files));
    text.push('\n');
    text
}

/// Verdict, name, value and bound; a long name takes lines of its own.
fn row(check: &Check) -> String {
    const NAME: usize = 37;
    let verdict = if check.pass { "pass" } else { "FAIL" };
    let (value, bound) = (digits(check.value), bound(&check.bound));
    let lines = broken(&check.name, NAME);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let head = if index == 0 { verdict } else { "    " };
        let name = fit(line, NAME);
        if index + 1 == lines.len() {
            text.push_str(&format!("  {head}  {name}  {value:>10}  {bound}\n"));
        } else {
            text.push_str(&format!("  {head}  {}\n", name.trim_end()));
        }
    }
    text
}

/// Words in lines of at most `width` characters.
fn broken(words: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = word.to_owned();
        } else if lines[last].chars().count() + 1 + word.chars().count() <= width {
            lines[last] = format!("{} {word}", lines[last]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn bound(bound: &Bound) -> String {
    match *bound {
        Bound::AtMost(limit) => format!("≤ {}", digits(limit)),
        Bound::AtLeast(limit) => format!("≥ {}", digits(limit)),
        Bound::Near { expected, tolerance } => {
            format!("{} ± {tolerance:.0e}", digits(expected))
        }
    }
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Reports {
    passed: bool,
    experiments: Vec<Report>,
}

#[derive(Serialize)]
struct Report {
    id: &'static str,
    title: &'static str,
    checks: Vec<CheckReport>,
    files: Vec<String>,
}

/// A check; `bound` is the limit, or the expected value, met within `tolerance`.
#[derive(Serialize)]
struct CheckReport {
    name: String,
    value: f64,
    bound: f64,
    pass: bool,
    relation: &'static str,
    tolerance: Option<f64>,
}

fn report(experiment: &Experiment, outcome: &Outcome) -> Report {
    let check = |check: &Check| {
        let (bound, relation, tolerance) = match check.bound {
            Bound::AtMost(limit) => (limit, "at most", None),
            Bound::AtLeast(limit) => (limit, "at least", None),
            Bound::Near { expected, tolerance } => (expected, "near", Some(tolerance)),
        };
        let (name, value, pass) = (check.name.clone(), check.value, check.pass);
        CheckReport { name, value, bound, pass, relation, tolerance }
    };
    Report {
        id: outcome.id,
        title: experiment.title,
        checks: outcome.checks.iter().map(check).collect(),
        files: outcome.files.iter().map(|file| file.display().to_string()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_check_is_counted_and_shouted() {
        let checks = vec![Check::at_most("good", 1.0, 2.0), Check::at_most("bad", f64::NAN, 2.0)];
        let outcome = Outcome { id: "x/y", checks, files: Vec::new() };
        assert_eq!(tally(&[report(&all()[0], &outcome)]), (1, 1));
        assert!(row(&outcome.checks[0]).starts_with("  pass  good"));
        assert!(row(&outcome.checks[1]).starts_with("  FAIL  bad"));
    }

    #[test]
    fn long_names_take_lines_of_their_own_within_80_columns() {
        let bound = Bound::Near { expected: 7.257e-105, tolerance: 7e-115 };
        let text = row(&Check::new("a rather long name ".repeat(5), 7.257e-105, bound));
        assert!(text.lines().count() > 2);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}
