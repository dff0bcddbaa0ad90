//! How the studio shows a scene.

use super::{Assembly, vector};
use crate::built::{End, Staging};
use crate::document::EndOfRun;

impl Assembly<'_> {
    pub(super) fn staging(&mut self) -> Staging {
        let Some(studio) = self.document.studio.get() else { return Staging::default() };
        let (eye, target) = (studio.eye.get(), studio.look_at.get());
        let ends = [eye, target].map(vector);
        let viewpoint = match (eye, target) {
            (Some(eye), Some(_)) if ends[0] == ends[1] => {
                let cure = "move `eye` away from `look_at`";
                self.mistakes.add(&eye.place, "the eye is where it looks", cure);
                None
            }
            (Some(_), Some(_)) => Some(ends),
            (None, None) => None,
            (Some(one), None) | (None, Some(one)) => {
                let message = "an eye without a direction, or a direction without an eye";
                self.mistakes.add(&one.place, message, "give both `eye` and `look_at`");
                None
            }
        };
        let hand = studio.hand.get().and_then(|hand| {
            let damping = hand.damping.get().map_or(0.0, |b| b.0);
            Some([hand.stiffness.get()?.0, damping])
        });
        let end = match studio.end.or_default() {
            EndOfRun::GoOn => End::GoOn,
            EndOfRun::Loop => End::Loop,
            EndOfRun::Stop => End::Stop,
        };
        let after = studio.after.get().map(|after| after.0);
        Staging { viewpoint, end, after, hand }
    }
}
