//! The small messages of a game's frame: the end of the object list (kind 8), readiness (9), a notice (17), who a
//! client says it is (18), the structure BSP (65); FACT wire 3.12.
//!
//! Identity is only laid out here, and checked in `identity`; the structure BSP's checks come with the crate that reads it.

use alloc::vec::Vec;

use crate::error::Error;
use crate::kinds::Kind;
use crate::layout::{Pad, Values, layout};
use crate::message::Message;

/// Characters of the longest notice.
pub const NOTICE_CHARACTERS: usize = 159;

/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[(
    "client_ready.count",
    &[("loaded", ClientReady::Loaded.count() as u32), ("again", ClientReady::Again.count() as u32)],
)];

layout! {
    /// Who a client says its player is: the entry of kind 18 (WIRE-52).
    pub struct ClientIdentityEntry = 64 {
        /// A Discord user's id, at most 23 characters and a NUL.
        discord_id: [u8; 24] = 0,
        /// Its name, at most 39 characters and a NUL.
        name: [u8; 40] = 24,
    }

    /// The structure BSP that is loaded: the entry of kind 65.
    pub struct StructureBspEntry = 4 {
        /// Its index in the scenario.
        index: i16 = 0,
        /// Nothing.
        pad_2: Pad<2> = 2,
    }
}

/// What a client asks for with kind 9. The message is its header alone; the count says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientReady {
    /// It has loaded: all objects.
    Loaded,
    /// It could not make an object: all objects again.
    Again,
}

impl ClientReady {
    /// The count that travels.
    pub const fn count(self) -> u8 {
        match self {
            Self::Loaded => 0,
            Self::Again => 1,
        }
    }

    /// Reads a kind 9 message; another count than 0 or 1 is refused (WIRE-66).
    pub const fn read(message: &Message<'_>) -> Result<Self, Error> {
        match (message.kind, message.count) {
            (Kind::ClientReady, 0) => Ok(Self::Loaded),
            (Kind::ClientReady, 1) => Ok(Self::Again),
            (Kind::ClientReady, _) => Err(Error::BadFlag),
            _ => Err(Error::UnknownKind),
        }
    }
}

/// A line that every machine shows in red: 0 to [`NOTICE_CHARACTERS`] printable ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    text: [u8; NOTICE_CHARACTERS],
    length: u8,
}

impl Notice {
    /// That text: cut where it is too long, `?` for each character that is not printable ASCII (WIRE-54).
    pub fn new(text: &str) -> Self {
        Self::of(text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')))
    }

    /// Reads a kind 17 message to its NUL, or to its end where it has none.
    pub fn read(message: &Message<'_>) -> Self {
        Self::of(message.body.iter().copied().take_while(|byte| *byte != 0))
    }

    fn of(characters: impl Iterator<Item = u8>) -> Self {
        let mut this = Self { text: [0; NOTICE_CHARACTERS], length: 0 };
        for (place, character) in this.text.iter_mut().zip(characters) {
            *place = if (0x20..=0x7E).contains(&character) { character } else { b'?' };
            this.length += 1;
        }
        this
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        // It is ASCII, as everything is that gets in.
        core::str::from_utf8(&self.text[..usize::from(self.length)]).unwrap_or_default()
    }

    /// Appends what follows the header: the text and its NUL.
    pub fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self.as_str().as_bytes());
        to.push(0);
    }
}

impl core::fmt::Debug for Notice {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_str().fmt(f)
    }
}
