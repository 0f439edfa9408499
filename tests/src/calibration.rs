//! What `net-compare` says of two builds of which it is known whether they are alike: games of a minute on one computer,
//! as the program plays them, each machine's lines judged as written. Knows no process and no log file.

use std::fmt;

use mjolnir_net_compare::{Figures, Judgement, Line, judge};
use mjolnir_skirmish::game::{Rules, Tuning};
use mjolnir_skirmish::scripts::Scripts;

use crate::{Lab, Plan, Seating, bot};

/// Seconds of a game.
pub const SECONDS: f64 = 60.0;
/// Seconds from one script's kill to the next, and from hit to hit.
const EVENTS: (f64, f64) = (7.0, 7.3);
/// A machine of uneven frames runs each so many microseconds at least and at most.
const UNEVEN_US: (u64, u64) = (5_000, 60_000);

/// What build B does otherwise than build A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Builds {
    /// Nothing.
    Alike,
    /// Nothing, with the scripts of kills and hits.
    AlikeWithEvents,
    /// Nothing, and B's computer has frames of 5 to 120 ms.
    AlikeUneven,
    /// Its players run so many times as fast.
    Running(f32),
    /// Its gravity is so many times as strong.
    Falling(f32),
}

impl fmt::Display for Builds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_cent = |scale: f32| f64::from((scale - 1.0) * 1000.0).round() / 10.0;
        match *self {
            Self::Alike => f.write_str("against itself"),
            Self::AlikeWithEvents => f.write_str("against itself, events"),
            Self::AlikeUneven => f.write_str("against itself, uneven frames"),
            Self::Running(scale) => write!(f, "B's players {}% faster", per_cent(scale)),
            Self::Falling(scale) => write!(f, "B's gravity {}% stronger", per_cent(scale)),
        }
    }
}

/// A game of two builds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The map's name.
    pub map: &'static str,
    /// The game's seed, of which A's bot and B's have theirs.
    pub seed: u64,
    /// Who plays.
    pub builds: Builds,
    /// B hosts and A joins, each with the bot that it has else.
    pub swapped: bool,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, seed, builds, swapped } = self;
        write!(f, "{builds}, {map}, seed {seed}, {} hosts", if *swapped { "B" } else { "A" })
    }
}

/// What became of a game.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// As it is judged.
    pub judgement: Judgement,
    /// The host's lines.
    pub host: Vec<Line>,
    /// The client's lines.
    pub client: Vec<Line>,
    /// How often the scripts killed and hit.
    pub events: usize,
}

impl Outcome {
    /// The share of ticks apart in the first second that compared any, 0 to 1.
    pub fn first_share(&self) -> f64 {
        let mut drifts = self.host.iter().filter_map(|line| line.drift);
        let drift = drifts.find(|drift| drift.ticks > 0).unwrap_or_default();
        Figures { drift, ..Figures::default() }.apart_share()
    }
}

impl Pair {
    /// Plays it.
    pub fn play(self) -> Outcome {
        let Self { map, seed, builds, swapped } = self;
        let seat = |is_b: bool| {
            let scale = |scale| if is_b { scale } else { 1.0 };
            let tuning = match builds {
                Builds::Running(by) => Tuning { run_scale: scale(by), ..Tuning::default() },
                Builds::Falling(by) => Tuning { gravity_scale: scale(by), ..Tuning::default() },
                Builds::Alike | Builds::AlikeWithEvents | Builds::AlikeUneven => Tuning::default(),
            };
            Seating { tuning, ..Seating::of(vec![bot(2 * seed + u64::from(is_b))]) }
        };
        let plan = Plan { harm: true, rules: Rules::named("slayer"), ..Plan::new(map, seed, 1) };
        let mut lab = Lab::play_as(plan, seat(swapped), |_| seat(!swapped));
        if builds == Builds::AlikeWithEvents {
            lab.host.engine.scripts = Some(Scripts::every(EVENTS.0, EVENTS.1));
            lab.clients[0].engine.scripts = Some(Scripts::every(EVENTS.0, EVENTS.1));
        }
        if builds == Builds::AlikeUneven {
            run_unevenly(&mut lab, seed, swapped);
        } else {
            lab.run_seconds(SECONDS);
        }
        let said = [lab.host.engine.scripts.take(), lab.clients[0].engine.scripts.take()];
        let events = said.into_iter().flatten().map(|mut scripts| scripts.take_said().len()).sum();
        let [host, client] =
            [&mut lab.host.recording.lines, &mut lab.clients[0].recording.lines].map(std::mem::take);
        Outcome { judgement: judge(&host, &client), host, client, events }
    }
}

/// Runs a game on in which one machine does nothing for as long as each of its frames takes.
fn run_unevenly(lab: &mut Lab, seed: u64, of_the_host: bool) {
    let mut dice = seed as u32;
    let end = lab.now() + (SECONDS * 1e6) as u64;
    while lab.now() < end {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let until = lab.now() + UNEVEN_US.0 + u64::from(dice >> 8) % (UNEVEN_US.1 - UNEVEN_US.0);
        if of_the_host {
            lab.host.sleep_until(until);
        } else {
            lab.clients[0].sleep_until(until);
        }
        lab.run_seconds((until - lab.now()) as f64 / 1e6);
    }
}
