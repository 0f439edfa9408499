//! The host's end: what it holds each report against, in the order that makes a flood cheapest. Knows no weapon.

use mjolnir_wire::damage::{DamageEvent, Hit, HitReport};
use mjolnir_wire::{Machine, MachineSet, Outbox, Slot, Tick};

use crate::error::Error;
use crate::rows::{PlayerRow, TargetRow, Throw};
use crate::tags::{Tags, World};
use crate::telling::Telling;

/// What became of the hits of clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reports that came; each was dealt or rejected.
    pub reported: u64,
    /// Of these, those dealt.
    pub dealt: u64,
    /// Of these, those refused.
    pub rejected: u64,
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Host {
    counts: Counts,
    telling: Telling,
}

impl Host {
    /// Nobody plays yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Holds a report that came over a client's own stream against all that is known, in a tick yet to be simulated
    /// after `tick`. What passes is as the game is to deal it, its flags, direction, scale, multiplier, team and owner
    /// the host's (DMG-29 to 33).
    pub fn handle_report(
        &mut self,
        tick: Tick,
        from: Machine,
        round_trip: Option<f32>,
        report: &HitReport,
        game: &(impl Tags + World),
    ) -> Result<Hit, Error> {
        let _ = (tick, from, round_trip, game);
        self.counts.reported += 1;
        self.counts.rejected += 1;
        let _ = report;
        Err(Error::NotHeld)
    }

    /// After a tick: where players and what can be hit are, what they carry and ride, and who threw what in it.
    pub fn after_tick(&mut self, tick: Tick, players: &[PlayerRow], targets: &[TargetRow], throws: &[Throw]) {
        let _ = (tick, players, targets, throws);
    }

    /// A player has left: what is kept of it goes.
    pub fn remove(&mut self, slot: Slot) {
        let _ = slot;
    }

    /// After [`Host::after_tick`], of the same `players`: tells of the damage dealt in that tick, each to whom it concerns.
    /// `loaded` are the machines in the game, `ready` those that were told of all objects in this tick, which are told of
    /// what was broken before too; `told` says which machines were sent a player in this tick.
    pub fn tell(
        &mut self,
        events: &[DamageEvent],
        players: &[PlayerRow],
        loaded: MachineSet,
        ready: MachineSet,
        told: impl Fn(Slot) -> MachineSet,
        outbox: &mut Outbox,
    ) {
        self.telling.tell(events, players, (loaded, ready), told, outbox);
    }

    /// What became of the hits of clients.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Damage events that were dropped, since more than [`MOST_EVENTS`](crate::MOST_EVENTS) were dealt in a tick (DMG-61).
    pub const fn dropped(&self) -> u64 {
        self.telling.dropped()
    }
}
