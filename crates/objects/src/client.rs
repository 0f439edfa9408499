//! The client's end: makes and deletes objects by the host's word, in the order of the word, puts them where the host
//! has them and lets units carry what the host's carry. Keeps of an object no more than its name.

use alloc::vec::Vec;

use mjolnir_wire::damage::DamageAnimation;
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::{Creation, Inventory, Motion, ObjectChange, ObjectState};
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{Kind, MachineSet, ObjectId, Outbox, Tag, Tick, Vec3};

use crate::actors::{Counts, Driving, Showing, as_driven, awake, here, woken};
use crate::along::Along;
use crate::asking::Asking;
use crate::by_index::ByIndex;
use crate::error::Error;
use crate::fading::Fading;
use crate::placing::{Moves, as_told, is_let_go, place, shine};
use crate::playing::Playing;
use crate::rows::{Class, ObjectRow};
use crate::table::Table;
use crate::waiting::{Fate, Waiting, weapons};

/// What the engine is to do, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Make that object at its very index, with its identifier. Its place is free by then.
    Make(Creation),
    /// Delete that object, whatever it is and whoever holds it (OBJ-07).
    Delete(ObjectId),
    /// Put that object there, exactly; it moves on from there by the engine's own rules (OBJ-23 to 26).
    Place {
        /// Which.
        object: ObjectId,
        /// Where it is and how it moves.
        motion: Motion,
        /// It does not move: a body lies limp in its pose, since what rests is on ground. Else it moves, and one
        /// that lay limp does so no more.
        at_rest: bool,
        /// It is a body.
        dead: bool,
    },
    /// Move that vehicle by so much in the next tick, and let nothing else move or turn it in that one (PRED-30). Its
    /// velocity stays what it is.
    Along {
        /// Which; nobody drives it.
        object: ObjectId,
        /// World units; zero where it stays.
        step: Vec3,
    },
    /// Draw that object beside its place; nothing that is simulated moves (OBJ-26).
    Offset {
        /// Which.
        object: ObjectId,
        /// World units from where it is; zero ends it.
        offset: Vec3,
    },
    /// Turn a unit's light on or off.
    Light {
        /// The unit.
        object: ObjectId,
        /// Whether it is on.
        on: bool,
    },
    /// Let that unit carry exactly this: the very weapons that are there, slot for slot, taken out of the hands that
    /// hold them now; what it carried besides lies in the world where the unit is (OBJ-14). The unit and all the
    /// weapons exist.
    Carry(Inventory),
}

/// What the host said, in its order.
#[derive(Clone, Copy, Debug)]
enum Said {
    Change(ObjectChange),
    ListEnds,
}

/// Messages that named what is not there, or is another thing than they are for: ignored, and counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Nothing stands at the index (OBJ-40).
    pub unknown: u64,
    /// Another object stands there (OBJ-41).
    pub stale: u64,
    /// An inventory of what is no unit or with what is no weapon; a light, a flinch, an actor's control or what it shows of its
    /// damage, of what is no unit (OBJ-51).
    pub wrong_class: u64,
    /// A flinch or a death past the unit's animations (WIRE-41).
    pub no_animation: u64,
}

/// The client's side of objects. See the crate's text.
#[derive(Debug)]
pub struct Client {
    asking: Asking,
    said: Vec<Said>,
    /// What the host told of and did not delete.
    told: Table,
    /// What is there, once this tick's commands are done.
    present: Table,
    /// Of what tag that is, by index.
    tags: Vec<Tag>,
    /// The host's word on places since the last tick, the newest of each object, and of which tick of the host's; none
    /// of a creation's, which names no tick.
    states: ByIndex<(Option<Tick>, ObjectState)>,
    newest_state: Newest,
    inventories: Waiting,
    newest_inventory: Newest,
    playing: Playing,
    pub(crate) driving: Driving,
    pub(crate) showing: Showing,
    fading: Fading,
    along: Along,
    /// The units of living players and of those that wait for their blow, in [`Client::settle`].
    living: Table,
    /// Where the row of each index stands, in [`Client::settle`].
    rows: ByIndex<u16>,
    swept: Vec<ObjectId>,
    /// What the engine was told to make in this tick.
    made: Vec<ObjectId>,
    ignored: Ignored,
    needless: u32,
    mistaken: u32,
    failed: u32,
    removed: u32,
}

impl Default for Client {
    fn default() -> Self {
        Self::new()
    }
}

impl Client {
    /// Of a client that has not loaded.
    pub fn new() -> Self {
        Self {
            asking: Asking::default(),
            said: Vec::new(),
            told: Table::new(),
            present: Table::new(),
            tags: alloc::vec![Tag(0); FIRST_OWN_OBJECT],
            states: ByIndex::new(),
            newest_state: Newest::default(),
            inventories: Waiting::new(),
            newest_inventory: Newest::default(),
            playing: Playing::new(),
            driving: Driving::new(),
            showing: Showing::new(),
            living: Table::new(),
            fading: Fading::new(),
            along: Along::new(),
            rows: ByIndex::new(),
            swept: Vec::new(),
            made: Vec::new(),
            ignored: Ignored::default(),
            needless: 0,
            mistaken: 0,
            failed: 0,
            removed: 0,
        }
    }

    /// The game has loaded: from here on it asks for the host's objects (OBJ-04).
    pub const fn loaded(&mut self, tick: Tick) {
        self.asking = Asking::loaded(tick);
    }

    /// Hears an entry of kind 5, in the order of the stream. Refused in the half of the array that is each
    /// machine's own (OBJ-12).
    pub fn handle_change(&mut self, change: &ObjectChange) -> Result<(), Error> {
        let object = match change {
            ObjectChange::Create(creation) => creation.object,
            ObjectChange::Delete(object) => *object,
        };
        if object.index() >= FIRST_OWN_OBJECT {
            return Err(Error::NotTheHosts);
        }
        self.said.push(Said::Change(*change));
        Ok(())
    }

    /// Hears a kind 8, in the order of the stream: the list has ended.
    pub fn handle_synchronized(&mut self) {
        self.said.push(Said::ListEnds);
    }

    /// Hears an entry of kind 6, stamped with the host's tick. The newest word on each object counts, in the next
    /// [`Client::settle`].
    pub fn handle_state(&mut self, stamp: Tick, state: &ObjectState) -> Result<(), Error> {
        if state.object.index() >= FIRST_OWN_OBJECT {
            return Err(Error::NotTheHosts);
        }
        if !self.newest_state.take(stamp) {
            return Err(Error::Old);
        }
        self.states.put(state.object.index(), (Some(stamp), *state));
        Ok(())
    }

    /// Hears an entry of kind 4, stamped with the host's tick: the newest of each unit is kept until it can be carried
    /// out (OBJ-52). Refused when a weapon lies in two slots.
    pub fn handle_inventory(&mut self, stamp: Tick, inventory: &Inventory) -> Result<(), Error> {
        let names = || weapons(inventory).chain([inventory.unit]);
        if names().any(|object| object.index() >= FIRST_OWN_OBJECT) {
            return Err(Error::NotTheHosts);
        }
        if names().enumerate().any(|(at, object)| names().skip(at + 1).any(|other| other == object)) {
            return Err(Error::CarriedTwice);
        }
        if !self.newest_inventory.take(stamp) {
            return Err(Error::Old);
        }
        self.inventories.put(inventory);
        Ok(())
    }

    /// Hears an entry of kind 75, stamped with the host's tick.
    pub fn handle_pick(&mut self, stamp: Tick, pick: &DamageAnimation) -> Result<(), Error> {
        self.playing.hear(stamp, pick)
    }

    /// Before the engine's tick: what to make and delete, in that order, and what to ask the host.
    ///
    /// `rows` has every unit, vehicle, weapon and equipment that the engine has, those placed at load too (OBJ-10);
    /// what is in the upper half is the machine's own and left alone.
    pub fn tick(&mut self, tick: Tick, rows: &[ObjectRow], commands: &mut Vec<Command>, outbox: &mut Outbox) {
        self.made.clear();
        self.present.empty();
        for row in rows {
            self.present.set(row.state.object);
            if let Some(tag) = self.tags.get_mut(row.state.object.index()) {
                *tag = row.tag;
            }
        }
        let lacks = self.lacking() > 0;
        if let Some(ask) = self.asking.next(tick, lacks) {
            // A header alone always fits; the outbox counts what does not.
            let _ = outbox.message(MachineSet::HOST, Kind::ClientReady, ask as u8, |_| {});
        }

        let mut said = core::mem::take(&mut self.said);
        for said in said.drain(..) {
            match said {
                Said::Change(ObjectChange::Create(creation)) => self.create(&creation, commands),
                Said::Change(ObjectChange::Delete(object)) => self.delete(object, commands),
                Said::ListEnds => self.asking.listed(),
            }
        }
        self.said = said;
        if self.list_complete() {
            self.sweep(commands);
        }
    }

    /// After the commands of [`Client::tick`], before the engine's tick: where to put objects, how to draw them, whose
    /// light is on, and what units carry; what actors have theirs do comes out of [`Client::drive_actors`]. `rows` has what the engine has now, as for [`Client::tick`].
    ///
    /// A state of what is not there is ignored (OBJ-40, 41), and so is one of what a unit carries: it has no place of
    /// its own until the unit's inventory says so. `living` has the units of living players: where they are, and that
    /// they live, is told with the players, and a damaged word kills none. So it is of a unit that is dead on the host and
    /// waits here for its blow (DMG-50). Neither is driven by an actor.
    ///
    /// An actor's state is a word on where its unit is too, and moves it as any does; the newest counts, whichever kind
    /// brought it. What rides has no place.
    pub fn settle(&mut self, rows: &[ObjectRow], living: &[ObjectId], commands: &mut Vec<Command>) {
        // What was deleted again in the same tick did not fail.
        self.made.retain(|object| self.present.holds(*object));
        self.present.empty();
        self.rows.take_all(drop);
        self.living.empty();
        living.iter().for_each(|unit| self.living.set(*unit));
        for (at, row) in (0..).zip(rows) {
            self.present.set(row.state.object);
            self.rows.put(row.state.object.index(), at);
        }
        let failed = self.made.drain(..).filter(|object| !self.present.holds(*object)).count();
        self.failed = self.failed.saturating_add(failed as u32);
        let (present, places, ignored) = (&self.present, &mut self.rows, &mut self.ignored);
        let mut row_at = |index| places.get_mut(index).and_then(|at| rows.get(usize::from(*at)));
        self.fading.fade(|object| present.holds(object));
        let others = &self.living;
        let mut check = |unit: ObjectId, is_news| here(row_at(unit.index()), unit, is_news, others, ignored);
        self.driving.check(&mut check);
        self.showing.check(&mut check);
        let moves = &mut Moves { fading: &mut self.fading, along: &mut self.along };
        self.states.take_all(|(stamp, state)| match row_at(state.object.index()) {
            None => ignored.unknown += 1,
            Some(row) if row.state.object != state.object => ignored.stale += 1,
            Some(row) if row.class == Class::Unit && others.holds(state.object) => {}
            Some(row) => match self.driving.counts(stamp, &state) {
                Counts::All => place(row, stamp, &state, moves, ignored, commands),
                Counts::Place => place(&awake(row), stamp, &woken(state), moves, ignored, commands),
                Counts::Light => shine(row, &state, ignored, commands),
            },
        });
        self.driving.place(|actor| {
            if let Some(row) = row_at(actor.unit.index()) {
                place(&awake(row), None, &as_driven(actor), moves, ignored, commands);
            }
        });
        let mut goes_on = |object: ObjectId| {
            row_at(object.index()).is_some_and(|row| row.state.object == object && is_let_go(row))
        };
        self.along.advance(&mut goes_on, |object, step| commands.push(Command::Along { object, step }));
        self.fading.tell(|object, offset| commands.push(Command::Offset { object, offset }));
        self.inventories.settle(|inventory| {
            let named = weapons(inventory).map(|weapon| (weapon, Class::Weapon));
            let mut fate = Fate::Done;
            for (object, class) in named.chain([(inventory.unit, Class::Unit)]) {
                match row_at(object.index()).filter(|row| row.state.object == object) {
                    None => fate = Fate::Waits,
                    Some(row) if row.class != class => {
                        ignored.wrong_class += 1;
                        return Fate::Done;
                    }
                    Some(_) => {}
                }
            }
            if fate == Fate::Done {
                commands.push(Command::Carry(*inventory));
            }
            fate
        });
    }

    /// After [`Client::settle`], of the same rows: the flinches and deaths that were heard of since and not had before, to be
    /// played in that order (OBJ-38). `animations` says how many a unit's graph has; what is past them is none (WIRE-41).
    pub fn take_picks(
        &mut self,
        rows: &[ObjectRow],
        animations: impl Fn(ObjectId) -> u16,
        picks: &mut Vec<DamageAnimation>,
    ) {
        let (places, ignored) = (&mut self.rows, &mut self.ignored);
        let can = |pick: &DamageAnimation| {
            let row = places.get_mut(pick.unit.index()).and_then(|at| rows.get(usize::from(*at)));
            let count = match row {
                None => &mut ignored.unknown,
                Some(row) if row.state.object != pick.unit => &mut ignored.stale,
                Some(row) if row.class != Class::Unit => &mut ignored.wrong_class,
                Some(_) if pick.animation >= animations(pick.unit) => &mut ignored.no_animation,
                Some(_) => return true,
            };
            *count += 1;
            false
        };
        self.playing.take(can, |pick| picks.push(pick));
    }

    /// Messages that were ignored for what they name.
    pub const fn ignored(&self) -> Ignored {
        self.ignored
    }

    /// Whether that object is there, once the commands of the last [`Client::tick`] are done. What names another is
    /// ignored by whoever hears of it (OBJ-40, OBJ-41).
    pub fn exists(&self, object: ObjectId) -> bool {
        self.present.holds(object)
    }

    /// Whether the host's list has ended: nothing of the host's half stands there that it did not tell of.
    pub const fn list_complete(&self) -> bool {
        self.asking.is_listed()
    }

    /// Objects that the host told of and the engine did not make.
    pub fn lacking(&self) -> usize {
        self.told.missing_in(&self.present)
    }

    /// Deletions of what was not there: the wish was met already.
    pub const fn needless_deletions(&self) -> u32 {
        self.needless
    }

    /// Objects that had the host's name and were of another tag than its: deleted, and made as the host has them
    /// (OBJ-01).
    pub const fn mistaken(&self) -> u32 {
        self.mistaken
    }

    /// Objects that the engine was told to make and did not, each time that it was told to (TOOL-67).
    pub const fn failed(&self) -> u32 {
        self.failed
    }

    /// Objects of the host's half that were deleted for want of the host's word: it had told of all that there are, and of
    /// these not (OBJ-05, TOOL-67).
    pub const fn removed(&self) -> u32 {
        self.removed
    }

    fn create(&mut self, creation: &Creation, commands: &mut Vec<Command>) {
        let object = creation.object;
        let was_told = self.told.holds(object);
        self.told.set(object);
        let tag = &mut self.tags[object.index()];
        if self.present.holds(object) {
            if *tag == creation.tag {
                // What the map placed lies where the map has it; by now the host may have it elsewhere (OBJ-10, 26). A
                // creation is of no tick: no path begins with it.
                if !was_told && self.states.get_mut(object.index()).is_none() {
                    self.states.put(object.index(), (None, as_told(creation)));
                }
                return;
            }
            self.mistaken = self.mistaken.saturating_add(1);
        }
        if let Some(other) = self.present.at(object.index()) {
            commands.push(Command::Delete(other));
        }
        commands.push(Command::Make(*creation));
        self.made.push(object);
        self.present.set(object);
        *tag = creation.tag;
        if self.list_complete() {
            self.driving.born(object);
        }
    }

    fn delete(&mut self, object: ObjectId, commands: &mut Vec<Command>) {
        self.inventories.forget(object);
        let told = self.told.holds(object);
        if told {
            self.told.clear(object);
        }
        if self.present.holds(object) {
            self.present.clear(object);
            commands.push(Command::Delete(object));
        } else if !told {
            self.needless = self.needless.saturating_add(1);
        }
    }

    /// Deletes what the host never told of (OBJ-05).
    fn sweep(&mut self, commands: &mut Vec<Command>) {
        self.present.not_in(&self.told, &mut self.swept);
        self.removed = self.removed.saturating_add(self.swept.len() as u32);
        for object in self.swept.drain(..) {
            self.present.clear(object);
            commands.push(Command::Delete(object));
        }
    }
}
