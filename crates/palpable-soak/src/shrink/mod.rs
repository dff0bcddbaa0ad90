//! Makes a scene smaller while it still breaks the same law.

mod chains;
mod parts;
mod values;

use crate::check::finding::Kind;
use crate::run::run;
use crate::scene::Scene;

/// Steps that may be simulated to shrink one scene: some ten seconds. Counted in steps, not in
/// time, so that the result is the same on every machine.
pub const BUDGET: usize = 40_000;

/// A shrunk violation may be this part of the one that was found.
const WORTH: f64 = 0.1;

/// Shrinks a scene that breaks `kind`. Ends early, with what it has, once `stopped` says so.
pub fn shrink_violation(scene: &Scene, kind: Kind, stopped: impl Fn() -> bool) -> Scene {
    let worst = |scene: &Scene| run(scene).findings.found.remove(&kind);
    let Some(found) = worst(scene) else { return scene.clone() };
    let first = shortened(scene, found.step);
    shrink(&first, BUDGET, |scene| {
        let breaks = if stopped() { None } else { worst(scene) };
        breaks.filter(|again| again.relative >= WORTH * found.relative).map(|again| again.step)
    })
}

/// Shrinks a scene within a budget of steps. `breaks` says in which step a scene still breaks what
/// it should, or `None`.
pub fn shrink(
    scene: &Scene,
    budget: usize,
    mut breaks: impl FnMut(&Scene) -> Option<usize>,
) -> Scene {
    let (mut best, mut left) = (scene.clone(), budget);
    loop {
        let (mut next, mut smaller) = (0, false);
        let mut candidates = candidates(&best);
        while let Some(candidate) = candidates.get(next) {
            let Some(rest) = left.checked_sub(candidate.steps) else { return best };
            left = rest;
            if let Some(step) = breaks(candidate) {
                best = shortened(candidate, step);
                // the one that was taken is gone from the list, so `next` is the one after it
                candidates = self::candidates(&best);
                smaller = true;
            } else {
                next += 1;
            }
        }
        if !smaller {
            return best;
        }
    }
}

/// The scene up to a step.
fn shortened(scene: &Scene, step: usize) -> Scene {
    let mut scene = scene.clone();
    scene.steps = scene.steps.min(step + 1);
    scene.events.retain(|event| event.step < scene.steps);
    scene
}

/// Scenes that are a little smaller or simpler, the largest savings first.
fn candidates(scene: &Scene) -> Vec<Scene> {
    let mut candidates = Candidates { scene, list: Vec::new() };
    candidates.leave_out_parts();
    candidates.simplify_chains();
    candidates.simplify_values();
    candidates.list
}

/// A scene and its smaller neighbours.
struct Candidates<'a> {
    scene: &'a Scene,
    list: Vec<Scene>,
}

impl Candidates<'_> {
    /// Adds the scene with an edit, if that changes anything.
    fn add(&mut self, edit: impl FnOnce(&mut Scene)) {
        let mut candidate = self.scene.clone();
        edit(&mut candidate);
        if candidate != *self.scene {
            self.list.push(candidate);
        }
    }
}
