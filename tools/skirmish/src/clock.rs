//! The process's clock, and clocks that go faster or slower than it. Knows no tick: what is due when is for who asks.

use std::thread;
use std::time::{Duration, Instant};

use mjolnir_wire::Moment;

/// The longest time between two frames: in the lobby and while loading the netcode asks for no less.
const FRAME: Duration = Duration::from_millis(5);

/// Moments since the program began.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: Instant,
    rate: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self::rated(1.0)
    }
}

impl Clock {
    /// One that goes so many times as fast as time, from now on: 1 is an honest one.
    pub fn rated(rate: f64) -> Self {
        Self { began: Instant::now(), rate }
    }

    /// Now.
    pub fn now(&self) -> Moment {
        passed(self.began.elapsed(), self.rate)
    }

    /// Waits for the next tick, if one is to come, or for a frame's time. What comes before it is heard then: nothing
    /// is gained by waking for it.
    pub fn pause(&self, next_tick: Option<Moment>) {
        thread::park_timeout(next_tick.map_or(FRAME, |at| wait(self.now(), at, self.rate)));
    }
}

/// What a clock of that rate shows after that time.
fn passed(time: Duration, rate: f64) -> Moment {
    Moment::from_micros((time.as_micros() as f64 * rate) as u64)
}

/// How long it takes until such a clock shows that, a frame's time at most.
fn wait(now: Moment, until: Moment, rate: f64) -> Duration {
    Duration::from_micros((until.since(now) as f64 / rate).ceil() as u64).min(FRAME)
}

/// A time that goes so many times as fast as another, and may go otherwise from any moment on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warp {
    /// That moment of the other time is this one here.
    from: (Moment, Moment),
    rate: f64,
}

impl Default for Warp {
    /// The other time itself.
    fn default() -> Self {
        Self { from: (Moment::START, Moment::START), rate: 1.0 }
    }
}

impl Warp {
    /// Goes so many times as fast from that moment of the other time on.
    pub fn set(&mut self, now: Moment, rate: f64) {
        *self = Self { from: (now, self.here(now)), rate };
    }

    /// What it is here at a moment of the other time.
    pub fn here(&self, there: Moment) -> Moment {
        let (from, here) = self.from;
        here.plus((there.since(from) as f64 * self.rate) as u64)
    }

    /// When it is so late here by the other time: who waits until then has waited long enough.
    pub fn there(&self, here: Moment) -> Moment {
        let (from, since) = self.from;
        from.plus((here.since(since) as f64 / self.rate).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock of a rate shows so much more, to the microsecond; who waits by it waits so much less, and a frame at most.
    #[test]
    fn a_clock_goes_at_its_rate() {
        let hour = Duration::from_secs(3600);
        for (rate, shows) in [(0.5, 1_800_000_000), (1.0, 3_600_000_000), (1.2, 4_320_000_000)] {
            assert_eq!(passed(hour, rate).as_micros(), shows);
        }
        let at = |micros| Moment::from_micros(micros);
        for (rate, micros) in [(0.5, 2_000), (1.0, 1_000), (2.0, 500), (3.0, 334)] {
            assert_eq!(wait(at(7), at(1_007), rate), Duration::from_micros(micros));
        }
        assert_eq!(wait(at(0), at(5_001), 1.0), FRAME);
        assert_eq!(wait(at(0), at(5_001), 2.0), Duration::from_micros(2_501));
        assert_eq!(wait(at(9), at(3), 1.0), Duration::ZERO);
    }

    /// A time that is warped goes on from where it was; what is waited for has come by then, and not a moment sooner than it
    /// must.
    #[test]
    fn a_warp_goes_on_from_where_it_was() {
        let at = |micros| Moment::from_micros(micros);
        let mut warp = Warp::default();
        assert_eq!((warp.here(at(77)), warp.there(at(77))), (at(77), at(77)));
        warp.set(at(1_000), 10.0);
        assert_eq!((warp.here(at(1_000)), warp.here(at(1_010))), (at(1_000), at(1_100)));
        warp.set(at(1_010), 0.1);
        assert_eq!((warp.here(at(1_010)), warp.here(at(1_110))), (at(1_100), at(1_110)));
        for (rate, here) in [(0.1, 1_117), (3.0, 1_117), (7.0, 1_999)] {
            warp.set(at(1_010), rate);
            let there = warp.there(at(here));
            assert!(warp.here(there) >= at(here), "{rate}");
            assert!(warp.here(at(there.as_micros() - 1)) < at(here), "{rate}");
        }
    }
}
