//! Colliders, materials and pairs of a frozen model.

use super::body::Body;
use super::builder::{ModelBuilder, Touching};
use super::material::{ContactModel, Material, Surfaces, collides};
use super::{BuildError, Model};
use crate::geometry::{Collider, CollisionOptions, CollisionPipeline, CollisionShape};
use std::collections::BTreeSet;

/// What touches of a body: its collider, or its shape.
pub(super) fn collider_of(body: &Body) -> Option<CollisionShape> {
    if !body.solid {
        return None;
    }
    match (&body.collider, &body.shape) {
        (Some(collider), _) => collider.clone().ok(),
        (None, Some(Ok(shape))) => CollisionShape::new(shape).ok(),
        _ => None,
    }
}

/// Who may touch whom: not what a joint joins, not the links of one subsystem; and how they rub.
pub(super) fn freeze_contact(model: &Model) -> Result<(ContactModel, Surfaces), BuildError> {
    let from: &ModelBuilder = &model.source;
    let mut colliders = Vec::new();
    for (index, body) in model.bodies.iter().enumerate().filter(|(_, b)| collides(b)) {
        let Some(shape) = body.collider.clone() else { continue };
        let collider = Collider::new(index, shape);
        colliders.push(if body.moving.is_some() { collider } else { collider.still() });
    }
    let mut excluded = apart(model);
    let mut pairs = Vec::new();
    for ([a, b], material) in &from.pairs {
        match material {
            Some(material) => pairs.push(((a.0.min(b.0), a.0.max(b.0)), *material)),
            None => excluded.push((a.0, b.0)),
        }
    }
    let wanted = if let Touching::Room(wanted) = from.touching { wanted } else { 0 };
    let capacity = if wanted > 0 { wanted } else { usual_room(colliders.len()) };
    let options = CollisionOptions { contacts: capacity, excluded, ..Default::default() };
    let pipeline = CollisionPipeline::new(model.bodies.len(), &colliders, options)
        .map(CollisionPipeline::emptied)
        .map_err(|source| BuildError::Collision { part: "contacts".to_owned(), source })?;
    let material = |i: usize| from.bodies.get(i).map_or_else(Material::default, |b| b.material);
    let surfaces = Surfaces { bodies: (0..model.bodies.len()).map(material).collect(), pairs };
    Ok((ContactModel { pipeline, capacity, rows: surfaces.rows() }, surfaces))
}

/// Room for contacts of so many bodies that nobody named. Heaps have six to ten a body, a wall of
/// bricks eleven, cubes side by side 34: a world of few bodies has room for all of it, one of many
/// for what is usual.
fn usual_room(bodies: usize) -> usize {
    // what a heap takes
    const EACH: usize = 8;
    // with this, what cubes side by side take,
    const SPARE: usize = 32;
    // in a world of few bodies
    const MOST_SPARE: usize = 8192;
    (EACH * bodies + (SPARE * bodies).min(MOST_SPARE)).max(64)
}

/// Pairs that never touch: what a joint joins, and the links of one subsystem.
fn apart(model: &Model) -> Vec<(usize, usize)> {
    let (from, mut excluded): (&ModelBuilder, _) = (&model.source, Vec::new());
    for spring in from.springs.values().flatten().filter(|s| s.joint) {
        if let [Some(a), Some(b)] = spring.ends.map(|end| end.body) {
            excluded.push((a.0, b.0));
        }
    }
    for system in &model.systems {
        let ids: Vec<usize> = system.nodes.clone().map(|n| model.moving[n].0).collect();
        for (i, &a) in ids.iter().enumerate() {
            excluded.extend(ids[i + 1..].iter().map(|&b| (a, b)));
        }
    }
    excluded
}

/// True if bodies of the model touch: they are meant to, or there is a pair that may.
pub(super) fn can_touch(model: &Model, touching: Touching) -> bool {
    match touching {
        Touching::Never => return false,
        Touching::Room(_) => return true,
        Touching::Shapes => {}
    }
    let named =
        model.source.pairs.iter().filter(|(_, m)| m.is_none()).map(|([a, b], _)| (a.0, b.0));
    let ordered = |(a, b): (usize, usize)| (a.min(b), a.max(b));
    let never: BTreeSet<_> = apart(model).into_iter().chain(named).map(ordered).collect();
    let solid = || model.bodies.iter().enumerate().filter(|(_, b)| collides(b));
    solid()
        .filter(|(_, b)| b.moving.is_some())
        .any(|(i, _)| solid().any(|(j, _)| i != j && !never.contains(&ordered((i, j)))))
}
