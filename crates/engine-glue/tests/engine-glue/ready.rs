//! What a machine is sent before it says that it is ready, and what for that word.

use mjolnir_wire::{Kind, MachineSet};

use super::table::{Said, Table};

/// What the host said by its streams that is the game's: its chat's settings go to whoever hears (CHAT-28).
fn by_stream(table: &Table) -> Vec<Kind> {
    let kind = |said: &Said| match said {
        Said::Stream(kind) if *kind != Kind::ChatConfig => Some(*kind),
        _ => None,
    };
    table.network.said.iter().filter_map(kind).collect()
}

/// NET-40, 69: states and inputs come to a machine that has loaded, ready or not, and objects to one that has said so by
/// its stream: all that there are, then the end of their list, and no more words but of changes. Said by datagram, alone
/// or in a batch, it is refused and nothing is sent for it.
#[test]
fn readiness_is_a_word_of_the_stream() {
    let mut table = Table::new(1);
    table.begin(1_000);
    table.run(1_000);
    table.raw();
    table.run(1_000);
    let heard =
        [Kind::UnitStates, Kind::RelayedActions].map(|kind| table.network.first(Said::Datagram(kind)));
    assert!(heard.iter().all(Option::is_some), "{heard:?}");
    assert_eq!(by_stream(&table), []);

    let refused = |table: &Table| table.host.counters().refused.get("wrong_channel").copied().unwrap_or(0);
    assert_eq!(refused(&table), 0);
    let stamp = table.host.now_tick().get().to_le_bytes();
    let message = |kind: Kind, body: &[u8]| {
        let word = ((8 + body.len() as u16) << 4 | 2 << 2).to_be_bytes();
        [&word, &[kind as u8, 0][..], &stamp, body].concat()
    };
    let alone = message(Kind::ClientReady, &[]);
    let length = (alone.len() as u16 - 2).to_le_bytes();
    let batch = message(Kind::Batch, &[&length, &alone[2..]].concat());
    for (number, bytes) in [(1, &alone), (2, &batch)] {
        table.raws[0].throw(table.now, bytes);
        table.run(500);
        assert_eq!(refused(&table), number);
    }
    assert_eq!(by_stream(&table), []);

    let (now, at) = (table.now, table.host.now_tick());
    table.raws[0].say(now, at, |outbox| {
        outbox.message(MachineSet::HOST, Kind::ClientReady, 0, |_| {}).unwrap();
    });
    table.run(1_000);
    let all = [Kind::ObjectChanges, Kind::ObjectsSynchronized, Kind::AimAssistPolicy];
    assert_eq!(by_stream(&table), all);
    // Another's unit is made.
    table.raw();
    table.run(1_000);
    assert_eq!(by_stream(&table)[3..], [Kind::ObjectChanges]);
}

/// OBJ-48: a machine that asks over and over is sent one list; each ask after it is refused and counted.
#[test]
fn asks_over_and_over_are_counted() {
    let mut table = Table::new(1);
    table.begin(1_000);
    table.run(1_000);
    table.raw();
    table.run(1_000);
    let ask = |table: &mut Table, times| {
        let (now, at) = (table.now, table.host.now_tick());
        table.raws[0].say(now, at, |outbox| {
            for _ in 0..times {
                outbox.message(MachineSet::HOST, Kind::ClientReady, 1, |_| {}).unwrap();
            }
        });
        table.run(200);
    };
    ask(&mut table, 1);
    ask(&mut table, 300);
    let listed = [Kind::ObjectChanges, Kind::ObjectsSynchronized, Kind::AimAssistPolicy];
    assert_eq!(by_stream(&table), listed);
    assert_eq!(table.host.counters().refused.get("too_soon"), Some(&300));
}
