//! What people say: the seam to a game's chat and voice, and who is there to hear it. Knows no line's text and no sound.

use mjolnir_chat as chat;
use mjolnir_voice as voice;
use mjolnir_wire::packets::NetworkPlayer;
use mjolnir_wire::{Machine, MachineSet, ObjectId, Slot, Tick, Vec3};

/// What a game offers to chat and voice. Outside a game it is asked for nothing but what is shown and played. A game without
/// either implements nothing of it: it says that it hears no voices, and shows nothing.
pub trait Talk {
    /// Which players are friends in the game that is played.
    fn sides(&self) -> voice::Sides {
        voice::Sides::Alone
    }

    /// A player's team, as the game has it; none in a game without teams.
    fn team(&self, _slot: Slot) -> Option<u8> {
        None
    }

    /// The outermost object that a player's unit is a child of: the vehicle that it sits in, whatever its seat is nested in. None
    /// of one on foot, or without a unit (CHAT-11).
    fn outermost(&self, _slot: Slot) -> Option<ObjectId> {
        None
    }

    /// Where a living player is, wu; none of one that is dead.
    fn mouth(&self, _slot: Slot) -> Option<Vec3> {
        None
    }

    /// Whether this machine plays voices: a machine that does not say so is sent none (VOICE-06).
    fn hears_voices(&self) -> bool {
        false
    }

    /// Shows a line in the views of its hearers, or a notice in all of them.
    fn show_chat(&mut self, _event: &chat::Event) {}

    /// A frame to be played, by a [`voice::Listener`] of the game's sound.
    fn hear_voice(&mut self, _heard: &voice::Heard<'_>) {}
}

/// Everybody who is there, in a game or in the lobby.
#[derive(Debug, Default)]
pub(crate) struct Roll(Vec<chat::Player>);

impl Roll {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a player as the host lists it; one of no slot or no machine is none.
    pub(crate) fn add(&mut self, player: &NetworkPlayer) {
        if let (Some(slot), Some(machine)) = (player.slot(), player.machine()) {
            self.remove(slot);
            self.0.push(chat::Player { slot, machine, name: player.name });
        }
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.0.retain(|player| player.slot != slot);
    }

    /// Everybody, in no order.
    pub(crate) fn players(&self) -> impl Iterator<Item = chat::Player> {
        self.0.iter().copied()
    }

    /// The machines that somebody plays on.
    pub(crate) fn machines(&self) -> MachineSet {
        self.0.iter().map(|player| player.machine).collect()
    }

    /// The first player of a machine, who stands for it (VOICE-12).
    fn first(&self, machine: Machine) -> Option<Slot> {
        self.0.iter().filter(|player| player.machine == machine).map(|player| player.slot).min()
    }
}

/// The game as chat and voice ask of it.
pub(crate) struct Hall<'a, E: ?Sized> {
    pub(crate) game: &'a E,
    pub(crate) roll: &'a Roll,
    pub(crate) own: Machine,
    /// The game's time; none outside one.
    pub(crate) tick: Option<Tick>,
}

impl<E: Talk + ?Sized> Hall<'_, E> {
    const fn is_in_game(&self) -> bool {
        self.tick.is_some()
    }
}

impl<E: Talk + ?Sized> chat::World for Hall<'_, E> {
    fn roster(&self) -> impl Iterator<Item = chat::Player> {
        self.roll.0.iter().copied()
    }

    fn own_machine(&self) -> Machine {
        self.own
    }

    fn team_of(&self, slot: Slot) -> Option<u8> {
        self.is_in_game().then(|| self.game.team(slot)).flatten()
    }

    fn vehicle_root(&self, slot: Slot) -> Option<ObjectId> {
        self.is_in_game().then(|| self.game.outermost(slot)).flatten()
    }
}

impl<E: Talk + ?Sized> voice::World for Hall<'_, E> {
    fn stage(&self) -> voice::Stage {
        // Whose friend who is takes a look at everybody: it is asked for a voice alone.
        let game = |tick| voice::Stage::Game { tick, sides: self.game.sides() };
        self.tick.map_or(voice::Stage::Lobby, game)
    }

    fn player(&self, machine: Machine) -> Option<voice::Player> {
        let slot = self.roll.first(machine)?;
        let mouth = self.is_in_game().then(|| self.game.mouth(slot)).flatten();
        Some(voice::Player {
            slot,
            team: chat::World::team_of(self, slot).unwrap_or_default(),
            is_alive: mouth.is_some(),
            place: mouth.unwrap_or_default(),
        })
    }
}
