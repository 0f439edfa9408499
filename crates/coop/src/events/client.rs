//! A client's following of what happens once in the host's level (COOP-07, 08, OBJ-31): each event once, by its number, and in
//! order. Knows no level: it asks whether a surface is there, and whole.
//!
//! An event comes by datagrams and once by the stream, which loses none and keeps the order. One that comes after one that did
//! not waits for it. Where the stream is past it, what did not come never will. One about an object that is not here waits
//! too: the stream brings the object before the event, and a datagram is there before either.

use alloc::vec::Vec;

use mjolnir_wire::events::{Action, CoopEvent, NavigationPoint, Surface, SurfaceBroken};
use mjolnir_wire::{ObjectName, Tick};

use crate::error::Error;
use crate::names::NAMES_INTERVAL;

/// A number further than this from the newest, ahead or behind, is not believed before another message agrees (ours): a
/// damaged one would leave this machine deaf to all that follow. Events are told in three ticks, so that the next one
/// agrees.
pub const EVENT_STEP: u16 = 1024;
/// Ticks that an event waits for those before it (ours) while none was ever heard by the stream: the host may be of a build that
/// sends none there. Then those are lost.
pub const EVENT_WAIT: u32 = 15;
/// Ticks that it waits once some were (ours). Then it is forgotten itself: the stream brings it in its turn, or its number is a
/// damaged one.
pub const EVENT_STREAM_WAIT: u32 = 300;
/// Ticks that one about an object of the level's by name waits for that, though the stream has brought it (ours): names come by
/// datagrams of their own, of which one may be lost.
pub const EVENT_NAME_WAIT: u32 = 2 * NAMES_INTERVAL;
/// A number further ahead than this is not believed alone either, however many are between (ours): half as far it would seem
/// behind.
const EVENT_AHEAD: i16 = 1 << 14;
/// Events that wait by datagrams, at most, and as many more by the stream (ours). More are refused.
pub const MOST_EVENTS: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Heard {
    number: u16,
    /// None of one that only counts as had.
    action: Option<Action>,
    /// The first tick before which it waited, by what brought it last.
    since: Option<Tick>,
}

impl Heard {
    /// Whether what it is about is not here and may still come.
    fn waits_for_its_object(
        &self,
        stream: Option<u16>,
        waited: i32,
        has: impl Fn(ObjectName) -> bool,
    ) -> bool {
        let most = |object| match (stream.map(|stream| off(stream, self.number) >= 0), object) {
            (None, _) => EVENT_WAIT,
            (Some(false), _) => EVENT_STREAM_WAIT,
            // It came by the stream before, and is made in this tick.
            (Some(true), ObjectName::Object(..)) => 1,
            (Some(true), ObjectName::Named(_)) => EVENT_NAME_WAIT,
        };
        let objects = self.action.as_ref().map(objects).into_iter().flatten().flatten();
        objects.into_iter().any(|object| waited < most(object) as i32 && !has(object))
    }
}

/// What has to be here for that to be done.
const fn objects(action: &Action) -> [Option<ObjectName>; 2] {
    match action {
        // What it marked may be no more.
        Action::NavigationPoint(NavigationPoint { shows: false, .. }) => [None; 2],
        Action::Attachment(of) => [Some(of.parent), Some(of.child)],
        action => [action.object(), None],
    }
}

/// See the file's text. One is of one game.
#[derive(Debug, Default)]
pub struct EventClient {
    /// The number up to which all is done, or lost.
    over: Option<u16>,
    /// Nothing was done since the first was heard, and by the stream others may come that were told before it.
    begins: bool,
    /// What comes after, by rising number.
    heard: Vec<Heard>,
    /// What is to be done before any of it.
    due: Vec<Action>,
    /// The newest that came by the stream, or the last that is over where that is later.
    stream: Option<u16>,
    /// A number too far off to be believed alone, and of which stamp.
    alone: Option<(Tick, u16)>,
    unknown: u64,
    lost: u64,
}

impl EventClient {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hears an entry of kind 71, of a message of that stamp, by the stream or by a datagram. The first number that is heard is
    /// where it begins; one that was had, and one older than what was done, does nothing.
    pub fn handle_event(&mut self, stamp: Tick, by_stream: bool, event: &CoopEvent) -> Result<(), Error> {
        let most = if by_stream { 2 * MOST_EVENTS } else { MOST_EVENTS };
        if self.heard.len() + self.due.len() >= most {
            return Err(Error::TooManyEvents);
        }
        let CoopEvent { number, action } = *event;
        let Some(over) = self.place(stamp, by_stream, number) else { return Ok(()) };
        let at = self.heard.binary_search_by_key(&off(number, over), |heard| off(heard.number, over));
        match at {
            Err(at) if off(number, over) > 0 => self.heard.insert(at, Heard { number, action, since: None }),
            // What it is about is had by the next tick.
            Ok(at) if by_stream => self.heard[at].since = None,
            _ => {}
        }
        Ok(())
    }

    /// The number up to which all is over, for one that is believed.
    fn place(&mut self, stamp: Tick, by_stream: bool, number: u16) -> Option<u16> {
        let before = number.wrapping_sub(1);
        let is_far = self.over.is_some_and(|over| {
            let newest = self.heard.last().map_or(over, |last| last.number);
            let follows = is_near(number, newest) && (1..EVENT_AHEAD).contains(&off(number, over));
            !is_near(number, over) && !follows
        });
        if is_far && !by_stream && self.stream.is_some() {
            // The stream brings it in its turn, however much is told before it.
            return None;
        }
        if is_far && !self.alone.is_some_and(|(at, other)| at != stamp && is_near(number, other)) {
            self.alone = Some((stamp, number));
            return None;
        }
        self.alone = None;
        if is_far {
            self.due.extend(self.heard.drain(..).filter_map(|heard| heard.action));
            (self.over, self.stream) = (None, None);
        }
        let over = *self.over.get_or_insert_with(|| {
            // Nothing was told before the first.
            self.begins = before > 0;
            before
        });
        if !by_stream {
            return Some(over);
        }
        // The first that comes by the stream is the first that was told to this machine.
        if self.begins && off(before, over) < 0 {
            self.over = Some(before);
        }
        self.begins = false;
        if self.stream.is_none_or(|stream| off(number, stream) > 0) {
            self.stream = Some(number);
        }
        self.over
    }

    /// Before a tick, and before the host's objects are made in it: appends what the engine is to break, in the order in
    /// which it broke, and what else it is to do, in the order in which it was done. `is_broken` says of a surface whether it is
    /// broken here; nothing of one that the level does not have, which is counted and forgotten. `has` says whether what is so
    /// named is here; what is about what never comes is done in the end.
    pub fn before_tick(
        &mut self,
        tick: Tick,
        is_broken: impl Fn(Surface) -> Option<bool>,
        has: impl Fn(ObjectName) -> bool,
        breaks: &mut Vec<SurfaceBroken>,
        actions: &mut Vec<Action>,
    ) {
        self.release(tick, has);
        for action in self.due.drain(..) {
            let Action::SurfaceBroken(what) = action else {
                actions.push(action);
                continue;
            };
            match is_broken(what.surface) {
                None => self.unknown += 1,
                Some(true) => {}
                Some(false) if breaks.iter().any(|other| other.surface == what.surface) => {}
                Some(false) => breaks.push(what),
            }
        }
    }

    /// What waits no longer is due.
    fn release(&mut self, tick: Tick, has: impl Fn(ObjectName) -> bool) {
        let Some(mut over) = self.over else { return };
        for heard in &mut self.heard {
            heard.since.get_or_insert(tick);
        }
        let mut gone = 0;
        for heard in &self.heard {
            let gap = off(heard.number, over) - 1;
            let waited = heard.since.map_or(0, |since| tick.since(since));
            let is_passed = match self.stream {
                Some(stream) => off(stream, heard.number) >= 0,
                None => waited >= EVENT_WAIT as i32,
            };
            if is_passed || gap == 0 && !self.begins {
                if heard.waits_for_its_object(self.stream, waited, &has) {
                    break;
                }
                self.lost += u64::from(gap.unsigned_abs());
                self.due.extend(heard.action);
                (over, self.begins) = (heard.number, false);
            } else if waited < EVENT_STREAM_WAIT as i32 {
                break;
            }
            gone += 1;
        }
        self.heard.drain(..gone);
        self.over = Some(over);
        // It stays near, so that it never seems ahead of what it is behind.
        self.stream = self.stream.map(|stream| if off(over, stream) > 0 { over } else { stream });
    }

    /// Events of surfaces that the level does not have.
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Numbers that never came, of which later ones did.
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

/// How far a number is ahead of another: of the shorter way round.
const fn off(number: u16, other: u16) -> i16 {
    number.wrapping_sub(other) as i16
}

const fn is_near(number: u16, other: u16) -> bool {
    off(number, other).unsigned_abs() <= EVENT_STEP
}
