//! Honest clocks in every trouble there is: nothing is found of any of them.

use crate::model::{Chance, Span, Trial};

/// So many spans of these lengths, anywhere in a game.
fn spans(chance: &mut Chance, length: f64, count: usize, lengths: &[f64]) -> Vec<Span> {
    (0..count)
        .map(|_| {
            let from = chance.between(0.0, length);
            (from, from + chance.of(lengths))
        })
        .collect()
}

/// Everything at once, as a seed has it.
pub(crate) fn troubled(seed: u64) -> Trial {
    let mut chance = Chance::new(!seed);
    let length = chance.between(60.0, 150.0);
    let mut count = |most: f64| chance.between(0.0, most + 1.0) as usize;
    let (holds, freezes, stalls, slow) = (count(4.0), count(3.0), count(3.0), count(2.0));
    let is_in_bursts = seed.is_multiple_of(8);
    let mut holds = spans(&mut chance, length, holds, &[2.0, 0.5]);
    if is_in_bursts {
        // All that comes is handed over once a second, as to a program in the background.
        holds = (0..length as u32).map(|second| (f64::from(second), f64::from(second) + 0.99)).collect();
    }
    Trial {
        length,
        drift: chance.between(-0.0004, 0.0004),
        delay: chance.between(0.0, 0.25),
        jitter: chance.of(&[0.0, 0.02, 0.1, 0.3]),
        loss: chance.of(&[0.0, 0.05, 0.3]),
        slow: spans(&mut chance, length, slow, &[3.0, 12.0]).into_iter().map(|span| (span, 1.5)).collect(),
        holds,
        freezes: spans(&mut chance, length, freezes, &[0.5, 1.0, 5.0, 60.0]),
        stalls: spans(&mut chance, length, stalls, &[0.5, 2.0, 3.0, 5.0]),
        stream_every: chance.of(&[1, 15, 300]),
        lateness: chance.of(&[0.0, 0.016, 0.1]),
        reads_first: chance.part() < 0.5,
        ..Trial::new(seed)
    }
}

/// CHEAT-09, 10: given jitter, loss, messages held and released at once, freezes of up to a minute with the jump after them,
/// host stalls after which the client leads for good, clocks 400 millionths apart, and all of it together, of two thousand
/// games nothing is found in any. By each window's newest stamp alone hundreds of them would have been.
#[test]
fn no_honest_clock_is_found() {
    let (mut leading, mut naive, mut windows) = (0, 0, 0);
    for seed in 0..2000 {
        let report = troubled(seed).run();
        let found: Vec<_> = report.found().collect();
        assert!(found.is_empty(), "seed {seed}: {found:?}");
        leading += usize::from(report.windows.iter().any(|(.., lead)| *lead > 15));
        naive += usize::from(report.naive > 0);
        windows += report.windows.len();
    }
    // There was something to be misled by.
    println!(
        "{windows} windows; {leading} games with a lead, {naive} that newest stamps alone would have found"
    );
    assert!(leading > 600 && naive > 100 && windows > 50_000, "{leading} {naive} {windows}");
}

/// CHEAT-09: given a client frozen for five seconds, which then jumps, and a host that stalls for three, nothing is found,
/// with either first and both at once.
#[test]
fn a_freeze_and_a_stall_are_not_speed() {
    // Who is frozen when the stall ends is behind the host after, and jumps; who is before or after that leads.
    for (freeze, stall, leads) in [
        (10.0, 20.0, true),
        (20.0, 10.0, true),
        (14.5, 12.0, false),
        (10.0, 10.0, false),
        (10.0, 12.0, false),
    ] {
        let trial = Trial {
            freezes: vec![(freeze, freeze + 5.0)],
            stalls: vec![(stall, stall + 3.0)],
            length: 40.0,
            ..Trial::new(1)
        };
        let report = trial.run();
        assert_eq!(report.found().count(), 0, "frozen at {freeze}, stalled at {stall}");
        let led = report.windows.iter().any(|(.., lead)| *lead > 15);
        assert_eq!(led, leads, "frozen at {freeze}, stalled at {stall}");
    }
}

/// CHEAT-09: given a clock 200 millionths fast for three hours, then it leads by far more than half a second and is not found.
#[test]
fn drift_is_not_speed() {
    let report = Trial { drift: 0.0002, length: 10_800.0, ..Trial::new(3) }.run();
    assert_eq!(report.found().count(), 0);
    assert!(report.windows.last().unwrap().2 > 50);
}
