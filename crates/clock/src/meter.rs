//! When the last ticks were sent, so that a word that names one tells how long ago that was. Knows nobody who
//! names them.

use mjolnir_wire::{Moment, Tick};

/// Ticks whose send times are kept (CLOCK-12).
pub const METER_TICKS: usize = 64;

/// The send times of the last [`METER_TICKS`] ticks.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    newest: Option<Tick>,
    /// Each tick at the place of its number's remainder.
    sent: [Option<(Tick, Moment)>; METER_TICKS],
}

impl Default for Meter {
    fn default() -> Self {
        Self::new()
    }
}

impl Meter {
    /// Nothing sent yet.
    pub const fn new() -> Self {
        Self { newest: None, sent: [None; METER_TICKS] }
    }

    const fn place(tick: Tick) -> usize {
        tick.get() as usize % METER_TICKS
    }

    /// Notes that what bears this tick's stamp leaves now. Ticks ascend.
    pub fn sent(&mut self, tick: Tick, now: Moment) {
        self.newest = Some(tick);
        self.sent[Self::place(tick)] = Some((tick, now));
    }

    /// How many microseconds ago that tick was sent; none when it is no longer kept or was never sent.
    pub fn sample(&self, now: Moment, tick: Tick) -> Option<u64> {
        let kept = self.newest?.since(tick) < METER_TICKS as i32;
        match self.sent[Self::place(tick)] {
            Some((sent, at)) if sent == tick && kept => Some(now.since(at)),
            _ => None,
        }
    }
}
