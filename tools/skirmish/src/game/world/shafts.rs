//! How high platforms were of late, and which of them a player is beside: what was under its feet on its own machine may have
//! left here. Knows no game's state but theirs.

use mjolnir_wire::{Slot, Vec3};

use super::World;
use crate::game::collision::Solid;

/// Ticks of which a platform's height is known, the one simulated last with them. Ours.
pub(super) const FLOORS: usize = 22;
/// So far beyond a platform's rim the player may be on it at its own machine, in wu: as far as one runs in as many ticks. Ours.
const NEAR: f32 = 2.0;

/// A platform that a player is on, over or beside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaft {
    /// The corner of its least parts.
    pub least: Vec3,
    /// The corner of its most parts.
    pub most: Vec3,
    /// How high its top is, and was after each tick before, newest first, in wu.
    pub floors: [f32; FLOORS],
}

/// The heights of one platform's top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floors([f32; FLOORS]);

impl Floors {
    /// Of one that was there all the while.
    pub(super) const fn at(height: f32) -> Self {
        Self([height; FLOORS])
    }

    /// It is there after a tick.
    pub(super) fn note(&mut self, height: f32) {
        self.0.copy_within(..FLOORS - 1, 1);
        self.0[0] = height;
    }
}

impl World {
    /// The platform that a player on foot is nearest to across, if it is near to one.
    pub fn shaft_near(&self, slot: Slot) -> Option<Shaft> {
        let place = self.position(slot).filter(|_| !self.rides(slot))?;
        let solids = (0..).zip(&self.devices.floors).map(|(platform, floors)| {
            let solid = self.map.solids.of_moving(platform);
            (beyond(solid, place), solid, floors)
        });
        let near = solids.filter(|(beyond, ..)| *beyond <= NEAR);
        let (_, solid, floors) = near.min_by(|(a, ..), (b, ..)| a.total_cmp(b))?;
        Some(Shaft { least: solid.least, most: solid.most, floors: floors.0 })
    }
}

/// How far beyond the rim of a box a place is; less than 0 over it or under it.
fn beyond(solid: &Solid, place: Vec3) -> f32 {
    let Solid { least, most, .. } = solid;
    (least.x - place.x).max(place.x - most.x).max((least.y - place.y).max(place.y - most.y))
}
