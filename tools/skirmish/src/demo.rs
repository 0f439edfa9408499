//! `demo`: one host and some clients on this machine over real sockets, a thread and a world each, and whether they
//! agree. Knows how to run and compare them; a machine's own doing is `machine`'s.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mjolnir_engine_glue::settings::Settings;
use mjolnir_engine_glue::transport::Traffic;
use mjolnir_engine_glue::transport::impair::{Faults, Impaired};
use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_engine_glue::{Counters, client};
use mjolnir_net_compare::{Line, Verdict, judge};
use mjolnir_wire::limits::NETWORK_VERSION;
use mjolnir_wire::{Machine, Moment, Slot, Tick};

use crate::gauge::{Gauge, resident_bytes};
use crate::machine::{ClientMachine, HostMachine};
use crate::options::Demo;
use crate::record::Recording;
use crate::setup::{self, Clock, Error};
use crate::summary::{
    Agreement, ClientFigures, Disagreement, DriftFigures, Errors, Hits, HostFigures, Spread, Summary,
};

/// How long machines may take to hear that the game is over.
const FAREWELL: u64 = 3 * Moment::SECOND;
/// Seconds from the last join until allocations are counted.
const WARM_UP: u64 = 5 * Moment::SECOND;
/// Seconds at the end that are played without damage, and judged alone, where damage was asked for.
const CALM_SECONDS: i32 = 3;

/// What the machines' threads share.
#[derive(Debug, Default)]
struct Shared {
    /// Clients whose first tick has run.
    playing: AtomicU32,
    /// Clients that have heard the end, or cannot.
    done: AtomicU32,
    /// The host's tick, for the progress bar.
    tick: AtomicI32,
    /// Damage begins: every client is in, and the time asked for has passed.
    damages: AtomicBool,
}

/// What came of the host.
struct HostEnd {
    recording: Recording,
    gauge: Gauge,
    ticks: u32,
    stream_cpu_us: f64,
    counters: Counters,
    kills: u32,
    /// By machine: the round trip in ticks, what went both ways, how alike they moved.
    clients: BTreeMap<Machine, (f32, Traffic, DriftFigures)>,
}

/// What came of a client.
struct ClientEnd {
    machine: Option<Machine>,
    own: Vec<Slot>,
    recording: Recording,
    ticks: u32,
    join_ms: f64,
    traffic: Traffic,
    counters: Counters,
    disconnects: u32,
}

/// Plays it.
pub fn run(options: &Demo) -> Result<Summary, Error> {
    let common = &options.common;
    setup::refuse_files(common)?;
    setup::check(common)?;
    let mut common = common.clone();
    common.seconds.get_or_insert(20.0);
    let options = &Demo { common, ..options.clone() };
    let faults = setup::faults(&options.common.faults, &Settings::default());
    let shared = Arc::new(Shared::default());
    let clock = Clock::default();

    let (told, address) = mpsc::channel();
    thread::scope(|scope| {
        let host = scope.spawn(|| play_host(options, faults, clock, &shared, &told));
        // The host says where it listens, or ends without.
        let Ok(address) = address.recv() else {
            return Err(match host.join() {
                Ok(Err(error)) => error,
                _ => Error::Socket(std::io::Error::other("the host's thread ended")),
            });
        };
        let clients: Vec<_> = (1..=u64::from(options.clients))
            .map(|index| {
                let shared = &shared;
                scope.spawn(move || play_client(options, index, address, faults, clock, shared))
            })
            .collect();
        show_progress(options, &shared, || host.is_finished());
        let host =
            host.join().map_err(|_| Error::Socket(std::io::Error::other("the host's thread ended")))??;
        let mut ends = Vec::new();
        for client in clients {
            let ended = client.join();
            ends.push(ended.map_err(|_| Error::Socket(std::io::Error::other("a client's thread ended")))??);
        }
        Ok(summarise(options, &faults, host, ends))
    })
}

fn seed(options: &Demo, machine: u64) -> u64 {
    options.common.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(machine)
}

fn play_host(
    options: &Demo,
    faults: Faults,
    clock: Clock,
    shared: &Shared,
    told: &Sender<SocketAddr>,
) -> Result<HostEnd, Error> {
    let common = &options.common;
    let players = common.local_players.unwrap_or(1);
    let start = Tick::new(common.start_tick).unwrap_or_default();
    let last = setup::last_tick(common)?;
    let ip = common.bind.unwrap_or([127, 0, 0, 1].into());
    let sockets = Sockets::listen(SocketAddr::new(ip, 0)).map_err(Error::Socket)?;
    let address = sockets.local_address();
    let settings = setup::host_settings(common, address.port(), players)?;
    let network = Impaired::new(sockets, seed(options, 0), quiet(faults));
    let now = clock.now();
    let mut machine = HostMachine::new(now, settings, setup::setup(common, players, 0)?, network, true);
    machine.begin(now, start);
    // It is read as soon as it is sent; the receiver is gone only if the run was given up.
    let _ = told.send(address);

    let mut all_in = None;
    let calm_from = last.minus(CALM_SECONDS as u32 * 30 + 30);
    while machine.host.now_tick() < last {
        let now = clock.now();
        machine.frame(now, last);
        let tick = machine.host.now_tick();
        shared.tick.store(tick.get(), Ordering::Relaxed);
        if shared.playing.load(Ordering::Relaxed) >= u32::from(options.clients) {
            let since = now.since(*all_in.get_or_insert(now));
            machine.gauge.counting = since >= WARM_UP;
            let damages = since >= faults.corrupt_after_us && tick < calm_from;
            shared.damages.store(damages, Ordering::Relaxed);
        }
        damage(&mut machine.network, faults, shared);
        clock.pause(machine.is_playing().then(|| machine.host.next_tick_at()));
    }
    let transport = machine.host.transport();
    let mut clients: BTreeMap<_, _> = transport
        .in_game()
        .iter()
        .map(|client| {
            let trip = machine.host.clock().round_trip(client).unwrap_or(0.0);
            (client, (trip, transport.traffic(client).unwrap_or_default(), DriftFigures::default()))
        })
        .collect();
    let slots: Vec<_> = transport.players().map(|player| (player.slot, player.machine)).collect();
    for (slot, client) in slots {
        let drift = machine.host.authority().drift_of(slot);
        if let Some((_, _, figures)) = clients.get_mut(&client) {
            figures.ticks += drift.ticks;
            figures.apart += drift.apart;
        }
    }
    let kills = machine
        .game
        .world()
        .map_or(0, |world| world.players().map(|(_, player)| u32::from(player.kills)).sum());
    let end = HostEnd {
        ticks: machine.watch.ticks,
        stream_cpu_us: machine.network.network().stream_cpu().as_secs_f64() * 1e6,
        counters: machine.host.counters(),
        kills,
        clients,
        gauge: std::mem::take(&mut machine.gauge),
        recording: machine.watch.recording.take().unwrap_or_default(),
    };

    machine.host.end(&mut machine.game);
    let ended = clock.now();
    while shared.done.load(Ordering::Relaxed) < u32::from(options.clients)
        && clock.now().since(ended) < FAREWELL
    {
        machine.frame(clock.now(), last);
        clock.pause(None);
    }
    machine.leave(clock.now());
    Ok(end)
}

fn play_client(
    options: &Demo,
    index: u64,
    address: SocketAddr,
    faults: Faults,
    clock: Clock,
    shared: &Shared,
) -> Result<ClientEnd, Error> {
    let common = &options.common;
    // A client without a player is let go after a while: only the host may have none.
    let players = common.local_players.unwrap_or(1).max(1);
    let sockets = Sockets::connect(address, common.bind).map_err(Error::Socket)?;
    let network = Impaired::new(sockets, seed(options, index), quiet(faults));
    let began = clock.now();
    let settings = setup::client_settings(common, players, Some(index));
    let mut machine =
        ClientMachine::new(began, settings, setup::setup(common, players, index)?, network, true);
    let limit = (common.seconds.unwrap_or(0.0) * 1e6) as u64 + 30 * Moment::SECOND;

    let mut disconnects = 0;
    let mut counted = false;
    while machine.client.stage() != client::Stage::Over && clock.now().since(began) < limit {
        machine.frame(clock.now());
        if machine.began.is_some() && !std::mem::replace(&mut counted, true) {
            shared.playing.fetch_add(1, Ordering::Relaxed);
        }
        if machine.is_closed() {
            disconnects = u32::from(machine.began.is_some());
            break;
        }
        damage(&mut machine.network, faults, shared);
        clock.pause(machine.is_playing().then(|| machine.client.next_tick_at()));
    }
    if !counted {
        // Nobody waits for one that does not come.
        shared.playing.fetch_add(1, Ordering::Relaxed);
    }
    let end = ClientEnd {
        machine: machine.client.transport().machine(),
        own: machine.client.own_slots().to_vec(),
        ticks: machine.watch.ticks,
        join_ms: machine.began.map_or(0.0, |at| at.since(began) as f64 / 1e3),
        traffic: machine.client.transport().traffic(),
        counters: machine.client.counters(),
        disconnects,
        recording: machine.watch.recording.take().unwrap_or_default(),
    };
    shared.done.fetch_add(1, Ordering::Relaxed);
    machine.leave(clock.now());
    Ok(end)
}

/// The faults without damage, which begins when everybody is in.
fn quiet(faults: Faults) -> Faults {
    Faults { corrupt: 0.0, corrupt_stream: 0.0, corrupt_after_us: 0, ..faults }
}

fn damage(network: &mut Impaired<Sockets>, faults: Faults, shared: &Shared) {
    if faults.corrupt > 0.0 || faults.corrupt_stream > 0.0 {
        let damages = shared.damages.load(Ordering::Relaxed);
        network.impair().set_faults(if damages {
            Faults { corrupt_after_us: 0, ..faults }
        } else {
            quiet(faults)
        });
    }
}

fn show_progress(options: &Demo, shared: &Shared, finished: impl Fn() -> bool) {
    let start = i64::from(options.common.start_tick);
    let ticks = (options.common.seconds.unwrap_or(0.0) * 30.0) as u64;
    let bar = if options.json { ProgressBar::hidden() } else { ProgressBar::new(ticks) };
    let style = ProgressStyle::with_template("{bar:40} tick {pos} of {len}, {msg} playing");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    while !finished() {
        let tick = i64::from(shared.tick.load(Ordering::Relaxed)) - start;
        bar.set_position(tick.max(0) as u64);
        bar.set_message(shared.playing.load(Ordering::Relaxed).to_string());
        thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

fn summarise(options: &Demo, faults: &Faults, host: HostEnd, clients: Vec<ClientEnd>) -> Summary {
    let damages = faults.corrupt > 0.0 || faults.corrupt_stream > 0.0;
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let mut dropped: BTreeMap<String, u64> = BTreeMap::new();
    for counters in clients.iter().map(|client| &client.counters).chain([&host.counters]) {
        for (reason, count) in &counters.refused {
            *refused.entry((*reason).into()).or_default() += count;
        }
        let mjolnir_engine_glue::transport::Dropped { stale, far_stamp, undecodable, unknown_kind } =
            counters.dropped;
        for (reason, count) in [
            ("stale", stale),
            ("far_stamp", far_stamp),
            ("undecodable", undecodable),
            ("unknown_kind", unknown_kind),
        ] {
            *dropped.entry(reason.into()).or_default() += count;
        }
    }

    let first = clients.iter().find_map(|client| disagreement(&host.recording, client, damages));
    let figures: Vec<_> = clients.iter().map(|client| client_figures(&host, client)).collect();
    let mut ticks_us = host.gauge.ticks_us.clone();
    let client_ticks: f64 = figures.iter().map(|client| f64::from(client.ticks)).sum();
    let counted = f64::from(host.gauge.counted_ticks).max(1.0);
    Summary {
        version: NETWORK_VERSION,
        map: options.common.map.clone(),
        variant: options.common.variant.clone(),
        seed: options.common.seed,
        seconds: options.common.seconds.unwrap_or(0.0),
        host: HostFigures {
            ticks: host.ticks,
            tick_us: Spread::of(&mut ticks_us),
            cpu_us_per_client_tick: (host.gauge.cpu_us + host.stream_cpu_us) / client_ticks.max(1.0),
            allocations_per_tick: host.gauge.allocations as f64 / counted,
            rss_bytes: resident_bytes(),
        },
        clients: figures,
        agreement: Agreement { verdict: if first.is_none() { "pass" } else { "fail" }, first },
        hits: Hits::default(),
        kills: host.kills,
        refused,
        dropped,
    }
}

fn client_figures(host: &HostEnd, client: &ClientEnd) -> ClientFigures {
    let known = client.machine.and_then(|machine| host.clients.get(&machine));
    let (trip, _, drift) = known.copied().unwrap_or_default();
    let ticks = f64::from(client.ticks).max(1.0);
    let flow = |flow: mjolnir_engine_glue::transport::Flow| crate::summary::Traffic {
        bytes_per_tick: flow.bytes() as f64 / ticks,
        datagrams_per_tick: flow.datagrams as f64 / ticks,
    };
    let own = |slot: Slot| client.own.contains(&slot);
    ClientFigures {
        machine: client.machine.map_or(0, Machine::get),
        joined: client.ticks > 0,
        join_ms: client.join_ms,
        ticks: client.ticks,
        rtt_ms: f64::from(trip) * 100.0 / 3.0,
        down: flow(client.traffic.received),
        up: flow(client.traffic.sent),
        own_corrections: client.counters.own_corrections,
        remote_error_wu: Errors::of(&mut client.recording.distances(&host.recording, own)),
        drift,
        disconnects: client.disconnects,
    }
}

/// The first disagreement between the host and a client; none where they agree, or where the client was lost to a
/// fault that was asked for.
fn disagreement(host: &Recording, client: &ClientEnd, damages: bool) -> Option<Disagreement> {
    let plain = |field: &str, host: &str, client: &str, tick: i32| Disagreement {
        tick,
        player: 0xFF,
        field: field.into(),
        host: host.into(),
        client: client.into(),
    };
    let end = host.lines.last().map_or(0, |line| line.tick);
    if client.disconnects > 0 || client.ticks == 0 {
        let field = if client.ticks == 0 { "joined" } else { "connection" };
        return (!damages).then(|| plain(field, "true", "false", end as i32));
    }
    let from = if damages { end.saturating_sub(CALM_SECONDS as u32 * 30) } else { 0 };
    let late =
        |lines: &[Line]| -> Vec<Line> { lines.iter().filter(|line| line.tick >= from).cloned().collect() };
    match judge(&late(&host.lines), &late(&client.recording.lines)).verdict {
        Verdict::Pass => None,
        Verdict::Fail(at) => Some(Disagreement {
            tick: at.tick as i32,
            player: at.player.unwrap_or(0xFF),
            field: at.field.name().into(),
            host: at.host,
            client: at.client,
        }),
        Verdict::Error(why) => Some(plain("log", "", &why.to_string(), end as i32)),
    }
}
