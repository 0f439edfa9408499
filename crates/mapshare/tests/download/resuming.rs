//! What part files had, and how far a download is.

use mjolnir_mapshare::download::{Conn, Progress, Wish};
use mjolnir_mapshare::{Fault, Job};
use mjolnir_wire::mapshare::File;

use super::kit::{Scene, Truth, requests, whole};

/// MAP-50: pieces of a part file are had without being asked for; the others are asked for.
#[test]
fn what_a_part_file_has_is_not_asked_for() {
    let truth = Truth::new(File::Map, whole(10));
    let mut scene = Scene::told(vec![truth.clone()], 7);
    scene.sources([1]);
    assert_eq!(scene.drain(), [], "the part file was not looked at");
    assert_eq!(scene.download.bitmap(File::Map), None);
    scene.resume(File::Map, (0..10).filter(|piece| piece % 5 != 2));
    let wishes = scene.drain();
    assert_eq!(wishes[0], Wish::Have(File::Map));
    assert_eq!(scene.download.bitmap(File::Map), Some(&[0b0111_1011, 0b11][..]));
    let mut asked: Vec<_> = requests(&wishes).into_iter().map(|one| one.1).collect();
    asked.sort();
    assert_eq!(asked, [2, 7]);
    for piece in asked {
        scene.piece(1, piece);
    }
    assert_eq!(scene.wishes.last(), Some(&Wish::AllHad));
    assert_eq!(scene.download.bitmap(File::Map), Some(&[0xFF, 0b11][..]));
}

/// MAP-50: of a part file that has all nothing is asked for.
#[test]
fn a_whole_part_file_is_all() {
    let mut scene = Scene::told(vec![Truth::new(File::Map, whole(10))], 7);
    scene.sources([1]);
    scene.resume(File::Map, 0..10);
    assert_eq!(scene.drain(), [Wish::Have(File::Map), Wish::AllHad]);
    assert_eq!(scene.download.next_due(), None);
}

/// MAP-50: what there is of a part file comes once; a bitmap of another length and bits past the last are nothing that is had.
#[test]
fn bits_of_no_piece_are_nothing() {
    for (bitmap, had) in [(vec![], 0), (vec![0xFF], 8), (vec![0; 2], 0), (vec![0xFF; 9], 9)] {
        let mut scene = Scene::told(vec![Truth::hashes_only(File::Map, 9)], 7);
        scene.download.resumed(scene.now, File::Sounds, Ok(vec![0xFF; 2]));
        scene.download.resumed(scene.now, File::Map, Ok(bitmap.clone()));
        scene.download.resumed(scene.now, File::Map, Ok(vec![0xFF; 2]));
        let count = (0..9).filter(|piece| scene.download.has(File::Map, *piece)).count();
        assert_eq!(count, had, "{bitmap:?}");
        assert!(!scene.download.has(File::Map, 9));
        assert_eq!(scene.download.progress().had, had as u64 * u64::from(whole(1)));
        assert_eq!(scene.download.bitmap(File::Map).unwrap()[1] & 0xFE, 0);
    }
}

/// A part file that cannot be read ends the download with what the system says.
#[test]
fn a_part_file_that_cannot_be_read_ends_it() {
    let mut scene = Scene::told(vec![Truth::new(File::Map, 9)], 7);
    scene.download.resumed(scene.now, File::Map, Err(Fault::Disk("no".into())));
    assert_eq!(scene.drain(), [Wish::Failed(Fault::Disk("no".into()))]);
}

/// MAP-54, 57, 72: progress counts the bytes of whole, checked pieces of all files, each piece once, up to their bytes exactly.
#[test]
fn progress_counts_checked_pieces_of_all_files() {
    let files = vec![Truth::new(File::Map, whole(2) + 5), Truth::new(File::Loc, 100)];
    let mut scene = Scene::told(files, 7);
    assert_eq!(scene.download.progress(), Progress { had: 0, is_checking: true });
    scene.resume(File::Loc, []);
    assert!(scene.download.progress().is_checking);
    scene.resume(File::Map, [0]);
    let first = u64::from(whole(1));
    assert_eq!(scene.download.progress(), Progress { had: first, is_checking: false });
    scene.sources([1]);
    scene.drain();
    scene.blocks_from(1, 1, 0);
    assert_eq!(scene.download.progress().had, first, "it is not checked");
    scene.disk();
    assert_eq!(scene.download.progress().had, 2 * first);
    scene.piece(1, 2);
    assert_eq!(scene.download.progress().had, 2 * first + 5);
    scene.have_all(1, File::Loc);
    assert_eq!(scene.requests(), [(1, 0)]);
    let bytes = scene.truth(File::Loc).bytes.clone();
    let sent = scene.download.handle_block(scene.now, Conn(1), File::Loc, 0, 0, &bytes);
    assert_eq!(sent, Ok(true));
    let wishes = scene.disk();
    assert_eq!(wishes, [Wish::Had(File::Loc, 0), Wish::AllHad]);
    assert_eq!(scene.download.progress().had, 2 * first + 105);
}

/// MAP-50: each file's part file is looked at once its own hashes are there, and its pieces are asked for while another's is
/// still checked.
#[test]
fn files_begin_one_by_one() {
    let files = vec![Truth::new(File::Map, whole(30)), Truth::new(File::Loc, 100)];
    let mut scene = Scene::new(files, 7);
    scene.sources([1]);
    scene.pass(10_000);
    scene.drain();
    let map = scene.files[0].clone();
    scene.tell(Conn(1), &map);
    let wishes = scene.drain();
    assert!(matches!(wishes[..], [Wish::Job(Job::Resume { file: File::Map, .. })]), "{wishes:?}");
    scene.resume(File::Map, []);
    assert_eq!(scene.requests().len(), 2);
    assert_eq!(scene.download.hashes(File::Loc), None);
}

/// A file is offered once, and one without a byte is none.
#[test]
fn odd_offers_are_passed_over() {
    let mut twice = vec![Truth::new(File::Map, 9), Truth::new(File::Map, 7)];
    twice[1].offered.size = 7;
    let scene = Scene::new(twice, 7);
    assert_eq!(scene.download.offered(File::Map).map(|offered| offered.size), Some(9));
    let mut empty = Truth::new(File::Sounds, 9);
    empty.offered.size = 0;
    let scene = Scene::new(vec![empty], 7);
    assert_eq!(scene.download.offered(File::Sounds), None);
}
