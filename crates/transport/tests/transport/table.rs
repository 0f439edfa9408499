//! A host and the machines round it, in memory: what each says reaches the other within the tick.

use std::net::SocketAddr;

use mjolnir_transport::{
    Client, ClientSettings, Error, Host, HostSettings, NetEvent, StreamId, Transmits, client, host,
};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{self, JoinRequest};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::settings::{LevelName, MachineName};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::{NetworkPlayer, Packet, Rejection, SettingsRecord};
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Kind, Machine, Message, MessageType, Moment, Tick};

pub(crate) const HOST_ADDRESS: &str = "10.0.0.1:5150";

/// A message that a machine had by its stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Packet(u8),
    Data(Kind),
}

/// A machine: a real client, or one whose every byte the test says.
pub(crate) struct Peer {
    pub(crate) stream: StreamId,
    pub(crate) address: SocketAddr,
    pub(crate) client: Option<Client>,
    pub(crate) events: Vec<client::Event>,
    /// The messages that it had by its stream, with the tick at which, and whole.
    pub(crate) seen: Vec<(i32, Seen)>,
    pub(crate) raw: Vec<Vec<u8>>,
    pub(crate) datagrams: Vec<Vec<u8>>,
    /// What a real client sent, in order.
    pub(crate) sent: Vec<Seen>,
    pub(crate) is_closed: bool,
    /// Whether it reads its stream.
    pub(crate) reads: bool,
    reader: StreamReader,
    up: StreamReader,
}

pub(crate) struct Table {
    pub(crate) now: Moment,
    pub(crate) tick: Tick,
    pub(crate) start: i32,
    pub(crate) host: Host,
    pub(crate) peers: Vec<Peer>,
    pub(crate) events: Vec<host::Event>,
    /// Where the host's datagrams went, in order.
    pub(crate) turn: Vec<SocketAddr>,
}

pub(crate) fn record() -> Box<SettingsRecord> {
    let mut record = SettingsRecord::empty();
    record.map = LevelName::new("custom_maps\\rooms").unwrap();
    record.max_players = 128;
    record.seed = 0x89AB_CDEF;
    record
}

pub(crate) fn player(name: &str, controller: i8) -> NetworkPlayer {
    NetworkPlayer { name: Name::cut(name), controller, ..NetworkPlayer::NONE }
}

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn bytes_of(packet: &Packet<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.write(&mut bytes).unwrap();
    bytes
}

pub(crate) fn join_request() -> JoinRequest {
    JoinRequest { name: MachineName::cut("Raw"), token: *b"message in a bot", hardware_id: [b'0'; 32] }
}

pub(crate) fn add_player(name: &str, controller: i8) -> Packet<'static> {
    Packet::AddPlayerPregame(list::AddPlayerPregame { player: player(name, controller) })
}

pub(crate) fn has_map() -> Packet<'static> {
    Packet::MapPrecached(list::MapPrecached { map: Chars::EMPTY })
}

pub(crate) fn loaded() -> Packet<'static> {
    Packet::Loaded(list::Loaded { value: Unread })
}

/// A distributed message whole: header and entries.
pub(crate) fn data(kind: u8, count: u8, tick: i32, body: &[u8]) -> Vec<u8> {
    let mut bytes = (((8 + body.len()) as u16) << 4 | 2 << 2).to_be_bytes().to_vec();
    bytes.extend_from_slice(&[kind, count]);
    bytes.extend_from_slice(&tick.to_le_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// A batch of parts: kind, count, stamp, entries.
pub(crate) fn batch(tick: i32, parts: &[(u8, u8, i32, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, count, stamp, entries) in parts {
        body.extend_from_slice(&(6 + entries.len() as u16).to_le_bytes());
        body.extend_from_slice(&[*kind, *count]);
        body.extend_from_slice(&stamp.to_le_bytes());
        body.extend_from_slice(entries);
    }
    data(16, 0, tick, &body)
}

/// An input of that slot in a bare datagram.
pub(crate) fn input(tick: i32, slot: u8) -> Vec<u8> {
    let mut entry = [0; 52];
    entry[0] = slot;
    data(14, 1, tick, &entry)
}

fn seen(of: MessageType, bytes: &[u8]) -> Seen {
    match of {
        MessageType::Packet => Seen::Packet(Packet::read(bytes).unwrap().number()),
        _ => Seen::Data(Message::read(bytes).unwrap().kind),
    }
}

impl Table {
    pub(crate) fn new() -> Self {
        Self::with(HostSettings::new(record()), 0)
    }

    pub(crate) fn with(settings: HostSettings, start: i32) -> Self {
        Self {
            now: Moment::START,
            tick: Tick::new(start).unwrap(),
            start,
            host: Host::new(settings),
            peers: Vec::new(),
            events: Vec::new(),
            turn: Vec::new(),
        }
    }

    /// A game in progress of nobody.
    pub(crate) fn playing(start: i32) -> Self {
        let mut table = Self::with(HostSettings::new(record()), start);
        table.host.begin_game(table.now, table.tick);
        table.step(1);
        assert!(table.events.contains(&host::Event::Started));
        table
    }

    pub(crate) fn add(&mut self, address: &str, client: Option<Client>) -> usize {
        let address: SocketAddr = address.parse().unwrap();
        let stream = StreamId(self.peers.len() as u32);
        self.peers.push(Peer {
            stream,
            address,
            client,
            events: Vec::new(),
            seen: Vec::new(),
            raw: Vec::new(),
            datagrams: Vec::new(),
            sent: Vec::new(),
            is_closed: false,
            reads: true,
            reader: StreamReader::new(),
            up: StreamReader::new(),
        });
        let peer = self.peers.len() - 1;
        if let Some(client) = &mut self.peers[peer].client {
            client.handle(self.now, NetEvent::Opened { stream, address: HOST_ADDRESS.parse().unwrap() });
        }
        // Another port than that of its datagrams, as with real sockets.
        let address = SocketAddr::new(address.ip(), 40_000 + peer as u16);
        self.host.handle(self.now, self.tick, NetEvent::Opened { stream, address });
        self.carry();
        peer
    }

    /// A machine that says only what the test says.
    pub(crate) fn raw(&mut self, address: &str) -> usize {
        self.add(address, None)
    }

    /// A real client with so many players.
    pub(crate) fn client(&mut self, address: &str, players: usize) -> usize {
        let players = (0..players).map(|i| player("Player", i as i8)).collect();
        let settings = ClientSettings::new("Box", players);
        let client = Client::new(self.now, settings);
        self.add(address, Some(client))
    }

    /// A raw machine that has joined the lobby or the game, with one player.
    pub(crate) fn joined(&mut self, address: &str) -> usize {
        let peer = self.raw(address);
        self.say(peer, &Packet::JoinRequest(join_request()));
        self.say(peer, &add_player("Raw", 0));
        self.say(peer, &has_map());
        peer
    }

    /// A raw machine in the game in progress.
    pub(crate) fn in_game(&mut self, address: &str) -> usize {
        let peer = self.joined(address);
        self.step(1);
        self.say(peer, &loaded());
        peer
    }

    /// Answers a machine that asks a gated host.
    pub(crate) fn answer(&mut self, peer: usize, answer: Result<(), Rejection>) -> Result<(), Error> {
        let stream = self.peers[peer].stream;
        let done = self.host.answer(self.now, self.tick, stream, answer);
        self.carry();
        done
    }

    pub(crate) fn say(&mut self, peer: usize, packet: &Packet<'_>) {
        self.say_bytes(peer, &bytes_of(packet));
    }

    pub(crate) fn say_bytes(&mut self, peer: usize, bytes: &[u8]) {
        let stream = self.peers[peer].stream;
        self.host.handle(self.now, self.tick, NetEvent::Bytes { stream, bytes });
        self.carry();
    }

    pub(crate) fn datagram(&mut self, peer: usize, bytes: &[u8]) {
        let from = self.peers[peer].address;
        self.datagram_from(from, bytes);
    }

    pub(crate) fn datagram_from(&mut self, from: SocketAddr, bytes: &[u8]) {
        self.host.handle(self.now, self.tick, NetEvent::Datagram { from, bytes });
        self.carry();
    }

    pub(crate) fn drop_stream(&mut self, peer: usize) {
        let stream = self.peers[peer].stream;
        self.peers[peer].is_closed = true;
        self.host.handle(self.now, self.tick, NetEvent::Closed { stream });
        self.carry();
    }

    /// The distributed messages that the host takes, voices last: from whom, which kind, of which tick.
    pub(crate) fn taken(&mut self) -> Vec<(u8, Kind, i32)> {
        let mut all = Vec::new();
        while let Some(received) = self.host.next_message() {
            all.push((received.from.get(), received.message.kind, received.message.tick.get()));
        }
        while let Some(received) = self.host.next_voice() {
            all.push((received.from.get(), received.message.kind, received.message.tick.get()));
        }
        all
    }

    /// So many ticks of everybody.
    pub(crate) fn step(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.tick = self.tick.next();
            self.now =
                Moment::from_micros(micros_of_ticks(self.tick.since(Tick::new(self.start).unwrap()) as u64));
            self.poll();
        }
    }

    /// Lets time pass, in steps of a twentieth of a second.
    pub(crate) fn wait_millis(&mut self, millis: u64) {
        let end = self.now.plus(millis * 1000);
        while self.now < end {
            self.now = Moment::from_micros((self.now.as_micros() + 50_000).min(end.as_micros()));
            self.poll();
        }
    }

    fn poll(&mut self) {
        self.host.poll(self.now, self.tick);
        for peer in &mut self.peers {
            if let Some(client) = &mut peer.client {
                client.poll(self.now);
            }
        }
        self.carry();
    }

    /// Carries everything said, until nobody says more.
    pub(crate) fn carry(&mut self) {
        loop {
            let out = self.host.transmits().clone();
            self.host.clear_transmits();
            self.deliver_down(&out);
            let is_quiet = !self.deliver_up();
            while let Some(event) = self.host.next_event() {
                self.events.push(event);
            }
            if out.is_empty() && is_quiet {
                return;
            }
        }
    }

    fn deliver_down(&mut self, out: &Transmits) {
        for (to, bytes) in out.datagrams() {
            self.turn.push(to);
            let from = HOST_ADDRESS.parse().unwrap();
            for peer in self.peers.iter_mut().filter(|peer| peer.address == to) {
                peer.datagrams.push(bytes.to_vec());
                if let Some(client) = &mut peer.client {
                    client.handle(self.now, NetEvent::Datagram { from, bytes });
                }
            }
        }
        for (stream, bytes) in out.writes() {
            let peer = self.peers.iter_mut().find(|peer| peer.stream == stream).unwrap();
            if !peer.reads || peer.is_closed {
                continue;
            }
            peer.reader.push(bytes);
            while let Some((of, message)) = peer.reader.next_message().unwrap() {
                peer.seen.push((self.tick.get(), seen(of, message)));
                peer.raw.push(message.to_vec());
            }
            if let Some(client) = &mut peer.client {
                client.handle(self.now, NetEvent::Bytes { stream, bytes });
            }
            self.host.handle(self.now, self.tick, NetEvent::Written { stream, bytes: bytes.len() });
        }
        for stream in out.closes() {
            let peer = self.peers.iter_mut().find(|peer| peer.stream == stream).unwrap();
            peer.is_closed = true;
            if let Some(client) = &mut peer.client {
                client.handle(self.now, NetEvent::Closed { stream });
            }
        }
        for peer in &mut self.peers {
            if let Some(client) = &mut peer.client {
                while let Some(event) = client.next_event() {
                    peer.events.push(event);
                }
            }
        }
    }

    fn deliver_up(&mut self) -> bool {
        let mut any = false;
        for peer in &mut self.peers {
            let Some(client) = &mut peer.client else { continue };
            let out = client.transmits().clone();
            client.clear_transmits();
            any |= !out.is_empty();
            for (_, bytes) in out.datagrams() {
                peer.datagrams.push(bytes.to_vec());
                self.host.handle(self.now, self.tick, NetEvent::Datagram { from: peer.address, bytes });
            }
            for (stream, bytes) in out.writes() {
                peer.up.push(bytes);
                while let Some((of, message)) = peer.up.next_message().unwrap() {
                    peer.sent.push(seen(of, message));
                }
                self.host.handle(self.now, self.tick, NetEvent::Bytes { stream, bytes });
            }
            for stream in out.closes() {
                peer.is_closed = true;
                self.host.handle(self.now, self.tick, NetEvent::Closed { stream });
            }
        }
        any
    }

    /// The numbers of the packets that a machine had.
    pub(crate) fn packets(&self, peer: usize) -> Vec<u8> {
        self.peers[peer]
            .seen
            .iter()
            .filter_map(|(_, seen)| if let Seen::Packet(number) = seen { Some(*number) } else { None })
            .collect()
    }

    /// The last packet of that number that a machine had.
    pub(crate) fn last_packet(&self, peer: usize, number: u8) -> Packet<'_> {
        let is_it = |bytes: &&Vec<u8>| Packet::read(bytes).is_ok_and(|packet| packet.number() == number);
        Packet::read(self.peers[peer].raw.iter().rev().find(is_it).unwrap()).unwrap()
    }

    pub(crate) fn refused(&self, reason: &str) -> u64 {
        self.host.counters().refused.of(reason)
    }
}
