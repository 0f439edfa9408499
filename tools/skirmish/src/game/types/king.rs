//! King of the hill: the side that alone has somebody on the hill scores the time, and the hill moves. Knows nobody's
//! weapon and no object.

use mjolnir_wire::Slot;
use mjolnir_wire::game_state::{Body, KingState};
use mjolnir_wire::layout::Plain as _;

use super::{Rules, SECOND, Type, Waypoint};
use crate::game::hash::Hash;
use crate::game::marks::Hill;
use crate::game::world::World;

/// Ticks that a hill stays where it is (a minute). Ours.
pub const HILL_STAYS: i32 = 1800;
/// Nobody is on the hill.
pub const UNCONTROLLED: i32 = 0;
/// One side is. The numbers between are not ours to give (FACT wire 3.8 names the first and the last).
pub const CONTROLLED: i32 = 1;
/// Several sides are.
pub const CONTESTED: i32 = 4;
/// Where a player's time stands.
const TIME: usize = 0;

#[derive(Clone, Debug)]
pub(super) struct King {
    state: KingState,
    hills: Vec<Hill>,
    /// Ticks that each player has scored: what is shown of it is in seconds.
    ticks: Box<[i32; 128]>,
}

impl King {
    pub(super) fn begin(world: &World) -> Self {
        let state = KingState { previous_controller: -1, ..KingState::get(&[0; KingState::SIZE]) };
        let mut this = Self { state, hills: world.map().marks.hills.clone(), ticks: Box::new([0; 128]) };
        this.move_to(0);
        this
    }

    fn move_to(&mut self, index: usize) {
        let Some(hill) = self.hills.get(index) else { return };
        let state = &mut self.state;
        state.hill = index as i32;
        state.timer = HILL_STAYS;
        state.point_count = 4;
        for (place, corner) in hill.corners().into_iter().enumerate() {
            state.points[place] = corner.to_array();
            state.hull[place] = [corner.x, corner.y];
        }
        state.centre = hill.middle().to_array();
        (state.bottom, state.top) = (hill.least.z, hill.most.z);
    }

    /// The hill that is played.
    fn hill(&self) -> Option<&Hill> {
        self.hills.get(usize::try_from(self.state.hill).ok()?)
    }

    /// Notes who stands on the hill: the sides that do, the first and whether there is another.
    fn look(&mut self, world: &World) -> (Option<usize>, bool) {
        let (mut first, mut contested) = (None, false);
        for slot in Slot::all() {
            let hill = self.hill();
            let is_on = world.position(slot).is_some_and(|place| hill.is_some_and(|hill| hill.has(place)));
            self.state.on_hill[slot.index()] = u8::from(is_on);
            let Some(side) = world.side(slot).filter(|_| is_on) else { continue };
            contested |= first.is_some_and(|first| first != side);
            first = first.or(Some(side));
        }
        (first, contested)
    }

    fn score_tick(&mut self, world: &mut World, side: usize) {
        let state = &mut self.state;
        if state.previous_controller != side as i32 {
            (state.previous_controller, state.controlled_count) = (side as i32, 0);
        }
        state.controlled_count = state.controlled_count.saturating_add(1);
        state.score[side] = state.score[side].saturating_add(1);
        state.score_tick[side] = world.tick().get();
        for slot in Slot::all().filter(|slot| self.state.on_hill[slot.index()] != 0) {
            let ticks = &mut self.ticks[slot.index()];
            *ticks = ticks.saturating_add(1);
            if *ticks % SECOND == 0 {
                world.add_to(slot, TIME, 1);
                world.count_score(slot, *ticks / SECOND);
            }
        }
    }
}

impl Type for King {
    fn step(&mut self, world: &mut World, _rules: &Rules) {
        let (side, contested) = self.look(world);
        self.state.state = match side {
            None => UNCONTROLLED,
            Some(_) if contested => CONTESTED,
            Some(_) => CONTROLLED,
        };
        match side.filter(|_| !contested) {
            Some(side) => self.score_tick(world, side),
            None => self.state.controlled_count = 0,
        }
        self.state.timer -= 1;
        if self.state.timer <= 0 {
            let next = usize::try_from(self.state.hill).unwrap_or_default() + 1;
            self.move_to(if next < self.hills.len() { next } else { 0 });
        }
    }

    fn joined(&mut self, slot: Slot) {
        self.ticks[slot.index()] = 0;
    }

    fn score(&self, side: usize, _rules: &Rules) -> i32 {
        self.state.score.get(side).copied().unwrap_or_default() / SECOND
    }

    fn body(&self) -> Body {
        Body::King(self.state)
    }

    fn take(&mut self, body: &Body) -> bool {
        let Body::King(state) = body else { return false };
        self.state = *state;
        true
    }

    fn waypoint(&self, _world: &World, _slot: Slot) -> Option<Waypoint> {
        let [x, y, z] = self.state.centre;
        self.hill().map(|_| Waypoint { place: mjolnir_wire::Vec3::new(x, y, z), stays: true })
    }

    fn hash(&self, hash: &mut Hash) {
        self.ticks.iter().for_each(|ticks| hash.word(*ticks as u64));
    }
}
