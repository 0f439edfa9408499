//! What machines keep and count while it is quiet: predictions that are not taken, corrections, refusals, what waits to
//! be sent, memory. Knows no message.

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::transport::Dropped;
use mjolnir_wire::Machine;

use super::super::{Found, name};
use super::Invariant;
use crate::lab::{Lab, Who};

/// Bytes that may wait for a machine's stream once it is quiet.
const WAITING_BYTES: usize = 4096;

/// Refused of honest machines at any time: a prediction that crosses its unit's death, and a datagram about an object
/// that overtakes the stream's word of its making, or of another in its place.
const CROSSING: [&str; 3] = ["wrong_unit", "unknown_object", "stale_object"];

/// What was counted when it became quiet.
#[derive(Debug, Default)]
pub(super) struct Kept {
    not_taken: u64,
    /// By machine.
    counted: Vec<Counters>,
}

impl Kept {
    pub(super) fn begin(&mut self, lab: &mut Lab) {
        self.not_taken = not_taken(lab);
        self.counted = machines(lab).map(|who| counters(lab, who)).collect();
    }

    /// Every prediction of every client is taken.
    pub(super) fn refuses_nobody(&self, lab: &mut Lab) -> Found<()> {
        let more = not_taken(lab).saturating_sub(self.not_taken);
        if more == 0 {
            return Ok(());
        }
        let takings = lab.host.net.authority().takings();
        Err((Invariant::Refused, format!("{more} predictions were not taken, in all {takings:?}")))
    }

    /// Nobody refused anything, nobody was moved, and nothing waits.
    pub(super) fn weigh(&self, lab: &Lab) -> Found<()> {
        for (who, before) in machines(lab).zip(&self.counted) {
            let now = counters(lab, who);
            let more = now.refused.iter().find(|(reason, count)| {
                !CROSSING.contains(reason) && **count > before.refused.get(*reason).copied().unwrap_or(0)
            });
            if let Some((reason, _)) = more {
                return Err((Invariant::Refused, format!("{} refused what is {reason}", name(who))));
            }
            let unread = |counters: &Counters| {
                let Dropped { far_stamp, undecodable, unknown_kind, .. } = counters.dropped;
                far_stamp + undecodable + unknown_kind
            };
            if unread(&now) > unread(before) {
                let what = format!("{} dropped {:?}, before {:?}", name(who), now.dropped, before.dropped);
                return Err((Invariant::Refused, what));
            }
            let moved = now.own_corrections - before.own_corrections;
            if moved > 0 {
                return Err((Invariant::Refused, format!("{} was moved {moved} times", name(who))));
            }
        }
        for machine in lab.host.net.transport().machines().iter().filter(|machine| *machine != Machine::HOST)
        {
            let waits = lab.host.net.transport().unsent(machine);
            if waits > WAITING_BYTES {
                let what = format!("{waits} bytes wait for machine {}", machine.index());
                return Err((Invariant::Growth, what));
            }
        }
        Ok(())
    }
}

fn machines(lab: &Lab) -> impl Iterator<Item = Who> + use<> {
    std::iter::once(Who::Host).chain((0..lab.clients.len()).map(Who::Client))
}

fn not_taken(lab: &mut Lab) -> u64 {
    let takings = lab.host.net.authority().takings();
    takings.past_tolerance + takings.past_bounds
}

fn counters(lab: &Lab, who: Who) -> Counters {
    match who {
        Who::Host => lab.host.net.counters(),
        Who::Client(place) => lab.clients[place].net.counters(),
    }
}
