//! What a host says of its game, in 276 little-endian bytes (WIRE-90, FACT wire 4.1). Knows no list of games.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, Reader};
use super::settings::LevelName;
use super::text::Wide;
use crate::error::Error;
use crate::layout::{Pad, Plain, layout};

/// The protocol that searches and advertisements name.
pub const PROTOCOL: i16 = 2;

/// [`Advertisement::netcode`]: it plays the distributed netcode (WIRE-03).
pub const DISTRIBUTED_BIT: u8 = 1 << 0;
/// [`Advertisement::netcode`]: its game is in progress (WIRE-03).
pub const IN_PROGRESS_BIT: u8 = 1 << 1;

/// [`Advertisement::flags`]: it takes more machines.
pub const OPEN_BIT: u16 = 1 << 1;
/// [`Advertisement::flags`]: it is played in teams.
pub const TEAMS_BIT: u16 = 1 << 2;
/// [`Advertisement::flags`]: oddball of ball type 2.
pub const ODDBALL_BIT: u16 = 1 << 3;

layout! {
    /// A machine's address as the console knew it.
    pub struct AddressBlock = 12 {
        /// Its own size: 12.
        size: u8 = 0,
        /// Flags.
        flags: u8 = 1,
        /// What tells the machine from others.
        identity: [u8; 6] = 2,
        /// Its IPv4 address, first byte first.
        ip: [u8; 4] = 8,
    }

    /// A host's game.
    pub struct Advertisement = 276 {
        /// The nonce of the search that this answers.
        search_nonce: [u8; 8] = 0,
        /// The host's own nonce.
        nonce: [u8; 8] = 8,
        /// The key's name.
        key_id: [u8; 8] = 16,
        /// The key.
        key: [u8; 16] = 24,
        /// Where the host is.
        address: AddressBlock = 40,
        /// Its port.
        port: u16 = 52,
        /// [`PROTOCOL`].
        protocol: i16 = 54,
        /// 0.
        platform: u16 = 56,
        /// The game's name.
        name: Wide<16> = 58,
        /// The network version, unsigned (WIRE-02); 0 of a host that had none.
        version: u16 = 90,
        /// [`DISTRIBUTED_BIT`], [`IN_PROGRESS_BIT`]; others are ignored.
        netcode: u8 = 92,
        /// The rest of the reserved bytes.
        reserved: Pad<23> = 93,
        /// The map's version: its hash's first four bytes.
        map_version: i32 = 116,
        /// The map's level name.
        map: LevelName = 120,
        /// The game type.
        game_type: i16 = 248,
        /// Machines in it.
        machines: i16 = 250,
        /// Players in it.
        players: i16 = 252,
        /// Players that it takes.
        max_players: i16 = 254,
        /// The score that ends it.
        score_limit: i16 = 256,
        /// [`OPEN_BIT`], [`TEAMS_BIT`], [`ODDBALL_BIT`]; others are ignored.
        flags: u16 = 258,
        /// The join token.
        token: [u8; 16] = 260,
    }
}

impl Advertisement {
    /// Of another protocol, or a map's name without its end: refused (WIRE-90).
    pub fn check(&self) -> Result<(), Error> {
        if self.protocol != PROTOCOL {
            return Err(Error::OutOfRange);
        }
        self.map.check()
    }

    /// Whether it says that it plays the distributed netcode.
    pub const fn is_distributed(&self) -> bool {
        self.netcode & DISTRIBUTED_BIT != 0
    }

    /// Whether its game is in progress.
    pub const fn is_in_progress(&self) -> bool {
        self.netcode & IN_PROGRESS_BIT != 0
    }

    /// Whether it takes more machines.
    pub const fn is_open(&self) -> bool {
        self.flags & OPEN_BIT != 0
    }
}

impl<'a> Field<'a> for Advertisement {
    const SIZE: usize = 276;

    fn type_name() -> String {
        <Self as Plain>::type_name()
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        let record = Self::get(from.array::<276>()?);
        record.check().map(|()| record)
    }

    fn write(&self, to: &mut Vec<u8>) {
        Advertisement::write(self, to);
    }
}
