//! Whether a list of bans refuses a machine (CHEAT-26, 55). Knows no file: a list is any bytes, and no byte of it is wrong.
//!
//! A line refuses by the first `ip=` on it, wherever that stands, or by the first `hwid=`; so there are no comments. An
//! address is read as one, so that IPv4 mapped into IPv6 is IPv4, and one of IPv6 stands for its whole household. Lines are
//! independent of each other: one that is half, too long or nonsense costs nothing but itself.

use core::net::IpAddr;

use mjolnir_wire::address::household;

use crate::hardware::HardwareId;

/// Bytes of the longest line that is matched, its end (`\n` or `\r\n`) not counted (CHEAT-55).
pub const MAX_LINE: usize = 511;
/// The longest line and the `\r` of its end.
const KEPT: usize = MAX_LINE + 1;

/// The number, from 1, of the first line that refuses a machine of that whole real address or that id. Allocates nothing.
pub fn find(text: &[u8], address: Option<IpAddr>, hardware: Option<&HardwareId>) -> Option<usize> {
    let mut search = Search::new(address, hardware.copied());
    search.feed(text);
    search.end()
}

/// [`find`] in a text that comes in pieces, cut anywhere.
#[derive(Clone, Debug)]
pub struct Search {
    wanted: Wanted,
    /// The line that is not ended yet: its length, and as much of it as could still be matched.
    length: usize,
    part: [u8; KEPT],
    /// Lines ended so far.
    lines: usize,
    found: Option<usize>,
}

impl Search {
    /// Before the first piece.
    pub fn new(address: Option<IpAddr>, hardware: Option<HardwareId>) -> Self {
        let wanted = Wanted { household: address.map(household), hardware };
        Self { wanted, length: 0, part: [0; KEPT], lines: 0, found: None }
    }

    /// Takes the next piece.
    pub fn feed(&mut self, mut piece: &[u8]) {
        if self.found.is_some() || self.wanted.is_nobody() {
            return;
        }
        while let Some(end) = end_of_line(piece) {
            let (line, rest) = (&piece[..end], &piece[end + 1..]);
            let refuses = if self.length == 0 {
                self.wanted.refuses(line)
            } else {
                self.keep(line);
                self.refuses_kept()
            };
            self.length = 0;
            self.lines = self.lines.saturating_add(1);
            if refuses {
                self.found = Some(self.lines);
                return;
            }
            piece = rest;
        }
        self.keep(piece);
    }

    /// Once all was fed: the first line that refuses, if one does; the last needs no end.
    pub fn end(&self) -> Option<usize> {
        self.found.or_else(|| self.refuses_kept().then(|| self.lines.saturating_add(1)))
    }

    fn keep(&mut self, more: &[u8]) {
        let room = self.part.get_mut(self.length..).unwrap_or_default();
        for (place, byte) in room.iter_mut().zip(more) {
            *place = *byte;
        }
        self.length = self.length.saturating_add(more.len());
    }

    fn refuses_kept(&self) -> bool {
        self.part.get(..self.length).is_some_and(|line| self.wanted.refuses(line))
    }
}

#[derive(Clone, Copy, Debug)]
struct Wanted {
    household: Option<IpAddr>,
    hardware: Option<HardwareId>,
}

impl Wanted {
    /// Nothing is known of it that a line could name.
    fn is_nobody(&self) -> bool {
        self.household.is_none() && self.hardware.is_none()
    }

    fn refuses(&self, line: &[u8]) -> bool {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE {
            return false;
        }
        let (mut address, mut id) = (None, None);
        for (at, byte) in line.iter().enumerate() {
            if *byte != b'=' {
                continue;
            }
            let field = if line[..at].ends_with(b"ip") {
                &mut address
            } else if line[..at].ends_with(b"hwid") {
                &mut id
            } else {
                continue;
            };
            field.get_or_insert(&line[at + 1..]);
            if address.is_some() && id.is_some() {
                break;
            }
        }
        address.is_some_and(|from| self.is_address(value(from)))
            || id.is_some_and(|from| self.is_id(value(from)))
    }

    fn is_address(&self, written: &[u8]) -> bool {
        let Some(wanted) = self.household else { return false };
        let written = core::str::from_utf8(written).ok().and_then(|text| text.parse::<IpAddr>().ok());
        written.is_some_and(|address| household(address) == wanted)
    }

    /// In either case: whoever writes by hand may write capitals.
    fn is_id(&self, written: &[u8]) -> bool {
        self.hardware.is_some_and(|id| written.eq_ignore_ascii_case(id.as_str().as_bytes()))
    }
}

/// A field's value: up to a tab, a blank or an end of line (CHEAT-55).
fn value(from: &[u8]) -> &[u8] {
    let end = from.iter().position(|byte| matches!(byte, b'\t' | b' ' | b'\r')).unwrap_or(from.len());
    &from[..end]
}

/// Where the next `\n` stands. Whole blocks are looked through at once, which a compiler does with wide registers.
fn end_of_line(text: &[u8]) -> Option<usize> {
    const BLOCK: usize = 32;
    let mut at = 0;
    for block in text.chunks(BLOCK) {
        if block.iter().fold(false, |any, byte| any | (*byte == b'\n')) {
            return block.iter().position(|byte| *byte == b'\n').map(|within| at + within);
        }
        at += block.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    fn by_address(text: &str, address: &str) -> Option<usize> {
        find(text.as_bytes(), Some(address.parse().unwrap()), None)
    }

    fn by_id(text: &str, id: &str) -> Option<usize> {
        find(text.as_bytes(), None, HardwareId::heard(id.as_bytes().try_into().unwrap()).as_ref())
    }

    /// CHEAT-55: the first `ip=` is the whole address, up to a tab, a blank, the line's end or the text's; nothing is a
    /// comment.
    #[test]
    fn an_address_is_matched_whole() {
        for (text, found) in [
            ("ip=1.2.3.4", Some(1)),
            ("ip=1.2.3.4\n", Some(1)),
            ("ip=1.2.3.4\r\n", Some(1)),
            ("ip=1.2.3.4\thwid=none", Some(1)),
            ("ip=1.2.3.4 as a note", Some(1)),
            ("# since May ip=1.2.3.4", Some(1)),
            ("\u{feff}ip=1.2.3.4", Some(1)),
            ("\n\nip=9.9.9.9\nip=1.2.3.4\nip=1.2.3.4", Some(4)),
            ("ip=1.2.3.4.", None),
            ("ip=1.2.3.40", None),
            ("ip=11.2.3.4", None),
            ("ip=1.2.3", None),
            ("ip=1.2.3.4:5150", None),
            ("ip=1.2.3.4\0", None),
            ("ip= 1.2.3.4", None),
            ("ip =1.2.3.4", None),
            ("IP=1.2.3.4", None),
            ("1.2.3.4", None),
            ("ip=none\tip=1.2.3.4", None),
            ("ip=\tip=1.2.3.4", None),
            ("ip=9.9.9.9 ip=1.2.3.4", None),
            ("ip=1.2.\n3.4", None),
            ("", None),
        ] {
            assert_eq!(by_address(text, "1.2.3.4"), found, "{text:?}");
        }
        assert_eq!(by_address("ip=1.2.3.40", "1.2.3.40"), Some(1));
    }

    /// CHEAT-55: the first `hwid=` is the whole id; `none` is nobody's, and a machine without an id is accepted.
    #[test]
    fn an_id_is_matched_whole() {
        for (text, found) in [
            (format!("hwid={ID}"), Some(1)),
            (format!("ip=9.9.9.9\thwid={ID}\treason=x"), Some(1)),
            (format!("hwid={} \n", ID.to_uppercase()), Some(1)),
            (format!("hwid={ID}0"), None),
            (format!("hwid={}", &ID[..31]), None),
            (format!("hwid=none hwid={ID}"), None),
            (format!("id={ID}"), None),
        ] {
            assert_eq!(by_id(&text, ID), found, "{text:?}");
        }
        for nobody in ["hwid=none", "hwid=", "ip=none\thwid=none", "ip=\thwid="] {
            assert_eq!(find(nobody.as_bytes(), None, None), None);
            assert_eq!(by_address(nobody, "1.2.3.4"), None);
            assert_eq!(by_id(nobody, &"0".repeat(32)), None);
        }
    }

    /// CHEAT-26, 28, 55: either is enough: a banned address with another id, a banned id at another address, and everybody
    /// behind that address; an entry without an id bans by its address alone.
    #[test]
    fn either_is_enough() {
        let line = format!("2026-01-01 00:00:00\tip=1.2.3.4\thwid={ID}\tplayers=Bob\n");
        let other = HardwareId::heard(&[b'e'; 32]);
        let own = HardwareId::heard(ID.as_bytes().try_into().unwrap());
        for (address, id, found) in [
            ("1.2.3.4", own, Some(1)),
            ("1.2.3.4", other, Some(1)),
            ("1.2.3.4", None, Some(1)),
            ("5.6.7.8", own, Some(1)),
            ("5.6.7.8", other, None),
            ("5.6.7.8", None, None),
        ] {
            assert_eq!(find(line.as_bytes(), address.parse().ok(), id.as_ref()), found, "{address} {id:?}");
        }
        let without = b"ip=1.2.3.4\thwid=none\n";
        assert_eq!(find(without, "1.2.3.4".parse().ok(), own.as_ref()), Some(1));
        assert_eq!(find(without, "5.6.7.8".parse().ok(), None), None);
    }

    /// CHEAT-55: a mapped address is what is mapped, in the list and at the join; an address of IPv6 stands for its first half
    /// (its household), since who has it can choose the other.
    #[test]
    fn other_writings_of_an_address() {
        for (written, joining, refused) in [
            ("127.0.0.2", "::ffff:127.0.0.2", true),
            ("::ffff:127.0.0.2", "127.0.0.2", true),
            ("::FFFF:7f00:2", "127.0.0.2", true),
            ("127.0.0.2", "::ffff:127.0.0.3", false),
            ("2001:db8:1:2::5", "2001:db8:1:2::6", true),
            ("2001:0DB8:1:2::", "2001:db8:1:2:ffff::1", true),
            ("2001:db8:1:2::5", "2001:db8:1:3::5", false),
            ("::1", "::1", true),
            ("::1", "127.0.0.1", false),
            ("0.0.0.0", "127.0.0.1", false),
        ] {
            let found = by_address(&format!("ip={written}\n"), joining);
            assert_eq!(found, refused.then_some(1), "{written} {joining}");
        }
    }

    /// CHEAT-55: a line of 511 characters is matched and one of 512 is not, whatever ends it; what stands behind it is.
    #[test]
    fn a_line_of_512_is_not_matched() {
        for end in ["", "\n", "\r\n", "\n\n", "\r\nip=7.7.7.7"] {
            for (length, found) in [(510, Some(1)), (511, Some(1)), (512, None), (513, None), (1 << 20, None)]
            {
                let mut line = String::from("ip=1.2.3.4 ");
                line.extend(core::iter::repeat_n('x', length - line.len()));
                line.push_str(end);
                assert_eq!(by_address(&line, "1.2.3.4"), found, "{length} {end:?}");
            }
        }
        let mut text = "x".repeat(1 << 20);
        text.push_str("\nip=1.2.3.4");
        assert_eq!(by_address(&text, "1.2.3.4"), Some(2));
        // All in one line is in none.
        assert_eq!(by_address(&text.replace('\n', " "), "1.2.3.4"), None);
    }

    /// CHEAT-55: however a list is cut into pieces, the same line is found.
    #[test]
    fn pieces_are_as_the_whole() {
        let long = "y".repeat(600);
        let text = format!("x\r\n{long} ip=1.2.3.4\nip=1.2.3.4\thwid={ID}\r\n\nhwid={ID}");
        let (bans, id) = (text.as_bytes(), HardwareId::heard(ID.as_bytes().try_into().unwrap()));
        for (address, id, found) in
            [("1.2.3.4", None, Some(3)), ("9.9.9.9", id, Some(3)), ("9.9.9.9", None, None)]
        {
            let address = address.parse().ok();
            assert_eq!(find(bans, address, id.as_ref()), found);
            for size in (1..40).chain([511, 512, 513, 600, 700]) {
                let mut search = Search::new(address, id);
                bans.chunks(size).for_each(|piece| search.feed(piece));
                assert_eq!(search.end(), found, "pieces of {size}");
            }
            for cut in 0..bans.len() {
                let mut search = Search::new(address, id);
                search.feed(&bans[..cut]);
                search.feed(&bans[cut..]);
                assert_eq!(search.end(), found, "cut at {cut}");
            }
        }
    }

    /// CHEAT-55, 26: no bytes hide a whole line from a join, and none make one up: random junk before and behind it, with
    /// NULs, halves of lines and of fields.
    #[test]
    fn junk_costs_nothing_but_itself() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let bits: [&[u8]; 9] =
            [b"ip=", b"hwid=", b"\n", b"\r", b"\0", b"1.2.3.4", b"\xFF\xFE", b" ", ID.as_bytes()];
        for round in 0..2_000 {
            let mut junk = |lines: bool| -> Vec<u8> {
                let mut bytes = Vec::new();
                for _ in 0..next(40) {
                    match next(12) {
                        bit @ 0..=8 if lines || bits[bit] != b"\n" => bytes.extend_from_slice(bits[bit]),
                        _ => bytes.push(next(256) as u8),
                    }
                }
                bytes
            };
            let (before, behind) = (junk(true), junk(true));
            let (address, other) = ("4.3.2.1".parse().ok(), "8.8.4.4".parse().ok());
            let text = [&before[..], b"\nip=4.3.2.1\thwid=none\n", &behind].concat();
            let number = before.iter().filter(|byte| **byte == b'\n').count() + 2;
            assert_eq!(find(&text, address, None), Some(number), "round {round}");
            assert_eq!(find(&text, other, None), None, "round {round}");
        }
    }

    /// CHEAT-26: a list of a hundred thousand lines is searched to its end without an allocation.
    #[test]
    fn a_long_list_is_searched_without_allocating() {
        let line = |n: u32| {
            format!("2026-01-01 00:00:00\tip=10.{}.{}.{}\thwid=none\n", n >> 16, n >> 8 & 255, n & 255)
        };
        let mut text: String = (0..100_000).map(line).collect();
        text.push_str("ip=1.2.3.4\n");
        let mut found = None;
        let counted = allocation_counter::measure(|| found = by_address(&text, "1.2.3.4"));
        assert_eq!((found, counted.count_total), (Some(100_001), 0));
    }
}
