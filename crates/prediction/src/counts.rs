//! Whose counts of rounds and grenades an own player shows: its machine's for a round trip after it last fired, reloaded
//! or threw, since what the host said until then it said before it knew (PRED-28); else the host's. Knows no weapon.

use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::{ObjectId, Tick};

/// The unit that an own player has, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Life {
    pub(crate) unit: ObjectId,
    pub(crate) since: Tick,
}

impl Life {
    /// Whether its own counts hold in that tick, the player having acted in the tick `acted`. What an earlier unit did
    /// says nothing of this one.
    pub(crate) fn own_counts_hold(&self, tick: Tick, round_trip: u32, acted: Tick) -> bool {
        acted >= self.since && i64::from(tick.since(acted)) < i64::from(round_trip)
    }
}

/// What an own player carries while its own counts hold: the host's weapons, with its own counts of each that it has too,
/// and its own grenades.
#[must_use]
pub fn keep_counts(host: &Inventory, own: &Inventory) -> Inventory {
    let counted = |theirs: CarriedWeapon| {
        own.weapons.into_iter().flatten().find(|ours| ours.object == theirs.object).unwrap_or(theirs)
    };
    Inventory { grenades: own.grenades, weapons: host.weapons.map(|weapon| weapon.map(counted)), ..*host }
}
