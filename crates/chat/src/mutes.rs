//! Whom the host has muted for everyone: by name, so that leaving ends no mute (CHAT-20, 43), and as long as it stays by the machine
//! that the name was of, so that another name ends none either. Knows no player.

use alloc::vec::Vec;

use mjolnir_wire::names::is_same;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, Moment};

/// Minutes of a mute that says none, and of the scoreboard's (CHAT-20, 25).
pub const MUTE_DEFAULT_MINUTES: u32 = 20;
/// Minutes of the longest mute; more are as many (CHAT-20).
pub const MUTE_MINUTES_MAX: u32 = 1440;

const MINUTE: u64 = 60 * Moment::SECOND;

#[derive(Clone, Copy, Debug)]
struct Mute {
    name: Name,
    /// Whose it was, while that stays (ours).
    machine: Option<Machine>,
    until: Moment,
}

/// Only who sits at the host adds to them, and each adding lets those go that are over.
#[derive(Debug, Default)]
pub(crate) struct Mutes(Vec<Mute>);

impl Mutes {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn add(&mut self, now: Moment, name: Name, machine: Machine, minutes: u32) {
        self.0.retain(|mute| mute.until > now && !is_same(&mute.name, &name));
        let minutes = u64::from(minutes.clamp(1, MUTE_MINUTES_MAX));
        self.0.push(Mute { name, machine: Some(machine), until: now.plus(minutes * MINUTE) });
    }

    /// Whether that name was muted and is no more.
    pub(crate) fn remove(&mut self, now: Moment, name: &Name) -> bool {
        let was = self.left(now, name) > 0;
        self.0.retain(|mute| !is_same(&mute.name, name));
        was
    }

    /// Minutes left of that name's mute, rounded up; 0 of one who is not muted.
    pub(crate) fn left(&self, now: Moment, name: &Name) -> u64 {
        let mute = self.0.iter().find(|mute| is_same(&mute.name, name));
        mute.map_or(0, |mute| mute.until.since(now).div_ceil(MINUTE))
    }

    /// The same of the mute whose player that machine had, whatever it is called now.
    pub(crate) fn left_of(&self, now: Moment, machine: Machine) -> u64 {
        let own = self.0.iter().filter(|mute| mute.machine == Some(machine));
        own.map(|mute| mute.until.since(now).div_ceil(MINUTE)).max().unwrap_or(0)
    }

    /// That machine has left: the next of its index is another.
    pub(crate) fn forget(&mut self, machine: Machine) {
        for mute in self.0.iter_mut().filter(|mute| mute.machine == Some(machine)) {
            mute.machine = None;
        }
    }

    /// The names that are muted.
    pub(crate) fn names(&self, now: Moment) -> impl Iterator<Item = Name> {
        self.0.iter().filter(move |mute| mute.until > now).map(|mute| mute.name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF: Machine = Machine::HOST;

    /// CHAT-20, 21: a name in either case, its minutes rounded up, over at the very moment; and what is over is let go.
    #[test]
    fn a_mute_lasts_its_minutes() {
        let (bob, caps, ann) = (Name::cut("Bob"), Name::cut("BOB"), Name::cut("Ann"));
        let at = |seconds: u64| Moment::from_micros(seconds * Moment::SECOND);
        let mut mutes = Mutes::default();
        mutes.add(at(100), bob, OF, 5);
        assert_eq!(mutes.left(at(100), &caps), 5);
        assert_eq!(mutes.left(at(100).plus(1), &caps), 5);
        assert_eq!((mutes.left(at(160), &bob), mutes.left(at(160).plus(1), &bob)), (4, 4));
        assert_eq!((mutes.left(at(399), &bob), mutes.left(at(400), &bob)), (1, 0));
        assert_eq!(mutes.left(at(100), &ann), 0);
        // A second mute replaces the first, be it shorter.
        mutes.add(at(100), caps, OF, 1);
        assert_eq!((mutes.left(at(100), &bob), mutes.names(at(100)).count()), (1, 1));
        assert_eq!(mutes.names(at(160)).count(), 0);
        assert!(!mutes.remove(at(160), &bob) && mutes.is_empty());
        mutes.add(at(160), bob, OF, 1);
        assert!(!mutes.remove(at(160), &ann) && mutes.remove(at(161), &caps) && mutes.is_empty());
        // Never longer than a day, never for no time.
        mutes.add(at(0), bob, OF, u32::MAX);
        mutes.add(at(0), ann, OF, 0);
        assert_eq!((mutes.left(at(0), &bob), mutes.left(at(0), &ann)), (1440, 1));
        mutes.add(at(86_400), ann, OF, 1);
        assert_eq!(mutes.0.len(), 1);
    }
}
