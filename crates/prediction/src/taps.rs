//! Buttons between ticks. Knows no device: it is told what is held, frame by frame.

use mjolnir_wire::Buttons;

/// Gathers one player's buttons over the frames between two ticks, so that a tap shorter than a tick still is a
/// press, and one of a frame without a tick is kept for the next (PRED-09).
#[derive(Clone, Copy, Debug, Default)]
pub struct Taps {
    held: Buttons,
    pressed: Buttons,
}

impl Taps {
    /// Nothing held.
    pub const fn new() -> Self {
        Self { held: Buttons(0), pressed: Buttons(0) }
    }

    /// The buttons held now: once a frame, or whenever they change.
    pub const fn press(&mut self, held: Buttons) {
        self.pressed.0 |= held.0 & !self.held.0;
        self.held = held;
    }

    /// The tick's buttons: those held, and those that were pressed since the last tick.
    #[must_use]
    pub const fn take(&mut self) -> Buttons {
        let taken = self.held.union(self.pressed);
        self.pressed = Buttons(0);
        taken
    }
}
