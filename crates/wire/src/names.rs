//! Names as they are shown and as they are typed: cleaned of what does not print, players' kept apart (NET-65, CHAT-42),
//! and found by what somebody types (CHAT-47). Knows no player and no machine.

use alloc::string::String;
use core::fmt::Write;

use crate::limits::MAX_PLAYERS;
use crate::packets::player::Name;
use crate::packets::settings::LevelName;
use crate::packets::text::Wide;
use crate::packets::{NetworkPlayer, SettingsRecord};

/// Characters of a player's name.
const NAME_CHARACTERS: usize = 11;
/// What a player without a name is called.
const NAMELESS: &str = "Player";

/// The name's printable ASCII, trimmed: what a peer named so can be written to a console and a log.
pub fn clean<const N: usize>(name: &Wide<N>) -> Wide<N> {
    let kept: String = name.chars().filter(|c| matches!(c, ' '..='~') && *c != '|').collect();
    // The field keeps a place for its NUL, so the cut may fall behind a space.
    Wide::cut(cut(kept.trim(), N - 1))
}

/// A player as the host tells of it, its name cleaned again: a host can lie too.
pub fn clean_player(player: &NetworkPlayer) -> NetworkPlayer {
    NetworkPlayer { name: clean(&player.name), ..*player }
}

/// A map's name as it is shown: one that does not print is no map's.
pub fn clean_level(map: LevelName) -> LevelName {
    let is_plain = |name: &str| name.chars().all(|c| matches!(c, ' '..='~'));
    if map.as_str().is_some_and(is_plain) { map } else { LevelName::EMPTY }
}

/// Cleans the texts of a record: the game's, and the names of all who are in it.
pub fn clean_record(record: &mut SettingsRecord) {
    record.name = clean(&record.name);
    record.map = clean_level(record.map);
    record.variant.label = clean(&record.variant.label);
    record.machines.iter_mut().for_each(|machine| machine.name = clean(&machine.name));
    record.players.iter_mut().for_each(|player| player.name = clean(&player.name));
}

/// A player's name: cleaned, never empty, with a number where another has it whatever its case. Of each of the
/// others it asks once, since a machine may ask for names as fast as it sends.
pub fn own<'a>(asked: &Name, others: impl Iterator<Item = &'a Name>) -> Name {
    let [mut asked_text, mut other_text] = [[0; NAME_CHARACTERS]; 2];
    let name = match text(&clean(asked), &mut asked_text) {
        "" => NAMELESS,
        name => name,
    };
    // The first number is the name itself.
    let mut taken = [false; MAX_PLAYERS + 2];
    for other in others {
        let other = text(other, &mut other_text);
        taken[1] |= other.eq_ignore_ascii_case(name);
        if let Some(number) = number_of(other, name) {
            taken[number] = true;
        }
    }
    let number = taken.iter().skip(1).position(|taken| !taken).map_or(1, |at| at + 1);
    let mut own = String::from(name);
    if number > 1 {
        own.truncate(stem(name, digits(number)).len());
        // A string takes all that is written to it.
        let _ = write!(own, " {number}");
    }
    Name::cut(&own)
}

/// Why a typed name means no player (CHAT-47).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoMatch {
    /// Nothing but blanks was typed.
    Empty,
    /// Nobody's name begins so.
    Nobody,
    /// Several names begin so, and none is just that.
    Several,
    /// Several have that very name.
    Alike,
}

/// Whom a typed name means (CHAT-47): whose name it is, or else whose name alone begins so; of the names' plain letters,
/// in either case.
pub fn find<T>(asked: &str, players: impl Iterator<Item = (T, Name)>) -> Result<T, NoMatch> {
    let asked = asked.trim();
    if asked.is_empty() {
        return Err(NoMatch::Empty);
    }
    let (mut whole, mut begun) = (Err(NoMatch::Nobody), Err(NoMatch::Nobody));
    for (player, name) in players {
        let (found, more) = match rest_after(&name, asked) {
            Some(false) => (&mut whole, NoMatch::Alike),
            Some(true) => (&mut begun, NoMatch::Several),
            None => continue,
        };
        *found = if matches!(found, Err(NoMatch::Nobody)) { Ok(player) } else { Err(more) };
    }
    if matches!(whole, Err(NoMatch::Nobody)) { begun } else { whole }
}

/// Whether that is the name, of its plain letters and in either case (CHAT-20).
pub fn is_called(name: &Name, asked: &str) -> bool {
    rest_after(name, asked.trim()) == Some(false)
}

/// Whether the two are one name, of their plain letters and in either case (CHAT-20).
pub fn is_same(a: &Name, b: &Name) -> bool {
    plain(a.chars()).eq(plain(b.chars()))
}

/// Whether the name goes on behind that beginning of it; none where it does not begin so.
fn rest_after(name: &Name, beginning: &str) -> Option<bool> {
    let mut name = plain(name.chars());
    plain(beginning.chars()).all(|letter| name.next() == Some(letter)).then(|| name.next().is_some())
}

/// Small plain letters: those with marks without them, marks that stand alone left out, and `?` for all else (CHAT-47).
fn plain(text: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    text.filter(|letter| !matches!(letter, '\u{300}'..='\u{36F}'))
        .map(|letter| unmarked(letter).to_ascii_lowercase())
}

/// U+00C0 to U+00FF.
const LATIN_1: &[u8; 64] = b"AAAAAA?CEEEEIIII?NOOOOO?OUUUUY??aaaaaa?ceeeeiiii?nooooo?ouuuuy?y";
/// U+0100 to U+017F.
const LATIN_A: &[u8; 128] = b"AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi??JjKk?LlLlLlLlLl\
    NnNnNnn??OoOoOo??RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

fn unmarked(letter: char) -> char {
    match letter {
        ' '..='~' => letter,
        '\u{C0}'..='\u{FF}' => char::from(LATIN_1[letter as usize - 0xC0]),
        '\u{100}'..='\u{17F}' => char::from(LATIN_A[letter as usize - 0x100]),
        _ => '?',
    }
}

/// The number by which the other name is that name numbered, 2 or more.
fn number_of(other: &str, name: &str) -> Option<usize> {
    let (front, number) = other.rsplit_once(' ')?;
    let value = number.parse().ok().filter(|value| (2..MAX_PLAYERS + 2).contains(value))?;
    let is_it = digits(value) == number.len() && front.eq_ignore_ascii_case(stem(name, number.len()));
    is_it.then_some(value)
}

/// As much of the name as leaves room for a space and so many digits.
fn stem(name: &str, digits: usize) -> &str {
    cut(name, NAME_CHARACTERS - 1 - digits)
}

const fn digits(number: usize) -> usize {
    number.ilog10() as usize + 1
}

/// The first so many characters, without the space that the cut may leave at the end. The text is ASCII.
fn cut(text: &str, characters: usize) -> &str {
    text.get(..characters).unwrap_or(text).trim_end()
}

/// A cleaned name's characters.
fn text<'a>(name: &Name, room: &'a mut [u8; NAME_CHARACTERS]) -> &'a str {
    let mut length = 0;
    for (byte, unit) in room.iter_mut().zip(name.units()) {
        *byte = *unit as u8;
        length += 1;
    }
    core::str::from_utf8(&room[..length]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;
    use crate::packets::text::Chars;

    fn own_of(asked: &str, others: &[&str]) -> String {
        let others: Vec<_> = others.iter().map(|other| Name::cut(other)).collect();
        own(&Name::cut(asked), others.iter()).to_string()
    }

    /// NET-65, CHAT-42: the lowest number that leaves it its own, cut so that the number fits.
    #[test]
    fn a_name_has_the_lowest_number_that_is_free() {
        for (asked, others, given) in [
            ("Bob", &["Ann"][..], "Bob"),
            ("BOB", &["bob"], "BOB 2"),
            ("Bob", &["Bob", "Bob 3"], "Bob 2"),
            ("Bob", &["Bob", "Bob 02", "Bob +2", "Bobby 2"], "Bob 2"),
            ("Bob", &["Bob 2"], "Bob"),
            ("ABCDEFGHI 2", &["ABCDEFGHI 2"], "ABCDEFGHI 3"),
            ("ABCDEFGH IJ", &["ABCDEFGH IJ"], "ABCDEFGH 2"),
            ("", &["player"], "Player 2"),
        ] {
            assert_eq!(own_of(asked, others), given, "{asked} among {others:?}");
        }
    }

    /// NET-64, 65: a whole game of one name.
    #[test]
    fn a_game_of_one_name_is_told_apart() {
        let mut names: Vec<Name> = Vec::new();
        for number in 1..=MAX_PLAYERS {
            let name = own(&Name::cut("ABCDEFGHIJK"), names.iter());
            assert!(number == 1 || name.to_string().ends_with(&alloc::format!(" {number}")));
            names.push(name);
        }
        assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)));
    }

    /// NET-65: nothing that a console would obey is left of a name, be it a player's, a machine's, a game's or a map's.
    #[test]
    fn only_what_prints_is_left() {
        for (asked, kept) in [
            ("\u{1b}[2J\u{1b}]0;x\u{7}", "[2J]0;x"),
            (" \u{202e}a\u{200b}\r\nb|\u{9b}31m ", "ab31m"),
            ("\u{7f}\u{0085}", ""),
        ] {
            assert_eq!(clean(&Wide::<32>::cut(asked)).to_string(), kept);
        }
        let mut record = SettingsRecord::empty();
        record.name = Wide::cut("\u{1b}[2Jgame");
        record.map = Chars::new("levels\\\u{1b}[2J").unwrap();
        record.variant.label = Wide::cut("\u{7}slayer");
        clean_record(&mut record);
        assert_eq!(record.name.to_string(), "[2Jgame");
        assert_eq!(record.map.as_str(), Some(""));
        assert_eq!(record.variant.label.to_string(), "slayer");
        let spaced = alloc::format!("{}{}", "a".repeat(30), " b");
        assert_eq!(clean(&Wide::<32>::cut(&spaced)).to_string(), "a".repeat(30));
    }

    /// CHAT-42: what does not show is left out wherever it stands, the bar among it; what is empty then has a name none the
    /// less; and a number fits behind a name of eleven characters.
    #[test]
    fn a_name_is_trimmed_and_shown_whole() {
        for (asked, others, given) in [
            ("  A\u{200b}|\nlice\u{a0} ", &[][..], "Alice"),
            ("\u{200b}\u{feff}|\u{7} ", &[], "Player"),
            ("Bob", &["Bob"], "Bob 2"),
            ("BOB", &["Bob"], "BOB 2"),
            ("ABCDEFGHIJK", &["ABCDEFGHIJK"], "ABCDEFGHI 2"),
            ("", &[], "Player"),
        ] {
            assert_eq!(own_of(asked, others), given, "{asked:?} among {others:?}");
        }
    }

    fn found(asked: &str, names: &[&str]) -> Result<usize, NoMatch> {
        find(asked, names.iter().map(|name| Name::cut(name)).enumerate())
    }

    /// CHAT-47: a whole name, else one beginning, in either case, of plain letters; else why not.
    #[test]
    fn a_typed_name_means_one_player_or_nobody() {
        for (asked, names, means) in [
            ("Bob", &["Bobby", "Bob", "Ann"][..], Ok(1)),
            ("bOB", &["Bobby", "Bob", "Ann"], Ok(1)),
            (" bob ", &["Bobby", "Bob"], Ok(1)),
            ("bobb", &["Bobby", "Bob"], Ok(0)),
            ("a", &["Bobby", "Bob", "Ann"], Ok(2)),
            ("bo", &["Bob", "Bonnie"], Err(NoMatch::Several)),
            ("bo", &["Bob", "Bonnie", "Bo"], Ok(2)),
            ("bob", &["Bob", "BOB"], Err(NoMatch::Alike)),
            ("bob", &["Bob", "BOB", "bob"], Err(NoMatch::Alike)),
            ("bobbys", &["Bobby"], Err(NoMatch::Nobody)),
            ("ob", &["Bob"], Err(NoMatch::Nobody)),
            ("", &["Bob"], Err(NoMatch::Empty)),
            (" \t", &["Bob"], Err(NoMatch::Empty)),
            ("bob", &[], Err(NoMatch::Nobody)),
            ("jose", &["Jos\u{e9}"], Ok(0)),
            ("JOSE\u{301}", &["jos\u{e9}"], Ok(0)),
            ("Zlaty", &["\u{17e}lat\u{fd}"], Ok(0)),
            ("?ob", &["\u{411}ob"], Ok(0)),
            ("bob", &["\u{411}ob"], Err(NoMatch::Nobody)),
        ] {
            assert_eq!(found(asked, names), means, "{asked:?} among {names:?}");
        }
        assert!(is_called(&Name::cut("Bob 2"), " BOB 2 ") && !is_called(&Name::cut("Bob 2"), "bob"));
        assert!(
            is_same(&Name::cut("Bob"), &Name::cut("bOB")) && !is_same(&Name::cut("Bob"), &Name::cut("Bobb"))
        );
    }
}
