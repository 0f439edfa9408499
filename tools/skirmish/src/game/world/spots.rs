//! The places of a map where things lie: filled alike on every machine as the world begins, and again by the one who
//! decides after what lay there was taken.

use mjolnir_wire::{Axes, ObjectId, Vec3};

use super::World;
use crate::game::kinds::Kind;
use crate::game::looks::Looks;
use crate::game::loose::STILL_TICKS;
use crate::game::movement::Body;
use crate::game::objects::{Half, Object};

/// Ticks from when a thing was taken until the next one lies there (thirty seconds). Ours.
pub const FILLED_AFTER: u16 = 900;
/// The same of a powerup (a minute). Ours.
pub const POWERUP_AFTER: u16 = 1800;
/// Ticks that a thing falls to its place before the game begins, at most.
const SETTLING: u32 = 600;

/// Such a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) kind: Kind,
    /// Where the thing came to rest.
    pub(super) position: Vec3,
    /// What lies there, or lay there and was moved by nobody's hand.
    pub(super) object: Option<ObjectId>,
    /// Ticks that there has been nothing, or that a vehicle has stood elsewhere with nobody in it.
    pub(super) wait: u16,
}

impl World {
    /// Lays out what the map has, each where it comes to rest. It is told to nobody: everybody has it (OBJ-10).
    pub(super) fn place_items(&mut self) {
        for placed in self.map.items.clone() {
            if self.lay_out(placed.kind, placed.position, Looks::PLAIN).is_none() {
                break;
            }
        }
        self.events.clear();
    }

    /// Makes a thing that lies at a place of its own, where it comes to rest: the thing and where that is.
    pub(super) fn lay_out(&mut self, kind: Kind, place: Vec3, looks: Looks) -> Option<(ObjectId, Vec3)> {
        let body = Body { position: place, velocity: Vec3::ZERO };
        let mut object = Object::new(kind.tag(), body, Axes::UPRIGHT, None);
        object.looks = looks;
        let id = self.objects.make(Half::Lower, object)?;
        for _ in 0..SETTLING {
            if self.objects.get(id).is_none_or(|object| object.still >= STILL_TICKS) {
                break;
            }
            self.settle(id, kind);
        }
        let object = self.objects.get_mut(id)?;
        object.lay();
        let position = object.body.position;
        self.spots.push(Spot { kind, position, object: Some(id), wait: 0 });
        Some((id, position))
    }

    /// What lay at a place was taken or is no more. A flag's place waits for that very flag.
    pub(super) fn leave_spot(&mut self, id: ObjectId) {
        if self.is_goal(id) {
            return;
        }
        if let Some(spot) = self.spots.iter_mut().find(|spot| spot.object == Some(id)) {
            (spot.object, spot.wait) = (None, 0);
        }
    }

    pub(super) fn fill_spots(&mut self) {
        for place in 0..self.spots.len() {
            let Spot { kind, position, object, wait } = &mut self.spots[place];
            if object.is_some() {
                continue;
            }
            *wait += 1;
            let after = if kind.is_powerup() { POWERUP_AFTER } else { FILLED_AFTER };
            if *wait < after {
                continue;
            }
            let body = Body { position: *position, velocity: Vec3::ZERO };
            let mut thing = Object::new(kind.tag(), body, Axes::UPRIGHT, None);
            thing.lay();
            let Some(id) = self.put(thing) else { continue };
            (self.spots[place].object, self.spots[place].wait) = (Some(id), 0);
            self.decisions.items += 1;
            self.announce(id);
        }
    }
}
