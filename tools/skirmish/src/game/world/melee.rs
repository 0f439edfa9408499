//! A unit's own blow: from its eyes to whatever is nearest within reach of where it looks. Knows no health: what was
//! struck is told on ([`World::strike`]).
//!
//! Every machine does it for all whose inputs it has, so that it is seen at once (DMG-60).

use mjolnir_wire::damage::{Hit, Parts};
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::World;
use crate::game::effects::{AIRBORNE, BLOW, BLOW_EVERY, BLOW_REACH};
use crate::game::screen::count;

/// The body of who strikes, above its feet, in wu: where its blow is greatest. Ours.
const CHEST: f32 = 0.35;
/// How far aside of where it looks it strikes: the least part of a way of 1 that goes there. Ours.
const ASIDE: f32 = 0.6;
/// What is so near is struck wherever it looks, in wu from the eyes.
const WITHIN: f32 = 0.1;
/// The node of a body.
const BODY: u16 = 0;

impl World {
    /// A tick of a player's fists: it strikes as the button is pressed, unless it rides or has only just struck.
    pub(super) fn work_fists(&mut self, slot: Slot, unit: ObjectId, is_pressed: bool) {
        let rides = self.ride(unit).is_some();
        let Some(player) = self.players[slot.index()].as_mut() else { return };
        player.blow_wait = player.blow_wait.saturating_sub(1);
        if !is_pressed || rides || player.blow_wait > 0 {
            return;
        }
        player.blow_wait = BLOW_EVERY;
        count(&mut self.screens[slot.index()].swings);
        if let Some(hit) = self.blow(Some(slot), unit) {
            self.strike(hit);
        }
    }

    /// What a unit's blow hits now: its player's, or an actor's.
    pub(super) fn blow(&self, slot: Option<Slot>, unit: ObjectId) -> Option<Hit> {
        let (eyes, (yaw, pitch)) = (self.eyes_of(unit)?, self.aim_of(unit)?);
        let ((sin, cos), (up, along)) = (libm::sincosf(yaw), libm::sincosf(pitch));
        let way = Vec3::new(cos * along, sin * along, up);
        let object = self.within_reach(unit, eyes, way)?;
        let scale = if self.grounded(unit) { 1.0 } else { AIRBORNE };
        let mut damage = self.damage_of(slot, &BLOW, Some(unit), eyes, way, scale);
        damage.team = damage.team.or_else(|| self.actor(unit).map(|actor| actor.team().into()));
        damage.epicentre = self.objects.get(unit)?.body.position + Vec3::UP * CHEST;
        let target = self.objects.get(object)?.body.position;
        Some(Hit {
            object,
            damage,
            target,
            normal: None,
            parts: Parts { node: Some(BODY), ..Parts::default() },
        })
    }

    /// The nearest unit that stands within reach there, and nothing between; where there is none, the nearest vehicle.
    fn within_reach(&self, unit: ObjectId, eyes: Vec3, way: Vec3) -> Option<ObjectId> {
        let mut nearest: Option<(bool, f32, ObjectId)> = None;
        for (id, object) in self.objects.iter().filter(|(id, _)| *id != unit) {
            let Some(bulk) = self.bulk(id) else { continue };
            let (core, far) = (bulk.core(eyes), bulk.far(eyes));
            let to = core - eyes;
            let is_ahead = far <= WITHIN || to.dot(way) >= to.length() * ASIDE;
            let rank = (object.vehicle.is_some(), far);
            let is_nearer = nearest.is_none_or(|(is_vehicle, least, _)| rank < (is_vehicle, least));
            if far <= BLOW_REACH && is_ahead && is_nearer && self.sees(eyes, core) {
                nearest = Some((rank.0, rank.1, id));
            }
        }
        nearest.map(|(.., id)| id)
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Buttons, Input};

    use super::super::arena::{EAST, client, dealt, field, hits, hold, left, press, slot, unit, vehicle};
    use super::*;
    use crate::game::effects::Effect;
    use crate::game::kinds::Kind;

    /// Who stands at the origin strikes at who stands there; what was dealt.
    fn struck(lines: &str, there: Vec3) -> usize {
        let mut world = field(lines, &[Vec3::ZERO, there]);
        press(&mut world, 0, Buttons::MELEE);
        dealt(&mut world).len()
    }

    /// A blow lands as far as it reaches from the eyes, ahead and a little aside; not behind, not through a wall.
    #[test]
    fn a_blow_reaches_so_far() {
        // The nearest of a body beside is its round shoulder: 0.1 below the eyes, a radius from the line.
        let most = ((BLOW_REACH + 0.2) * (BLOW_REACH + 0.2) - 0.01_f32).sqrt();
        assert_eq!((struck("", EAST * (most - 0.01)), struck("", EAST * (most + 0.01))), (1, 0));
        assert_eq!(struck("", EAST * -(most - 0.01)), 0);
        assert_eq!((struck("", Vec3::new(0.6, 0.7, 0.0)), struck("", Vec3::new(0.4, 0.8, 0.0))), (1, 0));
        assert_eq!((struck("", EAST * -0.1), struck("", EAST * -0.4)), (1, 0), "within, and behind");
        assert_eq!(struck("box 0.3 -2 0 0.4 2 2", EAST * 0.8), 0);
    }

    /// DMG-14: a blow comes from the striker's eyes and chest, along where it looks, upon the body's node, and names where
    /// the target is.
    #[test]
    fn a_blow_has_its_shape() {
        let mut world = field("", &[Vec3::ZERO, EAST * 0.8]);
        press(&mut world, 0, Buttons::MELEE);
        let event = dealt(&mut world).remove(0);
        let feet = world.position(slot(0)).unwrap();
        assert_eq!(event.damage.origin, world.eyes(slot(0)).unwrap());
        assert!(event.damage.epicentre.distance(feet + Vec3::UP * CHEST) < 1e-6);
        assert_eq!((event.damage.direction, event.parts.node), (EAST, Some(BODY)));
        assert_eq!((event.damage.owner, event.damage.owner_object), (Some(slot(0)), world.unit(slot(0))));
        assert_eq!((event.player, event.object), (Some(slot(1)), world.unit(slot(1))));
    }

    /// DMG-12: on the ground a blow does all that it can, from the air half again.
    #[test]
    fn a_blow_from_the_air_is_harder() {
        for (jumps, scale) in [(false, 1.0), (true, AIRBORNE)] {
            let mut world = field("", &[Vec3::ZERO, EAST * 0.6]);
            if jumps {
                hold(&mut world, 0, Buttons::JUMP);
            }
            press(&mut world, 0, Buttons::MELEE);
            assert_eq!(dealt(&mut world)[0].damage.scale, scale);
            let taken = Effect::of(BLOW.tag).unwrap().amount * scale;
            assert!((left(&world, 1) - (2.0 - taken)).abs() < 1e-5, "{}", left(&world, 1));
        }
    }

    /// The next blow comes once the last is over, whether the button is held or pressed again and again.
    #[test]
    fn blows_come_one_after_the_other() {
        let mut world = field("", &[Vec3::ZERO]);
        for _ in 0..u32::from(BLOW_EVERY) {
            press(&mut world, 0, Buttons::MELEE);
        }
        // Every second tick is a press: of twice as many ticks two are free to strike.
        assert_eq!(world.screen(slot(0)).swings, 2);
        for _ in 0..90 {
            hold(&mut world, 0, Buttons::MELEE);
        }
        assert_eq!(world.screen(slot(0)).swings, 3, "held, it strikes once");
    }

    /// Of two the nearer is struck; a vehicle only where no unit is; and nobody strikes from a seat.
    #[test]
    fn the_nearest_unit_is_struck() {
        let mut world = field("", &[Vec3::ZERO, EAST * 0.9, EAST * 0.7]);
        vehicle(&mut world, Kind::Car, EAST * 0.8, Vec3::ZERO);
        assert_eq!(world.blow(Some(slot(0)), unit(&world, 0)).unwrap().object, unit(&world, 2));
        let mut world = field("", &[Vec3::ZERO, EAST * 30.0]);
        let car = vehicle(&mut world, Kind::Car, EAST * 0.8, Vec3::ZERO);
        assert_eq!(world.blow(Some(slot(0)), unit(&world, 0)).unwrap().object, car);
        let rider = unit(&world, 0);
        assert!(world.set_seat(rider, Some((car, 0))));
        press(&mut world, 0, Buttons::MELEE);
        assert_eq!(world.screen(slot(0)).swings, 0);
    }

    /// DMG-01, 02, 60: a client's own blow is seen in its tick and is one hit to report, and hurts nobody there; another's,
    /// known by its input, is seen and is nothing to report.
    #[test]
    fn a_clients_blow_is_seen_at_once_and_hurts_nobody() {
        let mut world = client(&field("", &[Vec3::ZERO, EAST * 0.8]), &[0]);
        hold(&mut world, 0, Buttons::MELEE);
        let reported = hits(&mut world);
        assert_eq!((world.screen(slot(0)).swings, reported.len(), left(&world, 1)), (1, 1, 2.0));
        assert_eq!(reported[0].object, unit(&world, 1));
        assert_eq!(Some(reported[0].target), world.position(slot(1)));

        let strikes = Input { buttons: Buttons::MELEE, yaw: std::f32::consts::PI, ..Input::default() };
        world.drive(slot(1), strikes);
        world.step(world.tick().next());
        assert_eq!((world.screen(slot(1)).swings, hits(&mut world).len(), left(&world, 0)), (1, 0, 2.0));
        assert_eq!(world.decisions(), field("", &[Vec3::ZERO, EAST * 0.8]).decisions());
    }
}
