//! How much is sent, and whose turn it is (MAP-34). Knows no frame.
//!
//! A bucket gives so many bytes a second. With a limit whoever was served least recently is next; an end that wants a block and
//! could not be written to in a whole turn of the hub's is passed over until it can.

use mjolnir_wire::Moment;
use mjolnir_wire::swarm::BLOCK_BYTES;

/// The limit that is none.
pub const NO_LIMIT: u64 = u64::MAX;
/// A second's part that the bucket holds besides a block, so that late turns are made up for: a fiftieth.
const BURST_PART: u64 = 50;
/// The bucket counts millionths of a byte: what comes in a microsecond at a byte a second.
const UNIT: u64 = Moment::SECOND;

/// The bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Upload {
    /// Bytes a second; none sends none.
    limit: Option<u64>,
    credit: u64,
    at: Moment,
    /// Counts blocks' turns.
    turn: u64,
}

impl Upload {
    pub(super) fn new(now: Moment, limit: Option<u64>) -> Self {
        Self { limit: limit.filter(|bytes| *bytes > 0), credit: 0, at: now, turn: 0 }
    }

    /// Another limit from now on.
    pub(super) fn set_limit(&mut self, now: Moment, limit: Option<u64>) {
        *self = Self { turn: self.turn, ..Self::new(now, limit) };
    }

    /// Whether anything is sent at all (MAP-36).
    pub(super) const fn sends(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether no limit holds.
    pub(super) fn is_free(&self) -> bool {
        self.limit == Some(NO_LIMIT)
    }

    /// What came until now is there.
    pub(super) fn refill(&mut self, now: Moment) {
        let Some(limit) = self.limit.filter(|_| !self.is_free()) else {
            return;
        };
        let most = u64::from(BLOCK_BYTES).saturating_add(limit / BURST_PART).saturating_mul(UNIT);
        self.credit = now.since(self.at).saturating_mul(limit).saturating_add(self.credit).min(most);
        self.at = self.at.max(now);
    }

    /// Whether a block can be paid for, beside so many bytes that are to be.
    pub(super) fn affords(&self, bytes: u64) -> bool {
        self.is_free()
            || self.sends() && self.credit >= bytes.saturating_add(BLOCK_BYTES.into()).saturating_mul(UNIT)
    }

    /// Blocks were sent; the number of that turn.
    pub(super) fn pay(&mut self, bytes: u64) -> u64 {
        if !self.is_free() {
            self.credit = self.credit.saturating_sub(bytes.saturating_mul(UNIT));
        }
        self.next_turn()
    }

    /// A turn's number: who came by a later one waits for those of earlier ones.
    pub(super) fn next_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }

    /// When a block can be paid for.
    pub(super) fn due(&self) -> Option<Moment> {
        let limit = self.limit?;
        if self.is_free() {
            return None;
        }
        let lacks = (u64::from(BLOCK_BYTES) * UNIT).saturating_sub(self.credit);
        Some(self.at.plus(lacks.div_ceil(limit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MAP-34: 64 KiB a second are four blocks, a quarter of a second apart, and no sooner.
    #[test]
    fn blocks_come_as_they_are_paid_for() {
        let mut upload = Upload::new(Moment::START, Some(65_536));
        assert_eq!(upload.due(), Some(Moment::from_millis(250)));
        for (micros, affords) in [(249_999, false), (250_000, true)] {
            upload.refill(Moment::from_micros(micros));
            assert_eq!(upload.affords(0), affords, "{micros}");
        }
        upload.pay(16_384);
        assert!(!upload.affords(0));
        assert_eq!(upload.due(), Some(Moment::from_millis(500)));
    }

    /// MAP-34: however long nobody asked, what is sent at once is a block and a fiftieth of a second.
    #[test]
    fn silence_is_not_saved_up() {
        let mut upload = Upload::new(Moment::START, Some(100 * 16_384));
        upload.refill(Moment::from_millis(3_600_000));
        let mut blocks = 0;
        while upload.affords(0) {
            upload.pay(16_384);
            blocks += 1;
        }
        assert_eq!(blocks, 3);
    }

    /// MAP-36: nothing is nothing, and no limit is never waited for.
    #[test]
    fn none_sends_none_and_no_limit_always() {
        for limit in [None, Some(0)] {
            let mut upload = Upload::new(Moment::START, limit);
            upload.refill(Moment::from_millis(1000));
            assert!(!upload.sends() && !upload.affords(0) && upload.due().is_none());
        }
        let upload = Upload::new(Moment::START, Some(NO_LIMIT));
        assert!(upload.sends() && upload.affords(u64::MAX / 2) && upload.due().is_none());
    }
}
