//! What a client's own player was moved for: a seat that another has on the host too, a seat that the host knows otherwise
//! since an input was lost, or nothing that is known. Knows what both machines' worlds have, and no message.

use std::collections::HashMap;
use std::fmt;

use mjolnir_skirmish::game::World;
use mjolnir_wire::{ObjectId, Slot, Tick};

use crate::lab::{Lab, Who};

/// Ticks for which a seat is remembered: a round trip of the table's, and what comes late besides.
const REMEMBERED: i32 = 40;

/// What it was moved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Another sat on the host where it sat on its own machine: two players at one seat.
    Contested,
    /// The host had it in another seat than its own machine, in a game that loses datagrams.
    Lost,
    /// Nothing of these.
    Unknown,
}

/// How often each was the cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// See [`Cause::Contested`].
    pub contested: usize,
    /// See [`Cause::Lost`].
    pub lost: usize,
    /// See [`Cause::Unknown`].
    pub unknown: usize,
}

impl fmt::Display for Causes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.contested, self.lost, self.unknown)
    }
}

/// Follows a game, tick by tick.
#[derive(Debug)]
pub struct Tracer {
    loses: bool,
    /// When each client's player last sat where another did on the host, and when elsewhere than there.
    contested: HashMap<usize, Tick>,
    differed: HashMap<usize, Tick>,
    seen: Vec<usize>,
    causes: Causes,
}

impl Tracer {
    /// From now on; in a game that `loses` datagrams.
    pub fn new(lab: &Lab, loses: bool) -> Self {
        let seen = (0..lab.clients.len()).map(|place| moves(lab, place)).collect();
        let (contested, differed) = (HashMap::new(), HashMap::new());
        Self { loses, contested, differed, seen, causes: Causes::default() }
    }

    /// That machine has just simulated a tick.
    pub fn follow(&mut self, lab: &Lab, who: Who) {
        let Who::Client(place) = who else { return };
        let (host, here) = (lab.host.engine.world(), lab.clients[place].engine.world());
        let (slot, tick) = (lab.clients[place].slot(), here.tick());
        // Before its seats of this tick are looked at: a move is of before them.
        let more = moves(lab, place) - std::mem::replace(&mut self.seen[place], moves(lab, place));
        let lately = |of: &HashMap<usize, Tick>| {
            of.get(&place).is_some_and(|at| (0..=REMEMBERED).contains(&tick.since(*at)))
        };
        let (is_contested, differed) = (lately(&self.contested), lately(&self.differed));
        let sum = match cause(is_contested, differed && self.loses) {
            Cause::Contested => &mut self.causes.contested,
            Cause::Lost => &mut self.causes.lost,
            Cause::Unknown => &mut self.causes.unknown,
        };
        *sum += more;
        let (Some(there), Some(sits)) = (ride(host, slot), ride(here, slot)) else { return };
        let taken = sits.and_then(|(vehicle, seat)| host.riders(vehicle)?[usize::from(seat)]);
        if taken.is_some_and(|unit| host.unit(slot) != Some(unit)) {
            self.contested.insert(place, tick);
        }
        if there != sits {
            self.differed.insert(place, tick);
        }
    }

    /// What was found.
    pub const fn causes(&self) -> Causes {
        self.causes
    }
}

const fn cause(is_contested: bool, is_lost: bool) -> Cause {
    match (is_contested, is_lost) {
        (true, _) => Cause::Contested,
        (_, true) => Cause::Lost,
        _ => Cause::Unknown,
    }
}

/// Where a living player sits.
fn ride(world: &World, slot: Slot) -> Option<Option<(ObjectId, u8)>> {
    world.unit(slot).map(|unit| world.ride(unit))
}

/// How often a client's own player, or what it drives, was moved by the host's word.
fn moves(lab: &Lab, place: usize) -> usize {
    let notes = &lab.clients[place].engine.notes;
    notes.own_moves.len() + notes.own_seatings.len() + notes.own_vehicle_moves.len()
}
