//! Clocks: each machine's own, and what each measures of the others.

use mjolnir_engine_glue::host::Notice;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_net_compare::Verdict;
use mjolnir_tests::{Lab, Plan, Seating, Way, Who, bot, messages, packets};
use mjolnir_wire::pings::Ping;
use mjolnir_wire::{Kind, Machine};

/// The first client's machine.
fn client() -> Machine {
    Machine::new(1).unwrap()
}

/// CLOCK-02, CLOCK-15, CLOCK-16, GLUE-01: five seconds in which nothing arrives, in the middle of a game: both
/// ends tick on, both know of it within two seconds and a tick, nobody is dropped, and a round trip after it ends
/// everybody plays on and agrees.
#[test]
fn five_seconds_without_a_network_stop_nobody() {
    let mut lab = Lab::play(Plan::new("rooms", 31, 3).network(50, 0.0));
    lab.run_ticks(150);
    let problem = |lab: &Lab, place: usize| {
        let seat = &lab.clients[place];
        seat.net.clock().has_problem(seat.now(lab.now()))
    };
    let silences = |lab: &Lab| {
        lab.host.notices.iter().filter(|(_, notice)| matches!(notice, Notice::Silent { .. })).count()
    };
    let (host, clients) = (lab.host.ticks, lab.clients.iter().map(|seat| seat.ticks).collect::<Vec<_>>());

    for place in 0..3 {
        lab.partition(place, true);
    }
    lab.run_seconds(1.95);
    assert!((0..3).all(|place| !problem(&lab, place)) && silences(&lab) == 0);
    lab.run_seconds(0.15);
    assert!((0..3).all(|place| problem(&lab, place)) && silences(&lab) == 3);
    lab.run_seconds(2.9);
    assert!(lab.host.ticks.abs_diff(host + 150) <= 1);
    for (seat, before) in lab.clients.iter().zip(clients) {
        assert!(seat.ticks.abs_diff(before + 150) <= 1);
    }
    assert_eq!(silences(&lab), 3);

    for place in 0..3 {
        lab.partition(place, false);
    }
    lab.run_seconds(0.1);
    assert!((0..3).all(|place| !problem(&lab, place)));
    // A round trip and ten ticks on, where everybody was moved to who had to be.
    lab.run_seconds(0.4);
    for seat in &mut lab.clients {
        seat.recording.lines.clear();
        seat.engine.notes.own_moves.clear();
    }
    lab.run_seconds(20.0);
    for place in 0..3 {
        assert_eq!(lab.judge(place).verdict, Verdict::Pass);
        assert_eq!(lab.clients[place].engine.notes.own_moves, []);
        assert_eq!(lab.clients[place].net.counters().dropped.stale, 0);
    }
}

/// CLOCK-03: at a game's start the host's first update is a client's time, and it stays behind the host's by no
/// more than the way and a tick.
#[test]
fn the_first_update_is_the_time() {
    for milliseconds in [0, 50, 200] {
        let mut lab = Lab::play(Plan { start: 1000, ..Plan::new("flat", 32, 3).network(milliseconds, 0.0) });
        let most = Lab::ticks_of(milliseconds) as i32 + 1;
        let mut behind = Vec::new();
        lab.watch_ticks(60, |lab, who| {
            if let Who::Client(place) = who {
                let own = lab.clients[place].net.clock().tick().unwrap();
                behind.push(lab.tick().since(own));
            }
        });
        assert!(behind.iter().all(|ticks| (-1..=most).contains(ticks)), "{milliseconds} ms: {behind:?}");
    }
}

/// CLOCK-04, CLOCK-07, CLOCK-19: one that joins in progress and loads for three seconds has the time from the first
/// update on, as the others have it, past 16 bits too.
#[test]
fn a_late_machine_has_the_time() {
    let mut lab = Lab::play(Plan { start: 200_000, ..Plan::new("flat", 33, 1).network(50, 0.0) });
    lab.run_seconds(5.0);
    let late = lab.join(Seating { load_micros: 3_000_000, ..Seating::of(vec![bot(1)]) });
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 0);
    let own = lab.clients[late].net.clock().tick().unwrap();
    // Its start named the ticks without the way; what it counted while it loaded is never taken back.
    assert!((-3..=3).contains(&lab.tick().since(own)), "{own:?} beside {:?}", lab.tick());
    lab.run_seconds(10.0);
    assert_eq!(lab.judge(late).verdict, Verdict::Pass);
}

/// CLOCK-20: in the ten seconds from a machine's start it is sent 30 and 9 updates.
#[test]
fn updates_go_often_at_first() {
    let mut lab = Lab::idle(Plan::new("flat", 34, 1));
    lab.run_seconds(2.0);
    let late = lab.join(Seating::of(vec![bot(1)]));
    lab.clients[late].network.listen();
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 0);
    lab.run_seconds(10.0);
    let updates =
        packets(lab.clients[late].network.passed(), Way::In).into_iter().filter(|n| *n == 20).count();
    assert!(updates.abs_diff(39) <= 1, "{updates}");
}

/// AUTH-44, CLOCK-11: in twenty seconds ten messages of pings: at 100 ms each way a client's is 200 to 267 ms, the
/// host's own player's 0.
#[test]
fn pings_go_each_two_seconds() {
    let mut lab = Lab::play(Plan::new("flat", 35, 2).network(100, 0.0));
    lab.run_seconds(10.0);
    lab.clients[1].network.listen();
    lab.run_seconds(20.0);
    let mut pings = Vec::new();
    messages(lab.clients[1].network.passed(), Way::In, |_, message| {
        if message.kind == Kind::Pings {
            pings.push(Ping::read_all(message).map(Result::unwrap).collect::<Vec<_>>());
        }
    });
    assert_eq!(pings.len(), 10);
    for ping in pings.iter().flatten() {
        let milliseconds = ping.milliseconds.unwrap();
        if ping.slot == lab.host.slot() {
            assert_eq!(milliseconds, 0);
        } else {
            assert!((200..=267).contains(&milliseconds), "{milliseconds}");
        }
        assert!(lab.clients[0].net.authority().ping(ping.slot).is_some());
    }
    assert_eq!(lab.host.net.clock().round_trip(Machine::HOST), Some(0.0));
}

/// CLOCK-12, CLOCK-13: at 25 ms each way both ends' meters read the way there and back and the waits for ticks, 50 to
/// 117 ms.
#[test]
fn both_meters_read_the_round_trip() {
    for seed in 36..56 {
        let mut lab = Lab::idle(Plan::new("flat", seed, 1).network(25, 0.0));
        lab.run_seconds(10.0);
        let host = lab.host.net.clock().meter_ms(client()).unwrap();
        let own = lab.clients[0].net.clock().meter_ms().unwrap();
        assert!((50..=117).contains(&host) && (50..=117).contains(&own), "seed {seed}: {host} and {own} ms");
    }
}

/// CLOCK-14: on a local network, of 0.3 ms each way, the meter reads 15 to 35 ms on both ends, whenever each machine began. (A client's ticks
/// begin with its first update, so how they fall between the host's is the way's to say, not the seed's.)
#[test]
fn a_local_network_reads_as_little_as_ticks_allow() {
    for seed in 1000..1200 {
        let faults = Faults { latency_us: 300, ..Faults::default() };
        let mut lab = Lab::idle(Plan { faults, ..Plan::new("flat", seed, 1) });
        lab.run_seconds(3.0);
        let host = lab.host.net.clock().meter_ms(client()).unwrap();
        let own = lab.clients[0].net.clock().meter_ms().unwrap();
        assert!((15..=35).contains(&host) && (15..=35).contains(&own), "seed {seed}: {host} and {own} ms");
    }
}
