//! Stand-ins together, as fast as a host's clock goes. Knows no message.

use super::run::{GIVES_UP, Hosted};
use super::wire::Wired;

/// Stand-ins, and the clock of the host that they follow.
pub(crate) struct Crowd {
    pub(crate) all: Vec<Wired>,
    /// Ticks of the host's clock that have passed for them.
    ticks: u64,
    buffer: Vec<u8>,
}

impl Crowd {
    pub(crate) fn new() -> Self {
        Self { all: Vec::new(), ticks: 0, buffer: vec![0; 1 << 16] }
    }

    /// Lets them play until all holds.
    pub(crate) fn until(&mut self, host: &Hosted, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        let mut began = None;
        while !holds(self) {
            let now = host.ask(|now, _| now);
            let began = *began.get_or_insert(now);
            assert!(now.since(began) < GIVES_UP, "{what}: not within the host's time");
            let ticks = now.as_micros() * 30 / 1_000_000;
            // Of the time before the first of them there is nothing to catch up.
            let passed = if self.ticks == 0 { 0 } else { ticks - self.ticks };
            self.ticks = ticks;
            for wired in &mut self.all {
                wired.pump(passed, &mut self.buffer);
            }
        }
    }

    /// Lets them play until the host's game has come to that tick.
    pub(crate) fn until_tick(&mut self, host: &Hosted, tick: i32) {
        self.until(host, "a tick of the game", |_| host.tick() >= tick);
    }
}
