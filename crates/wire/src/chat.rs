//! Chat as it travels (kinds 83 to 85): lines, notices, the host's settings. The document names the messages, no public
//! source their bytes: these layouts are ours.
//!
//! It checks what the bytes alone can say. Whose a player is, who hears what and how often it may be said are checked where
//! the game is known.

use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
use crate::ids::Slot;
use crate::layout::{Bits, layout};
use crate::limits::CHAT_CHARACTERS;
use crate::message::Message;

/// Bytes of a text's field: its characters and a NUL.
const FIELD: usize = CHAT_CHARACTERS + 1;
/// What stands for a character that a line may not have (CHAT-06).
const REPLACEMENT: u8 = b'?';

const TEAM: u8 = 1 << 0;
const VEHICLE: u8 = 1 << 1;
const NOTICE: u8 = 1 << 2;

const ON: u8 = 1 << 0;
const LINKS: u8 = 1 << 1;

/// What is said: at most [`CHAT_CHARACTERS`] characters of printable ASCII (0x20..=0x7E) without the bar, which draws as the
/// beginning of a code (CHAT-06). It may be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Zeros behind the text.
    bytes: [u8; FIELD],
    length: u8,
}

impl Text {
    /// That text, cleaned and cut: each character that a line may not have is a `?`.
    pub fn new(text: &str) -> Self {
        Self::of(text.chars().map(|character| u8::try_from(character).unwrap_or(REPLACEMENT)))
    }

    /// The field's bytes before their NUL, cleaned and cut (WIRE-97).
    fn read(bytes: &[u8]) -> Self {
        Self::of(bytes.iter().copied().take_while(|byte| *byte != 0))
    }

    fn of(characters: impl Iterator<Item = u8>) -> Self {
        let (mut bytes, mut length) = ([0; FIELD], 0);
        for (byte, character) in bytes[..CHAT_CHARACTERS].iter_mut().zip(characters) {
            *byte =
                if matches!(character, b' '..=b'~') && character != b'|' { character } else { REPLACEMENT };
            length += 1;
        }
        Self { bytes, length }
    }

    /// Its characters, ASCII all of them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        // What it holds is ASCII.
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Whether it is empty or blanks alone (CHAT-07).
    pub fn is_blank(&self) -> bool {
        self.as_bytes().iter().all(|byte| *byte == b' ')
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// For whom a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Everyone.
    All,
    /// The speaker's team.
    Team,
    /// Who rides in the speaker's vehicle.
    Vehicle,
}

impl Channel {
    const fn read(flags: u8) -> Result<Self, Error> {
        match flags & (TEAM | VEHICLE) {
            0 => Ok(Self::All),
            TEAM => Ok(Self::Team),
            VEHICLE => Ok(Self::Vehicle),
            _ => Err(Error::BadFlag),
        }
    }

    const fn flags(self) -> u8 {
        match self {
            Self::All => 0,
            Self::Team => TEAM,
            Self::Vehicle => VEHICLE,
        }
    }
}

/// A line that a player says. Its text may be blank: who takes it refuses that (CHAT-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who says it.
    pub slot: Slot,
    /// For whom.
    pub channel: Channel,
    /// What.
    pub text: Text,
}

impl Line {
    /// Checks an entry of kind 83 that came: a player, a channel. The bit of a notice is not read (CHAT-23).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::of(&ChatLineEntry::read(bytes)?)
    }

    /// The entry of a kind 83 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    fn of(raw: &ChatLineEntry) -> Result<Self, Error> {
        let channel = Channel::read(raw.flags)?;
        Ok(Self { slot: Slot::read(raw.player)?, channel, text: Text::read(&raw.text) })
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Self { slot, channel, text } = self;
        ChatLineEntry { player: slot.get(), flags: channel.flags(), text: text.bytes }.write(to);
    }
}

/// What the host has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Down {
    /// A player's line.
    Line(Line),
    /// The host's own word: its text alone, of nobody (CHAT-23).
    Notice(Text),
}

impl Down {
    /// Checks an entry of kind 84 that came: a line of a player, or a notice of none; a notice's channel is not read.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ChatLineEntry::read(bytes)?;
        if raw.flags & NOTICE == 0 {
            return Line::of(&raw).map(Self::Line);
        }
        Channel::read(raw.flags)?;
        match Slot::read_or_none(raw.player)? {
            None => Ok(Self::Notice(Text::read(&raw.text))),
            Some(_) => Err(Error::BadIndex),
        }
    }

    /// The entry of a kind 84 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        match self {
            Self::Line(line) => line.write(to),
            Self::Notice(text) => {
                ChatLineEntry { player: Slot::byte_or_none(None), flags: NOTICE, text: text.bytes }.write(to);
            }
        }
    }
}

/// What a host lets its players say (CHAT-28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Settings {
    /// Nothing.
    #[default]
    Off,
    /// All but links.
    On,
    /// Links too.
    Links,
}

impl Settings {
    /// An entry of kind 85 that came: any byte is one. Links without the chat are no chat.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let flags = ChatConfigEntry::read(bytes)?.flags;
        Ok(match (flags & ON != 0, flags & LINKS != 0) {
            (false, _) => Self::Off,
            (true, false) => Self::On,
            (true, true) => Self::Links,
        })
    }

    /// The entry of a kind 85 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(self, to: &mut Vec<u8>) {
        let flags = match self {
            Self::Off => 0,
            Self::On => ON,
            Self::Links => ON | LINKS,
        };
        ChatConfigEntry { flags }.write(to);
    }
}

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[
    ("chat_line.flags", &[("team", TEAM as u32), ("vehicle", VEHICLE as u32), ("notice", NOTICE as u32)]),
    ("chat_config.flags", &[("on", ON as u32), ("links", LINKS as u32)]),
];

layout! {
    /// A line: the entry of kinds 83 and 84 (WIRE-47, 97).
    pub struct ChatLineEntry = 66 {
        /// Who says it; 0xFF in a notice.
        player: u8 = 0,
        /// Bit 0 team, 1 vehicle, neither everyone, 2 notice.
        flags: u8 = 1,
        /// At most 63 printable ASCII characters and a NUL, the rest zero.
        text: [u8; 64] = 2,
    }

    /// The host's settings: the entry of kind 85 (WIRE-47).
    pub struct ChatConfigEntry = 1 {
        /// Bit 0 chat on, 1 links allowed.
        flags: u8 = 0,
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;

    use super::*;

    fn entry(player: u8, flags: u8, text: &[u8]) -> Vec<u8> {
        let mut field = [0; FIELD];
        field[..text.len()].copy_from_slice(text);
        let mut bytes = Vec::new();
        ChatLineEntry { player, flags, text: field }.write(&mut bytes);
        bytes
    }

    /// CHAT-06: at most 63 characters, and of these what is not printable ASCII, or is the bar, is a question mark; what comes
    /// by bytes and what is typed.
    #[test]
    fn a_text_is_cut_and_cleaned() {
        assert_eq!(Text::new(&"a".repeat(62)).as_str().len(), 62);
        assert_eq!(Text::new(&"a".repeat(80)).as_str(), "a".repeat(63));
        assert_eq!(Text::new("a|b\u{7}c\u{7F}d\u{E9}e\n\u{1F600}\0!").as_str(), "a?b?c?d?e???!");
        let came = Line::read(&entry(3, 0, b" ~|\x07\x7F\xE9\x1F\x01\xFF")).unwrap();
        assert_eq!(came.text.as_str(), " ~???????");
    }

    /// CHAT-06: whatever the size of the characters that are typed, what is left is whole, and no longer than a line.
    #[test]
    fn any_characters_are_cut_whole() {
        for character in ["a", "\u{E9}", "\u{20AC}", "\u{1F600}"] {
            for many in 0..200 {
                let text = Text::new(&character.repeat(many));
                assert_eq!(text.as_str().len(), many.min(CHAT_CHARACTERS));
                assert!(text.as_str().chars().all(|kept| kept == if character == "a" { 'a' } else { '?' }));
            }
        }
    }

    /// WIRE-97: a text ends at its first NUL, or at 63 characters where it has none; what stands behind is not read and sent
    /// zero.
    #[test]
    fn a_text_ends_at_its_nul() {
        let whole = Line::read(&entry(127, 0, &[b'x'; 64])).unwrap();
        assert_eq!(whole.text.as_str(), "x".repeat(63));
        let mut text = [b'x'; 64];
        text[2] = 0;
        let cut = Line::read(&entry(127, 0, &text)).unwrap();
        assert_eq!(cut.text.as_str(), "xx");
        for (line, length) in [(whole, 63), (cut, 2)] {
            let mut bytes = Vec::new();
            line.write(&mut bytes);
            assert_eq!(bytes.len(), 66);
            assert!(bytes[2..2 + length].iter().all(|byte| *byte == b'x'));
            assert!(bytes[2 + length..].iter().all(|byte| *byte == 0));
        }
    }

    /// WIRE-97: a line is of a slot whichever way it goes, a notice of none.
    #[test]
    fn a_line_is_of_a_slot_and_a_notice_of_none() {
        for player in [0, 127] {
            assert!(Line::read(&entry(player, 0, b"x")).is_ok());
            assert!(matches!(Down::read(&entry(player, 0, b"x")), Ok(Down::Line(_))));
            assert_eq!(Down::read(&entry(player, NOTICE, b"x")), Err(Error::BadIndex));
        }
        for player in [128, 254, 255] {
            assert_eq!(Line::read(&entry(player, 0, b"x")), Err(Error::BadIndex));
            assert_eq!(Down::read(&entry(player, 0, b"x")), Err(Error::BadIndex));
        }
        assert_eq!(Down::read(&entry(255, NOTICE, b"x")), Ok(Down::Notice(Text::new("x"))));
        assert_eq!(Down::read(&entry(254, NOTICE, b"x")), Err(Error::BadIndex));
    }

    /// WIRE-47, CHAT-23: a line has one channel; the bit of a notice means nothing up, and bits that are none mean nothing at all.
    #[test]
    fn a_line_has_one_channel() {
        for (flags, channel) in [(0, Channel::All), (TEAM, Channel::Team), (VEHICLE, Channel::Vehicle)] {
            let line = Line { slot: Slot::read(5).unwrap(), channel, text: Text::new("x") };
            for more in [0, 0b1111_1000] {
                assert_eq!(Line::read(&entry(5, flags | more, b"x")), Ok(line));
                assert_eq!(Line::read(&entry(5, flags | more | NOTICE, b"x")), Ok(line));
                assert_eq!(Down::read(&entry(5, flags | more, b"x")), Ok(Down::Line(line)));
                let notice = Down::read(&entry(255, flags | more | NOTICE, b"x"));
                assert_eq!(notice, Ok(Down::Notice(line.text)));
            }
            let mut bytes = Vec::new();
            line.write(&mut bytes);
            assert_eq!(bytes[1], flags);
        }
        assert_eq!(Line::read(&entry(5, TEAM | VEHICLE, b"x")), Err(Error::BadFlag));
        assert_eq!(Down::read(&entry(5, TEAM | VEHICLE, b"x")), Err(Error::BadFlag));
        assert_eq!(Down::read(&entry(255, TEAM | VEHICLE | NOTICE, b"x")), Err(Error::BadFlag));
        assert_eq!(Line::read(&entry(5, 0, b"x")[..65]), Err(Error::Truncated));
    }

    /// WIRE-47, CHAT-28: one byte, of which two bits are read; links without the chat are no chat.
    #[test]
    fn settings_are_one_byte() {
        for (byte, settings) in
            [(0, Settings::Off), (1, Settings::On), (2, Settings::Off), (3, Settings::Links)]
        {
            for more in [0, 0b1111_1100] {
                assert_eq!(Settings::read(&[byte | more]), Ok(settings), "{byte} {more}");
            }
        }
        assert_eq!(Settings::read(&[]), Err(Error::Truncated));
        for (settings, byte) in [(Settings::Off, 0), (Settings::On, 1), (Settings::Links, 3)] {
            let mut bytes = Vec::new();
            settings.write(&mut bytes);
            assert_eq!(bytes, vec![byte]);
        }
        assert_eq!(Settings::default(), Settings::Off);
    }

    /// CHAT-07: no letter is needed to say something, but more than blanks.
    #[test]
    fn blanks_say_nothing() {
        for (text, blank) in [("", true), (&" ".repeat(63), true), (" .", false), ("\t", false)] {
            assert_eq!(Text::new(text).is_blank(), blank, "{text:?}");
        }
        // What would say something stands behind the cut.
        assert!(Text::new(&(String::from(" ").repeat(63) + "x")).is_blank());
    }
}
