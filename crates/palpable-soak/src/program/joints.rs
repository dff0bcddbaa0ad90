//! Joints and springs.

use super::text::{Text, number, numbers, turn, vector};
use crate::build::local_ends;
use crate::scene::{JointKind, JointSpec, Scene};
use palpable::Vec3;

pub fn write(text: &mut Text, scene: &Scene) {
    for joint in &scene.joints {
        let Some([(a, _), (b, _)]) = local_ends(scene, joint) else { continue };
        let id = joint.id;
        text.open(&format!("let j{id} = ["));
        write_end(text, scene, joint, (Some(joint.a), a));
        write_end(text, scene, joint, (joint.b, b));
        text.close("];");
        text.open(&format!("let spring = Spring::from({})", made(joint)));
        if joint.stiffness.is_finite() {
            text.line(&format!(".damping({})", number(joint.damping)));
        }
        if let Some(stops) = joint.stops {
            text.line(&format!(".stops({})", numbers(&stops)));
        }
        if let Some(limit) = joint.friction {
            text.line(&format!(".friction({})", number(limit)));
        }
        if let Some(rest) = joint.rest {
            text.line(&format!(".rest({})", number(rest)));
        }
        text.close(";");
        text.line("model.spring(spring);");
    }
}

/// One end: a body or the world, and the point in its axes.
fn write_end(text: &mut Text, scene: &Scene, joint: &JointSpec, end: (Option<usize>, Vec3)) {
    let (body, point) = (end.0.and_then(|id| scene.body(id)), vector(&end.1));
    let frame = turn(&joint.frame);
    match body {
        Some(body) => {
            text.line(&format!("b{}.at({point})", body.id));
            text.line(&format!("    .turned({}.inverse()", turn(&body.turn)));
            text.line(&format!("        * {frame}),"));
        }
        None => text.line(&format!("Anchor::world({point}).turned({frame}),")),
    }
}

fn made(joint: &JointSpec) -> String {
    let ends = format!("j{id}[0], j{id}[1]", id = joint.id);
    let made = match joint.kind {
        JointKind::Ball => format!("Joint::ball({ends})"),
        JointKind::Hinge => format!("Joint::hinge({ends})"),
        JointKind::Universal => format!("Joint::universal({ends})"),
        JointKind::Fixed => format!("Joint::fixed({ends})"),
        JointKind::Prismatic => format!("Joint::prismatic({ends})"),
        JointKind::Cylindrical => format!("Joint::cylindrical({ends})"),
        JointKind::Planar => format!("Joint::planar({ends})"),
        JointKind::Distance => {
            format!("Joint::distance({ends}, {})", number(joint.offset.norm()))
        }
        JointKind::SpringPoint => format!("Spring::point({ends})"),
        JointKind::SpringRotation => format!("Spring::rotation({ends})"),
        JointKind::SpringPose => format!("Spring::pose({ends})"),
        JointKind::SpringAngle => format!("Spring::angle({ends})"),
        JointKind::SpringSlide => format!("Spring::slide({ends})"),
    };
    format!("{made}.stiffness({})", number(joint.stiffness))
}
