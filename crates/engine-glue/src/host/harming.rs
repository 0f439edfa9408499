//! Damage at the host: clients' hits to the crate that checks them and on to the game, and what was dealt to whoever tells of
//! it. Knows no bound and nobody whom it concerns.

use mjolnir_damage as damage;
use mjolnir_wire::damage::HitReport;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::{Machine, MachineSet, Message, Tick};

use super::{Host, Scratch};
use crate::engine::Engine;
use crate::refusing::{Refusing, take};

/// Who reports hits, and what is known of it.
pub(super) struct Reporter<'a> {
    pub(super) from: Machine,
    pub(super) tick: Tick,
    pub(super) round_trip: Option<f32>,
    pub(super) owners: &'a [Option<Machine>; MAX_PLAYERS],
}

/// Hears a kind 11 that came by the stream: what passes is dealt at once. `unread` counts those that the crate never sees.
pub(super) fn hear_reports(
    message: &Message<'_>,
    reporter: &Reporter<'_>,
    damage: &mut damage::Host,
    unread: &mut u64,
    refused: &mut Refusing,
    engine: &mut impl Engine,
) {
    let Reporter { from, tick, round_trip, owners } = *reporter;
    for report in HitReport::read_all(message) {
        // AUTH-71: a machine speaks for its own players alone, and not for one that is still here of who had its index before.
        let is_own = |report: &HitReport| {
            report.hit.damage.owner.is_none_or(|owner| owners[owner.index()] == Some(from))
        };
        let is_own = report.as_ref().is_ok_and(is_own);
        *unread += u64::from(!is_own);
        take(refused, report, |report| {
            if !is_own {
                return Err(damage::Error::NotOwned.reason());
            }
            let hit = damage.handle_report(tick, from, round_trip, &report, &*engine);
            engine.deal(&hit.map_err(damage::Error::reason)?);
            Ok(())
        });
    }
}

impl Host {
    /// Once the predictions of a tick were taken: tells the crate where everybody is now, and who threw what.
    pub(super) fn note_harm(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { harmed, targets, throws, .. } = &mut self.scratch;
        harmed.clear();
        targets.clear();
        engine.read_harm(harmed, targets);
        // Whoever is about to leave has no machine any more that anything is said to.
        harmed.retain(|row| self.owners[row.slot.index()] == Some(row.machine));
        throws.clear();
        engine.take_throws(throws);
        self.damage.after_tick(tick, harmed, targets, throws);
    }

    /// After [`Host::note_harm`] and once players and objects were told of: tells of the damage dealt. `ready` are the
    /// machines that were told of all objects in this tick.
    pub(super) fn tell_damage(&mut self, ready: MachineSet, engine: &mut impl Engine) {
        let Scratch { harmed, dealt, .. } = &mut self.scratch;
        dealt.clear();
        engine.take_dealt(dealt);
        let told = |slot| self.authority.told(slot);
        self.damage.tell(dealt, harmed, self.loaded, ready, told, &mut self.outbox);
    }
}
