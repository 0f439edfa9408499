//! Honest players never pay: whatever goes wrong, a second after it the host takes every word of theirs again.

use std::sync::OnceLock;

use mjolnir_tests::Cheat;
use mjolnir_tests::honest::{Course, Played, Trouble, games, play, play_all};

/// Games; `cargo run --profile soak -p mjolnir-tests --example honest` plays a thousand.
const SEEDS: u64 = 180;

fn played() -> &'static [Played] {
    static PLAYED: OnceLock<Vec<Played>> = OnceLock::new();
    PLAYED.get_or_init(|| play_all(SEEDS))
}

/// AUTH-10, 12, 14, 15, 22, 23, 25, 26, 30: loss of 2 % and of 20 %, half-second stalls of a client, of the host and of the link,
/// with players that wander, fall 200 wu, ride elevators and a ferry, go over teleporters, drive off a height and fly, and
/// throws of up to 1.5 wu a tick: nobody is refused from a second after on, at up to 150 ms each way.
#[test]
fn no_refusal_outlasts_the_trouble() {
    for game in played() {
        assert_eq!((game.brief, game.outlasting), (0, 0), "{game}");
        assert!(game.taken > 300, "{game}");
    }
}

/// AUTH-10, 12, 14, 15: and where bots walk, or anybody falls in a good game, none is refused at all, thrown or not, but
/// where platforms leave without one of the two copies.
#[test]
fn what_does_not_move_a_player_refuses_nothing() {
    let quiet = |game: &&Played| match game.course {
        // Whose host's clock stood does fifteen of its ticks in one of the host's.
        Course::Bots => game.map != "tower" && game.trouble != Trouble::HostStalls { stands: true },
        Course::Riders => false,
        _ => game.trouble == Trouble::Nothing || matches!(game.trouble, Trouble::Loss(_)),
    };
    assert!(played().iter().filter(quiet).count() > 50);
    for game in played().iter().filter(quiet) {
        assert_eq!(game.refused, 0, "{game}");
    }
}

/// Each course with each of its troubles is played.
#[test]
fn everything_is_played() {
    for (course, trouble) in games() {
        assert!(
            played().iter().any(|game| game.course == course && game.trouble == trouble),
            "{course:?} {trouble:?}"
        );
    }
}

/// Somebody whose word is refused is found.
#[test]
fn who_pays_is_found() {
    let game = play(3, Course::Bots, Trouble::Loss(2), |lab| lab.clients[0].cheat(&[Cheat::Runs(3.0)]));
    assert!(game.outlasting > 10, "{game}");
}

/// The trouble is there: what is lost is not taken.
#[test]
fn trouble_is_had() {
    let of = |trouble| play(4, Course::Bots, trouble, |_| {}).taken;
    let (little, much) = (of(Trouble::Loss(2)), of(Trouble::Loss(20)));
    assert!(little > much + 50, "{little} and {much}");
    let stalled = of(Trouble::LinkCut);
    assert_eq!(stalled, of(Trouble::LinkCut));
    assert!(of(Trouble::Loss(0)) > little);
}
