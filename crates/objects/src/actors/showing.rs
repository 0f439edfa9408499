//! What a client's units show of their shields and bodies where the host's actors drive them (OBJ-50): the latest word on each.
//! Knows of a unit its name alone.

use mjolnir_wire::actors::ActorDamage;
use mjolnir_wire::limits::{FIRST_OWN_OBJECT, MAX_ACTOR_UNITS};
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{ObjectId, Tick};

use super::driving::Here;
use crate::by_index::ByIndex;
use crate::error::Error;

/// What is told of a unit.
#[derive(Clone, Copy, Debug)]
struct Shown {
    damage: ActorDamage,
    stamp: Tick,
    newest: Newest,
    /// It came since the last tick.
    is_news: bool,
}

impl Shown {
    fn new(stamp: Tick, damage: &ActorDamage) -> Self {
        let mut newest = Newest::default();
        newest.take(stamp);
        Self { damage: *damage, stamp, newest, is_news: true }
    }
}

/// See the file's text. At most [`MAX_ACTOR_UNITS`].
#[derive(Debug)]
pub(crate) struct Showing(ByIndex<Shown>);

impl Showing {
    pub(crate) fn new() -> Self {
        Self(ByIndex::new())
    }

    pub(crate) fn hear(&mut self, stamp: Tick, damage: &ActorDamage) -> Result<(), Error> {
        let index = damage.unit.index();
        if index >= FIRST_OWN_OBJECT {
            return Err(Error::NotTheHosts);
        }
        let is_full = self.0.len() == MAX_ACTOR_UNITS;
        match self.0.get_mut(index) {
            Some(shown) if shown.damage.unit == damage.unit => {
                if !shown.newest.take(stamp) {
                    return Err(Error::Old);
                }
                (shown.damage, shown.stamp, shown.is_news) = (*damage, stamp, true);
            }
            // A late word on the unit before it.
            Some(shown) if stamp.since(shown.stamp) < 0 => return Err(Error::Old),
            Some(shown) => *shown = Shown::new(stamp, damage),
            None if is_full => return Err(Error::TooManyActors),
            None => self.0.put(index, Shown::new(stamp, damage)),
        }
        Ok(())
    }

    /// Before a tick: keeps those whose unit is there, as `here` says of a unit and of whether a word on it came.
    pub(crate) fn check(&mut self, mut here: impl FnMut(ObjectId, bool) -> Here) {
        self.0.retain(|shown| here(shown.damage.unit, shown.is_news) == Here::Actors);
    }

    /// A tick: hands what came to `tell`.
    pub(crate) fn show(&mut self, mut tell: impl FnMut(ActorDamage)) {
        for shown in self.0.iter_mut().filter(|shown| shown.is_news) {
            shown.is_news = false;
            tell(shown.damage);
        }
    }
}
