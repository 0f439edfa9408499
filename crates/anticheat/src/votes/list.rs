//! Who is remembered for a time: kept out, cooling down, or protected (CHEAT-37, 38, 61). By person, since a machine's index and
//! a slot are soon another's, and leaving ends nothing. Knows not what for.

use alloc::vec::Vec;

use mjolnir_wire::Moment;

use super::who::Who;

/// Persons that a list holds (CHEAT-61).
pub const REMEMBERED: usize = 32;

/// See the file's text. In the order in which they were added; the oldest makes room for one more.
#[derive(Debug)]
pub struct Remembered(Vec<(Who, Moment)>);

impl Remembered {
    /// Of nobody.
    pub(super) fn new() -> Self {
        Self(Vec::with_capacity(REMEMBERED))
    }

    /// Remembers that person until then. One of whom nothing is known would never be known again, and would push out one who
    /// would.
    pub(super) fn add(&mut self, now: Moment, who: Who, until: Moment) {
        if !who.is_known() {
            return;
        }
        self.0.retain(|(other, end)| *end > now && *other != who);
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push((who, until));
    }

    /// Microseconds for which that person is still remembered: 0 of one who is not.
    pub fn left(&self, now: Moment, who: &Who) -> u64 {
        let same = self.0.iter().filter(|(other, _)| other.is_same(who));
        same.map(|(_, until)| until.since(now)).max().unwrap_or(0)
    }

    /// How many are remembered at that time, 0..=[`REMEMBERED`].
    pub fn len(&self, now: Moment) -> usize {
        self.0.iter().filter(|(_, until)| *until > now).count()
    }

    /// Whether nobody is.
    pub fn is_empty(&self, now: Moment) -> bool {
        self.len(now) == 0
    }
}

#[cfg(test)]
mod tests {
    use core::net::Ipv4Addr;

    use super::*;
    use crate::hardware::HardwareId;
    use crate::person::Person;

    fn at(number: u32, id: Option<u8>) -> Who {
        let address = (number > 0).then(|| Ipv4Addr::from_bits(0x0A00_0000 + number).into());
        Who::Guest(Person { address, hardware: id.and_then(|digit| HardwareId::heard(&[digit; 32])) })
    }

    const fn seconds(of: u64) -> Moment {
        Moment::from_micros(of * Moment::SECOND)
    }

    /// CHEAT-61: the thirty-third pushes out the first, and nobody else.
    #[test]
    fn the_oldest_makes_room() {
        let mut list = Remembered::new();
        for number in 1..=32 {
            list.add(seconds(0), at(number, None), seconds(100));
        }
        assert_eq!((list.len(seconds(0)), list.left(seconds(0), &at(1, None))), (32, 100_000_000));
        list.add(seconds(0), at(33, None), seconds(100));
        let left = |number| list.left(seconds(0), &at(number, None));
        assert_eq!((list.len(seconds(0)), left(1), left(2), left(33)), (32, 0, 100_000_000, 100_000_000));
    }

    /// CHEAT-61: who is added again is newest and stands once; who is over makes room before anybody who is not; who cannot be
    /// known again takes no room.
    #[test]
    fn room_is_for_who_counts() {
        let mut list = Remembered::new();
        for number in 1..=32 {
            list.add(seconds(0), at(number, None), seconds(if number == 9 { 5 } else { 100 }));
        }
        list.add(seconds(1), at(1, None), seconds(200));
        list.add(seconds(1), at(0, None), seconds(200));
        assert_eq!(list.len(seconds(1)), 32);
        list.add(seconds(5), at(40, None), seconds(100));
        assert_eq!((list.len(seconds(5)), list.left(seconds(5), &at(2, None))), (32, 95_000_000));
        list.add(seconds(5), at(41, None), seconds(100));
        let left = |number| list.left(seconds(5), &at(number, None));
        assert_eq!((list.len(seconds(5)), left(2), left(3), left(1)), (32, 0, 95_000_000, 195_000_000));
    }

    /// CHEAT-37, 38, 60: by either of address and hardware id, the longer of two that match, over at the very moment.
    #[test]
    fn a_person_is_known_by_either() {
        let mut list = Remembered::new();
        list.add(seconds(0), at(1, Some(b'a')), seconds(10));
        list.add(seconds(0), at(2, Some(b'b')), seconds(20));
        for (who, left) in [
            (at(1, None), 10),
            (at(9, Some(b'a')), 10),
            (at(1, Some(b'b')), 20),
            (at(9, Some(b'c')), 0),
            (at(9, None), 0),
            (at(0, None), 0),
            (Who::Host, 0),
        ] {
            assert_eq!(list.left(seconds(0), &who), left * Moment::SECOND, "{who:?}");
        }
        assert_eq!(list.left(Moment::from_micros(9_999_999), &at(1, None)), 1);
        assert_eq!((list.left(seconds(10), &at(1, None)), list.is_empty(seconds(20))), (0, true));
    }
}
