//! A player's statistics as they travel (kind 3, FACT wire 3.4). Only the layout: the checks come with the crate
//! that keeps them.

use crate::layout::{Pad, layout};

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
