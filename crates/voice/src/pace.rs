//! How many frames are due, for who has no sound device that says so. Knows no sound.

use mjolnir_wire::Moment;

use crate::frames::FRAME_MICROS;

/// Frames that are made up for at most: after a longer stall the rest is not.
pub const MOST_DUE: u64 = 5;

/// See the file's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace(Option<Moment>);

impl Pace {
    /// Begins with its first question.
    pub const fn new() -> Self {
        Self(None)
    }

    /// How many frames of 20 ms have become due since it was asked last, [`MOST_DUE`] at most; 1 at first.
    pub fn due(&mut self, now: Moment) -> u64 {
        let Some(last) = self.0 else {
            self.0 = Some(now);
            return 1;
        };
        let due = now.since(last) / FRAME_MICROS;
        let rest = if due > MOST_DUE { 0 } else { now.since(last) % FRAME_MICROS };
        if due > 0 {
            self.0 = Some(Moment::from_micros(now.as_micros() - rest));
        }
        due.min(MOST_DUE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One each 20 ms however it is asked; after a stall five, and no more for it later.
    #[test]
    fn a_frame_is_due_each_twenty_milliseconds() {
        let mut pace = Pace::new();
        let due: [u64; 6] = [0, 19, 33, 66, 100, 119].map(|at| pace.due(Moment::from_millis(at)));
        assert_eq!(due, [1, 0, 1, 2, 2, 0]);
        assert_eq!(pace.due(Moment::from_millis(200)), 5);
        assert_eq!(pace.due(Moment::from_millis(320)), 5, "six of them: one is not made up for");
        assert_eq!(pace.due(Moment::from_millis(339)), 0);
        assert_eq!(pace.due(Moment::from_millis(340)), 1);
    }
}
