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
/// and its own grenades; and what the host has more of than in the word `before` this one, on the same unit.
///
/// What it has more of was picked up: no shot and no throw adds any, so that this is no word of before. Without it who
/// holds the trigger for seconds is given what it picked up only when it lets go, and grenades may differ for longer than
/// two machines may have them otherwise (ours).
#[must_use]
pub fn keep_counts(host: &Inventory, before: Option<&Inventory>, own: &Inventory) -> Inventory {
    let before = before.filter(|before| before.unit == host.unit);
    let find = |of: &Inventory, object| {
        of.weapons.into_iter().flatten().find(move |weapon: &CarriedWeapon| weapon.object == object)
    };
    let counted = |theirs: CarriedWeapon| {
        let Some(mut ours) = find(own, theirs.object) else { return theirs };
        if let Some(before) = before.and_then(|before| find(before, theirs.object)) {
            for (at, total) in ours.total.iter_mut().enumerate() {
                // Of what is not loaded a shot takes none: it hides no pickup of the same while.
                let reserve = |of: &CarriedWeapon| of.total[at].saturating_sub(of.loaded[at]);
                let gained = reserve(&theirs).saturating_sub(reserve(&before));
                let gained = gained.max(theirs.total[at].saturating_sub(before.total[at]));
                *total = total.saturating_add(gained.max(0));
            }
        }
        ours
    };
    let mut grenades = own.grenades;
    for (at, count) in grenades.iter_mut().enumerate() {
        let gained = before.map_or(0, |before| host.grenades[at].saturating_sub(before.grenades[at]));
        *count = count.saturating_add(gained);
    }
    Inventory { grenades, weapons: host.weapons.map(|weapon| weapon.map(counted)), ..*host }
}
