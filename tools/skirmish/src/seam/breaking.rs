//! Glass at the seam: which panes broke on the host, and its word on them. A map is one structure of surfaces, the first.
//! Knows no message.

use mjolnir_wire::Vec3;

use super::Game;
use crate::game::Breakable;

impl Game {
    /// On the host: appends the panes that broke since this was last asked, by their places among the map's, and where each
    /// was hit.
    pub fn take_broken_panes(&mut self, panes: &mut Vec<(u16, Vec3)>) {
        if let Some(world) = &mut self.world {
            world.take_broken_panes(panes);
        }
    }

    /// Whether a pane is broken; none of a number that the map has none of.
    pub fn is_pane_broken(&self, pane: u16) -> Option<bool> {
        self.world.as_ref()?.is_pane_broken(pane)
    }

    /// On a client: the host says that a pane broke, hit there. One that is broken stays so.
    pub fn break_pane(&mut self, pane: u16, at: Vec3) {
        if let Some(world) = &mut self.world {
            world.break_pane(pane, at);
        }
    }
}

/// What broke and where, in words.
pub(super) fn text(what: Breakable, at: Vec3) -> String {
    let [x, y, z] = at.to_array();
    let name = match what {
        Breakable::Pane(pane) => format!("pane {pane}"),
        Breakable::Crate(id) => format!("crate #{}", id.index()),
    };
    format!("{name} broke at {x:.3} {y:.3} {z:.3}")
}
