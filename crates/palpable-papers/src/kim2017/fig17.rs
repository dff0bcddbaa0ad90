//! `[Kim2017, fig. 17]`: the under-actuated tendon-driven hand, and how its tendons run.

use super::grasp::{self, RANGE, TendonHand};
use super::solids;
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable::{Mat3, PortInput, Pose, Shape, Vec3, World};
use palpable_record::figure::Color;
use palpable_record::picture::{Camera, Picture, Shot, Solid};
use palpable_scene::Built;
use std::f64::consts::TAU;

/// The hand of fig. 18, three fingers of three joints, with two active and four passive tendons on
/// each; every tendon is wound once around each of its pulleys.
///
/// The paper's photograph of the iHY hand is not drawn. Where a pulley's tendon begins and ends on
/// its links is ours, and nothing depends on it.
pub(crate) const FIG17: Experiment = Experiment {
    id: "kim2017/fig17",
    paper: "Kim2017",
    title: "A tendon-driven hand: three fingers, and the tendons of one, open and folded",
    shows: "two active and four passive tendons move three joints; lengths are radii times angles",
    make,
};

/// Wishes of the device at which the hand is drawn, as parts of its range.
const WISHES: [f64; 2] = [0.0, 0.3];
/// The slowest joint, 2e-4 N·m·s/rad against 1e-3 N·m/rad, forgets in 0.2 s what it was \[s\].
const SETTLED: f64 = 6.0;
/// Step \[s\].
const STEP: f64 = 1e-3;
/// Joints of a finger, and what is drawn longer than it is.
const JOINTS: usize = 3;
const MAGNIFIED: f64 = 1.7;
/// Points of a turn around a pulley.
const AROUND: usize = 180;
const CAMERA: Camera = Camera { eye: [0.62, 0.06, 0.21], target: [0.0, 0.012, 0.105], angle: 0.40 };
const COLORS: [Color; 6] = [
    Color::GREEN,
    Color::ORANGE,
    Color::VERMILION,
    Color::BLUE,
    Color::SKY,
    Color::new(0x8a, 0x4f, 0xa8),
];

/// One tendon of the first finger: radii at its joints \[m\]; active ones run on the inner side.
struct Tendon {
    radii: [f64; JOINTS],
    is_active: bool,
}

impl Tendon {
    /// How far from a joint's axis it runs, towards the inner side \[m\].
    fn side(&self, joint: usize) -> f64 {
        if self.is_active { self.radii[joint] } else { -self.radii[joint] }
    }

    /// First joint that it moves, and the one after its last.
    fn span(&self) -> [usize; 2] {
        let moved = |joint: &usize| self.radii[*joint] != 0.0;
        let first = (0..JOINTS).find(moved).unwrap_or(0);
        let last = (0..JOINTS).rev().find(moved).unwrap_or(0);
        [first, last + 1]
    }

    /// Where it runs in the world, for joints at `frames`: those of the palm, before the first
    /// joint turns, then of the links.
    fn way(&self, frames: &[Pose; JOINTS + 1]) -> Vec<Vec3> {
        let [first, end] = self.span();
        let inner =
            |frame: &Pose, x: f64, z: f64| frame.position + frame.rotation * Vec3::new(x, 0.0, z);
        // the palm's frame stands at the first joint; a link's at its own
        let base = Pose { position: frames[first + 1].position, rotation: frames[first].rotation };
        let mut way = vec![inner(&base, self.side(first), -0.012)];
        let mut arrives = 0.0;
        for joint in first..end {
            let (radius, frame) = (self.side(joint), &frames[joint + 1]);
            let leaves = if joint + 1 < end {
                let reach = (frames[joint + 2].position - frame.position).norm();
                ((radius - self.side(joint + 1)) / reach).asin()
            } else {
                0.0
            };
            let before = if joint == first { &base } else { &frames[joint] };
            // from where it arrives, in the axes before the joint, to where it leaves, after it
            let turn = before.rotation.inverse() * frame.rotation;
            let bend = turn.scaled_axis().y;
            let wound = TAU + radius.signum() * (leaves - bend - arrives);
            let start = bend + arrives;
            let count = (AROUND as f64 * wound / TAU).ceil();
            for i in 0..=count as usize {
                let angle = start + radius.signum() * wound * i as f64 / count;
                way.push(inner(frame, radius * angle.cos(), radius * angle.sin()));
            }
            arrives = leaves;
        }
        way.push(inner(&frames[end], self.side(end - 1), 0.018));
        way
    }
}

/// The hand at rest at a wish of the device, without weight and without anything to hold.
struct Rest {
    world: World,
    angles: Vec<f64>,
    /// `K q - Ja' Ka l`, the torque that is left at each joint \[N·m\].
    torque: Vec<f64>,
    frames: [Pose; JOINTS + 1],
}

fn rest(wish: f64) -> Result<(Rest, Built), PaperError> {
    let (built, hand) = grasp::alone()?;
    let mut world = built.world();
    let z = RANGE[0] + wish * (RANGE[1] - RANGE[0]);
    let lengths: Vec<f64> = hand.synergy.targets(z).collect();
    let mut inputs = world.inputs();
    for (motor, length) in hand.motors.iter().zip(&lengths) {
        inputs.set(*motor, PortInput::Target(*length));
    }
    for _ in 0..(SETTLED / STEP) as usize {
        let _ = world.step(STEP, &inputs);
    }
    let angles = grasp::joints(&world, hand.system).to_vec();
    let along = |radii: &[f64]| radii.iter().zip(&angles).map(|(r, q)| r * q).sum::<f64>();
    let mut torque = vec![0.0; angles.len()];
    for (i, radii) in hand.active.iter().enumerate() {
        let pull = hand.stiffness[0] * (along(radii) - lengths[i]);
        torque.iter_mut().zip(radii).for_each(|(t, r)| *t += r * pull);
    }
    for radii in &hand.passive {
        let pull = hand.stiffness[1] * along(radii);
        torque.iter_mut().zip(radii).for_each(|(t, r)| *t += r * pull);
    }
    let links = ["first near", "first middle", "first far"].map(|name| world.body_named(name));
    let mut frames = [Pose::default(); JOINTS + 1];
    for (frame, link) in frames[1..].iter_mut().zip(links) {
        *frame = link.map_or(Pose::default(), |id| world.pose(id));
    }
    let unbent = palpable::Rotation::from_axis_angle(
        &Vec3::y_axis(),
        -angles.first().copied().unwrap_or(0.0),
    );
    frames[0] = Pose { rotation: frames[1].rotation * unbent, ..frames[1] };
    Ok((Rest { world, angles, torque, frames }, built))
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let (_, hand) = grasp::alone()?;
    let first = |radii: &Vec<f64>| std::array::from_fn(|i| radii.get(i).copied().unwrap_or(0.0));
    let of = |all: &[Vec<f64>], is_active| {
        let own = all.iter().map(first).filter(|r: &[f64; JOINTS]| r.iter().any(|r| *r != 0.0));
        own.map(|radii| Tendon { radii, is_active }).collect::<Vec<_>>()
    };
    let tendons: Vec<Tendon> =
        of(&hand.active, true).into_iter().chain(of(&hand.passive, false)).collect();
    let (open, built) = rest(WISHES[0])?;
    progress(0.45);
    let (folded, _) = rest(WISHES[1])?;
    progress(0.9);
    let whole = solids::seen(&open.world, &built.looks, paint);
    let is_hand = |name: &str| name == "palm" || name.contains(' ');
    let names = open.world.model().bodies().iter().map(|b| is_hand(&b.name));
    let whole = whole.into_iter().zip(names).filter(|(_, hand)| *hand).map(|(s, _)| s).collect();
    let picture = Picture::new(experiment.title, CAMERA, 3).size(280.0, 330.0);
    let picture = picture
        .shot(Shot { caption: "three fingers on a palm".into(), solids: whole, ..Shot::default() })
        .shot(finger("one finger, unfolded", &open, &tendons))
        .shot(finger("a third folded", &folded, &tendons));
    Ok(Page::new(
        picture,
        sheet([&open, &folded], &tendons),
        checks([&open, &folded], &tendons, &hand),
    ))
}

fn paint(name: &str) -> Color {
    match name {
        "palm" => Color::new(0x4a, 0x5a, 0x6e),
        name if name.ends_with("near") => Color::new(0x2f, 0x7f, 0xc8),
        name if name.ends_with("middle") => Color::new(0x4f, 0x9f, 0xdc),
        _ => Color::new(0x7f, 0xbf, 0xec),
    }
}

/// Links and tendons of the first finger, larger than they are.
fn finger(caption: &str, rest: &Rest, tendons: &[Tendon]) -> Shot {
    let middle = Vec3::new(0.0, 0.012, 0.105);
    let place = |p: &Vec3| {
        let p = middle + (p - Vec3::new(0.0, 0.020, 0.104)) * MAGNIFIED;
        [p.x, p.y, p.z]
    };
    let mut shown = Vec::new();
    for body in rest.world.model().bodies() {
        let Some(id) = rest.world.body_named(&body.name) else { continue };
        let (true, Some(Shape::ConvexHull { surface })) =
            (body.name.starts_with("first "), &body.shape)
        else {
            continue;
        };
        let pose = rest.world.pose(id);
        let corners = surface.vertices().iter();
        let corners = corners.map(|v| place(&(pose.position + pose.rotation * v))).collect();
        let at = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let color = Color::new(0xc9, 0xd6, 0xe2);
        shown.push(Solid::triangles(&at, corners, surface.triangles(), color));
    }
    let lines = tendons.iter().zip(COLORS);
    let lines = lines
        .map(|(tendon, color)| (tendon.way(&rest.frames).iter().map(place).collect(), color, 1.8));
    Shot { caption: caption.into(), solids: shown, lines: lines.collect(), ..Shot::default() }
}

/// Length of a tendon as it is drawn \[m\].
fn length(tendon: &Tendon, rest: &Rest) -> f64 {
    tendon.way(&rest.frames).windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

/// How much shorter a tendon's inner side gets between two configurations by its radii \[m\].
fn shortened(tendon: &Tendon, [from, to]: [&Rest; 2]) -> f64 {
    (0..JOINTS).map(|j| tendon.side(j) * (to.angles[j] - from.angles[j])).sum()
}

fn sheet(rests: [&Rest; 2], tendons: &[Tendon]) -> Sheet {
    let numbers: Vec<f64> = (1..=tendons.len()).map(|i| i as f64).collect();
    let of = |each: &dyn Fn(&Tendon) -> f64| tendons.iter().map(each).collect::<Vec<_>>();
    let mut sheet = Sheet::default().column("tendon", "", &numbers);
    for joint in 0..JOINTS {
        let name = format!("radius at joint {}", joint + 1);
        sheet = sheet.column(&name, "m", &of(&|t| t.radii[joint]));
    }
    sheet.column("length unfolded", "m", &of(&|t| length(t, rests[0]))).column(
        "length folded",
        "m",
        &of(&|t| length(t, rests[1])),
    )
}

fn checks(rests: [&Rest; 2], tendons: &[Tendon], hand: &TendonHand) -> Vec<Check> {
    let drawn = |t: &Tendon| length(t, rests[0]) - length(t, rests[1]) - shortened(t, rests);
    let way = largest(tendons.iter().map(|t| shortened(t, rests)));
    // stiffness of the first finger
    let mut stiffness = Mat3::zeros();
    for tendon in tendons {
        let radii = Vec3::from(tendon.radii);
        let k = hand.stiffness[usize::from(!tendon.is_active)];
        stiffness += radii * radii.transpose() * k;
    }
    let softest = stiffness.symmetric_eigenvalues().min();
    let left = largest(rests.iter().flat_map(|r| r.torque.iter().copied()));
    let bodies = rests[0].world.model().bodies().iter().enumerate();
    let links =
        bodies.filter(|(_, b)| ["near", "middle", "far"].iter().any(|n| b.name.ends_with(n)));
    let masses =
        links.filter_map(|(_, b)| b.moving).map(|b| rests[0].world.params().bodies[b].mass);
    vec![
        Check::relative("active tendons", hand.active.len() as f64, 6.0, 0.0),
        Check::relative("passive tendons", hand.passive.len() as f64, 12.0, 0.0),
        Check::relative("joints", rests[0].angles.len() as f64, 9.0, 0.0),
        Check::at_most("mass of a link off 1 g [kg]", largest(masses.map(|m| m - 1e-3)), 1e-12),
        Check::at_least("softest motion of a finger [N m/rad]", softest, 1e-4),
        // an arc of 2 degrees and its chord differ by 5e-5 of their length
        Check::at_most(
            "drawn tendons: change of length off radii times angles / that",
            largest(tendons.iter().map(drawn)) / way,
            1e-3,
        ),
        Check::at_most("hand at rest: torque left at a joint [N m]", left, 1e-9),
    ]
}
