//! The newest word on what each unit carries, until the unit and all the weapons are there (OBJ-52). Knows no slot.

use mjolnir_wire::ObjectId;
use mjolnir_wire::objects::{CarriedWeapon, Inventory};

use crate::by_index::ByIndex;

/// Ticks for which an inventory waits for its objects, at most: 10 s. The host says it anew each second; what it
/// waits for so long is another object's by then (ours).
pub const INVENTORY_WAITS: u32 = 300;

/// What becomes of an inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Something of it is not there yet.
    Waits,
    /// It is carried out, or refused.
    Done,
}

/// See the file's text. At most one for each index.
#[derive(Debug)]
pub(crate) struct Waiting(ByIndex<(Inventory, u32)>);

impl Waiting {
    pub(crate) fn new() -> Self {
        Self(ByIndex::new())
    }

    pub(crate) fn put(&mut self, inventory: &Inventory) {
        self.0.put(inventory.unit.index(), (*inventory, INVENTORY_WAITS));
    }

    /// That unit is no more, and with it what it carried.
    pub(crate) fn forget(&mut self, unit: ObjectId) {
        if self.0.get_mut(unit.index()).is_some_and(|(inventory, _)| inventory.unit == unit) {
            self.0.remove(unit.index());
        }
    }

    /// A tick: hands each to `take`, and keeps those that wait.
    pub(crate) fn settle(&mut self, mut take: impl FnMut(&Inventory) -> Fate) {
        self.0.retain(|(inventory, ticks)| {
            *ticks -= 1;
            take(inventory) == Fate::Waits && *ticks > 0
        });
    }
}

/// The weapons of an inventory.
pub(crate) fn weapons(inventory: &Inventory) -> impl Iterator<Item = ObjectId> {
    inventory.weapons.into_iter().flatten().map(|CarriedWeapon { object, .. }| object)
}
