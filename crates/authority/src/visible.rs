//! Which parts of a level can be seen from which: the level's potentially visible set, asked of the engine once. Knows
//! no player and no place.

use alloc::vec::Vec;

/// Clusters that count at most (ours). A player in one past them is seen from everywhere.
pub const MOST_CLUSTERS: u16 = 1024;

/// A level's potentially visible set. It errs on the side of seeing: what it does not know, it sees (AUTH-35).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleSet {
    clusters: u16,
    /// A row of bits for each cluster.
    rows: Vec<u64>,
}

impl VisibleSet {
    /// Of a level that has no clusters, or does not know them: everything sees everything.
    pub const fn new() -> Self {
        Self { clusters: 0, rows: Vec::new() }
    }

    /// Of a level with so many clusters, of which each sees itself alone so far.
    pub fn begin(&mut self, clusters: u16) {
        self.clusters = clusters.min(MOST_CLUSTERS);
        self.rows.clear();
        self.rows.resize(usize::from(self.clusters) * self.words(), 0);
        for cluster in 0..self.clusters {
            self.insert(cluster, cluster);
        }
    }

    /// Those two see each other. One that the level does not have does so already.
    pub fn insert(&mut self, one: u16, other: u16) {
        for (from, to) in [(one, other), (other, one)] {
            if let (Some(at), true) = (self.word(from, to), self.has(to)) {
                self.rows[at] |= 1 << (to % 64);
            }
        }
    }

    /// Whether something in the one can be seen from the other.
    pub fn sees(&self, one: u16, other: u16) -> bool {
        match self.word(one, other).filter(|_| self.has(other)) {
            Some(at) => self.rows[at] >> (other % 64) & 1 != 0,
            None => true,
        }
    }

    /// How many clusters it has.
    pub(crate) const fn clusters(&self) -> u16 {
        self.clusters
    }

    /// Whether it has that cluster.
    pub(crate) const fn has(&self, cluster: u16) -> bool {
        cluster < self.clusters
    }

    const fn words(&self) -> usize {
        (self.clusters as usize).div_ceil(64)
    }

    fn word(&self, row: u16, column: u16) -> Option<usize> {
        self.has(row).then(|| usize::from(row) * self.words() + usize::from(column) / 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AUTH-35: both see or neither; each sees itself; what the level does not have is seen.
    #[test]
    fn it_is_symmetric_and_errs_on_seeing() {
        let mut set = VisibleSet::new();
        assert!(set.sees(0, 0) && set.sees(3, 4));
        set.begin(130);
        set.insert(0, 129);
        set.insert(64, 63);
        set.insert(5, 200);
        for one in 0..131 {
            for other in 0..131 {
                let pair = (one.min(other), one.max(other));
                let expected = one == other || other.max(one) == 130 || [(0, 129), (63, 64)].contains(&pair);
                assert_eq!(set.sees(one, other), expected, "{one} {other}");
            }
        }
        set.begin(2);
        assert!(!set.sees(0, 1) && set.sees(0, 2), "another level");
        set.begin(u16::MAX);
        assert!(!set.sees(0, MOST_CLUSTERS - 1) && set.sees(0, MOST_CLUSTERS));
    }
}
