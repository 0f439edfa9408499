//! Digests of a world, by which two of them are compared. They know every part of it, and change none.

use mjolnir_wire::{Axes, ObjectId, Slot};

use super::World;
use crate::game::hash::Hash;
use crate::game::health::Vitality;
use crate::game::objects::Biped;

impl World {
    /// A digest of everything that the next tick follows from, and of the figures that players see. Inputs are no
    /// state of the world.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.shared(&mut hash);
        hash.word(self.random.state());
        for (_, object) in self.objects.iter() {
            let rests = |biped: &Biped| u64::from(biped.rests) << 16 | u64::from(biped.unhurt);
            hash.word(object.biped.as_ref().map_or(0, rests));
            if let Some(actor) = object.biped.as_ref().and_then(|biped| biped.actor.as_ref()) {
                actor.hash(&mut hash);
            }
            if let Some(Vitality { powerups, unit_flags, flags, .. }) =
                object.biped.as_ref().map(|biped| biped.vitality)
            {
                powerups.iter().for_each(|left| hash.word(*left as u64));
                hash.word(u64::from(unit_flags) << 1 | u64::from(flags.over_charging));
            }
            hash.word(object.leaves_in.map_or(u64::MAX, u64::from) << 8 | u64::from(object.still));
            hash.word(object.item.map_or(0, |item| u64::from(item.wait)));
            let path = object.vehicle.and_then(|vehicle| vehicle.path);
            hash.word(path.map_or(u64::MAX, |(index, passed)| u64::from(index) << 32 | u64::from(passed)));
            hash.word(object.vehicle.map_or(0, |vehicle| u64::from(vehicle.gun_wait)));
            hash.word(object.vehicle.and_then(|vehicle| vehicle.doors).map_or(2, u64::from));
            hash.word(object.biped.as_ref().map_or(0, |biped| u64::from(biped.doomed)));
            let rammed = object.biped.as_ref().and_then(|biped| biped.rammed);
            hash.word(
                rammed.map_or(0, |(by, at)| u64::from(by.raw() as u32) << 32 | u64::from(at.get() as u32)),
            );
        }
        for (_, player) in self.players() {
            let waits = u64::from(player.betrayals) << 16 | u64::from(player.wait);
            hash.word(u64::from(player.held.0) << 32 | waits);
            hash.word(u64::from(player.blow_wait) << 1 | u64::from(player.unscoped));
        }
        self.projectiles().for_each(|projectile| projectile.hash(&mut hash));
        self.devices.hash_own(&mut hash);
        self.breakables.hash_own(&mut hash);
        for (slot, arrived) in (0..).zip(&self.pads.arrived) {
            if let Some(pad) = arrived {
                hash.word(slot << 16 | u64::from(*pad));
            }
        }
        for spot in &self.spots {
            hash.word(ObjectId::raw_or_none(spot.object) as u64);
            hash.word(u64::from(spot.wait));
        }
        self.crew.hash(&mut hash);
        self.hash_play(&mut hash);
        hash.finish()
    }

    /// A digest of what a client's world has as well as its host's: objects, units and players, without what only
    /// the one who decides keeps (chance, waits, the time since a hurt).
    pub fn shared_hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.shared(&mut hash);
        hash.finish()
    }

    fn shared(&self, hash: &mut Hash) {
        hash.word(self.tick.get() as u64);
        for (id, object) in self.objects.iter() {
            hash.word(u64::from(id.raw() as u32));
            hash.word(u64::from(object.tag.0));
            let Axes { forward, up } = object.axes;
            for vector in [object.body.position, object.body.velocity, forward, up] {
                hash.vector(vector);
            }
            hash.word(u64::from(object.at_rest()));
            object.looks.words().for_each(|word| hash.word(word));
            if let Some(item) = &object.item {
                hash.word(ObjectId::raw_or_none(item.holder) as u64);
                for rounds in [item.total, item.loaded].as_flattened() {
                    hash.word(*rounds as u64);
                }
                hash.word(u64::from(item.age));
            }
            if let Some(vehicle) = &object.vehicle {
                hash.vector(vehicle.spin);
                for rider in vehicle.seats {
                    hash.word(ObjectId::raw_or_none(rider) as u64);
                }
            }
            let Some(biped) = &object.biped else { continue };
            hash.word(
                biped.ride.map_or(u64::MAX, |(vehicle, seat)| {
                    u64::from(vehicle.raw() as u32) << 8 | u64::from(seat)
                }),
            );
            hash.word(u64::from(biped.dead) << 1 | u64::from(biped.light));
            for weapon in biped.load.weapons {
                hash.word(ObjectId::raw_or_none(weapon) as u64);
            }
            hash.word(biped.load.in_hand.map_or(u64::MAX, u64::from));
            let [first, second] = biped.load.grenades;
            hash.word(u64::from(first) << 8 | u64::from(second));
            hash.word(u64::from(Slot::byte_or_none(biped.slot)));
            let Vitality { body, shield, camouflage, .. } = biped.vitality;
            for value in [biped.yaw, biped.pitch, body, shield, camouflage] {
                hash.float(value);
            }
        }
        self.devices.hash_shared(hash);
        self.breakables.hash_shared(hash);
        for (slot, player) in self.players() {
            hash.word(u64::from(slot.get()) << 1 | u64::from(player.left));
            hash.word(ObjectId::raw_or_none(player.unit) as u64);
            hash.word(u64::from(player.kills()) << 16 | u64::from(player.deaths()));
            hash.word(player.score() as u64);
        }
    }
}
