//! The steps: inputs, live changes, checks.

use super::bodies::material;
use super::text::{Text, number, numbers, vector};
use crate::build::attached_gains;
use crate::drive::Drive;
use crate::run::{ATTACHED, ATTACHED_FORCE};
use crate::scene::{Change, DrivenSpec, Effort, Event, Scene};
use palpable::Payment;

pub fn write(text: &mut Text, scene: &Scene) {
    text.line("let mut checker = Checker::new(&world, watch);");
    text.line("let mut attached: Vec<(PortId, Drive)> = Vec::new();");
    let comes = |e: &Event| matches!(e.change, Change::Add { .. } | Change::Remove);
    if scene.events.iter().any(comes) {
        text.line("let mut added: Vec<BodyId> = Vec::new();");
    }
    text.open("for step in 0..STEPS {");
    for (i, event) in scene.events.iter().enumerate() {
        text.open(&format!("if step == {} {{", event.step));
        write_event(text, &event.change, i);
        text.close("}");
    }
    let range = numbers(&scene.step_range);
    text.line(&format!("let h = step_length([{range}], SEED, step);"));
    text.line("let mut inputs = world.inputs();");
    for DrivenSpec { name, id, drive } in scene.driven() {
        text.line(&format!("let drive = {};", written(&drive)));
        text.line(&format!("inputs.set({name}, drive.input(SEED, step, {id}));"));
    }
    text.open("for (i, (port, drive)) in attached.iter().enumerate() {");
    text.line(&format!("inputs.set(*port, drive.input(SEED, step, {ATTACHED} + i as u64));"));
    text.close("}");
    text.line("let taken = Taken { h, inputs };");
    text.line("checker.before(&world);");
    text.line("let report = world.step(h, &taken.inputs);");
    text.line("checker.after_step(&mut world, &report, &taken);");
    text.open("if checker.is_over() {");
    text.line("break;");
    text.close("}");
    text.close("}");
    text.line("checker.finish(&world);");
    text.line("(checker.findings, world.state_hash())");
}

fn written(drive: &Drive) -> String {
    match drive {
        Drive::Force { force, torque } => {
            let (force, torque) = (number(*force), number(*torque));
            format!("Drive::Force {{ force: {force}, torque: {torque} }}")
        }
        Drive::Press(force) => format!("Drive::Press({})", vector(force)),
        Drive::Reference { center, amplitude } => {
            let (center, amplitude) = (vector(center), number(*amplitude));
            format!("Drive::Reference {{ center: {center}, amplitude: {amplitude} }}")
        }
        Drive::Effort(most) => format!("Drive::Effort({})", number(*most)),
        Drive::Rate(most) => format!("Drive::Rate({})", number(*most)),
        Drive::Target(most) => format!("Drive::Target({})", number(*most)),
    }
}

fn write_event(text: &mut Text, change: &Change, i: usize) {
    if *change == Change::Snapshot {
        return text.line("checker.begin_replay(&world);");
    }
    text.line("checker.before(&world);");
    match change {
        Change::AttachForce { .. } | Change::AttachReference { .. } => {
            write_attach(text, change, i);
        }
        Change::Detach => write_release(text, "attached.len().wrapping_sub(1)"),
        Change::Release { which } => {
            write_release(text, &format!("{which} % attached.len().max(1)"));
        }
        Change::Add { at, radius, velocity } => {
            let (at, radius, velocity) = (vector(at), number(*radius), vector(velocity));
            let ball = format!("\"ball {}\", {at}, {radius}, {velocity}", i + 1);
            text.line(&format!("added.extend(change::add_ball(&mut world, {ball}));"));
        }
        Change::Remove => {
            text.open("if let Some(ball) = added.pop() {");
            text.line("change::remove_ball(&mut world, ball);");
            text.close("}");
        }
        change => text.line(&called(change)),
    }
    text.line("checker.after_change(&world);");
}

/// A change that is one call; a refused one changes nothing.
fn called(change: &Change) -> String {
    match change {
        Change::Mass { body, factor, payment } => {
            format!(
                "change::scale_mass(&mut world, b{body}, {}, {});",
                number(*factor),
                payer(*payment)
            )
        }
        Change::Stiffness { element, factor, payment } => {
            let (factor, payer) = (number(*factor), payer(*payment));
            format!("change::scale_stiffness(&mut world, {element}, {factor}, {payer});")
        }
        Change::Gravity { gravity, payment } => {
            format!("let _ = world.set_gravity({}, {});", vector(gravity), payer(*payment))
        }
        Change::Surface { body, material: surface } => {
            format!("let _ = world.set_material(b{body}, {});", material(surface))
        }
        Change::Damping { body, damping } => {
            let damping = numbers(&[*damping, damping * 0.01]);
            format!("let _ = world.set_body_damping(b{body}, {damping});")
        }
        Change::Effort(Effort { sweeps, newton_steps }) => {
            format!("change::set_effort(&mut world, {sweeps}, {newton_steps});")
        }
        Change::Grant(energy) => format!("let _ = world.grant({});", number(*energy)),
        Change::Refused => "change::ask_in_vain(&mut world);".to_owned(),
        Change::Kick { body, velocity } => {
            format!("change::kick(&mut world, b{body}, {});", vector(velocity))
        }
        _ => String::new(),
    }
}

fn payer(payment: Payment) -> &'static str {
    match payment {
        Payment::Tank => "Payment::Tank",
        Payment::Supply => "Payment::Supply",
    }
}

fn write_attach(text: &mut Text, change: &Change, i: usize) {
    let name = format!("\"a{}\"", i + 1);
    match change {
        Change::AttachForce { body, at } => {
            text.line(&format!("let port = Port::force({name}, b{body}.at({}));", vector(at)));
            text.line(&format!("let drive = {};", written(&ATTACHED_FORCE)));
        }
        Change::AttachReference { body, at, stiffness, amplitude } => {
            let [stiffness, damping] = attached_gains(*stiffness).map(|k| numbers(&k));
            text.line(&format!("let (pose, at) = (world.pose(b{body}), {});", vector(at)));
            text.line("let center = pose.position + pose.rotation * at;");
            text.line(&format!("let stiffness = [{stiffness}];"));
            text.line(&format!("let damping = [{damping}];"));
            let anchor = format!("b{body}.at(at)");
            text.line(&format!(
                "let port = Port::reference({name}, {anchor}, stiffness, damping);"
            ));
            let amplitude = number(*amplitude);
            text.line(&format!(
                "let drive = Drive::Reference {{ center, amplitude: {amplitude} }};"
            ));
        }
        _ => return,
    }
    text.open("if let Ok(port) = world.attach(port) {");
    text.line("attached.push((port, drive));");
    text.line("checker.watch.ports.push(port);");
    text.close("}");
}

fn write_release(text: &mut Text, which: &str) {
    text.line(&format!("let which = {which};"));
    text.open("if which < attached.len() {");
    text.line("let (gone, _) = attached.remove(which);");
    text.line("checker.watch.ports.retain(|port| *port != gone);");
    text.line("world.detach(gone).expect(\"a port that is there\");");
    text.close("}");
}
