//! The host's end: keys and settings told, frames checked and relayed, or heard by its own players. It relays what came,
//! byte for byte, and never looks into a packet (VOICE-16).

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::voice::{Packet, Route, VoiceConfig, VoiceDown, VoiceKey, VoiceSettings, VoiceUp};
use mjolnir_wire::{Machine, MachineSet, Moment};

use crate::error::{Error, Refusals};
use crate::heard::Heard;
use crate::hearing::{Player, Stage, World, is_on, route};
use crate::keys::Keys;
use crate::rate::{Bucket, MOST_TALKING, RATE_BURST, Talking};

/// Microseconds from one telling of a machine's key and the host's settings to the next (VOICE-04).
pub const CONFIG_MICROS: u64 = 10 * Moment::SECOND;
/// Microseconds after its last word for which a machine is sent voices (VOICE-07).
pub const HEARS_MICROS: u64 = 6 * Moment::SECOND;
/// Datagrams that wait to be sent at most: as much as all who may talk say at once, for all who may hear. Ours.
pub const MOST_WAITING: usize = MOST_TALKING * RATE_BURST as usize * MAX_MACHINES;

/// A machine that has joined.
#[derive(Clone, Copy, Debug)]
struct Member {
    key: VoiceKey,
    /// When it was told its key and the settings last.
    told: Option<Moment>,
    /// What it was told holds no more.
    is_stale: bool,
    /// When it said last that it hears voices.
    said: Option<Moment>,
    bucket: Bucket,
}

/// Datagrams that wait, one after another in one buffer.
#[derive(Debug, Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// Whose, and where it ends.
    ends: Vec<(Machine, usize)>,
}

/// See the file's text.
#[derive(Debug)]
pub struct Host {
    settings: VoiceSettings,
    keys: Keys,
    /// By machine.
    members: Vec<Option<Member>>,
    talking: Talking,
    muted: MachineSet,
    /// Of the host's own next frame.
    sequence: u16,
    waiting: Waiting,
    refusals: Refusals,
    relayed: u64,
}

impl Host {
    /// Nobody has joined. The seed is of the system's randomness: who knows it can speak in others' names (VOICE-22).
    pub fn new(seed: [u64; 2], settings: VoiceSettings) -> Self {
        Self {
            settings,
            keys: Keys::new(seed),
            members: alloc::vec![None; MAX_MACHINES],
            talking: Talking::new(),
            muted: MachineSet::NONE,
            sequence: 0,
            waiting: Waiting::default(),
            refusals: Refusals::default(),
            relayed: 0,
        }
    }

    /// A machine has joined: it gets a key, which [`Host::step`] tells it (VOICE-22, 31).
    pub fn join(&mut self, now: Moment, machine: Machine) {
        // Its place's last key is in use until it is replaced, so that the next one is another.
        let key = self.keys.give(|key| self.members.iter().flatten().any(|member| member.key == key));
        self.talking.forget(machine);
        self.members[machine.index()] =
            Some(Member { key, told: None, is_stale: false, said: None, bucket: Bucket::full(now) });
    }

    /// A machine has left.
    pub fn leave(&mut self, machine: Machine) {
        self.members[machine.index()] = None;
        self.talking.forget(machine);
    }

    /// The settings from now on; each machine is told by the next [`Host::step`] if they are others (VOICE-04).
    pub fn set_settings(&mut self, settings: VoiceSettings) {
        if self.settings != settings {
            self.settings = settings;
            for member in self.members.iter_mut().flatten() {
                member.is_stale = true;
            }
        }
    }

    /// The settings.
    pub const fn settings(&self) -> &VoiceSettings {
        &self.settings
    }

    /// The machines that the host has muted for everyone, by its players' names (CHAT-26). Of their frames none is taken.
    pub fn set_muted(&mut self, machines: MachineSet) {
        self.muted = machines;
    }

    /// Each tick, in the lobby too: says who is to be told what over its stream (VOICE-04).
    pub fn step(&mut self, now: Moment, mut tell: impl FnMut(Machine, &VoiceConfig)) {
        let settings = self.settings;
        for (machine, member) in Machine::all().zip(&mut self.members) {
            let Some(member) = member else { continue };
            if member.is_stale || member.told.is_none_or(|told| now.since(told) >= CONFIG_MICROS) {
                member.is_told(now);
                tell(machine, &VoiceConfig { key: member.key, settings });
            }
        }
    }

    /// What a machine is told once more as it becomes ready, in its turn among what it is told then (NET-69); none of one
    /// that has not joined.
    pub fn tell_ready(&mut self, now: Moment, machine: Machine) -> Option<VoiceConfig> {
        let member = self.members[machine.index()].as_mut()?;
        member.is_told(now);
        Some(VoiceConfig { key: member.key, settings: self.settings })
    }

    /// Hears a client's frame that came as a datagram of its own (never in a batch: NET-67), and relays it. What the
    /// host's own player hears of it is given back, to be played.
    pub fn handle_up<'a>(
        &mut self,
        now: Moment,
        from: Machine,
        frame: &VoiceUp<'a>,
        world: &impl World,
    ) -> Result<Option<Heard<'a>>, Error> {
        let taken = self.take(now, from, frame, world);
        self.refusals.counted(taken)
    }

    /// What costs least first; what a frame is paid with last.
    fn take<'a>(
        &mut self,
        now: Moment,
        from: Machine,
        frame: &VoiceUp<'a>,
        world: &impl World,
    ) -> Result<Option<Heard<'a>>, Error> {
        let member = self.members[from.index()].ok_or(Error::NotJoined)?;
        if member.told.is_none() {
            return Err(Error::NotTold);
        }
        if frame.key != member.key {
            return Err(Error::WrongKey);
        }
        let packet = frame.packet;
        if packet.bytes().is_empty() {
            self.members[from.index()] = Some(Member { said: Some(now), ..member });
            return Ok(None);
        }
        if packet.bytes().len() > self.settings.most_bytes() {
            return Err(Error::TooLarge);
        }
        let bucket = member.bucket.paid(now).ok_or(Error::TooFast)?;
        let heard = self.relay(now, from, frame.sequence, packet, world)?;
        self.members[from.index()] = Some(Member { said: Some(now), bucket, ..member });
        Ok(heard)
    }

    /// The host's own player says that: relays it to who may hear it.
    pub fn speak(&mut self, now: Moment, packet: Packet<'_>, world: &impl World) -> Result<(), Error> {
        let taken = if packet.bytes().len() > self.settings.most_bytes() {
            Err(Error::TooLarge)
        } else {
            self.relay(now, Machine::HOST, self.sequence, packet, world)
        };
        self.refusals.counted(taken)?;
        self.sequence = self.sequence.wrapping_add(1);
        Ok(())
    }

    fn relay<'a>(
        &mut self,
        now: Moment,
        from: Machine,
        sequence: u16,
        packet: Packet<'a>,
        world: &impl World,
    ) -> Result<Option<Heard<'a>>, Error> {
        let stage = world.stage();
        if self.muted.contains(from) {
            return Err(Error::Muted);
        }
        if !is_on(&self.settings, stage) {
            return Err(Error::Off);
        }
        // Without a player it has no name that could be muted, and clients take nothing of it either (VOICE-23).
        let speaker = world.player(from).ok_or(Error::UnknownSpeaker)?;
        self.talking.has_place(now, from)?;
        if self.waiting.ends.len() + MAX_MACHINES > MOST_WAITING {
            return Err(Error::Full);
        }
        self.talking.talked(now, from);

        let player = match stage {
            Stage::Lobby => None,
            Stage::Game { .. } => Some(speaker.slot),
        };
        let by = |hearer: Option<Player>| match (stage, hearer) {
            (Stage::Lobby, _) => Route::Global,
            (Stage::Game { sides, .. }, Some(hearer)) => route(&self.settings, sides, &speaker, &hearer),
            (Stage::Game { .. }, None) => Route::None,
        };
        for (machine, member) in Machine::all().zip(&self.members) {
            let Some(member) = member.filter(|member| machine != from && member.hears(now)) else { continue };
            let route = by(world.player(machine));
            if route == Route::None {
                continue;
            }
            let down = VoiceDown { key: member.key, sequence, machine: from, player, route, packet };
            down.write(stage.stamp(), &mut self.waiting.bytes);
            self.waiting.ends.push((machine, self.waiting.bytes.len()));
            self.relayed += 1;
        }
        let hears = world.player(Machine::HOST).filter(|_| from != Machine::HOST);
        let route = hears.map_or(Route::None, |host| by(Some(host)));
        let heard = Heard { machine: from, player, route, sequence, packet };
        Ok((route != Route::None).then_some(heard))
    }

    /// Hands on every datagram that waits, whole, each to be sent by itself, after the tick's own.
    pub fn send(&mut self, mut emit: impl FnMut(Machine, &[u8])) {
        let mut from = 0;
        for (machine, to) in self.waiting.ends.drain(..) {
            emit(machine, &self.waiting.bytes[from..to]);
            from = to;
        }
        self.waiting.bytes.clear();
    }

    /// The machines that are sent voices now (VOICE-07).
    pub fn hearing(&self, now: Moment) -> MachineSet {
        let hears = |member: &Option<Member>| member.is_some_and(|member| member.hears(now));
        Machine::all().zip(&self.members).filter(|(_, member)| hears(member)).map(|(of, _)| of).collect()
    }

    /// Frames refused, by reason.
    pub const fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// Frames relayed, each as often as it had hearers.
    pub const fn relayed(&self) -> u64 {
        self.relayed
    }
}

impl Member {
    fn is_told(&mut self, now: Moment) {
        (self.told, self.is_stale) = (Some(now), false);
    }

    /// Whether it said of late that it hears voices, which only who was told its key can say.
    fn hears(&self, now: Moment) -> bool {
        self.said.is_some_and(|said| now.since(said) < HEARS_MICROS)
    }
}
