//! Every maximum of the format, in the units in which it is meant. Knows no layout.
//!
//! Numbers are `FACT wire` 1.2, 1.5 and 5 unless a line says otherwise.

/// The network version that every advertisement carries (WIRE-01). Raise it with any change to what the
/// machines send each other; `cargo xtask check-format` compares it with the record.
pub const NETWORK_VERSION: u16 = 32;

/// Ticks a second.
pub const TICKS_PER_SECOND: u32 = 30;

/// Players of a game; a slot is below this.
pub const MAX_PLAYERS: usize = 128;
/// Machines of a game, the host included; a machine's index is below this.
pub const MAX_MACHINES: usize = 128;
/// Players of one machine.
pub const MAX_LOCAL_PLAYERS: usize = 4;
/// Objects of a game; an object's index is below this.
pub const MAX_OBJECTS: usize = 8192;
/// The first index of what a machine makes for itself alone; the host's objects stand below it.
pub const FIRST_OWN_OBJECT: usize = 4096;
/// Units that a client drives by the host's word on its actors.
pub const MAX_ACTOR_UNITS: usize = 1056;
/// Named objects of a level.
pub const MAX_OBJECT_NAMES: usize = 512;
/// Weapons that a unit carries.
pub const WEAPON_SLOTS: usize = 4;
/// Kinds of grenade.
pub const GRENADE_KINDS: usize = 2;

/// Characters of a line of chat (CHAT-06).
pub const CHAT_CHARACTERS: usize = 63;

/// Bytes of the largest message, its header word included: the word has twelve bits for it.
pub const MESSAGE_BYTES: usize = 4095;
/// Bytes of the largest datagram, its batch header included.
pub const DATAGRAM_BYTES: usize = 1200;
/// Bytes of a distributed message's header.
pub const HEADER_BYTES: usize = 8;
/// Bytes that a part of a batch takes beside its entries.
pub const PART_BYTES: usize = 8;
/// Entries of one part or message: its count is one byte.
pub const MAX_COUNT: usize = 255;
/// Bytes of the largest game-state body.
pub const GAME_STATE_BYTES: usize = 0xF00;

/// A part of a position is at most this far from zero, in world units (FACT wire 1.8).
pub const POSITION_BOUND: f32 = 32768.0;

/// The host's TCP and UDP port.
pub const HOST_PORT: u16 = 5150;
/// A client's UDP port.
pub const CLIENT_PORT: u16 = 5151;
/// The TCP port of map sharing.
pub const MAP_SHARE_PORT: u16 = 5153;
