//! Voice chat: who may talk and who hears; a relay that never decodes.
//!
//! A client sends 20 ms frames to the host, each with the key that the host gave its machine over its stream ([`Client`]).
//! The host checks and relays them, byte for byte, to whom its settings let hear ([`Host`]). What a machine is to hear
//! goes through a buffer that holds little and catches up to its decoders ([`Listener`]); what it says comes from a
//! microphone's samples ([`Talker`]).
//!
//! It knows no sound device and no codec: Opus stands in one file behind the feature `opus` (`OpusEncoder`,
//! `OpusDecoder`), and all else asks for [`Encode`] and [`Decode`].
#![no_std]

extern crate alloc;

mod client;
#[cfg(feature = "opus")]
mod codec;
mod error;
mod frames;
mod heard;
mod hearing;
mod host;
mod jitter;
mod keys;
mod level;
mod listener;
mod mutes;
mod own;
mod pace;
mod placing;
mod rate;
mod ring;
mod talker;
mod tone;

pub use client::{Client, FORGET_MICROS, HEARS_AGAIN_MICROS};
#[cfg(feature = "opus")]
pub use codec::{COMPLEXITY, EXPECTED_LOSS, OpusDecoder, OpusEncoder};
pub use error::{Error, Refusals};
pub use frames::{CodecError, Decode, Encode, FRAME_MICROS, FRAME_SAMPLES, Frame};
pub use heard::Heard;
pub use hearing::{Player, Sides, Stage, World};
pub use host::{CONFIG_MICROS, HEARS_MICROS, Host, MOST_WAITING};
pub use jitter::{BLEND_TURNS, FRESH_TURNS, MOST_CONCEALED, MOST_PATIENT, START_FRAMES, SURPLUS_TURNS};
pub use level::Level;
pub use listener::{Counts, Listener, MARK_MICROS, MOST_DECODERS, Played, TAKEOVER_MICROS};
pub use mutes::Mutes;
pub use own::{MOST_VOLUME, Talk, volume};
pub use pace::{MOST_DUE, Pace};
pub use placing::{Ear, Ears, LEAST_GAIN, MOST_PAN, Placed, WHOLE_WITHIN, mix, place};
pub use rate::{MOST_TALKING, RATE_BURST, RATE_MICROS, TALKING_MICROS};
pub use ring::RING_FRAMES;
pub use talker::{HOLD_MICROS, LOUD_PART, MOST_BACKLOG, Talker};
pub use tone::{TONE_HERTZ, Tone};
