//! The game types' states as they travel (kind 7, FACT wire 3.8). Knows what a state may say, not what a game makes
//! of it.
//!
//! A message is [`GameStateHeader`] and the body of the running game type, exactly; it counts nothing and is never
//! split.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::{ObjectId, Slot};
use crate::layout::{Pad, Plain, layout};
use crate::limits::MAX_PLAYERS;
use crate::space::Vec3;

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
    /// 0 while it is played; above, how far its end is. It only rises in a game, and any number may travel.
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

/// The most points of a hill.
pub const MOST_HILL_POINTS: i32 = 12;
/// A hill's last state: 0 uncontrolled to 4 contested.
const LAST_HILL_STATE: i32 = 4;
/// [`SlayerState::speed`] of a player as fast as ever.
pub const USUAL_SPEED: u16 = 16384;

impl GameState {
    /// Reads what follows the header of a message of kind 7, in a game of that type (0 none, 1 ctf to 5 race).
    ///
    /// Refused are a game type that has no state, a body that is not exactly as long as the type's (WIRE-78), and one that
    /// [`GameState::check`] refuses (WIRE-79).
    pub fn read(body: &[u8], game_type: u8) -> Result<Self, Error> {
        let size = GameStateHeader::SIZE + body_bytes(game_type).ok_or(Error::UnknownKind)?;
        if body.len() > size {
            return Err(Error::TrailingBytes);
        }
        let header = GameStateHeader::read(body)?;
        let bytes = &body[GameStateHeader::SIZE..];
        let body = match game_type {
            1 => Body::Ctf(CtfState::read(bytes)?),
            2 => Body::Slayer(SlayerState::read(bytes)?),
            3 => Body::Oddball(OddballState::read(bytes)?),
            4 => Body::King(KingState::read(bytes)?),
            5 => Body::Race(RaceState::read(bytes)?),
            _ => return Err(Error::UnknownKind),
        };
        let state = Self { post_game_phase: header.post_game_phase, body };
        state.check().map(|()| state)
    }

    /// Whether it means something: who is named is a slot or nobody (0xFF), a flag an object or none, a team 0..128 or
    /// none, a hill within its points and states; every number with a fraction is finite, and the hill's points are
    /// places of the level. Scores, counts, ticks and the phase may be anything.
    pub fn check(&self) -> Result<(), Error> {
        match &self.body {
            Body::Ctf(state) => state.check(),
            Body::Slayer(state) => each(&state.target, player),
            Body::Oddball(state) => state.check(),
            Body::King(state) => state.check(),
            Body::Race(_) => Ok(()),
        }
    }

    /// Appends what follows the message's header.
    pub fn write(&self, to: &mut Vec<u8>) {
        GameStateHeader { post_game_phase: self.post_game_phase }.write(to);
        match &self.body {
            Body::Ctf(state) => state.write(to),
            Body::Slayer(state) => state.write(to),
            Body::Oddball(state) => state.write(to),
            Body::King(state) => state.write(to),
            Body::Race(state) => state.write(to),
        }
    }

    /// The game type's number, 1..=5.
    pub const fn game_type(&self) -> u8 {
        match self.body {
            Body::Ctf(_) => 1,
            Body::Slayer(_) => 2,
            Body::Oddball(_) => 3,
            Body::King(_) => 4,
            Body::Race(_) => 5,
        }
    }
}

impl Body {
    /// Of a game of that type (1 ctf to 5 race) in which nothing has happened: nobody is named, nothing counted.
    pub fn begin(game_type: u8) -> Option<Self> {
        const NOBODY: u8 = 0xFF;
        let zeros = [0; RaceState::SIZE];
        Some(match game_type {
            1 => Self::Ctf(CtfState {
                flag_weapon: [-1; 2],
                flag_place: [-1; 2],
                flag_team: [0, 1],
                capturer: [NOBODY; 2],
                grabber: [NOBODY; 2],
                returner: [NOBODY; 2],
                ..CtfState::get(&zeros)
            }),
            2 => Self::Slayer(SlayerState {
                target: [NOBODY; MAX_PLAYERS],
                speed: [USUAL_SPEED; MAX_PLAYERS],
                ..SlayerState::get(&zeros)
            }),
            3 => Self::Oddball(OddballState {
                owner: [NOBODY; 16],
                transfer_player: NOBODY,
                ..OddballState::get(&zeros)
            }),
            4 => Self::King(KingState { previous_controller: -1, hill: -1, ..KingState::get(&zeros) }),
            5 => Self::Race(RaceState { first_flag: [-1; MAX_PLAYERS], ..RaceState::get(&zeros) }),
            _ => return None,
        })
    }
}

/// Checks each of them.
fn each<T: Copy>(all: &[T], check: impl Fn(T) -> Result<(), Error>) -> Result<(), Error> {
    all.iter().try_for_each(|one| check(*one))
}

/// A slot, or nobody.
fn player(byte: u8) -> Result<(), Error> {
    Slot::read_or_none(byte).map(|_| ())
}

/// A team or a player, or none.
fn index(of: i32) -> Result<(), Error> {
    if (-1..MAX_PLAYERS as i32).contains(&of) { Ok(()) } else { Err(Error::BadIndex) }
}

fn finite(number: f32) -> Result<(), Error> {
    if number.is_finite() { Ok(()) } else { Err(Error::NotFinite) }
}

impl CtfState {
    fn check(&self) -> Result<(), Error> {
        each(&self.flag_weapon, |of| ObjectId::read_or_none(of).map(|_| ()))?;
        each(&self.flag_team, |of| index(of.into()))?;
        each(&[self.capturer, self.grabber, self.returner], |of| each(&of, player))
    }
}

impl OddballState {
    fn check(&self) -> Result<(), Error> {
        each(&self.owner, player)?;
        player(self.transfer_player)
    }
}

impl KingState {
    fn check(&self) -> Result<(), Error> {
        if !(0..=MOST_HILL_POINTS).contains(&self.point_count) {
            return Err(Error::OutOfRange);
        }
        if !(0..=LAST_HILL_STATE).contains(&self.state) {
            return Err(Error::BadFlag);
        }
        index(self.previous_controller)?;
        each(&self.points, |of| Vec3::read_position(of).map(|_| ()))?;
        Vec3::read_position(self.centre)?;
        each(self.hull.as_flattened(), finite)?;
        each(&[self.top, self.bottom], finite)
    }
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
        /// Balls that came back and that nobody had touched since the last time, wrapping.
        resets: u8 = 1104,
        /// Balls that came back having been touched, wrapping; those are not counted in `resets` (ours).
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
