//! Who is behind a machine, as far as a host can tell: an address and a hardware id. Knows no slot, since a slot is soon
//! another's.

use core::net::IpAddr;

use crate::hardware::HardwareId;

/// See the file's text. Either may be unknown; neither is proof (CHEAT-28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Its real address: the endpoint of an internet peer, not its stand-in (CHEAT-32). Whole; two are alike by their
    /// [`household`](mjolnir_wire::address::household).
    pub address: Option<IpAddr>,
    /// Its hardware id.
    pub hardware: Option<HardwareId>,
}

impl Person {
    /// Whether both are known to be behind one address.
    pub fn is_neighbour(&self, other: &Self) -> bool {
        let household = |person: &Self| person.address.map(mjolnir_wire::address::household);
        household(self).is_some() && household(self) == household(other)
    }

    /// Whether both are known to be one person: by address, or by hardware id (CHEAT-60). Two of whom nothing is known are not.
    pub fn is_same(&self, other: &Self) -> bool {
        self.is_neighbour(other) || self.hardware.is_some() && self.hardware == other.hardware
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-60: one address or one id is one person; an unknown address and an unknown id are nobody's.
    #[test]
    fn one_address_or_one_id_is_one_person() {
        let of = |address: &str, id: Option<u8>| Person {
            address: address.parse().ok(),
            hardware: id.and_then(|digit| HardwareId::heard(&[digit; 32])),
        };
        for (one, other, same) in [
            (of("10.0.0.1", Some(b'a')), of("10.0.0.1", Some(b'b')), true),
            (of("10.0.0.1", Some(b'a')), of("10.0.0.2", Some(b'A')), true),
            (of("10.0.0.1", None), of("::ffff:10.0.0.1", None), true),
            (of("2001:db8::1", None), of("2001:db8::2", None), true),
            (of("2001:db8::1", None), of("2001:db8:0:1::1", None), false),
            (of("10.0.0.1", None), of("10.0.0.2", None), false),
            (of("10.0.0.1", Some(b'a')), of("10.0.0.2", Some(b'b')), false),
            (of("", None), of("", None), false),
            (of("", Some(b'a')), of("", Some(b'a')), true),
        ] {
            assert_eq!((one.is_same(&other), other.is_same(&one)), (same, same), "{one:?} {other:?}");
        }
    }
}
