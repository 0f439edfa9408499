//! A searcher's own socket, beside whatever else a machine has open, and what the system says of the networks that it
//! searches. Knows no game.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use core::time::Duration;
use std::io;
use std::net::UdpSocket;

use mjolnir_wire::Moment;

use super::datagrams::{Counts, Datagrams};
use super::{bind_client, std, wake};
use crate::network::{NetEvent, Network, Transmits};

/// Datagrams alone, read and written without waiting. What is written to streams goes nowhere.
#[derive(Debug)]
pub struct Searcher {
    datagrams: Datagrams,
    local: SocketAddr,
}

impl Searcher {
    /// At [`CLIENT_PORT`](mjolnir_wire::limits::CLIENT_PORT) if it is free, where games that are broadcast are heard,
    /// else at any port, which the searches name (NET-50). `bind` is its address; unspecified is all of that family.
    ///
    /// # Errors
    ///
    /// As the system gives them.
    pub fn open(bind: IpAddr) -> io::Result<Self> {
        let socket = bind_client(bind)?;
        let local = socket.local_addr()?;
        Ok(Self { datagrams: Datagrams::new(socket)?, local })
    }

    /// Its address; the port is what searches name.
    pub const fn local_address(&self) -> SocketAddr {
        self.local
    }

    /// What became of its datagrams: a network that cannot be reached shows as errors of sending.
    pub const fn datagram_counts(&self) -> Counts {
        self.datagrams.counts()
    }

    /// Waits until something can be received, at most so long; it may end early without a reason.
    pub fn wait(&self, at_most: Duration) {
        wake::readable(self.datagrams.socket(), at_most);
    }
}

impl Network for Searcher {
    fn receive(&mut self, _now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        self.datagrams.receive(into);
    }

    fn send(&mut self, _now: Moment, out: &Transmits) {
        self.datagrams.send(out.datagrams());
    }
}

/// This machine's address on the network that its default route leads to, where it has one. Nothing is sent.
pub fn own_address() -> Option<Ipv4Addr> {
    // The address is of those kept for documents: it is nobody's, and only the way to it is asked for.
    let nobody = SocketAddr::from(([192, 0, 2, 1], 9));
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(nobody).ok()?;
    match socket.local_addr().ok()?.ip() {
        IpAddr::V4(own) if !own.is_unspecified() => Some(own),
        _ => None,
    }
}

/// The broadcast addresses of the networks that this machine is on, where the system tells them without being asked
/// in its own way: on Linux. 255.255.255.255 leaves by one of them only, which need not be the one with the game.
pub fn network_broadcasts() -> std::vec::Vec<Ipv4Addr> {
    if cfg!(target_os = "linux") {
        std::fs::read_to_string("/proc/net/route").map(|table| broadcasts(&table)).unwrap_or_default()
    } else {
        std::vec::Vec::new()
    }
}

/// Of the routes that lead to a network itself, and not on from it: where everybody on it is reached.
fn broadcasts(table: &str) -> std::vec::Vec<Ipv4Addr> {
    const UP: u32 = 1;
    const GATEWAY: u32 = 2;
    let broadcast = |line: &str| {
        let mut fields = line.split_ascii_whitespace().skip(1);
        // As they lie in memory, of a machine of either order.
        let address = |field: &str| {
            u32::from_str_radix(field, 16).ok().map(|raw| u32::from_be_bytes(raw.to_ne_bytes()))
        };
        let network = address(fields.next()?)?;
        let flags = u32::from_str_radix(fields.nth(1)?, 16).ok()?;
        let mask = address(fields.nth(3)?)?;
        // One of a single machine, or of two, has no address for all.
        let is_network = flags & (UP | GATEWAY) == UP && mask != 0 && mask.trailing_zeros() > 1;
        is_network.then(|| Ipv4Addr::from_bits(network | !mask))
    };
    table.lines().filter_map(broadcast).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table as Linux writes it: a default route, two networks, one machine.
    #[cfg(target_endian = "little")]
    #[test]
    fn the_networks_of_this_machine_are_read() {
        let table = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n\
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n\
            eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n\
            veth\t0000010A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n\
            tun0\t0700010A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0\nnonsense\n";
        assert_eq!(broadcasts(table), [Ipv4Addr::new(192, 168, 1, 255), Ipv4Addr::new(10, 1, 255, 255)]);
    }
}
