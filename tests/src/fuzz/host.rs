//! The host's handling of whatever a machine of its game says: a hosted game of skirmish with an honest client in it,
//! and a machine that joined in order and then says what a script says. Knows the script, not what it means.
//!
//! Whatever is said, the host ticks on, none of its counts goes back, and the honest client plays on.

use std::net::SocketAddr;

use mjolnir_engine_glue::transport::Transmits;
use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{self, ClientSettings, HostSettings, NetEvent, Network, StreamId};
use mjolnir_engine_glue::{Client, Host, client};
use mjolnir_skirmish::control::Control;
use mjolnir_skirmish::game::Bot;
use mjolnir_skirmish::seam::{Game, Setup, level_of};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Moment, Tick};

use super::counted::Counted;
use super::said::{Said, scripts};
use super::script::Op;

/// A tick and a little, so that each frame has one.
pub(super) const FRAME: u64 = 33_334;
/// Ticks in which everybody joins and loads.
const JOINING: u32 = 30;
/// Ticks that the game goes on after the script.
const AFTER: u32 = 10;
/// Ticks of play that an honest machine is listened to.
pub(super) const RECORDED: u32 = 60;

/// The settings of the targets' game: a dedicated host, an empty floor.
pub(super) fn settings() -> HostSettings {
    let mut record = SettingsRecord::empty();
    record.max_players = 128;
    record.map = Chars::new(&level_of("flat")).expect("a map's name");
    HostSettings::new(record)
}

/// Their games: shots hurt.
pub(super) fn setup() -> Setup {
    Setup { harm: true, ..Setup::default() }
}

/// A client's settings with one player.
pub(super) fn client_settings() -> ClientSettings {
    ClientSettings::new(
        "Client",
        vec![NetworkPlayer { name: Name::cut("Player"), controller: 0, ..NetworkPlayer::NONE }],
    )
}

pub(super) fn address(last: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, last], 5150))
}

/// A client with its game.
struct Seat<N> {
    client: Client,
    game: Game,
    network: N,
}

impl<N: Network> Seat<N> {
    fn new(now: Moment, setup: Setup, network: N) -> Self {
        Self { client: Client::new(now, client_settings()), game: Game::new(setup), network }
    }

    fn frame(&mut self, now: Moment) {
        let Self { client, game, network } = self;
        game.set_now(now);
        client.frame(now, game, network);
        for _ in 0..client.ticks_due(now) {
            client.tick(now, game, network);
        }
    }
}

/// The game and everybody round it.
struct Table {
    now: Moment,
    host: Host,
    game: Game,
    network: SimulatedEndpoint,
    honest: Seat<SimulatedEndpoint>,
    /// Joins and hears as a machine does; what it says is the script's.
    session: transport::Client,
    hostile: SimulatedEndpoint,
    stream: Option<StreamId>,
    stranger: SimulatedEndpoint,
    counted: Counted,
    last: Tick,
}

impl Table {
    fn playing() -> Self {
        let switch = SimulatedNetwork::new(7);
        let (now, here) = (Moment::START, address(1));
        let mut table = Self {
            now,
            host: Host::new(now, settings()),
            game: Game::new(setup()),
            network: switch.listen(here),
            honest: Seat::new(now, setup(), switch.connect(address(2), here)),
            session: transport::Client::new(now, client_settings()),
            hostile: switch.connect(address(3), here),
            stream: None,
            stranger: switch.listen(address(4)),
            counted: Counted::default(),
            last: Tick::ZERO,
        };
        table.host.begin(now, &mut table.game, Tick::ZERO);
        (0..JOINING).for_each(|_| table.frame());
        assert!(table.session.is_in_game() && table.honest.client.stage() == client::Stage::Playing);
        table
    }

    /// One frame of everybody, and a tick of whoever plays.
    fn frame(&mut self) {
        self.now = self.now.plus(FRAME);
        let Self { now, host, game, network, honest, session, hostile, stream, counted, last, .. } = self;
        game.set_now(*now);
        host.frame(*now, game, network);
        for _ in 0..host.ticks_due(*now) {
            host.tick(*now, game, network);
        }
        assert!(host.now_tick() >= *last, "the host's tick went back");
        *last = host.now_tick();
        counted.take(host.counters());
        honest.frame(*now);
        hostile.receive(*now, &mut |event| {
            if let NetEvent::Opened { stream: opened, .. } = event {
                *stream = Some(opened);
            }
            session.handle(*now, event);
        });
        session.poll(*now);
        while let Some(event) = session.next_event() {
            if matches!(event, transport::client::Event::Begin { .. }) {
                session.loaded(*now);
            }
        }
        while session.next_message().is_some() {}
        while session.next_voice().is_some() {}
        session.send(*now, hostile);
    }

    fn say(&mut self, op: &Op) {
        let mut out = Transmits::new();
        op.leave(&mut out, address(1), self.stream, self.host.now_tick());
        match op {
            Op::Stranger(_) => self.stranger.send(self.now, &out),
            _ => self.hostile.send(self.now, &out),
        }
    }
}

/// The target.
pub(super) fn host(bytes: &[u8]) {
    let mut table = Table::playing();
    for op in Op::read_all(bytes) {
        match op {
            Op::Wait(ticks) => (0..ticks).for_each(|_| table.frame()),
            op => table.say(&op),
        }
    }
    let before = table.host.now_tick();
    (0..AFTER).for_each(|_| table.frame());
    assert!(table.host.now_tick().since(before) >= AFTER as i32 - 1, "the host stands still");
    assert_eq!(table.honest.client.stage(), client::Stage::Playing, "another's words ended an honest game");
}

/// What a client with a bot says in the hostile machine's place, as scripts.
pub(super) fn honest() -> Vec<Vec<u8>> {
    let switch = SimulatedNetwork::new(7);
    let (mut now, here) = (Moment::START, address(1));
    let (mut host, mut game) = (Host::new(now, settings()), Game::new(setup()));
    let mut network = switch.listen(here);
    let mut other = Seat::new(now, setup(), switch.connect(address(2), here));
    let setup = Setup { controls: vec![Control::Bot(Bot::new(5))], ..setup() };
    let mut said = Seat::new(now, setup, Said::new(switch.connect(address(3), here)));
    host.begin(now, &mut game, Tick::ZERO);
    for _ in 0..JOINING + RECORDED {
        now = now.plus(FRAME);
        game.set_now(now);
        host.frame(now, &mut game, &mut network);
        for _ in 0..host.ticks_due(now) {
            host.tick(now, &mut game, &mut network);
        }
        other.frame(now);
        said.network.tick = host.now_tick();
        said.frame(now);
        said.network.ops.push(Op::Wait(1));
    }
    scripts(said.network.ops)
}
