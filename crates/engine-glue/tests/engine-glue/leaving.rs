//! Leaving: every machine takes a player out before the same tick.

use mjolnir_engine_glue::{client, host};
use mjolnir_wire::packets::{Packet, list};

use super::game::{Call, unit_of};
use super::table::{Table, player, slot};

/// NET-35, 63: who leaves is taken out on every machine before the same tick, once, and its unit with it; its row stays.
#[test]
fn a_player_leaves_everywhere_at_one_tick() {
    let mut table = Table::playing(1_000);
    let (a, b) = (table.seat(1), table.seat(1));
    table.run(2_000);
    let told = table.host.now_tick().get();
    table.seats[b].client.leave();
    table.run(2_000);
    let on_host = table.game.tick_of(&Call::Remove(1)).unwrap();
    assert!((told + 33..=told + 34).contains(&on_host), "{on_host} after {told}");
    assert_eq!(table.seats[a].game.tick_of(&Call::Remove(1)), Some(on_host));
    for game in [&table.game, &table.seats[a].game] {
        assert_eq!(game.count(&Call::Remove(1)), 1);
        assert_eq!(game.place(1), None);
    }
    assert_eq!(table.seats[a].game.count(&Call::Delete(unit_of(slot(1)))), 1);
    assert_eq!(table.seats[b].client.stage(), client::Stage::Closed);
    assert_eq!(table.seats[b].game.count(&Call::End), 1);
    let left = client::Notice::PlayerLeft { slot: slot(1) };
    assert!(table.seats[a].client.take_notices().contains(&left));
    let left =
        table.host.take_notices().into_iter().find(|notice| matches!(notice, host::Notice::Left { .. }));
    assert!(left.is_some());
}

/// NET-63: one of a machine's own players leaves: from that tick on its controls are not asked, and its
/// machine says nothing of it; the other goes on.
#[test]
fn an_own_player_leaves_alone() {
    let mut table = Table::playing(0);
    let a = table.seat(2);
    table.run(2_000);
    let leaves = Packet::RemovePlayerRequestIngame(list::RemovePlayerRequestIngame { player: player(0) });
    let now = table.now;
    table.seats[a].network.slip(now, &leaves);
    table.run(2_000);
    assert_eq!(table.seats[a].game.count(&Call::Remove(0)), 1);
    assert_eq!(table.seats[a].client.own_slots(), [slot(1)]);
    let refused = table.host.counters().refused;
    // What it said of the player in the ticks until it left.
    assert!(refused.get("not_owned").is_some_and(|count| *count <= 2 * 36), "{refused:?}");
    let before = table.host.counters().refused.clone();
    table.run(1_000);
    assert_eq!(table.host.counters().refused, before);
    let last = table.game.driven.last().unwrap();
    assert_eq!((last.1, last.0), (slot(1), table.host.now_tick().get()));
}

/// NET-63: who is removed while the game loads is never added on the host, and leaves the others' when its tick comes.
#[test]
fn who_leaves_while_it_loads_is_not_added() {
    let mut table = Table::new(1);
    let (a, b) = (table.seat(1), table.seat(1));
    table.run(1_000);
    table.seats[a].game.loaded = false;
    table.begin(0);
    table.run(500);
    table.seats[b].client.leave();
    table.run(500);
    table.seats[a].game.loaded = true;
    table.run(3_000);
    assert!(!table.game.calls.iter().any(|call| matches!(call, Call::Add { slot: 2, .. })));
    assert_eq!(table.game.count(&Call::Remove(2)), 0);
    assert_eq!(table.seats[a].game.count(&Call::Remove(2)), 1);
}

/// NET-53: a host that leaves ends each client's game, once.
#[test]
fn a_host_that_leaves_ends_the_game() {
    let mut table = Table::playing(0);
    let a = table.seat(1);
    table.run(1_000);
    table.host.leave();
    table.run(100);
    assert_eq!(table.seats[a].client.stage(), client::Stage::Closed);
    let ticks = table.seats[a].game.ticks().len();
    table.run(1_000);
    assert_eq!(table.seats[a].game.count(&Call::End), 1);
    assert_eq!(table.seats[a].game.ticks().len(), ticks);
}
