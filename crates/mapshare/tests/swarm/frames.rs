//! Frames: which are taken, which close, and that it does not matter how they are cut.

use mjolnir_mapshare::swarm::Error;
use mjolnir_wire::mapshare::{File, FileHash, PIECE_BYTES};
use mjolnir_wire::swarm::{Frame, Have, Hello};

use super::script::*;

fn header(length: u32, kind: u8, file: u8) -> Vec<u8> {
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend([kind, file, 0, 0]);
    bytes
}

/// MAP-73: a body of 16 392 bytes is taken, one of 16 393 closes by its header alone; a kind that is not known is passed over, and so
/// is a file that is none.
#[test]
fn bodies_are_bounded_and_what_is_not_known_is_passed_over() {
    let mut script = Script::host();
    let conn = script.meet(1);
    let mut unknown = header(16_392, 200, 0);
    unknown.resize(8 + 16_392, 1);
    script.hear_bytes(conn, &unknown);
    script.hear_bytes(conn, &[header(4, 4, 9), vec![0; 4]].concat());
    assert_eq!(script.closed(), []);
    assert_eq!(script.swarm.counters().refused(Error::Unknown), 2);
    script.hear_bytes(conn, &header(16_393, 200, 0));
    assert_eq!(script.closed(), [conn]);
    assert_eq!(script.swarm.counters().refused(Error::TooLong), 1);
}

/// MAP-74: each field of a hello that is wrong closes; a right one is kept, a second closes, and any other frame before it closes.
#[test]
fn hello_is_first_right_and_once() {
    let right = bytes_of(&[Frame::Hello(hello(1))]);
    // Magic, swarm version, network version, machine, map version.
    for (at, error) in [
        (8, Error::BadHello),
        (12, Error::BadHello),
        (14, Error::BadHello),
        (16, Error::OtherMachine),
        (20, Error::OtherMap),
    ] {
        let mut script = Script::host();
        let conn = script.accept(address(1)).unwrap();
        let mut wrong = right.clone();
        wrong[at] ^= 2;
        script.hear_bytes(conn, &wrong);
        assert_eq!(script.closed(), [conn], "{at}");
        assert_eq!(script.swarm.counters().refused(error), 1, "{at}");
    }
    let mut script = Script::host();
    let conn = script.accept(address(1)).unwrap();
    script.hear_bytes(conn, &right);
    assert_eq!(script.closed(), []);
    script.hear_bytes(conn, &right);
    assert_eq!(script.closed(), [conn]);
    assert_eq!(script.swarm.counters().refused(Error::SecondHello), 1);
    for first in [
        bytes_of(&[Frame::Idle]),
        header(17, 1, 0xFF),
        header(16_392, 6, 0),
        bytes_of(&[Frame::Request(File::Map, 0)]),
    ] {
        let conn = script.accept(address(1)).unwrap();
        script.hear_bytes(conn, &first);
        assert_eq!(script.closed(), [conn]);
    }
    assert_eq!(script.swarm.counters().refused(Error::NotHello), 4);
}

/// MAP-74: who is connected to as the host says that it is, and who is as a machine that the host named is that; nobody is this machine.
#[test]
fn hello_is_of_whom_is_meant() {
    let content = Content::new(File::Map, 600_000);
    let no_host = Hello { is_host: false, ..hello(0) };
    for (place_of, says, is_right) in [
        (0, hello(0), true),
        (0, no_host, false),
        (1, hello(10), true),
        (1, hello(11), false),
        (1, hello(90), false),
    ] {
        let mut script = Script::new(plays(90));
        script.swarm.set_sources(script.now, &[place(10)]);
        script.swarm.download(script.now, &[content.offered]);
        script.wait(0);
        let made = script.connects()[place_of].0;
        script.swarm.connected(script.now, made);
        script.hear(made, &[Frame::Hello(says)]);
        assert_eq!(script.closed().is_empty(), is_right, "{says:?}");
        assert_eq!(script.swarm.counters().refused(Error::OtherMachine), u64::from(!is_right), "{says:?}");
    }
    for (index, is_right) in [(89, true), (90, false)] {
        let mut script = Script::new(plays(90)).with(&content);
        let conn = script.accept(address(70)).unwrap();
        script.hear(conn, &[Frame::Hello(hello(index))]);
        assert_eq!(script.closed().is_empty(), is_right, "{index}");
    }
}

/// MAP-74: this machine's own hello is the first that it says, before it has heard one, and nothing else is.
#[test]
fn nothing_but_hello_is_said_before_theirs() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::host().with(&content);
    let conn = script.accept(address(1)).unwrap();
    assert_eq!(script.said(conn), bytes_of(&[Frame::Hello(hello(0))]));
    script.wait(9_999);
    let mut script = script.with(&content);
    assert_eq!(script.said(conn), []);
    script.hear(conn, &[Frame::Hello(hello(1))]);
    assert_eq!(script.said(conn), bytes_of(&[content.have()]));
}

/// MAP-75, 76: a bitmap of another length or with a spare bit closes; so does a piece past the end, once it is known that the same file
/// is meant, and before that it is nothing. Another file's hash or size is no fault.
#[test]
fn haves_are_checked() {
    let content = Content::new(File::Map, 9 * PIECE_BYTES);
    let have = |bitmap| {
        Frame::Have(
            File::Map,
            Have { hash: content.offered.hash, size: content.offered.size, bitmap: Some(bitmap) },
        )
    };
    for (frames, closes) in [
        (vec![have(&[255, 1])], false),
        (vec![have(&[255])], true),
        (vec![have(&[255, 1, 0])], true),
        (vec![have(&[255, 2])], true),
        (vec![have(&[0, 0]), Frame::HavePiece(File::Map, 8)], false),
        (vec![have(&[0, 0]), Frame::HavePiece(File::Map, 9)], true),
        (vec![Frame::HavePiece(File::Map, 9)], false),
        (vec![content.have(), Frame::HavePiece(File::Map, 8)], false),
    ] {
        let mut script = Script::host().with(&content);
        let conn = script.meet(1);
        script.hear(conn, &frames);
        assert_eq!(script.closed().len(), usize::from(closes), "{frames:?}");
    }
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    let (hash, size) = (content.offered.hash, content.offered.size);
    for (hash, size) in [(FileHash([9; 32]), size), (hash, size + PIECE_BYTES)] {
        script.hear(
            conn,
            &[Frame::Have(File::Map, Have { hash, size, bitmap: None }), Frame::HavePiece(File::Map, 9)],
        );
    }
    assert_eq!(script.closed(), []);
    assert_eq!(script.swarm.counters().refused(Error::OtherFile), 2);
}

/// MAP-79: hashes from the piece past the last on are none.
#[test]
fn hashes_are_asked_for_from_a_piece_that_there_is() {
    let content = Content::new(File::Map, 600_000);
    for (first, closes) in [(2, false), (3, true), (u32::MAX, true)] {
        let mut script = Script::host().with(&content);
        let conn = script.meet(1);
        script.hear(conn, &[Frame::HashesRequest(File::Map, first)]);
        assert_eq!(script.closed().len(), usize::from(closes));
    }
}

/// MAP-73: however what comes is cut, the same comes of it.
#[test]
fn any_cut_is_the_same() {
    let content = Content::new(File::Map, 600_000);
    let mut long = header(500, 77, 1);
    long.resize(508, 3);
    let said = [
        bytes_of(&[
            Frame::Hello(Hello { is_downloading: true, ..hello(1) }),
            Frame::HashesRequest(File::Map, 1),
        ]),
        long,
        bytes_of(&[
            Frame::Request(File::Map, 2),
            Frame::Idle,
            Frame::Request(File::Loc, 0),
            Frame::Request(File::Map, 0),
        ]),
        bytes_of(&[Frame::Cancel(File::Map, 0), Frame::Request(File::Map, 1)]),
    ]
    .concat();
    let run = |cuts: &mut dyn FnMut() -> usize| {
        let mut script = Script::host().with(&content);
        let conn = script.accept(address(1)).unwrap();
        let mut rest = &said[..];
        while !rest.is_empty() {
            let (cut, after) = rest.split_at(cuts().clamp(1, rest.len()));
            script.hear_bytes(conn, cut);
            rest = after;
        }
        assert_eq!(script.closed(), []);
        let counted: Vec<_> = script.swarm.counters().refusals().collect();
        (script.said(conn), counted)
    };
    let whole = run(&mut || usize::MAX);
    assert_eq!(frames_of(&whole.0).len(), 3 + 16 + 5);
    for length in 1..40 {
        assert_eq!(run(&mut || length), whole, "{length}");
    }
    for first in 1..said.len() {
        let mut cuts = [first, usize::MAX].into_iter();
        assert_eq!(run(&mut || cuts.next().unwrap()), whole, "{first}");
    }
}

/// MAP-73, 83: bytes of chance, behind a hello or not, are refused or passed over; whoever sends them is closed or stays, and nothing
/// else happens.
#[test]
fn bytes_of_chance_do_no_harm() {
    let content = Content::new(File::Map, 600_000);
    for seed in 1..=300_u64 {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        let mut script = Script::host().with(&content);
        let honest = script.meet(2);
        let conn = script.meet(1);
        let mut bytes = Vec::new();
        for _ in 0..200 {
            let length = next() % 60;
            bytes.extend(header(length, (next() % 11) as u8, (next() % 5) as u8));
            bytes.extend((0..length).map(|_| if next() % 3 == 0 { next() as u8 } else { 0 }));
        }
        script.hear_bytes(conn, &bytes);
        let said = script.said(conn);
        assert!(said.len() < 1 << 20, "seed {seed}");
        let closed = script.closed();
        assert!(closed.is_empty() || closed == [conn], "seed {seed}");
        script.hear(honest, &[Frame::Request(File::Map, 1)]);
        assert_eq!(frames_of(&script.said(honest)).len(), 2 + 16, "seed {seed}");
    }
}
