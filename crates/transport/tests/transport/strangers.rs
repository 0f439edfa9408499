//! Those who are not of the game: connections that say nothing, or little, and floods from many addresses, with machines
//! in play that do not notice.

use std::net::{Ipv4Addr, SocketAddr};

use mjolnir_transport::limits::UNJOINED;
use mjolnir_transport::{NetEvent, StreamId, host};
use mjolnir_wire::packets::Packet;
use mjolnir_wire::packets::list::{Ping, Search};

use super::table::{Table, bytes_of, data, input, join_request};

/// A byte is heard of a machine in play.
fn assert_plays(table: &mut Table, peer: usize, slot: u8) {
    let tick = table.tick.get();
    table.datagram(peer, &input(tick, slot));
    assert_eq!(table.taken().len(), 1);
}

/// NET-27: who drips a join a byte at a time is closed ten seconds after it came, as who says nothing is: what it says
/// buys no time. One that has said all of it by then is in.
#[test]
fn a_dripping_join_has_ten_seconds() {
    let join = bytes_of(&Packet::JoinRequest(join_request()));
    for (whole, millis_a_byte) in [(true, 85), (false, 87)] {
        let mut table = Table::playing(0);
        let bystander = table.in_game("10.0.0.2:5151");
        let dripping = table.raw("10.0.0.3:5151");
        let silent = table.raw("10.0.0.4:5151");
        let (mut said, start) = (0, table.now);
        while table.now.since(start) < 9_950_000 {
            table.wait_millis(1);
            let due = (table.now.since(start) / 1000 / millis_a_byte) as usize;
            while said < due.min(join.len()) {
                table.say_bytes(dripping, &join[said..=said]);
                said += 1;
            }
        }
        assert_eq!(said == join.len(), whole);
        assert!(!table.peers[dripping].is_closed && !table.peers[silent].is_closed);
        table.wait_millis(50);
        assert!(table.peers[silent].is_closed);
        assert_eq!(table.peers[dripping].is_closed, !whole);
        assert_eq!(table.refused("not_joined"), 2 - u64::from(whole));
        assert_eq!(table.host.machines().len(), 1 + usize::from(whole));
        assert_plays(&mut table, bystander, 0);
    }
}

/// NET-62: of connections that have not joined so many are kept in all, from however many addresses; each holds a
/// message's bytes at most, and all are gone ten seconds later.
#[test]
fn connections_that_do_not_join_are_bounded() {
    let mut table = Table::playing(0);
    let bystander = table.in_game("10.9.0.2:5151");
    let address = |place: usize| format!("10.1.{}.{}:5151", place / 250, place % 250 + 1);
    let strangers: Vec<_> = (0..UNJOINED).map(|place| table.raw(&address(place))).collect();
    for stranger in &strangers {
        // The longest frame but its last byte.
        let mut half = vec![0xFF, 0xFC];
        half.resize(4094, 0);
        table.say_bytes(*stranger, &half);
    }
    assert!(strangers.iter().all(|stranger| !table.peers[*stranger].is_closed));
    let more = table.raw(&address(UNJOINED));
    assert!(table.peers[more].is_closed);
    assert_plays(&mut table, bystander, 0);
    table.wait_millis(10_000);
    assert!(strangers.iter().all(|stranger| table.peers[*stranger].is_closed));
    let late = table.in_game("10.9.0.3:5151");
    assert_plays(&mut table, late, 1);
}

/// NET-70, 45, 47: searches, pings, joins and inputs in datagrams from 256 addresses: nothing is kept of them, once the
/// first tick's room is there nothing is allocated for them, and no address hears more bytes than it said but for the
/// advertisements, of which there are four a second.
#[test]
fn a_flood_of_datagrams_keeps_nothing() {
    let mut table = Table::playing(0);
    let bystander = table.in_game("10.9.0.2:5151");
    let says = [
        bytes_of(&Packet::Search(Search { port: 5151, protocol: 2, nonce: [7; 8] })),
        bytes_of(&Packet::Ping(Ping { timestamp: 5, port: 5151 })),
        bytes_of(&Packet::JoinRequest(join_request())),
        input(table.tick.get(), 0),
        data(9, 0, 0, &[]),
        vec![0xFF; 60],
    ];
    let said: usize = says.iter().map(Vec::len).sum();
    let addresses: Vec<_> =
        (0..=255).map(|fourth| SocketAddr::new(Ipv4Addr::new(10, 1, 0, fourth).into(), 5151)).collect();
    let (start, mut advertised) = (table.now, 0);
    for round in 0..300 {
        table.tick = table.tick.next();
        table.now = table.now.plus(33_333);
        let (now, tick) = (table.now, table.tick);
        let counted = allocation_counter::measure(|| {
            for from in &addresses {
                for bytes in &says {
                    table.host.handle(now, tick, NetEvent::Datagram { from: *from, bytes });
                }
            }
            table.host.poll(now, tick);
            assert!(table.host.next_message().is_none());
        });
        assert!(round == 0 || counted.count_total == 0, "{} in round {round}", counted.count_total);
        let mut heard = vec![0; addresses.len()];
        for (to, bytes) in table.host.transmits().datagrams() {
            let place = addresses.iter().position(|address| *address == to);
            match (Packet::read(bytes), place) {
                (Ok(Packet::Advertise(_)), Some(_)) => advertised += 1,
                (_, Some(place)) => heard[place] += bytes.len(),
                (_, None) => panic!("to {to}"),
            }
        }
        assert!(heard.iter().all(|heard| *heard <= said));
        assert_eq!(table.host.transmits().writes().count(), 0);
        table.host.clear_transmits();
    }
    assert!(advertised <= table.now.since(start) / 250_000 + 1, "{advertised} answers");
    assert_eq!((table.host.machines().len(), table.host.players().count()), (1, 1));
    assert!(table.host.next_event().is_none_or(|event| matches!(event, host::Event::DatagramsLost { .. })));
    assert_plays(&mut table, bystander, 0);
}

/// NET-62, 55: connections that come, ask by a wrong token and go, from 256 addresses: each is told why, and nothing is
/// kept.
#[test]
fn a_flood_of_joins_keeps_nothing() {
    let mut table = Table::playing(0);
    let bystander = table.in_game("10.9.0.2:5151");
    let join = bytes_of(&Packet::JoinRequest(mjolnir_wire::packets::list::JoinRequest {
        token: *b"message in a jar",
        ..join_request()
    }));
    for place in 0..2560_u32 {
        let stream = StreamId(1000 + place);
        let address = SocketAddr::new(Ipv4Addr::new(10, 1, 0, place as u8).into(), 40_000);
        let (now, tick) = (table.now, table.tick);
        table.host.handle(now, tick, NetEvent::Opened { stream, address });
        table.host.handle(now, tick, NetEvent::Bytes { stream, bytes: &join });
        let written: usize = table.host.transmits().writes().map(|(_, bytes)| bytes.len()).sum();
        assert!(written > 0 && written < join.len());
        assert_eq!(table.host.transmits().closes().collect::<Vec<_>>(), [stream]);
        table.host.clear_transmits();
    }
    assert_eq!(table.refused("rejected"), 2560);
    assert_eq!(table.host.machines().len(), 1);
    assert_plays(&mut table, bystander, 0);
}
