//! The budget table: what bad networks cost in bytes, corrections and error is what `budget.txt` holds.

use mjolnir_tests::budget::{Case, cases, differences, measure, measure_all, table};

const RECORDED: &str = include_str!("../budget.txt");

/// Architecture: every game of the table, played again, comes to the figures that are recorded, to the last digit.
#[test]
fn what_bad_networks_cost_is_as_recorded() {
    let is = table(&measure_all());
    for difference in differences(RECORDED, &is) {
        println!("{difference}\n");
    }
    // Not the differences alone: lines in another order are none.
    assert!(
        RECORDED.lines().eq(is.lines()),
        "not as recorded in tests/budget.txt; if this is meant: cargo xtask record-budget"
    );
}

/// TOOL-07: a game's figures are its seed's; those of another seed are others.
#[test]
fn a_seed_has_its_figures() {
    let case = cases()[7];
    let figures = measure(case);
    assert_eq!(measure(case), figures);
    let other = measure(Case { seed: case.seed + 1, ..case });
    assert_ne!(other.remote_error, figures.remote_error);
}

/// Architecture: the table shows a network that got worse. A game that loses one datagram in five and the same that
/// loses none differ in how far copies are off, and not in what is sent.
#[test]
fn a_worse_network_shows() {
    let lossy = cases().into_iter().find(|case| case.loss == 20).expect("a case with loss");
    let good = Case { loss: 0, ..lossy };
    let (lossy, good) = (measure(lossy), measure(good));
    assert!(lossy.remote_error[0] > good.remote_error[0] * 1.2, "{lossy:?} beside {good:?}");
    assert!((lossy.down.bytes / good.down.bytes - 1.0).abs() < 0.01, "{lossy:?} beside {good:?}");
}
