//! Players who leave at a tick to come (NET-63). Knows their slots alone.

use mjolnir_wire::{Slot, Tick};

/// Who leaves when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departures(Vec<(Slot, Tick)>);

impl Departures {
    /// That player leaves at that tick.
    pub(crate) fn note(&mut self, slot: Slot, at: Tick) {
        self.0.push((slot, at));
    }

    /// Hands out those whose tick has come, in the order in which they were noted.
    pub(crate) fn due(&mut self, tick: Tick, mut leave: impl FnMut(Slot)) {
        self.0.retain(|(slot, at)| {
            let stays = *at > tick;
            if !stays {
                leave(*slot);
            }
            stays
        });
    }

    /// Forgets them all: the game has ended.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-63: at the tick, not before it, and once.
    #[test]
    fn a_player_leaves_at_its_tick() {
        let (slot, at) = (Slot::new(3).unwrap(), Tick::new(133).unwrap());
        let mut departures = Departures::default();
        departures.note(slot, at);
        let mut left = Vec::new();
        departures.due(at.minus(1), |slot| left.push(slot));
        assert_eq!(left, []);
        departures.due(at, |slot| left.push(slot));
        departures.due(at.next(), |slot| left.push(slot));
        assert_eq!(left, [slot]);
    }
}
