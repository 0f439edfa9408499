//! A player's statistics as they travel (kind 3, FACT wire 3.4). Knows whose they are, not what they count for: they are
//! copied whole.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::Slot;
use crate::layout::{Pad, Plain, layout};
use crate::message::Message;

layout! {
    /// What is counted of a player in a game.
    pub struct Statistics = 60 {
        /// What the score board sorts by.
        sort_key: i16 = 0,
        /// Games played.
        games_played: i16 = 2,
        /// Games won.
        games_won: i16 = 4,
        /// Kills since the last death.
        kills_in_a_row: i16 = 6,
        /// Kills shortly after each other.
        multiple_kills: i16 = 8,
        /// When the last kill was, in ticks.
        last_kill_time: i16 = 10,
        /// Kills of each kind.
        kills_by_kind: [i16; 4] = 12,
        /// Assists of each kind.
        assists_by_kind: [i16; 4] = 20,
        /// Kills of friends.
        friendly_fire_kills: i16 = 28,
        /// Deaths.
        deaths: i16 = 30,
        /// Suicides.
        suicides: i16 = 32,
        /// Nothing.
        pad_34: Pad<2> = 34,
        /// Shots fired.
        shots_fired: i32 = 36,
        /// Shots that hit.
        shots_hit: i32 = 40,
        /// Seconds in the game.
        seconds_online: i32 = 44,
        /// Whether it killed a teammate.
        killed_a_teammate: i16 = 48,
        /// Bytes in use of what follows.
        custom_data_size: i16 = 50,
        /// ctf: grabs, returns, scores; oddball: time, carriers killed, kills as carrier; king: time on the hill;
        /// race: last lap, laps, best lap.
        by_game_type: [i16; 3] = 52,
        /// Nothing.
        pad_58: Pad<2> = 58,
    }

    /// An entry of kind 3.
    pub struct PlayerStatisticsEntry = 64 {
        /// Whose they are, 0..128.
        player: i16 = 0,
        /// Nothing.
        pad_2: Pad<2> = 2,
        /// Copied whole.
        statistics: Statistics = 4,
    }
}

impl Statistics {
    /// Of a player of whom nothing was counted.
    pub fn none() -> Self {
        Self::get(&[0; Self::SIZE])
    }
}

/// A player's statistics, checked (WIRE-75).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerStatistics {
    /// Whose.
    pub slot: Slot,
    /// All of them.
    pub statistics: Statistics,
}

impl PlayerStatistics {
    /// Checks an entry that came: the player is one. Whatever is counted of it is taken.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = PlayerStatisticsEntry::read(bytes)?;
        let slot = u8::try_from(raw.player).ok().and_then(Slot::new).ok_or(Error::BadIndex)?;
        Ok(Self { slot, statistics: raw.statistics })
    }

    /// The entries of a kind 3 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        PlayerStatisticsEntry { player: self.slot.get().into(), pad_2: Pad, statistics: self.statistics }
            .write(to);
    }
}
