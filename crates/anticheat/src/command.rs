//! `kick NAME`, `ban NAME` and `votekick NAME` as they are typed: whom they mean, and how a name is completed (CHEAT-27, 56).
//! Knows not what is done to whom they mean.

use alloc::string::{String, ToString};
use core::fmt;

use mjolnir_wire::names::{self, NoMatch};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, MachineSet, Slot};

/// What is to be done to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Its machine is dropped, and may join again at once (CHEAT-29).
    Kick,
    /// Its machine is dropped, and may join no more (CHEAT-25).
    Ban,
    /// The players are asked (CHEAT-30).
    Votekick,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 3] = [Self::Kick, Self::Ban, Self::Votekick];

    /// The word that is typed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kick => "kick",
            Self::Ban => "ban",
            Self::Votekick => "votekick",
        }
    }
}

/// A command, and the name behind its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// What is to be done.
    pub verb: Verb,
    /// To whom, as it was typed.
    pub name: &'a str,
}

/// A player that a command means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its place in the host's list.
    pub slot: Slot,
    /// Its machine, which goes whole (CHEAT-64).
    pub machine: Machine,
    /// What it is called.
    pub name: Name,
}

/// Why a command means nobody. Nothing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// It is for the host alone (CHEAT-27).
    NotHost,
    /// It says no name.
    Usage,
    /// Nobody's name begins so.
    NoPlayer,
    /// Several names begin so.
    Several,
    /// Several have that very name.
    Alike,
    /// Of a player of this machine.
    Own,
    /// Of a player whose machine has not joined.
    NotJoined,
}

impl Error {
    /// Every reason.
    pub const ALL: [Self; 7] =
        [Self::NotHost, Self::Usage, Self::NoPlayer, Self::Several, Self::Alike, Self::Own, Self::NotJoined];

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotHost => "cheat_not_host",
            Self::Usage => "cheat_usage",
            Self::NoPlayer => "cheat_no_player",
            Self::Several => "cheat_several",
            Self::Alike => "cheat_alike",
            Self::Own => "cheat_own",
            Self::NotJoined => "cheat_not_joined",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}

impl<'a> Command<'a> {
    /// What was typed, if it is one of the three: its word in either case, and whatever stands behind it.
    pub fn of(typed: &'a str) -> Option<Self> {
        let typed = typed.trim();
        let (word, name) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let verb = Verb::ALL.into_iter().find(|verb| word.eq_ignore_ascii_case(verb.word()))?;
        Some(Self { verb, name: name.trim_start() })
    }

    /// Whom it means: whose whole name it is, else whose name alone begins so (CHEAT-56). `own` is the machine at which it was
    /// typed; `joined` are those that have joined, as far as that machine knows.
    pub fn whom(
        &self,
        own: Machine,
        joined: MachineSet,
        players: impl Iterator<Item = (Slot, Machine, Name)>,
    ) -> Result<Target, Error> {
        if self.verb != Verb::Votekick && own != Machine::HOST {
            return Err(Error::NotHost);
        }
        let players = players.map(|(slot, machine, name)| (Target { slot, machine, name }, name));
        let target = names::find(self.name, players).map_err(|why| match why {
            NoMatch::Empty => Error::Usage,
            NoMatch::Nobody => Error::NoPlayer,
            NoMatch::Several => Error::Several,
            NoMatch::Alike => Error::Alike,
        })?;
        if target.machine == own {
            return Err(Error::Own);
        }
        if !joined.contains(target.machine) {
            return Err(Error::NotJoined);
        }
        Ok(target)
    }
}

/// What Tab makes of the beginning of a name, in either case: the name if it is one's alone, else as much as those that begin so
/// have in common (CHEAT-27). None where nobody's name begins so. The letters' case is the first name's.
pub fn complete(beginning: &str, names: impl Iterator<Item = Name>) -> Option<String> {
    let mut completed: Option<String> = None;
    for name in names {
        let name = name.to_string();
        let alike = common(&name, beginning);
        if alike < beginning.len() {
            continue;
        }
        match &mut completed {
            Some(completed) => completed.truncate(common(completed, &name)),
            None => completed = Some(name),
        }
    }
    completed
}

/// Bytes of the first that the second begins with too, in either case of ASCII letters; whole characters of both.
fn common(first: &str, second: &str) -> usize {
    let mut letters = first.char_indices().zip(second.chars());
    let differ = letters.find(|((_, one), other)| !one.eq_ignore_ascii_case(other));
    match differ {
        Some(((at, _), _)) => at,
        // One of them ends; letters alike are of the same length.
        None => first.len().min(second.len()),
    }
}
