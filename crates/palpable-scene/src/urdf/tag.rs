//! A tag of the file: attributes, children, and what nobody asked for.

use super::reader::Reader;
use super::remark::RemarkKind;
use crate::place::{At, Part, Place};
use crate::suggest;
use roxmltree::{Attribute, Node};

/// A tag and its path, such as `link[arm].inertial`.
#[derive(Clone)]
pub(super) struct Tag<'a, 't> {
    node: Node<'a, 't>,
    path: String,
    /// The link or joint it belongs to, by its first byte.
    part: Option<Part>,
}

/// Which tags and attributes have a meaning inside a tag.
pub(super) struct Known<'k> {
    /// Tags that may stand there once.
    pub once: &'k [&'k str],
    /// Tags that may stand there many times.
    pub many: &'k [&'k str],
    /// Attributes.
    pub attributes: &'k [&'k str],
}

impl<'a, 't> Tag<'a, 't> {
    pub fn root(node: Node<'a, 't>) -> Self {
        Self { node, path: String::new(), part: None }
    }

    fn below(&self, node: Node<'a, 't>) -> Self {
        let (dot, name) = (if self.path.is_empty() { "" } else { "." }, node.tag_name().name());
        let own = match node.attribute("name") {
            Some(own) if self.path.is_empty() => format!("[{own:.60}]"),
            _ => String::new(),
        };
        let part = self.part.clone().or_else(|| Some((name.to_owned(), node.range().start)));
        Self { node, path: format!("{}{dot}{name}{own}", self.path), part }
    }

    /// Name without its namespace.
    pub fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// `joint[elbow].limit`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// First byte.
    pub fn start(&self) -> usize {
        self.node.range().start
    }

    /// The opening of the tag: `<` and its name.
    pub fn place(&self) -> Place {
        let start = self.start();
        let span = start..start + 1 + self.name().len();
        Place { span, field: self.path.clone(), part: self.part.clone() }
    }

    /// An attribute, or the tag where it should stand.
    pub fn field(&self, name: &str) -> Place {
        let span = match self.attribute_node(name) {
            Some(attribute) => attribute.range_value(),
            None => self.place().span,
        };
        self.place().child(name, span)
    }

    fn elements(&self) -> impl Iterator<Item = Node<'a, 't>> + use<'a, 't> {
        self.node.children().filter(Node::is_element)
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<Self> {
        self.elements().find(|n| n.tag_name().name() == name).map(|n| self.below(n))
    }

    /// All children of this name.
    pub fn children(&self, name: &str) -> Vec<Self> {
        self.elements().filter(|n| n.tag_name().name() == name).map(|n| self.below(n)).collect()
    }

    /// All children.
    pub fn all_children(&self) -> impl Iterator<Item = Self> {
        self.elements().map(|n| self.below(n))
    }

    fn attribute_node(&self, name: &str) -> Option<Attribute<'a, 't>> {
        self.node.attributes().find(|a| a.name() == name)
    }

    /// An attribute, with spaces around it removed.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute_node(name).map(|a| a.value().trim())
    }

    /// An attribute that must be there and not be empty.
    pub fn required(&self, name: &str, reader: &mut Reader) -> Option<At<String>> {
        let place = self.field(name);
        let value = match self.text(name) {
            None => {
                self.missing(name, reader);
                return None;
            }
            Some("") => {
                reader.wrong(&place, "this is empty", "give it at least one letter");
                return None;
            }
            Some(text) => text.to_owned(),
        };
        Some(At { value, place })
    }

    fn missing(&self, name: &str, reader: &mut Reader) {
        let near = self.node.attributes().map(|a| a.name());
        let cure = match suggest::nearest(name, near) {
            Some(near) => format!("rename `{near}` to `{name}`"),
            None => format!("add {name}=\"..\""),
        };
        let message = format!("<{}> has no attribute `{name}`", self.name());
        reader.wrong(&self.field(name), message, cure);
    }

    /// A finite number, if the attribute is there; what is wrong with it is noted.
    pub fn number(&self, name: &str, reader: &mut Reader) -> Option<f64> {
        self.numbers(name, reader).map(|[number]| number)
    }

    /// A finite number that must be there.
    pub fn required_number(&self, name: &str, reader: &mut Reader) -> Option<f64> {
        if self.attribute_node(name).is_none() {
            self.missing(name, reader);
        }
        self.number(name, reader)
    }

    /// A number of 0 or more, if the attribute is there; what is wrong with it is noted.
    pub fn not_negative(&self, name: &str, reader: &mut Reader) -> Option<f64> {
        let number = self.number(name, reader)?;
        if number < 0.0 {
            let message = format!("{name} is {number}");
            reader.wrong(&self.field(name), message, "give a number of 0 or more");
            return None;
        }
        Some(number)
    }

    /// Finite numbers apart by spaces, if the attribute is there; what is wrong is noted.
    pub fn numbers<const N: usize>(&self, name: &str, reader: &mut Reader) -> Option<[f64; N]> {
        let text = self.text(name)?;
        let place = self.field(name);
        let example = ["1"; N].join(" ");
        let cure = match text.contains("${") {
            true => XACRO.to_owned(),
            false => format!("write {name}=\"{example}\", plain numbers in SI units"),
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut read = Vec::with_capacity(N);
        for word in &words {
            match word.parse::<f64>().ok().filter(|v| v.is_finite()) {
                Some(number) => read.push(number),
                None => {
                    let message = format!("`{word:.40}` is not a finite number");
                    reader.wrong(&place, message, cure);
                    return None;
                }
            }
        }
        let count = read.len();
        let numbers = read.try_into().ok();
        if numbers.is_none() {
            let message = format!("{name} has {count} numbers, not {N}");
            reader.wrong(&place, message, cure);
        }
        numbers
    }

    /// Remarks on every tag and attribute inside this one that has no meaning there.
    pub fn close(&self, known: &Known, reader: &mut Reader) {
        let mut seen: Vec<&str> = Vec::new();
        for node in self.elements() {
            let name = node.tag_name().name();
            if known.once.contains(&name) && !seen.contains(&name) {
                seen.push(name);
            } else if known.once.contains(&name) {
                self.ignore(node, "only the first one counts", reader);
            } else if !known.many.contains(&name) {
                self.ignore(node, reason(name), reader);
            }
        }
        for attribute in self.node.attributes() {
            let name = attribute.name();
            if !known.attributes.contains(&name) {
                let about = format!("<{} {name}=\"{:.40}\">", self.name(), attribute.value());
                let message = "this attribute has no meaning here";
                reader.remark(RemarkKind::Ignored, attribute.range().start, about, message);
            }
        }
    }

    /// Remarks that a tag and all it holds is ignored.
    fn ignore(&self, node: Node<'a, 't>, why: &str, reader: &mut Reader) {
        let inside = node.descendants().filter(|n| n.is_element()).count() - 1;
        let message = match inside {
            0 => why.to_owned(),
            1 => format!("{why} (and the tag inside it)"),
            n => format!("{why} (and the {n} tags inside it)"),
        };
        let about = format!("<{}>", self.below(node).path);
        reader.remark(RemarkKind::Ignored, node.range().start, about, message);
    }
}

/// What to do with a file that is a template.
pub(super) const XACRO: &str = "this is a template: make a URDF of it by `xacro FILE > robot.urdf`";

/// Why a tag is ignored.
fn reason(name: &str) -> &'static str {
    match name {
        "transmission" => "gears and motors of ros_control",
        "gazebo" => "a setting of the simulator Gazebo",
        "ros2_control" => "a setting of ros2_control",
        "safety_controller" => "a setting of a controller",
        "calibration" => "a setting of encoders",
        "texture" => "textures are not drawn",
        "verbose" => "a setting of another simulator",
        "contact" | "contact_coefficients" => "contact settings of another simulator",
        "sensor" => "sensors are not simulated",
        "disable_collisions" | "self_collide" => "a setting of another program",
        _ => "unknown",
    }
}
