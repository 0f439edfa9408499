//! What a word is worth that names no tick of this machine: the host has taken nothing of it of late. How many came in a
//! row, of which tick such a word is, and when its player gives way. Knows no input and no velocity.
//!
//! Such a word is of the tick that lies as far back as the last did that named one ([`Lag`]). Four in a row, and the host
//! takes nothing of what this machine says; where words or ticks were left out meanwhile it has had nothing for a while, and
//! only a round trip more of them says so. Past 3 wu it is moved as by any word (PRED-40). Refused, it gives way by
//! less, since else it would be refused for good: at 0.25 wu who stands on an elevator, and everybody after a second; at 2.5
//! wu across who is refused after a stall.

use mjolnir_wire::{Tick, Vec3};

use crate::command::HostWord;
use crate::compare::apart;
use crate::history::{Had, History, Was};
use crate::lag::Lag;
use crate::own::OWN_PLAYER_TOLERANCE;

/// World units by which a player may be elsewhere on the host that takes nothing of its client any more, of who stands on an
/// elevator at once and of everybody after [`REFUSED_FOR`] (ours): as much as the host puts its copy only halfway for. The
/// elevator left without that copy, or the host stood still, and until they are past [`OWN_PLAYER_TOLERANCE`] apart all that
/// the client says would be refused.
const REFUSED_TOLERANCE: f32 = 0.25;

/// The same across of anybody on foot after ticks or words were left out (ours): between as old as a word is thought to be
/// and as old as it is, one that runs is half a world unit further, by which the host's tolerance is more than
/// [`OWN_PLAYER_TOLERANCE`].
const REFUSED_ACROSS: f32 = 2.5;

/// Words that name no tick in a row, a tick each (ours): more of them, and the host takes none of what this machine says. As
/// many and those that it names a tick in besides are six predictions lost in a row, else.
const REFUSED_AFTER: u32 = 3;

/// As many more, and a round trip's, where words or ticks of this machine were left out meanwhile: the host has had nothing
/// of this machine's for as long (ours).
const REFUSED_AFTER_STALL: u32 = 3;

/// Words that name no tick in a row after which whoever is refused gives way all the way (ours): the host has taken nothing
/// for a second and will not of itself, and an honest player is to be believed again.
const REFUSED_FOR: u32 = 30;

/// Ticks between two words by which none was left out but for a loss (ours).
const UNBROKEN: i32 = 3;

/// The words since the last that named a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Untaken {
    words: u32,
    /// Words were left out among them, or ticks of this machine.
    broken: bool,
    /// It stood on an elevator when the host was found to take nothing.
    rode: bool,
    /// The host's tick of the last word, named or not, and this machine's as it came.
    last: Option<(Tick, Tick)>,
}

impl Untaken {
    /// Of a player that was elsewhere before, or riding: no word that comes follows one of it.
    pub(crate) fn anew() -> Self {
        Self { broken: true, ..Self::default() }
    }

    /// A word of that host's tick came before that tick of this machine.
    pub(crate) fn note(&mut self, tick: Tick, word: &HostWord) {
        let (theirs, ours) = self.last.replace((word.tick, tick)).unwrap_or((word.tick, tick));
        let is_broken = word.tick.since(theirs) > UNBROKEN || tick.since(ours) > UNBROKEN;
        if word.predicted.is_some() {
            (self.words, self.broken, self.rode) = (0, false, false);
        } else {
            self.words = self.words.saturating_add(1);
            self.broken |= is_broken;
        }
    }

    /// Whether the host, by its word, has had what this machine says of the player and takes none of it.
    pub(crate) const fn is_refused(&self, round_trip: u32) -> bool {
        let stalled = if self.broken { round_trip + REFUSED_AFTER_STALL } else { 0 };
        self.words > REFUSED_AFTER + stalled
    }

    /// What it had at the tick that a word is of which names none, `tick` before which it came and of which host's. Where ticks
    /// or words were left out since the last that named one, it may be of any of some: of that at which it fits, since who is
    /// further along the same way is no more than late. Of one that is refused for good, it is as old as words are.
    pub(crate) fn of(
        &self,
        history: &History,
        lag: Lag,
        [tick, of]: [Tick; 2],
        round_trip: u32,
        theirs: Vec3,
    ) -> Option<Had> {
        let by_tick = lag.by_tick(tick, of).map(|tick| history.find(tick));
        let by_age = lag.by_age(tick, round_trip).map(|tick| history.find(tick))?;
        if !self.broken && by_tick.is_some() {
            return by_tick;
        }
        if self.is_refused(round_trip) {
            return Some(by_age);
        }
        let near = |had: &Had| match had {
            Had::Place(_, was) => theirs.distance(was.place),
            Had::Nothing | Had::Oldest(..) => f32::INFINITY,
        };
        let nearest = history.nearest(theirs, round_trip + REFUSED_AFTER_STALL);
        by_tick.into_iter().chain([nearest]).min_by(|a, b| near(a).total_cmp(&near(b)))
    }

    /// By how much a player is off that had `ours` at that tick, and touches that elevator's floor now; none within what it may be.
    pub(crate) fn off(
        &mut self,
        round_trip: u32,
        theirs: Vec3,
        ours: &Was,
        floor: Option<u32>,
    ) -> Option<Vec3> {
        let is_refused = self.is_refused(round_trip);
        self.rode |= is_refused && floor.is_some();
        // Nobody else is off by as little for a second: who hovers would come down by it, and be believed again (AUTH-20).
        let gives_way = is_refused && (self.rode || self.words > REFUSED_FOR);
        let whole = theirs - ours.place;
        let is_off_across = whole.across().length() > REFUSED_ACROSS;
        let tolerance = if gives_way {
            REFUSED_TOLERANCE
        } else if is_refused && self.broken && is_off_across {
            REFUSED_ACROSS
        } else {
            OWN_PLAYER_TOLERANCE
        };
        let mut by = apart(theirs, ours, floor);
        if gives_way && by.length() <= tolerance {
            // The host takes nothing of it on this floor: that left without its copy, which is off in height too.
            by = whole;
        }
        (by.length() > tolerance).then_some(by)
    }
}
