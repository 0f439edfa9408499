//! What a game had in it. Knows no game.

use std::fmt;
use std::ops::AddAssign;

/// How much of what was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Microseconds of games.
    pub micros: u64,
    /// Games begun.
    pub games: u64,
    /// Times of trouble, each with a quiet one after it.
    pub episodes: u64,
    /// Machines that asked to join.
    pub joins: u64,
    /// Machines that left in order.
    pub leaves: u64,
    /// Machines that ended without a word, or were cut off for good.
    pub kills: u64,
    /// Messages of streams seen sent and heard.
    pub reliable: u64,
    /// Places of players compared.
    pub compared: u64,
    /// A digest of all that every machine had at the end.
    pub digest: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.micros += other.micros;
        self.games += other.games;
        self.episodes += other.episodes;
        self.joins += other.joins;
        self.leaves += other.leaves;
        self.kills += other.kills;
        self.reliable += other.reliable;
        self.compared += other.compared;
        self.digest ^= other.digest;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { micros, games, episodes, joins, leaves, kills, reliable, compared, .. } = self;
        let hours = *micros as f64 / 3.6e9;
        write!(
            f,
            "{hours:.1} h in {games} games, {episodes} times of trouble; {joins} machines joined, {leaves} left, \
             {kills} were lost; {reliable} reliable messages, {compared} places compared"
        )
    }
}
