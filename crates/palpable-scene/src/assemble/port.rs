//! Ports.

use super::rows::{self, Layout};
use super::spring::{DAMPING, STIFFNESS};
use super::{Added, Assembly, check_names, on_body, turn, vector};
use crate::document::{Port, PortKind};
use crate::place::At;
use palpable::{Anchor, Port as Door, Pose, Vec6};

impl Assembly<'_> {
    pub(super) fn add_ports(&mut self) {
        let ports = self.document.port.get().map_or(&[][..], |list| &list.value);
        let names = ports.iter().filter_map(|p| p.name.get());
        check_names("ports", &self.ports, names, &mut self.mistakes);
        for port in ports {
            self.add_port(port);
        }
    }

    /// Adds a port and its script; leaves it out if that cannot be done, which is noted.
    fn add_port(&mut self, port: &At<Port>) -> Option<()> {
        let point = vector(port.point.get());
        let rotation = turn::rotation(port.orientation.get(), &mut self.mistakes);
        let kind = port.kind.or_default();
        let coupling = self.coupling(port, kind);
        let body = port.body.get().and_then(|body| self.body_named(body));
        let (point, rotation) =
            body.map_or((point, rotation), |(_, frame)| on_body(&frame, point, rotation));
        let body = body.map(|(index, _)| index);
        let start = body.map_or(Pose::default(), |index| {
            let Pose { position, rotation: turned } = self.starts[index];
            Pose { position: position + turned * point, rotation: turned * rotation }
        });
        let signal = port.input.get().map(|input| self.signal(input, kind, &start));
        let (body, name) = (self.bodies[body?].id, port.name.get()?.value.clone());
        let anchor: Anchor = body.at(point).turned(rotation);
        let door = match kind {
            PortKind::Force => Door::force(name.as_str(), anchor),
            PortKind::Reference => {
                let (stiffness, damping) = coupling?;
                Door::reference(name.as_str(), anchor, stiffness, damping)
            }
        };
        let id = self.builder.port(door);
        if kind == PortKind::Reference {
            self.references.push((name.clone(), id, start));
        }
        let place = port.place.clone();
        let end = port.body.get().map_or(place.clone(), |b| b.place.clone());
        self.ports.push(Added { id, name, place, ends: [end.clone(), end] });
        if let Some(signal) = signal {
            self.script.push(id, signal?);
        }
        Some(())
    }

    /// Stiffness and damping of a reference port.
    fn coupling(&mut self, port: &At<Port>, kind: PortKind) -> Option<(Vec6, Vec6)> {
        let (stiffness, damping) = (port.stiffness.get(), port.damping.get());
        if kind == PortKind::Force {
            for given in [stiffness, damping].into_iter().flatten() {
                let message = "a force port has neither stiffness nor damping";
                let cure = "remove it, or set kind = \"reference\"";
                self.mistakes.add(&given.place, message, cure);
            }
            return None;
        }
        let Some(stiffness) = stiffness else {
            let message = "a reference port without stiffness";
            self.note_once(&port.place, message, "add `stiffness = \"200 N/m\"`");
            return None;
        };
        let stiffness = rows::rows(stiffness, Layout::Port, &STIFFNESS, &mut self.mistakes);
        let damping = match damping {
            Some(damping) => rows::rows(damping, Layout::Port, &DAMPING, &mut self.mistakes),
            None => Some(Vec6::zeros()),
        };
        Some((stiffness?, damping?))
    }
}
