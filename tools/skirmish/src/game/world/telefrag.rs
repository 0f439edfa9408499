//! Who arrives on a pad where another stands kills it: where it is decided, and nowhere else. A client sees a latency late
//! who stands there (DMG-40).

use mjolnir_wire::damage::{KillFlags, Parts};
use mjolnir_wire::{Slot, Vec3};

use super::World;
use crate::game::effects::TELEFRAG;
use crate::game::movement::{HEIGHT, RADIUS};

impl World {
    /// Whoever stands where that player has arrived dies of it, but who is spared.
    pub(super) fn telefrag(&mut self, by: Slot, place: Vec3, is_spared: impl Fn(Slot) -> bool) {
        if !self.role.decides() || !self.harms {
            return;
        }
        let Some(unit) = self.unit(by) else { return };
        let mut damage = self.damage_of(Some(by), &TELEFRAG, Some(unit), place, Vec3::UP, 1.0);
        for slot in Slot::all().filter(|slot| *slot != by && !is_spared(*slot)) {
            let Some(stands) = self.on_foot(slot).filter(|stands| is_in_the_way(*stands, place)) else {
                continue;
            };
            (damage.origin, damage.epicentre) = (stands, stands);
            let kill = KillFlags {
                telefrag: true,
                friendly_fire: self.are_friends(by, slot),
                ..KillFlags::default()
            };
            self.slay(slot, &damage, Parts::default(), kill);
        }
    }
}

/// Whether two bipeds with their feet there would overlap.
fn is_in_the_way(stands: Vec3, arrives: Vec3) -> bool {
    let apart = stands - arrives;
    apart.across().length() < 2.0 * RADIUS && apart.z.abs() < HEIGHT
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::damage::EventKind;

    use super::super::arena::{EAST, client, dealt, field, slot};
    use super::*;
    use crate::game::world::Event;

    const PADS: &str = "pad -20 0 0 20 0 0";
    const ON: Vec3 = Vec3::new(-20.0, 0.0, 0.0);
    const EXIT: Vec3 = Vec3::new(20.0, 0.0, 0.0);

    /// Two who stand beside the pads, the second so far from the first's exit; and the first steps on its pad.
    fn arrives(beside: Vec3) -> World {
        let mut world = field(PADS, &[EAST * -30.0, EAST * 30.0]);
        let unit = world.unit(slot(1)).unwrap();
        assert!(world.place(unit, EXIT + beside, Some(Vec3::ZERO), None));
        // It stands on that pad for good: where it leads it has been.
        world.pads.arrived[1] = Some(1);
        let unit = world.unit(slot(0)).unwrap();
        assert!(world.place(unit, ON, Some(Vec3::ZERO), None));
        world
    }

    /// DMG-40: who arrives on a pad kills who stands there, as far as the two would overlap, whole whatever it has left; it is
    /// said once, by whom.
    #[test]
    fn who_stands_on_a_pad_is_killed() {
        for (beside, dies) in [(0.0, true), (0.39, true), (0.41, false)] {
            let mut world = arrives(EAST * beside);
            world.step(world.tick().next());
            assert_eq!(world.unit(slot(1)).is_none(), dies, "{beside}");
            assert!(world.unit(slot(0)).is_some());
            let events = dealt(&mut world);
            assert_eq!(events.len(), usize::from(dies));
            for event in events {
                let said = (event.kind, event.kill.telefrag, event.player, event.damage.owner);
                assert_eq!(said, (EventKind::KillingBlow, true, Some(slot(1)), Some(slot(0))));
            }
            let deaths = world.drain_events().filter(|event| matches!(event, Event::Died { .. })).count();
            assert_eq!(deaths, usize::from(dies));
            world.step(world.tick().next());
            assert!(dealt(&mut world).is_empty());
        }
    }

    /// DMG-40: a client decides none, of its own player neither; nor does a host where nothing hurts.
    #[test]
    fn a_client_kills_nobody_so() {
        let mut world = client(&arrives(Vec3::ZERO), &[0]);
        world.step(world.tick().next());
        assert!(world.position(slot(0)).unwrap().distance(EXIT) < 0.1);
        assert!(world.unit(slot(1)).is_some() && dealt(&mut world).is_empty());

        let mut world = arrives(Vec3::ZERO);
        world.set_harm(false);
        world.step(world.tick().next());
        assert!(world.unit(slot(1)).is_some());
    }

    /// Who arrives in the same tick is spared, and who is put on a pad by its machine's word kills as well, once.
    #[test]
    fn who_arrives_together_is_spared() {
        let mut world = arrives(Vec3::ZERO);
        let unit = world.unit(slot(1)).unwrap();
        assert!(world.place(unit, ON, Some(Vec3::ZERO), None));
        world.pads.arrived[1] = None;
        world.step(world.tick().next());
        assert!(world.unit(slot(0)).is_some() && world.unit(slot(1)).is_some());

        let mut world = arrives(Vec3::ZERO);
        let unit = world.unit(slot(0)).unwrap();
        assert!(world.place(unit, EXIT, Some(Vec3::ZERO), None));
        world.arrive(unit);
        assert!(world.unit(slot(1)).is_none());
        world.arrive(unit);
        world.step(world.tick().next());
        assert_eq!(dealt(&mut world).len(), 1);
    }
}
