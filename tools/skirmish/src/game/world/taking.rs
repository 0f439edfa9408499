//! What players pick up, where it is decided: what by touch, what was told of it, and what is said where there was
//! nothing. A client's world does none of it (GLUE-17).

use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Vec3};

use super::hands::{MOST_GRENADES, TOUCH};
use super::{Event, World};
use crate::game::kinds::{Class, Kind};
use crate::game::objects::Object;

/// Grenades of one piece of equipment, and of a kit.
const GRENADES: u8 = 2;

/// What came of touching a thing.
enum Touched {
    /// It is of no use to who touched it.
    Nothing,
    /// Some of it was taken: the rest lies on.
    Some(Pickup),
    /// All of it was.
    All(Pickup),
}

impl World {
    /// Notes what lies where it may be touched.
    pub(super) fn note_lying(&mut self) {
        self.lying.clear();
        let may_be_touched = |object: &Object| match object.class() {
            Class::Equipment => true,
            // For its rounds.
            Class::Weapon => object.item.is_some_and(|item| item.total[0] > 0),
            Class::Unit | Class::Vehicle => false,
        };
        let lies = |object: &Object| object.loose().is_some() && may_be_touched(object);
        let lying = self.objects.iter().filter(|(_, object)| lies(object));
        self.lying.extend(lying.map(|(id, object)| (id, object.body.position)));
    }

    /// Takes what a unit walks over and can use.
    pub(super) fn touch_what_lies(&mut self, slot: Slot, unit: ObjectId) {
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else { return };
        let mut at = 0;
        while let Some((id, lies)) = self.lying.get(at).copied() {
            at += 1;
            if lies.distance(place) > TOUCH {
                continue;
            }
            let pickup = match self.touch(slot, unit, id) {
                Touched::Nothing => continue,
                Touched::Some(pickup) => pickup,
                Touched::All(pickup) => {
                    at -= 1;
                    self.lying.swap_remove(at);
                    self.remove(id);
                    pickup
                }
            };
            self.decisions.items += 1;
            self.events.push(Event::PickedUp(pickup));
        }
    }

    fn touch(&mut self, slot: Slot, unit: ObjectId, id: ObjectId) -> Touched {
        let Some(object) = self.objects.get(id) else { return Touched::Nothing };
        let (tag, kind) = (object.tag, Kind::of(object.tag));
        let pickup = |kind, count| Pickup { slot, kind, count, tag };
        if object.class() == Class::Weapon {
            return self.take_rounds(unit, id, tag, |rounds| pickup(PickupKind::Ammunition, rounds));
        }
        let Some(biped) = self.objects.biped_mut(unit) else { return Touched::Nothing };
        let grenades = kind.and_then(Kind::grenade_place).and_then(|of| biped.load.grenades.get_mut(of));
        if let Some(has) = grenades.filter(|has| **has < MOST_GRENADES) {
            let before = *has;
            add_grenades(has);
            return Touched::All(pickup(PickupKind::Grenade, i16::from(*has - before)));
        }
        match kind {
            Some(Kind::Medkit) if biped.vitality.body < 1.0 => {
                biped.vitality.body = 1.0;
                Touched::All(pickup(PickupKind::Equipment, 1))
            }
            Some(kind) if kind.is_powerup() && biped.vitality.take(kind) => {
                Touched::All(pickup(PickupKind::Powerup, 1))
            }
            _ => Touched::Nothing,
        }
    }

    /// Takes rounds out of a weapon that lies for one of its kind that the unit carries, as many as that lacks.
    fn take_rounds(
        &mut self,
        unit: ObjectId,
        lies: ObjectId,
        tag: Tag,
        pickup: impl Fn(i16) -> Pickup,
    ) -> Touched {
        let is_of_kind = |id: &ObjectId| self.objects.get(*id).is_some_and(|object| object.tag == tag);
        let Some(own) = self.weapons_of(unit).into_iter().flatten().find(is_of_kind) else {
            return Touched::Nothing;
        };
        let most = Kind::of(tag).and_then(Kind::firing).map_or(0, |firing| firing.rounds);
        // It may have been taken into a hand since it was noted.
        let there =
            self.objects.item(lies).filter(|item| item.holder.is_none()).map_or(0, |item| item.total[0]);
        let lacks = self.objects.item(own).map_or(0, |item| most.saturating_sub(item.total[0]));
        let rounds = there.min(lacks);
        if rounds <= 0 {
            return Touched::Nothing;
        }
        if let Some(item) = self.objects.item_mut(own) {
            item.total[0] += rounds;
        }
        let Some(item) = self.objects.item_mut(lies) else { return Touched::Nothing };
        item.total[0] -= rounds;
        item.loaded[0] = item.loaded[0].min(item.total[0]);
        if item.total[0] > 0 { Touched::Some(pickup(rounds)) } else { Touched::All(pickup(rounds)) }
    }

    /// Says that a weapon was taken into a hand.
    pub(super) fn note_taken(&mut self, slot: Slot, weapon: ObjectId) {
        let Some(object) = self.objects.get(weapon) else { return };
        let pickup = Pickup { slot, kind: PickupKind::Weapon, count: 1, tag: object.tag };
        self.events.push(Event::PickedUp(pickup));
    }

    /// Says that another machine's player reached for nothing: it may see a thing that is not here (AUTH-57).
    pub(super) fn note_nothing(&mut self, slot: Slot, place: Vec3) {
        if self.player(slot).is_none_or(|player| player.machine == Machine::HOST) {
            return;
        }
        let may_be_taken = |object: &Object| {
            object.loose().is_some_and(|kind| kind != Kind::Crate)
                && matches!(object.class(), Class::Weapon | Class::Equipment)
        };
        let things = self.objects.iter().filter(|(_, object)| may_be_taken(object));
        let far = things.map(|(id, object)| (id, object.body.position.distance(place)));
        let nearest = far.min_by(|(_, a), (_, b)| a.total_cmp(b));
        self.events.push(Event::FoundNothing { slot, place, nearest });
    }
}

/// Puts the grenades of one find to those of its kind that somebody has.
pub(super) fn add_grenades(has: &mut u8) {
    *has = (*has + GRENADES).min(MOST_GRENADES);
}
