//! What units carry: when it is told, and to whom (OBJ-13, 16, 17). Knows weapons by name alone.

use mjolnir_wire::limits::{FIRST_OWN_OBJECT, MAX_PLAYERS};
use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::{Kind, MachineSet, Outbox, Tick};

use crate::by_index::ByIndex;
use crate::rows::{CarryRow, Viewpoint};

/// Ticks between two looks at what units carry (OBJ-13).
pub const LOOK_INTERVAL: u32 = 3;
/// Looks between two that tell everybody, changed or not: a second (OBJ-13). Units' turns differ.
pub const LOOKS_A_TURN: u32 = 10;
/// Looks after a change of weapons or grenades at which it is told once more, so that a lost datagram costs a tenth of
/// a second and not a whole one (ours).
pub const CHANGE_REPEATS: u8 = 2;

/// Whether what units carry is looked at in that tick.
pub const fn looks(tick: Tick) -> bool {
    (tick.get() as u32).is_multiple_of(LOOK_INTERVAL)
}

/// What was last seen of a unit's.
#[derive(Clone, Copy, Debug)]
struct Seen {
    inventory: Inventory,
    repeats: u8,
    /// The machines that were not yet told of its rounds.
    owed: MachineSet,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Carrying {
    seen: ByIndex<Seen>,
    /// Machines that were listed everything since the last look: they are told of every unit.
    fresh: MachineSet,
}

impl Carrying {
    pub(crate) fn new() -> Self {
        Self { seen: ByIndex::new(), fresh: MachineSet::NONE }
    }

    /// Those machines have just been told of objects that they had not.
    pub(crate) const fn listed(&mut self, machines: MachineSet) {
        self.fresh = self.fresh.union(machines);
    }

    /// A look: tells those of the machines `ready` that are to know.
    pub(crate) fn look(
        &mut self,
        tick: Tick,
        rows: &[CarryRow],
        views: &[Viewpoint],
        ready: MachineSet,
        outbox: &mut Outbox,
    ) {
        let mut audiences = [MachineSet::NONE; MAX_PLAYERS];
        for view in views {
            audiences[view.slot.index()] = view.told.union(MachineSet::only(view.machine));
        }
        let number = tick.get() as u32 / LOOK_INTERVAL;
        let fresh = core::mem::take(&mut self.fresh);
        for row in rows {
            let index = row.inventory.unit.index();
            if index >= FIRST_OWN_OBJECT {
                continue;
            }
            let audience = row.slot.map_or(MachineSet::NONE, |slot| audiences[slot.index()]);
            let is_turn = (number as usize + index).is_multiple_of(LOOKS_A_TURN as usize);
            let to = self.owed(&row.inventory, audience, ready);
            let to = if is_turn { ready } else { to.union(fresh) }.intersection(ready);
            if let Some(seen) = self.seen.get_mut(index) {
                seen.owed = seen.owed.intersection(ready).without(to);
            }
            if !to.is_empty() {
                // An inventory always fits; the outbox counts what does not.
                let _ = outbox.entry(to, Kind::Inventories, |bytes| row.inventory.write(bytes));
            }
        }
    }

    /// Between two looks: who was not yet told of a unit's rounds, and is sent its player in this tick, is told now. Their
    /// turns need not fall on looks.
    pub(crate) fn between(&mut self, views: &[Viewpoint], ready: MachineSet, outbox: &mut Outbox) {
        for view in views {
            let seen = self.seen.get_mut(view.unit.index());
            let Some(seen) = seen.filter(|seen| seen.inventory.unit == view.unit) else { continue };
            let to = seen.owed.intersection(view.told).intersection(ready);
            if !to.is_empty() {
                seen.owed = seen.owed.without(to);
                // An inventory always fits; the outbox counts what does not.
                let _ = outbox.entry(to, Kind::Inventories, |bytes| seen.inventory.write(bytes));
            }
        }
    }

    /// Who is told of it by what changed.
    fn owed(&mut self, inventory: &Inventory, audience: MachineSet, ready: MachineSet) -> MachineSet {
        let index = inventory.unit.index();
        let Some(seen) = self.seen.get_mut(index).filter(|seen| alike(&seen.inventory, inventory)) else {
            let (inventory, repeats) = (*inventory, CHANGE_REPEATS);
            self.seen.put(index, Seen { inventory, repeats, owed: MachineSet::NONE });
            return ready;
        };
        if seen.inventory != *inventory {
            seen.inventory = *inventory;
            seen.owed = ready;
        }
        if seen.repeats > 0 {
            seen.repeats -= 1;
            return ready;
        }
        seen.owed.intersection(audience)
    }
}

/// Whether two inventories differ in nothing but rounds and ages.
fn alike(one: &Inventory, other: &Inventory) -> bool {
    let names = |of: &Inventory| of.weapons.map(|weapon| weapon.map(|CarriedWeapon { object, .. }| object));
    one.unit == other.unit
        && one.grenades == other.grenades
        && one.in_hand == other.in_hand
        && names(one) == names(other)
}
