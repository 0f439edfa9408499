//! How far ahead a clock was, window by window, and whether it was too fast in one: by all that was heard of it, and by its
//! stream's word alone. Knows no tick's number: only microseconds by which a stamp is ahead of the host's clock.

use mjolnir_wire::Moment;

use crate::speed::{DROP_WINDOWS, MAX_LEAD, WINDOW};

/// A clock may gain one part in so many: a tenth (CHEAT-10).
const TENTH: i64 = 10;
/// What the network's jitter may make of a clock, in microseconds (CHEAT-12): so much must be gained beyond a tenth, in one
/// window or in several. Over five of them it is half a hundredth.
const JITTER: i64 = 50_000;
/// Over less than half a window, in microseconds, nothing is measured.
const SHORTEST: u64 = WINDOW / 2;
/// Ends of windows that are remembered.
const REMEMBERED: usize = DROP_WINDOWS as usize;

/// How far ahead a clock was seen, in microseconds, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub ahead: i64,
    pub at: Moment,
}

impl Point {
    /// How far it is beyond a clock that has gone a tenth too fast since time began: it is what differs between two, and says
    /// nothing alone.
    const fn beyond(self) -> i64 {
        self.ahead - (self.at.as_micros() / TENTH as u64) as i64
    }

    /// How far it is beyond a clock that has gone a tenth too fast since that point. What came sooner than [`SHORTEST`] after it
    /// is taken as come then: a delay that ends between two messages is not to look like speed, nor are a window's first ones,
    /// which are of the time before it, to be all of it.
    fn beyond_since(self, from: Self) -> i64 {
        let time = self.at.since(from.at).max(SHORTEST);
        self.ahead - from.ahead - (time / TENTH as u64) as i64
    }

    /// How fast a clock went from there to here; over less than a window as if it had taken one.
    pub(crate) fn rate_since(self, from: Self) -> f32 {
        let time = self.at.since(from.at).max(WINDOW);
        (1.0 + (self.ahead - from.ahead) as f64 / time as f64) as f32
    }
}

/// What a window read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// From where on it was measured, and up to where.
    pub from: Point,
    pub to: Point,
    /// Ticks ahead of the host's own.
    pub lead: i32,
    /// Whether both are too much.
    pub is_fast: bool,
}

/// What was heard in a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    /// What was furthest beyond a tenth. Of a clock that is near that, each message of the window can be it, so the least
    /// delayed of all is.
    best: Point,
    /// What was furthest ahead, and by how many ticks.
    top: Point,
    lead: i32,
    /// When the last came.
    last: Moment,
}

impl Heard {
    /// Adds a message to what was heard.
    pub(crate) fn note(heard: &mut Option<Self>, point: Point, lead: i32) {
        let Some(heard) = heard else {
            *heard = Some(Self { best: point, top: point, lead, last: point.at });
            return;
        };
        heard.last = point.at;
        if point.beyond() > heard.best.beyond() {
            heard.best = point;
        }
        if point.ahead >= heard.top.ahead {
            (heard.top, heard.lead) = (point, lead);
        }
    }
}

/// The end of a window: where the next is measured from, and whether it was too fast to be believed, then or before.
#[derive(Clone, Copy, Debug)]
struct End {
    point: Point,
    is_doubted: bool,
}

/// By all that was heard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    /// The furthest ahead that it was believed to be, and when: an honest clock is never further (but for its drift), and one that
    /// is let be only by a tenth of the time since. What was further is no clock's that was let be all the while.
    sure: Point,
    /// The newest first.
    ends: [End; REMEMBERED],
}

impl Track {
    /// Of a clock that is set by a host whose ticks are so far ahead.
    pub(crate) const fn new(host: Point) -> Self {
        let end = End { point: host, is_doubted: false };
        Self { sure: host, ends: [end; REMEMBERED] }
    }

    /// Ends a window in which that was heard. `host` is the furthest that the host's own ticks were ahead: up to there a clock
    /// may jump.
    pub(crate) fn measure(&mut self, heard: Heard, host: i64) -> Reading {
        let Heard { best, top, lead, last } = heard;
        let or_host = |point: Point| Point { ahead: point.ahead.max(host), ..point };
        // Where it was too fast and has fallen back from was not its own time, or is not to hide what it does since.
        let is_kept = |end: &&End| !end.is_doubted || end.point.ahead <= top.ahead + JITTER;
        let oldest = Point { ahead: self.sure.ahead, at: self.ends[REMEMBERED - 1].point.at };
        let from = or_host(self.ends.iter().find(is_kept).map_or(oldest, |end| end.point));
        // Too fast in this window, and by more than jitter makes of it in this or with some of those before.
        let is_beyond = |from: Point| best.beyond_since(from) > JITTER;
        let is_fast = lead > MAX_LEAD
            && best.beyond_since(from) > 0
            && (is_beyond(from) || self.ends.iter().filter(is_kept).any(|end| is_beyond(or_host(end.point))));
        let mut end = End { point: best, is_doubted: true };
        if !is_fast {
            // It goes on from where it is, but of what it leapt there nothing is believed once it falls back.
            end.is_doubted = top.ahead > host && top.beyond() > self.sure.beyond() + JITTER;
            if !end.is_doubted && top.ahead > self.sure.ahead {
                self.sure = top;
            }
            // It may be as far ahead still as it ever was, and a little further: what came last may have been late, as the best
            // of the window shows of a clock that is near a tenth.
            let still = Point { ahead: self.sure.ahead.max(top.ahead), at: last };
            let late = (best.beyond() - still.beyond()).clamp(0, JITTER / 2);
            end.point = Point { ahead: still.ahead + late, ..still };
        }
        self.ends.rotate_right(1);
        self.ends[0] = end;
        Reading { from, to: if is_fast { best } else { top }, lead, is_fast }
    }
}

/// By the stream's word alone, of which there is little, and whose messages wait for one another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// The best of the last window in which it said anything.
    before: Point,
    /// The furthest ahead that it was and was not found fast.
    sure: i64,
}

impl Word {
    /// Of a clock that is set by a host whose ticks are so far ahead.
    pub(crate) const fn new(host: Point) -> Self {
        Self { before: host, sure: host.ahead }
    }

    /// Ends a window in which that was heard by the stream. Whether it says, in a run of windows that were too fast and that
    /// was measured from `run`, that the clock is: by all that it gained since then, or since what the stream said before. None
    /// outside of a run.
    pub(crate) fn measure(&mut self, heard: Heard, run: Option<Point>) -> bool {
        let before = Point { ahead: self.before.ahead.max(self.sure), ..self.before };
        let is_since = |from: Point| heard.best.beyond_since(from) > JITTER;
        let is_fast = heard.lead > MAX_LEAD && run.is_some_and(|run| is_since(run) || is_since(before));
        self.before = heard.best;
        if !is_fast {
            self.sure = self.sure.max(heard.top.ahead);
        }
        is_fast
    }
}
