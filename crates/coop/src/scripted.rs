//! What scripts change of a level's objects and of the screen, for as long as the level runs (COOP-66). Knows no object and no
//! screen.

use alloc::vec::Vec;

use mjolnir_wire::scripted::{Look, ScreenEffect, Transform};

pub(crate) mod client;
pub(crate) mod host;

/// On the host, what its scripts have changed since the level began, as it is now; on a client, what the engine is to apply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scripted {
    /// Where objects stand, by rising name; one for each.
    pub transforms: Vec<Transform>,
    /// How objects look, by rising name; one for each.
    pub looks: Vec<Look>,
    /// The screen's effect; none where no script ever had it, or nothing is to be applied.
    pub effect: Option<ScreenEffect>,
}

impl Scripted {
    /// Nothing is there, and the room is kept.
    pub fn clear(&mut self) {
        self.transforms.clear();
        self.looks.clear();
        self.effect = None;
    }
}
