//! The cheaters' kit: what each lie is worth is bounded by what the rows say, and stands in `docs/security.md`.
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

use std::sync::OnceLock;

use mjolnir_tests::cheat::trial::{LATENCIES, Trial, Worth, kit, run, table};
use mjolnir_tests::{Cheat, Lab, Plan, Seating, go, still};
use mjolnir_wire::Vec3;

#[path = "cheaters/hits.rs"]
mod hits;

const PAGE: &str = include_str!("../../docs/security.md");

/// Every trial with what it came to.
fn tried() -> &'static [(Trial, [Worth; LATENCIES.len()])] {
    static TRIED: OnceLock<Vec<(Trial, [Worth; LATENCIES.len()])>> = OnceLock::new();
    TRIED.get_or_init(|| {
        let trials = kit();
        let worth = run(&trials);
        trials.into_iter().zip(worth).collect()
    })
}

/// AUTH-10, 12, 13, 16, 17, 18, 19, 20, 26, 27, 30, 64: no lie gets the host's copy further ahead of an honest player's in a minute than the
/// rows let it, at 0 and at 100 ms each way; one that is slower than they allow is taken in full.
#[test]
fn no_lie_is_worth_more_than_the_rows_allow() {
    for (trial, worth) in tried() {
        for (ms, worth) in LATENCIES.iter().zip(worth) {
            let name = trial.name();
            assert!(worth.most <= trial.most + 1e-3, "{name}, {ms} ms: {} of {}", worth.most, trial.most);
            assert!(worth.most >= trial.least, "{name}, {ms} ms: {} of {}", worth.most, trial.least);
        }
    }
}

/// The page says what the trials come to.
#[test]
fn the_page_has_the_figures() {
    let (trials, worth): (Vec<_>, Vec<_>) = tried().iter().cloned().unzip();
    let table = table(&trials, &worth);
    assert!(PAGE.contains(&table), "docs/security.md should have\n{table}");
}

/// A client that runs on flat ground, and its host; it lies from then on.
fn lab(milliseconds: u64, cheats: &[Cheat]) -> Lab {
    let plan = Plan::new("flat", 62, 1).network(milliseconds, 0.0);
    let mut lab = Lab::play_as(plan, Seating::of(Vec::new()), |_| Seating::of(vec![still()]));
    lab.run_ticks(30);
    lab.clients[0].engine.take_over(0, go(0.0));
    lab.clients[0].cheat(cheats);
    lab.run_ticks(90);
    lab
}

/// Predictions that the host took since the game began, and that it did not.
fn takings(lab: &mut Lab) -> (u64, u64) {
    let takings = lab.host.net.authority().takings();
    (takings.taken, takings.past_bounds + takings.past_tolerance)
}

/// A kit that tells no lie would find nothing: each is told, and an honest client is refused nothing.
#[test]
fn each_lie_is_told() {
    let honest = lab(0, &[]);
    let slot = honest.clients[0].slot();
    let honest = honest.host.place(slot);
    for (cheats, refused) in [
        (&[][..], false),
        (&[Cheat::Runs(3.0)], true),
        (&[Cheat::Leaps { every: 1, by: 0.3 }], true),
        (&[Cheat::LeapsOnce(30.0)], true),
        (&[Cheat::Grasps(4.0)], true),
    ] {
        let mut lab = lab(0, cheats);
        assert_eq!(takings(&mut lab).1 > 0, refused, "{cheats:?}");
        let same = lab.host.place(slot) == honest;
        assert!(same == cheats.is_empty() || refused, "{cheats:?}");
    }
    // What is said of a velocity is had by the host's copy, shortened.
    let says = lab(0, &[Cheat::Says(Vec3::new(0.0, 0.8, 0.0))]);
    let velocity = says.host.engine.world().velocity(slot).unwrap();
    assert!((velocity.y - 0.16).abs() < 1e-6 && velocity.x.abs() < 1e-6, "{velocity:?}");
}

/// What is forged on the way is what a liar says it is: fewer predictions, old ones, none that were had already.
#[test]
fn each_way_is_gone() {
    let honest = takings(&mut lab(0, &[])).0;
    let counted = |lab: &Lab, reason: &str| lab.host.net.counters().refused.get(reason).copied().unwrap_or(0);
    for (cheat, least, most, reason) in [
        // All is said of for two seconds at first.
        (Cheat::Withholds { every: 10, says: 2 }, honest - 30, honest - 18, ""),
        (Cheat::Swaps, honest - 50, honest - 40, ""),
        // Past half a second of lead none is taken any more (CHEAT-10), which is looked at each two seconds.
        (Cheat::StampsAt(2.0), honest / 2 - 10, honest / 2, "cheat_clock"),
        (Cheat::StampsAt(-1.0), honest - 91, honest - 80, ""),
        (Cheat::Doubles, honest, honest, ""),
        (Cheat::Replays(10), honest, honest, ""),
    ] {
        let mut lab = lab(0, &[cheat]);
        let (taken, _) = takings(&mut lab);
        assert!((least..=most).contains(&taken), "{cheat:?}: {taken} of {honest}");
        assert!(reason.is_empty() || counted(&lab, reason) > 0, "{cheat:?}");
    }
}
