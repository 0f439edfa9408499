//! Which stamp is newer than the last taken of one sender, without letting a single damaged one silence the rest: not
//! one far ahead, nor the first, by which all that follow may be far behind.
//! Knows nothing of what is stamped.

use mjolnir_wire::Tick;

use crate::error::Error;

/// A stamp further ahead than this of the last taken is taken, but stales nothing until a later one agrees to as
/// much (as NET-74 has it for datagrams, ours). One further behind is refused until a later one agrees: two that agree
/// are the sender's time, and what was taken before was none.
pub const STAMP_STEP: i32 = 30;

/// The newest stamp taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps {
    newest: Option<Tick>,
    /// One too far ahead or behind to be believed alone.
    alone: Option<Tick>,
}

/// What a stamp that was taken follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    /// None: it is the first.
    Nothing,
    /// That one.
    Stamp(Tick),
    /// None that it can be measured by.
    Unsure,
}

impl Stamps {
    /// Takes a stamp that is newer than the last.
    pub(crate) fn take(&mut self, stamp: Tick) -> Result<Follows, Error> {
        let Some(newest) = self.newest else {
            self.newest = Some(stamp);
            return Ok(Follows::Nothing);
        };
        if stamp <= newest {
            if newest.since(stamp) <= STAMP_STEP {
                return Err(Error::NotNewer);
            }
            return match self.alone {
                Some(alone) if (1..=STAMP_STEP).contains(&stamp.since(alone)) => {
                    Ok(self.follow(alone, stamp))
                }
                _ => {
                    self.alone = Some(stamp);
                    Err(Error::NotNewer)
                }
            };
        }
        if stamp.since(newest) <= STAMP_STEP {
            return Ok(self.follow(newest, stamp));
        }
        match self.alone.map(|alone| (alone, stamp.since(alone))) {
            Some((_, step)) if (-STAMP_STEP..=0).contains(&step) => Err(Error::NotNewer),
            Some((alone, step)) if (1..=STAMP_STEP).contains(&step) => Ok(self.follow(alone, stamp)),
            _ => {
                self.alone = Some(stamp);
                Ok(Follows::Unsure)
            }
        }
    }

    /// Takes a stamp that is newer than the last or the same.
    pub(crate) fn take_or_same(&mut self, stamp: Tick) -> Result<(), Error> {
        if self.newest == Some(stamp) || self.alone == Some(stamp) {
            return Ok(());
        }
        self.take(stamp).map(|_| ())
    }

    fn follow(&mut self, last: Tick, stamp: Tick) -> Follows {
        self.newest = Some(stamp);
        self.alone = None;
        Follows::Stamp(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// What each of those stamps follows, in turn.
    fn taken<const N: usize>(stamps: [i32; N]) -> [Result<Follows, Error>; N] {
        let mut taken = Stamps::default();
        stamps.map(|stamp| taken.take(tick(stamp)))
    }

    const LATE: Result<Follows, Error> = Err(Error::NotNewer);

    fn after(stamp: i32) -> Result<Follows, Error> {
        Ok(Follows::Stamp(tick(stamp)))
    }

    /// PRED-06: only what is newer is taken.
    #[test]
    fn only_a_newer_stamp_is_taken() {
        assert_eq!(taken([50, 50, 49, 51, 60]), [Ok(Follows::Nothing), LATE, LATE, after(50), after(51)]);
    }

    /// AUTH-72: a damaged stamp far ahead is taken, and stales nothing; two that agree are the sender's time.
    #[test]
    fn a_stamp_far_ahead_needs_another() {
        let first = Ok(Follows::Nothing);
        let unsure = Ok(Follows::Unsure);
        assert_eq!(taken([1000, 1030, 1060]), [first, after(1000), after(1030)]);
        assert_eq!(taken([1000, 1300, 1001]), [first, unsure, after(1000)]);
        assert_eq!(taken([1000, 1300, 1300, 1299]), [first, unsure, LATE, LATE]);
        assert_eq!(taken([1000, 1300, 1330, 1301]), [first, unsure, after(1300), LATE]);
        assert_eq!(taken([1000, 1300, 1331, 1332]), [first, unsure, unsure, after(1331)]);
    }

    /// AUTH-72: a first stamp that was damaged, far ahead, silences one message, not the sender for ever; a few behind are
    /// late, however many they are, and the same again agrees with nothing.
    #[test]
    fn a_stamp_far_behind_needs_another_too() {
        let first = Ok(Follows::Nothing);
        assert_eq!(taken([1_000_000, 1000, 1001, 1002]), [first, LATE, after(1000), after(1001)]);
        assert_eq!(taken([1032, 1000, 1001, 1002]), [first, LATE, after(1000), after(1001)]);
        assert_eq!(taken([1031, 1000, 1001, 1002, 1032]), [first, LATE, LATE, LATE, after(1031)]);
        assert_eq!(taken([5000, 1000, 1000, 1031, 5001]), [first, LATE, LATE, LATE, after(5000)]);
    }

    /// PRED-33: an equal stamp is a piece of the same message.
    #[test]
    fn an_equal_stamp_may_be_taken_too() {
        let mut taken = Stamps::default();
        for stamp in [7, 7, 9, 9, 300, 300] {
            assert_eq!(taken.take_or_same(tick(stamp)), Ok(()));
        }
        assert_eq!(taken.take_or_same(tick(8)), Err(Error::NotNewer));
    }
}
