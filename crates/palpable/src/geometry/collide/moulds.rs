//! The pieces of a pipeline as moulds, for laws that need what two solids share.

use super::super::volume::{Mould, Placement};
use super::collision_shape::{CollisionShape, Form};
use super::convex::{Core, Solid};
use super::piece::Body;
use super::pipeline::CollisionPipeline;

/// A piece of a collider that has a volume.
#[derive(Debug, Clone, PartialEq)]
pub struct MouldPiece {
    /// Number of the body that it belongs to.
    pub body: usize,
    /// Where it sits on its body.
    pub offset: Placement,
    /// Geometry.
    pub mould: Mould,
}

impl CollisionPipeline {
    /// Every piece as a mould; `None` for surfaces without an inside.
    pub fn moulds(&self) -> Vec<Option<MouldPiece>> {
        let of = |piece: &super::piece::Piece| {
            let mould = match &piece.shape {
                Body::Solid(solid) => mould_of(solid),
                Body::HalfSpace => Mould::half_space(),
                Body::Mesh(_) | Body::Field(_) => return None,
            };
            let (rotation, origin) = (piece.offset.r, piece.offset.x);
            let offset = Placement { rotation, origin };
            Some(MouldPiece { body: piece.body as usize, offset, mould })
        };
        self.pieces.iter().map(of).collect()
    }

    /// Pairs of near pieces that the last update left to another law.
    pub fn apart(&self) -> &[(u32, u32)] {
        &self.apart
    }

    /// The bodies of two pieces were where they had been: the last update did not look at them.
    pub fn was_frozen(&self, a: u32, b: u32) -> bool {
        let frozen = |piece: u32| self.told.frozen[self.pieces[piece as usize].body as usize];
        frozen(a) && frozen(b)
    }
}

impl CollisionShape {
    /// Area of the largest side of a box around one of its pieces, in the axes of the piece [m²]:
    /// the largest region that it presses with, lying flat. Zero without an inside.
    pub fn largest_side(&self) -> f64 {
        match &self.form {
            Form::Solid(solid) => mould_of(solid).largest_side(),
            Form::Compound(pieces) => {
                pieces.iter().map(|(_, solid)| mould_of(solid).largest_side()).fold(0.0, f64::max)
            }
            Form::HalfSpace | Form::Mesh(_) | Form::Field(_) => 0.0,
        }
    }
}

fn mould_of(solid: &Solid) -> Mould {
    let view = solid.view();
    match view.core {
        Core::Point => Mould::ball(view.radius),
        Core::Segment(half) => Mould::capsule(half, view.radius),
        Core::Cylinder(half, radius) => Mould::cylinder(half, radius),
        Core::Cuboid(half, _) => Mould::cuboid(&half),
        Core::Hull(poly) => Mould::hull(poly.vertices),
    }
}
