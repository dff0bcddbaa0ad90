//! `<limit>`.

use super::reader::Reader;
use super::remark::RemarkKind;
use super::robot::{JointKind, Limits};
use super::tag::{Known, Tag};

/// The limits of a joint; positions that are left out are 0, as the format says.
pub(super) fn read_limits(joint: &Tag, kind: JointKind, reader: &mut Reader) -> Option<Limits> {
    let is_bounded = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
    let Some(tag) = joint.child("limit") else {
        if is_bounded {
            let message = "there is no <limit>: the joint moves without end";
            reader.remark(RemarkKind::Changed, joint.start(), joint.path(), message);
        }
        return None;
    };
    let names = ["lower", "upper", "effort", "velocity"];
    let known: &[&str] = if is_bounded { &names } else { &names[2..] };
    tag.close(&Known { once: &[], many: &[], attributes: known }, reader);
    let effort = tag.not_negative("effort", reader);
    let velocity = tag.not_negative("velocity", reader);
    let [lower, upper] = ["lower", "upper"].map(|name| match is_bounded {
        true => tag.number(name, reader).unwrap_or(0.0),
        false => 0.0,
    });
    if lower > upper {
        let message = format!("the lower limit {lower} is above the upper limit {upper}");
        reader.wrong(&tag.field("lower"), message, "exchange `lower` and `upper`");
    }
    let line = reader.line(tag.start());
    Some(Limits { range: is_bounded.then_some([lower, upper]), effort, velocity, line })
}
