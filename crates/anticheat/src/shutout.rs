//! Who is kept out of a host's games while it runs, because of a clock that ran too fast: addresses alone. Knows no file; what is
//! to hold longer stands in `bans.txt`.

use alloc::collections::VecDeque;
use core::net::IpAddr;

use mjolnir_wire::address::household;

/// So many addresses are kept out; after that the oldest may come again (CHEAT-14, ours).
pub const MAX_SHUT_OUT: usize = 1024;

/// See the file's text. Its memory grows with what is in it.
#[derive(Clone, Debug, Default)]
pub struct ShutOut {
    /// The oldest first, each once.
    households: VecDeque<IpAddr>,
}

impl ShutOut {
    /// Nobody.
    pub const fn new() -> Self {
        Self { households: VecDeque::new() }
    }

    /// Keeps an address out from now on: its whole household, of an IPv6 address. One that is already is so as the newest.
    pub fn shut_out(&mut self, address: IpAddr) {
        let household = household(address);
        self.households.retain(|other| *other != household);
        if self.households.len() == MAX_SHUT_OUT {
            self.households.pop_front();
        }
        self.households.push_back(household);
    }

    /// Whether an address is kept out (CHEAT-14).
    pub fn is_shut_out(&self, address: IpAddr) -> bool {
        self.households.contains(&household(address))
    }

    /// How many are.
    pub fn len(&self) -> usize {
        self.households.len()
    }

    /// Nobody is.
    pub fn is_empty(&self) -> bool {
        self.households.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;
    use core::net::Ipv4Addr;

    use super::*;

    fn numbered(number: usize) -> IpAddr {
        Ipv4Addr::from_bits(0x0A00_0000 + number as u32).into()
    }

    /// CHEAT-14: given one dropped and a hundred more since, it is still kept out, and another is not; with 1024 it is, with
    /// 1025 the oldest alone is not.
    #[test]
    fn who_is_shut_out_stays_out_until_a_thousand_are() {
        let mut out = ShutOut::new();
        assert!(!out.is_shut_out(numbered(0)) && out.is_empty());
        (0..=100).for_each(|number| out.shut_out(numbered(number)));
        assert!(out.is_shut_out(numbered(0)) && !out.is_shut_out(numbered(101)));
        (101..MAX_SHUT_OUT).for_each(|number| out.shut_out(numbered(number)));
        assert!((0..MAX_SHUT_OUT).all(|number| out.is_shut_out(numbered(number))));
        out.shut_out(numbered(MAX_SHUT_OUT));
        let kept: Vec<_> = (0..=MAX_SHUT_OUT).filter(|&number| !out.is_shut_out(numbered(number))).collect();
        assert_eq!((kept, out.len()), (vec![0], MAX_SHUT_OUT));
    }

    /// CHEAT-14: one that is shut out again takes no second place, and is the newest.
    #[test]
    fn who_is_shut_out_twice_takes_one_place() {
        let mut out = ShutOut::new();
        (0..MAX_SHUT_OUT).for_each(|number| out.shut_out(numbered(number)));
        out.shut_out(numbered(0));
        assert_eq!(out.len(), MAX_SHUT_OUT);
        out.shut_out(numbered(5000));
        assert!(out.is_shut_out(numbered(0)) && !out.is_shut_out(numbered(1)));
    }

    /// CHEAT-14: a mapped address is the same, another of one IPv6 network too, and one of another network is not.
    #[test]
    fn a_household_is_shut_out_as_one() {
        let mut out = ShutOut::new();
        for address in ["::ffff:10.1.2.3", "2001:db8:1:2::5"] {
            out.shut_out(address.parse().unwrap());
        }
        for (address, is_out) in
            [("10.1.2.3", true), ("10.1.2.4", false), ("2001:db8:1:2::6", true), ("2001:db8:1:3::5", false)]
        {
            assert_eq!(out.is_shut_out(address.parse().unwrap()), is_out, "{address}");
        }
    }
}
