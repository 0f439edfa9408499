//! A client's end: its players' hits reported, and the host's word on damage replayed. Knows no harm: that comes with
//! the units' states.

use alloc::vec::Vec;

use mjolnir_wire::damage::{DamageEvent, Hit};
use mjolnir_wire::{ObjectId, Outbox, Slot, Tick};

use crate::error::Error;

/// Ticks for which a body that is said to be dead waits for its blow (DMG-48): the half second of the document.
pub const BLOW_WAIT: u32 = 15;

/// Who says that a unit is dead (DMG-50).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The units' states: a player's.
    UnitState,
    /// The objects' states: any other.
    ObjectState,
}

/// What the engine is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// A local player's screen shows it.
    Show(DamageEvent),
    /// What the damage does besides the harm: flinch, pain, knockback, stun, out of the scope, who hit the player.
    Replay(DamageEvent),
    /// It killed: the unit falls as the shot had it, the kill is announced, with that killer's score after it. Nothing is counted.
    Kill(DamageEvent),
    /// Scenery or a device was hit.
    Break(DamageEvent),
    /// That unit, which still stands, is dead: it falls with nothing to show.
    KillSilently {
        /// Which.
        unit: ObjectId,
    },
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Client {
    reported: u64,
    replayed: u64,
}

impl Client {
    /// Nothing was hit yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A hit of this machine's game, with the latest tick of the host's that it has heard of. Refused is one that no
    /// player of its own dealt (DMG-63).
    pub fn handle_hit(&mut self, heard: Tick, own: &[Slot], hit: &Hit) -> Result<(), Error> {
        let _ = (heard, own, hit);
        Err(Error::NotOwned)
    }

    /// After a tick: the hits go to the host by the stream.
    pub fn tell(&mut self, outbox: &mut Outbox) {
        let _ = outbox;
    }

    /// The host's word on damage of its tick `stamp`. `exists` says which objects this machine has.
    pub fn handle_event(
        &mut self,
        stamp: Tick,
        own: &[Slot],
        exists: impl Fn(ObjectId) -> bool,
        event: &DamageEvent,
    ) -> Result<(), Error> {
        let _ = (stamp, own, exists, event);
        Err(Error::Unknown)
    }

    /// The host says that a unit which stands here is dead; `is_players` says whether it is, or was, a player's here.
    pub fn handle_dead(&mut self, tick: Tick, unit: ObjectId, says: Says, is_players: bool) {
        let _ = (tick, unit, says, is_players);
    }

    /// Whether a unit's blow was replayed, or it was killed silently: no state that came late gives it to its player again.
    pub fn has_fallen(&self, unit: ObjectId) -> bool {
        let _ = unit;
        false
    }

    /// Before a tick: what is to be replayed, in the order in which it came, and who is killed silently. `stands` says
    /// which units still stand here.
    pub fn before_tick(
        &mut self,
        tick: Tick,
        stands: impl Fn(ObjectId) -> bool,
        commands: &mut Vec<Command>,
    ) {
        let _ = (tick, stands, commands);
    }

    /// Hits reported so far.
    pub const fn reported(&self) -> u64 {
        self.reported
    }

    /// Events replayed so far.
    pub const fn replayed(&self) -> u64 {
        self.replayed
    }
}
