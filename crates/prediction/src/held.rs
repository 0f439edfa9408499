//! Inputs that come as datagrams do, held and given out as one a tick. Knows neither whose they are nor what they
//! drive: the host holds its clients' players' (kind 14), a client the relayed ones (kind 15).
//!
//! The newest input's stick and aim drive at once, whatever was lost before it. Buttons are levels that must not be
//! missed: each tick's are taken once, from whichever message brings them first, and driven in order, one tick's a
//! tick. Buttons that come late wait their turn, at most [`LATE_BUTTON_QUEUE`] of them, and the wait ends by
//! itself: a tick that repeats what was just driven says nothing new and is left out while others wait behind it.
//! So on a clean link each tick's buttons are driven with that tick's stick, and soon after a loss again.

use alloc::vec::Vec;

use mjolnir_wire::inputs::History;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Buttons, Input, Slot, Tick};

use crate::error::Error;
use crate::stamps::{Follows, Stamps};

/// Late buttons that wait for a tick of their own, beside the newest (PRED-10, ours).
pub const LATE_BUTTON_QUEUE: usize = 3;

/// Ticks of silence after which the host lets a player's buttons and trigger go; the stick stays (AUTH-07, ours).
pub const INPUT_BUTTONS_RELEASED_AFTER: u32 = 60;

/// What a player does this tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driven {
    /// The newest stick, aim and choices, with the buttons whose turn it is; those that mean something (WIRE-73).
    pub input: Input,
    /// Buttons as they were driven, this tick's and the three's before.
    pub history: History,
    /// The sender's tick that this is: buttons and stick are both exactly its own. None when the stick is newer
    /// than the buttons, or when nothing came and the last is held.
    pub of: Option<Tick>,
    /// Whether an input came since the last tick driven.
    pub fresh: bool,
}

/// Every slot's input. See the module's text.
#[derive(Clone, Debug)]
pub struct HeldInputs {
    slots: Vec<Held>,
    releases: bool,
}

impl Default for HeldInputs {
    fn default() -> Self {
        Self::new()
    }
}

impl HeldInputs {
    /// Holds for as long as nothing newer comes, as a client does.
    pub fn new() -> Self {
        Self { slots: alloc::vec![Held::default(); MAX_PLAYERS], releases: false }
    }

    /// Lets buttons and trigger go after [`INPUT_BUTTONS_RELEASED_AFTER`] ticks of silence, as the host does.
    pub fn releasing() -> Self {
        Self { releases: true, ..Self::new() }
    }

    /// Forgets that slot: its next input is its first.
    pub fn clear(&mut self, slot: Slot) {
        self.slots[slot.index()] = Held::default();
    }

    /// Takes an input of that sender's tick. `now` is the receiver's tick, from which silence is counted. Of the
    /// buttons before it, those of ticks after the last taken are taken too, except with a slot's first input
    /// (PRED-06, AUTH-72). An input that is not newer than the last taken is refused.
    pub fn handle(
        &mut self,
        now: Tick,
        slot: Slot,
        stamp: Tick,
        input: &Input,
        history: &History,
    ) -> Result<(), Error> {
        let held = &mut self.slots[slot.index()];
        let older = match held.stamps.take(stamp)? {
            Follows::Nothing => 0,
            Follows::Stamp(last) => (stamp.since(last) as usize - 1).min(history.len() - 1),
            Follows::Unsure => history.len() - 1,
        };
        for back in (1..=older).rev() {
            held.waiting.push((stamp.minus(back as u32), history[back].known()), held.driven[0]);
        }
        held.waiting.push((stamp, input.buttons.known()), held.driven[0]);
        held.newest = Some((stamp, *input));
        held.heard_at = now;
        held.fresh = true;
        Ok(())
    }

    /// What that slot does in the receiver's tick; none before its first input. Called once each tick.
    pub fn drive(&mut self, tick: Tick, slot: Slot) -> Option<Driven> {
        let held = &mut self.slots[slot.index()];
        let (stamp, mut input) = held.newest?;
        let silent = tick.since(held.heard_at) >= INPUT_BUTTONS_RELEASED_AFTER as i32;
        let mut of = None;
        input.buttons = match held.waiting.pop(held.driven[0]) {
            Some((from, buttons)) => {
                of = Some(stamp).filter(|stamp| *stamp == from);
                buttons
            }
            None if self.releases && silent => {
                input.trigger = 0.0;
                Buttons::default()
            }
            None => held.driven[0],
        };
        held.driven.copy_within(0..3, 1);
        held.driven[0] = input.buttons;
        let fresh = core::mem::take(&mut held.fresh);
        Some(Driven { input, history: held.driven, of, fresh })
    }
}

/// One slot's.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    stamps: Stamps,
    newest: Option<(Tick, Input)>,
    waiting: Waiting,
    driven: History,
    heard_at: Tick,
    fresh: bool,
}

/// Buttons and the sender's tick that they are of.
type TickButtons = (Tick, Buttons);

/// Buttons that wait to be driven, the oldest first: the newest tick's and the late ones before it.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    ticks: [TickButtons; LATE_BUTTON_QUEUE + 1],
    count: usize,
}

impl Waiting {
    /// Adds the next tick's. When it is full, one that the next repeats makes room, else the oldest does.
    fn push(&mut self, next: TickButtons, driven: Buttons) {
        if self.count == self.ticks.len() {
            let buttons = |at: usize| self.ticks.get(at).unwrap_or(&next).1;
            let repeated = (0..self.count).find(|at| buttons(*at) == buttons(at + 1));
            let out = if buttons(0) == driven { 0 } else { repeated.unwrap_or(0) };
            self.remove(out);
        }
        self.ticks[self.count] = next;
        self.count += 1;
    }

    /// Takes the next out, past those that repeat what was just driven while others wait behind them.
    fn pop(&mut self, driven: Buttons) -> Option<TickButtons> {
        while self.count > 1 && self.ticks[0].1 == driven {
            self.remove(0);
        }
        let next = *self.ticks[..self.count].first()?;
        self.remove(0);
        Some(next)
    }

    fn remove(&mut self, at: usize) {
        self.ticks.copy_within(at + 1..self.count, at);
        self.count -= 1;
    }
}
