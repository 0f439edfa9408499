//! What the system says of our sockets: which address they are at, and in how many segments a stream leaves. Knows no
//! session but the one that it lets search and answer.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::process::Command;
use std::time::Duration;

use mjolnir_transport::net::{Searcher, Sockets};
use mjolnir_transport::{Browser, Host, HostSettings, NetEvent, Network as _, StreamId};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::{Moment, Tick};

use super::{Heard, LOOPBACK, receive, send};

/// Looks that a test takes for what should come; between two it waits for something to come, if need be so long.
const LOOKS: u32 = 20_000;
const LOOK: Duration = Duration::from_millis(1);

/// Hears until what was heard says what is wanted.
fn hear<T>(sockets: &mut Sockets, wanted: impl Fn(&[Heard]) -> Option<T>) -> T {
    for _ in 0..LOOKS {
        if let Some(found) = wanted(&receive(sockets, Moment::START)) {
            return found;
        }
        sockets.wait(LOOK);
    }
    panic!("it never came");
}

fn hear_opened(sockets: &mut Sockets) -> (StreamId, SocketAddr) {
    let opened = |heard: &Heard| match heard {
        Heard::Opened(stream, address) => Some((*stream, *address)),
        _ => None,
    };
    hear(sockets, |heard| heard.iter().find_map(opened))
}

/// Past the harness, which shows nothing of a test that passes.
fn not_run(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "{test}: not run: {why}");
}

/// NET-52: with one address to bind to, every socket is at it and at no other: a host's listener and its datagrams, by
/// which it tells of its game too, a client's stream and its datagrams, and a searcher's.
#[test]
fn every_socket_is_at_the_one_address() {
    let one = IpAddr::from([127, 0, 0, 2]);
    // At every address of this machine, a socket would keep its port from any other: this one no test uses.
    let elsewhere = IpAddr::from([127, 0, 0, 77]);
    let is_free =
        |port| (TcpListener::bind((elsewhere, port)).is_ok(), UdpSocket::bind((elsewhere, port)).is_ok());

    let Ok(mut host) = Sockets::listen(SocketAddr::new(one, 0)) else {
        return not_run("every_socket_is_at_the_one_address", "no 127.0.0.2 here");
    };
    let at = host.local_address();
    assert_eq!(at.ip(), one);
    assert_eq!(is_free(at.port()), (true, true), "listener and datagrams");

    let mut client = Sockets::connect(at, Some(one)).unwrap();
    assert_eq!(client.local_address().ip(), one);
    assert!(is_free(client.local_address().port()).1);
    hear_opened(&mut client);
    let (_, from) = hear_opened(&mut host);
    assert_eq!(from.ip(), one, "where its stream comes from");

    let mut searcher = Searcher::open(one).unwrap();
    assert_eq!(searcher.local_address().ip(), one);
    assert!(is_free(searcher.local_address().port()).1);
    let settings = HostSettings { port: at.port(), ..HostSettings::new(SettingsRecord::empty()) };
    let mut telling = Host::new(settings);
    let mut browser = Browser::new(searcher.local_address().port(), [1; 8], vec![at]);
    let mut told = Vec::new();
    for look in 0..LOOKS {
        let now = Moment::from_millis(u64::from(look));
        browser.poll(now);
        browser.send(now, &mut searcher);
        host.receive(now, &mut |event| telling.handle(now, Tick::ZERO, event));
        telling.poll(now, Tick::ZERO);
        telling.send(now, &mut host);
        searcher.wait(LOOK);
        searcher.receive(now, &mut |event| {
            if let NetEvent::Datagram { from, .. } = event {
                told.push(from);
            }
            browser.handle(now, event);
        });
        if browser.game_at(at).is_some() {
            assert!(told.contains(&at), "{told:?}");
            return;
        }
    }
    panic!("nobody told of the game");
}

/// Segments with data that the system has sent of the stream between those ports, without those that it sent again;
/// none where there is no `ss` to say it.
fn segments(from: SocketAddr, to: SocketAddr) -> Option<u64> {
    let filter = format!("sport = :{} and dport = :{}", from.port(), to.port());
    let output = Command::new("ss").args(["-tinH", &filter]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let field = |name: &str| text.split_ascii_whitespace().find_map(|word| word.strip_prefix(name));
    let sent: u64 = field("data_segs_out:")?.parse().ok()?;
    // Those on their way again, and all there were.
    let again = field("retrans:").map_or(Some(0), |both| both.split('/').nth(1)?.parse().ok());
    sent.checked_sub(again?)
}

/// NET-16: two small writes are two segments, and so are sixteen, on either end: none waits for the first to be
/// acknowledged, to leave in one with those after it.
#[test]
fn small_writes_are_segments_each() {
    /// Writes so many times, each once the last was handed to the system.
    fn write(sockets: &mut Sockets, stream: StreamId, times: usize) {
        for _ in 0..times {
            send(sockets, Moment::START, |out| out.write(stream, b"8 bytes."));
            hear(sockets, |heard| heard.contains(&Heard::Written(stream, 8)).then_some(()));
        }
    }
    fn hear_bytes(sockets: &mut Sockets) {
        hear(sockets, |heard| heard.iter().any(|heard| matches!(heard, Heard::Bytes(..))).then_some(()));
    }

    let mut host = Sockets::listen(LOOPBACK).unwrap();
    let mut client = Sockets::connect(host.local_address(), Some(Ipv4Addr::LOCALHOST.into())).unwrap();
    let (at_client, to_host) = hear_opened(&mut client);
    let (at_host, to_client) = hear_opened(&mut host);
    // To and fro: after it a system acknowledges only with what it has to say, or later.
    for _ in 0..20 {
        write(&mut host, at_host, 1);
        hear_bytes(&mut client);
        write(&mut client, at_client, 1);
        hear_bytes(&mut host);
    }
    for (sockets, stream, from, to) in
        [(&mut host, at_host, to_host, to_client), (&mut client, at_client, to_client, to_host)]
    {
        let Some(mut before) = segments(from, to) else {
            return not_run("small_writes_are_segments_each", "no ss here that tells of segments");
        };
        for times in [2, 16] {
            write(sockets, stream, times);
            let after = segments(from, to).unwrap();
            assert_eq!(after - before, times as u64);
            before = after;
        }
    }
}
