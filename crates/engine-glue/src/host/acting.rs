//! What each client's player says of itself beside its input: whether its machine has it on foot in that tick, or driving
//! what. A place on foot goes with each input, and none of who rides (PRED-27); a driver's vehicle goes with it (PRED-26).
//! Knows no place.

use mjolnir_wire::limits::{MAX_LOCAL_PLAYERS, MAX_MACHINES, MAX_PLAYERS};
use mjolnir_wire::{Machine, ObjectId, Slot, Tick};

use crate::engine::Rides;

/// A player's newest ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    input: Option<Tick>,
    on_foot: Option<Tick>,
}

/// What a machine's players drive, and the tick in which it last said so.
type Driven = [Option<(Tick, ObjectId)>; MAX_LOCAL_PLAYERS];

/// See the file's text.
#[derive(Debug)]
pub(super) struct Acting {
    players: [Said; MAX_PLAYERS],
    machines: [Driven; MAX_MACHINES],
}

impl Acting {
    pub(super) const fn new() -> Self {
        Self {
            players: [Said { input: None, on_foot: None }; MAX_PLAYERS],
            machines: [[None; MAX_LOCAL_PLAYERS]; MAX_MACHINES],
        }
    }

    /// That slot is another player's from now on.
    pub(super) const fn clear(&mut self, slot: Slot) {
        self.players[slot.index()] = Said { input: None, on_foot: None };
    }

    /// An input of that tick was taken.
    pub(super) const fn acted(&mut self, slot: Slot, stamp: Tick) {
        self.players[slot.index()].input = Some(stamp);
    }

    /// A place on foot came, of that tick. One that was overtaken says nothing of now.
    pub(super) fn stood(&mut self, slot: Slot, stamp: Tick) {
        let said = &mut self.players[slot.index()];
        if said.input.is_none_or(|input| stamp >= input) {
            said.on_foot = Some(stamp);
        }
    }

    /// A place of a vehicle came from its driver's machine, of that tick.
    pub(super) fn drove(&mut self, machine: Machine, stamp: Tick, vehicle: ObjectId) {
        let driven = &mut self.machines[machine.index()];
        let same = driven.iter().position(|of| of.is_some_and(|(_, other)| other == vehicle));
        let oldest = || (0..driven.len()).min_by_key(|at| driven[*at].map(|(tick, _)| tick));
        let Some(at) = same.or_else(oldest) else { return };
        driven[at] = Some((stamp, vehicle));
    }

    /// What its machine has a player do in the tick of its newest input. `others` says whether the host has another
    /// of that machine's players drive that.
    pub(super) fn rides(&self, slot: Slot, machine: Machine, others: impl Fn(ObjectId) -> bool) -> Rides {
        let Said { input: Some(input), on_foot } = self.players[slot.index()] else { return Rides::Along };
        if on_foot == Some(input) {
            return Rides::Nothing;
        }
        let driven = self.machines[machine.index()].iter().flatten();
        let own = driven.filter(|(tick, vehicle)| *tick == input && !others(*vehicle));
        own.map(|(_, vehicle)| Rides::Drives(*vehicle)).next().unwrap_or(Rides::Along)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: i32) -> Tick {
        Tick::new(tick).unwrap()
    }

    fn rides(acting: &Acting) -> Rides {
        acting.rides(Slot::new(3).unwrap(), Machine::new(2).unwrap(), |_| false)
    }

    /// PRED-27: who tells of a place in its newest tick is on foot, in whichever order the two come; who tells of its input
    /// alone rides. What was overtaken changes nothing, nor what a damaged stamp says once the next came.
    #[test]
    fn a_place_with_the_input_is_on_foot() {
        let slot = Slot::new(3).unwrap();
        let mut acting = Acting::new();
        assert_eq!(rides(&acting), Rides::Along);
        acting.acted(slot, at(10));
        assert_eq!(rides(&acting), Rides::Along);
        acting.stood(slot, at(10));
        assert_eq!(rides(&acting), Rides::Nothing);
        acting.stood(slot, at(11));
        acting.acted(slot, at(11));
        assert_eq!(rides(&acting), Rides::Nothing);
        acting.acted(slot, at(12));
        assert_eq!(rides(&acting), Rides::Along, "it got in");
        acting.stood(slot, at(11));
        assert_eq!(rides(&acting), Rides::Along, "of before");
        acting.stood(slot, at(9_000));
        assert_eq!(rides(&acting), Rides::Along);
        acting.acted(slot, at(13));
        acting.stood(slot, at(13));
        assert_eq!(rides(&acting), Rides::Nothing);
        acting.clear(slot);
        assert_eq!(rides(&acting), Rides::Along);
    }

    /// PRED-26: a vehicle told of in the tick of the newest input is driven, if no other player of that machine does; one of
    /// another tick is not. Four a machine are known, the oldest of which makes room.
    #[test]
    fn a_vehicle_with_the_input_is_driven() {
        let (slot, machine) = (Slot::new(3).unwrap(), Machine::new(2).unwrap());
        let vehicle = |index| ObjectId::new(index, 1).unwrap();
        let mut acting = Acting::new();
        acting.acted(slot, at(10));
        acting.drove(machine, at(10), vehicle(5));
        assert_eq!(rides(&acting), Rides::Drives(vehicle(5)));
        assert_eq!(acting.rides(slot, machine, |other| other == vehicle(5)), Rides::Along);
        assert_eq!(acting.rides(slot, Machine::HOST, |_| false), Rides::Along);
        acting.acted(slot, at(11));
        assert_eq!(rides(&acting), Rides::Along, "of before");
        acting.drove(machine, at(11), vehicle(5));
        assert_eq!(rides(&acting), Rides::Drives(vehicle(5)));
        for index in 6..10 {
            acting.drove(machine, at(6 + i32::from(index)), vehicle(index));
        }
        assert_eq!(rides(&acting), Rides::Along, "four others since");
        acting.acted(slot, at(12));
        assert_eq!(rides(&acting), Rides::Drives(vehicle(6)));
    }
}
