//! One recorded quantity: its name, unit and group.

/// Describes one column of a recording. Time is not a column: every row carries it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// Unique name, by convention `owner.quantity`, e.g. `ball.x`.
    pub name: String,
    /// Unit of the values as text, e.g. `m`; empty for pure numbers.
    pub unit: String,
    /// Group that is shown together, e.g. `energy`, `body/ball`, `port/hand`, `step`.
    pub group: String,
}

impl Column {
    /// A column with its name, unit and group.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, group: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), group: group.into() }
    }

    /// The seven columns of a body's pose: position `x y z` \[m\] and unit quaternion
    /// `qx qy qz qw`, in the group `body/NAME`, which viewers show in space.
    pub fn pose(body: &str) -> [Self; 7] {
        ["x", "y", "z", "qx", "qy", "qz", "qw"].map(|part| {
            let unit = if part.len() == 1 { "m" } else { "" };
            Self::new(format!("{body}.{part}"), unit, format!("body/{body}"))
        })
    }

    /// The name without its owner: `x` of `ball.x`.
    pub(crate) fn key(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Name and unit as one heading, `ball.x \[m\]`.
    pub(crate) fn heading(&self) -> String {
        // a name that itself ends in a bracket keeps an empty unit, so that it reads back
        if self.unit.is_empty() && !self.name.ends_with(']') {
            self.name.clone()
        } else {
            format!("{} [{}]", self.name, self.unit)
        }
    }

    /// Splits a heading into name and unit; the group is the name's owner, as far as it has one.
    pub(crate) fn from_heading(heading: &str) -> Self {
        let (name, unit) = heading
            .strip_suffix(']')
            .and_then(|inner| inner.rsplit_once(" ["))
            .unwrap_or((heading, ""));
        let group = name.rsplit_once('.').map_or("", |(owner, _)| owner);
        Self::new(name, unit, group)
    }
}
