//! What is asked of a codec: 20 ms of sound packed and unpacked. Knows none.

use core::fmt;

/// Samples of a frame: 20 ms at 48 000 a second, one channel (VOICE-02).
pub const FRAME_SAMPLES: usize = 960;
/// Microseconds of a frame.
pub const FRAME_MICROS: u64 = 20_000;

/// 20 ms of sound.
pub type Frame = [i16; FRAME_SAMPLES];

/// A codec could not do what it was asked: a packet is not 20 ms of sound, or the library failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError;

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the codec could not")
    }
}

impl core::error::Error for CodecError {}

/// Unpacks one speaker's frames, in order.
pub trait Decode {
    /// Unpacks the next frame.
    fn decode(&mut self, packet: &[u8], to: &mut Frame) -> Result<(), CodecError>;
    /// Gives the next frame, which was lost, from what the packet after it says of it.
    fn recover(&mut self, following: &[u8], to: &mut Frame) -> Result<(), CodecError>;
    /// Gives the next frame, which was lost, from what was heard before it.
    fn conceal(&mut self, to: &mut Frame) -> Result<(), CodecError>;
    /// Forgets what was heard: another speaks now, or the same after a pause.
    fn reset(&mut self);
}

/// Packs this machine's own frames, in order.
pub trait Encode {
    /// Packs the next frame into no more bytes than `to` has; how many it took.
    fn encode(&mut self, frame: &Frame, to: &mut [u8]) -> Result<usize, CodecError>;
    /// How many thousand bits a second to take from now on.
    fn set_kbps(&mut self, kbps: u8) -> Result<(), CodecError>;
    /// Forgets what was packed: what follows comes after a pause.
    fn reset(&mut self);
}
