//! A frame that is to be heard on this machine. Knows no key.

use mjolnir_wire::voice::{Packet, Route};
use mjolnir_wire::{Machine, Slot};

/// See the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard<'a> {
    /// The machine that speaks.
    pub machine: Machine,
    /// Its first player; none in a lobby.
    pub player: Option<Slot>,
    /// By what it is heard: never by nothing.
    pub route: Route,
    /// The frame's number, wrapping.
    pub sequence: u16,
    /// What is said: 20 ms, never empty.
    pub packet: Packet<'a>,
}
