//! Who may touch whom.

/// Bit masks: two colliders meet if each is a member of a group the other one meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups {
    /// Groups this collider belongs to, one bit each.
    pub member: u32,
    /// Groups this collider meets.
    pub meets: u32,
}

impl Groups {
    /// In every group, meets every group.
    pub const ALL: Groups = Groups { member: u32::MAX, meets: u32::MAX };
    /// Meets nothing.
    pub const NONE: Groups = Groups { member: 0, meets: 0 };

    /// True if both sides agree.
    pub fn meet(&self, other: &Groups) -> bool {
        self.member & other.meets != 0 && other.member & self.meets != 0
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self::ALL
    }
}
