//! What one machine saw: where it had every player at every tick, and each second's line. Knows no other machine;
//! the comparing is its reader's.

use mjolnir_net_compare::Line;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Slot, Tick, Vec3};

use crate::game::World;

/// Where a machine had the players at one tick.
#[derive(Clone, Debug)]
pub struct View {
    /// The tick.
    pub tick: Tick,
    /// Each living player and where its copy stood.
    pub places: Vec<(Slot, Vec3)>,
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
        let places = world.players().filter_map(|(slot, _)| Some((slot, world.position(slot)?))).collect();
        self.views.push(View { tick, places });
    }

    /// How far this machine's copies of others' players were from where another machine had them at the same tick;
    /// `own` says which slots are its own.
    pub fn distances(&self, other: &Self, own: impl Fn(Slot) -> bool) -> Vec<f64> {
        let mut distances = Vec::new();
        let mut theirs = other.views.iter().peekable();
        let mut places = [None; MAX_PLAYERS];
        for view in &self.views {
            while theirs.next_if(|their| their.tick < view.tick).is_some() {}
            let Some(their) = theirs.next_if(|their| their.tick == view.tick) else { continue };
            places.fill(None);
            for (slot, place) in &their.places {
                places[slot.index()] = Some(*place);
            }
            for (slot, place) in view.places.iter().filter(|(slot, _)| !own(*slot)) {
                if let Some(their) = places[slot.index()] {
                    distances.push(f64::from(place.distance(their)));
                }
            }
        }
        distances
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
            places: places.iter().map(|(s, x)| (slot(*s), Vec3::new(*x, 0.0, 0.0))).collect(),
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
}
