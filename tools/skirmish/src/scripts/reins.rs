//! What scripts have players do in place of what plays them. Knows no world: it goes by the tick alone, so that the machine
//! that a player plays at does it whatever it has heard.

use mjolnir_wire::{Buttons, Input, Slot, Tick};

use super::{chat, pickup, ride};

/// What is left of a player's own input, from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rein {
    /// All but the action button.
    LetsGo,
    /// Where it looks: it stands, or sits, with its hands still.
    Stands,
    /// The same, and it holds the action button.
    Holds,
}

/// Whom scripts are about on this machine, and when each began.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reins {
    pub(super) ride: Option<(Slot, i64)>,
    pub(super) pickup: Option<(Slot, i64)>,
    /// The two of the chat script.
    pub(super) chat: Option<([Option<Slot>; 2], i64)>,
}

impl Reins {
    /// What a player does in that tick whose own input would be that.
    #[must_use]
    pub fn input(&self, slot: Slot, tick: Tick, input: Input) -> Input {
        let since = |of: Option<(Slot, i64)>| {
            of.filter(|(who, _)| *who == slot).map(|(_, at)| i64::from(tick.get()) - at)
        };
        let chat = self.chat.filter(|(pair, _)| pair.contains(&Some(slot))).map(|(_, at)| (slot, at));
        let reins = [
            since(self.ride).and_then(ride::rein),
            since(self.pickup).and_then(pickup::rein),
            since(chat).and_then(chat::rein),
        ];
        let stands = Input { yaw: input.yaw, pitch: input.pitch, ..Input::default() };
        match reins.into_iter().flatten().max() {
            None => input,
            Some(Rein::LetsGo) => Input { buttons: Buttons(input.buttons.0 & !Buttons::ACTION.0), ..input },
            Some(Rein::Stands) => stands,
            Some(Rein::Holds) => Input { buttons: Buttons::ACTION, ..stands },
        }
    }
}
