//! Machines that are not told of each change as it is made, since they read too slowly or too much changed in one tick:
//! what they lack is a set, told once they read, so much a tick. Knows no connection.
//!
//! What is kept does not grow with what changes: for each such machine a bit and an identifier of each index of the
//! host's half, [`LACK_BYTES`].

use alloc::vec::Vec;

use mjolnir_wire::limits::{FIRST_OWN_OBJECT, MAX_MACHINES};
use mjolnir_wire::objects::{Creation, ObjectChange};
use mjolnir_wire::{Machine, MachineSet, ObjectId, Outbox, Tick};

use crate::host::{Event, put};

/// Bytes that are kept for a machine that is behind.
pub const LACK_BYTES: usize = FIRST_OWN_OBJECT / 8 + FIRST_OWN_OBJECT * size_of::<u16>();
/// Objects made and deleted that a machine is told of in a tick, at most, but for a list: 33 KiB. Of more in one tick
/// it is told the difference that they make, in the ticks from there (ours: a stream takes a megabyte on its way, and
/// all of the host's half deleted and made anew is more).
pub const CHANGES_A_TICK: usize = 256;

/// Words of a bit for each index of the host's half.
const WORDS: usize = FIRST_OWN_OBJECT / 64;

/// What one machine was not told of.
#[derive(Debug)]
struct Lack {
    machine: Machine,
    /// The last tick of which it was told everything.
    since: Tick,
    /// The indices at which something changed.
    dirty: [u64; WORDS],
    /// By index: the identifier of what stands there on that machine; 0 for none, and where nothing changed.
    had: Vec<u16>,
}

impl Lack {
    fn new(machine: Machine, since: Tick) -> Self {
        Self { machine, since, dirty: [0; WORDS], had: alloc::vec![0; FIRST_OWN_OBJECT] }
    }

    const fn is_dirty(&self, index: usize) -> bool {
        self.dirty[index / 64] >> (index % 64) & 1 != 0
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
                self.had.as_mut_slice()[index] = object.identifier();
            }
        }
    }

    /// It has there what the host has.
    fn told(&mut self, index: usize) {
        self.dirty[index / 64] &= !(1 << (index % 64));
        self.had[index] = 0;
    }

    /// Whether it was told of all, but for what stands at an index of those.
    fn is_done(&self, but: &[u64; WORDS]) -> bool {
        self.dirty.iter().zip(but).all(|(dirty, but)| dirty & !but == 0)
    }
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Behind {
    /// Those that are behind now.
    now: MachineSet,
    /// Those of them, and those that are not yet told of all, that had the list.
    lacks: Vec<Lack>,
    /// By index, one more than the place of what stands there in the listing at hand; 0 for nothing.
    places: Vec<u16>,
    /// The word of indices at which the next tick's telling begins.
    next: usize,
    /// The last tick.
    tick: Tick,
}

impl Behind {
    pub(crate) fn new() -> Self {
        let places = alloc::vec![0; FIRST_OWN_OBJECT];
        Self { now: MachineSet::NONE, lacks: Vec::new(), places, next: 0, tick: Tick::ZERO }
    }

    pub(crate) fn set(&mut self, machines: MachineSet, ready: MachineSet) {
        self.now = machines;
        self.defer(machines.intersection(ready));
    }

    /// From here on those are told no single change until they were told what they lack.
    pub(crate) fn defer(&mut self, machines: MachineSet) {
        for machine in machines.without(self.lacking()).iter() {
            self.lacks.push(Lack::new(machine, self.tick));
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

    pub(crate) fn ticked(&mut self, tick: Tick) {
        self.tick = tick;
    }

    pub(crate) fn forget(&mut self, machine: Machine) {
        self.now.remove(machine);
        self.lacks.retain(|lack| lack.machine != machine);
    }

    /// Tells those that are behind no more of what they lack, of everything that stands, [`CHANGES_A_TICK`] each at
    /// most. Those of them that are listed everything next are told only of what is no more. Hands each that lacks
    /// nothing any more to `done`, with the last tick before in which it lacked nothing.
    pub(crate) fn catch_up(
        &mut self,
        stands: &[Creation],
        listed_next: MachineSet,
        outbox: &mut Outbox,
        mut done: impl FnMut(Machine, Tick),
    ) {
        let mut standing = [0; WORDS];
        self.places.fill(0);
        for (at, creation) in (1..).zip(stands) {
            let index = creation.object.index();
            if let Some(place) = self.places.get_mut(index) {
                *place = at;
                standing[index / 64] |= 1 << (index % 64);
            }
        }
        let mut left = [0; MAX_MACHINES];
        for machine in self.lacking().without(self.now).iter() {
            left[machine.index()] = CHANGES_A_TICK;
        }
        let mut ends = None;
        for word in (self.next..WORDS).chain(0..self.next) {
            let dirty = |all: u64, lack: &Lack| all | lack.dirty[word];
            let mut bits = self.lacks.iter().filter(|lack| left[lack.machine.index()] > 0).fold(0, dirty);
            while bits != 0 {
                let index = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                match usize::from(self.places[index]).checked_sub(1).and_then(|at| stands.get(at)) {
                    Some(creation) => self.make(index, creation, listed_next, &mut left, outbox),
                    None => self.clear(index, &mut left, outbox),
                }
            }
            let is_full = |lack: &Lack| left[lack.machine.index()] == 0 && !self.now.contains(lack.machine);
            if ends.is_none() && self.lacks.iter().any(is_full) {
                ends = Some(word);
            }
        }
        self.next = ends.unwrap_or(0);
        let now = self.now;
        self.lacks.retain(|lack| {
            let but = if listed_next.contains(lack.machine) { &standing } else { &[0; WORDS] };
            let waits = now.contains(lack.machine) || !lack.is_done(but);
            if !waits {
                done(lack.machine, lack.since);
            }
            waits
        });
    }

    /// Tells of what stands at an index, whatever stood there before: its creation clears the place.
    fn make(
        &mut self,
        index: usize,
        creation: &Creation,
        listed_next: MachineSet,
        left: &mut [usize; MAX_MACHINES],
        outbox: &mut Outbox,
    ) {
        let mut to = MachineSet::NONE;
        for lack in self.lacks.iter_mut().filter(|lack| lack.is_dirty(index)) {
            let left = &mut left[lack.machine.index()];
            if *left > 0 && !listed_next.contains(lack.machine) {
                *left -= 1;
                lack.told(index);
                to.insert(lack.machine);
            }
        }
        put(outbox, to, &ObjectChange::Create(*creation));
    }

    /// Tells that nothing stands at an index, whose machines may have had different objects there.
    fn clear(&mut self, index: usize, left: &mut [usize; MAX_MACHINES], outbox: &mut Outbox) {
        for from in 0..self.lacks.len() {
            let (first, had) = (&self.lacks[from], self.lacks[from].had[index]);
            if !first.is_dirty(index) || left[first.machine.index()] == 0 {
                continue;
            }
            let mut to = MachineSet::NONE;
            let alike = self.lacks[from..].iter_mut().filter(|lack| lack.had[index] == had);
            for lack in alike.filter(|lack| lack.is_dirty(index)) {
                let left = &mut left[lack.machine.index()];
                if *left > 0 {
                    *left -= usize::from(had != 0);
                    lack.told(index);
                    to.insert(lack.machine);
                }
            }
            if let Some(object) = ObjectId::new(index as u16, had) {
                put(outbox, to, &ObjectChange::Delete(object));
            }
        }
    }
}
