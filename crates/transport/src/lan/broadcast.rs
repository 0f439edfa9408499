//! Where searches and advertisements go when they are for everybody (NET-52). Knows addresses, no socket.

use alloc::vec::Vec;
use core::net::{Ipv4Addr, SocketAddr};

use crate::limits::BROADCAST_ADDRESSES;

/// A list of addresses, each of which hears what is broadcast; at most [`BROADCAST_ADDRESSES`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broadcast(Vec<Ipv4Addr>);

/// What of a list of addresses was not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unusable {
    /// Entries that are no IPv4 address.
    pub unreadable: usize,
    /// Addresses past the most there may be.
    pub past_most: usize,
}

impl Broadcast {
    /// Nobody: a game that is not told of. Searches are answered all the same.
    pub const fn nobody() -> Self {
        Self(Vec::new())
    }

    /// Everybody on the network, by 255.255.255.255.
    pub fn everybody() -> Self {
        Self([Ipv4Addr::BROADCAST].into())
    }

    /// Reads addresses with commas between them, which then stand in place of 255.255.255.255; without any it is
    /// [`Broadcast::everybody`]. An address that comes twice is taken once.
    pub fn parse(list: &str) -> (Self, Unusable) {
        let mut this = Self::nobody();
        let mut unusable = Unusable::default();
        for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            match entry.parse() {
                Ok(address) => unusable.past_most += usize::from(!this.add(address)),
                Err(_) => unusable.unreadable += 1,
            }
        }
        if this.0.is_empty() {
            this = Self::everybody();
        }
        (this, unusable)
    }

    /// Adds an address, if it is not there yet. Whether it is there now: not one past the most.
    pub fn add(&mut self, address: Ipv4Addr) -> bool {
        if self.0.contains(&address) {
            return true;
        }
        let has_room = self.0.len() < BROADCAST_ADDRESSES;
        if has_room {
            self.0.push(address);
        }
        has_room
    }

    /// The addresses, in order.
    pub fn addresses(&self) -> &[Ipv4Addr] {
        &self.0
    }

    /// The same with a port.
    pub fn at(&self, port: u16) -> impl Iterator<Item = SocketAddr> {
        self.0.iter().map(move |address| SocketAddr::new((*address).into(), port))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    /// NET-52: a list stands in place of 255.255.255.255, which may be in it; the 257th address is one too many.
    #[test]
    fn a_list_stands_in_place_of_everybody() {
        let all = |list: &str| Broadcast::parse(list).0.addresses().to_vec();
        assert_eq!(all(""), [Ipv4Addr::BROADCAST]);
        assert_eq!(all(" , "), [Ipv4Addr::BROADCAST]);
        assert_eq!(all("10.0.0.7, 10.0.1.7,10.0.0.7"), [[10, 0, 0, 7].into(), Ipv4Addr::from([10, 0, 1, 7])]);
        assert_eq!(all("10.0.0.7,255.255.255.255"), [[10, 0, 0, 7].into(), Ipv4Addr::BROADCAST]);

        let many =
            |count: u16| -> String { (0..count).map(|i| format!("10.0.{}.{},", i >> 8, i & 255)).collect() };
        let (list, unusable) = Broadcast::parse(&many(256));
        assert_eq!((list.addresses().len(), unusable), (256, Unusable::default()));
        let (list, unusable) = Broadcast::parse(&(many(257) + "nonsense,::1,10.0.0.1"));
        assert_eq!((list.addresses().len(), unusable), (256, Unusable { unreadable: 2, past_most: 1 }));
    }
}
