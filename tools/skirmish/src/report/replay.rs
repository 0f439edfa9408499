//! Where each machine had each player, thinned out and packed for a page to play back. Knows no map and no page.

use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Machine, Slot, Tick};
use serde::Serialize;

use crate::record::Recording;

/// Places kept at most, of all machines together: about a megabyte and a half of the page.
const MOST_PLACES: usize = 150_000;
/// Ticks between two places before a machine's view is left out instead: at more a run is a jump.
const MOST_BETWEEN: usize = 6;
/// Parts of a world unit in which places are told.
const PARTS: f64 = 1000.0;

/// All that is played back.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    /// Ticks between two frames.
    pub every: usize,
    /// How many frames.
    pub frames: usize,
    /// What each machine saw, the host first.
    pub machines: Vec<View>,
}

/// What a machine saw.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// The machine.
    pub machine: u8,
    /// Where it had each player that ever lived there.
    pub tracks: Vec<Track>,
}

/// Where a machine had a player.
#[derive(Clone, Debug, Serialize)]
pub struct Track {
    /// The player.
    pub slot: u8,
    /// Each time that it was there without a break.
    pub runs: Vec<Run>,
}

/// A time that a player was there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The frame with which it begins.
    pub at: usize,
    /// Four whole numbers a frame: x, y and z in thousandths of a world unit, the facing in degrees; from the second
    /// frame on by how much they changed.
    pub steps: Vec<i32>,
    #[serde(skip)]
    last: [i32; 4],
    #[serde(skip)]
    next: usize,
}

impl Replay {
    /// Of those machines between two ticks, the host first. A long or large game is thinned out: frames first, then
    /// clients' views from the last.
    pub fn new(first: Tick, last: Tick, machines: &[(Machine, &Recording)]) -> Self {
        let ticks = (last.get() - first.get() + 1).max(0) as usize;
        let places: usize =
            machines.iter().flat_map(|(_, seen)| &seen.views).map(|view| view.places.len()).sum();
        let mut every = places.div_ceil(MOST_PLACES).clamp(1, MOST_BETWEEN);
        let mut views = Vec::new();
        let mut left = MOST_PLACES * every;
        for (machine, seen) in machines {
            let places: usize = seen.views.iter().map(|view| view.places.len()).sum();
            // The host and one beside it are always there, however thin.
            if places <= left || views.len() < 2 {
                left = left.saturating_sub(places);
                views.push((machine, *seen, places));
            }
        }
        let kept: usize = views.iter().map(|(.., places)| places).sum();
        every = every.max(kept.div_ceil(MOST_PLACES));
        let machines =
            views.iter().map(|(machine, seen, _)| View::new(first, ticks, every, **machine, seen)).collect();
        Self { every, frames: ticks.div_ceil(every), machines }
    }
}

impl View {
    fn new(first: Tick, ticks: usize, every: usize, machine: Machine, seen: &Recording) -> Self {
        let mut tracks: Vec<Vec<Run>> = vec![Vec::new(); MAX_PLAYERS];
        for view in &seen.views {
            let Ok(since) = usize::try_from(view.tick.get() - first.get()) else { continue };
            if since % every != 0 || since >= ticks {
                continue;
            }
            for place in &view.places {
                let [x, y, z] =
                    place.position.to_array().map(|part| (f64::from(part) * PARTS).round() as i32);
                let facing = place.facing.to_degrees().round() as i32;
                add(&mut tracks[place.slot.index()], since / every, [x, y, z, facing]);
            }
        }
        let tracks = Slot::all().zip(tracks).filter(|(_, runs)| !runs.is_empty());
        let tracks = tracks.map(|(slot, runs)| Track { slot: slot.get(), runs }).collect();
        Self { machine: machine.get(), tracks }
    }
}

fn add(runs: &mut Vec<Run>, frame: usize, place: [i32; 4]) {
    match runs.last_mut() {
        Some(run) if run.next == frame => {
            run.steps.extend((0..4).map(|part| place[part].wrapping_sub(run.last[part])));
            (run.last, run.next) = (place, frame + 1);
        }
        _ => runs.push(Run { at: frame, steps: place.to_vec(), last: place, next: frame + 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Place, View as Seen};
    use mjolnir_wire::Vec3;

    fn tick(tick: i32) -> Tick {
        Tick::new(tick).unwrap()
    }

    fn recording(ticks: impl Iterator<Item = i32>, players: u8) -> Recording {
        let place = |slot, x| Place {
            slot: Slot::new(slot).unwrap(),
            position: Vec3::new(x, -1.0, 0.25),
            facing: std::f32::consts::FRAC_PI_2,
            ride: None,
            ahead: false,
        };
        let views = ticks.map(|at| Seen {
            tick: tick(at),
            places: (0..players).map(|slot| place(slot, at as f32 * 0.5)).collect(),
        });
        Recording { views: views.collect(), lines: Vec::new() }
    }

    #[test]
    fn a_run_is_a_place_and_its_changes() {
        // A client's clock is ahead: it may have more ticks than the host.
        let seen = recording([9, 10, 11, 14, 15].into_iter(), 1);
        let replay = Replay::new(tick(10), tick(14), &[(Machine::HOST, &seen)]);
        assert_eq!((replay.every, replay.frames), (1, 5));
        let [track] = &replay.machines[0].tracks[..] else { panic!("one player") };
        let runs: Vec<_> = track.runs.iter().map(|run| (run.at, run.steps.clone())).collect();
        assert_eq!(runs[0], (0, vec![5000, -1000, 250, 90, 500, 0, 0, 0]));
        assert_eq!(runs[1], (4, vec![7000, -1000, 250, 90]));
    }

    #[test]
    fn a_long_game_is_thinned_out_and_a_large_one_loses_views() {
        let places = |replay: &Replay| -> usize {
            let tracks = replay.machines.iter().flat_map(|view| &view.tracks);
            tracks.flat_map(|track| &track.runs).map(|run| run.steps.len() / 4).sum()
        };
        let seen = recording(0..6000, 8);
        let eight: Vec<_> = (0..8).map(|index| (Machine::new(index).unwrap(), &seen)).collect();
        let replay = Replay::new(tick(0), tick(5999), &eight);
        assert_eq!((replay.every, replay.frames, replay.machines.len()), (3, 2000, 8));
        assert!(places(&replay) <= MOST_PLACES);

        let seen = recording(0..600, 128);
        let all: Vec<_> = (0..128).map(|index| (Machine::new(index).unwrap(), &seen)).collect();
        let replay = Replay::new(tick(0), tick(599), &all);
        assert_eq!((replay.every, replay.machines.len()), (6, 11));
        assert!(places(&replay) <= MOST_PLACES);
        assert_eq!(replay.machines[0].machine, 0);
    }
}
