//! What players read of joining and leaving (NET-02, 44, WIRE-95). Knows no language but this one: a port translates
//! this file.

use core::fmt;

use mjolnir_wire::packets::Rejection;

use crate::version::VersionRefusal;
use crate::why::Why;

impl fmt::Display for VersionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotDistributed { host, own } => write!(
                f,
                "The host (version {host}) does not play this netcode (version {own}); ask the host to update."
            ),
            Self::HostIsNewer { host, own } => {
                write!(
                    f,
                    "The host is newer (version {host}) than this game (version {own}): update the game."
                )
            }
            Self::HostIsOlder { host, own } => write!(
                f,
                "The host is older (version {host}) than this game (version {own}): ask the host to update."
            ),
        }
    }
}

/// What a host tells a machine by its stream when it has not heard its datagrams for long, and when it hears them
/// again (NET-76).
pub const fn datagrams(come: bool) -> &'static str {
    if come {
        "The host hears this machine again."
    } else {
        "The host hears nothing of this machine but its stream."
    }
}

/// What a line of the host's says of this machine's datagrams: whether they come. None of any other line, be it but a
/// character off: the words are fixed, and nothing else of the message names their meaning (NET-76).
pub fn read_datagrams(line: &str) -> Option<bool> {
    [false, true].into_iter().find(|come| line == datagrams(*come))
}

/// Why a host did not let this machine in.
pub const fn rejection(reason: Rejection) -> &'static str {
    match reason {
        Rejection::TooOld => "This game is older than the host's: update the game.",
        Rejection::TooNew => "This game is newer than the host's: ask the host to update.",
        Rejection::BadToken => "The host did not accept this build's join token.",
        Rejection::BadPassword => "The password is wrong.",
        Rejection::Full => "The game is full.",
        Rejection::Closed => "The game is closed: it is loading or over.",
        Rejection::Blacklisted => "This machine is banned from the game.",
        Rejection::Other(_) => "The host did not let this machine in.",
    }
}

/// Why this machine is no longer in a host's game.
pub const fn closed(why: Why) -> &'static str {
    match why {
        Why::Left => "The host has left the game.",
        Why::Gone => "The connection to the host was lost.",
        Why::Silent => "The host has not been heard for too long.",
        Why::NotJoined => "The host did not answer.",
        Why::NoPlayer => "This machine brought no player.",
        Why::NotLoaded => "This machine took too long to load.",
        Why::Stalled => "This machine did not read what the host sent.",
        Why::Damaged => "The connection to the host was damaged.",
        Why::Unexpected => "The host said what does not belong there.",
        Why::Kicked => "This machine was removed by the host.",
        Why::Rejected(reason) => rejection(reason),
    }
}
