//! A machine's own players: their slots, and their buttons between two ticks (GLUE-23). Knows no controls but what the
//! game says of them.

use mjolnir_prediction::Taps;
use mjolnir_wire::limits::MAX_LOCAL_PLAYERS;
use mjolnir_wire::{Input, Slot, Tick};

use crate::engine::Players;

/// See the file's text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals {
    slots: Vec<Slot>,
    taps: [Taps; MAX_LOCAL_PLAYERS],
}

impl Locals {
    /// Whose they are, in the order in which they came.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Adds one, unless it is there or there are as many as a machine has.
    pub(crate) fn add(&mut self, slot: Slot) {
        if self.slots.len() < MAX_LOCAL_PLAYERS && !self.slots.contains(&slot) {
            self.taps[self.slots.len()] = Taps::new();
            self.slots.push(slot);
        }
    }

    /// Takes one out; says whether it was there.
    pub(crate) fn remove(&mut self, slot: Slot) -> bool {
        let Some(at) = self.slots.iter().position(|own| *own == slot) else { return false };
        self.slots.remove(at);
        self.taps[at..].rotate_left(1);
        true
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
    }

    /// Looks at their buttons: once a frame.
    pub(crate) fn sample(&mut self, engine: &mut impl Players) {
        for (slot, taps) in self.slots.iter().zip(&mut self.taps) {
            taps.press(engine.frame_buttons(*slot));
        }
    }

    /// What a player does in that tick: what its controls say, and what was pressed since the last.
    pub(crate) fn input(&mut self, slot: Slot, tick: Tick, engine: &mut impl Players) -> Input {
        let mut input = engine.local_input(slot, tick);
        if let Some(at) = self.slots.iter().position(|own| *own == slot) {
            input.buttons = input.buttons.union(self.taps[at].take());
        }
        input
    }
}
