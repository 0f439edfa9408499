//! Chat and voice at a client, in the lobby as in the game (GLUE-16). Knows which message is whose.

use mjolnir_chat as chat;
use mjolnir_transport::{self as transport, Channel, Received};
use mjolnir_voice as voice;
use mjolnir_wire::chat::{Down, Settings};
use mjolnir_wire::voice::{Packet, VoiceConfig, VoiceDown, VoiceSettings};
use mjolnir_wire::{Kind, Machine, Moment, Slot, Tick};

use super::{Client, Stage};
use crate::engine::Engine;
use crate::refusing::{Refusing, take};
use crate::talk::{Hall, Roll};

/// See the file's text. It is of one connection, and outlives games.
#[derive(Debug, Default)]
pub(super) struct Talking {
    chat: chat::Client,
    voice: voice::Client,
    pub(super) roll: Roll,
}

impl Talking {
    fn parts<'a, E: Engine>(
        &'a mut self,
        own: Machine,
        tick: Option<Tick>,
        game: &'a E,
    ) -> (&'a mut chat::Client, &'a mut voice::Client, Hall<'a, E>) {
        let hall = Hall { game, roll: &self.roll, own, tick };
        (&mut self.chat, &mut self.voice, hall)
    }

    /// Hears a message if it is of chat or voice; whether it is.
    pub(super) fn hear<E: Engine>(
        &mut self,
        now: Moment,
        (own, tick): (Machine, Option<Tick>),
        received: &Received<'_>,
        refused: &mut Refusing,
        game: &mut E,
    ) -> bool {
        let Received { channel, message, .. } = received;
        match (message.kind, channel) {
            (Kind::ChatDown, Channel::Stream) => {
                let (chat, _, hall) = self.parts(own, tick, &*game);
                for down in Down::read_all(message) {
                    take(refused, down, |down| chat.handle(&down, &hall).map_err(chat::Error::reason));
                }
            }
            (Kind::ChatConfig, Channel::Stream) => {
                for settings in Settings::read_all(message) {
                    take(refused, settings, |settings| {
                        self.chat.handle_settings(settings);
                        Ok(())
                    });
                }
            }
            (Kind::VoiceConfig, Channel::Stream) => {
                for config in VoiceConfig::read_all(message) {
                    take(refused, config, |config| {
                        self.voice.handle_config(now, &config);
                        Ok(())
                    });
                }
            }
            (Kind::VoiceDown, Channel::Datagram) => {
                let machines = self.roll.machines();
                let (chat, voice, hall) = self.parts(own, tick, &*game);
                let mut heard = None;
                take(refused, VoiceDown::read(message), |frame| {
                    let taken = voice.handle_down(now, own, machines, &frame);
                    heard = Some(taken.map_err(voice::Error::reason)?);
                    Ok(())
                });
                heard = heard.filter(|heard| !chat.is_muted_here(heard.machine, &hall));
                if let Some(heard) = heard {
                    game.hear_voice(&heard);
                }
            }
            _ => return false,
        }
        true
    }

    /// Shows what there is to show.
    pub(super) fn show(&mut self, game: &mut impl Engine) {
        for event in self.chat.events() {
            game.show_chat(&event);
        }
    }

    /// What goes by datagrams of its own.
    fn step(&mut self, now: Moment, stamp: Tick, hears: bool, transport: &mut transport::Client) {
        self.voice.step(now, stamp, hears, |datagram| transport.datagram(datagram));
    }
}

impl Client {
    /// A player of this machine's typed that: a line, or `/mute NAME` and `/unmute NAME`, which are this machine's own
    /// (CHAT-24). What is refused is told on its screen.
    pub fn say(
        &mut self,
        slot: Slot,
        channel: chat::Channel,
        text: &str,
        engine: &mut impl Engine,
    ) -> Result<(), chat::Error> {
        let (own, tick) = self.game_tick();
        let (chat, _, hall) = self.talking.parts(own, tick, &*engine);
        let said = chat.say(slot, channel, text, &hall);
        self.talking.show(engine);
        said
    }

    /// The network test's line, which goes to the host whatever its settings say, as a changed build's would (TOOL-16). No
    /// game's players say anything by it.
    pub fn say_unchecked(
        &mut self,
        slot: Slot,
        channel: chat::Channel,
        text: &str,
        engine: &impl Engine,
    ) -> Result<(), chat::Error> {
        let (own, tick) = self.game_tick();
        let (chat, _, hall) = self.talking.parts(own, tick, engine);
        chat.say_unchecked(slot, channel, text, &hall)
    }

    /// Mutes a player's machine on this machine alone, lines and voice, or no more; nobody is told (CHAT-27).
    pub fn mute_here(&mut self, slot: Slot, is_muted: bool, engine: &impl Engine) -> Result<(), chat::Error> {
        let (own, tick) = self.game_tick();
        let (chat, _, hall) = self.talking.parts(own, tick, engine);
        chat.mute_here(slot, is_muted, &hall)
    }

    /// Joined by that: what a public game's host sends of chat is not taken (CHAT-31). To be said before the host is heard.
    pub fn set_invite(&mut self, invite: chat::Invite) {
        self.talking.chat.join(invite);
    }

    /// A frame of this machine's player, as a [`voice::Talker`] made it (VOICE-30).
    pub fn speak(&mut self, now: Moment, packet: Packet<'_>) -> Result<(), voice::Error> {
        let stamp = self.voice_stamp();
        self.talking.voice.speak(now, stamp, packet, |datagram| self.transport.datagram(datagram))
    }

    /// Who is there, in a game or in the lobby, in no order: whose names chat's commands mean.
    pub fn roster(&self) -> impl Iterator<Item = chat::Player> {
        self.talking.roll.players()
    }

    /// What the host lets players say.
    pub fn text_chat(&self) -> chat::Settings {
        self.talking.chat.settings()
    }

    /// The host's voice settings; none before it told them, or long after.
    pub fn voice_settings(&self, now: Moment) -> Option<&VoiceSettings> {
        self.talking.voice.settings(now)
    }

    fn voice_stamp(&self) -> Tick {
        match self.stage {
            Stage::Playing => self.clock.tick().unwrap_or_default(),
            _ => Tick::ZERO,
        }
    }

    /// Which machine this is, and the game's time while one is played.
    pub(super) fn game_tick(&self) -> (Machine, Option<Tick>) {
        let tick = (self.stage == Stage::Playing).then(|| self.voice_stamp());
        // Before it is accepted it is nobody, and hears nothing.
        (self.transport.machine().unwrap_or(Machine::HOST), tick)
    }

    /// The host's settings list who is there anew.
    pub(super) fn call_roll(&mut self) {
        self.talking.roll.clear();
        for player in self.transport.record().map(|record| record.players()).unwrap_or_default() {
            self.talking.roll.add(player);
        }
    }

    /// Voices are heard in each frame, in a game too: they wait for no tick.
    pub(super) fn hear_voices(&mut self, now: Moment, engine: &mut impl Engine) {
        let here = self.game_tick();
        while let Some(received) = self.transport.next_voice() {
            self.refused.hearing(&received);
            self.talking.hear(now, here, &received, &mut self.refused, engine);
        }
        self.refused.heard_all();
    }

    /// With a tick: says what was said.
    pub(super) fn tell_talk(&mut self) {
        self.talking.chat.tell(&mut self.outbox);
    }

    /// Says that voices are heard, as long as they are.
    pub(super) fn step_voice(&mut self, now: Moment, engine: &impl Engine) {
        let stamp = self.voice_stamp();
        self.talking.step(now, stamp, engine.hears_voices(), &mut self.transport);
    }

    /// Outside a game: what was said goes at once.
    pub(super) fn talk_outside(&mut self, now: Moment, engine: &impl Engine) {
        self.outbox.begin(Tick::ZERO, 0);
        self.talking.chat.tell(&mut self.outbox);
        if !self.outbox.is_empty() {
            self.transport.flush(&self.outbox);
        }
        self.step_voice(now, engine);
    }
}
