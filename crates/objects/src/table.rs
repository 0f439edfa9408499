//! Identifiers by index, of the host's half. Knows no object but its name.

use alloc::vec::Vec;

use mjolnir_wire::ObjectId;
use mjolnir_wire::limits::FIRST_OWN_OBJECT;

/// See the file's text; 0 is none.
#[derive(Debug)]
pub(crate) struct Table(Vec<u16>);

impl Table {
    pub(crate) fn new() -> Self {
        Self(alloc::vec![0; FIRST_OWN_OBJECT])
    }

    pub(crate) fn empty(&mut self) {
        self.0.fill(0);
    }

    pub(crate) fn holds(&self, object: ObjectId) -> bool {
        self.0.get(object.index()) == Some(&object.identifier())
    }

    pub(crate) fn set(&mut self, object: ObjectId) {
        if let Some(place) = self.0.get_mut(object.index()) {
            *place = object.identifier();
        }
    }

    pub(crate) fn clear(&mut self, object: ObjectId) {
        if let Some(place) = self.0.get_mut(object.index()) {
            *place = 0;
        }
    }

    /// Clears the place of that object, if it has it.
    pub(crate) fn clear_of(&mut self, object: ObjectId) {
        if self.holds(object) {
            self.clear(object);
        }
    }

    pub(crate) fn at(&self, index: usize) -> Option<ObjectId> {
        ObjectId::new(index as u16, *self.0.get(index)?)
    }

    /// How many this has that the other has not.
    pub(crate) fn missing_in(&self, other: &Self) -> usize {
        let pairs = self.0.iter().zip(&other.0);
        pairs.filter(|(this, other)| **this != 0 && this != other).count()
    }

    /// Appends what this has and the other has not.
    pub(crate) fn not_in(&self, other: &Self, objects: &mut Vec<ObjectId>) {
        let pairs = self.0.iter().zip(&other.0).enumerate();
        let differ = pairs.filter(|(_, (this, other))| this != other);
        objects.extend(differ.filter_map(|(index, _)| self.at(index)));
    }
}
