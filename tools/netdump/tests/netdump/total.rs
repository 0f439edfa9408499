//! Anything, given: a message or what is wrong with it and where, never a panic. Proptest prints what failed and keeps
//! its seed.

use mjolnir_netdump::capture;
use mjolnir_netdump::dump::Dump;
use mjolnir_netdump::reading::Misread;
use mjolnir_wire::kinds::KINDS;
use proptest::prelude::*;
use serde_json::Value;

use super::bytes::{hex, message, packet, shown, vectors};
use super::demo::{DEMO, PORT};

/// Each thing that may be wrong, and the byte that it is wrong at.
#[test]
fn what_is_wrong_is_told_with_where() {
    let cut = |bytes: &[u8], end: usize| bytes[..end].to_vec();
    let ping = [3, 0, 42, 0];
    let pings = message(19, 1, &ping);
    let part = [&[10, 0, 19, 1, 7, 0, 0, 0][..], &ping].concat();
    let with = |bytes: &[u8], at: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = byte;
        bytes
    };
    let twice = |second: &[u8]| message(16, 0, &[&part[..], second].concat());
    let piece = |length: usize| message(80, 1, &[&[0, 0, 0, 0, 1, 0, 2, 0][..], &vec![5; length]].concat());
    let cases: &[(Vec<u8>, &str, usize)] = &[
        (vec![], "truncated", 0),
        (vec![0x00], "truncated", 1),
        (vec![0x00, 0x18], "truncated", 0),
        (vec![0x00, 0x89], "bad_flag", 0),
        (vec![0x00, 0x80], "unknown_kind", 0),
        (vec![0x00, 0x64, 1, 2, 3, 4], "unknown_kind", 0),
        // The netcode's: cut, too long, kind, count, tick, entries.
        (cut(&pings, 11), "truncated", 11),
        ([&pings[..], &[0]].concat(), "trailing_bytes", 12),
        (with(&pings, 2, 20), "unknown_kind", 2),
        (message(9, 2, &[]), "bad_flag", 3),
        (with(&pings, 7, 0x80), "bad_tick", 4),
        (with(&pings, 3, 2), "truncated", 12),
        (message(90, 1, &[0; 5]), "trailing_bytes", 12),
        (message(2, 2, &[3, 0, 0, 4, 0]), "truncated", 13),
        (message(2, 2, &[3, 0, 0, 4, 1, 0]), "truncated", 11),
        (message(15, 1, &[0; 17]), "truncated", 25),
        (message(15, 2, &[0; 4 + 28 - 1]), "truncated", 39),
        (message(15, 2, &[&[0, 0, 0, 0, 0, 1][..], &[0; 26]].concat()), "truncated", 28),
        (message(7, 0, &[0; 5]), "out_of_range", 12),
        (message(7, 0, &[0; 3]), "truncated", 11),
        (piece(1), "truncated", 17),
        (piece(3), "trailing_bytes", 18),
        // A batch: the second part's length, kind, entries; a batch in it; and within an entry of its.
        (twice(&[5, 0, 19]), "truncated", 20),
        (twice(&[9]), "truncated", 20),
        (twice(&with(&part, 0, 11)), "truncated", 20),
        (twice(&with(&part, 2, 20)), "unknown_kind", 22),
        (twice(&with(&part, 3, 2)), "truncated", 32),
        (twice(&[6, 0, 16, 0, 7, 0, 0, 0]), "bad_flag", 22),
        (twice(&[9, 0, 2, 1, 7, 0, 0, 0, 3, 1, 0]), "truncated", 28),
        // The game's: version, number, too few and too many, a choice that is none.
        (with(&packet(3, &[0; 4]), 2, 2), "bad_flag", 2),
        (packet(35, &[0; 4]), "unknown_kind", 7),
        (packet(3, &[0; 3]), "truncated", 3),
        (packet(4, &[0; 5]), "truncated", 7),
        (packet(3, &[0; 5]), "trailing_bytes", 7),
        (packet(17, &[0, 9]), "bad_flag", 3),
        (packet(22, &[&[0; 32][..], &[0x80, 0, 0, 0]].concat()), "bad_tick", 35),
        (packet(19, &[b'a'; 256]), "unterminated", 3),
        (cut(&packet(3, &[0; 4]), 5), "truncated", 5),
    ];
    for (bytes, error, offset) in cases {
        let (error, offset) = (*error, *offset);
        assert_eq!(shown(bytes).unwrap_err(), Misread { error, offset }, "{bytes:02x?}");
    }
    // The good ones that those were made of.
    for good in [pings, twice(&part), piece(2), message(15, 2, &[0; 4 + 28]), packet(17, &[0, 3])] {
        assert!(shown(&good).is_ok(), "{good:02x?}");
    }
}

/// Every beginning of every golden vector is refused, within its bytes.
#[test]
fn every_beginning_is_refused() {
    for vector in vectors() {
        let bytes = hex(vector["hex"].as_str().unwrap());
        for end in 0..bytes.len() {
            let wrong = shown(&bytes[..end]).unwrap_err();
            assert!(wrong.offset <= end, "{} at {end}: {wrong:?}", vector["name"]);
        }
    }
}

/// The lines of a capture: each must be JSON.
pub(crate) fn lines(bytes: &[u8], port: u16) -> (Vec<Value>, bool) {
    let mut out = Vec::new();
    let mut dump = Dump::new(&mut out, port);
    let whole = capture::read(bytes, |frame| dump.take(frame)).is_ok();
    dump.finish().unwrap();
    drop(dump);
    let text = String::from_utf8(out).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// Random bytes, behind a good header of each kind or none.
    #[test]
    fn random_bytes_are_answered(
        kind in prop::sample::select(KINDS),
        count in any::<u8>(),
        body in prop::collection::vec(any::<u8>(), 0..1400),
    ) {
        let _ = shown(&body);
        if let Err(wrong) = shown(&message(kind.kind as u8, count, &body)) {
            prop_assert!(wrong.offset <= 8 + body.len());
        }
    }

    /// Golden vectors with bits flipped.
    #[test]
    fn damaged_messages_are_answered(
        vector in prop::sample::select(vectors()),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0_u32..8), 0..12),
    ) {
        let mut bytes = hex(vector["hex"].as_str().unwrap());
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        if let Err(wrong) = shown(&bytes) {
            prop_assert!(wrong.offset <= bytes.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A demo's capture with bytes changed anywhere, and cut anywhere.
    #[test]
    fn damaged_captures_are_answered(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        end in any::<prop::sample::Index>(),
    ) {
        let mut bytes = DEMO.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(end.index(bytes.len()) + 1);
        lines(&bytes, PORT);
    }
}
