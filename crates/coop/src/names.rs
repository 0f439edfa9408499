//! Which of a level's named objects there are, so that what scripts create and delete is the same on every machine (kind 69,
//! COOP-21). Knows no object.

use alloc::vec::Vec;

use mjolnir_wire::scripted::ObjectNames;
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{Kind, MachineSet, Outbox, Tick};

use crate::error::Error;
use crate::rows::NameCommand;
use crate::telling::Newcomers;

/// Ticks from one telling to the next (FACT wire 2).
pub const NAMES_INTERVAL: u32 = 15;

/// Successive ticks in which they are told as they change besides (ours): what scripts do with what they just made comes in the
/// same ticks (COOP-07), and would wait for it.
pub const NAMES_REPEAT_TICKS: u8 = 3;

/// The host's telling of them. One is of one game.
#[derive(Debug, Default)]
pub struct NamesHost {
    newcomers: Newcomers,
    told: Option<Tick>,
    /// What was told last.
    names: Option<ObjectNames>,
    /// Ticks in which a change is still told.
    left: u8,
}

impl NamesHost {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// After a tick: tells those machines of the names that there are, each [`NAMES_INTERVAL`] and as they change; those that are
    /// new among them at once (COOP-59). Nothing of a level that names none.
    pub fn after_tick(
        &mut self,
        tick: Tick,
        to: MachineSet,
        names: Option<&ObjectNames>,
        outbox: &mut Outbox,
    ) {
        let audience = self.newcomers.of(to);
        let Some(names) = names else { return };
        let is_due = self.told.is_none_or(|told| tick.since(told) >= NAMES_INTERVAL as i32);
        if self.names.replace(*names).is_some_and(|before| before != *names) {
            self.left = NAMES_REPEAT_TICKS;
        }
        let changes = self.left > 0;
        self.left = self.left.saturating_sub(1);
        let to = if is_due || changes { audience.all } else { audience.new };
        if is_due {
            self.told = Some(tick);
        }
        if !to.is_empty() {
            // An entry of its size fits any datagram.
            let _ = outbox.entry(to, Kind::CoopObjectNames, |bytes| names.write(bytes));
        }
    }
}

/// A client's following of them. One is of one game.
#[derive(Debug, Default)]
pub struct NamesClient {
    newest: Newest,
    heard: Option<ObjectNames>,
    unknown: u64,
    stale: u64,
}

impl NamesClient {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hears an entry of kind 69, of a message of that stamp; one older than was heard is counted and does nothing.
    pub fn handle_names(&mut self, stamp: Tick, names: &ObjectNames) -> Result<(), Error> {
        if self.newest.take(stamp) {
            self.heard = Some(*names);
        } else {
            self.stale += 1;
        }
        Ok(())
    }

    /// Before a tick: appends what the engine, which has its `own`, is to make and to delete, by rising name; once for each that
    /// was heard. What was heard of another structure BSP than the engine's is kept until that one is loaded, or a newer is
    /// heard (COOP-68). What names another count of names than the level has is not of this level: it is counted and forgotten.
    pub fn before_tick(&mut self, own: Option<&ObjectNames>, commands: &mut Vec<NameCommand>) {
        let (Some(own), Some(heard)) = (own, self.heard) else { return };
        if heard.count() != own.count() {
            self.unknown += 1;
        } else if heard.structure_bsp == own.structure_bsp {
            for name in 0..own.count() {
                match (heard.contains(name), own.contains(name)) {
                    (true, false) => commands.push(NameCommand::Make { name }),
                    (false, true) => commands.push(NameCommand::Delete { name }),
                    _ => {}
                }
            }
        } else {
            return;
        }
        self.heard = None;
    }

    /// Entries that were of no such level.
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Entries older than what was heard.
    pub const fn stale(&self) -> u64 {
        self.stale
    }
}
