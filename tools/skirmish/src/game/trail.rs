//! Where a vehicle was in the last second, and whether its doors were open: what a player acts upon, seeing the world as
//! it was a while ago. Knows no player and no rule of who gets in.

use mjolnir_wire::Vec3;

/// Ticks kept (the document's second, as for hits).
const TRAIL: usize = 32;

/// No vehicle goes so far in a tick, in wu (AUTH-26). Ours.
const LEAP: f32 = 3.0;

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
    /// It is there after a tick, with its doors open or not. Where it cannot have gone by itself it was put, and where it was
    /// before is nowhere to get into it.
    pub(super) fn note(&mut self, place: Vec3, is_open: bool) {
        if self.last(1).any(|(was, _)| was.distance(place) > LEAP) {
            self.count = 0;
        }
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

    /// Where it was before it was put elsewhere is forgotten: both sides of the way that it may go in a tick.
    #[test]
    fn a_leap_begins_anew() {
        for (leap, known) in [(2.99, 11), (3.01, 1)] {
            let mut trail = Trail::default();
            (0..10).for_each(|at| trail.note(Vec3::new(at as f32, 0.0, 0.0), false));
            trail.note(Vec3::new(9.0 + leap, 0.0, 0.0), false);
            assert_eq!(trail.last(100).count(), known, "{leap}");
        }
    }
}
