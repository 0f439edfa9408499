//! Whether a game is co-op, and which players scripts speak of (COOP-01, 22). Knows no level, no script and no unit.

use mjolnir_wire::Slot;

/// What the settings' variant says where it is no gametype's (FACT internet "Listing bytes").
const NO_GAMETYPE: i32 = 0;

/// Whether a game of such a level and of that game type, as the settings' variant has it, is co-op: one of a campaign's level,
/// which the engine knows, without a gametype (COOP-01, 02). It says so on every machine, as the settings are the same.
pub const fn is_coop(is_campaign_level: bool, game_type: i32) -> bool {
    is_campaign_level && game_type == NO_GAMETYPE
}

/// The players that scripts speak of: those who have a unit, the highest slot first, as in the script's `(players)` list
/// (COOP-22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptOrder {
    /// A bit for each slot.
    slots: u128,
}

/// The order of the players who have a unit, whichever order they come in.
pub fn script_order(with_units: impl IntoIterator<Item = Slot>) -> ScriptOrder {
    let slots = with_units.into_iter().fold(0, |slots, slot| slots | 1 << slot.get());
    ScriptOrder { slots }
}

impl ScriptOrder {
    /// All of them, in that order.
    pub fn players(self) -> impl Iterator<Item = Slot> {
        let mut left = self.slots;
        core::iter::from_fn(move || {
            let slot = Slot::new((u128::BITS - left.leading_zeros()).checked_sub(1)? as u8)?;
            left &= !(1 << slot.get());
            Some(slot)
        })
    }

    /// The script's player0: the first.
    pub fn player0(self) -> Option<Slot> {
        self.players().next()
    }

    /// The script's player1: the second.
    pub fn player1(self) -> Option<Slot> {
        self.players().nth(1)
    }

    /// Whom an action on player0 reaches: player0, and everybody beyond player1, so that it leaves nobody behind (COOP-22,
    /// 23).
    pub fn with_player0(self) -> impl Iterator<Item = Slot> {
        let player1 = self.player1();
        self.players().filter(move |slot| Some(*slot) != player1)
    }
}
