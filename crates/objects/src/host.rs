//! The host's end: tells of each object made and deleted, and lists them all to a machine that asks. Knows no
//! object but what it is told of, and no connection.

use alloc::vec::Vec;

use mjolnir_wire::limits::{FIRST_OWN_OBJECT, MAX_MACHINES};
use mjolnir_wire::objects::{Creation, ObjectChange};
use mjolnir_wire::{Kind, Machine, MachineSet, ObjectId, Outbox, Tick};

use crate::error::Error;

/// Ticks between two full lists to one machine, at least: 10 s (OBJ-48).
pub const LIST_INTERVAL: i32 = 300;

/// What the engine did in a tick, in the order in which it did it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// It made a unit, vehicle, weapon or equipment.
    Made(Creation),
    /// It deleted one.
    Deleted(ObjectId),
}

/// The host's side of objects. See the crate's text.
#[derive(Debug)]
pub struct Host {
    /// Machines that have had the list: the changes go to them.
    ready: MachineSet,
    /// Machines that asked for it since the last tick.
    asked: MachineSet,
    /// When each was last listed everything.
    listed: [Option<Tick>; MAX_MACHINES],
    listing: Vec<Creation>,
    misplaced: u32,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// Of a game that nobody has asked for.
    pub const fn new() -> Self {
        Self {
            ready: MachineSet::NONE,
            asked: MachineSet::NONE,
            listed: [None; MAX_MACHINES],
            listing: Vec::new(),
            misplaced: 0,
        }
    }

    /// Hears a kind 9 of a machine that has loaded: it is listed everything after this tick. Refused within
    /// [`LIST_INTERVAL`] ticks of its last list; it asks again of its own.
    pub fn handle_ready(&mut self, tick: Tick, from: Machine) -> Result<(), Error> {
        if from == Machine::HOST {
            return Err(Error::NotTheHosts);
        }
        if self.listed[from.index()].is_some_and(|last| tick.since(last) < LIST_INTERVAL) {
            return Err(Error::TooSoon);
        }
        self.asked.insert(from);
        Ok(())
    }

    /// After the engine's tick: tells of what it did, and lists everything to who asked. Says who was listed now:
    /// those want everything else that a ready machine is told (NET-69).
    ///
    /// `list` appends every object of the four kinds as the tick left it; it is asked at most once. The list and
    /// its end are of one tick, and the changes of the next follow it, so that a machine misses none and has none
    /// twice (OBJ-02 to 04).
    pub fn after_tick(
        &mut self,
        tick: Tick,
        events: &[Event],
        list: impl FnOnce(&mut Vec<Creation>),
        outbox: &mut Outbox,
    ) -> MachineSet {
        for event in events {
            match event {
                Event::Made(creation) => self.announce(outbox, self.ready, creation),
                Event::Deleted(object) => put(outbox, self.ready, &ObjectChange::Delete(*object)),
            }
        }
        let asked = core::mem::take(&mut self.asked);
        if asked.is_empty() {
            return asked;
        }
        let mut listing = core::mem::take(&mut self.listing);
        listing.clear();
        list(&mut listing);
        for creation in &listing {
            self.announce(outbox, asked, creation);
        }
        self.listing = listing;
        // A header alone always fits; the outbox counts what does not.
        let _ = outbox.message(asked, Kind::ObjectsSynchronized, 0, |_| {});
        for machine in asked.iter() {
            self.listed[machine.index()] = Some(tick);
        }
        self.ready = self.ready.union(asked);
        asked
    }

    /// A machine has left, or loads another game: it is told nothing until it asks.
    pub fn forget(&mut self, machine: Machine) {
        self.ready.remove(machine);
        self.asked.remove(machine);
        self.listed[machine.index()] = None;
    }

    /// The machines that have had the list.
    pub const fn ready(&self) -> MachineSet {
        self.ready
    }

    /// Objects that the engine made past the host's half of the array: they cannot be told of, since each machine
    /// has its own there (OBJ-12). Anything but 0 is the engine's fault.
    pub const fn misplaced(&self) -> u32 {
        self.misplaced
    }

    fn announce(&mut self, outbox: &mut Outbox, to: MachineSet, creation: &Creation) {
        if creation.object.index() < FIRST_OWN_OBJECT {
            put(outbox, to, &ObjectChange::Create(*creation));
        } else {
            self.misplaced = self.misplaced.saturating_add(1);
        }
    }
}

fn put(outbox: &mut Outbox, to: MachineSet, change: &ObjectChange) {
    if !to.is_empty() {
        let _ = outbox.reliable_entry(to, Kind::ObjectChanges, |bytes| change.write(bytes));
    }
}
