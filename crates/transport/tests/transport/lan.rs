//! Games that are searched for, told of and listed: a host and searchers round it, in memory, over virtual time.

use std::net::SocketAddr;

use mjolnir_transport::limits::{BROADCAST_ADDRESSES, GAME_ADDRESSES, GAMES, GAMES_PER_ADDRESS};
use mjolnir_transport::{Broadcast, Browser, Host, HostSettings, NetEvent, VersionRefusal};
use mjolnir_wire::packets::list::{Advertise, Ping, Pong, Search};
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{Advertisement, Packet};
use mjolnir_wire::{Moment, Tick};

use super::table::{Table, bytes_of, loaded, record};

const SEARCHER: &str = "10.0.0.2:5151";
const HOST: &str = "10.0.0.1:5150";
const EVERYBODY: &str = "255.255.255.255:5151";

fn ms(millis: u64) -> Moment {
    Moment::from_micros(millis * 1000)
}

fn at(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn search(port: u16, protocol: i16, nonce: u8) -> Vec<u8> {
    bytes_of(&Packet::Search(Search { port, protocol, nonce: [nonce; 8] }))
}

fn settings(broadcast: &str) -> HostSettings {
    let broadcast = match broadcast {
        "nobody" => Broadcast::nobody(),
        list => Broadcast::parse(list).0,
    };
    HostSettings { broadcast, nonce: [3; 8], key_id: [4; 8], ..HostSettings::new(record()) }
}

/// What a host says of its game, as bytes.
fn advertisement(change: impl FnOnce(&mut Advertisement)) -> Vec<u8> {
    let mut game = Host::new(settings("nobody")).advertisement([0; 8]);
    change(&mut game);
    bytes_of(&Packet::Advertise(Advertise { game }))
}

/// A host whose datagrams are all kept: when, to whom, and the advertisement in it.
struct Teller {
    host: Host,
    told: Vec<(Moment, SocketAddr, Advertisement)>,
}

impl Teller {
    fn new(settings: HostSettings) -> Self {
        Self { host: Host::new(settings), told: Vec::new() }
    }

    fn hear(&mut self, now: Moment, from: &str, bytes: &[u8]) {
        self.host.handle(now, Tick::ZERO, NetEvent::Datagram { from: at(from), bytes });
        self.keep(now);
    }

    fn poll(&mut self, now: Moment) {
        self.host.poll(now, Tick::ZERO);
        self.keep(now);
    }

    fn keep(&mut self, now: Moment) {
        for (to, bytes) in self.host.transmits().datagrams() {
            let Ok(Packet::Advertise(said)) = Packet::read(bytes) else { panic!("{bytes:?}") };
            self.told.push((now, to, said.game));
        }
        self.host.clear_transmits();
    }

    fn times(&self) -> Vec<u64> {
        self.told.iter().map(|(now, ..)| now.as_micros() / 1000).collect()
    }
}

/// NET-51, NET-15, WIRE-02, 03, 90: a search is answered at once with what the host says of its game, at the port that it
/// names, its nonce in front; one of no port at 5151.
#[test]
fn a_search_is_answered_where_it_says() {
    let mut teller = Teller::new(HostSettings { port: 6000, ..settings("nobody") });
    teller.hear(ms(0), "10.0.0.2:40000", &search(7000, 2, 9));
    teller.hear(ms(300), "[fe80::7]:40000", &search(0, 2, 8));
    let [(_, first_to, first), (_, second_to, second)] = &teller.told[..] else { panic!() };
    assert_eq!((*first_to, *second_to), (at("10.0.0.2:7000"), at("[fe80::7]:5151")));
    assert_eq!((first.search_nonce, second.search_nonce), ([9; 8], [8; 8]));
    assert_eq!(*first, Advertisement { search_nonce: [9; 8], ..teller.host.advertisement([0; 8]) });
    assert_eq!((first.port, first.version, first.is_distributed()), (6000, 32, true));
}

/// WIRE-96: a search of another protocol is not answered.
#[test]
fn a_search_of_another_protocol_is_passed_over() {
    let mut teller = Teller::new(settings("nobody"));
    for protocol in [1, 3, 0, -2] {
        teller.hear(ms(0), SEARCHER, &search(5151, protocol, 1));
    }
    assert!(teller.told.is_empty());
    teller.hear(ms(0), SEARCHER, &search(5151, 2, 1));
    assert_eq!(teller.told.len(), 1);
}

/// NET-51: ten searches in a second have at most five answers, each of the newest search's nonce.
#[test]
fn one_answer_leaves_in_a_quarter_of_a_second() {
    let mut teller = Teller::new(settings("nobody"));
    for millis in 0..=1000 {
        if millis % 100 == 0 && millis < 1000 {
            teller.hear(ms(millis), SEARCHER, &search(5151, 2, (millis / 100) as u8));
        }
        teller.poll(ms(millis));
    }
    assert_eq!(teller.times(), [0, 250, 500, 750, 1000]);
    let nonces: Vec<_> = teller.told.iter().map(|(.., game)| game.search_nonce[0]).collect();
    assert_eq!(nonces, [0, 2, 5, 7, 9]);
    // What was asked is answered once.
    teller.poll(ms(2000));
    assert_eq!(teller.told.len(), 5);
}

/// NET-70: a thousand searches from a thousand addresses cost a few answers; from afar they cost none.
#[test]
fn a_flood_of_searches_has_few_answers() {
    let mut teller = Teller::new(settings("nobody"));
    for i in 0..1000_u64 {
        teller.hear(ms(i), &format!("10.7.{}.{}:5151", i / 250, i % 250 + 1), &search(5151, 2, 1));
        teller.poll(ms(i));
    }
    assert_eq!(teller.told.len(), 4);
    for i in 0..1000_u64 {
        let from = format!("203.0.113.{}:{}", i % 250 + 1, 2000 + i);
        teller.hear(ms(2000 + i), &from, &search(5151, 2, 1));
        teller.poll(ms(2000 + i));
    }
    // The last of the first thousand was still to be answered.
    assert_eq!(teller.told.len(), 5);
    assert_eq!(teller.host.counters().refused.of("not_local"), 1000);
    assert!(teller.told.iter().all(|(_, to, _)| to.to_string().starts_with("10.7.")));
}

/// NET-51, 52: a hosted game is told of each second, at port 5151 of every address in the list and nowhere else, also
/// while it is searched for; all of it together is one in a quarter of a second.
#[test]
fn a_game_is_told_of_each_second() {
    for (list, told) in [
        ("", vec![EVERYBODY]),
        ("10.0.0.7,10.0.9.7", vec!["10.0.0.7:5151", "10.0.9.7:5151"]),
        ("10.0.0.7,255.255.255.255", vec!["10.0.0.7:5151", EVERYBODY]),
    ] {
        let mut teller = Teller::new(settings(list));
        (0..=3000).step_by(5).for_each(|millis| teller.poll(ms(millis)));
        let expected: Vec<_> =
            (0..4).flat_map(|s| told.iter().map(move |to| (ms(1000 * s), at(to)))).collect();
        assert_eq!(teller.told.iter().map(|(now, to, _)| (*now, *to)).collect::<Vec<_>>(), expected);
    }
    let mut teller = Teller::new(settings(""));
    for millis in 0..=3000 {
        teller.poll(ms(millis));
        teller.hear(ms(millis), SEARCHER, &search(5151, 2, 6));
    }
    let told: Vec<_> = teller.told.iter().filter(|(_, to, _)| *to == at(EVERYBODY)).collect();
    assert_eq!(told.iter().map(|(now, ..)| now.as_micros() / 1_000_000).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(told[1].2.search_nonce, [6; 8], "the newest search's");
    assert_eq!(teller.times(), (0..=12).map(|i| i * 250).collect::<Vec<_>>());
}

/// NET-52: no list is longer than 256 addresses.
#[test]
fn a_list_has_its_most() {
    let mut list = Broadcast::nobody();
    for i in 0..BROADCAST_ADDRESSES as u32 {
        assert!(list.add(i.into()));
    }
    assert!(!list.add(u32::MAX.into()));
    assert!(list.add(0.into()), "it is in the list");
    let mut teller = Teller::new(HostSettings { broadcast: list, ..settings("nobody") });
    teller.poll(ms(0));
    assert_eq!(teller.told.len(), 256);
}

/// A searcher whose datagrams are kept, and to whom the test answers.
struct Seeker {
    browser: Browser,
    sent: Vec<(Moment, SocketAddr, Vec<u8>)>,
}

impl Seeker {
    fn new() -> Self {
        Self { browser: Browser::new(5151, [5; 8], vec![at("255.255.255.255:5150")]), sent: Vec::new() }
    }

    fn hear(&mut self, now: Moment, from: &str, bytes: &[u8]) {
        self.browser.handle(now, NetEvent::Datagram { from: at(from), bytes });
    }

    /// Polls, and answers pings after what each address takes: milliseconds, none for one that does not answer.
    fn poll(&mut self, now: Moment, answers: &[(&str, u64)]) {
        self.browser.poll(now);
        let sent: Vec<_> =
            self.browser.transmits().datagrams().map(|(to, b)| (now, to, b.to_vec())).collect();
        self.browser.clear_transmits();
        for (_, to, bytes) in &sent {
            if let (Ok(Packet::Ping(ping)), Some((from, after))) =
                (Packet::read(bytes), answers.iter().find(|(from, _)| at(from) == *to))
            {
                let pong = bytes_of(&Packet::Pong(Pong { timestamp: ping.timestamp }));
                self.hear(now.plus(after * 1000), from, &pong);
            }
        }
        self.sent.extend(sent);
    }

    fn listed(&self) -> Vec<(SocketAddr, Option<u64>)> {
        self.browser.games().iter().map(|game| (game.address(), game.round_trip())).collect()
    }

    fn refused(&self, reason: &str) -> u64 {
        self.browser.counters().refused.of(reason)
    }
}

/// NET-50, 51: it searches at once and twice a second, naming its own port; searches cost a host no more than that.
#[test]
fn a_searcher_names_its_port() {
    let mut seeker = Seeker::new();
    seeker.browser = Browser::new(6151, [5; 8], vec![at(HOST), at("10.0.0.9:5150")]);
    (0..1000).step_by(5).for_each(|millis| seeker.poll(ms(millis), &[]));
    let expected = bytes_of(&Packet::Search(Search { port: 6151, protocol: 2, nonce: [5; 8] }));
    let sent: Vec<_> =
        seeker.sent.iter().map(|(now, to, _)| (now.as_micros() / 1000, to.to_string())).collect();
    let to = [HOST.to_owned(), "10.0.0.9:5150".to_owned()];
    assert_eq!(sent, [(0, to[0].clone()), (0, to[1].clone()), (500, to[0].clone()), (500, to[1].clone())]);
    assert!(seeker.sent.iter().all(|(.., bytes)| *bytes == expected));
}

/// NET-01..04: a game of another version, and one that does not play this netcode, are listed as any other; choosing
/// one is answered with a text that has both numbers, and it stays listed.
#[test]
fn another_version_is_listed_and_not_joined() {
    let hosts = [
        ("10.0.0.1:5150", 32, true),
        ("10.0.0.2:5150", 33, true),
        ("10.0.0.3:5150", 31, true),
        ("10.0.0.4:5150", 0, false),
        ("10.0.0.5:5150", 4, false),
    ];
    let mut seeker = Seeker::new();
    for (from, version, netcode) in hosts {
        let bytes = advertisement(|game| {
            game.version = version;
            game.netcode = u8::from(netcode);
            game.nonce = [from.as_bytes()[7]; 8];
        });
        seeker.hear(ms(1), from, &bytes);
    }
    let choose =
        |seeker: &Seeker| -> Vec<_> { seeker.browser.games().iter().map(|game| game.choose()).collect() };
    let own = 32;
    let expected = [
        Ok(at(hosts[0].0)),
        Err(VersionRefusal::HostIsNewer { host: 33, own }),
        Err(VersionRefusal::HostIsOlder { host: 31, own }),
        Err(VersionRefusal::HostIsOlder { host: 0, own }),
        Err(VersionRefusal::NotDistributed { host: 4, own }),
    ];
    assert_eq!(choose(&seeker), expected);
    for (refusal, host) in choose(&seeker)[1..].iter().zip([33, 31, 0, 4]) {
        let text = refusal.unwrap_err().to_string();
        assert!(text.contains(&format!("version {host}")) && text.contains("version 32"), "{text}");
    }
    seeker.poll(ms(2), &[]);
    assert_eq!(choose(&seeker), expected, "choosing changes nothing: all are still listed");
}

/// NET-43: a listed host is pinged, and its answer counts once and while it was asked.
#[test]
fn a_pings_answer_counts_while_it_was_asked() {
    let mut seeker = Seeker::new();
    let pong = |timestamp| bytes_of(&Packet::Pong(Pong { timestamp }));
    seeker.hear(ms(5), HOST, &pong(5));
    seeker.hear(ms(5), HOST, &advertisement(|_| {}));
    seeker.hear(ms(5), HOST, &pong(5));
    assert_eq!((seeker.listed(), seeker.refused("unasked")), (vec![(at(HOST), None)], 2));
    seeker.poll(ms(7), &[]);
    let ping = bytes_of(&Packet::Ping(Ping { timestamp: 7, port: 5151 }));
    assert!(seeker.sent.contains(&(ms(7), at(HOST), ping)));
    seeker.hear(ms(9), "10.0.0.2:5150", &pong(7));
    seeker.hear(ms(9), HOST, &pong(8));
    assert_eq!((seeker.listed()[0].1, seeker.refused("unasked")), (None, 4));
    seeker.hear(ms(19), HOST, &pong(7));
    seeker.hear(ms(29), HOST, &pong(7));
    assert_eq!((seeker.listed()[0].1, seeker.refused("unasked")), (Some(12_000), 5));
    // Again each second, and the newest answer is what is shown.
    seeker.poll(ms(1006), &[(HOST, 1)]);
    assert_eq!(seeker.listed()[0].1, Some(12_000));
    seeker.poll(ms(1007), &[(HOST, 4)]);
    assert_eq!(seeker.listed()[0].1, Some(4_000));
}

/// A host of several addresses is one game, joined at the nearest; two that say nothing of who they are, are two.
#[test]
fn a_host_of_several_addresses_is_listed_once() {
    let ways = ["10.0.0.1:5150", "192.168.1.1:5150", "[fd00::1]:5150", "[::ffff:10.0.0.1]:5150"];
    let mut seeker = Seeker::new();
    for from in ways {
        seeker.hear(ms(0), from, &advertisement(|_| {}));
    }
    assert_eq!(seeker.listed(), [(at(ways[0]), None)]);
    seeker.poll(ms(1), &[(ways[0], 9), (ways[1], 3), (ways[2], 6)]);
    assert_eq!(seeker.listed(), [(at(ways[1]), Some(3_000))]);
    for from in &ways[..3] {
        assert!(seeker.browser.game_at(at(from)).is_some(), "{from}");
    }
    // More addresses than are kept change nothing.
    for i in 0..100 {
        seeker.hear(ms(2), &format!("10.0.3.{i}:5150"), &advertisement(|_| {}));
    }
    let kept = (0..100).filter(|i| seeker.browser.game_at(at(&format!("10.0.3.{i}:5150"))).is_some());
    assert_eq!((kept.count(), seeker.listed().len()), (GAME_ADDRESSES - 3, 1));

    let mut seeker = Seeker::new();
    for from in &ways[..2] {
        seeker.hear(ms(0), from, &advertisement(|game| (game.nonce, game.key_id) = ([0; 8], [0; 8])));
        seeker.hear(ms(1), from, &advertisement(|game| (game.nonce, game.key_id) = ([0; 8], [0; 8])));
    }
    assert_eq!(seeker.listed().len(), 2);
}

/// A game that is not heard for five seconds is gone; one that begins anew at an address takes the old one's place. So it
/// is on a machine that has been up for the milliseconds of 31 or 32 bits, when they turn over.
#[test]
fn a_game_that_is_over_is_not_listed() {
    for up in [0, (1 << 31) - 5000, (1 << 32) - 5000] {
        let ms = |millis: u64| ms(up + millis);
        let mut seeker = Seeker::new();
        seeker.hear(ms(0), HOST, &advertisement(|_| {}));
        seeker.hear(ms(2000), HOST, &advertisement(|game| game.players = 7));
        assert_eq!(seeker.browser.games()[0].advertisement().players, 7, "the newest word");
        seeker.poll(ms(6999), &[]);
        assert_eq!(seeker.listed().len(), 1);
        seeker.poll(ms(7000), &[]);
        assert!(seeker.listed().is_empty());

        seeker.hear(ms(8000), HOST, &advertisement(|_| {}));
        seeker.hear(ms(8001), HOST, &advertisement(|game| game.nonce = [9; 8]));
        assert_eq!(seeker.listed().len(), 1);
        assert_eq!(seeker.browser.games()[0].advertisement().nonce, [9; 8]);
    }
}

/// What is listed is bounded, and forged games push none out whose host answers.
#[test]
fn a_flood_of_games_is_bounded() {
    let mut seeker = Seeker::new();
    seeker.hear(ms(0), HOST, &advertisement(|_| {}));
    seeker.poll(ms(1), &[(HOST, 1)]);
    for i in 0..5000_u32 {
        let from = format!("10.{}.{}.{}:5150", 1 + i / 65536, i / 256 % 256, i % 256);
        let forged = advertisement(|game| game.nonce = u64::from(i + 1).to_le_bytes());
        seeker.hear(ms(2 + u64::from(i / 100)), &from, &forged);
        assert!(seeker.listed().len() <= GAMES);
    }
    assert_eq!(seeker.listed().len(), GAMES);
    assert!(seeker.browser.game_at(at(HOST)).is_some());
    assert!(seeker.browser.game_at(at("10.1.19.135:5150")).is_some(), "the newest");
    assert!(seeker.browser.game_at(at("10.1.0.0:5150")).is_none(), "the oldest");

    // All answer: there is no room for another.
    let games: Vec<_> = seeker.listed().iter().map(|(address, _)| address.to_string()).collect();
    let answers: Vec<_> = games.iter().map(|game| (game.as_str(), 1)).collect();
    seeker.poll(ms(1500), &answers);
    seeker.hear(ms(1501), "10.9.9.9:5150", &advertisement(|game| game.nonce = [8; 8]));
    assert!(seeker.browser.game_at(at("10.9.9.9:5150")).is_none());
    assert_eq!(seeker.refused("too_many_games"), 1);
}

/// One machine that answers from as many ports as there are places takes a few of them; loopback's are not counted.
#[test]
fn one_address_does_not_fill_the_list() {
    let mut seeker = Seeker::new();
    let forged = |seeker: &mut Seeker, ip: &str| {
        let ports: Vec<_> = (0..GAMES as u16).map(|i| format!("{ip}:{}", 6000 + i)).collect();
        for (number, from) in (1_u64..).zip(&ports) {
            let nonce = (number << 32 | u64::from(at(from).ip().is_loopback())).to_le_bytes();
            seeker.hear(ms(number * 3), from, &advertisement(|game| game.nonce = nonce));
            seeker.poll(ms(number * 3 + 1), &[(from, 1)]);
        }
    };
    forged(&mut seeker, "10.0.0.66");
    assert_eq!(seeker.listed().len(), GAMES_PER_ADDRESS);
    assert_eq!(seeker.refused("too_many_games"), (GAMES - GAMES_PER_ADDRESS) as u64);
    seeker.hear(ms(800), HOST, &advertisement(|_| {}));
    assert!(seeker.browser.game_at(at(HOST)).is_some());

    let mut seeker = Seeker::new();
    forged(&mut seeker, "127.0.0.2");
    assert_eq!(seeker.listed().len(), GAMES);
}

/// WIRE-90: bytes that are no advertisement list nothing; texts are cleaned before anybody sees them.
#[test]
fn what_is_listed_can_be_shown() {
    let mut seeker = Seeker::new();
    let good = advertisement(|_| {});
    for length in 0..good.len() {
        seeker.hear(ms(0), HOST, &good[..length]);
    }
    seeker.hear(ms(0), HOST, &advertisement(|game| game.protocol = 1));
    seeker.hear(ms(0), HOST, &search(5151, 2, 1));
    seeker.hear(ms(0), HOST, &bytes_of(&loaded()));
    assert!(seeker.listed().is_empty());
    assert_eq!(seeker.refused("unexpected"), 2);

    let shown = advertisement(|game| {
        game.name = Wide::cut("\u{1b}[2Jred\u{7} ");
        game.map = Chars::new("levels\\\u{1b}").unwrap();
    });
    seeker.hear(ms(0), HOST, &shown);
    let game = seeker.browser.games()[0].advertisement();
    assert_eq!(game.name.chars().collect::<String>(), "[2Jred");
    assert_eq!(game.map.as_str(), Some(""));
}

/// NET-21, 26: a searcher sees a game open in the lobby, closed while it loads, open and in progress when it is
/// played, closed when it is over; and it is answered in each.
#[test]
fn a_searcher_sees_how_the_game_stands() {
    let mut table = Table::with(settings("nobody"), 0);
    let a = table.joined("10.0.0.9:5151");
    let searcher = table.raw(SEARCHER);
    let mut browser = Browser::new(5151, [5; 8], vec![at(HOST)]);
    let mut look = |table: &mut Table| {
        table.step(16);
        browser.poll(table.now);
        let sent: Vec<_> = browser.transmits().datagrams().map(|(_, bytes)| bytes.to_vec()).collect();
        browser.clear_transmits();
        table.peers[searcher].datagrams.clear();
        for bytes in sent {
            table.datagram(searcher, &bytes);
        }
        for bytes in table.peers[searcher].datagrams.drain(..) {
            browser.handle(table.now, NetEvent::Datagram { from: at(HOST), bytes: &bytes });
        }
        let [game] = browser.games() else { panic!("not listed") };
        let said = game.advertisement();
        assert_eq!(said.search_nonce, [5; 8]);
        (said.is_open(), said.is_in_progress(), said.machines, said.players)
    };
    assert_eq!(look(&mut table), (true, false, 2, 1));
    table.host.begin_game(table.now, table.tick);
    assert_eq!(look(&mut table), (false, true, 2, 1));
    table.say(a, &loaded());
    assert_eq!(look(&mut table), (true, true, 2, 1));
    let late = table.joined("10.0.0.8:5151");
    assert_eq!(look(&mut table), (true, true, 3, 2));
    table.say(late, &loaded());
    table.host.end_game();
    assert_eq!(look(&mut table), (false, true, 3, 2));
}
