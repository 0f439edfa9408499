//! Actors in a tick: who sees whom, whose turn it is to think, what each does about it; and, on every machine, what comes of
//! it: shots and blows. Knows no mind from within.
//!
//! Minds work after everything else of a tick, so that what they have units do is told together with where that tick left
//! them: a client that hears of it at once does in the next tick what the host does (OBJ-34). A client's units have none: the
//! count of thoughts shows it (OBJ-33).

use mjolnir_wire::units::ShownDamage;
use mjolnir_wire::{Buttons, ObjectId, Vec3};

use super::World;
use crate::game::actors::mind::{HUNTS, SIGHT, Senses, View};
use crate::game::actors::squads::Duty;
use crate::game::actors::{Actor, Begun, PLAYERS, STRIKES};
use crate::game::effects::Shot;
use crate::game::kinds::{Firing, Kind};

/// Foes that a mind looks for with its eyes at most, the nearest: what stands before all of them hides whoever is further.
const LOOKS_AT: usize = 4;
/// The middle of who is looked at, above its feet, in wu.
const MIDDLE: f32 = 0.42;
/// What a hit took is shown so long, in ticks.
const SHOWN_FOR: u16 = 30;

/// Who stands where, for those who look about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    unit: ObjectId,
    place: Vec3,
}

impl World {
    /// A tick of actors' hands, where it is decided and elsewhere: their weapons work, and what they began is done. Then, where
    /// it is decided, their minds.
    pub(super) fn work_actors(&mut self) {
        self.note_seen();
        for at in 0..self.crew.units.len() {
            self.work_actor(self.crew.units[at]);
        }
        if self.role.decides() {
            for at in 0..self.crew.units.len() {
                self.run_mind(self.crew.units[at]);
            }
        }
    }

    /// Who stands where after a tick's movement.
    fn note_seen(&mut self) {
        let crew = &mut self.crew;
        crew.units.clear();
        crew.seen.iter_mut().for_each(Vec::clear);
        for (unit, object) in self.objects.iter() {
            let Some(biped) = object.biped.as_ref().filter(|biped| !biped.dead) else { continue };
            let team = match (biped.slot, &biped.actor) {
                (Some(_), _) => PLAYERS,
                (None, Some(actor)) => {
                    crew.units.push(unit);
                    actor.team
                }
                (None, None) => continue,
            };
            if let Some(of_team) = crew.seen.get_mut(usize::from(team)) {
                of_team.push(Seen { unit, place: object.body.position });
            }
        }
        if crew.units.is_empty() {
            // Nobody looks.
            crew.seen.iter_mut().for_each(Vec::clear);
        }
    }

    fn work_actor(&mut self, unit: ObjectId) {
        let Some(actor) = self.objects.biped_mut(unit).and_then(|biped| biped.actor.as_mut()) else { return };
        let input = actor.control.input;
        let begins = std::mem::take(&mut actor.begins);
        actor.showed.impulses = actor.showed.impulses.wrapping_add(begins.impulse.into());
        actor.showed.speeches = actor.showed.speeches.wrapping_add(begins.speech.into());
        actor.showed.animations = actor.showed.animations.wrapping_add(begins.animation.into());
        let strikes = begins.impulse && actor.control.impulse.kind == Some(STRIKES);
        if strikes
            && self.ride(unit).is_none()
            && let Some(hit) = self.blow(None, unit)
        {
            self.strike(hit);
        }
        self.work_weapon(unit, input.buttons.contains(Buttons::PRIMARY_TRIGGER), false, false);
    }

    /// A tick of one mind, which thinks when it is its turn.
    fn run_mind(&mut self, unit: ObjectId) {
        // It is apart from its world while it works.
        let Some(mut actor) = self.objects.biped_mut(unit).and_then(|biped| biped.actor.take()) else {
            return;
        };
        if let Some(mind) = &actor.mind {
            let thought =
                if mind.is_its_turn(self.tick) { self.think(unit, &mut actor) } else { Begun::default() };
            let acted = self.act(unit, &mut actor);
            actor.begins = thought.and(acted);
        }
        let is_alert = actor.control.animation_state > 0;
        let (has_light, whole) = (actor.shield > 0.0, actor.shield);
        let Some(biped) = self.objects.biped_mut(unit) else { return };
        biped.actor = Some(actor);
        // One of rank has a light, which is on while it fights.
        biped.light = has_light && is_alert;
        let vitality = &mut biped.vitality;
        let ShownDamage { recent_shield, recent_body, .. } = vitality.shown;
        let recent = |taken: f32| if biped.unhurt < SHOWN_FOR { taken } else { 0.0 };
        vitality.shown = ShownDamage {
            current_shield: (whole - vitality.shield).max(0.0),
            recent_shield: recent(recent_shield),
            current_body: (1.0 - vitality.body).max(0.0),
            recent_body: recent(recent_body),
        };
    }

    fn think(&mut self, unit: ObjectId, actor: &mut Actor) -> Begun {
        self.decisions.thoughts += 1;
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else {
            return Begun::default();
        };
        let eyes = self.eyes_of(unit).unwrap_or(place);
        let (sees, hears) = self.look_about(eyes, actor.team);
        let squad = actor.squad.and_then(|squad| self.map.squads.get(usize::from(squad)));
        let reach = self.arm_of(unit).map_or(0.0, |firing| firing.range);
        let attacks = squad.is_some_and(|squad| squad.duty == Duty::Attack);
        let senses = Senses {
            place,
            sees: sees.map(|(unit, _)| unit),
            far: sees.map_or(f32::INFINITY, |(_, far)| far),
            hears: hears.filter(|_| attacks),
            stops: squad.map_or(&[], |squad| &squad.starts),
            reach,
            rides: self.ride(unit).is_some(),
        };
        let Actor { mind, control, .. } = actor;
        mind.as_mut().map_or_else(Begun::default, |mind| mind.think(&senses, control))
    }

    /// The nearest foe that is seen from there, with how far off it is, and where the nearest is that may be hunted.
    fn look_about(&self, eyes: Vec3, team: u8) -> (Option<(ObjectId, f32)>, Option<Vec3>) {
        let mut nearest: [Option<(f32, Seen)>; LOOKS_AT] = [None; LOOKS_AT];
        for (other, seen) in (0..).zip(&self.crew.seen) {
            if seen.is_empty() || self.allied(team, other) {
                continue;
            }
            for seen in seen {
                let far = (seen.place - eyes).length_squared();
                let mut entry = Some((far, *seen)).filter(|_| far <= HUNTS * HUNTS);
                // Each pushes what is further down, the last one out.
                for known in &mut nearest {
                    let is_nearer = |(far, _): (f32, Seen)| known.is_none_or(|(known, _)| far < known);
                    if entry.is_some_and(is_nearer) {
                        std::mem::swap(known, &mut entry);
                    }
                }
            }
        }
        let hears = nearest[0].map(|(_, seen)| seen.place);
        let mut in_sight = nearest.iter().flatten().filter(|(far, _)| *far <= SIGHT * SIGHT);
        let sees = in_sight.find(|(_, seen)| self.sees(eyes, seen.place + Vec3::UP * MIDDLE));
        (sees.map(|(far, seen)| (seen.unit, far.sqrt())), hears)
    }

    fn act(&mut self, unit: ObjectId, actor: &mut Actor) -> Begun {
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else {
            return Begun::default();
        };
        let Actor { mind: Some(mind), control, .. } = actor else { return Begun::default() };
        let foe = mind.foe().filter(|foe| self.stands(*foe)).and_then(|foe| self.placement(foe));
        let foe = foe.map(|foe| (foe.position + Vec3::UP * MIDDLE, foe.velocity));
        let flies = foe.and_then(|_| match self.arm_of(unit)?.shot {
            Shot::AtOnce(_) => None,
            Shot::Flies(flying) => Some(flying.speed),
        });
        let eyes = self.eyes_of(unit).unwrap_or(place);
        mind.act(&View { place, eyes, foe, flies }, control)
    }

    /// How what a unit has in hand fires.
    fn arm_of(&self, unit: ObjectId) -> Option<Firing> {
        self.in_hand(unit).map(|(kind, _)| kind).and_then(Kind::firing)
    }
}
