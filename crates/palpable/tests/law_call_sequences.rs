//! No sequence of public calls panics: worlds are built, held, let go, cloned, rebuilt from their
//! own models, changed, edited, stepped, and sent back to moments of their own and of other worlds.
//! Ids that name nothing here, those of other models at places that are taken here among them, are
//! errors that change nothing and read NaN, and snapshots of another model are refused.

mod common;

use common::articulated::random_articulated;
use common::{Elements, Random, random_world_of};
use palpable::{
    Anchor, Beam, Body, BodyId, Chain, ContactLaw, Counts, ElementId, ImpulseLimit, Inputs, Joint,
    Link, Mat3, Material, Model, ModelBuilder, Options, Payment, Port, PortId, PortInput, Pose,
    Resolution, Scheme, Snapshot, Spring, SystemId, Vec6, World,
};

/// A world that may touch: balls and boxes above a floor, some of them joined.
fn touching(r: &mut Random) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    let material = Material { friction: r.unit(), ..Material::default() };
    model.body(Body::cuboid("floor", [1.0, 1.0, 0.1]).fixed().position([0.0, 0.0, -0.1]));
    let mut last: Option<BodyId> = None;
    for i in 0..1 + r.below(4) {
        let at = [0.1 * r.unit(), 0.1 * r.unit(), 0.05 + 0.1 * i as f64];
        let name = format!("b{i}");
        let body = match r.below(2) {
            0 => Body::sphere(name, 0.04).mass(0.1),
            _ => Body::cuboid(name, [0.04, 0.03, 0.02]).mass(0.1),
        };
        let id = model.body(body.position(at).material(material));
        if let Some(last) = last.filter(|_| r.below(3) == 0) {
            model.spring(Joint::ball(last.at([0.0, 0.0, 0.05]), id.at([0.0, 0.0, -0.05])));
        }
        last = Some(id);
    }
    model.contacts(256);
    // a scheme that does not suit the model refuses its steps
    World::begin(model.build().expect("a model"), options(r))
}

fn options(r: &mut Random) -> Options {
    let scheme = Scheme::ALL[r.below(Scheme::ALL.len())];
    Options { scheme, ..Options::default() }
}

fn fresh(r: &mut Random) -> World {
    let elements = [Elements::Springs, Elements::Joints, Elements::Everything];
    match r.below(8) {
        0..=2 => touching(r),
        3 => random_articulated(r, Options::default()).0,
        _ => {
            let (chosen, options) = (elements[r.below(3)], options(r));
            random_world_of(r, 1.0, chosen, options).0
        }
    }
}

/// A number as a user may give it: mostly sensible, now and then not.
fn number(r: &mut Random) -> f64 {
    match r.below(24) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -1.0,
        3 => 0.0,
        4 => 1e300,
        5 => 1e-300,
        _ => r.decades(1e-4, 1e3),
    }
}

/// What a sequence works on: some worlds, and moments of any of them.
struct Play {
    r: Random,
    worlds: Vec<World>,
    moments: Vec<Snapshot>,
    /// ports that some world once had
    ports: Vec<PortId>,
    bodies: Vec<BodyId>,
    elements: Vec<ElementId>,
    systems: Vec<SystemId>,
    /// what ids were made for, family by family
    homes: Vec<(Name, usize, String)>,
    /// per world: worlds of one family descend from one model
    families: Vec<usize>,
    /// families so far
    born: usize,
    /// how often an id of another family was refused at a place that is taken
    refused: u64,
}

/// An id of any kind.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Name {
    Body(BodyId),
    Element(ElementId),
    Port(PortId),
}

/// What there is at the place of an id, whoever it is; `None` if it is free.
fn described(world: &World, name: Name) -> Option<String> {
    let model = world.model();
    match name {
        Name::Body(id) => {
            let body = model.bodies().get(id.index()).filter(|b| !b.gone)?;
            Some(format!("{} {:?}", body.name, body.shape))
        }
        Name::Element(id) => {
            world.element(id.index())?;
            let element = &model.elements()[id.index()];
            Some(format!("{} {} rows", element.name, element.kind.rows()))
        }
        Name::Port(id) => {
            let port = model.ports().iter().find(|p| p.id.index() == id.index())?;
            Some(port.name.clone())
        }
    }
}

/// Somebody is at the place of an id.
fn is_taken(world: &World, name: Name) -> bool {
    match name {
        Name::Body(id) => world.has_body(BodyId::from_index(id.index())),
        Name::Element(id) => world.has_element(ElementId::from_index(id.index())),
        Name::Port(id) => world.has_port(PortId::from_index(id.index())),
    }
}

fn knows(world: &World, name: Name) -> bool {
    match name {
        Name::Body(id) => world.has_body(id),
        Name::Element(id) => world.has_element(id),
        Name::Port(id) => world.has_port(id),
    }
}

impl Play {
    fn new(seed: u64) -> Self {
        let mut r = Random(seed);
        let worlds = vec![fresh(&mut r), fresh(&mut r)];
        let (moments, ports, bodies, elements, systems) = Default::default();
        let (homes, families, born, refused) = (Vec::new(), vec![0, 1], 2, 0);
        let mut play = Self {
            r,
            worlds,
            moments,
            ports,
            bodies,
            elements,
            systems,
            homes,
            families,
            born,
            refused,
        };
        play.gather();
        play
    }

    /// Every id that was ever gathered, in every world: its own family's may know it or not, as
    /// parts come and go; another's knows it only if it was described in the same way up to that
    /// part, which is then the same part.
    fn check_homes(&mut self) {
        for (w, world) in self.worlds.iter().enumerate() {
            for (name, family, was) in &self.homes {
                if knows(world, *name) {
                    let here = described(world, *name);
                    assert_eq!(here.as_ref(), Some(was), "{name:?} of {family}");
                } else if *family != self.families[w] && is_taken(world, *name) {
                    self.refused += 1;
                }
            }
        }
    }

    /// Notes ids of every world, to be used on all of them.
    fn gather(&mut self) {
        for world in &self.worlds {
            let model = world.model();
            self.bodies.extend(model.bodies().iter().filter_map(|b| world.body_named(&b.name)));
            self.ports.extend(model.ports().iter().filter_map(|p| world.port_named(&p.name)));
            self.elements.extend((0..model.elements().len()).filter_map(|i| world.element(i)));
        }
        for (world, &family) in self.worlds.iter().zip(&self.families) {
            let model = world.model();
            let bodies = model.bodies().iter().filter_map(|b| world.body_named(&b.name));
            let ports = model.ports().iter().filter_map(|p| world.port_named(&p.name));
            let elements = (0..model.elements().len()).filter_map(|i| world.element(i));
            let names = bodies.map(Name::Body).chain(ports.map(Name::Port));
            for name in names.chain(elements.map(Name::Element)) {
                assert!(knows(world, name), "a world knows its own");
                if !self.homes.iter().any(|home| (home.0, home.1) == (name, family)) {
                    let was = described(world, name).expect("it is there");
                    self.homes.push((name, family, was));
                }
            }
        }
        let old = self.homes.len().saturating_sub(256);
        self.homes.drain(..old);
        for list in [self.bodies.len(), self.elements.len(), self.ports.len()] {
            assert!(list < 100_000);
        }
        // what comes later takes the place of what is long gone
        let most = 64;
        let (b, e, p) = (self.bodies.len(), self.elements.len(), self.ports.len());
        self.bodies.drain(..b.saturating_sub(most));
        self.elements.drain(..e.saturating_sub(most));
        self.ports.drain(..p.saturating_sub(most));
    }

    fn body(&mut self) -> BodyId {
        match self.r.below(64) {
            0 => BodyId::from_index(usize::MAX),
            1 => BodyId::from_index(self.r.below(100)),
            _ => self.bodies[self.r.below(self.bodies.len())],
        }
    }

    fn element(&mut self) -> Option<ElementId> {
        match self.elements.len() {
            _ if self.r.below(64) == 0 => Some(ElementId::from_index(usize::MAX)),
            0 => None,
            n => Some(self.elements[self.r.below(n)]),
        }
    }

    fn port(&mut self) -> PortId {
        match self.ports.len() {
            0 => PortId::from_index(0),
            _ if self.r.below(64) == 0 => PortId::from_index(usize::MAX),
            n => self.ports[self.r.below(n)],
        }
    }

    /// One call, of any kind, on any world.
    fn call(&mut self) {
        let w = self.r.below(self.worlds.len());
        match self.r.below(22) {
            0..=4 => self.step(w),
            5 => self.attach(w),
            6 => {
                let last = self.worlds[w].model().ports().last().map(|p| p.name.clone());
                let own = last.and_then(|name| self.worlds[w].port_named(&name));
                let port = match (own, self.r.below(4)) {
                    (Some(own), 1..) => Some(own),
                    _ => self.ports.last().copied(),
                };
                if let Some(port) = port {
                    let (known, world) = (self.worlds[w].has_port(port), &mut self.worlds[w]);
                    let before = world.state_hash();
                    let done = world.detach(port).is_ok();
                    assert!(known || !done && world.state_hash() == before, "{port:?}");
                }
            }
            7 => self.moments.push(self.worlds[w].snapshot()),
            8 if !self.moments.is_empty() => {
                let m = self.r.below(self.moments.len());
                let before = self.worlds[w].state_hash();
                if !self.worlds[w].restore(&self.moments[m]) {
                    assert_eq!(self.worlds[w].state_hash(), before, "refused, so unchanged");
                }
            }
            9 if !self.moments.is_empty() => {
                let m = self.r.below(self.moments.len());
                self.worlds[w].snapshot_into(&mut self.moments[m]);
                assert!(self.worlds[w].restore(&self.moments[m]), "its own moment fits");
            }
            10 => {
                let other = self.worlds[w].clone();
                self.replace(other, self.families[w]);
            }
            11 => {
                // as a page does that changes the scheme while a body is held
                let options = options(&mut self.r);
                let now = self.worlds[w].snapshot();
                let model = self.worlds[w].model().clone();
                let mut other = World::begin(model, options);
                assert!(other.restore(&now), "the same model fits");
                self.replace(other, self.families[w]);
            }
            12 => {
                let other = fresh(&mut self.r);
                self.born += 1;
                self.replace(other, self.born);
            }
            13..=15 => self.edit(w),
            16 => self.place(w),
            17 => self.settings(w),
            18 => self.ask(w),
            _ => self.change(w),
        }
    }

    fn replace(&mut self, other: World, family: usize) {
        if self.worlds.len() < 4 {
            self.worlds.push(other);
            self.families.push(family);
        } else {
            let at = self.r.below(4);
            self.worlds[at] = other;
            self.families[at] = family;
        }
        self.moments.truncate(8);
        self.gather();
    }

    fn step(&mut self, w: usize) {
        let mut inputs =
            if self.r.below(4) == 0 { Inputs::none() } else { self.worlds[w].inputs() };
        for _ in 0..self.r.below(3) {
            let (a, b) = (number(&mut self.r), self.r.vector(1.0));
            let rotation = self.r.rotation();
            let input = match self.r.below(6) {
                0 => PortInput::Wrench { force: b * a, torque: b },
                1 => PortInput::Reference { position: b, rotation },
                2 => PortInput::Effort(a),
                3 => PortInput::Rate(a),
                4 => PortInput::Target(a),
                _ => PortInput::Idle,
            };
            let port = self.port();
            inputs.set(port, input);
        }
        let h = if self.r.below(8) == 0 { number(&mut self.r) } else { 1e-3 };
        for _ in 0..1 + self.r.below(3) {
            let _ = self.worlds[w].step(h, &inputs);
        }
    }

    fn attach(&mut self, w: usize) {
        let (body, k) = (self.body(), number(&mut self.r));
        let rows = match self.r.below(2) {
            0 => Vec6::new(k, k, k, 0.0, 0.0, 0.0),
            _ => Vec6::repeat(k),
        };
        let name = format!("hand {}", self.r.below(3));
        let anchor = match self.r.below(8) {
            0 => Anchor::world([0.0; 3]),
            _ => body.at(self.r.vector(0.1)),
        };
        let port = match self.r.below(2) {
            0 => Port::force(name, anchor),
            _ => Port::reference(name, anchor, rows, rows * 1e-3),
        };
        let on = anchor.body.is_none_or(|body| self.worlds[w].has_body(body));
        if let Ok(port) = self.worlds[w].attach(port) {
            assert!(on, "held a body of nobody");
            self.ports.insert(0, port);
        }
    }

    fn change(&mut self, w: usize) {
        let (a, b) = (number(&mut self.r), self.r.vector(1.0));
        let body = self.body();
        let payment = [Payment::Tank, Payment::Supply][self.r.below(2)];
        let element = self.element();
        let rotation = self.r.rotation();
        let (known, before) = (self.worlds[w].has_body(body), self.worlds[w].state_hash());
        let world = &mut self.worlds[w];
        let done = match self.r.below(11) {
            0 => world.set_mass(body, a, payment).is_ok(),
            1 => world.set_body_damping(body, a, a).is_ok(),
            2 => return drop(world.set_gravity(b * a, payment)),
            3 => return drop(world.grant(a)),
            4 => world.set_material(body, Material { friction: a, ..Material::default() }).is_ok(),
            5 => {
                let law = ContactLaw::named(ContactLaw::NAMES[self.r.below(3)], 4 + a as u32 % 9);
                let _ = law.map(|law| world.set_contact_law(law));
                return;
            }
            6 => {
                let (material, other) = (Material::default(), self.bodies[0]);
                world.set_pair_material(body, other, material).is_ok()
            }
            _ => {
                let Some(element) = element else { return };
                let known = world.has_element(element);
                let done = match self.r.below(5) {
                    0 => world.set_stiffness(element, Vec6::repeat(a), payment).is_ok(),
                    1 => world.set_damping(element, Vec6::repeat(a)).is_ok(),
                    2 => world.set_rest(element, a).is_ok(),
                    3 => world.set_dry_friction(element, a).is_ok(),
                    _ => world.set_anchor(element, Pose { position: b, rotation }).is_ok(),
                };
                assert!(known || !done && world.state_hash() == before, "{element:?}");
                return;
            }
        };
        assert!(known || !done && world.state_hash() == before, "{body:?}");
    }

    /// Takes parts out, and adds some to what there is or to parts of another world.
    fn edit(&mut self, w: usize) {
        let (body, other) = (self.body(), self.body());
        let (element, port) = (self.element(), self.port());
        let system = self.systems.last().copied();
        let numbers = [number(&mut self.r), number(&mut self.r), number(&mut self.r)];
        let before = self.worlds[w].state_hash();
        let (r, tick) = (&mut self.r, self.worlds[w].tick());
        let name = format!("late {} {tick}", r.below(1000));
        let world = &self.worlds[w];
        // a number means whoever is there, also a body that this edit adds
        let there = |b: BodyId| world.has_body(b) || b == BodyId::from_index(b.index());
        let [on, also] = [there(body), there(other)];
        let (element_known, port_known) =
            (element.is_none_or(|e| world.has_element(e)), world.has_port(port));
        let system_known = system.is_none_or(|s| world.has_system(s));
        // all that is named is there, or what named it was taken out again; a twin world that was
        // edited alike has the id of an element that this very edit adds
        let (mut known, mut joined, mut twin) = (true, false, false);
        let added = self.worlds[w].edit(|m| {
            for _ in 0..1 + r.below(2) {
                let which = r.below(9);
                known = match which {
                    0 => on,
                    1 => element_known && known,
                    2 => port_known && known,
                    3 => system_known,
                    4 | 7 => on && also && known,
                    5 => on && known,
                    _ => known,
                };
                twin |= which == 1 && joined && !element_known;
                joined |= which == 4 || which == 5;
                match which {
                    0 => m.remove_body(body),
                    1 => element.into_iter().for_each(|e| m.remove_element(e)),
                    2 => m.remove_port(port),
                    3 => system.into_iter().for_each(|s| m.remove_system(s)),
                    4 => {
                        _ = m.spring(Spring::point(body.origin(), other.origin()).stiffness(10.0));
                    }
                    5 => _ = m.joint(Joint::hinge(body.origin(), Anchor::world([0.0; 3]))),
                    6 => return Some(add_system(r, m, &name, numbers)),
                    7 => _ = m.no_contact(body, other),
                    _ => {
                        let late = Body::sphere(format!("{name} {}", r.below(100)), 0.04);
                        let late = late.mass(numbers[0]).position(r.vector(0.3));
                        let late = late.velocity(r.vector(numbers[1]));
                        m.body(late.angular_velocity(r.vector(numbers[2])));
                    }
                }
            }
            None
        });
        match added {
            Ok(system) => {
                assert!(known || twin, "an edit with a part of nobody");
                self.systems.extend(system);
            }
            Err(_) => assert_eq!(self.worlds[w].state_hash(), before, "refused, so unchanged"),
        }
        let now = self.systems.len().saturating_sub(8);
        self.systems.drain(..now);
        self.gather();
    }

    /// Puts bodies elsewhere and pushes them.
    fn place(&mut self, w: usize) {
        let (body, a, b) = (self.body(), number(&mut self.r), self.r.vector(1.0));
        let rotation = self.r.rotation();
        let (known, before) = (self.worlds[w].has_body(body), self.worlds[w].state_hash());
        let world = &mut self.worlds[w];
        let done = match self.r.below(5) {
            0 => world.set_pose(body, Pose { position: b, rotation }).is_ok(),
            1 => world.set_velocity(body, b * a, b).is_ok(),
            2 => world.apply_force(body, b * a, b).is_ok(),
            3 => world.apply_force_at(body, b * a, b).is_ok(),
            _ => return drop(world.separate()),
        };
        assert!(known || !done && world.state_hash() == before, "{body:?}");
    }

    /// What may be set of the way a world goes.
    fn settings(&mut self, w: usize) {
        let (a, b) = (number(&mut self.r), self.r.bits() % 100);
        let (scheme, which) = (Scheme::ALL[self.r.below(Scheme::ALL.len())], self.r.below(4));
        let world = &mut self.worlds[w];
        match self.r.below(7) {
            0 => world.set_scheme(scheme),
            1 => world.set_budget(Counts { visits: b, pairs: b, passes: b }),
            2 => world.set_budget(Counts::UNLIMITED),
            3 => {
                let all = [
                    Resolution::Simultaneous,
                    Resolution::Sequential,
                    Resolution::PseudoInverse,
                    Resolution::PerBody,
                ];
                world.set_collision(all[which]);
            }
            4 => {
                let spread = which > 1;
                world.set_impulse_limit(ImpulseLimit { force: a, torque: a, spread });
            }
            5 => world.wake(),
            _ => world.forget_scratch(),
        }
    }

    /// What may be asked, with ids that may be another world's.
    fn ask(&mut self, w: usize) {
        let (body, port, element) = (self.body(), self.port(), self.element());
        let (world, system) = (&self.worlds[w], self.systems.last());
        let seen = [world.pose(body).position, world.velocity(body), world.angular_velocity(body)];
        let [impulse, moment] = world.contact_impulse(body);
        let numbers = seen.into_iter().chain([world.contact_force(body), impulse, moment]);
        let unknown = !world.has_body(body);
        numbers.for_each(|v| assert!(v.iter().all(|x| x.is_nan()) == unknown, "{body:?} {v}"));
        assert!(!unknown || world.material(body).is_none() && !world.is_asleep(body));
        let _ = (world.material(body), world.contact_state(body), world.is_asleep(body));
        let shown = world.port(port);
        let unknown = !world.has_port(port);
        assert!(shown.work.is_nan() == unknown && shown.force.x.is_nan() == unknown);
        assert!(world.port_impulse(port)[0].x.is_nan() == unknown);
        let _ = (world.energy(), world.audit(), world.momentum(), world.angular_momentum());
        let _ = (world.contacts().len(), world.port(port).work, world.model().overlaps().len());
        world.patches().iter().for_each(|patch| _ = world.patch_corners(patch).len());
        if let Some(element) = element {
            let unknown = !world.has_element(element);
            assert_eq!(world.strain(element)[0].is_nan(), unknown);
            assert!(!unknown || world.angle(element).is_err() && world.rate(element).is_err());
        }
        if let Some(&system) = system {
            let mut rates = [0.0; 9];
            world.coordinate_rates(system, &mut rates);
            assert_eq!(rates[0].is_nan(), !world.has_system(system));
            let _ = (world.coordinates(system).len(), world.pose(system.link(usize::MAX)));
        }
        // a step that was taken, and what was changed since, keep the books
        let _ = world.verify();
    }
}

/// A chain or a beam.
fn add_system(r: &mut Random, m: &mut ModelBuilder, name: &str, numbers: [f64; 3]) -> SystemId {
    let [mass, damping, rate] = numbers;
    if r.below(3) == 0 {
        return m.beam(Beam::new(name, 1.0, mass, 10.0).modes(1 + r.below(3)));
    }
    let mut chain = Chain::new(name);
    let moments = Mat3::from_diagonal_element(1e-3 * mass);
    for i in 0..1 + r.below(3) {
        let link =
            Link::revolute(format!("{name} link {i}")).inertia(mass, [0.1, 0.0, 0.0], moments);
        let link = link.start(r.unit(), rate).damping(damping);
        chain.link(if i > 0 { link.on(i - 1) } else { link });
    }
    m.chain(chain)
}

/// A thousand sequences of up to sixty calls, most of them short; a number in `PALPABLE_LONG` sets
/// how many, and `PALPABLE_SEED` the first.
#[test]
fn no_sequence_of_public_calls_panics() {
    let first = std::env::var("PALPABLE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut refused = 0;
    let count = common::worlds(1000, 1_000_000);
    for seed in first..first + count {
        let played = std::panic::catch_unwind(|| {
            let mut play = Play::new(seed);
            let length = [4, 8, 16, 60][play.r.below(4)];
            (0..length).for_each(|_| play.call());
            play.check_homes();
            play.refused
        });
        assert!(played.is_ok(), "sequence {seed}");
        refused += played.unwrap_or_default();
    }
    println!("ids of other models refused at taken places: {refused}");
    assert!(count < 1000 || refused > 10 * count, "few were tried");
}

/// The four calls that once ended in a panic: the port added a strain, but no parting.
#[test]
fn a_world_built_from_the_model_of_a_held_world_steps() {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.01).mass(0.1).position([0.1, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    let mut world = World::new(model.build().expect("a model"));
    let k = Vec6::new(300.0, 300.0, 300.0, 0.0, 0.0, 0.0);
    let port = world.attach(Port::reference("hand", ball.origin(), k, k * 1e-3)).expect("held");
    let mut other = World::new(world.model().clone());
    assert!(other.restore(&world.snapshot()));
    for turn in 0..2 {
        let inputs = other.inputs();
        for _ in 0..10 {
            assert!(other.step(1e-3, &inputs).status.is_taken());
            assert!(world.step(1e-3, &inputs).status.is_taken());
        }
        assert_eq!(other.state_hash(), world.state_hash(), "the same bits");
        if turn == 0 {
            // and once more after letting go
            other.detach(port).expect("let go");
            world.detach(port).expect("let go");
            let model = other.model().clone();
            let now = other.snapshot();
            other = World::new(model);
            assert!(other.restore(&now));
        }
    }
}

/// Other schemes left the weight of free bodies in the work space, where the passive one took it
/// for a force from outside: a body fell with twice its weight.
#[test]
fn a_body_falls_with_its_own_weight_after_another_scheme() {
    for scheme in Scheme::ALL {
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -9.81]);
        let ball = model.body(Body::sphere("ball", 0.01).mass(0.1));
        let model = model.build().expect("a model");
        let options = Options { scheme, ..Options::default() };
        let mut world = World::with_options(model, options).expect("any scheme");
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
        world.set_scheme(Scheme::PassiveMidpoint);
        let before = world.velocity(ball).z;
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
        // one rounding of a velocity
        assert!((world.velocity(ball).z - before + 9.81e-3).abs() < 1e-16, "{scheme:?}");
        assert_eq!(world.verify(), Ok(()));
    }
}

#[test]
fn ids_that_name_nothing_are_errors_and_inputs_for_them_are_ignored() {
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0));
    let spring = model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(1.0));
    let mut world = World::new(model.build().expect("a ball"));
    for place in [1, 1 << 20, usize::MAX] {
        let (body, element) = (BodyId::from_index(place), ElementId::from_index(place));
        let port = PortId::from_index(place);
        assert!(!world.has_body(body) && !world.has_element(element) && !world.has_port(port));
        assert!(!world.has_system(palpable::SystemId::from_parts(place, body, body)));
        assert!(world.set_mass(body, 1.0, Payment::Supply).is_err());
        assert!(world.set_velocity(body, [0.0; 3], [0.0; 3]).is_err());
        assert!(world.apply_force(body, [1.0, 0.0, 0.0], [0.0; 3]).is_err());
        assert!(world.set_material(body, Material::default()).is_err());
        assert!(world.set_pair_material(ball, body, Material::default()).is_err());
        assert!(world.set_rest(element, 0.0).is_err() && world.angle(element).is_err());
        assert!(world.detach(port).is_err() && world.edit(|m| m.remove_body(body)).is_err());
        assert!(world.attach(Port::force("hand", body.origin())).is_err());
        assert!(world.edit(|m| m.remove_element(element)).is_err());
        let mut inputs = Inputs::none();
        inputs.force(port, [1.0, 0.0, 0.0]);
        assert_eq!(
            inputs.get(port),
            PortInput::Wrench { force: palpable::Vec3::x(), torque: palpable::Vec3::zeros() }
        );
        assert!(world.step(1e-3, &inputs).status.is_taken());
        assert_eq!(world.velocity(ball), palpable::Vec3::zeros());
    }
    // an id whose part is gone is none of what took its place
    assert!(world.has_body(ball) && world.has_element(spring));
    world.edit(|m| m.remove_body(ball)).expect("there");
    assert!(!world.has_body(ball) && !world.has_element(spring));
    let next = Body::sphere("next", 0.1).mass(1.0).velocity([1.0, 0.0, 0.0]);
    world.edit(|m| m.body(next)).expect("added");
    assert!(world.velocity(ball).x.is_nan(), "nothing that looks like data");
    assert!(!world.has_body(ball) && !world.is_asleep(ball) && world.material(ball).is_none());
    assert!(world.angle(spring).is_err() && world.set_mass(ball, 1.0, Payment::Supply).is_err());
}

#[test]
fn a_snapshot_of_another_model_is_refused_whatever_differs() {
    let build = |change: usize| {
        let mut model = Model::builder();
        let name = if change == 1 { "other" } else { "ball" };
        let radius = if change == 2 { 0.02 } else { 0.01 };
        let ball = match change {
            3 => Body::cuboid(name, [0.01; 3]),
            _ => Body::sphere(name, radius),
        };
        let ball = model.body(ball.mass(0.1).position([0.1, 0.0, 0.05]));
        let wall = if change == 4 { -0.2 } else { -0.1 };
        model.body(Body::cuboid("wall", [1.0, 1.0, 0.1]).fixed().position([0.0, 0.0, wall]));
        let (a, b) = (ball.origin(), Anchor::world([0.0; 3]));
        let spring = if change == 5 { Spring::rotation(a, b) } else { Spring::point(a, b) };
        let stiffness = if change == 8 { 200.0 } else { 100.0 };
        model.spring(spring.stiffness(stiffness));
        if change == 6 {
            model.port(Port::force("push", ball.origin()));
        }
        if change != 7 {
            model.contacts(256);
        }
        World::new(model.build().expect("a model"))
    };
    let mut world = build(0);
    let (now, hash) = (world.snapshot(), world.state_hash());
    assert!(build(0).restore(&now), "an equal model fits");
    for change in 1..=7 {
        let other = build(change).snapshot();
        assert!(!world.restore(&other), "change {change}");
        assert_eq!(world.state_hash(), hash, "and nothing has changed");
    }
    // a parameter is part of the snapshot: it comes along
    let mut softer = build(8);
    assert!(softer.restore(&now));
    assert_eq!(softer.params(), world.params());
}
