//! Voice as it travels (kinds 80 to 82, FACT wire 6.1). A frame's packet follows its header to the message's end.
//!
//! It checks what the bytes alone can say. Whose key it is, how large a packet may be by the host's quality and how many
//! may come are checked by the crate that speaks; what a packet holds is the codec's to know.

mod layouts;
mod settings;

use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::error::Error;
use crate::ids::{Machine, Slot};
use crate::kinds::Kind;
use crate::layout::Pad;
use crate::message::{self, Message, MessageType};
use crate::time::Tick;

pub(crate) use layouts::{BITS, VALUES};
pub use layouts::{VoiceConfigEntry, VoiceDownHeader, VoiceUpHeader};
pub use settings::{Mode, VoiceConfig, VoiceSettings};

/// Bytes of the longest packet: its length travels in a byte.
pub const PACKET_BYTES: usize = 255;

/// What the host gave a machine, so that its datagrams are told from those that only say they are its own (VOICE-03).
/// Never 0 (VOICE-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceKey(NonZeroU32);

impl VoiceKey {
    /// That key; 0 is none.
    pub const fn new(key: u32) -> Option<Self> {
        match NonZeroU32::new(key) {
            Some(key) => Some(Self(key)),
            None => None,
        }
    }

    /// As it travels.
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    const fn read(key: u32) -> Result<Self, Error> {
        match Self::new(key) {
            Some(key) => Ok(key),
            None => Err(Error::OutOfRange),
        }
    }
}

/// 20 ms of speech as the codec packed them, 0..=255 bytes. None in a frame that says "I hear voices" alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet<'a>(&'a [u8]);

impl<'a> Packet<'a> {
    /// Nothing is said.
    pub const EMPTY: Self = Self(&[]);

    /// Those bytes, if they are no more than [`PACKET_BYTES`].
    pub const fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() > PACKET_BYTES { Err(Error::TooLong) } else { Ok(Self(bytes)) }
    }

    /// Its bytes.
    pub const fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// Reads what a header of so many bytes is followed by: exactly the length that it says (WIRE-49).
    fn read(body: &'a [u8], header: usize, length: u8) -> Result<Self, Error> {
        let rest = body.get(header..).ok_or(Error::Truncated)?;
        match rest.len().cmp(&usize::from(length)) {
            core::cmp::Ordering::Less => Err(Error::Truncated),
            core::cmp::Ordering::Equal => Ok(Self(rest)),
            core::cmp::Ordering::Greater => Err(Error::TrailingBytes),
        }
    }

    const fn length(self) -> u8 {
        self.0.len() as u8
    }
}

/// A client's frame: kind 80 (WIRE-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceUp<'a> {
    /// The machine's key.
    pub key: VoiceKey,
    /// One more than the last frame's, wrapping. Of one without a packet it means nothing.
    pub sequence: u16,
    /// What is said.
    pub packet: Packet<'a>,
}

impl<'a> VoiceUp<'a> {
    /// Checks a kind 80 message: a key, and a packet of exactly its length.
    pub fn read(message: &Message<'a>) -> Result<Self, Error> {
        let raw = VoiceUpHeader::read(message.body)?;
        Ok(Self {
            key: VoiceKey::read(raw.key)?,
            sequence: raw.sequence,
            packet: Packet::read(message.body, VoiceUpHeader::SIZE, raw.length)?,
        })
    }

    /// Appends it as a whole datagram, stamped with that tick: 0 in a lobby (NET-67).
    pub fn write(&self, stamp: Tick, to: &mut Vec<u8>) {
        let Self { key, sequence, packet } = *self;
        let header = VoiceUpHeader { key: key.get(), sequence, length: packet.length(), pad_7: Pad };
        write(Kind::VoiceUp, stamp, to, |to| {
            header.write(to);
            to.extend_from_slice(packet.bytes());
        });
    }
}

/// By what a voice is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// By nothing: it is not heard.
    None,
    /// Everywhere, as loud.
    Global,
    /// For being near: the listener hears where from.
    Near,
}

impl Route {
    /// Every route, by the number that travels.
    pub const ALL: [Self; 3] = [Self::None, Self::Global, Self::Near];
}

/// A frame for who may hear it: kind 81 (WIRE-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceDown<'a> {
    /// The receiving machine's key.
    pub key: VoiceKey,
    /// As its speaker numbered it.
    pub sequence: u16,
    /// The machine that speaks.
    pub machine: Machine,
    /// Its first player; none in a lobby.
    pub player: Option<Slot>,
    /// By what it is heard.
    pub route: Route,
    /// What is said.
    pub packet: Packet<'a>,
}

impl<'a> VoiceDown<'a> {
    /// Checks a kind 81 message: a key, a machine, a player or none, a route, and a packet of exactly its length.
    pub fn read(message: &Message<'a>) -> Result<Self, Error> {
        let raw = VoiceDownHeader::read(message.body)?;
        Ok(Self {
            key: VoiceKey::read(raw.key)?,
            sequence: raw.sequence,
            machine: Machine::new(raw.speaking_machine).ok_or(Error::BadIndex)?,
            player: Slot::read_or_none(raw.player)?,
            route: *Route::ALL.get(usize::from(raw.route)).ok_or(Error::BadFlag)?,
            packet: Packet::read(message.body, VoiceDownHeader::SIZE, raw.length)?,
        })
    }

    /// Appends it as a whole datagram, stamped with that tick: 0 in a lobby (NET-67).
    pub fn write(&self, stamp: Tick, to: &mut Vec<u8>) {
        let Self { key, sequence, machine, player, route, packet } = *self;
        let header = VoiceDownHeader {
            key: key.get(),
            sequence,
            speaking_machine: machine.get(),
            player: Slot::byte_or_none(player),
            route: route as u8,
            length: packet.length(),
            pad_10: Pad,
        };
        write(Kind::VoiceDown, stamp, to, |to| {
            header.write(to);
            to.extend_from_slice(packet.bytes());
        });
    }
}

/// A whole datagram: a message of count 1. No frame is too long for its word.
fn write(kind: Kind, stamp: Tick, to: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    let at = message::begin(to, kind, 1, stamp);
    body(to);
    let _ = message::finish(to, at, MessageType::Data);
}
