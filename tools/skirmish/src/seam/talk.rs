//! What people say, as this machine shows and hears it: lines and notices, and frames of voice, kept until they are taken. Knows
//! no network, no screen and no sound.

use std::collections::VecDeque;

use mjolnir_engine_glue::chat::{Channel, Event};
use mjolnir_engine_glue::{Talk, voice};
use mjolnir_wire::voice::{PACKET_BYTES, Packet, Route};
use mjolnir_wire::{Axes, Machine, ObjectId, Slot, Vec3};
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

/// Frames of voice that wait for this machine's sound at most: half a second of sixteen speakers. The oldest give way.
const FRAMES_KEPT: usize = 400;

/// What is to be heard here, of a machine that plays voices: kept from one frame of the program to its sound's next.
#[derive(Debug, Default)]
pub(super) struct Ear(VecDeque<Caught>);

/// A frame of voice, of its own.
#[derive(Debug)]
struct Caught {
    machine: Machine,
    player: Option<Slot>,
    route: Route,
    sequence: u16,
    length: usize,
    bytes: [u8; PACKET_BYTES],
}

impl Ear {
    fn catch(&mut self, heard: &voice::Heard<'_>) {
        let voice::Heard { machine, player, route, sequence, packet } = *heard;
        if self.0.len() == FRAMES_KEPT {
            self.0.pop_front();
        }
        let (length, mut bytes) = (packet.bytes().len(), [0; PACKET_BYTES]);
        bytes[..length].copy_from_slice(packet.bytes());
        self.0.push_back(Caught { machine, player, route, sequence, length, bytes });
    }

    pub(super) fn take(&mut self, mut each: impl FnMut(&voice::Heard<'_>)) {
        for Caught { machine, player, route, sequence, length, bytes } in self.0.drain(..) {
            // As it was a packet before, it is one.
            if let Ok(packet) = Packet::new(&bytes[..length]) {
                each(&voice::Heard { machine, player, route, sequence, packet });
            }
        }
    }
}

/// Who listens: this machine's first player, where its eyes are and as it aims; nobody where it has none that lives.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The world, where there is one.
    pub world: Option<&'a World>,
    /// The player.
    pub own: Option<Slot>,
}

impl voice::Ears for Head<'_> {
    fn ear(&self) -> Option<voice::Ear> {
        let (world, own) = self.world.zip(self.own)?;
        let (place, (yaw, pitch)) = (world.eyes(own)?, world.aim(own)?);
        let ((sin, cos), (rise, ahead)) = (yaw.sin_cos(), pitch.sin_cos());
        let forward = Vec3::new(cos * ahead, sin * ahead, rise);
        let up = Vec3::new(-cos * rise, -sin * rise, ahead);
        Some(voice::Ear { place, axes: Axes { forward, up } })
    }

    fn place(&self, player: Slot) -> Option<Vec3> {
        self.world?.eyes(player)
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

    fn hears_voices(&self) -> bool {
        self.ear.is_some()
    }

    fn hear_voice(&mut self, heard: &voice::Heard<'_>) {
        if let Some(ear) = &mut self.ear {
            ear.catch(heard);
        }
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

#[cfg(test)]
mod tests {
    use voice::Ears as _;

    use super::*;
    use crate::game::{Map, Tuning};
    use crate::seam::Setup;
    use mjolnir_wire::{Input, Tick};

    /// VOICE-18: who listens is this machine's first player, who looks where it aims: what is on its left is heard there, and
    /// what is ahead on neither side, also by who looks up or down. Nobody listens where nobody lives.
    #[test]
    fn who_listens_looks_where_it_aims() {
        let text = "bounds -90 -90 -9 90 90 90\nbox -90 -90 -1 90 90 0\nspawn 0 0 0 0\nspawn 0 9 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        let [own, other] = [0, 1].map(|slot| Slot::new(slot).unwrap());
        world.join(own, "Ann", Machine::HOST, Some(0));
        world.join(other, "Bob", Machine::new(1).unwrap(), Some(0));
        world.step(Tick::ZERO.next());
        let (here, there) = (world.position(own).unwrap(), world.position(other).unwrap());
        let towards = (there.y - here.y).atan2(there.x - here.x);
        for pitch in [-1.2_f32, 0.0, 1.2] {
            for (turned, pan) in [(0.0_f32, 0.0_f32), (-std::f32::consts::FRAC_PI_2, -0.8)] {
                world.drive(own, Input { yaw: towards + turned, pitch, ..Input::default() });
                for _ in 0..30 {
                    world.step(world.tick().next());
                }
                let head = Head { world: Some(&world), own: Some(own) };
                let placed = voice::place(Route::Near, 15.0, Some(other), &head);
                assert!((placed.pan - pan).abs() < 0.01, "turned {turned}, pitch {pitch}: {placed:?}");
                assert!((placed.gain - 0.6).abs() < 0.01, "9 of 15 wu: {placed:?}");
            }
        }
        assert_eq!(Head { world: Some(&world), own: None }.ear(), None);
        assert_eq!(Head { world: None, own: Some(own) }.ear(), None);
    }

    /// A game without an ear hears nothing and says so; with one it keeps what it is to hear, and of too much the newest.
    #[test]
    fn an_ear_keeps_what_is_to_be_heard() {
        let mut game = Game::new(Setup::default());
        let heard = |sequence| {
            let packet = Packet::new(&[7; 60]).unwrap();
            voice::Heard { machine: Machine::HOST, player: None, route: Route::Global, sequence, packet }
        };
        let numbers = |game: &mut Game| {
            let mut numbers = Vec::new();
            game.take_heard(|heard| {
                assert_eq!(heard.packet.bytes(), [7; 60]);
                numbers.push(heard.sequence);
            });
            numbers
        };
        game.hear_voice(&heard(1));
        assert!(!game.hears_voices() && numbers(&mut game).is_empty());
        game.listen();
        (0..401).for_each(|sequence| game.hear_voice(&heard(sequence)));
        assert!(game.hears_voices());
        assert_eq!(numbers(&mut game), (1..401).collect::<Vec<_>>());
        assert!(numbers(&mut game).is_empty());
    }
}
