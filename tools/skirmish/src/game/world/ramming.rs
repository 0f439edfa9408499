//! Vehicles that hit units: how hard, and whose doing it is. And what a vehicle passes on to who rides it. Knows no
//! health: what was hit is told on ([`World::strike`]).
//!
//! Vehicles stop for nobody and nobody stops for them: where a vehicle comes upon a unit fast enough, it hurts and throws it.

use mjolnir_wire::ObjectId;
use mjolnir_wire::damage::{Damage, Hit, Parts};

use super::World;
use crate::game::effects::{RAM, RAM_EVERY, RAMS_WHOLE};
use crate::game::screen::count;

/// What hits more slowly than this hurts nobody, in wu a tick: one who runs against it comes no faster. Ours.
pub const RAMS_FROM: f32 = 0.1;
/// The part of what hits a vehicle that each of its riders takes. Ours.
pub const RIDERS_SHARE: f32 = 0.25;

impl World {
    /// After a tick's movement: whatever vehicles have come upon is hit.
    pub(super) fn ram(&mut self) {
        if !self.harms {
            return;
        }
        let mut place = 0;
        while let Some(vehicle) = self.objects.nth(place) {
            place += 1;
            self.ram_by(vehicle);
        }
    }

    fn ram_by(&mut self, vehicle: ObjectId) {
        let Some(object) = self.objects.get(vehicle).filter(|object| object.vehicle.is_some()) else {
            return;
        };
        if object.body.velocity.length() < RAMS_FROM {
            return;
        }
        let mut place = 0;
        while let Some(unit) = self.objects.nth(place) {
            place += 1;
            let Some(hit) = self.rammed(vehicle, unit) else { continue };
            if let Some(biped) = self.objects.biped_mut(unit) {
                biped.rammed = Some((vehicle, self.tick));
            }
            if let Some(slot) = hit.damage.owner {
                count(&mut self.screens[slot.index()].rams);
            }
            self.strike(hit);
        }
    }

    /// The hit of a vehicle upon a unit that it has come upon, on foot, and has not hit just now.
    fn rammed(&self, vehicle: ObjectId, unit: ObjectId) -> Option<Hit> {
        let biped = self.objects.biped(unit).filter(|biped| !biped.dead && biped.ride.is_none())?;
        let is_over = |by: ObjectId, at| by != vehicle || self.tick.since(at) >= i32::from(RAM_EVERY);
        if biped.rammed.is_some_and(|(by, at)| !is_over(by, at)) {
            return None;
        }
        let (way, apart) = self.bulk(unit)?.from(&self.bulk(vehicle)?);
        if apart > 0.0 {
            return None;
        }
        let (of_vehicle, of_unit) = (self.objects.get(vehicle)?.body, self.objects.get(unit)?.body);
        let length = way.length();
        let (speed, closes) = (of_vehicle.velocity.length(), of_vehicle.velocity - of_unit.velocity);
        // One in its very middle is hit as fast as it goes.
        let closing = if length > 0.0 { closes.dot(way) / length } else { closes.length() };
        if closing < RAMS_FROM {
            return None;
        }
        let scale = ((closing - RAMS_FROM) / (RAMS_WHOLE - RAMS_FROM)).clamp(0.0, 1.0);
        let (driver, along) = (self.driver(vehicle), of_vehicle.velocity * (1.0 / speed));
        let damage = self.damage_of(driver, &RAM, Some(vehicle), of_unit.position, along, scale);
        Some(Hit {
            object: unit,
            damage: Damage { epicentre: of_vehicle.position, ..damage },
            target: of_unit.position,
            normal: None,
            parts: Parts::default(),
        })
    }

    /// What hits a vehicle hurts who rides it, where this world decides (DMG-59).
    pub(super) fn hurt_riders(&mut self, hit: &Hit) {
        if !self.role.decides() {
            return;
        }
        let damage = Damage { scale: hit.damage.scale * RIDERS_SHARE, ..hit.damage };
        for rider in self.riders(hit.object).into_iter().flatten().flatten() {
            self.hurt(rider, &damage, Parts::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::damage::EventKind;
    use mjolnir_wire::{Buttons, Input, Machine, Slot};

    use super::super::Role;
    use super::super::arena::{EAST, client, dealt, field, hits, hold, left, slot, unit, vehicle};
    use super::*;
    use crate::game::effects::Effect;
    use crate::game::kinds::Kind;
    use mjolnir_wire::Vec3;

    const BEHIND: Vec3 = Vec3::new(-2.0, 0.0, 0.0);

    /// A player at the origin, another far off, and a car behind the first that goes east so fast.
    fn meets(speed: f32) -> (World, ObjectId) {
        let mut world = field("", &[Vec3::ZERO, EAST * 50.0]);
        let car = vehicle(&mut world, Kind::Car, BEHIND, EAST * speed);
        (world, car)
    }

    fn pass(world: &mut World, ticks: u32) {
        for _ in 0..ticks {
            hold(world, 0, Buttons::default());
        }
    }

    /// DMG-11, 15: what a vehicle drives into it hits once, as hard as it comes upon it, from the vehicle's place; more slowly
    /// than one can run it hits nobody.
    #[test]
    fn a_vehicle_hits_by_its_speed() {
        let (mut slow, _) = meets(RAMS_FROM - 0.001);
        slow.place(unit(&slow, 0), EAST * -1.5, None, None);
        pass(&mut slow, 30);
        assert!(dealt(&mut slow).is_empty());

        let scale_at = |speed: f32| {
            let (mut world, car) = meets(speed);
            let mut was = Vec3::ZERO;
            while dealt_to(&world, 0) {
                was = world.motion(car).unwrap().velocity;
                pass(&mut world, 1);
                assert!(world.tick().get() < 100, "it never came");
            }
            let event = dealt(&mut world).remove(0);
            assert_eq!(event.damage.owner_object, Some(car));
            assert!(event.damage.epicentre.distance(event.damage.origin) < 0.45 + 0.7 + 0.01);
            (event.damage.scale, was.length())
        };
        let (half, went) = scale_at(0.26);
        assert!(half > 0.1 && half <= (went - RAMS_FROM) / (RAMS_WHOLE - RAMS_FROM) + 1e-5, "{half} {went}");
        assert!(scale_at(0.35).0 > half);
    }

    /// Whether nothing was taken of a player yet.
    fn dealt_to(world: &World, index: u8) -> bool {
        left(world, index) == 2.0
    }

    /// One pass over a unit is one hit; the vehicle hits it again once that is over.
    #[test]
    fn a_pass_is_one_hit() {
        let (mut world, car) = meets(0.2);
        pass(&mut world, 40);
        assert_eq!(dealt(&mut world).len(), 1);
        let target = world.position(slot(0)).unwrap();
        let motion = world.motion(car).unwrap();
        world.place(unit(&world, 0), target, Some(Vec3::ZERO), None);
        world.set_vehicle(
            car,
            &mjolnir_wire::objects::Motion { position: target - EAST * 1.0, velocity: EAST * 0.2, ..motion },
        );
        pass(&mut world, 12);
        assert_eq!(dealt(&mut world).len(), 1);
    }

    /// DMG-11: who drives has done it, and is not hit; where nobody drives a vehicle has, and nobody is told to have. What is
    /// hit fast enough dies of it, by a vehicle.
    #[test]
    fn who_drives_has_done_it() {
        for driven in [false, true] {
            let (mut world, car) = meets(0.4);
            if driven {
                assert!(world.set_seat(unit(&world, 1), Some((car, 0))));
                world.drive(slot(1), Input { throttle: [1.0, 0.0], ..Input::default() });
            }
            pass(&mut world, 6);
            let event = dealt(&mut world).remove(0);
            assert_eq!(event.damage.owner, driven.then(|| slot(1)));
            assert_eq!((event.kind, event.player), (EventKind::KillingBlow, Some(slot(0))));
            assert!(event.kill.by_vehicle && left(&world, 1) == 2.0);
        }
    }

    /// Who sits in a vehicle is not run over in it; on foot in the same place it is.
    #[test]
    fn who_rides_is_not_run_over() {
        for rides in [true, false] {
            let (mut world, _) = meets(0.35);
            let stands = vehicle(&mut world, Kind::Transport, Vec3::ZERO, Vec3::ZERO);
            if rides {
                assert!(world.set_seat(unit(&world, 0), Some((stands, 2))));
            }
            pass(&mut world, 12);
            assert_eq!(dealt(&mut world).len(), usize::from(!rides));
        }
    }

    /// DMG-01, 02, 60: a client's own driver's collision is one hit to report and hurts nobody; another's, and a vehicle's that
    /// nobody drives, are none.
    #[test]
    fn a_clients_collision_is_reported() {
        for (own, driven, reports) in [(1, true, 1), (0, true, 0), (1, false, 0)] {
            let (mut world, car) = meets(0.4);
            if driven {
                assert!(world.set_seat(unit(&world, 1), Some((car, 0))));
                world.drive(slot(1), Input { throttle: [1.0, 0.0], ..Input::default() });
            }
            let mut world = client(&world, &[own]);
            pass(&mut world, 6);
            let reported = hits(&mut world);
            assert_eq!((reported.len(), left(&world, 0)), (reports, 2.0), "{own} {driven}");
            assert_eq!(world.screen(slot(1)).rams, u32::from(driven), "it is seen at once, whoever drives");
            for hit in reported {
                assert_eq!((hit.damage.owner, hit.target), (Some(slot(1)), hit.damage.origin));
            }
        }
    }

    /// DMG-35: the host's copy of a vehicle that a client's player drives hits nobody: that player's report does.
    #[test]
    fn a_clients_vehicle_hurts_by_its_report() {
        let (mut world, car) = meets(0.4);
        let far = Slot::new(2).unwrap();
        assert!(world.join(far, "Far", Machine::new(3).unwrap(), None));
        pass(&mut world, 1);
        world.set_vehicle(
            car,
            &mjolnir_wire::objects::Motion {
                position: BEHIND,
                velocity: EAST * 0.4,
                ..world.motion(car).unwrap()
            },
        );
        assert!(world.set_seat(world.unit(far).unwrap(), Some((car, 0))));
        pass(&mut world, 8);
        assert_eq!((dealt(&mut world).len(), left(&world, 0)), (0, 2.0));
    }

    /// DMG-59: what hits a vehicle hurts each who rides it by its share, where it is decided; a client's world hurts nobody.
    #[test]
    fn riders_are_hurt_through_their_vehicle() {
        let mut world = field("", &[Vec3::ZERO, EAST, EAST * 9.0]);
        let car = vehicle(&mut world, Kind::Car, EAST * 5.0, Vec3::ZERO);
        for index in [0, 1] {
            assert!(world.set_seat(unit(&world, index), Some((car, index))));
        }
        let effect = Effect::of(crate::game::effects::GUN_ROUND.tag).unwrap();
        let damage = world.damage_of(Some(slot(2)), effect, None, EAST * 9.0, -EAST, 1.0);
        let target = world.motion(car).unwrap().position;
        let hit = Hit { object: car, damage, target, normal: None, parts: Parts::default() };

        let mut client = client(&world, &[2]);
        client.strike(hit);
        assert_eq!((left(&client, 0), left(&client, 1), hits(&mut client).len()), (2.0, 2.0, 1));

        world.deal_hit(&hit);
        assert_eq!(world.role(), Role::Host);
        for index in [0, 1] {
            let taken = 2.0 - left(&world, index);
            assert!((taken - effect.amount * RIDERS_SHARE).abs() < 1e-5, "{taken}");
        }
        assert_eq!(left(&world, 2), 2.0);
        let to: Vec<_> = dealt(&mut world).into_iter().filter_map(|event| event.player).collect();
        assert_eq!(to, [slot(0), slot(1)]);
    }
}
