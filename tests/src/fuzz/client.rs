//! A client's handling of whatever its host says: a client of skirmish in the game of a host that let it in in order,
//! and then says what a script says. Knows the script, not what it means.
//!
//! Whatever is said, no count of the client's goes back, and no tick of one game.

use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{self, HostSettings, NetEvent, Network, StreamId, Transmits};
use mjolnir_engine_glue::{Client, Host, client as end};
use mjolnir_skirmish::seam::Game;
use mjolnir_wire::{Moment, Outbox, Tick};

use super::counted::Counted;
use super::host::{FRAME, RECORDED, address, client_settings, settings, setup};
use super::said::{Said, scripts};
use super::script::Op;

/// Ticks in which the client joins and loads.
const JOINING: u32 = 60;
/// Ticks that the game goes on after the script.
const AFTER: u32 = 10;

/// A client in the game of a host whose every message of the game is the script's.
pub(super) struct Foreign {
    now: Moment,
    pub(super) tick: Tick,
    host: transport::Host,
    network: SimulatedEndpoint,
    stream: Option<StreamId>,
    outbox: Outbox,
    pub(super) client: Client,
    pub(super) game: Game,
    own: SimulatedEndpoint,
    stranger: SimulatedEndpoint,
    counted: Counted,
    last: Option<Tick>,
}

impl Foreign {
    /// In play by those settings.
    pub(super) fn playing(settings: HostSettings) -> Self {
        let switch = SimulatedNetwork::new(3);
        let now = Moment::START;
        let mut foreign = Self {
            now,
            tick: Tick::ZERO,
            host: transport::Host::new(settings),
            network: switch.listen(address(1)),
            stream: None,
            outbox: Outbox::new(),
            client: Client::new(now, client_settings()),
            game: Game::new(setup()),
            own: switch.connect(address(2), address(1)),
            stranger: switch.listen(address(4)),
            counted: Counted::default(),
            last: None,
        };
        foreign.host.begin_game(now, Tick::ZERO);
        (0..JOINING).for_each(|_| foreign.frame());
        assert_eq!(foreign.client.stage(), end::Stage::Playing);
        foreign
    }

    /// Says what `fill` puts, as of that tick.
    pub(super) fn say_at(&mut self, at: Tick, fill: impl FnOnce(&mut Outbox)) {
        let Self { now, tick, host, network, outbox, .. } = self;
        outbox.begin(at, 0);
        fill(outbox);
        host.flush(*now, *tick, outbox, host.in_game());
        host.send(*now, network);
    }

    /// One tick of the host, and a frame of the client with what is due.
    pub(super) fn frame(&mut self) {
        self.now = self.now.plus(FRAME);
        self.tick = self.tick.next();
        let Self { now, tick, host, network, stream, outbox, client, game, own, counted, last, .. } = self;
        network.receive(*now, &mut |event| {
            if let NetEvent::Opened { stream: opened, .. } = event {
                *stream = Some(opened);
            }
            host.handle(*now, *tick, event);
        });
        host.poll(*now, *tick);
        while host.next_event().is_some() {}
        while host.next_message().is_some() {}
        while host.next_voice().is_some() {}
        outbox.begin(*tick, 0);
        host.send_update(host.in_game(), tick.get(), *tick);
        host.flush(*now, *tick, outbox, host.in_game());
        host.send(*now, network);
        game.set_now(*now);
        client.frame(*now, game, own);
        for _ in 0..client.ticks_due(*now) {
            let ticked = client.tick(*now, game, own);
            if client.take_notices().contains(&end::Notice::Began) {
                // Another game has ticks of its own.
                *last = None;
            }
            assert!(ticked.is_none() || ticked >= *last, "from {last:?} back to {ticked:?}");
            *last = ticked.or(*last);
        }
        counted.take(client.counters());
    }

    fn say(&mut self, op: &Op) {
        let mut out = Transmits::new();
        op.leave(&mut out, address(2), self.stream, self.tick);
        match op {
            Op::Stranger(_) => self.stranger.send(self.now, &out),
            _ => self.network.send(self.now, &out),
        }
    }
}

/// The target.
pub(super) fn client(bytes: &[u8]) {
    let mut foreign = Foreign::playing(settings());
    for op in Op::read_all(bytes) {
        match op {
            Op::Wait(ticks) => (0..ticks).for_each(|_| foreign.frame()),
            op => foreign.say(&op),
        }
    }
    (0..AFTER).for_each(|_| foreign.frame());
}

/// What a host says to a client in this one's place, as scripts.
pub(super) fn honest() -> Vec<Vec<u8>> {
    let switch = SimulatedNetwork::new(3);
    let mut now = Moment::START;
    let (mut host, mut game) = (Host::new(now, settings()), Game::new(setup()));
    let mut network = Said::new(switch.listen(address(1)));
    let (mut client, mut own) = (Client::new(now, client_settings()), Game::new(setup()));
    let mut endpoint = switch.connect(address(2), address(1));
    host.begin(now, &mut game, Tick::ZERO);
    for _ in 0..RECORDED {
        now = now.plus(FRAME);
        game.set_now(now);
        host.frame(now, &mut game, &mut network);
        for _ in 0..host.ticks_due(now) {
            network.tick = host.now_tick();
            host.tick(now, &mut game, &mut network);
        }
        network.ops.push(Op::Wait(1));
        own.set_now(now);
        client.frame(now, &mut own, &mut endpoint);
        for _ in 0..client.ticks_due(now) {
            client.tick(now, &mut own, &mut endpoint);
        }
    }
    scripts(network.ops)
}
