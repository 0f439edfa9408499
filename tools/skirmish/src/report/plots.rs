//! The plots' lines, gathered from what the machines saw and noted. Knows no page.

use std::collections::BTreeMap;

use mjolnir_wire::{Kind, Tick};
use serde::Serialize;

use super::series::{Bins, Line, Series};
use super::tally::{self, Row};
use super::{Seen, Story};

/// Points of a line at most.
const POINTS: usize = 600;
/// Points of all clients' lines of a plot at most.
const CLIENTS_POINTS: usize = 12_000;
/// Ticks of a bin of what is gathered by the second.
const SECOND: u32 = 30;
/// Ticks of a bin of distances: a tick's own say little.
const DISTANCES_EVERY: u32 = 5;
/// Kinds that have a line of their own; the rest of them share one.
const KINDS_SHOWN: usize = 7;

/// Every plot's lines.
#[derive(Debug, Serialize)]
pub(super) struct Plots {
    /// Milliseconds, a line a client.
    round_trip: Series,
    /// What the host sent to all clients together, a tick.
    down: Sent,
    /// What all clients together sent to the host, a tick.
    up: Sent,
    /// Moves of a client's own players by the host's word, a second.
    corrections: Series,
    /// How far a client's copies of others' players were from the host's, in wu.
    distance: Spread,
    /// The netcode's time in a host's tick, in microseconds.
    host_tick: Spread,
}

/// Means and largest values of the same bins.
#[derive(Debug, Serialize)]
struct Spread {
    mean: Series,
    largest: Series,
}

/// What was sent, a line a kind.
#[derive(Debug, Serialize)]
struct Sent {
    bytes: Series,
    /// Datagrams with at least one message of the kind; the line of batch headers is all that hold batches.
    datagrams: Series,
}

impl Plots {
    pub(super) fn new(story: &Story<'_>, first: Tick, last: Tick) -> Self {
        let each = (CLIENTS_POINTS / story.clients.len().max(1)).clamp(20, POINTS);
        let seconds = Bins::new(first, last, SECOND, each);
        let halves = Bins::new(first, last, SECOND / 2, each);
        let client = |seen: &Seen<'_>| format!("machine {}", seen.machine.get());

        let trip = |seen: &Seen<'_>| {
            let trips = story.host.course.trips.iter().filter(|(_, machine, _)| *machine == seen.machine);
            Line::new(client(seen), halves.means(trips.map(|(tick, _, ms)| (*tick, *ms))).0)
        };
        let corrections = |seen: &Seen<'_>| {
            let sums = seconds.sums(seen.course.corrections.iter().map(|(tick, n)| (*tick, f64::from(*n))));
            Line::new(client(seen), sums.into_iter().map(Some).collect())
        };
        Self {
            round_trip: halves.series(story.clients.iter().map(trip).collect()),
            down: Sent::new(first, last, [&story.host].into_iter()),
            up: Sent::new(first, last, story.clients.iter()),
            corrections: seconds.series(story.clients.iter().map(corrections).collect()),
            distance: Spread::distances(story, &Bins::new(first, last, DISTANCES_EVERY, each)),
            host_tick: Spread::host_tick(story, &Bins::new(first, last, 1, POINTS)),
        }
    }
}

impl Spread {
    fn distances(story: &Story<'_>, bins: &Bins) -> Self {
        let lines = story.clients.iter().map(|seen| {
            let own = |slot| seen.own.contains(&slot);
            let distances = seen.recording.distances_by_tick(story.host.recording, own);
            let (mean, largest) = bins.means(distances.into_iter());
            let name = format!("machine {}", seen.machine.get());
            (Line::new(name.clone(), mean), Line::new(name, largest))
        });
        let (mean, largest) = lines.unzip();
        Self { mean: bins.series(mean), largest: bins.series(largest) }
    }

    fn host_tick(story: &Story<'_>, bins: &Bins) -> Self {
        let ticks = story.host.recording.views.iter().map(|view| view.tick);
        let (mean, largest) = bins.means(ticks.zip(story.ticks_us.iter().copied()));
        let line = |values| bins.series(vec![Line::new("host", values)]);
        Self { mean: line(mean), largest: line(largest) }
    }
}

impl Sent {
    fn new<'a>(first: Tick, last: Tick, machines: impl Iterator<Item = &'a Seen<'a>>) -> Self {
        let mut lines: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
        for row in machines.flat_map(|seen| &seen.course.sent) {
            lines.entry(row.line).or_default().push(*row);
        }
        let bins = Bins::new(first, last, 1, POINTS);
        let batch = Kind::Batch.place() as u8;
        let mut bytes = Vec::new();
        let mut datagrams = Vec::new();
        for (line, rows) in &lines {
            let sums = |of: fn(&Row) -> u32| bins.sums(rows.iter().map(|row| (row.tick, f64::from(of(row)))));
            let (of_bytes, of_datagrams) = (sums(|row| row.count.bytes), sums(|row| row.count.datagrams));
            bytes.push((tally::name(*line), of_bytes));
            // A datagram that is lost in the sum of others has no meaning: each kind is a line of its own.
            let name = if *line == batch { "all batches" } else { tally::name(*line) };
            datagrams.push((name, of_datagrams));
        }
        let total = |(_, sums): &(&str, Vec<f64>)| sums.iter().sum::<f64>();
        for list in [&mut bytes, &mut datagrams] {
            list.retain(|line| total(line) > 0.0);
            list.sort_by(|a, b| total(b).total_cmp(&total(a)));
        }
        if bytes.len() > KINDS_SHOWN {
            let mut rest = bytes.split_off(KINDS_SHOWN - 1).into_iter();
            if let Some((_, mut sums)) = rest.next() {
                for (_, more) in rest {
                    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                }
                bytes.push(("all others", sums));
            }
        }
        datagrams.truncate(KINDS_SHOWN);
        let series = |list: Vec<(&str, Vec<f64>)>| {
            bins.series(list.into_iter().map(|(name, sums)| Line::new(name, bins.rates(&sums))).collect())
        };
        Self { bytes: series(bytes), datagrams: series(datagrams) }
    }
}
