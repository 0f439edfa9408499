//! Who hears a line (CHAT-09 to 13). Knows no machine's screen.

use mjolnir_wire::chat::{Channel, Line};
use mjolnir_wire::{ObjectId, Slot};

use crate::world::World;

/// Whom a line is for, as this machine has teams and vehicles now.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audience {
    Everyone,
    Team(u8),
    Riders(ObjectId),
    /// The speaker alone, who is in no vehicle (CHAT-12).
    Nobody,
}

impl Audience {
    pub(crate) fn of(line: &Line, world: &impl World) -> Self {
        match line.channel {
            Channel::All => Self::Everyone,
            // In a game without teams all are of one.
            Channel::Team => world.team_of(line.slot).map_or(Self::Everyone, Self::Team),
            Channel::Vehicle => world.vehicle_root(line.slot).map_or(Self::Nobody, Self::Riders),
        }
    }

    pub(crate) fn has(self, slot: Slot, world: &impl World) -> bool {
        match self {
            Self::Everyone => true,
            Self::Team(team) => world.team_of(slot) == Some(team),
            Self::Riders(root) => world.vehicle_root(slot) == Some(root),
            Self::Nobody => false,
        }
    }
}
