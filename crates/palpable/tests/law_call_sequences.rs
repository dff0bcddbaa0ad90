//! No sequence of public calls panics: worlds are built, held, let go, cloned, rebuilt from their
//! own models, changed, stepped, and sent back to moments of their own and of other worlds.
//! Ids of another world are errors, and snapshots of another model are refused.

mod common;

use common::{Elements, Random, random_world_of};
use palpable::{
    Anchor, Body, BodyId, ContactLaw, ElementId, Inputs, Joint, Material, Model, Options, Payment,
    Port, PortId, PortInput, Pose, Scheme, Snapshot, Spring, Vec6, World,
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
    match r.below(3) {
        0 => touching(r),
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
}

impl Play {
    fn new(seed: u64) -> Self {
        let mut r = Random(seed);
        let worlds = vec![fresh(&mut r), fresh(&mut r)];
        let mut play =
            Self { r, worlds, moments: vec![], ports: vec![], bodies: vec![], elements: vec![] };
        play.gather();
        play
    }

    /// Notes ids of every world, to be used on all of them.
    fn gather(&mut self) {
        for world in &self.worlds {
            let model = world.model();
            self.bodies.extend(model.bodies().iter().filter_map(|b| world.body_named(&b.name)));
            self.ports.extend(model.ports().iter().filter_map(|p| world.port_named(&p.name)));
            self.elements.extend((0..model.elements().len()).filter_map(|i| world.element(i)));
        }
        for list in [self.bodies.len(), self.elements.len(), self.ports.len()] {
            assert!(list < 100_000);
        }
        let most = 64;
        self.bodies.truncate(most);
        self.elements.truncate(most);
        self.ports.truncate(most);
    }

    fn body(&mut self) -> BodyId {
        self.bodies[self.r.below(self.bodies.len())]
    }

    /// One call, of any kind, on any world.
    fn call(&mut self) {
        let w = self.r.below(self.worlds.len());
        match self.r.below(16) {
            0..=4 => self.step(w),
            5 => self.attach(w),
            6 => {
                let last = self.worlds[w].model().ports().last().map(|p| p.name.clone());
                let own = last.and_then(|name| self.worlds[w].port_named(&name));
                let port = match (own, self.r.below(4)) {
                    (Some(own), 1..) => Some(own),
                    _ => self.ports.last().copied(),
                };
                port.into_iter().for_each(|port| drop(self.worlds[w].detach(port)));
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
                self.replace(other);
            }
            11 => {
                // as a page does that changes the scheme while a body is held
                let options = options(&mut self.r);
                let now = self.worlds[w].snapshot();
                let model = self.worlds[w].model().clone();
                let mut other = World::begin(model, options);
                assert!(other.restore(&now), "the same model fits");
                self.replace(other);
            }
            12 => {
                let other = fresh(&mut self.r);
                self.replace(other);
            }
            _ => self.change(w),
        }
    }

    fn replace(&mut self, other: World) {
        if self.worlds.len() < 4 {
            self.worlds.push(other);
        } else {
            let at = self.r.below(4);
            self.worlds[at] = other;
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
            let input = match self.r.below(3) {
                0 => PortInput::Wrench { force: b * a, torque: b },
                1 => PortInput::Reference { position: b, rotation },
                _ => PortInput::Idle,
            };
            if !self.ports.is_empty() {
                inputs.set(self.ports[self.r.below(self.ports.len())], input);
            }
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
        if let Ok(port) = self.worlds[w].attach(port) {
            self.ports.insert(0, port);
        }
    }

    fn change(&mut self, w: usize) {
        let (a, b) = (number(&mut self.r), self.r.vector(1.0));
        let body = self.body();
        let payment = [Payment::Tank, Payment::Supply][self.r.below(2)];
        let element = match self.elements.len() {
            0 => None,
            n => Some(self.elements[self.r.below(n)]),
        };
        let rotation = self.r.rotation();
        let world = &mut self.worlds[w];
        match self.r.below(11) {
            0 => drop(world.set_mass(body, a, payment)),
            1 => drop(world.set_body_damping(body, a, a)),
            2 => drop(world.set_gravity(b * a, payment)),
            3 => drop(world.grant(a)),
            4 => drop(world.set_material(body, Material { friction: a, ..Material::default() })),
            5 => {
                let law = ContactLaw::named(ContactLaw::NAMES[self.r.below(3)], 4 + a as u32 % 9);
                let _ = law.map(|law| world.set_contact_law(law));
            }
            6 => {
                let (material, other) = (Material::default(), self.bodies[0]);
                drop(world.set_pair_material(body, other, material));
            }
            _ => {
                let Some(element) = element else { return };
                match self.r.below(5) {
                    0 => drop(world.set_stiffness(element, Vec6::repeat(a), payment)),
                    1 => drop(world.set_damping(element, Vec6::repeat(a))),
                    2 => drop(world.set_rest(element, a)),
                    3 => drop(world.set_dry_friction(element, a)),
                    _ => drop(world.set_anchor(element, Pose { position: b, rotation })),
                }
            }
        }
        // what may be asked, with ids that may be another world's
        let _ = (world.pose(body), world.velocity(body), world.contact_force(body));
        let _ = (world.energy(), world.audit(), world.momentum(), world.contacts().len());
        let _ = element.map(|element| world.strain(element));
    }
}

/// A thousand sequences of sixty calls; a number in `PALPABLE_LONG` sets how many.
#[test]
fn no_sequence_of_public_calls_panics() {
    for seed in 0..common::worlds(1000, 1_000_000) {
        let played = std::panic::catch_unwind(|| {
            let mut play = Play::new(seed);
            (0..60).for_each(|_| play.call());
        });
        assert!(played.is_ok(), "sequence {seed}");
    }
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
