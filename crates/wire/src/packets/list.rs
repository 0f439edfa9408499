//! Every packet of the game's own: number, sender, channel and fields, each stated once (WIRE-87, 88, FACT wire 4).
//! Knows no session.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::advertisement::Advertisement;
use super::field::{Field, Reader, Unread};
use super::pieces::PIECE_BYTES;
use super::player::NetworkPlayer;
use super::settings::MachineName;
use super::text::Chars;
use super::values::{Actions, Rejection, SkippedActions, StartRequest};
use crate::error::Error;
use crate::kinds::{Channels, Sender};
use crate::message::{self, MessageType, read_word};
use crate::shown::{self, Fields};
use crate::time::Tick;

/// The version of the packets' encoding, which each bears.
pub const PACKET_VERSION: u8 = 1;
/// Bytes of a packet beside its fields: the word, the version, the number.
pub const PACKET_OVERHEAD: usize = 4;

/// What the format says of one packet.
#[derive(Clone, Copy, Debug)]
pub struct PacketInfo {
    /// Its number.
    pub number: u8,
    /// Its name in the record.
    pub name: &'static str,
    /// Who sends it.
    pub sender: Sender,
    /// By which channel.
    pub channel: Channels,
    /// Bytes of the whole packet; of one whose length varies the least.
    pub size: usize,
}

macro_rules! packets {
    ($( $(#[$meta:meta])* $number:literal $title:literal $sender:ident $channel:ident
        $name:ident $(<$life:lifetime>)? {
            $( $(#[$field_meta:meta])* $field:ident : $ty:ty ),* $(,)?
        } )+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $name $(<$life>)? {
                $( $(#[$field_meta])* pub $field: $ty, )*
            }
        )+

        /// One of the game's own packets.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Packet<'a> {
            $( $(#[$meta])* $name($name $(<$life>)?), )+
        }

        impl<'a> Packet<'a> {
            const LIST: &'static [PacketInfo] = &[
                $( PacketInfo {
                    number: $number,
                    name: $title,
                    sender: Sender::$sender,
                    channel: Channels::$channel,
                    size: PACKET_OVERHEAD $( + <$ty as Field<'a>>::SIZE )*,
                }, )+
            ];

            /// Its number.
            pub const fn number(&self) -> u8 {
                match self {
                    $( Self::$name(_) => $number, )+
                }
            }

            fn read_fields(number: u8, from: &mut Reader<'a>) -> Result<Self, Error> {
                match number {
                    $( $number => Ok(Self::$name($name { $( $field: from.field()?, )* })), )+
                    _ => Err(Error::UnknownKind),
                }
            }

            fn write_fields(&self, to: &mut Vec<u8>) {
                match self {
                    $( Self::$name($name { $( $field ),* }) => { $( Field::write($field, to); )* } )+
                }
            }

            /// Each packet's fields: name, type, offset among the fields.
            fn fields(number: u8) -> Vec<(&'static str, String, usize)> {
                let mut all = Vec::new();
                let mut at = 0;
                match number {
                    $( $number => {
                        $(
                            all.push((stringify!($field), <$ty as Field<'a>>::type_name(), at));
                            at += <$ty as Field<'a>>::SIZE;
                        )*
                    } )+
                    _ => {}
                }
                debug_assert!(PACKETS.get(usize::from(number)).is_none_or(|i| i.size == at + PACKET_OVERHEAD));
                all
            }
        }

        impl Fields for Packet<'_> {
            fn fields<M: ::serde::ser::SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
                match self {
                    $( Self::$name($name { $( $field ),* }) => {
                        $( shown::field(to, stringify!($name), stringify!($field), $field)?; )*
                        Ok(())
                    } )+
                }
            }
        }
    };
}

packets! {
    /// Looks for games.
    0 "client_broadcast_game_search" Client Datagram Search {
        /// The port to answer to.
        port: u16,
        /// The searcher's protocol; only 2 is answered (WIRE-96).
        protocol: i16,
        /// Comes back in the answer.
        nonce: [u8; 8],
    }
    /// Asks how far a host is.
    1 "client_ping" Client Datagram Ping {
        /// The sender's milliseconds, which come back.
        timestamp: i32,
        /// The sender's port.
        port: i16,
    }
    /// A host's game.
    2 "server_game_advertise" Host Datagram Advertise {
        /// The game.
        game: Advertisement,
    }
    /// Answers a ping.
    3 "server_pong" Host Datagram Pong {
        /// The ping's.
        timestamp: i32,
    }
    /// The machine is in.
    4 "server_machine_accepted" Host Stream Accepted {
        /// The host's random seed (NET-71).
        seed: u32,
        /// The machine's index.
        machine: i16,
    }
    /// The machine is not in; the stream ends.
    5 "server_machine_rejected" Host Stream Rejected {
        /// Why.
        reason: Rejection,
    }
    /// A part of the settings.
    6 "server_game_settings_update" Host Stream SettingsPiece<'a> {
        /// Bytes of the whole record.
        total: u16,
        /// Where this part stands in it.
        offset: u16,
        /// How many of the bytes count.
        length: u16,
        /// The part.
        bytes: &'a [u8; PIECE_BYTES],
    }
    /// The lobby counts down.
    7 "server_pregame_countdown" Host Stream Countdown {
        /// Seconds left.
        seconds: i16,
    }
    /// The game begins: load it.
    8 "server_begin_game" Host Stream BeginGame {
        /// The low 16 bits of the host's tick (WIRE-35).
        time: u16,
    }
    /// The host leaves its lobby.
    9 "server_graceful_game_exit_pregame" Host Stream HostExitPregame {
        /// Sent zero.
        value: Unread<4>,
    }
    /// The host is still there.
    10 "server_pregame_keep_alive" Host Stream PregameKeepAlive {
        /// Sent zero.
        value: Unread<4>,
    }
    /// The host is still there, after a game.
    11 "server_postgame_keep_alive" Host Stream PostgameKeepAlive {
        /// Sent zero.
        value: Unread<2>,
    }
    /// A machine wants in.
    12 "client_join_game_request" Client Stream JoinRequest {
        /// Its name.
        name: MachineName,
        /// The join token.
        token: [u8; 16],
        /// 32 hexadecimal digits; others count as none (WIRE-51).
        hardware_id: [u8; 32],
    }
    /// A machine has a player.
    13 "client_add_player_request_pregame" Client Stream AddPlayerPregame {
        /// The player.
        player: NetworkPlayer,
    }
    /// A machine's player leaves the lobby.
    14 "client_remove_player_request_pregame" Client Stream RemovePlayerPregame {
        /// The player.
        player: NetworkPlayer,
    }
    /// A machine wants the settings.
    15 "client_settings_request" Client Stream SettingsRequest {
        /// Its name.
        name: MachineName,
        /// Its index.
        machine: i8,
    }
    /// A machine's player changes.
    16 "client_player_settings_request" Client Stream PlayerSettingsRequest {
        /// The player.
        player: NetworkPlayer,
    }
    /// A machine asks about the countdown.
    17 "client_game_start_request" Client Stream GameStartRequest {
        /// What it asks.
        request: StartRequest,
    }
    /// A client leaves the lobby.
    18 "client_graceful_game_exit_pregame" Client Stream ClientExitPregame {
        /// Sent zero.
        value: Unread<4>,
    }
    /// A client has a map at hand.
    19 "client_map_is_precached" Client Stream MapPrecached {
        /// The level's name.
        map: Chars<256>,
    }
    /// The host's clock and count of updates.
    20 "server_game_update" Host Stream GameUpdate {
        /// The update's number.
        number: i32,
        /// 0 in this netcode (NET-71).
        seed: u32,
        /// The host's tick.
        time: Tick,
        /// None in this netcode (WIRE-36).
        actions: SkippedActions,
    }
    /// A player came into the game.
    21 "server_add_player_ingame" Host Stream AddPlayerIngame {
        /// The player, its slot the host's.
        player: NetworkPlayer,
    }
    /// A player leaves the game.
    22 "server_remove_player_ingame" Host Stream RemovePlayerIngame {
        /// The player.
        player: NetworkPlayer,
        /// The tick at which it leaves, about 33 ahead (NET-63).
        at: Tick,
    }
    /// The game is over.
    23 "server_game_over" Host Stream GameOver {
        /// Sent zero.
        value: Unread<4>,
    }
    /// A client has loaded the game.
    24 "client_loaded" Client Stream Loaded {
        /// Sent zero.
        value: Unread<4>,
    }
    /// What a client says ten times a second.
    25 "client_game_update" Client Datagram ClientUpdate {
        /// The next update that it expects; its highest bit means nothing (NET-66).
        next_update: i32,
        /// Its players' actions, which the host does not read.
        actions: Actions,
    }
    /// A machine has a player, in the game.
    26 "client_add_player_request_ingame" Client Stream AddPlayerRequestIngame {
        /// The player.
        player: NetworkPlayer,
    }
    /// A machine's player leaves the game.
    27 "client_remove_player_request_ingame" Client Stream RemovePlayerRequestIngame {
        /// The player.
        player: NetworkPlayer,
    }
    /// Never sent, ignored.
    28 "client_host_crashed" Client Stream HostCrashed {
        /// Not looked at.
        value: Unread<14>,
    }
    /// Never sent, ignored.
    29 "client_join_new_host" Client Stream JoinNewHost {
        /// Not looked at.
        value: Unread<14>,
    }
    /// Back to the lobby.
    30 "server_switch_to_pregame" Host Stream HostSwitchToPregame {
        /// Sent zero.
        value: Unread<4>,
    }
    /// The host leaves after a game.
    31 "server_graceful_game_exit_postgame" Host Stream HostExitPostgame {
        /// Sent zero.
        value: Unread<4>,
    }
    /// A machine's player leaves after a game.
    32 "client_remove_player_request_postgame" Client Stream RemovePlayerPostgame {
        /// The player.
        player: NetworkPlayer,
    }
    /// A client goes back to the lobby.
    33 "client_switch_to_pregame" Client Stream ClientSwitchToPregame {
        /// Sent zero.
        value: Unread<4>,
    }
    /// A client leaves after a game.
    34 "client_graceful_game_exit_postgame" Client Stream ClientExitPostgame {
        /// Sent zero.
        value: Unread<4>,
    }
}

/// Every packet, by number: the place of each is its number.
pub const PACKETS: &[PacketInfo] = Packet::LIST;

const _: () = {
    let mut at = 0;
    while at < PACKETS.len() {
        assert!(PACKETS[at].number as usize == at);
        at += 1;
    }
};

impl<'a> Packet<'a> {
    /// Reads a whole packet from its header word on.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::read_or_where(bytes).map_err(|(error, _)| error)
    }

    /// The same; an error comes with the offset of what is wrong: of a field, of where bytes lack or are too many.
    pub fn read_or_where(bytes: &'a [u8]) -> Result<Self, (Error, usize)> {
        let end = bytes.len();
        let Some((word, rest)) = bytes.split_first_chunk() else {
            return Err((Error::Truncated, end));
        };
        match read_word(*word).map_err(|error| (error, 0))? {
            (MessageType::Packet, length) if length == end => {}
            (MessageType::Packet, length) if length > end => return Err((Error::Truncated, end)),
            (MessageType::Packet, length) => return Err((Error::TrailingBytes, length)),
            _ => return Err((Error::UnknownKind, 0)),
        }
        let [version, fields @ .., number] = rest else {
            return Err((Error::Truncated, end));
        };
        if *version != PACKET_VERSION {
            return Err((Error::BadFlag, 2));
        }
        let mut from = Reader::new(fields);
        match Self::read_fields(*number, &mut from).and_then(|packet| from.finish().map(|()| packet)) {
            Ok(packet) => Ok(packet),
            Err(Error::UnknownKind) => Err((Error::UnknownKind, end - 1)),
            // The number is the last byte, behind all fields.
            Err(error) => Err((error, end - 1 - from.from_field())),
        }
    }

    /// Appends the whole packet. On an error nothing was appended.
    pub fn write(&self, to: &mut Vec<u8>) -> Result<(), Error> {
        let at = to.len();
        to.extend_from_slice(&[0, 0, PACKET_VERSION]);
        self.write_fields(to);
        to.push(self.number());
        message::finish(to, at, MessageType::Packet)
    }

    /// What the format says of it.
    pub const fn info(&self) -> &'static PacketInfo {
        &PACKETS[self.number() as usize]
    }
}

/// The packets' lines of the record.
pub(super) fn describe() -> Vec<String> {
    let mut lines = Vec::new();
    for info in PACKETS {
        let sender = match info.sender {
            Sender::Host => "host",
            Sender::Client => "client",
            Sender::Either => "either",
        };
        let channel = match info.channel {
            Channels::Stream => "stream",
            Channels::Datagram => "datagram",
            Channels::Either => "either",
            Channels::Own => "own",
        };
        lines.push(format!("packet {} {} {sender} {channel} {}", info.name, info.number, info.size));
        for (name, ty, offset) in Packet::fields(info.number) {
            lines.push(format!("packet_field {}.{name} {ty} {offset}", info.name));
        }
    }
    lines
}
