//! What a captured frame carries: a datagram or a stream's segment, through link, VLAN and IP headers. Knows no
//! message and keeps nothing between frames.

use std::net::{IpAddr, SocketAddr};

use etherparse::{EtherType, IpNumber, LaxNetSlice, LaxSlicedPacket, TransportSlice};

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried<'a> {
    /// A UDP datagram.
    Datagram {
        /// Whose it is.
        from: SocketAddr,
        /// Whom it is for.
        to: SocketAddr,
        /// Its bytes, fewer than were sent where the capture cut the frame.
        bytes: &'a [u8],
    },
    /// A segment of a TCP stream.
    Segment {
        /// Whose it is.
        from: SocketAddr,
        /// Whom it is for.
        to: SocketAddr,
        /// The sequence number of its first byte, or of its beginning where it begins a stream.
        sequence: u32,
        /// It begins a stream.
        begins: bool,
        /// Its bytes.
        bytes: &'a [u8],
    },
    /// A piece of an IP packet that holds UDP or TCP: it is told and not put together, since neither end ever sends a
    /// datagram that long.
    Fragment {
        /// Whose it is.
        from: IpAddr,
        /// Whom it is for.
        to: IpAddr,
    },
    /// Something else.
    Other,
    /// A link of a type that is not read here.
    UnknownLink,
}

/// Bytes before the IP packet, and where among them its EtherType stands.
struct Cooked {
    header: usize,
    protocol: usize,
}

/// Opens a frame of that link's type, as captures number them.
pub fn open(link: u16, frame: &[u8]) -> Carried<'_> {
    match link {
        // Ethernet.
        1 => carried(LaxSlicedPacket::from_ethernet(frame).ok()),
        // The BSD loopback: four bytes of address family, which the IP version repeats.
        0 | 108 => raw(frame.get(4..)),
        // Raw IP, by the number for all systems and by those that some have of their own.
        12 | 14 | 101 | 228 | 229 => raw(Some(frame)),
        // What Linux gives of all interfaces together, its first form and its second.
        113 => cooked(frame, &Cooked { header: 16, protocol: 14 }),
        276 => cooked(frame, &Cooked { header: 20, protocol: 0 }),
        _ => Carried::UnknownLink,
    }
}

fn raw(packet: Option<&[u8]>) -> Carried<'_> {
    carried(packet.and_then(|packet| LaxSlicedPacket::from_ip(packet).ok()))
}

fn cooked<'a>(frame: &'a [u8], cooked: &Cooked) -> Carried<'a> {
    let protocol = frame.get(cooked.protocol..).and_then(|bytes| bytes.first_chunk());
    match (protocol, frame.get(cooked.header..)) {
        (Some(protocol), Some(packet)) => {
            let protocol = EtherType(u16::from_be_bytes(*protocol));
            carried(Some(LaxSlicedPacket::from_ether_type(protocol, packet)))
        }
        _ => Carried::Other,
    }
}

fn carried(packet: Option<LaxSlicedPacket<'_>>) -> Carried<'_> {
    let Some(packet) = packet else {
        return Carried::Other;
    };
    let (from, to): (IpAddr, IpAddr) = match &packet.net {
        Some(LaxNetSlice::Ipv4(ip)) => {
            (ip.header().source_addr().into(), ip.header().destination_addr().into())
        }
        Some(LaxNetSlice::Ipv6(ip)) => {
            (ip.header().source_addr().into(), ip.header().destination_addr().into())
        }
        _ => return Carried::Other,
    };
    if let Some(payload) = packet.net.as_ref().and_then(LaxNetSlice::ip_payload_ref)
        && payload.fragmented
        && matches!(payload.ip_number, IpNumber::UDP | IpNumber::TCP)
    {
        return Carried::Fragment { from, to };
    }
    match packet.transport {
        Some(TransportSlice::Udp(udp)) => Carried::Datagram {
            from: SocketAddr::new(from, udp.source_port()),
            to: SocketAddr::new(to, udp.destination_port()),
            bytes: udp.payload(),
        },
        Some(TransportSlice::Tcp(tcp)) => Carried::Segment {
            from: SocketAddr::new(from, tcp.source_port()),
            to: SocketAddr::new(to, tcp.destination_port()),
            sequence: tcp.sequence_number(),
            begins: tcp.syn(),
            bytes: tcp.payload(),
        },
        _ => Carried::Other,
    }
}
