//! Finding games on a LAN: a host says that its game is there and answers who searches, a searcher lists what it
//! hears. Knows no session: who is listed is in nobody's game.

mod announcer;
mod broadcast;
mod browser;
mod listing;

use core::net::IpAddr;

pub(crate) use announcer::{Announcer, Due};
pub use broadcast::{Broadcast, Unusable};
pub use browser::Browser;
pub use listing::Game;

/// Whether an address is of this machine or of a network that it is on: loopback, private or link-local. Only such
/// are told of a game, since the answer is many times as long as the search and its sender is not proved (NET-70).
pub fn is_local(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(four) => four.is_loopback() || four.is_private() || four.is_link_local(),
        IpAddr::V6(six) => six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-70: both sides of each range.
    #[test]
    fn local_is_what_no_router_carries_far() {
        for (local, far) in [
            ("127.0.0.1", "126.255.255.255"),
            ("127.255.255.255", "128.0.0.0"),
            ("10.0.0.0", "9.255.255.255"),
            ("10.255.255.255", "11.0.0.0"),
            ("172.16.0.0", "172.15.255.255"),
            ("172.31.255.255", "172.32.0.0"),
            ("192.168.0.0", "192.167.255.255"),
            ("192.168.255.255", "192.169.0.0"),
            ("169.254.0.0", "169.253.255.255"),
            ("169.254.255.255", "169.255.0.0"),
            ("::1", "::2"),
            ("fe80::1", "fec0::1"),
            ("fd00::1", "fe00::1"),
            ("::ffff:10.0.0.1", "::ffff:11.0.0.1"),
            ("10.1.2.3", "255.255.255.255"),
            ("10.1.2.3", "0.0.0.0"),
        ] {
            assert!(is_local(local.parse().unwrap()), "{local}");
            assert!(!is_local(far.parse().unwrap()), "{far}");
        }
    }
}
