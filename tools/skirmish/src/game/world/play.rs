//! The game that is played in a world: its rules, its state, and what a game type may ask and do. Knows no game type.

use mjolnir_wire::game_state::GameState;
use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::units::Death;
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::{CARRIES, Event, RESPAWN_AFTER, World};
use crate::game::hash::Hash;
use crate::game::kinds::Kind;
use crate::game::looks::Looks;
use crate::game::types::{CARRIER_PACE, News, PLAYED_OUT, Play, Rules, Waypoint};

impl World {
    /// Begins a game of those rules, before the first tick and on every machine alike: what the game is about lies where
    /// the map has it, by the same name everywhere (OBJ-46), and the vehicles are those that the rules name. None is co-op, where
    /// nothing is scored.
    pub fn set_rules(&mut self, rules: Option<Rules>) {
        self.rules = rules;
        self.begin_level();
        self.keep_vehicles();
        self.play = rules.map(|rules| Box::new(Play::begin(self, &rules)));
        self.note_placing();
    }

    /// The rules by which it is played; none in co-op.
    pub const fn rules(&self) -> Option<&Rules> {
        self.rules.as_ref()
    }

    /// All that the game type counts, and how far the game's end is.
    pub fn game_state(&self) -> Option<GameState> {
        self.play.as_ref().map(|play| play.state())
    }

    /// Takes that as the host has it. False, and nothing changed, where another game type is played.
    pub fn set_game_state(&mut self, state: &GameState) -> bool {
        self.play.as_mut().is_some_and(|play| play.take(state))
    }

    /// How far the game's end is: 0 while it is played; from [`PLAYED_OUT`] on a host may end it.
    pub fn post_game_phase(&self) -> i32 {
        let level = || self.campaign.as_ref().map_or(0, |campaign| campaign.phase());
        self.play.as_ref().map_or_else(level, |play| play.phase())
    }

    /// Whether the game is over and everybody has had the time to see it.
    pub fn is_played_out(&self) -> bool {
        self.post_game_phase() >= PLAYED_OUT
    }

    /// Where the game shows a player that it should go, while it lives.
    pub fn waypoint(&self, slot: Slot) -> Option<Waypoint> {
        self.unit(slot)?;
        match &self.play {
            Some(play) => play.waypoint(self, slot),
            None => self.shown_way(),
        }
    }

    /// Takes a player's statistics as the host has them.
    pub fn set_statistics(&mut self, slot: Slot, statistics: Statistics) {
        if let Some(of) = self.statistics_mut(slot) {
            *of = statistics;
        }
    }

    /// Sets how fast a player is, of 1, where the game type says that of each: slayer. False in a client's world.
    pub fn set_pace(&mut self, slot: Slot, pace: f32) -> bool {
        let decides = self.role.decides() && pace.is_finite();
        self.play.as_mut().is_some_and(|play| decides && play.set_pace(slot, pace))
    }

    /// Whether two players are of one team, where teams play: where no game is played too. Nobody is a friend to itself.
    pub fn are_friends(&self, slot: Slot, other: Slot) -> bool {
        let teams = self.rules().is_none_or(|rules| rules.teams);
        let are_alike = self.team_of(slot).is_some() && self.team_of(slot) == self.team_of(other);
        teams && slot != other && are_alike
    }

    /// The side for which a player scores: its team where teams play, else its slot.
    pub fn side(&self, slot: Slot) -> Option<usize> {
        if self.rules()?.teams { self.team_of(slot) } else { Some(slot.index()) }
    }

    /// Who has an object in its hands.
    pub fn bearer(&self, object: ObjectId) -> Option<Slot> {
        self.objects.biped(self.carrier(object)?)?.slot
    }

    fn team_of(&self, slot: Slot) -> Option<usize> {
        let team = usize::from(self.player(slot)?.team?);
        (team < Slot::all().count()).then_some(team)
    }

    /// Whether the game that is played is about that object.
    pub(super) fn is_in_play(&self, object: ObjectId) -> bool {
        self.play.as_ref().is_some_and(|play| play.goals().any(|goal| goal == object))
    }

    /// How fast a unit is, of 1, by what it carries and by its game's word (AUTH-59).
    pub(super) fn pace_of(&self, unit: ObjectId) -> f32 {
        let (Some(play), Some(biped)) = (&self.play, self.objects.biped(unit)) else { return 1.0 };
        let carries = biped.load.weapons.into_iter().flatten().any(|weapon| self.is_in_play(weapon));
        let pace = biped.slot.map_or(1.0, |slot| play.pace(slot));
        if carries { CARRIER_PACE * pace } else { pace }
    }

    /// Where a player's side has its flag, and where the other; none where sides have no place of their own.
    pub(super) fn stands_of(&self, slot: Slot) -> Option<[Vec3; 2]> {
        let teams = self.rules()?.teams;
        let [first, second] = self.map.marks.stands;
        let stands = [first?, second?];
        match self.team_of(slot).filter(|_| teams)? {
            0 => Some(stands),
            1 => Some([stands[1], stands[0]]),
            _ => None,
        }
    }

    /// Ticks from that death until its player comes back.
    pub(super) fn comes_back_in(&self, slot: Slot, death: &Death) -> u16 {
        let Some(rules) = self.rules() else { return RESPAWN_AFTER };
        let deaths = self.player(slot).map_or(0, |player| player.deaths());
        let grown = rules.respawn_growth.saturating_mul(deaths);
        let is_suicide = death.killer.is_none_or(|killer| killer == slot);
        let penalty = if is_suicide { rules.suicide_penalty } else { 0 };
        let betrayals = self.player(slot).map_or(0, |player| player.betrayals);
        let betrayed = rules.betrayal_penalty.saturating_mul(betrayals);
        [grown, penalty, betrayed].into_iter().fold(rules.respawn, u16::saturating_add)
    }

    /// Whether a player has had all its lives.
    pub fn is_out(&self, slot: Slot) -> bool {
        let lives = self.rules().map_or(0, |rules| rules.lives);
        lives > 0
            && self.unit(slot).is_none()
            && self.player(slot).is_some_and(|player| player.deaths() >= lives)
    }

    pub(super) fn step_play(&mut self) {
        self.with_play(|play, world, rules| play.step(world, rules));
    }

    pub(super) fn note_death(&mut self, slot: Slot, death: &Death) {
        self.decisions.scores += 1;
        self.with_play(|play, world, rules| play.died(world, rules, slot, death));
    }

    /// A player has come.
    pub(super) fn greet(&mut self, slot: Slot) {
        if self.role.decides()
            && let Some(play) = &mut self.play
        {
            play.joined(slot);
        }
    }

    pub(super) fn hash_play(&self, hash: &mut Hash) {
        if let Some(play) = &self.play {
            play.hash(hash);
        }
        if let Some(campaign) = &self.campaign {
            campaign.hash(hash);
        }
    }

    fn with_play(&mut self, does: impl FnOnce(&mut Play, &mut Self, &Rules)) {
        let Some(rules) = self.rules else { return };
        if let Some(mut play) = self.play.take() {
            does(&mut play, self, &rules);
            self.play = Some(play);
        }
    }

    // What a game type asks and does.

    /// Lays out an object that a game is about, with its place: the object and where it lies.
    pub(in crate::game) fn place_goal(
        &mut self,
        kind: Kind,
        place: Vec3,
        team: Option<u8>,
    ) -> Option<(ObjectId, Vec3)> {
        self.lay_out(kind, place, Looks { team, ..Looks::PLAIN })
    }

    /// Where a player's feet are, who lives and rides nothing.
    pub(in crate::game) fn on_foot(&self, slot: Slot) -> Option<Vec3> {
        self.position(slot).filter(|_| self.unit(slot).is_some_and(|unit| self.ride(unit).is_none()))
    }

    /// Puts an object that lies into a player's hands, beside the weapons that it picks up. Whether it is there.
    pub(in crate::game) fn hand_over(&mut self, object: ObjectId, slot: Slot) -> bool {
        let Some(unit) = self.unit(slot) else { return false };
        let is_free = self.weapons_of(unit)[CARRIES].is_none() && self.carrier(object).is_none();
        let Some(item) = self.objects.item_mut(object).filter(|_| is_free) else { return false };
        item.holder = Some(unit);
        if let Some(biped) = self.objects.biped_mut(unit) {
            biped.load.weapons[CARRIES] = Some(object);
            biped.load.in_hand = Some(CARRIES as u8);
        }
        self.decisions.items += 1;
        self.carry_along(unit);
        true
    }

    /// Lays an object there, out of whoever's hands.
    pub(in crate::game) fn bring(&mut self, object: ObjectId, place: Vec3) {
        self.take_from_hands(object);
        self.place(object, place, Some(Vec3::ZERO), None);
        self.decisions.items += 1;
    }

    pub(in crate::game) fn statistics_mut(&mut self, slot: Slot) -> Option<&mut Statistics> {
        self.players[slot.index()].as_mut().map(|player| &mut player.statistics)
    }

    /// One of a player's numbers by game type.
    pub(in crate::game) fn number(&self, slot: Slot, which: usize) -> i32 {
        self.player(slot).map_or(0, |player| player.statistics.by_game_type[which].into())
    }

    /// Counts more of one of a player's numbers by game type.
    pub(in crate::game) fn add_to(&mut self, slot: Slot, which: usize, more: i16) {
        if let Some(of) = self.statistics_mut(slot) {
            of.custom_data_size = 6;
            of.by_game_type[which] = of.by_game_type[which].saturating_add(more);
        }
    }

    /// A player's score is that now.
    pub(in crate::game) fn count_score(&mut self, slot: Slot, score: i32) {
        self.decisions.scores += 1;
        if let Some(of) = self.statistics_mut(slot) {
            of.sort_key = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
    }

    pub(in crate::game) fn report(&mut self, news: News) {
        self.events.push(Event::News(news));
    }
}
