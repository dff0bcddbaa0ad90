//! A scene as a Rust program of its own: it builds the world with the engine's builder, runs it
//! under the same checks, and fails if the law is still broken. It needs nothing but `palpable`.

mod bodies;
mod chains;
mod joints;
mod steps;
mod text;

use crate::check::finding::Kind;
use crate::scene::Scene;
use text::{Text, number, vector};

/// Files that a program carries with it, each as a module.
const MODULES: [(&str, &str); 4] = [
    ("random", include_str!("../random.rs")),
    ("drive", include_str!("../drive.rs")),
    ("solids", include_str!("../solids.rs")),
    ("change", include_str!("../change.rs")),
];

/// The same for modules of `check`.
const CHECKS: [(&str, &str); 7] = [
    ("books", include_str!("../check/books.rs")),
    ("checker", include_str!("../check/checker.rs")),
    ("finding", include_str!("../check/finding.rs")),
    ("motion", include_str!("../check/motion.rs")),
    ("own", include_str!("../check/own.rs")),
    ("same", include_str!("../check/same.rs")),
    ("watch", include_str!("../check/watch.rs")),
];

/// The program of a scene that breaks a law.
pub fn program(scene: &Scene, kind: Kind) -> String {
    scene_part(scene, kind) + &modules()
}

/// The part of a program that is about its scene.
pub fn scene_part(scene: &Scene, kind: Kind) -> String {
    let mut text = Text::default();
    write_head(&mut text, scene, kind);
    text.open("fn run() -> (Findings, u64) {");
    write_model(&mut text, scene);
    steps::write(&mut text, scene);
    text.close("}");
    text.line("");
    text.line("fn v(x: f64, y: f64, z: f64) -> Vec3 {\n    Vec3::new(x, y, z)\n}\n");
    text.line("/// A rotation from its vector [rad].");
    text.line("fn turn(x: f64, y: f64, z: f64) -> Rotation {");
    text.line("    Rotation::from_scaled_axis(v(x, y, z))\n}");
    text.done()
}

fn write_head(text: &mut Text, scene: &Scene, kind: Kind) {
    let (seed, profile, name) = (scene.seed, scene.profile.name(), kind.name());
    text.line(&format!("// Breaks the law \"{name}\": from seed {seed}, profile {profile}."));
    text.line("// A program that needs nothing but the crate `palpable`; made by palpable-soak.");
    text.line("use check::checker::Checker;");
    text.line("use check::finding::{Findings, Kind};");
    text.line("use check::same::Taken;");
    text.line("use check::watch::Watch;");
    text.line("use drive::{Drive, step_length};");
    text.line("use palpable::*;\n");
    text.line("/// Inputs and step lengths are drawn from this.");
    text.line(&format!("const SEED: u64 = {seed};"));
    text.line(&format!("const STEPS: usize = {};\n", scene.steps));
    text.line("fn main() {");
    text.line("    let (findings, _) = run();");
    text.line(&format!("    let broken = findings.found.get(&Kind::{kind:?});"));
    text.line(&format!("    assert!(broken.is_none(), \"{name}: {{broken:?}}\");"));
    text.line("}\n");
    text.line("/// What was found, and the hash of the last state.");
    text.line("#[allow(unused_variables, unused_mut)]");
}

fn write_model(text: &mut Text, scene: &Scene) {
    text.line("let mut model = Model::builder();");
    text.line(&format!("model.gravity({});", vector(&scene.gravity)));
    text.line(&format!("model.contacts({});", scene.capacity));
    bodies::write_bodies(text, scene);
    joints::write(text, scene);
    chains::write_chains(text, scene);
    chains::write_beams(text, scene);
    chains::write_gears(text, scene);
    bodies::write_ports(text, scene);
    let surplus = if scene.returns_surplus { "Return" } else { "Keep" };
    text.line(&format!(
        "let tank = TankPolicy {{ surplus: Surplus::{surplus}, ..Default::default() }};"
    ));
    text.line("let options = Options { tank, ..Default::default() };");
    text.line("let model = model.build().expect(\"the engine builds this world\");");
    text.line("let mut world = World::with_options(model, options).expect(\"options that fit\");");
    if let Some(effort) = scene.effort {
        let (sweeps, newton_steps) = (effort.sweeps, effort.newton_steps);
        text.line(&format!("change::set_effort(&mut world, {sweeps}, {newton_steps});"));
    }
    write_watch(text, scene);
}

fn write_watch(text: &mut Text, scene: &Scene) {
    let watched = scene.watched();
    text.open("let watch = Watch {");
    text.line(&format!("ports: vec![{}],", watched.ports.join(", ")));
    text.line(&format!("chains: {},", watched.chains));
    text.line(&format!("beams: {},", watched.beams));
    let free = watched.free.map_or("None".to_owned(), |r| format!("Some({})", number(r)));
    text.line(&format!("free: {free},"));
    text.open("above: vec![");
    for (id, radius) in watched.above {
        text.line(&format!("(b{id}, {}),", number(radius)));
    }
    text.close("],");
    text.open("closed: vec![");
    for (id, offset) in watched.closed {
        let offset = number(offset);
        let name = format!("name: \"j{id}\".into()");
        text.line(&format!("check::watch::Closed {{ {name}, ends: j{id}, offset: {offset} }},"));
    }
    text.close("],");
    text.close("};");
}

/// The part of a program that is the same for all scenes: how it is driven and checked.
fn modules() -> String {
    let module = |(name, source): (&str, &str)| {
        format!("\n#[allow(dead_code)]\npub mod {name} {{\n{source}}}\n")
    };
    let checks: String = CHECKS.map(module).concat();
    MODULES.map(module).concat() + &module(("check", &checks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;

    #[test]
    fn what_a_program_carries_uses_nothing_that_it_does_not_carry() {
        let carried: Vec<_> = MODULES.map(|(name, _)| format!("use crate::{name}::")).into();
        let checks = CHECKS.map(|(name, _)| format!("use crate::check::{name}::"));
        let allowed = [carried, checks.into(), vec!["use palpable::".into(), "use std::".into()]];
        let allowed = allowed.concat();
        for (name, source) in MODULES.into_iter().chain(CHECKS) {
            for line in source.lines().filter(|line| line.trim_start().starts_with("use ")) {
                assert!(allowed.iter().any(|start| line.starts_with(start)), "{name}: {line}");
            }
            let crates = source.matches("crate::").count();
            assert_eq!(crates, source.matches("use crate::").count(), "{name}");
            assert!(!source.contains("palpable_soak"), "{name}");
        }
    }

    #[test]
    fn a_program_names_its_seed_and_asserts_its_law() {
        let text = program(&generate(3), Kind::NegativeImpact);
        assert!(text.contains("const SEED: u64 = 3;"));
        assert!(text.contains("findings.found.get(&Kind::NegativeImpact)"));
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
