//! The budget table: what bad networks cost in bytes, corrections and error is what `budget.txt` holds; and what became of
//! the hits that clients saw.

use mjolnir_tests::budget::{Case, Tracer, cases, differences, measure, measure_all, table};
use mjolnir_tests::{Lab, Plan, hits};

const RECORDED: &str = include_str!("../budget.txt");

/// The table of what bad networks cost, and that of hits.
fn recorded() -> (&'static str, &'static str) {
    RECORDED.split_at(RECORDED.find(hits::TITLE).expect("a table of hits"))
}

/// That a table is as it is recorded.
fn assert_as_recorded(was: &str, is: &str) {
    for difference in differences(was, is) {
        println!("{difference}\n");
    }
    // Not the differences alone: lines in another order are none.
    assert!(
        was.lines().eq(is.lines()),
        "not as recorded in tests/budget.txt; if this is meant: cargo xtask record-budget"
    );
}

/// Architecture: every game of the table, played again, comes to the figures that are recorded, to the last digit.
#[test]
fn what_bad_networks_cost_is_as_recorded() {
    let measured = measure_all();
    for (case, figures) in &measured {
        assert_eq!(figures.causes.unknown, 0, "moved for nothing that is known: {case:?}, {figures:?}");
        if case.loss == 0 {
            assert_eq!((figures.causes.lost, figures.own_vehicle_moves), (0, 0.0), "{case:?}");
        }
        if case.map == "flat" {
            assert_eq!(figures.own_moves, 0.0, "{case:?}");
        }
    }
    assert_as_recorded(recorded().0, &table(&measured));
}

/// DMG-02, 04, 37: in each game of the table of hits every hit that a client saw was reported once, all but those of the dead,
/// and those of who was dead by then itself, were dealt, nothing was dealt that nobody saw, and reports add up; the figures are
/// those that are recorded.
#[test]
fn what_the_shooter_saw_hit_hits() {
    let measured = hits::measure_all();
    for (case, figures) in &measured {
        assert_eq!((figures.missed(), figures.false_hits), (0, 0), "{case:?}, {figures:?}");
        assert_eq!(figures.reported, figures.seen as u64, "{case:?}, {figures:?}");
        assert_eq!(figures.reported, figures.dealt as u64 + figures.rejected, "{case:?}, {figures:?}");
        assert!(figures.seen >= 20 && figures.kills >= 5, "nobody fights: {case:?}, {figures:?}");
        let trip = (2.0 * (case.latency + hits::JITTER) as f64 * 0.03).ceil();
        assert!(figures.answered[1] <= trip + 3.0, "{case:?}, {figures:?}");
    }
    for latency in [0, 50, 100] {
        let of = || measured.iter().filter(|(case, _)| case.latency == latency).map(|(_, figures)| figures);
        let seen: usize = of().map(|figures| figures.seen).sum();
        let dealt: usize = of().map(|figures| figures.dealt).sum();
        assert!(dealt * 1000 >= seen * 995, "{latency} ms: {dealt} of {seen}");
    }
    assert_as_recorded(recorded().1, &hits::table(&measured));
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

/// PRED-29: a move is traced. In these games two bots want one driver's seat, and the one that lost is put into the other
/// seat: contested. A player that is moved on foot though nobody wanted anything is traced to nothing.
#[test]
fn a_move_has_its_cause() {
    let mut lab = Lab::play(Plan::new("carpark", 2127, 7).network(25, 2.0));
    lab.run_seconds(3.0);
    let mut tracer = Tracer::new(&lab, true);
    lab.watch_ticks(60, |lab, who| tracer.follow(lab, who));
    let causes = tracer.causes();
    assert!(causes.contested >= 1 && causes.lost + causes.unknown == 0, "{causes:?}");

    let mut lab = Lab::idle(Plan::new("flat", 1, 1).network(25, 0.0));
    lab.run_seconds(2.0);
    let mut tracer = Tracer::new(&lab, false);
    let slot = lab.clients[0].slot();
    let place = lab.host.place(slot);
    assert!(lab.host.engine.world_mut().move_to(slot, place + mjolnir_wire::Vec3::new(8.0, 0.0, 0.0)));
    lab.watch_ticks(60, |lab, who| tracer.follow(lab, who));
    let causes = tracer.causes();
    assert!(causes.unknown >= 1 && causes.contested + causes.lost == 0, "{causes:?}");
}
