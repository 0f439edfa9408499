//! Oddball: whoever has a ball scores the time that it has it. Knows no object but the balls.

use mjolnir_wire::game_state::{Body, OddballState};
use mjolnir_wire::layout::Plain as _;
use mjolnir_wire::units::Death;
use mjolnir_wire::{ObjectId, Slot};

use super::goal::{Goal, Seen};
use super::{NOBODY, News, Rules, SECOND, Type, Waypoint};
use crate::game::hash::Hash;
use crate::game::kinds::Kind;
use crate::game::world::World;

/// Ticks after which a ball that lies is back where it was at first (fifteen seconds). Ours.
pub const RESET_AFTER: u16 = 450;
/// Where a player's numbers stand.
const TIME: usize = 0;
const CARRIERS_KILLED: usize = 1;
const KILLS_CARRYING: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Oddball {
    state: OddballState,
    balls: Vec<Goal>,
    /// Whether somebody had each ball since it last lay where it lies at first.
    touched: [bool; 16],
}

impl Oddball {
    pub(super) fn begin(world: &mut World) -> Self {
        let zero = OddballState::get(&[0; OddballState::SIZE]);
        let state = OddballState { owner: [NOBODY; 16], transfer_player: NOBODY, ..zero };
        let mut balls = Vec::new();
        for place in world.map().marks.balls.clone() {
            let ball = world.place_goal(Kind::Ball, place, Some(0));
            balls.extend(ball.map(|(ball, home)| Goal::new(ball, home)));
        }
        Self { state, balls, touched: [false; 16] }
    }

    fn step_ball(&mut self, world: &mut World, rules: &Rules, ball: usize) {
        let seen = self.balls[ball].look(world);
        let owner = match seen {
            Seen::With(slot, _) => Some(slot),
            _ => None,
        };
        self.state.owner[ball] = Slot::byte_or_none(owner);
        match seen {
            Seen::Gone => {}
            Seen::With(slot, _) => {
                self.touched[ball] = true;
                self.state.spawn_timer[ball] = i32::from(RESET_AFTER);
                self.score_tick(world, rules, slot);
            }
            Seen::Back => self.reset(world, ball),
            Seen::AtHome | Seen::Lies => {
                self.state.spawn_timer[ball] = if seen == Seen::Lies {
                    i32::from(RESET_AFTER.saturating_sub(self.balls[ball].lies))
                } else {
                    0
                };
                let has_none = |slot| !self.state.owner.contains(&Slot::get(slot));
                if let Some(slot) = self.balls[ball].toucher(world, has_none) {
                    self.give(world, ball, slot);
                } else if self.balls[ball].lies >= RESET_AFTER {
                    self.balls[ball].send_home(world);
                    self.reset(world, ball);
                }
            }
        }
    }

    /// Whether it went into that player's hands.
    fn give(&mut self, world: &mut World, ball: usize, slot: Slot) -> bool {
        let is_given = world.hand_over(self.balls[ball].object, slot);
        if is_given {
            self.state.owner[ball] = slot.get();
            self.touched[ball] = true;
        }
        is_given
    }

    fn reset(&mut self, world: &mut World, ball: usize) {
        let touched = std::mem::take(&mut self.touched[ball]);
        let count = if touched { &mut self.state.touched_resets } else { &mut self.state.resets };
        *count = count.wrapping_add(1);
        self.state.spawn_timer[ball] = 0;
        world.report(News::Reset { touched });
    }

    fn score_tick(&mut self, world: &mut World, rules: &Rules, slot: Slot) {
        let score = &mut self.state.player_score[slot.index()];
        *score = score.saturating_add(1);
        let score = *score;
        if let Some(team) = world.side(slot).filter(|_| rules.teams) {
            let of_team = &mut self.state.team_score[team];
            *of_team = of_team.saturating_add(1);
        }
        if score % SECOND == 0 {
            world.add_to(slot, TIME, 1);
            world.count_score(slot, score / SECOND);
        }
    }
}

impl Type for Oddball {
    fn step(&mut self, world: &mut World, rules: &Rules) {
        for ball in 0..self.balls.len() {
            self.step_ball(world, rules, ball);
        }
    }

    /// What the dead one carried goes to whoever killed it.
    fn died(&mut self, world: &mut World, _rules: &Rules, slot: Slot, death: &Death) {
        let ball = self.state.owner.iter().position(|owner| *owner == slot.get());
        if let Some(ball) = ball {
            self.state.owner[ball] = NOBODY;
        }
        let Some(killer) = death.killer.filter(|killer| *killer != slot && !death.by_friend) else { return };
        let has_one = self.state.owner.contains(&killer.get());
        if has_one {
            world.add_to(killer, KILLS_CARRYING, 1);
        }
        let Some(ball) = ball else { return };
        world.add_to(killer, CARRIERS_KILLED, 1);
        if !has_one && self.give(world, ball, killer) {
            self.state.transfers = self.state.transfers.wrapping_add(1);
            self.state.transfer_player = killer.get();
            world.report(News::Passed { to: killer });
        }
    }

    fn joined(&mut self, slot: Slot) {
        self.state.player_score[slot.index()] = 0;
    }

    fn score(&self, side: usize, rules: &Rules) -> i32 {
        let scores = if rules.teams { &self.state.team_score } else { &self.state.player_score };
        scores.get(side).copied().unwrap_or_default() / SECOND
    }

    fn body(&self) -> Body {
        Body::Oddball(self.state)
    }

    fn take(&mut self, body: &Body) -> bool {
        let Body::Oddball(state) = body else { return false };
        self.state = *state;
        true
    }

    fn goals(&self) -> impl Iterator<Item = ObjectId> {
        self.balls.iter().map(|ball| ball.object)
    }

    /// To the nearest ball that somebody else may have; whoever has one goes where it likes.
    fn waypoint(&self, world: &World, slot: Slot) -> Option<Waypoint> {
        if self.goals().any(|ball| world.bearer(ball) == Some(slot)) {
            return None;
        }
        let place = world.position(slot)?;
        let is_friends = |ball| world.bearer(ball).is_some_and(|other| world.are_friends(slot, other));
        let others = self.goals().filter(|ball| !is_friends(*ball));
        let places = others.filter_map(|ball| Some(world.motion(ball)?.position));
        places.min_by(|a, b| a.distance(place).total_cmp(&b.distance(place))).map(Waypoint::to)
    }

    fn hash(&self, hash: &mut Hash) {
        self.balls.iter().for_each(|ball| ball.hash(hash));
        hash.word(self.touched.iter().fold(0, |word, touched| word << 1 | u64::from(*touched)));
    }
}
