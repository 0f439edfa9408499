//! A client's end of scores: the host's newest word on each player's statistics and on the game type's state, and what to
//! announce and show of it. Knows no engine: what is new is asked for before a tick.

use alloc::vec::{Drain, Vec};

use mjolnir_wire::game_state::GameState;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::statistics::{PlayerStatistics, Statistics};
use mjolnir_wire::{Slot, Tick};

use super::announcing::announce;
use super::statistics::{STATISTICS_ROUND, STATISTICS_ROUND_OF};
use crate::error::Error;
use crate::rows::{Announcement, StatisticsRow};
use crate::stamps::Stamps;

/// Announcements that wait for a tick at most: ours. A host that counts more events than a game can have loses the rest.
pub const MOST_ANNOUNCED: usize = 512;

/// As [`STAMP_STEP`](crate::STAMP_STEP), of statistics: two in a row of a full game's turn, one of them lost between.
const STATISTICS_STEP: i32 = 2 * STATISTICS_ROUND * (MAX_PLAYERS / STATISTICS_ROUND_OF) as i32;

/// The host's word on one player.
#[derive(Clone, Copy, Debug, Default)]
struct Player {
    newest: Option<Statistics>,
    /// What the newest were stamped with, where that is believed.
    said: Option<Tick>,
    stamps: Stamps<STATISTICS_STEP>,
    /// The latest killing blow of its, and what it had after that.
    blow: Option<(Tick, i32)>,
}

/// The client's side of scores. One is of one game.
#[derive(Debug)]
pub struct ScoresClient {
    game_type: u8,
    players: Vec<Player>,
    /// The slots, one bit each, whose statistics the engine has not been told.
    fresh: u128,
    state: Option<GameState>,
    is_fresh: bool,
    is_over: bool,
    announced: Vec<Announcement>,
    unannounced: u64,
    pickups: Vec<Pickup>,
}

impl ScoresClient {
    /// That has heard nothing, in a game of the type that its settings name; what is no game type has no state.
    pub fn new(game_type: i32) -> Self {
        Self {
            game_type: u8::try_from(game_type).unwrap_or(0),
            players: (0..MAX_PLAYERS).map(|_| Player::default()).collect(),
            fresh: 0,
            state: None,
            is_fresh: false,
            is_over: false,
            announced: Vec::new(),
            unannounced: 0,
            pickups: Vec::new(),
        }
    }

    /// The game type that its settings name, by which a state is read.
    pub const fn game_type(&self) -> u8 {
        self.game_type
    }

    /// Hears an entry of kind 3, stamped with the host's tick. One older than was had of the same player is refused; a stamp
    /// far ahead is taken and refuses none that follows, until another agrees (NET-74).
    pub fn handle_statistics(&mut self, stamp: Tick, said: &PlayerStatistics) -> Result<(), Error> {
        let player = &mut self.players[said.slot.index()];
        if player.stamps.is_old(stamp) {
            return Err(Error::Old);
        }
        if player.stamps.note(stamp) {
            player.said = Some(stamp);
        }
        if player.newest != Some(said.statistics) {
            player.newest = Some(said.statistics);
            self.fresh |= 1 << said.slot.get();
        }
        Ok(())
    }

    /// Hears a kind 7: every difference of its counters from the last is an announcement, and of the first of a game none is
    /// (AUTH-49, 50). Refused is one of another game type than the settings name.
    pub fn handle_state(&mut self, state: GameState) -> Result<(), Error> {
        if state.game_type() != self.game_type {
            return Err(Error::OtherGame);
        }
        let is_over = state.post_game_phase > 0;
        let ends = is_over && !self.is_over;
        self.is_over |= is_over;
        if let Some(before) = self.state.take() {
            announce(&before, &state, |event| self.put(event));
            if ends {
                self.put(Announcement::GameOver);
            }
        }
        self.state = Some(state);
        self.is_fresh = true;
        Ok(())
    }

    fn put(&mut self, event: Announcement) {
        if self.announced.len() < MOST_ANNOUNCED {
            self.announced.push(event);
        } else {
            self.unannounced += 1;
        }
    }

    /// Hears an entry of kind 13. Refused is one of a player of another machine (AUTH-43).
    pub fn handle_pickup(&mut self, own: &[Slot], pickup: &Pickup) -> Result<(), Error> {
        if !own.contains(&pickup.slot) {
            return Err(Error::NotLocal);
        }
        self.pickups.push(*pickup);
        Ok(())
    }

    /// Appends the statistics that changed since this was last asked, of the players that the engine has; those of
    /// another wait for it (WIRE-75).
    pub fn take_statistics(&mut self, known: impl IntoIterator<Item = Slot>, rows: &mut Vec<StatisticsRow>) {
        if self.fresh == 0 {
            return;
        }
        for slot in known {
            let bit = 1_u128 << slot.get();
            if self.fresh & bit != 0
                && let Some(statistics) = self.players[slot.index()].newest
            {
                self.fresh &= !bit;
                rows.push(StatisticsRow { slot, statistics });
            }
        }
    }

    /// A killing blow of the host's tick `stamp` says what that player, who dealt it, has after it. What it has now: that, or
    /// what a later word says, since the blow's two copies and the statistics overtake each other (DMG-39). Statistics of before
    /// it that come later are refused.
    pub fn handle_blow(&mut self, stamp: Tick, killer: Slot, score: i32) -> i32 {
        let player = &mut self.players[killer.index()];
        let is_said = player.said.is_some_and(|said| said >= stamp);
        if let Some(statistics) = player.newest.filter(|_| is_said) {
            return statistics.sort_key.into();
        }
        if let Some((of, had)) = player.blow
            && (of > stamp || of == stamp && had > score)
        {
            return had;
        }
        if !player.stamps.is_old(stamp) && player.stamps.note(stamp) {
            player.blow = Some((stamp, score));
        }
        score
    }

    /// A player's statistics of before the host's tick `stamp` that the engine has not been told: to be told before what
    /// happened then.
    pub fn take_older(&mut self, stamp: Tick, slot: Slot) -> Option<StatisticsRow> {
        let bit = 1_u128 << slot.get();
        let Player { newest, said, .. } = self.players[slot.index()];
        let is_older = self.fresh & bit != 0 && said.is_some_and(|said| said < stamp);
        let statistics = newest.filter(|_| is_older)?;
        self.fresh &= !bit;
        Some(StatisticsRow { slot, statistics })
    }

    /// The newest state, where one came since this was last asked.
    pub fn take_state(&mut self) -> Option<&GameState> {
        let is_fresh = core::mem::take(&mut self.is_fresh);
        self.state.as_ref().filter(|_| is_fresh)
    }

    /// What is to be announced since this was last asked, in order.
    pub fn take_announcements(&mut self) -> Drain<'_, Announcement> {
        self.announced.drain(..)
    }

    /// What own players picked up since this was last asked, in order.
    pub fn take_pickups(&mut self) -> Drain<'_, Pickup> {
        self.pickups.drain(..)
    }

    /// The host's newest word on that player's statistics.
    pub fn statistics(&self, slot: Slot) -> Option<&Statistics> {
        self.players[slot.index()].newest.as_ref()
    }

    /// The host's newest word on the game type's state.
    pub const fn state(&self) -> Option<&GameState> {
        self.state.as_ref()
    }

    /// Events that were counted and not announced, past [`MOST_ANNOUNCED`].
    pub const fn unannounced(&self) -> u64 {
        self.unannounced
    }
}
