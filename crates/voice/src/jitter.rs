//! In which turn a speaker's frames are played, and what in place of those missing: holds little, and catches up
//! (VOICE-26, 27). Knows no codec and no clock: a turn is 20 ms of sound.
//!
//! Sound starts at three frames. While none is there the last sound is drawn out for up to three turns, so that a frame that
//! is late is played later than it would have been and none is thrown away. Once frames have come after their turn the same is
//! done where one is missing: it may be on its way. What so waits longer than it needs to is made up for, two frames in one
//! turn, once it has waited too long for half a second in which none was late.

use mjolnir_wire::voice::Packet;

use crate::error::Error;
use crate::ring::{RING_FRAMES, Ring};

/// Frames at which sound starts (VOICE-26).
pub const START_FRAMES: usize = 3;
/// Frames in a row that are concealed (VOICE-27).
pub const MOST_CONCEALED: usize = 3;
/// Turns for which more has to wait than sound starts with before it is made up for. Ours.
pub const SURPLUS_TURNS: u32 = 25;
/// Turns from one in which two frames are played to the next. Ours.
pub const BLEND_TURNS: u32 = 5;
/// Turns without a frame after which the speaker's next is taken whatever its number: who has joined anew counts anew. Ours.
pub const FRESH_TURNS: u32 = 25;

/// Places that may wait for a missing frame: with more, what is heard would be older than 400 ms. Ours.
pub const MOST_PATIENT: usize = 14;

/// What is played in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn<'a> {
    /// Nothing.
    Silence,
    /// That frame.
    Frame(&'a [u8]),
    /// Those two at once.
    Both(&'a [u8], &'a [u8]),
    /// What was lost before that frame, by what it says of it.
    Recover(&'a [u8]),
    /// What was lost, or has not come yet.
    Conceal,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Silence,
    /// So many frames are passed.
    Frames(usize),
    Recover,
    Conceal,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Jitter {
    ring: Ring,
    /// The number of the ring's first place, once a frame has come.
    next: Option<u16>,
    plays: bool,
    /// Since it is fresh nothing was played: a frame before the first may still be put there.
    is_fresh: bool,
    /// Places at the ring's front whose turn has passed.
    passed: usize,
    /// Turns in a row that were drawn out.
    drawn_out: usize,
    /// Turns in a row without a frame of their own.
    missed: usize,
    /// By how many turns frames were late of late, less what has been drawn out since.
    late_by: usize,
    /// Whether any was late while it was watched.
    was_late: bool,
    /// The last places that passed, the last one lowest: whether a frame had come for it.
    came: u32,
    /// Turns since a frame came.
    unheard: u32,
    /// The fewest frames that waited of late, and for how many turns that was watched.
    least: usize,
    watched: u32,
    /// Frames to be made up for, and turns until the next is.
    surplus: usize,
    until_blend: u32,
    /// Frames thrown away because the ring was full.
    spilt: u64,
}

impl Jitter {
    pub(crate) fn new() -> Self {
        Self {
            ring: Ring::new(),
            next: None,
            plays: false,
            is_fresh: true,
            passed: 0,
            drawn_out: 0,
            missed: 0,
            late_by: 0,
            was_late: false,
            came: 0,
            unheard: 0,
            least: usize::MAX,
            watched: 0,
            surplus: 0,
            until_blend: 0,
            spilt: 0,
        }
    }

    /// Another speaks now.
    pub(crate) fn clear(&mut self) {
        self.ring.clear();
        (self.next, self.is_fresh, self.passed, self.unheard, self.came) = (None, true, 0, 0, 0);
        self.start_over();
    }

    /// Three frames are waited for again.
    fn start_over(&mut self) {
        (self.plays, self.drawn_out, self.missed, self.surplus) = (false, 0, 0, 0);
        self.watch();
    }

    fn watch(&mut self) {
        (self.least, self.watched) = (usize::MAX, 0);
        (self.late_by, self.was_late) = (0, false);
    }

    pub(crate) const fn waiting(&self) -> usize {
        self.ring.count()
    }

    pub(crate) const fn spilt(&self) -> u64 {
        self.spilt
    }

    /// Takes a frame that came. What is not taken changed nothing, but that it is known how late frames come.
    pub(crate) fn take(&mut self, sequence: u16, packet: Packet<'_>) -> Result<(), Error> {
        self.pass();
        let next = self.next.unwrap_or(sequence);
        let on = sequence.wrapping_sub(next) as i16;
        if on < 0 {
            let before = usize::from(on.unsigned_abs());
            if !self.is_fresh || before + self.ring.span() > RING_FRAMES {
                return Err(self.passed_by(before));
            }
            self.ring.back(before);
            self.ring.put(0, packet);
            self.next = Some(sequence);
        } else {
            let on = on.unsigned_abs().into();
            if self.ring.get(on).is_some() {
                return Err(Error::Repeated);
            }
            // A full ring loses its oldest, and nothing is played for those: what came last is what is said now.
            let over = (on + 1_usize).saturating_sub(RING_FRAMES);
            self.spilt += self.ring.pass(over) as u64;
            self.ring.put(on - over, packet);
            let gone = if over > 0 { self.ring.gap() } else { 0 };
            self.ring.pass(gone);
            self.next = Some(next.wrapping_add((over + gone) as u16));
            if over > 0 {
                self.came = 0;
                if self.ring.count() == 1 {
                    self.start_over();
                }
            }
        }
        self.unheard = 0;
        Ok(())
    }

    /// What is played now; whether the codec is to forget what was before it.
    pub(crate) fn turn(&mut self) -> (Turn<'_>, bool) {
        self.pass();
        let (what, resets) = self.choose();
        let frame = |on: usize| self.ring.get(on).unwrap_or_default();
        let turn = match what {
            What::Silence => Turn::Silence,
            What::Frames(2) => Turn::Both(frame(0), frame(1)),
            What::Frames(_) => Turn::Frame(frame(0)),
            What::Recover => Turn::Recover(frame(1)),
            What::Conceal => Turn::Conceal,
        };
        (turn, resets)
    }

    /// What became of a frame whose turn is so many places past.
    fn passed_by(&mut self, before: usize) -> Error {
        if before > RING_FRAMES {
            return Error::Late;
        }
        if self.came >> (before - 1) & 1 != 0 {
            return Error::Repeated;
        }
        if self.plays {
            self.late_by = self.late_by.max(before);
            self.was_late = true;
        }
        Error::Late
    }

    /// Leaves the places whose turn has passed.
    fn pass(&mut self) {
        if let Some(next) = &mut self.next {
            *next = next.wrapping_add(self.passed as u16);
            for _ in 0..self.passed {
                self.came = self.came << 1 | u32::from(self.ring.pass(1) > 0);
            }
        }
        self.passed = 0;
    }

    fn choose(&mut self) -> (What, bool) {
        self.unheard = self.unheard.saturating_add(1);
        let mut resets = false;
        let mut gap = self.ring.gap();
        if self.plays {
            self.look();
            if self.ring.count() == 0 {
                return (self.draw_out(), false);
            }
            if gap > MOST_CONCEALED {
                self.start_over();
            } else if gap > 0 && self.is_patient(gap) {
                self.drawn_out += 1;
                self.missed += 1;
                return (What::Conceal, false);
            } else {
                // What was drawn out stood for what is missing now; where that came, it has made room for what is late.
                let stood = self.drawn_out.min(gap);
                self.late_by = self.late_by.saturating_sub(self.drawn_out - stood);
                self.drawn_out = 0;
                self.skip(stood);
                gap -= stood;
            }
        }
        if !self.plays && self.unheard >= FRESH_TURNS {
            // Nor does what was too short to be played wait for what is said much later.
            self.clear();
            gap = 0;
        }
        if !self.plays {
            self.skip(gap);
            gap = 0;
            if self.ring.count() < START_FRAMES {
                return (What::Silence, false);
            }
            (self.plays, self.is_fresh, resets) = (true, false, true);
            self.look();
        }
        let what = match gap {
            0 => What::Frames(self.frames()),
            1 => What::Recover,
            _ => What::Conceal,
        };
        (self.passed, self.missed) =
            if let What::Frames(frames) = what { (frames, 0) } else { (1, self.missed + 1) };
        (what, resets)
    }

    /// Whether one more turn is drawn out for a frame that is missing, after which no more than three in a row are missed.
    fn is_patient(&self, gap: usize) -> bool {
        let rest = gap.saturating_sub(self.drawn_out + 1);
        self.drawn_out < self.late_by
            && self.ring.span() < MOST_PATIENT
            && self.missed + 1 + rest <= MOST_CONCEALED
    }

    /// Nothing is there: how long that is borne.
    fn draw_out(&mut self) -> What {
        if self.missed == MOST_CONCEALED {
            self.start_over();
            return What::Silence;
        }
        self.drawn_out += 1;
        self.missed += 1;
        What::Conceal
    }

    /// Leaves places at once that nothing is played for.
    fn skip(&mut self, places: usize) {
        self.passed = places;
        self.pass();
    }

    /// Watches how much waits.
    fn look(&mut self) {
        self.least = self.least.min(self.ring.span());
        self.watched += 1;
        if self.watched == SURPLUS_TURNS {
            self.surplus = if self.was_late { 0 } else { self.least.saturating_sub(START_FRAMES) };
            self.watch();
        }
        self.until_blend = self.until_blend.saturating_sub(1);
    }

    /// One frame, or two where one is to be made up for.
    fn frames(&mut self) -> usize {
        if self.surplus == 0 || self.until_blend > 0 || self.ring.get(1).is_none() {
            return 1;
        }
        self.surplus -= 1;
        self.until_blend = BLEND_TURNS;
        2
    }
}
