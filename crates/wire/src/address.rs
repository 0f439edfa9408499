//! What of an address tells a machine from another. Knows no socket.

use core::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The address with an IPv4 address mapped into IPv6 turned back, so that one machine has one address however
/// its socket was bound.
pub fn canonical(address: SocketAddr) -> SocketAddr {
    match address.ip().to_canonical() {
        IpAddr::V4(four) => SocketAddr::new(four.into(), address.port()),
        IpAddr::V6(_) => address,
    }
}

/// What of an address its owner cannot choose: all of an IPv4 address, and the first half of an IPv6 one. A network
/// gives a machine the other half to fill as it likes, so whatever is counted or shut out by address goes by this
/// (NET-34, 62).
pub fn household(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(six) if !six.is_loopback() => {
            Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX)).into()
        }
        ip => ip,
    }
}
