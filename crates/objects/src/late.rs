//! Machines that learn late of what there is: what came to rest before they can have known of it is told them anew.
//! Knows no distance.
//!
//! A word of rest goes by datagram, and overtakes a list that is long on its way: who has not the object yet ignores
//! it, and its copy would fall until its turn comes. So the words of rest (OBJ-21) begin anew for a machine once
//! everything that it was not told of has left for it. What no creation says, that a light is on, goes with them.

use alloc::vec::Vec;

use mjolnir_wire::{Machine, MachineSet, Tick};

use crate::resting::REST_REPEAT_TICKS;
use crate::rows::ObjectRow;

/// Ticks, from when a machine was told of everything, at which it is told of what came to rest meanwhile: as everybody
/// is (OBJ-21), and once more after two seconds, in which a stream that stands is taken for dead (ours).
pub const LATE_REPEAT_TICKS: [i32; 4] =
    [REST_REPEAT_TICKS[0] as i32, REST_REPEAT_TICKS[1] as i32, REST_REPEAT_TICKS[2] as i32, 60];
/// Objects at rest that such a machine is told of in a tick, at most (ours).
pub const LATE_A_TICK: usize = 32;

/// A machine that learns late.
#[derive(Clone, Copy, Debug)]
struct Learner {
    machine: Machine,
    /// What came to rest from this tick on may be news to it.
    since: Tick,
    /// When it was told of everything, if it was.
    told: Option<Tick>,
    /// Which of the repeats is next, and the index at which that goes on.
    repeat: usize,
    next: usize,
    /// How many more objects it may be told of in this tick.
    left: usize,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Late(Vec<Learner>);

impl Late {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// That machine has just been told of objects that it had not, the last of which are of that tick's state.
    pub(crate) fn learns(&mut self, machine: Machine, since: Tick) {
        let earlier = self.0.iter().find(|learner| learner.machine == machine).map(|learner| learner.since);
        let since = earlier.map_or(since, |earlier| earlier.min(since));
        self.forget(machine);
        self.0.push(Learner { machine, since, told: None, repeat: 0, next: 0, left: 0 });
    }

    pub(crate) fn forget(&mut self, machine: Machine) {
        self.0.retain(|learner| learner.machine != machine);
    }

    /// Hands what those machines are to be told again to `tell`; for those of `waits` more is still on its way. `rows`
    /// rise by index, `news` says since when it may be news how an object lies.
    pub(crate) fn turn<'a>(
        &mut self,
        tick: Tick,
        waits: MachineSet,
        rows: &'a [ObjectRow],
        news: impl Fn(&ObjectRow) -> Option<Tick>,
        mut tell: impl FnMut(MachineSet, &'a ObjectRow),
    ) {
        let mut due = false;
        for learner in &mut self.0 {
            if waits.contains(learner.machine) {
                (learner.told, learner.repeat, learner.next, learner.left) = (None, 0, 0, 0);
                continue;
            }
            let told = *learner.told.get_or_insert(tick);
            let is_due = tick.since(told) >= LATE_REPEAT_TICKS[learner.repeat];
            learner.left = if is_due { LATE_A_TICK } else { 0 };
            due |= is_due;
        }
        if !due {
            return;
        }
        for row in rows {
            let object = row.state.object;
            let Some(since) = news(row) else { continue };
            let mut to = MachineSet::NONE;
            for learner in &mut self.0 {
                if learner.left > 0 && learner.next <= object.index() && learner.since <= since {
                    learner.left -= 1;
                    learner.next = object.index() + 1;
                    to.insert(learner.machine);
                }
            }
            tell(to, row);
        }
        // Who may be told more was told of all.
        for learner in self.0.iter_mut().filter(|learner| learner.left > 0) {
            (learner.repeat, learner.next) = (learner.repeat + 1, 0);
        }
        self.0.retain(|learner| learner.repeat < LATE_REPEAT_TICKS.len());
    }
}
