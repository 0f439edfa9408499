//! The players of a game: who they are, whose machine's, and how they do. Knows no unit beyond its name.

use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Tick};

use super::cheats::Cheats;
use super::types;

/// A player. Its slot is its place in the world's table, the same on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// The machine it plays at.
    pub machine: Machine,
    /// Its team, where there are teams.
    pub team: Option<u8>,
    /// Its unit while it lives.
    pub unit: Option<ObjectId>,
    /// It is no longer in the game; its place is kept until the game ends.
    pub left: bool,
    /// What is counted of it.
    pub statistics: Statistics,
    /// Ticks until it may come back; counted by the host alone.
    pub wait: u16,
    /// Friends that it killed in this life; counted by the host alone.
    pub betrayals: u16,
    /// The buttons that it held in the tick simulated last; kept by the one who decides, and where it plays.
    pub held: Buttons,
    /// What it does, from when it was last driven.
    pub input: Input,
    /// It plays at this very machine, which sees its hands do things before a host says so.
    pub local: bool,
    /// The tick in which it last fired, reloaded or threw a grenade, where it plays at this machine.
    pub acted: Option<Tick>,
    /// Ticks until it strikes again.
    pub blow_wait: u8,
    /// It was knocked out of its scope, and has not let its zoom go since.
    pub unscoped: bool,
    /// Which of all that came to this machine's world it is: tells it from whoever had its slot before.
    pub number: u32,
    /// What it was given against the rules; of those whose own machine decides alone.
    pub cheats: Cheats,
    /// How its machine has the world, where that is another than the one who decides.
    pub sight: Option<Sight>,
}

/// How a player of another machine acts upon the world of the one who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Ticks ago that it saw the world as it acts upon it now.
    pub ago: u32,
    /// What its machine has it ride, after what it did there.
    pub rides: Rides,
}

/// What a player of another machine rides there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rides {
    /// Nothing: it is on foot.
    Nothing,
    /// It drives that.
    Drives(ObjectId),
    /// It rides along in something that its machine does not name.
    Along,
}

impl Player {
    pub(super) fn new(name: &str, machine: Machine, team: Option<u8>) -> Self {
        Self {
            name: name.to_owned(),
            machine,
            team,
            unit: None,
            left: false,
            statistics: types::none(),
            wait: 0,
            betrayals: 0,
            held: Buttons::default(),
            input: Input::default(),
            local: false,
            acted: None,
            blow_wait: 0,
            unscoped: false,
            number: 0,
            cheats: Cheats::default(),
            sight: None,
        }
    }

    /// Others that it killed.
    pub fn kills(&self) -> u16 {
        let kills: i32 = self.statistics.kills_by_kind.iter().map(|kills| i32::from(*kills)).sum();
        kills.clamp(0, u16::MAX.into()) as u16
    }

    /// Its deaths.
    pub fn deaths(&self) -> u16 {
        self.statistics.deaths.max(0) as u16
    }

    /// What counts: what the score board sorts by.
    pub fn score(&self) -> i32 {
        self.statistics.sort_key.into()
    }
}
