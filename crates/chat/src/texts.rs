//! What players read of the chat's own: notices and refusals, each within a line. Knows no language but this one: a port
//! translates this file.

use alloc::format;

use mjolnir_wire::chat::Text;
use mjolnir_wire::packets::player::Name;

use crate::error::Error;
use crate::mutes::MUTE_MINUTES_MAX;

/// Where a command is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// On the host: it is for everyone.
    Host,
    /// On a client: it is for that machine alone.
    Client,
}

/// What who is refused reads; nothing of a line that vanishes, or that no honest machine sends (CHAT-33, 44). A muted
/// machine is told the minutes: [`minutes_left`].
pub(crate) fn refusal(error: Error, at: At) -> Option<Text> {
    let text = match error {
        Error::NotOwned | Error::TooFast | Error::Blank | Error::Muted => return None,
        Error::Off => "The text chat is off.",
        Error::Public => "There is no text chat in public games.",
        Error::Link => "Links are not allowed in this game's chat.",
        Error::Usage => return Some(usage(at)),
        Error::NoPlayer => "No player's name begins so.",
        Error::Several => "Several players' names begin so: say more of it.",
        Error::Alike => "Several players have that name.",
        Error::Own => "That player plays on this machine.",
        Error::NotJoined => "That player's machine is not in the game.",
        Error::NotMuted => "That player is not muted.",
    };
    Some(Text::new(text))
}

fn usage(at: At) -> Text {
    match at {
        At::Host => Text::new(&format!("/mute NAME [MINUTES, 1 to {MUTE_MINUTES_MAX}] or /unmute NAME")),
        At::Client => Text::new("/mute NAME or /unmute NAME, for this machine alone"),
    }
}

/// To everyone: that player is muted (CHAT-22).
pub(crate) fn muted(name: &Name, minutes: u32) -> Text {
    Text::new(&format!("{name} is muted for {minutes} minute{}.", plural(minutes.into())))
}

/// To everyone: that player is muted no more (CHAT-22).
pub(crate) fn unmuted(name: &Name) -> Text {
    Text::new(&format!("{name} is no longer muted."))
}

/// To a muted machine: what is left of it (CHAT-21).
pub(crate) fn minutes_left(minutes: u64) -> Text {
    Text::new(&format!("You are muted for {minutes} minute{}.", plural(minutes)))
}

/// On a client: that player is muted here.
pub(crate) fn muted_here(name: &Name) -> Text {
    Text::new(&format!("{name} is muted on this machine."))
}

/// On a client: that player is muted here no more.
pub(crate) fn unmuted_here(name: &Name) -> Text {
    Text::new(&format!("{name} is no longer muted on this machine."))
}

const fn plural(of: u64) -> &'static str {
    if of == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::limits::CHAT_CHARACTERS;

    use super::*;

    /// CHAT-06: no notice is cut, however long the name and the time, and none has a character replaced.
    #[test]
    fn every_notice_fits_a_line() {
        let name = Name::cut("ABCDEFGHIJK");
        let refusals =
            Error::ALL.into_iter().flat_map(|error| [At::Host, At::Client].map(|at| refusal(error, at)));
        let others = [
            muted(&name, MUTE_MINUTES_MAX),
            unmuted(&name),
            minutes_left(MUTE_MINUTES_MAX.into()),
            muted_here(&name),
            unmuted_here(&name),
        ];
        for text in refusals.flatten().chain(others) {
            assert!(text.as_str().len() < CHAT_CHARACTERS && !text.as_str().contains('?'), "{text}");
        }
    }

    /// CHAT-33, 44: what vanishes is told to nobody, everything else has its word.
    #[test]
    fn each_refusal_has_its_word() {
        for error in Error::ALL {
            let silent = matches!(error, Error::NotOwned | Error::TooFast | Error::Blank | Error::Muted);
            for at in [At::Host, At::Client] {
                assert_eq!(refusal(error, at).is_none(), silent, "{error}");
            }
        }
        assert_eq!(minutes_left(1).as_str(), "You are muted for 1 minute.");
        assert_eq!(minutes_left(5).as_str(), "You are muted for 5 minutes.");
    }
}
