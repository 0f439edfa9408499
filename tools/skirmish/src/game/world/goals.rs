//! Goal objects: flags and balls, which the game itself never deletes, and where each is shown to those who play for it. Knows no
//! rule of who scores.

use mjolnir_wire::{ObjectId, Vec3};

use super::World;
use crate::game::kinds::Kind;

/// A goal that is shown: wherever its flag is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The flag that it is shown at.
    pub flag: ObjectId,
    /// Where, in wu.
    pub position: Vec3,
    /// Who carries the flag.
    pub carrier: Option<ObjectId>,
}

impl World {
    /// What is shown: a goal at each flag that stands, and none where one is no more (OBJ-08).
    pub fn goals(&self) -> impl Iterator<Item = Goal> {
        let flags = self.objects.iter().filter(|(id, _)| self.is_goal(*id));
        flags.map(|(flag, object)| Goal { flag, position: object.body.position, carrier: self.carrier(flag) })
    }

    /// Whether that is what a game is about: no rule deletes it.
    pub(super) fn is_goal(&self, id: ObjectId) -> bool {
        self.kind(id).is_some_and(Kind::is_goal)
    }

    /// A rule deletes an object, and it is told. No rule may delete a goal object: a build with debug assertions stops
    /// there (OBJ-09). What the host tells of, and what whoever runs a machine says, is no rule.
    pub(super) fn remove(&mut self, id: ObjectId) {
        debug_assert!(!self.is_goal(id), "a rule deletes the flag {id:?}");
        self.clear_away(id);
    }

    /// Where a flag begins, or is brought back to.
    pub(super) fn home(&self, flag: ObjectId) -> Vec3 {
        let spot = self.spots.iter().find(|spot| spot.object == Some(flag)).map(|spot| spot.position);
        spot.unwrap_or_else(|| self.map.spawns.first().map_or(Vec3::ZERO, |spawn| spawn.position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Made, Map, Role, Tuning};
    use mjolnir_wire::{Axes, Machine, Slot, Tag, Tick};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A host's world with a flag, one player and another thing.
    fn world() -> (World, Slot, ObjectId) {
        let text = "bounds -20 -20 -5 20 20 30\nbox -20 -20 -1 20 20 0\nitem flag 5 0 0\nitem rifle 6 0 0\nspawn 0 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        let slot = Slot::new(0).unwrap();
        world.join(slot, "Ann", Machine::HOST, None);
        world.step(Tick::ZERO);
        let flag = world.goals().next().unwrap().flag;
        (world, slot, flag)
    }

    /// OBJ-09: a rule that deletes a flag stops a build with debug assertions; one that deletes another thing does not,
    /// nor does the word of whoever runs the host.
    #[test]
    fn a_rule_that_deletes_a_flag_is_a_fault() {
        let (mut world, _, flag) = world();
        let rifle = world.object_at(flag.index() + 1).unwrap();
        world.remove(rifle);
        let stops = catch_unwind(AssertUnwindSafe(|| world.remove(flag))).is_err();
        assert_eq!(stops, cfg!(debug_assertions));
        let (mut world, _, flag) = self::world();
        assert!(world.erase(flag) && world.goals().next().is_none());
    }

    /// OBJ-08, 09: a client deletes a flag on the host's word, in the place of what the host makes, and as what the
    /// host never told of: nothing stops, nobody carries it, and its goal is shown no more.
    #[test]
    fn a_clients_three_deletions_are_none_of_a_rule() {
        let taken = |held: bool| {
            let (mut world, slot, flag) = world();
            if held {
                let unit = world.unit(slot).unwrap();
                world.move_to(slot, Vec3::new(5.0, 0.0, 0.0));
                world.take(unit, flag);
                assert_eq!(world.carrier(flag), Some(unit));
            }
            world.set_role(Role::Client);
            (world, slot, flag)
        };
        for held in [true, false] {
            let (mut by_word, slot, flag) = taken(held);
            assert!(by_word.delete(flag));
            let (mut in_place, ..) = taken(held);
            let next = ObjectId::new(flag.index() as u16, flag.identifier() + 1).unwrap();
            assert!(in_place.make_at(&Made::plain(next, Tag(9), Vec3::ZERO)));
            for world in [&by_word, &in_place] {
                assert!(world.goals().next().is_none() && world.describe(flag).is_none());
                let carried = world.inventory(world.unit(slot).unwrap()).unwrap();
                assert!(carried.weapons.iter().flatten().all(|weapon| weapon.object != flag));
            }
        }
        // Of its own, in its own half.
        let (mut world, ..) = taken(false);
        let own = world.make(Kind::Flag.tag(), Vec3::ZERO, Axes::UPRIGHT, None).unwrap();
        assert_eq!(world.goals().count(), 2);
        assert!(world.delete(own));
        assert_eq!(world.goals().count(), 1);
    }

    /// A flag that was dropped, or fell out of the world, is deleted by nothing: it lies for ever, or is back at home;
    /// its goal goes where it is.
    #[test]
    fn a_flag_stays() {
        let (mut world, slot, flag) = world();
        let unit = world.unit(slot).unwrap();
        world.move_to(slot, Vec3::new(5.0, 0.0, 0.0));
        world.take(unit, flag);
        world.move_to(slot, Vec3::new(-5.0, 0.0, 0.0));
        world.step(world.tick().next());
        let goal = world.goals().next().unwrap();
        assert!(goal.carrier == Some(unit) && goal.position.x < -4.0, "{goal:?}");
        world.kill(slot, None);
        for _ in 0..2000 {
            world.step(world.tick().next());
        }
        let lies = world.goals().next().unwrap();
        assert!(lies.flag == flag && lies.carrier.is_none() && lies.position.x < -4.0, "{lies:?}");
        world.place(flag, Vec3::new(19.0, 19.0, -4.9), Some(Vec3::new(0.0, 0.0, -1.0)), None);
        world.step(world.tick().next());
        let home = world.goals().next().unwrap();
        assert!(home.flag == flag && home.position.distance(Vec3::new(5.0, 0.0, 0.0)) < 0.2, "{home:?}");
        assert_eq!(world.goals().count(), 1, "no second one was laid out");
    }
}
