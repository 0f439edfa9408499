//! How far a machine is with the game's map, as the host knows it, and whether it gets on (MAP-55 to 57, 72). Knows no message.

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES, ProgressState};

use crate::error::Error;

/// Microseconds without another piece after which a machine gets on no more (MAP-55).
pub const GROWTH_PERIOD: u64 = 80 * Moment::SECOND;
/// Microseconds that a machine has to load the map once it has it (MAP-55).
pub const LOAD_PERIOD: u64 = 20 * Moment::SECOND;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// It has asked for nothing.
    #[default]
    Idle,
    /// It has asked, and has not said that it has all.
    Lacking,
    /// It has said that it has given up.
    Stopped,
    /// It has said that it has all.
    HasAll { since: Moment },
}

/// What was offered to a machine, and what it made of it.
#[derive(Clone, Copy, Debug, Default)]
struct Budget {
    /// Bytes of each file that was offered to it.
    sizes: [u32; File::ALL.len()],
    /// What it has, as far as that was growth; never more than was offered (MAP-57).
    counted: u64,
    /// When that grew, or when it was offered something first (MAP-56).
    grew: Moment,
}

impl Budget {
    fn total(&self) -> u64 {
        self.sizes.iter().map(|size| u64::from(*size)).sum()
    }

    fn count(&mut self, now: Moment, had: u64) {
        let total = self.total();
        let had = had.min(total);
        let is_whole = had == total && self.counted < total;
        if is_whole || had.saturating_sub(self.counted) >= u64::from(PIECE_BYTES) {
            self.counted = had;
            self.grew = now;
        }
    }
}

/// One machine's, of one game's map.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fetch {
    stage: Stage,
    /// None before the first offer, which alone begins it (MAP-56).
    budget: Option<Budget>,
    /// What it may have, whole or in part.
    holds: FileSet,
}

impl Fetch {
    /// It asked for those files: its players are held until it has them.
    pub(super) fn ask(&mut self, lacked: FileSet) {
        self.stage = Stage::Lacking;
        self.holds = self.holds.or(FileSet::MAP).without(lacked);
    }

    /// It is offered that file.
    pub(super) fn offer(&mut self, now: Moment, file: File, size: u32) {
        let budget = self.budget.get_or_insert(Budget { grew: now, ..Budget::default() });
        budget.sizes[file.index()] = size;
        self.holds = self.holds.with(file);
    }

    /// It says how far it is.
    pub(super) fn progress(&mut self, now: Moment, had: u64, state: ProgressState) -> Result<(), Error> {
        let is_lacking = self.stage == Stage::Lacking;
        match state {
            ProgressState::HasAll => {
                if let (true, Some(budget)) = (is_lacking, &mut self.budget) {
                    budget.count(now, had);
                }
                self.holds = self.holds.or(FileSet::MAP);
                if !matches!(self.stage, Stage::HasAll { .. }) {
                    self.stage = Stage::HasAll { since: now };
                }
                return Ok(());
            }
            _ if !is_lacking => return Err(Error::NotAsked),
            ProgressState::Stopped => self.stage = Stage::Stopped,
            ProgressState::Checking | ProgressState::Downloading => {
                if let Some(budget) = &mut self.budget {
                    budget.count(now, had);
                }
            }
        }
        Ok(())
    }

    /// Whether it lacks the map: it has asked, and has not said since that it has all. One that has given up lacks it too.
    pub(super) fn lacks(&self) -> bool {
        matches!(self.stage, Stage::Lacking | Stage::Stopped)
    }

    /// Whether it is getting what it lacks.
    pub(super) fn is_fetching(&self) -> bool {
        self.stage == Stage::Lacking && self.budget.is_some()
    }

    /// What was offered to it.
    pub(super) fn offered(&self) -> FileSet {
        let sizes = self.budget.map(|budget| budget.sizes).unwrap_or_default();
        File::ALL.into_iter().filter(|file| sizes[file.index()] > 0).fold(FileSet::NONE, FileSet::with)
    }

    /// What it may send others, whole or in part: nothing of one that has given up, or was not answered yet.
    pub(super) fn sends(&self) -> FileSet {
        match self.stage {
            Stage::HasAll { .. } => self.holds,
            Stage::Lacking if self.budget.is_some() => self.holds,
            _ => FileSet::NONE,
        }
    }

    /// Whether it is not dropped for adding no players, or for loading slowly (MAP-55). `is_owed`: its answer waits for this host.
    pub(super) fn is_excused(&self, now: Moment, is_owed: bool) -> bool {
        let Some(budget) = &self.budget else {
            return is_owed && self.stage == Stage::Lacking;
        };
        let is_loading = match self.stage {
            Stage::Lacking => true,
            Stage::HasAll { since } => now.since(since) < LOAD_PERIOD,
            Stage::Idle | Stage::Stopped => false,
        };
        is_loading && now.since(budget.grew) < GROWTH_PERIOD
    }
}
