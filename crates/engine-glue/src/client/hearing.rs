//! The host's messages of the game, each handed to the crate that it concerns. Knows which kind is whose.

use mjolnir_authority as authority;
use mjolnir_clock as clock;
use mjolnir_coop as coop;
use mjolnir_objects as objects;
use mjolnir_prediction::{self as prediction, HostWord, VehicleWord};
use mjolnir_transport::{self as transport, Channel, texts};
use mjolnir_wire::damage::DamageAnimation;
use mjolnir_wire::devices::{DeviceGroup, DeviceState};
use mjolnir_wire::events::CoopEvent;
use mjolnir_wire::inputs::RelayedActions;
use mjolnir_wire::objects::{Inventory, Motion, ObjectChange, ObjectState};
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::{Kind, Message, Moment, Tick, session};

use super::harming::{hear_damage, hear_dead};
use super::scoring::hear_scores;
use super::{Client, Notice, Scratch, obeying};
use crate::engine::Engine;
use crate::refusing::{NOT_YET, Refusing, count, take};

impl Client {
    /// Hears every message that waits.
    pub(super) fn hear(&mut self, now: Moment, engine: &mut impl Engine) {
        let Some(tick) = self.clock.tick() else { return };
        let round_trip = self.round_trip();
        let here = self.game_tick();
        while let Some(received) = self.transport.next_message() {
            self.refused.hearing(&received);
            let transport::Received { channel, message, .. } = received;
            match channel {
                Channel::Stream => self.clock.hear_stream(now, message.tick),
                Channel::Datagram => {
                    if self.clock.hear_datagram(now, message.tick) {
                        self.losses.hear(tick, message.tick);
                    }
                }
            }
            if self.talking.hear(now, here, &received, &mut self.refused, engine)
                || obeying::hear(now, &received, &mut self.conduct, &mut self.refused)
                || self.sharing.hear(now, &received, &mut self.refused)
            {
                continue;
            }
            match message.kind {
                Kind::UnitStates => {
                    for state in UnitState::read_all(&message) {
                        take(&mut self.refused, state, |state| {
                            self.authority
                                .handle_state(message.tick, &state)
                                .map_err(authority::Error::reason)
                        });
                    }
                }
                Kind::RelayedActions => {
                    hear_actions(&message, tick, &mut self.prediction, &mut self.refused);
                }
                Kind::ObjectChanges => {
                    for change in ObjectChange::read_all(&message) {
                        take(&mut self.refused, change, |change| {
                            self.objects.handle_change(&change).map_err(objects::Error::reason)
                        });
                    }
                }
                Kind::ObjectStates => {
                    for state in ObjectState::read_all(&message) {
                        take(&mut self.refused, state, |state| {
                            if state.dead {
                                let Scratch { rows, present, .. } = &self.scratch;
                                hear_dead(tick.next(), &state, present, rows, &mut self.damage);
                            }
                            if self.prediction.drives(state.object) {
                                let (clock, prediction) = (&mut self.clock, &mut self.prediction);
                                return hear_vehicle(now, tick, message.tick, &state, clock, prediction);
                            }
                            // What names a tick of this machine's is told to a driver's alone (AUTH-32): its player has
                            // left the seat since, or is not in it yet. Its copy goes on from where that left it, and
                            // is no longer, or not yet, where the host had it then.
                            if state.predicted.is_some() {
                                return Ok(());
                            }
                            let ObjectState { object, at_rest, motion: Motion { position, .. }, .. } = state;
                            if self.prediction.goes_on(tick, round_trip, object, position, at_rest) {
                                return Ok(());
                            }
                            self.objects.handle_state(message.tick, &state).map_err(objects::Error::reason)
                        });
                    }
                }
                Kind::Inventories => {
                    for inventory in Inventory::read_all(&message) {
                        take(&mut self.refused, inventory, |inventory| {
                            self.objects
                                .handle_inventory(message.tick, &inventory)
                                .map_err(objects::Error::reason)
                        });
                    }
                }
                Kind::CoopDeviceGroups => {
                    for group in DeviceGroup::read_all(&message) {
                        take(&mut self.refused, group, |group| {
                            self.devices.handle_group(message.tick, &group).map_err(coop::Error::reason)
                        });
                    }
                }
                Kind::CoopDeviceStates => {
                    for state in DeviceState::read_all(&message) {
                        take(&mut self.refused, state, |state| {
                            self.devices.handle_state(message.tick, &state).map_err(coop::Error::reason)
                        });
                    }
                }
                Kind::CoopEvents => {
                    let by_stream = channel == Channel::Stream;
                    for event in CoopEvent::read_all(&message) {
                        take(&mut self.refused, event, |event| {
                            self.events
                                .handle_event(message.tick, by_stream, &event)
                                .map_err(coop::Error::reason)
                        });
                    }
                }
                Kind::DamageAnimations => {
                    for pick in DamageAnimation::read_all(&message) {
                        take(&mut self.refused, pick, |pick| {
                            self.objects.handle_pick(message.tick, &pick).map_err(objects::Error::reason)
                        });
                    }
                }
                Kind::ObjectsSynchronized => self.objects.handle_synchronized(),
                Kind::Pings => {
                    for ping in Ping::read_all(&message) {
                        take(&mut self.refused, ping, |ping| {
                            self.authority.handle_ping(message.tick, &ping).map_err(authority::Error::reason)
                        });
                    }
                }
                Kind::PlayerStatistics | Kind::GameState | Kind::Pickups => {
                    let (own, scores) = (self.own.slots(), &mut self.scores);
                    hear_scores(&message, own, scores, &mut self.refused);
                }
                Kind::DamageEvents => {
                    hear_damage(&message, channel, self.own.slots(), &mut self.damage, &mut self.refused);
                }
                Kind::Notice => {
                    let line = session::Notice::read(&message);
                    if let Some(come) = texts::read_datagrams(line.as_str()) {
                        self.is_unheard = !come;
                    }
                    self.notices.push(said(&line));
                }
                _ => self.refused.count(NOT_YET),
            }
        }
        self.refused.heard_all();
        self.talking.show(engine);
    }

    /// Outside a game nothing counts but what a lobby has (GLUE-16): the host's notices, chat and voice.
    pub(super) fn hear_outside(&mut self, now: Moment, engine: &mut impl Engine) {
        let here = self.game_tick();
        while let Some(received) = self.transport.next_message() {
            self.refused.hearing(&received);
            if received.message.kind == Kind::Notice {
                self.notices.push(said(&session::Notice::read(&received.message)));
            } else if !self.talking.hear(now, here, &received, &mut self.refused, engine) {
                self.sharing.hear(now, &received, &mut self.refused);
            }
        }
        self.refused.heard_all();
        self.talking.show(engine);
    }

    /// Hands the host's words on places and seats to prediction.
    pub(super) fn pass_words(&mut self, now: Moment, tick: Tick) {
        for word in self.authority.words() {
            let predicted = word.predicted.and_then(|low| Tick::widen_not_after(tick, low));
            if let (Some(named), true) = (predicted, self.own.slots().contains(&word.slot)) {
                self.clock.handle_named(now, named);
            }
            let authority::Word { slot, tick, placement, ride, .. } = *word;
            let handled = self.prediction.handle_word(slot, HostWord { tick, placement, ride, predicted });
            count(&mut self.refused, handled.map_err(prediction::Error::reason));
        }
    }
}

/// A line that the host says.
fn said(line: &session::Notice) -> Notice {
    Notice::Said { text: line.as_str().into() }
}

/// Hears an entry of kind 6 on a vehicle that an own player drives.
fn hear_vehicle(
    now: Moment,
    tick: Tick,
    stamp: Tick,
    state: &ObjectState,
    clock: &mut clock::Client,
    prediction: &mut prediction::Client,
) -> Result<(), &'static str> {
    let predicted = state.predicted.and_then(|low| Tick::widen_not_after(tick, low));
    let word = VehicleWord { tick: stamp, motion: state.motion, predicted };
    prediction.handle_vehicle_word(state.object, word).map_err(prediction::Error::reason)?;
    if let Some(named) = predicted {
        clock.handle_named(now, named);
    }
    Ok(())
}

/// Hears a kind 15.
fn hear_actions(
    message: &Message<'_>,
    tick: Tick,
    prediction: &mut prediction::Client,
    refused: &mut Refusing,
) {
    match RelayedActions::read(message) {
        Ok(actions) => {
            for action in actions {
                take(refused, action, |action| {
                    prediction.handle_relayed(tick, message.tick, &action).map_err(prediction::Error::reason)
                });
            }
        }
        Err(error) => refused.count(error.reason()),
    }
}
