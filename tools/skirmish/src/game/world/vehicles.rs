//! A vehicle's tick in the world: by its driver's input or along its path, and its riders with it. Knows no rule of who
//! gets in.

use mjolnir_wire::objects::Motion;
use mjolnir_wire::{Axes, ObjectId, Vec3};

use super::World;
use crate::game::kinds::Kind;
use crate::game::loose::{Around, STILL_TICKS};
use crate::game::movement::{Body, Bounds};
use crate::game::objects::{Half, Object};
use crate::game::vehicle::path::{Pace, Path};
use crate::game::vehicle::{self, Craft, Terrain};

impl World {
    /// Moves a vehicle by one tick, along its path or by its driver's input.
    pub(super) fn move_vehicle(&mut self, id: ObjectId) {
        let Some(vehicle) = self.objects.vehicle(id).copied() else { return };
        if let Some((path, passed)) = vehicle.path.filter(|_| self.role.decides()) {
            return self.follow(id, path, passed);
        }
        let driver = self.driver(id).and_then(|slot| self.player(slot));
        let input = driver.map(|player| player.input);
        let Some(motion) = self.motion(id) else { return };
        let is_asleep = self.objects.get(id).is_none_or(|object| object.still >= STILL_TICKS);
        // A driver is asked each tick: a tick of one at rest that is not told to go changes nothing.
        if is_asleep && input.is_none() {
            return;
        }
        let Bounds { least, .. } = self.map.bounds;
        let around =
            Around { solids: &self.map.solids, bounds: self.map.bounds, gravity: self.limits.gravity };
        let terrain = Terrain { around, waters: &self.map.waters };
        let moved = terrain.step(vehicle.craft, &motion, input.as_ref(), &mut self.around);
        let Some(object) = self.objects.get_mut(id) else { return };
        let Motion { position, axes, velocity, angular_velocity } = moved.motion;
        (object.body, object.axes) = (Body { position, velocity }, axes);
        object.still = if moved.rests { STILL_TICKS } else { 0 };
        if let Some(vehicle) = &mut object.vehicle {
            (vehicle.spin, vehicle.grounded) = (angular_velocity, moved.grounded);
        }
        if self.role.decides() && position.z < least.z {
            self.remove(id);
        }
    }

    fn follow(&mut self, id: ObjectId, index: u16, passed: u32) {
        let Some(path) = self.map.paths.get(usize::from(index)) else { return };
        let (Pace { position, step }, next) = (path.at(passed), path.next(passed));
        let Some(object) = self.objects.get_mut(id) else { return };
        object.body.position = position;
        match step {
            None => object.lay(),
            Some(step) => {
                object.wake();
                object.body.velocity = Path::velocity(step, passed);
            }
        }
        let Some(vehicle) = &mut object.vehicle else { return };
        vehicle.path = Some((index, next));
        if let Some(step) = step {
            (object.axes, vehicle.spin) = vehicle::headed(vehicle.craft, object.axes, step);
        }
    }

    /// Riders are where their vehicles are.
    pub(super) fn carry_riders(&mut self) {
        let mut place = 0;
        while let Some(id) = self.objects.nth(place) {
            self.carry_riders_of(id);
            place += 1;
        }
    }

    pub(super) fn carry_riders_of(&mut self, vehicle: ObjectId) {
        for rider in self.riders(vehicle).into_iter().flatten().flatten() {
            self.carry_rider(rider);
        }
    }

    pub(super) fn carry_rider(&mut self, unit: ObjectId) {
        let Some((vehicle, seat)) = self.ride(unit) else { return };
        let Some((motion, craft)) = self.motion(vehicle).zip(self.craft(vehicle)) else { return };
        let Some(position) = craft.seated(seat, motion.position, motion.axes) else { return };
        if let Some(object) = self.objects.get_mut(unit) {
            object.body = Body { position, velocity: motion.velocity };
        }
        self.carry_along(unit);
    }

    /// Lets what is to come to its place before the game begins move by a tick.
    pub(super) fn settle(&mut self, id: ObjectId, kind: Kind) {
        if Craft::of(kind).is_some() { self.move_vehicle(id) } else { self.move_loose(id, kind) }
    }

    /// Puts a vehicle at the begin of each path of the map, the same on every machine (OBJ-10).
    pub(super) fn place_paths(&mut self) {
        for (index, path) in self.map.paths.iter().enumerate().filter(|(_, path)| !path.once) {
            let body = Body { position: path.places[0], velocity: Vec3::ZERO };
            let mut object = Object::new(path.kind.tag(), body, Axes::UPRIGHT, None);
            object.lay();
            object.axes = vehicle::facing(path.places[1] - path.places[0]);
            object.vehicle.iter_mut().for_each(|vehicle| vehicle.path = Some((index as u16, 0)));
            if self.objects.make(Half::Lower, object).is_none() {
                return;
            }
        }
    }
}
