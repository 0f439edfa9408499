//! The options that a game's menus offer, with what each may be set to and who may set it (GLUE-11). Knows the settings that
//! they stand for; how a menu looks is the game's.

use crate::settings::{Name, Settings};

/// Who sets an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetBy {
    /// The host, for everybody: a client is shown none or may not change it.
    Host,
    /// Each player, for itself.
    Player,
}

/// What an option may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As a menu shows it.
    pub label: &'static str,
    /// As its setting's file has it.
    pub value: &'static str,
    /// The setting of how much, where there is one.
    pub amount: Option<Name>,
}

/// A line of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MenuOption {
    /// As a menu shows it.
    pub label: &'static str,
    /// The setting that it stands for.
    pub setting: Name,
    /// Who sets it.
    pub set_by: SetBy,
    /// What it may be set to, in the order of a menu.
    pub choices: &'static [Choice],
}

const fn plain(label: &'static str, value: &'static str) -> Choice {
    Choice { label, value, amount: None }
}

const ON_OFF: &[Choice] = &[plain("ON", "true"), plain("OFF", "false")];

/// Every option, in the order of a menu.
pub const OPTIONS: &[MenuOption] = &[
    MenuOption {
        label: "PLAYER COLLISIONS",
        setting: Name::NetworkCoopPlayerCollisions,
        set_by: SetBy::Host,
        choices: ON_OFF,
    },
    MenuOption {
        label: "EXTRA ENEMIES",
        setting: Name::NetworkCoopEnemiesMode,
        set_by: SetBy::Host,
        choices: &[
            plain("NONE", "none"),
            Choice { amount: Some(Name::NetworkCoopEnemies), ..plain("PER PLAYER", "per_player") },
            Choice {
                amount: Some(Name::NetworkCoopEnemiesMultiplier),
                ..plain("STATIC MULTIPLIER", "multiplier")
            },
        ],
    },
    MenuOption {
        label: "FRIENDLY FIRE",
        setting: Name::NetworkCoopOwnFriendlyFire,
        set_by: SetBy::Player,
        choices: ON_OFF,
    },
    MenuOption { label: "VOTE KICK", setting: Name::NetworkVotekick, set_by: SetBy::Host, choices: ON_OFF },
    MenuOption {
        label: "AIM ASSIST",
        setting: Name::NetworkAimAssist,
        set_by: SetBy::Host,
        choices: &[plain("ALLOWED", "true"), plain("BLOCK M+KB", "false")],
    },
];

impl MenuOption {
    /// What it is set to.
    pub fn chosen(&self, settings: &Settings) -> Option<&'static Choice> {
        let text = match self.choices[0].value {
            "true" if settings.flag(self.setting) => "true",
            "true" => "false",
            _ => settings.text_of(self.setting),
        };
        self.choices.iter().find(|choice| choice.value == text)
    }
}
