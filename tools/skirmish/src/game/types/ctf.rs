//! Capture the flag: the other team's flag is touched and brought to the own stand while the own flag is there. Knows no
//! object but the flags.

use mjolnir_wire::game_state::{Body, CtfState};
use mjolnir_wire::layout::Plain as _;
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::goal::{Goal, Seen};
use super::{NOBODY, News, Rules, Type, Waypoint, touches};
use crate::game::hash::Hash;
use crate::game::kinds::Kind;
use crate::game::world::World;

/// A flag is captured from so near the stand, in wu along the ground. Ours.
pub const CAPTURE: f32 = 1.0;
/// Ticks after which a flag that lies is back at home (thirty seconds). Ours.
pub const RETURN_AFTER: u16 = 900;
/// Where a player's numbers stand.
const GRABS: usize = 0;
const RETURNS: usize = 1;
const SCORES: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Ctf {
    state: CtfState,
    stands: [Vec3; 2],
    /// Each team's flag; none on a map without stands.
    flags: Vec<Goal>,
}

impl Ctf {
    pub(super) fn begin(world: &mut World) -> Self {
        let zero = CtfState::get(&[0; CtfState::SIZE]);
        let nobody = [NOBODY; 2];
        let mut state = CtfState {
            flag_weapon: [ObjectId::raw_or_none(None); 2],
            flag_place: [0, 1],
            flag_team: [0, 1],
            capturer: nobody,
            grabber: nobody,
            returner: nobody,
            ..zero
        };
        let mut flags = Vec::new();
        let mut stands = [Vec3::ZERO; 2];
        if let [Some(first), Some(second)] = world.map().marks.stands {
            stands = [first, second];
            for (team, stand) in (0..).zip(stands) {
                let Some((flag, home)) = world.place_goal(Kind::Flag, stand, Some(team)) else { break };
                state.flag_weapon[usize::from(team)] = flag.raw();
                flags.push(Goal::new(flag, home));
            }
        }
        Self { state, stands, flags }
    }

    /// The team that plays against that one.
    const fn other(team: usize) -> usize {
        1 - team
    }

    fn step_flag(&mut self, world: &mut World, team: usize) {
        let seen = self.flags[team].look(world);
        match seen {
            Seen::Gone => {}
            Seen::With(slot, place) => self.try_capture(world, team, slot, place),
            Seen::Back => self.returned(world, team, None),
            Seen::AtHome | Seen::Lies => {
                let is_out = self.flags[team].is_out;
                let may = |slot| match world.side(slot) {
                    // One's own flag is touched to bring it home.
                    Some(side) if side == team => is_out,
                    side => side == Some(Self::other(team)),
                };
                match self.flags[team].toucher(world, may) {
                    Some(slot) if world.side(slot) == Some(team) => {
                        self.flags[team].send_home(world);
                        self.returned(world, team, Some(slot));
                    }
                    Some(slot) => self.grab(world, team, slot),
                    None if self.flags[team].lies >= RETURN_AFTER => {
                        self.flags[team].send_home(world);
                        self.returned(world, team, None);
                    }
                    None => {}
                }
            }
        }
    }

    fn grab(&mut self, world: &mut World, team: usize, slot: Slot) {
        if !world.hand_over(self.flags[team].object, slot) {
            return;
        }
        let by = Self::other(team);
        self.state.grabs[by] = self.state.grabs[by].wrapping_add(1);
        self.state.grabber[by] = slot.get();
        world.add_to(slot, GRABS, 1);
        world.report(News::Grabbed { team: by as u8, by: slot });
    }

    fn returned(&mut self, world: &mut World, team: usize, by: Option<Slot>) {
        self.state.returns[team] = self.state.returns[team].wrapping_add(1);
        self.state.returner[team] = Slot::byte_or_none(by);
        if let Some(slot) = by {
            world.add_to(slot, RETURNS, 1);
        }
        world.report(News::Returned { team: team as u8, by });
    }

    /// Whoever carries that team's flag may be at its own stand.
    fn try_capture(&mut self, world: &mut World, team: usize, slot: Slot, place: Vec3) {
        let by = Self::other(team);
        let is_there = touches(place, self.stands[by], CAPTURE);
        let own_is_home = self.flags.get(by).is_some_and(|own| !own.is_out);
        if world.side(slot) != Some(by) || !is_there || !own_is_home {
            return;
        }
        self.flags[team].send_home(world);
        self.state.score[by] = self.state.score[by].saturating_add(1);
        self.state.captures[by] = self.state.captures[by].wrapping_add(1);
        self.state.capturer[by] = slot.get();
        world.add_to(slot, SCORES, 1);
        let own = world.number(slot, SCORES);
        world.count_score(slot, own);
        world.report(News::Captured { team: by as u8, by: slot });
    }
}

impl Type for Ctf {
    fn step(&mut self, world: &mut World, _rules: &Rules) {
        for team in 0..self.flags.len() {
            self.step_flag(world, team);
        }
    }

    fn joined(&mut self, _slot: Slot) {}

    fn score(&self, side: usize, _rules: &Rules) -> i32 {
        self.state.score.get(side).copied().unwrap_or_default()
    }

    fn body(&self) -> Body {
        Body::Ctf(self.state)
    }

    fn take(&mut self, body: &Body) -> bool {
        let Body::Ctf(state) = body else { return false };
        self.state = *state;
        true
    }

    fn goals(&self) -> impl Iterator<Item = ObjectId> {
        self.flags.iter().map(|flag| flag.object)
    }

    /// With a flag home. Otherwise to the other flag; once a friend has that to the own one, if it is away, and to the own
    /// one at once where it lies about nearer.
    fn waypoint(&self, world: &World, slot: Slot) -> Option<Waypoint> {
        let side = world.side(slot).filter(|side| *side < self.flags.len())?;
        let (own, other) = (self.flags[side].object, self.flags[Self::other(side)].object);
        let bearer = world.bearer(other);
        if bearer == Some(slot) {
            return Some(Waypoint { place: self.stands[side], stays: true });
        }
        let at = |flag| world.motion(flag).map(|motion| motion.position);
        let place = world.position(slot)?;
        let lost = at(own).filter(|flag| flag.distance(self.stands[side]) > CAPTURE);
        let prize = at(other)?;
        let is_had = bearer.is_some();
        let lies_near =
            |lost: &Vec3| world.bearer(own).is_none() && lost.distance(place) < prize.distance(place);
        let wanted = lost.filter(|lost| is_had || lies_near(lost));
        Some(Waypoint::to(wanted.unwrap_or(if is_had { self.stands[side] } else { prize })))
    }

    fn hash(&self, hash: &mut Hash) {
        self.flags.iter().for_each(|flag| flag.hash(hash));
    }
}
