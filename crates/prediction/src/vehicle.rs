//! A vehicle that an own player drives: where it was, and when the host's word moves it. Knows nothing of its driver.

use mjolnir_wire::objects::Motion;
use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::command::VehicleWord;
use crate::compare::difference;
use crate::error::Error;
use crate::glide::Glide;
use crate::history::{History, Was};
use crate::stamps::Stamps;

/// World units by which the host may have a driven vehicle elsewhere before it is moved (PRED-17).
pub const OWN_VEHICLE_TOLERANCE: f32 = 4.0;

/// See the file's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnVehicle {
    pub(crate) vehicle: ObjectId,
    pub(crate) glide: Glide,
    /// The host's word took its driver out of it.
    pub(crate) taken_back: bool,
    pub(crate) history: History,
    stamps: Stamps,
    word: Option<VehicleWord>,
}

/// What the host's word does to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Correction {
    /// It is moved by so much and goes on.
    By(Vec3),
    /// It is put where the host has it.
    To(Motion),
}

impl OwnVehicle {
    /// That has only now got its driver.
    pub(crate) fn new(vehicle: ObjectId) -> Self {
        Self {
            vehicle,
            glide: Glide::default(),
            taken_back: false,
            history: History::new(),
            stamps: Stamps::default(),
            word: None,
        }
    }

    /// Keeps the host's word until the next tick.
    pub(crate) fn handle_word(&mut self, word: VehicleWord) -> Result<(), Error> {
        self.stamps.take_or_same(word.tick)?;
        self.word = Some(word);
        Ok(())
    }

    /// A teleporter took it (PRED-39).
    pub(crate) fn teleported(&mut self) {
        self.history.leap();
        self.glide.end();
    }

    /// Notes where it is after that tick.
    pub(crate) fn note(&mut self, tick: Tick, place: Vec3) {
        self.history.push(tick, Was { place, velocity: Vec3::ZERO, floor: None });
    }

    /// What the host's newest word, if one came, does to it before that tick where it now is.
    ///
    /// One that names no tick is of the present (as PRED-40), but only once the host has the driver in its seat too
    /// (`agreed`): until then it is of a vehicle that somebody else drives there, or nobody.
    pub(crate) fn correct(
        &mut self,
        tick: Tick,
        round_trip: u32,
        present: Vec3,
        agreed: bool,
    ) -> Option<Correction> {
        let VehicleWord { motion, predicted, .. } = self.word.take()?;
        let theirs = motion.position;
        if let Some(named) = predicted {
            let by = difference(&mut self.history, named, theirs, OWN_VEHICLE_TOLERANCE, None);
            return by.map(Correction::By);
        }
        if !agreed
            || theirs.distance(present) <= OWN_VEHICLE_TOLERANCE
            || self.history.is_of_before(tick, round_trip, theirs, OWN_VEHICLE_TOLERANCE)
        {
            return None;
        }
        self.history.cut();
        Some(Correction::To(motion))
    }
}
