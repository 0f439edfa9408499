//! Who sends each kind and by which channels, as the papers have it: the table is written down here, not read of
//! `wire`. Knows no layout.

use mjolnir_transport::{Counters, NetEvent};

use super::table::{HOST_ADDRESS, Table, batch, data};

/// Who says a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Host,
    Client,
}
use Speaker::{Client, Host};

/// A way for a message to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By the stream.
    Stream,
    /// A part of a batch.
    Batch,
    /// A datagram of its own.
    Bare,
}

const WAYS: [Way; 3] = [Way::Stream, Way::Batch, Way::Bare];

/// The ways of what goes by stream alone; in the tick's batch, or bare as the original's messages were (NET-61); by
/// either; in a datagram of its own and never in a batch (NET-67).
const STREAM: &[Way] = &[Way::Stream];
const TICK: &[Way] = &[Way::Batch, Way::Bare];
const BOTH: &[Way] = &[Way::Stream, Way::Batch, Way::Bare];
const OWN: &[Way] = &[Way::Bare];

/// Each kind's number, who sends it, and its ways. The batch itself, 16, is either's and a way, not a kind.
const PAPERS: &[(u8, Speaker, &[Way])] = &[
    (1, Client, TICK),
    (2, Host, TICK),
    (3, Host, BOTH),
    (4, Host, TICK),
    (5, Host, STREAM),
    (6, Host, TICK),
    (7, Host, STREAM),
    (8, Host, STREAM),
    (9, Client, STREAM),
    (10, Host, BOTH),
    (11, Client, STREAM),
    (12, Client, TICK),
    (13, Host, STREAM),
    (14, Client, TICK),
    (15, Host, TICK),
    (17, Host, STREAM),
    (18, Client, STREAM),
    (19, Host, TICK),
    (64, Host, TICK),
    (65, Host, BOTH),
    (66, Host, TICK),
    (68, Host, TICK),
    (69, Host, TICK),
    (70, Client, TICK),
    (71, Host, BOTH),
    (72, Host, TICK),
    (73, Host, TICK),
    (74, Host, TICK),
    (75, Host, TICK),
    (76, Host, TICK),
    (77, Host, TICK),
    (78, Client, STREAM),
    (79, Host, TICK),
    (80, Client, OWN),
    (81, Host, OWN),
    (82, Host, STREAM),
    (83, Client, STREAM),
    (84, Host, STREAM),
    (85, Host, STREAM),
    (86, Client, STREAM),
    (87, Host, STREAM),
    (88, Host, STREAM),
    (89, Client, STREAM),
    (90, Host, STREAM),
];

/// What an end does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Taken,
    /// Of no kind that there is.
    Unknown,
    /// Of the other end's kinds.
    WrongSender,
    WrongChannel,
    /// Something else, or more than one of these.
    Other,
}

/// What is to be done with a message of that number which comes that way from `speaker`.
fn due(number: u8, speaker: Speaker, way: Way) -> Done {
    match PAPERS.iter().find(|(kind, ..)| *kind == number) {
        None => Done::Unknown,
        Some((_, sender, _)) if *sender != speaker => Done::WrongSender,
        Some((_, _, ways)) if ways.contains(&way) => Done::Taken,
        Some(_) => Done::WrongChannel,
    }
}

/// What was done: from what was taken, and what was counted since.
fn done(taken: &[u8], number: u8, before: &Counters, after: &Counters) -> Done {
    let new = |reason| after.refused.of(reason) - before.refused.of(reason);
    let counted = [
        after.dropped.unknown_kind - before.dropped.unknown_kind,
        new("wrong_sender"),
        new("wrong_channel"),
        after.refused.total() - before.refused.total() - new("wrong_sender") - new("wrong_channel"),
        after.dropped.undecodable - before.dropped.undecodable,
        after.dropped.stale - before.dropped.stale,
        after.dropped.far_stamp - before.dropped.far_stamp,
    ];
    match (taken, counted) {
        ([of], [0, 0, 0, 0, 0, 0, 0]) if *of == number => Done::Taken,
        ([], [1, 0, 0, 0, 0, 0, 0]) => Done::Unknown,
        ([], [0, 1, 0, 0, 0, 0, 0]) => Done::WrongSender,
        ([], [0, 0, 1, 0, 0, 0, 0]) => Done::WrongChannel,
        _ => Done::Other,
    }
}

/// A message of that kind as it would come that way; its entries are zero, and as many as mean something.
fn message(number: u8, way: Way, tick: i32) -> Vec<u8> {
    let count = u8::from(![7, 8, 17].contains(&number));
    // All but 90 are taken with bytes to spare.
    let body = if number == 90 { &[0; 4][..] } else { &[0; 200] };
    match way {
        Way::Stream | Way::Bare => data(number, count, tick, body),
        Way::Batch => batch(tick, &[(number, count, tick, body)]),
    }
}

/// Every number but the batch's, each way.
fn all() -> impl Iterator<Item = (u8, Way)> {
    (0..=255).filter(|number| *number != 16).flat_map(|number| WAYS.map(|way| (number, way)))
}

/// NET-07, 10, 46, 47, 67: of each kind, each way, a host takes what the papers have of its clients, hit reports, readiness,
/// identities, votes, chat and maps by stream alone; everything else is refused, and counted as what it is.
#[test]
fn a_host_takes_only_its_clients_kinds() {
    let mut table = Table::playing(998);
    let a = table.in_game("10.0.0.2:5151");
    let tick = table.tick.get();
    let mut taken = 0;
    for (number, way) in all() {
        let before = *table.host.counters();
        let bytes = message(number, way, tick);
        match way {
            Way::Stream => table.say_bytes(a, &bytes),
            Way::Batch | Way::Bare => table.datagram(a, &bytes),
        }
        let kinds: Vec<_> = table.taken().iter().map(|(_, kind, _)| *kind as u8).collect();
        let done = done(&kinds, number, &before, table.host.counters());
        assert_eq!(done, due(number, Client, way), "{number} by {way:?}");
        taken += usize::from(done == Done::Taken);
    }
    assert!(!table.peers[a].is_closed);
    // Seven by stream, four in a batch and bare, and voice.
    assert_eq!(taken, 7 + 4 * 2 + 1);
}

/// NET-07, 46, 67: and a client what they have of its host.
#[test]
fn a_client_takes_only_its_hosts_kinds() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let (now, stream) = (table.now, table.peers[a].stream);
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.carry();
    table.host.send_update(table.host.in_game(), 1, table.tick);
    table.carry();
    let tick = table.tick.get();
    let from = HOST_ADDRESS.parse().unwrap();
    let client = table.peers[a].client.as_mut().unwrap();
    let mut taken = 0;
    for (number, way) in all() {
        let before = *client.counters();
        let bytes = &message(number, way, tick);
        client.handle(
            now,
            match way {
                Way::Stream => NetEvent::Bytes { stream, bytes },
                Way::Batch | Way::Bare => NetEvent::Datagram { from, bytes },
            },
        );
        let mut kinds = Vec::new();
        while let Some(received) = client.next_message() {
            kinds.push(received.message.kind as u8);
        }
        while let Some(received) = client.next_voice() {
            kinds.push(received.message.kind as u8);
        }
        let done = done(&kinds, number, &before, client.counters());
        assert_eq!(done, due(number, Host, way), "{number} by {way:?}");
        taken += usize::from(done == Done::Taken);
    }
    // Eleven by stream alone, sixteen in a batch and bare, four each way, and voice.
    assert_eq!(taken, 11 + 16 * 2 + 4 * 3 + 1);
}

/// NET-07, WIRE-67: a batch comes as a datagram: by the stream it is refused, in another it is not opened.
#[test]
fn a_batch_is_a_datagram() {
    let mut table = Table::playing(998);
    let a = table.in_game("10.0.0.2:5151");
    let tick = table.tick.get();
    let whole = batch(tick, &[(14, 1, tick, &[0; 52])]);
    table.say_bytes(a, &whole);
    assert_eq!((table.taken().len(), table.refused("wrong_channel")), (0, 1));
    table.datagram(a, &batch(tick, &[(16, 0, tick, &whole[8..])]));
    assert_eq!(table.taken(), []);
    let counters = table.host.counters();
    assert_eq!(counters.refused.total() + counters.dropped.undecodable, 2);
    table.datagram(a, &whole);
    assert_eq!(table.taken().len(), 1);
}
