//! `demo`: one host and some clients on this machine over real sockets, a thread and a world each, and whether they
//! agree. Knows how to run and compare them; a machine's own doing is `machine`'s.

mod showing;
mod summing;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mjolnir_engine_glue::settings::Settings;
use mjolnir_engine_glue::transport::impair::{Faults, Impaired};
use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_engine_glue::transport::{Traffic, texts};
use mjolnir_engine_glue::{Counters, client, host};
use mjolnir_wire::{Machine, Moment, Slot, Tick};

use crate::clock::Clock;
use crate::custom::Maps;
use crate::game::{Map, World};
use crate::gauge::Gauge;
use crate::machine::{ClientMachine, HostMachine};
use crate::options::{Common, Demo};
use crate::record::Recording;
use crate::report::{Course, Tally, Who};
use crate::roll;
use crate::scores::{self, Score};
use crate::seam::Game;
use crate::setup::{self, Error};
use crate::summary::{DriftFigures, Summary};

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
    own: Vec<Slot>,
    recording: Recording,
    course: Course,
    map: Option<Map>,
    players: Vec<Who>,
    gauge: Gauge,
    ticks: u32,
    stream_cpu_us: f64,
    counters: Counters,
    kills: u32,
    scores: Vec<Score>,
    /// By machine: the round trip in ticks, what went both ways, how alike they moved.
    clients: BTreeMap<Machine, (f32, Traffic, DriftFigures)>,
}

/// What came of a client.
struct ClientEnd {
    machine: Option<Machine>,
    /// What it is called: by its players, or by the one that it would have had.
    name: String,
    own: Vec<Slot>,
    recording: Recording,
    course: Course,
    ticks: u32,
    join_ms: f64,
    traffic: Traffic,
    counters: Counters,
    disconnects: u32,
}

/// What a demo shows.
#[derive(Debug)]
pub struct Shown {
    /// What was measured.
    pub summary: Summary,
    /// The report's page.
    pub page: serde_json::Result<String>,
}

/// Plays it.
pub fn run(options: &Demo) -> Result<Shown, Error> {
    let common = &options.common;
    setup::refuse_files(common)?;
    // A custom map is a file too.
    Maps::default().choose(&common.map)?;
    setup::check(common)?;
    setup::check_variant(common)?;
    let mut common = common.clone();
    common.seconds.get_or_insert(20.0);
    let options = &Demo { common, ..options.clone() };
    // What one machine's thread could not have, all are told before any begins.
    let own = options.common.local_players.unwrap_or(1);
    let others = usize::from(options.clients) * usize::from(own.max(1));
    setup::check_players(&options.common, usize::from(own) + others)?;
    setup::setup(&options.common, 1, 0)?;
    let faults = setup::faults(&options.common.faults, &Settings::default());
    let shared = Arc::new(Shared::default());
    let clock = Clock::default();

    let (told, address) = mpsc::channel();
    thread::scope(|scope| {
        let host = scope.spawn({
            let shared = &shared;
            // Its own, so that it is gone, and nobody waits for it, when the thread ends.
            move || play_host(options, faults, clock, shared, told)
        });
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
        ends.sort_by_key(|end| end.machine.map_or(u8::MAX, Machine::get));
        let summary = summing::up(options, &faults, &host, &ends);
        let page = showing::page(&summary, &faults, &host, &ends);
        Ok(Shown { summary, page })
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
    told: Sender<SocketAddr>,
) -> Result<HostEnd, Error> {
    let common = &options.common;
    let players = common.local_players.unwrap_or(1);
    let start = Tick::new(common.start_tick).unwrap_or_default();
    let last = setup::last_tick(common)?;
    let ip = common.bind.unwrap_or([127, 0, 0, 1].into());
    let sockets = Sockets::listen(SocketAddr::new(ip, 0)).map_err(Error::Socket)?;
    let address = sockets.local_address();
    let settings = setup::host_settings(common, address.port(), players)?;
    let network = Impaired::new(Tally::new(sockets), seed(options, 0), quiet(faults));
    let now = clock.now();
    let mut machine = HostMachine::new(now, settings, setup::setup(common, players, 0)?, network, true);
    machine.begin(now, start);
    // It is read as soon as it is sent; the receiver is gone only if the run was given up.
    let tell = || told.send(address).unwrap_or_default();
    let mut is_told = false;

    let mut course = Course::default();
    let mut all_in = None;
    let calm_from = last.minus(CALM_SECONDS as u32 * 30 + 30);
    let is_played_out = |game: &Game| game.world().is_some_and(World::is_played_out);
    while machine.host.now_tick() < last && !is_played_out(&machine.game) {
        let now = clock.now();
        machine.frame(now, last);
        // While it loads it lets nobody in (NET-24).
        if machine.host.stage() == host::Stage::Playing && !std::mem::replace(&mut is_told, true) {
            tell();
        }
        let tick = machine.host.now_tick();
        shared.tick.store(tick.get(), Ordering::Relaxed);
        machine.network.network_mut().close(tick);
        course.note_trips(tick, &machine.host);
        if shared.playing.load(Ordering::Relaxed) >= u32::from(options.clients) {
            let since = now.since(*all_in.get_or_insert(now));
            machine.gauge.counting = since >= WARM_UP;
            let damages = since >= faults.corrupt_after_us && tick < calm_from;
            shared.damages.store(damages, Ordering::Relaxed);
        }
        damage(&mut machine.network, faults, shared);
        clock.pause(machine.host.next_tick_at());
    }
    if !is_told {
        tell();
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
        .map_or(0, |world| world.players().map(|(_, player)| u32::from(player.kills())).sum());
    let clock_of = machine.host.clock();
    let scores = machine.game.world().map(|world| scores::board(world, |_, client| clock_of.ping_ms(client)));
    course.sent = machine.network.network_mut().take_rows();
    let end = HostEnd {
        own: machine.host.own_slots().to_vec(),
        course,
        map: machine.game.world().map(|world| world.map().clone()),
        players: machine.game.world().map(Who::all).unwrap_or_default(),
        ticks: machine.watch.ticks,
        stream_cpu_us: machine.network.network().network().stream_cpu().as_secs_f64() * 1e6,
        counters: machine.host.counters(),
        kills,
        scores: scores.unwrap_or_default(),
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
    let network = Impaired::new(Tally::new(sockets), seed(options, index), quiet(faults));
    let began = clock.now();
    let settings = setup::client_settings(common, players, Some(index));
    let mut machine =
        ClientMachine::new(began, settings, setup::setup(common, players, index)?, network, true);
    let limit = (common.seconds.unwrap_or(0.0) * 1e6) as u64 + 30 * Moment::SECOND;

    let mut course = Course::default();
    let mut disconnects = 0;
    let mut counted = false;
    while machine.client.stage() != client::Stage::Over && clock.now().since(began) < limit {
        machine.frame(clock.now());
        if let Some(tick) = machine.client.clock().tick() {
            machine.network.network_mut().close(tick);
            let prediction = machine.client.prediction();
            let corrections = prediction.own_corrections() + prediction.own_vehicle_corrections();
            course.note_corrections(tick, corrections);
        }
        if machine.began.is_some() && !std::mem::replace(&mut counted, true) {
            shared.playing.fetch_add(1, Ordering::Relaxed);
        }
        if machine.is_closed() {
            disconnects = u32::from(machine.began.is_some());
            say_closed(&name_of(&machine, common, index), machine.client.take_notices());
            break;
        }
        damage(&mut machine.network, faults, shared);
        clock.pause(machine.client.next_tick_at());
    }
    if !counted {
        // Nobody waits for one that does not come.
        shared.playing.fetch_add(1, Ordering::Relaxed);
    }
    course.sent = machine.network.network_mut().take_rows();
    let end = ClientEnd {
        course,
        machine: machine.client.transport().machine(),
        name: name_of(&machine, common, index),
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

/// What a client is called: by the names that its host gave its players; before that by the first that it asked for.
fn name_of(machine: &ClientMachine<Impaired<Tally<Sockets>>>, common: &Common, index: u64) -> String {
    let player = |slot: &Slot| Some(machine.game.world()?.player(*slot)?.name.clone());
    let names: Vec<_> = machine.client.own_slots().iter().filter_map(player).collect();
    match machine.client.transport().machine() {
        Some(own) if !names.is_empty() => roll::called(&names, own),
        _ => setup::player_name(common, index * 4),
    }
}

/// Says why a client's session ended before its game did.
fn say_closed(name: &str, notices: Vec<client::Notice>) {
    for notice in notices {
        if let client::Notice::Closed { why } = notice {
            tracing::warn!("{name} is out: {}", texts::closed(why));
        }
    }
}

/// The faults without damage, which begins when everybody is in.
fn quiet(faults: Faults) -> Faults {
    Faults { corrupt: 0.0, corrupt_stream: 0.0, corrupt_after_us: 0, ..faults }
}

fn damage(network: &mut Impaired<Tally<Sockets>>, faults: Faults, shared: &Shared) {
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
