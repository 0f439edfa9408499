//! The options of a game as a game reads them, of the record that it is loaded with (GLUE-28, FACT wire 4.3). Knows what
//! travels, not what an option does; the record is the same on every machine.

use std::time::Duration;

use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::settings::{Options, Variant};

/// Whom players of a team hurt among themselves, outside co-op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FriendlyFire {
    /// As anybody else.
    On,
    /// Not at all.
    Off,
    /// Their shields alone.
    ShieldsOnly,
    /// By explosives alone.
    ExplosivesOnly,
}

/// Whom a radar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RadarPlayers {
    /// Everybody.
    All,
    /// Friends.
    Friends,
    /// Nobody.
    Nobody,
}

/// Which vehicles a team has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VehicleSet {
    /// One of the game's own sets, by its number.
    Set(u8),
    /// The PC version's.
    Pc,
    /// As many of each as its counts say.
    Custom,
}

impl VehicleSet {
    const fn of(byte: u8) -> Self {
        match byte {
            0xFE => Self::Pc,
            0xFF => Self::Custom,
            set => Self::Set(set),
        }
    }
}

/// A game type's rules and options, each as it came; [`Session::load`](crate::Session::load) is given the record once, as a game
/// begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// 0 none (co-op), 1 capture the flag, 2 slayer, 3 oddball, 4 king of the hill, 5 race; what is none of them is 0.
    pub game_type: u8,
    /// Whether it is played in teams.
    pub teams: bool,
    /// The score that ends it; none where it has no limit.
    pub score_limit: Option<u32>,
    /// How long it is played, in the game's own unit: the facts name none. None where it has no limit.
    pub time_limit: Option<u16>,
    /// See [`FriendlyFire`].
    pub friendly_fire: FriendlyFire,
    /// How much longer who killed a friend is dead.
    pub betrayal_penalty: Duration,
    /// How long a vehicle is left before it is where it was at first; none where it stays.
    pub vehicle_respawn: Option<Duration>,
    /// Whether teams are kept even.
    pub auto_balance: bool,
    /// See [`RadarPlayers`].
    pub radar_players: RadarPlayers,
    /// Each team's.
    pub vehicle_sets: [VehicleSet; 2],
    /// How many of each kind each team has, by a custom set.
    pub vehicle_counts: [[u8; 6]; 2],
    /// What a player begins with, by number.
    pub loadout: u8,
    /// Its weapons, by number.
    pub weapons: [u8; 2],
    /// Whether the map's weapons are left out.
    pub no_map_weapons: bool,
    /// The variant whole, with what is not read here.
    pub variant: Variant,
}

/// Seconds; what is below none is none.
fn seconds(of: i16) -> Duration {
    Duration::from_secs(u64::try_from(of).unwrap_or(0))
}

impl Rules {
    /// Of the record that a game is loaded with.
    pub fn of(record: &SettingsRecord) -> Self {
        let SettingsRecord { variant, options, .. } = record;
        let Options {
            time_limit,
            friendly_fire,
            betrayal_penalty,
            vehicle_respawn,
            auto_balance,
            radar_players,
            vehicle_set,
            vehicle_counts,
            loadout,
            primary,
            secondary,
            no_map_weapons,
        } = *options;
        Self {
            game_type: u8::try_from(variant.game_type).ok().filter(|of| *of <= 5).unwrap_or(0),
            teams: variant.teams != 0,
            score_limit: u32::try_from(variant.score_limit).ok().filter(|limit| *limit > 0),
            time_limit: u16::try_from(time_limit).ok().filter(|limit| *limit > 0),
            // A record with another number is refused before it comes here.
            friendly_fire: match friendly_fire {
                1 => FriendlyFire::Off,
                2 => FriendlyFire::ShieldsOnly,
                3 => FriendlyFire::ExplosivesOnly,
                _ => FriendlyFire::On,
            },
            betrayal_penalty: seconds(betrayal_penalty),
            vehicle_respawn: (vehicle_respawn > 0).then(|| seconds(vehicle_respawn)),
            auto_balance: auto_balance != 0,
            radar_players: match radar_players {
                1 => RadarPlayers::Friends,
                2 => RadarPlayers::Nobody,
                _ => RadarPlayers::All,
            },
            vehicle_sets: vehicle_set.map(VehicleSet::of),
            vehicle_counts,
            loadout,
            weapons: [primary, secondary],
            no_map_weapons: no_map_weapons != 0,
            variant: *variant,
        }
    }
}
