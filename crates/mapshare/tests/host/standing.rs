//! Whose players are held, and who is not dropped meanwhile.

use mjolnir_mapshare::{Error, HostStanding, News};
use mjolnir_wire::mapshare::{File, FileSet, Progress, ProgressState};

use crate::maps::{found, hash};
use crate::said::{LEVEL, machine, seconds};
use crate::scene::{PIECE, SIZE, Scene, VERSION};

const WHOLE: u64 = SIZE as u64;

fn excused_at(scene: &mut Scene, of: u8, at: f64) -> bool {
    scene.now = seconds(at);
    scene.poll();
    scene.standing(of).is_excused
}

/// MAP-10, 11, 72: a machine lacks the map, for which a game holds its players out, from its request until it says that it has all, and
/// no word before that changes it; one that came with the map never does.
#[test]
fn players_are_held_until_their_machine_has_the_map() {
    let mut scene = Scene::new();
    assert_eq!(scene.standing(1), HostStanding::default());
    scene.fetch(1);
    let lacking = HostStanding { is_downloading: true, is_excused: true };
    assert_eq!(scene.standing(1), lacking);
    scene.progress(1, 0, ProgressState::Checking).unwrap();
    scene.progress(1, WHOLE, ProgressState::Downloading).unwrap();
    assert_eq!(scene.standing(1), lacking);
    scene.progress(1, WHOLE, ProgressState::HasAll).unwrap();
    assert_eq!(scene.standing(1), HostStanding { is_downloading: false, is_excused: true });
    scene.progress(2, WHOLE, ProgressState::HasAll).unwrap();
    assert_eq!(scene.standing(2), HostStanding::default());
}

/// MAP-10: who gave up, or was refused, lacks the map as before: its players stay held, and nothing keeps it from being dropped.
#[test]
fn who_gave_up_is_held_and_not_excused() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.progress(1, PIECE, ProgressState::Stopped).unwrap();
    let given_up = HostStanding { is_downloading: true, is_excused: false };
    assert_eq!(scene.standing(1), given_up);
    assert_eq!(scene.progress(1, WHOLE, ProgressState::Downloading), Err(Error::NotAsked));
    scene.host.set_settings(mjolnir_mapshare::HostSettings { shares: false, upload: 0 });
    scene.ask(2, FileSet::MAP, LEVEL).unwrap();
    scene.poll();
    assert_eq!(scene.standing(2), given_up);
}

/// MAP-72: having all, a machine is asked nothing more of what it asked before.
#[test]
fn a_request_that_waited_holds_nobody_who_has_all() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.now = seconds(1.0);
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    scene.progress(1, WHOLE, ProgressState::HasAll).unwrap();
    assert_eq!(scene.run_to(10.0), []);
    assert!(!scene.standing(1).is_downloading);
}

/// MAP-72: nor of what it asked and is not answered yet, since this host hashes: once it has, nobody is told anything.
#[test]
fn a_request_that_waits_for_a_hash_is_nothing_to_who_has_all() {
    for has_all in [false, true] {
        let mut scene = Scene::needing(FileSet::only(File::Sounds));
        scene.ask(1, FileSet::only(File::Sounds), LEVEL).unwrap();
        assert_eq!(scene.poll(), []);
        if has_all {
            scene.progress(1, WHOLE, ProgressState::HasAll).unwrap();
        }
        let orders = scene.orders();
        let mjolnir_mapshare::Order::Hash { ticket, file } = orders[0] else { panic!("{orders:?}") };
        scene.host.handle_news(News::Hashed { ticket, file, answer: Ok((9, hash(9))) });
        let told = scene.run_to(30.0);
        assert_eq!(told.is_empty(), has_all, "{told:?}");
        assert_eq!(scene.standing(1).is_downloading, !has_all);
    }
}

/// MAP-55: a machine whose download stands is not dropped for 80 seconds after its last piece.
#[test]
fn a_download_that_stands_is_excused_for_eighty_seconds() {
    let mut scene = Scene::new();
    scene.fetch(1);
    assert!(excused_at(&mut scene, 1, 79.0));
    scene.progress(1, PIECE, ProgressState::Downloading).unwrap();
    assert!(excused_at(&mut scene, 1, 79.0 + 79.0));
    assert!(excused_at(&mut scene, 1, 79.0 + 79.999));
    assert!(!excused_at(&mut scene, 1, 79.0 + 80.0));
    assert!(!excused_at(&mut scene, 1, 79.0 + 81.0));
    scene.progress(1, 2 * PIECE, ProgressState::Downloading).unwrap();
    assert!(scene.standing(1).is_excused);
}

/// MAP-55, 72: less than a piece is no growth, until it has become one; nor is a count that falls and comes back.
#[test]
fn growth_is_a_piece() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.now = seconds(40.0);
    scene.progress(1, PIECE - 1, ProgressState::Downloading).unwrap();
    assert!(excused_at(&mut scene, 1, 79.9));
    assert!(!excused_at(&mut scene, 1, 80.1));
    scene.progress(1, PIECE, ProgressState::Downloading).unwrap();
    assert!(scene.standing(1).is_excused);
    scene.now = seconds(100.0);
    scene.progress(1, 0, ProgressState::Downloading).unwrap();
    scene.progress(1, PIECE, ProgressState::Downloading).unwrap();
    assert!(excused_at(&mut scene, 1, 160.0));
    assert!(!excused_at(&mut scene, 1, 160.2));
}

/// MAP-55: the last piece may be smaller: the whole is growth too. Having all, a machine has 20 seconds to load.
#[test]
fn who_has_all_is_excused_for_twenty_seconds() {
    let mut scene = Scene::looking();
    scene.looked(Ok(Some(found(VERSION, SIZE + 1, FileSet::NONE))));
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    scene.poll();
    scene.progress(1, WHOLE, ProgressState::Downloading).unwrap();
    scene.now = seconds(70.0);
    scene.progress(1, WHOLE + 1, ProgressState::HasAll).unwrap();
    assert!(excused_at(&mut scene, 1, 89.0));
    assert!(excused_at(&mut scene, 1, 89.999));
    assert!(!excused_at(&mut scene, 1, 90.0));
    // Said again, it begins no other.
    scene.progress(1, WHOLE + 1, ProgressState::HasAll).unwrap();
    assert!(!scene.standing(1).is_excused);
}

/// MAP-55: the 20 seconds end with the 80 of who says that it has all and did not grow.
#[test]
fn saying_that_it_has_all_is_no_growth() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.progress(1, WHOLE, ProgressState::Downloading).unwrap();
    scene.now = seconds(75.0);
    scene.progress(1, WHOLE, ProgressState::HasAll).unwrap();
    assert!(excused_at(&mut scene, 1, 79.9));
    assert!(!excused_at(&mut scene, 1, 80.1));
}

/// MAP-56: the 80 seconds run from the first offer, however often and for whatever level a machine asks again.
#[test]
fn asking_again_begins_no_other_eighty_seconds() {
    let mut scene = Scene::new();
    scene.now = seconds(3.0);
    scene.fetch(1);
    for at in 1..9 {
        let at = f64::from(at) * 10.0;
        scene.run_to(at);
        let of = if at % 20.0 == 0.0 { LEVEL } else { "custom_maps\\other" };
        scene.ask(1, FileSet::MAP, of).unwrap();
    }
    scene.run_to(82.9);
    assert!(scene.standing(1).is_excused);
    scene.run_to(83.0);
    assert!(!scene.standing(1).is_excused);
    // Nor does having all and asking anew.
    scene.progress(1, 0, ProgressState::HasAll).unwrap();
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    scene.run_to(95.0);
    assert!(!scene.standing(1).is_excused && scene.standing(1).is_downloading);
}

/// MAP-57: what is said beyond what was offered counts to that.
#[test]
fn nothing_grows_beyond_what_was_offered() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.now = seconds(10.0);
    scene.progress(1, u64::MAX, ProgressState::Downloading).unwrap();
    scene.now = seconds(60.0);
    scene.progress(1, u64::MAX, ProgressState::Downloading).unwrap();
    scene.progress(1, WHOLE + PIECE, ProgressState::Downloading).unwrap();
    assert!(excused_at(&mut scene, 1, 89.9));
    assert!(!excused_at(&mut scene, 1, 90.0));
}

/// MAP-57: what is offered later adds to what may grow, and the same again does not.
#[test]
fn every_file_that_was_offered_counts_once() {
    let mut scene = Scene::needing(FileSet::only(File::Sounds));
    scene.fetch(1);
    scene.progress(1, WHOLE, ProgressState::Downloading).unwrap();
    scene.now = seconds(30.0);
    scene.ask(1, FileSet::only(File::Sounds), LEVEL).unwrap();
    scene.poll();
    let mjolnir_mapshare::Order::Hash { ticket, file } = scene.orders()[0] else { panic!() };
    scene.host.handle_news(News::Hashed { ticket, file, answer: Ok((PIECE as u32, hash(9))) });
    scene.poll();
    scene.progress(1, WHOLE + PIECE, ProgressState::Downloading).unwrap();
    scene.now = seconds(60.0);
    scene.ask(1, FileSet::MAP.with(File::Sounds), LEVEL).unwrap();
    scene.poll();
    scene.progress(1, WHOLE + 2 * PIECE, ProgressState::Downloading).unwrap();
    assert!(excused_at(&mut scene, 1, 109.9));
    assert!(!excused_at(&mut scene, 1, 110.1));
}

/// MAP-55: while this host still hashes what it is to offer first, nobody is dropped for it.
#[test]
fn who_waits_for_this_host_is_excused() {
    let mut scene = Scene::looking();
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    scene.run_to(100.0);
    assert!(scene.standing(1).is_excused);
    scene.looked(Ok(Some(found(VERSION, SIZE, FileSet::NONE))));
    scene.poll();
    assert!(excused_at(&mut scene, 1, 179.9));
    assert!(!excused_at(&mut scene, 1, 180.0));
    // Another level's is nothing to wait for.
    scene.host.set_game("custom_maps\\other", 0);
    scene.ask(2, FileSet::MAP, LEVEL).unwrap();
    scene.poll();
    assert_eq!(scene.standing(2), HostStanding::default());
}

/// MAP-70: what is said of another map than the game's is nothing.
#[test]
fn progress_of_another_version_is_ignored() {
    let mut scene = Scene::new();
    scene.fetch(1);
    for map_version in [0, VERSION ^ 1] {
        let progress = Progress { had: WHOLE, map_version, state: ProgressState::HasAll };
        let now = scene.now;
        assert_eq!(scene.host.handle_progress(now, machine(1), &progress), Err(Error::OtherVersion));
    }
    assert!(scene.standing(1).is_downloading);
}

/// MAP-10, 55, 56, 58: what a machine lacks is known with its word, though its request waits for its turn: its players are held, and it
/// is excused, as where the game came to another map a second after it had asked. Who asks on and on is excused for two turns.
#[test]
fn who_waits_for_its_turn_is_held_and_excused() {
    let mut scene = Scene::new();
    scene.now = seconds(1.0);
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    let held = HostStanding { is_downloading: true, is_excused: true };
    assert_eq!(scene.standing(1), held, "before anything is polled");
    scene.poll();
    scene.now = seconds(2.0);
    scene.host.set_game("custom_maps\\next", 0);
    scene.poll();
    assert_eq!(scene.standing(1), HostStanding::default());
    scene.ask(1, FileSet::MAP, "custom_maps\\next").unwrap();
    scene.poll();
    assert_eq!(scene.standing(1), held);
    scene.now = seconds(5.9);
    scene.poll();
    assert_eq!(scene.standing(1), held, "its turn is at 6 s");

    // A host that does not share answers, and is asked on and on: while a turn comes, for ten seconds after the first that waited.
    let mut scene = Scene::new();
    scene.host.set_settings(mjolnir_mapshare::HostSettings { shares: false, upload: 0 });
    for second in 0..40 {
        scene.now = seconds(f64::from(second));
        let level = if second % 2 == 0 { LEVEL } else { "custom_maps\\next" };
        scene.ask(1, FileSet::MAP, level).unwrap();
        scene.poll();
        let is_turn = second % 5 == 0;
        assert_eq!(scene.standing(1).is_excused, !is_turn && second <= 11, "{second} s");
    }
}
