//! Angles and ways of joints, whatever coordinates they are simulated in.

use palpable::model::{ElementInfo, Kind, Row};
use palpable::{BodyId, Model, Pose, Rotation, SystemId, Vec3, World};
use palpable_scene::Built;

/// A frame on a body, or in the world.
#[derive(Debug, Clone)]
struct Frame {
    body: Option<BodyId>,
    pose: Pose,
}

impl Frame {
    fn in_world(&self, world: &World) -> Pose {
        let Some(body) = self.body else { return self.pose };
        let at = world.pose(body);
        Pose {
            position: at.position + at.rotation * self.pose.position,
            rotation: at.rotation * self.pose.rotation,
        }
    }

    /// Velocity of its point and angular velocity, world axes.
    fn motion(&self, world: &World) -> [Vec3; 2] {
        let Some(body) = self.body else { return [Vec3::zeros(); 2] };
        let pose = world.pose(body);
        let turning = pose.rotation * world.angular_velocity(body);
        let info = world.model().bodies().get(body.index());
        let center = info.map_or(Vec3::zeros(), |b| b.center_of_mass);
        let arm = pose.rotation * (self.pose.position - center);
        [world.velocity(body) + turning.cross(&arm), turning]
    }
}

#[derive(Debug, Clone)]
enum Place {
    /// Between two frames.
    Frames([Frame; 2]),
    /// A coordinate of a subsystem, and its number among those of all joints.
    Coordinate { system: SystemId, joint: usize, joints: usize },
}

/// A joint that turns or slides.
#[derive(Debug, Clone)]
struct Joint {
    name: String,
    turns: bool,
    place: Place,
}

/// All joints of a scene that have one angle or one way.
#[derive(Debug, Clone, Default)]
pub struct Joints(Vec<Joint>);

impl Joints {
    /// Those of a scene, of which `world` was made: another world of many bodies would take as much
    /// memory again.
    pub fn of(built: &Built, world: &World) -> Self {
        let hinges = built.model.elements().iter().enumerate().filter_map(|(i, element)| {
            let turns = turns(element)?;
            let ends = [0, 1].map(|side| frame(world, &built.model, i, side));
            let name = element.name.clone();
            let name = if name.is_empty() { format!("joint {}", i + 1) } else { name };
            Some(Joint { name, turns, place: Place::Frames(ends) })
        });
        let links = built.joints.iter().map(|link| {
            let joints = built.joints.iter().filter(|j| j.system == link.system).count();
            let place = Place::Coordinate { system: link.system, joint: link.number, joints };
            Joint { name: link.name.clone(), turns: link.turns, place }
        });
        Self(hinges.chain(links).collect())
    }

    /// Name, whether it turns, and position and rate [rad, rad/s, or m, m/s] of each.
    pub fn read(&self, world: &World) -> Vec<(String, bool, [f64; 2])> {
        self.0.iter().map(|j| (j.name.clone(), j.turns, j.at(world))).collect()
    }

    /// Names, and whether they turn.
    pub fn names(&self) -> impl Iterator<Item = (&str, bool)> {
        self.0.iter().map(|j| (j.name.as_str(), j.turns))
    }

    /// Positions and rates, one after the other.
    pub fn values<'w>(&'w self, world: &'w World) -> impl Iterator<Item = f64> + 'w {
        self.0.iter().flat_map(|j| j.at(world))
    }
}

impl Joint {
    fn at(&self, world: &World) -> [f64; 2] {
        match &self.place {
            Place::Frames(ends) => between(world, ends, self.turns),
            Place::Coordinate { system, joint, joints } => {
                let q = world.coordinates(*system);
                let skip = q.len().saturating_sub(*joints);
                // a free base has seven numbers for six freedoms
                let skipped = if skip == 7 { 6 } else { skip };
                let mut rates = vec![0.0; skipped + joints];
                world.coordinate_rates(*system, &mut rates);
                let position = q.get(skip + joint).copied().unwrap_or(0.0);
                [position, rates.get(skipped + joint).copied().unwrap_or(0.0)]
            }
        }
    }
}

/// Angle about, or way along, the z axis of the second frame, and its rate.
fn between(world: &World, ends: &[Frame; 2], turns: bool) -> [f64; 2] {
    let [a, b] = [0, 1].map(|side| ends[side].in_world(world));
    let [va, vb] = [0, 1].map(|side| ends[side].motion(world));
    let axis = b.rotation * Vec3::z();
    if turns {
        let turn = (b.rotation.inverse() * a.rotation).coords;
        return [2.0 * turn.z.atan2(turn.w), (va[1] - vb[1]).dot(&axis)];
    }
    let gap = a.position - b.position;
    // the axis turns with the second body
    let rate = (va[0] - vb[0] - vb[1].cross(&gap)).dot(&axis);
    [gap.dot(&axis), rate]
}

/// Whether a joint turns or slides; `None` if it does neither or both.
fn turns(element: &ElementInfo) -> Option<bool> {
    let Kind::Rows(rows) = &element.kind else { return None };
    let count = |wanted: fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
    let offsets = count(|row| matches!(row, Row::Offset(_)));
    let others = count(|row| matches!(row, Row::Align(_) | Row::Turn(_)));
    match (element.joint, offsets, others) {
        (true, 3, 2) => Some(true),
        (true, 2, 3) => Some(false),
        _ => None,
    }
}

fn frame(world: &World, model: &Model, element: usize, side: usize) -> Frame {
    let params = &model.params().elements[element];
    let (position, rotation): (Vec3, Rotation) = (params.points[side], params.frames[side]);
    let moving = model.elements()[element].ends[side];
    let info = moving.and_then(|m| model.bodies().iter().find(|b| b.moving == Some(m)));
    let Some(info) = info else { return Frame { body: None, pose: Pose { position, rotation } } };
    let pose = Pose {
        position: info.body_from_principal * position + info.center_of_mass,
        rotation: info.body_from_principal * rotation,
    };
    Frame { body: world.body_named(&info.name), pose }
}
