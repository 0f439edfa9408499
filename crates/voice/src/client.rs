//! A client's end: what it sends with its key, and which of the host's frames it takes. Knows no sound.

use alloc::vec::Vec;

use mjolnir_wire::voice::{Packet, Route, VoiceConfig, VoiceDown, VoiceSettings, VoiceUp};
use mjolnir_wire::{Machine, MachineSet, Moment, Tick};

use crate::error::{Error, Refusals};
use crate::heard::Heard;

/// Microseconds from one word that this machine hears voices to the next (VOICE-06).
pub const HEARS_AGAIN_MICROS: u64 = 2 * Moment::SECOND;
/// Microseconds after the host's last word of its settings at which they are forgotten (VOICE-24).
pub const FORGET_MICROS: u64 = 25 * Moment::SECOND;

/// See the file's text. One is of one connection.
#[derive(Debug, Default)]
pub struct Client {
    told: Option<(Moment, VoiceConfig)>,
    /// When it last said that it hears voices.
    said: Option<Moment>,
    /// Of the next frame.
    sequence: u16,
    datagram: Vec<u8>,
    refusals: Refusals,
}

impl Client {
    /// Not told of anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hears its key and the host's settings, which came over its stream: of a datagram it must not be told (VOICE-05).
    pub fn handle_config(&mut self, now: Moment, config: &VoiceConfig) {
        // With a key that it did not have, the host cannot know that it hears voices.
        if self.told.is_none_or(|(_, known)| known.key != config.key) {
            self.said = None;
        }
        self.told = Some((now, *config));
    }

    /// The host's settings, unless it was silent about them for too long (VOICE-24).
    pub fn settings(&self, now: Moment) -> Option<&VoiceSettings> {
        self.config(now).map(|config| &config.settings)
    }

    fn config(&self, now: Moment) -> Option<&VoiceConfig> {
        self.told.as_ref().filter(|(at, _)| now.since(*at) < FORGET_MICROS).map(|(_, config)| config)
    }

    /// Each tick, in the lobby too: says that this machine hears voices, as long as it does. `emit` is given a whole
    /// datagram to be sent by itself; it is stamped with the game's time, 0 in a lobby.
    pub fn step(&mut self, now: Moment, stamp: Tick, hears: bool, emit: impl FnOnce(&[u8])) {
        let is_due = self.said.is_none_or(|said| now.since(said) >= HEARS_AGAIN_MICROS);
        if let Some(&VoiceConfig { key, .. }) = self.config(now).filter(|_| hears && is_due) {
            self.said = Some(now);
            let frame = VoiceUp { key, sequence: self.sequence, packet: Packet::EMPTY };
            self.write(stamp, &frame, emit);
        }
    }

    /// This machine's player says that. `emit` is as of [`Client::step`].
    pub fn speak(
        &mut self,
        now: Moment,
        stamp: Tick,
        packet: Packet<'_>,
        emit: impl FnOnce(&[u8]),
    ) -> Result<(), Error> {
        let may = match self.config(now) {
            None => Err(Error::NotTold),
            Some(config) if packet.bytes().len() > config.settings.most_bytes() => Err(Error::TooLarge),
            Some(_) if packet.bytes().is_empty() => Err(Error::NotHeard),
            Some(config) => Ok(config.key),
        };
        let key = self.refusals.counted(may)?;
        let frame = VoiceUp { key, sequence: self.sequence, packet };
        self.sequence = self.sequence.wrapping_add(1);
        self.write(stamp, &frame, emit);
        Ok(())
    }

    fn write(&mut self, stamp: Tick, frame: &VoiceUp<'_>, emit: impl FnOnce(&[u8])) {
        self.datagram.clear();
        frame.write(stamp, &mut self.datagram);
        emit(&self.datagram);
    }

    /// Hears a frame of the host's that came as a datagram of its own, on the machine `own` of a game of those machines.
    pub fn handle_down<'a>(
        &mut self,
        now: Moment,
        own: Machine,
        machines: MachineSet,
        frame: &VoiceDown<'a>,
    ) -> Result<Heard<'a>, Error> {
        let VoiceDown { key, sequence, machine, player, route, packet } = *frame;
        let may = match self.config(now) {
            None => Err(Error::NotTold),
            Some(config) if config.key != key => Err(Error::WrongKey),
            Some(_) if machine == own => Err(Error::OwnVoice),
            Some(_) if !machines.contains(machine) => Err(Error::UnknownSpeaker),
            Some(_) if route == Route::None || packet.bytes().is_empty() => Err(Error::NotHeard),
            Some(_) => Ok(Heard { machine, player, route, sequence, packet }),
        };
        self.refusals.counted(may)
    }

    /// Frames refused, by reason.
    pub const fn refusals(&self) -> &Refusals {
        &self.refusals
    }
}
