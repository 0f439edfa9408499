//! Fair play: the seam to a game's rules, its ban list and what its machine is known by. Knows no rule.

use mjolnir_anticheat::aim::Aiming;
use mjolnir_anticheat::rules::Values;
use mjolnir_anticheat::{Asker, Record};
use mjolnir_wire::identity::Identity;

/// What a game offers to fair play. A game without any of it implements nothing of it: nobody is banned, nothing is written down,
/// and nothing can be tinkered with.
pub trait Conduct {
    /// On the host: whether `bans.txt`, as it is now, has somebody who asks to be let in. None where that takes a while: then it
    /// is said by [`Conduct::take_ban_answers`], and the machine waits, ten seconds at most.
    fn ask_bans(&mut self, _asker: &Asker) -> Option<bool> {
        Some(false)
    }

    /// On the host, in every frame: appends what is known by now of those that were asked about, each with its
    /// [`Asker::ticket`].
    fn take_ban_answers(&mut self, _answers: &mut Vec<(u32, bool)>) {}

    /// On the host: a line for `bans.txt` or `cheaters.txt`, to be written without waiting for it. What was recorded as banned
    /// counts from now on, whether or not it is written yet.
    fn record(&mut self, _record: &Record) {}

    /// On a client: what a player can tinker with, as it is now.
    fn values(&self) -> Values {
        Values::HONEST
    }

    /// On a client, in each frame and before each tick in which they are not: they are to be these, and the camera among them
    /// (CHEAT-02 to 05).
    fn apply_values(&mut self, _values: &Values) {}

    /// On a client: the Discord user that is signed in on this machine, [`Identity::NONE`] without one.
    fn discord(&self) -> Identity {
        Identity::NONE
    }

    /// What aimed last at the first local player's controls (CHEAT-46).
    fn aiming(&self) -> Aiming {
        Aiming::default()
    }

    /// In each frame: whether the mouse has no magnetism, whatever its player prefers (CHEAT-45). Nothing else of aiming changes
    /// by it.
    fn block_mouse(&mut self, _is_blocked: bool) {}
}
