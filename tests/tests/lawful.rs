//! Whoever's clock is honest is never refused, dropped or written down for it, and whoever's is too fast always is.

use std::sync::OnceLock;

use mjolnir_engine_glue::transport::Why;
use mjolnir_tests::lawful::{Part, Played, play, play_all};

/// Games; `cargo run --profile soak -p mjolnir-tests --example lawful` plays a thousand.
const SEEDS: u64 = 20;

fn played() -> &'static [Played] {
    static PLAYED: OnceLock<Vec<Played>> = OnceLock::new();
    PLAYED.get_or_init(|| play_all(1, SEEDS))
}

/// CHEAT-09, 10, 12, 43: of clients that stutter, nap for up to 14 s, sleep for a minute, join late and play a second round, of a
/// host that stalls for up to five seconds, on lines that hold everything for two seconds, lose up to a third and are late by up to
/// 0.3 s, with clocks 200 millionths wrong: nobody is refused, dropped or written down but who is more than a tenth too fast,
/// and each of these is.
#[test]
fn who_is_refused_is_who_is_too_fast() {
    for game in played() {
        assert!(game.is_just(), "{game}");
    }
}

/// Each part is played, and there is trouble in each game.
#[test]
fn every_part_is_played() {
    let came = || played().iter().flat_map(|game| &game.came);
    assert!(came().filter(|came| came.part == Part::Honest).count() > 20);
    assert!(came().any(|came| came.part == Part::Sleeper && came.gone == Some(Why::Silent)));
    assert!(came().any(|came| matches!(came.part, Part::Slight(_))));
    assert!(came().any(|came| matches!(came.part, Part::Cheat(_))));
    assert!(came().any(|came| matches!(came.part, Part::Quiet(_))));
    assert!(played().iter().all(|game| game.troubles > 2));
}

/// Somebody who cheats and is thought honest is found, and so is an honest one that is written down.
#[test]
fn what_is_unjust_is_found() {
    let seed = played()
        .iter()
        .find(|game| game.came[..2].iter().all(|came| came.part == Part::Honest) && game.seconds > 45)
        .expect("a game of honest clients")
        .seed;
    assert!(play(seed, |_| {}).is_just());
    let fast = play(seed, |lab| {
        let now = lab.now();
        lab.clients[0].pace(now, 1.5);
    });
    assert!(!fast.is_just() && fast.came[0].refused > 0 && fast.came[1].is_just(), "{fast}");
    let framed = play(seed, |lab| lab.host.engine.manners.cheaters.push_str("\tip=10.0.1.2\t\n"));
    assert!(!framed.is_just() && framed.came[0].is_just() && !framed.came[1].is_just(), "{framed}");
}
