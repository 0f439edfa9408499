//! What this machine hears: who speaks, in which turn frames are played, how loud and from where (VOICE-18, 23, 26 to 29).
//! Knows no device: it is asked for 20 ms at a time, whenever one wants them.

use alloc::vec::Vec;

use mjolnir_wire::voice::Route;
use mjolnir_wire::{Machine, MachineSet, Moment, Slot};

use crate::error::{Error, Refusals};
use crate::frames::{Decode, FRAME_SAMPLES, Frame};
use crate::heard::Heard;
use crate::jitter::{Jitter, Turn};
use crate::level::Level;
use crate::mutes::Mutes;
use crate::placing::{Ears, Placed, place};

/// Speakers that are heard at a time (VOICE-28).
pub const MOST_DECODERS: usize = 16;
/// Microseconds for which a speaker was unheard whose decoder another may take (VOICE-28).
pub const TAKEOVER_MICROS: u64 = 5 * Moment::SECOND;
/// Microseconds after a speaker's last frame for which it is marked as speaking (VOICE-29).
pub const MARK_MICROS: u64 = 300_000;

/// 20 ms of a speaker.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The machine that speaks.
    pub machine: Machine,
    /// Its first player; none in a lobby.
    pub player: Option<Slot>,
    /// How loud and from where.
    pub placed: Placed,
    /// The sound.
    pub samples: &'a Frame,
}

/// What became of the frames that were to be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Turns of 20 ms in which a frame was played; two at once count as one.
    pub played: u64,
    /// Turns in which two frames were played in one to catch up.
    pub blended: u64,
    /// Turns in which a lost frame was given from what followed it.
    pub recovered: u64,
    /// Turns in which one was given from what was before it.
    pub concealed: u64,
    /// Packets that were no frame.
    pub undecodable: u64,
    /// Frames thrown away because half a second waited already.
    pub spilt: u64,
}

/// A decoder, and who has it.
#[derive(Debug)]
struct Voice<D> {
    decoder: D,
    jitter: Jitter,
    of: Option<Of>,
}

/// Who is heard.
#[derive(Clone, Copy, Debug)]
struct Of {
    machine: Machine,
    player: Option<Slot>,
    route: Route,
    /// When its last frame came.
    last: Moment,
    level: Level,
}

/// See the file's text.
#[derive(Debug)]
pub struct Listener<D> {
    voices: Vec<Voice<D>>,
    mutes: Mutes,
    sound: [Frame; 2],
    counts: Counts,
    refusals: Refusals,
}

impl<D: Decode> Listener<D> {
    /// With those decoders, [`MOST_DECODERS`] at most.
    pub fn new(decoders: impl IntoIterator<Item = D>) -> Self {
        let voice = |decoder| Voice { decoder, jitter: Jitter::new(), of: None };
        Self {
            voices: decoders.into_iter().take(MOST_DECODERS).map(voice).collect(),
            mutes: Mutes::new(),
            sound: [[0; FRAME_SAMPLES]; 2],
            counts: Counts::default(),
            refusals: Refusals::default(),
        }
    }

    /// Takes a frame that this machine is to hear.
    pub fn hear(&mut self, now: Moment, heard: &Heard<'_>) -> Result<(), Error> {
        let taken = self.take(now, heard);
        self.refusals.counted(taken)
    }

    fn take(&mut self, now: Moment, heard: &Heard<'_>) -> Result<(), Error> {
        let Heard { machine, player, route, sequence, packet } = *heard;
        if self.mutes.is_muted(machine) {
            return Err(Error::Muted);
        }
        let at = self.voice_of(now, machine).ok_or(Error::NoDecoder)?;
        let voice = &mut self.voices[at];
        let before = voice.jitter.spilt();
        let mut level = Level::default();
        match voice.of {
            Some(of) if of.machine == machine => {
                voice.jitter.take(sequence, packet)?;
                level = of.level;
            }
            _ => {
                voice.jitter.clear();
                voice.jitter.take(sequence, packet)?;
            }
        }
        self.counts.spilt += voice.jitter.spilt() - before;
        level.came(packet.bytes().len());
        voice.of = Some(Of { machine, player, route, last: now, level });
        Ok(())
    }

    /// The voice that the machine has, or takes: a free one, or the one unheard for longest, if that is long enough.
    fn voice_of(&self, now: Moment, machine: Machine) -> Option<usize> {
        let own = self.voices.iter().position(|voice| voice.of.is_some_and(|of| of.machine == machine));
        own.or_else(|| self.voices.iter().position(|voice| voice.of.is_none())).or_else(|| {
            let unheard = |voice: &Voice<D>| voice.of.map_or(0, |of| now.since(of.last));
            let (at, longest) = self.voices.iter().enumerate().max_by_key(|(_, voice)| unheard(voice))?;
            (unheard(longest) >= TAKEOVER_MICROS).then_some(at)
        })
    }

    /// That machine has left, and who comes in its place is another (VOICE-23).
    pub fn forget(&mut self, machine: Machine) {
        for voice in &mut self.voices {
            if voice.of.is_some_and(|of| of.machine == machine) {
                voice.of = None;
                voice.jitter.clear();
            }
        }
    }

    /// Gives the next 20 ms of everybody who is heard, near being within so many world units. Each 20 ms of the device's
    /// time, whether anybody speaks or not.
    pub fn play(&mut self, nearness: f32, ears: &impl Ears, mut each: impl FnMut(Played<'_>)) {
        for voice in &mut self.voices {
            let Some(of) = &mut voice.of else { continue };
            let (turn, resets) = voice.jitter.turn();
            if resets {
                voice.decoder.reset();
            }
            if turn == Turn::Silence || self.mutes.is_muted(of.machine) {
                continue;
            }
            sound(&mut voice.decoder, turn, &mut self.sound, &mut self.counts);
            let placed = place(of.route, nearness, of.player, ears);
            of.level.played(&self.sound[0], placed);
            let (machine, player) = (of.machine, of.player);
            each(Played { machine, player, placed, samples: &self.sound[0] });
        }
    }

    /// Who is marked as speaking (VOICE-29).
    pub fn speaking(&self, now: Moment) -> MachineSet {
        let of = self.voices.iter().filter_map(|voice| voice.of);
        let speaks = |of: &Of| now.since(of.last) < MARK_MICROS && !self.mutes.is_muted(of.machine);
        of.filter(speaks).map(|of| of.machine).collect()
    }

    /// The machines that this one's player has muted for itself.
    pub const fn mutes(&self) -> &Mutes {
        &self.mutes
    }

    /// The same, to be changed.
    pub const fn mutes_mut(&mut self) -> &mut Mutes {
        &mut self.mutes
    }

    /// Each second under `debug.voice_test`: how each speaker was heard since it was asked last (VOICE-33).
    pub fn take_levels(&mut self, mut each: impl FnMut(Machine, &Level)) {
        for of in self.voices.iter_mut().filter_map(|voice| voice.of.as_mut()) {
            let level = core::mem::take(&mut of.level);
            if level != Level::default() {
                each(of.machine, &level);
            }
        }
    }

    /// Frames of that machine that wait to be played.
    pub fn waiting(&self, machine: Machine) -> usize {
        let of = self.voices.iter().find(|voice| voice.of.is_some_and(|of| of.machine == machine));
        of.map_or(0, |voice| voice.jitter.waiting())
    }

    /// What became of frames.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Frames refused, by reason.
    pub const fn refusals(&self) -> &Refusals {
        &self.refusals
    }
}

/// Decodes what is played in that turn into the first of `to`. What is no frame is as one that was lost.
fn sound(decoder: &mut impl Decode, turn: Turn<'_>, to: &mut [Frame; 2], counts: &mut Counts) {
    let [first, second] = to;
    let done = match turn {
        Turn::Silence | Turn::Conceal => None,
        Turn::Frame(packet) => Some((decoder.decode(packet, first), &mut counts.played)),
        Turn::Recover(following) => Some((decoder.recover(following, first), &mut counts.recovered)),
        Turn::Both(packet, following) => {
            let done = decoder.decode(packet, first).and_then(|()| decoder.decode(following, second));
            if done.is_ok() {
                fade(first, second);
                counts.blended += 1;
            }
            Some((done, &mut counts.played))
        }
    };
    match done {
        Some((Ok(()), counted)) => *counted += 1,
        done => {
            counts.undecodable += u64::from(done.is_some());
            counts.concealed += 1;
            if decoder.conceal(first).is_err() {
                *first = [0; FRAME_SAMPLES];
            }
        }
    }
}

/// The one passes into the other, so that no edge is heard where time is made up for.
fn fade(first: &mut Frame, second: &Frame) {
    for (at, (sample, other)) in first.iter_mut().zip(second).enumerate() {
        let (at, of) = (at as i32, FRAME_SAMPLES as i32);
        *sample = ((i32::from(*sample) * (of - at) + i32::from(*other) * at) / of) as i16;
    }
}
