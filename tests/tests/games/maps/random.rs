//! Games from seeds in which whatever may happen to a download does.

use mjolnir_tests::maps::script::{self, Tally};

/// MAP-01, 03, 10 to 12, 49, 50, 52, 85: in two dozen games of joins, leaves, kills, changed maps, games begun and ended, and networks cut
/// off, whoever loads has the map of its settings' version byte for byte, and once it is quiet everybody plays or has left saying why.
#[test]
fn whatever_happens_who_plays_has_the_map() {
    let mut all = Tally::default();
    for seed in 1..=24 {
        all += script::play(seed, &mut |_| {}).unwrap_or_else(|broken| panic!("{broken}"));
    }
    println!("{all}");
    assert!(all.loads > 100 && all.play > 80, "{all}");
    assert!(all.received > 20_000_000, "{all}");
}
