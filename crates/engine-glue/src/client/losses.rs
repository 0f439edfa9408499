//! Whether datagrams were lost lately: what is lost one way is lost the other, and an input that was comes again some ticks
//! later than a round trip is measured. Knows no message.

use mjolnir_prediction::LATE_BUTTON_QUEUE;
use mjolnir_wire::Tick;

/// Ticks after a loss for which another is looked for (ours): where two in a hundred are, one of so many is.
const LOSSY_FOR: i32 = 600;

/// See the file's text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Losses {
    newest: Option<Tick>,
    /// The own tick in which one was found missing.
    lost: Option<Tick>,
}

impl Losses {
    /// A datagram of that host's tick came, in that own tick: the host sends one each tick.
    pub(super) fn hear(&mut self, tick: Tick, stamp: Tick) {
        if self.newest.is_some_and(|newest| stamp.since(newest) > 1) {
            self.lost = Some(tick);
        }
        self.newest = self.newest.max(Some(stamp));
    }

    /// Ticks by which an input may come later than a round trip: those that the next ones repeat, while any are lost.
    pub(super) fn late(&self, tick: Tick) -> u32 {
        let is_lossy = self.lost.is_some_and(|lost| tick.since(lost) <= LOSSY_FOR);
        if is_lossy { LATE_BUTTON_QUEUE as u32 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: i32) -> Tick {
        Tick::new(tick).unwrap()
    }

    /// Datagrams of each tick, twice or overtaken too, are none lost; one that is missing counts for twenty seconds.
    #[test]
    fn a_missing_datagram_is_remembered() {
        let mut losses = Losses::default();
        for (own, stamp) in [(100, 50), (101, 51), (102, 52), (103, 52), (104, 51), (105, 53)] {
            losses.hear(at(own), at(stamp));
            assert_eq!(losses.late(at(own)), 0, "{stamp}");
        }
        losses.hear(at(106), at(55));
        for (own, late) in [(106, 3), (106 + LOSSY_FOR, 3), (107 + LOSSY_FOR, 0)] {
            assert_eq!(losses.late(at(own)), late, "{own}");
        }
    }
}
