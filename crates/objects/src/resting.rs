//! What comes to rest, and which of those at rest have their turn (OBJ-21, 22). Knows no machine.

use alloc::vec::Vec;

use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::ObjectState;
use mjolnir_wire::{ObjectId, Vec3};

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
}

/// How an object is told of in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// As what moves: by distance. So is what is said to rest and lies elsewhere each tick, on a lift.
    Moving,
    /// To everybody: it has come to rest.
    Resting,
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
        let nothing = Seen { identifier: 0, still: MOVING, rests: false, position: Vec3::ZERO };
        Self { seen: alloc::vec![nothing; FIRST_OWN_OBJECT], next: 0 }
    }

    /// That unit is told with the players: once it is a body, it comes to rest.
    pub(crate) fn lives(&mut self, unit: ObjectId) {
        if let Some(seen) = self.seen.get_mut(unit.index()) {
            *seen = Seen { identifier: unit.identifier(), still: MOVING, rests: false, position: Vec3::ZERO };
        }
    }

    /// An object as this tick left it.
    pub(crate) fn look(&mut self, state: &ObjectState) -> Telling {
        let ObjectState { object, motion, .. } = *state;
        let Some(seen) = self.seen.get_mut(object.index()) else { return Telling::InTurn };
        let was = *seen;
        let rests = rests(state);
        *seen = Seen { identifier: object.identifier(), still: MOVING, rests, position: motion.position };
        if !rests {
            return Telling::Moving;
        }
        let is_moved = was.position != motion.position;
        seen.still = if was.identifier != object.identifier() {
            // Its creation said so.
            SETTLED
        } else if was.rests && is_moved && (was.still == 0 || was.still == MOVING) {
            return Telling::Moving;
        } else if was.still == MOVING || is_moved {
            0
        } else {
            (was.still + 1).min(SETTLED)
        };
        if REST_REPEAT_TICKS.contains(&seen.still) { Telling::Resting } else { Telling::InTurn }
    }

    /// Hands those at rest whose turn it is to `tell`, but for those that everybody is told of in this tick anyway.
    /// `rows` rise by index, each looked at in this tick.
    pub(crate) fn turn<'a>(&mut self, rows: &'a [ObjectRow], mut tell: impl FnMut(&'a ObjectState)) {
        let start = rows.partition_point(|row| row.state.object.index() < self.next);
        let (before, after) = rows.split_at(start);
        let resting = after.iter().chain(before).map(|row| &row.state).filter(|state| {
            let seen = self.seen.get(state.object.index());
            // A living player's unit is not seen to be still.
            seen.is_some_and(|seen| seen.still != MOVING && seen.identifier == state.object.identifier())
        });
        let mut next = self.next;
        for state in resting.take(RESTING_A_TICK) {
            let index = state.object.index();
            next = index + 1;
            if !REST_REPEAT_TICKS.contains(&self.seen[index].still) {
                tell(state);
            }
        }
        self.next = next;
    }
}

/// Whether it lies in the world and does not move.
const fn rests(state: &ObjectState) -> bool {
    state.at_rest && !state.carried
}
