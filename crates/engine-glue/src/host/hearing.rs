//! The clients' messages of the game, each handed to the crate that it concerns. Knows which kind is whose.

use mjolnir_authority as authority;
use mjolnir_clock as clock;
use mjolnir_objects as objects;
use mjolnir_prediction::{self as prediction, HeldInputs};
use mjolnir_transport::{self as transport, Channel};
use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::objects::VehiclePrediction;
use mjolnir_wire::units::{Life, UnitState};
use mjolnir_wire::{Kind, Machine, Message, Moment, Tick};

use super::Host;
use super::acting::Acting;
use super::harming::{Reporter, hear_reports};
use crate::engine::Engine;
use crate::refusing::{NOT_YET, Refusing, count, take};

impl Host {
    /// Hears every message that waits.
    pub(super) fn hear(&mut self, now: Moment, engine: &mut impl Engine) {
        let tick = self.clock.tick();
        let game_tick = self.game_tick();
        while let Some(received) = self.transport.next_message() {
            self.refused.hearing(&received);
            if self.judging.hear(now, tick, &received, &mut self.refused)
                || self.talking.hear(now, game_tick, &received, &mut self.refused, engine)
                || self.sharing.hear(now, &received, &mut self.refused)
            {
                continue;
            }
            let transport::Received { from, channel, message } = received;
            match (message.kind, channel) {
                (Kind::PlayerPrediction | Kind::VehiclePrediction, _) if self.scripting.holds_clients() => {}
                (Kind::PlayerPrediction, _) => {
                    for state in UnitState::read_all(&message) {
                        take(&mut self.refused, state, |state| {
                            // AUTH-71: a machine speaks for its own players alone.
                            if self.owners[state.slot.index()] != Some(from) {
                                return Err(authority::Error::NotOwned.reason());
                            }
                            if let Life::Alive(_) = state.life {
                                self.acting.stood(state.slot, message.tick);
                            }
                            self.authority
                                .handle_prediction(from, message.tick, &state)
                                .map_err(authority::Error::reason)
                        });
                    }
                }
                (Kind::VehiclePrediction, _) => {
                    for prediction in VehiclePrediction::read_all(&message) {
                        take(&mut self.refused, prediction, |prediction| {
                            self.acting.drove(from, message.tick, prediction.object);
                            // AUTH-74: nor does it speak for the vehicle of one that left, whose index it has now.
                            let driver = self.authority.driver(prediction.object);
                            if driver.is_none_or(|driver| self.owners[driver.index()] != Some(from)) {
                                return Err(authority::Error::NotDriven.reason());
                            }
                            self.authority
                                .handle_vehicle_prediction(from, message.tick, &prediction)
                                .map_err(authority::Error::reason)
                        });
                    }
                }
                (Kind::PlayerInputs, _) => {
                    let ends = (&mut self.inputs, &mut self.acting);
                    let heard = hear_inputs(&message, from, tick, &self.owners, ends, &mut self.refused);
                    if let Some(heard) = heard {
                        count(
                            &mut self.refused,
                            self.clock.handle_heard(now, from, heard).map_err(clock::Error::reason),
                        );
                    }
                }
                (Kind::ClientReady, Channel::Stream) => count(
                    &mut self.refused,
                    self.objects.handle_ready(tick, from).map_err(objects::Error::reason),
                ),
                (Kind::HitReports, Channel::Stream) => {
                    let round_trip = self.clock.round_trip(from);
                    let reporter = Reporter { from, tick, round_trip, owners: &self.owners };
                    let (damage, unread) = (&mut self.damage, &mut self.unread_hits);
                    hear_reports(&message, &reporter, damage, unread, &mut self.refused, engine);
                }
                _ => self.refused.count(NOT_YET),
            }
        }
        self.refused.heard_all();
    }
}

/// Hears a kind 14; the newest host tick that it names.
fn hear_inputs(
    message: &Message<'_>,
    from: Machine,
    tick: Tick,
    owners: &[Option<Machine>; MAX_PLAYERS],
    (inputs, acting): (&mut HeldInputs, &mut Acting),
    refused: &mut Refusing,
) -> Option<Tick> {
    let mut heard = None;
    for entry in PlayerInput::read_all(message) {
        match entry {
            // AUTH-72: a machine speaks for its own players alone.
            Ok(entry) if owners[entry.slot.index()] == Some(from) => {
                heard = heard.max(Some(entry.host_tick));
                let taken = inputs.handle(tick, entry.slot, entry.tick, &entry.input, &entry.history);
                if taken.is_ok() {
                    acting.acted(entry.slot, entry.tick);
                }
                count(refused, taken.map_err(prediction::Error::reason));
            }
            Ok(_) => refused.count(authority::Error::NotOwned.reason()),
            Err(error) => refused.count(error.reason()),
        }
    }
    heard
}
