//! The game's settings, a record of 13 120 little-endian bytes: who plays, where, by which rules (WIRE-37, 93,
//! FACT wire 4.3). Knows what travels, not what the rules do.

use alloc::boxed::Box;

use super::player::NetworkPlayer;
use super::text::{Chars, Wide};
use crate::error::Error;
use crate::layout::{Pad, Plain, layout};
use crate::limits::{MAX_MACHINES, MAX_PLAYERS};

/// A level's name, as `levels\test\bloodgulch\bloodgulch` or `custom_maps\name` (WIRE-57).
pub type LevelName = Chars<128>;
/// A machine's name.
pub type MachineName = Wide<32>;

/// [`SettingsRecord::coop_flags`]: players of different machines pass through each other.
pub const COOP_PASS_THROUGH_BIT: u8 = 1 << 0;

/// [`Options::friendly_fire`]: the last of 0 on, 1 off, 2 shields only, 3 explosives only.
const LAST_FRIENDLY_FIRE: i16 = 3;
/// [`Options::radar_players`]: the last of 0 all, 1 friends, 2 none.
const LAST_RADAR: u8 = 2;

layout! {
    /// A game type with its rules.
    pub struct Variant = 104 {
        /// Its name.
        label: Wide<12> = 0,
        /// Which game: capture the flag 1, slayer 2, oddball 3, king of the hill 4, race 5.
        game_type: i32 = 24,
        /// Whether it is played in teams.
        teams: u8 = 28,
        /// No meaning.
        pad_29: Pad<3> = 29,
        /// Bits: 0 others on radar, 1 friends' indicators, 2 infinite grenades, 3 no shields, 4 invisible, 5
        /// generic starting equipment.
        flags: u32 = 32,
        /// What the radar shows of the goal.
        goal_on_radar: i32 = 36,
        /// Whether the one ahead is marked.
        odd_man_out: u8 = 40,
        /// No meaning.
        pad_41: Pad<3> = 41,
        /// Ticks by which each death lengthens the next.
        respawn_growth: i32 = 44,
        /// Ticks from death to life.
        respawn: i32 = 48,
        /// Ticks more for a suicide.
        suicide_penalty: i32 = 52,
        /// Lives; 0 is no limit.
        lives: i32 = 56,
        /// Health, a factor.
        health: f32 = 60,
        /// The score that ends the game.
        score_limit: i32 = 64,
        /// Weapons to start with and to find.
        weapon_set: i32 = 68,
        /// Vehicles.
        vehicle_set: i32 = 72,
        /// By game type; carried unread.
        by_game_type: [u8; 24] = 76,
        /// Carried unread.
        more_flags: u16 = 100,
        /// No meaning.
        pad_102: Pad<2> = 102,
    }

    /// What the PC versions added to a game type.
    pub struct Options = 28 {
        /// The game's length.
        time_limit: i16 = 0,
        /// 0 on, 1 off, 2 shields only, 3 explosives only.
        friendly_fire: i16 = 2,
        /// Seconds.
        betrayal_penalty: i16 = 4,
        /// Seconds.
        vehicle_respawn: i16 = 6,
        /// Whether teams are kept even.
        auto_balance: u8 = 8,
        /// 0 all, 1 friends, 2 none.
        radar_players: u8 = 9,
        /// Each team's vehicles; 0xFE the PC's, 0xFF custom.
        vehicle_set: [u8; 2] = 10,
        /// How many of each, of each team.
        vehicle_counts: [[u8; 6]; 2] = 12,
        /// Starting equipment.
        loadout: u8 = 24,
        /// The first weapon.
        primary: u8 = 25,
        /// The second.
        secondary: u8 = 26,
        /// Whether the map's weapons are left out.
        no_map_weapons: u8 = 27,
    }

    /// A machine of the list.
    pub struct MachineEntry = 68 {
        /// Its name.
        name: MachineName = 0,
        /// Its index.
        index: i8 = 64,
        /// No meaning.
        pad_65: Pad<3> = 65,
    }

    /// The settings whole.
    pub struct SettingsRecord = 13120 {
        /// The game's name.
        name: Wide<16> = 0,
        /// The map's version: its hash's first four bytes.
        map_version: i32 = 32,
        /// The map's level name.
        map: LevelName = 36,
        /// The game type and its rules.
        variant: Variant = 164,
        /// [`COOP_PASS_THROUGH_BIT`]; others are zero and ignored.
        coop_flags: u8 = 268,
        /// Players needed.
        min_players: i8 = 269,
        /// Players taken.
        max_players: u8 = 270,
        /// Teams at most.
        max_teams: u8 = 271,
        /// The campaign's difficulty.
        difficulty: i16 = 272,
        /// How many of [`SettingsRecord::machines`] are.
        machine_count: i16 = 274,
        /// The machines, the host first.
        machines: [MachineEntry; 128] = 276,
        /// How many of [`SettingsRecord::players`] are.
        player_count: i16 = 8980,
        /// The players; each says its slot.
        players: [NetworkPlayer; 128] = 8982,
        /// Meaning unknown: sent zero, carried unread.
        unknown_13078: i16 = 13078,
        /// The game's random seed.
        seed: u32 = 13080,
        /// Games played since the lobby opened.
        games_played: i32 = 13084,
        /// The PC versions' options.
        options: Options = 13088,
        /// A machine's own; not used across.
        local: [u8; 4] = 13116,
    }
}

impl MachineEntry {
    /// A place in the list that holds no machine.
    pub const NONE: Self = Self { name: MachineName::EMPTY, index: -1, pad_65: Pad };
}

impl SettingsRecord {
    /// A game of nobody nowhere.
    pub fn empty() -> Box<Self> {
        let mut record = Box::new(Self::get(&[0; Self::SIZE]));
        record.machines.fill(MachineEntry::NONE);
        record.players.fill(NetworkPlayer::NONE);
        record
    }

    /// Reads a record as the pieces gave it. Refused are a name without its end, a choice that is none, a number
    /// that is not finite and lists longer than the record has room for.
    pub fn decode(bytes: &[u8]) -> Result<Box<Self>, Error> {
        if bytes.len() > Self::SIZE {
            return Err(Error::TrailingBytes);
        }
        let record = Box::new(Self::read(bytes)?);
        record.check().map(|()| record)
    }

    /// Whether it means something; see [`SettingsRecord::decode`].
    pub fn check(&self) -> Result<(), Error> {
        self.map.check()?;
        if !self.variant.health.is_finite() {
            return Err(Error::NotFinite);
        }
        if !(0..=LAST_FRIENDLY_FIRE).contains(&self.options.friendly_fire)
            || self.options.radar_players > LAST_RADAR
        {
            return Err(Error::BadFlag);
        }
        let fits = |count: i16, most: usize| usize::try_from(count).is_ok_and(|count| count <= most);
        if fits(self.machine_count, MAX_MACHINES) && fits(self.player_count, MAX_PLAYERS) {
            Ok(())
        } else {
            Err(Error::TooLong)
        }
    }

    /// The machines that it lists.
    pub fn machines(&self) -> &[MachineEntry] {
        let count = usize::try_from(self.machine_count).unwrap_or(0);
        &self.machines[..count.min(MAX_MACHINES)]
    }

    /// The players that it lists.
    pub fn players(&self) -> &[NetworkPlayer] {
        let count = usize::try_from(self.player_count).unwrap_or(0);
        &self.players[..count.min(MAX_PLAYERS)]
    }

    /// Whether players of different machines pass through each other.
    pub const fn is_pass_through(&self) -> bool {
        self.coop_flags & COOP_PASS_THROUGH_BIT != 0
    }
}
