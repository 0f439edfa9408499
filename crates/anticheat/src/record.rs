//! What is written of somebody who was banned, or whose clock ran too fast: a line of `bans.txt` and of `cheaters.txt`
//! (CHEAT-54). Knows no file and no clock: the time is said by whoever writes the line.

use alloc::format;
use alloc::string::String;
use core::fmt;

use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::player::Name;

use crate::person::Person;

/// Characters of the names together, and of the reason (CHEAT-54).
pub const FIELD_CHARACTERS: usize = 95;
/// What stands for something that is not known (CHEAT-54).
const NONE: &str = "none";
/// What the Discord user is marked with: a client says what it likes (CHEAT-18).
const SELF_REPORTED: &str = " (self-reported)";
/// Why the host's `ban` was (CHEAT-57).
const BANNED: &str = "banned by the host";

/// A file of lines, one for each entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// Whom the host lets in no more (CHEAT-25, 26).
    Bans,
    /// Whose clock ran too fast (CHEAT-17).
    Cheaters,
}

impl File {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Bans, Self::Cheaters];

    /// Its name, in the folder of `debug.txt`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bans => "bans.txt",
            Self::Cheaters => "cheaters.txt",
        }
    }
}

/// A time as the host's machine shows it to people; shown as `YYYY-MM-DD HH:MM:SS` (CHEAT-54).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime {
    /// 0 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second } = self;
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

/// An entry of one of the files, without its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    file: File,
    body: String,
}

impl Record {
    /// Somebody whom the host banned (CHEAT-25). The address is the whole real one, an internet peer's endpoint, and the
    /// names are those of all players of the machine.
    pub fn ban(who: &Person, user: &Identity, names: impl Iterator<Item = Name>) -> Self {
        Self { file: File::Bans, body: body(who, user, names, BANNED) }
    }

    /// Somebody dropped for a clock that ran so many times as fast as time: an entry for each file (CHEAT-17, 25, 57).
    pub fn cheater(
        who: &Person,
        user: &Identity,
        names: impl Iterator<Item = Name>,
        rate: impl Into<f64>,
    ) -> [Self; 2] {
        let body = body(who, user, names, &speed_hack(rate.into()));
        [Self { file: File::Bans, body: body.clone() }, Self { file: File::Cheaters, body }]
    }

    /// Somebody whose clock is known to run so fast by datagrams alone: nobody is banned for it (CHEAT-15, 51).
    pub fn unverified(
        who: &Person,
        user: &Identity,
        names: impl Iterator<Item = Name>,
        rate: impl Into<f64>,
    ) -> Self {
        let why = format!("{}, unverified", speed_hack(rate.into()));
        Self { file: File::Cheaters, body: body(who, user, names, &why) }
    }

    /// The file whose line it is.
    pub const fn file(&self) -> File {
        self.file
    }

    /// The line from `ip=` on, without its end. It refuses at a join whom the line will ([`find`](crate::bans::find)).
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The whole line of that time, without its end.
    pub fn line(&self, time: LocalTime) -> String {
        format!("{time}\t{}", self.body)
    }
}

/// Why somebody with such a clock was dropped; the rate to two decimals (CHEAT-57).
fn speed_hack(rate: f64) -> String {
    format!("speed hack ({rate:.2} times as fast as time)")
}

/// The fields behind the time. The address and the id come first, so that no name can stand in their place.
fn body(who: &Person, user: &Identity, names: impl Iterator<Item = Name>, why: &str) -> String {
    let mut line = String::from("ip=");
    match who.address {
        Some(address) => push(&mut line, &format!("{}", address.to_canonical())),
        None => push(&mut line, NONE),
    }
    line.push_str("\thwid=");
    push(&mut line, who.hardware.as_ref().map_or(NONE, |id| id.as_str()));
    line.push_str("\tdiscord_username=");
    match user.name() {
        "" => push(&mut line, NONE),
        name => {
            push(&mut line, name);
            line.push_str(SELF_REPORTED);
        }
    }
    line.push_str("\tdiscord_id=");
    push(&mut line, if user.id().is_empty() { NONE } else { user.id() });
    line.push_str("\tplayers=");
    let mut players = String::new();
    for name in names {
        if !players.is_empty() {
            players.push_str(", ");
        }
        players.extend(name.chars());
    }
    push(&mut line, &players);
    line.push_str("\treason=");
    push(&mut line, why);
    line
}

/// Appends as much of a field as there is room for.
fn push(line: &mut String, field: &str) {
    line.extend(field.chars().map(printable).take(FIELD_CHARACTERS));
}

/// `?` for all that is not printable ASCII: no tab ends a field, and no end of line an entry.
fn printable(character: char) -> char {
    if matches!(character, ' '..='~') { character } else { '?' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bans::{MAX_LINE, find};
    use crate::hardware::HardwareId;

    const TIME: LocalTime = LocalTime { year: 2026, month: 3, day: 7, hour: 9, minute: 5, second: 0 };

    fn names<'a>(of: &'a [&str]) -> impl Iterator<Item = Name> + 'a {
        of.iter().map(|name| Name::cut(name))
    }

    fn bob() -> Person {
        let hardware = HardwareId::heard(b"0123456789ABCDEF0123456789abcdef");
        Person { address: "1.2.3.4".parse().ok(), hardware }
    }

    /// CHEAT-54, 18, 25, 57: a full entry, byte for byte: tabs between the fields, the Discord user marked, the reason.
    #[test]
    fn a_full_entry() {
        let user = Identity::new("123456789012345678", "Bob.the_1st");
        let record = Record::ban(&bob(), &user, names(&["Bob", "Bobs guest"]));
        assert_eq!(record.file(), File::Bans);
        assert_eq!(
            record.line(TIME),
            "2026-03-07 09:05:00\tip=1.2.3.4\thwid=0123456789abcdef0123456789abcdef\t\
             discord_username=Bob.the_1st (self-reported)\tdiscord_id=123456789012345678\t\
             players=Bob, Bobs guest\treason=banned by the host"
        );
    }

    /// CHEAT-54, 18: an entry of somebody of whom nothing is known, byte for byte; nobody's word is marked.
    #[test]
    fn an_empty_entry() {
        let record = Record::ban(&Person::default(), &Identity::NONE, names(&[]));
        assert_eq!(
            record.line(TIME),
            "2026-03-07 09:05:00\tip=none\thwid=none\tdiscord_username=none\tdiscord_id=none\t\
             players=\treason=banned by the host"
        );
    }

    /// CHEAT-57, 17: a cheater is written to both files, alike, with the rate to two decimals.
    #[test]
    fn a_cheater_stands_in_both_files() {
        let both = Record::cheater(&bob(), &Identity::NONE, names(&["Bob"]), 1.2345_f64);
        assert_eq!(both.each_ref().map(Record::file), File::ALL);
        for record in both {
            assert_eq!(
                record.line(TIME),
                "2026-03-07 09:05:00\tip=1.2.3.4\thwid=0123456789abcdef0123456789abcdef\t\
                 discord_username=none\tdiscord_id=none\tplayers=Bob\t\
                 reason=speed hack (1.23 times as fast as time)"
            );
        }
    }

    /// CHEAT-17, 51: what datagrams alone say is written to `cheaters.txt`, as unverified.
    #[test]
    fn an_unverified_one_says_so() {
        let record = Record::unverified(&bob(), &Identity::NONE, names(&["Bob"]), 2.0_f32);
        assert_eq!(record.file(), File::Cheaters);
        assert!(record.body().ends_with("\treason=speed hack (2.00 times as fast as time), unverified"));
    }

    /// CHEAT-54: a tab, an end of line and a letter with marks are `?`; five long names are cut at 95 characters.
    #[test]
    fn what_does_not_print_is_a_question_mark() {
        let players = |of: &[&str]| {
            let record = Record::ban(&bob(), &Identity::NONE, names(of));
            let field = record.body().split('\t').find_map(|field| field.strip_prefix("players="));
            String::from(field.unwrap())
        };
        assert_eq!(players(&["a\tb", "c\nd\r", "\u{e9}\u{1F600}\u{7f}~ "]), "a?b, c?d?, ???~ ");
        let eleven = "abcdefghijk";
        // Seven names of 11 and the commas between them are 89: 4 more of a whole one, as the cut has it.
        assert_eq!(players(&[eleven; 7]).len(), 89);
        assert_eq!(players(&[eleven; 8]), format!("{}, abcd", [eleven; 7].join(", ")));
        assert_eq!(players(&[eleven; 8]).len(), FIELD_CHARACTERS);
    }

    /// CHEAT-54: a field takes 95 characters and no 96th.
    #[test]
    fn a_field_is_cut_at_95() {
        for (length, kept) in [(94, 94), (95, 95), (96, 95)] {
            let mut line = String::new();
            push(&mut line, &"x".repeat(length));
            assert_eq!(line.len(), kept);
        }
    }

    /// CHEAT-54, 55: the longest entry is short enough to be matched, at its address in IPv6 too.
    #[test]
    fn the_longest_entry_is_matched() {
        let who = Person { address: "2001:db8:1111:2222:3333:4444:5555:6666".parse().ok(), ..bob() };
        let user = Identity::new(&"1".repeat(23), &"n".repeat(39));
        let record = Record::cheater(&who, &user, names(&["abcdefghijk"; 8]), 1e300_f64);
        let line = record[0].line(TIME);
        assert!(line.len() <= MAX_LINE, "{}", line.len());
        assert_eq!(find(line.as_bytes(), who.address, None), Some(1));
        assert_eq!(find(line.as_bytes(), None, who.hardware.as_ref()), Some(1));
    }

    /// CHEAT-55, 25: what a player calls itself bans nobody else, whether its own address is known or not.
    #[test]
    fn a_name_bans_nobody() {
        for who in [bob(), Person::default()] {
            let named = Record::ban(&who, &Identity::NONE, names(&["ip=9.9.9.9", "hwid=ff"]));
            assert_eq!(find(named.body().as_bytes(), "9.9.9.9".parse().ok(), None), None, "{}", named.body());
        }
    }

    /// CHEAT-54, 32: an IPv4 address that came mapped into IPv6 is written as what it is.
    #[test]
    fn a_mapped_address_is_written_as_ipv4() {
        let who = Person { address: "::ffff:1.2.3.4".parse().ok(), hardware: None };
        assert!(Record::ban(&who, &Identity::NONE, names(&[])).body().starts_with("ip=1.2.3.4\thwid=none\t"));
    }
}
