//! The host's telling of what happens once in its level, as numbered events (COOP-07): what scripts do, and what breaks
//! (OBJ-31). Knows no level: it is told what happened, once.
//!
//! An event goes by datagrams in three ticks, and once by the stream, to those who are there then. What stays as it was left, a
//! surface that broke, a navigation point that is shown and a unit that is open, is told anew, as another event: to who becomes
//! ready (COOP-09).
//! Surfaces are told to everybody in turn besides: another build's client may hear no event by the stream.

use alloc::vec::Vec;

use mjolnir_wire::events::{Action, SurfaceBroken};
use mjolnir_wire::{Kind, MachineSet, Outbox};

/// Successive ticks in which an event is told (COOP-65, OBJ-31).
pub const EVENT_REPEAT_TICKS: u8 = 3;
/// Events that are told in one tick, at most, and actions of scripts that are being told or wait for it (COOP-65): a further
/// action is dropped. What broke waits.
pub const EVENT_QUEUE: usize = 128;
/// Ticks from one surface that is told of in turn to the next (ours): who lost all that was said of one hears of it in the
/// end, and it costs little.
pub const SURFACE_TURN: u32 = 30;

/// What stays as it was left.
#[derive(Clone, Copy, Debug)]
struct Lasting<T> {
    what: T,
    /// It is to be told, by an event that is to come.
    is_owed: bool,
}

/// Navigation points that are shown and units that are open, of which who becomes ready is told, at most (ours).
pub const MOST_LASTING: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Event {
    number: u16,
    what: Action,
    /// A script did it, just now.
    is_new: bool,
    /// Ticks in which it is still told.
    left: u8,
}

/// See the file's text. One is of one game: its level begins whole, and no script has done anything.
#[derive(Debug, Default)]
pub struct EventHost {
    /// What scripts did and was not told yet, in order.
    waiting: Vec<Action>,
    /// In the order in which they broke.
    broken: Vec<Lasting<SurfaceBroken>>,
    /// What scripts did that lasts: points that are shown, one for each mark, and units that are open.
    lasting: Vec<Lasting<Action>>,
    /// What is told now, by rising number.
    events: Vec<Event>,
    /// The last event's.
    number: u16,
    /// Ticks since the last that was told of in turn, and which that was.
    since: u32,
    turn: usize,
    dropped: u64,
}

impl EventHost {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// After the engine's tick, in which scripts did that, in order, and that broke: tells those machines. Once some are
    /// `ready`, everything that ever broke and every navigation point that is shown is told once more, and to all: who has it
    /// so ignores it.
    pub fn after_tick(
        &mut self,
        to: MachineSet,
        ready: MachineSet,
        actions: &[Action],
        broken: &[SurfaceBroken],
        outbox: &mut Outbox,
    ) {
        for what in broken {
            if !self.broken.iter().any(|known| known.what.surface == what.surface) {
                self.broken.push(Lasting { what: *what, is_owed: true });
            }
        }
        if !ready.is_empty() {
            self.broken.iter_mut().for_each(|known| known.is_owed = true);
            self.lasting.iter_mut().for_each(|known| known.is_owed = true);
        }
        self.take_turn();
        self.queue(actions);
        let to = to.without(MachineSet::HOST);
        self.number_waiting(to, outbox);
        self.number_owed(to, outbox);
        for event in &mut self.events {
            event.left -= 1;
            if !to.is_empty() {
                // An entry of its size fits any datagram.
                let _ = outbox.entry(to, Kind::CoopEvents, |bytes| event.what.write(event.number, bytes));
            }
        }
        self.events.retain(|event| event.left > 0);
    }

    fn take_turn(&mut self) {
        self.since += 1;
        if self.since == SURFACE_TURN {
            self.since = 0;
            self.turn = if self.turn + 1 < self.broken.len() { self.turn + 1 } else { 0 };
            if let Some(known) = self.broken.get_mut(self.turn) {
                known.is_owed = true;
            }
        }
    }

    fn queue(&mut self, actions: &[Action]) {
        let told = self.events.iter().filter(|event| event.is_new).count();
        let room = EVENT_QUEUE.saturating_sub(told + self.waiting.len());
        let (taken, dropped) = actions.split_at(room.min(actions.len()));
        self.waiting.extend_from_slice(taken);
        self.dropped += dropped.len() as u64;
    }

    /// What scripts do goes before what is told anew, which may wait.
    fn number_waiting(&mut self, to: MachineSet, outbox: &mut Outbox) {
        let count = self.waiting.len().min(EVENT_QUEUE - self.events.len());
        for at in 0..count {
            let what = self.waiting[at];
            self.note_lasting(what);
            self.begin(what, true, to, outbox);
        }
        self.waiting.drain(..count);
    }

    fn number_owed(&mut self, to: MachineSet, outbox: &mut Outbox) {
        for at in 0..self.broken.len() {
            if self.broken[at].is_owed && self.events.len() < EVENT_QUEUE {
                self.broken[at].is_owed = false;
                self.begin(Action::SurfaceBroken(self.broken[at].what), false, to, outbox);
            }
        }
        for at in 0..self.lasting.len() {
            if self.lasting[at].is_owed && self.events.len() < EVENT_QUEUE {
                self.lasting[at].is_owed = false;
                self.begin(self.lasting[at].what, false, to, outbox);
            }
        }
    }

    /// A mark has one point, another one that is shown there takes its place; a unit is open or not. Of too many the oldest is told
    /// to no newcomer: its unit may be long gone, which nobody says here.
    fn note_lasting(&mut self, what: Action) {
        let is_same = |other: &Action| match (what, *other) {
            (Action::NavigationPoint(this), Action::NavigationPoint(other)) => this.of == other.of,
            (Action::UnitOpen { unit, .. }, Action::UnitOpen { unit: other, .. }) => unit == other,
            _ => false,
        };
        self.lasting.retain(|known| !is_same(&known.what));
        let lasts = match what {
            Action::NavigationPoint(point) => point.shows,
            Action::UnitOpen { opens, .. } => opens,
            _ => false,
        };
        if lasts {
            if self.lasting.len() == MOST_LASTING {
                self.lasting.remove(0);
            }
            self.lasting.push(Lasting { what, is_owed: false });
        }
    }

    fn begin(&mut self, what: Action, is_new: bool, to: MachineSet, outbox: &mut Outbox) {
        self.number = self.number.wrapping_add(1);
        let number = self.number;
        self.events.push(Event { number, what, is_new, left: EVENT_REPEAT_TICKS });
        if !to.is_empty() {
            // One of its size fits any message.
            let _ = outbox.reliable_entry(to, Kind::CoopEvents, |bytes| what.write(number, bytes));
        }
    }

    /// Actions of scripts that were dropped: too many waited.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}
