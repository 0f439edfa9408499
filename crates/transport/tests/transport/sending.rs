//! What leaves, to whom, in which order, how often.

use mjolnir_transport::HostSettings;
use mjolnir_wire::packets::Packet;
use mjolnir_wire::{Kind, MachineSet, Message, Outbox, Parts, Tick};

use super::table::{Table, input, machine, record};

fn outbox(tick: Tick, entries: usize) -> Outbox {
    let mut outbox = Outbox::new();
    outbox.begin(tick, 0);
    for _ in 0..entries {
        outbox
            .entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| bytes.resize(bytes.len() + 35, 1))
            .unwrap();
    }
    outbox
}

/// NET-19: the turn starts one machine further each tick, of 129 places.
#[test]
fn the_turn_starts_one_further_each_tick() {
    let mut table = Table::with(HostSettings::new(record()), 0);
    table.host.begin_game(table.now, table.tick);
    table.step(1);
    for i in 1..=3 {
        let peer = table.in_game(&format!("10.0.0.{i}:5151"));
        let tick = table.tick.get();
        table.datagram(peer, &input(tick, i - 1));
    }
    for (tick, order) in
        [(0, [1, 2, 3]), (1, [1, 2, 3]), (2, [2, 3, 1]), (3, [3, 1, 2]), (4, [1, 2, 3]), (131, [2, 3, 1])]
    {
        let tick = Tick::new(tick).unwrap();
        table.turn.clear();
        table.host.flush(table.now, tick, &outbox(tick, 1), MachineSet::CLIENTS);
        table.carry();
        let went: Vec<_> = table
            .turn
            .iter()
            .map(|to| to.ip().to_string().rsplit_once('.').unwrap().1.parse::<i32>().unwrap())
            .collect();
        assert_eq!(went, order, "{tick:?}");
    }
}

/// NET-20, 68: a tick's messages leave within it in as few datagrams as they fill, all of that tick.
#[test]
fn a_ticks_messages_fill_their_datagrams() {
    let mut table = Table::playing(0);
    let peer = table.in_game("10.0.0.2:5151");
    let tick = table.tick;
    table.datagram(peer, &input(tick.get(), 0));
    table.host.flush(table.now, tick, &outbox(tick, 115), MachineSet::CLIENTS);
    table.carry();
    let sent = &table.peers[peer].datagrams;
    assert_eq!(sent.len(), 4);
    assert!(sent[..3].iter().all(|datagram| 1200 - datagram.len() < 35));
    for datagram in sent {
        let message = Message::read(datagram).unwrap();
        assert!(Parts::of(&message).all(|part| part.unwrap().tick == tick));
    }
    let traffic = table.host.traffic(machine(1)).unwrap();
    let bytes: usize = sent.iter().map(Vec::len).sum();
    assert_eq!((traffic.sent.datagrams, traffic.sent.datagram_bytes), (4, bytes as u64));
}

/// NET-17: the client update goes ten times a second, as a datagram, from the game's beginning on.
#[test]
fn a_client_update_goes_ten_times_a_second() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(30);
    assert!(table.peers[a].datagrams.is_empty(), "not while it loads");
    let now = table.now;
    let client = table.peers[a].client.as_mut().unwrap();
    client.loaded(now);
    client.set_next_update(-1);
    table.step(300);
    let sent = &table.peers[a].datagrams;
    assert!((95..=105).contains(&sent.len()), "{}", sent.len());
    for bytes in sent {
        let Packet::ClientUpdate(update) = Packet::read(bytes).unwrap() else { panic!() };
        assert_eq!(update.next_update, i32::MAX);
    }
    assert_eq!(table.host.traffic(machine(1)).unwrap().received.datagrams, sent.len() as u64);
}

/// NET-15: nothing goes by datagram to a machine whose address is not known.
#[test]
fn nothing_goes_to_an_address_that_is_not_known() {
    let mut table = Table::playing(0);
    let peer = table.in_game("10.0.0.2:5151");
    let tick = table.tick;
    table.host.flush(table.now, tick, &outbox(tick, 1), MachineSet::CLIENTS);
    table.carry();
    assert!(table.turn.is_empty());
    table.datagram(peer, &input(tick.get(), 0));
    table.host.flush(table.now, tick, &outbox(tick, 1), MachineSet::NONE);
    table.carry();
    assert!(table.turn.is_empty(), "nor to one that is not of the set");
}

/// GLUE-13: what one end counts as sent the other counts as had.
#[test]
fn both_ends_count_the_same() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    for _ in 0..100 {
        table.step(1);
        let tick = table.tick;
        table.host.send_update(MachineSet::CLIENTS, 1, tick);
        table.carry();
        table.host.flush(table.now, tick, &outbox(tick, 40), MachineSet::CLIENTS);
        table.carry();
        while table.peers[a].client.as_mut().unwrap().next_message().is_some() {}
    }
    let there = table.peers[a].client.as_ref().unwrap().traffic();
    let here = table.host.traffic(machine(1)).unwrap();
    assert_eq!((here.sent.bytes(), here.sent.datagrams), (there.received.bytes(), there.received.datagrams));
    assert_eq!(here.received.datagrams, there.sent.datagrams);
    // The join request was a stranger's still.
    assert_eq!(here.received.bytes() + 116, there.sent.bytes());
    assert_eq!(table.host.totals().received.bytes(), there.sent.bytes());
    assert_eq!(here.sent.messages, there.received.messages);
}
