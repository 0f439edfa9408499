//! The host's word on scores and pickups, given to the engine before a tick. Knows no game type.

use mjolnir_authority as authority;
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::statistics::PlayerStatistics;
use mjolnir_wire::{Kind, Message, Slot};

use super::{Client, Scratch};
use crate::engine::Engine;
use crate::refusing::{Refusing, count, take};

impl Client {
    /// Gives the engine what is new: statistics, the state, then what it says has happened, then what own players picked up.
    /// The rows of units were read in this tick.
    pub(super) fn follow_scores(&mut self, engine: &mut impl Engine) {
        let Scratch { rows, statistics, .. } = &mut self.scratch;
        statistics.clear();
        self.scores.take_statistics(rows.iter().map(|row| row.state.slot), statistics);
        for row in statistics.iter() {
            engine.apply_statistics(row);
        }
        if let Some(state) = self.scores.take_state() {
            engine.apply_game_state(state);
        }
        for announcement in self.scores.take_announcements() {
            engine.announce(announcement);
        }
        for pickup in self.scores.take_pickups() {
            engine.show_pickup(&pickup);
        }
    }
}

/// Hears a kind 3, 7 or 13.
pub(super) fn hear_scores(
    message: &Message<'_>,
    own: &[Slot],
    scores: &mut authority::ScoresClient,
    refused: &mut Refusing,
) {
    match message.kind {
        Kind::PlayerStatistics => {
            for said in PlayerStatistics::read_all(message) {
                take(refused, said, |said| match scores.handle_statistics(message.tick, &said) {
                    // The stream's and the datagrams' overtake each other: nothing is wrong with an older one.
                    Err(authority::Error::Old) => Ok(()),
                    handled => handled.map_err(authority::Error::reason),
                });
            }
        }
        Kind::Pickups => {
            for pickup in Pickup::read_all(message) {
                take(refused, pickup, |pickup| {
                    scores.handle_pickup(own, &pickup).map_err(authority::Error::reason)
                });
            }
        }
        _ => match GameState::read(message.body, scores.game_type()) {
            Ok(state) => count(refused, scores.handle_state(state).map_err(authority::Error::reason)),
            Err(error) => refused.count(error.reason()),
        },
    }
}
