//! Bytes that nobody should send.

use mjolnir_transport::{Client, ClientSettings, INBOX_BYTES, MACHINE_INBOX_BYTES, NetEvent, StreamId};
use mjolnir_wire::Moment;
use mjolnir_wire::kinds::Kind;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::settings::MachineName;
use mjolnir_wire::packets::{Packet, list, write_settings};
use proptest::prelude::*;

use super::table::{
    HOST_ADDRESS, Table, add_player, bytes_of, data, input, join_request, loaded, player, record,
};

/// NET-32: an impossible frame ends its stream, and no other.
#[test]
fn an_impossible_frame_ends_its_stream() {
    for word in [[0x00, 0x18], [0x00, 0x08], [0x00, 0x89], [0x00, 0x8A], [0x00, 0x80]] {
        let mut table = Table::playing(0);
        let a = table.in_game("10.0.0.2:5151");
        let b = table.in_game("10.0.0.3:5151");
        table.say_bytes(a, &word);
        assert!(table.peers[a].is_closed, "{word:x?}");
        assert_eq!(table.refused("damaged"), 1);
        let tick = table.tick.get();
        table.datagram(b, &input(tick, 1));
        assert_eq!(table.taken().len(), 1, "the others play on");
        let stranger = table.raw("10.0.0.4:5151");
        table.say_bytes(stranger, &word);
        assert!(table.peers[stranger].is_closed);
    }
}

/// NET-32, WIRE-06, 94: a bad message inside good framing is counted, and the stream goes on.
#[test]
fn a_bad_message_in_good_framing_is_counted() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    for kind in [0, 20, 63, 67, 91, 250] {
        table.say_bytes(a, &data(kind, 0, 0, &[0; 8]));
    }
    table.taken();
    assert_eq!(table.host.counters().dropped.unknown_kind, 6);
    let mut text = vec![0x08, 0x34];
    text.resize(131, b'x');
    table.say_bytes(a, &text);
    assert_eq!(table.refused("error_text"), 1);
    table.say_bytes(a, &[0x00, 0x5C, 1, 0, 99]);
    assert_eq!(table.host.counters().dropped.unknown_kind, 7);
    assert!(!table.peers[a].is_closed);
    table.say_bytes(a, &data(9, 0, 0, &[]));
    assert_eq!(table.taken().len(), 1);
}

/// NET-32: a damaged stream ends a client's session too.
#[test]
fn a_damaged_stream_ends_a_clients_session() {
    let mut client = Client::new(Moment::START, ClientSettings::new("Box", vec![player("A", 0)]));
    let stream = StreamId(3);
    client.handle(Moment::START, NetEvent::Opened { stream, address: HOST_ADDRESS.parse().unwrap() });
    client.handle(Moment::START, NetEvent::Bytes { stream, bytes: &[0, 0x89] });
    let why = mjolnir_transport::Why::Damaged;
    assert_eq!(client.next_event(), Some(mjolnir_transport::client::Event::Closed { why }));
    assert_eq!(client.transmits().closes().collect::<Vec<_>>(), [stream]);
    client.handle(Moment::START, NetEvent::Closed { stream });
    client.handle(Moment::START, NetEvent::Bytes { stream, bytes: &[0, 0x89] });
    assert_eq!(client.next_event(), None, "told once");
}

/// A frame of a type and a tail, whose word is right.
fn frame() -> impl Strategy<Value = Vec<u8>> {
    (1..4_u16, prop::collection::vec(any::<u8>(), 1..200)).prop_map(|(of, body)| {
        let mut bytes = (((body.len() + 2) as u16) << 4 | of << 2).to_be_bytes().to_vec();
        bytes.extend(body);
        bytes
    })
}

/// A packet of any number with a first byte that lets it in.
fn packet() -> impl Strategy<Value = Vec<u8>> {
    (0..36_u8, prop::collection::vec(any::<u8>(), 280)).prop_map(|(number, fields)| {
        let size = mjolnir_wire::packets::PACKETS.get(usize::from(number)).map_or(8, |info| info.size);
        let mut bytes = ((size as u16) << 4 | 3 << 2).to_be_bytes().to_vec();
        bytes.push(1);
        bytes.extend(fields.iter().cycle().take(size - 4));
        bytes.push(number);
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// NET-33: whatever a machine sends, the host goes on and the other machine with it.
    #[test]
    fn nothing_that_is_sent_ends_the_host(
        said in prop::collection::vec((prop_oneof![frame(), packet(), prop::collection::vec(any::<u8>(), 0..60)], any::<bool>()), 1..40),
        at in 0..3_usize,
    ) {
        let mut table = Table::playing(0);
        let other = table.in_game("10.0.0.3:5151");
        let a = table.raw("10.0.0.2:5151");
        if at > 0 {
            table.say(a, &Packet::JoinRequest(join_request()));
            table.say(a, &add_player("A", 0));
        }
        if at > 1 {
            table.step(20);
            table.say(a, &loaded());
        }
        for (bytes, by_stream) in &said {
            if *by_stream && !table.peers[a].is_closed {
                table.say_bytes(a, bytes);
            } else {
                table.datagram(a, bytes);
            }
            table.taken();
            table.step(1);
        }
        let tick = table.tick.get();
        table.datagram(other, &input(tick, 0));
        prop_assert!(table.taken().iter().any(|(from, ..)| *from == 1));
    }

    /// NET-33: whatever a host sends, its client goes on or closes.
    #[test]
    fn nothing_that_is_sent_ends_a_client(
        said in prop::collection::vec((prop_oneof![frame(), packet()], any::<bool>()), 1..40),
        is_game in any::<bool>(),
    ) {
        let mut table = Table::playing(0);
        let a = table.client("10.0.0.2:5151", 1);
        table.step(1);
        let now = table.now;
        let stream = table.peers[a].stream;
        let from = HOST_ADDRESS.parse().unwrap();
        let client = table.peers[a].client.as_mut().unwrap();
        if is_game {
            client.loaded(now);
        }
        for (bytes, by_stream) in &said {
            let event = if *by_stream { NetEvent::Bytes { stream, bytes } } else { NetEvent::Datagram { from, bytes } };
            client.handle(now, event);
            while client.next_message().is_some() {}
            while client.next_event().is_some() {}
            client.poll(now);
        }
    }
}

/// NET-33: a join cut off anywhere leaves nothing once its ten seconds are over.
#[test]
fn half_a_join_leaves_nothing() {
    let whole = bytes_of(&Packet::JoinRequest(join_request()));
    for length in 0..whole.len() {
        let mut table = Table::new();
        let a = table.raw("10.0.0.2:5151");
        table.say_bytes(a, &whole[..length]);
        table.wait_millis(10_000);
        assert!(table.peers[a].is_closed);
        assert!(table.host.machines().is_empty());
    }
}

/// NET-33: one that floods its stream loses what is its own; of the others nothing is refused, and what it said is
/// bounded, the smallest messages too.
#[test]
fn a_flood_takes_no_other_machines_room() {
    for flood in [&data(11, 0, 0, &[]), &data(11, 37, 0, &[0; 37 * 108]), &vec![0x00, 0x28]] {
        let mut table = Table::playing(0);
        let a = table.in_game("10.0.0.2:5151");
        let b = table.in_game("10.0.0.3:5151");
        let tick = table.tick.get();
        table.datagram(b, &input(tick, 1));
        table.say_bytes(a, &flood.repeat(2 * INBOX_BYTES / flood.len()));
        assert!(table.refused("overrun") > 0);
        table.say_bytes(b, &data(9, 0, 0, &[]));
        table.datagram(b, &input(tick, 1));
        let taken = table.taken();
        assert_eq!(taken.iter().filter(|(from, ..)| *from == 2).count(), 3);
        let kept = taken.iter().filter(|(from, ..)| *from == 1).count();
        assert!(kept * flood.len() <= MACHINE_INBOX_BYTES, "{kept}");
        table.say_bytes(a, &data(9, 0, 0, &[]));
        assert_eq!(table.taken().len(), 1, "the next tick has room again");
    }
}

/// NET-35: a machine that joins before a leaver's last words were read has another index, and none of them.
#[test]
fn a_leavers_words_are_nobody_elses() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.say_bytes(a, &data(83, 1, 0, &[0; 66]));
    table.drop_stream(a);
    table.joined("10.0.0.3:5151");
    assert_eq!(table.taken(), []);
    assert_eq!(table.host.machines().iter().map(|machine| machine.get()).collect::<Vec<_>>(), [2]);
    table.joined("10.0.0.4:5151");
    assert_eq!(table.host.machines().len(), 2, "once they were, the index is free");
    assert!(table.host.address(super::table::machine(1)).is_some());
}

/// NET-15: neither what names a leaver's slot nor one that names none takes a machine's datagrams from it.
#[test]
fn a_guess_gives_way_to_the_machine_itself() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    table.drop_stream(a);
    let b = table.in_game("10.0.0.2:5152");
    let tick = table.tick.get();
    // What the leaver's game still sends names slot 0, which was its machine's, of the same index.
    table.datagram(a, &input(tick, 0));
    table.datagram(b, &input(tick, 1));
    let taken = table.taken();
    assert_eq!(taken.last(), Some(&(1, Kind::PlayerInputs, tick)));
    table.datagram(a, &input(tick + 1, 0));
    table.datagram(b, &input(tick + 1, 1));
    assert_eq!(table.taken(), [(1, Kind::PlayerInputs, tick + 1)]);
}

/// NET-65: no name that a machine gives itself or its players can write more than characters to a console, nor can
/// one that a host gives to others.
#[test]
fn names_are_clean_at_both_ends() {
    let evil = "\u{1b}[2J\nx";
    let mut table = Table::new();
    let a = table.raw("10.0.0.2:5151");
    let name = MachineName::cut(evil);
    table.say(a, &Packet::JoinRequest(list::JoinRequest { name, ..join_request() }));
    table.say(a, &Packet::SettingsRequest(list::SettingsRequest { name, machine: -1 }));
    table.say(a, &add_player(evil, 0));
    let told = table.host.record().machines()[1].name.to_string();
    assert_eq!((told.as_str(), table.host.record().players()[0].name.to_string()), ("[2Jx", told.clone()));
    let joined = table.events.iter().find_map(|event| match event {
        mjolnir_transport::host::Event::Joined { name, .. } => Some(name.to_string()),
        _ => None,
    });
    assert_eq!(joined, Some(told));

    let mut lies = record();
    lies.machine_count = 1;
    lies.machines[0].name = name;
    lies.player_count = 1;
    lies.players[0] = player(evil, 0);
    let mut bytes = Vec::new();
    write_settings(&lies, &mut bytes).unwrap();
    let b = table.client("10.0.0.3:5151", 1);
    let (now, stream) = (table.now, table.peers[b].stream);
    let client = table.peers[b].client.as_mut().unwrap();
    client.handle(now, NetEvent::Bytes { stream, bytes: &bytes });
    let record = client.record().unwrap();
    assert_eq!(record.machines()[0].name, MachineName::cut("[2Jx"));
    assert_eq!(record.players()[0].name, Name::cut("[2Jx"));
}
