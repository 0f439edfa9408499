//! A copy of another machine's player: how the host's word seats and moves it. Knows nothing of own players, nor of
//! inputs.

use mjolnir_wire::units::{Placement, Ride};
use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::command::HostWord;
use crate::compare::is_phase;
use crate::error::Error;
use crate::glide::Glide;
use crate::history::TELEPORT_LAG;
use crate::rows::{Platform, UnitRow};
use crate::stamps::Stamps;

/// World units past which a copy is put where the host has it at once (PRED-12).
pub const REMOTE_BLEND_DISTANCE: f32 = 1.0;

/// World units that are no error: a copy so close is where it should be, and is not moved (ours; far under what
/// two machines' views of a running player differ by).
pub const SETTLED_DISTANCE: f32 = 0.001;

/// Ticks for which an elevator that rests here may be off the host's, as the other has not stopped or begun yet (ours: no
/// round trip is as long). A copy on it that is off in height for longer is so for another reason.
pub const PLATFORM_SETTLES: u32 = 30;

/// World units of height by which a copy on an elevator that rests is not off (ours).
const LEVEL: f32 = 0.05;

/// One copy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remote {
    pub(crate) glide: Glide,
    unit: Option<ObjectId>,
    stamps: Stamps,
    word: Option<HostWord>,
    /// What is left of the error that the last word showed.
    left: Vec3,
    /// The tick since which it was off in height on an elevator at rest.
    tilted: Option<Tick>,
    /// Before which tick it was last moved, and where it was then.
    was: Option<(Tick, Vec3)>,
    /// When a teleporter here took it, and from where.
    sent: Option<(Tick, Vec3)>,
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
    /// Keeps the host's word until it is carried out; an older one than the last is refused, one of the same tick is
    /// taken (PRED-33).
    pub(crate) fn handle_word(&mut self, word: HostWord) -> Result<(), Error> {
        self.stamps.take_or_same(word.tick)?;
        self.word = Some(word);
        Ok(())
    }

    /// The word, where the host has it in another seat than this, or in none; one of a vehicle that is not there waits
    /// (AUTH-53).
    pub(crate) fn take_seat(
        &mut self,
        sits: Option<Ride>,
        exists: impl Fn(ObjectId) -> bool,
    ) -> Option<HostWord> {
        let ride = self.word?.ride;
        if ride == sits {
            self.word = self.word.filter(|_| sits.is_none());
            return None;
        }
        let is_there = |ride: Ride| ride.vehicle.is_some_and(&exists);
        self.word.take_if(|_| ride.is_none_or(is_there))
    }

    /// It has that unit; a new one is where it was made.
    pub(crate) fn has(&mut self, unit: ObjectId) {
        if self.unit != Some(unit) {
            self.glide = Glide::default();
            self.stands();
            (self.was, self.sent) = (None, None);
            self.unit = Some(unit);
        }
    }

    /// It has no unit on foot: dead, or riding. A word on a seat that waits is kept.
    pub(crate) fn leave(&mut self) {
        self.unit = None;
        (self.was, self.sent) = (None, None);
        self.word = self.word.filter(|word| word.ride.is_some());
        self.glide.end();
        self.stands();
    }

    /// It has no unit.
    pub(crate) fn die(&mut self) {
        self.leave();
        self.word = None;
    }

    /// A teleporter took it in the tick just simulated. The host's copy is on it a little earlier or later, and one that is
    /// later is no reason to bring this one back and send it again.
    pub(crate) fn teleported(&mut self) {
        self.stands();
        self.glide.end();
        self.sent = self.was;
    }

    /// Whether the host's copy may not have stepped yet on the teleporter that took this one.
    fn is_of_before(&self, tick: Tick, theirs: Vec3) -> bool {
        self.sent.is_some_and(|(sent, from)| {
            tick.since(sent) <= TELEPORT_LAG as i32 && theirs.distance(from) <= REMOTE_BLEND_DISTANCE
        })
    }

    /// Nothing is left of an error.
    fn stands(&mut self) {
        self.left = Vec3::ZERO;
        self.tilted = None;
    }

    /// How it is moved from where it is, on foot: half of what a new word shows it to be off, then half of what is left
    /// each tick (PRED-11); all of it at once past [`REMOTE_BLEND_DISTANCE`].
    ///
    /// A word that shows it off gives it the host's velocity too. A copy that kept its own would go on being off by as
    /// much again each tick, for as long as nothing else changes what it does: the whole of a jump that it began a tick
    /// late, or for ever at an edge that it slides from and is put back to.
    ///
    /// On an elevator whose floor it touches its height is its own (PRED-22), for the elevators of two machines are not at
    /// the same height, and it would be pulled through the floor of one that lags going up. In the air over one it is not
    /// pulled lower than its floor, on which it will land.
    pub(crate) fn step(&mut self, tick: Tick, present: &Placement, row: &UnitRow) -> Option<Step> {
        let word = self.word.take_if(|word| word.ride.is_none()).and_then(|word| word.placement);
        let word = word.filter(|word| !self.is_of_before(tick, word.position));
        self.was = Some((tick, present.position));
        let mut velocity = None;
        if let Some(mut word) = word {
            self.left = word.position - present.position;
            if self.keeps_height(tick, row.floor()) {
                self.left.z = 0.0;
                word.position.z = present.position.z;
                word.velocity.z = present.velocity.z;
            } else if let Some(lowest) = row.lowest().filter(|_| is_phase(self.left.z)) {
                self.left.z = self.left.z.max(lowest - present.position.z);
                word.position.z = word.position.z.max(lowest);
            }
            if self.left.length() > REMOTE_BLEND_DISTANCE {
                self.stands();
                (self.was, self.sent) = (Some((tick, word.position)), None);
                return Some(Step::To(word));
            }
            velocity = Some(word.velocity);
        }
        if self.left.length() <= SETTLED_DISTANCE {
            return None;
        }
        let by = self.left * 0.5;
        self.left -= by;
        Some(Step::By(by, velocity))
    }

    /// Whether what it is off in height is what two elevators are apart.
    fn keeps_height(&mut self, tick: Tick, floor: Option<&Platform>) -> bool {
        let Some(platform) = floor.filter(|_| is_phase(self.left.z)) else {
            self.tilted = None;
            return false;
        };
        if platform.moving || self.left.z.abs() <= LEVEL {
            self.tilted = None;
            return true;
        }
        let since = *self.tilted.get_or_insert(tick);
        tick.since(since) < PLATFORM_SETTLES as i32
    }
}
