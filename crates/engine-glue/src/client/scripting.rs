//! What the host's level does by itself, followed: devices, what breaks, and in co-op what scripts do and show. Knows no script.

use mjolnir_coop as coop;
use mjolnir_transport::{Channel, Received};
use mjolnir_wire::devices::{DeviceGroup, DeviceState};
use mjolnir_wire::events::{Action, CoopEvent, SurfaceBroken};
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::{Input, Kind, Tick};

use super::Client;
use crate::counters::Counters;
use crate::engine::Engine;
use crate::refusing::{Refusing, take};
use crate::stilled::stilled;

/// See the file's text. One is of one game.
#[derive(Debug, Default)]
pub(super) struct Scripting {
    devices: coop::DeviceClient,
    events: coop::EventClient,
    presentation: coop::PresentationClient,
    names: coop::NamesClient,
    scripted: coop::ScriptedClient,
    /// Scripts have players' input.
    takes_input: bool,
    scratch: Scratch,
}

/// Buffers that keep their capacity from tick to tick.
#[derive(Debug, Default)]
struct Scratch {
    groups: Vec<coop::GroupRow>,
    places: Vec<coop::DeviceRow>,
    devices: Vec<coop::Command>,
    breaks: Vec<SurfaceBroken>,
    actions: Vec<Action>,
    names: Vec<coop::NameCommand>,
    scripted: coop::Scripted,
}

impl Scripting {
    /// Hears a message of what the level does; whether it is one.
    pub(super) fn hear(&mut self, received: &Received<'_>, refused: &mut Refusing) -> bool {
        let Received { channel, message, .. } = received;
        let stamp = message.tick;
        let Self { devices, events, presentation, names, scripted, .. } = self;
        // One loop a kind, as each has a reader of its own.
        macro_rules! each {
            ($entry:ident, $handle:expr) => {
                for entry in $entry::read_all(message) {
                    take(refused, entry, |entry| $handle(&entry).map_err(coop::Error::reason));
                }
            };
        }
        match message.kind {
            Kind::CoopDeviceGroups => each!(DeviceGroup, |group| devices.handle_group(stamp, group)),
            Kind::CoopDeviceStates => each!(DeviceState, |state| devices.handle_state(stamp, state)),
            Kind::CoopEvents => {
                let by_stream = *channel == Channel::Stream;
                each!(CoopEvent, |event| events.handle_event(stamp, by_stream, event));
            }
            Kind::CoopPresentation => {
                each!(Presentation, |shown| presentation.handle_presentation(stamp, shown));
            }
            Kind::CoopObjectNames => each!(ObjectNames, |there| names.handle_names(stamp, there)),
            Kind::CoopObjectTransforms => each!(Transform, |place| scripted.handle_transform(stamp, place)),
            Kind::CoopObjectLooks => each!(Look, |look| scripted.handle_look(stamp, look)),
            Kind::CoopScreenEffect => {
                each!(ScreenEffect, |effect| scripted.handle_screen_effect(stamp, effect));
            }
            _ => return false,
        }
        true
    }

    /// What an own player does in a tick, of what its controls say: nothing while scripts have its input (COOP-61).
    pub(super) fn input(&self, input: Input) -> Input {
        if self.takes_input { stilled(&input) } else { input }
    }

    /// The host's devices.
    pub(super) const fn devices(&self) -> &coop::DeviceClient {
        &self.devices
    }

    /// Adds what was counted in this game.
    pub(super) fn count(&self, counters: &mut Counters) {
        counters.add("unknown_device", self.devices.unknown());
        counters.add("stale_device", self.devices.stale());
        counters.add("unknown_surface", self.events.unknown());
        counters.add("lost_event", self.events.lost());
        counters.add("unknown_name", self.names.unknown() + self.scripted.unknown());
        let stale = self.presentation.stale() + self.names.stale() + self.scripted.stale();
        counters.add("stale_scripted", stale);
    }
}

impl Client {
    /// Before objects: devices are set and put, what is shown is, named objects are made and deleted, and surfaces break.
    pub(super) fn follow_level(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scripting { devices, events, presentation, names, takes_input, scratch, .. } =
            &mut self.scripting;
        let Scratch { groups, places, devices: commands, breaks, actions, names: there, .. } = scratch;
        groups.clear();
        engine.read_groups(groups);
        places.clear();
        engine.read_devices(places);
        commands.clear();
        devices.before_tick(groups, places, commands);
        for command in commands.iter() {
            engine.apply_device(command);
        }

        if let Some(shown) = presentation.before_tick() {
            *takes_input = shown.input_disabled;
            engine.apply_presentation(&shown);
        }
        there.clear();
        names.before_tick(engine.read_object_names().as_ref(), there);
        for command in there.iter() {
            engine.apply_object_name(command);
        }

        breaks.clear();
        actions.clear();
        let (is_broken, has) = (|surface| engine.is_broken(surface), |object| engine.has_named(object));
        events.before_tick(tick, is_broken, has, breaks, actions);
        for broken in breaks.iter() {
            engine.apply_broken_surface(broken);
        }
    }

    /// After objects, which it may be about: where scripts put objects, how they look, and what happened once.
    pub(super) fn follow_scripts(&mut self, engine: &mut impl Engine) {
        let Scripting { scripted, scratch, .. } = &mut self.scripting;
        let Scratch { actions, scripted: words, .. } = scratch;
        words.clear();
        scripted.before_tick(|object| engine.has_named(object), words);
        for transform in &words.transforms {
            engine.apply_transform(transform);
        }
        for look in &words.looks {
            engine.apply_look(look);
        }
        if let Some(effect) = &words.effect {
            engine.apply_screen_effect(effect);
        }
        for action in actions.iter() {
            engine.apply_script_action(action);
        }
    }
}
