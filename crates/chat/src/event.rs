//! What a machine shows. Knows no screen.

use mjolnir_wire::Slot;
use mjolnir_wire::chat::{Line, Text};

/// What this machine shows, in the order in which it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A player's line.
    Line {
        /// What was said, by whom, to whom.
        line: Line,
        /// This machine's players who hear it, in whose views it is shown (CHAT-18).
        hearers: Hearers,
    },
    /// The host's word, or this machine's own: shown in every view, without a name (CHAT-23).
    Notice(Text),
}

/// Players, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hearers(u128);

impl Hearers {
    /// Whether that player is among them.
    pub const fn contains(self, slot: Slot) -> bool {
        self.0 >> slot.get() & 1 != 0
    }

    /// Nobody.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its players in order.
    pub fn iter(self) -> impl Iterator<Item = Slot> {
        Slot::all().filter(move |slot| self.contains(*slot))
    }
}

impl FromIterator<Slot> for Hearers {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        Self(slots.into_iter().fold(0, |bits, slot| bits | 1 << slot.get()))
    }
}
