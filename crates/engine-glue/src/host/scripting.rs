//! What the host's level does by itself, handed to the crate that tells of it: devices, what breaks, and in co-op what scripts do
//! and show. Knows no turn and nobody whom it concerns.

use mjolnir_coop as coop;
use mjolnir_prediction::Driven;
use mjolnir_wire::events::{Action, SurfaceBroken};
use mjolnir_wire::{MachineSet, Tick};

use super::Host;
use crate::engine::Engine;
use crate::stilled::stilled;

/// Ticks after scripts took players' input in which a client's players are still driven by theirs (ours): as long as a client's
/// word may be on its way (AUTH-19). It moved until it heard of that, and is not put back for it.
const INPUT_TAKEN_AFTER: u32 = mjolnir_authority::FLIGHT_TRIP_MOST as u32;

/// See the file's text. One is of one game.
#[derive(Debug, Default)]
pub(super) struct Scripting {
    devices: coop::DeviceHost,
    events: coop::EventHost,
    names: coop::NamesHost,
    scripted: coop::ScriptedHost,
    /// For how many ticks scripts have had players' input.
    input_taken: Option<u32>,
    /// Where devices are as the level begins was read.
    has_begun: bool,
    scratch: Scratch,
}

/// Buffers that keep their capacity from tick to tick.
#[derive(Debug, Default)]
struct Scratch {
    groups: Vec<coop::GroupRow>,
    places: Vec<coop::DeviceRow>,
    actions: Vec<Action>,
    broken: Vec<SurfaceBroken>,
    scripted: coop::Scripted,
}

impl Scripting {
    /// What a player does in a tick, of what its controls say: nothing while scripts have its input (COOP-61).
    pub(super) fn drive(&self, driven: Driven, is_own: bool) -> Driven {
        let after = if is_own { 0 } else { INPUT_TAKEN_AFTER };
        if self.input_taken.is_some_and(|ticks| ticks >= after) {
            Driven { input: stilled(&driven.input), history: Default::default(), ..driven }
        } else {
            driven
        }
    }

    /// Whether no client's word is taken on where its players are (COOP-61): scripts have their input, and none that had it meanwhile
    /// can be on its way any more. Who does nothing is where the host has it.
    pub(super) fn holds_clients(&self) -> bool {
        self.input_taken.is_some_and(|ticks| ticks >= INPUT_TAKEN_AFTER)
    }

    /// Script actions that were dropped since too many waited (COOP-65).
    pub(super) const fn dropped(&self) -> u64 {
        self.events.dropped()
    }
}

impl Host {
    /// Before the first tick: reads how the level begins.
    pub(super) fn begin_level(&mut self, engine: &impl Engine) {
        let Scripting { devices, has_begun, scratch, .. } = &mut self.scripting;
        if !std::mem::replace(has_begun, true) {
            scratch.places.clear();
            engine.read_devices(&mut scratch.places);
            devices.begin(&scratch.places);
        }
    }

    /// Tells everybody who has loaded of devices and of what breaks, in every game that has some (OBJ-47, OBJ-31), and in co-op of
    /// what scripts do and show. `ready` were told of all objects in this tick.
    pub(super) fn tell_scripting(&mut self, tick: Tick, ready: MachineSet, engine: &mut impl Engine) {
        let (to, outbox) = (self.loaded, &mut self.outbox);
        let Scripting { devices, events, names, scripted, input_taken, scratch, .. } = &mut self.scripting;
        let Scratch { groups, places, actions, broken, scripted: rows } = scratch;
        groups.clear();
        engine.read_groups(groups);
        places.clear();
        engine.read_devices(places);
        devices.after_tick(tick, to, groups, places, outbox);

        broken.clear();
        engine.take_broken_surfaces(broken);
        actions.clear();
        engine.take_script_actions(actions);
        let shown = engine.read_presentation();
        if shown.is_none() {
            actions.clear();
        }
        events.after_tick(to, ready, actions, broken, outbox);
        let takes_input = shown.is_some_and(|shown| shown.input_disabled);
        *input_taken = takes_input.then(|| input_taken.map_or(0, |ticks| ticks.saturating_add(1)));
        // Outside co-op the rest is not told.
        let Some(shown) = shown else { return };
        coop::tell_presentation(to, &shown, outbox);
        names.after_tick(tick, to, engine.read_object_names().as_ref(), outbox);
        rows.clear();
        engine.read_transforms(&mut rows.transforms);
        engine.read_looks(&mut rows.looks);
        rows.effect = engine.read_screen_effect();
        scripted.after_tick(tick, to, rows, outbox);
    }
}
