//! Where a file's hashes come from, and what becomes of an end whose are not the file's.

use mjolnir_mapshare::download::{Conn, Rank, Refused, Wish};
use mjolnir_mapshare::{Fault, Job};
use mjolnir_wire::mapshare::{File, FileHash};
use mjolnir_wire::swarm::Have;

use super::kit::{Scene, Truth, address, requests, whole};

fn map(pieces: u32) -> Vec<Truth> {
    vec![Truth::new(File::Map, whole(pieces))]
}

/// Whom a file's hashes are asked of now.
fn asked(scene: &mut Scene) -> Vec<(u32, File)> {
    let asked = |wish| match wish {
        Wish::HashesRequest(conn, file, 0) => Some((conn.0, file)),
        Wish::HashesRequest(..) => panic!("not from the first on"),
        _ => None,
    };
    scene.drain().into_iter().filter_map(asked).collect()
}

/// A host (0), a source that it named (1) and one that connected (2), all with the whole map.
fn three() -> Scene {
    let mut scene = Scene::new(map(3), 1);
    for (conn, rank) in [(2, Rank::Incoming), (1, Rank::Named), (0, Rank::Host)] {
        scene.add(conn, rank);
        scene.have_all(conn, File::Map);
    }
    scene
}

/// MAP-29: the host is asked at once, a named source at 10 s, one that connected at 30 s; at 60 s it fails.
#[test]
fn hashes_are_asked_of_more_and_more_ends() {
    let mut scene = three();
    assert_eq!(asked(&mut scene), [(0, File::Map)]);
    let mut passed = 0;
    for (due, then) in [(10_000, vec![(1, File::Map)]), (30_000, vec![(2, File::Map)])] {
        assert_eq!(scene.download.next_due(), Some(scene.now.plus((due - passed) * 1000)));
        scene.pass(due - passed - 1);
        assert_eq!(asked(&mut scene), []);
        scene.pass(1);
        assert_eq!(asked(&mut scene), then);
        passed = due;
    }
    scene.pass(29_999);
    assert_eq!(scene.drain(), []);
    assert_eq!(scene.download.next_due(), Some(scene.now.plus(1000)));
    scene.pass(1);
    assert_eq!(scene.drain(), [Wish::Failed(Fault::NoHashes)]);
    assert_eq!(scene.download.next_due(), None);
}

/// MAP-29: the hashes of all files are there within a minute, or it fails though other files' pieces come.
#[test]
fn one_file_without_hashes_fails_it() {
    let mut scene = Scene::new(vec![Truth::new(File::Map, whole(40)), Truth::new(File::Loc, 5)], 1);
    scene.add(0, Rank::Host);
    scene.have_all(0, File::Map);
    scene.drain();
    let truth = scene.files[0].clone();
    scene.tell(Conn(0), &truth);
    scene.download.resumed(scene.now, File::Map, Ok(truth.bitmap([])));
    let mut asked = scene.requests();
    for _ in 0..5 {
        scene.pass(11_999);
        let (conn, piece) = asked.remove(0);
        scene.blocks_from(conn, piece, 0);
        asked.extend(requests(&scene.disk()));
    }
    scene.pass(4);
    assert_eq!(scene.drain(), []);
    scene.pass(1);
    assert_eq!(scene.drain().last(), Some(&Wish::Failed(Fault::NoHashes)));
}

/// MAP-29: a named source is asked at once where 10 s are over, and who was mute is not asked again.
#[test]
fn an_end_is_asked_once() {
    let mut scene = three();
    scene.pass(31_000);
    assert_eq!(asked(&mut scene).len(), 3);
    scene.have_all(0, File::Map);
    scene.pass(1000);
    assert_eq!(asked(&mut scene), []);
    scene.add(3, Rank::Named);
    scene.have_all(3, File::Map);
    assert_eq!(asked(&mut scene), [(3, File::Map)]);
}

/// MAP-30: a list with one bit changed is refused, and its end is asked for none again, by another connection neither; another
/// end's is taken.
#[test]
fn a_list_of_another_file_is_refused() {
    let mut scene = three();
    scene.drain();
    let truth = scene.files[0].clone();
    let mut wrong = truth.hashes.clone();
    wrong[1][31] ^= 0x80;
    let told = scene.download.handle_hashes(scene.now, Conn(0), File::Map, 0, &wrong);
    assert_eq!(told, Err(Refused::HashList));
    assert!(!Refused::HashList.closes());
    assert_eq!(scene.download.hashes(File::Map), None);
    scene.download.add(Conn(9), address(Conn(0)), Rank::Host);
    scene.have_all(9, File::Map);
    scene.pass(10_000);
    assert_eq!(asked(&mut scene), [(1, File::Map)]);
    // The right ones, of an end that is asked no more, are nothing.
    scene.tell(Conn(0), &truth);
    assert_eq!(scene.download.hashes(File::Map), None);
    scene.tell(Conn(1), &truth);
    let hashes = scene.download.hashes(File::Map).unwrap().clone();
    assert_eq!(*hashes, *truth.hashes);
    assert_eq!(scene.drain(), [Wish::Job(Job::Resume { file: File::Map, hashes })]);
}

/// MAP-30: who told wrong hashes may still give pieces: each is checked.
#[test]
fn who_told_wrong_hashes_is_asked_for_pieces() {
    let mut scene = three();
    scene.drain();
    let truth = scene.files[0].clone();
    assert!(scene.download.handle_hashes(scene.now, Conn(0), File::Map, 0, &[[1; 32]; 3]).is_err());
    scene.pass(10_000);
    scene.drain();
    scene.tell(Conn(1), &truth);
    scene.download.resumed(scene.now, File::Map, Ok(truth.bitmap([])));
    assert!(scene.requests().iter().any(|(conn, _)| *conn == 0));
}

/// MAP-31, 79: no hashes, a gap, an overlap and one too many are refused; the end stays, and is asked for none again.
#[test]
fn frames_that_are_not_due_are_refused() {
    for (first, count) in [(0, 0), (1, 2), (0, 4)] {
        let mut scene = three();
        scene.drain();
        let told = scene.download.handle_hashes(scene.now, Conn(0), File::Map, first, &vec![[0; 32]; count]);
        assert_eq!(told, Err(Refused::Hashes), "{count} from {first}");
        assert!(!Refused::Hashes.closes());
        scene.have_all(0, File::Map);
        scene.pass(59_000);
        assert_eq!(asked(&mut scene), [(2, File::Map), (1, File::Map)]);
    }
}

/// MAP-79: 1025 pieces' hashes come in frames of 512, 512 and 1, and those of 1024 pieces in two.
#[test]
fn a_list_comes_in_frames() {
    for pieces in [1024, 1025] {
        let mut scene = Scene::new(vec![Truth::hashes_only(File::Map, pieces)], 1);
        scene.add(0, Rank::Host);
        scene.have_all(0, File::Map);
        assert_eq!(asked(&mut scene), [(0, File::Map)]);
        let truth = scene.files[0].clone();
        for (first, frame) in [(0, &truth.hashes[..512]), (512, &truth.hashes[512..1024])] {
            assert_eq!(scene.download.handle_hashes(scene.now, Conn(0), File::Map, first, frame), Ok(()));
        }
        assert_eq!(scene.download.hashes(File::Map).is_some(), pieces == 1024);
        let last = scene.download.handle_hashes(scene.now, Conn(0), File::Map, 1024, &truth.hashes[1024..]);
        assert_eq!(last, Ok(()));
        assert_eq!(scene.download.hashes(File::Map).map(|hashes| hashes.len()), Some(pieces as usize));
    }
}

/// Of the largest file two ends beside the host are asked at once; who has not told all within ten seconds makes way for one that
/// waits, and what it tells later is nothing. Of a map of 1300 pieces all are asked at once.
#[test]
fn lists_are_bounded() {
    for (pieces, at_once) in [(16_384, 2), (1300, 24)] {
        let mut scene = Scene::new(vec![Truth::hashes_only(File::Map, pieces)], 1);
        let truth = scene.files[0].clone();
        scene.add(0, Rank::Host);
        scene.have_all(0, File::Map);
        scene.sources(1..=5);
        assert_eq!(asked(&mut scene), [(0, File::Map)]);
        scene.pass(10_000);
        let first = asked(&mut scene);
        assert_eq!(first.len(), at_once.min(5));
        if at_once > 5 {
            continue;
        }
        let (slow, slower) = (Conn(first[0].0), Conn(first[1].0));
        assert_eq!(scene.download.handle_hashes(scene.now, slow, File::Map, 0, &truth.hashes[..512]), Ok(()));
        scene.pass(9_999);
        assert_eq!(asked(&mut scene), []);
        assert_eq!(scene.download.next_due(), Some(scene.now.plus(1000)));
        scene.pass(1);
        assert_eq!(asked(&mut scene), [(3, File::Map)]);
        assert!(scene.download.next_due() <= Some(scene.now), "the other is due as well");
        scene.pass(0);
        assert_eq!(asked(&mut scene), [(4, File::Map)]);
        let late = scene.download.handle_hashes(scene.now, slow, File::Map, 512, &truth.hashes[512..1024]);
        assert_eq!(late, Ok(()), "it is no fault");
        // The host has as long as it takes; a list that is there ends the others'.
        scene.pass(10_000);
        assert_eq!(asked(&mut scene), [(5, File::Map)], "nobody is asked twice, {slower:?} neither");
        scene.tell(Conn(0), &truth);
        assert!(scene.download.hashes(File::Map).is_some());
    }
}

/// MAP-79: hashes that nobody asked for are nothing, whatever they are.
#[test]
fn hashes_that_were_not_asked_for_are_ignored() {
    let mut scene = three();
    scene.drain();
    let truth = scene.files[0].clone();
    for (conn, file) in [(1, File::Map), (0, File::Sounds), (7, File::Map)] {
        assert_eq!(scene.download.handle_hashes(scene.now, Conn(conn), file, 0, &[]), Ok(()));
        assert_eq!(scene.download.handle_hashes(scene.now, Conn(conn), file, 0, &truth.hashes), Ok(()));
    }
    assert_eq!(scene.download.hashes(File::Map), None);
    scene.pass(10_000);
    assert_eq!(asked(&mut scene), [(1, File::Map)]);
}

/// MAP-29: of one end the files' hashes are asked for one after the other.
#[test]
fn an_end_is_asked_for_one_files_at_a_time() {
    let mut scene = Scene::new(vec![Truth::new(File::Map, 9), Truth::new(File::Sounds, 7)], 1);
    scene.add(0, Rank::Host);
    scene.have_all(0, File::Sounds);
    scene.have_all(0, File::Map);
    assert_eq!(asked(&mut scene), [(0, File::Map)]);
    let truth = scene.files[0].clone();
    scene.tell(Conn(0), &truth);
    assert_eq!(asked(&mut scene), [(0, File::Sounds)]);
    // One that takes a file back is asked for the next.
    let mut scene = Scene::new(scene.files.clone(), 1);
    scene.add(0, Rank::Host);
    scene.have_all(0, File::Sounds);
    scene.have_all(0, File::Map);
    assert_eq!(asked(&mut scene), [(0, File::Map)]);
    scene.have(0, File::Map, []);
    assert_eq!(asked(&mut scene), [(0, File::Sounds)]);
}

/// MAP-75: an end that has another file of that number, by its hash or its size, is asked for nothing of it.
#[test]
fn an_end_with_another_file_is_not_used() {
    let mut scene = Scene::new(map(3), 1);
    let offered = scene.files[0].offered;
    for (conn, hash, size) in [(0, FileHash([7; 32]), offered.size), (1, offered.hash, offered.size - 1)] {
        scene.add(conn, Rank::Host);
        scene.download.handle_have(Conn(conn), File::Map, &Have { hash, size, bitmap: None });
        // Of its own file it may have pieces that this one has not.
        assert_eq!(scene.download.handle_have_piece(Conn(conn), File::Map, 3), Ok(()));
    }
    assert_eq!(asked(&mut scene), []);
    scene.have_all(1, File::Map);
    assert_eq!(asked(&mut scene), [(1, File::Map)]);
    let truth = scene.files[0].clone();
    scene.tell(Conn(1), &truth);
    scene.download.resumed(scene.now, File::Map, Ok(truth.bitmap([])));
    assert!(scene.requests().iter().all(|(conn, _)| *conn == 1));
}
