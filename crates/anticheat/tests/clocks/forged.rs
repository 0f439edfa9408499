//! Datagrams that are not what the client's clock says: forged by others, or by a client that wants its measure wrong.

use crate::model::{Forged, Trial};

const SEEDS: u64 = 40;

/// CHEAT-15, 51: given datagrams stamped 15 % fast and an honest stream for a minute and more, then its predictions are refused
/// all the while, it is never dropped, and is said to be unverified once.
#[test]
fn datagrams_alone_drop_nobody() {
    for seed in 0..SEEDS {
        let trial = Trial { is_stream_honest: true, length: 80.0, ..Trial::new(seed) };
        let report = trial.fast(0.0, 1.15).run();
        let first = report.first().unwrap();
        let (fast, windows) = report.fast((first, 80.0));
        assert!(first < 8.2 && fast == windows && fast > 34, "seed {seed}: {first}, {fast} of {windows}");
        let unverified = report.unverified();
        assert!(
            unverified.len() == 1 && (unverified[0] - first - 8.0).abs() < 0.1,
            "seed {seed}: {unverified:?}"
        );
        assert_eq!(report.cheater(), [], "seed {seed}");
    }
}

/// CHEAT-12, 15: given an honest client, also one that its host's stall made lead by seconds, one whose clock drifts and one at
/// 9 %, and datagrams forged in its name at 1.3, then it is refused while they come, never dropped, and let off at once after.
#[test]
fn forged_datagrams_drop_nobody() {
    for seed in 0..SEEDS {
        let mut trial = Trial {
            drift: 0.0002,
            stalls: vec![(3.0, 8.0)],
            forged: vec![Forged { span: (20.0, 60.0), every: 1, lead: 140.0, gain: 9.0 }],
            length: 80.0,
            ..Trial::new(seed)
        };
        if seed % 2 == 1 {
            trial = trial.fast(0.0, 1.09);
            trial.forged[0].lead = 250.0;
        }
        let report = trial.run();
        let (fast, windows) = report.fast((24.2, 60.0));
        assert!(fast == windows && fast >= 17, "seed {seed}: {fast} of {windows}");
        assert_eq!(report.fast((62.2, 80.0)).0, 0, "seed {seed}");
        assert_eq!((report.cheater(), report.unverified().len()), (vec![], 1), "seed {seed}");
    }
}

/// CHEAT-12: given a clock 20 % fast and one datagram five minutes ahead of it, then that hides it in no window, and it is
/// dropped when it would have been.
#[test]
fn one_datagram_far_ahead_hides_nothing_for_long() {
    for seed in 0..SEEDS {
        let forged = vec![Forged { span: (3.0, 3.03), every: 1, lead: 9000.0, gain: 0.0 }];
        let poisoned = Trial { forged, length: 60.0, ..Trial::new(seed) };
        // One that says nothing by its stream for so long: by its datagrams alone.
        let silent = Trial { stream_every: 1_000_000, ..poisoned.clone() }.fast(0.0, 1.2).run();
        let (fast, windows) = silent.fast((3.9, 60.0));
        assert!(fast == windows && fast >= 28, "seed {seed}: {fast} of {windows}");
        let dropped = poisoned.fast(0.0, 1.2).run().cheater();
        assert!(dropped.len() == 1 && dropped[0] < 12.2, "seed {seed}: {dropped:?}");
    }
}

/// CHEAT-12: given a clock 20 % fast that puts a datagram ahead of itself each four seconds, so that it falls back in each second
/// window, by five minutes or by a little, then by its datagrams alone it is still found in window after window.
#[test]
fn falling_back_hides_nothing() {
    for (lead, gain) in [(9000.0, 0.0), (60.0, 6.0), (30.0, 6.0)] {
        for seed in 0..SEEDS {
            let forged = (2..14)
                .map(|time| f64::from(time) * 4.0)
                .map(|at| Forged { span: (at, at + 0.03), every: 1, lead: lead + gain * at, gain })
                .collect();
            let trial = Trial { forged, stream_every: 1_000_000, length: 60.0, ..Trial::new(seed) };
            let report = trial.fast(0.0, 1.2).run();
            let (fast, windows) = report.fast((8.5, 56.0));
            assert_eq!(fast, windows, "{lead}, {gain}, seed {seed}");
            assert_eq!(report.unverified().len(), 1, "{lead}, {gain}, seed {seed}");
        }
    }
}

/// CHEAT-12: given an honest client and one datagram five minutes ahead of it, then that is refused for its window alone, and a
/// clock that turns fast later is found and dropped as if there had been none.
#[test]
fn one_datagram_hides_nothing_that_comes_later() {
    for seed in 0..SEEDS {
        let forged = vec![Forged { span: (3.0, 3.03), every: 1, lead: 9000.0, gain: 0.0 }];
        let report = Trial { forged, length: 60.0, ..Trial::new(seed) }.fast(20.0, 1.2).run();
        assert_eq!(report.fast((0.0, 22.5)).0, 1, "seed {seed}");
        let (fast, windows) = report.fast((24.5, 60.0));
        assert!(fast == windows && fast >= 17, "seed {seed}: {fast} of {windows}");
        let dropped = report.cheater();
        assert!(dropped.len() == 1 && dropped[0] < 34.2, "seed {seed}: {dropped:?}");
    }
}

/// CHEAT-12, 15: given an honest client that leads for its host's stall, whose messages are three seconds late for a while and then
/// on time again, while datagrams are forged in its name, then its stream's leap is no word against it.
#[test]
fn a_stream_that_was_late_drops_nobody() {
    for seed in 0..SEEDS {
        let trial = Trial {
            drift: 0.0002,
            stalls: vec![(3.0, 8.0)],
            slow: vec![((30.0, 41.0 + seed as f64 / 20.0), 3.0)],
            forged: vec![Forged { span: (20.0, 60.0), every: 1, lead: 140.0, gain: 9.0 }],
            length: 70.0,
            ..Trial::new(seed)
        };
        let report = trial.run();
        assert!(report.fast((24.2, 60.0)).0 >= 17, "seed {seed}");
        assert_eq!((report.cheater(), report.unverified().len()), (vec![], 1), "seed {seed}");
    }
}
