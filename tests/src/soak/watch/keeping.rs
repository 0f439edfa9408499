//! What machines keep and count while it is quiet: predictions that are not taken, corrections, refusals, what waits to
//! be sent, memory. Knows no message.

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::transport::Dropped;
use mjolnir_skirmish::game::World;
use mjolnir_wire::{Machine, ObjectId, Slot};

use super::super::{Found, name};
use super::Invariant;
use super::harm::is_hit;
use crate::lab::{Lab, Who};

/// Bytes that may wait for a machine's stream once it is quiet.
const WAITING_BYTES: usize = 4096;

/// Refused of honest machines at any time: a prediction that crosses its unit's death, and a datagram about an object
/// that overtakes the stream's word of its making, or of another in its place; and a vehicle's, that crosses its driver's
/// getting in or out. Hits are looked at one by one (see `harm`).
const CROSSING: [&str; 5] = ["wrong_unit", "unknown_object", "stale_object", "not_driven", "unknown_unit"];

/// What the host counts predictions by that it does not take.
const NOT_TAKEN: [&str; 2] = ["past_tolerance", "past_bounds"];

/// The host's ticks for which a client may be refused since one of its players sat otherwise than the host has it: who gets
/// into what still rolls, and is refused the seat, stands beside that on its own machine for a round trip.
const DISPUTED_TICKS: u32 = 60;

/// What was counted when it became quiet.
#[derive(Debug, Default)]
pub(super) struct Kept {
    not_taken: u64,
    /// Ticks since a seat, or who stands on a platform, was disputed.
    undisputed: u32,
    /// Some were not taken, of whose seat or platform was.
    excused: bool,
    /// A client's player rode, or fell off what it rode: where that left the two machines' apart its client gives way, and
    /// is moved.
    rode: bool,
    /// The slots, one bit each, of players that stood on a platform on their machine and not on the host, or the other way
    /// round, and have not stood on the same on both since.
    riding: u128,
    /// By machine.
    counted: Vec<Counters>,
}

impl Kept {
    pub(super) fn begin(&mut self, lab: &mut Lab) {
        self.not_taken = not_taken(lab);
        (self.undisputed, self.excused, self.rode) = (0, false, false);
        self.counted = machines(lab).map(|who| counters(lab, who)).collect();
    }

    /// After a tick of the host's, quiet or not: who rides on one machine alone, and who stands on the same again.
    pub(super) fn follow(&mut self, lab: &Lab) {
        let (parted, agreed) = riders(lab);
        self.riding = (self.riding | parted) & !agreed;
    }

    /// After a tick of the host's: every prediction of every client is taken, unless a seat was disputed, or on which
    /// platform a player is: who jumps where one leaves, or stands on its rim, may be on one machine's alone.
    pub(super) fn refuses_nobody(&mut self, lab: &mut Lab) -> Found<()> {
        let rides = self.riding != 0;
        self.rode |= rides;
        self.undisputed = if rides || is_disputed(lab) { 0 } else { self.undisputed + 1 };
        let more = not_taken(lab).saturating_sub(self.not_taken);
        if more == 0 {
            return Ok(());
        }
        if (has_vehicles(lab) || self.rode) && self.undisputed < DISPUTED_TICKS {
            self.not_taken += more;
            self.excused = true;
            return Ok(());
        }
        let takings = lab.host.net.authority().takings();
        Err((Invariant::Refused, format!("{more} predictions were not taken, in all {takings:?}")))
    }

    /// Nobody refused anything, nobody was moved, and nothing waits.
    pub(super) fn weigh(&self, lab: &Lab) -> Found<()> {
        for (who, before) in machines(lab).zip(&self.counted) {
            let now = counters(lab, who);
            let excused = |reason: &str| {
                CROSSING.contains(&reason)
                    || who == Who::Host && is_hit(reason)
                    || self.excused && who == Who::Host && NOT_TAKEN.contains(&reason)
            };
            let more = now.refused.iter().find(|(reason, count)| {
                !excused(reason) && **count > before.refused.get(*reason).copied().unwrap_or(0)
            });
            if let Some((reason, _)) = more {
                return Err((Invariant::Refused, format!("{} refused what is {reason}", name(who))));
            }
            let unread = |counters: &Counters| {
                let Dropped { far_stamp, undecodable, unknown_kind, .. } = counters.dropped;
                far_stamp + undecodable + unknown_kind
            };
            if unread(&now) > unread(before) {
                let what = format!("{} dropped {:?}, before {:?}", name(who), now.dropped, before.dropped);
                return Err((Invariant::Refused, what));
            }
            let moved = |counters: &Counters| counters.own_corrections + counters.own_vehicle_corrections;
            let moved = moved(&now) - moved(before);
            if moved > 0 && !(self.rode || self.excused) {
                return Err((Invariant::Refused, format!("{} was moved {moved} times", name(who))));
            }
        }
        for machine in lab.host.net.transport().machines().iter().filter(|machine| *machine != Machine::HOST)
        {
            let waits = lab.host.net.transport().unsent(machine);
            if waits > WAITING_BYTES {
                let what = format!("{waits} bytes wait for machine {}", machine.index());
                return Err((Invariant::Growth, what));
            }
        }
        Ok(())
    }
}

fn has_vehicles(lab: &Lab) -> bool {
    lab.host.engine.game.world().is_some_and(|world| world.map().has_vehicles())
}

/// Whether a client has one of its own players in another seat than the host, or in none.
fn is_disputed(lab: &Lab) -> bool {
    let Some(host) = lab.host.engine.game.world() else { return false };
    let seats = lab.clients.iter().filter(|seat| seat.runs);
    seats.filter_map(|seat| Some((seat, seat.engine.game.world()?))).any(|(seat, here)| {
        let ride = |world: &World, slot: Slot| -> Option<Option<(ObjectId, u8)>> {
            world.unit(slot).map(|unit| world.ride(unit))
        };
        seat.net.own_slots().iter().any(|slot| match (ride(host, *slot), ride(here, *slot)) {
            (Some(there), Some(here)) => there != here,
            _ => false,
        })
    })
}

/// The slots, one bit each, of clients' players that stand on a platform on their machine and not on the host, or the other
/// way round, and of those that stand on the same, or do not live, on both.
fn riders(lab: &Lab) -> (u128, u128) {
    let Some(host) = lab.host.engine.game.world() else { return (0, u128::MAX) };
    let (mut parted, mut agreed) = (0, u128::MAX);
    for (seat, here) in lab.clients.iter().filter_map(|seat| Some((seat, seat.engine.game.world()?))) {
        for slot in seat.net.own_slots().iter().filter(|_| seat.runs) {
            let under = |world: &World| {
                let carriage = world.carried_by(*slot).filter(|carriage| carriage.contact);
                carriage.map(|carriage| carriage.platform)
            };
            let flies = |world: &World| world.unit(*slot).is_some_and(|unit| !world.grounded(unit));
            let is_parted = under(host) != under(here);
            parted |= u128::from(is_parted) << slot.get();
            agreed &= !(u128::from(is_parted || flies(host) || flies(here)) << slot.get());
        }
    }
    (parted, agreed)
}

fn machines(lab: &Lab) -> impl Iterator<Item = Who> + use<> {
    std::iter::once(Who::Host).chain((0..lab.clients.len()).map(Who::Client))
}

fn not_taken(lab: &mut Lab) -> u64 {
    let takings = lab.host.net.authority().takings();
    takings.past_tolerance + takings.past_bounds
}

fn counters(lab: &Lab, who: Who) -> Counters {
    match who {
        Who::Host => lab.host.net.counters(),
        Who::Client(place) => lab.clients[place].net.counters(),
    }
}
