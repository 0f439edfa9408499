//! Whether two builds play together (NET-01, 02, 04). Knows two numbers and a flag.

use mjolnir_wire::limits::NETWORK_VERSION;

/// Why a client does not join a host; it stays in the list of games (NET-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionRefusal {
    /// The host does not play this netcode.
    NotDistributed {
        /// The host's network version.
        host: u16,
        /// This build's.
        own: u16,
    },
    /// The host is newer: update the game.
    HostIsNewer {
        /// The host's network version.
        host: u16,
        /// This build's.
        own: u16,
    },
    /// The host is older, as one without a version is: ask the host to update.
    HostIsOlder {
        /// The host's network version; 0 of a host from before there was one.
        host: u16,
        /// This build's.
        own: u16,
    },
}

/// Whether a host whose advertisement says that version, and whether it plays the distributed netcode, can be
/// joined. Another version is told before a netcode that is missing, since it says what to do.
pub const fn check_version(advertised: u16, is_distributed: bool) -> Result<(), VersionRefusal> {
    let (host, own) = (advertised, NETWORK_VERSION);
    if host > own {
        Err(VersionRefusal::HostIsNewer { host, own })
    } else if is_distributed && host == own {
        Ok(())
    } else if host == own || (!is_distributed && host != 0) {
        Err(VersionRefusal::NotDistributed { host, own })
    } else {
        Err(VersionRefusal::HostIsOlder { host, own })
    }
}
