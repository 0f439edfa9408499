//! Teleporter pads: who steps on one is on the other, and not sent back before it has left that by half a
//! wu and steps on again. Every machine
//! does so by itself, for its own players and its copies.

use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::World;
use crate::game::movement::Body;

/// Who arrived on which pad, by slot, and who was sent.
#[derive(Clone, Debug)]
pub(super) struct Pads {
    pub(super) arrived: Vec<Option<u16>>,
    /// Whether a word put it there and no pad, by slot.
    put: Vec<bool>,
    pub(super) sent: Vec<Slot>,
    /// Who was sent in the tick that is simulated, and where to.
    arrivals: Vec<(Slot, Vec3)>,
}

impl Pads {
    pub(super) fn new() -> Self {
        Self {
            arrived: vec![None; Slot::all().count()],
            put: vec![false; Slot::all().count()],
            sent: Vec::new(),
            arrivals: Vec::new(),
        }
    }
}

impl World {
    /// Sends whoever stepped on a pad in this tick.
    pub(super) fn step_pads(&mut self) {
        if self.map.fixtures.pads.is_empty() {
            return;
        }
        self.pads.arrivals.clear();
        for slot in Slot::all() {
            // Who rides is where the vehicle is, and no pad takes that.
            let unit = self.unit(slot).filter(|_| !self.rides(slot));
            let place = unit.and_then(|unit| Some(self.objects.get(unit)?.body.position));
            let pad = place.and_then(|place| self.map.fixtures.pad_at(place));
            // At its rim one is moved about by words, off it and on it.
            let is_near = |pad: &u16| place.is_some_and(|place| self.map.fixtures.is_near(*pad, place));
            let arrived = &mut self.pads.arrived[slot.index()];
            match (pad, unit) {
                (Some(pad), Some(unit)) if *arrived != Some(pad) => {
                    let to = self.map.fixtures.pads[usize::from(pad)].to;
                    (*arrived, self.pads.put[slot.index()]) = (Some(to), false);
                    self.pads.sent.push(slot);
                    let position = self.map.fixtures.pads[usize::from(to)].position;
                    if let Some(object) = self.objects.get_mut(unit) {
                        object.body = Body { position, velocity: Vec3::ZERO };
                    }
                    self.pads.arrivals.push((slot, position));
                    self.carry_along(unit);
                }
                (Some(_), _) => {}
                (None, _) => *arrived = arrived.filter(is_near),
            }
        }
        let arrivals = std::mem::take(&mut self.pads.arrivals);
        for (slot, place) in &arrivals {
            self.telefrag(*slot, *place, |other| arrivals.iter().any(|(arrives, _)| *arrives == other));
        }
        self.pads.arrivals = arrivals;
    }

    /// Where the nearest pad leads that a player on foot is about to step on, or has all but missed; also of one that
    /// another sent it to, which its own machine may have it have left; none of one that a word put it on.
    pub fn exit_near(&self, slot: Slot) -> Option<Vec3> {
        let place = self.position(slot).filter(|_| !self.rides(slot))?;
        let pad = self.map.fixtures.pad_near(place)?;
        let pads = &self.map.fixtures.pads;
        let is_put = self.pads.put[slot.index()] && self.pads.arrived[slot.index()] == Some(pad);
        (!is_put).then(|| pads[usize::from(pads[usize::from(pad)].to)].position)
    }

    pub(super) fn rides(&self, slot: Slot) -> bool {
        self.unit(slot).is_some_and(|unit| self.ride(unit).is_some())
    }

    /// A unit that was put on a pad arrived there, as if the pad's fellow had sent it (PRED-14): upon whoever stands there. One
    /// that was put off a pad has left it.
    pub fn arrive(&mut self, unit: ObjectId) {
        let Some(object) = self.objects.get(unit) else { return };
        let Some(slot) = object.biped.as_ref().and_then(|biped| biped.slot) else { return };
        let place = object.body.position;
        let arrived = &mut self.pads.arrived[slot.index()];
        match self.map.fixtures.pad_at(place) {
            Some(pad) if arrived.replace(pad) != Some(pad) => {
                self.pads.put[slot.index()] = true;
                self.telefrag(slot, place, |_| false);
            }
            Some(_) => {}
            None => *arrived = arrived.filter(|pad| self.map.fixtures.is_near(*pad, place)),
        }
    }

    /// The same of a unit whose own machine had it step on a pad, which has sent it here too.
    pub fn arrive_by_pad(&mut self, unit: ObjectId) {
        self.arrive(unit);
        if let Some(slot) = self.objects.biped(unit).and_then(|biped| biped.slot) {
            self.pads.put[slot.index()] = false;
        }
    }

    /// Moves whom a pad sent since this was last asked to the end of `into`.
    pub fn take_sent(&mut self, into: &mut Vec<Slot>) {
        into.append(&mut self.pads.sent);
    }
}
