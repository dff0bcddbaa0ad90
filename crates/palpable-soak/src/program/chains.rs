//! Chains, beams and gears.

use super::text::{Text, number, numbers, turn, vector};
use crate::build::wheel_places;
use crate::scene::{BaseSpec, BoundSpec, ChainSpec, LinkSpec, MotorKind, Scene};

pub fn write_chains(text: &mut Text, scene: &Scene) {
    for chain in &scene.chains {
        let id = chain.id;
        text.line(&format!("let mut c{id} = Chain::new(\"c{id}\");"));
        if let Some(base) = &chain.base {
            write_base(text, id, base);
        }
        for (i, link) in chain.links.iter().enumerate() {
            write_link(text, (id, i), link);
        }
        text.line(&format!("let c{id} = model.chain(c{id});"));
        write_tendons(text, chain);
        if let Some(bound) = chain.bound.filter(|bound| bound.link < chain.links.len()) {
            write_bound(text, id, &bound);
        }
        if let Some(motor) = chain.motor.filter(|motor| motor.link < chain.links.len()) {
            let measure = format!("Spring::coordinate(c{id}, {})", motor.link);
            write_motor(text, &format!("m{id}"), &measure, motor.kind, motor.gain);
        }
    }
}

fn write_base(text: &mut Text, id: usize, base: &BaseSpec) {
    text.line(&format!("let shape = Shape::cuboid({}).expect(\"a box\");", vector(&base.half)));
    text.line(&format!("let mass = shape.mass_properties({});", number(base.density)));
    write_pose(text, &vector(&base.position), &turn(&base.turn));
    text.open(&format!("c{id} = c{id}.floating(\"c{id}base\", mass, pose)"));
    text.line(".base_shape(shape)");
    text.line(".base_velocity(");
    text.line(&format!("    {},", vector(&base.velocity)));
    text.line(&format!("    {},", vector(&base.spin)));
    text.close(");");
}

fn write_pose(text: &mut Text, position: &str, rotation: &str) {
    text.open("let pose = Pose {");
    text.line(&format!("position: {position},"));
    text.line(&format!("rotation: {rotation},"));
    text.close("};");
}

fn write_link(text: &mut Text, (id, i): (usize, usize), link: &LinkSpec) {
    let half = &link.half;
    let shape = if link.capsule {
        format!("Shape::capsule({})", numbers(&[half.x, half.y]))
    } else {
        format!("Shape::cuboid({})", vector(half))
    };
    text.line(&format!("let shape = {shape}.expect(\"a shape\");"));
    let motion = if link.slides { "prismatic" } else { "revolute" };
    text.open(&format!("let link = Link::{motion}(\"c{id}l{i}\")"));
    for (call, place, frame) in
        [("at", &link.at, &link.at_turn), ("held_at", &link.held, &link.held_turn)]
    {
        text.open(&format!(".{call}("));
        text.line(&format!("{},", vector(place)));
        text.line(&format!("{},", turn(frame)));
        text.close(")");
    }
    text.line(&format!(".shape(shape, {})", number(link.density)));
    text.line(&format!(".start({})", numbers(&link.start)));
    if let Some(parent) = link.parent.filter(|parent| *parent < i) {
        text.line(&format!(".on({parent})"));
    }
    text.line(&format!(".damping({});", number(link.damping)));
    text.close(&format!("c{id}.link(link);"));
}

fn write_tendons(text: &mut Text, chain: &ChainSpec) {
    let (id, count) = (chain.id, chain.links.len());
    if let Some(tendon) = &chain.tendon {
        let radii = numbers(&tendon.radii[..count.min(tendon.radii.len())]);
        text.line(&format!("let radii = [{radii}];"));
        let stiffness = number(tendon.stiffness);
        text.line(&format!(
            "model.spring(Spring::tendon(c{id}, &radii).stiffness({stiffness}).rest(0.01));"
        ));
    }
    if let Some(ratio) = chain.coupling.filter(|_| count > 1) {
        let (last, ratio) = (count - 1, number(ratio));
        text.line(&format!("model.joint(Joint::coupling(c{id}, 0, {last}, {ratio}, 0.0));"));
    }
}

fn write_bound(text: &mut Text, id: usize, bound: &BoundSpec) {
    text.open(&format!("let spring = Spring::coordinate(c{id}, {})", bound.link));
    if let Some(stops) = bound.stops {
        text.line(&format!(".stops({})", numbers(&stops)));
    }
    if let Some(limit) = bound.friction {
        text.line(&format!(".friction({})", number(limit)));
    }
    text.line(&format!(".stiffness({});", number(bound.stiffness)));
    text.close("model.spring(spring);");
}

fn write_motor(text: &mut Text, name: &str, measure: &str, kind: MotorKind, gain: f64) {
    let gains = match kind {
        MotorKind::Effort => String::new(),
        MotorKind::Rate => format!(".damping({})", number(gain)),
        MotorKind::Target => {
            format!(".stiffness({}).damping({})", number(gain * 10.0), number(gain))
        }
    };
    text.line(&format!("let measure = {measure}{gains};"));
    text.line(&format!("let {name} = model.port(Port::motor(\"{name}\", measure));"));
}

pub fn write_beams(text: &mut Text, scene: &Scene) {
    for (i, beam) in scene.beams.iter().enumerate() {
        write_pose(text, &vector(&beam.position), &turn(&beam.turn));
        let size = numbers(&[beam.length, beam.mass, beam.rigidity]);
        text.open(&format!("let beam = Beam::new(\"beam{i}\", {size})"));
        text.line(&format!(".mount(Mount::{:?}, {})", beam.mount, numbers(&beam.hub)));
        text.line(&format!(".modes({})", beam.modes));
        text.line(".stations(1)\n        .at(pose);");
        text.close("model.beam(beam);");
    }
}

pub fn write_gears(text: &mut Text, scene: &Scene) {
    for (i, gear) in scene.gears.iter().enumerate() {
        let [at, bt] = wheel_places(i).map(|place| vector(&place));
        for (wheel, place, mass) in [("ga", &at, gear.masses[0]), ("gb", &bt, gear.masses[1])] {
            let mass = number(mass);
            text.open(&format!("let {wheel}{i} = Body::cylinder(\"{wheel}{i}\", 0.02, 0.1)"));
            text.line(&format!(".mass({mass}).position({place});"));
            text.close(&format!("let {wheel}{i} = model.body({wheel}{i});"));
            let (end, world) = (format!("{wheel}{i}.origin()"), format!("Anchor::world({place})"));
            text.line(&format!("model.joint(Joint::hinge({end}, {world}));"));
        }
        text.line(&format!("let (at, bt) = (Anchor::world({at}), Anchor::world({bt}));"));
        let ratio = number(gear.ratio);
        text.open(&format!(
            "let gear = Joint::gear(ga{i}.origin(), at, gb{i}.origin(), bt, {ratio})"
        ));
        text.line(&format!(".stiffness({});", number(gear.stiffness)));
        text.close("model.joint(gear);");
        let measure = format!("Spring::angle(ga{i}.origin(), at)");
        write_motor(text, &format!("gm{i}"), &measure, gear.motor, gear.effort);
    }
}
