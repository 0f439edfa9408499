//! What the chat asks of the game. Knows no game.

use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, ObjectId, Slot};

/// A player that is there, in a game or in the lobby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its place in the host's list.
    pub slot: Slot,
    /// Whose it is.
    pub machine: Machine,
    /// What it is called: no other has the name (CHAT-42).
    pub name: Name,
}

/// Who plays where, as this machine has it: on the host that decides, on a client it says in which of its views a line is
/// shown.
pub trait World {
    /// Everybody who is there, each once.
    fn roster(&self) -> impl Iterator<Item = Player>;

    /// This machine; the host's is [`Machine::HOST`].
    fn own_machine(&self) -> Machine;

    /// The team of that player. None in a game without teams, and in the lobby of one.
    fn team_of(&self, slot: Slot) -> Option<u8>;

    /// The outermost object that the player's unit is a child of; none of one on foot, or without a unit.
    fn vehicle_root(&self, slot: Slot) -> Option<ObjectId>;
}
