//! What is sent: to whom, of what, in which turn, and that what did not leave is said again.

use std::collections::HashMap;
use std::sync::Arc;

use mjolnir_mapshare::Conn;
use mjolnir_mapshare::swarm::{Error, Output};
use mjolnir_wire::mapshare::{File, PIECE_BYTES};
use mjolnir_wire::swarm::Frame;

use super::script::*;

fn block(frame: &Frame<'_>) -> Option<(u32, u32, usize)> {
    if let Frame::Block { piece, offset, bytes, .. } = frame {
        Some((*piece, *offset, bytes.len()))
    } else {
        None
    }
}

/// MAP-77, 78: requests are answered in the order asked, a piece by its blocks from the first byte on, the file's last as long as it is.
#[test]
fn pieces_are_answered_in_order_by_blocks() {
    let content = Content::new(File::Map, 2 * PIECE_BYTES + 20_000);
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    script.said(conn);
    script.hear(conn, &[Frame::Request(File::Map, 2), Frame::Request(File::Map, 0)]);
    let said = script.said(conn);
    let frames = frames_of(&said);
    let blocks: Vec<_> = frames.iter().filter_map(block).collect();
    let mut due = vec![(2, 0, 16_384), (2, 16_384, 3_616)];
    due.extend((0..16).map(|block| (0, 16_384 * block, 16_384)));
    assert_eq!(blocks, due);
    for frame in &frames {
        if let Frame::Block { piece, offset, bytes, .. } = frame {
            let at = (piece * PIECE_BYTES + offset) as usize;
            assert_eq!(*bytes, &content.bytes[at..at + bytes.len()]);
        }
    }
    assert_eq!(script.swarm.counters().sent, u64::from(PIECE_BYTES) + 20_000);
}

/// MAP-77: two unanswered requests are taken and a third closes; a request, its cancel and another are fine; what is not had, or not
/// of the game's, is passed over and is none of the two.
#[test]
fn a_third_request_closes() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let request = |piece| Frame::Request(File::Map, piece);
    for (frames, closes) in [
        (vec![request(0), request(1)], false),
        (vec![request(0), request(1), request(2)], true),
        (
            vec![
                request(0),
                Frame::Cancel(File::Map, 0),
                request(1),
                Frame::Cancel(File::Map, 1),
                request(2),
                request(0),
            ],
            false,
        ),
        (vec![request(0), request(3), request(u32::MAX), Frame::Request(File::Loc, 0), request(1)], false),
    ] {
        let mut script = Script::host().with(&content);
        let conn = script.meet(1);
        script.hear(conn, &frames);
        assert_eq!(script.closed().len(), usize::from(closes), "{frames:?}");
        assert_eq!(script.swarm.counters().refused(Error::TooManyRequests), u64::from(closes));
    }
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    // The place of one that was answered is free.
    for piece in [0, 1, 2, 0, 1, 2] {
        script.hear(conn, &[request(piece)]);
        if piece > 0 {
            assert_eq!(
                frames_of(&script.said(conn))
                    .iter()
                    .filter_map(block)
                    .filter(|block| block.0 == piece)
                    .count(),
                16
            );
        }
    }
    assert_eq!(script.closed(), []);
}

/// MAP-35: a request for what is not among the game's files gets nothing, is counted, and the connection stays.
#[test]
fn only_the_games_files_are_sent() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::host().with(&content);
    script.files.0[File::Sounds.index()] = Some(Arc::clone(&content.bytes));
    let conn = script.meet(1);
    script.said(conn);
    script.hear(conn, &[Frame::Request(File::Sounds, 0), Frame::HashesRequest(File::Sounds, 0)]);
    assert_eq!(script.said(conn), []);
    assert_eq!(script.closed(), []);
    assert_eq!(script.swarm.counters().refused(Error::NotShared), 1);
}

/// MAP-36: who sends none says so, tells of nothing and answers nothing.
#[test]
fn who_sends_none_sends_none() {
    let content = Content::new(File::Map, 600_000);
    for upload in [None, Some(0)] {
        let mut script = Script::new(mjolnir_mapshare::Game { upload, ..plays(4) }).with(&content);
        let conn = script.meet(1);
        script.hear(conn, &[Frame::Request(File::Map, 0), Frame::HashesRequest(File::Map, 0)]);
        let said = script.said(conn);
        let frames = frames_of(&said);
        assert!(matches!(frames[..], [Frame::Hello(hello)] if !hello.sends));
        assert_eq!(script.swarm.counters().refused(Error::SendsNone), 2);
        assert_eq!(script.swarm.counters().sent, 0);
    }
}

/// MAP-79: 1025 pieces' hashes go in three frames, of 512, 512 and 1; from a later piece on those from there; not without end.
#[test]
fn hashes_go_in_frames_of_512() {
    let mut content = Content::new(File::Map, 600_000);
    content.offered.size = 1024 * PIECE_BYTES + 1;
    content.hashes = (0..1025_u32).map(|piece| [piece as u8; 32]).collect();
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    script.said(conn);
    for (first, due) in [(0, vec![(0, 512), (512, 512), (1024, 1)]), (1000, vec![(1000, 25)])] {
        script.hear(conn, &[Frame::HashesRequest(File::Map, first)]);
        let said = script.said(conn);
        let frames = frames_of(&said);
        let hashes = |frame: &Frame<'_>| match frame {
            Frame::Hashes(File::Map, first, hashes) => {
                assert_eq!(hashes[0], content.hashes[*first as usize]);
                (*first, hashes.len())
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(frames.iter().map(hashes).collect::<Vec<_>>(), due);
    }
    for _ in 0..7 {
        script.hear(conn, &[Frame::HashesRequest(File::Map, 1024)]);
        script.said(conn);
    }
    assert_eq!(script.swarm.counters().refused(Error::HashesAgain), 1);
    assert_eq!(script.closed(), []);
    // By another connection it has them no more often; another machine has.
    for (machine, again) in [(1, 2), (2, 2)] {
        let conn = script.meet(machine);
        script.hear(conn, &[Frame::HashesRequest(File::Map, 1024)]);
        assert_eq!(script.swarm.counters().refused(Error::HashesAgain), again);
    }
}

/// MAP-80: after a cancel at most the block at hand still goes; the cancel of what was not asked for is nothing.
#[test]
fn a_cancel_stops_before_the_next_block() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    script.said(conn);
    script.hear(
        conn,
        &[Frame::Cancel(File::Map, 0), Frame::Request(File::Map, 0), Frame::Request(File::Map, 1)],
    );
    let mut bytes = Vec::new();
    script.swarm.fill(script.now, conn, 100_000, &mut bytes, &mut script.files);
    // Three blocks and half of the fourth leave.
    let kept = script.swarm.wrote(script.now, conn, 3 * 16_400 + 9_000);
    assert_eq!(kept, 7_400);
    script.hear(conn, &[Frame::Cancel(File::Map, 0)]);
    let said = script.said(conn);
    let frames = frames_of(&said);
    assert!(frames.iter().filter_map(block).all(|(piece, _, _)| piece == 1));
    assert_eq!(frames.len(), 16);
    assert_eq!(script.closed(), []);
}

/// MAP-83: wherever a write stops, what leaves is the same in the end, and no more than the end of one frame is kept for it.
#[test]
fn what_did_not_leave_is_said_again() {
    let mut content = Content::new(File::Map, 3 * PIECE_BYTES);
    let whole = script_said(&content, &mut || usize::MAX);
    assert_eq!(frames_of(&whole).len(), 2 + 32 + 1);
    for takes in [1, 7, 8, 9, 24, 1_000, 16_399, 16_400, 16_401, 33_000, 100_000] {
        assert_eq!(script_said(&content, &mut || takes), whole, "{takes}");
    }
    for seed in 1..=20_u64 {
        let mut state = seed;
        let mut takes = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % 40_000
        };
        assert_eq!(script_said(&content, &mut takes), whole, "seed {seed}");
    }
    // A write that takes nothing at all changes nothing.
    content.offered.file = File::Map;
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    let mut bytes = Vec::new();
    for _ in 0..3 {
        bytes.clear();
        script.swarm.fill(script.now, conn, 1 << 18, &mut bytes, &mut script.files);
        assert_eq!(script.swarm.wrote(script.now, conn, 0), 0);
    }
    assert_eq!(script.said(conn), bytes);
}

fn script_said(content: &Content, takes: &mut dyn FnMut() -> usize) -> Vec<u8> {
    let mut script = Script::host().with(content);
    let conn = script.meet(1);
    script.hear(
        conn,
        &[Frame::Request(File::Map, 2), Frame::Request(File::Map, 0), Frame::HashesRequest(File::Map, 0)],
    );
    let (mut said, mut tail, mut bytes, mut idle) = (Vec::new(), Vec::new(), Vec::new(), 0);
    while idle < 50 {
        idle += 1;
        let takes = takes();
        if !tail.is_empty() {
            let rest = tail.split_off(takes.min(tail.len()));
            said.append(&mut tail);
            tail = rest;
            idle = 0;
            continue;
        }
        bytes.clear();
        script.swarm.fill(script.now, conn, 60_000, &mut bytes, &mut script.files);
        if !bytes.is_empty() {
            idle = 0;
        }
        let takes = takes.min(bytes.len());
        let kept = script.swarm.wrote(script.now, conn, takes);
        assert!(kept < 16_400);
        said.extend(&bytes[..takes]);
        tail.extend(&bytes[takes..takes + kept]);
    }
    said
}

/// Turns of a hub, in which connections take what they are given: bytes of blocks by connection in `millis` of such turns.
fn turns(script: &mut Script, conns: &[(Conn, bool)], millis: u64) -> HashMap<Conn, u64> {
    let until = script.now.plus(millis * 1000);
    let mut sent = HashMap::new();
    let mut bytes = Vec::new();
    loop {
        script.swarm.poll(script.now);
        for (conn, reads) in conns {
            if !reads {
                continue;
            }
            bytes.clear();
            script.swarm.fill(script.now, *conn, 1 << 18, &mut bytes, &mut script.files);
            script.swarm.wrote(script.now, *conn, bytes.len());
            let mut answered = 0;
            for frame in frames_of(&bytes) {
                if let Some((_, offset, length)) = block(&frame) {
                    *sent.entry(*conn).or_default() += length as u64;
                    answered += usize::from(offset + length as u32 == PIECE_BYTES);
                }
            }
            for _ in 0..answered {
                script.hear(*conn, &[Frame::Request(File::Map, 0)]);
            }
        }
        let due = script.swarm.next_due().unwrap();
        if due > until {
            script.now = until;
            return sent;
        }
        script.now = script.now.max(due);
    }
}

fn eager(conns: &[Conn], script: &mut Script) {
    for conn in conns {
        script.hear(*conn, &[Frame::Request(File::Map, 0), Frame::Request(File::Map, 0)]);
    }
}

/// MAP-34: over ten seconds no more than 1.02 of the limit is sent and no less than 0.98 of it, and of two eager ends each has half of it, within a twentieth.
#[test]
fn the_limit_holds_and_is_shared_evenly() {
    let content = Content::new(File::Map, PIECE_BYTES);
    for limit in [262_144, 1_048_576] {
        let mut script = Script::host().with(&content);
        let mut game = hosts();
        game.upload = Some(limit);
        script.swarm.share(script.now, game);
        let conns = [script.meet(1), script.meet(2)];
        eager(&conns, &mut script);
        let sent = turns(&mut script, &conns.map(|conn| (conn, true)), 10_000);
        let all: u64 = sent.values().sum();
        assert!(all * 100 <= limit * 10 * 102 && all * 100 >= limit * 10 * 98, "{limit}: {all}");
        assert!(conns.iter().all(|conn| sent[conn] * 200 >= all * 95), "{limit}: {sent:?}");
        // Another limit holds from where it is set on.
        game.upload = Some(limit / 2);
        script.swarm.share(script.now, game);
        let sent: u64 = turns(&mut script, &conns.map(|conn| (conn, true)), 10_000).values().sum();
        assert!(sent * 100 <= limit * 5 * 102 && sent * 100 >= limit * 5 * 97, "{limit}: {sent}");
    }
}

/// MAP-34: an end that asks and does not read keeps nobody's turn: the other has the whole of the limit, and no turn is without rest.
#[test]
fn who_does_not_read_holds_nobody_up() {
    let content = Content::new(File::Map, PIECE_BYTES);
    let mut script = Script::host().with(&content);
    let mut game = hosts();
    game.upload = Some(262_144);
    script.swarm.share(script.now, game);
    let conns = [script.meet(1), script.meet(2)];
    eager(&conns, &mut script);
    let sent = turns(&mut script, &[(conns[0], false), (conns[1], true)], 9_000);
    assert_eq!(sent.get(&conns[0]), None);
    assert!(sent[&conns[1]] * 100 >= 262_144 * 9 * 97, "{sent:?}");
    // It reads again, and has its part of what follows.
    let sent = turns(&mut script, &conns.map(|conn| (conn, true)), 9_000);
    let all: u64 = sent.values().sum();
    assert!(conns.iter().all(|conn| sent[conn] * 200 >= all * 95), "{sent:?}");
}

/// MAP-34: what was asked of a download that has ended is not waited for: nothing is due but the connection's own times.
#[test]
fn what_cannot_be_sent_any_more_is_not_due() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let mut script = Script::new(mjolnir_mapshare::Game { upload: Some(100_000), ..plays(4) }).with(&content);
    let conn = script.meet(1);
    script.said(conn);
    script.hear(conn, &[Frame::Request(File::Map, 0), Frame::Request(File::Map, 1)]);
    assert!(script.swarm.next_due().unwrap() < script.now.plus(1_000_000));
    script.swarm.lose_file(script.now, File::Map);
    let said = script.said(conn);
    assert!(matches!(frames_of(&said)[..], [Frame::Have(File::Map, have)] if have.bitmap == Some(&[0])));
    assert!(script.swarm.next_due().unwrap() > script.now.plus(9_000_000));
}

/// MAP-34: without a limit a fill has as many blocks as there is room for.
#[test]
fn without_a_limit_a_fill_is_full() {
    let content = Content::new(File::Map, 2 * PIECE_BYTES);
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    script.said(conn);
    script.hear(conn, &[Frame::Request(File::Map, 0), Frame::Request(File::Map, 1)]);
    let mut bytes = Vec::new();
    script.swarm.fill(script.now, conn, 16 * 16_400, &mut bytes, &mut script.files);
    assert_eq!(bytes.len(), 16 * 16_400);
    assert_eq!(script.swarm.wrote(script.now, conn, bytes.len()), 0);
}

/// MAP-75: a file that cannot be read any more is sent no more, its have is taken back from who was told, and what was asked of it is
/// not answered.
#[test]
fn what_cannot_be_read_is_taken_back() {
    let content = Content::new(File::Map, 9 * PIECE_BYTES);
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    script.said(conn);
    script.files.0[File::Map.index()] = None;
    script.hear(conn, &[Frame::Request(File::Map, 0), Frame::Request(File::Map, 1)]);
    assert_eq!(script.said(conn), []);
    script.wait(0);
    let said = script.said(conn);
    let frames = frames_of(&said);
    assert!(
        matches!(frames[..], [Frame::Have(File::Map, have)] if have.bitmap == Some(&[0, 0])),
        "{frames:?}"
    );
    assert!(matches!(script.outputs()[..], [Output::Word(_)]));
    assert_eq!(script.said(conn), []);
    // It is back.
    let mut script = script.with(&content);
    assert_eq!(script.said(conn), bytes_of(&[content.have()]));
}
