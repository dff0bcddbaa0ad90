//! Numbers that name bodies, elements and ports.
//!
//! # Rule
//! A number that a model or a world gave holds the place of the part in its lower half and a digest
//! of the part's mark, which is never 0, in its upper half: worlds of other models refuse it
//! (`palpable/src/model/lineage.rs`). A bare place, whose upper half is 0, names whatever part is
//! there, for loops over all bodies.
//!
//! # Differs from certainty
//! Two marks have the same digest once in 2³² pairs.

use crate::border::{Call, pal_status, wrong};
use palpable::{BodyId, ElementId, PortId};

/// An id of the engine that C sees as a number.
pub(crate) trait Id: Copy {
    /// Its place and its mark.
    fn parts(self) -> (usize, u64);

    /// The number for C.
    fn told(self) -> u64 {
        let (place, mark) = self.parts();
        digest(mark) << 32 | place as u64
    }
}

macro_rules! ids {
    ($($Id:ty),*) => {$(
        impl Id for $Id {
            fn parts(self) -> (usize, u64) {
                (self.index(), self.mark())
            }
        }
    )*};
}

ids!(BodyId, ElementId, PortId);

fn digest(mark: u64) -> u64 {
    ((mark >> 32) ^ (mark & 0xffff_ffff)).max(1)
}

/// The id that a number names: `at` gives the one at a place.
pub(crate) fn find<T: Id>(kind: &str, number: u64, at: impl Fn(usize) -> Option<T>) -> Call<T> {
    let (place, digest) = (number & 0xffff_ffff, number >> 32);
    let Some(id) = usize::try_from(place).ok().and_then(at) else {
        let words = format!("there is no {kind} {place} here; ask for it by its name");
        return wrong(pal_status::PAL_BAD_ID, words);
    };
    if digest != 0 && id.told() != number {
        let words = format!("this {kind} is of another model; use what this model or world gave");
        return wrong(pal_status::PAL_BAD_ID, words);
    }
    Ok(id)
}
