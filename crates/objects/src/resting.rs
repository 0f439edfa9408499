//! What comes to rest, and which of those at rest have their turn (OBJ-21, 22). Knows no machine.

use alloc::vec::Vec;

use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::{Creation, ObjectState};
use mjolnir_wire::{Machine, ObjectId, Tick, Vec3};

use crate::rows::ObjectRow;

/// Ticks after an object came to rest at which everybody is told: three times over half a second (OBJ-21, ours).
pub const REST_REPEAT_TICKS: [u8; 3] = [0, 7, 15];
/// Objects at rest that are told in a tick, round all of them (OBJ-22).
pub const RESTING_A_TICK: usize = 4;

/// Past the last repeat.
const SETTLED: u8 = REST_REPEAT_TICKS[2] + 1;
/// Not at rest.
const MOVING: u8 = 0xFF;

/// What was last seen at an index.
#[derive(Clone, Copy, Debug)]
struct Seen {
    identifier: u16,
    /// Ticks that it has lain there, to [`SETTLED`], or [`MOVING`].
    still: u8,
    /// It was said to rest.
    rests: bool,
    position: Vec3,
    /// The tick in which it came to rest, if it was seen to.
    since: Option<Tick>,
    /// Whose player drives it.
    driver: Option<Machine>,
    /// An actor drives it: it lives, and where it is is told with the actors.
    is_actors: bool,
    /// Ticks since it fell as an actor's unit, to [`SETTLED`].
    fallen: u8,
    /// Its light, as machines know it; none where they may not.
    light: Option<bool>,
}

impl Seen {
    const fn moving(identifier: u16, position: Vec3) -> Self {
        Self {
            identifier,
            still: MOVING,
            rests: false,
            position,
            since: None,
            driver: None,
            is_actors: false,
            fallen: SETTLED,
            light: None,
        }
    }

    /// Everybody is told of it in this tick: it has come to rest, or has fallen.
    fn is_everybodys(&self) -> bool {
        REST_REPEAT_TICKS.contains(&self.still) || REST_REPEAT_TICKS.contains(&self.fallen)
    }
}

/// How an object is told of in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// As what moves: by distance. So is what is said to rest and lies elsewhere each tick, on a lift.
    Moving,
    /// To everybody: it has come to rest, or has fallen, or its light went on or off.
    Everybody,
    /// When its turn comes.
    InTurn,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Resting {
    seen: Vec<Seen>,
    /// The index after that of the last whose turn it was.
    next: usize,
}

impl Resting {
    pub(crate) fn new() -> Self {
        Self { seen: alloc::vec![Seen::moving(0, Vec3::ZERO); FIRST_OWN_OBJECT], next: 0 }
    }

    /// That unit is told with the players: once it is a body, it comes to rest.
    pub(crate) fn lives(&mut self, unit: ObjectId) {
        if let Some(seen) = self.seen.get_mut(unit.index()) {
            *seen = Seen::moving(unit.identifier(), Vec3::ZERO);
        }
    }

    /// An object was made, and its creation told so: what differs by the end of the tick is not told yet.
    pub(crate) fn made(&mut self, creation: &Creation) {
        let Creation { object, position, at_rest, carried, .. } = *creation;
        if let Some(seen) = self.seen.get_mut(object.index()) {
            let rests = at_rest && !carried;
            let still = if rests { SETTLED } else { MOVING };
            // A creation says nothing of a light: it is off.
            let light = Some(false);
            *seen = Seen { still, rests, light, ..Seen::moving(object.identifier(), position) };
        }
    }

    /// A living unit that an actor drives, as that tick left it: where it is is told with the actors, so that only its light is
    /// news here. It goes to everybody as it changes, three times, and in turn (OBJ-28).
    pub(crate) fn attend(&mut self, row: &ObjectRow) -> Telling {
        let ObjectState { object, light, motion, .. } = row.state;
        let Some(seen) = self.seen.get_mut(object.index()) else { return Telling::InTurn };
        let was = *seen;
        let knows = was.identifier == object.identifier() && was.light == light;
        let still = match light {
            None => MOVING,
            Some(_) if !knows => 0,
            Some(_) if was.is_actors => (was.still + 1).min(SETTLED),
            Some(_) => SETTLED,
        };
        let is_actors = true;
        *seen = Seen { still, is_actors, light, ..Seen::moving(object.identifier(), motion.position) };
        if seen.is_everybodys() { Telling::Everybody } else { Telling::InTurn }
    }

    /// An object as that tick left it.
    pub(crate) fn look(&mut self, tick: Tick, row: &ObjectRow) -> Telling {
        let ObjectRow { state, driver, .. } = *row;
        let Some(seen) = self.seen.get_mut(state.object.index()) else { return Telling::InTurn };
        let was = *seen;
        let rests = rests(row);
        let position = state.motion.position;
        let is_same = was.identifier == state.object.identifier();
        let was_actors = is_same && was.is_actors;
        let fallen = match was.fallen {
            _ if !is_same || !state.dead => SETTLED,
            _ if was_actors => 0,
            ticks => (ticks + 1).min(SETTLED),
        };
        let light = state.light;
        *seen = Seen { rests, driver, fallen, light, ..Seen::moving(state.object.identifier(), position) };
        let has_fallen = REST_REPEAT_TICKS.contains(&fallen);
        if !rests {
            return if has_fallen { Telling::Everybody } else { Telling::Moving };
        }
        let is_moved = was.position != position;
        if !is_same {
            // Nobody made it: it was placed with the map, and whoever has a list has it from there.
            seen.still = SETTLED;
        } else if was.rests && is_moved && (was.still == 0 || was.still == MOVING) {
            return if has_fallen { Telling::Everybody } else { Telling::Moving };
        } else if was.still == MOVING
            || was_actors
            || is_moved
            || (was.driver.is_some() && was.driver != driver)
        {
            // The machine that drove it was told nothing of it here.
            (seen.still, seen.since) = (0, Some(tick));
        } else {
            (seen.still, seen.since) = ((was.still + 1).min(SETTLED), was.since);
        }
        if seen.is_everybodys() { Telling::Everybody } else { Telling::InTurn }
    }

    /// Since when it may be news to a machine how that object, looked at in this tick, lies; none where it does not lie,
    /// and where it was made so. Always where its light is on: no creation says so (OBJ-28).
    pub(crate) fn news(&self, tick: Tick, row: &ObjectRow) -> Option<Tick> {
        let object = row.state.object;
        let seen = self.seen.get(object.index())?;
        let lies = seen.identifier == object.identifier() && seen.still != MOVING;
        if lies && row.state.light == Some(true) { Some(tick) } else { seen.since.filter(|_| lies) }
    }

    /// Hands those at rest whose turn it is to `tell`, but for those that everybody is told of in this tick anyway.
    /// `rows` rise by index, each looked at in this tick.
    pub(crate) fn turn<'a>(&mut self, rows: &'a [ObjectRow], mut tell: impl FnMut(&'a ObjectRow)) {
        let start = rows.partition_point(|row| row.state.object.index() < self.next);
        let (before, after) = rows.split_at(start);
        let resting = after.iter().chain(before).filter(|row| {
            let object = row.state.object;
            let seen = self.seen.get(object.index());
            // A living player's unit is not seen to be still.
            seen.is_some_and(|seen| seen.still != MOVING && seen.identifier == object.identifier())
        });
        let mut next = self.next;
        for row in resting.take(RESTING_A_TICK) {
            let index = row.state.object.index();
            next = index + 1;
            if !self.seen[index].is_everybodys() {
                tell(row);
            }
        }
        self.next = next;
    }
}

/// Whether it lies in the world and does not move.
const fn rests(row: &ObjectRow) -> bool {
    row.state.at_rest && !row.state.carried
}
