//! What the map placed, as a figure by which two machines are compared: each tells whoever runs it, and nobody else.

use super::World;
use crate::game::hash::Hash;

/// Whether a machine on which something else lies at the begin than on the host is kept out (OBJ-32, ours): no message
/// says so, and the host's list puts right what differs.
pub const PLACED_CHECKSUM_ENFORCED: bool = false;

/// What stood when the map was loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placing {
    /// How many objects.
    pub count: usize,
    /// A digest of which, of what, and where.
    pub checksum: u32,
}

impl World {
    /// What the map placed (OBJ-32).
    pub const fn placing(&self) -> Placing {
        self.placing
    }

    /// Notes what stands now as what the map placed.
    pub(super) fn note_placing(&mut self) {
        let mut hash = Hash::new();
        for (id, object) in self.objects.iter() {
            hash.word(u64::from(id.raw() as u32));
            hash.word(u64::from(object.tag.0));
            for vector in [object.body.position, object.axes.forward, object.axes.up] {
                hash.vector(vector);
            }
        }
        let all = hash.finish();
        self.placing = Placing { count: self.objects.len(), checksum: (all ^ (all >> 32)) as u32 };
    }
}
