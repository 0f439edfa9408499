//! Slayer: kills count, suicides and friends killed count against. Knows nobody's weapon.

use mjolnir_wire::Slot;
use mjolnir_wire::game_state::{Body, SlayerState};
use mjolnir_wire::layout::Plain as _;
use mjolnir_wire::units::Death;

use super::{NOBODY, Rules, Type, Waypoint};
use crate::game::world::World;

/// A speed of 1 as it travels.
const WHOLE: u16 = 16_384;

#[derive(Clone, Debug)]
pub(super) struct Slayer {
    state: SlayerState,
}

impl Slayer {
    pub(super) fn begin() -> Self {
        let zero = SlayerState::get(&[0; SlayerState::SIZE]);
        Self { state: SlayerState { target: [NOBODY; 128], speed: [WHOLE; 128], ..zero } }
    }

    /// Sets how fast a player is, of 1, to a part in 16384.
    pub(super) fn set_pace(&mut self, slot: Slot, pace: f32) {
        self.state.speed[slot.index()] = (pace.clamp(0.0, 3.0) * f32::from(WHOLE)) as u16;
    }

    fn add(&mut self, world: &mut World, rules: &Rules, slot: Slot, points: i32) {
        let score = &mut self.state.player_score[slot.index()];
        *score = score.saturating_add(points);
        let score = *score;
        if let Some(team) = world.side(slot).filter(|_| rules.teams) {
            let of_team = &mut self.state.team_score[team];
            *of_team = of_team.saturating_add(points);
        }
        world.count_score(slot, score);
    }
}

impl Type for Slayer {
    fn step(&mut self, _world: &mut World, _rules: &Rules) {}

    fn died(&mut self, world: &mut World, rules: &Rules, slot: Slot, death: &Death) {
        match death.killer.filter(|killer| *killer != slot) {
            Some(killer) => self.add(world, rules, killer, if death.by_friend { -1 } else { 1 }),
            None => self.add(world, rules, slot, -1),
        }
    }

    fn joined(&mut self, slot: Slot) {
        self.state.player_score[slot.index()] = 0;
        self.state.speed[slot.index()] = WHOLE;
    }

    fn score(&self, side: usize, rules: &Rules) -> i32 {
        let scores = if rules.teams { &self.state.team_score } else { &self.state.player_score };
        scores.get(side).copied().unwrap_or_default()
    }

    fn body(&self) -> Body {
        Body::Slayer(self.state)
    }

    fn take(&mut self, body: &Body) -> bool {
        let Body::Slayer(state) = body else { return false };
        self.state = *state;
        true
    }

    fn pace(&self, slot: Slot) -> f32 {
        f32::from(self.state.speed[slot.index()]) / f32::from(WHOLE)
    }

    fn waypoint(&self, _world: &World, _slot: Slot) -> Option<Waypoint> {
        None
    }
}
