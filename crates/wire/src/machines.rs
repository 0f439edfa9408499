//! A set of machines, one bit each. Knows no connection.

use crate::ids::Machine;

/// Which machines something is for. The host's own bit never travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineSet(u128);

impl MachineSet {
    /// No machine.
    pub const NONE: Self = Self(0);
    /// Every machine but the host.
    pub const CLIENTS: Self = Self(!1);
    /// The host alone: where a client's messages go.
    pub const HOST: Self = Self(1);

    /// The machines of those bits, each by its index.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// That machine alone.
    pub const fn only(machine: Machine) -> Self {
        Self(1 << machine.get())
    }

    /// Whether it holds that machine.
    pub const fn contains(self, machine: Machine) -> bool {
        self.0 >> machine.get() & 1 != 0
    }

    /// Holds nobody.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it holds.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds one.
    pub fn insert(&mut self, machine: Machine) {
        self.0 |= 1 << machine.get();
    }

    /// Takes one out.
    pub fn remove(&mut self, machine: Machine) {
        self.0 &= !(1 << machine.get());
    }

    /// Those of either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of this that are not of the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Its machines in order.
    pub fn iter(self) -> impl Iterator<Item = Machine> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let index = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            Machine::new(index as u8)
        })
    }
}

impl FromIterator<Machine> for MachineSet {
    fn from_iter<I: IntoIterator<Item = Machine>>(machines: I) -> Self {
        let mut set = Self::NONE;
        for machine in machines {
            set.insert(machine);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_what_was_put_in_once_and_in_order() {
        let machines: alloc::vec::Vec<_> = [5, 0, 127, 5].iter().filter_map(|i| Machine::new(*i)).collect();
        let set: MachineSet = machines.iter().copied().collect();
        assert_eq!(set.iter().map(Machine::get).collect::<alloc::vec::Vec<_>>(), [0, 5, 127]);
        assert_eq!(set.len(), 3);
        assert!(!MachineSet::CLIENTS.contains(Machine::HOST));
        assert_eq!(set.without(MachineSet::CLIENTS), MachineSet::HOST);
        assert_eq!(MachineSet::CLIENTS.len(), 127);
    }
}
