//! Who a client says its player is (kind 18): a Discord user, self-reported, and nothing more than that (CHEAT-18). Knows no
//! Discord.

use alloc::vec::Vec;

use crate::error::Error;
use crate::message::Message;
use crate::session::ClientIdentityEntry;

/// Digits of the longest Discord id (CHEAT-21).
pub const DISCORD_ID_DIGITS: usize = 23;
/// Characters of the longest Discord name (CHEAT-21).
pub const DISCORD_NAME_CHARACTERS: usize = 39;

/// A Discord user as a client says it: of the id its digits, of the name its ASCII letters, digits, `_`, `.` and `-`, in the
/// order and the case in which they were said (CHEAT-21, 22). Either may be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    // A NUL behind each, and nothing but NULs behind that.
    id: [u8; DISCORD_ID_DIGITS + 1],
    name: [u8; DISCORD_NAME_CHARACTERS + 1],
}

impl Identity {
    /// Nobody: no Discord client runs, or internet play is off (CHEAT-52).
    pub const NONE: Self = Self { id: [0; DISCORD_ID_DIGITS + 1], name: [0; DISCORD_NAME_CHARACTERS + 1] };

    /// What is kept of that id and that name.
    pub fn new(id: &str, name: &str) -> Self {
        Self::of(id.as_bytes(), name.as_bytes())
    }

    fn of(id: &[u8], name: &[u8]) -> Self {
        let mut this = Self::NONE;
        let digits = id.iter().filter(|byte| byte.is_ascii_digit());
        for (place, byte) in this.id[..DISCORD_ID_DIGITS].iter_mut().zip(digits) {
            *place = *byte;
        }
        let is_kept = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        for (place, byte) in this.name[..DISCORD_NAME_CHARACTERS].iter_mut().zip(name.iter().filter(is_kept))
        {
            *place = *byte;
        }
        this
    }

    /// The id: 0 to [`DISCORD_ID_DIGITS`] digits.
    pub fn id(&self) -> &str {
        text(&self.id)
    }

    /// The name: 0 to [`DISCORD_NAME_CHARACTERS`] characters.
    pub fn name(&self) -> &str {
        text(&self.name)
    }

    /// Sanitises an entry that came: each text ends at its NUL.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ClientIdentityEntry::read(bytes)?;
        Ok(Self::of(to_nul(&raw.discord_id), to_nul(&raw.name)))
    }

    /// The entries of a kind 18 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        ClientIdentityEntry { discord_id: self.id, name: self.name }.write(to);
    }
}

fn to_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// What stands before the NUL, which is ASCII.
fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(to_nul(bytes)).unwrap_or_default()
}

impl core::fmt::Debug for Identity {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} {:?}", self.id(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-21, 22: digits, and letters, digits, `_ . -`, as they were said, and no more than 23 and 39 of them.
    #[test]
    fn what_is_kept_of_a_discord_user() {
        for (id, name, kept_id, kept_name) in [
            ("12a;34", "a b<c>_.-", "1234", "abc_.-"),
            ("", "", "", ""),
            ("none", "\u{e9}t\u{e9}\t\u{0}x", "", "tx"),
            ("0009", "Zed.zED-9_", "0009", "Zed.zED-9_"),
        ] {
            let identity = Identity::new(id, name);
            assert_eq!((identity.id(), identity.name()), (kept_id, kept_name), "{id:?} {name:?}");
        }
        let (id, name) = ("1".repeat(24), "n".repeat(40));
        for (longer, digits, characters) in [(0, 22, 38), (1, 23, 39), (2, 23, 39)] {
            let identity = Identity::new(&id[..22 + longer], &name[..38 + longer]);
            assert_eq!((identity.id().len(), identity.name().len()), (digits, characters));
        }
    }

    /// CHEAT-21, WIRE-52: what comes is sanitised as well, to its NUL or to its end where it has none; and what is written, 64 bytes,
    /// is read back.
    #[test]
    fn what_comes_is_sanitised() {
        let mut entry = [b'9'; ClientIdentityEntry::SIZE];
        entry[24..].fill(b'z');
        let full = Identity::read(&entry).unwrap();
        assert_eq!((full.id(), full.name()), ("9".repeat(23).as_str(), "z".repeat(39).as_str()));
        entry[0] = 0xFF;
        entry[3] = 0;
        entry[24] = b';';
        entry[27] = 0;
        let cut = Identity::read(&entry).unwrap();
        assert_eq!((cut.id(), cut.name()), ("99", "zz"));
        for identity in [Identity::NONE, full, cut] {
            let mut bytes = Vec::new();
            identity.write(&mut bytes);
            assert_eq!((bytes.len(), Identity::read(&bytes)), (64, Ok(identity)));
        }
        assert_eq!(Identity::read(&entry[1..]), Err(Error::Truncated));
    }
}
