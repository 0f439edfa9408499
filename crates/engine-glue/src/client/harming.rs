//! Damage at a client: what its players hit to the crate that reports it, and the host's word on damage carried out before a
//! tick. Knows no harm.

use mjolnir_authority::{self as authority, UnitRow};
use mjolnir_damage::{self as damage, Here, Says};
use mjolnir_objects::{Class, ObjectRow};
use mjolnir_transport::Channel;
use mjolnir_wire::damage::DamageEvent;
use mjolnir_wire::objects::ObjectState;
use mjolnir_wire::{Message, ObjectId, Slot, Tick};

use super::{Client, Scratch};
use crate::engine::Engine;
use crate::refusing::{Refusing, take};

impl Client {
    /// Replays the damage that the host told of, once objects are there. The rows of objects and units were read in this tick.
    pub(super) fn follow_damage(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { rows, present, damage, .. } = &mut self.scratch;
        damage.clear();
        self.damage.before_tick(tick, |object| here(object, present, rows), &*engine, damage);
        for command in damage.iter_mut() {
            if let damage::Command::Kill(event) = command
                && let Some(stamp) = event.object.and_then(|unit| self.damage.blow(unit))
            {
                settle_score(stamp, event, rows, &mut self.scores, engine);
            }
            engine.apply_damage(command);
        }
        if !damage.is_empty() {
            rows.clear();
            engine.read_units(rows);
        }
    }

    /// Carries out the host's word on players, where it did not come too late. Who is dead has fallen, or its unit waits for
    /// its blow. The rows of units were read in this tick.
    pub(super) fn follow_states(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Self { damage, authority, .. } = self;
        let Scratch { rows, states, .. } = &mut self.scratch;
        states.retain(|command| match *command {
            authority::Command::Own { slot, unit } | authority::Command::Vitality { slot, unit, .. } => {
                let newest = authority.newest(slot);
                newest.is_none_or(|(word, _)| !damage.has_fallen(unit, word))
            }
            _ => true,
        });
        for command in states.iter() {
            match *command {
                authority::Command::Own { unit, .. } => damage.handle_alive(unit),
                authority::Command::Die { slot, .. } => {
                    let row = rows.iter().find(|row| row.state.slot == slot);
                    if let Some(unit) = row.and_then(UnitRow::living) {
                        damage.handle_dead(tick, unit.unit, Says::UnitState, true);
                    }
                }
                _ => {}
            }
            engine.apply_state(command);
        }
    }

    /// Reports what own players hit in the tick just simulated.
    pub(super) fn report_hits(&mut self, engine: &mut impl Engine) {
        let hits = &mut self.scratch.hits;
        hits.clear();
        engine.take_hits(hits);
        for hit in hits.iter() {
            if let Err(error) = self.damage.handle_hit(self.clock.heard(), self.own.slots(), hit) {
                self.refused.count(error.reason());
            }
        }
        self.damage.tell(&mut self.outbox);
    }
}

/// Says in a killing blow of the host's tick `stamp` what its killer has by now, where a later word is known already, and gives
/// the engine what was said of it before: so that neither takes the other's score back (DMG-39).
fn settle_score(
    stamp: Tick,
    event: &mut DamageEvent,
    rows: &[UnitRow],
    scores: &mut authority::ScoresClient,
    engine: &mut impl Engine,
) {
    let is_known = |killer: &Slot| rows.iter().any(|row| row.state.slot == *killer);
    let Some(killer) = event.damage.owner.filter(is_known) else { return };
    if let Some(row) = scores.take_older(stamp, killer) {
        engine.apply_statistics(&row);
    }
    event.killer_score = scores.handle_blow(stamp, killer, event.killer_score);
}

/// Hears a kind 10.
pub(super) fn hear_damage(
    message: &Message<'_>,
    channel: Channel,
    own: &[Slot],
    damage: &mut damage::Client,
    refused: &mut Refusing,
) {
    if channel == Channel::Datagram && damage.has_heard(message.tick, message.body) {
        return;
    }
    for event in DamageEvent::read_all(message) {
        take(refused, event, |event| {
            let handled = match channel {
                Channel::Stream => damage.handle_event_by_stream(message.tick, own, &event),
                Channel::Datagram => damage.handle_event(message.tick, own, &event),
            };
            match handled {
                // A blow comes twice: nothing is wrong with the second.
                Err(damage::Error::Fallen) => Ok(()),
                handled => handled.map_err(damage::Error::reason),
            }
        });
    }
}

/// Hears that an object is dead, before that tick: a unit that stands here and is no player's waits for its blow.
pub(super) fn hear_dead(
    tick: Tick,
    state: &ObjectState,
    present: &[ObjectRow],
    rows: &[UnitRow],
    damage: &mut damage::Client,
) {
    if let Some(Here { player, stands: true, .. }) = here(state.object, present, rows) {
        damage.handle_dead(tick, state.object, Says::ObjectState, player.is_some());
    }
}

/// Whether a unit is there and has not fallen.
pub(super) fn stands(object: ObjectId, present: &[ObjectRow]) -> bool {
    here(object, present, &[]).is_some_and(|here| here.stands)
}

/// What is under a name, of those rows; the objects' rise by index.
fn here(object: ObjectId, present: &[ObjectRow], rows: &[UnitRow]) -> Option<Here> {
    let at = present.binary_search_by_key(&object.index(), |row| row.state.object.index()).ok()?;
    let row = present.get(at).filter(|row| row.state.object == object)?;
    let is_its = |row: &&UnitRow| row.living().is_some_and(|unit| unit.unit == object);
    let player = rows.iter().find(is_its).map(|row| row.state.slot);
    let is_unit = row.class == Class::Unit;
    Some(Here { player, is_unit, stands: is_unit && !row.state.dead })
}
