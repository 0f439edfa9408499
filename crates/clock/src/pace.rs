//! When ticks are due: 30 a second of link time, for ever without drift. Knows no tick's number.

use mjolnir_wire::limits::TICKS_PER_SECOND;
use mjolnir_wire::time::{Moment, TICK_MICROS, micros_of_ticks};

/// The most ticks run at once after a stall; the rest of the time is dropped (CLOCK-01, ours).
pub const CATCH_UP_TICKS: u32 = 15;

/// How long after the host's datagrams a client ticks, in microseconds: a quarter of a tick, ours. A client that ticked
/// just as they come would hear half of them a whole tick late, at the least jitter; one that waits a little hears what
/// comes by then, and answers it in time for the host's next tick.
pub const ARRIVAL_MARGIN: u64 = TICK_MICROS / 4;

/// Says how many ticks a machine should run by now.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From when ticks are counted, and how many of them were handed out.
    from: Moment,
    run: u64,
    /// Ticks that were due and are never run, since this was last asked.
    dropped: u64,
}

impl Pace {
    /// The first tick is due a tick after `now`.
    pub const fn new(now: Moment) -> Self {
        Self { from: now, run: 0, dropped: 0 }
    }

    /// As the host's ticks are heard, one of which was heard now: each tick is due [`ARRIVAL_MARGIN`] after one comes.
    pub const fn following(now: Moment) -> Self {
        Self::new(now.plus(ARRIVAL_MARGIN))
    }

    /// How many ticks to run now, at most [`CATCH_UP_TICKS`]; they are taken as run. What is due beyond that is
    /// never run: the next tick is then due a tick after `now`.
    pub fn due(&mut self, now: Moment) -> u32 {
        let all =
            u128::from(now.since(self.from)) * u128::from(TICKS_PER_SECOND) / u128::from(Moment::SECOND);
        let due = (all as u64).saturating_sub(self.run);
        if due > u64::from(CATCH_UP_TICKS) {
            let dropped = self.dropped.saturating_add(due - u64::from(CATCH_UP_TICKS));
            *self = Self { dropped, ..Self::new(now) };
            return CATCH_UP_TICKS;
        }
        self.run += due;
        due as u32
    }

    /// How many ticks were due and are never run, since this was last asked: so much further may be who did not stall.
    pub fn take_dropped(&mut self) -> u32 {
        u32::try_from(core::mem::take(&mut self.dropped)).unwrap_or(u32::MAX)
    }

    /// When the next tick is due, to the microsecond.
    pub const fn next(&self) -> Moment {
        // Rounded up, so that waiting until then is enough.
        let ticks = self.run + 1;
        let exact = (ticks * Moment::SECOND).is_multiple_of(TICKS_PER_SECOND as u64);
        self.from.plus(micros_of_ticks(ticks) + if exact { 0 } else { 1 })
    }
}
