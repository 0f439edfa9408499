//! Where an own player or its vehicle was at its machine's last ticks, as the host's word is compared with it. Knows no
//! tolerance.

use mjolnir_wire::{Tick, Vec3};

/// Ticks kept (PRED-18, ours): more than two seconds, a round trip and then some.
pub const PREDICTION_HISTORY: usize = 64;

/// Ticks by which the host's copy may step on a teleporter later than the player itself (ours): it is as far behind as it is
/// put halfway to where that is, 0.25 wu, and one input that was lost.
pub const TELEPORT_LAG: u32 = 10;

/// A ring of the last places, each with its tick. Ticks that the clock jumped over have none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    places: [(Tick, Was); PREDICTION_HISTORY],
    count: usize,
    next: usize,
    /// The first tick since it was cut.
    began: Tick,
    /// Where a teleporter took it from in that tick, if one did.
    sent_from: Option<Vec3>,
}

/// Where it was after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Was {
    /// World units.
    pub(crate) place: Vec3,
    /// World units a tick.
    pub(crate) velocity: Vec3,
    /// The elevator whose floor it touched.
    pub(crate) floor: Option<u32>,
}

/// What the history has of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Had {
    /// Nothing that can be compared: the tick lies before a cut.
    Nothing,
    /// The place so many entries before the newest: the tick's, or where the player still was when the clock
    /// jumped over that tick, since a jump simulates nothing. A tick past the newest is compared with that one.
    Place(usize, Was),
    /// The oldest place kept, the tick being older.
    Oldest(usize, Was),
}

impl History {
    /// Empty.
    pub(crate) const fn new() -> Self {
        let was = Was { place: Vec3::ZERO, velocity: Vec3::ZERO, floor: None };
        Self {
            places: [(Tick::ZERO, was); PREDICTION_HISTORY],
            count: 0,
            next: 0,
            began: Tick::ZERO,
            sent_from: None,
        }
    }

    /// Cuts it: what was before is never compared with again.
    pub(crate) const fn cut(&mut self) {
        self.count = 0;
        self.sent_from = None;
    }

    /// Cuts it where a teleporter took it in the tick that is added next.
    pub(crate) fn leap(&mut self) {
        let from = (self.count > 0).then(|| self.places[self.at(0)].1.place);
        self.cut();
        self.sent_from = from;
    }

    /// Whether a word by which the host has it there, at that tick of this machine, may be of a copy that has not stepped on
    /// the teleporter yet which took it here: so near to where that took it from, and at most [`TELEPORT_LAG`] and
    /// `later` ticks after.
    pub(crate) fn is_of_before(&self, tick: Tick, later: u32, theirs: Vec3, near: f32) -> bool {
        let Some(from) = self.sent_from else { return false };
        tick.since(self.began) <= (TELEPORT_LAG + later) as i32 && theirs.distance(from) <= near
    }

    /// Adds where it is after that tick. Ticks ascend.
    pub(crate) fn push(&mut self, tick: Tick, was: Was) {
        if self.count == 0 {
            self.began = tick;
        }
        self.places[self.next] = (tick, was);
        self.next = (self.next + 1) % PREDICTION_HISTORY;
        self.count = (self.count + 1).min(PREDICTION_HISTORY);
    }

    /// The ring's index of the entry so many before the newest.
    const fn at(&self, back: usize) -> usize {
        (self.next + PREDICTION_HISTORY - 1 - back) % PREDICTION_HISTORY
    }

    /// Where it was at that tick.
    pub(crate) fn find(&self, tick: Tick) -> Had {
        if self.count == 0 || tick < self.began {
            return Had::Nothing;
        }
        for back in 0..self.count {
            let (of, was) = self.places[self.at(back)];
            if of <= tick {
                return Had::Place(back, was);
            }
        }
        let oldest = self.count - 1;
        Had::Oldest(oldest, self.places[self.at(oldest)].1)
    }

    /// Of the newest so many and one entries the one whose place is nearest to there.
    pub(crate) fn nearest(&self, there: Vec3, most: u32) -> Had {
        let count = self.count.min(most as usize + 1);
        let entries = (0..count).map(|back| (back, self.places[self.at(back)].1));
        let near = |(_, was): &(usize, Was)| there.distance(was.place);
        let nearest = entries.min_by(|a, b| near(a).total_cmp(&near(b)));
        nearest.map_or(Had::Nothing, |(back, was)| Had::Place(back, was))
    }

    /// Moves the entry so many before the newest, and every newer one (PRED-38).
    pub(crate) fn shift(&mut self, back: usize, by: Vec3) {
        self.each_since(back, |was| was.place += by);
    }

    /// Has it been so much faster since the entry so many before the newest.
    pub(crate) fn hasten(&mut self, back: usize, by: Vec3) {
        self.each_since(back, |was| was.velocity += by);
    }

    fn each_since(&mut self, back: usize, change: impl Fn(&mut Was)) {
        for back in 0..=back {
            let at = self.at(back);
            change(&mut self.places[at].1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn east(x: f32) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }

    fn was(x: f32) -> Was {
        Was { place: east(x), velocity: Vec3::ZERO, floor: None }
    }

    /// PRED-18: 64 ticks are kept; an older one finds the oldest of them.
    #[test]
    fn sixty_four_ticks_are_kept() {
        let mut history = History::new();
        assert_eq!(history.find(tick(5)), Had::Nothing);
        for t in 0..100 {
            history.push(tick(t), was(t as f32));
        }
        assert_eq!(history.find(tick(99)), Had::Place(0, was(99.0)));
        assert_eq!(history.find(tick(104)), Had::Place(0, was(99.0)));
        assert_eq!(history.find(tick(36)), Had::Place(63, was(36.0)));
        assert_eq!(history.find(tick(35)), Had::Oldest(63, was(36.0)));
    }

    /// PRED-15: between the ticks of a jump the player was where the tick before it left it.
    #[test]
    fn a_tick_jumped_over_has_the_place_before_it() {
        let mut history = History::new();
        history.push(tick(97), was(1.0));
        history.push(tick(110), was(2.0));
        assert_eq!(history.find(tick(109)), Had::Place(1, was(1.0)));
        history.shift(1, east(4.0));
        assert_eq!(history.find(tick(97)), Had::Place(1, was(5.0)));
        assert_eq!(history.find(tick(110)), Had::Place(0, was(6.0)));
    }

    /// PRED-39: a word that lies where a teleporter took it from is of before, for as long as the host may be behind, within
    /// the tolerance, and until the next cut.
    #[test]
    fn a_word_of_where_it_was_sent_from_is_of_before() {
        let mut history = History::new();
        history.leap();
        history.push(tick(98), was(0.0));
        assert!(!history.is_of_before(tick(98), 0, east(0.0), 3.0), "of nowhere");
        history.leap();
        history.push(tick(99), was(80.0));
        history.push(tick(100), was(80.1));
        let lag = TELEPORT_LAG as i32;
        for (at, later, x, is) in [
            (99, 0, 0.0, true),
            (99 + lag, 0, 3.0, true),
            (99 + lag, 0, 3.1, false),
            (100 + lag, 0, 0.0, false),
            (100 + lag, 1, 0.0, true),
            (101 + lag, 1, 0.0, false),
            (99, 0, 80.0, false),
        ] {
            assert_eq!(history.is_of_before(tick(at), later, east(x), 3.0), is, "{at} {later} {x}");
        }
        history.cut();
        history.push(tick(101), was(80.0));
        assert!(!history.is_of_before(tick(101), 0, east(0.0), 3.0));
    }

    /// PRED-39: what lies before a cut has no place, not even once the ring has gone round since.
    #[test]
    fn nothing_is_left_from_before_a_cut() {
        let mut history = History::new();
        for t in 0..100 {
            history.push(tick(t), was(0.0));
        }
        history.cut();
        assert_eq!(history.find(tick(99)), Had::Nothing);
        for t in 100..200 {
            history.push(tick(t), was(1.0));
            assert_eq!(history.find(tick(99)), Had::Nothing);
        }
        assert_eq!(history.find(tick(100)), Had::Oldest(63, was(1.0)));
    }
}
