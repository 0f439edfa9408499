//! What the host tells after a tick beside the players' units: the engine's rows of objects, handed to the crate that
//! knows whom they concern, and round trips. Knows no distance and no turn.

use mjolnir_authority::UnitRow;
use mjolnir_objects as objects;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::{MachineSet, Slot, Tick};

use super::{Host, Scratch};
use crate::engine::Engine;

impl Host {
    /// Tells of round trips.
    pub(super) fn tell_pings(&mut self, tick: Tick) {
        let Scratch { pings, .. } = &mut self.scratch;
        pings.clear();
        for (index, owner) in (0..).zip(&self.owners) {
            if let (Some(slot), Some(owner)) = (Slot::new(index), owner) {
                pings.push(Ping { slot, milliseconds: self.clock.ping_ms(*owner) });
            }
        }
        self.authority.pings(tick, pings, &mut self.outbox);
    }

    /// Tells of objects: made and deleted, where they are, what units carry.
    pub(super) fn tell_objects(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { rows, events, objects, carries, views, .. } = &mut self.scratch;
        views.clear();
        // Whoever has loaded is sent every player in every tick.
        views.extend(rows.iter().filter_map(|row| viewpoint(row, self.loaded)));
        events.clear();
        engine.take_object_events(events);
        objects.clear();
        engine.read_object_rows(objects);
        carries.clear();
        if objects::looks(tick) {
            engine.read_inventories(carries);
        }
        self.objects.set_behind(self.transport.behind());
        let rows = objects::Rows { events, objects, carries, views };
        self.objects.after_tick(tick, &rows, |rows| engine.read_objects(rows), &mut self.outbox);
    }

    /// Tells everybody who has loaded of devices, in every game that has some (OBJ-47).
    pub(super) fn tell_devices(&mut self, tick: Tick, engine: &impl Engine) {
        let Scratch { groups, devices, .. } = &mut self.scratch;
        groups.clear();
        engine.read_groups(groups);
        devices.clear();
        engine.read_devices(devices);
        self.devices.after_tick(tick, self.loaded, groups, devices, &mut self.outbox);
    }
}

/// Where a living player's machine looks from.
fn viewpoint(row: &UnitRow, told: MachineSet) -> Option<objects::Viewpoint> {
    let unit = row.living().filter(|_| !row.left)?;
    Some(objects::Viewpoint {
        slot: row.state.slot,
        machine: row.machine,
        unit: unit.unit,
        position: unit.placement?.position,
        told,
    })
}
