//! What the crates are told beside messages: the engine's rows of players and vehicles as each reads them, and the round
//! trip in ticks. Knows no rule.

use mjolnir_authority::{PlayerRow, UnitRow, VehicleRow};
use mjolnir_prediction as prediction;
use mjolnir_wire::limits::TICKS_PER_SECOND;

use super::{Client, Scratch};
use crate::engine::Engine;

/// Ticks that a round trip takes until it was measured (ours): the host's word on own seats and counts waits so long.
const UNKNOWN_ROUND_TRIP: u32 = 15;

impl Client {
    /// The smoothed round trip in ticks, rounded up; before it was measured that of a very slow network.
    pub(super) fn round_trip(&self) -> u32 {
        let ticks = |ms: u32| ms.saturating_mul(TICKS_PER_SECOND).div_ceil(1000);
        self.clock.meter_ms().map_or(UNKNOWN_ROUND_TRIP, ticks)
    }
}

impl Scratch {
    /// Fills prediction's rows: from those of units that were read, and from the vehicles that are driven.
    pub(super) fn take_rows(&mut self, engine: &impl Engine) {
        let Self { rows, units, vehicles, driven, .. } = self;
        units.clear();
        units.extend(rows.iter().filter(|row| !row.left).filter_map(unit));
        vehicles.clear();
        engine.read_vehicles(vehicles);
        driven.clear();
        driven.extend(vehicles.iter().map(vehicle));
    }
}

pub(super) fn player(row: &UnitRow) -> PlayerRow {
    PlayerRow { slot: row.state.slot, unit: row.living().map(|unit| unit.unit) }
}

fn unit(row: &UnitRow) -> Option<prediction::UnitRow> {
    let unit = row.living()?;
    Some(prediction::UnitRow {
        slot: row.state.slot,
        unit: unit.unit,
        placement: unit.placement,
        grounded: row.grounded,
        ride: unit.ride,
        platform: row.platform.map(|platform| prediction::Platform {
            id: platform.id,
            moving: platform.moving,
            contact: platform.contact,
            floor: platform.floor,
        }),
    })
}

fn vehicle(row: &VehicleRow) -> prediction::VehicleRow {
    prediction::VehicleRow { vehicle: row.vehicle, slot: row.driver, motion: row.motion }
}
