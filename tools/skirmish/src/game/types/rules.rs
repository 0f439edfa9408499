//! The rules of a game, by name and as its settings say them. Knows no game that is played.

use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Wide;

use super::race::FEWEST;
use crate::game::map::Map;
use crate::game::world::RESPAWN_AFTER;

/// Ticks of a minute.
const MINUTE: u32 = 1800;

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
        to.options.time_limit = i16::try_from(self.time_limit.div_ceil(MINUTE)).unwrap_or(i16::MAX);
    }

    /// The rules that a game's settings say; none for co-op, and for what is no game type. What is below 0 is none, and
    /// 0 ticks to a respawn are this game's own. A time limit is in minutes there (the facts name no unit: ours).
    pub fn read(settings: &SettingsRecord) -> Option<Self> {
        let variant = &settings.variant;
        let of = GameType::of(variant.game_type)?;
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
            time_limit: u32::try_from(settings.options.time_limit).unwrap_or_default() * MINUTE,
            respawn,
            respawn_growth: ticks(variant.respawn_growth),
            suicide_penalty: ticks(variant.suicide_penalty),
        })
    }
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
            let rules = Rules { time_limit: 10 * MINUTE, respawn: 150, respawn_growth: 30, ..named };
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
        settings.variant.respawn = i32::MAX;
        assert_eq!(Rules::read(&settings).unwrap().respawn, u16::MAX);
    }
}
