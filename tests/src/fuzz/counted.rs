//! What a machine counted, and that no count goes back. Knows no machine.

use mjolnir_engine_glue::{Counters, Hits};

/// Every count by name.
fn each(counters: &Counters) -> Vec<(&'static str, u64)> {
    let Counters {
        sent,
        received,
        taken,
        corrected,
        own_corrections,
        own_vehicle_corrections,
        misplaced,
        needless_deletions,
        failed,
        removed,
        hits: Hits { reported, dealt, rejected, replayed },
        damage_dropped,
        unsendable,
        dropped,
        refused,
    } = counters;
    let mut all = vec![
        ("sent", *sent),
        ("received", *received),
        ("taken", *taken),
        ("corrected", *corrected),
        ("own_corrections", *own_corrections),
        ("own_vehicle_corrections", *own_vehicle_corrections),
        ("misplaced", *misplaced),
        ("needless_deletions", *needless_deletions),
        ("failed", *failed),
        ("removed", *removed),
        ("hits reported", *reported),
        ("hits dealt", *dealt),
        ("hits rejected", *rejected),
        ("hits replayed", *replayed),
        ("damage_dropped", *damage_dropped),
        ("unsendable", *unsendable),
        ("stale", dropped.stale),
        ("far_stamp", dropped.far_stamp),
        ("undecodable", dropped.undecodable),
        ("unknown_kind", dropped.unknown_kind),
    ];
    all.extend(refused.iter().map(|(reason, count)| (*reason, *count)));
    all
}

/// The counts that one machine had last.
#[derive(Debug, Default)]
pub(super) struct Counted(Counters);

impl Counted {
    /// Takes the machine's counts of now.
    ///
    /// # Panics
    ///
    /// If one is less than it was.
    pub(super) fn take(&mut self, now: Counters) {
        let later = each(&now);
        for (name, before) in each(&self.0) {
            let after = later.iter().find(|(other, _)| *other == name).map_or(0, |(_, count)| *count);
            assert!(after >= before, "{name} went from {before} back to {after}");
        }
        self.0 = now;
    }
}
