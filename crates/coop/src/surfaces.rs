//! The host's telling of what breaks in its level (OBJ-31), as numbered events. Knows no level: it is told what broke, once.
//!
//! An event goes by datagrams alone, in three ticks, and a machine that hears none of them knows nothing of it. What broke
//! stays broken, so that it is told anew, as another event: to who becomes ready, and to everybody in turn.

use alloc::vec::Vec;

use mjolnir_wire::events::{Action, SurfaceBroken};
use mjolnir_wire::{Kind, MachineSet, Outbox};

/// Successive ticks in which an event is told (OBJ-31).
pub const EVENT_REPEAT_TICKS: u8 = 3;
/// Events that are told in one tick, at most (OBJ-31); what else broke waits.
pub const EVENT_QUEUE: usize = 128;
/// Ticks from one surface that is told of in turn to the next (ours): who lost all that was said of one hears of it in the
/// end, and it costs little.
pub const SURFACE_TURN: u32 = 30;

#[derive(Clone, Copy, Debug)]
struct Broken {
    what: SurfaceBroken,
    /// It is to be told, by an event that is to come.
    is_owed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    number: u16,
    what: SurfaceBroken,
    /// Ticks in which it is still told.
    left: u8,
}

/// See the file's text. One is of one game: its level begins whole.
#[derive(Debug, Default)]
pub struct SurfaceHost {
    /// In the order in which they broke.
    broken: Vec<Broken>,
    /// What is told now, by rising number.
    events: Vec<Event>,
    /// The last event's.
    number: u16,
    /// Ticks since the last that was told of in turn, and which that was.
    since: u32,
    turn: usize,
}

impl SurfaceHost {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// After the engine's tick, in which that broke: tells those machines. Once some are `ready`, everything that ever broke
    /// is told once more, and to all: who has it broken ignores it.
    pub fn after_tick(
        &mut self,
        to: MachineSet,
        ready: MachineSet,
        broken: &[SurfaceBroken],
        outbox: &mut Outbox,
    ) {
        for what in broken {
            if !self.broken.iter().any(|known| known.what.surface == what.surface) {
                self.broken.push(Broken { what: *what, is_owed: true });
            }
        }
        if !ready.is_empty() {
            self.broken.iter_mut().for_each(|known| known.is_owed = true);
        }
        self.take_turn();
        let room = EVENT_QUEUE - self.events.len();
        for known in self.broken.iter_mut().filter(|known| known.is_owed).take(room) {
            known.is_owed = false;
            self.number = self.number.wrapping_add(1);
            self.events.push(Event { number: self.number, what: known.what, left: EVENT_REPEAT_TICKS });
        }
        let to = to.without(MachineSet::HOST);
        for event in &mut self.events {
            event.left -= 1;
            if !to.is_empty() {
                // An entry of its size fits any datagram.
                let _ = outbox.entry(to, Kind::CoopEvents, |bytes| {
                    Action::SurfaceBroken(event.what).write(event.number, bytes)
                });
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
}
