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

    /// The last round trip noted of a client, in milliseconds; none before the first.
    pub fn last_trip(&self, machine: Machine) -> Option<f64> {
        self.trips.iter().rev().find(|(_, of, _)| *of == machine).map(|(.., ms)| *ms)
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

    #[test]
    fn the_last_round_trip_of_a_machine_is_kept() {
        let [first, other, unheard] = [1, 2, 3].map(|index| Machine::new(index).unwrap());
        let trips = [(15, first, 30.0), (15, other, 70.0), (30, first, 40.0), (45, other, 80.0)];
        let trips = trips.map(|(tick, machine, ms)| (Tick::new(tick).unwrap(), machine, ms));
        let course = Course { trips: trips.into(), ..Course::default() };
        assert_eq!([first, other, unheard].map(|of| course.last_trip(of)), [Some(40.0), Some(80.0), None]);
    }
}
