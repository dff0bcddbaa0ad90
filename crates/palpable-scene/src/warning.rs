//! What a scene may say and hardly means.

use crate::built::Built;
use std::collections::BTreeMap;

/// Bodies that overlap by less than this at the start rest on each other [m].
const TOUCH: f64 = 1e-5;
/// Overlaps that are listed, at most.
const LISTED: usize = 10;

impl Built {
    /// What is allowed and yet hardly meant: a floor that nothing touches, bodies that overlap.
    pub fn warnings(&self) -> Vec<String> {
        self.untouchable().into_iter().chain(self.overlaps()).collect()
    }

    /// A floor, wall or table in a scene in which nothing touches.
    fn untouchable(&self) -> Option<String> {
        let model = &self.model;
        let falls = model.params().gravity.norm() > 0.0;
        let solid = model.bodies().iter().any(|b| b.moving.is_some() && b.collider.is_some());
        // robots on fixed bases are no floors
        let robot = |i: usize| {
            self.robots.iter().flat_map(|r| &r.mounted.bodies).any(|body| body.index() == i)
        };
        let mut bodies = model.bodies().iter().enumerate();
        let (_, fixed) =
            bodies.find(|(i, b)| b.moving.is_none() && b.collider.is_some() && !robot(*i))?;
        (falls && solid && model.contact().is_none()).then(|| {
            let name = &fixed.name;
            format!(
                "nothing touches `{name}`: contact is not enabled; remove `enabled` from `contact`"
            )
        })
    }

    /// Bodies that overlap at the start: nothing pays for pushing them apart, so they stay so.
    fn overlaps(&self) -> Vec<String> {
        if self.model.contact().is_none() {
            return Vec::new();
        }
        let mut world = self.world();
        // a step finds who touches
        let _ = world.step(1e-9, &world.inputs());
        let mut worst: BTreeMap<[usize; 2], f64> = BTreeMap::new();
        for touch in world.contacts() {
            let depth = worst.entry(touch.bodies).or_insert(0.0);
            *depth = depth.max(-touch.gap);
        }
        let name = |i: usize| self.model.bodies().get(i).map_or("", |b| b.name.as_str());
        let deep = worst.into_iter().filter(|(_, depth)| *depth > TOUCH).take(LISTED);
        deep.map(|([a, b], depth)| {
            let (a, b, depth) = (name(a), name(b), 1e3 * depth);
            format!("`{a}` and `{b}` overlap by {depth:.3} mm at the start and stay so; move one")
        })
        .collect()
    }
}
