//! The blocks of pieces: which are due, which are no fault, and what becomes of wrong ones.

use mjolnir_mapshare::download::{Conn, Rank, Refused, Wish};
use mjolnir_mapshare::{Fault, Job, Taken};
use mjolnir_wire::mapshare::File;

use super::kit::{Scene, Truth, address, cancels, requests, whole};

/// Two sources of a map of so many pieces, each asked for two; what they are asked for.
fn two(pieces: u32) -> (Scene, Vec<(u32, u32)>) {
    let mut scene = Scene::open(pieces, 7);
    scene.sources([1, 2]);
    let asked = scene.requests();
    (scene, asked)
}

/// A whole piece of so many bytes from an end, each of them 9.
fn wrong_piece(scene: &mut Scene, conn: u32, piece: u32) -> Vec<Wish> {
    for block in 0..16 {
        let offset = block * 16_384;
        let sent = scene.download.handle_block(scene.now, Conn(conn), File::Map, piece, offset, &[9; 16_384]);
        assert_eq!(sent, Ok(true));
    }
    scene.disk()
}

/// MAP-78: a piece of 262 144 bytes comes in 16 blocks, and goes to the disk with the hash that it is to have.
#[test]
fn a_piece_comes_in_sixteen_blocks() {
    let (mut scene, asked) = two(30);
    let (conn, piece) = asked[0];
    (0..15).for_each(|block| assert_eq!(scene.block(conn, piece, block * 16_384), Ok(true)));
    assert_eq!(scene.drain(), []);
    assert_eq!(scene.block(conn, piece, 15 * 16_384), Ok(true));
    let wishes = scene.drain();
    let (bytes, hash) = (scene.files[0].piece(piece).to_vec(), scene.files[0].hashes[piece as usize]);
    assert_eq!(wishes[0], Wish::Job(Job::Take { file: File::Map, piece, bytes: bytes.clone(), hash }));
    assert!(!scene.download.has(File::Map, piece), "it is not checked");
    scene.download.took(scene.now, File::Map, piece, bytes, Taken::Good);
    assert!(scene.download.has(File::Map, piece));
    assert_eq!(scene.drain()[0], Wish::Had(File::Map, piece));
}

/// MAP-78: a last piece of one byte comes in one block of one byte, of 16 384 in one, of 16 385 in two.
#[test]
fn the_last_piece_is_as_long_as_it_is() {
    for (rest, blocks) in [(1, vec![1]), (16_384, vec![16_384]), (16_385, vec![16_384, 1])] {
        let mut scene = Scene::open_all(vec![Truth::new(File::Map, whole(1) + rest)], 7);
        scene.add(1, Rank::Named);
        scene.have(1, File::Map, [1]);
        assert_eq!(scene.requests(), [(1, 1)]);
        for (at, length) in blocks.iter().enumerate() {
            let too_long = vec![0; length + 1];
            let offset = at as u32 * 16_384;
            let long = scene.download.handle_block(scene.now, Conn(1), File::Map, 1, offset, &too_long);
            assert_eq!(long, Err(Refused::Block));
            assert_eq!(scene.block(1, 1, offset), Ok(true), "{rest}: {length} bytes");
        }
        scene.disk();
        assert!(scene.download.has(File::Map, 1));
    }
}

/// MAP-78: blocks that were not asked for, out of order or of another length are dropped and change nothing; the third closes.
#[test]
fn blocks_that_are_not_due_are_dropped() {
    let (mut scene, asked) = two(30);
    let (conn, piece) = asked[0];
    let other = asked.iter().find(|one| one.0 != conn).unwrap().1;
    assert_eq!(scene.block(conn, piece, 0), Ok(true));
    let not_due: [(u32, u32, usize); 8] = [
        (piece, 0, 16_384),
        (piece, 16_383, 16_384),
        (piece, 32_768, 16_384),
        (piece, 16_384, 16_383),
        (piece, 16_384, 1),
        (other, 0, 16_384),
        (29, 0, 16_384),
        (u32::MAX, 0, 16_384),
    ];
    for (at, (piece, offset, length)) in not_due.into_iter().enumerate() {
        let bytes = vec![5; length];
        let sent = scene.download.handle_block(scene.now, Conn(conn), File::Map, piece, offset, &bytes);
        assert_eq!(sent, Err(if at < 2 { Refused::Block } else { Refused::Blocks }), "{at}");
    }
    assert!(Refused::Blocks.closes() && !Refused::Block.closes());
    // Had it not been closed: what is due is as it was.
    scene.blocks_from(conn, piece, 1);
    scene.disk();
    assert!(scene.download.has(File::Map, piece));
    assert_eq!(scene.download.handle_block(scene.now, Conn(conn), File::Sounds, 0, 0, &[0]), Ok(false));
    assert_eq!(scene.download.handle_block(scene.now, Conn(99), File::Map, 0, 0, &[0]), Ok(false));
}

/// MAP-80: after a cancel so many blocks of its piece are no fault as did not come; and the piece may be asked for again.
#[test]
fn blocks_on_their_way_at_a_cancel_are_no_fault() {
    let mut scene = Scene::open(2, 7);
    scene.sources([1]);
    let (_, piece) = scene.requests()[0];
    (0..3).for_each(|block| assert_eq!(scene.block(1, piece, block * 16_384), Ok(true)));
    scene.pass(30_000);
    let wishes = scene.drain();
    assert!(cancels(&wishes).contains(&(1, piece)));
    // Nobody else has it: it is asked for anew. What was on its way does not fit, and is no fault.
    assert!(requests(&wishes).contains(&(1, piece)));
    (3..5).for_each(|block| assert_eq!(scene.block(1, piece, block * 16_384), Ok(false)));
    scene.piece(1, piece);
    assert!(scene.download.has(File::Map, piece));
    (5..16).for_each(|block| assert_eq!(scene.block(1, piece, block * 16_384), Ok(false)));
    assert_eq!(scene.block(1, piece, 0), Err(Refused::Block));
}

/// MAP-32, 33: a wrong piece is not had and is asked of another; its end is asked for nothing more, what it was asked for is
/// cancelled, and it is not asked by another connection from its address.
#[test]
fn who_sent_a_wrong_piece_is_not_asked_again() {
    let (mut scene, asked) = two(30);
    let (bad, piece) = asked[0];
    let good = 3 - bad;
    let second = asked.iter().rfind(|one| one.0 == bad).unwrap().1;
    let wishes = wrong_piece(&mut scene, bad, piece);
    assert!(!scene.download.has(File::Map, piece));
    assert!(!wishes.contains(&Wish::Had(File::Map, piece)));
    // Of the second it may have been asked anew while the first was at the disk.
    let cancelled = cancels(&wishes);
    assert!(cancelled.contains(&(bad, second)), "{wishes:?}");
    assert_eq!(wishes.iter().filter(|wish| **wish == Wish::Barred(Conn(bad))).count(), 1);
    scene.wishes.clear();
    scene.download.add(Conn(50), address(Conn(bad)), Rank::Host);
    scene.have_all(50, File::Map);
    scene.have_all(bad, File::Map);
    assert_eq!(scene.download.handle_have_piece(Conn(bad), File::Map, 3), Ok(()));
    assert_eq!(scene.drain(), [Wish::Barred(Conn(50))]);
    // Its blocks on their way are no fault.
    (0..16).for_each(|block| assert_eq!(scene.block(bad, second, block * 16_384), Ok(false)));
    let mut asked: Vec<_> = asked.into_iter().filter(|one| one.0 == good).collect();
    while let Some((conn, piece)) = asked.pop() {
        assert_eq!(conn, good);
        scene.blocks_from(conn, piece, 0);
        asked.extend(requests(&scene.disk()));
    }
    assert_eq!(scene.wishes.last(), Some(&Wish::AllHad));
    assert!(requests(&scene.wishes).contains(&(good, piece)));
}

/// MAP-33: a wrong piece of one end is no fault of the others: who sent a part of the same piece stays.
#[test]
fn one_end_alone_is_blamed() {
    let mut scene = Scene::open(1, 7);
    scene.sources([1, 2]);
    let asked = scene.requests();
    assert_eq!(asked.len(), 2);
    assert_eq!(scene.block(1, 0, 0), Ok(true));
    let wishes = wrong_piece(&mut scene, 2, 0);
    assert!(wishes.contains(&Wish::Barred(Conn(2))) && !wishes.contains(&Wish::Barred(Conn(1))));
    assert_eq!(requests(&wishes), [(1, 0)]);
}

/// A piece that cannot be written ends the download, with what the system says; what is asked for is cancelled, and nothing has
/// an effect any more.
#[test]
fn a_fault_of_the_disk_ends_it() {
    let (mut scene, asked) = two(30);
    let (conn, piece) = asked[0];
    scene.blocks_from(conn, piece, 0);
    scene.drain();
    let fault = Fault::Disk("full".into());
    scene.download.took(scene.now, File::Map, piece, Vec::new(), Taken::Failed(fault.clone()));
    let wishes = scene.drain();
    assert_eq!(wishes.last(), Some(&Wish::Failed(fault)));
    assert_eq!(cancels(&wishes).len(), 4);
    assert_eq!(scene.download.next_due(), None);
    assert_eq!(scene.block(conn, asked[1].1, 0), Ok(false));
    assert_eq!(scene.download.handle_have_piece(Conn(conn), File::Map, 99), Ok(()));
    scene.sources([8]);
    scene.pass(100_000);
    assert_eq!(scene.drain(), []);
}

/// MAP-59: a download that is stopped cancels what it asked for, and wants nothing more.
#[test]
fn a_stop_cancels_what_is_asked_for() {
    let (mut scene, mut asked) = two(30);
    scene.download.stop();
    scene.download.stop();
    let mut cancelled = cancels(&scene.drain());
    asked.sort();
    cancelled.sort();
    assert_eq!(cancelled, asked);
    scene.pass(100_000);
    assert_eq!((scene.drain(), scene.download.next_due()), (vec![], None));
}
