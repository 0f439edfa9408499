//! What is counted.

use mjolnir_engine_glue::Hits;

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

/// TOOL-66: a game's own counters begin at nothing with each game, on both ends, and what was counted before is in the others;
/// a client's game is over by its host's word, until the next one begins.
#[test]
fn a_games_counters_are_its_own() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    for game in 0..2 {
        let before = [table.host.counters(), table.seats[a].client.counters()];
        assert!(before[0].sent > 0 && before[1].received > 0);
        table.begin(0);
        let begun = table.host.game_counters();
        assert_eq!((begun.taken, begun.hits, begun.refused.len()), (0, Hits::default(), 0));
        table.run(10_000);
        let client = &table.seats[a].client;
        assert!(!client.is_over());
        let all = [table.host.counters(), client.counters()];
        let own = [table.host.game_counters(), client.game_counters()];
        for ((before, all), own) in before.iter().zip(&all).zip(&own) {
            // The lobby's last words may stand on either side.
            let lobby = (all.sent - before.sent).abs_diff(own.sent)
                + (all.received - before.received).abs_diff(own.received);
            assert!(lobby <= 4 && own.sent > 200 && own.received > 200, "game {game}: {own:?}");
            assert_eq!(all.taken - before.taken, own.taken);
            assert_eq!(all.corrected - before.corrected, own.corrected);
        }
        assert!(own[0].taken > 250 && own[0].taken < 310, "game {game}: {}", own[0].taken);
        table.host.end(&mut table.game);
        table.run(500);
        assert!(table.seats[a].client.is_over());
        table.host.to_lobby(table.now, &mut table.game);
        table.run(500);
        assert!(table.seats[a].client.is_over());
    }
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
