//! What the units of the host's actors show of their shields and bodies: who was not yet told of a change (OBJ-50). Knows no
//! distance.

use mjolnir_wire::actors::ActorDamage;
use mjolnir_wire::space::pack_vitality;
use mjolnir_wire::{Kind, MachineSet, ObjectId, Outbox, Tick};

use crate::by_index::ByIndex;

/// Turns of a machine at which it is told of a change: a datagram that is lost costs a turn (ours).
pub const DAMAGE_REPEATS: usize = 3;
/// Units that everybody is told of in a tick, round all of them, changed or not, so that what was lost three times is right in
/// the end (ours).
pub const DAMAGES_A_TICK: usize = 4;
/// Ticks of such a round at least: a second (ours).
pub const DAMAGE_TURN: usize = 30;

/// What was last seen of a unit's.
#[derive(Clone, Copy, Debug)]
struct Seen {
    unit: ObjectId,
    damage: ActorDamage,
    /// Who is owed it once more at least, twice, three times.
    owed: [MachineSet; DAMAGE_REPEATS],
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Hurting {
    seen: ByIndex<Seen>,
    /// Those who know of no unit's yet, and those of them who are owed all in this tick.
    fresh: MachineSet,
    owed_all: MachineSet,
    /// Ticks of a round, and how many units there were in this one so far.
    round: usize,
    count: usize,
    /// As many units from now it is a unit's turn.
    next: usize,
}

impl Hurting {
    pub(crate) fn new() -> Self {
        Self {
            seen: ByIndex::new(),
            fresh: MachineSet::NONE,
            owed_all: MachineSet::NONE,
            round: DAMAGE_TURN,
            count: 0,
            next: 0,
        }
    }

    /// Those machines have just been told of units that they had not: they are owed what each shows.
    pub(crate) const fn listed(&mut self, machines: MachineSet) {
        self.fresh = self.fresh.union(machines);
    }

    pub(crate) fn forget(&mut self, machine: mjolnir_wire::Machine) {
        self.fresh.remove(machine);
    }

    /// A tick. For those of `waits` the units themselves are on their way still.
    pub(crate) fn begin(&mut self, tick: Tick, waits: MachineSet) {
        self.owed_all = self.fresh.without(waits);
        self.fresh = self.fresh.intersection(waits);
        self.round = self.count.div_ceil(DAMAGES_A_TICK).max(DAMAGE_TURN);
        self.count = 0;
        self.next = tick.get() as u32 as usize % self.round;
    }

    /// A unit, the next one up, whose actor goes to the machines `due` in this tick, of those that are `ready`.
    pub(crate) fn look(
        &mut self,
        damage: &ActorDamage,
        due: MachineSet,
        ready: MachineSet,
        outbox: &mut Outbox,
    ) {
        let ActorDamage { unit, .. } = *damage;
        let is_turn = self.count == self.next;
        if is_turn {
            self.next += self.round;
        }
        self.count += 1;
        let owed_all = self.owed_all;
        let to = match self.seen.get_mut(unit.index()).filter(|seen| seen.unit == unit) {
            Some(seen) => {
                // As it travels: what is no change there is none.
                if seen.damage != *damage && packed(&seen.damage) != packed(damage) {
                    (seen.damage, seen.owed) = (*damage, [ready; DAMAGE_REPEATS]);
                }
                if !owed_all.is_empty() {
                    seen.owed = seen.owed.map(|owed| owed.union(owed_all));
                }
                let to = if is_turn { ready } else { due.intersection(ready).intersection(seen.owed[0]) };
                pay(&mut seen.owed, to);
                to
            }
            None => {
                let mut owed = [ready; DAMAGE_REPEATS];
                let to = if is_turn { ready } else { due.intersection(ready) };
                pay(&mut owed, to);
                self.seen.put(unit.index(), Seen { unit, damage: *damage, owed });
                to
            }
        };
        if !to.is_empty() {
            // An entry always fits; the outbox counts what does not.
            let _ = outbox.entry(to, Kind::ActorDamage, |bytes| damage.write(bytes));
        }
    }
}

fn packed(damage: &ActorDamage) -> [u16; 4] {
    [damage.shield, damage.recent_shield, damage.body, damage.recent_body].map(pack_vitality)
}

/// Those are owed it once less.
fn pay(owed: &mut [MachineSet; DAMAGE_REPEATS], to: MachineSet) {
    for more in 0..DAMAGE_REPEATS {
        let again = owed.get(more + 1).map_or(MachineSet::NONE, |owed| owed.intersection(to));
        owed[more] = owed[more].without(to).union(again);
    }
}
