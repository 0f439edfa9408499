//! What a liar does to the vehicle that its player drives, and says of it: the lies of the kit that are of a vehicle too.
//! Knows no player on foot.

use mjolnir_engine_glue::authority::VehicleRow;
use mjolnir_engine_glue::prediction::OWN_VEHICLE_TOLERANCE;
use mjolnir_skirmish::game::World;
use mjolnir_wire::objects::Motion;
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::{Cheat, Liar};

/// A hovering vehicle rises so much in a tick, wu.
const RISES: f32 = 0.3;

/// A vehicle that a liar drives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drive {
    vehicle: ObjectId,
    /// Ticks that it was driven.
    ticks: u32,
    /// Before the tick.
    before: Vec3,
    /// The height at which it was begun to be driven.
    ground: f32,
}

/// The vehicle that a player drives.
fn driven(world: &World, slot: Slot) -> Option<(ObjectId, Motion)> {
    let (vehicle, _) = world.ride(world.unit(slot)?)?;
    let motion = world.motion(vehicle)?;
    (world.driver(vehicle) == Some(slot)).then_some((vehicle, motion))
}

impl Liar {
    pub(super) fn before_driving(&mut self, world: &World, slot: Slot) {
        let Some((vehicle, motion)) = driven(world, slot) else {
            self.drive.remove(&slot);
            return;
        };
        let (before, ground) = (motion.position, motion.position.z);
        let drive = self.drive.entry(slot).or_insert(Drive { vehicle, ticks: 0, before, ground });
        drive.before = before;
    }

    /// Whether the player drives.
    pub(super) fn after_driving(&mut self, world: &mut World, slot: Slot) -> bool {
        let (Some((vehicle, motion)), Some(drive)) = (driven(world, slot), self.drive.get_mut(&slot)) else {
            return false;
        };
        drive.ticks += 1;
        let Motion { mut position, mut velocity, .. } = motion;
        let ahead = motion.axes.forward.across();
        for cheat in &self.cheats {
            match *cheat {
                Cheat::Runs(times) => position += (motion.position - drive.before).across() * (times - 1.0),
                Cheat::Hovers(height) => {
                    (position.z, velocity.z) = ((drive.before.z + RISES).min(drive.ground + height), 0.0);
                }
                Cheat::Leaps { every, by } if drive.ticks.is_multiple_of(every) => position += ahead * by,
                _ => {}
            }
        }
        // As on foot, a liar whose stamps are not its ticks finds back by itself.
        let forges = self.cheats.iter().any(|cheat| cheat.forges());
        let heard = self.heard.borrow().vehicles.get(&vehicle).copied().filter(|_| forges);
        if let Some(heard) = heard.filter(|heard| heard.position.distance(position) > OWN_VEHICLE_TOLERANCE) {
            (position, velocity) = (heard.position, heard.velocity);
        }
        if (position, velocity) != (motion.position, motion.velocity) {
            world.set_vehicle(vehicle, &Motion { position, velocity, ..motion });
        }
        true
    }

    /// What is told of a vehicle that one of its players drives.
    pub(crate) fn tell_vehicle(&self, row: &mut VehicleRow) {
        let drives = self.drive.get(&row.driver).is_some_and(|drive| drive.vehicle == row.vehicle);
        let ahead = row.motion.axes.forward.across();
        for cheat in self.cheats.iter().filter(|_| drives) {
            match *cheat {
                Cheat::Says(velocity) => row.motion.velocity = ahead * velocity.x + Vec3::UP * velocity.z,
                Cheat::Grasps(by) => {
                    if let Some(heard) = self.heard.borrow().vehicles.get(&row.vehicle) {
                        row.motion.position = heard.position + ahead * by;
                    }
                }
                _ => {}
            }
        }
    }
}
