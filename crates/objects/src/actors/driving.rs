//! What the host's actors have a client's units do: the latest word on each, how long nothing was heard, and what of it begins
//! (OBJ-36, 49). Knows no place, and of a unit its name alone.

use mjolnir_wire::actors::ActorState;
use mjolnir_wire::limits::{FIRST_OWN_OBJECT, MAX_ACTOR_UNITS};
use mjolnir_wire::objects::ObjectState;
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{ObjectId, Tick};

use crate::by_index::ByIndex;
use crate::error::Error;
use crate::rows::{ActorCommand, Begins};
use crate::table::Table;

/// Ticks without a word after which a unit is driven no more: 2 s (OBJ-36).
pub const ACTOR_SILENCE: u8 = 60;

/// Which impulse, speech and animation of a unit's began last.
type Numbers = [u8; 3];

/// A unit that is driven, or will be if it is there.
#[derive(Clone, Copy, Debug)]
struct Actor {
    state: ActorState,
    /// The host's tick of that.
    stamp: Tick,
    /// It came since the last tick, and none that is newer says where the unit is.
    is_news: bool,
    newest: Newest,
    /// It is driven.
    driven: Option<Numbers>,
    /// Ticks since a word came.
    silent: u8,
    /// It is no actor's any more.
    ends: bool,
    /// A word of it is to be carried out.
    is_said: bool,
}

impl Actor {
    fn new(stamp: Tick, state: &ActorState) -> Self {
        let mut newest = Newest::default();
        newest.take(stamp);
        Self {
            state: *state,
            stamp,
            is_news: true,
            newest,
            driven: None,
            silent: 0,
            ends: false,
            is_said: true,
        }
    }
}

/// Who an actor's unit is, here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Here {
    /// A unit that lives and is no player's.
    Actors,
    /// A living player's, or one that waits for the blow that felled it.
    Others,
    /// A body, or nothing: it does nothing any more.
    Nothing,
}

/// What an object's state is heard on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    /// All of it: no actor drives it, or it is dead.
    All,
    /// Its light and where it is; that it rests is nothing that a driven unit does.
    Place,
    /// Its light alone.
    Light,
}

/// See the file's text. At most [`MAX_ACTOR_UNITS`].
#[derive(Debug)]
pub(crate) struct Driving {
    actors: ByIndex<Actor>,
    /// Units that were made after everything was listed, and not driven since: their numbers rise from 0.
    born: Table,
}

impl Driving {
    pub(crate) fn new() -> Self {
        Self { actors: ByIndex::new(), born: Table::new() }
    }

    /// That object was made, and on the host just before.
    pub(crate) fn born(&mut self, object: ObjectId) {
        self.born.set(object);
    }

    pub(crate) fn hear(&mut self, stamp: Tick, state: &ActorState) -> Result<(), Error> {
        let index = state.unit.index();
        if index >= FIRST_OWN_OBJECT {
            return Err(Error::NotTheHosts);
        }
        let is_full = self.actors.len() == MAX_ACTOR_UNITS;
        match self.actors.get_mut(index) {
            Some(actor) if actor.state.unit == state.unit => {
                if !actor.newest.take(stamp) {
                    return Err(Error::Old);
                }
                (actor.state, actor.stamp) = (*state, stamp);
                (actor.is_news, actor.is_said) = (true, true);
            }
            // A late word on the unit before it.
            Some(actor) if stamp.since(actor.stamp) < 0 => return Err(Error::Old),
            Some(actor) => *actor = Actor::new(stamp, state),
            None if is_full => return Err(Error::TooManyActors),
            None => self.actors.put(index, Actor::new(stamp, state)),
        }
        Ok(())
    }

    /// What that object's state is heard on. That it is dead always; where it is only if the latest word of its actor is older, and
    /// has it on foot: that one's place is then none any more.
    pub(crate) fn counts(&mut self, stamp: Option<Tick>, state: &ObjectState) -> Counts {
        let actor = self.actors.get_mut(state.object.index());
        let Some(actor) = actor.filter(|actor| actor.state.unit == state.object) else { return Counts::All };
        let is_newer = stamp.is_some_and(|stamp| stamp.since(actor.stamp) > 0);
        let counts = match state.dead {
            true => Counts::All,
            false if is_newer && actor.state.ride.is_none() => Counts::Place,
            false => return Counts::Light,
        };
        actor.is_news = false;
        counts
    }

    /// Before a tick: keeps those whose unit is there, as `here` says of a unit and of whether a word on it came.
    pub(crate) fn check(&mut self, mut here: impl FnMut(ObjectId, bool) -> Here) {
        self.actors.retain(|actor| match here(actor.state.unit, actor.is_said) {
            Here::Actors => true,
            Here::Others => {
                (actor.ends, actor.is_news) = (true, false);
                actor.driven.is_some()
            }
            Here::Nothing => false,
        });
    }

    /// Hands each word on where a unit is that came since the last tick to `place`, but for what a newer one says.
    pub(crate) fn place(&mut self, mut place: impl FnMut(&ActorState)) {
        for actor in self.actors.iter_mut().filter(|actor| actor.is_news) {
            place(&actor.state);
            actor.is_news = false;
        }
    }

    /// A tick: hands what is to be done to `tell`.
    pub(crate) fn drive(&mut self, mut tell: impl FnMut(ActorCommand)) {
        let born = &mut self.born;
        self.actors.retain(|actor| {
            let unit = actor.state.unit;
            if core::mem::take(&mut actor.is_said) && !actor.ends {
                let numbers = numbers(&actor.state);
                let first = if born.holds(unit) { [0; 3] } else { numbers };
                born.clear_of(unit);
                let had = actor.driven.replace(numbers).unwrap_or(first);
                actor.silent = 0;
                tell(ActorCommand::Drive { state: actor.state, begins: begins(&actor.state, had) });
                return true;
            }
            actor.silent += 1;
            let ends = actor.ends || actor.silent >= ACTOR_SILENCE;
            if ends {
                tell(ActorCommand::Stop { unit });
            }
            !ends
        });
    }

    /// Units that are driven.
    pub(crate) fn count(&self) -> usize {
        self.actors.iter().filter(|actor| actor.driven.is_some()).count()
    }
}

const fn numbers(state: &ActorState) -> Numbers {
    [state.impulse.number, state.speech.number, state.user_animation.number]
}

/// What begins with that word, where those numbers were had.
fn begins(state: &ActorState, had: Numbers) -> Begins {
    let [impulse, speech, animation] = numbers(state);
    Begins {
        impulse: impulse != had[0] && state.impulse.kind.is_some(),
        speech: speech != had[1] && state.speech.sound.is_some(),
        animation: animation != had[2] && state.user_animation.graph.is_some(),
    }
}
