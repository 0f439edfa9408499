//! Any lines at all: nothing panics, a log agrees with itself, and a field that is out for as long as its patience fails
//! wherever it is.

use proptest::collection::vec;
use proptest::prelude::*;

use super::fields::{Case, armed, cases};
use super::*;

/// Numbers of lines that were kept in memory: whatever there is.
fn real() -> impl Strategy<Value = f64> {
    prop_oneof![-2.0..2.0_f64, any::<f64>()]
}

/// Numbers that a log may have.
fn written() -> impl Strategy<Value = f64> {
    (-2_000_000..2_000_000_i32).prop_map(|thousandths| f64::from(thousandths) / 1000.0)
}

fn body(real: impl Strategy<Value = f64>) -> impl Strategy<Value = Alive> {
    let weapons = vec((0..3_u16, any::<i32>(), any::<i32>()), 0..4);
    (vec(real, 7), any::<bool>(), any::<[i32; 2]>(), weapons).prop_map(|(n, riding, grenades, weapons)| {
        Alive {
            position: [n[0], n[1], n[2]],
            body: n[3],
            shield: n[4],
            aim: [n[5], n[6]],
            riding,
            grenades,
            weapons: weapons
                .into_iter()
                .map(|(tag, loaded, reserve)| Weapon { tag, loaded, reserve })
                .collect(),
            ..Alive::default()
        }
    })
}

fn anybody(real: impl Strategy<Value = f64>) -> impl Strategy<Value = Player> {
    let slot = prop_oneof![4 => 0..4_u8, 1 => any::<u8>()];
    let record = (any::<[i32; 4]>(), 0..3_i32);
    (slot, proptest::option::of(body(real)), record).prop_map(|(slot, alive, (n, score))| Player {
        slot,
        alive,
        record: Record { score, kills: n[0], deaths: n[1], team: n[2], machine: n[3], ..Record::default() },
    })
}

fn line(
    tick: impl Strategy<Value = u32>,
    player: impl Strategy<Value = Player>,
) -> impl Strategy<Value = Line> {
    let drift = proptest::option::weighted(0.95, (any::<u64>(), any::<u64>(), real(), real()));
    (tick, vec(player, 0..5), any::<bool>(), drift).prop_map(|(tick, players, over, drift)| Line {
        tick,
        players,
        progress: if over { Progress::GameOver } else { Progress::Playing },
        drift: drift.map(|(ticks, apart, mean, largest)| Drift { ticks, apart, mean, largest }),
        ..Line::default()
    })
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    vec(line(prop_oneof![4 => 0..20_u32, 1 => any::<u32>()], anybody(real())), 0..30)
}

proptest! {
    /// TOOL-37, 58: any two lists of lines are judged without a panic, and what comes of it can be said.
    #[test]
    fn any_lines_are_judged(host in lines(), client in lines()) {
        let judgement = judge(&host, &client);
        let said = format!("{} {}", judgement.verdict, judgement.figures);
        prop_assert!(said.contains(" s"), "{}", said);
        prop_assert!(judgement.figures.logged.iter().all(|logged| judgement.figures.seconds <= *logged));
    }

    /// TOOL-58: any text is read as a log or refused, with a line of it named.
    #[test]
    fn any_text_is_a_log_or_none(parts in vec(prop_oneof![
        Just(String::from("network test: tick ")), Just(String::from(GOLDEN)), Just(String::from("\n")), ".{0,9}",
    ], 0..12)) {
        let text = parts.concat();
        match read_log(&text) {
            Ok(lines) => prop_assert!(lines.len() <= text.split_inclusive('\n').count()),
            Err(error) => prop_assert!((1..=text.split_inclusive('\n').count()).contains(&error.line)),
        }
    }

    /// TOOL-44, 54, 57: a machine's own log agrees with it, unless it says itself that it does not: it has no line, a line
    /// without drift, or more of its ticks apart than is allowed; a host's is no client's.
    #[test]
    fn a_log_agrees_with_itself(mut lines in vec(line(0..1_u32, anybody(written())), 0..30)) {
        for (second, line) in (1..).zip(&mut lines) {
            line.tick = 30 * second;
            if let Some(drift) = &mut line.drift {
                *drift = Drift { ticks: drift.ticks % 31, apart: drift.apart % 31 % (drift.ticks % 31 + 1), mean: 0.0, largest: 0.0 };
            }
        }
        let game = last_game(&lines);
        let sum = |of: fn(&Drift) -> u64| game.iter().filter_map(|line| line.drift.as_ref()).map(of).sum::<u64>();
        let mut client = lines.clone();
        client.iter_mut().filter_map(|line| line.drift.as_mut()).for_each(|drift| *drift = Drift::default());
        let verdict = judge(&lines, &client).verdict;
        let is_whole = game.iter().all(|line| line.drift.is_some()) && sum(|drift| drift.ticks) > 0;
        prop_assert_eq!(judge(&lines, &lines).verdict == Verdict::Error(Unjudged::Swapped), is_whole);
        if game.is_empty() {
            prop_assert_eq!(verdict, Verdict::Error(Unjudged::Empty(Side::Host)));
        } else if game.iter().any(|line| line.drift.is_none()) {
            prop_assert_eq!(verdict, Verdict::Error(Unjudged::NoDrift(Side::Host)));
        } else if sum(|drift| drift.apart) * 10 > sum(|drift| drift.ticks) * 6 {
            prop_assert!(matches!(verdict, Verdict::Fail(first) if first.field == Field::Drift));
        } else {
            prop_assert_eq!(verdict, Verdict::Pass);
        }
    }

    /// TOOL-46, 47, 48, 49, 50: any field that is past what is allowed for its patience fails, wherever in a game of any length and
    /// whatever seconds one of the machines did not log before and after; a second less passes.
    #[test]
    fn a_field_out_for_its_patience_fails(
        which in 0..cases().len(), before in 0..40_usize, after in 0..40_usize, holes in any::<u64>(), host in any::<bool>(),
    ) {
        let Case { field, patience, past, .. } = cases().swap_remove(which);
        for (out, fails) in [(patience - 1, false), (patience, true)] {
            let seconds = before + out + after;
            let mut game = armed(seconds as u32).client(before + 1..=before + out, past);
            let mut second = 0;
            game.client.retain(|_| {
                second += 1;
                (before + 1..=before + out).contains(&second) || holes & (1 << (second % 64)) == 0
            });
            if host {
                std::mem::swap(&mut game.host, &mut game.client);
            }
            match game.verdict() {
                Verdict::Fail(first) => {
                    prop_assert!(fails, "{}", first);
                    prop_assert_eq!((first.field, first.tick), (field, 30 * (before as u32 + 1)));
                }
                verdict => prop_assert!(!fails, "{:?} for {} s: {}", field, out, verdict),
            }
        }
    }
}
