//! What one machine saw: where it had every player at every tick, and each second's line. Knows no other machine;
//! the comparing is its reader's.

use mjolnir_net_compare::Line;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Slot, Tick, Vec3};

use crate::game::World;

/// Nobody goes so far in a tick by itself, wu.
const LEAP: f32 = 10.0;
/// Ticks by which two machines may have a player through a teleporter apart.
const LEAPS_APART: i32 = 10;

/// Where a machine had the players at one tick.
#[derive(Clone, Debug)]
pub struct View {
    /// The tick.
    pub tick: Tick,
    /// Each living player's.
    pub places: Vec<Place>,
}

/// Where a copy of a player stood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Whose.
    pub slot: Slot,
    /// Its feet.
    pub position: Vec3,
    /// Where it looked, in radians.
    pub facing: f32,
}

/// What one machine saw.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// By rising tick.
    pub views: Vec<View>,
    /// Each second's line.
    pub lines: Vec<Line>,
}

impl Recording {
    /// Notes where the players stand after that tick.
    pub fn note(&mut self, tick: Tick, world: &World) {
        let place = |slot| {
            let facing = world.aim(slot).map_or(0.0, |(yaw, _)| yaw);
            Some(Place { slot, position: world.position(slot)?, facing })
        };
        let places = world.players().filter_map(|(slot, _)| place(slot)).collect();
        self.views.push(View { tick, places });
    }

    /// How far this machine's copies of others' players were from where another machine had them at the same tick;
    /// `own` says which slots are its own. The ticks in which one of the two has a player through a teleporter, or at its next
    /// life's begin, and the other not yet, are left out.
    pub fn distances(&self, other: &Self, own: impl Fn(Slot) -> bool) -> Vec<f64> {
        self.distances_by_tick(other, own).into_iter().map(|(_, distance)| distance).collect()
    }

    /// The same, each with its tick.
    pub fn distances_by_tick(&self, other: &Self, own: impl Fn(Slot) -> bool) -> Vec<(Tick, f64)> {
        let mut distances = Vec::new();
        let mut theirs = other.views.iter().peekable();
        let mut places = [None; MAX_PLAYERS];
        let mut leaps = [Leaps::default(), Leaps::default()];
        for view in &self.views {
            leaps[0].note(view);
            while let Some(their) = theirs.next_if(|their| their.tick < view.tick) {
                leaps[1].note(their);
            }
            let Some(their) = theirs.next_if(|their| their.tick == view.tick) else { continue };
            leaps[1].note(their);
            places.fill(None);
            for place in &their.places {
                places[place.slot.index()] = Some(place.position);
            }
            let is_between = |slot| leaps.iter().any(|leaps| leaps.is_fresh(slot, view.tick));
            for place in view.places.iter().filter(|place| !own(place.slot) && !is_between(place.slot)) {
                if let Some(their) = places[place.slot.index()] {
                    distances.push((view.tick, f64::from(place.position.distance(their))));
                }
            }
        }
        distances
    }
}

/// When a machine's players last went further in a tick than anybody goes.
#[derive(Debug)]
struct Leaps {
    was: [Option<Vec3>; MAX_PLAYERS],
    at: [Option<Tick>; MAX_PLAYERS],
}

impl Default for Leaps {
    fn default() -> Self {
        Self { was: [None; MAX_PLAYERS], at: [None; MAX_PLAYERS] }
    }
}

impl Leaps {
    fn note(&mut self, view: &View) {
        for Place { slot, position, .. } in &view.places {
            let was = self.was[slot.index()].replace(*position);
            if was.is_some_and(|was| was.distance(*position) > LEAP) {
                self.at[slot.index()] = Some(view.tick);
            }
        }
    }

    fn is_fresh(&self, slot: Slot, tick: Tick) -> bool {
        self.at[slot.index()].is_some_and(|at| tick.since(at) <= LEAPS_APART)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_compared_at_the_same_tick_and_own_players_left_out() {
        let slot = |index| Slot::new(index).unwrap();
        let view = |tick, places: &[(u8, f32)]| View {
            tick: Tick::new(tick).unwrap(),
            places: places
                .iter()
                .map(|(s, x)| Place { slot: slot(*s), position: Vec3::new(*x, 0.0, 0.0), facing: 0.0 })
                .collect(),
        };
        let host = Recording {
            views: vec![view(1, &[(0, 1.0), (1, 5.0)]), view(2, &[(0, 2.0)]), view(4, &[(0, 4.0)])],
            lines: Vec::new(),
        };
        let client = Recording {
            views: vec![view(2, &[(0, 2.5), (1, 9.0)]), view(3, &[(0, 9.0)]), view(4, &[(0, 4.0), (1, 7.0)])],
            lines: Vec::new(),
        };
        assert_eq!(client.distances(&host, |s| s == slot(1)), [0.5, 0.0]);
    }

    #[test]
    fn a_teleport_that_one_makes_later_is_no_distance() {
        let slot = Slot::new(0).unwrap();
        let seen = |leaps: i32| Recording {
            views: (0..60)
                .map(|tick| View {
                    tick: Tick::new(tick).unwrap(),
                    places: vec![Place {
                        slot,
                        position: Vec3::new(if tick < leaps { 0.0 } else { 80.0 }, 0.0, 0.0),
                        facing: 0.0,
                    }],
                })
                .collect(),
            lines: Vec::new(),
        };
        for (here, there, wrong) in
            [(20, 20, 0), (20, 23, 0), (23, 20, 0), (20, 31, 0), (20, 33, 2), (33, 20, 2)]
        {
            let distances = seen(here).distances(&seen(there), |_| false);
            let far = distances.iter().filter(|far| **far > 1.0).count();
            assert_eq!(far, wrong, "{here} {there}");
            assert!(distances.len() > 30);
        }
    }
}
