//! What is remembered of each group, device and object, by its name. Knows nothing of what it remembers.

use alloc::vec::Vec;

/// A memory for each name, by rising name; a new one may allocate. Names come from the engine's rows, or whoever takes a peer's
/// counts how many there are.
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

    pub(crate) fn contains(&self, name: K) -> bool {
        self.0.binary_search_by(|(known, _)| known.cmp(&name)).is_ok()
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets those of which `is_kept` says no.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(K, &mut V) -> bool) {
        self.0.retain_mut(|(name, known)| is_kept(*name, known));
    }
}
