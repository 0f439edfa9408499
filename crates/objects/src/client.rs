//! The client's end: makes and deletes objects by the host's word, in the order of the word. Knows no object but
//! its name.

use alloc::vec::Vec;

use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::{Creation, ObjectChange};
use mjolnir_wire::{Kind, MachineSet, ObjectId, Outbox, Tick};

use crate::asking::Asking;
use crate::error::Error;

/// What the engine is to do, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Make that object at its very index, with its identifier. Its place is free by then.
    Make(Creation),
    /// Delete that object, whatever it is and whoever holds it (OBJ-07).
    Delete(ObjectId),
}

/// What the host said, in its order.
#[derive(Clone, Copy, Debug)]
enum Said {
    Change(ObjectChange),
    ListEnds,
}

/// Identifiers by index, 0 for none; of the host's half alone.
#[derive(Debug)]
struct Table(Vec<u16>);

impl Table {
    fn new() -> Self {
        Self(alloc::vec![0; FIRST_OWN_OBJECT])
    }

    fn holds(&self, object: ObjectId) -> bool {
        self.0.get(object.index()) == Some(&object.identifier())
    }

    fn set(&mut self, object: ObjectId) {
        if let Some(place) = self.0.get_mut(object.index()) {
            *place = object.identifier();
        }
    }

    fn clear(&mut self, object: ObjectId) {
        if let Some(place) = self.0.get_mut(object.index()) {
            *place = 0;
        }
    }

    fn at(&self, index: usize) -> Option<ObjectId> {
        ObjectId::new(index as u16, *self.0.get(index)?)
    }
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
    needless: u32,
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
            needless: 0,
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

    /// Before the engine's tick: what to make and delete, in that order, and what to ask the host.
    ///
    /// `present` names every unit, vehicle, weapon and equipment that the engine has, those placed at load too
    /// (OBJ-10); what is in the upper half is the machine's own and left alone.
    pub fn tick(
        &mut self,
        tick: Tick,
        present: &[ObjectId],
        commands: &mut Vec<Command>,
        outbox: &mut Outbox,
    ) {
        self.present.0.fill(0);
        for object in present {
            self.present.set(*object);
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
        let pairs = self.told.0.iter().zip(&self.present.0);
        pairs.filter(|(told, present)| **told != 0 && told != present).count()
    }

    /// Deletions of what was not there: the wish was met already.
    pub const fn needless_deletions(&self) -> u32 {
        self.needless
    }

    fn create(&mut self, creation: &Creation, commands: &mut Vec<Command>) {
        let object = creation.object;
        self.told.set(object);
        if self.present.holds(object) {
            return;
        }
        if let Some(other) = self.present.at(object.index()) {
            commands.push(Command::Delete(other));
        }
        commands.push(Command::Make(*creation));
        self.present.set(object);
    }

    fn delete(&mut self, object: ObjectId, commands: &mut Vec<Command>) {
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
        for index in 0..FIRST_OWN_OBJECT {
            if self.present.0[index] != self.told.0[index]
                && let Some(object) = self.present.at(index)
            {
                self.present.clear(object);
                commands.push(Command::Delete(object));
            }
        }
    }
}
