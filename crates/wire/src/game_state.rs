//! The game types' states as they travel (kind 7, FACT wire 3.8). Only the layouts: the checks come with the crate
//! that keeps them.
//!
//! A message is [`GameStateHeader`] and the body of the running game type, exactly; it counts nothing and is never
//! split.

use crate::layout::{Pad, layout};

/// Game types by the number that travels in settings; 0 is none, co-op (FACT wire 3.8).
pub const GAME_TYPES: [(&str, u32); 6] =
    [("none", 0), ("ctf", 1), ("slayer", 2), ("oddball", 3), ("king", 4), ("race", 5)];

/// Bytes of a game type's body; none for co-op, which has none, and for what is no game type (WIRE-78).
pub const fn body_bytes(game_type: u8) -> Option<usize> {
    match game_type {
        1 => Some(CtfState::SIZE),
        2 => Some(SlayerState::SIZE),
        3 => Some(OddballState::SIZE),
        4 => Some(KingState::SIZE),
        5 => Some(RaceState::SIZE),
        _ => None,
    }
}

/// A message of kind 7: how far the game's end is, and all that its type counts.
#[derive(Clone, Debug, PartialEq)]
pub struct GameState {
    /// 0 while it is played; above, how far its end is. It only rises in a game.
    pub post_game_phase: i32,
    /// The running game type's.
    pub body: Body,
}

/// What a game type counts.
#[allow(
    clippy::large_enum_variant,
    reason = "one a game, kept in place so that a steady tick allocates nothing"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Capture the flag.
    Ctf(CtfState),
    /// Slayer.
    Slayer(SlayerState),
    /// Oddball.
    Oddball(OddballState),
    /// King of the hill.
    King(KingState),
    /// Race.
    Race(RaceState),
}

layout! {
    /// What stands before every body.
    pub struct GameStateHeader = 4 {
        /// How far the game's end is.
        post_game_phase: i32 = 0,
    }

    /// Slayer's.
    pub struct SlayerState = 1408 {
        /// Of each team.
        team_score: [i32; 128] = 0,
        /// Of each player.
        player_score: [i32; 128] = 512,
        /// Whom each player hunts, 0xFF nobody.
        target: [u8; 128] = 1024,
        /// How fast each player is, in 16384ths.
        speed: [u16; 128] = 1152,
    }

    /// Capture the flag's.
    pub struct CtfState = 56 {
        /// Each team's flag, an object.
        flag_weapon: [i32; 2] = 0,
        /// Of each team.
        score: [i32; 2] = 8,
        /// Whether each team was warned.
        warning_given: [u8; 2] = 16,
        /// Nothing.
        pad_18: Pad<2> = 18,
        /// Ticks to each team's next warning.
        warning_ticks: [i32; 2] = 20,
        /// Ticks to the change of sides.
        swap_timer: i32 = 28,
        /// Where each flag belongs.
        flag_place: [i32; 2] = 32,
        /// Whose each flag is.
        flag_team: [i16; 2] = 40,
        /// Each team's captures, wrapping.
        captures: [u8; 2] = 44,
        /// Who captured last.
        capturer: [u8; 2] = 46,
        /// Each team's grabs, wrapping.
        grabs: [u8; 2] = 48,
        /// Who grabbed last.
        grabber: [u8; 2] = 50,
        /// Each team's returns, wrapping.
        returns: [u8; 2] = 52,
        /// Who returned last.
        returner: [u8; 2] = 54,
    }

    /// Oddball's.
    pub struct OddballState = 1108 {
        /// Of each team.
        team_score: [i32; 128] = 0,
        /// Of each player.
        player_score: [i32; 128] = 512,
        /// Ticks to each ball's return.
        spawn_timer: [i32; 16] = 1024,
        /// Who has each ball, 0xFF nobody.
        owner: [u8; 16] = 1088,
        /// Balls that came back, wrapping.
        resets: u8 = 1104,
        /// Balls that came back having been touched, wrapping.
        touched_resets: u8 = 1105,
        /// Balls that changed hands, wrapping.
        transfers: u8 = 1106,
        /// Who took one last.
        transfer_player: u8 = 1107,
    }

    /// King of the hill's.
    pub struct KingState = 1436 {
        /// Of each player or team.
        score: [i32; 128] = 0,
        /// When each scored last.
        score_tick: [i32; 128] = 512,
        /// Whether each player stands on the hill.
        on_hill: [u8; 128] = 1024,
        /// Points in use, at most 12.
        point_count: i32 = 1152,
        /// The hill's corners.
        points: [[f32; 3]; 12] = 1156,
        /// Its outline on the ground.
        hull: [[f32; 2]; 12] = 1300,
        /// Its middle.
        centre: [f32; 3] = 1396,
        /// 0 uncontrolled to 4 contested.
        state: i32 = 1408,
        /// Ticks it was controlled.
        controlled_count: i32 = 1412,
        /// Who controlled it before.
        previous_controller: i32 = 1416,
        /// Its upper end.
        top: f32 = 1420,
        /// Its lower end.
        bottom: f32 = 1424,
        /// Which hill it is.
        hill: i32 = 1428,
        /// Ticks to the next hill.
        timer: i32 = 1432,
    }

    /// Race's.
    pub struct RaceState = 2704 {
        /// The flags that make a lap, a bit each.
        lap_completed_mask: u32 = 0,
        /// Where each player began.
        first_flag: [i32; 128] = 4,
        /// The flags that each player has touched, a bit each.
        lap_bits: [i32; 128] = 516,
        /// The flag that a rally is at.
        rally_flag: i32 = 1028,
        /// Of each team.
        team_laps: [i32; 128] = 1032,
        /// A score that stays.
        persistent_score: i32 = 1544,
        /// Whether vehicles were added.
        vehicles_added: u8 = 1548,
        /// Nothing.
        pad_1549: Pad<3> = 1549,
        /// Each player's touches, wrapping.
        touches: [u8; 128] = 1552,
        /// Each player's laps, wrapping.
        laps: [u8; 128] = 1680,
        /// Each player's best laps, wrapping.
        best_laps: [u8; 128] = 1808,
        /// Each player's last lap, in ticks.
        last_lap: [i16; 128] = 1936,
        /// Each player's best lap, in ticks.
        best_lap: [i16; 128] = 2192,
        /// Laps each player has run.
        laps_completed: [i16; 128] = 2448,
    }
}
