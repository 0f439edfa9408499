//! The verdict on a host's lines beside a client's: each second's state within what the netcode allows, and how
//! many of the client's moves the host's own differ from. Knows no log file and no process.
//!
//! A second counts where both machines have a line of the same tick; "in a row" is of the seconds that count. So of logs
//! of unequal length what both have is compared: a machine that joined later, or ended earlier, is no difference, and
//! that a copy ended before its time is for whoever ran it to say. The figures tell how much each logged. Of a tick that
//! stands twice in a log its last line counts.
//! While one of them has a player dead and the other alive, what only the living have is not compared.
//!
//! One rule is ours: a score that grows each second (of who holds a hill, or a ball) is at each second's tick as old on a
//! client as the word is late, so that it would be wrong for as long as it grows. A second in which the client's
//! score has become what the host's was a second ago *follows*: it counts for nothing, and the second of two in a row ends
//! a run as agreement does. So a score that comes only each other second fails all the same, one that is off by a
//! point fails three seconds after it no longer grows, and kills and deaths follow nothing.

use std::fmt;

use crate::bounds::{AS_WRITTEN, Field, PLAYER_FIELDS, distance, out_of_bounds};
use crate::line::{Alive, Drift, Line, Player};
use crate::log::last_game;

/// The share of the compared ticks that may be apart, of all the game's.
pub const APART_SHARE: f64 = 0.6;

/// One of the two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The host.
    Host,
    /// The client.
    Client,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "host",
            Self::Client => "client",
        })
    }
}

/// The first thing that the two machines did not agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The first tick of the seconds in a row; of the drift the first that has any.
    pub tick: u32,
    /// Whose; none of the drift of a client with several players, which is of all of them.
    pub player: Option<u8>,
    /// What.
    pub field: Field,
    /// As the host had it; of the drift how many ticks were apart.
    pub host: String,
    /// As the client had it; of the drift what is allowed.
    pub client: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(player) = self.player {
            write!(f, "player {player} ")?;
        }
        write!(f, "tick {} {}", self.tick, self.field.name())?;
        match self.field {
            Field::Drift => write!(f, " ({}, {})", self.host, self.client),
            _ => write!(f, " (host {}, client {})", self.host, self.client),
        }
    }
}

/// Why there is nothing to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// That machine logged nothing.
    Empty(Side),
    /// That machine's log is from before there was a drift.
    NoDrift(Side),
    /// The client's log has a drift, which is a host's alone (TOOL-57): the two logs stand the wrong way round.
    Swapped,
    /// No tick has a line of both.
    NothingInCommon,
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(side) => write!(f, "the {side} logged nothing"),
            Self::NoDrift(side) => write!(f, "the {side} logged no drift"),
            Self::Swapped => f.write_str("the client logged a drift, as hosts do"),
            Self::NothingInCommon => f.write_str("no tick is in both logs"),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They agree.
    Pass,
    /// They do not.
    Fail(Divergence),
    /// There is nothing to say.
    Error(Unjudged),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("PASS"),
            Self::Fail(divergence) => write!(f, "FAIL {divergence}"),
            Self::Error(why) => write!(f, "ERROR {why}"),
        }
    }
}

/// What the comparison came to in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Seconds compared.
    pub seconds: u32,
    /// Seconds that the host logged of the game, and the client.
    pub logged: [u32; 2],
    /// Positions compared.
    pub positions: u32,
    /// Their mean distance, world units.
    pub mean_wu: f64,
    /// Their largest distance, world units.
    pub largest_wu: f64,
    /// The host's drift over the game.
    pub drift: Drift,
    /// Copies corrected, by the last lines compared: the host's and the client's.
    pub corrected: [u64; 2],
}

impl Figures {
    /// The share of the compared ticks that were apart, 0 to 1.
    pub fn apart_share(&self) -> f64 {
        if self.drift.ticks == 0 { 0.0 } else { self.drift.apart as f64 / self.drift.ticks as f64 }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.seconds)?;
        if self.logged != [self.seconds; 2] {
            write!(f, " (host {}, client {})", self.logged[0], self.logged[1])?;
        }
        write!(f, ", positions {:.3} wu apart, {:.3} at most", self.mean_wu, self.largest_wu)?;
        let Drift { ticks, apart, largest, .. } = self.drift;
        write!(
            f,
            ", {apart} of {ticks} ticks apart ({:.0}%, {largest:.6} wu at most)",
            100.0 * self.apart_share()
        )?;
        write!(f, ", corrected {} and {}", self.corrected[0], self.corrected[1])
    }
}

/// A verdict and its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What came of it.
    pub verdict: Verdict,
    /// In numbers.
    pub figures: Figures,
}

/// Judges a host's lines beside a client's; of several games in them the last.
pub fn judge(host: &[Line], client: &[Line]) -> Judgement {
    let (host, client) = (last_game(host), last_game(client));
    let mut comparison = Comparison::default();
    let mut theirs = ticks(client).peekable();
    for line in ticks(host) {
        comparison.drift(line);
        comparison.figures.logged[0] += 1;
        while theirs.next_if(|client| client.tick < line.tick).is_some() {}
        if let Some(client) = theirs.next_if(|client| client.tick == line.tick) {
            comparison.second(line, client);
        }
    }
    comparison.figures.logged[1] = ticks(client).count() as u32;
    let verdict = match unjudged(host, client, &comparison.figures) {
        Some(why) => Verdict::Error(why),
        None => comparison.finish(alone(client)),
    };
    Judgement { verdict, figures: comparison.figures }
}

/// The player of the client's machine, if it has one alone: whose moves the drift is of.
fn alone(client: &[Line]) -> Option<u8> {
    let line = client.last()?;
    let own = line.player(line.view.slot?)?;
    let is_there = |player: &&Player| player.record.machine == own.record.machine;
    (line.players.iter().filter(is_there).count() == 1).then_some(own.slot)
}

/// The lines of a game, of each tick its last.
fn ticks(game: &[Line]) -> impl Iterator<Item = &Line> {
    game.chunk_by(|a, b| a.tick == b.tick).filter_map(<[Line]>::last)
}

fn unjudged(host: &[Line], client: &[Line], figures: &Figures) -> Option<Unjudged> {
    let sides = [(Side::Host, host), (Side::Client, client)];
    let empty = sides.iter().find(|(_, lines)| lines.is_empty());
    let bare = sides.iter().find(|(_, lines)| lines.iter().any(|line| line.drift.is_none()));
    let is_hosts = client.iter().any(|line| line.drift.is_some_and(|drift| drift.ticks > 0));
    match (empty, bare) {
        (Some((side, _)), _) => Some(Unjudged::Empty(*side)),
        (None, Some((side, _))) => Some(Unjudged::NoDrift(*side)),
        // Of a client's log as a host's no drift would be judged, however far apart the moves are.
        (None, None) if is_hosts => Some(Unjudged::Swapped),
        (None, None) => (figures.seconds == 0).then_some(Unjudged::NothingInCommon),
    }
}

/// Seconds in a row in which a field of a player was out of bounds, and the first of them.
#[derive(Default)]
struct Run {
    seconds: u32,
    first: Option<Divergence>,
}

/// The scores of a player a second ago.
#[derive(Clone, Copy, Default)]
struct Scores {
    /// The host's and the client's, where both list it.
    were: Option<[i32; 2]>,
    /// The client's was the host's of the second before.
    followed: bool,
}

impl Scores {
    /// Of this second; whether the client's follows.
    fn follow(&mut self, now: Option<[i32; 2]>) -> bool {
        let before = std::mem::replace(&mut self.were, now);
        before.zip(now).is_some_and(|([host, old], [_, new])| new == host && new != old)
    }
}

#[derive(Default)]
struct Comparison {
    /// By slot, then as [`PLAYER_FIELDS`].
    runs: Vec<[Run; PLAYER_FIELDS.len()]>,
    /// By slot.
    scores: Vec<Scores>,
    failed: Option<Divergence>,
    figures: Figures,
    first_drift: Option<u32>,
}

impl Comparison {
    fn drift(&mut self, line: &Line) {
        let Some(drift) = line.drift.filter(|drift| drift.ticks > 0) else { return };
        self.first_drift.get_or_insert(line.tick);
        let total = &mut self.figures.drift;
        let sum = total.mean * total.ticks as f64 + drift.mean * drift.ticks as f64;
        total.ticks = total.ticks.saturating_add(drift.ticks);
        total.apart = total.apart.saturating_add(drift.apart);
        total.mean = sum / total.ticks as f64;
        total.largest = total.largest.max(drift.largest);
    }

    fn second(&mut self, host: &Line, client: &Line) {
        self.figures.seconds += 1;
        self.figures.corrected = [host.counts.corrected, client.counts.corrected];
        let slots = host.players.iter().chain(&client.players).map(|player| usize::from(player.slot) + 1);
        let slots = slots.max().unwrap_or(0).max(self.runs.len());
        self.runs.resize_with(slots, Default::default);
        self.scores.resize(slots, Scores::default());
        let mut players = vec![[None; 2]; slots];
        for (side, line) in [host, client].into_iter().enumerate() {
            // Of one that stands in a line twice the first counts, as for `Line::player`.
            line.players
                .iter()
                .rev()
                .for_each(|player| players[usize::from(player.slot)][side] = Some(player));
        }
        for (slot, [host_player, client_player]) in (0..=u8::MAX).zip(players) {
            self.player(host.tick, slot, host_player, client_player);
        }
    }

    fn player(&mut self, tick: u32, slot: u8, host: Option<&Player>, client: Option<&Player>) {
        if let (Some(Alive { position: a, .. }), Some(Alive { position: b, .. })) =
            (host.and_then(|p| p.alive.as_ref()), client.and_then(|p| p.alive.as_ref()))
        {
            let apart = distance(a, b);
            self.figures.positions += 1;
            self.figures.mean_wu += (apart - self.figures.mean_wu) / f64::from(self.figures.positions);
            self.figures.largest_wu = self.figures.largest_wu.max(apart);
        }
        let now = host.zip(client).map(|(host, client)| [host.record.score, client.record.score]);
        let scores = &mut self.scores[usize::from(slot)];
        let follows = scores.follow(now);
        let followed = std::mem::replace(&mut scores.followed, follows);
        for (at, field) in PLAYER_FIELDS.into_iter().enumerate() {
            let run = &mut self.runs[usize::from(slot)][at];
            let is_late = field == Field::Score && follows;
            let out = out_of_bounds(field, host, client);
            if is_late && !followed && out.is_some() {
                continue;
            }
            let Some((host, client)) = out.filter(|_| !is_late) else {
                *run = Run::default();
                continue;
            };
            run.seconds += 1;
            let first = run.first.get_or_insert(Divergence { tick, player: Some(slot), field, host, client });
            if run.seconds == field.patience() {
                let key = |d: &Divergence| (d.tick, d.player, d.field);
                if self.failed.as_ref().is_none_or(|failed| key(first) < key(failed)) {
                    self.failed = Some(first.clone());
                }
            }
        }
    }

    /// The drift is the finding where there is one: what else is out follows from it.
    fn finish(&mut self, player: Option<u8>) -> Verdict {
        let share = self.figures.apart_share();
        if share > APART_SHARE + AS_WRITTEN {
            let Drift { ticks, apart, .. } = self.figures.drift;
            return Verdict::Fail(Divergence {
                tick: self.first_drift.unwrap_or_default(),
                player,
                field: Field::Drift,
                host: format!("{apart} of {ticks} ticks apart"),
                client: format!("{:.0}% allowed", 100.0 * APART_SHARE),
            });
        }
        self.failed.take().map_or(Verdict::Pass, Verdict::Fail)
    }
}
