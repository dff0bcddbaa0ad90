//! What bodies look like.

use super::{Assembly, turn, vector};
use crate::built::Look;
use crate::document::{Shape, Visual};
use crate::place::At;
use crate::read::Field;
use crate::urdf::{Form, Part, Robot};
use palpable::Pose;

impl Assembly<'_> {
    /// Adds the visuals of a body.
    pub(super) fn add_visuals(&mut self, body: &str, visuals: &Field<Vec<At<Visual>>>) {
        for visual in visuals.get().map_or(&[][..], |list| &list.value) {
            if let Some(look) = self.look(body, visual) {
                self.looks.push(look);
            }
        }
    }

    fn look(&mut self, body: &str, visual: &Visual) -> Option<Look> {
        let shape = visual.shape.get()?;
        if matches!(shape.value, Shape::HalfSpace(_)) {
            let message = "a half space cannot be drawn as part of a body";
            self.mistakes.add(&shape.place, message, "give a thin box instead");
            return None;
        }
        let form = Form::Solid(self.shape(shape)?);
        let pose = Pose {
            position: vector(visual.position.get()),
            rotation: turn::rotation(visual.orientation.get(), &mut self.mistakes),
        };
        let color = visual.color.get().map(|c| (c.value.map(|part| part.0), &c.place));
        if let Some((color, place)) = color
            && color.iter().any(|part| *part > 1.0)
        {
            self.mistakes.add(place, "a colour above 1", "give red, green and blue from 0 to 1");
            return None;
        }
        Some(Look { body: body.to_owned(), pose, form, color: color.map(|c| c.0) })
    }
}

/// What the links of a part of a robot look like, in the axes of the part.
pub(super) fn of_part(robot: &Robot, part: &Part, body: &str) -> Vec<Look> {
    let links = part.links.iter().flat_map(|(link, frame)| {
        let all = robot.links[*link].visuals.iter();
        all.map(move |visual| Look {
            body: body.to_owned(),
            pose: Pose {
                position: frame.position + frame.rotation * visual.pose.position,
                rotation: frame.rotation * visual.pose.rotation,
            },
            form: visual.form.clone(),
            color: visual.color.map(|[r, g, b, _]| [r, g, b]),
        })
    });
    links.collect()
}
