//! Datagrams at the host: whose they are, which count, in which order.

use mjolnir_wire::Kind;
use mjolnir_wire::packets::list::{ClientUpdate, Ping, Pong};
use mjolnir_wire::packets::values::Actions;
use mjolnir_wire::packets::{PACKETS, Packet};

use super::table::{HOST_ADDRESS, Table, batch, bytes_of, data, input, loaded};

fn update() -> Vec<u8> {
    bytes_of(&Packet::ClientUpdate(ClientUpdate { next_update: 0, actions: Actions::default() }))
}

/// A game with one machine in it whose latest tick is 1000.
fn at_1000() -> (Table, usize) {
    let mut table = Table::playing(998);
    let a = table.in_game("10.0.0.2:5151");
    assert_eq!(table.tick.get(), 1000);
    (table, a)
}

/// NET-11: both sides of 15 seconds, nothing before the machine has loaded, voice is not measured.
#[test]
fn a_datagram_is_within_fifteen_seconds() {
    for (stamp, taken) in [(1450, true), (1451, false), (550, true), (549, false)] {
        let (mut table, a) = at_1000();
        table.datagram(a, &input(stamp, 0));
        assert_eq!(table.taken().len(), usize::from(taken), "{stamp}");
        assert_eq!(table.host.counters().dropped.far_stamp, u64::from(!taken));
    }
    let (mut table, a) = at_1000();
    table.datagram(a, &data(80, 1, 0, &[0; 8]));
    assert_eq!(table.taken(), [(1, Kind::VoiceUp, 0)]);
    let mut table = Table::playing(200_000);
    let a = table.joined("10.0.0.2:5151");
    table.step(1);
    table.datagram(a, &input(199_995, 0));
    assert_eq!((table.taken().len(), table.refused("no_baseline")), (0, 1));
    table.say(a, &loaded());
    table.datagram(a, &input(199_995, 0));
    assert_eq!(table.taken(), [(1, Kind::PlayerInputs, 199_995)]);
}

/// NET-12: by stream a message is taken whatever its tick.
#[test]
fn a_stream_message_is_taken_whatever_its_tick() {
    let (mut table, a) = at_1000();
    table.say_bytes(a, &data(9, 0, 2800, &[]));
    table.say_bytes(a, &data(9, 0, 3, &[]));
    table.datagram(a, &input(2790, 0));
    let kinds = [(1, Kind::ClientReady, 2800), (1, Kind::ClientReady, 3), (1, Kind::PlayerInputs, 2790)];
    assert_eq!(table.taken(), kinds);
}

/// NET-75, 13: what came since the last tick is taken in the order of its stamps; what is older than that is not.
#[test]
fn a_burst_is_taken_in_the_order_of_its_stamps() {
    let (mut table, a) = at_1000();
    for stamp in [1002, 1001, 1003] {
        table.datagram(a, &input(stamp, 0));
    }
    assert_eq!(table.taken().iter().map(|(_, _, tick)| *tick).collect::<Vec<_>>(), [1001, 1002, 1003]);
    table.datagram(a, &input(1001, 0));
    table.datagram(a, &input(1003, 0));
    assert_eq!(table.taken(), [(1, Kind::PlayerInputs, 1003)], "an equal tick is taken");
    assert_eq!(table.host.counters().dropped.stale, 1);
}

/// NET-73: a part whose stamp is not its batch's is refused, the others are taken.
#[test]
fn a_part_bears_its_batchs_stamp() {
    let (mut table, a) = at_1000();
    let entry = [0; 52];
    let vote = [0; 4];
    table.datagram(a, &batch(1001, &[(14, 1, 1001, &entry), (70, 1, 1365, &vote), (14, 1, 1001, &entry)]));
    assert_eq!(table.taken(), [(1, Kind::PlayerInputs, 1001); 2]);
    assert_eq!(table.refused("part_stamp"), 1);
    table.datagram(a, &batch(1002, &[(70, 1, 1002, &vote)]));
    assert_eq!(table.taken(), [(1, Kind::CoopSkipVote, 1002)], "no kind was staled");
}

/// NET-74: a stamp far ahead has its contents taken and stales nothing until another agrees.
#[test]
fn a_stamp_far_ahead_stales_nothing() {
    let (mut table, a) = at_1000();
    for (stamp, taken) in [(1300, 1), (1001, 1), (1302, 1), (1301, 0), (1303, 1)] {
        table.datagram(a, &input(stamp, 0));
        assert_eq!(table.taken().len(), taken, "{stamp}");
    }
}

/// NET-73, 33: with a third of the datagrams damaged over 10^4 ticks no whole one is refused as stale.
#[test]
fn damage_stales_nothing_whole() {
    let (mut table, a) = at_1000();
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for tick in 1001..11_001 {
        let mut entry = [0; 52];
        entry[4..8].copy_from_slice(&tick_bytes(tick));
        let mut bytes = batch(tick, &[(14, 1, tick, &entry), (70, 1, tick, &[0; 4])]);
        let is_damaged = random() % 3 == 0;
        if is_damaged {
            let at = random() % bytes.len();
            bytes[at] ^= 1 << (random() % 8);
        }
        table.datagram(a, &bytes);
        let taken = table.taken();
        if !is_damaged {
            assert_eq!(taken, [(1, Kind::PlayerInputs, tick), (1, Kind::CoopSkipVote, tick)], "tick {tick}");
        }
    }
    assert!(table.host.counters().dropped.undecodable > 0);
}

fn tick_bytes(tick: i32) -> [u8; 4] {
    tick.to_le_bytes()
}

/// NET-47, 18, 43: of the packets by datagram only a ping is answered, and a client update heard.
#[test]
fn a_host_takes_three_packets_by_datagram() {
    for info in PACKETS {
        let (mut table, a) = at_1000();
        table.events.clear();
        let mut bytes = (((info.size as u16) << 4) | 3 << 2).to_be_bytes().to_vec();
        bytes.push(1);
        bytes.resize(info.size - 1, 0);
        bytes.push(info.number);
        let had = table.peers[a].seen.len();
        table.datagram(a, &bytes);
        assert!(table.events.is_empty(), "{}", info.name);
        assert_eq!(table.peers[a].seen.len(), had);
        let counters = table.host.counters();
        let is_counted = counters.refused.total() + counters.dropped.undecodable > 0;
        assert_eq!(is_counted, ![0, 1, 25].contains(&info.number), "{}", info.name);
        assert_eq!(table.peers[a].datagrams.len(), usize::from(info.number == 1));
    }
}

/// NET-43, 70: anyone's ping is answered with its timestamp, in fewer bytes than it has.
#[test]
fn a_ping_is_answered() {
    let mut table = Table::new();
    let ping = bytes_of(&Packet::Ping(Ping { timestamp: 123_456, port: 5151 }));
    table.host.handle(
        table.now,
        table.tick,
        mjolnir_transport::NetEvent::Datagram { from: "10.9.9.9:6000".parse().unwrap(), bytes: &ping },
    );
    let answers: Vec<_> =
        table.host.transmits().datagrams().map(|(to, bytes)| (to, bytes.to_vec())).collect();
    let pong = bytes_of(&Packet::Pong(Pong { timestamp: 123_456 }));
    assert_eq!(answers, [("10.9.9.9:6000".parse().unwrap(), pong.clone())]);
    assert!(pong.len() <= ping.len());
}

/// NET-48: no bytes, one and two, and one byte more or less than the word says.
#[test]
fn a_datagram_is_exactly_one_message() {
    let (mut table, a) = at_1000();
    let good = input(1001, 0);
    for length in 0..=2 {
        table.datagram(a, &good[..length]);
        assert_eq!((table.taken().len(), table.host.counters().dropped.undecodable), (0, length as u64 + 1));
    }
    // Two that say of themselves that they are two.
    table.datagram(a, &[0x00, 0x28]);
    table.datagram(a, &good[..good.len() - 1]);
    let mut longer = good.clone();
    longer.push(0);
    table.datagram(a, &longer);
    assert_eq!((table.taken().len(), table.host.counters().dropped.undecodable), (0, 6));
    table.datagram(a, &good);
    assert_eq!(table.taken().len(), 1);
}

/// NET-45: from an address that is no machine's nothing counts.
#[test]
fn an_address_that_is_nobodys_is_not_heard() {
    let (mut table, a) = at_1000();
    table.datagram(a, &input(1001, 0));
    assert_eq!(table.taken().len(), 1);
    for from in ["10.0.0.3:5151", HOST_ADDRESS, "10.0.0.2:5152"] {
        table.datagram_from(from.parse().unwrap(), &input(1002, 0));
        assert!(table.taken().is_empty(), "{from}");
    }
    assert_eq!(table.refused("unknown_address"), 3);
}

/// NET-15: two machines of one address are told apart by the slots they name, whoever speaks first.
#[test]
fn two_machines_of_one_address_are_told_apart() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    let b = table.in_game("10.0.0.2:5152");
    let tick = table.tick.get();
    table.datagram(a, &update());
    assert_eq!(table.refused("unknown_address"), 1, "either could have said it");
    table.datagram(b, &input(tick, 1));
    table.datagram(a, &batch(tick, &[(14, 1, tick, &[0; 52])]));
    assert_eq!(table.taken().iter().map(|(from, ..)| *from).collect::<Vec<_>>(), [2, 1]);
    table.datagram(a, &update());
    assert_eq!(table.refused("unknown_address"), 1);
}

/// NET-15: an address that was guessed gives way to what names its slot.
#[test]
fn a_guessed_address_gives_way_to_a_named_one() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    let tick = table.tick.get();
    table.datagram(a, &input(tick, 0));
    let b = table.in_game("10.0.0.2:5152");
    // The first machine's port changes: its update is taken for the second's, its input is not.
    let moved = "10.0.0.2:7000".parse().unwrap();
    table.datagram_from(moved, &update());
    table.taken();
    table.step(61);
    let tick = table.tick.get();
    table.datagram_from(moved, &input(tick, 0));
    table.datagram(b, &input(tick, 1));
    assert_eq!(table.taken().iter().map(|(from, ..)| *from).collect::<Vec<_>>(), [1, 2]);
}

/// NET-15: one damaged slot at first does not give a machine's datagrams to another for good.
#[test]
fn a_damaged_first_slot_is_made_good() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    let b = table.in_game("10.0.0.2:5152");
    let tick = table.tick.get();
    table.datagram(a, &input(tick, 1));
    table.taken();
    for i in 1..6 {
        table.datagram(a, &input(tick + i, 0));
        table.datagram(b, &input(tick + i, 1));
    }
    table.taken();
    table.datagram(a, &input(tick + 6, 0));
    table.datagram(b, &input(tick + 6, 1));
    let from: Vec<_> = table.taken().iter().map(|(from, ..)| *from).collect();
    assert_eq!(from, [1, 2]);
    table.datagram(a, &input(tick + 7, 1));
    assert_eq!(table.taken(), [(1, Kind::PlayerInputs, tick + 7)], "by its address, whatever slot it names");
}

/// NET-15: an address moves only once the old one was silent for two seconds while the stream lives.
#[test]
fn an_address_moves_after_two_seconds_of_silence() {
    for (ticks, moves) in [(59, false), (60, true)] {
        let (mut table, a) = at_1000();
        table.datagram(a, &input(1000, 0));
        table.step(ticks);
        let tick = table.tick.get();
        table.datagram_from("10.0.0.2:7000".parse().unwrap(), &input(tick, 0));
        assert_eq!(table.taken().len(), 1 + usize::from(moves), "{ticks}");
    }
    let (mut table, _) = at_1000();
    table.datagram_from("10.0.0.77:7000".parse().unwrap(), &input(1000, 0));
    assert!(table.taken().is_empty(), "another machine's address is never learnt");
}

/// NET-61: inputs in datagrams of their own, without a batch, count like any.
#[test]
fn a_bare_input_counts() {
    let (mut table, a) = at_1000();
    table.datagram(a, &input(1000, 0));
    table.datagram(a, &batch(1001, &[(14, 1, 1001, &[0; 52])]));
    assert_eq!(table.taken(), [(1, Kind::PlayerInputs, 1000), (1, Kind::PlayerInputs, 1001)]);
}
