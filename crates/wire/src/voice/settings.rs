//! A host's settings of voice, and how a machine is told them with its key (kind 82). Knows no file.

use alloc::vec::Vec;

use super::{PACKET_BYTES, VoiceConfigEntry, VoiceKey};
use crate::error::Error;
use crate::layout::Pad;
use crate::message::Message;

/// Who hears whom in a game (VOICE-12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nobody.
    Off,
    /// Team-mates who are near.
    TeamNear,
    /// Who is near, of either team.
    TeamAndEnemiesNear,
    /// Team-mates, everywhere.
    Team,
    /// Team-mates everywhere, enemies who are near.
    #[default]
    TeamAndNearEnemies,
}

impl Mode {
    /// Every mode, by the number that travels.
    pub const ALL: [Self; 5] =
        [Self::Off, Self::TeamNear, Self::TeamAndEnemiesNear, Self::Team, Self::TeamAndNearEnemies];
    /// Their words in a settings file, in the same order.
    pub const WORDS: [&'static str; 5] =
        ["off", "team_proximity", "team_enemy_proximity", "team_global", "team_global_enemy_proximity"];

    /// The mode of that word; an unknown word's is the widest (VOICE-12).
    pub fn of_word(word: &str) -> Self {
        let of = Self::WORDS.iter().position(|known| *known == word);
        of.map_or(Self::default(), |at| Self::ALL[at])
    }
}

/// A host's settings of voice, as its clients are told them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceSettings {
    lobby: bool,
    mode: Mode,
    kbps: u8,
    nearness_tenths: u16,
}

impl Default for VoiceSettings {
    fn default() -> Self {
        Self { lobby: true, mode: Mode::default(), kbps: 24, nearness_tenths: 150 }
    }
}

impl VoiceSettings {
    /// Thousand bits a second, the least and the most.
    pub const KBPS: [u8; 2] = [8, 64];
    /// How near is near, in tenths of a world unit, the least and the most.
    pub const NEARNESS_TENTHS: [u16; 2] = [50, 1000];

    /// Voice in the lobby and after a game or not; who hears whom in a game; thousand bits a second, 8..=64; how near
    /// is near, 50..=1000 tenths of a world unit.
    pub fn new(lobby: bool, mode: Mode, kbps: u8, nearness_tenths: u16) -> Result<Self, Error> {
        let is_within = (Self::KBPS[0]..=Self::KBPS[1]).contains(&kbps)
            && (Self::NEARNESS_TENTHS[0]..=Self::NEARNESS_TENTHS[1]).contains(&nearness_tenths);
        if is_within { Ok(Self { lobby, mode, kbps, nearness_tenths }) } else { Err(Error::OutOfRange) }
    }

    /// Whether there is voice in the lobby and after a game (VOICE-13).
    pub const fn lobby(&self) -> bool {
        self.lobby
    }

    /// Who hears whom in a game.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Thousand bits a second.
    pub const fn kbps(&self) -> u8 {
        self.kbps
    }

    /// How near is near, wu.
    pub fn nearness(&self) -> f32 {
        f32::from(self.nearness_tenths) / 10.0
    }

    /// Bytes of the largest packet of that quality: twice its share of 20 ms and 16, and no more than a byte can say
    /// (VOICE-08).
    pub fn most_bytes(&self) -> usize {
        (usize::from(self.kbps) * 1000 / 8 / 50 * 2 + 16).min(PACKET_BYTES)
    }
}

/// A machine's key and the host's settings: the entry of kind 82 (WIRE-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceConfig {
    /// The machine's key.
    pub key: VoiceKey,
    /// The host's settings.
    pub settings: VoiceSettings,
}

impl VoiceConfig {
    /// Checks an entry that came: a key, a mode, a quality and a nearness within their ranges.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = VoiceConfigEntry::read(bytes)?;
        let mode = *Mode::ALL.get(usize::from(raw.mode)).ok_or(Error::BadFlag)?;
        let settings = VoiceSettings::new(raw.flags & 1 != 0, mode, raw.kbps, raw.nearness_tenths)?;
        Ok(Self { key: VoiceKey::read(raw.key)?, settings })
    }

    /// The entry of a kind 82 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let VoiceSettings { lobby, mode, kbps, nearness_tenths } = self.settings;
        VoiceConfigEntry {
            key: self.key.get(),
            flags: u8::from(lobby),
            mode: mode as u8,
            kbps,
            pad_7: Pad,
            nearness_tenths,
            pad_10: Pad,
        }
        .write(to);
    }
}
