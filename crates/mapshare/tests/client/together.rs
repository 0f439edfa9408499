//! A host and a client, by the bytes that each tells the other, with files that a script has.

use mjolnir_mapshare::{Client, Host, HostSettings, News, Order};
use mjolnir_wire::mapshare::{File, FileSet, Offer, Progress, Request};
use mjolnir_wire::{Kind, Machine, MachineSet, Moment};

use crate::maps::{found, hash};
use crate::said::{LEVEL, each_message, machine, outbox, seconds};
use crate::scene::{ON, SIZE, SOUNDS, VERSION};

/// Both ends, and how much of the download the client's disk has.
struct Pair {
    host: Host,
    client: Client,
    now: Moment,
    /// Bytes that come a tenth of a second; none before the download.
    had: Option<u64>,
    total: u64,
    /// Bytes that came of downloads before.
    before: u64,
    /// How many come a tenth of a second.
    rate: u64,
    /// The first offer loses all of it but the map.
    is_cut: bool,
    asked: usize,
}

impl Pair {
    fn new() -> Self {
        let mut host = Host::new(HostSettings { shares: true, upload: u64::MAX });
        host.set_game(LEVEL, 0);
        host.join(machine(3), Some("192.168.1.3".parse().unwrap()));
        let mut client = Client::new(ON);
        client.begin_session("192.168.1.1".parse().unwrap(), machine(3));
        Self {
            host,
            client,
            now: Moment::START,
            had: None,
            total: 0,
            before: 0,
            rate: 65_536,
            is_cut: false,
            asked: 0,
        }
    }

    /// A tenth of a second: each hears what the other told, and its disk does what it ordered.
    fn step(&mut self) {
        self.now = self.now.plus(100_000);
        let (mut up, mut down) = (outbox(), outbox());
        self.client.poll(self.now, &mut up);
        each_message(&up, Machine::HOST, |message| match message.kind {
            Kind::MapShareRequest => {
                self.asked += 1;
                let request = Request::read_all(message).next().unwrap().unwrap();
                self.host.handle_request(machine(3), &request).unwrap();
            }
            _ => {
                let progress = Progress::read_all(message).next().unwrap().unwrap();
                self.host.handle_progress(self.now, machine(3), &progress).unwrap();
            }
        });
        self.host.poll(self.now, &mut down);
        each_message(&down, machine(3), |message| match message.kind {
            Kind::MapShareOffer if std::mem::take(&mut self.is_cut) => {
                let mut cut = outbox();
                for offer in
                    Offer::read_all(message).map(Result::unwrap).filter(|offer| offer.file == File::Map)
                {
                    let to = MachineSet::only(machine(3));
                    cut.reliable_entry(to, Kind::MapShareOffer, |bytes| offer.write(bytes)).unwrap();
                }
                each_message(&cut, machine(3), |message| {
                    self.client.handle_offers(self.now, message).unwrap();
                });
            }
            Kind::MapShareOffer => self.client.handle_offers(self.now, message).unwrap(),
            _ => self.client.handle_sources(message).unwrap(),
        });
        while let Some(order) = self.host.next_order() {
            match order {
                Order::Look { ticket, .. } => {
                    let map = Ok(Some(found(VERSION, SIZE, SOUNDS)));
                    self.host.handle_news(News::Looked { ticket, map, resources: SOUNDS });
                }
                Order::Hash { ticket, file } => {
                    self.host.handle_news(News::Hashed { ticket, file, answer: Ok((1_000_000, hash(2))) });
                }
                _ => {}
            }
        }
        while let Some(order) = self.client.next_order() {
            match order {
                Order::Look { ticket, .. } => {
                    let resources = FileSet::only(File::Loc);
                    self.client.handle_news(News::Looked { ticket, map: Ok(None), resources });
                }
                Order::Download { offers, .. } => {
                    self.had = Some(0);
                    self.total = offers.iter().map(|offer| u64::from(offer.size)).sum();
                }
                _ => {}
            }
        }
        if let Some(had) = &mut self.had {
            *had += self.rate;
            if *had >= self.total {
                self.had = None;
                self.before += self.total;
                self.client.handle_news(News::Done(found(VERSION, SIZE, SOUNDS)));
            } else {
                self.client.handle_news(News::Progress { had: *had, is_checking: false });
            }
        }
    }
}

/// MAP-10, 11, 67, 72: from the settings to the map: one request, the map and what it needs of what is lacked, the players held while a
/// game is in progress, and let in on the message that says that all is there.
#[test]
fn a_client_that_lacks_the_map_gets_it_and_its_players_are_let_in() {
    let mut pair = Pair::new();
    pair.step();
    let version = pair.host.version().unwrap();
    assert_eq!(version, VERSION);
    pair.client.handle_settings(LEVEL, version);
    let mut held = Vec::new();
    while pair.now < seconds(30.0) {
        pair.step();
        let standing = pair.host.standing(pair.now, machine(3));
        assert!(standing.is_excused || !standing.is_downloading);
        assert!(standing.is_downloading || held.is_empty() || pair.client.may_load());
        if standing.is_downloading {
            held.push(pair.now);
        }
    }
    assert!(pair.client.may_load());
    assert_eq!((pair.asked, pair.total), (1, u64::from(SIZE) + 1_000_000));
    // 3 621 440 bytes at 65 536 a tenth of a second take 56 of them.
    assert!((56..60).contains(&held.len()), "{}", held.len());
}

/// MAP-55, 72: a file that is offered once the others are here counts beside them at both ends: who gets a piece of it each 70 s gets on,
/// from the first to the last, and is let in.
#[test]
fn a_second_offer_counts_beside_the_first() {
    let mut pair = Pair::new();
    pair.is_cut = true;
    pair.step();
    pair.client.handle_settings(LEVEL, VERSION);
    while pair.before == 0 {
        pair.step();
        assert!(pair.now < seconds(30.0));
    }
    assert_eq!((pair.before, pair.client.may_load()), (SIZE.into(), false));
    // A piece, of 262 144 bytes, in 70 s.
    pair.rate = 375;
    while !pair.client.may_load() {
        pair.step();
        let standing = pair.host.standing(pair.now, machine(3));
        assert!(standing.is_downloading && standing.is_excused, "{:?}", pair.now);
    }
    assert!((260.0..300.0).contains(&(pair.now.as_micros() as f64 / 1e6)), "{:?}", pair.now);
    pair.step();
    assert!(!pair.host.standing(pair.now, machine(3)).is_downloading);
    assert_eq!((pair.asked, pair.before), (2, u64::from(SIZE) + 1_000_000));
}
