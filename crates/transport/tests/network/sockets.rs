//! Real sockets on the loopback.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use mjolnir_transport::net::{CALL_BYTES, QUEUE_BYTES, Sockets};
use mjolnir_transport::{NetEvent, Network, StreamId, Transmits};
use mjolnir_wire::limits::DATAGRAM_BYTES;

use super::{BOTH_FAMILIES, Heard, LOOPBACK, assert_messages, messages, ms, opened, send, stream_bytes};

/// Looks that a test takes for what should come; each waits for something to come, if need be so long.
const LOOKS: u32 = 2000;
const LOOK: Duration = Duration::from_millis(10);

/// Receives until what came is enough.
fn hear(sockets: &mut Sockets, enough: impl Fn(&[Heard]) -> bool) -> Vec<Heard> {
    let mut heard: Vec<Heard> = Vec::new();
    for _ in 0..LOOKS {
        sockets.receive(ms(0), &mut |event| heard.push(event.into()));
        if enough(&heard) {
            return heard;
        }
        sockets.wait(LOOK);
    }
    let ends: Vec<&Heard> = heard.iter().take(8).collect();
    panic!("not enough came: {} events, the first {ends:?}", heard.len());
}

fn host() -> Sockets {
    Sockets::listen(LOOPBACK).unwrap()
}

fn client(host: &Sockets) -> Sockets {
    Sockets::connect(host.local_address(), Some(Ipv4Addr::LOCALHOST.into())).unwrap()
}

fn hear_opened(sockets: &mut Sockets) -> StreamId {
    opened(&hear(sockets, |heard| opened(heard).is_some())).unwrap()
}

fn hear_closed(sockets: &mut Sockets) -> Vec<Heard> {
    hear(sockets, |heard| heard.iter().any(|heard| matches!(heard, Heard::Closed(_))))
}

/// The datagrams of one sender; a port of this machine may hear what another test sends to who had it before.
fn datagrams(heard: &[Heard], of: SocketAddr) -> Vec<&[u8]> {
    let datagram = |heard| match heard {
        &Heard::Datagram(from, ref bytes) if from == of => Some(bytes.as_slice()),
        _ => None,
    };
    heard.iter().filter_map(datagram).collect()
}

/// NET-50, NET-15: port 0 takes one free port for both protocols; messages pass each way by stream and by
/// datagram, and a datagram's source is where its client is answered.
#[test]
fn messages_pass_each_way_by_stream_and_datagram() {
    let mut host = host();
    assert_ne!(host.local_address().port(), 0);
    let mut client = client(&host);
    let (at_host, at_client) = (hear_opened(&mut host), hear_opened(&mut client));
    send(&mut client, ms(0), |out| {
        out.datagram(host.local_address(), b"up by datagram");
        out.write(at_client, b"up by stream");
    });
    let (to_host, to_client) = (host.local_address(), client.local_address());
    let whole =
        |heard: &[Heard], of, length| stream_bytes(heard).len() == length && !datagrams(heard, of).is_empty();
    let heard = hear(&mut host, |heard| whole(heard, to_client, 12));
    assert_eq!(stream_bytes(&heard), b"up by stream");
    assert_eq!(datagrams(&heard, to_client), [b"up by datagram"]);
    send(&mut host, ms(0), |out| {
        out.datagram(to_client, b"down by datagram");
        out.write(at_host, b"down by ");
        out.write(at_host, b"stream");
    });
    let heard = hear(&mut client, |heard| whole(heard, to_host, 14));
    assert_eq!(stream_bytes(&heard), b"down by stream");
    assert_eq!(datagrams(&heard, to_host), [b"down by datagram"]);
    assert!(heard.contains(&Heard::Written(at_client, 12)));
}

/// NET-50: two clients on one machine have datagram ports of their own.
#[test]
fn two_clients_of_one_machine_have_two_ports() {
    let host = host();
    let (one, other) = (client(&host), client(&host));
    assert_ne!(one.local_address().port(), other.local_address().port());
}

/// A port in use, by either protocol, is an error and leaks nothing; freed, it works, again and again.
#[test]
fn a_port_in_use_is_an_error_and_a_freed_one_works() {
    // An address that no other test uses, where there is one: a port freed here must stay free.
    let alone = if cfg!(target_os = "linux") { Ipv4Addr::new(127, 0, 0, 9) } else { Ipv4Addr::LOCALHOST };
    let datagrams_only = UdpSocket::bind((alone, 0)).unwrap();
    let streams_only = TcpListener::bind((alone, 0)).unwrap();
    for taken in [datagrams_only.local_addr().unwrap(), streams_only.local_addr().unwrap()] {
        assert_eq!(Sockets::listen(taken).unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
    }
    let first = Sockets::listen(SocketAddr::new(alone.into(), 0)).unwrap();
    let freed = first.local_address();
    assert_eq!(Sockets::listen(freed).unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
    drop(first);
    for _ in 0..20 {
        let mut host = Sockets::listen(freed).unwrap();
        let mut client = Sockets::connect(freed, Some(alone.into())).unwrap();
        hear_opened(&mut host);
        hear_opened(&mut client);
    }
}

/// NET-49: a thousand messages by a real stream, written in many pieces, come whole and in order.
#[test]
fn a_thousand_messages_come_by_stream() {
    let mut host = host();
    let mut client = client(&host);
    let stream = hear_opened(&mut client);
    let all = messages();
    let mut heard = Vec::new();
    for piece in all.chunks(97) {
        send(&mut client, ms(0), |out| out.write(stream, piece));
        client.receive(ms(0), &mut |_| ());
        host.receive(ms(0), &mut |event| heard.push(event.into()));
    }
    // What its thread had no place for goes as its client goes on.
    for _ in 0..LOOKS {
        client.receive(ms(0), &mut |_| ());
        host.receive(ms(0), &mut |event| heard.push(event.into()));
        if stream_bytes_length(&heard) == all.len() {
            break;
        }
        host.wait(LOOK);
    }
    assert_messages(&heard);
}

/// What was written last before an end still comes, then `Closed`, whoever ends and however.
#[test]
fn the_last_words_come_before_the_end() {
    for drops in [false, true] {
        let mut host = host();
        let mut client = client(&host);
        let (at_host, at_client) = (hear_opened(&mut host), hear_opened(&mut client));
        // Something unread on the way to the one that closes must not reset what it wrote.
        send(&mut client, ms(0), |out| out.write(at_client, b"unread"));
        send(&mut host, ms(0), |out| {
            out.write(at_host, &messages());
            out.close(at_host);
        });
        if drops {
            drop(host);
        } else {
            host.receive(ms(0), &mut |event| assert!(matches!(Heard::from(event), Heard::Written(..))));
        }
        let heard = hear_closed(&mut client);
        assert_messages(&heard);
        assert_eq!(heard.last(), Some(&Heard::Closed(at_client)));
    }
}

/// A client that is gone gives `Closed`, and datagrams to its closed port cost the others nothing.
#[test]
fn a_dead_peer_is_closed_and_costs_the_others_nothing() {
    let mut host = host();
    let mut dead = client(&host);
    hear_opened(&mut dead);
    // Before the other goes, so that it has a port of its own.
    let mut living = client(&host);
    let gone = dead.local_address();
    drop(dead);
    hear_closed(&mut host);
    for _ in 0..20 {
        send(&mut host, ms(0), |out| {
            out.datagram(gone, b"to nobody");
            out.datagram(living.local_address(), b"to you");
        });
    }
    let from = host.local_address();
    let heard = hear(&mut living, |heard| datagrams(heard, from).len() == 20);
    assert!(datagrams(&heard, from).iter().all(|bytes| *bytes == b"to you"));
    assert_eq!(host.datagram_counts().sent, 40);
}

/// A host that is not there is `Closed`, once.
#[test]
fn no_host_is_closed() {
    let free = TcpListener::bind(LOOPBACK).unwrap().local_addr().unwrap();
    let mut client = Sockets::connect(free, Some(Ipv4Addr::LOCALHOST.into())).unwrap();
    assert!(matches!(hear_closed(&mut client)[..], [Heard::Closed(_)]));
}

/// A datagram past the limit is refused and counted, one at the limit is sent, and those after it are.
#[test]
fn a_datagram_too_long_is_refused_and_counted() {
    let mut host = host();
    let mut client = client(&host);
    let (from, to) = (client.local_address(), host.local_address());
    send(&mut client, ms(0), |out| {
        out.datagram(to, &[1; DATAGRAM_BYTES + 1]);
        out.datagram(to, &[2; DATAGRAM_BYTES]);
        out.datagram(to, &[3; 3]);
    });
    let heard = hear(&mut host, |heard| datagrams(heard, from).len() == 2);
    assert_eq!(datagrams(&heard, from), [[2; DATAGRAM_BYTES].as_slice(), &[3; 3]]);
    let counts = client.datagram_counts();
    assert_eq!((counts.too_long, counts.sent), (1, 2));
}

/// What the system does not send, to a place that no way leads to, is counted and costs itself: what stands before and
/// after it in the same tick, and in the next, comes.
#[test]
fn a_datagram_that_cannot_be_sent_costs_itself() {
    let mut host = host();
    let mut client = client(&host);
    let (from, to) = (client.local_address(), host.local_address());
    // No datagram leaves for port 0.
    let nowhere = SocketAddr::new(to.ip(), 0);
    for tick in 0..3_u8 {
        send(&mut client, ms(0), |out| {
            out.datagram(to, &[tick; 9]);
            for _ in 0..3 {
                out.datagram(nowhere, &[7; 9]);
            }
            out.datagram(to, &[tick; 5]);
        });
        let heard = hear(&mut host, |heard| datagrams(heard, from).len() == 2);
        assert_eq!(datagrams(&heard, from), [[tick; 9].as_slice(), &[tick; 5]]);
    }
    let counts = client.datagram_counts();
    assert_eq!((counts.sent, counts.send_errors, counts.no_room), (6, 9, 0));
}

/// Batches of every shape, to several peers and many to one, come whole, in each peer's order, and in fewer
/// calls than datagrams where the system can.
#[test]
fn batched_datagrams_come_whole_and_in_order() {
    let mut host = host();
    let mut peers: Vec<Sockets> = (0..3).map(|_| client(&host)).collect();
    let mut out = Transmits::new();
    let mut expected = vec![Vec::new(); peers.len()];
    let mut add = |out: &mut Transmits, peer: usize, length: usize| {
        let number = expected[peer].len();
        let bytes: Vec<u8> = (0..length).map(|at| (at + number) as u8).collect();
        out.datagram(peers[peer].local_address(), &bytes);
        expected[peer].push(bytes);
    };
    for turn in 0..20 {
        add(&mut out, 0, 1);
        add(&mut out, turn % 3, 900);
        (0..3).for_each(|_| add(&mut out, 1, 1200));
        add(&mut out, 1, 40);
        add(&mut out, 1, 60);
        add(&mut out, 2, 1200);
    }
    (0..70).for_each(|_| add(&mut out, 2, 100));
    host.send(ms(0), &out);
    for (peer, expected) in peers.iter_mut().zip(expected) {
        let from = host.local_address();
        let heard = hear(peer, |heard| datagrams(heard, from).len() == expected.len());
        assert!(datagrams(&heard, from).into_iter().eq(expected));
    }
    let counts = host.datagram_counts();
    assert_eq!((counts.sent, counts.send_errors, counts.no_room), (out.datagrams().count() as u64, 0, 0));
    if cfg!(target_os = "linux") {
        assert!(counts.send_calls < counts.sent / 2, "{counts:?}");
    }
}

/// NET-62: a peer that reads nothing never holds a sender up, and shows by what is not written; it reads
/// later and has all of it.
#[test]
fn a_peer_that_does_not_read_holds_nobody_up() {
    let mut host = host();
    let mut peer = TcpStream::connect(host.local_address()).unwrap();
    let stream = hear_opened(&mut host);
    let all: Vec<u8> = (0..QUEUE_BYTES).map(|at| (at % 251) as u8).collect();
    for piece in all.chunks(QUEUE_BYTES / 64) {
        send(&mut host, ms(0), |out| out.write(stream, piece));
    }
    let written = |heard: &[Heard]| -> usize {
        heard.iter().map(|heard| if let Heard::Written(_, bytes) = heard { *bytes } else { 0 }).sum()
    };
    let told = written(&hear(&mut host, |heard| written(heard) > 0));
    assert!(told < QUEUE_BYTES);
    // It reads at last, while the host goes on in its ticks.
    let reader = std::thread::spawn(move || {
        let mut read = vec![0; QUEUE_BYTES];
        peer.read_exact(&mut read).unwrap();
        (peer, read)
    });
    hear(&mut host, |heard| written(heard) == QUEUE_BYTES - told);
    assert!(reader.join().unwrap().1 == all);
}

/// NET-62: a stream whose queue runs full is closed, and told so, rather than growing or losing a byte.
#[test]
fn a_stream_whose_queue_runs_full_is_closed() {
    let mut host = host();
    let peer = TcpStream::connect(host.local_address()).unwrap();
    let stream = hear_opened(&mut host);
    let block = vec![0; QUEUE_BYTES / 2];
    // Two blocks are the bound itself; the system's own buffers hold less than another.
    for _ in 0..3 {
        send(&mut host, ms(0), |out| out.write(stream, &block));
    }
    assert!(hear_closed(&mut host).contains(&Heard::Closed(stream)));
    drop(peer);
}

/// A machine that does not take what came holds a bounded part of it, and its sender waits; nothing is lost.
#[test]
fn what_is_not_taken_holds_its_sender() {
    let mut host = host();
    let mut peer = TcpStream::connect(host.local_address()).unwrap();
    let all: Vec<u8> = (0..4_000_000).map(|at| (at % 251) as u8).collect();
    let sent = all.clone();
    let writer = std::thread::spawn(move || peer.write_all(&sent));
    // The host looks only once in a while, as one that loads.
    let heard = hear(&mut host, |heard| stream_bytes_length(heard) == all.len());
    writer.join().unwrap().unwrap();
    assert!(stream_bytes(&heard) == all);
    let largest = heard.iter().map(|heard| if let Heard::Bytes(_, bytes) = heard { bytes.len() } else { 0 });
    assert!(largest.max().unwrap() <= 8 * 1024);
}

/// NET-33: a peer that never stops sending gets so much of a call and no more, however long the call takes: the rest
/// waits in its own queue, and none of it is lost.
#[test]
fn a_flood_does_not_lengthen_a_call() {
    let mut host = host();
    let mut peer = TcpStream::connect(host.local_address()).unwrap();
    let all = vec![7; 8_000_000];
    let length = all.len();
    let writer = std::thread::spawn(move || peer.write_all(&all).map(|()| peer));
    let mut total = 0;
    for _ in 0..LOOKS {
        let mut came = 0;
        host.receive(ms(0), &mut |event| {
            if let NetEvent::Bytes { bytes, .. } = event {
                came += bytes.len();
                // As a session that has much to do with them: the streams' thread reads on meanwhile.
                std::thread::yield_now();
            }
        });
        // What may be read already when the bound is reached: eight chunks.
        assert!(came < CALL_BYTES + 9 * 8 * 1024, "{came}");
        total += came;
        if total == length {
            writer.join().unwrap().unwrap();
            return;
        }
        host.wait(LOOK);
    }
    panic!("{total} of {length} came");
}

fn stream_bytes_length(heard: &[Heard]) -> usize {
    heard.iter().map(|heard| if let Heard::Bytes(_, bytes) = heard { bytes.len() } else { 0 }).sum()
}

/// A host bound to both families takes a client of 127.0.0.1 and names it by its IPv4 address.
#[test]
fn a_host_of_both_families_names_ipv4_as_it_is() {
    let Ok(mut host) = Sockets::listen(BOTH_FAMILIES) else {
        // A system without IPv6.
        return;
    };
    let to = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), host.local_address().port());
    let mut client = Sockets::connect(to, Some(Ipv4Addr::LOCALHOST.into())).unwrap();
    send(&mut client, ms(0), |out| out.datagram(to, b"four"));
    let (at_host, from) = (host.local_address().port(), client.local_address());
    let heard = hear(&mut host, |heard| opened(heard).is_some() && !datagrams(heard, from).is_empty());
    assert_eq!(datagrams(&heard, from), [b"four"]);
    let address = heard.iter().find_map(|heard| match heard {
        Heard::Opened(_, address) => Some(address.ip()),
        _ => None,
    });
    assert_eq!(address, Some(from.ip()));
    // One alone, and several in one call: neither forgets to map the address.
    send(&mut host, ms(0), |out| out.datagram(from, b"single"));
    send(&mut host, ms(0), |out| (0..4).for_each(|_| out.datagram(from, b"back")));
    let host_at = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), at_host);
    let heard = hear(&mut client, |heard| datagrams(heard, host_at).len() == 5);
    assert_eq!(datagrams(&heard, host_at)[..2], [b"single".as_slice(), b"back"]);
}

/// After warm-up, a tick of datagrams and small stream messages allocates nothing on the game's thread.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut host = host();
    let mut client = client(&host);
    let (at_host, at_client) = (hear_opened(&mut host), hear_opened(&mut client));
    let (to_host, to_client) = (host.local_address(), client.local_address());
    let (ours, mut out) = ([to_host, to_client], Transmits::new());
    let mut tick = || {
        let mut came = 0;
        for (sockets, to, stream) in [(&mut host, to_client, at_host), (&mut client, to_host, at_client)] {
            out.clear();
            out.datagram(to, &[1; 900]);
            out.datagram(to, &[2; 400]);
            out.write(stream, &[3; 40]);
            sockets.send(ms(0), &out);
        }
        for sockets in [&mut host, &mut client] {
            let mut streamed = 0;
            for _ in 0..LOOKS {
                sockets.receive(ms(0), &mut |event| match event {
                    NetEvent::Bytes { bytes, .. } => streamed += bytes.len(),
                    NetEvent::Datagram { from, .. } => came += usize::from(ours.contains(&from)),
                    _ => {}
                });
                if streamed == 40 {
                    break;
                }
                sockets.wait(LOOK);
            }
        }
        assert_eq!(came, 4);
    };
    (0..100).for_each(|_| tick());
    let counts = allocation_counter::measure(|| (0..100).for_each(|_| tick()));
    // The queues to the streams' thread are tokio's, which takes a new block of 32 places when the other end
    // has not yet given one back.
    assert!(counts.count_total <= 20, "{counts:?}");
}
