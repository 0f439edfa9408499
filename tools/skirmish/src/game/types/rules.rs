//! The rules of a game, by name and as its settings say them. Knows no game that is played.

use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::settings::Options;
use mjolnir_wire::packets::text::Wide;

use super::SECOND;
use super::race::FEWEST;
use crate::game::map::Map;
use crate::game::world::{COUNTED, RESPAWN_AFTER};

/// Ticks of a minute.
const MINUTE: u32 = 1800;
/// A team's vehicle set: the PC version's, and what its counts say (FACT wire 4.3).
const PC: u8 = 0xFE;
const CUSTOM: u8 = 0xFF;

/// Which game is played (FACT wire 3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameType {
    /// Capture the flag.
    Ctf,
    /// Slayer.
    Slayer,
    /// Oddball.
    Oddball,
    /// King of the hill.
    King,
    /// Race.
    Race,
}

impl GameType {
    const ALL: [Self; 5] = [Self::Ctf, Self::Slayer, Self::Oddball, Self::King, Self::Race];

    /// The number by which it travels.
    pub const fn number(self) -> i32 {
        self as i32 + 1
    }

    /// The game type of that number; none for co-op, and for what is no number of one.
    pub fn of(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.number() == number)
    }
}

/// What players of a team do to each other by shooting (FACT wire 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FriendlyFire {
    /// What they do to anybody.
    On,
    /// Nothing.
    Off,
    /// They hurt the shield alone.
    ShieldsOnly,
    /// They hurt by what explodes alone.
    ExplosivesOnly,
}

impl FriendlyFire {
    const ALL: [Self; 4] = [Self::On, Self::Off, Self::ShieldsOnly, Self::ExplosivesOnly];

    /// By its number; on where there is no such.
    fn of(number: i16) -> Self {
        Self::ALL.into_iter().find(|of| *of as i16 == number).unwrap_or(Self::On)
    }
}

/// A game's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Which game.
    pub of: GameType,
    /// Whether teams play, and not each for itself.
    pub teams: bool,
    /// The score that ends the game, as the score board counts it: kills, captures, seconds, laps; 0 for none.
    pub score_limit: i32,
    /// Ticks after which the game ends; 0 for none.
    pub time_limit: u32,
    /// Ticks from a death until its player comes back.
    pub respawn: u16,
    /// Ticks more for each death before.
    pub respawn_growth: u16,
    /// Ticks more for a suicide.
    pub suicide_penalty: u16,
    /// Ticks more for each friend killed in that life.
    pub betrayal_penalty: u16,
    /// Deaths after which one does not come back; 0 for none.
    pub lives: u16,
    /// What friends do to each other.
    pub friendly_fire: FriendlyFire,
    /// Ticks after which a vehicle that was left is back where it stood at first; 0 for never.
    pub vehicle_respawn: u32,
    /// How many vehicles of each kind there are at most, in the order of [`COUNTED`]; none for all that the map has.
    pub vehicles: Option<[u8; COUNTED.len()]>,
}

impl Rules {
    /// The variants, by name.
    pub const NAMES: [&'static str; 6] = ["slayer", "team_slayer", "ctf", "oddball", "king", "race"];

    /// That game with no end of its own.
    pub const fn endless(of: GameType, teams: bool) -> Self {
        Self {
            of,
            teams,
            score_limit: 0,
            time_limit: 0,
            respawn: RESPAWN_AFTER,
            respawn_growth: 0,
            suicide_penalty: 0,
            betrayal_penalty: 0,
            lives: 0,
            friendly_fire: FriendlyFire::On,
            vehicle_respawn: 0,
            vehicles: None,
        }
    }

    /// The variant of that name. Its limits are ours.
    pub fn named(name: &str) -> Option<Self> {
        let (of, teams, score_limit) = match name {
            "slayer" => (GameType::Slayer, false, 25),
            "team_slayer" => (GameType::Slayer, true, 50),
            "ctf" => (GameType::Ctf, true, 3),
            "oddball" => (GameType::Oddball, false, 60),
            "king" => (GameType::King, false, 60),
            "race" => (GameType::Race, false, 3),
            _ => return None,
        };
        Some(Self { score_limit, ..Self::endless(of, teams) })
    }

    /// What a map lacks of what the game is about.
    pub fn lacks(&self, map: &Map) -> Option<&'static str> {
        let marks = &map.marks;
        match self.of {
            GameType::Ctf if marks.stands.contains(&None) => Some("a flag for each team"),
            GameType::Oddball if marks.balls.is_empty() => Some("a ball"),
            GameType::King if marks.hills.is_empty() => Some("a hill"),
            GameType::Race if marks.race.len() < FEWEST => Some("a race"),
            _ => None,
        }
    }

    /// Writes them into a game's settings.
    pub fn write(&self, name: &str, to: &mut SettingsRecord) {
        let variant = &mut to.variant;
        variant.label = Wide::cut(name);
        variant.game_type = self.of.number();
        variant.teams = u8::from(self.teams);
        variant.score_limit = self.score_limit;
        variant.respawn = i32::from(self.respawn);
        variant.respawn_growth = i32::from(self.respawn_growth);
        variant.suicide_penalty = i32::from(self.suicide_penalty);
        variant.lives = i32::from(self.lives);
        let whole = |ticks: u32, unit: u32| i16::try_from(ticks.div_ceil(unit)).unwrap_or(i16::MAX);
        let options = &mut to.options;
        options.time_limit = whole(self.time_limit, MINUTE);
        options.friendly_fire = self.friendly_fire as i16;
        options.betrayal_penalty = whole(self.betrayal_penalty.into(), SECOND as u32);
        options.vehicle_respawn = whole(self.vehicle_respawn, SECOND as u32);
        let set = if self.vehicles.is_some() { CUSTOM } else { PC };
        (options.vehicle_set, options.vehicle_counts) =
            ([set; 2], [self.vehicles.unwrap_or_default(), [0; 6]]);
    }

    /// Writes into a game's settings that no game type is played: co-op.
    pub fn write_coop(name: &str, to: &mut SettingsRecord) {
        let nothing = SettingsRecord::empty();
        (to.variant, to.options) = (nothing.variant, nothing.options);
        to.variant.label = Wide::cut(name);
    }

    /// The rules that a game's settings say; none for co-op, and for what is no game type. What is below 0 is none, and
    /// 0 ticks to a respawn are this game's own. A time limit is in minutes there (the facts name no unit: ours).
    pub fn read(settings: &SettingsRecord) -> Option<Self> {
        let SettingsRecord { variant, options, .. } = settings;
        let of = GameType::of(variant.game_type)?;
        let seconds = |number: i16| u32::try_from(number).unwrap_or_default() * SECOND as u32;
        let ticks = |number: i32| u16::try_from(number.clamp(0, i32::from(u16::MAX))).unwrap_or_default();
        let respawn = match ticks(variant.respawn) {
            0 => RESPAWN_AFTER,
            ticks => ticks,
        };
        Some(Self {
            of,
            // Flags are teams' (FACT wire 3.8).
            teams: variant.teams != 0 || of == GameType::Ctf,
            score_limit: variant.score_limit.max(0),
            time_limit: u32::try_from(options.time_limit).unwrap_or_default() * MINUTE,
            respawn,
            respawn_growth: ticks(variant.respawn_growth),
            suicide_penalty: ticks(variant.suicide_penalty),
            betrayal_penalty: u16::try_from(seconds(options.betrayal_penalty)).unwrap_or(u16::MAX),
            lives: ticks(variant.lives),
            friendly_fire: FriendlyFire::of(options.friendly_fire),
            vehicle_respawn: seconds(options.vehicle_respawn),
            vehicles: vehicles(options),
        })
    }
}

/// What both teams' sets name together, where one is custom: maps here have vehicles for nobody's team.
fn vehicles(options: &Options) -> Option<[u8; COUNTED.len()]> {
    let sets = options.vehicle_set.into_iter().zip(options.vehicle_counts);
    let custom = sets.filter(|(set, _)| *set == CUSTOM).map(|(_, counts)| counts);
    custom.reduce(|a, b| std::array::from_fn(|kind| a[kind].saturating_add(b[kind])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every variant has a name, its number of FACT wire 3.8, and comes back from the settings as it was; what the
    /// settings do not mean is none.
    #[test]
    fn rules_travel_in_the_settings() {
        let mut numbers = Vec::new();
        for name in Rules::NAMES {
            let named = Rules::named(name).unwrap();
            let rules = Rules {
                time_limit: 10 * MINUTE,
                respawn: 150,
                respawn_growth: 30,
                betrayal_penalty: 300,
                lives: 3,
                friendly_fire: FriendlyFire::ShieldsOnly,
                vehicle_respawn: 1800,
                vehicles: Some([1, 2, 0, 4, 0, 6]),
                ..named
            };
            let mut settings = SettingsRecord::empty();
            rules.write(name, &mut settings);
            assert_eq!((Rules::read(&settings), settings.check()), (Some(rules), Ok(())));
            assert_eq!(settings.variant.label.to_string(), name);
            numbers.push((settings.variant.game_type, settings.variant.teams));
        }
        assert_eq!(numbers, [(2, 0), (2, 1), (1, 1), (3, 0), (4, 0), (5, 0)]);
        assert_eq!(Rules::named("chess"), None);
        let mut settings = SettingsRecord::empty();
        assert_eq!(Rules::read(&settings), None);
        settings.variant.game_type = 6;
        assert_eq!(Rules::read(&settings), None);
        settings.variant.game_type = 1;
        (settings.variant.score_limit, settings.variant.respawn, settings.options.time_limit) = (-1, -5, -1);
        let rules = Rules::read(&settings).unwrap();
        assert_eq!(rules, Rules::endless(GameType::Ctf, true));
        (settings.options.betrayal_penalty, settings.options.vehicle_respawn) = (-1, -1);
        settings.variant.lives = -1;
        assert_eq!(Rules::read(&settings), Some(rules));
        for (number, friendly_fire) in (0..).zip(FriendlyFire::ALL).chain([(4, FriendlyFire::On)]) {
            settings.options.friendly_fire = number;
            assert_eq!(Rules::read(&settings), Some(Rules { friendly_fire, ..rules }));
        }
        settings.variant.respawn = i32::MAX;
        assert_eq!(Rules::read(&settings).unwrap().respawn, u16::MAX);
    }
}
