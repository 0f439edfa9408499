//! Where a machine stands on its way into the game: one state machine, of which each step, what is heard meanwhile
//! and how long it may last stand here (NET-22 to 31, 58 to 61). Knows no stream, no packet's bytes and no player.
//!
//! ```text
//! connected ─12─► lobby ────8───► loading ─24─► in game ─23─► scores ─30─► lobby
//!           ─12─► admitted ─6, 8─► loading       │  ▲
//!                                                9  └ ready: `objects` lists it everything
//! ```
//!
//! Connected is before this: a stream whose owner has said nothing yet. Ready is after it: the session hears no
//! message of the game, and `objects` keeps who has asked.

use mjolnir_wire::Moment;

use crate::error::Error;
use crate::limits::{LOAD_LIMIT, SILENCE_LIMIT, TELL_DELAY};
use crate::why::Why;

/// Where a machine that was let in stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// In the lobby.
    Lobby,
    /// Admitted to a game in progress: its players are added, and it is not yet told to load.
    Admitted,
    /// Told to load the game.
    Loading {
        /// When, or when the game went on without it.
        since: Moment,
        /// Whether the game goes on without it.
        late: bool,
    },
    /// Loaded: the tick's messages flow.
    InGame,
    /// The game is over.
    Scores,
}

/// When a machine is told that a player came or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// At once.
    Now,
    /// When it has loaded, before anything else of the game (NET-60).
    OnceLoaded,
    /// Never by itself: the settings that it is sent next list the players.
    BySettings,
}

/// The word that the host is there (NET-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeepAlive {
    Pregame,
    Postgame,
}

impl Standing {
    /// Of a machine that is let in, into the lobby or a game in progress.
    pub(super) const fn entering(is_lobby: bool) -> Self {
        if is_lobby { Self::Lobby } else { Self::Admitted }
    }

    /// Its settings and its start are on their way: with everybody at the game's start, or `late`, alone.
    pub(super) const fn tell(&mut self, now: Moment, late: bool) {
        *self = Self::Loading { since: now, late };
    }

    /// The game goes on: one that loads is waited for no more, and has from now on what a late joiner has (NET-59).
    pub(super) const fn leave_behind(&mut self, now: Moment) {
        if matches!(self, Self::Loading { .. }) {
            *self = Self::Loading { since: now, late: true };
        }
    }

    /// It says that it has loaded, which only one that loads can.
    pub(super) const fn load(&mut self) -> Result<(), Error> {
        match self {
            Self::Loading { .. } => {
                *self = Self::InGame;
                Ok(())
            }
            Self::Lobby | Self::Admitted | Self::InGame | Self::Scores => Err(Error::Unexpected),
        }
    }

    /// Whether it was told to load and has not said that it has.
    pub(super) const fn loads(self) -> bool {
        matches!(self, Self::Loading { .. })
    }

    /// The game is over.
    pub(super) const fn end(&mut self) {
        *self = Self::Scores;
    }

    /// Back to the lobby, from wherever it is.
    pub(super) const fn return_to_lobby(&mut self) {
        *self = Self::Lobby;
    }

    /// Whether the game's start waits for it.
    pub(super) const fn holds_the_start(self) -> bool {
        matches!(self, Self::Loading { late: false, .. })
    }

    /// Whether the game was told to it, so that it must hear of its end.
    pub(super) const fn knows_the_game(self) -> bool {
        !matches!(self, Self::Admitted)
    }

    /// Whether what the game says goes to it: not before it has loaded (NET-30).
    pub(super) const fn hears(self) -> bool {
        !matches!(self, Self::Admitted | Self::Loading { .. })
    }

    /// When it is told of players that come and leave.
    pub(super) const fn telling(self) -> Telling {
        match self {
            Self::InGame => Telling::Now,
            Self::Loading { .. } => Telling::OnceLoaded,
            Self::Lobby | Self::Admitted | Self::Scores => Telling::BySettings,
        }
    }

    /// What is said to it each five seconds; in the game the updates say as much, once there are any (`waits` says
    /// that the game does not go on yet).
    pub(super) const fn keep_alive(self, waits: bool) -> Option<KeepAlive> {
        match self {
            Self::InGame if !waits => None,
            Self::Lobby | Self::Admitted | Self::Loading { .. } | Self::InGame => Some(KeepAlive::Pregame),
            Self::Scores => Some(KeepAlive::Postgame),
        }
    }

    /// Whether it is to be told now to load a game in progress: it has brought its players, the last at `brought`,
    /// and says that it has the map or brings no more.
    pub(super) fn is_to_be_told(self, now: Moment, brought: Option<Moment>, has_map: bool) -> bool {
        self == Self::Admitted && brought.is_some_and(|brought| has_map || now.since(brought) >= TELL_DELAY)
    }

    /// Why it stays no longer, if it does not: silent in the game for 15 s (NET-28), or late and not loaded in two
    /// minutes (NET-29). One that the start waits for has the start's own limit.
    pub(super) fn overdue(self, now: Moment, heard: Moment) -> Option<Why> {
        match self {
            Self::InGame if now.since(heard) >= SILENCE_LIMIT => Some(Why::Silent),
            Self::Loading { since, late: true } if now.since(since) >= LOAD_LIMIT => Some(Why::NotLoaded),
            Self::Lobby | Self::Admitted | Self::Loading { .. } | Self::InGame | Self::Scores => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment::from_micros(7_000_000);

    const ALL: [Standing; 6] = [
        Standing::Lobby,
        Standing::Admitted,
        Standing::Loading { since: NOW, late: false },
        Standing::Loading { since: NOW, late: true },
        Standing::InGame,
        Standing::Scores,
    ];

    /// NET-60: of all standings only one that loads becomes one in the game, and whoever says so elsewhere stays
    /// what it is.
    #[test]
    fn only_who_loads_has_loaded() {
        for standing in ALL {
            let mut after = standing;
            let taken = after.load();
            if matches!(standing, Standing::Loading { .. }) {
                assert_eq!((taken, after), (Ok(()), Standing::InGame));
            } else {
                assert_eq!((taken, after), (Err(Error::Unexpected), standing));
            }
        }
    }

    /// NET-30, 31: nothing of the game before it has loaded, and a keep-alive wherever no update comes.
    #[test]
    fn what_is_heard_where() {
        let heard = ALL.map(Standing::hears);
        assert_eq!(heard, [true, false, false, false, true, true]);
        let pregame = Some(KeepAlive::Pregame);
        let plays = ALL.map(|standing| standing.keep_alive(false));
        assert_eq!(plays, [pregame, pregame, pregame, pregame, None, Some(KeepAlive::Postgame)]);
        assert_eq!(Standing::InGame.keep_alive(true), pregame);
        let told = ALL.map(Standing::telling);
        let [settings, once, now] = [Telling::BySettings, Telling::OnceLoaded, Telling::Now];
        assert_eq!(told, [settings, settings, once, once, now, settings]);
    }

    /// NET-28, 29, 59: the limits of each standing, both sides of each.
    #[test]
    fn each_has_its_limit() {
        for standing in ALL {
            let limit = match standing {
                Standing::InGame => Some((SILENCE_LIMIT, Why::Silent)),
                Standing::Loading { late: true, .. } => Some((LOAD_LIMIT, Why::NotLoaded)),
                _ => None,
            };
            let Some((limit, why)) = limit else {
                assert_eq!(standing.overdue(NOW.plus(3600 * Moment::SECOND), NOW), None, "{standing:?}");
                continue;
            };
            assert_eq!(standing.overdue(NOW.plus(limit - 1), NOW), None, "{standing:?}");
            assert_eq!(standing.overdue(NOW.plus(limit), NOW), Some(why), "{standing:?}");
        }
        // One that was waited for has its two minutes from when the game went on.
        let mut slow = Standing::Loading { since: NOW, late: false };
        let went_on = NOW.plus(60 * Moment::SECOND);
        slow.leave_behind(went_on);
        assert_eq!(slow.overdue(went_on.plus(LOAD_LIMIT - 1), NOW), None);
        assert_eq!(slow.overdue(went_on.plus(LOAD_LIMIT), NOW), Some(Why::NotLoaded));
        let mut loaded = Standing::InGame;
        loaded.leave_behind(went_on);
        assert_eq!(loaded, Standing::InGame);
    }

    /// NET-24: only one that was admitted to a game in progress and has brought a player is told to load it: with the
    /// map at once, without a word of it after half a second.
    #[test]
    fn who_has_brought_its_players_is_told() {
        for standing in ALL {
            let is_admitted = standing == Standing::Admitted;
            assert!(!standing.is_to_be_told(NOW.plus(Moment::SECOND), None, true));
            assert_eq!(standing.is_to_be_told(NOW, Some(NOW), true), is_admitted);
            assert!(!standing.is_to_be_told(NOW.plus(TELL_DELAY - 1), Some(NOW), false));
            assert_eq!(standing.is_to_be_told(NOW.plus(TELL_DELAY), Some(NOW), false), is_admitted);
        }
    }
}
