//! What is on its way to one machine by its stream: how much, since when nothing of it left, and whether the machine
//! is behind (NET-62). Knows the number of bytes, not the bytes.

use mjolnir_wire::Moment;

use crate::limits::{BEHIND_BYTES, CAUGHT_UP_BYTES, STALL_LIMIT, STREAM_BYTES};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ring {
    /// Bytes handed to the network that have not left.
    unsent: usize,
    /// Since when none of them left.
    stalled: Option<Moment>,
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

    /// Whether the machine reads nothing for too long, or far too little.
    pub(super) fn is_stalled(&mut self, now: Moment) -> bool {
        if self.unsent == 0 {
            return false;
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
        let start = Moment::START.plus(Moment::SECOND);
        ring.add_at(start, 2);
        assert!(!ring.is_stalled(start.plus(STALL_LIMIT - 1)));
        ring.leave(start.plus(STALL_LIMIT - 1), 1);
        assert!(!ring.is_stalled(start.plus(2 * STALL_LIMIT - 2)));
        assert!(ring.is_stalled(start.plus(2 * STALL_LIMIT - 1)));
        let mut ring = Ring::default();
        ring.add_at(start, STREAM_BYTES);
        assert!(!ring.is_stalled(start));
        ring.add_at(start, 1);
        assert!(ring.is_stalled(start));
    }
}
