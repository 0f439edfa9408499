//! What is remembered of each group and each device, by its name. Knows nothing of what it remembers.

use alloc::vec::Vec;

/// A memory for each name, by rising name. Names come from the engine's rows alone, so that a peer cannot fill it; each
/// new one allocates, once.
#[derive(Debug)]
pub(crate) struct Known<K, V>(Vec<(K, V)>);

impl<K, V> Default for Known<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Copy + Ord, V> Known<K, V> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// What is remembered of that name; of a new one, what `make` says.
    pub(crate) fn of(&mut self, name: K, make: impl FnOnce() -> V) -> &mut V {
        let at = match self.0.binary_search_by(|(known, _)| known.cmp(&name)) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (name, make()));
                at
            }
        };
        &mut self.0[at].1
    }
}
