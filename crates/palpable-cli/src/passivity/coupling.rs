//! `palpable passivity coupling`: what a coupling to any passive world asks of the device.

use super::loop_args::{Loop, LoopArgs};
use super::page::{Page, line};
use super::spring_args::SpringArgs;
use super::{verify, wall};
use crate::failure::Failure;
use crate::text::{si, wrapped};
use palpable_passivity::{
    Causality, CouplingTwoPort, Disk, MidpointCoupling, NyquistDisks, Region, Rendering, Wall,
    nyquist_disks,
};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};
use serde_json::json;
use std::f64::consts::TAU;

/// Damping that a coupling to any passive world asks of the device
///
/// With --gamma, the coupling of this engine: a spring to a world stepped by the
/// midpoint rule, its damper on the virtual side. Without, a backward-difference
/// spring and damper to a world in discrete time.
#[derive(clap::Args)]
#[command(after_help = "Example:
  palpable passivity coupling --stiffness 2000 --damping 1 --gamma 1 \\
      --device devices/example.toml --verify")]
pub struct Args {
    #[command(flatten)]
    spring: SpringArgs,
    /// Share of the step whose motion is sent to the device, 0 to 1
    #[arg(long)]
    gamma: Option<f64>,
    #[command(flatten)]
    of: LoopArgs,
    /// Simulate just inside and outside the bound, with the worst world
    #[arg(long)]
    verify: bool,
}

/// Frequencies of the Nyquist picture.
const DISKS: usize = 12;
/// The lowest of them, which are not drawn.
const LARGE: usize = 2;

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let of = args.of.read()?;
    let rendering = match args.gamma {
        Some(gamma) => Rendering::Midpoint(MidpointCoupling::new(
            args.spring.stiffness,
            args.spring.damping,
            gamma,
        )?),
        None => {
            Rendering::Coupling { stiffness: args.spring.stiffness, damping: args.spring.damping }
        }
    };
    let needed = rendering.required_damping(&of.sampling)?;
    let kind = args.gamma.map_or("Coupling".to_owned(), |g| format!("Midpoint coupling, γ = {g},"));
    let title = format!(
        "{kind} of {} and {} on {}",
        si(args.spring.stiffness, "N/m"),
        si(args.spring.damping, "N·s/m"),
        of.words
    );
    let (verdict, holds) = wall::verdict(needed, of.damping);
    let mut page = Page {
        text: format!(
            "{}{}{verdict}",
            wrapped(&title, 0),
            line("required device damping", &si(needed, "N·s/m"))
        ),
        json: json!({
            "stiffness": args.spring.stiffness,
            "damping": args.spring.damping,
            "gamma": args.gamma,
            "required_damping": needed,
            "device_damping": of.damping,
            "passive": of.damping.map(|_| holds),
        }),
        figures: vec![("coupling", figure(&title, &rendering, &of, needed)?)],
        holds,
    };
    if args.verify {
        verify::coupling(&rendering, &of)?.append(&mut page);
    }
    Ok(page)
}

/// Where the port that the world sees may lie, at frequencies up to Nyquist.
fn figure(title: &str, rendering: &Rendering, of: &Loop, needed: f64) -> Result<Figure, Failure> {
    let damping = of.damping.unwrap_or(needed);
    let sampling = &of.sampling;
    let disks = match rendering {
        Rendering::Midpoint(coupling) => {
            nyquist_disks(&coupling.two_port(sampling.time_step())?, damping, sampling, DISKS)
        }
        _ => {
            let coupling = Wall::backward_difference(rendering.stiffness(), rendering.damping())
                .transfer_function(sampling)?;
            let port = CouplingTwoPort { coupling, causality: Causality::Admittance };
            nyquist_disks(&port, damping, sampling, DISKS)
        }
    };
    Ok(draw(title, &disks))
}

fn draw(title: &str, disks: &[NyquistDisks]) -> Figure {
    // the first disks are so large that the others would vanish beside them
    let disks = &disks[LARGE.min(disks.len())..];
    let device = panel("device and operator, G*", "m/N", disks, |at| &at.device);
    let world = panel("seen by the world, G′", "N/m", disks, |at| &at.environment);
    Figure::new(title, Axis::new("", ""))
        .columns(2)
        .size(880.0, 500.0)
        .legend(Legend::Below)
        .panel(device)
        .panel(world.vline(0.0, "passive right of this"))
}

/// The circles of one port, on axes of equal span so that they look round.
fn panel(
    title: &str,
    unit: &str,
    disks: &[NyquistDisks],
    of: impl Fn(&NyquistDisks) -> &Disk,
) -> Panel {
    let circles: Vec<Option<(Vec<f64>, Vec<f64>)>> =
        disks.iter().map(|at| circle(of(at))).collect();
    let drawn = || circles.iter().flatten();
    let (x, y) = (span(drawn().flat_map(|c| &c.0)), span(drawn().flat_map(|c| &c.1)));
    let half = 0.55 * (x.1 - x.0).max(y.1 - y.0);
    let axis = |label, (low, high): (f64, f64)| {
        let middle = 0.5 * (low + high);
        Axis::new(label, unit).fixed(middle - half, middle + half)
    };
    let mut panel = Panel::new(axis("imaginary part", y)).x(axis("real part", x)).title(title);
    for (index, (at, circle)) in disks.iter().zip(&circles).enumerate() {
        let Some((x, y)) = circle else { continue };
        let name = if index % 3 == 0 { format!("θ = {:.2}", at.theta) } else { String::new() };
        let color = shade(index as f64 / (disks.len() - 1).max(1) as f64);
        panel = panel.line(Line::new(name, x, y).color(color).dash(Dash::Solid));
    }
    panel
}

/// Lowest and highest value, zero included.
fn span<'a>(values: impl Iterator<Item = &'a f64>) -> (f64, f64) {
    values.fold((0.0, 0.0), |(low, high), v| (f64::min(low, *v), f64::max(high, *v)))
}

/// From blue at low frequencies to vermilion at Nyquist.
fn shade(share: f64) -> Color {
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))) as u8;
    let ([r0, g0, b0], [r1, g1, b1]) = (Color::BLUE.rgb, Color::VERMILION.rgb);
    Color::new(mix(r0, r1), mix(g0, g1), mix(b0, b1))
}

/// The edge of a disk; nothing for half-planes and holes.
fn circle(disk: &Disk) -> Option<(Vec<f64>, Vec<f64>)> {
    if disk.region() != Region::Disk {
        return None;
    }
    let (center, radius) = (disk.center(), disk.radius());
    let points = (0..=96).map(|i| TAU * f64::from(i) / 96.0);
    Some(points.map(|a| (center.re + radius * a.cos(), center.im + radius * a.sin())).unzip())
}
