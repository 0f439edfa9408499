//! Which stamp of one sender is older than the last, without letting a single damaged one stale the rest. Knows
//! nothing of what is stamped.

use mjolnir_wire::Tick;

/// A stamp more ticks than this ahead of the newest stales nothing until another agrees to as much (as NET-74 has it
/// for datagrams, ours).
pub const STAMP_STEP: i32 = 30;

/// What one sender's words on one player were stamped with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps {
    newest: Option<Tick>,
    /// One too far ahead to be believed alone.
    alone: Option<Tick>,
}

impl Stamps {
    /// The newest that is believed.
    pub(crate) const fn newest(&self) -> Option<Tick> {
        self.newest
    }

    /// Whether that is older than the newest.
    pub(crate) fn is_old(&self, stamp: Tick) -> bool {
        self.newest.is_some_and(|newest| stamp < newest)
    }

    /// Notes one that is not old; whether it is believed.
    pub(crate) fn note(&mut self, stamp: Tick) -> bool {
        let near = self.newest.is_none_or(|newest| stamp.since(newest) <= STAMP_STEP);
        let agrees = self.alone.is_some_and(|alone| alone != stamp && stamp.since(alone).abs() <= STAMP_STEP);
        let believed = near || agrees;
        if believed {
            *self = Self { newest: Some(stamp), alone: None };
        } else {
            self.alone = Some(stamp);
        }
        believed
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
            let mut stamps = Stamps::default();
            for stamp in [1000, second, third] {
                assert!(!stamps.is_old(tick(stamp)));
                stamps.note(tick(stamp));
            }
            assert_eq!(stamps.newest(), Some(tick(newest)), "{second} {third}");
            assert!(stamps.is_old(tick(newest - 1)) && !stamps.is_old(tick(newest)));
        }
    }
}
