//! What lies about and what units carry: who has what, and the host's word on both. Nothing here decides.

use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::{Axes, ObjectId, Vec3};

use super::World;
use crate::game::kinds::{Class, Kind};
use crate::game::movement::Body;
use crate::game::objects::{Biped, Load, Object};

/// What is dropped leaves a hand so high above the feet, in wu. Ours.
const HAND: f32 = 0.35;
/// And so fast ahead of the one who drops it, in wu a tick. Ours.
const TOSS: f32 = 0.03;

impl World {
    /// What an object is of.
    pub fn class(&self, id: ObjectId) -> Option<Class> {
        self.objects.get(id).map(Object::class)
    }

    /// What kind of object it is; none of one that no rule is about.
    pub fn kind(&self, id: ObjectId) -> Option<Kind> {
        self.objects.get(id).and_then(|object| Kind::of(object.tag))
    }

    /// Who carries it.
    pub fn carrier(&self, id: ObjectId) -> Option<ObjectId> {
        self.objects.item(id)?.holder
    }

    /// The name of what stands at an index.
    pub fn object_at(&self, index: usize) -> Option<ObjectId> {
        self.objects.at(index)
    }

    /// Whether a body lies limp: it does where it rests, and nowhere else (OBJ-24, OBJ-25).
    pub fn is_limp(&self, unit: ObjectId) -> bool {
        self.objects.get(unit).is_some_and(|object| object.dead() && object.at_rest())
    }

    /// Whether a unit's light is on.
    pub fn light(&self, unit: ObjectId) -> Option<bool> {
        self.objects.biped(unit).map(|biped| biped.light)
    }

    /// Turns a unit's light on or off as the host has it.
    pub fn set_light(&mut self, unit: ObjectId, on: bool) -> bool {
        self.objects.biped_mut(unit).map(|biped| biped.light = on).is_some()
    }

    /// What a unit carries.
    pub fn inventory(&self, unit: ObjectId) -> Option<Inventory> {
        let Load { weapons, in_hand, grenades } = self.objects.biped(unit)?.load;
        let weapons = weapons.map(|weapon| {
            let (object, item) = (weapon?, self.objects.item(weapon?)?);
            Some(CarriedWeapon { object, total: item.total, loaded: item.loaded, age: item.age })
        });
        Some(Inventory { unit, grenades, in_hand, weapons })
    }

    /// The kind of weapon in a unit's hand, and the rounds left for it.
    pub fn in_hand(&self, unit: ObjectId) -> Option<(Kind, i16)> {
        let load = self.objects.biped(unit)?.load;
        let item = self.objects.item(load.weapons[usize::from(load.in_hand?)]?)?;
        Some((item.kind, item.total[0]))
    }

    /// Lets a unit carry exactly that, as the host has it: weapons that are there move into its slots, out of whose
    /// they were, and what it carried besides lies where it is (OBJ-14). Nothing is made. False, and nothing changed,
    /// where the unit or a weapon is missing, is no such thing, or is named twice.
    pub fn set_inventory(&mut self, inventory: &Inventory) -> bool {
        let Inventory { unit, grenades, in_hand, weapons } = *inventory;
        let named = || weapons.iter().flatten().map(|weapon| weapon.object);
        let is_weapon = |id| self.class(id) == Some(Class::Weapon);
        let twice = named().enumerate().any(|(at, id)| named().take(at).any(|before| before == id));
        if self.objects.biped(unit).is_none() || twice || !named().all(is_weapon) {
            return false;
        }
        for id in self.weapons_of(unit).into_iter().flatten() {
            if !named().any(|kept| kept == id) {
                self.release(id);
            }
        }
        for weapon in weapons.iter().flatten() {
            if self.carrier(weapon.object) != Some(unit) {
                self.take_from_hands(weapon.object);
            }
            let Some(object) = self.objects.get_mut(weapon.object) else { continue };
            object.leaves_in = None;
            if let Some(item) = &mut object.item {
                item.holder = Some(unit);
                (item.total, item.loaded, item.age) = (weapon.total, weapon.loaded, weapon.age);
            }
        }
        let weapons = weapons.map(|weapon| weapon.map(|weapon| weapon.object));
        let in_hand =
            in_hand.filter(|slot| weapons.get(usize::from(*slot)).is_some_and(|weapon| weapon.is_some()));
        if let Some(biped) = self.objects.biped_mut(unit) {
            biped.load = Load { weapons, in_hand, grenades };
        }
        self.carry_along(unit);
        true
    }

    /// Puts an object where the host has it. What lies still there lies still here, what moves there moves on from
    /// there; a body that is moved does not lie limp. A doomed
    /// unit is moved, and falls by its blow. False where it is carried, is missing, or a part is not finite.
    pub fn set_motion(&mut self, id: ObjectId, body: Body, axes: Axes, at_rest: bool, dead: bool) -> bool {
        let is_finite = body.position.is_finite() && body.velocity.is_finite();
        // Whether a player's unit lives is told with the player.
        let owner = self.objects.biped(id).and_then(|biped| self.player(biped.slot?));
        let lives = owner.is_some_and(|player| player.unit == Some(id));
        if dead && !lives && !self.doomed(id) {
            self.vacate(id);
        }
        let Some(object) = self.objects.get_mut(id) else { return false };
        if object.carried() || !is_finite {
            return false;
        }
        (object.body, object.axes) = (body, axes);
        if let Some(biped) =
            object.biped.as_mut().filter(|biped| dead && !biped.dead && !biped.doomed && !lives)
        {
            biped.become_body();
        }
        if at_rest {
            object.lay();
        } else {
            object.wake();
        }
        true
    }

    /// Moves what lies loose, or a vehicle that nobody drives, by so much, and simulates it in the next tick no further.
    /// False where it is carried, driven, missing or neither, or that leads nowhere.
    pub fn move_along(&mut self, id: ObjectId, step: Vec3) -> bool {
        let is_driven = self.driver(id).is_some();
        let is_moved =
            |object: &&mut Object| object.loose().is_some() || object.vehicle.is_some() && !is_driven;
        let Some(object) = self.objects.get_mut(id).filter(is_moved) else { return false };
        let position = object.body.position + step;
        if !position.is_finite() {
            return false;
        }
        object.body.position = position;
        object.is_along = true;
        object.wake();
        true
    }

    pub(super) fn weapons_of(
        &self,
        unit: ObjectId,
    ) -> [Option<ObjectId>; mjolnir_wire::limits::WEAPON_SLOTS] {
        self.objects.biped(unit).map_or_else(Default::default, |biped| biped.load.weapons)
    }

    /// What a unit carries is where it is.
    pub(super) fn carry_along(&mut self, unit: ObjectId) {
        let Some(object) = self.objects.get(unit) else { return };
        let Some(Biped { load, .. }) = &object.biped else { return };
        let (weapons, position) = (load.weapons, object.body.position);
        for id in weapons.into_iter().flatten() {
            if let Some(weapon) = self.objects.get_mut(id) {
                weapon.body = Body { position, velocity: Vec3::ZERO };
            }
        }
    }

    /// Takes a weapon out of the hands of whoever carries it: its slot is empty, and another one is in hand.
    pub(super) fn take_from_hands(&mut self, id: ObjectId) {
        let Some(holder) = self.objects.item_mut(id).and_then(|item| item.holder.take()) else { return };
        let Some(biped) = self.objects.biped_mut(holder) else { return };
        let Load { weapons, in_hand, .. } = &mut biped.load;
        let Some(slot) = weapons.iter().position(|weapon| *weapon == Some(id)) else { return };
        weapons[slot] = None;
        if *in_hand == Some(slot as u8) {
            *in_hand = weapons.iter().position(Option::is_some).map(|slot| slot as u8);
        }
    }

    /// Lets a carried weapon fall where its carrier is, as fast as that is and a little ahead.
    pub(super) fn release(&mut self, id: ObjectId) {
        let Some(holder) = self.carrier(id) else { return };
        self.take_from_hands(id);
        let Some(unit) = self.objects.get(holder) else { return };
        let Body { position, velocity } = unit.body;
        let axes = unit.axes;
        let Some(weapon) = self.objects.get_mut(id) else { return };
        let velocity = velocity + axes.forward.across() * TOSS;
        weapon.body = Body { position: position + Vec3::UP * HAND, velocity };
        weapon.axes = axes;
        weapon.wake();
    }

    /// Before an object goes: it is in nobody's hands and seat, and what it carried falls, or gets out.
    pub(super) fn detach(&mut self, id: ObjectId) {
        self.vacate(id);
        self.put_out(id);
        self.take_from_hands(id);
        for weapon in self.weapons_of(id).into_iter().flatten() {
            self.release(weapon);
            self.count_dropped(weapon);
        }
        self.leave_spot(id);
    }
}
