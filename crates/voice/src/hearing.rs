//! Who hears whom, and by what (VOICE-12 to 14). Knows no frame and no key.

use mjolnir_wire::voice::{Mode, Route, VoiceSettings};
use mjolnir_wire::{Machine, Slot, Tick, Vec3};

/// Where the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// In the lobby, or on the scores after a game.
    Lobby,
    /// A game is played.
    Game {
        /// The game's time.
        tick: Tick,
        /// Who is whose friend.
        sides: Sides,
    },
}

impl Stage {
    /// What a frame is stamped with: 0 in a lobby (NET-11).
    pub const fn stamp(self) -> Tick {
        match self {
            Self::Lobby => Tick::ZERO,
            Self::Game { tick, .. } => tick,
        }
    }
}

/// Who is whose friend in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// There are teams.
    Teams,
    /// Everybody is everybody's enemy.
    Alone,
    /// Everybody is of one team: co-op.
    Together,
}

/// A machine's first player, who stands for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Which.
    pub slot: Slot,
    /// Its team; of a game with teams alone.
    pub team: u8,
    /// It lives.
    pub is_alive: bool,
    /// Where it is, wu. Of one that does not live it is not looked at.
    pub place: Vec3,
}

/// What the host asks of its game.
pub trait World {
    /// Where the game stands.
    fn stage(&self) -> Stage;
    /// The first player of that machine, if it has one; the host's own machine's too.
    fn player(&self, machine: Machine) -> Option<Player>;
}

/// Whether anybody is heard at all there.
pub(crate) const fn is_on(settings: &VoiceSettings, stage: Stage) -> bool {
    match stage {
        Stage::Lobby => settings.lobby(),
        Stage::Game { .. } => !matches!(settings.mode(), Mode::Off),
    }
}

/// By what one player hears another in a game.
pub(crate) fn route(settings: &VoiceSettings, sides: Sides, speaker: &Player, hearer: &Player) -> Route {
    let is_mate = match sides {
        Sides::Teams => speaker.team == hearer.team,
        Sides::Alone => false,
        Sides::Together => true,
    };
    let near = || {
        let is_near = speaker.is_alive
            && hearer.is_alive
            && speaker.place.distance(hearer.place) <= settings.nearness();
        if is_near { Route::Near } else { Route::None }
    };
    match (settings.mode(), is_mate) {
        (Mode::Team | Mode::TeamAndNearEnemies, true) => Route::Global,
        (Mode::TeamNear, true) | (Mode::TeamAndEnemiesNear, _) | (Mode::TeamAndNearEnemies, false) => near(),
        (Mode::Off, _) | (Mode::TeamNear | Mode::Team, false) => Route::None,
    }
}
