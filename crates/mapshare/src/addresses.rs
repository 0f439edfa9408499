//! Which addresses a host may send a client to: those of its own kind alone, so that it cannot send its players anywhere (MAP-21,
//! 22). Knows no connection.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// In whose reach an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// This computer's.
    Loopback,
    /// A private network's.
    Private,
    /// Everybody's.
    Public,
}

/// Whether a client connects to a machine at `source` because the host at `host` named it (MAP-21, 22).
pub fn may_connect(host: IpAddr, source: IpAddr) -> bool {
    match (reach(host), reach(source)) {
        (Some(host), Some(source)) => host == source,
        _ => false,
    }
}

/// Whether a machine at that address can be named to another: by IPv6 a link-local one says nothing on another computer, a stand-in
/// of internet play only leads somewhere on the machine that gave it (GLUE-25), and one that is no machine's says nothing anywhere.
pub fn may_be_named(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => {
            !ip.is_unspecified() && !ip.is_multicast() && !ip.is_broadcast() && !is_stand_in(ip)
        }
        IpAddr::V6(ip) => !ip.is_unspecified() && !ip.is_multicast() && !ip.is_unicast_link_local(),
    }
}

/// Whether that address is one that internet play gives a machine in place of its own: 100.64.0.0/10 for who comes by a tunnel,
/// 198.18.0.0/15 for a browser's page (MAP-22). Internet play is not there yet: until then such an address is nobody's here, and is
/// refused for that.
pub fn is_stand_in(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    a == 100 && b & 0xC0 == 64 || a == 198 && b & 0xFE == 18
}

/// None of what is no single machine's, or may not be connected to.
fn reach(ip: IpAddr) -> Option<Reach> {
    match ip.to_canonical() {
        IpAddr::V4(ip) => reach_of_four(ip),
        IpAddr::V6(ip) => reach_of_six(ip),
    }
}

fn reach_of_four(ip: Ipv4Addr) -> Option<Reach> {
    let [a, ..] = ip.octets();
    // 0.0.0.0/8 is none's, 224.0.0.0/4 is many's, 240.0.0.0/4 is nobody's and everybody's.
    if a == 0 || a >= 224 || is_stand_in(ip) {
        None
    } else if ip.is_loopback() {
        Some(Reach::Loopback)
    } else if ip.is_private() || ip.is_link_local() {
        Some(Reach::Private)
    } else {
        Some(Reach::Public)
    }
}

fn reach_of_six(ip: Ipv6Addr) -> Option<Reach> {
    if ip.is_loopback() {
        Some(Reach::Loopback)
    } else if ip.is_unique_local() {
        Some(Reach::Private)
    } else if ip.segments()[0] & 0xE000 == 0x2000 && !carries_four(ip) {
        // 2000::/3 is all that is given to machines on the internet.
        Some(Reach::Public)
    } else {
        None
    }
}

/// 6to4 and Teredo: an IPv4 address of any reach within, which is not the one that is seen.
fn carries_four(ip: Ipv6Addr) -> bool {
    matches!(ip.segments(), [0x2002, ..] | [0x2001, 0, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// MAP-21: a source is of the host's kind, whichever of the two families either is of.
    #[test]
    fn a_source_is_of_the_hosts_kind() {
        let loopback = ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"];
        let private = [
            "10.0.0.1",
            "10.255.255.255",
            "172.16.0.1",
            "172.31.255.1",
            "192.168.1.40",
            "169.254.3.4",
            "fd00::5",
            "::ffff:192.168.0.2",
        ];
        let public =
            ["8.8.8.8", "172.15.0.1", "172.32.0.1", "192.167.0.1", "100.63.0.1", "100.128.0.1", "2a00::1"];
        let kinds = [&loopback[..], &private[..], &public[..]];
        for (i, hosts) in kinds.iter().enumerate() {
            for (j, sources) in kinds.iter().enumerate() {
                for (host, source) in hosts.iter().flat_map(|host| sources.iter().map(move |to| (host, to))) {
                    assert_eq!(may_connect(ip(host), ip(source)), i == j, "{host} names {source}");
                }
            }
        }
    }

    /// MAP-22: whatever the host's own kind, no client is sent to an address that is no machine's, many machines', or internet play's.
    #[test]
    fn no_address_is_connected_to_that_is_no_machines() {
        let never = [
            "0.0.0.0",
            "0.1.2.3",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "100.64.0.1",
            "100.127.255.254",
            "198.18.0.1",
            "198.19.255.254",
            "::",
            "ff02::1",
            "fe80::1",
            "fec0::1",
            "::ffff:0.0.0.0",
            "::ffff:224.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::1",
            "2001:0:1::1",
        ];
        for source in never {
            for host in ["127.0.0.1", "192.168.1.1", "8.8.8.8", "::1", "fd00::1", "2a00::1", source] {
                assert!(!may_connect(ip(host), ip(source)), "{host} names {source}");
            }
        }
        for source in ["198.17.255.254", "198.20.0.1", "100.63.255.254", "223.255.255.254", "1.0.0.1"] {
            assert!(may_connect(ip("8.8.8.8"), ip(source)), "{source}");
        }
    }

    /// MAP-16, GLUE-25: what can be named is what says the same on every computer; no stand-in does, up to either end of theirs.
    #[test]
    fn an_address_that_says_nothing_elsewhere_is_not_named() {
        for text in ["0.0.0.0", "::", "fe80::1", "224.0.0.1", "ff02::1", "255.255.255.255", "::ffff:0.0.0.0"]
        {
            assert!(!may_be_named(ip(text)), "{text}");
        }
        for text in ["100.64.0.0", "100.127.255.255", "198.18.0.0", "198.19.255.255", "::ffff:100.64.0.1"] {
            assert!(!may_be_named(ip(text)), "{text}");
        }
        for text in ["127.0.0.3", "192.168.1.40", "169.254.1.1", "8.8.8.8", "fd00::1", "::1"] {
            assert!(may_be_named(ip(text)), "{text}");
        }
        for text in ["100.63.255.255", "100.128.0.0", "198.17.255.255", "198.20.0.0"] {
            assert!(may_be_named(ip(text)), "{text}");
        }
    }
}
