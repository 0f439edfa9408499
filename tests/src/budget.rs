//! What bad networks cost: a seeded game for each map, loss and latency, and the figures that came of it, the same to
//! the last digit on every machine and in every build. Knows no file and judges nothing; a change of behaviour shows
//! as a difference of two tables.

mod causes;
mod table;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use mjolnir_engine_glue::transport::Flow;
use mjolnir_skirmish::summary::Errors;
use mjolnir_wire::Machine;
use mjolnir_wire::kinds::Channels;
use mjolnir_wire::limits::{HEADER_BYTES, PART_BYTES};
use mjolnir_wire::packets::PACKETS;

use crate::lab::{Lab, Plan};
use crate::link::Link;
use crate::seen::{Way, messages, packets};

pub use causes::{Cause, Causes, Tracer};
pub use table::{Difference, differences, table};

/// The maps.
const MAPS: [&str; 7] = ["flat", "hill", "rooms", "tower", "yard", "drive", "carpark"];
/// Per cent of the datagrams lost, each way.
const LOSSES: [u8; 4] = [0, 2, 5, 20];
/// Milliseconds each way.
const LATENCIES: [u64; 5] = [0, 25, 50, 100, 200];
/// Clients of each game, with a player each; the host has one too.
const CLIENTS: usize = 7;
/// Seconds of play before anything is counted.
const WARM_UP: f64 = 3.0;
/// The host's ticks that are counted.
const TICKS: u32 = 900;
/// Ticks of a minute.
const MINUTE: f64 = 1800.0;
/// Bytes of the headers of UDP and IPv4 around a datagram.
const UDP_IP_BYTES: u64 = 28;

/// A game of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The map.
    pub map: &'static str,
    /// Per cent of the datagrams that are lost, each way.
    pub loss: u8,
    /// Milliseconds each way.
    pub latency: u64,
    /// The game's seed.
    pub seed: u64,
}

/// What went one way between the host and a client, over the client's ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent {
    /// Payload of datagrams and of the stream, in bytes.
    pub bytes: f64,
    /// Datagrams.
    pub datagrams: f64,
    /// The headers' part of those bytes and of UDP's and IP's around the datagrams, in per cent.
    pub headers: f64,
}

/// What came of a game, over all of its clients.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Times in a minute that a client's own player was moved by the host's word: by a difference, to where the host has it,
    /// into a seat or out of one.
    pub own_moves: f64,
    /// The same of a vehicle that a client's own player drove: by a difference, or to where the host has it.
    pub own_vehicle_moves: f64,
    /// What those moves were for.
    pub causes: Causes,
    /// How far copies of others' players were from the host's at the same tick: mean, p99 and largest, in wu.
    pub remote_error: [f64; 3],
    /// What the host sent a client.
    pub down: Sent,
    /// What a client sent the host.
    pub up: Sent,
}

/// The games, in the table's order; the seed is a game's place in it.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for map in MAPS {
        for loss in LOSSES {
            for latency in LATENCIES {
                cases.push(Case { map, loss, latency, seed: cases.len() as u64 + 1 });
            }
        }
    }
    cases
}

/// Plays every game, as many at once as this machine has cores, and gives their figures in the order of [`cases`].
pub fn measure_all() -> Vec<(Case, Figures)> {
    each_case(&cases(), measure)
}

/// Plays a game each of those, as many at once as this machine has cores; what came of each, in their order.
pub(crate) fn each_case<C: Copy + Send + Sync, F: Send>(
    cases: &[C],
    measure: impl Fn(C) -> F + Sync,
) -> Vec<(C, F)> {
    let next = AtomicUsize::new(0);
    let (done, all) = mpsc::channel();
    let (next, measure) = (&next, &measure);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(cases.len()) {
            let done = done.clone();
            scope.spawn(move || {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(case) = cases.get(at)
                {
                    // It waits for nobody, so that it is always taken.
                    let _ = done.send((at, *case, measure(*case)));
                }
            });
        }
    });
    drop(done);
    let mut measured: Vec<_> = all.iter().collect();
    measured.sort_by_key(|(at, ..)| *at);
    measured.into_iter().map(|(_, case, figures)| (case, figures)).collect()
}

/// Plays one game.
pub fn measure(case: Case) -> Figures {
    let Case { map, loss, latency, seed } = case;
    let mut lab = Lab::play(Plan::new(map, seed, CLIENTS).network(latency, f32::from(loss)));
    lab.run_seconds(WARM_UP);
    lab.host.recording.views.clear();
    lab.host.network.listen();
    for seat in &mut lab.clients {
        seat.recording.views.clear();
        seat.network.listen();
    }
    let before = Count::of(&lab);
    let mut tracer = Tracer::new(&lab, loss > 0);
    lab.watch_ticks(TICKS, |lab, who| tracer.follow(lab, who));
    let after = Count::of(&lab);

    let ticks = (after.ticks - before.ticks) as f64;
    let mut distances: Vec<f64> = (0..CLIENTS).flat_map(|place| lab.distances(place)).collect();
    let networks = lab.clients.iter().map(|seat| &seat.network);
    let Errors { mean, p99, max } = Errors::of(&mut distances);
    Figures {
        own_moves: (after.own_moves - before.own_moves) as f64 * MINUTE / ticks,
        own_vehicle_moves: (after.own_vehicle_moves - before.own_vehicle_moves) as f64 * MINUTE / ticks,
        causes: tracer.causes(),
        remote_error: [mean, p99, max],
        down: sent([&lab.host.network], &before.down, &after.down, ticks),
        up: sent(networks, &before.up, &after.up, ticks),
    }
}

/// What all clients of a game counted by now.
#[derive(Default)]
struct Count {
    ticks: u64,
    own_moves: usize,
    own_vehicle_moves: usize,
    down: Flow,
    up: Flow,
}

impl Count {
    fn of(lab: &Lab) -> Self {
        let mut count = Self::default();
        for seat in &lab.clients {
            count.ticks += u64::from(seat.ticks);
            // What its engine was told to do, and not the netcode's counters: those leave out what was put where the host
            // has it.
            let notes = &seat.engine.notes;
            count.own_moves += notes.own_moves.len() + notes.own_seatings.len();
            count.own_vehicle_moves += notes.own_vehicle_moves.len();
            add(&mut count.up, &seat.net.transport().traffic().sent);
        }
        let host = lab.host.net.transport();
        for traffic in Machine::all().filter_map(|machine| host.traffic(machine)) {
            add(&mut count.down, &traffic.sent);
        }
        count
    }
}

fn add(to: &mut Flow, other: &Flow) {
    to.stream_bytes += other.stream_bytes;
    to.datagram_bytes += other.datagram_bytes;
    to.datagrams += other.datagrams;
    to.messages += other.messages;
}

/// What those networks sent between two counts of it.
fn sent<'a>(by: impl IntoIterator<Item = &'a Link>, before: &Flow, after: &Flow, ticks: f64) -> Sent {
    let bytes = (after.bytes() - before.bytes()) as f64;
    let datagrams = after.datagrams - before.datagrams;
    let (mut heads, mut bare) = (0, 0);
    for network in by {
        messages(network.passed(), Way::Out, |_, _| heads += 1);
        let numbers = packets(network.passed(), Way::Out);
        bare += numbers.into_iter().filter(|number| is_datagram(*number)).count() as u64;
    }
    let outer = datagrams * UDP_IP_BYTES;
    // A message's head is as long as a part's.
    let inner = (datagrams - bare) * HEADER_BYTES as u64 + heads * PART_BYTES as u64;
    Sent {
        bytes: bytes / ticks,
        datagrams: datagrams as f64 / ticks,
        headers: 100.0 * (outer + inner) as f64 / (bytes + outer as f64),
    }
}

/// Whether a packet of the game's own, of that number, is a datagram and no batch.
fn is_datagram(number: u8) -> bool {
    PACKETS.get(usize::from(number)).is_some_and(|packet| packet.channel == Channels::Datagram)
}
