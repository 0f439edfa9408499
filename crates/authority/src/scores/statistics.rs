//! When a player's statistics are told, and to whom (AUTH-45, 46). Knows which of them a kill changes, and no other's
//! meaning.

use alloc::vec::Vec;

use mjolnir_wire::limits::{MAX_PLAYERS, TICKS_PER_SECOND};
use mjolnir_wire::statistics::{PlayerStatistics, Statistics};
use mjolnir_wire::{Kind, MachineSet, Outbox, Tick};

use crate::rows::StatisticsRow;

/// Ticks between two tellings of what changed (AUTH-45).
pub const STATISTICS_EACH: i32 = 15;
/// Ticks between two tellings of some in turn, changed or not (AUTH-46).
pub const STATISTICS_ROUND: i32 = TICKS_PER_SECOND as i32;
/// How many those are beside the ones that changed (AUTH-46).
pub const STATISTICS_ROUND_OF: usize = 16;

/// See the file's text.
#[derive(Debug)]
pub(super) struct StatisticsTelling {
    /// What was last sent of each slot.
    sent: Vec<Option<Statistics>>,
    /// The slot that is the next in turn.
    next: usize,
}

impl Default for StatisticsTelling {
    fn default() -> Self {
        Self { sent: alloc::vec![None; MAX_PLAYERS], next: 0 }
    }
}

impl StatisticsTelling {
    /// Tells those machines what is due of rows that rise by slot.
    pub(super) fn after_tick(
        &mut self,
        tick: Tick,
        to: MachineSet,
        rows: &[StatisticsRow],
        outbox: &mut Outbox,
    ) {
        let mut told = 0_u128;
        if tick.get() % STATISTICS_EACH == 0 || rows.iter().any(|row| self.has_killed(row)) {
            for row in rows {
                let sent = &mut self.sent[row.slot.index()];
                if *sent != Some(row.statistics) {
                    *sent = Some(row.statistics);
                    told |= 1 << row.slot.get();
                    tell(to, row, outbox);
                }
            }
        }
        if tick.get() % STATISTICS_ROUND == 0 {
            self.tell_some(to, rows, told, outbox);
        }
    }

    /// Tells those in turn that were not just told.
    fn tell_some(&mut self, to: MachineSet, rows: &[StatisticsRow], told: u128, outbox: &mut Outbox) {
        let from = rows.partition_point(|row| row.slot.index() < self.next);
        let mut left = STATISTICS_ROUND_OF;
        for row in rows[from..].iter().chain(&rows[..from]) {
            if left == 0 {
                break;
            }
            self.next = row.slot.index() + 1;
            if told >> row.slot.get() & 1 == 0 {
                left -= 1;
                self.sent[row.slot.index()] = Some(row.statistics);
                tell(to, row, outbox);
            }
        }
    }

    /// Whether a kill, a death or a suicide is in it that was not sent.
    fn has_killed(&self, row: &StatisticsRow) -> bool {
        let sent = self.sent[row.slot.index()];
        let counts = |of: &Statistics| (of.kills_by_kind, of.friendly_fire_kills, of.deaths, of.suicides);
        counts(&row.statistics) != sent.as_ref().map_or_else(Default::default, counts)
    }
}

/// Tells those machines all of them, by stream.
pub(super) fn tell_all(to: MachineSet, rows: &[StatisticsRow], outbox: &mut Outbox) {
    if !to.is_empty() {
        for row in rows {
            // An entry of its size fits any message.
            let _ = outbox.reliable_entry(to, Kind::PlayerStatistics, |bytes| entry(row).write(bytes));
        }
    }
}

fn entry(row: &StatisticsRow) -> PlayerStatistics {
    PlayerStatistics { slot: row.slot, statistics: row.statistics }
}

fn tell(to: MachineSet, row: &StatisticsRow, outbox: &mut Outbox) {
    if !to.is_empty() {
        // An entry of its size fits any datagram.
        let _ = outbox.entry(to, Kind::PlayerStatistics, |bytes| entry(row).write(bytes));
    }
}
