//! The convex pieces and surfaces that colliders are made of.

use std::sync::Arc;

use super::collision_shape::{CollisionShape, Form};
use super::convex::{Convex, Core, Pair, Solid};
use super::facet::{self, Bundles};
use super::frame::{Aabb, Frame};
use super::glide::Glide;
use super::groups::Groups;
use super::height_field::HeightField;
use super::manifold::{Patch, Scratch};
use super::triangle_mesh::TriangleMesh;
use super::{half_space, narrow};
use crate::math::Vec3;

/// One convex solid or one surface.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Solid(Solid),
    HalfSpace,
    Mesh(Arc<TriangleMesh>),
    Field(Arc<HeightField>),
}

/// A piece of a collider and where it sits on its body.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub body: u32,
    pub collider: u32,
    pub still: bool,
    pub groups: Groups,
    pub shape: Body,
    pub offset: Frame,
}

impl Body {
    /// The pieces of a shape and where they sit in its frame.
    pub fn pieces_of(shape: &CollisionShape) -> Vec<(Frame, Body)> {
        let here = Frame::identity();
        match &shape.form {
            Form::Solid(solid) => vec![(here, Body::Solid(solid.clone()))],
            Form::HalfSpace => vec![(here, Body::HalfSpace)],
            Form::Compound(list) => {
                list.iter().map(|(frame, solid)| (*frame, Body::Solid(solid.clone()))).collect()
            }
            Form::Mesh(mesh) => vec![(here, Body::Mesh(mesh.clone()))],
            Form::Field(field) => vec![(here, Body::Field(field.clone()))],
        }
    }

    /// Its box at a frame; `None` if it has no end.
    pub fn aabb(&self, frame: &Frame) -> Option<Aabb> {
        match self {
            Body::Solid(solid) => Some(solid.aabb(frame)),
            Body::HalfSpace => None,
            Body::Mesh(mesh) => Some(mesh.bounds.moved(frame)),
            Body::Field(field) => Some(field.bounds.moved(frame)),
        }
    }

    pub fn is_endless(&self) -> bool {
        matches!(self, Body::HalfSpace)
    }
}

/// Buffers of the narrow phase.
#[derive(Debug, Clone)]
pub(super) struct Workspace {
    scratch: Scratch,
    bundles: Bundles,
}

impl Workspace {
    pub fn new() -> Self {
        Self { scratch: Scratch::new(), bundles: Bundles::new() }
    }
}

/// Two pieces, where they are, and how the second moves past the first.
pub(super) struct Meeting<'a> {
    pub shapes: [&'a Body; 2],
    pub frames: [&'a Frame; 2],
    pub glide: Glide,
}

impl Meeting<'_> {
    /// Calls `found` with the contacts nearer than `reach`, each patch in the frame of the first
    /// piece; `guess` is kept from one time to the next.
    pub fn contacts(
        &self,
        reach: f64,
        guess: &mut Vec3,
        work: &mut Workspace,
        mut found: impl FnMut(&Patch),
    ) {
        let Self { shapes: [a, b], frames: [fa, fb], glide } = self;
        let seen = &mut work.scratch.candidates.glide;
        *seen = match (a, b) {
            (Body::Solid(_), Body::Solid(_)) | (_, Body::Solid(_)) => glide.seen_from(fa),
            _ => glide.flipped().seen_from(fb),
        };
        match (a, b) {
            (Body::Solid(one), Body::Solid(two)) => {
                let pair = Pair { a: one.view(), b: two.view(), frame: fa.view(fb) };
                found(&narrow::contacts(&pair, reach, guess, &mut work.scratch));
            }
            (surface, Body::Solid(solid)) => {
                on_surface(surface, solid, &fa.view(fb), reach, work, found);
            }
            (Body::Solid(solid), surface) => {
                let frame = fb.view(fa);
                on_surface(surface, solid, &frame, reach, work, |patch| {
                    found(&patch.flipped(&frame));
                });
            }
            _ => {}
        }
    }
}

/// Contacts of a surface (a) with a solid standing at `frame`.
fn on_surface(
    surface: &Body,
    solid: &Solid,
    frame: &Frame,
    reach: f64,
    work: &mut Workspace,
    found: impl FnMut(&Patch),
) {
    let Workspace { scratch, bundles } = work;
    if surface.is_endless() {
        return each_patch(surface, solid, frame, reach, scratch, found);
    }
    bundles.clear();
    each_patch(surface, solid, frame, reach, scratch, |patch| bundles.add(patch));
    bundles.reduced(&scratch.candidates.glide, found);
}

/// Calls `found` with what each part of a surface (a) gives a solid standing at `frame`.
pub(super) fn each_patch(
    surface: &Body,
    solid: &Solid,
    frame: &Frame,
    reach: f64,
    scratch: &mut Scratch,
    mut found: impl FnMut(&Patch),
) {
    let view = solid.view();
    let near = solid.aabb(frame).grown(reach);
    match surface {
        Body::HalfSpace => {
            let a = Convex { core: Core::Point, radius: 0.0 };
            found(&half_space::contacts(&Pair { a, b: view, frame: *frame }, reach, scratch));
        }
        Body::Mesh(mesh) => {
            mesh.facets(&near, |f| found(&facet::contacts(f, &view, frame, reach, scratch)));
        }
        Body::Field(field) => {
            field.facets(&near, |f| found(&facet::contacts(f, &view, frame, reach, scratch)));
        }
        Body::Solid(_) => {}
    }
}
