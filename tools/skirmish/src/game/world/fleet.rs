//! What a game's rules say of vehicles: how many of the map's there are, and when one that was left is back where it stood
//! at first. Knows nobody's team, and nothing of how they move.

use mjolnir_wire::objects::Motion;
use mjolnir_wire::{Axes, Vec3};

use super::World;
use super::spots::Spot;
use crate::game::kinds::Kind;

/// The kinds that rules count, in their order there. Ours.
pub const COUNTED: [Kind; 6] =
    [Kind::Car, Kind::Flyer, Kind::Boat, Kind::Turret, Kind::Transport, Kind::Dropship];
/// A vehicle stands where it stood at first from so near, in wu. Ours.
pub const AT_HOME: f32 = 1.0;

fn counted(kind: Kind) -> Option<usize> {
    COUNTED.iter().position(|counted| *counted == kind)
}

impl World {
    /// Leaves as many vehicles of each kind as the rules say, the map's first ones: before the first tick, on every machine
    /// alike (AUTH-60).
    pub(super) fn keep_vehicles(&mut self) {
        let Some(most) = self.rules.and_then(|rules| rules.vehicles) else { return };
        let mut count = [0_u8; COUNTED.len()];
        for spot in std::mem::take(&mut self.spots) {
            let stays = counted(spot.kind).is_none_or(|kind| {
                count[kind] = count[kind].saturating_add(1);
                count[kind] <= most[kind]
            });
            match spot.object.filter(|_| !stays) {
                Some(vehicle) => {
                    self.delete(vehicle);
                }
                None => self.spots.push(spot),
            }
        }
    }

    /// Vehicles that nobody has ridden for long enough are back where they stood.
    pub(super) fn bring_back_vehicles(&mut self) {
        let after = self.rules.map_or(0, |rules| rules.vehicle_respawn);
        if after == 0 {
            return;
        }
        for place in 0..self.spots.len() {
            let Spot { kind, position, object, wait } = self.spots[place];
            let Some(vehicle) = object.filter(|_| counted(kind).is_some()) else { continue };
            let is_empty = self.riders(vehicle).is_some_and(|riders| riders.iter().all(Option::is_none));
            let is_away =
                self.motion(vehicle).is_some_and(|motion| motion.position.distance(position) > AT_HOME);
            let waits = if is_empty && is_away { wait.saturating_add(1) } else { 0 };
            let is_due = u32::from(waits) >= after.min(u16::MAX.into());
            self.spots[place].wait = if is_due { 0 } else { waits };
            if is_due {
                let (axes, velocity, angular_velocity) = (Axes::UPRIGHT, Vec3::ZERO, Vec3::ZERO);
                self.set_vehicle(vehicle, &Motion { position, axes, velocity, angular_velocity });
                self.decisions.items += 1;
            }
        }
    }
}
