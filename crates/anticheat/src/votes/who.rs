//! Who a machine counts as in a vote: the host, or the person behind a client. Knows no vote.
//!
//! The host's machine is only itself (CHEAT-32). It has no address that its guests would reach it by, only those of the networks
//! that it is in, and whoever plays at home with its host comes from one of these, or from the one address that the home has
//! to the outside: by address they would all be one. So the host is told apart by being the host.

use core::net::IpAddr;

use mjolnir_wire::Machine;
use mjolnir_wire::address::household;

use super::World;
use crate::person::Person;

/// See the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The host's own machine.
    Host,
    /// Whoever is behind a client.
    Guest(Person),
}

/// Where somebody votes from: one vote each (CHEAT-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    Host,
    At(IpAddr),
}

impl Who {
    /// Who that machine is; a guest of whom nothing is known where the world knows none.
    pub(super) fn of(machine: Machine, world: &impl World) -> Self {
        match machine {
            Machine::HOST => Self::Host,
            machine => Self::Guest(world.person(machine).unwrap_or_default()),
        }
    }

    /// Where it votes from; none of an address that is not known.
    pub(super) fn home(&self) -> Option<Home> {
        match self {
            Self::Host => Some(Home::Host),
            Self::Guest(person) => person.address.map(|address| Home::At(household(address))),
        }
    }

    /// Whether both are known to be one: by address, or by hardware id (CHEAT-60). The host is nobody but itself.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Host, Self::Host) => true,
            (Self::Guest(one), Self::Guest(other)) => one.is_same(other),
            _ => false,
        }
    }

    /// Whether it could be told from others again.
    pub(super) const fn is_known(&self) -> bool {
        match self {
            Self::Host => true,
            Self::Guest(person) => person.address.is_some() || person.hardware.is_some(),
        }
    }
}
