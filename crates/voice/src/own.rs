//! A player's own settings of voice, by their words in a settings file (VOICE-33). Knows no file.

/// When this machine's player is heard: `audio.voice_chat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Talk {
    /// Never.
    #[default]
    Off,
    /// While its key is down.
    PushToTalk,
    /// When it is loud enough.
    OpenMicrophone,
}

impl Talk {
    /// The setting of that word: `push_to_talk`, `open_mic`; any other is off.
    pub fn of_word(word: &str) -> Self {
        match word {
            "push_to_talk" => Self::PushToTalk,
            "open_mic" => Self::OpenMicrophone,
            _ => Self::Off,
        }
    }
}

/// The loudest that voices can be made: `audio.voice_volume`.
pub const MOST_VOLUME: f32 = 2.0;

/// `audio.voice_volume` within 0..=2; what is no number is as loud as it came.
pub fn volume(setting: f32) -> f32 {
    if setting.is_nan() { 1.0 } else { setting.clamp(0.0, MOST_VOLUME) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// VOICE-33: each word is read, any other is off, and a volume is within its range.
    #[test]
    fn a_players_own_settings_are_read() {
        assert_eq!(Talk::of_word("push_to_talk"), Talk::PushToTalk);
        assert_eq!(Talk::of_word("open_mic"), Talk::OpenMicrophone);
        for other in ["off", "", "Open_Mic", "push"] {
            assert_eq!(Talk::of_word(other), Talk::Off, "{other}");
        }
        for (setting, is) in
            [(0.0, 0.0), (2.0, 2.0), (2.1, 2.0), (-0.1, 0.0), (f32::INFINITY, 2.0), (f32::NAN, 1.0)]
        {
            assert_eq!(volume(setting), is, "{setting}");
        }
    }
}
