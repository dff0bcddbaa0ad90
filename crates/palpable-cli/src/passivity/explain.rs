//! `palpable passivity explain`: which coupling of a scene breaks which bound of a device.

use super::device_file::{example, load_profile};
use super::page::{Page, number};
use super::profile;
use crate::failure::Failure;
use crate::text::{hanging, si, tidy, wrapped};
use palpable_passivity::{Device, Explanation, explain_coupling, explain_pointer};
use palpable_scene::{Built, Scene};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Which coupling of a scene breaks which bound of a device, and the ways out
#[derive(clap::Args)]
#[command(after_help = "Example:
  palpable passivity explain scenes/reference-port.toml \\
      --device devices/example.toml")]
pub struct Args {
    /// Scene, by file or name; its reference ports are looked at
    scene: PathBuf,
    /// Device profile (TOML), or the name of one inside the program, such as touch [default: an
    /// example]
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,
    /// The bodies of the ports are where the device is, with no coupling between, as with
    /// `palpable run --direct`: what their contacts ask of the device
    #[arg(long)]
    direct: bool,
}

/// Ways out that are shown to people.
const WAYS: usize = 3;
/// The engine sends the end of the step.
const GAMMA: f64 = 1.0;

/// Answers the question.
pub fn answer(args: &Args) -> Result<Page, Failure> {
    let known = args.device.as_deref().map_or_else(example, load_profile)?;
    let found = palpable_studio::located::find(&args.scene)?;
    let built = Scene::load(&found.path)?.build()?;
    let couplings = couplings(&built);
    if couplings.is_empty() {
        let cure = "give a port kind = \"reference\" with a stiffness";
        let file = args.scene.display();
        return Err(Failure::new(format!("{file}: no reference port couples a hand; {cure}")));
    }
    let mut text = format!("{} on {}\n", built.name, known.device.name);
    text.push_str(&profile::provenance(&known));
    text.push_str(&rate_remark(&built, &known.device));
    let couplings = if args.direct { pointers(&built, &couplings)? } else { couplings };
    let (mut ports, mut holds) = (Vec::new(), true);
    for Coupling { port, stiffness, damping } in &couplings {
        let found = match args.direct {
            false => explain_coupling(&known.device, *stiffness, *damping, GAMMA)?,
            true => explain_pointer(&known.device, *stiffness, *damping)?,
        };
        holds &= found.passive;
        let (k, b) = (si(*stiffness, "N/m"), si(*damping, "N·s/m"));
        let verdict = if found.passive { "passive" } else { "NOT passive" };
        text.push_str(&format!("\nport {port}: {k}, {b}: {verdict}\n"));
        text.push_str(&words(&found));
        ports.push(object(port, (*stiffness, *damping), args.direct, &found));
    }
    Ok(Page {
        text,
        json: json!({ "device": known.device.name, "passive": holds, "ports": ports }),
        figures: Vec::new(),
        holds,
    })
}

/// A reference port along its stiffest direction.
struct Coupling {
    port: String,
    stiffness: f64,
    damping: f64,
}

fn couplings(built: &Built) -> Vec<Coupling> {
    let model = &built.model;
    let coupled = model.ports().iter().filter_map(|port| Some((port, port.element?)));
    coupled
        .filter_map(|(port, element)| {
            let params = &model.params().elements[element];
            // offsets come first; a device that turns is not described by a profile yet
            let stiffest =
                (0..3).max_by(|a, b| params.stiffness[*a].total_cmp(&params.stiffness[*b]))?;
            let (stiffness, damping) = (params.stiffness[stiffest], params.damping[stiffest]);
            (stiffness > 0.0).then(|| Coupling { port: port.name.clone(), stiffness, damping })
        })
        .collect()
}

/// The same ports without their couplings: the stiffest contact of each body, lying flat with the
/// largest side of the box around it.
fn pointers(built: &Built, couplings: &[Coupling]) -> Result<Vec<Coupling>, Failure> {
    let model = &built.model;
    let surfaces = &model.params().surfaces;
    let mut out = Vec::new();
    for Coupling { port, .. } in couplings {
        let info = model.ports().iter().find(|p| p.name == *port);
        let body = info.and_then(|p| model.bodies().iter().position(|b| b.moving == Some(p.body)));
        let Some(body) = body else { continue };
        let area = model.bodies()[body].collider.as_ref().map_or(0.0, |c| c.largest_side());
        let laws = (0..model.bodies().len()).filter(|other| *other != body);
        let stiffest = laws
            .filter_map(|other| surfaces.material(body, other).volume)
            .max_by(|a, b| a.modulus.total_cmp(&b.modulus));
        let Some(law) = stiffest.filter(|_| area > 0.0) else {
            return Err(Failure::new(format!(
                "port {port}: its body touches over no area, so that its contacts have no \
                 stiffness of their own; give its material the law \"volume\" and a modulus, or \
                 leave --direct out"
            )));
        };
        let (stiffness, damping) = (law.modulus * area, law.damping * area);
        out.push(Coupling { port: port.clone(), stiffness, damping });
    }
    Ok(out)
}

/// Steps that are not the device's periods are worth a word.
fn rate_remark(built: &Built, device: &Device) -> String {
    let step = built.steps.mean_length();
    if (step * device.rate - 1.0).abs() < 1e-6 {
        return String::new();
    }
    let words = format!(
        "The scene steps at {}, the device at {}: the bounds below are for the device's rate.",
        si(1.0 / step, "Hz"),
        si(device.rate, "Hz")
    );
    wrapped(&words, 2)
}

fn words(found: &Explanation) -> String {
    let mut text = String::new();
    for finding in &found.findings {
        let mark = if finding.holds { "holds" } else { "BROKEN" };
        text.push_str(&hanging(&format!("{mark}: {}", tidy(&finding.text)), 2, 2));
    }
    if !found.ways_out.is_empty() {
        text.push_str("  ways out, each enough by itself:\n");
    }
    for (index, way) in found.ways_out.iter().take(WAYS).enumerate() {
        text.push_str(&hanging(&format!("{}. {}", index + 1, tidy(&way.text)), 4, 3));
    }
    text
}

fn object(
    port: &str,
    (stiffness, damping): (f64, f64),
    direct: bool,
    found: &Explanation,
) -> Value {
    let findings = found.findings.iter().map(|f| {
        json!({
            "bound": format!("{:?}", f.bound).to_lowercase(),
            "holds": f.holds,
            "available": number(f.available),
            "needed": number(f.needed),
            "text": f.text,
        })
    });
    let ways = found.ways_out.iter().map(|w| {
        let knob = format!("{:?}", w.knob).to_lowercase();
        json!({ "knob": knob, "from": number(w.from), "to": number(w.to), "text": w.text })
    });
    json!({
        "port": port,
        "stiffness": stiffness,
        "damping": damping,
        "gamma": if direct { Value::Null } else { json!(GAMMA) },
        "direct": direct,
        "passive": found.passive,
        "findings": findings.collect::<Vec<_>>(),
        "ways_out": ways.collect::<Vec<_>>(),
    })
}
