//! The parts of a map, and which can be seen from which. Knows no player.

use mjolnir_wire::Vec3;

/// A map's clusters. A map that has none is seen all over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// By the place in this list a cluster has its number.
    pub names: Vec<String>,
    /// Boxes between two corners, and the cluster that each is of; where two lie in one another the first counts.
    pub boxes: Vec<(Vec3, Vec3, u16)>,
    /// Those that see each other, beside themselves.
    pub sees: Vec<(u16, u16)>,
}

impl Clusters {
    /// The cluster of that name.
    pub fn named(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|known| known == name).map(|at| at as u16)
    }

    /// The cluster that a place is in; none outside of all.
    pub fn at(&self, place: Vec3) -> Option<u16> {
        let inside = |at: f32, least: f32, most: f32| least <= at && at <= most;
        let found = self.boxes.iter().find(|(least, most, _)| {
            inside(place.x, least.x, most.x)
                && inside(place.y, least.y, most.y)
                && inside(place.z, least.z, most.z)
        });
        found.map(|(_, _, cluster)| *cluster)
    }
}
