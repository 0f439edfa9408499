//! Machines that read too slowly to be told of each change: what they lack is a set, listed once they read again.
//! Knows no connection.
//!
//! What is kept does not grow with what changes: for each such machine a bit and an identifier of each index of the
//! host's half, [`LACK_BYTES`].

use alloc::vec::Vec;

use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::{Creation, ObjectChange};
use mjolnir_wire::{Machine, MachineSet, ObjectId, Outbox};

use crate::host::{Event, put};

/// Bytes that are kept for a machine that is behind.
pub const LACK_BYTES: usize = FIRST_OWN_OBJECT / 8 + FIRST_OWN_OBJECT * size_of::<u16>();

/// What one machine was not told of.
#[derive(Debug)]
struct Lack {
    machine: Machine,
    /// The indices at which something changed.
    dirty: [u64; FIRST_OWN_OBJECT / 64],
    /// By index: the identifier of what stands there on that machine and no more on the host; 0 for none.
    stale: Vec<u16>,
}

impl Lack {
    fn new(machine: Machine) -> Self {
        Self { machine, dirty: [0; FIRST_OWN_OBJECT / 64], stale: alloc::vec![0; FIRST_OWN_OBJECT] }
    }

    const fn is_dirty(&self, index: usize) -> bool {
        self.dirty[index / 64] >> (index % 64) & 1 != 0
    }

    /// Where something stands its creation clears the place of what stood there before.
    fn stands(&mut self, stands: &[Creation]) {
        for creation in stands {
            if let Some(stale) = self.stale.get_mut(creation.object.index()) {
                *stale = 0;
            }
        }
    }

    /// Only the first change at an index says what the machine has there.
    const fn note(&mut self, event: &Event) {
        let (object, had) = match event {
            Event::Made(creation) => (creation.object, false),
            Event::Deleted(object) => (*object, true),
        };
        let index = object.index();
        if index < FIRST_OWN_OBJECT && !self.is_dirty(index) {
            self.dirty[index / 64] |= 1 << (index % 64);
            if had {
                self.stale.as_mut_slice()[index] = object.identifier();
            }
        }
    }
}

/// See the file's text.
#[derive(Debug, Default)]
pub(crate) struct Behind {
    /// Those that are behind now.
    now: MachineSet,
    /// Those of them, and those that are behind no more and not yet told, that had the list.
    lacks: Vec<Lack>,
}

impl Behind {
    pub(crate) const fn new() -> Self {
        Self { now: MachineSet::NONE, lacks: Vec::new() }
    }

    pub(crate) fn set(&mut self, machines: MachineSet, ready: MachineSet) {
        self.now = machines;
        for machine in machines.intersection(ready).without(self.lacking()).iter() {
            self.lacks.push(Lack::new(machine));
        }
    }

    /// Those that are behind now.
    pub(crate) const fn now(&self) -> MachineSet {
        self.now
    }

    /// Those that are told of no single change.
    pub(crate) fn lacking(&self) -> MachineSet {
        self.lacks.iter().map(|lack| lack.machine).collect()
    }

    pub(crate) fn note(&mut self, event: &Event) {
        for lack in &mut self.lacks {
            lack.note(event);
        }
    }

    pub(crate) fn forget(&mut self, machine: Machine) {
        self.now.remove(machine);
        self.lacks.retain(|lack| lack.machine != machine);
    }

    /// Tells those that are behind no more of what they lack, of everything that stands. Those of them that are listed
    /// everything next are told only of what is no more.
    pub(crate) fn catch_up(&mut self, stands: &[Creation], listed_next: MachineSet, outbox: &mut Outbox) {
        let now = self.now;
        self.lacks.retain_mut(|lack| {
            let waits = now.contains(lack.machine);
            if !waits {
                let stands_new = if listed_next.contains(lack.machine) { &[] } else { stands };
                lack.stands(stands);
                tell(lack, stands_new, outbox);
            }
            waits
        });
    }
}

/// Everything that is no more, then everything of that which is new at the indices at which something changed.
fn tell(lack: &Lack, stands: &[Creation], outbox: &mut Outbox) {
    let to = MachineSet::only(lack.machine);
    for (index, identifier) in (0..).zip(&lack.stale) {
        if let Some(object) = ObjectId::new(index, *identifier) {
            put(outbox, to, &ObjectChange::Delete(object));
        }
    }
    for creation in stands {
        let index = creation.object.index();
        if index < FIRST_OWN_OBJECT && lack.is_dirty(index) {
            put(outbox, to, &ObjectChange::Create(*creation));
        }
    }
}
