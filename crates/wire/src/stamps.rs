//! Which of one sender's stamps is older than the newest, without letting a damaged one stale the rest: not one far ahead, nor
//! the first, by which all that follow may be far behind. Knows nothing of what is stamped.

use crate::time::Tick;

/// A stamp more ticks than this ahead of the newest stales nothing until another agrees to as much, and one as far
/// behind is old until another does (as NET-74 has it for datagrams, ours).
pub const STAMP_STEP: i32 = 30;

/// The newest stamp of one sender on one thing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Newest {
    newest: Option<Tick>,
    /// One too far ahead or behind to be believed alone.
    alone: Option<Tick>,
}

impl Newest {
    /// Notes a stamp; whether what it is on counts. What is told less often than a step is further ahead each time: it counts,
    /// and so does what follows.
    pub fn take(&mut self, stamp: Tick) -> bool {
        let ahead = self.newest.map_or(0, |newest| stamp.since(newest));
        if (-STAMP_STEP..0).contains(&ahead) {
            return false;
        }
        // The same once more may be the same message.
        let agrees = self.alone.is_some_and(|alone| alone != stamp && stamp.since(alone).abs() <= STAMP_STEP);
        if (0..=STAMP_STEP).contains(&ahead) || agrees {
            *self = Self { newest: Some(stamp), alone: None };
            return true;
        }
        self.alone = Some(stamp);
        ahead > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(stamps: &[(u32, bool)]) {
        let mut newest = Newest::default();
        for (stamp, is_taken) in stamps {
            assert_eq!(newest.take(Tick::ZERO.plus(*stamp)), *is_taken, "{stamp} of {stamps:?}");
        }
    }

    /// NET-13, 74: an older one does not count; a damaged one far ahead stales nothing, nor does a damaged first.
    #[test]
    fn an_older_stamp_does_not_count() {
        taken(&[(500, true), (499, false), (500, true), (470, false), (501, true)]);
        taken(&[(500, true), (531, true), (501, true), (500, false)]);
        taken(&[(500, true), (530, true), (501, false)]);
        taken(&[(500, true), (530, true), (560, true), (559, false)]);
        taken(&[(5000, true), (100, false), (100, false), (101, true), (102, true), (100, false)]);
        taken(&[(100, true), (160, true), (163, true), (150, false)]);
    }
}
