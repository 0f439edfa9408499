//! What breaks. Knows no shot.

use mjolnir_wire::damage::Damage;
use mjolnir_wire::{ObjectId, Vec3};

use super::World;

/// Something that breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakable {
    /// A pane, by its place among the map's.
    Pane(u16),
    /// A crate.
    Crate(ObjectId),
}

impl World {
    /// What breaks and is met first on the straight line between two places: what, and after which part of the way.
    pub const fn breakable_on(&self, _from: Vec3, _to: Vec3) -> Option<(Breakable, f32)> {
        None
    }

    /// Appends what breaks and is no further from a place than that, in wu: what, its place nearest to there, and how far
    /// that is.
    pub const fn breakables_near(&self, _at: Vec3, _radius: f32, _into: &mut Vec<(Breakable, Vec3, f32)>) {}

    /// Something hit it there. In a client's world nothing breaks.
    pub const fn hit_breakable(&mut self, _what: Breakable, _at: Vec3, _damage: &Damage) {}
}
