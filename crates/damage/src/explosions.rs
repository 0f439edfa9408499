//! A player's explosions, told apart, and what each has hit. Knows no weapon.

use alloc::vec::Vec;

use mjolnir_wire::{ObjectId, Tag, Tick, Vec3};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    New,
    Known,
    Twice,
}

#[derive(Debug)]
pub(crate) struct Explosions(Vec<(Tick, Tag, Vec3, ObjectId)>);

impl Explosions {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn look(&self, heard: Tick, effect: Tag, epicentre: Vec3, object: ObjectId) -> Seen {
        let mut same =
            self.0.iter().filter(|known| (known.0, known.1, known.2) == (heard, effect, epicentre));
        match same.clone().next() {
            None => Seen::New,
            Some(_) if same.any(|known| known.3 == object) => Seen::Twice,
            Some(_) => Seen::Known,
        }
    }

    pub(crate) fn note(&mut self, heard: Tick, effect: Tag, epicentre: Vec3, object: ObjectId) {
        self.0.retain(|known| heard.since(known.0) <= 90);
        self.0.push((heard, effect, epicentre, object));
    }
}
