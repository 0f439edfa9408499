//! Units whose player the host has called dead before its blow came: they stand until then, driven by nobody, and fall as
//! the blow has it (DMG-48). Nothing here decides, and how long they wait is the netcode's.

use mjolnir_wire::damage::Damage;
use mjolnir_wire::units::Death;
use mjolnir_wire::{ObjectId, Slot};

use super::World;
use crate::game::objects::Biped;

impl World {
    /// Takes a player's death as the host has it, and leaves its unit standing until its blow is replayed, or it is killed
    /// silently. Where this world decides it is [`World::die`]. False where the player was dead.
    pub fn doom(&mut self, slot: Slot, death: Death) -> bool {
        if self.role.decides() {
            return self.die(slot, death);
        }
        let unit = self.players[slot.index()].as_mut().and_then(|player| player.unit.take());
        if let Some(biped) = unit.and_then(|unit| self.objects.biped_mut(unit)) {
            (biped.slot, biped.doomed) = (None, !biped.dead);
        }
        unit.is_some()
    }

    /// Whether a unit stands only until its blow comes.
    pub fn doomed(&self, unit: ObjectId) -> bool {
        self.objects.biped(unit).is_some_and(|biped| biped.doomed)
    }

    /// Whether that is a unit that is no body, a doomed one too.
    pub fn stands(&self, unit: ObjectId) -> bool {
        self.objects.biped(unit).is_some_and(|biped| !biped.dead)
    }

    /// A unit becomes a body, out of its seat, thrown by what killed it. It has what it carried until the host says otherwise.
    pub(super) fn fall(&mut self, unit: ObjectId, blow: Option<&Damage>) -> bool {
        if self.role.decides() || !self.stands(unit) {
            return false;
        }
        if let Some(damage) = blow {
            self.push(unit, damage);
        }
        self.vacate(unit);
        let owner = self.objects.biped(unit).and_then(|biped| biped.slot);
        if let Some(player) = owner.and_then(|owner| self.players[owner.index()].as_mut())
            && player.unit == Some(unit)
        {
            player.unit = None;
        }
        if let Some(object) = self.objects.get_mut(unit) {
            object.wake();
            object.biped.iter_mut().for_each(Biped::become_body);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::damage::{DamageEvent, EventKind};
    use mjolnir_wire::{Axes, Buttons, Input, Vec3};

    use super::super::arena::{EAST, client, dealt, field, hold, slot, unit, vehicle};
    use super::*;
    use crate::game::kinds::Kind;
    use crate::game::movement::Body;
    use crate::game::objects::BIPED;
    use crate::game::world::Event;

    fn deaths(world: &mut World) -> Vec<(Slot, Death)> {
        let of = |event| match event {
            Event::Died { slot, death } => Some((slot, death)),
            _ => None,
        };
        world.drain_events().filter_map(of).collect()
    }

    /// A host's killing blow of the second player by the first, and a client's world as it was before it.
    fn killed() -> (World, World, DamageEvent) {
        let mut host = field("", &[Vec3::ZERO, EAST * 0.8]);
        let blow = host.clone();
        let mut client = client(&blow, &[1]);
        for _ in 0..200 {
            hold(&mut host, 0, Buttons::MELEE);
            hold(&mut host, 0, Buttons::default());
            let there = host.unit(slot(1)).map(|unit| (unit, EAST * 0.8));
            if let Some((unit, there)) = there {
                host.place(unit, there, Some(Vec3::ZERO), None);
            }
            if let Some(event) =
                dealt(&mut host).into_iter().find(|event| event.kind == EventKind::KillingBlow)
            {
                let unit = unit(&client, 1);
                client.place(unit, EAST * 0.8, Some(Vec3::ZERO), None);
                return (host, client, event);
            }
        }
        panic!("nobody died");
    }

    /// DMG-48: a player that is called dead has no unit; the unit stands, driven by nobody, whatever the objects' states say
    /// of it, and its blow fells it, once, with the host's killer.
    #[test]
    fn the_fall_is_held_back_for_the_blow() {
        let (_, mut world, event) = killed();
        let unit = unit(&world, 1);
        assert!(world.doom(slot(1), Death::default()) && !world.doom(slot(1), Death::default()));
        assert!(world.unit(slot(1)).is_none() && world.stands(unit) && world.doomed(unit));
        let body = Body { position: EAST * 0.9, velocity: Vec3::ZERO };
        assert!(world.set_motion(unit, body, Axes::UPRIGHT, false, true));
        world.drive(slot(1), Input { throttle: [1.0, 0.0], ..Input::default() });
        for _ in 0..14 {
            world.step(world.tick().next());
        }
        assert!(world.stands(unit) && world.placement(unit).unwrap().position.distance(EAST * 0.9) < 1e-3);
        assert!(deaths(&mut world).is_empty());

        assert!(world.replay_kill(&event));
        assert!(!world.stands(unit) && !world.doomed(unit) && world.describe(unit).unwrap().dead);
        let died = deaths(&mut world);
        assert_eq!((died.len(), died[0].0, died[0].1.killer), (1, slot(1), Some(slot(0))));
        assert!(!world.replay_kill(&event) && !world.kill_silently(unit), "it lies");
        assert!(deaths(&mut world).is_empty());
    }

    /// DMG-49: a doomed unit that no blow came for falls silently where it is; so does an actor's.
    #[test]
    fn without_a_blow_it_falls_silently() {
        let (_, mut world, _) = killed();
        let (unit, decided) = (unit(&world, 1), world.decisions());
        world.doom(slot(1), Death::default());
        assert!(world.kill_silently(unit) && world.describe(unit).unwrap().dead);
        assert_eq!(world.placement(unit).unwrap().velocity, Vec3::ZERO);
        assert!(deaths(&mut world).is_empty());
        assert_eq!(world.decisions(), decided);

        let actor = world.make(BIPED, EAST * 5.0, Axes::UPRIGHT, None).unwrap();
        assert!(world.kill_silently(actor) && !world.kill_silently(actor) && !world.kill_silently(unit));
    }

    /// DMG-39, 41: a unit that lies already, or is no player's, has its blow all the same: it is announced, or nobody is.
    #[test]
    fn whatever_lies_has_its_blow() {
        let (_, mut world, event) = killed();
        let unit = unit(&world, 1);
        world.doom(slot(1), Death::default());
        assert!(world.kill_silently(unit));
        let body = world.placement(unit);
        assert!(world.replay_kill(&event) && world.placement(unit) == body);
        assert!(deaths(&mut world).len() == 1 && !world.replay_kill(&event));

        let actor = world.make(BIPED, EAST * 5.0, Axes::UPRIGHT, None).unwrap();
        let of_actor = DamageEvent { object: Some(actor), player: None, ..event };
        assert!(world.replay_kill(&of_actor) && !world.stands(actor));
        assert!(world.placement(actor).unwrap().velocity.length() > 0.0);
        assert!(deaths(&mut world).is_empty());
    }

    /// A doomed rider sits until it falls, and drives nothing; whoever is given its unit after all has it, and it is not
    /// doomed.
    #[test]
    fn a_doomed_rider_drives_nothing() {
        let (_, mut world, event) = killed();
        let unit = unit(&world, 1);
        world.set_role(super::super::Role::Host);
        let car = vehicle(&mut world, Kind::Car, EAST, Vec3::ZERO);
        world.set_role(super::super::Role::Client);
        assert!(world.set_seat(unit, Some((car, 0))) && world.driver(car) == Some(slot(1)));
        world.doom(slot(1), Death::default());
        assert_eq!((world.ride(unit), world.driver(car)), (Some((car, 0)), None));
        let mut again = world.clone();
        assert!(event.damage.direction.length() > 0.0 && world.replay_kill(&event));
        assert_eq!(world.placement(unit).unwrap().velocity, Vec3::ZERO, "what rides is not thrown");
        assert_eq!((world.ride(unit), world.riders(car).unwrap()[0]), (None, None));

        assert!(again.own(slot(1), unit) && !again.doomed(unit));
        assert_eq!((again.unit(slot(1)), again.driver(car)), (Some(unit), Some(slot(1))));
    }

    /// GLUE-17: where it is decided nothing of this does anything: death is death there.
    #[test]
    fn a_host_dooms_nobody() {
        let (mut host, _, event) = killed();
        let unit = unit(&host, 0);
        assert!(!host.kill_silently(unit));
        let of_it = DamageEvent { object: Some(unit), player: Some(slot(0)), ..event };
        assert!(!host.replay_kill(&of_it) && !host.replay(&of_it) && !host.show(&of_it));
        assert!(host.doom(slot(0), Death::default()) && host.describe(unit).unwrap().dead);
    }
}
