//! The host's word on objects, devices and surfaces, carried out by the engine before a tick. Knows none of them.

use mjolnir_objects as objects;
use mjolnir_prediction as prediction;
use mjolnir_wire::objects::Inventory;
use mjolnir_wire::{Slot, Tick};

use super::harming::stands;
use super::{Client, Scratch};
use crate::engine::Engine;

impl Client {
    /// Makes and deletes what the host did, then puts what is there where the host has it.
    pub(super) fn follow_objects(&mut self, tick: Tick, engine: &mut impl Engine) {
        let round_trip = self.round_trip();
        let Scratch { present, objects, rows, living, carried, picks, .. } = &mut self.scratch;
        present.clear();
        engine.read_object_rows(present);
        for row in present.iter().filter(|row| row.class == objects::Class::Vehicle) {
            // As the tick before this one left it.
            self.prediction.note_left(tick.minus(1), row.state.object, row.state.motion.position);
        }
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
        // Nor is it theirs to say where one is that waits for its blow, or that it has fallen.
        living.extend(self.damage.waiting().filter(|unit| stands(*unit, present)));
        self.objects.settle(present, living, objects);
        let own = self.own.slots();
        for command in objects.iter() {
            let objects::Command::Carry(host) = command else {
                engine.apply_object(command);
                continue;
            };
            let before = self.prediction.note_carried(host);
            let holds = |slot: &Slot| {
                let hold = |acted| self.prediction.own_counts_hold(tick, round_trip, *slot, host.unit, acted);
                engine.acted(*slot).is_some_and(hold)
            };
            let carries = if own.iter().any(holds) {
                with_own_counts(host, before.as_ref(), engine, carried)
            } else {
                *host
            };
            engine.apply_object(&objects::Command::Carry(carries));
        }
        picks.clear();
        self.objects.take_picks(present, |unit| engine.animations(unit), picks);
        for pick in picks.iter() {
            engine.apply_damage_animation(pick);
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

    /// Breaks what broke on the host, and does what its scripts did once.
    pub(super) fn follow_surfaces(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { breaks, actions, .. } = &mut self.scratch;
        breaks.clear();
        actions.clear();
        self.events.before_tick(tick, |surface| engine.is_broken(surface), breaks, actions);
        for broken in breaks.iter() {
            engine.apply_broken_surface(broken);
        }
        for action in actions.iter() {
            engine.apply_script_action(action);
        }
    }
}

/// What the host says that a unit carries, with this machine's own counts of it.
fn with_own_counts(
    host: &Inventory,
    before: Option<&Inventory>,
    engine: &impl Engine,
    carried: &mut Vec<objects::CarryRow>,
) -> Inventory {
    carried.clear();
    engine.read_inventories(carried);
    let own = carried.iter().find(|row| row.inventory.unit == host.unit);
    own.map_or(*host, |own| prediction::keep_counts(host, before, &own.inventory))
}
