//! The host's word on objects and devices, carried out by the engine before a tick. Knows none of them.

use mjolnir_wire::Tick;

use super::{Client, Scratch};
use crate::engine::Engine;

impl Client {
    /// Makes and deletes what the host did, then puts what is there where the host has it.
    pub(super) fn follow_objects(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { present, objects, rows, living, .. } = &mut self.scratch;
        present.clear();
        engine.read_object_rows(present);
        objects.clear();
        self.objects.tick(tick, present, objects, &mut self.outbox);
        for command in objects.iter() {
            engine.apply_object(command);
        }
        if !objects.is_empty() {
            // What was made has a place now, or could not be made.
            present.clear();
            engine.read_object_rows(present);
            objects.clear();
        }
        rows.clear();
        engine.read_units(rows);
        living.clear();
        living.extend(rows.iter().filter_map(|row| row.living().map(|unit| unit.unit)));
        self.objects.settle(present, living, objects);
        for command in objects.iter() {
            engine.apply_object(command);
        }
    }

    /// Sets and puts devices as the host has them, for the tick to be simulated.
    pub(super) fn follow_devices(&mut self, engine: &mut impl Engine) {
        let Scratch { groups, places, devices, .. } = &mut self.scratch;
        groups.clear();
        engine.read_groups(groups);
        places.clear();
        engine.read_devices(places);
        devices.clear();
        self.devices.before_tick(groups, places, devices);
        for command in devices.iter() {
            engine.apply_device(command);
        }
    }
}
