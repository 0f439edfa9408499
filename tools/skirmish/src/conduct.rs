//! Who is shown out of a game: what a console and a scoreboard's menu ask for. Knows no console, no scoreboard and no end of the
//! netcode: they ask, and it does.

use mjolnir_anticheat::command::{Command, Verb};
use mjolnir_wire::Slot;

/// What a console asks for, by a player's name as it was typed (CHEAT-56).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conduct {
    /// That player's machine is to leave, and may come back (CHEAT-29). A host's.
    Kick(String),
    /// It is to leave and stay out (CHEAT-25). A host's.
    Ban(String),
    /// This machine's vote that it leaves (CHEAT-30).
    Votekick(String),
}

/// What a scoreboard's menu asks for, by a player's slot (CHEAT-40, CHEAT-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As [`Conduct::Kick`].
    Kick(Slot),
    /// As [`Conduct::Ban`].
    Ban(Slot),
    /// As [`Conduct::Votekick`].
    Votekick(Slot),
    /// Mutes that player's machine for everyone, or takes it back. A host's.
    MuteAll(Slot, bool),
    /// Mutes it on this machine alone, or takes it back.
    MuteHere(Slot, bool),
}

impl Conduct {
    /// What it is, as the netcode has it.
    pub fn command(&self) -> Command<'_> {
        let verb = match self {
            Self::Kick(_) => Verb::Kick,
            Self::Ban(_) => Verb::Ban,
            Self::Votekick(_) => Verb::Votekick,
        };
        Command { verb, name: self.name() }
    }

    /// The name that was typed.
    pub fn name(&self) -> &str {
        match self {
            Self::Kick(name) | Self::Ban(name) | Self::Votekick(name) => name,
        }
    }

    /// The same of the player in that slot.
    pub const fn of(&self, slot: Slot) -> Order {
        match self {
            Self::Kick(_) => Order::Kick(slot),
            Self::Ban(_) => Order::Ban(slot),
            Self::Votekick(_) => Order::Votekick(slot),
        }
    }
}

impl Order {
    /// Whether a host alone may.
    pub const fn is_hosts(self) -> bool {
        matches!(self, Self::Kick(_) | Self::Ban(_) | Self::MuteAll(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-27, 29, 30: what is typed of a name is the same as what is picked of a slot, and what a host alone may is known.
    #[test]
    fn a_name_is_somebodys_slot() {
        let slot = Slot::new(5).unwrap();
        for (typed, picked, is_hosts) in [
            (Conduct::Kick("Ann".into()), Order::Kick(slot), true),
            (Conduct::Ban("Ann".into()), Order::Ban(slot), true),
            (Conduct::Votekick("Ann".into()), Order::Votekick(slot), false),
        ] {
            assert_eq!((typed.name(), typed.of(slot), picked.is_hosts()), ("Ann", picked, is_hosts));
        }
        assert!(Order::MuteAll(slot, false).is_hosts() && !Order::MuteHere(slot, true).is_hosts());
    }
}
