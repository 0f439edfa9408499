//! Every number of a session: how long is waited, how much is kept, how many are let in. Times are microseconds.

use mjolnir_wire::Moment;
use mjolnir_wire::limits::{MAX_PLAYERS, MESSAGE_BYTES};
use mjolnir_wire::packets::PACKETS;

/// What a joining machine shows, and every advertisement carries (NET-54).
pub const JOIN_TOKEN: [u8; 16] = *b"message in a bot";

/// A machine joins within this of connecting (NET-27).
pub const JOIN_LIMIT: u64 = 10 * Moment::SECOND;
/// A machine brings a player within this of joining (NET-58).
pub const NO_PLAYER_LIMIT: u64 = 15 * Moment::SECOND;
/// A machine that joined in progress loads within this (NET-29).
pub const LOAD_LIMIT: u64 = 120 * Moment::SECOND;
/// At a game's start machines are waited for so long (NET-59).
pub const START_LOAD_LIMIT: u64 = 60 * Moment::SECOND;
/// A machine in the game is heard within this (NET-28).
pub const SILENCE_LIMIT: u64 = 15 * Moment::SECOND;
/// A client gives its host up after so long without a byte of it; the host says something each 5 s in every phase.
pub const HOST_SILENCE_LIMIT: u64 = 15 * Moment::SECOND;
/// A machine that reads nothing of what it is sent is removed after this (NET-62).
pub const STALL_LIMIT: u64 = 2 * Moment::SECOND;
/// Bytes on their way to a machine past which it is removed at once: a stream's ring.
pub const STREAM_BYTES: usize = 1 << 20;

/// A machine is behind from more than so many bytes on their way to it...
pub const BEHIND_BYTES: usize = 64 << 10;
/// ...until no more than so many are.
pub const CAUGHT_UP_BYTES: usize = 8 << 10;
/// Bytes that are kept for a machine while it loads: the coming (21) and the leaving (22) of a player in each slot,
/// since a slot is had once in a game.
pub const HELD_BYTES: usize = MAX_PLAYERS * (PACKETS[21].size + PACKETS[22].size);

/// From one keep-alive to the next (NET-31).
pub const KEEP_ALIVE: u64 = 5 * Moment::SECOND;
/// Settings go anew at most this often (NET-56).
pub const SETTINGS_PERIOD: u64 = Moment::SECOND / 4;
/// A machine that waits to know the game's map brings its players after this to a host that names none.
pub const SETTINGS_LIMIT: u64 = Moment::SECOND;
/// A machine that says no map is told to load so long after its last player.
pub const TELL_DELAY: u64 = Moment::SECOND / 2;
/// The countdown to a game's start (NET-57).
pub const COUNTDOWN_SECONDS: i16 = 5;
/// From one client update to the next (NET-17).
pub const CLIENT_UPDATE_PERIOD: u64 = Moment::SECOND / 10;
/// A client in the game says a word by its stream this often, since it may have none otherwise: so its host knows a
/// machine whose datagrams are lost from one that is gone (NET-76).
pub const STREAM_WORD_PERIOD: u64 = 4 * Moment::SECOND;
/// A client says again which map it has after this, in the lobby (NET-53).
pub const PRECACHED_PERIOD: u64 = Moment::SECOND;

/// Connections of one address that have not joined; loopback's are not counted (NET-62).
pub const UNJOINED_PER_ADDRESS: usize = 2;
/// Connections in all that have not joined.
pub const UNJOINED: usize = 256;
/// Bytes that are kept of a machine behind its join request, while that waits for an answer: a message, of which it may say
/// several short ones before it knows that it is in. More end its stream.
pub const ASKED_BYTES: usize = MESSAGE_BYTES;
/// Ticks from a player's leaving being told to its leaving (NET-63).
pub const LEAVE_TICKS: u32 = 33;
/// A machine's datagrams come from a new address only once the old one was silent for this (NET-15).
pub const ENDPOINT_SILENCE: u64 = 2 * Moment::SECOND;
/// Datagrams in a row that name another machine before an address is that one's.
pub const ENDPOINT_DOUBTS: u8 = 3;
/// A machine in play whose stream lives is told when its datagrams were not heard for this (NET-76).
pub const ONE_PATH: u64 = 5 * Moment::SECOND;
/// Places in the turn by which machines are sent to (NET-19).
pub const TURN_PLACES: u32 = 129;

/// Of a host's advertisements one leaves in this, to whomever (NET-51, 70).
pub const ADVERTISE_PERIOD: u64 = Moment::SECOND / 4;
/// A host tells everybody of its game this often.
pub const ANNOUNCE_PERIOD: u64 = Moment::SECOND;
/// Addresses that are told in place of 255.255.255.255, at most (NET-52).
pub const BROADCAST_ADDRESSES: usize = 256;
/// From one search to the next.
pub const SEARCH_PERIOD: u64 = Moment::SECOND / 2;
/// From one ping of a listed game to the next (NET-43).
pub const PING_PERIOD: u64 = Moment::SECOND;
/// A game that was not heard for this is listed no more.
pub const GAME_SILENCE: u64 = 5 * Moment::SECOND;
/// Games that are listed, at most.
pub const GAMES: usize = 256;
/// Of these, games of one address's [`household`](crate::household), at most; loopback's are not counted, so that
/// one computer can hold a whole test.
pub const GAMES_PER_ADDRESS: usize = 16;
/// Addresses of one game that are kept, at most.
pub const GAME_ADDRESSES: usize = 4;
