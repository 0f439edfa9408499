//! The per-second line, letter for letter: what it says, written and read. Knows nothing of who wrote it.
//!
//! Positions, the camera and the drift's distances have 3, 3 and 6 decimals, health and shields 2, angles 1, the
//! throttle 2; the reader takes any number of them, so that another build's log can be judged. What was read from
//! a line of ours is written back byte for byte.

use std::fmt;
use std::str::FromStr;

use crate::scan::{Fault, LineError, Scanner};

/// What one machine saw at one tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The tick.
    pub tick: u32,
    /// Every player, in the order of the list.
    pub players: Vec<Player>,
    /// Objects lying about and their comings and goings.
    pub items: Items,
    /// Whether the game is on.
    pub progress: Progress,
    /// The score that wins it.
    pub to_win: i32,
    /// Messages.
    pub counts: Counts,
    /// Hits.
    pub hits: HitCounts,
    /// What the machine's own player looks through.
    pub view: View,
    /// The host's measure of how clients' moves differ from its own; `None` in a log from before there was one.
    pub drift: Option<Drift>,
}

/// One player's part of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// Its slot.
    pub slot: u8,
    /// What only a living player has.
    pub alive: Option<Alive>,
    /// Its standing.
    pub record: Record,
}

/// A living player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alive {
    /// Where it stands, or its vehicle does; world units.
    pub position: [f64; 3],
    /// Its body's health, 1 whole.
    pub body: f64,
    /// Its shield, 1 whole, up to 3 over-charged.
    pub shield: f64,
    /// Whether it rides.
    pub riding: bool,
    /// Whether it is camouflaged.
    pub camouflaged: bool,
    /// Grenades of both types.
    pub grenades: [i32; 2],
    /// Where it aims: yaw and pitch, degrees.
    pub aim: [f64; 2],
    /// Where its body faces: yaw, degrees.
    pub facing: f64,
    /// Where it looks: yaw and pitch, degrees.
    pub look: [f64; 2],
    /// Its aiming and looking screens.
    pub screens: [i32; 2],
    /// Its animation state.
    pub animation: i32,
    /// How hard it moves, 0 to 1.
    pub throttle: f64,
    /// What it carries.
    pub weapons: Vec<Weapon>,
}

/// A weapon carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weapon {
    /// Its tag index's low 16 bits.
    pub tag: u16,
    /// Rounds loaded.
    pub loaded: i32,
    /// Rounds in reserve.
    pub reserve: i32,
}

/// A player's standing, alive or dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Score.
    pub score: i32,
    /// Kills.
    pub kills: i32,
    /// Deaths.
    pub deaths: i32,
    /// Kills of its own team.
    pub team_kills: i32,
    /// Team.
    pub team: i32,
    /// Machine.
    pub machine: i32,
}

/// Objects of the host's kinds, on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Items {
    /// Lying on the ground.
    pub on_ground: u64,
    /// Created since the game's start.
    pub created: u64,
    /// Deleted since the game's start.
    pub deleted: u64,
    /// Creations that failed.
    pub failed: u64,
    /// Removed for want of the host's word.
    pub removed: u64,
}

/// Whether the game is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// It is.
    #[default]
    Playing,
    /// It was won.
    GameOver,
}

/// Messages since the game's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sent.
    pub sent: u64,
    /// Received.
    pub received: u64,
    /// Copies put where the host, or a client, has them.
    pub corrected: u64,
}

/// Hits since the game's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HitCounts {
    /// Reported.
    pub reported: u64,
    /// Dealt.
    pub dealt: u64,
    /// Rejected.
    pub rejected: u64,
    /// Replayed.
    pub replayed: u64,
}

/// What the machine's own player looks through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// The machine's first player; `None`, written -1, where it has none.
    pub slot: Option<u8>,
    /// The camera; world units.
    pub camera: [f64; 3],
    /// Ticks until it spawns again, 0 alive.
    pub respawn: i32,
}

/// How far apart a client's moves of its players and the host's moves of them were in the second; a client's is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// Ticks compared.
    pub ticks: u64,
    /// Of them apart.
    pub apart: u64,
    /// Mean distance, world units.
    pub mean: f64,
    /// Largest distance, world units.
    pub largest: f64,
}

/// How each line begins.
pub(crate) const OPENING: &str = "network test: tick ";

impl Line {
    /// The player of that slot.
    pub fn player(&self, slot: u8) -> Option<&Player> {
        self.players.iter().find(|player| player.slot == slot)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPENING}{}", self.tick)?;
        for player in &self.players {
            write!(f, " {player}")?;
        }
        let Items { on_ground, created, deleted, failed, removed } = self.items;
        write!(f, " | items {on_ground} (+{created} -{deleted} !{failed} x{removed})")?;
        write!(f, " | {} to {}", self.progress, self.to_win)?;
        let Counts { sent, received, corrected } = self.counts;
        write!(f, " | sent {sent} received {received} corrected {corrected}")?;
        let HitCounts { reported, dealt, rejected, replayed } = self.hits;
        write!(f, " | hits {reported} dealt {dealt} rejected {rejected} replayed {replayed}")?;
        let View { slot, camera: [x, y, z], respawn } = self.view;
        let slot = slot.map_or(-1, i32::from);
        write!(f, " | local {slot} camera ({x:.3} {y:.3} {z:.3}) respawn {respawn}")?;
        if let Some(Drift { ticks, apart, mean, largest }) = self.drift {
            write!(f, " | drift {ticks} {apart} {mean:.6} {largest:.6}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}: ", self.slot)?;
        match &self.alive {
            Some(alive) => write!(f, "{alive}")?,
            None => f.write_str("dead")?,
        }
        let Record { score, kills, deaths, team_kills, team, machine } = self.record;
        write!(f, " s{score} k{kills} d{deaths} f{team_kills} t{team} m{machine}")
    }
}

impl fmt::Display for Alive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.position;
        write!(f, "({x:.3} {y:.3} {z:.3}) h{:.2}/{:.2}", self.body, self.shield)?;
        if self.riding {
            f.write_str(" riding")?;
        }
        if self.camouflaged {
            f.write_str(" camo")?;
        }
        write!(f, " g{}/{} w", self.grenades[0], self.grenades[1])?;
        write!(f, " a{:.1}/{:.1} f{:.1}", self.aim[0], self.aim[1], self.facing)?;
        write!(f, " l{:.1}/{:.1} as{}/{}", self.look[0], self.look[1], self.screens[0], self.screens[1])?;
        write!(f, " st{} thr{:.2}", self.animation, self.throttle)?;
        for weapon in &self.weapons {
            write!(f, " {weapon}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Weapon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}:{}+{}", self.tag, self.loaded, self.reserve)
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Playing => "playing",
            Self::GameOver => "game over",
        })
    }
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let s = &mut Scanner::new(line);
        let tick = s.whole(OPENING)?;
        let mut players: Vec<Player> = Vec::new();
        while s.take(" player ") {
            let before = s.fault(Fault::Repeated);
            let player = Player::scan(s)?;
            if players.iter().any(|earlier| earlier.slot == player.slot) {
                return Err(before);
            }
            players.push(player);
        }
        let items = Items {
            on_ground: s.whole(" | items ")?,
            created: s.whole(" (+")?,
            deleted: s.whole(" -")?,
            failed: s.whole(" !")?,
            removed: s.whole(" x")?,
        };
        s.expect(") | ")?;
        let progress = if s.take("game over") {
            Progress::GameOver
        } else {
            s.expect("playing")?;
            Progress::Playing
        };
        let to_win = s.whole(" to ")?;
        let counts = Counts {
            sent: s.whole(" | sent ")?,
            received: s.whole(" received ")?,
            corrected: s.whole(" corrected ")?,
        };
        let hits = HitCounts {
            reported: s.whole(" | hits ")?,
            dealt: s.whole(" dealt ")?,
            rejected: s.whole(" rejected ")?,
            replayed: s.whole(" replayed ")?,
        };
        s.expect(" | local ")?;
        let slot = if s.take("-1") { None } else { Some(s.whole("")?) };
        s.expect(" camera ")?;
        let view = View { slot, camera: point(s)?, respawn: s.whole(" respawn ")? };
        let drift = if s.take(" | drift ") {
            Some(Drift {
                ticks: s.whole("")?,
                apart: s.whole(" ")?,
                mean: s.real(" ")?,
                largest: s.real(" ")?,
            })
        } else {
            None
        };
        s.end()?;
        Ok(Self { tick, players, items, progress, to_win, counts, hits, view, drift })
    }
}

impl Player {
    fn scan(s: &mut Scanner<'_>) -> Result<Self, LineError> {
        let slot = s.whole("")?;
        s.expect(": ")?;
        let alive = if s.take("dead") { None } else { Some(Alive::scan(s)?) };
        let record = Record {
            score: s.whole(" s")?,
            kills: s.whole(" k")?,
            deaths: s.whole(" d")?,
            team_kills: s.whole(" f")?,
            team: s.whole(" t")?,
            machine: s.whole(" m")?,
        };
        Ok(Self { slot, alive, record })
    }
}

impl Alive {
    fn scan(s: &mut Scanner<'_>) -> Result<Self, LineError> {
        Ok(Self {
            position: point(s)?,
            body: s.real(" h")?,
            shield: s.real("/")?,
            riding: s.take(" riding"),
            camouflaged: s.take(" camo"),
            grenades: [s.whole(" g")?, s.whole("/")?],
            aim: [s.real(" w a")?, s.real("/")?],
            facing: s.real(" f")?,
            look: [s.real(" l")?, s.real("/")?],
            screens: [s.whole(" as")?, s.whole("/")?],
            animation: s.whole(" st")?,
            throttle: s.real(" thr")?,
            weapons: weapons(s)?,
        })
    }
}

fn weapons(s: &mut Scanner<'_>) -> Result<Vec<Weapon>, LineError> {
    let mut weapons = Vec::new();
    while s.at_weapon() {
        s.expect(" ")?;
        weapons.push(Weapon { tag: s.hex()?, loaded: s.whole(":")?, reserve: s.whole("+")? });
    }
    Ok(weapons)
}

fn point(s: &mut Scanner<'_>) -> Result<[f64; 3], LineError> {
    let point = [s.real("(")?, s.real(" ")?, s.real(" ")?];
    s.expect(")")?;
    Ok(point)
}
