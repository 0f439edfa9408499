//! Map sharing's threads over real sockets: machines at loopback addresses of their own, with a folder in memory each. A binary of
//! its own, since it waits: for what should come, never for time.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use mjolnir_engine_glue::maps::{Options, Service};
use mjolnir_engine_glue::mapshare::client::Standing;
use mjolnir_engine_glue::mapshare::disk::{Loader, Memory, Unfit, View, hash_pieces};
use mjolnir_engine_glue::mapshare::hash::of_pieces;
use mjolnir_engine_glue::mapshare::{
    Client, ClientSettings, Fault, Found, Game, News, Offered, Order, Place,
};
use mjolnir_wire::Machine;
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES, Refusal};

const PATIENCE: Duration = Duration::from_secs(30);
const LEVEL: &str = "custom_maps\\hugeass";
const FILE: &str = "hugeass.map";

/// Takes any map.
struct Takes;

impl Loader for Takes {
    fn check(&mut self, _: &mut dyn View) -> Result<FileSet, Unfit> {
        Ok(FileSet::NONE)
    }

    fn most(&self, _: File) -> u64 {
        u64::MAX
    }
}

/// Panics over any map, as a game's own may over one that nobody foresaw.
struct Panics;

impl Loader for Panics {
    fn check(&mut self, _: &mut dyn View) -> Result<FileSet, Unfit> {
        panic!("a map that nobody foresaw");
    }

    fn most(&self, _: File) -> u64 {
        u64::MAX
    }
}

/// A machine, at 127.0.0.(2 + its number).
struct Node {
    machine: Machine,
    service: Service,
    folder: Memory,
    news: Vec<News>,
}

fn address(machine: u8, of: u8) -> IpAddr {
    Ipv4Addr::new(127, 0, of, 2 + machine).into()
}

impl Node {
    /// At that port of the net `of`, one for each test.
    fn new(machine: u8, of: u8, port: u16) -> Self {
        Self::with(machine, of, port, Takes)
    }

    fn with(machine: u8, of: u8, port: u16, loader: impl Loader) -> Self {
        let folder = Memory::new();
        let options = Options { bind: address(machine, of), port, seed: u64::from(machine) };
        let service = Service::with(&options, folder.clone(), loader).unwrap();
        Self { machine: Machine::new(machine).unwrap(), service, folder, news: Vec::new() }
    }

    /// Waits until it has news of that kind.
    fn wait<R>(&mut self, look: impl Fn(&News) -> Option<R>) -> R {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(seen) = self.news.iter().find_map(&look) {
                return seen;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "machine {:?}: {:?}", self.machine, self.news);
            self.service.wait_for_news(&mut self.news, left);
        }
    }

    fn done(&mut self) -> Found {
        self.wait(|news| match news {
            News::Done(found) => Some(found.clone()),
            News::Failed(fault) => panic!("{fault:?}"),
            _ => None,
        })
    }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// What a machine is in the game of that map.
fn share(machine: Machine, offered: Offered, host: Option<IpAddr>, upload: u64) -> Order {
    Order::Share(Game { machine, map_version: offered.hash.version(), host, upload: Some(upload) })
}

/// A host that shares that file with so many machines, as fast as it can, and they; what it offers.
fn game(of: u8, file: &[u8], clients: u8) -> (Node, Vec<Node>, Offered) {
    game_at(0, of, file, clients)
}

/// The same at that port.
fn game_at(port: u16, of: u8, file: &[u8], clients: u8) -> (Node, Vec<Node>, Offered) {
    let mut host = Node::new(0, of, port);
    let port = host.service.listening().unwrap().port();
    host.folder.set(FILE, file);
    host.service.order(Order::Look { ticket: 1, level: LEVEL.into(), version: None });
    let found = host.wait(|news| match news {
        News::Looked { ticket: 1, map, .. } => Some(map.clone().unwrap().unwrap()),
        _ => None,
    });
    assert_eq!(found.size as usize, file.len());
    let offered = Offered { file: File::Map, size: found.size, hash: found.hash };
    host.service.order(share(host.machine, offered, None, u64::MAX));
    let mut nodes: Vec<Node> = (1..=clients).map(|machine| Node::new(machine, of, port)).collect();
    let members: Vec<_> = nodes.iter().map(|node| (node.machine, address(node.machine.get(), of))).collect();
    host.service.order(Order::Members(members.into()));
    for node in &mut nodes {
        node.service.order(share(node.machine, offered, Some(address(0, of)), u64::MAX));
    }
    (host, nodes, offered)
}

fn download(nodes: &mut [Node], of: u8, offered: Offered) {
    let places: Vec<Place> = nodes
        .iter()
        .map(|node| Place {
            machine: node.machine,
            address: address(node.machine.get(), of),
            files: FileSet::MAP,
            is_downloading: true,
        })
        .collect();
    for node in nodes {
        node.service.order(Order::Download { level: LEVEL.into(), offers: [offered].into() });
        let others = places.iter().filter(|place| place.machine != node.machine).copied();
        node.service.order(Order::Sources(others.collect()));
    }
}

/// MAP-01, MAP-23, MAP-49: four machines that lack the map have it byte for byte, at once.
#[test]
fn four_machines_have_it_byte_for_byte() {
    let file = bytes(11 * PIECE_BYTES as usize + 12_345);
    let (_host, mut nodes, offered) = game(11, &file, 4);
    download(&mut nodes, 11, offered);
    for node in &mut nodes {
        assert_eq!(node.done().hash, offered.hash);
        node.service.take_news(&mut node.news);
        assert!(node.folder.get(FILE).unwrap() == file);
        let last = node.news.iter().rev().find_map(|news| match news {
            News::Progress { had, .. } => Some(*had),
            _ => None,
        });
        assert!(last.is_some_and(|had| had <= u64::from(offered.size)), "{last:?}");
        assert_eq!(node.service.lost_orders(), 0);
        // Near the end a piece may come twice.
        let received = node.service.traffic().received;
        let size = u64::from(offered.size);
        assert!((size..=2 * size).contains(&received), "{received}");
    }
}

/// MAP-37: a machine that has downloaded the map sends it on: with a host that sends next to nothing any more, the others have it
/// from the first.
#[test]
fn what_was_downloaded_is_sent_on() {
    let file = bytes(5 * PIECE_BYTES as usize);
    let (mut host, mut nodes, offered) = game(12, &file, 3);
    download(&mut nodes[..1], 12, offered);
    nodes[0].done();
    let (first, others) = nodes.split_at_mut(1);
    let first = Place {
        machine: first[0].machine,
        address: address(first[0].machine.get(), 12),
        files: FileSet::MAP,
        is_downloading: false,
    };
    host.service.order(share(host.machine, offered, None, 1024));
    for node in others.iter_mut() {
        node.service.order(Order::Download { level: LEVEL.into(), offers: [offered].into() });
        node.service.order(Order::Sources([first].into()));
    }
    for node in others {
        node.done();
        assert!(node.folder.get(FILE).unwrap() == file);
    }
}

/// NET-50, MAP-23: several machines of one computer have port 5153 each, at a loopback address of its own, and find each other there.
#[test]
fn machines_of_one_computer_share_at_port_5153() {
    let file = bytes(2 * PIECE_BYTES as usize);
    let port = Options::at(address(0, 15), 0).port;
    assert_eq!(port, 5153);
    let (host, mut nodes, offered) = game_at(port, 15, &file, 2);
    for node in nodes.iter().chain([&host]) {
        let at = *node.service.listening().as_ref().unwrap();
        assert_eq!((at.ip(), at.port()), (address(node.machine.get(), 15), 5153));
    }
    download(&mut nodes, 15, offered);
    for mut node in nodes {
        node.done();
        assert!(node.folder.get(FILE).unwrap() == file);
    }
}

/// MAP-23: where the port is taken a machine says so, and downloads all the same.
#[test]
fn a_machine_whose_port_is_taken_downloads() {
    let file = bytes(3 * PIECE_BYTES as usize + 1);
    let (mut host, nodes, offered) = game(13, &file, 0);
    assert!(nodes.is_empty());
    let port = host.service.listening().unwrap().port();
    let own = address(1, 13);
    let _taken = TcpListener::bind((own, port)).unwrap();
    let mut node = Node::new(1, 13, port);
    host.service.order(Order::Members([(node.machine, own)].into()));
    let word = node.wait(|news| match news {
        News::Word(word) => Some(word.clone()),
        _ => None,
    });
    assert!(word.contains(&port.to_string()), "{word}");
    node.service.order(share(node.machine, offered, Some(address(0, 13)), 0));
    download(std::slice::from_mut(&mut node), 13, offered);
    node.done();
    assert!(node.folder.get(FILE).unwrap() == file);
}

/// A service that is dropped in the middle of a download ends within the time that a disk may take, its host's connection too.
#[test]
fn a_service_that_is_dropped_ends() {
    let file = bytes(40 * PIECE_BYTES as usize);
    let (mut host, mut nodes, offered) = game(14, &file, 2);
    // Ten megabytes would be there before anything could be dropped.
    host.service.order(share(host.machine, offered, None, 1024 * 1024));
    download(&mut nodes, 14, offered);
    nodes[0].wait(|news| matches!(news, News::Progress { had: 1.., .. }).then_some(()));
    let began = Instant::now();
    drop(nodes);
    drop(host);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// MAP-53, 60: a game's loader that panics over a map keeps nobody waiting: a host that looks for its map is told that it cannot be
/// read, and so is who looks after that; a client's download fails.
#[test]
fn nobody_waits_for_a_thread_that_has_ended() {
    let file = bytes(2 * PIECE_BYTES as usize);
    let (host, _, offered) = game(15, &file, 0);
    let port = host.service.listening().unwrap().port();
    let mut other = Node::with(9, 15, 0, Panics);
    other.folder.set(FILE, &file);
    let looks = |ticket| Order::Look { ticket, level: LEVEL.into(), version: None };
    for ticket in [7, 8] {
        other.service.order(looks(ticket));
        let map = other.wait(|news| match news {
            News::Looked { ticket: of, map, .. } if *of == ticket => Some(map.clone()),
            _ => None,
        });
        assert_eq!(map, Err(Refusal::CannotBeRead), "{ticket}");
    }

    // Two looks of two sessions, whose tickets are the same: the last is answered.
    let mut twice = Node::with(8, 15, 0, Panics);
    twice.folder.set(FILE, &file);
    twice.service.order(looks(1));
    twice.service.order(looks(1));
    twice.wait(|news| matches!(news, News::Word(word) if word.contains("has ended")).then_some(()));
    twice.service.wait_for_news(&mut twice.news, PATIENCE);
    let answers = |news: &&News| matches!(news, News::Looked { .. });
    assert_eq!(twice.news.iter().filter(answers).count(), 1, "{:?}", twice.news);

    let mut host = host;
    let mut node = Node::with(1, 15, port, Panics);
    host.service.order(Order::Members([(node.machine, address(1, 15))].into()));
    node.service.order(share(node.machine, offered, Some(address(0, 15)), u64::MAX));
    download(std::slice::from_mut(&mut node), 15, offered);
    let fault = node.wait(|news| match news {
        News::Failed(fault) => Some(fault.clone()),
        News::Done(found) => panic!("{found:?}"),
        _ => None,
    });
    assert!(matches!(&fault, Fault::Disk(why) if why.contains("ended")), "{fault:?}");
    let failed = node.news.iter().filter(|news| matches!(news, News::Failed(_))).count();
    assert_eq!(failed, 1);
}

/// MAP-03, 05: one service for the whole program: a player who leaves while a map is hashed and joins another host is not told of that
/// one's map in place of the other's, though both sessions' tickets begin alike.
#[test]
fn a_service_outlives_its_sessions() {
    let settings = ClientSettings { downloads: true, seeds: true, upload: u64::MAX, most: [1 << 30; 4] };
    let mut node = Node::new(1, 16, 0);
    let (large, own) = (bytes(64 << 20), bytes(300_000));
    node.folder.set("large.map", &large);
    node.folder.set(FILE, &own);
    let session = |level: &str, version| {
        let mut client = Client::new(settings);
        client.begin_session(address(0, 16), node.machine);
        client.handle_settings(level, version);
        client
    };
    let version = {
        let mut hashes = Vec::new();
        hash_pieces(own.chunks(PIECE_BYTES as usize), &mut hashes);
        of_pieces(own.len() as u64, &hashes).version()
    };
    let (mut first, mut second) = (session("custom_maps\\large", 7), session(LEVEL, version));
    std::iter::from_fn(|| first.next_order()).for_each(|order| node.service.order(order));
    drop(first);
    let mut news = Vec::new();
    let until = Instant::now() + PATIENCE;
    while second.standing() == Standing::Looking {
        news.drain(..).for_each(|news| second.handle_news(news));
        std::iter::from_fn(|| second.next_order()).for_each(|order| node.service.order(order));
        assert!(Instant::now() < until);
        node.service.wait_for_news(&mut news, PATIENCE);
        news.drain(..).for_each(|news| second.handle_news(news));
    }
    assert_eq!(second.standing(), Standing::Ready { file: Some(FILE) });
}
