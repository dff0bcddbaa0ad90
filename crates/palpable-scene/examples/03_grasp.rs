//! Writes `scenes/grasp-*.toml`: a tendon-driven hand of three fingers grasps a ball, a cube, a
//! cylinder and a mug, after [Kim2017 sec. 5.3].
//!
//! `cargo run -p palpable-scene --example 03_grasp scenes` writes into the folder `scenes`; without
//! a folder the ball is grasped.

use palpable::coupling::{CouplingError, Synergy, Tendons};
use std::fmt::Write as _;

/// Stiffness of active and passive tendons as printed [N/m].
const STIFFNESS: [f64; 2] = [100.0, 10.0];
/// Pulley radii of a finger's two active tendons at its three joints [m].
const ACTIVE: [[f64; 3]; 2] = [[0.010, 0.008, 0.006], [0.009, 0.0, 0.0]];
/// The same of its four passive ones: one back of each joint, and one that couples the last two.
const PASSIVE: [[f64; 3]; 4] =
    [[0.010, 0.0, 0.0], [0.0, 0.010, 0.0], [0.0, 0.0, 0.010], [0.0, 0.006, -0.006]];
/// Joint angles of a finger, unfolded and folded [rad].
const UNFOLDED: [f64; 3] = [-0.25, 0.1, 0.1];
const FOLDED: [f64; 3] = [1.9, 1.9, 1.7];
/// Lengths of the links [m], and where fingers stand on the palm.
const LENGTHS: [f64; 3] = [0.045, 0.036, 0.030];
const RADIUS: f64 = 0.036;
/// Height of the palm's middle at the start, and of its lower face below that [m].
const PALM: f64 = 0.165;
const FACE: f64 = 0.010;
/// Top of the post that objects stand on [m].
pub const POST: f64 = 0.080;
/// Range of the device that closes the hand [m].
pub const RANGE: [f64; 2] = [-0.03, 0.03];
/// Feedback gain `k_hd` of the device [N/m]; not in the paper.
pub const GAIN: f64 = 100.0;
/// When the hand has closed, lifted, and begins and ends to shake [s].
pub const TIMES: [f64; 4] = [1.3, 2.3, 2.6, 5.1];

/// What is grasped: name, its table in the scene, and the height of its middle above the post [m].
pub const OBJECTS: [(&str, &str, f64); 4] = [
    ("ball", "shape = { sphere = { radius = 0.03 } }", 0.03),
    ("cube", "shape = { box = { size = [0.048, 0.048, 0.048] } }", 0.024),
    ("cylinder", "shape = { cylinder = { radius = 0.025, half_length = 0.03 } }", 0.03),
    ("mug", "shape = { mesh = { file = \"meshes/mug.obj\" } }", 0.0),
];

/// Radii over the nine joints: those of one finger, zero at the others.
fn over(finger: usize, radii: &[f64; 3]) -> Vec<f64> {
    let mut all = vec![0.0; 9];
    all[3 * finger..3 * finger + 3].copy_from_slice(radii);
    all
}

fn all(radii: &[[f64; 3]]) -> Vec<Vec<f64>> {
    (0..3).flat_map(|finger| radii.iter().map(move |r| over(finger, r))).collect()
}

/// The map from the device to the motors.
pub fn synergy() -> Result<Synergy, CouplingError> {
    let (active, passive) = (all(&ACTIVE), all(&PASSIVE));
    let tendons = [(STIFFNESS[0], &active), (STIFFNESS[1], &passive)]
        .map(|(stiffness, radii)| Tendons { stiffness, radii });
    Synergy::new(tendons, [&UNFOLDED.repeat(3), &FOLDED.repeat(3)], RANGE, GAIN)
}

fn number(value: f64) -> String {
    let text = format!("{value:.7}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn list(values: &[f64]) -> String {
    format!("[{}]", values.iter().map(|v| number(*v)).collect::<Vec<_>>().join(", "))
}

/// A prism of eight sides along z, from the joint to the end of a link.
fn hull(length: f64) -> String {
    let mut points = Vec::new();
    for z in [0.003, length - 0.001] {
        for i in 0..8 {
            let (s, c) = (std::f64::consts::FRAC_PI_4 * (f64::from(i) + 0.5)).sin_cos();
            points.push(list(&[0.0065 * c, 0.0065 * s, z]));
        }
    }
    points.join(", ")
}

/// Links of the three fingers; writing to a string cannot fail.
fn fingers(text: &mut String) {
    for (finger, name) in ["first", "second", "third"].into_iter().enumerate() {
        let azimuth = std::f64::consts::TAU * (finger as f64 / 3.0 + 0.25);
        let (s, c) = azimuth.sin_cos();
        for (joint, part) in ["near", "middle", "far"].into_iter().enumerate() {
            let _ = write!(text, "[[chain.link]]\nname = \"{name} {part}\"\n");
            if joint == 0 {
                // z down, x towards the middle: half a turn about the axis between them
                let (half_s, half_c) = (0.5 * azimuth).sin_cos();
                let turn = list(&[0.0, -half_s, half_c, 0.0]);
                let point = list(&[RADIUS * c, RADIUS * s, -FACE]);
                let _ = write!(text, "parent = \"base\"\npoint = {point}\norientation = {turn}\n");
            } else {
                let _ = writeln!(text, "point = {}", list(&[0.0, 0.0, LENGTHS[joint - 1]]));
            }
            let _ = write!(
                text,
                "axis = [0, 1, 0]\nshape.hull.points = [{}]\nmass = \"1 g\"\nposition = {}\n\
                 damping = \"2e-4 N m s/rad\"\n\n",
                hull(LENGTHS[joint]),
                number(UNFOLDED[joint])
            );
        }
    }
}

/// Passive tendons, and motors on the active ones that close the hand.
fn tendons(text: &mut String, map: &Synergy) {
    for (i, radii) in all(&PASSIVE).iter().enumerate() {
        let _ = write!(
            text,
            "[[tendon]]\nname = \"passive {}\"\nchain = \"hand\"\nradii = {}\n\
             stiffness = \"10 N/m\"\n\n",
            i + 1,
            list(radii)
        );
    }
    let [open, closed] = RANGE.map(|z| map.targets(z).collect::<Vec<_>>());
    for (i, radii) in all(&ACTIVE).iter().enumerate() {
        let (open, closed) = (number(open[i]), number(closed[i]));
        let _ = write!(
            text,
            "[[motor]]\nname = \"active {}\"\nchain = \"hand\"\nradii = {}\n\
             stiffness = \"100 N/m\"\ninput.path = {{ kind = \"target\", keys = [\n    \
             {{ time = 0.2, value = {open} }},\n    {{ time = {}, value = {closed} }},\n] }}\n\n",
            i + 1,
            list(radii),
            number(TIMES[0])
        );
    }
}

/// The palm: rests, lifts, and swings to and fro with 2 m/s^2 at most.
fn palm(text: &mut String) {
    let [_, lifted, from, to] = TIMES;
    let high = PALM + 0.06;
    let mut keys = vec![(1.6, [0.0, 0.0, PALM]), (lifted, [0.0, 0.0, high])];
    // s^3 (10 - 15 s + 6 s^2) accelerates by at most 10/sqrt(3) ways a square of the time
    let (swing, beat) = (0.0108, 0.25);
    let beats = ((to - from) / beat).round() as usize;
    for i in 0..=beats {
        let side = [0.0, 1.0, -1.0][if i == 0 || i == beats { 0 } else { 1 + i % 2 }] * swing;
        let place = if 2 * i < beats { [side, 0.0, high] } else { [0.0, side, high] };
        keys.push((from + beat * i as f64, place));
    }
    let _ = writeln!(
        text,
        "[[port]]\nname = \"arm\"\nbody = \"palm\"\nkind = \"reference\"\n\
         stiffness = {{ linear = \"2 kN/m\", angular = \"20 N m/rad\" }}\n\
         damping = {{ linear = \"20 N s/m\", angular = \"0.2 N m s/rad\" }}\n\
         input.path.keys = ["
    );
    for (time, place) in keys {
        let _ = writeln!(text, "    {{ time = {}, position = {} }},", number(time), list(&place));
    }
    text.push_str("]\n\n");
}

/// The text of the scene for an object.
pub fn scene((name, shape, height): (&str, &str, f64)) -> Result<String, CouplingError> {
    let mut text = format!(
        r#"#:schema ../crates/palpable-scene/scene.schema.json
# An under-actuated hand grasps a {name}, after [Kim2017 sec. 5.3]: three fingers in joint
# coordinates on a free palm, links of 1 g, six active tendons of 100 N/m and twelve passive ones of
# 10 N/m as printed. Motors pull the active ones as the printed map of one device axis says.
# Pulleys, lengths, dampers, the arm that holds the palm and the {name} are ours. The arm lifts,
# then shakes with 2 m/s^2. Written by `cargo run -p palpable-scene --example 03_grasp scenes`.
version = 1
gravity = [0, 0, "-9.81 m/s^2"]
contact = {{}}

[scene]
name = "grasp a {name}"
description = "A tendon-driven hand of three fingers takes a {name} and does not let it fall"

[[body]]
name = "table"
shape = {{ box = {{ size = [0.5, 0.5, 0.04] }} }}
fixed = true
position = [0, 0, -0.02]

[[body]]
name = "post"
shape = {{ cylinder = {{ radius = 0.009, half_length = {} }} }}
fixed = true
position = [0, 0, {}]

[[body]]
name = "{name}"
{shape}
mass = "20 g"
material = {{ friction = 1.5 }}
position = [0, 0, {}]

[[chain]]
name = "hand"
position = [0, 0, {}]
base.name = "palm"
base.shape = {{ cylinder = {{ radius = 0.045, half_length = 0.01 }} }}
base.mass = "50 g"

"#,
        number(0.5 * POST),
        number(0.5 * POST),
        number(POST + height),
        number(PALM)
    );
    fingers(&mut text);
    tendons(&mut text, &synergy()?);
    palm(&mut text);
    text.push_str(
        "[step]\nlength = \"1 ms\"\n\n[run]\nduration = \"5.5 s\"\n\n[record]\nevery = 5\n\
         springs = false\n\n[studio]\neye = [\"18 cm\", \"-42 cm\", \"21 cm\"]\n\
         look_at = [0, 0, \"10 cm\"]\nend = \"loop\"\nafter = \"7 s\"\n",
    );
    Ok(text)
}

/// A cup with a handle as an OBJ file: walls of 3 mm about z, standing on z = 0.
pub fn mug() -> String {
    let (mut points, mut faces): (Vec<[f64; 3]>, Vec<[usize; 3]>) = Default::default();
    let around = 24;
    // outside from the middle of the bottom up to the rim, then inside down again
    let profile = [[0.025, 0.0], [0.025, 0.06], [0.022, 0.06], [0.022, 0.004]];
    for [r, z] in profile {
        points.extend((0..around).map(|i| {
            let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(around)).sin_cos();
            [r * c, r * s, z]
        }));
    }
    let n = around as usize;
    points.extend([[0.0, 0.0, 0.0], [0.0, 0.0, 0.004]]);
    let (below, above) = (4 * n, 4 * n + 1);
    for i in 0..n {
        let j = (i + 1) % n;
        faces.extend([[below, j, i], [above, 3 * n + i, 3 * n + j]]);
        for ring in 0..3 {
            let (a, b) = (ring * n, (ring + 1) * n);
            faces.extend([[a + i, a + j, b + j], [a + i, b + j, b + i]]);
        }
    }
    // the handle: a square rod bent to half a ring, between two fingers
    let (base, steps) = (points.len(), 8);
    for i in 0..=steps {
        let (s, c) = (std::f64::consts::PI * (i as f64 / steps as f64 - 0.5)).sin_cos();
        for [r, across] in [[0.017, -0.003], [0.012, -0.003], [0.012, 0.003], [0.017, 0.003]] {
            points.push([0.0235 + r * c, across, 0.030 + r * s]);
        }
    }
    for i in 0..steps {
        let (a, b) = (base + 4 * i, base + 4 * i + 4);
        for k in 0..4 {
            let l = (k + 1) % 4;
            faces.extend([[a + k, b + l, a + l], [a + k, b + k, b + l]]);
        }
    }
    let end = base + 4 * steps;
    faces.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
    faces.extend([[end, end + 2, end + 1], [end, end + 3, end + 2]]);
    let mut text = String::from("# a mug, written by the example 03_grasp [m]\n");
    for p in &points {
        let [x, y, z] = p.map(number);
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in &faces {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(folder) = std::env::args().nth(1) {
        let folder = std::path::Path::new(&folder);
        for object in OBJECTS {
            std::fs::write(folder.join(format!("grasp-{}.toml", object.0)), scene(object)?)?;
        }
        std::fs::write(folder.join("meshes/mug.obj"), mug())?;
        return Ok(());
    }
    let built = palpable_scene::Scene::parse(scene(OBJECTS[0])?, "grasp-ball.toml")?.build()?;
    let mut world = built.world();
    let mut inputs = world.inputs();
    while !built.is_over(world.time()) {
        built.script.inputs(world.time(), &mut inputs);
        assert!(world.step(1e-3, &inputs).status.is_taken());
    }
    println!("{}", world.audit());
    Ok(())
}
