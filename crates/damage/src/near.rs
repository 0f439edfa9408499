//! Where the host had what can be hit, each of the last 32 ticks: place, speed and size together. Knows no report.

use alloc::vec::Vec;

use mjolnir_wire::{ObjectId, Tick};

use crate::rows::TargetRow;

/// Ticks of what can be hit that are kept (DMG-57).
pub const NEAR_KEPT: u32 = 32;

/// See the module's text. It allocates while a tick's rows grow, and keeps what it has.
#[derive(Debug, Default)]
pub(crate) struct Near {
    newest: Option<Tick>,
    /// By a tick's remainder. One that is older than is kept, or of an earlier game, is told by its tick.
    ticks: [Frame; NEAR_KEPT as usize],
}

#[derive(Debug, Default)]
struct Frame {
    tick: Option<Tick>,
    /// By rising object.
    rows: Vec<TargetRow>,
}

impl Near {
    /// What can be hit after that tick.
    pub(crate) fn note(&mut self, tick: Tick, rows: &[TargetRow]) {
        let frame = &mut self.ticks[place(tick)];
        frame.tick = Some(tick);
        frame.rows.clear();
        frame.rows.extend_from_slice(rows);
        frame.rows.sort_unstable_by_key(|row| row.object);
        self.newest = Some(tick);
    }

    /// An object as it was from one tick to another, both of them among it, as far as is kept.
    pub(crate) fn between(&self, object: ObjectId, from: Tick, to: Tick) -> impl Iterator<Item = &TargetRow> {
        let newest = self.newest.unwrap_or_default();
        let from = from.max(newest.minus(NEAR_KEPT - 1));
        let steps = to.min(newest).since(from);
        (0..=steps).filter_map(move |step| self.at(from.plus(step.unsigned_abs()), object))
    }

    /// An object as it was within so many ticks of one (DMG-22). Where that is longer ago than it is kept, as it was in the
    /// oldest that is (DMG-23).
    pub(crate) fn around(
        &self,
        object: ObjectId,
        tick: Tick,
        window: u32,
    ) -> impl Iterator<Item = &TargetRow> {
        let newest = self.newest.unwrap_or_default();
        let to = tick.plus(window).max(newest.minus(NEAR_KEPT - 1));
        let mut then = self.between(object, tick.minus(window), to).peekable();
        let later = if then.peek().is_some() { None } else { self.between(object, to.next(), newest).next() };
        then.chain(later)
    }

    fn at(&self, tick: Tick, object: ObjectId) -> Option<&TargetRow> {
        let frame = self.ticks.get(place(tick)).filter(|frame| frame.tick == Some(tick))?;
        let at = frame.rows.binary_search_by_key(&object, |row| row.object).ok()?;
        frame.rows.get(at)
    }
}

fn place(tick: Tick) -> usize {
    tick.get().unsigned_abs() as usize % NEAR_KEPT as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use mjolnir_wire::Vec3;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn object(index: u16) -> ObjectId {
        ObjectId::new(index, 7).unwrap()
    }

    /// It is as far east as the tick says, and as large as its index.
    fn row(index: u16, now: i32) -> TargetRow {
        let place = Vec3::new(now as f32, 0.0, 0.0);
        TargetRow { object: object(index), place, velocity: Vec3::ZERO, size: f32::from(index) }
    }

    fn moved(ticks: impl Iterator<Item = i32>) -> Near {
        let mut near = Near::default();
        ticks.for_each(|now| near.note(tick(now), &[row(3, now), row(1, now), row(2, now)]));
        near
    }

    fn easts<'a>(rows: impl Iterator<Item = &'a TargetRow>) -> Vec<i32> {
        rows.map(|row| row.place.x as i32).collect()
    }

    /// DMG-57: given 500 ticks of motion, then exactly the last 32 are kept, each object with its own size.
    #[test]
    fn thirty_two_ticks_are_kept() {
        let near = moved(0..500);
        for index in 1..=3 {
            let kept: Vec<_> = near.between(object(index), tick(0), Tick::LAST).collect();
            assert_eq!(easts(kept.iter().copied()), (468..500).collect::<Vec<_>>());
            assert!(kept.iter().all(|row| row.size == f32::from(index)));
        }
        assert_eq!(near.between(object(4), tick(0), Tick::LAST).count(), 0);
        assert_eq!(near.between(ObjectId::new(1, 8).unwrap(), tick(0), Tick::LAST).count(), 0);
    }

    /// DMG-57: a tick that the host left out is none, and one of 32 ticks before does not stand for it.
    #[test]
    fn a_tick_left_out_is_none() {
        let near = moved((0..100).filter(|now| *now != 90));
        assert_eq!(easts(near.between(object(1), tick(88), tick(92))), [88, 89, 91, 92]);
    }

    /// DMG-22: three ticks before and after, and no fourth.
    #[test]
    fn a_window_is_open_both_ways() {
        let near = moved(0..100);
        assert_eq!(easts(near.around(object(1), tick(80), 3)), (77..=83).collect::<Vec<_>>());
        assert_eq!(easts(near.around(object(1), tick(99), 3)), (96..=99).collect::<Vec<_>>());
    }

    /// DMG-23: what is longer ago than is kept is held against the oldest, 68 here.
    #[test]
    fn longer_ago_is_the_oldest() {
        let near = moved(0..100);
        for (heard, there) in [(72, 69..=75), (71, 68..=74), (69, 68..=72), (65, 68..=68), (9, 68..=68)] {
            assert_eq!(easts(near.around(object(1), tick(heard), 3)), there.collect::<Vec<_>>(), "{heard}");
        }
    }

    /// DMG-21: given a vehicle that somebody got into after the tick heard, then it is held against the first that is known of
    /// it.
    #[test]
    fn what_was_ridden_later_is_where_it_was_first() {
        let mut near = moved(0..100);
        (100..120).for_each(|now| near.note(tick(now), &[row(9, now)]));
        assert_eq!(easts(near.around(object(9), tick(96), 3)), [100]);
        assert_eq!(easts(near.around(object(9), tick(98), 3)), [100, 101]);
        assert_eq!(easts(near.around(object(1), tick(98), 3)), (95..100).collect::<Vec<_>>());
        assert_eq!(easts(near.around(object(1), tick(103), 3)), Vec::<i32>::new());
    }

    /// Nothing is known before the first tick, and the last ticks there are overflow nothing.
    #[test]
    fn the_ends_of_time_are_ticks_like_others() {
        assert_eq!(Near::default().around(object(1), tick(5), 3).count(), 0);
        let near = moved(i32::MAX - 40..=i32::MAX);
        assert_eq!(near.between(object(1), tick(0), Tick::LAST).count(), 32);
        assert_eq!(near.around(object(1), Tick::LAST, 3).count(), 4);
        assert_eq!(moved(0..2).around(object(1), tick(0), 3).count(), 2);
    }
}
