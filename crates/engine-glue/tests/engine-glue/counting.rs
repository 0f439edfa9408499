//! What is counted.

use super::table::Table;

/// GLUE-13: after ten seconds of play the counters are the crates' own.
#[test]
fn the_counters_are_the_crates_own() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    table.begin(0);
    table.run(10_000);
    let counters = table.host.counters();
    let (totals, session) = (table.host.transport().totals(), *table.host.transport().counters());
    assert_eq!((counters.sent, counters.received), (totals.sent.messages, totals.received.messages));
    assert_eq!(counters.dropped, session.dropped);
    assert_eq!(counters.unsendable, 0);
    let takings = table.host.authority().takings();
    assert_eq!(counters.taken, takings.taken);
    assert!(takings.taken > 250);
    let refused: u64 = counters.refused.values().sum();
    assert_eq!(refused, session.refused.total() + takings.past_tolerance + takings.past_bounds);

    let client = &table.seats[a].client;
    let (counters, traffic) = (client.counters(), client.transport().traffic());
    assert_eq!((counters.sent, counters.received), (traffic.sent.messages, traffic.received.messages));
    assert_eq!(counters.dropped, client.transport().counters().dropped);
    assert_eq!(counters.corrected, client.prediction().corrected());
    assert_eq!(counters.own_corrections, client.prediction().own_corrections());
    assert_eq!(counters.own_corrections, 0, "a clean link corrects nobody");
    assert_eq!(counters.needless_deletions, u64::from(client.objects().needless_deletions()));
}

/// Notices that nobody takes do not grow without a bound.
#[test]
fn notices_are_bounded() {
    let mut table = Table::new(0);
    for _ in 0..200 {
        let raw = table.raw();
        table.run(15);
        let raw = table.raws.swap_remove(raw);
        raw.leave(table.now);
        table.run(5);
    }
    assert_eq!(table.host.take_notices().len(), mjolnir_engine_glue::NOTICES_KEPT);
    assert_eq!(table.host.take_notices(), []);
}
