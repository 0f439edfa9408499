//! Strangers that mean ill, on both ports of a host, and two clients who do not notice.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use mjolnir_engine_glue::host;
use mjolnir_engine_glue::transport::Why;
use mjolnir_skirmish::game::random::Random;

use super::bytes;
use super::gathering::Crowd;
use super::run::{Bystander, Hosted, assert_agree};
use super::standin::{Stage, Standin, TOKEN};
use super::wire::{Wired, datagrams_of, loopback, read_some, stream_from, stream_with};

/// A stranger's stream, and what came of it.
struct Stranger {
    what: &'static str,
    stream: TcpStream,
    heard: Vec<u8>,
    is_closed: bool,
}

impl Stranger {
    fn say(what: &'static str, fourth: u8, host: SocketAddr, says: &[u8]) -> Self {
        let mut stream = stream_from(loopback(4, fourth), host);
        stream.write_all(says).unwrap();
        Self { what, stream, heard: Vec::new(), is_closed: false }
    }

    fn hear(&mut self) {
        let mut buffer = [0; 4096];
        while !self.is_closed {
            match read_some(&mut self.stream, &mut buffer) {
                Some(0) => return,
                Some(length) => self.heard.extend_from_slice(&buffer[..length]),
                None => self.is_closed = true,
            }
        }
    }

    /// The reason by which it was turned away, if it was told one.
    fn reason(&self) -> Option<i16> {
        let read = (!self.heard.is_empty()).then(|| bytes::read(&self.heard))?;
        assert_eq!(read.number, 5, "{}", self.what);
        Some(i16::from_be_bytes(read.body.try_into().unwrap()))
    }
}

/// Waits until the host has closed it.
fn until_closed(crowd: &mut Crowd, stranger: &mut Stranger) {
    let what = stranger.what;
    crowd.until(what, |_| {
        stranger.hear();
        stranger.is_closed
    });
}

/// What a browser and a TLS client say first.
const HTTP: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: curl/8\r\nAccept: */*\r\n\r\n";
const TLS: &[u8] = &[0x16, 3, 1, 0, 0xC8, 1, 0, 0, 0xC4, 3, 3, 0x5A, 0x5A, 0x13, 1, 0x13, 2];

/// NET-34, 44, 54, 55: a game that is full, one that loads and one of another token tell a stranger so by its reason,
/// and end its stream.
/// NET-27, 32, 45, 48, 77: in play, garbage, HTTP and TLS on the stream's port end their stream at once, who is silent
/// or drips is closed ten seconds of the host's clock after it came, and garbage in datagrams does nothing. Meanwhile
/// two clients play as if nobody were there.
#[test]
fn strangers_disturb_nobody() {
    let (host, address) =
        Hosted::open("flat", 0, Ipv4Addr::LOCALHOST.into(), |settings| settings.machines = 4);
    let clients = ["One", "Two"].map(|name| Bystander::join(name, address, Some(Ipv4Addr::LOCALHOST.into())));
    for client in &clients {
        client.until_joined();
    }
    let mut crowd = Crowd::new();
    let mut slow = Standin::new("Slow");
    slow.loads = false;
    crowd.all.push(Wired::connect(slow, loopback(4, 2), address));
    crowd.until("being let in", |crowd| crowd.all[0].standin.is_listed());

    // Host, two clients and the stand-in are four.
    let ours = bytes::join_request("More", TOKEN);
    let theirs = bytes::join_request("Other", b"message in a can");
    let mut refused = |what, says: &[u8], reason: i16| {
        let mut stranger = Stranger::say(what, 3, address, says);
        until_closed(&mut crowd, &mut stranger);
        assert_eq!(stranger.reason(), Some(reason), "{what}");
    };
    refused("a full lobby", &ours, 4);
    refused("another build's token", &theirs, 2);
    host.begin();
    // The stand-in has not loaded.
    refused("a game that loads", &ours, 5);
    crowd.all[0].standin.say_loaded();
    crowd.until("the game", |crowd| crowd.all[0].standin.stage == Stage::Playing);
    let mut refused = |what, says: &[u8], reason: Option<i16>| {
        let mut stranger = Stranger::say(what, 3, address, says);
        until_closed(&mut crowd, &mut stranger);
        assert_eq!(stranger.reason(), reason, "{what}");
    };
    refused("a full game", &ours, Some(4));
    refused("another build's token", &theirs, Some(2));
    refused("http", HTTP, None);
    refused("tls", TLS, None);
    refused("packets of another version", &[&ours[..2], &[2], &ours[3..]].concat(), None);
    refused("a player before it joined", &bytes::add_player("X", 1), None);
    refused("inputs before it joined", &bytes::input(0, 1, 1, 1.0), None);
    refused("a frame of nothing", &[0, 0], None);
    refused("an encrypted frame", &[0, 0x8D], None);

    let began = host.tick();
    let mut silent = Stranger::say("silence", 4, address, &[]);
    let mut dripping = Stranger::say("a dripping join", 5, address, &ours[..1]);
    let mut half = Stranger::say("half a frame of garbage", 6, address, &[0xFF, 0xFC, 1, 2, 3]);
    let datagrams = datagrams_of(loopback(4, 7));
    let mut random = Random::new(21);
    let mut dripped = 1;
    crowd.until("a time-out", |_| {
        let tick = host.tick();
        // Less than the whole by the time that it is closed.
        while dripped < ours.len() - 1 && dripped < (tick - began) as usize / 4 {
            let _ = dripping.stream.write_all(&ours[dripped..=dripped]);
            dripped += 1;
        }
        for _ in 0..10 {
            let length = 1 + random.below(300) as usize;
            let mut garbage: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
            if random.once_in(2) && length > 8 {
                garbage[..2].copy_from_slice(&((length as u16) << 4 | 2 << 2).to_be_bytes());
                garbage[2] = random.below(91) as u8;
            }
            let _ = datagrams.send_to(&garbage, address);
        }
        let mut all = [&mut silent, &mut dripping, &mut half];
        all.iter_mut().for_each(|stranger| stranger.hear());
        let is_over = all.iter().all(|stranger| stranger.is_closed);
        assert!(
            all.iter().all(|stranger| !stranger.is_closed) || tick - began >= 298,
            "ten seconds are theirs"
        );
        is_over
    });
    assert_eq!((silent.reason(), dripping.reason(), half.reason()), (None, None, None));
    assert!(dripped > 60, "it went on to drip");

    let tick = host.tick();
    for client in &clients {
        client.until_tick(tick);
    }
    println!(
        "strangers: the host is at tick {}, the clients at {:?}",
        host.tick(),
        clients.each_ref().map(Bystander::tick)
    );
    assert!(!crowd.all[0].is_closed);
    let seats = clients.map(Bystander::end);
    let host = host.end();
    let refused = host.machine.host.counters().refused;
    assert_eq!(refused.get("not_joined"), Some(&3));
    assert!(
        refused.get("rejected") == Some(&5)
            && refused.get("unknown_address").is_some_and(|count| *count > 100)
    );
    let left = host
        .said
        .iter()
        .filter(|notice| matches!(notice, host::Notice::Left { why, .. } if *why != Why::Left));
    assert_eq!(left.count(), 0, "{:?}", host.said);
    for seat in &seats {
        assert_agree(&host, seat);
    }
}

/// NET-62: a machine of the lobby that never reads is removed two seconds after its buffers are full, and said to be
/// stalled; the others are told everything meanwhile, and then they play.
#[test]
fn who_never_reads_is_removed() {
    let (host, address) = Hosted::open("flat", 0, Ipv4Addr::LOCALHOST.into(), |_| {});
    let client = Bystander::join("One", address, Some(Ipv4Addr::LOCALHOST.into()));
    client.until_joined();
    // It joins, brings a player and reads no more, with as little room as a socket has.
    let mut deaf = stream_with(loopback(6, 2), address, |socket| socket.set_recv_buffer_size(1).unwrap());
    deaf.write_all(&bytes::join_request("Deaf", TOKEN)).unwrap();
    deaf.write_all(&bytes::add_player("Deaf", 2)).unwrap();
    let mut crowd = Crowd::new();
    crowd.all.push(Wired::connect(Standin::new("Busy"), loopback(6, 3), address));
    crowd.until("a player", |crowd| crowd.all[0].standin.is_listed());
    let mut renamed = 0;
    crowd.until("its removal", |crowd| {
        // Each other name is a change of the settings, which go to everybody again.
        renamed += 1;
        let (machine, name) = (crowd.all[0].standin.machine.unwrap(), format!("Busy{renamed}"));
        crowd.all[0].standin.said.stream.extend(bytes::settings_request(&name, machine));
        host.ask(|_, host| {
            host.said.iter().any(|notice| matches!(notice, host::Notice::Left { why: Why::Stalled, .. }))
        })
    });
    assert!(crowd.all[0].standin.packets[6] > 40);
    host.begin();
    crowd.until("the game", |crowd| crowd.all[0].standin.stage == Stage::Playing);
    crowd.until_tick(60);
    client.until_tick(60);
    let (seat, host) = (client.end(), host.end());
    assert_agree(&host, &seat);
    assert!(!host.machine.host.counters().refused.contains_key("overrun"));
}
