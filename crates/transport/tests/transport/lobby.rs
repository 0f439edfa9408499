//! The lobby: settings and the countdown.

use mjolnir_transport::host;
use mjolnir_wire::packets::list::{self, GameStartRequest, PlayerSettingsRequest};
use mjolnir_wire::packets::{Packet, SettingsAssembler, SettingsRecord, StartRequest};

use super::table::{Table, add_player, has_map, join_request, loaded, player};

fn ask(request: StartRequest) -> Packet<'static> {
    Packet::GameStartRequest(GameStartRequest { request })
}

/// NET-56: twenty changes in a second are four or five sendings to each machine, all four pieces of each, the last of
/// them what stands.
#[test]
fn settings_go_as_they_change() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let b = table.joined("10.0.0.3:5151");
    table.wait_millis(1000);
    let had = [a, b].map(|peer| table.peers[peer].raw.len());
    for i in 0..20 {
        let mut changed = player("A", 0);
        changed.colour = i;
        table.say(a, &Packet::PlayerSettingsRequest(PlayerSettingsRequest { player: changed }));
        table.wait_millis(50);
    }
    table.wait_millis(250);
    assert_eq!(table.host.record().players()[0].colour, 19);
    for (peer, had) in [a, b].into_iter().zip(had) {
        let records = sent_records(&table.peers[peer].raw[had..]);
        assert!((4..=5).contains(&records.len()), "{}", records.len());
        assert!(records[0] != records[records.len() - 1]);
        assert!(records.last() == Some(table.host.record()), "the last sent is not what stands");
    }
}

/// The settings in these messages of a stream, put together of their pieces; no piece is left over.
fn sent_records(raw: &[Vec<u8>]) -> Vec<SettingsRecord> {
    let mut assembler = SettingsAssembler::new();
    let (mut records, mut pieces) = (Vec::new(), 0);
    for bytes in raw {
        if let Ok(Packet::SettingsPiece(piece)) = Packet::read(bytes) {
            pieces += 1;
            if let Some(whole) = assembler.push(&piece).unwrap() {
                records.push(*SettingsRecord::decode(whole).unwrap());
            }
        }
    }
    assert_eq!(pieces, 4 * records.len());
    records
}

/// NET-57, 53: a request begins the countdown, each second is said, its end is the start.
#[test]
fn the_countdown_begins_and_ends() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.say(a, &ask(StartRequest::StartNow));
    table.wait_millis(4_950);
    assert!(!table.events.contains(&host::Event::StartDue));
    table.wait_millis(100);
    assert!(table.events.contains(&host::Event::StartDue));
    assert_eq!(counted(&table, a), [5, 4, 3, 2, 1, 0]);
}

/// NET-57: stopped it does not start.
#[test]
fn a_countdown_stops() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.say(a, &ask(StartRequest::StartNow));
    table.wait_millis(3_000);
    table.say(a, &ask(StartRequest::Stop));
    table.wait_millis(10_000);
    assert!(!table.events.contains(&host::Event::StartDue));
}

/// NET-57: a machine without a player holds the start until it has one, or is dropped.
#[test]
fn a_machine_without_a_player_holds_the_start() {
    for brings in [false, true] {
        let mut table = Table::new();
        let a = table.joined("10.0.0.2:5151");
        let b = table.raw("10.0.0.3:5151");
        table.say(b, &Packet::JoinRequest(join_request()));
        table.say(a, &ask(StartRequest::StartNow));
        table.wait_millis(14_800);
        assert!(!table.events.contains(&host::Event::StartDue));
        if brings {
            table.say(b, &add_player("B", 0));
        } else {
            table.wait_millis(200);
        }
        table.wait_millis(50);
        assert!(table.events.contains(&host::Event::StartDue));
        assert_eq!(table.peers[b].is_closed, !brings);
    }
}

/// NET-57, CLOCK-03: every machine of the lobby hears a countdown before its begin, once: one that heard none hears
/// its end.
#[test]
fn no_machine_of_the_lobby_begins_without_a_countdown() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.say(a, &ask(StartRequest::StartNow));
    table.wait_millis(5_100);
    // It joins between the countdown's end and the begin.
    let b = table.joined("10.0.0.3:5151");
    table.host.begin_game(table.now, table.tick);
    table.carry();
    for (peer, counts) in [(a, [5, 4, 3, 2, 1, 0].as_slice()), (b, &[0])] {
        assert_eq!(counted(&table, peer), counts);
        assert_eq!(table.packets(peer).last(), Some(&8));
    }
    // The next lobby counts anew; a join in progress has no countdown.
    table.host.to_lobby(table.now);
    table.host.begin_game(table.now, table.tick);
    table.carry();
    assert_eq!(counted(&table, b), [0, 0]);
    for peer in [a, b] {
        table.say(peer, &has_map());
        table.say(peer, &loaded());
    }
    let c = table.joined("10.0.0.4:5151");
    table.wait_millis(100);
    assert_eq!((table.packets(c).last(), counted(&table, c)), (Some(&8), vec![]));
}

fn counted(table: &Table, peer: usize) -> Vec<i16> {
    let countdown = |bytes: &Vec<u8>| match Packet::read(bytes) {
        Ok(Packet::Countdown(list::Countdown { seconds })) => Some(seconds),
        _ => None,
    };
    table.peers[peer].raw.iter().filter_map(countdown).collect()
}

/// NET-53: in the lobby the host says each five seconds that it is there, the client each second which map it has.
#[test]
fn both_ends_are_heard_in_the_lobby() {
    let mut table = Table::new();
    let a = table.client("10.0.0.2:5151", 1);
    table.wait_millis(20_000);
    assert_eq!(table.packets(a).iter().filter(|number| **number == 10).count(), 4);
    let maps = table.peers[a].sent.iter().filter(|seen| **seen == super::table::Seen::Packet(19)).count();
    assert!((19..=22).contains(&maps), "{maps}");
}
