//! Players who leave at a tick to come (NET-63). Knows their slots alone.

use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Slot, Tick};

/// Who leaves when.
#[derive(Clone, Debug)]
pub(crate) struct Departures([Option<Tick>; MAX_PLAYERS]);

impl Default for Departures {
    fn default() -> Self {
        Self([None; MAX_PLAYERS])
    }
}

impl Departures {
    /// That player leaves at that tick; of one who leaves already nothing changes.
    pub(crate) fn note(&mut self, slot: Slot, at: Tick) {
        self.0[slot.index()].get_or_insert(at);
    }

    /// The next who leaves at that tick or left before it, by rising slot; each once.
    pub(crate) fn next_due(&mut self, tick: Tick) -> Option<Slot> {
        let due = Slot::all().find(|slot| self.0[slot.index()].is_some_and(|at| at <= tick))?;
        self.0[due.index()] = None;
        Some(due)
    }

    /// Whether that player was to leave; it does so now.
    pub(crate) fn take(&mut self, slot: Slot) -> bool {
        self.0[slot.index()].take().is_some()
    }

    /// Forgets them all: the game has ended.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-63: at the tick, not before it, and once.
    #[test]
    fn a_player_leaves_at_its_tick() {
        let [a, b] = [3, 2].map(|index| Slot::new(index).unwrap());
        let at = Tick::new(133).unwrap();
        let mut departures = Departures::default();
        departures.note(a, at);
        departures.note(b, at);
        departures.note(a, at.plus(5));
        assert_eq!(departures.next_due(at.minus(1)), None);
        assert_eq!([(); 3].map(|()| departures.next_due(at)), [Some(b), Some(a), None]);
        assert_eq!(departures.next_due(at.plus(9)), None);
        departures.note(a, at);
        assert_eq!([departures.take(a), departures.take(a)], [true, false]);
        departures.note(a, at);
        departures.clear();
        assert_eq!(departures.next_due(at), None);
    }
}
