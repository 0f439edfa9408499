//! What carries the bytes: the fault model and the simulated network over virtual time, and the few tests that
//! need real sockets. A binary of its own beside `transport.rs`, so that the sessions' scripts stay free of
//! ports and of waiting. Sockets ask for port 0 and wait for what should come, never for time.
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use mjolnir_transport::{NetEvent, Network, StreamId, Transmits};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::message::word;
use mjolnir_wire::{MessageType, Moment};

#[path = "network/faults.rs"]
mod faults;
#[path = "network/hub.rs"]
mod hub;
#[path = "network/searching.rs"]
mod searching;
#[path = "network/simulated.rs"]
mod simulated;
#[path = "network/sockets.rs"]
mod sockets;
#[path = "network/system.rs"]
mod system;

/// A [`NetEvent`] that owns its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Heard {
    Datagram(SocketAddr, Vec<u8>),
    Opened(StreamId, SocketAddr),
    Bytes(StreamId, Vec<u8>),
    Written(StreamId, usize),
    Closed(StreamId),
}

impl From<NetEvent<'_>> for Heard {
    fn from(event: NetEvent<'_>) -> Self {
        match event {
            NetEvent::Datagram { from, bytes } => Self::Datagram(from, bytes.to_vec()),
            NetEvent::Opened { stream, address } => Self::Opened(stream, address),
            NetEvent::Bytes { stream, bytes } => Self::Bytes(stream, bytes.to_vec()),
            NetEvent::Written { stream, bytes } => Self::Written(stream, bytes),
            NetEvent::Closed { stream } => Self::Closed(stream),
        }
    }
}

fn ms(millis: u64) -> Moment {
    Moment::from_millis(millis)
}

fn address(last: u8, port: u16) -> SocketAddr {
    SocketAddr::new(Ipv4Addr::new(10, 0, 0, last).into(), port)
}

fn receive(network: &mut impl Network, now: Moment) -> Vec<Heard> {
    let mut heard = Vec::new();
    network.receive(now, &mut |event| heard.push(event.into()));
    heard
}

fn send(network: &mut impl Network, now: Moment, fill: impl FnOnce(&mut Transmits)) {
    let mut out = Transmits::new();
    fill(&mut out);
    network.send(now, &out);
}

/// All of a stream's bytes in one piece.
fn stream_bytes(heard: &[Heard]) -> Vec<u8> {
    let reads = heard.iter().filter_map(|heard| match heard {
        Heard::Bytes(_, bytes) => Some(bytes.as_slice()),
        _ => None,
    });
    reads.collect::<Vec<_>>().concat()
}

fn opened(heard: &[Heard]) -> Option<StreamId> {
    heard.iter().find_map(|heard| match heard {
        Heard::Opened(stream, _) => Some(*stream),
        _ => None,
    })
}

/// A thousand whole messages, one after another, as a stream carries them.
fn messages() -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..1000_u16 {
        let length = 4 + usize::from(number % 60);
        bytes.extend_from_slice(&word(MessageType::Packet, length).unwrap());
        bytes.extend(number.to_be_bytes().into_iter().chain(std::iter::repeat(7)).take(length - 2));
    }
    bytes
}

/// Reads them from a stream's pieces as a session does.
fn assert_messages(heard: &[Heard]) {
    let mut reader = StreamReader::new();
    let mut next = 0_u16;
    for piece in heard {
        if let Heard::Bytes(_, bytes) = piece {
            reader.push(bytes);
            while let Some((_, message)) = reader.next_message().unwrap() {
                assert_eq!(message[2..4], next.to_be_bytes());
                next += 1;
            }
        }
    }
    assert_eq!(next, 1000);
}

const LOOPBACK: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
const BOTH_FAMILIES: SocketAddr = SocketAddr::new(std::net::IpAddr::V6(Ipv6Addr::UNSPECIFIED), 0);
