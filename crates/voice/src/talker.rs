//! What this machine says: sound as a microphone gives it, cut into frames, and which of them are sent (VOICE-30). Knows no
//! device and no key.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use mjolnir_wire::Moment;
use mjolnir_wire::voice::{PACKET_BYTES, Packet, VoiceSettings};

use crate::frames::{Encode, FRAME_SAMPLES, Frame};
use crate::level::squares;
use crate::own::Talk;

/// Frames that may wait; of more the newest alone is left (VOICE-30).
pub const MOST_BACKLOG: usize = 5;
/// An open microphone sends from a hundredth of full loudness on (VOICE-30).
pub const LOUD_PART: u64 = 100;
/// Microseconds for which an open microphone goes on after it was loud (VOICE-30).
pub const HOLD_MICROS: u64 = 400_000;

/// See the file's text.
#[derive(Debug)]
pub struct Talker<E> {
    encoder: E,
    kbps: Option<u8>,
    /// Samples short of a frame.
    rest: Vec<i16>,
    waiting: VecDeque<Frame>,
    packet: [u8; PACKET_BYTES],
    /// When it was loud last.
    loud: Option<Moment>,
    was_sent: bool,
    dropped: u64,
    failed: u64,
}

impl<E: Encode> Talker<E> {
    /// With that encoder.
    pub fn new(encoder: E) -> Self {
        Self {
            encoder,
            kbps: None,
            rest: Vec::with_capacity(FRAME_SAMPLES),
            waiting: VecDeque::with_capacity(MOST_BACKLOG + 1),
            packet: [0; PACKET_BYTES],
            loud: None,
            was_sent: false,
            dropped: 0,
            failed: 0,
        }
    }

    /// Takes what a microphone gave, 48 000 samples a second, in pieces of any length.
    pub fn push(&mut self, mut samples: &[i16]) {
        while !samples.is_empty() {
            let (now, later) = samples.split_at(samples.len().min(FRAME_SAMPLES - self.rest.len()));
            self.rest.extend_from_slice(now);
            samples = later;
            if let Ok(frame) = self.rest[..].try_into() {
                self.rest.clear();
                self.waiting.push_back(frame);
                if self.waiting.len() > MOST_BACKLOG {
                    self.dropped += self.waiting.len() as u64 - 1;
                    self.waiting.drain(..self.waiting.len() - 1);
                }
            }
        }
    }

    /// The next frame that is to be sent, of the host's quality; none once there is no more. `is_down`: the key to talk.
    /// Without the host's settings nothing is said, and what was is forgotten.
    pub fn next(
        &mut self,
        now: Moment,
        talk: Talk,
        is_down: bool,
        settings: Option<&VoiceSettings>,
    ) -> Option<Packet<'_>> {
        let Some(settings) = settings else {
            self.stop();
            return None;
        };
        let length = loop {
            let frame = self.waiting.pop_front()?;
            if !self.is_said(now, talk, is_down, &frame) {
                self.was_sent = false;
                continue;
            }
            if !self.was_sent {
                self.encoder.reset();
                self.was_sent = true;
            }
            if let Some(length) = self.encode(settings, &frame) {
                break length;
            }
            self.failed += 1;
        };
        Packet::new(&self.packet[..length]).ok()
    }

    /// What waits is not said.
    pub fn stop(&mut self) {
        self.rest.clear();
        self.waiting.clear();
        (self.was_sent, self.loud) = (false, None);
    }

    fn is_said(&mut self, now: Moment, talk: Talk, is_down: bool, frame: &Frame) -> bool {
        match talk {
            Talk::Off => false,
            Talk::PushToTalk => is_down,
            Talk::OpenMicrophone => {
                // The mean square against the bound's, without a division.
                let bound = 32768_u64.pow(2) * FRAME_SAMPLES as u64;
                if squares(frame) * LOUD_PART.pow(2) >= bound {
                    self.loud = Some(now);
                }
                self.loud.is_some_and(|loud| now.since(loud) < HOLD_MICROS)
            }
        }
    }

    fn encode(&mut self, settings: &VoiceSettings, frame: &Frame) -> Option<usize> {
        if self.kbps != Some(settings.kbps()) {
            self.encoder.set_kbps(settings.kbps()).ok()?;
            self.kbps = Some(settings.kbps());
        }
        let most = settings.most_bytes();
        let length = self.encoder.encode(frame, &mut self.packet[..most]).ok()?;
        // An empty one would say something else.
        (1..=most).contains(&length).then_some(length)
    }

    /// Frames that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Frames that waited for too long and were not said.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Frames that the encoder did not pack.
    pub const fn failed(&self) -> u64 {
        self.failed
    }
}
