//! Live parameter changes, each paid for.

use super::{Coupling, Line, Stage};
use palpable::{ChangeError, ContactLaw, Material, Payment, Scheme, Vec3, Vec6, World};
use palpable_scene::Steps;

/// One part, or all of its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// The one with this index.
    One(usize),
    /// All that can change.
    All,
}

/// What to change, in SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// Mass [kg].
    Mass(Target, f64),
    /// Damping of bodies against the world [N·s/m] and [N·m·s/rad].
    BodyDamping(Target, f64, f64),
    /// Stiffness of springs on every soft row [N/m or N·m/rad].
    Stiffness(Target, f64),
    /// Damping of springs on every row [N·s/m or N·m·s/rad].
    Damping(Target, f64),
    /// Friction of surfaces; the coefficient at rest keeps its proportion.
    Friction(Target, f64),
    /// Restitution of surfaces, 0 to 1.
    Restitution(Target, f64),
    /// Acceleration of gravity [m/s²].
    Gravity(Vec3),
    /// Step length [s].
    Step(f64),
    /// Scheme of a lane.
    Scheme(usize, Scheme),
    /// Contact law of a lane; its pyramid keeps its sides.
    Law(usize, ContactLaw),
    /// Sides of the pyramid of a lane's contact law.
    Sides(usize, u32),
    /// Coupling of the hand.
    Coupling(Coupling),
    /// The device in the hand and the line behind it.
    Line(Line),
    /// Energy granted to the tank [J].
    Grant(f64),
}

impl Change {
    /// True if one takes the place of the other.
    pub fn is_like(&self, other: &Change) -> bool {
        let target = |change: &Change| match change {
            Change::Mass(t, _)
            | Change::BodyDamping(t, ..)
            | Change::Stiffness(t, _)
            | Change::Damping(t, _)
            | Change::Friction(t, _)
            | Change::Restitution(t, _) => Some(*t),
            _ => None,
        };
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && target(self) == target(other)
            && !matches!(self, Change::Grant(_))
    }

    /// What is wrong with a value that no bench could have, if anything.
    fn absurdity(&self) -> Option<String> {
        let (what, value, most) = match self {
            Change::Mass(_, m) => ("mass", *m, 1e6),
            Change::Stiffness(_, k) => ("stiffness", *k, 1e12),
            Change::Damping(_, b) => ("damping", *b, 1e9),
            Change::BodyDamping(_, b, _) => ("damping", *b, 1e9),
            _ => return None,
        };
        (value > most).then(|| format!("a {what} of {value:.0e}; give at most {most:.0e} (SI)"))
    }
}

/// Longest step the studio takes [s]: the page wants to be told at least this often.
pub const LONGEST_STEP: f64 = 0.1;
/// Shortest step [s]: a thread cannot run faster.
pub const SHORTEST_STEP: f64 = 2e-5;

impl Stage {
    /// Makes a change in every lane; the reason if it is refused.
    pub(super) fn change(&mut self, change: &Change, payment: Payment) -> Result<(), String> {
        if let Some(fault) = change.absurdity() {
            return Err(fault);
        }
        match *change {
            Change::Step(h) if !(SHORTEST_STEP..=LONGEST_STEP).contains(&h) => {
                Err(format!("a step of {h} s; give 20 us to 100 ms"))
            }
            Change::Step(h) => {
                self.show.steps = Steps::fixed(h);
                self.relink();
                Ok(())
            }
            Change::Line(line) => match line.fault() {
                Some(fault) => Err(fault.to_owned()),
                None => {
                    self.hand.line = line;
                    self.relink();
                    Ok(())
                }
            },
            Change::Scheme(lane, scheme) => self.set_scheme(lane, scheme),
            Change::Law(lane, law) => self.set_law(lane, law.name(), None),
            Change::Sides(lane, sides) => {
                let law = self.lanes.get(lane).map_or(ContactLaw::Cone, |l| l.law());
                self.set_law(lane, law.name(), Some(sides))
            }
            Change::Coupling(coupling) => self.set_coupling(coupling, payment),
            _ => {
                for index in 0..self.lanes.len() {
                    self.change_lane(index, change, payment).map_err(|e| e.to_string())?;
                }
                Ok(())
            }
        }
    }

    fn change_lane(
        &mut self,
        lane: usize,
        change: &Change,
        payment: Payment,
    ) -> Result<(), ChangeError> {
        let (bodies, world) = (&self.show.bodies, &mut self.lanes[lane].world);
        match *change {
            Change::Mass(target, mass) => {
                each(target, bodies, "body", |id| world.set_mass(id, mass, payment).map(|_| ()))
            }
            Change::BodyDamping(target, linear, angular) => {
                each(target, bodies, "body", |id| world.set_body_damping(id, linear, angular))
            }
            Change::Stiffness(target, k) => springs(target, world, |world, id, now| {
                let soft = |old: f64| if old.is_finite() { k } else { old };
                world.set_stiffness(id, now.map(soft), payment).map(|_| ())
            }),
            Change::Damping(target, b) => {
                springs(target, world, |world, id, _| world.set_damping(id, Vec6::repeat(b)))
            }
            Change::Friction(target, mu) => surfaces(target, world, bodies, |m| {
                let ratio = if m.friction > 0.0 { m.static_friction / m.friction } else { 1.0 };
                Material { friction: mu, static_friction: mu * ratio, ..m }
            }),
            Change::Restitution(target, restitution) => {
                surfaces(target, world, bodies, |m| Material { restitution, ..m })
            }
            Change::Gravity(gravity) => world.set_gravity(gravity, payment).map(|_| ()),
            Change::Grant(energy) => world.grant(energy).map(|_| ()),
            Change::Step(_)
            | Change::Scheme(..)
            | Change::Law(..)
            | Change::Sides(..)
            | Change::Coupling(_)
            | Change::Line(_) => Ok(()),
        }
    }

    /// Lines are made for a step and a coupling: makes them again, with the energy they hold.
    fn relink(&mut self) {
        let period = self.show.steps.mean_length();
        self.lanes.iter_mut().for_each(|lane| lane.relink(&self.hand, period));
    }

    fn set_scheme(&mut self, lane: usize, scheme: Scheme) -> Result<(), String> {
        let Some(lane) = self.lanes.get_mut(lane) else {
            return Err("there is no second world; start a comparison first".to_owned());
        };
        lane.world = super::show::under(&lane.world, scheme);
        lane.fate = super::Fate::Well;
        Ok(())
    }

    fn set_law(&mut self, lane: usize, name: &str, sides: Option<u32>) -> Result<(), String> {
        let Some(lane) = self.lanes.get_mut(lane) else {
            return Err("there is no second world; start a comparison first".to_owned());
        };
        lane.world.set_contact_law(lane.other_law(name, sides)).map_err(|e| e.to_string())?;
        lane.fate = super::Fate::Well;
        Ok(())
    }

    fn set_coupling(&mut self, coupling: Coupling, payment: Payment) -> Result<(), String> {
        if !coupling.is_sound() {
            return Err("the coupling needs finite numbers of 0 or more".to_owned());
        }
        let regrip = (coupling.turning > 0.0) != (self.hand.coupling.turning > 0.0);
        self.hand.coupling = coupling;
        if regrip {
            // another kind of element: takes hold with it the next time
            return Ok(());
        }
        for lane in &mut self.lanes {
            let Some(port) = lane.port else { continue };
            let element = lane.world.port_info(port).and_then(|p| p.element);
            let Some(id) = element.and_then(|e| lane.world.element(e)) else { continue };
            let rows = coupling.stiffness_rows();
            let set = lane.world.set_stiffness(id, rows, payment);
            set.map_err(|e| e.to_string())?;
            lane.world.set_damping(id, coupling.damping_rows()).map_err(|e| e.to_string())?;
        }
        self.relink();
        Ok(())
    }
}

/// Applies `to` to one of `ids`, or to all, leaving out what cannot change.
fn each<Id: Copy>(
    target: Target,
    ids: &[Id],
    field: &'static str,
    mut to: impl FnMut(Id) -> Result<(), ChangeError>,
) -> Result<(), ChangeError> {
    match target {
        Target::One(index) => to(*ids.get(index).ok_or(ChangeError::Unknown { field })?),
        Target::All => ids.iter().try_for_each(|id| match to(*id) {
            Err(ChangeError::Unknown { .. }) => Ok(()),
            other => other,
        }),
    }
}

/// The same for surfaces; all of them includes pairs that have their own.
fn surfaces(
    target: Target,
    world: &mut World,
    ids: &[palpable::BodyId],
    to: impl Fn(Material) -> Material,
) -> Result<(), ChangeError> {
    let unknown = ChangeError::Unknown { field: "surface" };
    let first = world.params().surfaces.bodies.first().copied();
    // a number out of range is refused before anything changes
    let Some(first) = first else { return Err(unknown) };
    let one = match target {
        Target::One(index) => Some(*ids.get(index).ok_or(unknown)?),
        Target::All => ids.first().copied(),
    };
    for id in one.into_iter().chain(ids.iter().copied().filter(|_| target == Target::All)) {
        let now = world.material(id).unwrap_or(first);
        world.set_material(id, to(now))?;
    }
    let pairs = if target == Target::All { world.params().surfaces.pairs.len() } else { 0 };
    for k in 0..pairs {
        let ((a, b), now) = world.params().surfaces.pairs[k];
        if let (Some(a), Some(b)) = (ids.get(a), ids.get(b)) {
            world.set_pair_material(*a, *b, to(now))?;
        }
    }
    Ok(())
}

/// The same for springs; hard joints are left as they are, and the hand's coupling is no spring.
fn springs(
    target: Target,
    world: &mut World,
    mut to: impl FnMut(&mut World, palpable::ElementId, Vec6) -> Result<(), ChangeError>,
) -> Result<(), ChangeError> {
    let count = world.model().elements().len();
    let ports: Vec<_> = world.model().ports().iter().filter_map(|p| p.element).collect();
    let field = "spring";
    let mut one = |world: &mut World, index: usize| {
        let id = world.element(index).ok_or(ChangeError::Unknown { field })?;
        let now = world.params().elements[index].stiffness;
        to(world, id, now)
    };
    match target {
        Target::One(index) => one(world, index),
        Target::All => (0..count).filter(|i| !ports.contains(i)).try_for_each(|index| {
            let joint = world.model().elements()[index].joint;
            if joint { Ok(()) } else { one(world, index) }
        }),
    }
}
