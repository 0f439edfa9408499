//! What a demo's machine noted tick by tick beside what it saw. Knows no other machine.

use mjolnir_engine_glue::Host;
use mjolnir_wire::{Machine, Tick};

use super::tally::Row;

/// Ticks between two notes of the round trips.
const TRIPS_EVERY: i32 = 15;
/// Milliseconds of a tick.
const TICK_MS: f64 = 100.0 / 3.0;

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// What it sent, by kind.
    pub sent: Vec<Row>,
    /// Moves of its own players by the host's word, each time that some were.
    pub corrections: Vec<(Tick, u32)>,
    /// A host's: each client's smoothed round trip in milliseconds.
    pub trips: Vec<(Tick, Machine, f64)>,
    corrected: u64,
    trips_at: Option<Tick>,
}

impl Course {
    /// Notes the round trips, where it is time to.
    pub fn note_trips(&mut self, tick: Tick, host: &Host) {
        if self.trips_at.is_some_and(|at| tick < at.plus(TRIPS_EVERY as u32)) {
            return;
        }
        self.trips_at = Some(tick);
        for machine in host.transport().in_game().iter() {
            if let Some(ticks) = host.clock().round_trip(machine) {
                self.trips.push((tick, machine, f64::from(ticks) * TICK_MS));
            }
        }
    }

    /// Notes how often its own players were moved so far.
    pub fn note_corrections(&mut self, tick: Tick, total: u64) {
        let since = total.saturating_sub(self.corrected);
        if since > 0 {
            self.corrections.push((tick, since as u32));
        }
        self.corrected = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_noted_when_it_rises() {
        let tick = |tick| Tick::new(tick).unwrap();
        let mut course = Course::default();
        for (at, total) in [(1, 0), (2, 2), (3, 2), (4, 3)] {
            course.note_corrections(tick(at), total);
        }
        assert_eq!(course.corrections, [(tick(2), 2), (tick(4), 1)]);
    }
}
