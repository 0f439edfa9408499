//! What a player does whose input scripts have taken. Knows no script.

use mjolnir_wire::{Buttons, Input};

/// The input of one who does nothing (COOP-61): it aims where it aimed, and has in hand what it had.
pub(crate) fn stilled(input: &Input) -> Input {
    Input { buttons: Buttons::default(), throttle: [0.0; 2], trigger: 0.0, zoom: None, ..*input }
}
