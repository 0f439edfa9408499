//! A client's following of what the host's scripts changed: objects' places (kind 72) and looks (74), and the screen's effect
//! (76). Knows no object: it asks whether one is there.
//!
//! What is said of an object that is not there waits for it: the names that there are (kind 69) may come later. The host
//! says it again each second, so that what it no longer says is forgotten.

use alloc::vec::Vec;

use mjolnir_wire::scripted::{Look, ScreenEffect, Transform};
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{ObjectName, Tick};

use super::Scripted;
use crate::error::Error;
use crate::known::Known;

/// Objects of whose places something was heard lately, at most, and of whose looks as many: ours. More are refused.
pub const MOST_SCRIPTED: usize = 1024;
/// Ticks without a word after which what was heard of an object is forgotten (ours): three rounds of the host's.
pub const SCRIPTED_KEPT: u32 = 90;

/// What was heard of one object.
#[derive(Debug)]
struct Heard<T> {
    newest: Newest,
    /// What is to be applied.
    word: Option<T>,
    /// Ticks since the last word.
    ticks: u32,
}

impl<T> Default for Heard<T> {
    fn default() -> Self {
        Self { newest: Newest::default(), word: None, ticks: 0 }
    }
}

/// What was heard of all of them, of one kind.
#[derive(Debug)]
struct Words<T>(Known<ObjectName, Heard<T>>);

impl<T: Copy> Words<T> {
    /// Whether it is not older than what was heard of the same object.
    fn hear(&mut self, stamp: Tick, object: ObjectName, word: &T) -> Result<bool, Error> {
        if self.0.len() == MOST_SCRIPTED && !self.0.contains(object) {
            return Err(Error::TooManyScripted);
        }
        let heard = self.0.of(object, Heard::default);
        let is_new = heard.newest.take(stamp);
        if is_new {
            (heard.word, heard.ticks) = (Some(*word), 0);
        }
        Ok(is_new)
    }

    /// Moves to `to` what is of objects that are there; how many words were forgotten.
    fn take(&mut self, has: &impl Fn(ObjectName) -> bool, to: &mut Vec<T>) -> u64 {
        let mut forgotten = 0;
        self.0.retain(|object, heard| {
            if heard.word.is_some() && has(object) {
                to.extend(heard.word.take());
            }
            heard.ticks += 1;
            let is_kept = heard.ticks <= SCRIPTED_KEPT;
            forgotten += u64::from(!is_kept && heard.word.is_some());
            is_kept
        });
        forgotten
    }
}

/// See the file's text. One is of one game.
#[derive(Debug)]
pub struct ScriptedClient {
    places: Words<Transform>,
    looks: Words<Look>,
    newest: Newest,
    effect: Option<ScreenEffect>,
    unknown: u64,
    stale: u64,
}

impl Default for ScriptedClient {
    fn default() -> Self {
        Self::new()
    }
}

impl ScriptedClient {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self {
            places: Words(Known::new()),
            looks: Words(Known::new()),
            newest: Newest::default(),
            effect: None,
            unknown: 0,
            stale: 0,
        }
    }

    /// Hears an entry of kind 72, of a message of that stamp; one older than was heard of that object's place is counted and does
    /// nothing.
    pub fn handle_transform(&mut self, stamp: Tick, transform: &Transform) -> Result<(), Error> {
        let is_new = self.places.hear(stamp, transform.object, transform)?;
        self.stale += u64::from(!is_new);
        Ok(())
    }

    /// Hears an entry of kind 74; the same.
    pub fn handle_look(&mut self, stamp: Tick, look: &Look) -> Result<(), Error> {
        let is_new = self.looks.hear(stamp, look.object, look)?;
        self.stale += u64::from(!is_new);
        Ok(())
    }

    /// Hears an entry of kind 76; the same.
    pub fn handle_screen_effect(&mut self, stamp: Tick, effect: &ScreenEffect) -> Result<(), Error> {
        if self.newest.take(stamp) {
            self.effect = Some(*effect);
        } else {
            self.stale += 1;
        }
        Ok(())
    }

    /// Before a tick: appends what the engine is to apply, each word once, the newest of each object by rising name. `has` says
    /// whether it has what is so named: what is said of another waits until it has.
    pub fn before_tick(&mut self, has: impl Fn(ObjectName) -> bool, to_apply: &mut Scripted) {
        self.unknown += self.places.take(&has, &mut to_apply.transforms);
        self.unknown += self.looks.take(&has, &mut to_apply.looks);
        to_apply.effect = self.effect.take().or(to_apply.effect);
    }

    /// Words on objects that never were there.
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Entries older than what was heard of the same.
    pub const fn stale(&self) -> u64 {
        self.stale
    }
}
