//! A game: a host and clients that tell each other what they have to over a stream that is at once, their sharing over a simulated
//! network, their files on disks in memory. Knows no rule of map sharing.

use std::net::IpAddr;

use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::sharer::Command;
use mjolnir_mapshare::simulated::{self, Network, Peer, Way};
use mjolnir_mapshare::{Client, ClientSettings, Conn, Host, HostSettings, HostStanding, Order, Sharer};
use mjolnir_wire::mapshare::{Progress, ProgressState, Request};
use mjolnir_wire::{Kind, Machine, Moment};

use crate::disk::Disk;
use crate::said::{LEVEL, each_message, machine, outbox, seconds};

/// A machine's sharing thread and its disk, which has no time of its own.
pub(crate) struct Node {
    pub(crate) sharer: Sharer,
    pub(crate) disk: Disk,
}

impl Node {
    fn work(&mut self, now: Moment) {
        while let Some(job) = self.sharer.next_job() {
            if let Some(done) = self.disk.do_job(job) {
                self.sharer.done(now, done);
            }
        }
    }

    fn order(&mut self, now: Moment, order: Order) {
        self.sharer.order(now, order);
        self.work(now);
    }
}

impl Peer for Node {
    fn accepted(&mut self, now: Moment, conn: Conn, from: IpAddr) -> bool {
        self.sharer.accepted(now, conn, from)
    }

    fn connected(&mut self, now: Moment, conn: Conn) {
        self.sharer.connected(now, conn);
    }

    fn closed(&mut self, now: Moment, conn: Conn) {
        self.sharer.closed(now, conn);
    }

    fn received(&mut self, now: Moment, conn: Conn, bytes: &[u8]) {
        self.sharer.received(now, conn, bytes);
        self.work(now);
    }

    fn fill(&mut self, now: Moment, conn: Conn, room: usize, into: &mut Vec<u8>) {
        self.sharer.fill(now, conn, room, into, &mut self.disk);
    }

    fn wrote(&mut self, now: Moment, conn: Conn, bytes: usize) -> usize {
        self.sharer.wrote(now, conn, bytes)
    }

    fn poll(&mut self, now: Moment) {
        self.sharer.poll(now);
        self.work(now);
    }

    fn next_due(&self) -> Option<Moment> {
        self.sharer.next_due()
    }

    fn next_command(&mut self) -> Option<simulated::Command> {
        self.sharer.next_command().map(|command| match command {
            Command::Connect(conn, to) => simulated::Command::Connect(conn, to),
            Command::Close(conn) => simulated::Command::Close(conn),
        })
    }
}

pub(crate) const HOST: HostSettings = HostSettings { shares: true, upload: 1 << 20 };
pub(crate) const CLIENT: ClientSettings =
    ClientSettings { downloads: true, seeds: true, upload: 1 << 18, most: [1 << 30; 4] };

pub(crate) struct Game {
    pub(crate) network: Network<Node>,
    pub(crate) host: Host,
    /// By machine from 1 on; none who has left.
    pub(crate) clients: Vec<Option<Client>>,
    /// What each said as it left.
    pub(crate) whys: Vec<Option<String>>,
    /// The states that each told, each once in a row.
    pub(crate) states: Vec<Vec<ProgressState>>,
    pub(crate) level: String,
}

fn address(index: usize) -> IpAddr {
    IpAddr::from([192, 168, 1, 1 + index as u8])
}

impl Game {
    /// A host in play that has that disk.
    pub(crate) fn new(settings: HostSettings, disk: Disk) -> Self {
        let mut network = Network::new();
        network.add(address(0), way(), Node { sharer: Sharer::new(1), disk });
        let host = Host::new(settings);
        let mut game =
            Self { network, host, clients: vec![], whys: vec![], states: vec![], level: String::new() };
        game.play(LEVEL);
        game
    }

    pub(crate) fn play(&mut self, level: &str) {
        level.clone_into(&mut self.level);
        self.host.set_game(level, 0);
    }

    /// A client comes; its machine.
    pub(crate) fn join(&mut self, settings: ClientSettings, disk: Disk) -> usize {
        let index = self.clients.len() + 1;
        let sharer = Sharer::new(index as u64 * 77);
        assert_eq!(self.network.add(address(index), way(), Node { sharer, disk }), index);
        self.host.join(machine(index as u8), Some(address(index)));
        let mut client = Client::new(settings);
        client.begin_session(address(0), machine(index as u8));
        self.clients.push(Some(client));
        self.whys.push(None);
        self.states.push(vec![]);
        index
    }

    pub(crate) fn node(&self, index: usize) -> &Node {
        self.network.peer(index).unwrap()
    }

    /// Bytes of blocks that a machine has sent.
    pub(crate) fn sent(&self, index: usize) -> u64 {
        self.node(index).sharer.swarm().counters().sent
    }

    pub(crate) fn is_ready(&self, index: usize) -> bool {
        self.clients[index - 1].as_ref().is_some_and(Client::may_load)
    }

    pub(crate) fn had(&self, index: usize) -> u64 {
        match self.clients[index - 1].as_ref().map(Client::standing) {
            Some(Standing::Downloading { had, .. }) => had,
            _ => 0,
        }
    }

    pub(crate) fn standing(&self, index: usize) -> HostStanding {
        self.host.standing(self.network.now(), machine(index as u8))
    }

    /// Runs until then, or until that is so; when it became so.
    pub(crate) fn run_until(&mut self, until: f64, is_so: impl Fn(&Self) -> bool) -> Option<f64> {
        while self.network.now() < seconds(until) {
            if is_so(self) {
                return Some(self.network.now().as_micros() as f64 / 1e6);
            }
            let next = self.network.now().plus(33_333);
            self.network.run_until(next);
            self.tick();
        }
        None
    }

    /// A tick of every game's thread.
    fn tick(&mut self) {
        let now = self.network.now();
        let mut down = outbox();
        self.host.poll(now, &mut down);
        for index in 0..self.clients.len() {
            let from = machine(index as u8 + 1);
            let Some(client) = &mut self.clients[index] else { continue };
            if let Some(version) = self.host.version() {
                client.handle_settings(&self.level, version);
            }
            each_message(&down, from, |message| match message.kind {
                Kind::MapShareOffer => {
                    let _ = client.handle_offers(now, message);
                }
                _ => client.handle_sources(message).unwrap(),
            });
            let mut up = outbox();
            client.poll(now, &mut up);
            each_message(&up, Machine::HOST, |message| match message.kind {
                Kind::MapShareRequest => {
                    let request = Request::read_all(message).next().unwrap().unwrap();
                    self.host.handle_request(from, &request).unwrap();
                }
                _ => {
                    let progress = Progress::read_all(message).next().unwrap().unwrap();
                    let _ = self.host.handle_progress(now, from, &progress);
                    if self.states[index].last() != Some(&progress.state) {
                        self.states[index].push(progress.state);
                    }
                }
            });
            if let Standing::Failed(failure) = client.standing() {
                self.whys[index] = Some(failure.to_string());
                client.end_session();
                self.host.leave(from);
            }
            while let Some(order) = client.next_order() {
                self.network.with(index + 1, |now, node| node.order(now, order));
            }
            let news = self.network.with(index + 1, |_, node| {
                std::iter::from_fn(|| node.sharer.next_news()).collect::<Vec<_>>()
            });
            news.into_iter().flatten().for_each(|news| client.handle_news(news));
            if self.whys[index].is_some() {
                self.clients[index] = None;
            }
        }
        while let Some(order) = self.host.next_order() {
            self.network.with(0, |now, node| node.order(now, order));
        }
        let news = self
            .network
            .with(0, |_, node| std::iter::from_fn(|| node.sharer.next_news()).collect::<Vec<_>>());
        news.into_iter().flatten().for_each(|news| self.host.handle_news(news));
    }
}

/// 10 ms, 100 Mbit/s.
const fn way() -> Way {
    Way { latency: 5_000, up: 12_500_000, down: 12_500_000 }
}
