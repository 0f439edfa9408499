//! Guns upon vehicles: who fires them, and when. Where a shot goes and what it does stands in `shots`.

use mjolnir_wire::{ObjectId, Slot};

use super::World;
use crate::game::kinds::Kind;
use crate::game::objects::Vehicle;
use crate::game::vehicle::Craft;

/// The seat whose rider fires a vehicle's gun: the one at it, or the driver's where there is none.
fn gun_seat(craft: &Craft) -> Option<usize> {
    let at = craft.seats.iter().position(|seat| seat.aims);
    at.or_else(|| craft.seats.iter().position(|seat| seat.drives))
}

impl World {
    /// Who fires the gun of a vehicle; none where it has none, and while nobody is at it.
    pub fn gunner(&self, vehicle: ObjectId) -> Option<Slot> {
        self.kind(vehicle)?.gun()?;
        let Vehicle { craft, seats, .. } = self.objects.vehicle(vehicle)?;
        self.objects.biped(seats[gun_seat(craft)?]?)?.slot
    }

    /// A tick of the gun that a player is at. False where it is at none: then it has its own weapon.
    pub(super) fn work_gun(&mut self, slot: Slot, unit: ObjectId, fires: bool) -> bool {
        let Some((vehicle, seat)) = self.ride(unit) else { return false };
        let Some(firing) = self.kind(vehicle).and_then(Kind::gun) else { return false };
        let Some(gun) = self.objects.vehicle_mut(vehicle) else { return false };
        if gun_seat(gun.craft) != Some(usize::from(seat)) {
            return false;
        }
        gun.gun_wait = gun.gun_wait.saturating_sub(1);
        if !fires || gun.gun_wait > 0 {
            return true;
        }
        gun.gun_wait = firing.every;
        // From the eyes of who aims it, so that it hits what is looked at however near that is.
        if let (Some(from), Some((yaw, pitch))) = (self.eyes(slot), self.aim(slot)) {
            self.fire_gun(slot, &firing, from, yaw, pitch, vehicle);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Buttons, Vec3};

    use super::super::World;
    use super::super::arena::{EAST, client, dealt, field, hits, hold, left, slot, unit, vehicle};
    use crate::game::kinds::Kind;

    /// A field with a vehicle of that kind and the first player in that seat, and the second ahead of it.
    fn manned(kind: Kind, seat: u8) -> World {
        let mut world = field("", &[Vec3::ZERO, EAST * 8.0]);
        let vehicle = vehicle(&mut world, kind, Vec3::ZERO, Vec3::ZERO);
        let rider = unit(&world, 0);
        assert!(world.give(slot(0), Kind::Rifle).is_some() && world.set_seat(rider, Some((vehicle, seat))));
        // It looks where it sits, down at the middle of who stands there.
        world
    }

    /// So many ticks with the trigger held, aimed at the second player's middle; how often the gun fired.
    fn fire(world: &mut World, ticks: u32) -> usize {
        let (from, to) = (world.eyes(slot(0)).unwrap(), world.position(slot(1)).unwrap() + Vec3::UP * 0.35);
        let way = to - from;
        let pitch = libm::atan2f(way.z, way.across().length());
        let yaw = libm::atan2f(way.y, way.x);
        let mut shots = 0;
        for _ in 0..ticks {
            let buttons = Buttons::PRIMARY_TRIGGER;
            let input = mjolnir_wire::Input { buttons, trigger: 1.0, yaw, pitch, ..Default::default() };
            world.drive(slot(0), input);
            world.step(world.tick().next());
            shots += usize::from(world.fired(slot(0)));
        }
        shots
    }

    fn rounds(world: &World) -> i16 {
        world.in_hand(unit(world, 0)).unwrap().1
    }

    /// A gun is fired by who is at it, each so many ticks, and the rifle in its hands rests; who rides along has its own
    /// weapon, and who drives what has a seat at its gun fires nothing of it.
    #[test]
    fn who_is_at_a_gun_fires_it() {
        for (kind, seat, has_gun) in [
            (Kind::Turret, 0, true),
            (Kind::Flyer, 0, true),
            (Kind::Transport, 3, true),
            (Kind::Transport, 1, false),
            (Kind::Car, 1, false),
        ] {
            let mut world = manned(kind, seat);
            let (vehicle, _) = world.ride(unit(&world, 0)).unwrap();
            let before = rounds(&world);
            assert_eq!(world.gunner(vehicle), has_gun.then(|| slot(0)), "{kind:?} {seat}");
            let shots = fire(&mut world, 9);
            if has_gun {
                let every = usize::from(kind.gun().unwrap().every);
                assert_eq!((shots, rounds(&world)), (8 / every + 1, before), "{kind:?}");
            } else {
                assert!(rounds(&world) < before, "{kind:?} {seat}");
            }
        }
        let world = manned(Kind::Transport, 0);
        let (vehicle, _) = world.ride(unit(&world, 0)).unwrap();
        assert_eq!((world.driver(vehicle), world.gunner(vehicle)), (Some(slot(0)), None));
    }

    /// DMG-07: a gun's shot is its gunner's, dealt by the vehicle.
    #[test]
    fn a_guns_shot_is_its_gunners() {
        let mut world = manned(Kind::Transport, 3);
        let (vehicle, _) = world.ride(unit(&world, 0)).unwrap();
        fire(&mut world, 12);
        let events = dealt(&mut world);
        assert!(left(&world, 1) < 2.0 && !events.is_empty());
        for event in events {
            let of = (event.damage.owner, event.damage.owner_object, event.player);
            assert_eq!(of, (Some(slot(0)), Some(vehicle), Some(slot(1))));
        }
    }

    /// DMG-02, 45: at a client its own gunner's shots are hits to report and shake its screen in the trigger's tick; nobody is
    /// hurt.
    #[test]
    fn a_clients_gun_fires_at_once() {
        let mut world = client(&manned(Kind::Transport, 3), &[0]);
        assert_eq!(fire(&mut world, 1), 1);
        assert_eq!((world.screen(slot(0)).shakes, world.screen(slot(1)).shakes), (1, 0));
        fire(&mut world, 8);
        assert!(!hits(&mut world).is_empty() && left(&world, 1) == 2.0);

        let mut others = client(&manned(Kind::Transport, 3), &[1]);
        assert!(fire(&mut others, 9) > 0, "it is seen");
        assert_eq!((hits(&mut others).len(), others.screen(slot(0)).shakes), (0, 0));
        hold(&mut others, 0, Buttons::default());
        assert!(!others.fired(slot(0)));
    }
}
