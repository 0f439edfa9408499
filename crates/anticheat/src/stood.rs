//! By how much a host's own clock stood, as far as one machine's messages show it. Knows no rate.
//!
//! A computer that sleeps, or a virtual one that is paused, may find that its clock stood meanwhile. Its clients went on, and the
//! ticks that they said meanwhile wait for it: it reads many at once, one after another, that are further ahead than any was
//! before. A clock that is fast shows its ticks as they come. So what is gained in one read of many ticks is taken as time that
//! the host missed, but for no more than a tenth of all time, which a clock may gain anyway (CHEAT-43).

use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Moment, Tick};

use crate::speed::Way;

/// Of so many ticks a read is one of many: a quarter of a second.
const MANY: i32 = 8;
/// So many of them are there at least: a bad network loses most, and one alone may be anybody's. Of fewer ticks than half a second
/// half are there: what jitter makes of a line is as many now and then, one after another.
const LEAST: i32 = 3;
const SHORT: i32 = 15;
/// So many ticks are missing between two of them at most: what is further on did not wait with them.
const GAP: i32 = 30;
/// For so many microseconds after such a read what comes may gain so many more: its first messages were on their way as the clock
/// began to go again, and may have taken longer than others.
const SETTLES: u64 = Moment::SECOND;
const LATE: u64 = Moment::SECOND / 3;
/// Microseconds that a host's clock may have stood at once: as long as a machine may be silent (NET-28, ours).
const MOST: u64 = 15 * Moment::SECOND;
/// One in so many microseconds that pass may be one that it stood (ours).
const PART: u64 = 12;

/// What was read of a machine at one moment, and the furthest of it by each way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub now: Moment,
    pub host: Tick,
    pub all: Tick,
    pub stream: Option<Tick>,
    /// What the newest was before, what it is by now, and how many datagrams came after one another between.
    before: Tick,
    newest: Tick,
    new: i32,
    /// The oldest of them all.
    oldest: Option<Tick>,
}

impl Read {
    /// That moment's first message, where the newest before was of that tick.
    pub(crate) fn new(now: Moment, host: Tick, before: Tick, stamp: Tick, way: Way) -> Self {
        let mut read =
            Self { now, host, all: stamp, stream: None, before, newest: before, new: 0, oldest: None };
        read.note(stamp, way);
        read
    }

    /// Another message of that moment.
    pub(crate) fn note(&mut self, stamp: Tick, way: Way) {
        self.all = self.all.max(stamp);
        if way == Way::Datagram {
            self.oldest = Some(self.oldest.map_or(stamp, |oldest| oldest.min(stamp)));
        }
        match way {
            Way::Stream => self.stream = self.stream.max(Some(stamp)),
            Way::Datagram if (1..=GAP).contains(&stamp.since(self.newest)) => {
                (self.newest, self.new) = (stamp, self.new + 1);
            }
            Way::Datagram => {}
        }
    }

    /// Microseconds of ticks that waited to be read, if they are many.
    fn waited(&self) -> u64 {
        let ticks = self.newest.since(self.before);
        if ticks < MANY || self.new < LEAST || ticks < SHORT && self.new * 2 < ticks {
            return 0;
        }
        micros_of_ticks(u64::from(ticks.unsigned_abs()))
    }
}

/// See the file's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stood {
    /// Microseconds in all.
    total: u64,
    /// What all machines together had shown before this one was there, and by now.
    base: u64,
    shared: u64,
    /// Microseconds that it may have stood besides.
    left: u64,
    /// When that was last added to.
    added: Moment,
    /// The furthest ahead that anything was, in microseconds.
    furthest: i64,
    /// The newest stamp that was read.
    newest: Tick,
    /// When there was a read of many that waited.
    waited: Option<Moment>,
}

impl Stood {
    /// Of a host that has not, whose own ticks are so far ahead.
    pub(crate) const fn new(now: Moment, host: Tick, ahead: i64) -> Self {
        Self {
            total: 0,
            base: 0,
            shared: 0,
            left: MOST,
            added: now,
            furthest: ahead,
            newest: host,
            waited: None,
        }
    }

    /// The time as it would be had the host's clock gone on.
    pub(crate) const fn now(&self, now: Moment) -> Moment {
        now.plus(self.total)
    }

    /// It is measured from now on, of a host whose clock is known to have stood for so long already.
    pub(crate) const fn begin(&mut self, shared: u64) {
        (self.base, self.shared) = (shared, shared);
    }

    /// By what some machine showed the host's clock stood for so long in all: it stood for every machine, also for one that said
    /// nothing meanwhile.
    pub(crate) const fn share(&mut self, shared: u64) {
        self.shared = shared;
    }

    /// For how long the host's clock stood, as far as this machine shows it too.
    pub(crate) const fn shown(&self) -> u64 {
        self.base + self.total
    }

    /// The newest stamp that was read.
    pub(crate) const fn newest(&self) -> Tick {
        self.newest
    }

    /// Takes what was read, of which the furthest is so far ahead, as all was measured before: what it gained by waiting is time
    /// that the host missed.
    pub(crate) fn read(&mut self, read: &Read, ahead: i64) {
        let passed = read.now.since(self.added);
        if passed >= PART {
            self.left = (self.left + passed / PART).min(MOST);
            self.added = read.now;
        }
        let gained = u64::try_from(ahead - self.furthest).unwrap_or(0);
        let mut waited = read.waited();
        if waited == 0 && self.waited.is_some_and(|at| read.now.since(at) < SETTLES) {
            waited = gained.min(LATE);
        } else if waited.min(gained) >= LATE {
            self.waited = Some(read.now);
        }
        let waited = waited.max(self.shared.saturating_sub(self.shown()));
        let stood = gained.min(waited).min(self.left);
        self.total += stood;
        self.left -= stood;
        // A stamp that nothing else leads to may be nobody's: what is gained after it is gained all the same.
        if read.all.since(read.newest) <= GAP {
            self.furthest = self.furthest.max(ahead - stood as i64);
        }
        self.newest = match read.oldest {
            // After a silence, or after one stamp that was nobody's, it begins anew.
            Some(oldest) if read.new == 0 && oldest.since(self.newest).abs() > GAP => oldest,
            _ => read.newest,
        };
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    const AT: Moment = Moment::from_millis(10_000);

    fn tick(number: i32) -> Tick {
        Tick::new(1_000 + number).unwrap()
    }

    /// A read of those ticks after tick 0 that a host has which is at that.
    fn read(stamps: &[i32]) -> Read {
        let mut read = Read::new(AT, tick(0), tick(0), tick(stamps[0]), Way::Datagram);
        stamps[1..].iter().for_each(|stamp| read.note(tick(*stamp), Way::Datagram));
        read
    }

    /// CHEAT-09: of how many ticks a read is one of many, how many of them are there, and how far apart: both sides of each.
    #[test]
    fn many_that_waited_are_told_from_few() {
        let last = |ticks: i32, step: usize| (1..=ticks).rev().step_by(step).collect::<Vec<_>>();
        let sorted = |mut stamps: Vec<i32>| {
            stamps.sort_unstable();
            stamps
        };
        for (stamps, ticks) in [
            ((1..=7).collect(), 0),
            ((1..=8).collect(), 8),
            // Half of few, and no fewer.
            (sorted(last(8, 2)), 8),
            (vec![4, 6, 8], 0),
            (sorted(last(14, 2)), 14),
            (vec![2, 5, 7, 9, 12, 14], 0),
            // Of half a second three.
            (vec![4, 9, 15], 15),
            (vec![9, 15], 0),
            // No further apart than a second.
            (vec![30, 60, 90], 90),
            (vec![31, 61, 91], 0),
            (vec![10, 20, 30, 61], 30),
        ] {
            let waited = read(&stamps).waited();
            assert_eq!(waited, micros_of_ticks(ticks), "{stamps:?}");
        }
        // What the stream says is no datagram's.
        let mut stream = Read::new(AT, tick(0), tick(0), tick(1), Way::Stream);
        (2..=60).for_each(|stamp| stream.note(tick(stamp), Way::Stream));
        assert_eq!(stream.waited(), 0);
    }

    /// CHEAT-43: fifteen seconds are believed, and of what passes a twelfth; what a machine gains by less than many is not, but for a
    /// third of a second within a second after many.
    #[test]
    fn what_is_believed_is_bounded() {
        let micros = |ticks: i32| micros_of_ticks(ticks.unsigned_abs().into()) as i64;
        let many = |ticks: i32| Read { now: AT, ..read(&(1..=ticks).collect::<Vec<_>>()) };
        let mut stood = Stood::new(AT, tick(0), 0);
        stood.read(&many(449), micros(449));
        assert_eq!(stood.shown(), micros_of_ticks(449));
        let mut stood = Stood::new(AT, tick(0), 0);
        stood.read(&many(460), micros(460));
        assert_eq!((stood.shown(), stood.left), (MOST, 0));
        // A minute later five seconds more are.
        let later = Read { now: AT.plus(60 * Moment::SECOND), ..many(460) };
        stood.read(&later, stood.furthest + micros(460));
        assert_eq!((stood.shown(), stood.left), (MOST + 5 * Moment::SECOND, 0));
        // What settles after many, and what does not.
        for (after, gained, believed) in
            [(SETTLES - 1, LATE, LATE), (SETTLES - 1, LATE + 1, LATE), (SETTLES, LATE, 0)]
        {
            let mut stood = Stood::new(AT, tick(0), 0);
            stood.read(&many(60), micros(60));
            let before = stood.shown();
            let one =
                Read { now: AT.plus(after), ..Read::new(AT, tick(0), tick(60), tick(61), Way::Datagram) };
            stood.read(&one, stood.furthest + gained as i64);
            assert_eq!(stood.shown() - before, believed, "{after} {gained}");
        }
    }
}
