//! What to record.

use super::{Added, Assembly};
use crate::document::Selection;
use crate::place::{At, Mistakes};
use crate::record::{Named, RecordPlan};
use crate::suggest;

impl Assembly<'_> {
    pub(super) fn record_plan(&mut self) -> RecordPlan {
        let empty = Default::default();
        let record = self.document.record.get().map_or(&empty, |r| &r.value);
        let every = record.every.get();
        if let Some(every) = every
            && every.value == 0
        {
            let cure = "give 1 for each step, or leave [record] out";
            self.mistakes.add(&every.place, "every 0 steps is never", cure);
        }
        let mistakes = &mut self.mistakes;
        RecordPlan {
            every: every.map_or(1, |e| e.value),
            energy: record.energy.or(true),
            bodies: select(record.bodies.get(), &self.bodies, "bodies", mistakes),
            ports: select(record.ports.get(), &self.ports, "ports", mistakes),
            springs: select(record.springs.get(), &self.springs, "springs", mistakes),
        }
    }
}

fn select<Id: Copy>(
    selection: Option<&At<Selection>>,
    parts: &[Added<Id>],
    what: &str,
    mistakes: &mut Mistakes,
) -> Vec<Named<Id>> {
    let named = |part: &Added<Id>| Named { name: part.name.clone(), id: part.id };
    match selection.map(|s| &s.value) {
        None | Some(Selection::All(true)) => parts.iter().map(named).collect(),
        Some(Selection::All(false)) => Vec::new(),
        Some(Selection::Names(names)) => {
            let mut chosen = Vec::new();
            for name in names {
                match parts.iter().find(|p| p.name == name.value) {
                    Some(part) => chosen.push(named(part)),
                    None => {
                        let known = parts.iter().map(|p| p.name.as_str());
                        let cure = suggest::cure(name, known, &format!("known {what}"));
                        let message = format!("nothing here is named `{}`", name.value);
                        mistakes.add(&name.place, message, cure);
                    }
                }
            }
            chosen
        }
    }
}
