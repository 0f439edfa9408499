//! The vehicles that players drive: what their clients say of them, which of it is taken, and what each driver's machine
//! is told of its own. Knows no object that nobody drives, and tells no other machine: that is `objects`'.

use alloc::vec::Vec;

use mjolnir_wire::objects::{ObjectState, VehiclePrediction};
use mjolnir_wire::{Kind, Machine, MachineSet, ObjectId, Outbox, Slot, Tick};

use crate::error::Error;
use crate::host::Takings;
use crate::rows::{Command, VehicleRow};
use crate::stamps::Stamps;
use crate::take::Outcome;

mod bounds;
mod record;

pub use bounds::{
    VEHICLE_BLEND_DISTANCE, VEHICLE_MOST_A_TICK, VEHICLE_PLACE_SLACK, VEHICLE_SPEEDS, VehicleBounds,
};
use record::{Now, Prediction, Record};
pub use record::{VEHICLE_ANCHOR_KEPT, VEHICLE_HEIGHT_SLACK, VEHICLE_LAUNCH_SLACK, VEHICLE_TAKE_TOLERANCE};

/// Ticks between two states of a driven vehicle to its driver's machine (AUTH-32).
pub const VEHICLE_TOLD_EACH: i32 = 3;
/// Ticks before its client's newest that a state names one of at most (ours): of older ones the client keeps no place
/// (PRED-18), and without one the word is of the present.
pub const VEHICLE_NAMED_BACK: i32 = 60;

/// One vehicle as the host last read it, and what its driver's client said.
#[derive(Clone, Copy, Debug)]
struct Driven {
    vehicle: ObjectId,
    driver: Slot,
    machine: Machine,
    /// The newest prediction that waits for the end of the tick.
    waiting: Option<Prediction>,
    /// The client's ticks that were judged.
    stamps: Stamps,
    record: Record,
    /// The host itself put it elsewhere since the last tick.
    anew: bool,
}

impl Driven {
    fn is(&self, row: &VehicleRow) -> bool {
        (self.vehicle, self.driver, self.machine) == (row.vehicle, row.driver, row.machine)
    }
}

/// Every vehicle that a client's player drives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vehicles {
    all: Vec<Driven>,
}

impl Vehicles {
    /// See [`Host::handle_vehicle_prediction`](crate::Host::handle_vehicle_prediction).
    pub(crate) fn handle(
        &mut self,
        from: Machine,
        stamp: Tick,
        prediction: &VehiclePrediction,
    ) -> Result<(), Error> {
        let driven = self
            .all
            .iter_mut()
            .find(|driven| driven.vehicle == prediction.object && driven.machine == from)
            .ok_or(Error::NotDriven)?;
        let client = Tick::widen_not_after(stamp, prediction.time).ok_or(Error::Old)?;
        let waiting = driven.waiting.map(|prediction| prediction.client);
        if driven.stamps.is_old(client) || waiting.is_some_and(|waiting| client < waiting) {
            return Err(Error::Old);
        }
        if waiting != Some(client) && driven.stamps.newest() != Some(client) {
            driven.waiting = Some(Prediction { client, motion: prediction.motion });
        }
        Ok(())
    }

    /// Who drives that vehicle.
    pub(crate) fn driver(&self, vehicle: ObjectId) -> Option<Slot> {
        self.all.iter().find(|driven| driven.vehicle == vehicle).map(|driven| driven.driver)
    }

    /// The host itself put that player's vehicle elsewhere.
    pub(crate) fn placed_anew(&mut self, driver: Slot) {
        for driven in self.all.iter_mut().filter(|driven| driven.driver == driver) {
            driven.anew = true;
        }
    }

    /// The host left out so many ticks, which its clients did not.
    pub(crate) fn grant(&mut self, ticks: u32) {
        self.all.iter_mut().for_each(|driven| driven.record.grant(ticks));
    }

    /// Reads one vehicle's row and takes what its driver's client said of it; `takings` are all and the driver's.
    pub(crate) fn take(
        &mut self,
        tick: Tick,
        gravity: f32,
        round_trip: u8,
        row: &mut VehicleRow,
        takings: [&mut Takings; 2],
        commands: &mut Vec<Command>,
    ) {
        if row.machine == Machine::HOST {
            return;
        }
        let now = Now { tick, gravity, round_trip };
        let driven = self.of(row);
        if core::mem::take(&mut driven.anew) {
            driven.record.start_afresh(&row.motion);
        }
        driven.record.follow(&now, row);
        let mut believed = true;
        let judged = driven.waiting.take().filter(|prediction| {
            believed = driven.stamps.note(prediction.client);
            // Nothing bounds a first prediction but its tick.
            believed || driven.record.is_anchored()
        });
        if let Some(prediction) = judged {
            let outcome = driven.record.take(&now, row, &prediction, believed);
            takings.into_iter().for_each(|takings| takings.note(&outcome));
            if let Outcome::Taken(put) = outcome {
                if let Some((motion, why)) = put {
                    (row.motion, row.at_rest) = (motion, false);
                    commands.push(Command::PlaceVehicle { vehicle: row.vehicle, motion, why });
                }
                driven.record.note_taken(&now, row, &prediction, believed);
            } else if believed && outcome == Outcome::PastTolerance {
                driven.record.note_refused(&now, &prediction);
            }
        }
        driven.record.settle(&row.motion);
    }

    /// Tells a driver's machine of its vehicle, in every third tick, with the client's tick that it is at (AUTH-32).
    pub(crate) fn tell(&mut self, tick: Tick, row: &VehicleRow, outbox: &mut Outbox) {
        if tick.get() % VEHICLE_TOLD_EACH != 0 {
            return;
        }
        let driven = self.of(row);
        let newest = driven.stamps.newest();
        let is_kept = |named: &Tick| newest.is_none_or(|newest| newest.since(*named) <= VEHICLE_NAMED_BACK);
        let predicted = driven.record.client_tick(tick).filter(is_kept).map(Tick::low16);
        let state =
            ObjectState { at_rest: row.at_rest, predicted, ..ObjectState::moving(row.vehicle, row.motion) };
        // A state always fits; the outbox counts what does not.
        let _ = outbox.entry(MachineSet::only(row.machine), Kind::ObjectStates, |bytes| state.write(bytes));
    }

    /// Forgets the vehicles that have no row: nobody drives them any more.
    pub(crate) fn forget_all_but(&mut self, rows: &[VehicleRow]) {
        self.all.retain(|driven| rows.iter().any(|row| driven.is(row)));
    }

    /// What is kept of a row's vehicle, from now on if nothing was.
    fn of(&mut self, row: &VehicleRow) -> &mut Driven {
        let at = self.all.iter().position(|driven| driven.is(row)).unwrap_or(self.all.len());
        if at == self.all.len() {
            self.all.push(Driven {
                vehicle: row.vehicle,
                driver: row.driver,
                machine: row.machine,
                waiting: None,
                stamps: Stamps::default(),
                record: Record::new(&row.motion),
                anew: false,
            });
        }
        &mut self.all[at]
    }
}
