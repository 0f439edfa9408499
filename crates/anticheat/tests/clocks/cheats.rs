//! Clocks that are too fast, on a line with 50 ms of jitter: when each is found, and that those below a tenth are not.

use mjolnir_anticheat::Finding;

use crate::honest::troubled;
use crate::model::Trial;

const SEEDS: u64 = 60;

/// CHEAT-10, 12, 43: given a clock 5 % or 9 % fast for two minutes, then nothing is found, also of one that leads by seconds
/// since its host stalled, and on a line that holds its messages for two seconds now and then.
#[test]
fn below_a_tenth_nothing_is_found() {
    for rate in [1.05, 1.09] {
        for seed in 0..SEEDS {
            let mut trial = Trial { length: 120.0, ..Trial::new(seed) }.fast(0.0, rate);
            if seed % 2 == 1 {
                trial.stalls = vec![(5.0, 8.0)];
            }
            if seed % 3 == 2 {
                trial.holds =
                    (1..6).map(|hold| (f64::from(hold) * 20.3, f64::from(hold) * 20.3 + 2.0)).collect();
            }
            let report = trial.run();
            let found: Vec<_> = report.found().collect();
            assert!(found.is_empty(), "{rate}, seed {seed}: {found:?}");
            assert!(report.windows.last().unwrap().2 > 100, "{rate}, seed {seed}");
        }
    }
}

/// CHEAT-10, 12: given a clock that is fast from the beginning, then it is refused at the first measure with more than half a
/// second of lead, at most one measure later, and dropped eight seconds after that with its rate.
#[test]
fn above_a_tenth_it_is_found() {
    for (rate, by) in [(1.12, 6.2), (1.15, 6.2), (1.2, 4.2), (1.5, 2.2), (2.0, 2.2)] {
        let mut late = 0;
        for seed in 0..SEEDS {
            let report = Trial { length: 40.0, ..Trial::new(seed) }.fast(0.0, rate).run();
            let first = report.first().unwrap();
            let ahead = report.windows.iter().find(|(.., lead)| *lead > 15).unwrap().0;
            late += usize::from(first > ahead);
            assert!(first - ahead < 2.1 && first < by + 2.0, "{rate}, seed {seed}: {first}, ahead {ahead}");
            let dropped = report.cheater();
            assert!(
                dropped.len() == 1 && (dropped[0] - first - 8.0).abs() < 0.1,
                "{rate}, seed {seed}: {dropped:?}"
            );
            let Some((_, Finding::Cheater(measure))) =
                report.found().find(|(_, found)| matches!(found, Finding::Cheater(_)))
            else {
                panic!("{rate}, seed {seed}");
            };
            assert!(
                (f64::from(measure.rate) - rate).abs() < 0.01 + 0.03 * (rate - 1.0),
                "{rate}, seed {seed}: {}",
                measure.rate
            );
            assert_eq!(report.unverified(), []);
            // Never let off.
            assert_eq!(report.fast((first, 40.0)).0, report.fast((first, 40.0)).1, "{rate}, seed {seed}");
        }
        println!("{rate}: a measure late in {late} of {SEEDS}");
        assert!(late * 10 <= SEEDS as usize, "{rate}: {late}");
    }
}

/// CHEAT-10: given a host that stalled, so that its client leads for good, then a clock that turns fast later is found at the
/// next measure or two; by little, at the next but one or two.
#[test]
fn who_leads_anyway_is_found_by_its_rate() {
    for (rate, windows) in [(1.12, 3.0), (1.15, 2.0), (1.2, 1.0), (2.0, 1.0)] {
        for seed in 0..SEEDS {
            let trial = Trial { stalls: vec![(5.0, 8.0), (11.0, 16.0)], length: 60.0, ..Trial::new(seed) };
            let report = trial.fast(20.0 + seed as f64 / 30.0, rate).run();
            let first = report.first().unwrap() - seed as f64 / 30.0;
            assert!((20.0..22.3 + 2.0 * windows).contains(&first), "{rate}, seed {seed}: {first}");
            assert_eq!(report.cheater().len(), 1, "{rate}, seed {seed}");
        }
    }
}

/// CHEAT-11: given two seconds in each six at 1.3, which is a tenth on the whole, then it is refused in the windows that are
/// fast enough, let off between, and never dropped.
#[test]
fn bursts_are_found_as_they_come() {
    for seed in 0..SEEDS {
        let from = seed as f64 / 10.0;
        let speeds =
            (0..20).map(|burst| from + f64::from(burst) * 6.0).map(|at| ((at, at + 2.0), 1.3)).collect();
        let report = Trial { speeds, length: 120.0, ..Trial::new(seed) }.run();
        // By then it leads by enough, and each burst is found.
        for burst in 2..18 {
            let at = from + f64::from(burst) * 6.0;
            let (fast, windows) = report.fast((at, at + 5.9));
            assert!((1..=2).contains(&fast) && windows <= 3, "seed {seed}, at {at}: {fast} of {windows}");
        }
        assert_eq!((report.cheater(), report.unverified()), (vec![], vec![]), "seed {seed}");
    }
}

/// CHEAT-11, 12: given a clock that stops being fast, then its next whole window lets it off, though it leads as before; four
/// fast windows and an honest one count from the start again.
#[test]
fn an_honest_window_lets_off() {
    for seed in 0..SEEDS {
        // Fast for eight seconds that are windows, beyond the stall that makes it lead.
        let start = Trial { stalls: vec![(2.0, 5.0)], length: 80.0, ..Trial::new(seed) };
        let calm = start.run();
        let ends: Vec<f64> = calm.windows.iter().map(|(at, ..)| *at).filter(|at| *at > 10.0).collect();
        let speeds = (0..6).map(|run| ((ends[run * 5], ends[run * 5 + 4]), 1.2)).collect();
        let report = Trial { speeds, ..start }.run();
        assert_eq!(report.cheater(), [], "seed {seed}");
        for run in 0..6 {
            let (fast, _) = report.fast((ends[run * 5] + 0.5, ends[run * 5 + 4] + 0.5));
            assert_eq!(fast, 4, "seed {seed}, run {run}");
            let (fast, windows) = report.fast((ends[run * 5 + 4] + 0.5, ends[run * 5 + 5] + 0.5));
            assert_eq!((fast, windows), (0, 1), "seed {seed}, run {run}");
        }
    }
}

/// CHEAT-12, 43: given a clock 5 % or 9 % fast in every trouble that honest ones are tried in, then it is never dropped nor told of:
/// a delay of more than 50 ms that lasts for whole windows and ends makes it look faster for the one that it ends in.
#[test]
fn below_a_tenth_nobody_is_dropped_for_trouble() {
    for (rate, most) in [(1.05, 0.02), (1.09, 0.05)] {
        let (mut refused, mut windows) = (0, 0);
        for seed in 0..300 {
            let report = troubled(seed).fast(0.0, rate).run();
            assert_eq!((report.cheater(), report.unverified()), (vec![], vec![]), "{rate}, seed {seed}");
            let (fast, all) = report.fast((0.0, f64::MAX));
            (refused, windows) = (refused + fast, windows + all);
        }
        println!("{rate}: {refused} of {windows} windows");
        assert!((refused as f64) < windows as f64 * most, "{rate}: {refused} of {windows}");
    }
}

/// CHEAT-10, 12: given 300 ms of jitter and one datagram in seven lost, then half as fast again is found within three seconds and a
/// fifth within eight, and both are dropped.
#[test]
fn a_bad_line_hides_nothing() {
    for (rate, by) in [(1.5, 3.0), (1.2, 8.1)] {
        let mut last = 0.0_f64;
        for seed in 0..SEEDS {
            let report = Trial { jitter: 0.3, loss: 0.15, ..Trial::new(seed) }.fast(0.0, rate).run();
            let first = report.first().unwrap();
            last = last.max(first);
            assert!(first < by, "{rate}, seed {seed}: {first}");
            let dropped = report.cheater();
            assert!(
                dropped.len() == 1 && dropped[0] < first + 10.1,
                "{rate}, seed {seed}: {first}, {dropped:?}"
            );
        }
        println!("{rate}: by {last:.1} s");
    }
}
