//! What is on its way to one machine by its stream: how much, since when nothing of it left, and whether the machine
//! is behind (NET-62). Knows the number of bytes, not the bytes.

use mjolnir_wire::Moment;

use crate::limits::{BEHIND_BYTES, CAUGHT_UP_BYTES, STALL_LIMIT, STREAM_BYTES};

/// From one look to the next, from which on this machine stood: a quarter of the time that a stall takes.
const STOOD: u64 = STALL_LIMIT / 4;

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ring {
    /// Bytes handed to the network that have not left.
    unsent: usize,
    /// Since when none of them left.
    stalled: Option<Moment>,
    /// When it was last looked at.
    looked: Option<Moment>,
    /// Set past one bound and cleared under a lower one, so that a machine at a bound does not change its standing
    /// each tick.
    is_behind: bool,
}

impl Ring {
    /// So many bytes were handed to the network.
    pub(super) const fn add(&mut self, bytes: usize) {
        self.unsent += bytes;
        if self.unsent > BEHIND_BYTES {
            self.is_behind = true;
        }
    }

    /// The same, with the time: the first of them may stall from now on.
    pub(super) const fn add_at(&mut self, now: Moment, bytes: usize) {
        if bytes > 0 && self.unsent == 0 {
            self.stalled = Some(now);
        }
        self.add(bytes);
    }

    /// So many of them left.
    pub(super) fn leave(&mut self, now: Moment, bytes: usize) {
        self.unsent = self.unsent.saturating_sub(bytes);
        self.stalled = (self.unsent > 0).then_some(now);
        if self.unsent <= CAUGHT_UP_BYTES {
            self.is_behind = false;
        }
    }

    /// How many are on their way.
    pub(super) const fn unsent(&self) -> usize {
        self.unsent
    }

    /// Whether what may be told later should be.
    pub(super) const fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Whether the machine reads nothing for too long, or far too little. Asked at each poll. Where the host itself
    /// stood, what left meanwhile has not been told of yet, so the time counts anew.
    pub(super) fn is_stalled(&mut self, now: Moment) -> bool {
        let stood = self.looked.replace(now).is_some_and(|looked| now.since(looked) >= STOOD);
        if self.unsent == 0 {
            return false;
        }
        if stood {
            self.stalled = Some(now);
        }
        let since = *self.stalled.get_or_insert(now);
        self.unsent > STREAM_BYTES || now.since(since) >= STALL_LIMIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-62: behind past the upper bound, and until the lower one, both sides of each.
    #[test]
    fn a_machine_is_behind_between_two_bounds() {
        let mut ring = Ring::default();
        ring.add_at(Moment::START, BEHIND_BYTES);
        assert!(!ring.is_behind());
        ring.add_at(Moment::START, 1);
        assert!(ring.is_behind());
        ring.leave(Moment::START, BEHIND_BYTES - CAUGHT_UP_BYTES);
        assert!(ring.is_behind() && ring.unsent() == CAUGHT_UP_BYTES + 1);
        ring.leave(Moment::START, 1);
        assert!(!ring.is_behind());
        ring.add_at(Moment::START, BEHIND_BYTES - CAUGHT_UP_BYTES);
        assert!(!ring.is_behind(), "it takes the upper bound again");
    }

    /// NET-62: stalled after two seconds in which nothing left, and past the ring's bytes at once.
    #[test]
    fn a_ring_stalls_by_time_and_by_bytes() {
        let mut ring = Ring::default();
        assert!(!ring.is_stalled(Moment::START.plus(3600 * Moment::SECOND)), "nothing is on its way");
        let mut ring = Ring::default();
        let start = Moment::START.plus(Moment::SECOND);
        ring.add_at(start, 2);
        assert!(!looked_at(&mut ring, start, STALL_LIMIT - 1));
        ring.leave(start.plus(STALL_LIMIT - 1), 1);
        assert!(!looked_at(&mut ring, start.plus(STALL_LIMIT - 1), STALL_LIMIT - 1));
        assert!(ring.is_stalled(start.plus(2 * STALL_LIMIT - 1)));
        let mut ring = Ring::default();
        ring.add_at(start, STREAM_BYTES);
        assert!(!ring.is_stalled(start));
        ring.add_at(start, 1);
        assert!(ring.is_stalled(start));
    }

    /// Looks at it each tick from `start` on, for so long: whether it is stalled at the end.
    fn looked_at(ring: &mut Ring, start: Moment, micros: u64) -> bool {
        for at in (0..micros).step_by(33_333) {
            assert!(!ring.is_stalled(start.plus(at)), "{at}");
        }
        ring.is_stalled(start.plus(micros))
    }

    /// NET-62: a host that stood for half a second has not been told of what left meanwhile, and gives the machine its
    /// two seconds anew; one that stood for less does not.
    #[test]
    fn a_host_that_stood_blames_no_one() {
        for (stood, is_stalled) in [(STOOD - 1, true), (STOOD, false), (60 * Moment::SECOND, false)] {
            let mut ring = Ring::default();
            ring.add_at(Moment::START, 1);
            let before = STALL_LIMIT - STOOD + 1;
            assert!(!looked_at(&mut ring, Moment::START, before));
            let end = Moment::START.plus(before + stood);
            assert_eq!(ring.is_stalled(end), is_stalled, "{stood}");
            if !is_stalled {
                assert!(!looked_at(&mut ring, end, STALL_LIMIT - 1));
                assert!(ring.is_stalled(end.plus(STALL_LIMIT)));
            }
        }
    }
}
