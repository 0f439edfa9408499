//! A host and the machines round it in one thread: frames of 5 ms, and everything that each says written down.

use std::net::SocketAddr;

use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{
    self, ClientSettings, HostSettings, NetEvent, Network, StreamId, Transmits,
};
use mjolnir_engine_glue::{Client, Host};
use mjolnir_wire::framing::{StreamReader, read_datagram};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::{NetworkPlayer, Packet, SettingsRecord};
use mjolnir_wire::{Kind, Message, MessageType, Moment, Outbox, Parts, Slot, Tick};

use super::game::{Game, Trace};

pub(crate) const HOST: &str = "10.0.0.1:5150";

pub(crate) fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// What a machine said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Said {
    Packet(u8),
    Stream(Kind),
    Datagram(Kind),
}

/// A network that writes down what is sent to it.
pub(crate) struct Traced {
    endpoint: SimulatedEndpoint,
    pub(crate) said: Vec<Said>,
    /// Whether it writes it down.
    pub(crate) notes: bool,
    pub(crate) trace: Option<Trace>,
    stream: Option<StreamId>,
    readers: Vec<(StreamId, StreamReader)>,
    slipped: Transmits,
}

impl Traced {
    fn new(endpoint: SimulatedEndpoint) -> Self {
        Self {
            endpoint,
            said: Vec::new(),
            notes: true,
            trace: None,
            stream: None,
            readers: Vec::new(),
            slipped: Transmits::new(),
        }
    }

    /// Says a packet by the newest stream as if its machine had.
    pub(crate) fn slip(&mut self, now: Moment, packet: &Packet<'_>) {
        self.slip_with(now, |bytes| packet.write(bytes).unwrap());
    }

    /// Says bytes by the newest stream as if its machine had.
    pub(crate) fn slip_with(&mut self, now: Moment, fill: impl FnOnce(&mut Vec<u8>)) {
        self.slipped.write_with(self.stream.unwrap(), fill);
        self.endpoint.send(now, &self.slipped);
        self.slipped.clear();
    }

    /// Throws a datagram as its machine's.
    pub(crate) fn throw(&mut self, now: Moment, to: SocketAddr, bytes: &[u8]) {
        self.slipped.datagram(to, bytes);
        self.endpoint.send(now, &self.slipped);
        self.slipped.clear();
    }

    fn did(&self, what: &'static str) {
        if let Some(trace) = &self.trace {
            trace.borrow_mut().push(what);
        }
    }

    pub(crate) fn first(&self, said: Said) -> Option<usize> {
        self.said.iter().position(|other| *other == said)
    }
}

impl Network for Traced {
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        self.did("receive");
        let Self { endpoint, stream, .. } = self;
        endpoint.receive(now, &mut |event| {
            if let NetEvent::Opened { stream: opened, .. } = event {
                *stream = Some(opened);
            }
            into(event);
        });
    }

    fn send(&mut self, now: Moment, out: &Transmits) {
        self.did("send");
        self.endpoint.send(now, out);
        if !self.notes {
            return;
        }
        for (stream, bytes) in out.writes() {
            let at = self.readers.iter().position(|(of, _)| *of == stream).unwrap_or_else(|| {
                self.readers.push((stream, StreamReader::new()));
                self.readers.len() - 1
            });
            let reader = &mut self.readers[at].1;
            reader.push(bytes);
            while let Some((of, bytes)) = reader.next_message().unwrap() {
                self.said.push(match of {
                    MessageType::Packet => Said::Packet(Packet::read(bytes).unwrap().number()),
                    _ => Said::Stream(Message::read(bytes).unwrap().kind),
                });
            }
        }
        for (_, bytes) in out.datagrams() {
            if let Ok((MessageType::Data, bytes)) = read_datagram(bytes) {
                let batch = Message::read(bytes).unwrap();
                self.said.extend(Parts::of(&batch).map(|part| Said::Datagram(part.unwrap().kind)));
            }
        }
    }
}

/// A client with its game and its network.
pub(crate) struct Seat {
    pub(crate) client: Client,
    pub(crate) game: Game,
    pub(crate) network: Traced,
}

/// A machine that says what the test says, as soon as it is in the game.
pub(crate) struct Raw {
    pub(crate) session: transport::Client,
    endpoint: SimulatedEndpoint,
    outbox: Outbox,
}

impl Raw {
    /// Says what `fill` puts, of that tick.
    pub(crate) fn say(&mut self, now: Moment, at: Tick, fill: impl FnOnce(&mut Outbox)) {
        self.outbox.begin(at, 0);
        fill(&mut self.outbox);
        self.session.flush(&self.outbox);
        self.session.send(now, &mut self.endpoint);
    }

    /// Throws a datagram at the host.
    pub(crate) fn throw(&mut self, now: Moment, bytes: &[u8]) {
        let mut out = Transmits::new();
        out.datagram(HOST.parse().unwrap(), bytes);
        self.endpoint.send(now, &out);
    }

    fn frame(&mut self, now: Moment) {
        let Self { session, endpoint, .. } = self;
        endpoint.receive(now, &mut |event| session.handle(now, event));
        session.poll(now);
        while let Some(event) = session.next_event() {
            if matches!(event, transport::client::Event::Begin { .. }) {
                session.loaded(now);
            }
        }
        while session.next_message().is_some() {}
        session.send(now, endpoint);
    }

    /// It is gone, without a word more than that.
    pub(crate) fn leave(mut self, now: Moment) {
        self.session.leave();
        self.session.send(now, &mut self.endpoint);
    }
}

pub(crate) struct Table {
    pub(crate) now: Moment,
    pub(crate) switch: SimulatedNetwork,
    pub(crate) host: Host,
    pub(crate) game: Game,
    pub(crate) network: Traced,
    pub(crate) seats: Vec<Seat>,
    pub(crate) raws: Vec<Raw>,
    addresses: u8,
}

pub(crate) fn player(controller: i8) -> NetworkPlayer {
    NetworkPlayer { name: Name::cut("Player"), controller, ..NetworkPlayer::NONE }
}

pub(crate) fn record() -> Box<SettingsRecord> {
    let mut record = SettingsRecord::empty();
    record.max_players = 128;
    record
}

impl Table {
    /// A host of the lobby, with so many players of its own.
    pub(crate) fn new(players: i8) -> Self {
        Self::of(record(), players)
    }

    /// The same, of that record.
    pub(crate) fn of(record: Box<SettingsRecord>, players: i8) -> Self {
        let switch = SimulatedNetwork::new(7);
        let settings =
            HostSettings { players: (0..players).map(player).collect(), ..HostSettings::new(record) };
        Self {
            now: Moment::START,
            network: Traced::new(switch.listen(HOST.parse().unwrap())),
            switch,
            host: Host::new(Moment::START, settings),
            game: Game::new(),
            seats: Vec::new(),
            raws: Vec::new(),
            addresses: 1,
        }
    }

    /// A game in progress of a dedicated host, begun at that tick.
    pub(crate) fn playing(start: i32) -> Self {
        let mut table = Self::new(0);
        table.begin(start);
        table.run(100);
        table
    }

    fn connect(&mut self) -> SimulatedEndpoint {
        self.addresses += 1;
        self.connect_from(&format!("10.0.0.{}:5150", self.addresses))
    }

    fn connect_from(&self, address: &str) -> SimulatedEndpoint {
        let address: SocketAddr = address.parse().unwrap();
        self.switch.connect(address, HOST.parse().unwrap())
    }

    /// A client with so many players.
    pub(crate) fn seat(&mut self, players: i8) -> usize {
        let settings = ClientSettings::new("Seat", (0..players).map(player).collect());
        let endpoint = self.connect();
        self.sit(endpoint, settings)
    }

    /// A client at that address, of that hardware id, with a player of that name.
    pub(crate) fn seat_of(&mut self, address: &str, hardware_id: [u8; 32], name: &str) -> usize {
        let player = NetworkPlayer { name: Name::cut(name), ..player(0) };
        let settings = ClientSettings { hardware_id, ..ClientSettings::new("Seat", vec![player]) };
        let endpoint = self.connect_from(address);
        self.sit(endpoint, settings)
    }

    fn sit(&mut self, endpoint: SimulatedEndpoint, settings: ClientSettings) -> usize {
        let network = Traced::new(endpoint);
        self.seats.push(Seat { client: Client::new(self.now, settings), game: Game::new(), network });
        self.seats.len() - 1
    }

    /// A machine with one player that says what the test says.
    pub(crate) fn raw(&mut self) -> usize {
        let endpoint = self.connect();
        let session = transport::Client::new(self.now, ClientSettings::new("Raw", vec![player(0)]));
        self.raws.push(Raw { session, endpoint, outbox: Outbox::new() });
        self.raws.len() - 1
    }

    pub(crate) fn begin(&mut self, start: i32) {
        self.host.begin(self.now, &mut self.game, tick(start));
    }

    /// So many milliseconds pass.
    pub(crate) fn run(&mut self, millis: u64) {
        for _ in 0..millis.div_ceil(5) {
            self.now = self.now.plus(5_000);
            self.frame();
        }
    }

    /// Nothing is written down any more.
    pub(crate) fn quiet(&mut self) {
        (self.game.notes, self.network.notes) = (false, false);
        for Seat { game, network, .. } in &mut self.seats {
            (game.notes, network.notes) = (false, false);
        }
    }

    /// One frame of every machine, and the ticks that are due.
    pub(crate) fn frame(&mut self) {
        let Self { now, host, game, network, seats, raws, .. } = self;
        host.frame(*now, game, network);
        for _ in 0..host.ticks_due(*now) {
            host.tick(*now, game, network);
        }
        for Seat { client, game, network } in seats {
            client.frame(*now, game, network);
            for _ in 0..client.ticks_due(*now) {
                client.tick(*now, game, network);
            }
        }
        for raw in raws {
            raw.frame(*now);
        }
    }
}
