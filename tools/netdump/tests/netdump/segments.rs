//! Streams put together from segments: whatever their order and overlaps each message once, and what lacks is said.

use std::net::SocketAddr;

use mjolnir_netdump::streams::{Direction, HELD_BYTES, STREAMS, Streams, Told};

use super::bytes::packet;

/// What was told, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Message(u8),
    Gap(u64),
    Damaged,
    Resumed(u64),
    Unfinished(usize),
    Passed(u64),
}

fn said(told: Told<'_>) -> Said {
    match told {
        // The countdown's seconds number the messages.
        Told::Message(bytes) => Said::Message(bytes[4]),
        Told::Gap(bytes) => Said::Gap(bytes),
        Told::Damaged(_) => Said::Damaged,
        Told::Resumed(bytes) => Said::Resumed(bytes),
        Told::Unfinished(bytes) => Said::Unfinished(bytes),
        Told::Passed(bytes) => Said::Passed(bytes),
    }
}

fn direction(port: u16) -> Direction {
    (SocketAddr::from(([10, 0, 0, 2], port)), SocketAddr::from(([10, 0, 0, 1], 5150)))
}

/// A stream's segments: sequence number, whether it begins it, bytes. What is told, at the end of the capture too.
fn told(segments: &[(u32, bool, &[u8])]) -> Vec<Said> {
    let (mut streams, mut all) = (Streams::new(), Vec::new());
    for (sequence, begins, bytes) in segments {
        let keep = |_: Direction, told: Told<'_>| {
            all.push(said(told));
            Ok::<(), ()>(())
        };
        streams.take(direction(40001), *sequence, *begins, bytes, keep).unwrap();
    }
    let keep = |_: Direction, told: Told<'_>| {
        all.push(said(told));
        Ok::<(), ()>(())
    };
    streams.finish(keep).unwrap();
    all
}

/// Messages of six bytes, numbered.
fn messages(numbers: std::ops::Range<u8>) -> Vec<u8> {
    numbers.flat_map(|number| packet(7, &[0, number])).collect()
}

fn numbered(numbers: std::ops::Range<u8>) -> Vec<Said> {
    numbers.map(Said::Message).collect()
}

/// A small generator, so that a failure names its seed.
fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) as usize
}

/// Segments of any length, from anywhere in the stream, doubled and in any order: each message once and in order, also
/// where sequence numbers wrap.
#[test]
fn a_stream_is_whole_whatever_its_segments() {
    let bytes = messages(0..100);
    for first in 0..200_u64 {
        let mut seed = first;
        let begins = if first % 2 == 0 { 77 } else { u32::MAX - 300 };
        let mut cuts = vec![];
        let mut at = 0;
        while at < bytes.len() {
            // It reaches back over what came before.
            let from = at - random(&mut seed) % 10.min(at + 1);
            let to = (at + 1 + random(&mut seed) % 60).min(bytes.len());
            cuts.push((from, to));
            if random(&mut seed).is_multiple_of(4) {
                cuts.push((from, to));
            }
            at = to;
        }
        for at in 0..cuts.len() {
            let other = (at + random(&mut seed) % 8).min(cuts.len() - 1);
            cuts.swap(at, other);
        }
        let mut segments: Vec<(u32, bool, &[u8])> = vec![(begins, true, &[])];
        segments.extend(
            cuts.iter().map(|(from, to)| (begins.wrapping_add(1 + *from as u32), false, &bytes[*from..*to])),
        );
        assert_eq!(told(&segments), numbered(0..100), "seed {first}");
    }
}

/// A gap is said when the capture ends or more is held than may be, and it goes on where a message begins again.
#[test]
fn a_gap_is_said_and_passed() {
    let bytes = messages(0..9);
    let part = |from: usize, to: usize| (1 + from as u32, false, &bytes[from..to]);
    let begun: (u32, bool, &[u8]) = (0, true, &[]);
    // The third and half of the fourth message lack: the rest of the fourth is passed over.
    let gap = [begun, part(0, 12), part(21, 24), part(24, 54)];
    let expected = [numbered(0..2), vec![Said::Gap(9), Said::Resumed(3)], numbered(4..9)].concat();
    assert_eq!(told(&gap), expected);
    // Nothing of the sort where the bytes come late.
    assert_eq!(told(&[begun, part(0, 12), part(21, 24), part(24, 54), part(12, 21)]), numbered(0..9));

    // As much as is held does not give a gap up; a byte more does.
    let filler: Vec<u8> =
        (0..).map(|at| (at % 250) as u8).flat_map(|n| packet(7, &[0, n])).take(HELD_BYTES).collect();
    for (more, given_up) in [(0, false), (1, true)] {
        let ahead = [&filler[..], &[0; 1][..more]].concat();
        let late = [begun, (7, false, &ahead[..]), (1, false, &bytes[..6])];
        let said = told(&late);
        assert_eq!(said.contains(&Said::Gap(6)), given_up, "{more}");
        assert_eq!(said[0] == Said::Message(0), !given_up);
    }
}

/// A capture that begins within a stream shows it from the first segment that begins with a message.
#[test]
fn a_stream_is_joined_where_a_message_begins() {
    let bytes = messages(0..9);
    let joined = [(500, false, &bytes[3..12]), (509, false, &bytes[12..30])];
    assert_eq!(told(&joined), [vec![Said::Resumed(9)], numbered(2..5)].concat());
    assert_eq!(told(&[(500, false, &bytes[..30])]), numbered(0..5));
}

/// What cannot be a message is said, and passed over to where one begins; a stream that ends within one says so.
#[test]
fn damage_is_said_and_passed() {
    let mut bytes = messages(0..9);
    bytes[13] |= 3;
    let segments: Vec<(u32, bool, &[u8])> =
        vec![(0, true, &[]), (1, false, &bytes[..18]), (19, false, &bytes[18..50])];
    let expected =
        [numbered(0..2), vec![Said::Damaged, Said::Resumed(6)], numbered(3..8), vec![Said::Unfinished(2)]];
    assert_eq!(told(&segments), expected.concat());
}

/// A new stream between the same ports begins anew; the first segment doubled does not.
#[test]
fn a_stream_that_begins_again_is_another() {
    let bytes = messages(0..4);
    let begun = |sequence: u32| (sequence, true, &[][..]);
    let again = [
        begun(9),
        (10, false, &bytes[..8]),
        begun(9),
        (18, false, &bytes[8..12]),
        begun(700),
        (701, false, &bytes[..6]),
    ];
    assert_eq!(told(&again), [numbered(0..2), numbered(0..1)].concat());
}

/// A stream that never shows where a message begins says at its end how many bytes were passed over, be it joined
/// within, after a gap or after damage; one that brought no byte says nothing.
#[test]
fn a_stream_without_a_beginning_says_what_was_passed_over() {
    let bytes = messages(0..9);
    assert_eq!(told(&[(500, false, &bytes[3..10]), (507, false, &bytes[10..14])]), [Said::Passed(11)]);
    assert_eq!(told(&[(500, false, &[])]), []);
    let begun: (u32, bool, &[u8]) = (0, true, &[]);
    assert_eq!(told(&[begun]), []);
    let gap = [begun, (1, false, &bytes[..6]), (10, false, &bytes[9..11])];
    assert_eq!(told(&gap), [Said::Message(0), Said::Gap(3), Said::Passed(2)]);
    let mut damaged = messages(0..2);
    damaged[7] |= 3;
    assert_eq!(
        told(&[begun, (1, false, &damaged[..12])]),
        [Said::Message(0), Said::Damaged, Said::Passed(6)]
    );
    // The next stream between the same ports ends it too.
    assert_eq!(told(&[(500, false, &bytes[3..10]), begun]), [Said::Passed(7)]);
}

/// As many directions as may be are followed, and one more ends the one that was longest unheard: what is left of it is
/// told as its own.
#[test]
fn as_many_streams_are_followed_as_may_be() {
    let bytes = messages(0..2);
    for (others, whole) in [(STREAMS - 1, true), (STREAMS, false)] {
        let (mut streams, mut last) = (Streams::new(), Vec::new());
        let mut take = |port: usize, sequence: u32, begins: bool, bytes: &[u8]| {
            let way = direction(port as u16);
            streams
                .take(way, sequence, begins, bytes, |of, told| {
                    last.push((of, said(told)));
                    Ok::<(), ()>(())
                })
                .unwrap();
        };
        take(1, 0, true, &[]);
        take(1, 1, false, &bytes[..9]);
        // A byte lacks before what is held ahead.
        take(1, 11, false, &bytes[10..]);
        for other in 0..others {
            take(10 + other, 0, true, &[]);
        }
        take(1, 10, false, &bytes[9..10]);
        let expected = if whole {
            numbered(0..2)
        } else {
            // It is joined anew, where no message begins: that would be told at its end.
            vec![Said::Message(0), Said::Gap(1), Said::Passed(2)]
        };
        let expected: Vec<_> = expected.into_iter().map(|said| (direction(1), said)).collect();
        assert_eq!(last, expected, "{others}");
    }
}
