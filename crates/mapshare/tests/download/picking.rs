//! Which pieces are asked for, of whom, how many at once.

use std::collections::BTreeSet;

use mjolnir_mapshare::Taken;
use mjolnir_mapshare::download::{Conn, Rank, Refused, Wish};
use mjolnir_mapshare::{Job, download};
use mjolnir_wire::mapshare::File;

use super::kit::{Scene, Truth, cancels, requests};

/// MAP-26: downloads begin at places all over the file, by their seed; the same seed begins at the same.
#[test]
fn downloads_begin_in_different_places() {
    let truth = Truth::hashes_only(File::Map, 1000);
    let first = |seed| {
        let mut scene = Scene::open_all(vec![truth.clone()], seed);
        scene.sources([1]);
        scene.requests()[0].1
    };
    let begun: Vec<_> = (0..100).map(first).collect();
    let different: BTreeSet<_> = begun.iter().collect();
    assert!(different.len() >= 90, "{} of 100", different.len());
    for tenth in 0..10 {
        let here = begun.iter().filter(|piece| **piece / 100 == tenth).count();
        assert!((1..=25).contains(&here), "{here} of 100 begin in the {tenth}th tenth");
    }
    assert_eq!(begun, (0..100).map(first).collect::<Vec<_>>());
}

/// MAP-26: where all are equally rare each is asked for from another place, once.
#[test]
fn pieces_are_asked_for_all_over() {
    let mut scene = Scene::open(40, 3);
    scene.sources([1]);
    let mut asked = scene.requests();
    while asked.len() < 40 {
        let (conn, piece) = asked[asked.len() - 2];
        scene.blocks_from(conn, piece, 0);
        asked.extend(requests(&scene.disk()));
    }
    let next = asked.windows(2).filter(|two| two[1].1 == (two[0].1 + 1) % 40).count();
    assert!(next <= 15, "{next} of 39 follow each other: {asked:?}");
    let pieces: BTreeSet<_> = asked.iter().map(|one| one.1).collect();
    assert_eq!((asked.len(), pieces.len()), (40, 40));
}

/// MAP-26: the piece that fewest have is asked for first, wherever it is.
#[test]
fn the_rarest_come_first() {
    let truth = Truth::hashes_only(File::Map, 40);
    for seed in 0..20 {
        let mut scene = Scene::told(vec![truth.clone()], seed);
        for (conn, lacks) in [(1, vec![]), (2, vec![17]), (3, vec![17, 23])] {
            scene.add(conn, Rank::Named);
            scene.have(conn, File::Map, (0..40).filter(|piece| !lacks.contains(piece)));
        }
        scene.resume(File::Map, []);
        let asked = scene.requests();
        assert_eq!(asked[..2], [(1, 17), (2, 23)], "seed {seed}");
    }
}

/// MAP-25, 26: a piece that another end says it has got is less rare from then on.
#[test]
fn what_ends_get_counts() {
    let mut scene = Scene::open(40, 5);
    for conn in [2, 3] {
        scene.add(conn, Rank::Named);
        scene.have(conn, File::Map, []);
    }
    for piece in [4, 9, 12] {
        assert_eq!(scene.download.handle_have_piece(Conn(3), File::Map, piece), Ok(()));
    }
    assert_eq!(scene.download.handle_have_piece(Conn(2), File::Map, 9), Ok(()));
    assert_eq!(scene.download.handle_have_piece(Conn(2), File::Map, 9), Ok(()), "said twice");
    let asked = scene.requests();
    let of_third: BTreeSet<_> = asked.iter().filter(|one| one.0 == 3).map(|one| one.1).collect();
    assert_eq!(of_third, BTreeSet::from([4, 12]), "{asked:?}");
    assert!(asked.contains(&(2, 9)));
}

/// MAP-76: a piece past the file's last closes; before the end said what it has of the file it is nothing.
#[test]
fn a_piece_past_the_last_closes() {
    let mut scene = Scene::open(40, 5);
    scene.add(1, Rank::Named);
    assert_eq!(scene.download.handle_have_piece(Conn(1), File::Map, 3), Ok(()));
    assert_eq!(scene.requests(), [], "it did not say what it has");
    scene.have(1, File::Map, []);
    assert_eq!(scene.download.handle_have_piece(Conn(1), File::Map, 40), Err(Refused::Piece));
    assert_eq!(scene.download.handle_have_piece(Conn(1), File::Map, u32::MAX), Err(Refused::Piece));
    assert!(Refused::Piece.closes());
    assert_eq!(scene.download.handle_have_piece(Conn(1), File::Map, 39), Ok(()));
    assert_eq!(scene.requests(), [(1, 39)]);
    assert_eq!(scene.download.handle_have_piece(Conn(1), File::Sounds, 40), Ok(()), "no file of it");
}

/// MAP-26: of several files the rarest piece comes first, whichever's it is, and whether ends have all of a file or some; what an
/// end has that has gone counts no more.
#[test]
fn the_rarest_of_all_files_comes_first() {
    for (is_whole, goes) in [(false, false), (true, false), (false, true), (true, true)] {
        let files = vec![Truth::hashes_only(File::Map, 20), Truth::hashes_only(File::Sounds, 20)];
        let mut scene = Scene::open_all(files, 5);
        // The first has all of both, two others have the map alone, three that go had the other file.
        for conn in 2..=6 {
            scene.add(conn, Rank::Named);
            let file = if conn < 4 { File::Map } else { File::Sounds };
            if is_whole {
                scene.have_all(conn, file);
            } else {
                scene.have(conn, file, 0..20);
            }
        }
        if goes {
            (4..=6).for_each(|conn| scene.download.forget(Conn(conn)));
        }
        scene.add(1, Rank::Named);
        scene.have(1, File::Map, 0..20);
        scene.have_all(1, File::Sounds);
        let of_first = |wish| match wish {
            Wish::Request(Conn(1), file, _) => Some(file),
            _ => None,
        };
        let asked: Vec<_> = scene.drain().into_iter().filter_map(of_first).collect();
        let rarer = if goes { File::Sounds } else { File::Map };
        assert_eq!(asked, [rarer, rarer], "whole: {is_whole}, goes: {goes}");
    }
}

/// MAP-27: two a connection and sixteen in all, whatever the connections; a piece's request is one until its last block is there.
#[test]
fn requests_are_bounded() {
    for (ends, most) in [(1, 2), (7, 14), (8, 16), (9, 16), (23, 16)] {
        let mut scene = Scene::open(60, 5);
        scene.sources(1..=ends);
        let asked = scene.requests();
        assert_eq!(asked.len(), most, "{ends} ends");
        let pieces: BTreeSet<_> = asked.iter().map(|one| one.1).collect();
        assert_eq!(pieces.len(), most, "no piece twice");
        for conn in 1..=ends {
            assert!(asked.iter().filter(|one| one.0 == conn).count() <= 2);
        }
        let (conn, piece) = asked[0];
        (0..15).for_each(|block| assert_eq!(scene.block(conn, piece, block * 16_384), Ok(true)));
        assert_eq!(scene.requests(), [], "its last block is not there");
        assert_eq!(scene.block(conn, piece, 15 * 16_384), Ok(true));
        assert_eq!(scene.requests().len(), 1);
    }
}

/// MAP-27: with more ends than requests, those that are asked for nothing come before those that are asked for one.
#[test]
fn requests_are_spread() {
    let mut scene = Scene::open(60, 5);
    scene.sources(1..=12);
    let asked = scene.requests();
    for conn in 1..=12 {
        let requests = asked.iter().filter(|one| one.0 == conn).count();
        assert!((1..=2).contains(&requests), "{requests} of {conn}");
    }
}

/// MAP-28: with 17 pieces missing none is asked for twice; with 16 each is asked of a second end, and of no third.
#[test]
fn the_last_are_asked_of_a_second_end() {
    for missing in [17, 16] {
        let mut scene = Scene::told(vec![Truth::hashes_only(File::Map, 20)], 5);
        scene.resume(File::Map, missing..20);
        scene.drain();
        scene.add(1, Rank::Named);
        scene.have(1, File::Map, [0, 1]);
        assert_eq!(scene.requests().len(), 2);
        for conn in [2, 3] {
            scene.add(conn, Rank::Named);
            scene.have(conn, File::Map, [0, 1]);
        }
        let seconds = scene.requests();
        if missing > 16 {
            assert_eq!(seconds, [], "{missing} missing");
        } else {
            let pieces: BTreeSet<_> = seconds.iter().map(|one| one.1).collect();
            assert_eq!((seconds.len(), pieces), (2, BTreeSet::from([0, 1])));
        }
    }
}

/// MAP-28: what came from one end is cancelled at the other; the slower end's blocks on their way are no fault.
#[test]
fn the_slower_end_gets_a_cancel() {
    let mut scene = Scene::open(1, 5);
    scene.sources([1, 2]);
    let asked = scene.requests();
    assert_eq!(asked.len(), 2);
    let ((slow, _), (quick, _)) = (asked[0], asked[1]);
    (0..4).for_each(|block| assert_eq!(scene.block(slow, 0, block * 16_384), Ok(true)));
    scene.blocks_from(quick, 0, 0);
    let wishes = scene.drain();
    assert!(matches!(wishes[0], Wish::Job(Job::Take { piece: 0, .. })), "{wishes:?}");
    assert_eq!(cancels(&wishes), [(slow, 0)]);
    (4..16).for_each(|block| assert_eq!(scene.block(slow, 0, block * 16_384), Ok(false)));
    assert_eq!(scene.block(slow, 0, 0), Err(Refused::Block), "more than were on their way");
}

/// MAP-28: where the quicker end's piece was wrong, the slower one is asked for it again.
#[test]
fn a_cancelled_piece_is_asked_for_again_where_it_was_wrong() {
    let mut scene = Scene::open(1, 5);
    scene.sources([1, 2]);
    let asked = scene.requests();
    let ((slow, _), (quick, _)) = (asked[0], asked[1]);
    for block in 0..16 {
        let sent =
            scene.download.handle_block(scene.now, Conn(quick), File::Map, 0, block * 16_384, &[9; 16_384]);
        assert_eq!(sent, Ok(true));
    }
    let wishes = scene.disk();
    assert_eq!(cancels(&wishes), [(slow, 0)]);
    assert_eq!(requests(&wishes), [(slow, 0)]);
    scene.piece(slow, 0);
    assert_eq!(scene.wishes.last(), Some(&Wish::AllHad));
}

/// MAP-83: while 16 pieces are at the disk no other is asked for; each that comes back makes room.
#[test]
fn a_slow_disk_holds_requests_back() {
    let mut scene = Scene::open(60, 5);
    scene.sources(1..=8);
    let mut asked = scene.requests();
    let mut at_disk = Vec::new();
    while let Some((conn, piece)) = asked.pop() {
        scene.blocks_from(conn, piece, 0);
        for wish in scene.drain() {
            match wish {
                Wish::Job(Job::Take { piece, bytes, .. }) => at_disk.push((piece, bytes)),
                Wish::Request(conn, _, piece) => asked.push((conn.0, piece)),
                other => panic!("{other:?}"),
            }
        }
        let is_full = at_disk.len() >= download::AT_DISK_MAX;
        assert_eq!(asked.len() + at_disk.len(), if is_full { 31 } else { 16 + at_disk.len() });
    }
    assert_eq!(at_disk.len(), 31);
    for left in (0..31).rev() {
        let (piece, bytes) = at_disk.pop().unwrap();
        scene.download.took(scene.now, File::Map, piece, bytes, Taken::Good);
        assert_eq!(!scene.requests().is_empty(), left < 16, "{left} at the disk");
        if left < 16 {
            break;
        }
    }
}

/// MAP-59: a download knows nothing of what ends had of an earlier one.
#[test]
fn another_download_knows_nothing() {
    let mut scene = Scene::open(20, 5);
    scene.sources([1]);
    assert_eq!(scene.requests().len(), 2);
    let truth = scene.files[0].clone();
    let mut scene = Scene::new(vec![truth], 6);
    scene.add(1, Rank::Host);
    scene.pass(31_000);
    assert_eq!(scene.drain(), []);
}

/// MAP-38: a 25th end is passed over.
#[test]
fn as_many_ends_as_connections() {
    let mut scene = Scene::open(60, 5);
    scene.have(0, File::Map, []);
    (1..=23).for_each(|conn| {
        scene.add(conn, Rank::Incoming);
    });
    scene.add(24, Rank::Named);
    scene.have_all(24, File::Map);
    assert_eq!(scene.requests(), []);
    scene.download.forget(Conn(3));
    scene.add(24, Rank::Named);
    scene.have_all(24, File::Map);
    assert_eq!(scene.requests().len(), 2);
}
