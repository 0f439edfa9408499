//! Flinches and deaths at the seam: which animation the host picks for a unit that was hurt, and those that it says on a
//! client. Knows no message. A unit's graph has the same animations for each kind, one after another.

use std::collections::VecDeque;

use mjolnir_wire::ObjectId;
use mjolnir_wire::damage::{AnimationKind, DamageAnimation, DamageEvent, EventKind};

use super::Game;
use crate::game::Class;

/// Animations of each kind in a unit's graph. Ours.
pub const OF_A_KIND: u16 = 3;
/// Animations in a unit's graph.
pub const ANIMATIONS: u16 = OF_A_KIND * AnimationKind::ALL.len() as u16;
/// What takes as much, 1 a whole shield or body, has a unit flinch and fall hard. Ours.
pub const HARD: f32 = 0.5;
/// What is kept until it is asked for; the oldest give way. Ours.
const KEPT: usize = 256;

/// A flinch or a death that the host picked: the unit, the animation's index, what it is for.
pub type Pick = (ObjectId, u16, AnimationKind);

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Flinches {
    picked: VecDeque<Pick>,
    shown: VecDeque<DamageAnimation>,
    turn: u16,
}

fn keep<T>(list: &mut VecDeque<T>, what: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(what);
}

impl Flinches {
    /// Another game.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// A unit was hurt, or killed: picks how it shows, the animations of a kind in turn.
    fn pick(&mut self, unit: ObjectId, event: &DamageEvent) {
        let is_hard = event.total_damage >= HARD;
        let kind = match (event.kind, is_hard) {
            (EventKind::Aftermath, false) => AnimationKind::SoftPing,
            (EventKind::Aftermath, true) => AnimationKind::HardPing,
            (EventKind::KillingBlow, false) => AnimationKind::SoftKill,
            (EventKind::KillingBlow, true) => AnimationKind::HardKill,
            (EventKind::ScreenEffect | EventKind::Scenery, _) => return,
        };
        self.turn = (self.turn + 1) % OF_A_KIND;
        keep(&mut self.picked, (unit, kind as u16 * OF_A_KIND + self.turn, kind));
    }
}

impl Game {
    /// Takes what the world dealt, and picks how its units show it.
    pub(super) fn gather_dealt(&mut self) {
        let Some(world) = &mut self.world else { return };
        let first = self.dealt.len();
        world.take_dealt(&mut self.dealt);
        self.pick_from(first);
    }

    /// Picks for what was dealt from that on.
    pub(super) fn pick_from(&mut self, first: usize) {
        let Some(world) = &self.world else { return };
        for event in &self.dealt[first..] {
            if let Some(unit) = event.object.filter(|object| world.class(*object) == Some(Class::Unit)) {
                self.flinches.pick(unit, event);
            }
        }
    }

    /// On the host: the flinches and deaths that it picked since this was last asked, in order.
    pub fn take_picks(&mut self) -> impl Iterator<Item = Pick> + '_ {
        self.gather_dealt();
        self.flinches.picked.drain(..)
    }

    /// How many animations a unit's graph has; 0 of what is no unit.
    pub fn animations_of(&self, unit: ObjectId) -> u16 {
        let world = self.world.as_ref();
        let is_unit = world.is_some_and(|world| world.class(unit) == Some(Class::Unit));
        if is_unit { ANIMATIONS } else { 0 }
    }

    /// On a client: a unit shows what the host picked.
    pub fn show_pick(&mut self, pick: &DamageAnimation) {
        keep(&mut self.flinches.shown, *pick);
    }

    /// What units were to show since this was last asked.
    pub fn take_shown(&mut self) -> Vec<DamageAnimation> {
        self.flinches.shown.drain(..).collect()
    }
}
