//! What one machine saw: where it had every player at every tick, and each second's line. Knows no other machine;
//! the comparing is its reader's.

use mjolnir_net_compare::{Alive, Line};
use mjolnir_wire::limits::{MAX_PLAYERS, TICKS_PER_SECOND};
use mjolnir_wire::{ObjectId, Slot, Tick, Vec3};

use crate::game::{Role, World};

/// Ticks that what a client drives may be ahead of its host's copy, of what is judged: a way there and back of a second.
pub const AHEAD_TICKS: usize = TICKS_PER_SECOND as usize;

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
    /// The vehicle that it rode, and its seat there.
    pub ride: Option<(ObjectId, u8)>,
    /// It rode what a player of this very client drove: it is as far ahead of the host's copy as the way there and back
    /// is long, and no copy of the host's word.
    pub ahead: bool,
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
            let ride = world.unit(slot).and_then(|unit| world.ride(unit));
            let driver = ride.and_then(|(vehicle, _)| world.player(world.driver(vehicle)?));
            let ahead = world.role() == Role::Client && driver.is_some_and(|driver| driver.local);
            Some(Place { slot, position: world.position(slot)?, facing, ride, ahead })
        };
        let places = world.players().filter_map(|(slot, _)| place(slot)).collect();
        self.views.push(View { tick, places });
    }

    /// The lines as they are judged beside the host's: who rode what this machine drove is put where that was within
    /// [`AHEAD_TICKS`] before, nearest to where the host had it.
    pub fn judged(&self, host: &[Line]) -> Vec<Line> {
        let mut lines = self.lines.clone();
        for line in &mut lines {
            let end = self.views.partition_point(|view| view.tick.get() <= line.tick as i32);
            let Ok(at) = host.binary_search_by_key(&line.tick, |line| line.tick) else { continue };
            let views = &self.views[end.saturating_sub(AHEAD_TICKS)..end];
            for player in &mut line.players {
                let there = host[at].player(player.slot).and_then(|player| player.alive.as_ref());
                let (Some(there), Some(here)) = (there, &mut player.alive) else { continue };
                let Some((slot, feet)) = Slot::new(player.slot).zip(ahead(views, player.slot)) else {
                    continue;
                };
                // A line has its vehicle's place.
                let seat = feet - place_of(here);
                if let Some(at) = nearest(views, slot, place_of(there) + seat) {
                    here.position = (at - seat).to_array().map(f64::from);
                }
            }
        }
        lines
    }

    /// How far this machine's copies of others' players were from where another machine had them at the same tick;
    /// `own` says which slots are its own. Who rides what it drives itself is no copy. The ticks in which one of the two
    /// has a player through a teleporter, or at its next life's begin, and the other not yet, are left out.
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
            let is_copy = |place: &&Place| !own(place.slot) && !place.ahead && !is_between(place.slot);
            for place in view.places.iter().filter(is_copy) {
                if let Some(their) = places[place.slot.index()] {
                    distances.push((view.tick, f64::from(place.position.distance(their))));
                }
            }
        }
        distances
    }
}

fn place(view: &View, slot: Slot) -> Option<&Place> {
    view.places.iter().find(|place| place.slot == slot)
}

/// Where a player is in the last of those, if it rides what that machine drives.
fn ahead(views: &[View], slot: u8) -> Option<Vec3> {
    let place = place(views.last()?, Slot::new(slot)?).filter(|place| place.ahead)?;
    Some(place.position)
}

fn place_of(player: &Alive) -> Vec3 {
    let [x, y, z] = player.position.map(|part| part as f32);
    Vec3::new(x, y, z)
}

/// Where a player was in those, nearest to there.
pub fn nearest<'a>(views: impl IntoIterator<Item = &'a View>, slot: Slot, there: Vec3) -> Option<Vec3> {
    let places = views.into_iter().filter_map(|view| place(view, slot)).map(|place| place.position);
    places.min_by(|a, b| a.distance(there).total_cmp(&b.distance(there)))
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
    use mjolnir_net_compare::Player;

    use super::*;

    /// Somebody in its own vehicle is judged where it was within a second, and one on foot, or in another's, where it is.
    #[test]
    fn what_a_machine_drives_is_ahead() {
        let slot = Slot::new(3).unwrap();
        let line = |tick, x| Line {
            tick,
            players: vec![Player {
                slot: 3,
                alive: Some(Alive { position: [x, 0.0, 0.0], ..Alive::default() }),
                ..Player::default()
            }],
            ..Line::default()
        };
        for (ahead, away, judged) in
            [(true, 12.0_f32, 28.0), (true, 29.0, 11.0), (true, 30.0, 11.0), (false, 12.0, 40.0)]
        {
            let view = |tick: i32| View {
                tick: Tick::new(tick).unwrap(),
                places: vec![Place {
                    slot,
                    position: Vec3::new(tick as f32, 0.0, 0.0),
                    facing: 0.0,
                    ride: None,
                    ahead,
                }],
            };
            let client = Recording {
                views: (1..=45).map(view).collect(),
                lines: vec![line(40, 40.0), line(41, 41.0)],
            };
            let lines = client.judged(&[line(40, f64::from(40.0 - away))]);
            let at = |line: &Line| line.players[0].alive.as_ref().unwrap().position[0];
            assert_eq!(lines.iter().map(at).collect::<Vec<_>>(), [judged, 41.0], "{ahead} {away}");
        }
    }

    #[test]
    fn copies_are_compared_at_the_same_tick_and_own_players_left_out() {
        let slot = |index| Slot::new(index).unwrap();
        let view = |tick, places: &[(u8, f32)]| View {
            tick: Tick::new(tick).unwrap(),
            places: places
                .iter()
                .map(|(s, x)| Place {
                    slot: slot(*s),
                    position: Vec3::new(*x, 0.0, 0.0),
                    facing: 0.0,
                    ride: None,
                    ahead: false,
                })
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
                        ride: None,
                        ahead: false,
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
