//! What is done where ends are slow, silent or gone.

use mjolnir_mapshare::download::{Conn, PIECE_WITHIN, Rank, Wish, YIELD_AFTER, YIELD_WITHIN};
use mjolnir_mapshare::{Fault, Job, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::File;

use super::kit::{Scene, Truth, cancels, requests};

/// MAP-86: a request of which no block came for 30 s is cancelled and its piece asked of another end; nobody is blamed, and
/// later requests to the end still go.
#[test]
fn a_silent_request_goes_to_another() {
    let mut scene = Scene::open(30, 7);
    scene.sources([1]);
    let silent: Vec<_> = scene.requests().into_iter().map(|one| one.1).collect();
    scene.sources([2]);
    let mut asked = scene.requests();
    // The other sends its pieces.
    for _ in 0..3 {
        scene.pass(9_999);
        assert_eq!(cancels(&scene.drain()), []);
        let (conn, piece) = asked.remove(0);
        scene.piece(conn, piece);
        asked.extend(requests(&scene.wishes).last());
    }
    assert!(scene.download.next_due().unwrap() <= scene.now.plus(3_000));
    scene.pass(2);
    assert_eq!(cancels(&scene.drain()), []);
    scene.pass(1);
    let wishes = scene.drain();
    assert_eq!(cancels(&wishes), [(1, silent[0]), (1, silent[1])]);
    assert!(!wishes.contains(&Wish::Barred(Conn(1))));
    // It is asked for others.
    let others = requests(&wishes);
    assert!(
        others.len() == 2 && others.iter().all(|one| one.0 == 1 && !silent.contains(&one.1)),
        "{others:?}"
    );
    for (_, piece) in others {
        scene.piece(1, piece);
    }
    // The other's next are those.
    for (conn, piece) in asked {
        scene.piece(conn, piece);
    }
    let asked = requests(&scene.wishes);
    assert!(silent.iter().all(|piece| asked.contains(&(2, *piece))), "{asked:?}");
}

/// MAP-86: an end answers in order, so what it was asked for later waits for no block while an earlier piece comes.
#[test]
fn a_later_request_waits_for_its_turn() {
    let mut scene = Scene::open(30, 7);
    scene.sources([1]);
    let asked = scene.requests();
    for block in 0..4 {
        scene.pass(29_000);
        assert_eq!(scene.block(1, asked[0].1, block * 16_384), Ok(true));
    }
    scene.pass(29_999);
    assert_eq!(cancels(&scene.drain()), []);
    scene.pass(1);
    assert_eq!(cancels(&scene.drain()).len(), 2);
    // A block of the later one says nothing of the earlier one.
    let mut scene = Scene::open(30, 7);
    scene.sources([1]);
    let asked = scene.requests();
    scene.pass(29_999);
    assert_eq!(scene.block(1, asked[1].1, 0), Ok(true));
    scene.pass(1);
    assert_eq!(cancels(&scene.drain()), [asked[0]]);
}

/// MAP-86: where nobody else has the piece, the same end is asked again.
#[test]
fn the_only_end_is_asked_again() {
    let mut scene = Scene::open(2, 7);
    scene.sources([1]);
    let mut asked = scene.requests();
    scene.pass(30_000);
    let wishes = scene.drain();
    assert_eq!(cancels(&wishes), asked);
    let mut again = requests(&wishes);
    asked.sort();
    again.sort();
    assert_eq!(again, asked);
}

/// MAP-86: who was too slow for a piece is not asked for it again while another has it, though that one is busy; once that one is
/// gone, it is.
#[test]
fn who_was_too_slow_is_not_asked_again_while_another_has_it() {
    let mut scene = Scene::open(30, 7);
    scene.add(2, Rank::Named);
    scene.have(2, File::Map, [5, 6]);
    assert_eq!(scene.requests().len(), 2);
    scene.add(1, Rank::Named);
    scene.have(1, File::Map, [0, 1]);
    assert_eq!(scene.requests().len(), 2);
    scene.have(2, File::Map, [0, 1, 5, 6]);
    let busy_with = requests(&scene.wishes)[0].1;
    scene.pass(29_999);
    assert_eq!(scene.block(2, busy_with, 0), Ok(true));
    scene.pass(1);
    let wishes = scene.drain();
    assert_eq!((cancels(&wishes).len(), requests(&wishes)), (2, vec![]));
    scene.download.forget(Conn(2));
    let mut asked = scene.requests();
    asked.sort();
    assert_eq!(asked, [(1, 0), (1, 1)]);
}

/// MAP-60: where nothing comes for a minute it fails; a single block is something.
#[test]
fn nothing_for_a_minute_fails_it() {
    let mut scene = Scene::open(30, 7);
    scene.sources([1]);
    let asked = scene.requests();
    scene.pass(29_000);
    assert_eq!(scene.block(1, asked[0].1, 0), Ok(true));
    scene.pass(30_000);
    scene.drain();
    scene.pass(29_999);
    assert!(!scene.drain().contains(&Wish::Failed(Fault::Nothing)));
    assert_eq!(scene.download.next_due(), Some(scene.now.plus(1000)));
    scene.pass(1);
    assert_eq!(scene.drain().last(), Some(&Wish::Failed(Fault::Nothing)));
}

/// MAP-60: where blocks come and go silent again for ten minutes, and never a piece, it fails as well.
#[test]
fn blocks_that_never_make_a_piece_fail_it() {
    let mut scene = Scene::open(30, 7);
    scene.sources([1]);
    let mut asked = scene.requests();
    for _ in 0..PIECE_WITHIN / Moment::SECOND / 40 {
        assert_eq!(scene.block(1, asked[0].1, 0), Ok(true));
        scene.pass(30_000);
        asked = scene.requests();
        assert_eq!(asked.len(), 2);
        scene.pass(9_999);
    }
    assert_eq!(scene.drain(), []);
    assert_eq!(scene.download.next_due(), Some(scene.now.plus(15_000)));
    scene.pass(14);
    assert_eq!(scene.drain(), []);
    scene.pass(1);
    assert_eq!(scene.drain().last(), Some(&Wish::Failed(Fault::Nothing)));
}

/// Who sent right pieces is asked before who sent none, and who came before others before who comes anew: ends that come, are
/// silent and come again do not keep the others from being asked.
#[test]
fn newcomers_wait_for_their_turn() {
    let mut scene = Scene::open(60, 7);
    scene.sources(1..=10);
    let mut asked = scene.requests();
    let (first, piece) = asked[0];
    scene.piece(first, piece);
    asked.retain(|one| one.0 == first);
    // The others go, and come as others that nobody knows.
    (1..=10).filter(|conn| *conn != first).for_each(|conn| scene.download.forget(Conn(conn)));
    scene.add(30, Rank::Named);
    scene.add(31, Rank::Named);
    scene.wishes.clear();
    assert_eq!(scene.block(first, asked[1].1, 0), Ok(true));
    for conn in [31, 30] {
        scene.have_all(conn, File::Map);
    }
    let order: Vec<_> = scene.requests().into_iter().map(|one| one.0).collect();
    assert_eq!(order.iter().filter(|conn| **conn == 30).count(), 2, "{order:?}");
    assert!(
        order.iter().position(|conn| *conn == 30) < order.iter().position(|conn| *conn == 31),
        "{order:?}"
    );
}

/// MAP-60: with nobody to ask it fails a minute after the last that came, too.
#[test]
fn nobody_for_a_minute_fails_it() {
    let mut scene = Scene::open(30, 7);
    scene.pass(59_999);
    assert_eq!(scene.drain(), []);
    assert_eq!(scene.download.next_due(), Some(scene.now.plus(1000)));
    scene.pass(1);
    assert_eq!(scene.drain(), [Wish::Failed(Fault::Nothing)]);
}

/// MAP-60: a minute in which the disk looks at a part file, or writes all that is missing, is nobody else's.
#[test]
fn the_disks_time_is_not_theirs() {
    let mut scene = Scene::told(vec![Truth::new(File::Map, 9)], 7);
    scene.sources([1]);
    scene.pass(500_000);
    assert_eq!((scene.drain(), scene.download.next_due()), (vec![], None));
    assert!(scene.download.progress().is_checking);
    scene.resume(File::Map, []);
    assert_eq!(scene.requests(), [(1, 0)]);
    scene.pass(29_999);
    assert_eq!(scene.block(1, 0, 0), Ok(true));
    let Some(Wish::Job(Job::Take { bytes, .. })) = scene.drain().pop() else { panic!() };
    scene.pass(500_000);
    assert_eq!((scene.drain(), scene.download.next_due()), (vec![], None));
    scene.download.took(scene.now, File::Map, 0, bytes, Taken::Good);
    assert_eq!(scene.drain(), [Wish::Had(File::Map, 0), Wish::AllHad]);
}

/// MAP-60: nor is a minute in which nothing is asked for since 16 pieces are at the disk; one of them back, it begins anew.
#[test]
fn a_full_disk_is_not_their_fault() {
    let mut scene = Scene::open(60, 7);
    scene.sources([1]);
    let mut asked = scene.requests();
    let mut at_disk = Vec::new();
    while let Some((conn, piece)) = asked.pop() {
        scene.blocks_from(conn, piece, 0);
        for wish in scene.drain() {
            match wish {
                Wish::Job(Job::Take { piece, bytes, .. }) => at_disk.push((piece, bytes)),
                other => asked.extend(requests(&[other])),
            }
        }
    }
    assert!(at_disk.len() >= 16);
    scene.pass(500_000);
    assert_eq!((scene.drain(), scene.download.next_due()), (vec![], None));
    while at_disk.len() >= 16 {
        let (piece, bytes) = at_disk.pop().unwrap();
        scene.download.took(scene.now, File::Map, piece, bytes, Taken::Good);
    }
    scene.download.forget(Conn(1));
    scene.drain();
    scene.pass(59_999);
    assert_eq!(scene.drain(), []);
    scene.pass(1);
    assert_eq!(scene.drain(), [Wish::Failed(Fault::Nothing)]);
}

/// MAP-27, 86: eight ends that send a block now and then hold all sixteen requests for half a minute and as much longer as they sent:
/// then one makes way for an end that is asked for nothing, which is asked for whole pieces from then on.
#[test]
fn ends_that_trickle_make_way() {
    for blocks in [0, 1, 8] {
        let mut scene = Scene::open(60, 7);
        scene.sources(1..=8);
        let held = scene.requests();
        assert_eq!(held.len(), 16);
        scene.sources([9]);
        assert_eq!(scene.requests(), []);
        scene.pass(20_000);
        for (conn, piece) in &held {
            for offset in (0..blocks).map(|block| block * 16_384) {
                assert_eq!(scene.block(*conn, *piece, offset), Ok(true));
            }
            // Nobody is silent.
            if blocks == 0 && held.iter().find(|one| one.0 == *conn) == Some(&(*conn, *piece)) {
                assert_eq!(scene.block(*conn, *piece, 0), Ok(true));
            }
        }
        let begun = scene.now.as_micros() / 1000 - 20_000;
        let longer = u64::from(blocks) * (YIELD_WITHIN - YIELD_AFTER) / 16 / 1000;
        let due = begun + YIELD_AFTER / 1000 + longer;
        let left = due - scene.now.as_micros() / 1000;
        scene.pass(left - 1);
        assert_eq!(scene.drain(), [], "{blocks} blocks");
        assert_eq!(scene.download.next_due(), Some(scene.now.plus(1000)));
        scene.pass(1);
        let wishes = scene.drain();
        assert_eq!((cancels(&wishes).len(), requests(&wishes).len()), (1, 1));
        let (mut conn, mut piece) = requests(&wishes)[0];
        for _ in 0..20 {
            assert_eq!(conn, 9);
            scene.wishes.clear();
            scene.piece(conn, piece);
            (conn, piece) = requests(&scene.wishes)[0];
        }
    }
}

/// What an end was asked for is asked of another as it goes, or as it takes its pieces back.
#[test]
fn what_an_end_leaves_is_asked_of_another() {
    for goes in [true, false] {
        let mut scene = Scene::open(4, 7);
        scene.sources([1]);
        let asked = scene.requests();
        assert_eq!(scene.block(1, asked[0].1, 0), Ok(true));
        scene.add(2, Rank::Named);
        scene.have(2, File::Map, asked.iter().map(|one| one.1));
        // Near the end both are asked of it as well.
        assert_eq!(scene.requests().len(), 2);
        scene.download.forget(Conn(2));
        if goes {
            scene.download.forget(Conn(1));
            assert_eq!(scene.drain(), [], "a closed connection is told nothing");
        } else {
            scene.have(1, File::Map, []);
            assert_eq!(cancels(&scene.drain()).len(), 2);
        }
        scene.sources([3]);
        let again = scene.requests();
        assert_eq!(again.len(), 2);
        for step in 0..4 {
            let (conn, piece) =
                requests(&scene.wishes)[requests(&scene.wishes).len() - 1 - usize::from(step < 3)];
            assert_eq!(conn, 3);
            scene.piece(conn, piece);
        }
        assert_eq!(scene.wishes.last(), Some(&Wish::AllHad));
    }
}

/// A poll that comes before anything is due, or again at the same moment, changes nothing.
#[test]
fn a_poll_too_many_is_nothing() {
    let mut scene = Scene::open(30, 7);
    scene.sources([1, 2]);
    assert_eq!(scene.requests().len(), 4);
    for _ in 0..3 {
        scene.download.poll(scene.now);
        scene.download.poll(Moment::START);
    }
    assert_eq!(scene.drain(), []);
}
