//! Race: flags touched in their order, on foot or driving, and laps counted. Knows no object.

use mjolnir_wire::game_state::{Body, RaceState};
use mjolnir_wire::layout::Plain as _;
use mjolnir_wire::{Slot, Vec3};

use super::{News, Rules, Type, Waypoint};
use crate::game::hash::Hash;
use crate::game::world::World;

/// A race's flag is touched from so near, in wu along the ground: wheels pass it. Ours.
pub const PASSES: f32 = 4.0;
/// And from so far above or below, in wu.
const HEIGHT: f32 = 4.0;
/// Flags of a race at least: with fewer one would run laps without moving.
pub(super) const FEWEST: usize = 2;
/// Where a player's numbers stand.
const LAST_LAP: usize = 0;
const LAPS: usize = 1;
const BEST_LAP: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Race {
    state: RaceState,
    flags: Vec<Vec3>,
    /// The tick in which each player's lap began, where one did.
    began: Box<[Option<i32>; 128]>,
}

impl Race {
    pub(super) fn begin(world: &World) -> Self {
        let map = world.map();
        let state = RaceState {
            lap_completed_mask: ((1_u64 << map.marks.race.len()) - 1) as u32,
            rally_flag: -1,
            vehicles_added: u8::from(map.has_vehicles()),
            ..RaceState::get(&[0; RaceState::SIZE])
        };
        Self { state, flags: map.marks.race.clone(), began: Box::new([None; 128]) }
    }

    /// The flag that a player touches next: the first that its lap lacks; with all of them, where it began.
    fn next(&self, slot: Slot) -> usize {
        let bits = self.state.lap_bits[slot.index()] as u32;
        let first = usize::try_from(self.state.first_flag[slot.index()]).unwrap_or_default();
        let count = self.flags.len();
        let in_turn = (0..count).map(|step| (first + step) % count);
        in_turn.into_iter().find(|flag| bits & (1 << flag) == 0).unwrap_or(first % count.max(1))
    }

    fn touch(&mut self, world: &mut World, rules: &Rules, slot: Slot) {
        let (index, flag) = (slot.index(), self.next(slot));
        let bits = self.state.lap_bits[index] as u32;
        self.state.touches[index] = self.state.touches[index].wrapping_add(1);
        world.report(News::Touched { by: slot });
        let is_lap = bits == self.state.lap_completed_mask;
        self.state.lap_bits[index] = if is_lap { 1 << flag } else { (bits | 1 << flag) as i32 };
        let now = world.tick().get();
        if is_lap {
            let ticks = self.began[index].map_or(0, |began| now.saturating_sub(began));
            self.lap(world, rules, slot, i16::try_from(ticks).unwrap_or(i16::MAX));
        }
        if is_lap || bits == 0 {
            self.began[index] = Some(now);
        }
    }

    fn lap(&mut self, world: &mut World, rules: &Rules, slot: Slot, ticks: i16) {
        let index = slot.index();
        let state = &mut self.state;
        state.laps[index] = state.laps[index].wrapping_add(1);
        state.laps_completed[index] = state.laps_completed[index].saturating_add(1);
        state.last_lap[index] = ticks;
        let best = state.best_lap[index];
        // The first is the best so far, and nothing to tell.
        let is_better = best > 0 && ticks < best;
        if best == 0 || is_better {
            state.best_lap[index] = ticks;
        }
        if let Some(team) = world.side(slot).filter(|_| rules.teams) {
            state.team_laps[team] = state.team_laps[team].saturating_add(1);
        }
        let (laps, best) = (state.laps_completed[index], state.best_lap[index]);
        if let Some(of) = world.statistics_mut(slot) {
            (of.by_game_type[LAST_LAP], of.by_game_type[LAPS], of.by_game_type[BEST_LAP]) =
                (ticks, laps, best);
        }
        world.count_score(slot, i32::from(laps));
        world.report(News::Lap { by: slot });
        if is_better {
            self.state.best_laps[index] = self.state.best_laps[index].wrapping_add(1);
            world.report(News::BestLap { by: slot });
        }
    }
}

impl Type for Race {
    fn step(&mut self, world: &mut World, rules: &Rules) {
        if self.flags.len() < FEWEST {
            return;
        }
        for slot in Slot::all() {
            let Some(place) = world.position(slot) else { continue };
            let apart = place - self.flags[self.next(slot)];
            if apart.across().length() <= PASSES && apart.z.abs() <= HEIGHT {
                self.touch(world, rules, slot);
            }
        }
    }

    fn joined(&mut self, slot: Slot) {
        let (index, state) = (slot.index(), &mut self.state);
        (state.first_flag[index], state.lap_bits[index]) = (0, 0);
        (state.last_lap[index], state.best_lap[index], state.laps_completed[index]) = (0, 0, 0);
        self.began[index] = None;
    }

    fn score(&self, side: usize, rules: &Rules) -> i32 {
        let laps = |side| self.state.laps_completed.get(side).map(|laps| i32::from(*laps));
        let of_team = |side| self.state.team_laps.get(side).copied();
        (if rules.teams { of_team(side) } else { laps(side) }).unwrap_or_default()
    }

    fn body(&self) -> Body {
        Body::Race(self.state)
    }

    fn take(&mut self, body: &Body) -> bool {
        let Body::Race(state) = body else { return false };
        self.state = *state;
        true
    }

    fn waypoint(&self, _world: &World, slot: Slot) -> Option<Waypoint> {
        let flags = Some(&self.flags).filter(|flags| !flags.is_empty())?;
        Some(Waypoint::to(flags[self.next(slot)]))
    }

    fn hash(&self, hash: &mut Hash) {
        for began in self.began.iter() {
            hash.word(began.map_or(u64::MAX, |tick| tick as u64));
        }
    }
}
