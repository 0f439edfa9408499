//! A copy of another machine's player: how the host's word moves it. Knows nothing of own players, nor of inputs.

use mjolnir_wire::units::Placement;
use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::error::Error;
use crate::glide::Glide;
use crate::stamps::Stamps;

/// World units past which a copy is put where the host has it at once (PRED-12).
pub const REMOTE_BLEND_DISTANCE: f32 = 1.0;

/// World units that are no error: a copy so close is where it should be, and is not moved (ours; far under what
/// two machines' views of a running player differ by).
pub const SETTLED_DISTANCE: f32 = 0.001;

/// One copy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remote {
    pub(crate) glide: Glide,
    unit: Option<ObjectId>,
    stamps: Stamps,
    word: Option<Placement>,
    /// What is left of the error that the last word showed.
    left: Vec3,
}

/// How a copy is moved before a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// By so much of its error; and moving on as the host has it move, where that was said since the last tick.
    By(Vec3, Option<Vec3>),
    /// There.
    To(Placement),
}

impl Remote {
    /// Keeps the host's word of that tick until the next tick; an older one than the last is refused, one of the
    /// same tick is taken (PRED-33).
    pub(crate) fn handle_word(&mut self, tick: Tick, placement: Placement) -> Result<(), Error> {
        self.stamps.take_or_same(tick)?;
        self.word = Some(placement);
        Ok(())
    }

    /// It has that unit; a new one is where it was made.
    pub(crate) fn has(&mut self, unit: ObjectId) {
        if self.unit != Some(unit) {
            self.glide = Glide::default();
            self.left = Vec3::ZERO;
            self.unit = Some(unit);
        }
    }

    /// It has no unit on foot.
    pub(crate) fn leave(&mut self) {
        self.unit = None;
        self.word = None;
        self.glide.end();
    }

    /// How it is moved from where it is: half of what a new word shows it to be off, then half of what is left
    /// each tick (PRED-11); all of it at once past [`REMOTE_BLEND_DISTANCE`].
    ///
    /// A word that shows it off gives it the host's velocity too. A copy that kept its own would go on being off by as
    /// much again each tick, for as long as nothing else changes what it does: the whole of a jump that it began a tick
    /// late, or for ever at an edge that it slides from and is put back to.
    pub(crate) fn step(&mut self, present: Vec3) -> Option<Step> {
        let word = self.word.take();
        if let Some(word) = word {
            self.left = word.position - present;
            if self.left.length() > REMOTE_BLEND_DISTANCE {
                self.left = Vec3::ZERO;
                return Some(Step::To(word));
            }
        }
        if self.left.length() <= SETTLED_DISTANCE {
            return None;
        }
        let by = self.left * 0.5;
        self.left -= by;
        Some(Step::By(by, word.map(|word| word.velocity)))
    }
}
