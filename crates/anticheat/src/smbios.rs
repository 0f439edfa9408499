//! A Windows machine's UUID, from the table of its firmware as `GetSystemFirmwareTable('RSMB')` returns it: SMBIOS structures
//! after a header of eight bytes. Calls no system, and was tried on bytes made here alone, never on a Windows machine.

use core::ops::Range;

/// Bytes of a UUID as text: `01234567-89AB-CDEF-0123-456789ABCDEF`.
pub const UUID_TEXT: usize = 36;

/// Before the structures: method, version, revision, and the structures' length as a little-endian number.
const HEADER: usize = 8;
const LENGTH: Range<usize> = 4..8;
/// The structure about the whole system, and where its UUID stands in it.
const SYSTEM: u8 = 1;
const UUID: Range<usize> = 8..24;
/// The structure after the last.
const END: u8 = 127;
/// Type, length and handle: no structure is shorter.
const SHORTEST: usize = 4;
/// The UUID's bytes in the order in which they are written: its first three numbers are little-endian.
const ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/// The system's UUID as text: upper-case digits and hyphens, its first three numbers little-endian, which is how Windows itself
/// shows it (CHEAT-23; the form is ours). None in a table that is cut, or where the UUID is all zeros or all ones: the firmware
/// then has none. Some makers give every machine the same one; nobody can tell that from one machine's table.
pub fn system_uuid(raw: &[u8]) -> Option<[u8; UUID_TEXT]> {
    let said: [u8; 4] = raw.get(LENGTH)?.try_into().ok()?;
    let mut left = raw.get(HEADER..)?.get(..u32::from_le_bytes(said) as usize)?;
    loop {
        let (&kind, &length) = (left.first()?, left.get(1)?);
        let fields = left.get(..usize::from(length)).filter(|fields| fields.len() >= SHORTEST)?;
        match kind {
            // The first is the system's.
            SYSTEM => return text_of(fields.get(UUID)?.try_into().ok()?),
            END => return None,
            _ => {}
        }
        // Strings follow, each ended by a zero, and one more zero; without strings there are two.
        let strings = &left[fields.len()..];
        let end = strings.windows(2).position(|two| two == [0, 0])?;
        left = &strings[end + 2..];
    }
}

fn text_of(uuid: [u8; 16]) -> Option<[u8; UUID_TEXT]> {
    if uuid == [0; 16] || uuid == [0xFF; 16] {
        return None;
    }
    let mut text = [b'-'; UUID_TEXT];
    let mut at = 0;
    for (place, from) in ORDER.into_iter().enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            at += 1;
        }
        for digit in [uuid[from] >> 4, uuid[from] & 15] {
            text[at] = b"0123456789ABCDEF"[usize::from(digit)];
            at += 1;
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    const UUID: [u8; 16] =
        [0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF];

    fn structure(kind: u8, fields: &[u8], strings: &[u8]) -> Vec<u8> {
        let mut bytes = vec![kind, 4 + fields.len() as u8, 0x10, 0x00];
        bytes.extend(fields);
        bytes.extend(strings);
        bytes
    }

    fn system(uuid: [u8; 16]) -> Vec<u8> {
        let mut fields = vec![1, 2, 3, 4];
        fields.extend(uuid);
        fields.extend([6, 5, 6]);
        structure(SYSTEM, &fields, b"Maker\0Product\0v1.0\0Serial\0\0")
    }

    fn table(structures: &[Vec<u8>]) -> Vec<u8> {
        let inside = structures.concat();
        let mut raw = vec![0, 3, 2, 0];
        raw.extend((inside.len() as u32).to_le_bytes());
        raw.extend(inside);
        raw
    }

    /// CHEAT-23: the UUID as Windows shows it, behind a structure with strings and one without.
    #[test]
    fn the_systems_uuid_is_found() {
        let bios = structure(0, &[1, 2, 0, 0xE0, 3, 0xFF], b"Vendor\0v1\0\0");
        let plain = structure(32, &[0; 7], &[0, 0]);
        let end = structure(END, &[], &[0, 0]);
        let raw = table(&[bios.clone(), plain.clone(), system(UUID), end.clone()]);
        assert_eq!(&system_uuid(&raw).unwrap(), b"00112233-4455-6677-8899-AABBCCDDEEFF");
        // Other than that there is none after the end, and none at all without one.
        assert_eq!(system_uuid(&table(&[bios.clone(), end, system(UUID)])), None);
        assert_eq!(system_uuid(&table(&[bios, plain])), None);
    }

    /// CHEAT-23: all zeros and all ones are no UUID; one that differs in a bit is.
    #[test]
    fn a_uuid_that_is_not_set_is_none() {
        for unset in [0x00, 0xFF] {
            let mut uuid = [unset; 16];
            assert_eq!(system_uuid(&table(&[system(uuid)])), None);
            uuid[15] ^= 1;
            assert!(system_uuid(&table(&[system(uuid)])).is_some());
        }
    }

    /// CHEAT-23: a structure too short for a UUID has none; a table cut anywhere before its UUID's end has none and is no
    /// panic; nor is one whose length says more than there is.
    #[test]
    fn a_cut_table_has_none() {
        assert_eq!(system_uuid(&table(&[structure(SYSTEM, &[0x11; 19], &[0, 0])])), None);
        assert!(system_uuid(&table(&[structure(SYSTEM, &[0x11; 20], &[0, 0])])).is_some());
        let whole = table(&[structure(0, &[9; 3], b"v\0\0"), system(UUID)]);
        for end in 0..whole.len() {
            assert_eq!(system_uuid(&whole[..end]), None, "{end}");
            let mut cut = whole[..end].to_vec();
            if let Some(length) = cut.get_mut(LENGTH) {
                length.copy_from_slice(&(end.saturating_sub(HEADER) as u32).to_le_bytes());
            }
            // The strings behind it need not be whole.
            let has_uuid = end >= HEADER + 7 + 3 + 27;
            assert_eq!(system_uuid(&cut).is_some(), has_uuid, "{end}");
        }
    }

    proptest! {
        /// CHEAT-23: any bytes give a UUID or none.
        #[test]
        fn random_tables_are_read(
            inside in prop::collection::vec(prop_oneof![Just(0_u8), Just(1), Just(27), any::<u8>()], 0..300),
        ) {
            if let Some(text) = system_uuid(&table(&[inside])) {
                prop_assert!(text.iter().all(|digit| digit.is_ascii_hexdigit() || *digit == b'-'));
            }
        }
    }
}
