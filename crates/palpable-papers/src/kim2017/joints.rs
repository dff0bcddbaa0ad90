//! The joints of `[Kim2017 sec. 3.2]`: energy and gaps of chains over step and stiffness.

use super::chain::{Chain, Gain, Links, Way};
use super::style::{heading, label};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Options, Scheme};
use palpable_record::figure::{Axis, Figure, HeatMap, Legend, Panel};

/// Pinned chains of 2 and 10 links (and 50 if `PALPABLE_LONG` is set), 0.1 m and 1 g each,
/// spinning at up to 11 rad/s, for 2 s; inertia `m·I` as printed, and that of slender rods. Ours
/// runs without any loss and with the default loss of unresolved joints.
///
/// Not a figure of the paper, which says of `[Kim2017, (26)]` that it nearly enforces passivity.
/// It gains energy in every cell, because its Jacobian is frozen at the start of the step and the
/// strain measured anew at the end; the passive midpoint carries the strain and keeps the sum of
/// stored and lost energy to rounding.
pub(crate) const JOINTS: Experiment = Experiment {
    id: "kim2017/joints",
    paper: "Kim2017",
    title: "Chains on stiff joints: |(E + lost)/E₀ − 1| after 2 s (∞: beyond 10⁸), and gaps",
    shows: "the published joints gain energy at every step and stiffness, without bound where they \
            are stiff or coarse; the passive midpoint keeps it",
    make,
};

const STEPS: [f64; 4] = [1e-3, 5e-3, 1e-2, 33e-3];
const STIFFNESSES: [f64; 3] = [1e2, 1e4, 1e7];
/// Inertia, number of links, and how both are written.
const CHAINS: [(Links, u32, &str); 6] = [
    (Links::Printed, 2, "2 links, J = m·I"),
    (Links::Printed, 10, "10 links, J = m·I"),
    (Links::Rods, 2, "2 slender rods"),
    (Links::Rods, 10, "10 slender rods"),
    (Links::Printed, 50, "50 links, J = m·I"),
    (Links::Rods, 50, "50 slender rods"),
];
/// Chains without those that take minutes.
const SHORT: usize = 4;
/// A chain with this many times its energy is gone.
const LIMIT: f64 = 1e8;
/// The lower end of the colours: no sum of doubles is truer.
const ROUNDING: f64 = 1e-16;

/// Published, ours without loss, ours as it comes.
fn ways() -> [Way; 3] {
    let ours = Scheme::PassiveMidpoint;
    [
        Way { scheme: Scheme::PublishedMidpoint, joint_loss: 0.0 },
        Way { scheme: ours, joint_loss: 0.0 },
        Way { scheme: ours, joint_loss: Options::default().joint_loss },
    ]
}

/// Every cell of one chain and way, stiffness by stiffness.
struct Grid {
    chain: &'static str,
    way: Way,
    cells: Vec<Gain>,
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let long = std::env::var_os("PALPABLE_LONG").is_some();
    let chains = if long { &CHAINS[..] } else { &CHAINS[..SHORT] };
    let count = (chains.len() * ways().len()) as f64;
    let mut grids = Vec::new();
    for &(links, number, chain) in chains {
        for way in ways() {
            let cells = cells(links, number, way)?;
            grids.push(Grid { chain, way, cells });
            progress(grids.len() as f64 / count);
        }
    }
    Ok(Page::new(figure(experiment.title, &grids), sheet(&grids), checks(&grids)))
}

fn cells(links: Links, count: u32, way: Way) -> Result<Vec<Gain>, PaperError> {
    let mut cells = Vec::new();
    for stiffness in STIFFNESSES {
        for h in STEPS {
            cells.push(Chain { links, count, stiffness }.run(way, h, LIMIT)?);
        }
    }
    Ok(cells)
}

impl Way {
    fn label(self) -> String {
        let loss = if self.joint_loss > 0.0 { ", default η" } else { "" };
        format!("{}{loss}", label(self.scheme))
    }
}

impl Grid {
    /// `(E + lost)/E0` cell by cell; beyond the limit there is no number.
    fn ratios(&self) -> Vec<f64> {
        let kept = |gain: &Gain| if gain.end > LIMIT { f64::INFINITY } else { gain.end };
        self.cells.iter().map(kept).collect()
    }

    fn is_lossless(&self) -> bool {
        self.way == ways()[1]
    }

    fn panel(&self) -> Panel {
        let changes: Vec<f64> = self.ratios().iter().map(|ratio| (ratio - 1.0).abs()).collect();
        self.map(&self.way.label(), "unexplained energy / E₀", &changes, (ROUNDING, LIMIT))
    }

    fn gap_panel(&self) -> Panel {
        let opened: Vec<f64> = self.cells.iter().map(|gain| gain.opened).collect();
        self.map("gap before projection [m]", "largest gap [m]", &opened, (ROUNDING, 1.0))
    }

    fn map(&self, title: &str, what: &str, values: &[f64], (low, high): (f64, f64)) -> Panel {
        let milliseconds = STEPS.map(|h| 1e3 * h);
        let map = HeatMap::new(what, "", &milliseconds, &STIFFNESSES, values);
        Panel::new(Axis::new("stiffness k", "N/m"))
            .title(format!("{title}, {}", self.chain))
            .heat(map.log().range(low, high).texts())
    }
}

fn figure(title: &str, grids: &[Grid]) -> Figure {
    let figure = Figure::new(title, Axis::new("step h", "ms"));
    let rows = (grids.len() / ways().len()) as f64;
    let figure = figure.columns(4).legend(Legend::Hidden).size(1840.0, 240.0 * rows);
    grids.iter().fold(figure, |figure, grid| {
        let figure = figure.panel(grid.panel());
        // the last of a row: gaps of the run as it comes
        if grid.way == ways()[2] { figure.panel(grid.gap_panel()) } else { figure }
    })
}

fn sheet(grids: &[Grid]) -> Sheet {
    let both = STIFFNESSES.iter().flat_map(|k| STEPS.map(|h| (*k, h)));
    let (k, h): (Vec<f64>, Vec<f64>) = both.unzip();
    let start = Sheet::default().column("stiffness", "N/m", &k).column("step", "s", &h);
    grids.iter().fold(start, |sheet, grid| {
        let loss = if grid.way.joint_loss > 0.0 { ".default_loss" } else { "" };
        let name = format!("{}{loss}.{}", heading(grid.way.scheme), grid.chain.replace(", ", " "));
        let sheet = sheet.column(&format!("{name}.(E+lost)/E0"), "", &grid.ratios());
        let strays: Vec<f64> = grid.cells.iter().map(|gain| gain.stray).collect();
        let sheet = sheet.column(&format!("{name}.unexplained"), "", &strays);
        let opened: Vec<f64> = grid.cells.iter().map(|gain| gain.opened).collect();
        let sheet = sheet.column(&format!("{name}.gap_before_projection"), "m", &opened);
        let gaps: Vec<f64> = grid.cells.iter().map(|gain| gain.gap).collect();
        sheet.column(&format!("{name}.gap"), "m", &gaps)
    })
}

/// Ours keeps the energy in every cell at every time, the published joints gain in every cell.
fn checks(grids: &[Grid]) -> Vec<Check> {
    let mut checks = Vec::new();
    for grid in grids {
        let name = |what: &str| format!("{}, {}: {what}", grid.way.label(), grid.chain);
        if grid.way.scheme == Scheme::PublishedMidpoint {
            let ends = grid.cells.iter().map(|gain| gain.end);
            // fifty links may also lose: one cell of twelve does
            let (what, value) = if CHAINS[SHORT..].iter().any(|c| c.2 == grid.chain) {
                ("largest (E + lost)/E0", largest(ends))
            } else {
                ("smallest (E + lost)/E0", ends.fold(f64::INFINITY, f64::min))
            };
            checks.push(Check::at_least(name(what), value, 1.0001));
            continue;
        }
        let stray = largest(grid.cells.iter().map(|gain| gain.stray));
        let rise = largest(grid.cells.iter().map(|gain| gain.rise));
        checks.push(Check::at_most(name("largest |(E + lost)/E0 - 1|"), stray, 1e-9));
        checks.push(Check::at_most(name("largest E/E0 - 1"), rise, 1e-9));
        if grid.chain == CHAINS[1].2 && grid.is_lossless() {
            // at 1 ms and 1e4 N/m or more
            let gap = largest([4, 8].map(|i| grid.cells[i].gap.max(grid.cells[i].opened)));
            checks.push(Check::at_most(name("largest gap at 1 ms, k >= 1e4 [m]"), gap, 1e-6));
        }
    }
    let published = grids.iter().filter(|g| g.way.scheme == Scheme::PublishedMidpoint);
    let gone = published.flat_map(|grid| &grid.cells).filter(|gain| gain.end > LIMIT).count();
    checks.push(Check::at_least("published midpoint: cells beyond 1e8", gone as f64, 1.0));
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grids of ten printed links, published and ours without loss, with the schemes
    /// exchanged for others.
    fn exchanged(schemes: [Scheme; 2]) -> Vec<Grid> {
        let grid = |(way, scheme): (Way, Scheme)| Grid {
            chain: "10 links",
            way,
            cells: cells(Links::Printed, 10, Way { scheme, joint_loss: 0.0 }).unwrap(),
        };
        ways().into_iter().zip(schemes).map(grid).collect()
    }

    #[test]
    fn every_check_fails_when_the_schemes_change_places() {
        let checks = checks(&exchanged([Scheme::PassiveMidpoint, Scheme::PublishedMidpoint]));
        assert!(checks.len() == 4 && checks.iter().all(|check| !check.pass), "{checks:#?}");
    }

    #[test]
    fn a_scheme_that_loses_energy_is_no_gain() {
        let checks = checks(&exchanged([Scheme::ImplicitEuler; 2]));
        assert!(checks.iter().all(|check| !check.pass), "{checks:#?}");
    }
}
