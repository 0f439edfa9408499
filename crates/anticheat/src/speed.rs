//! How fast one machine's clock goes, as its host can tell: by the ticks that its messages are stamped with, beside the host's
//! own clock. Knows no machine's name, and not what becomes of one that is too fast.
//!
//! An honest clock begins at the host's time, goes on by itself and only ever jumps forward to it (CLOCK-05). So its stamps are
//! never further ahead of the host's clock than they have been, or than the host's own ticks were: whatever the network,
//! the client or the host do, all that is late, lost or jumped makes a clock look slower than it was. What is measured is by how
//! much a machine's stamps get ahead of that, and a clock that is fast does so in every window.
//!
//! What it does not do. A clock that is less than half a hundredth beyond a tenth is let be: jitter hides it. One that is not a
//! tenth too fast, but is fast, may read so in one window, in which a delay of more than 50 ms ends that had lasted for all of the
//! one before; that costs it the window and never more. Who stamps its messages as an honest clock would is not found: it gains
//! nothing by its clock then, since its ticks are counted by their stamps.

use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Moment, Tick};

use crate::stood::{Read, Stood};
use crate::track::{Heard, Point, Track, Word};

/// How long a window is, in microseconds (CHEAT-08). One in which nothing was heard goes on until something is.
pub const WINDOW: u64 = 2 * Moment::SECOND;
/// A host that was not at it for longer than this, in microseconds, stalled, and hears all of that time late: what it heard of the
/// window may be too little for the least delayed to be any good. It goes on then for as long as a whole one, once.
const STALL: u64 = WINDOW / 4;
/// So many ticks ahead of the host's own time a clock may be, whatever its rate: half a second (CHEAT-10).
pub const MAX_LEAD: i32 = 15;
/// After so many windows in a row that were too fast a machine is a cheater's, if its stream says so too (CHEAT-12).
pub const DROP_WINDOWS: u32 = 5;

/// How a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the machine's stream: it is that machine's word.
    Stream,
    /// By a datagram, which anybody may have sent.
    Datagram,
}

/// What a window read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// How fast its clock goes beside the host's: 1 is as fast. Less than it goes where it catches up with what it or the host
    /// had before.
    pub rate: f32,
    /// How many ticks it is ahead of the host's own; negative when it is behind.
    pub lead: i32,
}

/// What a host finds of a machine at the end of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// Its clock is within bounds: its predictions are taken (again).
    Honest,
    /// More than a tenth too fast, and more than half a second ahead: its predictions are refused (CHEAT-10).
    Fast(Measure),
    /// So five windows in a row, by its datagrams alone: told once, and refused further (CHEAT-15). The rate over all of them.
    Unverified(Measure),
    /// So five windows or more in a row, and by its own stream too: to be dropped (CHEAT-12, 16). Told once. The rate over all of
    /// them.
    Cheater(Measure),
}

/// One machine's clock, as its host measures it.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// When the window began, and what was heard in it: by whatever way, and by the stream alone.
    window: Moment,
    /// When the host last looked, and whether the window goes on since it stalled.
    looked: Moment,
    goes_on: bool,
    all: Option<Heard>,
    stream: Option<Heard>,
    track: Track,
    word: Word,
    /// What is being read, and by how much the host's clock stood.
    read: Option<Read>,
    stood: Stood,
    /// The furthest the host's own ticks have been ahead of its clock, in microseconds.
    host: i64,
    run: Run,
    measured: Option<Measure>,
    is_told_unverified: bool,
    is_told_cheater: bool,
}

/// Windows in a row that were too fast.
#[derive(Clone, Copy, Debug)]
struct Run {
    windows: u32,
    /// Whether the stream was, in one of them.
    is_by_stream: bool,
    /// Where the first of them was measured from.
    from: Option<Point>,
}

impl Run {
    const NONE: Self = Self { windows: 0, is_by_stream: false, from: None };
}

impl Speed {
    /// Of a machine that is first told the time of a game now, which is `host`. Not made later: a host that stalled between has a
    /// client that is ahead of it from the beginning, and would take that for speed.
    pub fn new(now: Moment, host: Tick) -> Self {
        let point = point(host, now);
        Self {
            window: now,
            looked: now,
            goes_on: false,
            all: None,
            stream: None,
            track: Track::new(point),
            word: Word::new(point),
            read: None,
            stood: Stood::new(now, host, point.ahead),
            host: point.ahead,
            run: Run::NONE,
            measured: None,
            is_told_unverified: false,
            is_told_cheater: false,
        }
    }

    /// Another game begins, and time with it: what was measured is forgotten, but not that it was told.
    pub fn new_game(&mut self, now: Moment, host: Tick) {
        let (unverified, cheater) = (self.is_told_unverified, self.is_told_cheater);
        *self = Self { is_told_unverified: unverified, is_told_cheater: cheater, ..Self::new(now, host) };
    }

    /// A message of this game was read now, while the host was at its tick `host`: of any kind, each counts, and one that is
    /// late, old or doubled tells nothing.
    pub fn note(&mut self, now: Moment, host: Tick, stamp: Tick, way: Way) {
        match &mut self.read {
            Some(read) if read.now == now && read.host == host => read.note(stamp, way),
            _ => {
                self.take_read();
                self.read = Some(Read::new(now, host, self.stood.newest(), stamp, way));
            }
        }
    }

    /// What was read at one moment counts by what is furthest of it.
    fn take_read(&mut self) {
        let Some(read) = self.read.take() else { return };
        let ahead = |stamp, stood: &Stood| point(stamp, stood.now(read.now));
        self.stood.read(&read, ahead(read.all, &self.stood).ahead);
        self.host = self.host.max(ahead(read.host, &self.stood).ahead);
        let lead = |stamp: Tick| stamp.since(read.host);
        Heard::note(&mut self.all, ahead(read.all, &self.stood), lead(read.all));
        if let Some(stamp) = read.stream {
            Heard::note(&mut self.stream, ahead(stamp, &self.stood), lead(stamp));
        }
    }

    /// Its host's clock is known to have stood for so long before it was there: see [`Speed::share`].
    pub(crate) const fn begin(&mut self, shared: u64) {
        self.stood.begin(shared);
    }

    /// For how long its host's clock stood in all, in microseconds, by what some machine showed. To be said each tick, before
    /// [`Speed::measure`].
    pub(crate) const fn share(&mut self, shared: u64) {
        self.stood.share(shared);
    }

    /// The same by what this one showed.
    pub(crate) const fn shown(&self) -> u64 {
        self.stood.shown()
    }

    /// What the window found that ends by now; asked each tick, after what came in it was noted. None while one goes on.
    pub fn measure(&mut self, now: Moment) -> Option<Finding> {
        self.take_read();
        let passed = now.since(core::mem::replace(&mut self.looked, now));
        if passed > STALL && !self.goes_on {
            (self.window, self.goes_on) = (now, true);
        }
        if now.since(self.window) < WINDOW {
            return None;
        }
        let reading = self.track.measure(self.all.take()?, self.host);
        self.goes_on = false;
        // By their own length, unless something took longer than another.
        let next = self.window.plus(WINDOW);
        self.window = if now.since(next) < WINDOW { next } else { now };
        self.run.from = reading.is_fast.then(|| self.run.from.unwrap_or(reading.from));
        let stream = self.stream.take();
        let is_by_stream = stream.is_some_and(|heard| self.word.measure(heard, self.run.from));
        let measure = Measure { rate: reading.to.rate_since(reading.from), lead: reading.lead };
        self.measured = Some(measure);
        let Some(from) = self.run.from else {
            self.run = Run::NONE;
            return Some(Finding::Honest);
        };
        self.run.windows = self.run.windows.saturating_add(1);
        self.run.is_by_stream |= is_by_stream;
        if self.run.windows < DROP_WINDOWS {
            return Some(Finding::Fast(measure));
        }
        let whole = Measure { rate: reading.to.rate_since(from), ..measure };
        Some(if self.run.is_by_stream && !self.is_told_cheater {
            self.is_told_cheater = true;
            Finding::Cheater(whole)
        } else if !self.run.is_by_stream && !self.is_told_unverified {
            self.is_told_unverified = true;
            Finding::Unverified(whole)
        } else {
            Finding::Fast(measure)
        })
    }

    /// Whether its players' predictions are refused: its last window was too fast (CHEAT-10, 11).
    pub const fn is_refused(&self) -> bool {
        self.run.windows > 0
    }

    /// What the last window read (CHEAT-08); none before the first.
    pub const fn measured(&self) -> Option<Measure> {
        self.measured
    }
}

/// How far a tick is ahead of the host's clock: it is what differs between two, and says nothing alone.
fn point(tick: Tick, now: Moment) -> Point {
    // Of a clock of centuries: no sum or difference of some of these is outside what there is.
    let at = now.min(Moment::from_micros(i64::MAX as u64 / 8));
    let ticks = micros_of_ticks(u64::from(tick.get().unsigned_abs()));
    Point { ahead: ticks as i64 - at.as_micros() as i64, at }
}
