//! A vote that runs: who may vote in it, who has, and what it needs. Knows no other vote, and no game: who votes is settled as it
//! begins.
//!
//! The electorate is that of the vote's beginning, less those who left. Who came since, or has played long enough only since, has
//! no vote in it and does not raise what it needs: else either side could have friends join while it runs. A leaver's vote goes
//! along (CHEAT-60), and what is needed is of those who are left.

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Machine, Moment, Slot};

use super::refusal::Refusal;
use super::who::{Home, Who};
use super::{VOTE_LENGTH, VOTES_LEAST};

#[derive(Clone, Copy, Debug)]
struct Elector {
    machine: Machine,
    who: Who,
    has_voted: bool,
}

/// See the file's text. The votes that are counted are of different persons each.
#[derive(Debug)]
pub(super) struct Running {
    /// Whose players it is about: all of that machine's (CHEAT-64).
    pub(super) machine: Machine,
    /// Who is behind it.
    pub(super) target: Who,
    /// Which of its players was named first.
    pub(super) slot: Slot,
    /// Who began it.
    pub(super) starter: Who,
    ends: Moment,
    electors: Vec<Elector>,
    votes: usize,
    needed: usize,
}

impl Running {
    /// One that begins, without a vote yet. `electors` are those who may vote, the starter among them.
    pub(super) fn new(
        now: Moment,
        (machine, target, slot): (Machine, Who, Slot),
        starter: Who,
        electors: impl Iterator<Item = (Machine, Who)>,
    ) -> Self {
        let electors = electors.map(|(machine, who)| Elector { machine, who, has_voted: false }).collect();
        let ends = now.plus(VOTE_LENGTH);
        let mut this = Self { machine, target, slot, starter, ends, electors, votes: 0, needed: 0 };
        this.count();
        this
    }

    /// Counts that machine's vote, whose person is not the target's.
    pub(super) fn cast(&mut self, machine: Machine) -> Result<(), Refusal> {
        let at = self.electors.iter().position(|elector| elector.machine == machine);
        let at = at.ok_or(Refusal::TooLate)?;
        let who = self.electors[at].who;
        if self.has_person_voted(&who) {
            return Err(Refusal::Voted);
        }
        self.electors[at].has_voted = true;
        self.count();
        Ok(())
    }

    /// That machine is no more: its vote goes along. Whether that changed anything.
    pub(super) fn remove(&mut self, machine: Machine) -> bool {
        let before = self.electors.len();
        self.electors.retain(|elector| elector.machine != machine);
        self.count();
        self.electors.len() < before
    }

    fn count(&mut self) {
        self.votes = self.electors.iter().filter(|elector| elector.has_voted).count();
        self.needed = (self.electorate() / 2 + 1).max(VOTES_LEAST);
    }

    /// Homes of those who may vote, and the target's once: counted by address alone, so that a copied hardware id makes none less
    /// needed (CHEAT-33, 34). A target whose address is not known is one more.
    fn electorate(&self) -> usize {
        let mut homes: [Option<Home>; MAX_MACHINES + 1] = [None; MAX_MACHINES + 1];
        let all = self.electors.iter().map(|elector| elector.who.home()).chain([self.target.home()]);
        for (place, home) in homes.iter_mut().zip(all) {
            *place = home;
        }
        homes.sort_unstable();
        let distinct = homes.windows(2).filter(|pair| pair[0] != pair[1]).count();
        // The first is none unless all places are taken by homes that are known.
        distinct + usize::from(homes[0].is_some()) + usize::from(self.target.home().is_none())
    }

    fn has_person_voted(&self, who: &Who) -> bool {
        self.electors.iter().any(|elector| elector.has_voted && elector.who.is_same(who))
    }

    /// Whether that machine has voted or the same person has from another; and whether its vote counts: not that of who is the
    /// target, and not that of who could not vote when it began (CHEAT-65).
    pub(super) fn bits(&self, machine: Machine) -> (bool, bool) {
        let elector = self.electors.iter().find(|elector| elector.machine == machine);
        elector.map_or((false, false), |elector| {
            (self.has_person_voted(&elector.who), !elector.who.is_same(&self.target))
        })
    }

    /// Votes that count.
    pub(super) const fn votes(&self) -> usize {
        self.votes
    }

    /// Votes that it takes, [`VOTES_LEAST`] and more (CHEAT-34).
    pub(super) const fn needed(&self) -> usize {
        self.needed
    }

    /// Microseconds left, 0 of one that is over.
    pub(super) const fn left(&self, now: Moment) -> u64 {
        self.ends.since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::person::Person;

    /// CHEAT-34: two votes are the least, also where nobody is left but at the target's own address, and where nobody is left.
    #[test]
    fn two_votes_are_the_least() {
        let [one, two] = [1, 2].map(|index| Machine::new(index).unwrap());
        let who = Who::Guest(Person { address: "10.0.0.1".parse().ok(), hardware: None });
        let target = (one, who, Slot::new(1).unwrap());
        let mut running = Running::new(Moment::START, target, who, [(two, who)].into_iter());
        assert_eq!((running.electorate(), running.needed(), running.votes()), (1, 2, 0));
        assert!(running.remove(two) && !running.remove(two));
        assert_eq!((running.electorate(), running.needed()), (1, 2));
        let stranger = (one, Who::Guest(Person::default()), Slot::new(1).unwrap());
        let everybody = || {
            Machine::all().map(|machine| {
                let address = core::net::Ipv4Addr::new(10, 0, 0, machine.get()).into();
                (machine, Who::Guest(Person { address: Some(address), hardware: None }))
            })
        };
        let running = Running::new(Moment::START, stranger, who, everybody());
        assert_eq!((running.electorate(), running.needed()), (129, 65));
        let host = (one, Who::Host, Slot::new(1).unwrap());
        let running = Running::new(Moment::START, host, who, everybody());
        assert_eq!((running.electorate(), running.needed()), (129, 65));
    }
}
