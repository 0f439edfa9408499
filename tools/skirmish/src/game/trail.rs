//! Where a vehicle was in the last second, and whether its doors were open: what a player acts upon, seeing the world as
//! it was a while ago. Knows no player and no rule of who gets in.

use mjolnir_wire::Vec3;

/// Ticks kept (the document's second, as for hits).
const TRAIL: usize = 32;

/// See the file's text.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    was: [(Vec3, bool); TRAIL],
    count: usize,
    next: usize,
}

impl Default for Trail {
    fn default() -> Self {
        Self { was: [(Vec3::ZERO, false); TRAIL], count: 0, next: 0 }
    }
}

impl Trail {
    /// It is there after a tick, with its doors open or not.
    pub(super) const fn note(&mut self, place: Vec3, is_open: bool) {
        self.was[self.next] = (place, is_open);
        self.next = (self.next + 1) % TRAIL;
        if self.count < TRAIL {
            self.count += 1;
        }
    }

    /// Where it was after each of the last so many ticks, the newest first, and whether its doors were open.
    pub(super) fn last(&self, ticks: u32) -> impl Iterator<Item = (Vec3, bool)> {
        let count = self.count.min(ticks as usize);
        (1..=count).map(|back| self.was[(self.next + TRAIL - back) % TRAIL])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last so many ticks are known, newest first, and no more than a second of them.
    #[test]
    fn a_second_is_kept() {
        let mut trail = Trail::default();
        assert_eq!(trail.last(5).count(), 0);
        for at in 0..40 {
            trail.note(Vec3::new(at as f32, 0.0, 0.0), at % 2 == 0);
        }
        let last: Vec<_> = trail.last(3).map(|(place, is_open)| (place.x, is_open)).collect();
        assert_eq!(last, [(39.0, false), (38.0, true), (37.0, false)]);
        assert_eq!((trail.last(0).count(), trail.last(100).count()), (0, TRAIL));
        assert_eq!(trail.last(100).last().unwrap().0.x, 8.0);
    }
}
