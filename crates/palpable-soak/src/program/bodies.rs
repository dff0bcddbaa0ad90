//! Bodies and their ports.

use super::text::{Text, number, numbers, turn, vector};
use crate::build::reference_gains;
use crate::drive::Drive;
use crate::scene::{BodySpec, Form, Scene};
use palpable::{Material, VolumeKind, VolumeLaw};

pub fn write_bodies(text: &mut Text, scene: &Scene) {
    for body in &scene.bodies {
        let id = body.id;
        write_made(text, id, &body.form);
        text.line(&format!(".position({})", vector(&body.position)));
        text.line(&format!(".rotation({})", turn(&body.turn)));
        text.line(&format!(".material({})", material(&body.material)));
        if body.fixed {
            text.line(".fixed();");
        } else {
            write_motion(text, body);
        }
        text.close(&format!("let b{id} = model.body(b{id});"));
    }
}

/// `let b3 = Body::sphere("b3", 0.1)`.
fn write_made(text: &mut Text, id: usize, form: &Form) {
    let name = format!("\"b{id}\"");
    let made = match form {
        Form::Cuboid(half) => format!("Body::cuboid({name}, {})", vector(half)),
        Form::Ball(radius) => format!("Body::sphere({name}, {})", number(*radius)),
        Form::Capsule { half_length, radius } => {
            format!("Body::capsule({name}, {})", numbers(&[*half_length, *radius]))
        }
        Form::Cylinder { half_length, radius } => {
            format!("Body::cylinder({name}, {})", numbers(&[*half_length, *radius]))
        }
        Form::Hull(points) => {
            text.open(&format!("let points{id} = ["));
            points.iter().for_each(|point| text.line(&format!("{},", vector(point))));
            text.close("];");
            format!("Body::convex_hull({name}, &points{id})")
        }
        Form::Bracket(size) => format!("solids::bracket({name}, {})", number(*size)),
        Form::Dumbbell(size) => format!("solids::dumbbell({name}, {})", number(*size)),
        Form::HalfSpace => format!("Body::half_space({name})"),
        Form::Plane(side) => format!("solids::plane({name}, {})", number(*side)),
        Form::Bowl { half_side, depth } => {
            format!("solids::bowl({name}, {})", numbers(&[*half_side, *depth]))
        }
        Form::Field(side) => format!("solids::field({name}, {})", number(*side)),
    };
    text.open(&format!("let b{id} = {made}"));
}

fn write_motion(text: &mut Text, body: &BodySpec) {
    text.line(&format!(".mass({})", number(body.mass)));
    text.line(&format!(".velocity({})", vector(&body.velocity)));
    text.line(&format!(".angular_velocity({})", vector(&body.spin)));
    text.line(&format!(".damping({});", numbers(&body.damping)));
}

/// A surface.
pub fn material(material: &Material) -> String {
    let Material { friction, static_friction, restitution, .. } = *material;
    let (spin_radius, roll_radius) = (material.spin_radius, material.roll_radius);
    let mut text = format!("Material::new({})", numbers(&[friction, restitution]));
    if static_friction != friction {
        text += &format!(".sticky({})", number(static_friction));
    }
    if (spin_radius, roll_radius) != (0.0, 0.0) {
        text += &format!(".rolling({})", numbers(&[spin_radius, roll_radius]));
    }
    if let Some(law) = &material.volume {
        text += &format!(".soft({})", layer(law));
    }
    text
}

fn layer(law: &VolumeLaw) -> String {
    let (normal, shear) = ([law.modulus, law.damping], [law.shear, law.shear_damping]);
    let mut text = format!("VolumeLaw::new({})", numbers(&normal));
    text += &format!(".shear({})", numbers(&shear));
    if law.kind != VolumeKind::Hydrostatic {
        text += &format!(".kind(VolumeKind::{:?})", law.kind);
    }
    if law.impulse {
        text += ".with_impulses()";
    }
    text
}

pub fn write_ports(text: &mut Text, scene: &Scene) {
    for port in scene.acting_ports() {
        let (id, anchor) = (port.id, format!("b{}.at({})", port.body, vector(&port.at)));
        if let Drive::Reference { .. } = port.drive {
            let [stiffness, damping] = reference_gains(port.stiffness).map(|k| numbers(&k));
            text.line(&format!("let stiffness = [{stiffness}];"));
            text.line(&format!("let damping = [{damping}];"));
            let port = format!("Port::reference(\"p{id}\", {anchor}, stiffness, damping)");
            text.line(&format!("let p{id} = {port};"));
        } else {
            text.line(&format!("let p{id} = Port::force(\"p{id}\", {anchor});"));
        }
        text.line(&format!("let p{id} = model.port(p{id});"));
    }
}
