//! The host's end: what it holds each report against, in the order that makes a flood cheapest. Knows no weapon.

use alloc::vec::Vec;

use mjolnir_wire::damage::{DamageEvent, Hit, HitReport};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Machine, MachineSet, Outbox, Slot, Tick};

use crate::error::Error;
use crate::near::Near;
use crate::player::Player;
use crate::rows::{PlayerRow, TargetRow, Throw};
use crate::tags::{Tags, World};
use crate::telling::Telling;
use crate::{dealing, reach, shape, target};

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
#[derive(Debug)]
pub struct Host {
    counts: Counts,
    near: Near,
    /// By slot.
    players: Vec<Player>,
    telling: Telling,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            counts: Counts::default(),
            near: Near::default(),
            players: Slot::all().map(|_| Player::new()).collect(),
            telling: Telling::default(),
        }
    }
}

impl Host {
    /// Nobody plays yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Holds a report that came over a client's own stream against all that is known, in a tick yet to be simulated
    /// after `tick`. `round_trip` is the machine's, in ticks. What passes is as the game is to deal it, its flags, direction,
    /// scale, multiplier, team and owner the host's (DMG-29 to 33).
    ///
    /// What is refused changed nothing, but that it was paid for where it was looked for in the host's histories (DMG-28).
    pub fn handle_report(
        &mut self,
        tick: Tick,
        from: Machine,
        round_trip: Option<f32>,
        report: &HitReport,
        game: &(impl Tags + World),
    ) -> Result<Hit, Error> {
        let judged = self.judge(tick, from, round_trip, report, game);
        self.counts.reported += 1;
        *if judged.is_ok() { &mut self.counts.dealt } else { &mut self.counts.rejected } += 1;
        judged
    }

    /// What needs neither player nor history first; then what the player can deal; then it is paid for.
    fn judge(
        &mut self,
        tick: Tick,
        from: Machine,
        round_trip: Option<f32>,
        report: &HitReport,
        game: &(impl Tags + World),
    ) -> Result<Hit, Error> {
        let HitReport { hit, heard } = report;
        let owner = hit.damage.owner.ok_or(Error::NotOwned)?;
        let player = self.players.get_mut(owner.index()).ok_or(Error::NotOwned)?;
        let row = *player.row().filter(|row| row.machine == from).ok_or(Error::NotOwned)?;
        shape::made(tick, *heard)?;
        shape::hardness(hit.damage.scale)?;
        let target = game.target(hit.object).ok_or(Error::NoTarget)?;
        shape::parts(&hit.parts, &target)?;

        let effect = game.effect(hit.damage.effect).ok_or(Error::NotHeld)?;
        let held = player.can_deal(tick, *heard, (hit.damage.effect, hit.damage.epicentre), game)?;
        shape::hardness_by(hit.damage.scale, &held.deals().means)?;
        let is_explosion = held.is_explosion(&effect);
        player.pay(tick, report, &held, is_explosion)?;

        shape::form(hit, &effect, &held.deals().means, &target)?;
        let direction = shape::direction(hit, is_explosion, &target)?;
        let base = reach::base(tick, *heard, round_trip);
        let vehicle = player.reaches(&self.near, (tick, base), hit, &held, &target, game)?;
        target::was_there(&self.near, *heard, (hit.object, &target), hit.target)?;

        player.go_off(&held, *heard);
        let owner = player.owner_object(vehicle);
        Ok(dealing::dealt(hit, (&effect, is_explosion), direction, &target, (&row, owner), game))
    }

    /// After a tick: where players and what can be hit are, what they carry and ride, and who threw what in it. A player of whom
    /// there is no row is none.
    pub fn after_tick(&mut self, tick: Tick, players: &[PlayerRow], targets: &[TargetRow], throws: &[Throw]) {
        self.near.note(tick, targets);
        let mut plays = [false; MAX_PLAYERS];
        for row in players {
            plays[row.slot.index()] = true;
            self.players[row.slot.index()].note(tick, row);
        }
        for (player, _) in self.players.iter_mut().zip(plays).filter(|(_, plays)| !plays) {
            player.forget();
        }
        for throw in throws {
            self.players[throw.slot.index()].throw(tick, throw.grenade);
        }
    }

    /// A player has left: what is kept of it goes.
    pub fn remove(&mut self, slot: Slot) {
        self.players[slot.index()].forget();
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
