//! `/mute NAME [MINUTES]` and `/unmute NAME`, as they are typed (CHAT-19, 20, 47). Knows nobody who is muted.
//!
//! A name may have blanks and end in a number, as "Bob 2" does: what is somebody's whole name is a name; else a number at the
//! end are minutes.

use mjolnir_wire::names::{self, NoMatch};
use mjolnir_wire::packets::player::Name;

use crate::error::Error;
use crate::mutes::{MUTE_DEFAULT_MINUTES, MUTE_MINUTES_MAX};

/// A command, and what stands behind its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command<'a> {
    Mute(&'a str),
    Unmute(&'a str),
}

impl<'a> Command<'a> {
    /// What was typed as a command; none is a line.
    pub(crate) fn of(typed: &'a str) -> Option<Self> {
        let typed = typed.trim();
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let rest = rest.trim_start();
        match word {
            _ if word.eq_ignore_ascii_case("/mute") => Some(Self::Mute(rest)),
            _ if word.eq_ignore_ascii_case("/unmute") => Some(Self::Unmute(rest)),
            _ => None,
        }
    }
}

/// Whom such a text names, and for how many minutes, if it says so. `players` gives each that may be meant with its name.
pub(crate) fn whom<T, I: Iterator<Item = (T, Name)>>(
    text: &str,
    players: impl Fn() -> I,
) -> Result<(T, Option<u32>), Error> {
    let is_whole = players().any(|(_, name)| names::is_called(&name, text));
    let last = if is_whole { None } else { text.rsplit_once(char::is_whitespace) };
    let Some((front, last)) = last else {
        return Ok((find(text, players())?, None));
    };
    if let Some(minutes) = minutes(last) {
        let player = find(front, players())?;
        return if minutes == 0 { Err(Error::Usage) } else { Ok((player, Some(minutes))) };
    }
    match find(text, players()) {
        // Minutes that are none, if the rest is a name.
        Err(Error::NoPlayer) if find(front, players()).is_ok() => Err(Error::Usage),
        found => found.map(|player| (player, None)),
    }
}

/// A number of digits, [`MUTE_MINUTES_MAX`] at most.
fn minutes(word: &str) -> Option<u32> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // What is too long for a number is too long for a mute.
    Some(word.parse().unwrap_or(MUTE_MINUTES_MAX).min(MUTE_MINUTES_MAX))
}

/// The minutes of a mute that says so many, or none.
pub(crate) fn or_default(minutes: Option<u32>) -> u32 {
    minutes.unwrap_or(MUTE_DEFAULT_MINUTES)
}

/// Whom that name means.
pub(crate) fn find<T>(name: &str, players: impl Iterator<Item = (T, Name)>) -> Result<T, Error> {
    names::find(name, players).map_err(|why| match why {
        NoMatch::Empty => Error::Usage,
        NoMatch::Nobody => Error::NoPlayer,
        NoMatch::Several => Error::Several,
        NoMatch::Alike => Error::Alike,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHAT-19, 24: the two words, in either case and behind blanks; whatever else begins with a stroke is a line.
    #[test]
    fn two_words_are_commands() {
        for (typed, command) in [
            ("/mute bob 5", Some(Command::Mute("bob 5"))),
            ("  /MUTE\tbob ", Some(Command::Mute("bob"))),
            ("/mute", Some(Command::Mute(""))),
            ("/unmute  Bob 2", Some(Command::Unmute("Bob 2"))),
            ("/muted bob", None),
            ("/mutebob", None),
            ("/me waves", None),
            ("mute bob", None),
            ("say /mute bob", None),
            ("", None),
        ] {
            assert_eq!(Command::of(typed), command, "{typed:?}");
        }
    }

    /// CHAT-20, 47: whose name it is, and how long; minutes that are none say how it is used, and mute nobody.
    #[test]
    fn a_name_and_its_minutes() {
        let names = ["Bob", "Bonnie", "Bob 2", "Ann Lee"];
        for (text, means) in [
            ("bob", Ok((0, None))),
            ("BOB 5", Ok((0, Some(5)))),
            ("bob  5", Ok((0, Some(5)))),
            ("bob 1", Ok((0, Some(1)))),
            ("bob 0", Err(Error::Usage)),
            ("bob 1440", Ok((0, Some(1440)))),
            ("bob 1441", Ok((0, Some(1440)))),
            ("bob 99999999999999999999", Ok((0, Some(1440)))),
            ("bob x", Err(Error::Usage)),
            ("bob -5", Err(Error::Usage)),
            ("bob 1.5", Err(Error::Usage)),
            ("bob 2", Ok((2, None))),
            ("bob 2 7", Ok((2, Some(7)))),
            ("bob 3", Ok((0, Some(3)))),
            ("bo", Err(Error::Several)),
            ("bo 5", Err(Error::Several)),
            ("bon", Ok((1, None))),
            ("ann", Ok((3, None))),
            ("ann l", Ok((3, None))),
            ("ann 9", Ok((3, Some(9)))),
            ("ann lee 9", Ok((3, Some(9)))),
            ("carl", Err(Error::NoPlayer)),
            ("carl 5", Err(Error::NoPlayer)),
            ("carl x", Err(Error::NoPlayer)),
            ("", Err(Error::Usage)),
        ] {
            let players = || names.iter().map(|name| Name::cut(name)).enumerate();
            assert_eq!(whom(text, players), means, "{text:?}");
        }
    }
}
