//! What a demo measured, as scripts read it: `summary.json`. Knows no game; its names and shape are fixed.

use std::collections::BTreeMap;

use mjolnir_engine_glue::Counters;
use serde::Serialize;

use crate::scores::Score;

/// The whole of it.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The network version.
    pub version: u16,
    /// The map's name.
    pub map: String,
    /// The game type's name.
    pub variant: String,
    /// The game's seed.
    pub seed: u64,
    /// Seconds played.
    pub seconds: f64,
    /// The host.
    pub host: HostFigures,
    /// The clients, by machine.
    pub clients: Vec<ClientFigures>,
    /// The scoreboard as the host has it, the best first.
    pub players: Vec<Score>,
    /// Whether the machines agree.
    pub agreement: Agreement,
    /// Hits, of all machines.
    pub hits: Hits,
    /// Kills, as the host counted them.
    pub kills: u32,
    /// Messages and entries refused, of all machines, by reason.
    pub refused: BTreeMap<String, u64>,
    /// Datagrams and parts dropped, of all machines, by reason.
    pub dropped: BTreeMap<String, u64>,
}

/// What the host's tick cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct HostFigures {
    /// Ticks simulated.
    pub ticks: u32,
    /// Microseconds that the netcode spends in a tick, the game's own simulation left out.
    pub tick_us: Spread,
    /// Processor time of the netcode's calls and of the stream thread, over clients and ticks, in microseconds.
    pub cpu_us_per_client_tick: f64,
    /// Allocations of the game's thread inside the netcode's calls, from five seconds after the last join.
    pub allocations_per_tick: f64,
    /// Memory of the whole process.
    pub rss_bytes: u64,
}

/// How a measure is spread.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spread {
    /// Half lie below.
    pub p50: f64,
    /// All but one in a hundred lie below.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// Of those samples, which it sorts; zeros of none.
    pub fn of(samples: &mut [f64]) -> Self {
        samples.sort_by(f64::total_cmp);
        Self { p50: part(samples, 0.50), p99: part(samples, 0.99), max: part(samples, 1.0) }
    }
}

fn part(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(0.0)
}

/// One client.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClientFigures {
    /// Its index.
    pub machine: u8,
    /// Its players' names, for people; scripts read the rest.
    #[serde(skip)]
    pub name: String,
    /// Whether it came to play.
    pub joined: bool,
    /// Milliseconds from its start to its first tick.
    pub join_ms: f64,
    /// Ticks it simulated.
    pub ticks: u32,
    /// Its round trip, as the host smoothed it: of one that was lost, the last that was measured.
    pub rtt_ms: f64,
    /// From the host.
    pub down: Traffic,
    /// To the host.
    pub up: Traffic,
    /// Moves of its own player, and of what that drives, by the host's word (PRED-15 to 17).
    pub own_corrections: u64,
    /// How far its copies of other players were from the host's at the same tick, in world units.
    pub remote_error_wu: Errors,
    /// Ticks in which the host compared its move of this client's players with the client's.
    pub drift: DriftFigures,
    /// Times it lost its connection.
    pub disconnects: u32,
}

/// Bytes and datagrams over a client's ticks.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Traffic {
    /// UDP payload and stream payload.
    pub bytes_per_tick: f64,
    /// Datagrams.
    pub datagrams_per_tick: f64,
}

/// How far copies were off.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Errors {
    /// On average.
    pub mean: f64,
    /// All but one in a hundred lie below.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Errors {
    /// Of those samples, which it sorts; zeros of none.
    pub fn of(samples: &mut [f64]) -> Self {
        samples.sort_by(f64::total_cmp);
        let mean = samples.iter().sum::<f64>() / samples.len().max(1) as f64;
        Self { mean, p99: part(samples, 0.99), max: part(samples, 1.0) }
    }
}

/// Ticks compared and ticks apart.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DriftFigures {
    /// Compared.
    pub ticks: u32,
    /// Apart.
    pub apart: u32,
}

/// Whether the machines agree.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// `pass` or `fail`.
    pub verdict: &'static str,
    /// The first disagreement.
    pub first: Option<Disagreement>,
}

/// Where two machines disagreed.
#[derive(Clone, Debug, Serialize)]
pub struct Disagreement {
    /// What the client is called, for people; scripts read the rest.
    #[serde(skip)]
    pub client_name: String,
    /// The player's name, where it is about one; for people.
    #[serde(skip)]
    pub player_name: Option<String>,
    /// The tick.
    pub tick: i32,
    /// The player's slot.
    pub player: u8,
    /// What of it.
    pub field: String,
    /// What the host had.
    pub host: String,
    /// What the client had.
    pub client: String,
}

/// Hit reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hits {
    /// By clients.
    pub reported: u64,
    /// By the host.
    pub dealt: u64,
    /// By the host.
    pub rejected: u64,
    /// By clients.
    pub replayed: u64,
}

impl Hits {
    /// One machine's.
    pub const fn of(counters: &Counters) -> Self {
        let mjolnir_engine_glue::Hits { reported, dealt, rejected, replayed } = counters.hits;
        Self { reported, dealt, rejected, replayed }
    }

    /// A game's: what its clients reported and replayed, and what its host made of it.
    pub fn of_all<'a>(host: &Counters, clients: impl Iterator<Item = &'a Counters>) -> Self {
        let Self { dealt, rejected, .. } = Self::of(host);
        clients.map(Self::of).fold(Self { dealt, rejected, ..Self::default() }, |all, of| Self {
            reported: all.reported + of.reported,
            replayed: all.replayed + of.replayed,
            ..all
        })
    }

    /// In words, without what there was none of; none where there was nothing.
    pub fn in_words(self) -> Option<String> {
        let Self { reported, dealt, rejected, replayed } = self;
        let all = [(reported, "reported"), (dealt, "dealt"), (rejected, "rejected"), (replayed, "replayed")];
        let words: Vec<_> = all
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game's hits are what clients reported, what the host dealt and rejected, and what clients replayed: none counts
    /// twice. In words there is no nothing.
    #[test]
    fn hits_are_each_counted_by_whose_they_are() {
        let counters = |reported, dealt, rejected, replayed| Counters {
            hits: mjolnir_engine_glue::Hits { reported, dealt, rejected, replayed },
            ..Counters::default()
        };
        let (host, clients) = (counters(8, 5, 3, 0), [counters(3, 0, 0, 2), counters(5, 0, 0, 4)]);
        let all = Hits::of_all(&host, clients.iter());
        assert_eq!(all, Hits { reported: 8, dealt: 5, rejected: 3, replayed: 6 });
        assert_eq!(all.in_words().as_deref(), Some("8 reported, 5 dealt, 3 rejected, 6 replayed"));
        assert_eq!(Hits::of(&clients[0]).in_words().as_deref(), Some("3 reported, 2 replayed"));
        assert_eq!(Hits::of(&counters(0, 0, 0, 0)).in_words(), None);
    }

    #[test]
    fn a_spread_is_of_its_samples() {
        let mut samples: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        let spread = Spread::of(&mut samples);
        assert_eq!((spread.p50, spread.p99, spread.max), (50.0, 99.0, 100.0));
        let none = Errors::of(&mut []);
        assert_eq!((none.mean, none.p99, none.max), (0.0, 0.0, 0.0));
    }
}
