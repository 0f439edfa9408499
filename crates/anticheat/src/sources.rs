//! What a machine's hardware id is made of, in which order (CHEAT-23). Reads no file and no registry: it is given what stood there.
//! Of the three systems Linux's is read for real (`machine_id.rs`); Windows' and Android's were never tried on such a machine.

use crate::hardware::HardwareId;
use crate::smbios;

/// What systemd writes into a machine's id before there is one.
const UNINITIALIZED: &[u8] = b"uninitialized";

/// What a source says: its text without blanks, line ends and zeros around it. None when that is nothing, or says that it is
/// not there yet.
pub fn told(text: &[u8]) -> Option<&[u8]> {
    let is_text = |byte: &u8| !byte.is_ascii_whitespace() && *byte != 0;
    let (first, last) = (text.iter().position(is_text)?, text.iter().rposition(is_text)?);
    let text = &text[first..=last];
    (text != UNINITIALIZED).then_some(text)
}

/// A Windows machine's: its firmware's UUID, of the raw SMBIOS table, else the registry's `MachineGuid`, in UTF-8. Either may be
/// empty.
pub fn windows(smbios: &[u8], machine_guid: &[u8]) -> Option<HardwareId> {
    match smbios::system_uuid(smbios) {
        Some(uuid) => HardwareId::of_machine(&uuid),
        None => HardwareId::of_machine(told(machine_guid)?),
    }
}

/// A Linux machine's: what `/etc/machine-id` has, else `/var/lib/dbus/machine-id`. Either may be empty.
pub fn linux(etc: &[u8], dbus: &[u8]) -> Option<HardwareId> {
    HardwareId::of_machine(told(etc).or_else(|| told(dbus))?)
}

/// An Android machine's: its `ANDROID_ID`, as the launcher wrote it to `hardware_id.txt`.
pub fn android(hardware_id: &[u8]) -> Option<HardwareId> {
    HardwareId::of_machine(told(hardware_id)?)
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// CHEAT-23: what stands around a text is not of it; nothing, blanks and what is not there yet are none.
    #[test]
    fn a_source_is_trimmed() {
        for (text, is) in [
            (&b"abc\n"[..], Some(&b"abc"[..])),
            (b"\r\n  abc def\t\0\0", Some(b"abc def")),
            (b"uninitialized!", Some(b"uninitialized!")),
            (b"uninitialized\n", None),
            (b" \r\n\0", None),
            (b"", None),
        ] {
            assert_eq!(told(text), is, "{text:?}");
        }
    }

    /// CHEAT-23: the firmware's UUID goes before `MachineGuid`, which is used without one; `/etc/machine-id` before D-Bus's.
    #[test]
    fn sources_have_an_order() {
        let of = |text: &str| HardwareId::of_machine(text.as_bytes());
        let smbios = |byte: u8| -> Vec<u8> {
            let mut raw = vec![0, 3, 2, 0, 29, 0, 0, 0, 1, 27, 0, 0, 0, 0, 0, 0];
            raw.extend([byte; 16]);
            raw.extend([0, 0, 0, 0, 0]);
            raw
        };
        let uuid = of("11111111-1111-1111-1111-111111111111");
        assert!(uuid.is_some());
        assert_eq!(windows(&smbios(0x11), b"guid"), uuid);
        assert_eq!(windows(&smbios(0x11), b""), uuid);
        for unset in [smbios(0), smbios(0xFF), Vec::new()] {
            assert_eq!(windows(&unset, b"guid\0"), of("guid"));
            assert_eq!(windows(&unset, b"\0"), None);
        }
        assert_eq!(linux(b"one\n", b"two\n"), of("one"));
        for none in [&b"\n"[..], b"uninitialized\n", b""] {
            assert_eq!(linux(none, b"two\n"), of("two"));
            assert_eq!((linux(none, none), android(none)), (None, None));
        }
        assert_eq!(android(b"9774d56d682e549c"), of("9774d56d682e549c"));
    }
}
