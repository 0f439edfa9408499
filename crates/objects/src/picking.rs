//! The flinches and deaths that the host's game picked for units, told so that every machine shows the same ones (OBJ-38).
//! Knows no animation but its index.

use alloc::vec::Vec;

use mjolnir_wire::damage::DamageAnimation;
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{Kind, MachineSet, ObjectId, Outbox};

use crate::by_index::ByIndex;
use crate::rows::PickRow;

/// Successive ticks in which a pick is told (OBJ-38).
pub const PICK_REPEAT_TICKS: u8 = 3;

/// The last index that travels.
const LAST_INDEX: u16 = i16::MAX as u16;

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Picking {
    /// The last pick's number, of the unit at that index.
    numbers: ByIndex<(ObjectId, u8)>,
    /// What is told now, in order, and in how many ticks still.
    told: Vec<(DamageAnimation, u8)>,
}

impl Picking {
    pub(crate) fn new() -> Self {
        Self { numbers: ByIndex::new(), told: Vec::new() }
    }

    pub(crate) fn tell(&mut self, to: MachineSet, picks: &[PickRow], outbox: &mut Outbox) {
        for pick in picks {
            let PickRow { unit, animation, kind } = *pick;
            // What cannot be told of, or by no index that travels, each machine picks for itself.
            if unit.index() < FIRST_OWN_OBJECT && animation <= LAST_INDEX {
                let number = self.number(unit);
                self.told.push((DamageAnimation { unit, animation, kind, number }, PICK_REPEAT_TICKS));
            }
        }
        let to = to.without(MachineSet::HOST);
        for (pick, left) in &mut self.told {
            *left -= 1;
            if !to.is_empty() {
                // A pick always fits; the outbox counts what does not.
                let _ = outbox.entry(to, Kind::DamageAnimations, |bytes| pick.write(bytes));
            }
        }
        self.told.retain(|(_, left)| *left > 0);
    }

    /// The unit's next number.
    fn number(&mut self, unit: ObjectId) -> u8 {
        let last = self.numbers.get_mut(unit.index()).filter(|(of, _)| *of == unit);
        let number = last.map_or(0, |(_, last)| *last).wrapping_add(1);
        self.numbers.put(unit.index(), (unit, number));
        number
    }
}
