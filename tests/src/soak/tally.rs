//! What a game had in it. Knows no game.

use std::fmt;
use std::ops::AddAssign;

use mjolnir_engine_glue::damage::Error;

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
    /// Hits that clients reported to their host.
    pub hits: u64,
    /// Of these, those dealt.
    pub dealt: u64,
    /// Of these, those refused, by why, as [`Error::ALL`] has them.
    pub refused: [u64; Error::ALL.len()],
    /// Players that died of a blow.
    pub deaths: u64,
    /// Units that fell on a client with nothing to show.
    pub silent: u64,
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
        self.hits += other.hits;
        self.dealt += other.dealt;
        self.refused.iter_mut().zip(other.refused).for_each(|(sum, more)| *sum += more);
        self.deaths += other.deaths;
        self.silent += other.silent;
        self.digest ^= other.digest;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { micros, games, episodes, joins, leaves, kills, reliable, compared, .. } = self;
        let Self { hits, dealt, refused, deaths, silent, .. } = self;
        let hours = *micros as f64 / 3.6e9;
        write!(
            f,
            "{hours:.1} h in {games} games, {episodes} times of trouble; {joins} machines joined, {leaves} left, \
             {kills} were lost; {reliable} reliable messages, {compared} places compared; {deaths} deaths by a blow, \
             {silent} units fell without one; of {hits} hits {dealt} were dealt"
        )?;
        let refused = Error::ALL.iter().zip(refused).filter(|(_, count)| **count > 0);
        refused.into_iter().try_for_each(|(why, count)| write!(f, ", {count} refused as {why}"))
    }
}
