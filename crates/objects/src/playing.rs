//! Which of the host's picks of flinches and deaths a client's units play: each once, by its number (OBJ-38). Knows no
//! animation but its index.

use alloc::vec::Vec;

use mjolnir_wire::damage::DamageAnimation;
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{ObjectId, Tick};

use crate::by_index::ByIndex;
use crate::error::Error;

/// Picks heard before a tick at most (ours). More are refused.
pub const MOST_PICKS: usize = 1024;
/// Ticks after which a number means nothing any more (ours): its repeats have long come, and a number that comes then is
/// another pick's, so many later that it has come round.
pub const NUMBER_HOLDS: u32 = 30;
/// How many numbers before the newest are remembered.
const NUMBERS: u8 = 32;

/// The numbers that were had of a unit's.
#[derive(Clone, Copy, Debug)]
struct Had {
    unit: ObjectId,
    newest: u8,
    /// Bit n: the one n before it was had.
    before: u32,
    /// When the newest was heard first.
    at: Tick,
}

impl Had {
    const fn first(unit: ObjectId, number: u8, at: Tick) -> Self {
        Self { unit, newest: number, before: 1, at }
    }

    /// Notes that number; whether it was not had.
    fn take(&mut self, number: u8, at: Tick) -> bool {
        let ahead = number.wrapping_sub(self.newest) as i8;
        let is_held = at.since(self.at).unsigned_abs() <= NUMBER_HOLDS;
        if !is_held || ahead <= -(NUMBERS as i8) {
            // Of an honest host it is another round's, or the newest was a damaged one.
            *self = Self::first(self.unit, number, at);
            return true;
        }
        if ahead > 0 {
            self.before = self.before.checked_shl(u32::from(ahead.unsigned_abs())).unwrap_or(0) | 1;
            (self.newest, self.at) = (number, at);
            return true;
        }
        let bit = 1 << ahead.unsigned_abs();
        let is_new = self.before & bit == 0;
        self.before |= bit;
        is_new
    }
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Playing {
    newest: Newest,
    heard: Vec<(Tick, DamageAnimation)>,
    had: ByIndex<Had>,
}

impl Playing {
    pub(crate) fn new() -> Self {
        Self { newest: Newest::default(), heard: Vec::new(), had: ByIndex::new() }
    }

    pub(crate) fn hear(&mut self, stamp: Tick, pick: &DamageAnimation) -> Result<(), Error> {
        if pick.unit.index() >= FIRST_OWN_OBJECT {
            return Err(Error::NotTheHosts);
        }
        if self.heard.len() == MOST_PICKS {
            return Err(Error::TooManyPicks);
        }
        if !self.newest.take(stamp) {
            return Err(Error::Old);
        }
        self.heard.push((stamp, *pick));
        Ok(())
    }

    /// Hands what was heard and not had to `play`, in its order. `can` says whether there is such a unit, with such an animation;
    /// what cannot be played now is not had, and may be when it comes again.
    pub(crate) fn take(
        &mut self,
        mut can: impl FnMut(&DamageAnimation) -> bool,
        mut play: impl FnMut(DamageAnimation),
    ) {
        for (stamp, pick) in self.heard.drain(..) {
            if !can(&pick) {
                continue;
            }
            let index = pick.unit.index();
            let is_new = match self.had.get_mut(index).filter(|had| had.unit == pick.unit) {
                Some(had) => had.take(pick.number, stamp),
                None => {
                    self.had.put(index, Had::first(pick.unit, pick.number, stamp));
                    true
                }
            };
            if is_new {
                play(pick);
            }
        }
    }
}
