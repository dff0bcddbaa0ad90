//! The joints of `[Kim2017 sec. 3.2]`: energy of chains over step and stiffness.

use super::chain::{Chain, Gain, Links};
use super::style::{heading, label};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::Scheme;
use palpable_record::figure::{Axis, Figure, HeatMap, Legend, Panel};

/// Pinned chains of 2 and 10 links, 0.1 m and 1 g each, spinning at up to 11 rad/s, without any
/// damping, for 2 s; inertia `m·I` as printed, and that of slender rods.
///
/// Not a figure of the paper, which says of `[Kim2017, (26)]` that it nearly enforces passivity.
/// It gains energy in every cell, because its Jacobian is frozen at the start of the step and the
/// strain measured anew at the end; the passive midpoint carries the strain and keeps the sum of
/// stored and lost energy to rounding.
pub(crate) const JOINTS: Experiment = Experiment {
    id: "kim2017/joints",
    paper: "Kim2017",
    title: "Chains on stiff joints: |(E + lost)/E₀ − 1| after 2 s (∞: beyond 10⁸)",
    shows: "the published joints gain energy at every step and stiffness, without bound where they \
            are stiff or coarse; the passive midpoint keeps it",
    make,
};

const STEPS: [f64; 4] = [1e-3, 5e-3, 1e-2, 33e-3];
const STIFFNESSES: [f64; 3] = [1e2, 1e4, 1e7];
/// Inertia, number of links, and how both are written.
const CHAINS: [(Links, u32, &str); 4] = [
    (Links::Printed, 2, "2 links, J = m·I"),
    (Links::Printed, 10, "10 links, J = m·I"),
    (Links::Rods, 2, "2 slender rods"),
    (Links::Rods, 10, "10 slender rods"),
];
/// Published beside ours.
const SCHEMES: [Scheme; 2] = [Scheme::PublishedMidpoint, Scheme::PassiveMidpoint];
/// A chain with this many times its energy is gone.
const LIMIT: f64 = 1e8;
/// The lower end of the colours: no sum of doubles is truer.
const ROUNDING: f64 = 1e-16;

/// Every cell of one chain and scheme, stiffness by stiffness.
struct Grid {
    chain: &'static str,
    scheme: Scheme,
    cells: Vec<Gain>,
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let count = (CHAINS.len() * SCHEMES.len()) as f64;
    let mut grids = Vec::new();
    for (links, number, chain) in CHAINS {
        for scheme in SCHEMES {
            let cells = cells(links, number, scheme)?;
            grids.push(Grid { chain, scheme, cells });
            progress(grids.len() as f64 / count);
        }
    }
    Ok(Page::new(figure(experiment.title, &grids), sheet(&grids), checks(&grids)))
}

fn cells(links: Links, count: u32, scheme: Scheme) -> Result<Vec<Gain>, PaperError> {
    let mut cells = Vec::new();
    for stiffness in STIFFNESSES {
        for h in STEPS {
            cells.push(Chain { links, count, stiffness }.run(scheme, h, LIMIT)?);
        }
    }
    Ok(cells)
}

impl Grid {
    /// `(E + lost)/E0` cell by cell; beyond the limit there is no number.
    fn ratios(&self) -> Vec<f64> {
        let kept = |gain: &Gain| if gain.end > LIMIT { f64::INFINITY } else { gain.end };
        self.cells.iter().map(kept).collect()
    }

    fn panel(&self) -> Panel {
        let changes: Vec<f64> = self.ratios().iter().map(|ratio| (ratio - 1.0).abs()).collect();
        let milliseconds = STEPS.map(|h| 1e3 * h);
        let map =
            HeatMap::new("unexplained energy / E₀", "", &milliseconds, &STIFFNESSES, &changes);
        Panel::new(Axis::new("stiffness k", "N/m"))
            .title(format!("{}, {}", label(self.scheme), self.chain))
            .heat(map.log().range(ROUNDING, LIMIT).texts())
    }
}

fn figure(title: &str, grids: &[Grid]) -> Figure {
    let figure = Figure::new(title, Axis::new("step h", "ms"));
    let figure = figure.columns(SCHEMES.len()).legend(Legend::Hidden).size(980.0, 960.0);
    grids.iter().map(Grid::panel).fold(figure, Figure::panel)
}

fn sheet(grids: &[Grid]) -> Sheet {
    let both = STIFFNESSES.iter().flat_map(|k| STEPS.map(|h| (*k, h)));
    let (k, h): (Vec<f64>, Vec<f64>) = both.unzip();
    let start = Sheet::default().column("stiffness", "N/m", &k).column("step", "s", &h);
    grids.iter().fold(start, |sheet, grid| {
        let name =
            format!("{}.{}.(E+lost)/E0", heading(grid.scheme), grid.chain.replace(", ", " "));
        sheet.column(&name, "", &grid.ratios())
    })
}

/// Ours keeps the energy in every cell at every time, the published joints gain in every cell.
fn checks(grids: &[Grid]) -> Vec<Check> {
    let mut checks: Vec<Check> = grids
        .iter()
        .map(|grid| {
            let name = |what: &str| format!("{}, {}: {what}", label(grid.scheme), grid.chain);
            match grid.scheme {
                Scheme::PassiveMidpoint => Check::at_most(
                    name("largest |(E + lost)/E0 - 1|"),
                    largest(grid.cells.iter().map(|gain| gain.stray)),
                    1e-9,
                ),
                _ => {
                    let least =
                        grid.cells.iter().map(|gain| gain.end).fold(f64::INFINITY, f64::min);
                    Check::at_least(name("smallest (E + lost)/E0"), least, 1.0001)
                }
            }
        })
        .collect();
    let published = grids.iter().filter(|grid| grid.scheme == Scheme::PublishedMidpoint);
    let gone = published.flat_map(|grid| &grid.cells).filter(|gain| gain.end > LIMIT).count();
    checks.push(Check::at_least("published midpoint: cells beyond 1e8", gone as f64, 1.0));
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grids of ten printed links with the schemes exchanged for others.
    fn exchanged(schemes: [Scheme; 2]) -> Vec<Grid> {
        let grid = |(scheme, other): (Scheme, Scheme)| Grid {
            chain: "10 links",
            scheme,
            cells: cells(Links::Printed, 10, other).unwrap(),
        };
        SCHEMES.into_iter().zip(schemes).map(grid).collect()
    }

    #[test]
    fn every_check_fails_when_the_schemes_change_places() {
        let checks = checks(&exchanged([Scheme::PassiveMidpoint, Scheme::PublishedMidpoint]));
        assert!(checks.len() == 3 && checks.iter().all(|check| !check.pass), "{checks:#?}");
    }

    #[test]
    fn a_scheme_that_loses_energy_is_no_gain() {
        let checks = checks(&exchanged([Scheme::ImplicitEuler; 2]));
        assert!(checks.iter().all(|check| !check.pass), "{checks:#?}");
    }
}
