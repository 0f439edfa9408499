//! The machine's clocks, as far as files need them. Knows no tick and no moment of a game.

use core::time::Duration;
use std::time::{Instant, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::std;
use crate::record::LocalTime;

/// What the keeper asks of clocks; a test has its own.
pub trait Clock: Send + 'static {
    /// The time in the machine's own zone.
    fn local(&mut self) -> LocalTime;
    /// The time by which a disk says when a file was changed. It may be set, and jump.
    fn wall(&mut self) -> SystemTime;
    /// The time since some beginning. It never goes back.
    fn since(&mut self) -> Duration;
    /// Lets that time pass.
    fn wait(&mut self, time: Duration);
}

/// The machine's.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// From now on.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    /// The zone is looked up each time, since a laptop travels. An unknown one is UTC.
    fn local(&mut self) -> LocalTime {
        // A clock that is set beyond the year 9999 is as good as none.
        let now = Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::UNIX_EPOCH);
        let now = TimeZone::system().to_datetime(now);
        let small = |part: i8| part.unsigned_abs();
        LocalTime {
            year: u16::try_from(now.year()).unwrap_or(0),
            month: small(now.month()),
            day: small(now.day()),
            hour: small(now.hour()),
            minute: small(now.minute()),
            second: small(now.second()),
        }
    }

    fn wall(&mut self) -> SystemTime {
        SystemTime::now()
    }

    fn since(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn wait(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
}
