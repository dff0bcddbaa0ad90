//! `palpable passivity wall`: what a spring-damper wall asks of the device.

use super::loop_args::{Loop, LoopArgs};
use super::page::{Page, line};
use super::spring_args::SpringArgs;
use super::{quantity, verify};
use crate::failure::Failure;
use crate::text::{digits, si, wrapped};
use palpable_passivity::{PulseTf, RequiredDamping, Velocity, Wall, damping_at, required_damping};
use palpable_record::figure::{Axis, Color, Dash, Figure, Line, Panel};
use serde_json::json;
use std::f64::consts::PI;

/// Damping that a spring-damper wall asks of the device
#[derive(clap::Args)]
#[command(after_help = "Example:
  palpable passivity wall --stiffness 10000 --damping 20 --device-damping 30 \\
      --verify")]
pub struct Args {
    #[command(flatten)]
    spring: SpringArgs,
    /// Time constant of the velocity filter [s]; 0 for a plain backward difference
    #[arg(long, value_name = "TAU", value_parser = quantity::time, default_value = "0",
        allow_negative_numbers = true)]
    filter: f64,
    #[command(flatten)]
    of: LoopArgs,
    /// Simulate just inside and outside the bound
    #[arg(long)]
    verify: bool,
}

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let of = args.of.read()?;
    let velocity = if args.filter == 0.0 {
        Velocity::BackwardDifference
    } else {
        Velocity::Filtered(args.filter)
    };
    let wall = Wall { stiffness: args.spring.stiffness, damping: args.spring.damping, velocity };
    let tf = wall.transfer_function(&of.sampling)?;
    let need = required_damping(&tf, &of.sampling)?;
    let title = format!(
        "Wall of {} and {} on {}",
        si(args.spring.stiffness, "N/m"),
        si(args.spring.damping, "N·s/m"),
        of.words
    );
    let (verdict, holds) = verdict(need.damping, of.damping);
    let mut page = Page {
        text: format!("{}{}{verdict}", wrapped(&title, 0), demand(&need, &of)),
        json: json!({
            "stiffness": args.spring.stiffness,
            "damping": args.spring.damping,
            "required_damping": need.damping,
            "theta": need.theta,
            "device_damping": of.damping,
            "passive": of.damping.map(|_| holds),
        }),
        figures: vec![("wall", figure(&title, &tf, &of, need.damping))],
        holds,
    };
    if args.verify {
        verify::both_sides(&tf, &of)?.append(&mut page);
    }
    Ok(page)
}

fn demand(need: &RequiredDamping, of: &Loop) -> String {
    let frequency = need.theta / (2.0 * PI * of.sampling.time_step());
    let place = if need.theta == 0.0 {
        "at rest".to_owned()
    } else {
        format!("at {} ({} rad per sample)", si(frequency, "Hz"), digits(need.theta))
    };
    line("required device damping", &si(need.damping, "N·s/m")) + &line("asked for most", &place)
}

/// Whether the device has what is needed, in words.
pub fn verdict(needed: f64, available: Option<f64>) -> (String, bool) {
    let Some(available) = available else { return (String::new(), true) };
    let holds = available >= needed * (1.0 - 1e-12);
    let words = if holds {
        format!(
            "{}: passive, {} times the need",
            si(available, "N·s/m"),
            digits(available / needed)
        )
    } else {
        let missing = si(needed - available, "N·s/m");
        format!("{}: NOT passive, {missing} are missing", si(available, "N·s/m"))
    };
    (line("the device has", &words), holds)
}

/// The demand over frequency.
fn figure(title: &str, tf: &PulseTf, of: &Loop, need: f64) -> Figure {
    let rate = 1.0 / of.sampling.time_step();
    let thetas: Vec<f64> = (0..=400).map(|i| PI * f64::from(i) / 400.0).collect();
    let frequency: Vec<f64> = thetas.iter().map(|theta| theta * rate / (2.0 * PI)).collect();
    let demand: Vec<f64> = thetas
        .iter()
        .map(|theta| damping_at(tf, &of.sampling, *theta).unwrap_or(f64::NAN))
        .collect();
    let axis = Axis::new("required device damping", "N·s/m").include(0.0);
    let mut panel = Panel::new(axis.include(of.damping.unwrap_or(need)))
        .line(Line::new("asked for", &frequency, &demand))
        .hline(need, "bound");
    if let Some(damping) = of.damping {
        // what there is, beside what is asked for
        let there = vec![damping; frequency.len()];
        let line = Line::new("the device has", &frequency, &there).color(Color::VERMILION);
        panel = panel.line(line.dash(Dash::Solid));
    }
    Figure::new(title, Axis::new("frequency", "Hz")).panel(panel)
}
