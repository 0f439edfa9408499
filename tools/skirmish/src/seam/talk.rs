//! What people say, as this machine shows it: lines and notices, kept until they are taken. Knows no network and no screen.

use std::collections::VecDeque;

use mjolnir_engine_glue::chat::{Channel, Event};
use mjolnir_engine_glue::{Talk, voice};
use mjolnir_wire::{ObjectId, Slot, Vec3};
use serde::Serialize;

use super::Game;
use crate::game::World;
use crate::happenings::KEPT;

/// To whom something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Whom {
    /// To everybody.
    All,
    /// To the speaker's team.
    Team,
    /// To who sits in the speaker's vehicle.
    Vehicle,
    /// It is the host's word, or this machine's own.
    Notice,
}

impl From<Channel> for Whom {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::All => Self::All,
            Channel::Team => Self::Team,
            Channel::Vehicle => Self::Vehicle,
        }
    }
}

/// What was shown, as dumps have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The tick simulated last; 0 in the lobby.
    pub tick: i32,
    /// Who said it; none of a notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u8>,
    /// To whom.
    pub channel: Whom,
    /// What.
    pub text: String,
    /// This machine's players in whose views it is shown; of a notice all.
    #[serde(skip)]
    pub views: Vec<Slot>,
}

/// Lines that are kept until they are taken; the oldest give way.
#[derive(Debug, Default)]
pub(super) struct Shown(VecDeque<Said>);

impl Shown {
    fn push(&mut self, said: Said) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(said);
    }

    pub(super) fn take(&mut self) -> Vec<Said> {
        self.0.drain(..).collect()
    }
}

/// A player's team where teams play: where no game is played too.
fn team(world: &World, slot: Slot) -> Option<u8> {
    let teams = world.rules().is_none_or(|rules| rules.teams);
    world.player(slot)?.team.filter(|_| teams)
}

impl Talk for Game {
    fn sides(&self) -> voice::Sides {
        let has_teams = |world: &World| world.players().any(|(slot, _)| team(world, slot).is_some());
        if self.world().is_some_and(has_teams) { voice::Sides::Teams } else { voice::Sides::Alone }
    }

    fn team(&self, slot: Slot) -> Option<u8> {
        team(self.world()?, slot)
    }

    fn outermost(&self, slot: Slot) -> Option<ObjectId> {
        // A gunner sits in the vehicle itself here: no turret is an object of its own.
        let world = self.world()?;
        world.ride(world.unit(slot)?).map(|(vehicle, _)| vehicle)
    }

    fn mouth(&self, slot: Slot) -> Option<Vec3> {
        self.world()?.eyes(slot)
    }

    fn show_chat(&mut self, event: &Event) {
        let tick = self.world().filter(|_| !self.is_over()).map_or(0, |world| world.tick().get());
        let said = match event {
            Event::Line { line, hearers } => Said {
                tick,
                slot: Some(line.slot.get()),
                channel: line.channel.into(),
                text: line.text.as_str().into(),
                views: hearers.iter().collect(),
            },
            Event::Notice(text) => {
                let text = text.as_str().into();
                Said { tick, slot: None, channel: Whom::Notice, text, views: Vec::new() }
            }
        };
        self.shown.push(said);
    }
}
