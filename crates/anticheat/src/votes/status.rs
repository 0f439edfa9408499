//! How a vote is shown (CHEAT-65). Knows not who is told.

use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Moment, Slot};

use super::World;
use super::running::Running;

/// Which player a scoreboard is to show: the one that was named, or another of its machine's if that is gone. Never another
/// machine's that has its slot now.
pub(super) fn shown(running: &Running, world: &impl World) -> Option<Slot> {
    let own = || world.players().filter(|(_, machine, _)| *machine == running.machine).map(|(slot, ..)| slot);
    own().find(|slot| *slot == running.slot).or_else(|| own().next())
}

/// How the vote stands for who has voted or not, and may or not.
pub(super) fn status(
    now: Moment,
    running: &Running,
    slot: Option<Slot>,
    (you_voted, you_may_vote): (bool, bool),
) -> VotekickStatus {
    let pinned = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    let seconds_left = u8::try_from(running.left(now).div_ceil(Moment::SECOND)).unwrap_or(u8::MAX);
    let (votes, needed) = (pinned(running.votes()), pinned(running.needed()));
    VotekickStatus { slot, votes, needed, seconds_left, you_voted, you_may_vote }
}
