//! Chains and their tendons.

use super::matter::Matter;
use super::{Added, Assembly, Jointed, check_names, turn, vector};
use crate::dimension::{
    Angle, AngularDamping, AngularStiffness, AngularVelocity, Damping, Description, Dimension,
    Position, Stiffness, Velocity,
};
use crate::document::{Chain, ChainBase, Link, LinkKind, Tendon};
use crate::place::At;
use crate::quantity::{Loose, Quantity};
use crate::read::Field;
use crate::suggest;
use crate::urdf::MOST_JOINTS;
use palpable::{Chain as Articulated, Link as Member, Pose, Rotation, Spring, SystemId, Vec3};

/// Pulley radii, one a joint.
type Radii = Vec<At<Quantity<Position>>>;

/// What the parent of a link is called that hangs on the base or the ground.
const BASE: &str = "base";

impl LinkKind {
    fn turns(self) -> bool {
        self == Self::Revolute
    }

    /// Position, rate, damping and stiffness of its joint.
    fn dimensions(self) -> [Description; 4] {
        if self.turns() {
            [Angle::ABOUT, AngularVelocity::ABOUT, AngularDamping::ABOUT, AngularStiffness::ABOUT]
        } else {
            [Position::ABOUT, Velocity::ABOUT, Damping::ABOUT, Stiffness::ABOUT]
        }
    }
}

/// A link as it is read: what the engine gets, where it starts, and what is on its joint.
struct Read {
    member: Member,
    start: Pose,
    spring: Option<(f64, f64)>,
    stops: Option<[f64; 2]>,
    friction: f64,
    position: f64,
}

impl Assembly<'_> {
    pub(super) fn add_chains(&mut self) {
        let chains = self.document.chain.get().map_or(&[][..], |list| &list.value);
        let names = chains.iter().filter_map(|c| c.name.get());
        check_names("chains or beams", &self.systems, names, &mut self.mistakes);
        for chain in chains {
            self.add_chain(chain);
        }
    }

    /// Adds a chain; leaves it out if something is wrong with it, which is noted.
    fn add_chain(&mut self, chain: &At<Chain>) -> Option<()> {
        let links = chain.link.get().map_or(&[][..], |list| &list.value);
        let bases = chain.base.get().and_then(|b| b.name.get());
        let names = links.iter().filter_map(|l| l.name.get()).chain(bases);
        check_names("bodies or links", &self.bodies, names, &mut self.mistakes);
        let ground = Pose {
            position: vector(chain.position.get()),
            rotation: turn::rotation(chain.orientation.get(), &mut self.mistakes),
        };
        let name = chain.name.get().map_or(String::new(), |n| n.value.clone());
        let mut made = Articulated::new(name.as_str());
        if let Some(base) = chain.base.get() {
            made = self.chain_base(made, base, &ground)?;
        }
        let frame = if chain.base.get().is_some() { Pose::default() } else { ground };
        if links.len() > MOST_JOINTS {
            let message = format!("{} links in a chain", links.len());
            let cure = format!("give at most {MOST_JOINTS}, or join bodies");
            self.mistakes.add(&chain.place, message, cure);
            return None;
        }
        // goes on after a link with a mistake, so that all are found
        let mut read: Vec<Option<Read>> = Vec::new();
        for (i, link) in links.iter().enumerate() {
            let parent = self.parent(link, &links[..i]);
            let hung = parent.flatten();
            let start = |p: usize| read[p].as_ref().map_or(ground, |r| r.start);
            let above = hung.map_or(ground, start);
            let frame = if hung.is_none() { frame } else { Pose::default() };
            let one = self.link(link, hung, &above, &frame);
            read.push(one.filter(|_| parent.is_some()));
        }
        let read: Vec<Read> = read.into_iter().collect::<Option<_>>()?;
        for one in &read {
            made.link(one.member.clone());
        }
        let id = self.builder.chain(made);
        self.systems.push(added(id, name, chain));
        if let Some(base) = chain.base.get() {
            let name = base.name.get().map_or(String::new(), |n| n.value.clone());
            self.add_visuals(&name, &base.visual);
            self.bodies.push(added(id.base(), name, base));
            self.starts.push(ground);
        }
        for (i, (link, one)) in links.iter().zip(&read).enumerate() {
            self.keep_link(id, i, link, one);
        }
        Some(())
    }

    /// Remembers a link and adds the spring of its joint.
    fn keep_link(&mut self, id: SystemId, i: usize, link: &At<Link>, read: &Read) {
        let name = link.name.get().map_or(String::new(), |n| n.value.clone());
        self.add_visuals(&name, &link.visual);
        let turns = link.kind.or_default().turns();
        let measure = Spring::coordinate(id, i);
        self.jointed.push(Jointed {
            link: name.clone(),
            measure: measure.clone(),
            system: Some((id, i)),
            turns,
            start: read.position,
            limit: None,
        });
        if read.spring.is_some() || read.stops.is_some() || read.friction > 0.0 {
            let label = format!("{name} joint");
            let (stiffness, rest) = read.spring.unwrap_or_default();
            let mut spring = measure.stiffness(stiffness).rest(rest);
            if let Some([lower, upper]) = read.stops {
                spring = spring.stops(lower, upper);
            }
            if read.friction > 0.0 {
                spring = spring.friction(read.friction);
            }
            let spring = self.builder.spring(spring.named(label.as_str()));
            self.springs.push(added(spring, label, link));
        }
        self.bodies.push(added(id.link(i), name, link));
        self.starts.push(read.start);
    }

    fn chain_base(
        &mut self,
        chain: Articulated,
        base: &At<ChainBase>,
        pose: &Pose,
    ) -> Option<Articulated> {
        let matter = Matter {
            shape: base.shape.get(),
            mass: base.mass.get(),
            density: base.density.get(),
            center_of_mass: base.center_of_mass.get(),
            inertia: base.inertia.get(),
            place: &base.place,
        };
        let (mass, shape) = self.matter(&matter)?;
        let zero = Vec3::zeros();
        let v = base.velocity.get().map_or(zero, |v| Vec3::from(v.value.map(|c| c.0)));
        let omega = base.angular_velocity.get();
        let omega = omega.map_or(zero, |v| Vec3::from(v.value.map(|c| c.0)));
        let chain = chain.floating(base.name.get()?.value.as_str(), mass, *pose);
        let chain = chain.base_velocity(v, omega);
        Some(match shape {
            Some(shape) => chain.base_shape(shape),
            None => chain,
        })
    }

    /// The link that one hangs on, if not the base: the one before it unless it says otherwise.
    fn parent(&mut self, link: &At<Link>, before: &[At<Link>]) -> Option<Option<usize>> {
        let Some(parent) = link.parent.get() else { return Some(before.len().checked_sub(1)) };
        if parent.value == BASE {
            return Some(None);
        }
        let is_it = |l: &At<Link>| l.name.get().is_some_and(|n| n.value == parent.value);
        let found = before.iter().position(is_it);
        if found.is_none() {
            let names = before.iter().filter_map(|l| l.name.get()).map(|n| n.value.as_str());
            let names = names.chain(std::iter::once(BASE));
            let cure = suggest::cure(parent, names, "links before this one");
            let message = format!("there is no link `{}` before this one", parent.value);
            self.mistakes.add(&parent.place, message, cure);
        }
        Some(Some(found?))
    }

    fn link(
        &mut self,
        link: &At<Link>,
        parent: Option<usize>,
        above: &Pose,
        frame: &Pose,
    ) -> Option<Read> {
        let matter = Matter {
            shape: link.shape.get(),
            mass: link.mass.get(),
            density: link.density.get(),
            center_of_mass: link.center_of_mass.get(),
            inertia: link.inertia.get(),
            place: &link.place,
        };
        let (mass, shape) = self.matter(&matter)?;
        let kind = link.kind.or_default();
        let axis = self.axis(link)?;
        let [place, rate, damping, stiffness] = kind.dimensions();
        let mut number = |given: &Field<Loose>, about: &Description| match given.get() {
            None => Some(0.0),
            Some(given) => given.resolve(about, &given.place, &mut self.mistakes),
        };
        let (q, w) = (number(&link.position, &place), number(&link.velocity, &rate));
        let (b, k) = (number(&link.damping, &damping), number(&link.stiffness, &stiffness));
        let rest = number(&link.rest, &place);
        let stops = match link.stops.get() {
            Some(given) => Some(self.range(given, &place)?),
            None => None,
        };
        let friction = self.friction(&link.friction, kind.turns());
        let (q, w, b, k, rest) = (q?, w?, b?, k?, rest?);
        let at = Pose {
            position: vector(link.point.get()),
            rotation: turn::rotation(link.orientation.get(), &mut self.mistakes),
        };
        let moved = Pose {
            position: if kind.turns() { Vec3::zeros() } else { axis * q },
            rotation: Rotation::from_scaled_axis(axis * if kind.turns() { q } else { 0.0 }),
        };
        let start = compose(&compose(above, &at), &moved);
        let in_parent = compose(frame, &at);
        let align = z_to(axis);
        let name = link.name.get()?.value.as_str();
        let member = if kind.turns() { Member::revolute(name) } else { Member::prismatic(name) };
        let member = member
            .at(in_parent.position, in_parent.rotation * align)
            .held_at([0.0; 3], align)
            .inertia(mass.mass, mass.center_of_mass, mass.inertia)
            .start(q, w)
            .damping(b);
        let member = match parent {
            Some(p) => member.on(p),
            None => member,
        };
        let member = match shape {
            Some(shape) => member.looks(shape),
            None => member,
        };
        let spring = (k > 0.0).then_some((k, rest));
        Some(Read { member, start, spring, stops, friction: friction?, position: q })
    }

    /// Direction of a joint, of length 1.
    fn axis(&mut self, link: &At<Link>) -> Option<Vec3> {
        let Some(given) = link.axis.get() else { return Some(Vec3::z()) };
        let axis = Vec3::from(given.value.map(|c| c.0));
        let scale = axis.amax();
        if scale == 0.0 {
            self.mistakes.add(&given.place, "the axis is zero", "give an axis such as [0, 0, 1]");
            return None;
        }
        Some((axis / scale).normalize())
    }

    pub(super) fn add_tendons(&mut self) {
        let tendons = self.document.tendon.get().map_or(&[][..], |list| &list.value);
        for (i, tendon) in tendons.iter().enumerate() {
            self.add_tendon(tendon, format!("tendon {}", i + 1));
        }
    }

    fn add_tendon(&mut self, tendon: &At<Tendon>, fallback: String) -> Option<()> {
        let name = tendon.name.get().map(|n| n.value.clone());
        let spring = self
            .tendon(tendon.chain.get()?, tendon.radii.get()?)?
            .named(name.clone().unwrap_or_default())
            .stiffness(tendon.stiffness.get()?.0)
            .damping(tendon.damping.get().map_or(0.0, |d| d.0))
            .rest(tendon.rest.get().map_or(0.0, |r| r.0));
        let id = self.builder.spring(spring);
        self.springs.push(added(id, name.unwrap_or(fallback), tendon));
        Some(())
    }

    /// What a tendon over the joints of a chain measures; `None` if there is no such chain or it
    /// has fewer joints, which is noted.
    pub(super) fn tendon(&mut self, chain: &At<String>, radii: &At<Radii>) -> Option<Spring> {
        let Some(system) = self.systems.iter().find(|s| s.name == chain.value).map(|s| s.id) else {
            let names = self.systems.iter().map(|s| s.name.as_str());
            let cure = suggest::cure(chain, names, "known chains");
            self.mistakes.add(&chain.place, format!("there is no chain `{}`", chain.value), cure);
            return None;
        };
        let joints =
            self.jointed.iter().filter(|j| j.system.is_some_and(|s| s.0 == system)).count();
        if radii.value.len() > joints {
            let message = format!("{} radii for {joints} joints", radii.value.len());
            self.mistakes.add(&radii.place, message, "give one per link, in their order");
            return None;
        }
        let radii: Vec<f64> = radii.value.iter().map(|r| r.0).collect();
        Some(Spring::tendon(system, &radii))
    }
}

/// A part that stands at one place.
pub(super) fn added<Id, T>(id: Id, name: String, at: &At<T>) -> Added<Id> {
    let place = at.place.clone();
    Added { id, name, ends: [place.clone(), place.clone()], place }
}

fn compose(a: &Pose, b: &Pose) -> Pose {
    Pose { position: a.position + a.rotation * b.position, rotation: a.rotation * b.rotation }
}

/// A rotation that takes z to a direction of length 1.
fn z_to(axis: Vec3) -> Rotation {
    // opposite to z there are many; half a turn about x is one
    let half = || Rotation::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
    Rotation::rotation_between(&Vec3::z(), &axis).unwrap_or_else(half)
}
