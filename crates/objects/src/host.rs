//! The host's end: tells of each object made and deleted, lists them all to a machine that asks, and says where they
//! are and what units carry. Knows no object but what it is told of, and no connection.

use alloc::vec::Vec;

use mjolnir_wire::limits::{FIRST_OWN_OBJECT, MAX_MACHINES, MAX_OBJECTS};
use mjolnir_wire::objects::{Creation, ObjectChange, ObjectState};
use mjolnir_wire::{Kind, Machine, MachineSet, ObjectId, Outbox, Tick};

use crate::actors::{self, Actors, Hurting};
use crate::behind::{Behind, CHANGES_A_TICK};
use crate::carrying::{Carrying, looks};
use crate::error::Error;
use crate::late::Late;
use crate::moving::Eyes;
use crate::picking::Picking;
use crate::resting::{Resting, Telling};
use crate::rows::{ActorRow, CarryRow, ObjectRow, PickRow, Viewpoint};

/// Ticks from when a full list has left for a machine until it may have another, at least: 10 s (OBJ-48).
pub const LIST_INTERVAL: i32 = 300;

/// What the engine did in a tick, in the order in which it did it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// It made a unit, vehicle, weapon or equipment: as it was when it was made, or as it is by the end of that tick.
    /// Where the two differ the row of that tick is told too: what was made moving and rests by then comes to rest
    /// (OBJ-21).
    Made(Creation),
    /// It deleted one.
    Deleted(ObjectId),
}

/// What the engine did in a tick, and what it has after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows<'a> {
    /// What it made and deleted, in order.
    pub events: &'a [Event],
    /// Every unit, vehicle, weapon and equipment, by rising index. Units of living players may be among them.
    pub objects: &'a [ObjectRow],
    /// What each unit carries, by rising index; read in a tick that [`looks`] alone.
    pub carries: &'a [CarryRow],
    /// Every living player.
    pub views: &'a [Viewpoint],
    /// Every living unit that an actor drives, by rising index; at most
    /// [`MAX_ACTOR_UNITS`](mjolnir_wire::limits::MAX_ACTOR_UNITS) of them are told as such.
    pub actors: &'a [ActorRow],
}

/// The host's side of objects. See the crate's text.
#[derive(Debug)]
pub struct Host {
    /// Machines that have had the list: the changes go to them.
    ready: MachineSet,
    /// Machines that asked for it since the last tick.
    asked: MachineSet,
    /// When each was last listed everything: the tick in which the last of that was still on its way.
    listed: [Option<Tick>; MAX_MACHINES],
    /// Those to whom something is on its way by stream, and those for whom that is their list still.
    unsent: MachineSet,
    writing: MachineSet,
    listing: Vec<Creation>,
    behind: Behind,
    eyes: Eyes,
    resting: Resting,
    late: Late,
    carrying: Carrying,
    picking: Picking,
    hurting: Hurting,
    untold_actors: u32,
    /// Which indices have a living player's unit, in this tick.
    living: [u64; FIRST_OWN_OBJECT / 64],
    misplaced: u32,
    /// The identifiers of those that were counted, by index past the host's half.
    counted: Vec<u16>,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// Of a game that nobody has asked for.
    pub fn new() -> Self {
        Self {
            ready: MachineSet::NONE,
            asked: MachineSet::NONE,
            listed: [None; MAX_MACHINES],
            unsent: MachineSet::NONE,
            writing: MachineSet::NONE,
            listing: Vec::new(),
            behind: Behind::new(),
            eyes: Eyes::new(),
            resting: Resting::new(),
            late: Late::new(),
            carrying: Carrying::new(),
            picking: Picking::new(),
            hurting: Hurting::new(),
            untold_actors: 0,
            living: [0; FIRST_OWN_OBJECT / 64],
            misplaced: 0,
            counted: alloc::vec![0; MAX_OBJECTS - FIRST_OWN_OBJECT],
        }
    }

    /// Hears a kind 9 of a machine that has loaded: it is listed everything after this tick. Refused within
    /// [`LIST_INTERVAL`] ticks of its last list, and while that is still on its way; it asks again of its own.
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

    /// Which machines read so slowly now that they are told of no single change. Once one is not among them any more
    /// it is told, in the next ticks, what of all that changed it lacks: so what is kept for it does not grow
    /// ([`LACK_BYTES`](crate::LACK_BYTES)). An ask of one waits so long.
    pub fn set_behind(&mut self, machines: MachineSet) {
        self.behind.set(machines, self.ready);
    }

    /// Which machines something is on its way to by stream: who was listed everything has not had it while it is among
    /// them, and is given no other list.
    pub const fn set_unsent(&mut self, machines: MachineSet) {
        self.unsent = machines;
    }

    /// After the engine's tick: tells of what it did, lists everything to who asked, and says where objects are and
    /// what units carry. Says who was listed now: those want everything else that a ready machine is told (NET-69).
    ///
    /// `list` appends every object of the four kinds as the tick left it; it is asked at most once. The list and
    /// its end are of one tick, and the changes of the next follow it, so that a machine misses none and has none
    /// twice (OBJ-02 to 04). States and inventories go to who was listed before.
    pub fn after_tick(
        &mut self,
        tick: Tick,
        rows: &Rows<'_>,
        list: impl FnOnce(&mut Vec<Creation>),
        outbox: &mut Outbox,
    ) -> MachineSet {
        self.writing = self.writing.intersection(self.unsent);
        for machine in self.writing.iter() {
            self.listed[machine.index()] = Some(tick);
        }
        if rows.events.len() > CHANGES_A_TICK {
            self.behind.defer(self.ready);
        }
        let told = self.ready.without(self.behind.lacking());
        for event in rows.events {
            self.behind.note(event);
            match event {
                Event::Made(creation) => {
                    self.resting.made(creation);
                    self.announce(outbox, told, creation);
                }
                Event::Deleted(object) if object.index() < FIRST_OWN_OBJECT => {
                    put(outbox, told, &ObjectChange::Delete(*object));
                }
                // It was never told of.
                Event::Deleted(_) => {}
            }
        }
        self.tell_states(tick, rows, outbox);
        if looks(tick) {
            self.carrying.look(tick, rows.carries, rows.views, self.ready, outbox);
        } else {
            self.carrying.between(rows.views, self.ready, outbox);
        }

        let asked = self.asked.without(self.behind.now());
        let reads = self.behind.lacking().without(self.behind.now());
        let listed = if asked.union(reads).is_empty() {
            MachineSet::NONE
        } else {
            self.list(tick, asked, list, outbox)
        };
        self.behind.ticked(tick);
        listed
    }

    /// Lists everything to those of them that were told of all that is no more, and what they lack to those who read.
    fn list(
        &mut self,
        tick: Tick,
        asked: MachineSet,
        list: impl FnOnce(&mut Vec<Creation>),
        outbox: &mut Outbox,
    ) -> MachineSet {
        let mut listing = core::mem::take(&mut self.listing);
        listing.clear();
        list(&mut listing);
        let (late, mut caught_up) = (&mut self.late, MachineSet::NONE);
        self.behind.catch_up(&listing, asked, outbox, |machine, since| {
            late.learns(machine, since);
            caught_up.insert(machine);
        });
        let asked = asked.without(self.behind.lacking());
        if !asked.is_empty() {
            for creation in &listing {
                self.announce(outbox, asked, creation);
            }
            // A header alone always fits; the outbox counts what does not.
            let _ = outbox.message(asked, Kind::ObjectsSynchronized, 0, |_| {});
        }
        self.listing = listing;
        for machine in asked.iter() {
            self.listed[machine.index()] = Some(tick);
            self.late.learns(machine, tick);
        }
        self.carrying.listed(asked.union(caught_up));
        self.hurting.listed(asked.union(caught_up));
        self.asked = self.asked.without(asked);
        self.writing = self.writing.union(asked);
        self.ready = self.ready.union(asked);
        asked
    }

    /// Where objects are: those that move and what actors drive by distance, those that come to rest to all, some of those at
    /// rest in turn, and what came to rest before they knew of it to those that learn late.
    fn tell_states(&mut self, tick: Tick, rows: &Rows<'_>, outbox: &mut Outbox) {
        let ready = self.ready;
        self.living.fill(0);
        for view in rows.views {
            let index = view.unit.index();
            if let Some(word) = self.living.get_mut(index / 64) {
                *word |= 1 << (index % 64);
            }
            self.resting.lives(view.unit);
        }
        self.eyes.look(ready, rows.views);
        let waits = self.behind.now().union(self.behind.lacking());
        self.hurting.begin(tick, waits.union(self.writing));
        let mut led = Actors::new(rows.actors);
        for row in rows.objects {
            let ObjectState { object, motion, carried, .. } = row.state;
            let index = object.index();
            let lives = self.living.get(index / 64).is_none_or(|word| word >> (index % 64) & 1 != 0);
            if lives {
                continue;
            }
            if let Some(actor) = led.of(row) {
                if self.resting.attend(row) == Telling::Everybody {
                    tell(outbox, ready, row);
                }
                if !ready.is_empty() {
                    let due = self.eyes.due(tick, index, actors::position_of(actor, rows.objects));
                    actors::tell(outbox, due, actor);
                    self.hurting.look(&actor.damage, due, ready, outbox);
                }
                continue;
            }
            let to = match self.resting.look(tick, row) {
                Telling::Everybody => ready,
                Telling::Moving if !ready.is_empty() && !carried => {
                    self.eyes.due(tick, index, motion.position)
                }
                Telling::Moving | Telling::InTurn => continue,
            };
            tell(outbox, to, row);
        }
        self.untold_actors = led.untold();
        if !ready.is_empty() {
            self.resting.turn(rows.objects, |row| tell(outbox, ready, row));
            let news = |row: &_| self.resting.news(tick, row);
            self.late.turn(tick, waits, rows.objects, news, |to, row| tell(outbox, to, row));
        }
    }

    /// After the engine's tick, in which it picked those for its units, in that order: tells those machines, in this tick
    /// and the next ones ([`PICK_REPEAT_TICKS`](crate::PICK_REPEAT_TICKS)). Called in every tick.
    pub fn tell_picks(&mut self, to: MachineSet, picks: &[PickRow], outbox: &mut Outbox) {
        self.picking.tell(to, picks, outbox);
    }

    /// A machine has left, or loads another game: it is told nothing until it asks.
    pub fn forget(&mut self, machine: Machine) {
        self.ready.remove(machine);
        self.asked.remove(machine);
        self.listed[machine.index()] = None;
        self.writing.remove(machine);
        self.behind.forget(machine);
        self.late.forget(machine);
        self.eyes.forget(machine);
        self.hurting.forget(machine);
    }

    /// The machines that have had the list.
    pub const fn ready(&self) -> MachineSet {
        self.ready
    }

    /// Objects that the engine made past the host's half of the array: they cannot be told of, since each machine
    /// has its own there (OBJ-12). Each counts once. Anything but 0 is the engine's fault.
    pub const fn misplaced(&self) -> u32 {
        self.misplaced
    }

    /// Units of the last tick's actors past those that a client drives: they were told of as objects that move by themselves
    /// (OBJ-37).
    pub const fn untold_actors(&self) -> u32 {
        self.untold_actors
    }

    fn announce(&mut self, outbox: &mut Outbox, to: MachineSet, creation: &Creation) {
        let object = creation.object;
        match object.index().checked_sub(FIRST_OWN_OBJECT).and_then(|place| self.counted.get_mut(place)) {
            None => put(outbox, to, &ObjectChange::Create(*creation)),
            Some(counted) if *counted == object.identifier() => {}
            Some(counted) => {
                *counted = object.identifier();
                self.misplaced = self.misplaced.saturating_add(1);
            }
        }
    }
}

pub(crate) fn put(outbox: &mut Outbox, to: MachineSet, change: &ObjectChange) {
    if !to.is_empty() {
        let _ = outbox.reliable_entry(to, Kind::ObjectChanges, |bytes| change.write(bytes));
    }
}

/// Tells those machines where an object is, but for the one whose player drives it: that is told by the players' word.
fn tell(outbox: &mut Outbox, to: MachineSet, row: &ObjectRow) {
    let to = row.driver.map_or(to, |driver| to.without(MachineSet::only(driver)));
    if !to.is_empty() {
        // A state always fits; the outbox counts what does not.
        let _ = outbox.entry(to, Kind::ObjectStates, |bytes| row.state.write(bytes));
    }
}
