//! What players do with their hands: picking up, dropping, swapping, using up, where it is decided; firing, loading and
//! throwing on every machine. A client counts what its own players fire and throw in the tick in which they do (PRED-34), until
//! the host says how much is left (PRED-28); of others it has the host's word alone (GLUE-17).
//!
//! What is picked up by touch stands in `taking`, what a shot hits in `shots`.

use mjolnir_wire::{Axes, Buttons, Input, ObjectId, Slot, Vec3};

use super::{DROPPED_STAYS, World, taking};
use crate::game::cheats::Cheats;
use crate::game::effects::THROW_EVERY;
use crate::game::kinds::{Class, Kind};
use crate::game::movement::Body;
use crate::game::objects::{BIPED, Item, Object};

/// Weapons that a player picks up at most; a host may give no more either.
pub const CARRIES: usize = 2;
/// Grenades of a kind that a player picks up at most. Ours.
pub const MOST_GRENADES: u8 = 4;
/// How far a hand reaches for a weapon, in wu from the feet. Ours.
pub const REACH: f32 = 1.0;
/// Equipment is used up from so near, in wu from the feet. Ours.
pub const TOUCH: f32 = 0.5;
/// Ticks that loading takes.
const RELOADING: u8 = 30;

impl World {
    /// Each living player's hands, in order of their slots.
    pub(super) fn use_hands(&mut self) {
        self.note_lying();
        for slot in Slot::all() {
            let Some(player) = self.players[slot.index()].as_mut() else { continue };
            let input = player.input;
            let held = std::mem::replace(&mut player.held, input.buttons);
            if let Some(unit) = self.unit(slot) {
                let is_pressed = |button| input.buttons.contains(button) && !held.contains(button);
                self.use_hands_of(slot, unit, &input, is_pressed);
            }
        }
    }

    fn use_hands_of(
        &mut self,
        slot: Slot,
        unit: ObjectId,
        input: &Input,
        is_pressed: impl Fn(Buttons) -> bool,
    ) {
        if is_pressed(Buttons::FLASHLIGHT)
            && let Some(biped) = self.objects.biped_mut(unit)
        {
            biped.light = !biped.light;
            self.decisions.items += 1;
        }
        if is_pressed(Buttons::SWAP_WEAPONS) {
            self.swap(unit);
        }
        if is_pressed(Buttons::ACTION) && !self.use_switch(unit) && !self.board_or_leave(unit) {
            self.take_or_drop(slot, unit);
        }
        if self.ride(unit).is_none() {
            self.touch_what_lies(slot, unit);
        }
        self.use_arms(slot, unit, input, is_pressed, true);
    }

    /// A tick of what a player fights with: a grenade is thrown, the weapon in hand works. Whether it did anything. Where it
    /// does not count, nothing is used up: it is shown.
    pub(super) fn use_arms(
        &mut self,
        slot: Slot,
        unit: ObjectId,
        input: &Input,
        is_pressed: impl Fn(Buttons) -> bool,
        counts: bool,
    ) -> bool {
        self.work_fists(slot, unit, is_pressed(Buttons::MELEE));
        self.work_gun(slot, unit, input.buttons.contains(Buttons::PRIMARY_TRIGGER));
        let Some(biped) = self.objects.biped_mut(unit) else { return false };
        biped.rests = biped.rests.saturating_sub(1);
        // Who drives, or is at a gun, has no hand free.
        let seat = self.ride(unit).and_then(|(vehicle, seat)| {
            self.craft(vehicle)?.seats.get(usize::from(seat)).map(|seat| seat.drives || seat.aims)
        });
        let is_free = seat != Some(true);
        let throws = is_free && is_pressed(Buttons::THROW_GRENADE);
        let takes = counts && !self.cheats(Some(slot), Cheats::GRENADES);
        let threw = throws && self.throw_grenade(slot, unit, input.grenade.unwrap_or(0), takes);
        let fires = is_free && input.buttons.contains(Buttons::PRIMARY_TRIGGER);
        let worked = self.work_weapon(unit, fires, is_pressed(Buttons::RELOAD), counts);
        threw || worked
    }

    /// Takes the next weapon into the hand.
    fn swap(&mut self, unit: ObjectId) {
        let Some(biped) = self.objects.biped_mut(unit) else { return };
        let Some(now) = biped.load.in_hand else { return };
        if usize::from(now) >= CARRIES {
            // What the game is about is put down for that.
            return self.drop_in_hand(unit);
        }
        let weapons = biped.load.weapons;
        let count = weapons.len() as u8;
        let next = (1..count).map(|step| (now + step) % count);
        if let Some(slot) = next.into_iter().find(|slot| weapons[usize::from(*slot)].is_some()) {
            biped.load.in_hand = Some(slot);
            self.decisions.items += 1;
        }
    }

    /// The nearest weapon that lies in reach of a place.
    pub fn weapon_near(&self, place: Vec3) -> Option<ObjectId> {
        let lies = |object: &Object| object.class() == Class::Weapon && object.loose().is_some();
        let far = |object: &Object| object.body.position.distance(place);
        let in_reach = self.objects.iter().filter(|(_, object)| lies(object) && far(object) <= REACH);
        // What the game is about is touched, not taken.
        let in_reach = in_reach.filter(|(id, _)| !self.is_in_play(*id));
        in_reach.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b))).map(|(id, _)| id)
    }

    /// Takes the nearest weapon in reach; with none there, drops the one in hand.
    fn take_or_drop(&mut self, slot: Slot, unit: ObjectId) {
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else { return };
        match self.weapon_near(place) {
            Some(weapon) => {
                self.take(unit, weapon);
                self.note_taken(slot, weapon);
            }
            None => {
                self.note_nothing(slot, place);
                self.drop_in_hand(unit);
            }
        }
    }

    fn drop_in_hand(&mut self, unit: ObjectId) {
        let Some(load) = self.objects.biped(unit).map(|biped| biped.load) else { return };
        let Some(weapon) = load.in_hand.and_then(|slot| load.weapons[usize::from(slot)]) else { return };
        self.release(weapon);
        self.count_dropped(weapon);
    }

    /// Where this world decides, what was dropped does not lie for ever; a flag does.
    pub(super) fn count_dropped(&mut self, weapon: ObjectId) {
        if !self.role.decides() {
            return;
        }
        self.decisions.items += 1;
        let stays = self.is_goal(weapon);
        if let Some(object) = self.objects.get_mut(weapon).filter(|_| !stays) {
            object.leaves_in = Some(DROPPED_STAYS);
        }
    }

    /// Puts a weapon that nobody carries into a free slot of a unit, or into the hand for the one there, which falls.
    pub(super) fn take(&mut self, unit: ObjectId, weapon: ObjectId) {
        let free = |weapons: [Option<ObjectId>; 4]| weapons[..CARRIES].iter().position(Option::is_none);
        if free(self.weapons_of(unit)).is_none() {
            self.drop_in_hand(unit);
        }
        let Some(slot) = free(self.weapons_of(unit)) else { return };
        self.leave_spot(weapon);
        let Some(object) = self.objects.get_mut(weapon) else { return };
        object.leaves_in = None;
        let Some(item) = &mut object.item else { return };
        item.holder = Some(unit);
        if let Some(biped) = self.objects.biped_mut(unit) {
            biped.load.weapons[slot] = Some(weapon);
            biped.load.in_hand = Some(slot as u8);
        }
        self.decisions.items += 1;
        self.carry_along(unit);
    }

    /// Throws a grenade of the first or of the second kind, if there is one and the last one is so long ago.
    fn throw_grenade(&mut self, slot: Slot, unit: ObjectId, which: u8, counts: bool) -> bool {
        let decides = self.role.decides();
        let which = usize::from(which);
        let mut kinds = [Kind::Grenades, Kind::Stickies].into_iter();
        let Some(kind) = kinds.find(|kind| kind.grenade_place() == Some(which)) else { return false };
        let Some(biped) = self.objects.biped_mut(unit).filter(|biped| biped.rests == 0) else { return false };
        let Some(count) = biped.load.grenades.get_mut(which).filter(|count| **count > 0) else {
            return false;
        };
        if counts {
            *count -= 1;
        }
        biped.rests = THROW_EVERY;
        if decides {
            self.decisions.items += 1;
            self.note_throw(slot, kind.tag());
        }
        self.toss(slot, kind);
        true
    }

    /// A tick of the weapon in hand: it fires while the trigger is held, loads when it is told to or has nothing
    /// loaded. Whether it did either. An actor's never runs out.
    pub(super) fn work_weapon(&mut self, unit: ObjectId, fires: bool, reloads: bool, counts: bool) -> bool {
        let decides = self.role.decides();
        let Some(biped) = self.objects.biped(unit) else { return false };
        let is_endless = biped.actor.is_some() || self.cheats(biped.slot, Cheats::AMMO);
        let load = biped.load;
        let weapon = load.in_hand.and_then(|slot| load.weapons[usize::from(slot)]);
        let Some(item) = weapon.and_then(|weapon| self.objects.item_mut(weapon)) else { return false };
        let Some(firing) = item.kind.firing() else { return false };
        item.wait = item.wait.saturating_sub(1);
        if item.wait > 0 {
            return false;
        }
        let (total, loaded, age) = (item.total[0], item.loaded[0], item.age);
        let mut has_fired = true;
        if (reloads || loaded == 0) && loaded < firing.loads.min(total) {
            item.loaded[0] = firing.loads.min(total);
            item.wait = RELOADING;
            has_fired = false;
        } else if fires && firing.loads > 0 && loaded > 0 {
            (item.total[0], item.loaded[0]) = (total - 1, loaded - 1);
            item.wait = firing.every;
        } else if fires && firing.loads == 0 && item.age < u16::MAX {
            item.age = item.age.saturating_add(firing.wears);
            item.wait = firing.every;
        } else {
            return false;
        }
        if !counts || has_fired && is_endless {
            (item.total[0], item.loaded[0], item.age) = (total, loaded, age);
        }
        self.decisions.items += u64::from(decides);
        if has_fired {
            self.shoot(unit, &firing);
        }
        true
    }

    /// Makes a weapon, or grenades, for a unit to carry. The weapon that was made.
    pub(super) fn supply(&mut self, unit: ObjectId, kind: Kind) -> Option<ObjectId> {
        if let Some(which) = kind.grenade_place() {
            taking::add_grenades(&mut self.objects.biped_mut(unit)?.load.grenades[which]);
            return None;
        }
        let position = self.objects.get(unit)?.body.position;
        let body = Body { position, velocity: Vec3::ZERO };
        let weapon = self.put(Object::new(kind.tag(), body, Axes::UPRIGHT, None))?;
        // It is told of as carried.
        self.take(unit, weapon);
        self.announce(weapon);
        Some(weapon)
    }

    // The console's words.

    /// Gives a player a new weapon, in hand; one that it has no place for falls. None where it does not live, where
    /// the kind is no weapon, and in a client's world.
    pub fn give(&mut self, slot: Slot, kind: Kind) -> Option<ObjectId> {
        let may = self.role.decides() && kind.class() == Class::Weapon;
        let unit = self.unit(slot).filter(|_| may)?;
        self.supply(unit, kind)
    }

    /// Makes an object that falls from there. None where the place is none, and in a client's world.
    pub fn spawn(&mut self, kind: Kind, position: Vec3) -> Option<ObjectId> {
        let may = self.role.decides() && Vec3::read_position(position.to_array()).is_ok();
        may.then(|| self.make(kind.tag(), position, Axes::UPRIGHT, None)).flatten()
    }

    /// Deletes an object, whoever carries it. False of a living player's unit, and in a client's world.
    pub fn erase(&mut self, id: ObjectId) -> bool {
        let lives = self.objects.biped(id).is_some_and(|biped| biped.slot.is_some());
        let may = self.role.decides() && !lives && self.objects.get(id).is_some();
        if may {
            self.decisions.items += 1;
            self.clear_away(id);
        }
        may
    }

    /// Lets an object lie for good that would go after its time: a body, what was dropped. False where there is none, and
    /// in a client's world.
    pub fn keep(&mut self, id: ObjectId) -> bool {
        let object = self.objects.get_mut(id).filter(|_| self.role.decides());
        object.map(|object| object.leaves_in = None).is_some()
    }

    /// Puts an object somewhere else, from where it falls. False of a living player's unit, of what is carried, where
    /// the place is none, and in a client's world.
    pub fn shift(&mut self, id: ObjectId, position: Vec3) -> bool {
        let Some(object) = self.objects.get(id) else { return false };
        let is_fixed = object.carried() || object.tag == BIPED && !object.dead();
        let may = self.role.decides() && !is_fixed && Vec3::read_position(position.to_array()).is_ok();
        may && self.place(id, position, Some(Vec3::ZERO), None)
    }

    /// Sets a weapon's rounds and wear. False where it is no weapon, and in a client's world.
    pub fn set_weapon(&mut self, id: ObjectId, total: i16, loaded: i16, age: u16) -> bool {
        let decides = self.role.decides();
        let item = self.objects.item_mut(id).filter(|item| decides && item.kind.firing().is_some());
        item.map(|item: &mut Item| (item.total[0], item.loaded[0], item.age) = (total, loaded, age)).is_some()
    }
}
