//! Opus: the one place that knows the codec, by the system's libopus (feature `opus`). Knows no frame's number and no
//! speaker.

extern crate std;

use std::vec::Vec;

use audiopus::coder::{Decoder, Encoder, GenericCtl};
use audiopus::packet::Packet;
use audiopus::{Application, Bitrate, Channels, MutSignals, SampleRate};

use crate::frames::{CodecError, Decode, Encode, FRAME_SAMPLES, Frame};
use crate::listener::MOST_DECODERS;

/// Loss that the encoder reckons with, per cent (VOICE-30).
pub const EXPECTED_LOSS: u8 = 10;
/// How hard the encoder works, of 10 (VOICE-30).
pub const COMPLEXITY: u8 = 5;

impl From<audiopus::Error> for CodecError {
    fn from(_: audiopus::Error) -> Self {
        Self
    }
}

/// Packs speech (VOICE-30).
#[derive(Debug)]
pub struct OpusEncoder(Encoder);

impl OpusEncoder {
    /// For speech, with forward error correction for a tenth lost, at the default quality.
    pub fn new() -> Result<Self, CodecError> {
        let mut encoder = Encoder::new(SampleRate::Hz48000, Channels::Mono, Application::Voip)?;
        encoder.enable_inband_fec()?;
        encoder.set_packet_loss_perc(EXPECTED_LOSS)?;
        encoder.set_complexity(COMPLEXITY)?;
        let mut this = Self(encoder);
        this.set_kbps(24)?;
        Ok(this)
    }
}

impl Encode for OpusEncoder {
    fn encode(&mut self, frame: &Frame, to: &mut [u8]) -> Result<usize, CodecError> {
        Ok(self.0.encode(frame, to)?)
    }

    fn set_kbps(&mut self, kbps: u8) -> Result<(), CodecError> {
        Ok(self.0.set_bitrate(Bitrate::BitsPerSecond(i32::from(kbps) * 1000))?)
    }

    fn reset(&mut self) {
        // It has no way to fail but for a request that the library does not know.
        let _ = self.0.reset_state();
    }
}

/// Unpacks one speaker's frames.
#[derive(Debug)]
pub struct OpusDecoder(Decoder);

impl OpusDecoder {
    /// That has heard nothing yet.
    pub fn new() -> Result<Self, CodecError> {
        Ok(Self(Decoder::new(SampleRate::Hz48000, Channels::Mono)?))
    }

    /// As many as a [`crate::Listener`] has.
    pub fn all() -> Result<Vec<Self>, CodecError> {
        (0..MOST_DECODERS).map(|_| Self::new()).collect()
    }

    /// What is no packet of exactly 20 ms is refused: of less the rest would be the frame before.
    fn give(&mut self, packet: Option<&[u8]>, recovers: bool, to: &mut Frame) -> Result<(), CodecError> {
        let packet = packet.map(Packet::try_from).transpose()?;
        let samples = self.0.decode(packet, MutSignals::try_from(&mut to[..])?, recovers)?;
        if samples == FRAME_SAMPLES { Ok(()) } else { Err(CodecError) }
    }
}

impl Decode for OpusDecoder {
    fn decode(&mut self, packet: &[u8], to: &mut Frame) -> Result<(), CodecError> {
        self.give(Some(packet), false, to)
    }

    fn recover(&mut self, following: &[u8], to: &mut Frame) -> Result<(), CodecError> {
        self.give(Some(following), true, to)
    }

    fn conceal(&mut self, to: &mut Frame) -> Result<(), CodecError> {
        self.give(None, false, to)
    }

    fn reset(&mut self) {
        // As of the encoder's.
        let _ = self.0.reset_state();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// VOICE-30: for speech, with error correction for a tenth lost, at half its effort, and as many bits a second as it is told:
    /// 24 000 at first. To start over changes none of it.
    #[test]
    fn the_encoder_is_for_speech() {
        let mut encoder = OpusEncoder::new().unwrap();
        for (kbps, bits) in [(None, 24_000), (Some(8), 8_000), (Some(64), 64_000)] {
            if let Some(kbps) = kbps {
                encoder.set_kbps(kbps).unwrap();
            }
            encoder.reset();
            let set = &encoder.0;
            assert_eq!(set.application().unwrap(), Application::Voip);
            assert!(set.inband_fec().unwrap());
            assert_eq!((set.packet_loss_perc().unwrap(), set.complexity().unwrap()), (10, 5));
            assert_eq!(set.bitrate().unwrap(), Bitrate::BitsPerSecond(bits));
            assert_eq!(set.sample_rate().unwrap(), SampleRate::Hz48000);
        }
    }
}
