//! One message of either space: what `wire` reads of it, and where it could not. Knows no file.

use mjolnir_wire::game_state::{GameStateHeader, body_bytes};
use mjolnir_wire::inputs::RelayedActions;
use mjolnir_wire::limits::{HEADER_BYTES, PART_BYTES};
use mjolnir_wire::message::{MessageType, read_word};
use mjolnir_wire::packets::Packet;
use mjolnir_wire::shown::Fields;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::voice::{VoiceDownHeader, VoiceUpHeader};
use mjolnir_wire::{Error, Kind, Message, Parts};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::fields::MessageFields;

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Misread {
    /// What is wrong: `wire`'s reason, or hexadecimal's.
    pub error: &'static str,
    /// The byte that it is wrong at, counted from the message's first.
    pub offset: usize,
}

impl Misread {
    const fn at(offset: usize, error: Error) -> Self {
        Self { error: error.reason(), offset }
    }
}

/// A message of either space.
#[derive(Clone, Debug)]
pub enum Reading<'a> {
    /// One of the netcode's.
    Distributed {
        /// The message.
        message: Message<'a>,
        /// Where its word, or its part's length, stands in what was given.
        at: usize,
    },
    /// One of the game's own packets.
    Game(Box<Packet<'a>>),
}

/// Reads a whole message from its header word on, to the byte.
pub fn read(bytes: &[u8]) -> Result<Reading<'_>, Misread> {
    let Some((word, _)) = bytes.split_first_chunk() else {
        return Err(Misread::at(bytes.len(), Error::Truncated));
    };
    match read_word(*word).map_err(|error| Misread::at(0, error))? {
        (MessageType::Packet, _) => Packet::read_or_where(bytes)
            .map(|packet| Reading::Game(Box::new(packet)))
            .map_err(|(error, at)| Misread::at(at, error)),
        (MessageType::Data, length) => match Message::read(bytes) {
            Ok(message) => Ok(Reading::Distributed { message, at: 0 }),
            Err(error) => Err(misread(error, bytes.len(), length)),
        },
        // Text for nobody: a receiver reads over it.
        (MessageType::Error, _) => Err(Misread::at(0, Error::UnknownKind)),
    }
}

/// Where a message's header or length is wrong, of which there are `given` bytes and were to be `length`.
fn misread(error: Error, given: usize, length: usize) -> Misread {
    let offset = match error {
        Error::UnknownKind => 2,
        Error::BadFlag => 3,
        Error::BadTick => 4,
        Error::TrailingBytes if length < given => length,
        // The only kind that is exact to the byte has one entry.
        Error::TrailingBytes => HEADER_BYTES + Kind::AimAssistPolicy.info().entry,
        _ => given,
    };
    Misread::at(offset, error)
}

/// A batch's parts, each with its place, or where it is wrong.
pub(crate) fn parts<'a>(
    batch: &Message<'a>,
    at: usize,
) -> impl Iterator<Item = Result<Reading<'a>, Misread>> + use<'a> {
    let (mut parts, end) = (Parts::of(batch), at + HEADER_BYTES + batch.body.len());
    core::iter::from_fn(move || {
        let before = parts.left();
        let begins = end - before.len();
        let part = parts.next()?;
        let taken = before.len() - parts.left().len();
        let said = before.first_chunk().map(|length| usize::from(u16::from_le_bytes(*length)) + 2);
        Some(match part {
            Ok(message) => Ok(Reading::Distributed { message, at: begins }),
            // It says more bytes than there are, or fewer than a header: nothing can follow.
            Err(error) if said != Some(taken) || taken < PART_BYTES => Err(Misread::at(begins, error)),
            // The one flag that is not the count's: a batch in a batch.
            Err(error) if before.get(2) == Some(&(Kind::Batch as u8)) => Err(Misread::at(begins + 2, error)),
            Err(error) => {
                let Misread { error, offset } = misread(error, taken, taken);
                Err(Misread { error, offset: begins + offset })
            }
        })
    })
}

/// The game type whose state stands behind the header, by its length, which no two share: 0 where nothing does, none
/// where no game type's is as long. The message itself does not say.
pub(crate) fn game_type(message: &Message<'_>) -> Option<u8> {
    let body = message.body.len().checked_sub(GameStateHeader::SIZE)?;
    if body == 0 { Some(0) } else { (1..=5).find(|game_type| body_bytes(*game_type) == Some(body)) }
}

impl Reading<'_> {
    /// What a receiver would miss of it first: a batch's bad part, an entry that is cut short, a body of no length
    /// that there is. Entries that are whole and refused are no such thing: they say so themselves.
    pub fn first_wrong(&self) -> Option<Misread> {
        let Self::Distributed { message, at } = self else {
            return None;
        };
        let body = at + HEADER_BYTES;
        let end = body + message.body.len();
        match message.kind {
            Kind::Batch => {
                parts(message, *at).find_map(|part| part.map_or_else(Some, |reading| reading.first_wrong()))
            }
            Kind::PlayerPrediction | Kind::UnitStates => {
                let mut states = UnitState::read_all(message);
                cut_short(|| (end - states.left().len(), states.next().map(|state| state.err())))
            }
            Kind::RelayedActions => match RelayedActions::read(message) {
                Ok(mut actions) => {
                    cut_short(|| (end - actions.left().len(), actions.next().map(|action| action.err())))
                }
                Err(error) => Some(Misread::at(end, error)),
            },
            Kind::GameState => match game_type(message) {
                Some(_) => None,
                None => Some(Misread::at(body + GameStateHeader::SIZE, Error::OutOfRange)),
            },
            Kind::VoiceUp => voice(body, message.body, VoiceUpHeader::SIZE, |bytes| {
                VoiceUpHeader::read(bytes).map(|header| header.length)
            }),
            Kind::VoiceDown => voice(body, message.body, VoiceDownHeader::SIZE, |bytes| {
                VoiceDownHeader::read(bytes).map(|header| header.length)
            }),
            _ => None,
        }
    }

    /// Adds space, kind, name and fields.
    pub fn entries<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        match self {
            Self::Distributed { message, at } => {
                to.serialize_entry("space", "distributed")?;
                to.serialize_entry("kind", &(message.kind as u8))?;
                to.serialize_entry("name", message.kind.name())?;
                to.serialize_entry("fields", &MessageFields { message, at: *at })
            }
            Self::Game(packet) => {
                to.serialize_entry("space", "game")?;
                to.serialize_entry("kind", &packet.number())?;
                to.serialize_entry("name", packet.info().name)?;
                to.serialize_entry("fields", &PacketFields(packet))
            }
        }
    }
}

/// The entry that is cut short, of those that `next` reads: its place, and why it was refused if it was.
fn cut_short(mut next: impl FnMut() -> (usize, Option<Option<Error>>)) -> Option<Misread> {
    loop {
        match next() {
            (_, None) => return None,
            (at, Some(Some(Error::Truncated))) => return Some(Misread::at(at, Error::Truncated)),
            (_, Some(_)) => {}
        }
    }
}

/// Whether a frame's packet is as long as its header says.
fn voice(
    at: usize,
    body: &[u8],
    header: usize,
    length: impl Fn(&[u8]) -> Result<u8, Error>,
) -> Option<Misread> {
    let end = match length(body) {
        Ok(length) => header + usize::from(length),
        Err(error) => return Some(Misread::at(at + body.len(), error)),
    };
    match body.len() {
        given if given < end => Some(Misread::at(at + given, Error::Truncated)),
        given if given > end => Some(Misread::at(at + end, Error::TrailingBytes)),
        _ => None,
    }
}

impl Serialize for Reading<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.entries(&mut map)?;
        map.end()
    }
}

struct PacketFields<'a>(&'a Packet<'a>);

impl Serialize for PacketFields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.0.fields(&mut map)?;
        map.end()
    }
}
