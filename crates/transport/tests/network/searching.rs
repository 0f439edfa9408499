//! Games found over real sockets, on the loopback: whole hosts and searchers, each at a port of its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use mjolnir_transport::client::Event;
use mjolnir_transport::net::{Searcher, Sockets};
use mjolnir_transport::{Browser, Client, ClientSettings, Host, HostSettings};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Moment, Tick};

use super::{BOTH_FAMILIES, LOOPBACK};

/// Looks that a test takes for what should come; between two it waits for something to come, if need be so long.
const LOOKS: u32 = 2000;
const LOOK: Duration = Duration::from_millis(10);

struct Hosting {
    host: Host,
    sockets: Sockets,
}

impl Hosting {
    fn at(bind: SocketAddr) -> Option<Self> {
        let sockets = Sockets::listen(bind).ok()?;
        let mut record = SettingsRecord::empty();
        record.max_players = 16;
        let port = sockets.local_address().port();
        let settings = HostSettings { port, nonce: [7; 8], ..HostSettings::new(record) };
        Some(Self { host: Host::new(settings), sockets })
    }

    fn run(&mut self, now: Moment) {
        use mjolnir_transport::Network as _;
        let Self { host, sockets } = self;
        sockets.receive(now, &mut |event| host.handle(now, Tick::ZERO, event));
        host.poll(now, Tick::ZERO);
        host.send(now, sockets);
    }
}

struct Searching {
    browser: Browser,
    socket: Searcher,
}

impl Searching {
    fn new(bind: IpAddr, target: SocketAddr) -> Self {
        let socket = Searcher::open(bind).unwrap();
        let browser = Browser::new(socket.local_address().port(), [1; 8], vec![target]);
        Self { browser, socket }
    }

    fn run(&mut self, now: Moment) {
        use mjolnir_transport::Network as _;
        let Self { browser, socket } = self;
        socket.receive(now, &mut |event| browser.handle(now, event));
        browser.poll(now);
        browser.send(now, socket);
    }

    /// Whether it lists the game there, with how far it is.
    fn has(&self, address: SocketAddr) -> bool {
        self.browser.game_at(address).is_some_and(|game| game.round_trip().is_some())
    }
}

/// The process's time from the first call on.
fn clock() -> impl Fn() -> Moment {
    let start = Instant::now();
    move || Moment::from_micros(start.elapsed().as_micros() as u64)
}

fn looks(mut has_come: impl FnMut() -> bool) {
    assert!((0..LOOKS).any(|_| has_come()), "it never came");
}

/// NET-50, 51, 43: two searchers on one machine are at two ports; the host answers each, and their pings.
#[test]
fn two_searchers_of_one_machine_are_both_answered() {
    let now = clock();
    let mut hosting = Hosting::at(LOOPBACK).unwrap();
    let to = hosting.sockets.local_address();
    let mut searchers = [(); 2].map(|()| Searching::new(Ipv4Addr::LOCALHOST.into(), to));
    let [one, other] = &searchers;
    assert_ne!(one.socket.local_address(), other.socket.local_address());
    looks(|| {
        hosting.run(now());
        searchers.iter_mut().for_each(|searcher| searcher.run(now()));
        searchers[0].socket.wait(LOOK);
        searchers.iter().all(|searcher| searcher.has(to))
    });
}

/// A host at an IPv6 address, and one at any of both families, are found and joined by IPv6 and, the second, by IPv4.
#[test]
fn a_host_is_found_and_joined_by_either_family() {
    let now = clock();
    let six = IpAddr::from(Ipv6Addr::LOCALHOST);
    let four = IpAddr::from(Ipv4Addr::LOCALHOST);
    for (bind, ways) in [(SocketAddr::new(six, 0), vec![six]), (BOTH_FAMILIES, vec![six, four])] {
        let Some(mut hosting) = Hosting::at(bind) else {
            continue; // A machine without IPv6.
        };
        for ip in ways {
            let to = SocketAddr::new(ip, hosting.sockets.local_address().port());
            let mut searcher = Searching::new(ip, to);
            looks(|| {
                hosting.run(now());
                searcher.run(now());
                searcher.socket.wait(LOOK);
                searcher.has(to)
            });
            let mut sockets = Sockets::connect(to, None).unwrap();
            let mut client = Client::new(now(), ClientSettings::new("Six", vec![NetworkPlayer::NONE]));
            let mut has_settings = false;
            looks(|| {
                use mjolnir_transport::Network as _;
                hosting.run(now());
                sockets.receive(now(), &mut |event| client.handle(now(), event));
                client.poll(now());
                client.send(now(), &mut sockets);
                while let Some(event) = client.next_event() {
                    assert!(!matches!(event, Event::Closed { .. }), "{event:?}");
                    has_settings |= event == Event::Settings;
                }
                sockets.wait(LOOK);
                has_settings
            });
            assert_eq!(client.host().unwrap().real, to);
        }
    }
}

/// A searcher from which no way leads to what it asks, from its first search on, goes on without waiting for it: the list
/// stays empty, and what was not sent is counted.
#[test]
fn a_searcher_without_a_way_lists_nothing_and_counts() {
    // An address that is kept for documents, from the loopback, and a port to which nothing leaves.
    for target in ["192.0.2.1:5150", "127.0.0.1:0"] {
        let mut searcher = Searching::new(Ipv4Addr::LOCALHOST.into(), target.parse().unwrap());
        for millis in (0..10_000).step_by(100) {
            searcher.run(Moment::from_millis(millis));
        }
        assert!(searcher.browser.games().is_empty());
        let counts = searcher.socket.datagram_counts();
        assert_eq!((counts.sent, counts.send_errors), (0, 20), "{target}");
    }
}
