//! What people say at a machine's engine in the lab: asked of its game, and kept. Knows no network.

use mjolnir_engine_glue::{Talk, chat, voice};
use mjolnir_wire::voice::Route;
use mjolnir_wire::{Machine, ObjectId, Slot, Vec3};

use super::Played;

/// A frame of somebody's voice, as an engine was handed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardVoice {
    /// Whose machine's.
    pub machine: Machine,
    /// That machine's first player; none in a lobby.
    pub player: Option<Slot>,
    /// By what it is heard.
    pub route: Route,
    /// Its number.
    pub sequence: u16,
    /// What is said.
    pub bytes: Vec<u8>,
}

/// What a machine's engine heard, and whether it hears voices.
#[derive(Clone, Debug, Default)]
pub struct Ears {
    /// It plays voices.
    pub hears: bool,
    /// What it was to play.
    pub voices: Vec<HeardVoice>,
    /// What it showed, in order.
    pub chat: Vec<chat::Event>,
}

impl Talk for Played {
    fn sides(&self) -> voice::Sides {
        self.game.sides()
    }

    fn team(&self, slot: Slot) -> Option<u8> {
        self.game.team(slot)
    }

    fn outermost(&self, slot: Slot) -> Option<ObjectId> {
        self.game.outermost(slot)
    }

    fn mouth(&self, slot: Slot) -> Option<Vec3> {
        self.game.mouth(slot)
    }

    fn hears_voices(&self) -> bool {
        self.ears.hears
    }

    fn show_chat(&mut self, event: &chat::Event) {
        self.ears.chat.push(*event);
        self.game.show_chat(event);
    }

    fn hear_voice(&mut self, heard: &voice::Heard<'_>) {
        let voice::Heard { machine, player, route, sequence, packet } = *heard;
        let bytes = packet.bytes().to_vec();
        self.ears.voices.push(HeardVoice { machine, player, route, sequence, bytes });
    }
}
