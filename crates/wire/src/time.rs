//! Game time and link time: [`Tick`], [`Moment`], and the two rules by which 16 bits of a tick widen. Knows no
//! clock: only the `clock` crate turns one time into the other.

use crate::error::Error;
use crate::limits::TICKS_PER_SECOND;

/// Game time: ticks of 1/30 s since the game began, 0..=2147483647. It never wraps; a run that would pass the
/// end is refused before it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(i32);

impl Tick {
    /// The game's first tick.
    pub const ZERO: Self = Self(0);
    /// The last tick there is.
    pub const LAST: Self = Self(i32::MAX);

    /// The tick of that number, if it is one.
    pub const fn new(number: i32) -> Option<Self> {
        if number >= 0 { Some(Self(number)) } else { None }
    }

    /// Reads a 32-bit stamp; a negative one is refused (WIRE-05).
    pub const fn read(raw: i32) -> Result<Self, Error> {
        match Self::new(raw) {
            Some(tick) => Ok(tick),
            None => Err(Error::BadTick),
        }
    }

    /// Its number.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The tick after it; the last tick's is itself.
    #[must_use]
    pub const fn next(self) -> Self {
        self.plus(1)
    }

    /// So many ticks later, no further than the last.
    #[must_use]
    pub const fn plus(self, ticks: u32) -> Self {
        let ticks = if ticks > i32::MAX as u32 { i32::MAX } else { ticks as i32 };
        Self(self.0.saturating_add(ticks))
    }

    /// So many ticks earlier, no further than the first.
    #[must_use]
    pub const fn minus(self, ticks: u32) -> Self {
        if ticks >= self.0 as u32 { Self::ZERO } else { Self(self.0 - ticks as i32) }
    }

    /// Ticks from `earlier` to this; negative when that one is later. Both are non-negative, so it cannot overflow.
    pub const fn since(self, earlier: Self) -> i32 {
        self.0 - earlier.0
    }

    /// The 16 bits that travel where a time is short.
    pub const fn low16(self) -> u16 {
        self.0 as u16
    }

    /// Widens 16 bits to *the latest not after now* (FACT wire 1.8): `now - u16(low16(now) - low)`. None when
    /// that would be before the first tick.
    pub const fn widen_not_after(now: Self, low: u16) -> Option<Self> {
        Self::new(now.0 - now.low16().wrapping_sub(low) as i32)
    }

    /// Widens 16 bits to the tick *nearest to a reference*; of two as near, the earlier. None when that would
    /// lie outside the ticks there are.
    pub const fn widen_nearest(reference: Self, low: u16) -> Option<Self> {
        let step = low.wrapping_sub(reference.low16()) as i16;
        match reference.0.checked_add(step as i32) {
            Some(number) => Self::new(number),
            None => None,
        }
    }
}

/// Link time: microseconds since this process began. Never compared between machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// When the process began.
    pub const START: Self = Self(0);
    /// A second, in microseconds.
    pub const SECOND: u64 = 1_000_000;

    /// So many microseconds after the process began.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// So many milliseconds after the process began.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1000)
    }

    /// Microseconds since the process began.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// So many microseconds later.
    #[must_use]
    pub const fn plus(self, micros: u64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// Microseconds from `earlier` to this; 0 when that one is later.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A tick's length in microseconds, for sums of few ticks; sums of many use [`micros_of_ticks`].
pub const TICK_MICROS: u64 = Moment::SECOND / TICKS_PER_SECOND as u64;

/// Microseconds of so many ticks, rounded down: 30 ticks are exactly a second.
pub const fn micros_of_ticks(ticks: u64) -> u64 {
    ticks * Moment::SECOND / TICKS_PER_SECOND as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// WIRE-34: the latest time not after now, across 65 536 too.
    #[test]
    fn sixteen_bits_widen_to_the_latest_not_after_now() {
        let now = tick(70_000);
        for (low, wide) in [(69_990, 69_990), (4_465, 4_465), (70_001, 4_465), (70_000, 70_000)] {
            assert_eq!(Tick::widen_not_after(now, low as u16), Some(tick(wide)), "{low}");
        }
        assert_eq!(Tick::widen_not_after(tick(65_537), 65_535), Some(tick(65_535)));
        assert_eq!(Tick::widen_not_after(tick(10), 11), None);
    }

    /// WIRE-34: the other rule, both sides of half the range.
    #[test]
    fn sixteen_bits_widen_to_the_nearest() {
        let near = tick(100_000);
        for wide in [100_000 - 32_768, 99_999, 100_000, 100_001, 100_000 + 32_767] {
            assert_eq!(Tick::widen_nearest(near, tick(wide).low16()), Some(tick(wide)), "{wide}");
        }
        assert_eq!(Tick::widen_nearest(tick(3), 65_535), None);
        assert_eq!(Tick::widen_nearest(Tick::LAST, Tick::LAST.low16().wrapping_add(1)), None);
    }

    /// WIRE-05: a negative stamp is refused; arithmetic ends at the ends.
    #[test]
    fn a_tick_is_never_negative_and_never_wraps() {
        assert_eq!(Tick::read(-1), Err(Error::BadTick));
        assert_eq!(Tick::read(i32::MAX), Ok(Tick::LAST));
        assert_eq!(Tick::LAST.next(), Tick::LAST);
        assert_eq!(tick(3).minus(4), Tick::ZERO);
        assert_eq!(tick(3).minus(2), tick(1));
        assert_eq!(Tick::ZERO.since(Tick::LAST), -i32::MAX);
    }
}
