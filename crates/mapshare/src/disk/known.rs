//! The hashes of this run's files, kept by name, size and time of change (MAP-05). Knows no map.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;

use mjolnir_wire::mapshare::FileHash;

use super::folder::Stat;
use super::hashing::Whole;
use crate::hash::PieceHash;

#[derive(Debug, Default)]
pub(super) struct Known(BTreeMap<String, Hashed>);

#[derive(Clone, Debug)]
pub(super) struct Hashed {
    stat: Stat,
    pub(super) hash: FileHash,
    pub(super) pieces: Arc<[PieceHash]>,
}

impl Known {
    pub(super) fn insert(&mut self, name: &str, whole: &Whole) {
        let Whole { stat, hash, pieces, .. } = whole;
        self.0.insert(name.to_string(), Hashed { stat: *stat, hash: *hash, pieces: Arc::clone(pieces) });
    }

    /// What is known of the file that has that name, if it still is the one that was hashed.
    pub(super) fn find(&mut self, name: &str, stat: Stat) -> Option<Hashed> {
        let known = self.0.get(name)?;
        if known.stat == stat {
            return Some(known.clone());
        }
        self.0.remove(name);
        None
    }

    /// Forgets a name that was given another, or is gone.
    pub(super) fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }
}
