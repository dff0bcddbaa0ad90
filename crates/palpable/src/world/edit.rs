//! Parts that come and go while a world runs. All that stays goes on with the same bits; what is
//! added is supplied, what is taken is discarded.

use super::memory::Memory;
use super::scratch::Scratch;
use super::{ChangeError, Payment, Receipt, World, kinetic, weigh};
use crate::contact::Stay;
use crate::ledger::{Flows, Stored};
use crate::math::{Place, Vec6};
use crate::model::{
    BodyId, BuildErrors, Model, ModelBuilder, Params, PatchMemory, Port, State, SystemAt, Terms,
    begin,
};
use crate::port::{PortId, PortOutput};

/// Where the parts of a new model were in the old one, list by list; `None` for new parts.
struct Origin {
    /// per body: it was there
    bodies: Vec<bool>,
    /// per body with a surface
    surfaces: Vec<Option<usize>>,
    nodes: Vec<Option<usize>>,
    systems: Vec<Option<usize>>,
    elements: Vec<Option<usize>>,
    ports: Vec<Option<usize>>,
}

impl Origin {
    fn new(old: &Model, new: &Model) -> Self {
        let node = |id: &BodyId| old.bodies.get(id.0).filter(|_| old.has_body(*id))?.moving;
        let system = |slot: usize| {
            let mark = new.source.systems.slots.mark(slot);
            let same = old.source.systems.slots.holds(slot, mark);
            old.systems.iter().position(|s| s.slot == slot).filter(|_| same)
        };
        let mark = |e: usize| new.source.springs.slots.mark(e);
        let element = |e: usize| old.source.springs.slots.holds(e, mark(e)).then_some(e);
        let stays = |b: usize| old.has_body(new.source.body_id(b)) && b < old.bodies.len();
        let surface = |b: usize| Some(b).filter(|&b| stays(b) && old.contact.is_some());
        let surfaces = new.params.surfaces.bodies.len();
        Self {
            bodies: (0..new.bodies.len()).map(stays).collect(),
            surfaces: (0..surfaces).map(surface).collect(),
            nodes: new.moving.iter().map(node).collect(),
            systems: new.systems.iter().map(|s| system(s.slot)).collect(),
            elements: (0..new.elements.len()).map(element).collect(),
            ports: new.ports.iter().map(|p| old.port_place(p.id)).collect(),
        }
    }

    /// Where a moving body of the old model is now.
    fn destinations(&self, old: &Model) -> Vec<Option<usize>> {
        let mut out = vec![None; old.moving.len()];
        for (now, was) in self.nodes.iter().enumerate() {
            was.iter().for_each(|&was| out[was] = Some(now));
        }
        out
    }
}

/// Copies what was, place by place.
fn carry<T: Clone>(into: &mut [T], from: &[T], origin: &[Option<usize>]) {
    for (into, was) in into.iter_mut().zip(origin) {
        was.iter().for_each(|&was| into.clone_from(&from[was]));
    }
}

impl World {
    /// Changes what the world is made of: bodies, joints, springs, chains, ports, who touches whom.
    /// `change` sees the description that the world was built from, in which every part has the id
    /// it always had; added bodies begin where they are put, springs are measured where things are
    /// now, reference ports begin relaxed. Gravity is not taken from it (see
    /// [`World::set_gravity`]). Everything that stays keeps its state, forces and id. The energy of
    /// what is added counts as supplied, of what is taken as discarded.
    ///
    /// Allocates; not for every step.
    ///
    /// ```
    /// use palpable::{Body, Inputs, Model, World};
    /// # fn main() -> Result<(), palpable::BuildErrors> {
    /// let mut model = Model::builder();
    /// let first = model.body(Body::sphere("first", 0.1));
    /// let mut world = World::new(model.build()?);
    /// let second = world.edit(|m| m.body(Body::sphere("second", 0.1).position([1.0, 0.0, 0.0])))?;
    /// world.edit(|m| m.remove_body(first))?;
    /// assert!(world.edit(|m| m.remove_body(first)).is_err());
    /// assert_eq!(world.pose(second).position.x, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Every mistake in the changed description, ids of parts that are gone among them; nothing
    /// changed then.
    pub fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut ModelBuilder) -> T,
    ) -> Result<T, BuildErrors> {
        let mut source = self.model.description();
        let value = change(&mut source);
        let model = source.build()?;
        self.become_model(model);
        Ok(value)
    }

    /// Adds a port: [`World::edit`] with that alone.
    ///
    /// # Errors
    /// A name that is taken, an unknown or fixed body, a coupling that is negative or not finite.
    pub fn attach(&mut self, port: Port) -> Result<PortId, BuildErrors> {
        self.edit(|m| m.port(port))
    }

    /// Removes a port, whichever; the ids of the others stay valid. What its coupling stores goes
    /// to the tank, or is discarded if the tank is full: letting go gives nothing to the motion.
    ///
    /// # Errors
    /// There is no such port, or no longer.
    pub fn detach(&mut self, port: PortId) -> Result<Receipt, ChangeError> {
        let unknown = ChangeError::Unknown { field: "port" };
        let place = self.model.port_place(port).ok_or(unknown.clone())?;
        let nothing = Receipt { applied: 1.0, jump: 0.0, tank: 0.0, supplied: 0.0 };
        let stores = |e: &usize| self.params.elements[*e].elastic(&self.state.strain[*e]) != 0.0;
        let element = self.model.ports[place].element.filter(stores).and_then(|e| self.element(e));
        let receipt = match element {
            Some(element) => self.set_stiffness(element, Vec6::zeros(), Payment::Tank)?,
            None => nothing,
        };
        self.edit(|m| m.remove_port(port)).map_err(|_| unknown)?;
        Ok(receipt)
    }

    /// Goes on as another model; what both have stays as it is.
    fn become_model(&mut self, model: Model) {
        let origin = Origin::new(&self.model, &model);
        let tracked = std::mem::take(&mut self.scratch.layout.tracked);
        let old = std::mem::replace(&mut self.model, model);
        let mut params = self.model.params.clone();
        self.carry_params(&mut params, &origin);
        let mut state = self.model.state.clone();
        self.carry_state(&mut state, &mut params, (&old, &origin));
        let jump = self.price((&params, &state), (&old, &origin));
        self.trial = params.clone();
        (self.params, self.state) = (params, state);
        self.scratch = Scratch::new(&self.model, self.tank);
        self.carry_history(&tracked, &origin);
        self.carry_memory(&old, &origin);
        self.forget_scratch();
        self.enter_edit(jump);
    }

    fn carry_params(&self, params: &mut Params, origin: &Origin) {
        let was = &self.params;
        carry(&mut params.bodies, &was.bodies, &origin.nodes);
        carry(&mut params.systems, &was.systems, &origin.systems);
        carry(&mut params.elements, &was.elements, &origin.elements);
        carry(&mut params.surfaces.bodies, &was.surfaces.bodies, &origin.surfaces);
        params.gravity = was.gravity;
        for (pair, material) in &mut params.surfaces.pairs {
            let known = was.surfaces.pairs.iter().find(|(key, _)| key == pair);
            known.iter().for_each(|(_, m)| *material = *m);
        }
    }

    fn carry_state(
        &self,
        state: &mut State,
        params: &mut Params,
        (old, origin): (&Model, &Origin),
    ) {
        let was = &self.state;
        carry(&mut state.bodies, &was.bodies, &origin.nodes);
        carry(&mut state.systems, &was.systems, &origin.systems);
        carry(&mut state.history.mid, &was.history.mid, &origin.nodes);
        carry(&mut state.history.wide, &was.history.wide, &origin.systems);
        (state.history.h, state.history.depth) = (was.history.h, was.history.depth);
        carry(&mut state.strain, &was.strain, &origin.elements);
        carry(&mut state.parting, &was.parting, &origin.elements);
        let to = origin.destinations(old);
        for (island, owed) in old.islands.iter().zip(was.debt.iter()) {
            let body = island.bodies.first().and_then(|&b| to[b]);
            let link = |s: &SystemAt| to[old.systems[*s].nodes.start];
            let head = body.or_else(|| island.systems.first().and_then(link));
            let place = head.and_then(|head| self.model.units.island_of(head));
            place.iter().for_each(|&i| state.debt[i] += owed);
        }
        self.carry_stores(state, (old, origin));
        self.begin_new(state, params, origin);
    }

    /// What contacts over a volume hold, where both bodies stay.
    fn carry_stores(&self, state: &mut State, (old, origin): (&Model, &Origin)) {
        let (Some(here), Some(there)) = (&self.model.contact, &old.contact) else { return };
        let stays = |body: u32| origin.bodies.get(body as usize) == Some(&true);
        let places = here.pipeline.places_of(&there.pipeline, stays);
        let patches = &mut state.volume.patches;
        for patch in &self.state.volume.patches {
            let (a, b) = patch.pieces;
            let (Some(a), Some(b)) = (places[a as usize], places[b as usize]) else { continue };
            if patches.len() < patches.capacity() {
                patches.push(PatchMemory { pieces: (a, b), ..*patch });
            }
        }
        patches.sort_unstable_by_key(|p| p.pieces);
    }

    /// New subsystems weigh what they weigh in the present gravity; new elements begin where things
    /// are now, and references where their anchors are.
    fn begin_new(&self, state: &mut State, params: &mut Params, origin: &Origin) {
        let new = |list: &[Option<usize>], i: usize| list[i].is_none();
        for s in self.model.systems.all().filter(|s| new(&origin.systems, s.index())) {
            let law = self.model.systems[s].law.as_ref();
            let mut terms = Terms::new(law.freedoms(), law.links());
            law.configure(&state.systems[s].q, &params.gravity, &mut terms);
            state.systems[s].potential = terms.potential;
        }
        for e in (0..self.model.elements.len()).filter(|&e| new(&origin.elements, e)) {
            let info = &self.model.elements[e];
            let port = self.model.ports.iter().find(|p| p.element == Some(e) && !p.motor);
            if let Some(port) = port {
                let s = &state.bodies[port.body];
                let p = &mut params.elements[e];
                (p.points[1], p.frames[1]) = (s.x + s.q * port.point, s.q * port.frame);
                state.strain[e] = Vec6::zeros();
            } else if info.kind.rows() > 0 {
                (params.elements[e], state.strain[e]) = begin(info, &params.elements[e], state);
            }
        }
    }

    /// What comes with new parts, and what goes with those that leave.
    fn price(&self, now: (&Params, &State), (old, origin): (&Model, &Origin)) -> Jump {
        let to = origin.destinations(old);
        let gone = |node: usize| to[node].is_none();
        let came = |node: usize| origin.nodes[node].is_none();
        let lost = |e: usize| origin.elements.get(e).is_none_or(Option::is_none);
        let made = |e: usize| origin.elements[e].is_none();
        Jump {
            added: weigh(&self.model, now, came, made),
            taken: weigh(old, (&self.params, &self.state), gone, lost),
        }
    }

    /// The past of bodies that nobody kept it of, and of new ones, is what they do now; that of
    /// bodies for which it matters no more is as if it never had.
    fn carry_history(&mut self, tracked: &[usize], origin: &Origin) {
        for (node, was) in origin.nodes.iter().enumerate() {
            let kept = was.is_some_and(|was| tracked.binary_search(&was).is_ok());
            let needed = self.scratch.layout.tracked.binary_search(&node).is_ok();
            let mid = &mut self.state.history.mid[node];
            if !needed {
                *mid = self.model.state.history.mid[node];
            } else if !kept {
                *mid = [self.state.bodies[node].twist(); 2];
            }
        }
        for s in self.model.systems.all().filter(|s| origin.systems[s.index()].is_none()) {
            let xi = &self.state.systems[s].xi;
            self.state.history.wide[s].iter_mut().for_each(|past| past.clone_from(xi));
        }
    }

    fn carry_memory(&mut self, old: &Model, origin: &Origin) {
        let stage = self.scratch.contact.as_ref();
        let mut memory = Memory::new(stage, &self.model);
        carry(&mut memory.applied, &self.memory.applied, &origin.nodes);
        memory.applying = self.memory.applying;
        carry(&mut memory.ports, &self.memory.ports, &origin.ports);
        for (i, _) in origin.ports.iter().enumerate().filter(|(_, was)| was.is_none()) {
            let port = &self.model.ports[i];
            let s = &self.state.bodies[port.body];
            let (position, rotation) = (s.x + s.q * port.point, s.q * port.frame);
            memory.ports[i] = PortOutput { position, rotation, ..PortOutput::default() };
        }
        if let (Some(carry), Some(was)) = (&mut memory.contact, &self.memory.contact) {
            let nodes = origin.destinations(old);
            let stay = Stay { bodies: &origin.bodies, nodes: &nodes, elements: &origin.elements };
            carry.adopt(was, [&self.model, old], &stay);
        }
        self.memory = memory;
    }

    /// Books what came and went. An edit that moved no energy leaves no trace in the books.
    fn enter_edit(&mut self, jump: Jump) {
        let (before, [added, taken]) = (self.ledger.now(), [jump.added, jump.taken]);
        // contacts over a volume keep what they hold if both bodies stay
        let contact = self.state.volume.stored();
        let let_go = before.contact - contact;
        if added.size() == 0.0 && taken.size() == 0.0 && let_go == 0.0 {
            return;
        }
        let elements = self.params.elements.iter().zip(&self.state.strain);
        let after = Stored {
            // a difference would leave the rounding of what a fast body had
            kinetic: kinetic(&self.model, &self.params, &self.state),
            elastic: elements.map(|(p, g)| p.elastic(g)).sum(),
            gravity: before.gravity + added.gravity - taken.gravity,
            tank: before.tank,
            contact,
        };
        // what the account had gathered of rounding ends here
        let rounded = (after.kinetic - before.kinetic) - (added.kinetic - taken.kinetic);
        let (added, taken) = (added.total(), taken.total() + let_go);
        // what was below the level from which gravity counts is lifted to it
        let supplied = added + (-taken).max(0.0) + rounded.max(0.0);
        let discarded = taken.max(0.0) + (-rounded).max(0.0);
        self.enter_flows(after, Flows { supplied, discarded, ..Flows::default() });
    }
}

/// Energy that came with new parts and went with old ones [J].
struct Jump {
    added: Stored,
    taken: Stored,
}
