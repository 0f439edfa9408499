//! Chat and voice at the host, in the lobby as in the game (GLUE-16): what comes up is heard before anything asks whether a game
//! runs, what goes down is told with the tick, or by itself where there is none. Knows which message is whose.

use mjolnir_anticheat as anticheat;
use mjolnir_chat as chat;
use mjolnir_transport::{self as transport, Channel, Received};
use mjolnir_voice as voice;
use mjolnir_wire::chat::Line;
use mjolnir_wire::voice::{Packet, VoiceConfig, VoiceSettings, VoiceUp};
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot, Tick};

use super::{Host, Stage};
use crate::engine::Engine;
use crate::refusing::{Refusing, take};
use crate::talk::{Hall, Roll};

/// See the file's text. It outlives games, as the lobby does.
#[derive(Debug, Default)]
pub(super) struct Talking {
    chat: chat::Host,
    /// None until it is opened: a host without voice chat.
    voice: Option<voice::Host>,
    roll: Roll,
    /// The machines that were told last.
    told: MachineSet,
}

impl Talking {
    /// The game as it is asked.
    fn parts<'a, E: Engine>(
        &'a mut self,
        tick: Option<Tick>,
        game: &'a E,
    ) -> (&'a mut chat::Host, Option<&'a mut voice::Host>, Hall<'a, E>) {
        let hall = Hall { game, roll: &self.roll, own: Machine::HOST, tick };
        (&mut self.chat, self.voice.as_mut(), hall)
    }

    pub(super) fn join(&mut self, now: Moment, machine: Machine) {
        self.chat.join(machine);
        if let Some(voice) = &mut self.voice {
            voice.join(now, machine);
        }
    }

    pub(super) fn leave(&mut self, machine: Machine) {
        self.chat.remove(machine);
        self.told.remove(machine);
        if let Some(voice) = &mut self.voice {
            voice.leave(machine);
        }
    }

    /// Hears a message if it is of chat or voice; whether it is.
    pub(super) fn hear<E: Engine>(
        &mut self,
        now: Moment,
        tick: Option<Tick>,
        received: &Received<'_>,
        refused: &mut Refusing,
        game: &mut E,
    ) -> bool {
        let Received { from, channel, message } = received;
        match (message.kind, channel) {
            (Kind::ChatUp, Channel::Stream) => {
                let (chat, _, hall) = self.parts(tick, &*game);
                for line in Line::read_all(message) {
                    take(refused, line, |line| {
                        chat.handle_line(now, *from, &line, &hall).map_err(chat::Error::reason)
                    });
                }
                true
            }
            (Kind::VoiceUp, Channel::Datagram) => {
                let (chat, voice, hall) = self.parts(tick, &*game);
                let Some(voice) = voice else { return true };
                // From the moment of the mute on (CHAT-26): of what comes nobody else's is asked.
                let is_muted = chat.is_muted(now, *from, &hall);
                voice.set_muted(if is_muted { MachineSet::only(*from) } else { MachineSet::NONE });
                let mut heard = None;
                take(refused, VoiceUp::read(message), |frame| {
                    heard = voice.handle_up(now, *from, &frame, &hall).map_err(voice::Error::reason)?;
                    Ok(())
                });
                heard = heard.filter(|heard| !chat.is_muted_here(heard.machine, &hall));
                if let Some(heard) = heard {
                    game.hear_voice(&heard);
                }
                true
            }
            _ => false,
        }
    }

    /// Shows what there is to show.
    fn show(&mut self, game: &mut impl Engine) {
        for event in self.chat.events() {
            game.show_chat(&event);
        }
    }

    /// What a machine that becomes ready is told of voice, in its turn (NET-69).
    fn tell_ready_voice(
        &mut self,
        now: Moment,
        ready: MachineSet,
        transport: &mut transport::Host,
        outbox: &mut Outbox,
    ) {
        self.told = self.told.union(ready);
        for machine in ready.iter() {
            let config = self.voice.as_mut().and_then(|voice| voice.tell_ready(now, machine));
            if let Some(config) = config {
                transport.set_voice_key(machine, config.key);
                write_config(machine, &config, outbox);
            }
        }
    }

    /// Tells those machines what was said, and of the settings.
    fn tell(
        &mut self,
        now: Moment,
        machines: MachineSet,
        transport: &mut transport::Host,
        outbox: &mut Outbox,
    ) {
        // While they loaded they were told of nothing, whenever their turn was.
        let newcomers = machines.without(self.told);
        self.told = machines;
        self.chat.tell(now, machines, outbox);
        let Some(voice) = &mut self.voice else { return };
        let mut tell = |machine, config: &VoiceConfig| {
            transport.set_voice_key(machine, config.key);
            write_config(machine, config, outbox);
        };
        for machine in newcomers.iter() {
            if let Some(config) = voice.tell_ready(now, machine) {
                tell(machine, &config);
            }
        }
        voice.step(now, tell);
    }

    /// The voices that wait, after all else.
    fn send(&mut self, transport: &mut transport::Host) {
        if let Some(voice) = &mut self.voice {
            voice.send(|machine, datagram| transport.datagram(machine, datagram));
        }
    }
}

fn write_config(machine: Machine, config: &VoiceConfig, outbox: &mut Outbox) {
    // An entry of its size fits any message.
    let to = MachineSet::only(machine);
    let _ = outbox.reliable_entry(to, Kind::VoiceConfig, |bytes| config.write(bytes));
}

impl Host {
    /// What the host lets players say: `network.text_chat`. Nothing until this says otherwise.
    pub fn set_text_chat(&mut self, settings: chat::Settings) {
        self.talking.chat.set_settings(settings);
    }

    /// Whether the game is listed in the server browser: there it has no chat, whatever the host lets players say (CHAT-29).
    pub fn set_listed(&mut self, is_listed: bool) {
        self.talking.chat.set_listed(is_listed);
    }

    /// Begins voice chat, or sets it otherwise: `network.voice_*`. The keys are drawn from `seed`, which nobody else must be
    /// able to guess (VOICE-22); of a later call only the settings count.
    pub fn set_voice(&mut self, now: Moment, seed: [u64; 2], settings: VoiceSettings) {
        if let Some(voice) = &mut self.talking.voice {
            return voice.set_settings(settings);
        }
        let mut voice = voice::Host::new(seed, settings);
        for machine in self.transport.machines().iter() {
            voice.join(now, machine);
        }
        self.talking.voice = Some(voice);
    }

    /// A player of the host's own typed that: a line, or `/mute NAME [MINUTES]` and `/unmute NAME` (CHAT-19). What is refused is
    /// told on its screen.
    pub fn say(
        &mut self,
        now: Moment,
        slot: Slot,
        channel: chat::Channel,
        text: &str,
        engine: &mut impl Engine,
    ) -> Result<(), chat::Error> {
        let tick = self.game_tick();
        let (chat, _, hall) = self.talking.parts(tick, &*engine);
        let said = chat.say(now, slot, channel, text, &hall);
        self.talking.show(engine);
        said
    }

    /// The scoreboard's "Mute for everyone", or its taking it back (CHAT-25).
    pub fn mute(
        &mut self,
        now: Moment,
        slot: Slot,
        is_muted: bool,
        engine: &mut impl Engine,
    ) -> Result<(), chat::Error> {
        let tick = self.game_tick();
        let (chat, _, hall) = self.talking.parts(tick, &*engine);
        let done = if is_muted { chat.mute(now, slot, &hall) } else { chat.unmute(now, slot, &hall) };
        self.talking.show(engine);
        done
    }

    /// Mutes a player's machine on this machine alone, lines and voice, or no more; nobody is told (CHAT-27).
    pub fn mute_here(&mut self, slot: Slot, is_muted: bool, engine: &impl Engine) -> Result<(), chat::Error> {
        let tick = self.game_tick();
        let (chat, _, hall) = self.talking.parts(tick, engine);
        chat.mute_here(slot, is_muted, &hall)
    }

    /// A frame of the host's own player, as a [`voice::Talker`] made it (VOICE-30).
    pub fn speak(
        &mut self,
        now: Moment,
        packet: Packet<'_>,
        engine: &impl Engine,
    ) -> Result<(), voice::Error> {
        let tick = self.game_tick();
        let (_, voice, hall) = self.talking.parts(tick, engine);
        voice.ok_or(voice::Error::Off)?.speak(now, packet, &hall)
    }

    /// Who is there, in a game or in the lobby, in no order: whose names chat's commands mean.
    pub fn roster(&self) -> impl Iterator<Item = chat::Player> {
        self.talking.roll.players()
    }

    /// The voice settings, if there is voice chat.
    pub fn voice_settings(&self) -> Option<&VoiceSettings> {
        self.talking.voice.as_ref().map(voice::Host::settings)
    }

    /// The game's time, while one is played.
    pub(super) fn game_tick(&self) -> Option<Tick> {
        (self.stage == Stage::Playing).then(|| self.clock.tick())
    }

    /// Who is there has changed.
    pub(super) fn call_roll(&mut self) {
        self.talking.roll.clear();
        for player in self.transport.players() {
            self.talking.roll.add(&player.entry);
        }
        let players = self.talking.roll.players();
        let player = |chat::Player { slot, machine, name }| anticheat::Player { slot, machine, name };
        self.judging.conduct.set_players(players.map(player));
    }

    /// With a tick: tells the machines of the game, those that are ready now first.
    pub(super) fn tell_talk(&mut self, now: Moment, ready: MachineSet, engine: &mut impl Engine) {
        let machines = self.transport.in_game();
        self.talking.tell_ready_voice(now, ready, &mut self.transport, &mut self.outbox);
        self.judging.conduct.tell_ready(ready, &mut self.outbox);
        self.talking.chat.tell_settings(ready, &mut self.outbox);
        self.talking.tell(now, machines, &mut self.transport, &mut self.outbox);
        self.talking.show(engine);
    }

    /// Voices are heard and relayed in each frame, in a game too: a tick's wait at each machine on the way would be heard.
    pub(super) fn hear_voices(&mut self, now: Moment, engine: &mut impl Engine) {
        let tick = self.game_tick();
        while let Some(received) = self.transport.next_voice() {
            self.refused.hearing(&received);
            self.talking.hear(now, tick, &received, &mut self.refused, engine);
        }
        self.refused.heard_all();
    }

    /// After the tick's own datagrams: voice is what a full network may lose first.
    pub(super) fn send_voices(&mut self) {
        self.talking.send(&mut self.transport);
    }

    /// Outside a game nothing counts but what a lobby has (GLUE-16): it is heard, and told at once.
    pub(super) fn talk_outside(&mut self, now: Moment, engine: &mut impl Engine) {
        let tick = self.game_tick();
        while let Some(received) = self.transport.next_message() {
            self.refused.hearing(&received);
            if !self.talking.hear(now, tick, &received, &mut self.refused, engine) {
                self.sharing.hear(now, &received, &mut self.refused);
            }
        }
        self.refused.heard_all();
        self.outbox.begin(Tick::ZERO, 0);
        let machines = self.transport.hearing();
        self.talking.tell(now, machines, &mut self.transport, &mut self.outbox);
        self.judge_outside(machines, engine);
        if !self.outbox.is_empty() {
            self.transport.flush(now, Tick::ZERO, &self.outbox, machines);
        }
        self.drop_judged();
        self.send_voices();
        self.talking.show(engine);
    }
}
