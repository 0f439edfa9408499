//! A client's following of what breaks in the host's level (OBJ-31): each event once, by its number. Knows no level: it asks
//! whether a surface is there, and whole.

use alloc::vec::Vec;

use mjolnir_wire::Tick;
use mjolnir_wire::events::{Action, CoopEvent, Surface, SurfaceBroken};

use crate::client::MOST_HEARD;
use crate::error::Error;

/// A number further than this from the newest, ahead or behind, is not believed before another datagram agrees (ours): a
/// damaged one would leave this machine deaf to all that follow. Events are told in three ticks, so that the next one
/// agrees.
pub const EVENT_STEP: u16 = 1024;

/// See the file's text. One is of one game.
#[derive(Debug, Default)]
pub struct SurfaceClient {
    newest: Option<u16>,
    /// A number too far off to be believed alone, and of which stamp.
    alone: Option<(Tick, u16)>,
    heard: Vec<SurfaceBroken>,
    unknown: u64,
}

impl SurfaceClient {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hears an entry of kind 71, of a message of that stamp. The first number that is heard is where it begins; one that was
    /// had, and an older one, does nothing. An event of another kind only counts as had.
    pub fn handle_event(&mut self, stamp: Tick, event: &CoopEvent) -> Result<(), Error> {
        if self.heard.len() == MOST_HEARD {
            return Err(Error::TooManyEvents);
        }
        if let (true, Some(Action::SurfaceBroken(broken))) = (self.is_new(stamp, event.number), event.action)
        {
            self.heard.push(broken);
        }
        Ok(())
    }

    fn is_new(&mut self, stamp: Tick, number: u16) -> bool {
        let ahead = self.newest.map_or(1, |newest| off(number, newest));
        if ahead.unsigned_abs() > EVENT_STEP {
            let near = |(at, other)| at != stamp && off(number, other).unsigned_abs() <= EVENT_STEP;
            if !self.alone.is_some_and(near) {
                self.alone = Some((stamp, number));
                return false;
            }
        } else if ahead <= 0 {
            return false;
        }
        (self.newest, self.alone) = (Some(number), None);
        true
    }

    /// Before a tick: what the engine is to break, in the order in which it broke. `is_broken` says of a surface whether it is
    /// broken here; nothing of one that the level does not have, which is counted and forgotten.
    pub fn before_tick(
        &mut self,
        is_broken: impl Fn(Surface) -> Option<bool>,
        breaks: &mut Vec<SurfaceBroken>,
    ) {
        for what in self.heard.drain(..) {
            match is_broken(what.surface) {
                None => self.unknown += 1,
                Some(true) => {}
                Some(false) if breaks.iter().any(|other| other.surface == what.surface) => {}
                Some(false) => breaks.push(what),
            }
        }
    }

    /// Events of surfaces that the level does not have.
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }
}

/// How far a number is ahead of another: of the shorter way round.
const fn off(number: u16, other: u16) -> i16 {
    number.wrapping_sub(other) as i16
}
