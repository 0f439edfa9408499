//! What goes by datagrams of its own, voice: where it goes, who is told apart by it. Knows no frame's contents.

use std::net::SocketAddr;

use mjolnir_transport::client;
use mjolnir_wire::voice::{Packet, VoiceKey, VoiceUp};
use mjolnir_wire::{Kind, Machine, MachineSet, Tick};

use super::table::{HOST_ADDRESS, Table, batch, data, input, loaded, machine};

fn key(of: u32) -> VoiceKey {
    VoiceKey::new(of).unwrap()
}

/// A frame with that key, as its machine throws it.
fn frame(of: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    VoiceUp { key: key(of), sequence: 1, packet: Packet::new(&[9; 5]).unwrap() }
        .write(Tick::ZERO, &mut bytes);
    bytes
}

fn set(machines: &[u8]) -> MachineSet {
    machines.iter().map(|of| machine(*of)).collect()
}

/// Hands the host a datagram for that machine, and says where it went, if it went anywhere.
fn thrown(table: &mut Table, to: Machine, bytes: &[u8]) -> Option<SocketAddr> {
    table.turn.clear();
    table.host.datagram(to, bytes);
    table.carry();
    table.turn.pop()
}

/// NET-67, NET-15, NET-30: the host throws a machine a datagram as it is, where the machine's own come from and nowhere before
/// that is known: in the lobby, in the game and on its scores, not while it loads; each is counted as one of one message.
#[test]
fn a_host_throws_a_datagram_as_it_is() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let to = machine(1);
    assert_eq!(thrown(&mut table, to, &[1, 2, 3]), None, "its address is not known");
    assert_eq!(thrown(&mut table, machine(2), &[1, 2, 3]), None, "nobody's");
    assert_eq!(thrown(&mut table, Machine::HOST, &[1, 2, 3]), None, "its own");
    assert_eq!(table.host.traffic(to).unwrap().sent.datagrams, 0);
    table.datagram(a, &frame(7));
    let here = Some("10.0.0.2:5151".parse().unwrap());
    let before = table.host.traffic(to).unwrap().sent.messages;
    assert_eq!(thrown(&mut table, to, &[1, 2, 3]), here, "the lobby");
    assert_eq!(table.peers[a].datagrams, [[1, 2, 3]]);
    let sent = table.host.traffic(to).unwrap().sent;
    assert_eq!((sent.datagrams, sent.datagram_bytes, sent.messages - before), (1, 3, 1));
    table.host.begin_game(table.now, table.tick);
    assert_eq!(thrown(&mut table, to, &[4]), None, "it loads");
    table.say(a, &loaded());
    table.step(1);
    assert_eq!(thrown(&mut table, to, &[5]), here, "the game");
    table.host.end_game();
    assert_eq!(thrown(&mut table, to, &[6]), here, "the scores");
    table.drop_stream(a);
    assert_eq!(thrown(&mut table, to, &[7]), None, "it is gone");
}

/// NET-30, GLUE-16: what is said now is heard in the lobby, in the game and on its scores, not by who loads and not by who has yet
/// to load a game in progress.
#[test]
fn who_does_not_load_hears() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let b = table.joined("10.0.0.3:5151");
    assert_eq!(table.host.hearing(), set(&[1, 2]));
    table.host.begin_game(table.now, table.tick);
    assert_eq!(table.host.hearing(), set(&[]));
    table.say(a, &loaded());
    assert_eq!(table.host.hearing(), set(&[1]));
    table.say(b, &loaded());
    table.step(1);
    assert_eq!(table.host.hearing(), set(&[1, 2]));
    let c = table.joined("10.0.0.4:5151");
    assert_eq!(table.host.hearing(), set(&[1, 2]), "admitted");
    table.step(1);
    assert_eq!(table.host.hearing(), set(&[1, 2]), "it loads");
    table.say(c, &loaded());
    assert_eq!(table.host.hearing(), set(&[1, 2, 3]));
    table.host.end_game();
    assert_eq!(table.host.hearing(), set(&[1, 2, 3]));
    table.drop_stream(b);
    assert_eq!(table.host.hearing(), set(&[1, 3]));
}

/// NET-15: of two machines of one address, in the lobby, the first datagram of each is its voice: each is told by its key, whoever
/// speaks first. A key means nothing from another address, nor one that nobody has; and nor does one that was replaced.
#[test]
fn a_key_tells_two_machines_apart() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let b = table.joined("10.0.0.2:5152");
    let c = table.joined("10.0.0.3:5151");
    for (of, key_of) in [(1, 11), (2, 22), (3, 33)] {
        table.host.set_voice_key(machine(of), key(key_of));
    }
    table.host.set_voice_key(machine(2), key(23));
    table.datagram(a, &frame(99));
    table.datagram(a, &frame(22));
    assert_eq!((table.taken(), table.refused("unknown_address")), (vec![], 2), "either could have said it");
    table.datagram(b, &frame(23));
    table.datagram(a, &frame(11));
    assert_eq!(table.taken(), [(2, Kind::VoiceUp, 0), (1, Kind::VoiceUp, 0)]);
    // Its only machine's, whatever key it names.
    table.datagram(c, &frame(11));
    assert_eq!(table.taken(), [(3, Kind::VoiceUp, 0)]);
    for (to, here) in [(1, "10.0.0.2:5151"), (2, "10.0.0.2:5152"), (3, "10.0.0.3:5151")] {
        assert_eq!(thrown(&mut table, machine(to), &[to]), Some(here.parse().unwrap()));
    }
    // Once known, a datagram is its address's, whatever key it names.
    table.datagram(b, &frame(99));
    assert_eq!(table.taken(), [(2, Kind::VoiceUp, 0)]);
}

/// NET-15: an address that was guessed in the lobby gives way to what names its machine's key; one that named it does not, before
/// it was silent for two seconds.
#[test]
fn a_guessed_address_gives_way_to_a_key() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.host.set_voice_key(machine(1), key(11));
    let stranger = "10.0.0.2:9999".parse().unwrap();
    table.datagram_from(stranger, &frame(5));
    assert_eq!(thrown(&mut table, machine(1), &[1]), Some(stranger));
    table.datagram(a, &frame(11));
    let here = "10.0.0.2:5151".parse().unwrap();
    assert_eq!(thrown(&mut table, machine(1), &[2]), Some(here));
    table.taken();
    table.datagram_from(stranger, &frame(11));
    assert_eq!(table.taken(), []);
    assert_eq!(thrown(&mut table, machine(1), &[3]), Some(here));
    table.wait_millis(2_000);
    table.datagram_from(stranger, &frame(11));
    assert_eq!(table.taken(), [(1, Kind::VoiceUp, 0)]);
    assert_eq!(thrown(&mut table, machine(1), &[4]), Some(stranger));
}

/// GLUE-16, NET-11, NET-67: in the lobby of a datagram voice alone is taken, of its own; in a batch it is not, nor anything else.
#[test]
fn a_lobbys_datagrams_are_voice() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.datagram(a, &frame(7));
    assert_eq!(table.taken(), [(1, Kind::VoiceUp, 0)]);
    table.datagram(a, &batch(0, &[(80, 1, 0, &frame(7)[8..])]));
    table.datagram(a, &input(0, 0));
    assert_eq!((table.taken(), table.refused("no_baseline")), (vec![], 2));
    table.say_bytes(a, &frame(7));
    assert_eq!((table.taken(), table.refused("wrong_channel")), (vec![], 1));
}

/// NET-67, NET-30: a client throws its host a datagram as it is, once it was let in, in the lobby, the game and on its scores, not
/// while it loads nor once it has left; the host has each.
#[test]
fn a_client_throws_a_datagram_as_it_is() {
    let mut table = Table::new();
    let mut early = client::Client::new(table.now, mjolnir_transport::ClientSettings::new("Box", vec![]));
    early.datagram(&frame(1));
    assert!(early.transmits().is_empty(), "it knows no host");
    let a = table.client("10.0.0.2:5151", 1);
    let throws = |table: &mut Table, of: u32| {
        table.peers[a].datagrams.clear();
        table.peers[a].client.as_mut().unwrap().datagram(&frame(of));
        let to: Vec<_> =
            table.peers[a].client.as_ref().unwrap().transmits().datagrams().map(|(to, _)| to).collect();
        assert!(to.iter().all(|to| *to == HOST_ADDRESS.parse().unwrap()));
        table.carry();
        let was_thrown = table.peers[a].datagrams.contains(&frame(of));
        let was_taken = table.taken().contains(&(1, Kind::VoiceUp, 0));
        assert_eq!(was_thrown, was_taken);
        was_thrown
    };
    assert!(throws(&mut table, 1), "the lobby");
    table.host.begin_game(table.now, table.tick);
    table.carry();
    assert!(!throws(&mut table, 2), "it loads");
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.step(1);
    assert!(throws(&mut table, 3), "the game");
    table.host.end_game();
    table.carry();
    assert!(throws(&mut table, 4), "the scores");
    table.host.to_lobby(table.now);
    table.carry();
    assert!(throws(&mut table, 5), "the lobby again");
    // The game's one tick had a client update too.
    let (sent, frame_bytes) = (table.peers[a].client.as_ref().unwrap().traffic().sent, frame(1).len() as u64);
    assert_eq!((sent.datagrams, sent.datagram_bytes > 4 * frame_bytes), (5, true));
    assert!(sent.datagram_bytes < 5 * frame_bytes);
    table.peers[a].client.as_mut().unwrap().leave();
    table.carry();
    assert!(!throws(&mut table, 6), "it has left");
}

/// NET-67, NET-11: a client takes its host's voice of its own in the lobby, whatever its stamp, and none in a batch, by the stream or
/// from another address.
#[test]
fn a_client_takes_voice_of_its_own() {
    let mut table = Table::new();
    let a = table.client("10.0.0.2:5151", 1);
    let down = |stamp| data(81, 1, stamp, &[1; 12]);
    let kinds = |table: &mut Table| {
        let client = table.peers[a].client.as_mut().unwrap();
        let mut kinds = Vec::new();
        assert!(client.next_message().is_none(), "voices are apart");
        while let Some(received) = client.next_voice() {
            kinds.push((received.message.kind, received.message.tick.get()));
        }
        kinds
    };
    let hear = |table: &mut Table, from: &str, bytes: &[u8]| {
        let (now, from) = (table.now, from.parse().unwrap());
        let client = table.peers[a].client.as_mut().unwrap();
        client.handle(now, mjolnir_transport::NetEvent::Datagram { from, bytes });
    };
    hear(&mut table, HOST_ADDRESS, &down(0));
    hear(&mut table, HOST_ADDRESS, &down(90_000));
    assert_eq!(kinds(&mut table), [(Kind::VoiceDown, 0), (Kind::VoiceDown, 90_000)]);
    hear(&mut table, "10.0.0.1:5151", &down(0));
    hear(&mut table, HOST_ADDRESS, &batch(0, &[(81, 1, 0, &[1; 12])]));
    let (now, stream) = (table.now, table.peers[a].stream);
    let client = table.peers[a].client.as_mut().unwrap();
    client.handle(now, mjolnir_transport::NetEvent::Bytes { stream, bytes: &down(0) });
    assert_eq!(kinds(&mut table), []);
    let refused = &table.peers[a].client.as_ref().unwrap().counters().refused;
    let of = ["unknown_address", "no_baseline", "wrong_channel"].map(|reason| refused.of(reason));
    assert_eq!(of, [1, 1, 1]);
}
