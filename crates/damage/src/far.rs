//! Where the host had each player, every third tick of the last thirteen seconds. Knows no report.

use alloc::vec::Vec;

use mjolnir_wire::{Tick, Vec3};

/// Ticks from one kept place of a player to the next (DMG-18).
pub const FAR_STEP: u32 = 3;
/// Kept places of a player: thirteen seconds of them (DMG-57).
pub const FAR_KEPT: usize = 130;

/// Where a player was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// After which tick.
    pub(crate) tick: Tick,
    /// Its unit, or what it rode, wu.
    pub(crate) at: Vec3,
    /// Of what it rode, wu.
    pub(crate) size: f32,
}

/// One player's; see the module's text. It allocates once, for the first place.
#[derive(Debug, Default)]
pub(crate) struct Far {
    /// Whatever its tick.
    newest: Option<Place>,
    /// By a third of a tick's remainder. One that is older than is kept is told by its tick.
    kept: Vec<Option<Place>>,
}

impl Far {
    /// Where the player is after a tick.
    pub(crate) fn note(&mut self, place: Place) {
        self.kept.resize(FAR_KEPT, None);
        self.newest = Some(place);
        if place.tick.get() % FAR_STEP as i32 == 0 {
            self.kept[cell(thirds(place.tick))] = Some(place);
        }
    }

    /// Forgets all of it; what it allocated it keeps.
    pub(crate) fn clear(&mut self) {
        self.newest = None;
        self.kept.fill(None);
    }

    /// Where the player was since a tick, the latest first: the kept ones, the last before it too, and where it is now.
    pub(crate) fn since(&self, tick: Tick) -> impl Iterator<Item = &Place> {
        let newest = self.newest.as_ref();
        let last = newest.map_or(-1, |newest| thirds(newest.tick));
        let first = thirds(tick).max(last - (FAR_KEPT as i32 - 1));
        let kept = (first..=last).rev().filter_map(move |third| {
            let place = self.kept.get(cell(third))?.as_ref()?;
            (thirds(place.tick) == third).then_some(place)
        });
        newest.into_iter().chain(kept)
    }
}

fn thirds(tick: Tick) -> i32 {
    tick.get() / FAR_STEP as i32
}

fn cell(third: i32) -> usize {
    third.unsigned_abs() as usize % FAR_KEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn moved(ticks: impl Iterator<Item = i32>) -> Far {
        let mut far = Far::default();
        ticks.for_each(|now| {
            far.note(Place { tick: tick(now), at: Vec3::new(now as f32, 0.0, 0.0), size: 0.5 });
        });
        far
    }

    fn ticks(far: &Far, since: i32) -> Vec<i32> {
        far.since(tick(since)).map(|place| place.tick.get()).collect()
    }

    /// DMG-18, 57: given 500 ticks of motion, then 130 places are kept, at every third tick back thirteen seconds, and where
    /// the player is now.
    #[test]
    fn thirteen_seconds_are_kept_every_third_tick() {
        let far = moved(0..500);
        let mut kept = ticks(&far, 0);
        assert_eq!(kept.remove(0), 499);
        assert_eq!(kept, (0..130).map(|third| 498 - 3 * third).collect::<Vec<_>>());
        assert_eq!(499 - kept[129], 388);
        assert_eq!(far.kept.len(), 130);
    }

    /// DMG-18: given a tick between two kept, then the one before is looked at, and none before that.
    #[test]
    fn the_place_before_a_tick_counts() {
        let far = moved(0..500);
        for (since, kept) in [(493, &[499, 498, 495, 492][..]), (495, &[499, 498, 495]), (499, &[499, 498])] {
            assert_eq!(ticks(&far, since), kept, "{since}");
        }
    }

    /// DMG-57: ticks that the host left out leave no place of an earlier time in theirs.
    #[test]
    fn a_place_left_out_is_none() {
        let far = moved((0..500).chain(900..904));
        assert_eq!(ticks(&far, 0), [903, 903, 900]);
        assert_eq!(ticks(&moved((0..500).filter(|now| *now != 495)), 492), [499, 498, 492]);
    }

    /// What was forgotten is, and a player of whom nothing is known was nowhere.
    #[test]
    fn who_is_forgotten_was_nowhere() {
        let mut far = moved(0..500);
        far.clear();
        assert_eq!(ticks(&far, 0), Vec::<i32>::new());
        assert_eq!(ticks(&Far::default(), 0), Vec::<i32>::new());
        assert_eq!(ticks(&moved(i32::MAX - 1..=i32::MAX), 0), [i32::MAX, i32::MAX - 1]);
    }
}
