//! Which stamp of one sender is older than the last, without letting a single damaged one stale the rest: not one far
//! ahead, nor the first, by which all that follow may be far behind. Knows nothing of what is stamped.

use mjolnir_wire::Tick;

/// A stamp more ticks than this ahead of the newest stales nothing until another agrees to as much (as NET-74 has it
/// for datagrams, ours). One as far behind is old until another agrees: two that agree are the sender's time, and what
/// was noted before was none.
pub const STAMP_STEP: i32 = 30;

/// What one sender's words on one player were stamped with; `STEP` as [`STAMP_STEP`], for what comes less often.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps<const STEP: i32 = STAMP_STEP> {
    newest: Option<Tick>,
    /// One too far ahead or behind to be believed alone.
    alone: Option<Tick>,
}

impl<const STEP: i32> Stamps<STEP> {
    /// The newest that is believed.
    pub(crate) const fn newest(&self) -> Option<Tick> {
        self.newest
    }

    /// Whether that is older than the newest, and nothing says that the newest was none.
    pub(crate) fn is_old(&mut self, stamp: Tick) -> bool {
        let Some(behind) = self.newest.map(|newest| newest.since(stamp)).filter(|behind| *behind > 0) else {
            return false;
        };
        if behind <= STEP {
            return true;
        }
        let agrees = self.agrees(stamp);
        if agrees {
            self.newest = None;
        } else {
            self.alone = Some(stamp);
        }
        !agrees
    }

    /// Notes one that is not old; whether it is believed.
    pub(crate) fn note(&mut self, stamp: Tick) -> bool {
        let near = self.newest.is_none_or(|newest| stamp.since(newest) <= STEP);
        let believed = near || self.agrees(stamp);
        if believed {
            *self = Self { newest: Some(stamp), alone: None };
        } else {
            self.alone = Some(stamp);
        }
        believed
    }

    /// Whether it agrees with the one that is not believed alone; the same once more may be the same message.
    fn agrees(&self, stamp: Tick) -> bool {
        self.alone.is_some_and(|alone| alone != stamp && stamp.since(alone).abs() <= STEP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-74: both sides of the step, and of what agrees.
    #[test]
    fn a_stamp_far_ahead_stales_nothing_alone() {
        let tick = |number| Tick::new(number).unwrap();
        for (second, third, newest) in [
            (1030, 1030, 1030),
            (1031, 1031, 1000),
            (1300, 1001, 1001),
            (1300, 1300, 1000),
            (1300, 1330, 1330),
            (1300, 1331, 1000),
            (1300, 1270, 1270),
            (1300, 1269, 1000),
        ] {
            let mut stamps: Stamps = Stamps::default();
            for stamp in [1000, second, third] {
                assert!(!stamps.is_old(tick(stamp)));
                stamps.note(tick(stamp));
            }
            assert_eq!(stamps.newest(), Some(tick(newest)), "{second} {third}");
            assert!(stamps.is_old(tick(newest - 1)) && !stamps.is_old(tick(newest)));
        }
    }

    /// NET-74: the first was damaged and far ahead: of those that follow one is old, and the next, which agrees, is the
    /// sender's time. A few ticks behind are old however many they are.
    #[test]
    fn a_first_stamp_far_ahead_silences_one() {
        let tick = |number| Tick::new(number).unwrap();
        for (first, old) in [(1_000_000, [true, false, false]), (1031, [true, true, true])] {
            let mut stamps: Stamps = Stamps::default();
            assert!(!stamps.is_old(tick(first)) && stamps.note(tick(first)));
            let heard = [1001, 1002, 1003].map(|stamp| {
                let is_old = stamps.is_old(tick(stamp));
                if !is_old {
                    assert!(stamps.note(tick(stamp)));
                }
                is_old
            });
            assert_eq!(heard, old, "{first}");
        }
        // The same message, doubled, agrees with nothing.
        let mut stamps: Stamps = Stamps::default();
        stamps.note(tick(5000));
        assert!(stamps.is_old(tick(1000)) && stamps.is_old(tick(1000)) && stamps.is_old(tick(2000)));
    }
}
