//! A machine's way into a game that is played, and what of it depends on when it comes and how fast it reads.

use mjolnir_transport::limits::{BEHIND_BYTES, CAUGHT_UP_BYTES, HELD_BYTES, STREAM_BYTES};
use mjolnir_transport::{NetEvent, Why, host};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::Packet;
use mjolnir_wire::packets::list::GameStartRequest;
use mjolnir_wire::packets::{PACKETS, StartRequest};
use mjolnir_wire::{Kind, MachineSet, Outbox};

use super::table::{Seen, Table, add_player, has_map, join_request, loaded, machine};

/// When the game of [`Course`] changes: it counts down, it begins (by its own countdown), those of the lobby have
/// loaded, it ends, and it is the lobby again, until the next begins.
const CHANGES: [u32; 6] = [30, 180, 220, 260, 300, 340];

/// A game that goes its course while a machine joins it at any tick.
struct Course {
    table: Table,
    /// Of the lobby.
    first: usize,
    /// Of any tick, once it has come.
    late: Option<usize>,
    number: u32,
}

impl Course {
    fn new() -> Self {
        let mut table = Table::new();
        let first = table.joined("10.0.0.2:5151");
        Self { table, first, late: None, number: 0 }
    }

    /// One tick further. Whoever was told to load has, if it is time.
    fn step(&mut self) {
        let table = &mut self.table;
        match self.number {
            30 => {
                let request = StartRequest::StartNow;
                table.say(self.first, &Packet::GameStartRequest(GameStartRequest { request }));
            }
            220 | 380 => table.say(self.first, &loaded()),
            260 => table.host.end_game(),
            300 => table.host.to_lobby(table.now),
            340 => table.host.begin_game(table.now, table.tick),
            _ => {}
        }
        table.step(1);
        if table.events.contains(&host::Event::StartDue) {
            table.events.retain(|event| *event != host::Event::StartDue);
            table.host.begin_game(table.now, table.tick);
            table.carry();
        }
        self.number += 1;
    }

    /// The packets that the late one had, each row of alike ones as one.
    fn had(&self) -> Vec<u8> {
        let mut had = self.late.map_or_else(Vec::new, |late| self.table.packets(late));
        had.dedup();
        had
    }
}

/// NET-22, 26, 60: a machine asks to join at each tick around each change of the host's state, and brings its player
/// and loads at once or up to a second later, so that each of its words meets each change: it is refused with its
/// reason where the game is closed, and else let in, is never stuck, and is in the next game like everybody.
#[test]
fn a_join_crosses_every_change() {
    let (mut refused, mut late, mut waited) = (0, 0, 0);
    for change in CHANGES {
        for tick in change.saturating_sub(20)..change + 20 {
            for delay in [0, 7, 30] {
                let mut course = Course::new();
                while course.number < tick {
                    course.step();
                }
                let is_open = course.table.host.advertisement([0; 8]).is_open();
                let peer = course.table.raw("10.0.0.3:5151");
                course.late = Some(peer);
                course.table.say(peer, &Packet::JoinRequest(join_request()));
                assert_eq!(course.had()[0], if is_open { 4 } else { 5 }, "tick {tick}");
                let mut words = 0;
                let mut begun = 0;
                while course.number < 460 {
                    course.step();
                    if course.table.peers[peer].is_closed {
                        continue;
                    }
                    let table = &mut course.table;
                    if words == 0 && course.number >= tick + delay {
                        words = 1;
                        table.say(peer, &add_player("Late", 0));
                        table.say(peer, &has_map());
                    }
                    // Each start that it was told is answered once, `delay` ticks later.
                    let starts = table.packets(peer).iter().filter(|number| **number == 8).count();
                    let seen = &table.peers[peer].seen;
                    let told = seen.iter().rfind(|(_, seen)| *seen == Seen::Packet(8));
                    let told = told.map_or(0, |(at, _)| *at);
                    if starts > begun && table.tick.get() >= told + delay as i32 {
                        begun = starts;
                        table.say(peer, &loaded());
                    }
                }
                assert_eq!(course.table.peers[peer].is_closed, !is_open, "tick {tick}, {delay} later");
                if !is_open {
                    refused += 1;
                    assert_eq!(course.had(), [5]);
                    continue;
                }
                let (table, of) = (&course.table, machine(2));
                assert!(table.host.in_game().contains(of), "tick {tick}, {delay} later: {:?}", course.had());
                assert_eq!(table.host.players().filter(|player| player.machine == of).count(), 1);
                // What it says of its loading after the game was over means nothing.
                let refused = table.host.counters().refused;
                assert!(
                    refused.total() <= 1 && refused.total() == refused.of("unexpected"),
                    "{tick} {delay}"
                );
                assert!(!table.events.iter().any(|event| matches!(event, host::Event::Left { .. })));
                match course.had()[..] {
                    [4, 6, 8, ..] if tick > 200 => late += 1,
                    _ => waited += 1,
                }
            }
        }
    }
    // Refused about half of each window but the first's: as a game begins, until it has loaded, from its end on,
    // until it is the lobby again, and as the next begins.
    assert!((3 * 95..=3 * 100).contains(&refused), "{refused} refused");
    assert!(late >= 70 && waited >= 300, "{late} late, {waited} waited");
}

/// NET-60, 53: a game ends while a machine loads it, and the next begins before the machine's word that it has loaded
/// is here: that word is the last game's. It is in the next one when it has said so after a word of the lobby: a machine
/// that answers both starts, one that answers the last alone, and a client of ours that hears of all of it at once.
#[test]
fn what_is_said_of_an_earlier_games_loading_counts_for_none() {
    let again = |table: &mut Table, ends: bool| {
        if ends {
            table.host.end_game();
        }
        table.host.to_lobby(table.now);
        table.host.begin_game(table.now, table.tick);
    };
    for ends in [true, false] {
        let mut table = Table::new();
        let both = table.joined("10.0.0.2:5151");
        let last = table.joined("10.0.0.3:5151");
        let ours = table.client("10.0.0.4:5151", 1);
        table.host.begin_game(table.now, table.tick);
        table.carry();
        table.step(1);
        again(&mut table, ends);
        let now = table.now;
        let client = table.peers[ours].client.as_mut().unwrap();
        client.loaded(now);
        table.say(both, &loaded());
        assert!(table.host.in_game().is_empty(), "ends {ends}");
        assert_eq!(table.refused("unexpected"), 2);
        assert!(!table.events.contains(&host::Event::Started));

        for peer in [both, last] {
            table.say(peer, &has_map());
            table.say(peer, &loaded());
        }
        assert_eq!(table.host.in_game().len(), 2);
        let client = table.peers[ours].client.as_mut().unwrap();
        client.loaded(now);
        table.carry();
        assert_eq!(table.host.in_game().len(), 3);
        table.step(1);
        assert!(table.events.contains(&host::Event::Started));
        assert_eq!(table.refused("unexpected"), 2);
    }
}

/// NET-60: what is kept for a machine that loads is bounded: in each slot of the game a player comes and leaves once.
#[test]
fn what_is_kept_for_who_loads_is_bounded() {
    let mut table = Table::playing(0);
    let slow = table.joined("127.0.0.1:6000");
    table.step(1);
    for place in 0..200 {
        let peer = table.joined(&format!("127.0.0.1:{}", 7000 + place));
        table.step(1);
        table.drop_stream(peer);
    }
    let before = table.host.traffic(machine(1)).unwrap().sent;
    let had = table.packets(slow).len();
    table.say(slow, &loaded());
    let told: Vec<_> = table.packets(slow)[had..].to_vec();
    assert_eq!(told, [21, 22].repeat(MAX_PLAYERS - 1));
    let bytes = table.host.traffic(machine(1)).unwrap().sent.stream_bytes - before.stream_bytes;
    assert_eq!(bytes as usize, (MAX_PLAYERS - 1) * (PACKETS[21].size + PACKETS[22].size));
    assert!(bytes as usize <= HELD_BYTES);
}

/// NET-29, 31, 30: a machine joins in progress and loads for two minutes less a moment, while the game says all it
/// can: its keep-alives are all that is on its way to it, it is kept, and once it has loaded it hears the game.
#[test]
fn who_loads_long_is_owed_nothing() {
    let mut table = Table::playing(0);
    let a = table.joined("10.0.0.2:5151");
    table.step(1);
    table.peers[a].reads = true;
    let had = table.peers[a].seen.len();
    let mut outbox = Outbox::new();
    for _ in 0..119 {
        table.wait_millis(1000);
        outbox.begin(table.tick, 0);
        outbox.message(MachineSet::CLIENTS, Kind::GameState, 0, |body| body.resize(4000, 0)).unwrap();
        table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
        table.host.send_update(MachineSet::CLIENTS, 1, table.tick);
        table.carry();
        assert!(table.host.behind().is_empty());
    }
    let heard = &table.peers[a].seen[had..];
    assert_eq!(heard.len(), 23);
    assert!(heard.iter().all(|(_, seen)| *seen == Seen::Packet(10)));
    table.say(a, &loaded());
    table.host.send_update(MachineSet::CLIENTS, 1, table.tick);
    table.carry();
    assert_eq!(table.peers[a].seen.last().unwrap().1, Seen::Packet(20));
}

/// NET-62: a machine that reads slower than it is told is behind between two bounds of what is on its way, alone of
/// all; one that reads is not, whatever it was told; and one that left is nothing.
#[test]
fn a_slow_reader_is_behind() {
    let mut table = Table::playing(0);
    let slow = table.in_game("10.0.0.2:5151");
    let quick = table.in_game("10.0.0.3:5151");
    table.peers[slow].reads = false;
    let mut outbox = Outbox::new();
    while table.host.unsent(machine(1)) <= BEHIND_BYTES {
        assert!(table.host.behind().is_empty());
        outbox.begin(table.tick, 0);
        outbox.message(MachineSet::CLIENTS, Kind::GameState, 0, |body| body.resize(4000, 0)).unwrap();
        table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
        table.carry();
    }
    assert_eq!(table.host.behind(), MachineSet::only(machine(1)));
    // It reads all but the lower bound's, in pieces, and is behind until the last.
    let stream = table.peers[slow].stream;
    while table.host.unsent(machine(1)) > CAUGHT_UP_BYTES {
        assert_eq!(table.host.behind(), MachineSet::only(machine(1)));
        let bytes = (table.host.unsent(machine(1)) - CAUGHT_UP_BYTES).min(10_000);
        table.host.handle(table.now, table.tick, NetEvent::Written { stream, bytes });
    }
    assert!(table.host.behind().is_empty());
    assert!(!table.peers[quick].is_closed && table.host.machines().len() == 2);
    // Far past its ring it is removed, and behind no more.
    while table.host.unsent(machine(1)) <= STREAM_BYTES {
        outbox.begin(table.tick, 0);
        outbox.message(MachineSet::CLIENTS, Kind::GameState, 0, |body| body.resize(4000, 0)).unwrap();
        table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
        table.carry();
    }
    assert_eq!(table.host.behind(), MachineSet::only(machine(1)));
    table.step(1);
    assert!(table.host.behind().is_empty());
    assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::Stalled }));
}
