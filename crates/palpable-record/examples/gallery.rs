//! Draws one figure of each kind, from signals given by formulas:
//! `cargo run -p palpable-record --example gallery -- FOLDER`.

use palpable_record::RecordError;
use palpable_record::figure::{
    Axis, Bins, Color, ColorMap, Dash, Figure, HeatMap, Histogram, Legend, Line, Marker, Panel,
    Stack,
};
use std::path::Path;

fn main() -> Result<(), RecordError> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "gallery".into());
    for (name, figure) in figures() {
        figure.write_both(Path::new(&folder).join(name))?;
    }
    Ok(())
}

/// Every figure with its file name.
fn figures() -> Vec<(&'static str, Figure)> {
    vec![
        ("lines", lines()),
        ("panels", panels()),
        ("energies", energies()),
        ("diverging", diverging()),
        ("convergence", convergence()),
        ("step-times", step_times()),
        ("heat", heat()),
        ("gain", gain()),
        ("grid", grid()),
        ("tiny", tiny()),
    ]
}

/// `count` times from 0 to `end` [s].
fn times(count: usize, end: f64) -> Vec<f64> {
    (0..count).map(|i| end * i as f64 / (count - 1) as f64).collect()
}

fn signal(t: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    t.iter().map(|t| f(*t)).collect()
}

/// Damped oscillations of several masses.
fn lines() -> Figure {
    let t = times(1000, 4.0);
    let mut panel = Panel::new(Axis::new("displacement", "m"));
    for (index, mass) in [0.1, 0.2, 0.4, 0.8, 1.6].into_iter().enumerate() {
        let (omega, rate) = ((20.0f64 / mass).sqrt(), 0.15 / mass);
        let x =
            signal(&t, |t| (0.02 - 0.002 * index as f64) * (omega * t).cos() * (-rate * t).exp());
        panel = panel.line(Line::new(format!("m = {mass} kg"), &t, &x));
    }
    let panel = panel.hline(0.0, "rest").vline(1.0, "force ends").note(2.0, 0.012, "slow decay");
    Figure::new("Damped oscillators", Axis::new("time", "s")).panel(panel)
}

/// Position, force and step time over one common time axis.
fn panels() -> Figure {
    let t = times(2000, 2.0);
    let hand = signal(&t, |t| 0.03 * (std::f64::consts::TAU * t).sin());
    let tool = signal(&t, |t| 0.03 * (std::f64::consts::TAU * t).sin().min(0.6));
    let force: Vec<f64> = hand.iter().zip(&tool).map(|(y, x)| 1500.0 * (x - y)).collect();
    let defect = signal(&t, |t| 1e-15 * (2.0 + (37.0 * t).sin() + (211.0 * t).cos()).abs());
    Figure::new("A hand presses on a wall", Axis::new("time", "s"))
        .size(720.0, 640.0)
        .panel(
            Panel::new(Axis::new("position", "m"))
                .line(Line::new("hand", &t, &hand))
                .line(Line::new("tool", &t, &tool))
                .hline(0.018, "wall"),
        )
        .panel(
            Panel::new(Axis::new("force on hand", "N"))
                .line(Line::new("force", &t, &force).color(Color::GREEN)),
        )
        .panel(
            Panel::new(Axis::new("defect / energy", "").log())
                .line(Line::new("defect", &t, &defect).color(Color::BLACK).width(0.8)),
        )
}

/// Stacked energies of a bouncing ball.
fn energies() -> Figure {
    let t = times(3000, 3.0);
    let omega = 7.0;
    let decay = |t: f64| (-0.8 * t).exp();
    let kinetic = signal(&t, |t| 0.5 * decay(t) * (omega * t).sin().powi(2));
    let elastic = signal(&t, |t| 0.3 * decay(t) * (omega * t).cos().powi(2));
    let gravity = signal(&t, |t| 0.2 * decay(t) * (omega * t).cos().powi(2));
    let tank = signal(&t, |t| 0.1 * (1.0 - decay(t)));
    let damped = signal(&t, |t| 0.4 * (1.0 - decay(t)));
    let total = signal(&t, |_| 0.5);
    Figure::new("Where the energy goes", Axis::new("time", "s")).panel(
        Panel::new(Axis::new("energy", "J"))
            .stack(
                Stack::new(&t)
                    .layer("kinetic", &kinetic)
                    .layer("elastic", &elastic)
                    .layer("gravity", &gravity)
                    .layer("tank", &tank)
                    .layer("damped", &damped)
                    .color(Color::GREY),
            )
            .line(Line::new("supplied", &t, &total).color(Color::BLACK).dash(Dash::Dashed)),
    )
}

/// One scheme explodes; the others stay readable.
fn diverging() -> Figure {
    let t = times(4000, 5.0);
    let exact = signal(&t, |t| 0.05 * (8.0 * t).cos());
    let midpoint = signal(&t, |t| 0.05 * (7.9 * t).cos());
    let explicit = signal(&t, |t| 0.05 * (8.0 * t).cos() * (1.1 * t.powi(4)).exp());
    Figure::new("Explicit integration diverges", Axis::new("time", "s"))
        .legend(Legend::Below)
        .panel(
            Panel::new(Axis::new("position", "m").robust())
                .line(Line::new("exact", &t, &exact).color(Color::BLACK).dash(Dash::Solid))
                .line(Line::new("passive midpoint", &t, &midpoint).color(Color::BLUE))
                .line(Line::new("explicit Euler", &t, &explicit).color(Color::VERMILION)),
        )
}

/// Errors over step length on two logarithmic axes.
fn convergence() -> Figure {
    let h: Vec<f64> = (0..9).map(|i| 1e-4 * 2f64.powi(i)).collect();
    let error = |order: f64, c: f64| signal(&h, |h| c * h.powf(order));
    Figure::new("Order of convergence", Axis::new("step length", "s").log()).panel(
        Panel::new(Axis::new("error after 10 s", "rad").log())
            .line(Line::new("published, order 1", &h, &error(1.0, 2.0)).marker(Marker::Square))
            .line(Line::new("passive, order 2", &h, &error(2.0, 5.0)).marker(Marker::Disc))
            .line(Line::scatter("reference", &h, &error(2.0, 4.0), Marker::Cross))
            .hline(1e-3, "bound"),
    )
}

/// A histogram of step times on a logarithmic axis.
fn step_times() -> Figure {
    // a smooth spread with a thin tail, without randomness
    let samples: Vec<f64> = (1..20_000)
        .map(|i| {
            let u = f64::from(i) / 20_000.0;
            4e-6 * (1.0 + 0.3 * (u / (1.0 - u)).ln() * 0.3) * (1.0 + 1e-3 / (1.0 - u))
        })
        .collect();
    let at = |share: f64| samples[(share * samples.len() as f64) as usize];
    Figure::new("Step times", Axis::new("time of one step", "s").log()).panel(
        Panel::new(Axis::new("steps", ""))
            .histogram(Histogram::new("", &samples, Bins::Log(60)))
            .vline(at(0.5), "median")
            .vline(at(0.99), "p99")
            .vline(at(0.999), "p99.9"),
    )
}

/// Relative loss over step length and stiffness.
fn heat() -> Figure {
    let h = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2];
    let k = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7];
    let cell = |h: f64, k: f64| if h * h * k > 5e3 { f64::NAN } else { 1e-15 + 1e-9 * h * h * k };
    let values: Vec<f64> = k.iter().flat_map(|k| h.map(|h| cell(h, *k))).collect();
    Figure::new("Energy defect", Axis::new("step length", "s")).size(640.0, 420.0).panel(
        Panel::new(Axis::new("stiffness", "N/m"))
            .heat(HeatMap::new("|defect| / energy", "", &h, &k, &values).log().texts()),
    )
}

/// Energy gained or lost, centred on one.
fn gain() -> Figure {
    let axis: Vec<f64> = (0..24).map(|i| f64::from(i) * 0.05).collect();
    let values: Vec<f64> = axis
        .iter()
        .flat_map(|y| axis.iter().map(move |x| 1.0 + 0.4 * (4.0 * x).sin() * (3.0 * y).cos()))
        .collect();
    let map = HeatMap::new("E / E₀", "", &axis, &axis, &values);
    Figure::new("Gain and loss", Axis::new("mass ratio", "")).size(560.0, 420.0).panel(
        Panel::new(Axis::new("damping", "N·s/m"))
            .heat(map.colors(ColorMap::Diverging { center: 1.0 })),
    )
}

/// Two columns, with titles.
fn grid() -> Figure {
    let t = times(800, 1.0);
    let mut figure =
        Figure::new("Four schemes", Axis::new("time", "s")).columns(2).legend(Legend::Below);
    for (index, name) in ["passive midpoint", "published", "symplectic Euler", "implicit Euler"]
        .into_iter()
        .enumerate()
    {
        let n = 1.0 + index as f64;
        let x = signal(&t, |t| (9.0 * t * n).sin() * (-0.5 * n * t).exp());
        let v = signal(&t, |t| (9.0 * t * n).cos() * (-0.5 * n * t).exp());
        let panel = Panel::new(Axis::new("state", "").fixed(-1.1, 1.1)).title(name);
        figure = figure.panel(panel.line(Line::new("x", &t, &x)).line(Line::new("v", &t, &v)));
    }
    figure
}

/// Very small and nearly constant values.
fn tiny() -> Figure {
    let t = times(500, 2e-3);
    let small = signal(&t, |t| 3e-7 * (9e3 * t).sin());
    let flat = signal(&t, |t| 1.25 + 2e-9 * (5e3 * t).sin());
    let pure = signal(&t, |t| 1e-6 * (1.0 + (3e3 * t).cos()));
    Figure::new("Small numbers", Axis::new("time", "s"))
        .panel(Panel::new(Axis::new("gap", "m")).line(Line::new("", &t, &small)))
        .panel(Panel::new(Axis::new("energy", "J")).line(Line::new("", &t, &flat)))
        .panel(Panel::new(Axis::new("residual", "")).line(Line::new("", &t, &pure)))
}
