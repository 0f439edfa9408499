//! A relayed action field by field, as the record names them. Knows what was read, and from its parts which of the
//! older buttons stood in the entry.

use serde::ser::SerializeMap;

use super::{RelayedAction, raw_choice, raw_zoom};
use crate::shown::{self, Fields, Show};

/// One player's relayed input with the parts that it came with.
#[derive(Clone, Copy, Debug)]
pub struct RelayedActionShown {
    /// What was read.
    pub action: RelayedAction,
    /// The entry's second byte.
    pub parts: u8,
}

fn add<T: Show, M: SerializeMap>(to: &mut M, name: &str, value: &T) -> Result<(), M::Error> {
    shown::field(to, "relayed_action", name, value)
}

impl Fields for RelayedActionShown {
    fn fields<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        let RelayedAction { slot, input, history } = &self.action;
        add(to, "player", &slot.get())?;
        add(to, "parts", &self.parts)?;
        add(to, "weapon", &raw_choice(input.weapon))?;
        add(to, "grenade", &raw_choice(input.grenade))?;
        add(to, "zoom", &raw_zoom(input.zoom, i8::MAX as u16))?;
        add(to, "yaw", &input.yaw)?;
        add(to, "pitch", &input.pitch)?;
        add(to, "throttle_ahead", &input.throttle[0])?;
        add(to, "throttle_left", &input.throttle[1])?;
        add(to, "primary_trigger", &input.trigger)?;
        add(to, "buttons", &history[0].low16())?;
        let older = ["buttons_one_tick_before", "buttons_two_ticks_before", "buttons_three_ticks_before"];
        for (h, name) in older.into_iter().enumerate() {
            if self.parts >> h & 1 != 0 {
                add(to, name, &history[h + 1].low16())?;
            }
        }
        Ok(())
    }
}
