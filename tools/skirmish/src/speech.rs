//! What a machine's player says, and does about what others say; and what is shown of it, in words. Knows no console, no script
//! and no end of the netcode.

use std::fmt;

use mjolnir_anticheat::command::{self, Verb};
use mjolnir_anticheat::texts::commands;
use mjolnir_engine_glue::chat::{self, Channel, Player, Settings};
use mjolnir_wire::names::{self, NoMatch};
use mjolnir_wire::{Machine, Slot};

use crate::board::Unpicked;
use crate::game::World;
use crate::orders;
use crate::seam::{Said, Whom};

/// What notices begin with.
const NOTICE: &str = "chat notice";

/// What a player of a machine's says, or does about what is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Speech {
    /// Types that to those: a line, or `/mute` and `/unmute` as chat has them.
    Type(Channel, String),
    /// Says that in spite of the host's settings, as a changed build would: the network test's (TOOL-16).
    Force(String),
    /// Mutes who is called so for everyone, as a host's scoreboard does, or takes it back.
    MuteAll(String, bool),
    /// Mutes who is called so on this machine alone, as a scoreboard does, or takes it back.
    MuteHere(String, bool),
    /// What the host lets players say from now on.
    Allow(Settings),
}

/// Why something was not said or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaid {
    /// Nobody plays at this machine, or a client has not heard of it yet: a lobby tells it each so often.
    NoPlayer,
    /// The name means nobody.
    Name(NoMatch),
    /// It is the host's to do.
    Hosts,
    /// No vote is asked for so soon after the last, or outside a game (CHEAT-30).
    NoVote,
    /// `kick`, `ban` or `votekick` means nobody (CHEAT-56).
    Conduct(command::Error, Verb),
    /// The scoreboard has it not.
    Unpicked(Unpicked),
    /// The chat refused it.
    Chat(chat::Error),
}

impl Unsaid {
    /// Whether the screen shows why already.
    pub const fn is_shown(self, of: &Speech) -> bool {
        use chat::Error::{Blank, Muted, NotOwned, TooFast};
        let has_notice = matches!(of, Speech::Type(..) | Speech::MuteAll(..));
        match self {
            Self::Chat(NotOwned | TooFast | Blank | Muted) => false,
            Self::Chat(_) => has_notice,
            Self::NoPlayer
            | Self::Name(_)
            | Self::Hosts
            | Self::NoVote
            | Self::Conduct(..)
            | Self::Unpicked(_) => false,
        }
    }
}

impl fmt::Display for Unsaid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoPlayer => "no player of this machine is in the game yet",
            Self::Name(NoMatch::Empty | NoMatch::Nobody) => "no player's name begins so",
            Self::Name(NoMatch::Several) => "several players' names begin so: say more of it",
            Self::Name(NoMatch::Alike) => "several players have that name",
            Self::Hosts => orders::CLIENT,
            Self::Unpicked(why) => return why.fmt(f),
            Self::NoVote => "a vote is asked for in a game, and once a second",
            Self::Conduct(why, verb) => return f.write_str(commands::refusal(*why, *verb).as_str()),
            Self::Chat(chat::Error::TooFast) => "too many lines at once",
            Self::Chat(chat::Error::Blank) => "it says nothing",
            Self::Chat(chat::Error::Own) => "that player plays on this machine",
            Self::Chat(chat::Error::NotMuted) => "that player is not muted",
            Self::Chat(error) => error.reason(),
        })
    }
}

/// Of whom that list says a machine's first player, by slot.
pub fn first(roster: impl Iterator<Item = Player>, machine: Machine) -> Result<Slot, Unsaid> {
    let own = roster.filter(|player| player.machine == machine).map(|player| player.slot);
    own.min().ok_or(Unsaid::NoPlayer)
}

/// Whom of that list a name means (CHAT-47).
pub fn named(roster: impl Iterator<Item = Player>, name: &str) -> Result<Slot, Unsaid> {
    names::find(name, roster.map(|player| (player.slot, player.name))).map_err(Unsaid::Name)
}

/// What a machine shows, as a line of its log. Names are the roster's; of one who has left the world's. Where not all of the
/// machine's own players see it, those who do are named.
pub fn text(said: &Said, roster: &[Player], own: Machine, world: Option<&World>) -> String {
    let Some(speaker) = said.slot else { return format!("{NOTICE}: {}", said.text) };
    let name = |slot: Slot| {
        let listed = roster.iter().find(|player| player.slot == slot).map(|player| player.name.to_string());
        let gone = || Some(world?.player(slot)?.name.clone());
        listed.or_else(gone).unwrap_or_else(|| format!("slot {}", slot.get()))
    };
    let mut who = Slot::new(speaker).map(name).unwrap_or_default();
    if who.eq_ignore_ascii_case(NOTICE) {
        // Nobody speaks as the host does.
        who = format!("{who} (slot {speaker})");
    }
    let to = match said.channel {
        Whom::Team => " (team)",
        Whom::Vehicle => " (vehicle)",
        Whom::All | Whom::Notice => "",
    };
    let views = roster.iter().filter(|player| player.machine == own).count();
    let seen = if said.views.len() < views {
        let views: Vec<_> = said.views.iter().map(|view| name(*view)).collect();
        format!(" [seen by {}]", views.join(", "))
    } else {
        String::new()
    };
    format!("{who}{to}: {}{seen}", said.text)
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::packets::player::Name;

    use super::*;

    fn player(slot: u8, machine: u8, name: &str) -> Player {
        let (slot, machine) = (Slot::new(slot).unwrap(), Machine::new(machine).unwrap());
        Player { slot, machine, name: Name::cut(name) }
    }

    fn said(slot: Option<u8>, channel: Whom, views: &[u8]) -> Said {
        let views = views.iter().map(|view| Slot::new(*view).unwrap()).collect();
        Said { tick: 7, slot, channel, text: "go".into(), views }
    }

    /// CHAT-18: each channel has its word; of a split screen those who see it are named where not all do; a notice is nobody's,
    /// and nobody's name makes a line look like one.
    #[test]
    fn a_line_is_shown_in_words() {
        let roster =
            [player(0, 0, "Hugo"), player(3, 1, "Ann"), player(4, 1, "Ann 2"), player(5, 2, "Chat Notice")];
        let (alone, split) = (Machine::new(2).unwrap(), Machine::new(1).unwrap());
        for (said, own, shown) in [
            (said(Some(0), Whom::All, &[5]), alone, "Hugo: go"),
            (said(Some(0), Whom::Team, &[5]), alone, "Hugo (team): go"),
            (said(Some(5), Whom::Vehicle, &[5]), alone, "Chat Notice (slot 5) (vehicle): go"),
            (said(None, Whom::Notice, &[]), alone, "chat notice: go"),
            (said(Some(3), Whom::Team, &[3]), split, "Ann (team): go [seen by Ann]"),
            (said(Some(3), Whom::All, &[3, 4]), split, "Ann: go"),
            (said(None, Whom::Notice, &[]), split, "chat notice: go"),
            (said(Some(9), Whom::All, &[3, 4]), split, "slot 9: go"),
        ] {
            assert_eq!(text(&said, &roster, own, None), shown);
        }
    }

    /// CHAT-47: who speaks for a machine, and whom a name means.
    #[test]
    fn a_machine_speaks_by_its_first_player() {
        let roster = [player(4, 1, "Ann 2"), player(3, 1, "Ann"), player(0, 0, "Hugo")];
        let of = |machine: u8| first(roster.into_iter(), Machine::new(machine).unwrap());
        assert_eq!((of(1), of(0), of(2)), (Ok(roster[1].slot), Ok(roster[2].slot), Err(Unsaid::NoPlayer)));
        let found = |name| named(roster.into_iter(), name);
        assert_eq!((found("ann"), found("h")), (Ok(roster[1].slot), Ok(roster[2].slot)));
        assert_eq!(found("an"), Err(Unsaid::Name(NoMatch::Several)));
        assert_eq!(found("bob"), Err(Unsaid::Name(NoMatch::Nobody)));
    }
}
