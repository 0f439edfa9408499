//! Notices, readiness, pings, what the host decides of everyone's aim.

use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::session::{ClientReady, Notice};
use mjolnir_wire::{Error, Kind, Message, Ping};

use super::bytes::{message, slot, written};

/// WIRE-54: cut at 159 characters, other characters are `?`, a text without its NUL ends with the message.
#[test]
fn a_notice_is_printable_and_no_longer_than_its_field() {
    assert_eq!(Notice::new(&"x".repeat(160)).as_str(), "x".repeat(159));
    assert_eq!(written(|to| Notice::new(&"x".repeat(200)).write(to)).len(), 160);
    assert_eq!(Notice::new("a\tb\u{7f}c é~ ").as_str(), "a?b?c ?~ ");
    let read = |body: &[u8]| Notice::read(&Message::read(&message(17, 0, body)).unwrap());
    assert_eq!(read(b"no end").as_str(), "no end");
    assert_eq!(read(b"end\0more").as_str(), "end");
    assert_eq!(read(b"\x01\x1f\xff|~").as_str(), "???|~");
    assert_eq!(read(&[b'y'; 400]).as_str(), "y".repeat(159));
    assert_eq!(read(b"").as_str(), "");
}

/// WIRE-66: a count of 0 has loaded, 1 asks again, 2 is refused.
#[test]
fn readiness_counts_no_further_than_one() {
    for (count, ready) in [(0, ClientReady::Loaded), (1, ClientReady::Again)] {
        let bytes = message(9, count, &[]);
        assert_eq!(ClientReady::read(&Message::read(&bytes).unwrap()), Ok(ready));
        assert_eq!(ready.count(), count);
    }
    assert_eq!(Message::read(&message(9, 2, &[])), Err(Error::BadFlag));
    let made = Message { kind: Kind::ClientReady, count: 2, tick: mjolnir_wire::Tick::ZERO, body: &[] };
    assert_eq!(ClientReady::read(&made), Err(Error::BadFlag));
    assert_eq!(
        ClientReady::read(&Message { kind: Kind::ObjectsSynchronized, ..made }),
        Err(Error::UnknownKind)
    );
}

/// WIRE-60, WIRE-46 (in part: pings): 0xFFFF is unknown, longer than 65534 is 65534, a bad slot is refused alone.
#[test]
fn a_ping_is_milliseconds_or_unknown() {
    let entry = |index, milliseconds| written(|to| Ping { slot: slot(index), milliseconds }.write(to));
    assert_eq!(entry(1, None), [1, 0, 0xFF, 0xFF]);
    assert_eq!(entry(1, Some(0xFFFF)), [1, 0, 0xFE, 0xFF]);
    assert_eq!(entry(127, Some(200)), [127, 0, 200, 0]);
    assert_eq!(written(|to| Ping::of_ticks(slot(3), Some(6.0)).write(to)), [3, 0, 200, 0]);
    assert_eq!(written(|to| Ping::of_ticks(slot(3), None).write(to)), [3, 0, 0xFF, 0xFF]);
    let bytes = message(19, 3, &[1, 9, 42, 0, 128, 0, 1, 0, 2, 0, 0xFF, 0xFF]);
    let read: Vec<_> = Ping::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(
        read,
        [
            Ok(Ping { slot: slot(1), milliseconds: Some(42) }),
            Err(Error::BadIndex),
            Ok(Ping { slot: slot(2), milliseconds: None })
        ]
    );
}

/// CHEAT-47, 48, WIRE-60, 66: kind 90 is twelve bytes with one entry, and no other length or count; past 1 it says nothing.
#[test]
fn an_aim_policy_is_exactly_twelve_bytes() {
    let entry = written(|to| AimAssistPolicy::Blocked.write(to));
    let whole = message(90, 1, &entry);
    assert_eq!(whole.len(), 12);
    let read: Vec<_> = AimAssistPolicy::read_all(&Message::read(&whole).unwrap()).collect();
    assert_eq!(read, [Ok(AimAssistPolicy::Blocked)]);
    for (count, body, error) in [
        (1, &entry[..3], Error::Truncated),
        (1, &[&entry[..], &[0]].concat(), Error::TrailingBytes),
        (1, &[&entry[..], &entry].concat(), Error::TrailingBytes),
        (0, &entry, Error::BadFlag),
        (2, &[&entry[..], &entry].concat(), Error::BadFlag),
        (255, &entry, Error::BadFlag),
    ] {
        assert_eq!(Message::read(&message(90, count, body)), Err(error), "{count} {body:?}");
    }
    let past = message(90, 1, &[2, 0, 0, 0]);
    let read: Vec<_> = AimAssistPolicy::read_all(&Message::read(&past).unwrap()).collect();
    assert_eq!(read, [Err(Error::BadFlag)]);
}
