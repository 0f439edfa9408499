//! The clock's public behaviour, as scripts over virtual time.

use mjolnir_clock::{Client, Error, HEARD_TICKS, Host, Meter, Pace, RoundTrip};
use mjolnir_wire::{Machine, MachineSet, Moment, Tick};
use proptest::prelude::*;

const NOW: Moment = Moment::START;

fn tick(number: i32) -> Tick {
    Tick::new(number).expect("a tick")
}

fn ms(millis: u64) -> Moment {
    Moment::from_millis(millis)
}

/// A client whose first update came with that time.
fn playing(at: i32) -> Client {
    let mut client = Client::new(NOW);
    client.handle_update(NOW, 0, tick(at));
    client
}

fn machine(index: u8) -> Machine {
    Machine::new(index).expect("a machine")
}

/// CLOCK-01: 30 ticks a second, however uneven the frames, and for ever.
#[test]
fn ten_seconds_are_three_hundred_ticks() {
    for frame in [1, 5, 16_667, 33_333, 33_334, 120_000] {
        let mut pace = Pace::new(ms(5));
        let (mut at, mut run) = (ms(5), 0);
        while at < ms(10_005) {
            at = at.plus(frame).min(ms(10_005));
            run += pace.due(at);
        }
        assert_eq!(run, 300, "frames of {frame} us");
    }
}

/// CLOCK-01: what is due after a stall runs at once, at most 15 ticks; the rest of the time is dropped.
#[test]
fn a_stall_is_caught_up_by_fifteen_ticks_at_most() {
    for (stall, run, dropped) in [(400, 12, 0), (500, 15, 0), (533, 15, 0), (534, 15, 1), (2_000, 15, 45)] {
        let mut pace = Pace::new(NOW);
        assert_eq!(pace.due(ms(stall)), run, "{stall} ms");
        assert_eq!([pace.take_dropped(), pace.take_dropped()], [dropped, 0], "{stall} ms");
        assert_eq!(pace.due(ms(stall)), 0);
        assert_eq!(pace.due(ms(stall + 300)), 9);
    }
}

/// CLOCK-01: waiting until the next tick's moment is exactly enough.
#[test]
fn the_next_tick_is_due_when_it_says() {
    let mut pace = Pace::new(ms(7));
    for _ in 0..1_000 {
        let next = pace.next();
        assert_eq!(pace.due(Moment::from_micros(next.as_micros() - 1)), 0);
        assert_eq!(pace.due(next), 1);
    }
}

/// CLOCK-01: a process that has run for months (2^31 and 2^32 ms, 2^32 ticks) keeps the pace.
#[test]
fn the_pace_holds_after_months() {
    for start in [(1 << 31) - 5_000, (1_u64 << 32) - 5_000] {
        let mut pace = Pace::new(ms(start));
        let run: u32 = (1..=1_000).map(|frame| pace.due(ms(start + frame * 10))).sum();
        assert_eq!(run, 300);
    }
    let mut pace = Pace::new(NOW);
    let month = 30 * 24 * 3_600 * Moment::SECOND;
    assert_eq!(pace.due(Moment::from_micros(5 * month)), 15);
    assert_eq!(pace.due(Moment::from_micros(5 * month + Moment::SECOND / 3 + 1)), 10);
}

/// CLOCK-02: a client that hears nothing for five seconds runs 150 ticks in them; so does a host.
#[test]
fn nobody_waits_for_anybody() {
    let (mut client, mut host) = (playing(1_000), Host::new(tick(1_000)));
    let mut pace = Pace::new(NOW);
    for frame in 1..=500 {
        for _ in 0..pace.due(ms(frame * 10)) {
            client.advance();
            host.advance();
        }
    }
    assert_eq!(client.tick(), Some(tick(1_150)));
    assert_eq!(host.tick(), tick(1_150));
}

/// CLOCK-03: no time before the first update, the host's with it.
#[test]
fn the_first_update_begins_the_game() {
    let mut client = Client::new(NOW);
    assert_eq!((client.tick(), client.advance()), (None, None));
    client.hear_datagram(NOW, tick(70));
    assert_eq!((client.tick(), client.heard()), (None, Tick::ZERO));
    client.handle_update(NOW, 0, tick(77));
    assert_eq!(client.tick(), Some(tick(77)));
    assert_eq!(client.advance(), Some(tick(78)));
}

/// CLOCK-04, 19: a late join counts on from 16 bits; the first update gives the rest where it is ahead.
#[test]
fn a_late_join_starts_with_sixteen_bits() {
    for (start, update, then) in
        [(5_000, 5_130, 5_130), (5_000, 5_110, 5_120), (200_000, 200_130, 200_130), (65_530, 65_660, 65_660)]
    {
        let mut client = Client::new(NOW);
        client.begin(tick(start).low16());
        for _ in 0..120 {
            assert_eq!(client.advance(), None);
        }
        assert_eq!(client.tick(), Some(tick(i32::from(tick(start).low16()) + 120)));
        client.handle_update(NOW, 7, tick(update));
        assert_eq!(client.tick(), Some(tick(then)), "{start} {update}");
        // What a start message says now comes too late.
        client.begin(9);
        assert_eq!(client.advance(), Some(tick(then + 1)));
    }
}

/// CLOCK-05: a host behind moves nothing; a host ahead is jumped to.
#[test]
fn a_clock_only_jumps_forward() {
    let mut client = playing(1_000);
    for behind in [0, 500, 999, 1_000] {
        client.handle_update(NOW, 0, tick(behind));
        assert_eq!(client.tick(), Some(tick(1_000)));
    }
    assert_eq!(client.advance(), Some(tick(1_001)));
    // As far as the host: none is left out.
    client.handle_update(NOW, 0, tick(1_001));
    assert_eq!(client.advance(), Some(tick(1_002)));
    client.handle_update(NOW, 0, tick(1_010));
    assert_eq!(client.tick(), Some(tick(1_010)));
    assert_eq!(client.advance(), Some(tick(1_011)));
}

/// CLOCK-07: the count of updates is taken up where it is; CLOCK-17: and wraps without its sign.
#[test]
fn the_count_is_taken_up_where_it_is() {
    let mut client = Client::new(NOW);
    for (update, next) in [(900, 901), (i32::MAX - 1, i32::MAX), (i32::MAX, 0), (0, 1), (-1, 0)] {
        client.handle_update(NOW, update, tick(5));
        assert_eq!(client.next_update(), next);
    }
}

/// CLOCK-17: thirty updates held back and read at once are one jump and thirty of the count.
#[test]
fn a_burst_of_updates_is_one_jump() {
    let mut client = playing(100);
    client.handle_update(NOW, 499, tick(100));
    for i in 0..30 {
        client.handle_update(NOW, 500 + i, tick(101 + i));
    }
    assert_eq!(client.next_update(), 530);
    assert_eq!(client.tick(), Some(tick(130)));
    assert_eq!(client.advance(), Some(tick(131)));
}

/// CLOCK-01, 05: of fifteen ticks that are due at once after a stall each is the next, and the last one jumps: the client is
/// where the host is and no further, whether the host came as far as that, less far, or further.
#[test]
fn a_stall_leaves_nobody_ahead() {
    for (heard, last) in [(1_000, 1_015), (1_010, 1_015), (1_014, 1_015), (1_015, 1_016), (1_030, 1_031)] {
        let mut client = Client::new(NOW);
        client.handle_update(NOW, 0, tick(1_000));
        client.hear_datagram(NOW, tick(heard));
        for of in 1..15 {
            assert_eq!(client.catch_up(), Some(tick(1_000 + of)), "{heard}");
        }
        assert_eq!(client.advance(), Some(tick(last)), "{heard}");
    }
    // Who does not play yet has nothing to simulate.
    let mut client = Client::new(NOW);
    assert_eq!(client.catch_up(), None);
    client.begin(77);
    assert_eq!((client.catch_up(), client.tick()), (None, Some(tick(78))));
}

/// CLOCK-08, CLOCK-21 (in part: a message that is refused is not told to a clock): either channel moves the time heard;
/// the larger wins and is what is named.
#[test]
fn the_largest_time_heard_is_named() {
    let mut client = playing(90);
    for (stream, time, named) in [(false, 100, 100), (true, 103, 103), (false, 101, 103), (true, 99, 103)] {
        if stream {
            client.hear_stream(NOW, tick(time));
        } else {
            client.hear_datagram(NOW, tick(time));
        }
        assert_eq!(client.heard(), tick(named));
    }
    client.handle_update(NOW, 1, tick(104));
    assert_eq!(client.heard(), tick(104));
}

/// CLOCK-22: a datagram's stamp moves the clock within 30 ticks only, or with another that agrees.
#[test]
fn one_datagram_alone_pushes_no_clock() {
    let mut client = playing(1_000);
    client.hear_datagram(NOW, tick(1_030));
    assert_eq!(client.heard(), tick(1_030));

    let mut client = playing(1_000);
    client.hear_datagram(NOW, tick(1_031));
    assert_eq!(client.advance(), Some(tick(1_001)));

    let mut client = playing(1_000);
    client.hear_datagram(NOW, tick(1_400));
    // The other parts of that datagram, or its duplicate, are no other word.
    client.hear_datagram(NOW, tick(1_400));
    assert_eq!((client.heard(), client.tick()), (tick(1_000), Some(tick(1_000))));
    client.hear_stream(NOW, tick(1_400));
    assert_eq!(client.tick(), Some(tick(1_400)));

    for (second, heard) in [(1_401, 1_401), (1_430, 1_430), (1_431, 1_000), (1_370, 1_370), (1_369, 1_000)] {
        let mut client = playing(1_000);
        client.hear_datagram(NOW, tick(1_400));
        client.hear_datagram(NOW, tick(second));
        assert_eq!((client.heard(), client.tick()), (tick(heard), Some(tick(heard))), "{second}");
    }

    // An honest stamp between forgets the forged one.
    let mut client = playing(1_000);
    for stamp in [1_400, 1_001, 1_405] {
        client.hear_datagram(NOW, tick(stamp));
    }
    assert_eq!(client.heard(), tick(1_001));
}

/// CLOCK-09: one sample a message, this tick less the tick named; what the host has not come to is refused.
#[test]
fn a_named_tick_is_a_sample() {
    let mut host = Host::new(tick(100));
    assert_eq!(host.handle_heard(NOW, machine(3), tick(94)), Err(Error::UnknownMachine));
    host.add_machine(NOW, machine(3));
    assert_eq!(host.round_trip(machine(3)), None);
    assert_eq!(host.ping_ms(machine(3)), None);
    assert_eq!(host.handle_heard(NOW, machine(3), tick(101)), Err(Error::HeardAhead));
    assert_eq!(host.round_trip(machine(3)), None);
    assert_eq!(host.handle_heard(NOW, machine(3), tick(94)), Ok(()));
    assert_eq!(host.round_trip(machine(3)), Some(6.0));
    assert_eq!(host.ping_ms(machine(3)), Some(200));
    host.remove_machine(machine(3));
    assert_eq!(host.round_trip(machine(3)), None);
}

/// CLOCK-09: a tick of up to 15 s ago is a sample; one of before is refused and counts for nothing, or a single damaged one
/// would show for seconds and count as a round trip of hours.
#[test]
fn no_tick_of_long_ago_is_a_sample() {
    let mut host = Host::new(tick(1_000_000));
    host.add_machine(NOW, machine(3));
    for named in [999_549, 0] {
        assert_eq!(host.handle_heard(NOW, machine(3), tick(named)), Err(Error::HeardLongAgo), "{named}");
    }
    assert_eq!(host.round_trip(machine(3)), None);
    host.handle_heard(NOW, machine(3), tick(999_550)).unwrap();
    assert_eq!(host.round_trip(machine(3)), Some(HEARD_TICKS as f32));
    // The most that one may do to a round trip of three ticks is gone within a second.
    let mut trip = RoundTrip::new();
    [3.0, HEARD_TICKS as f32].into_iter().chain([3.0; 30]).for_each(|sample| trip.sample(sample));
    assert!(trip.smoothed().unwrap() < 5.0, "{trip:?}");
}

/// CLOCK-10: smoothed as TCP smooths.
#[test]
fn a_round_trip_is_smoothed() {
    let mut trip = RoundTrip::new();
    assert_eq!((trip.smoothed(), trip.rounded()), (None, 0));
    trip.sample(8.0);
    assert_eq!((trip.smoothed(), trip.variation()), (Some(8.0), Some(4.0)));
    for _ in 0..40 {
        trip.sample(8.0);
    }
    trip.sample(16.0);
    assert_eq!(trip.smoothed(), Some(9.0));
    assert!((trip.variation().unwrap() - 2.0).abs() < 0.001);
    assert_eq!(trip.rounded(), 9);
}

/// CLOCK-11: the host's own round trip is none, whatever the clients' are.
#[test]
fn the_host_is_no_way_off() {
    let mut host = Host::new(tick(100));
    host.add_machine(NOW, Machine::HOST);
    host.add_machine(NOW, machine(1));
    host.handle_heard(NOW, machine(1), tick(80)).unwrap();
    assert_eq!(host.round_trip(Machine::HOST), Some(0.0));
    assert_eq!((host.ping_ms(Machine::HOST), host.ping_ms(machine(1))), (Some(0), Some(667)));
    assert_eq!(host.meter_ms(Machine::HOST), Some(0));
    host.advance();
    assert_eq!(host.updates_due(), MachineSet::only(machine(1)));
}

/// CLOCK-12: the time since a tick was sent, for the last 64.
#[test]
fn the_meter_keeps_sixty_four_ticks() {
    let mut meter = Meter::new();
    assert_eq!(meter.sample(NOW, tick(0)), None);
    for t in 0..=100 {
        meter.sent(tick(t), ms(900 + t as u64));
    }
    assert_eq!(meter.sample(ms(1_062), tick(100)), Some(62_000));
    assert_eq!(meter.sample(ms(1_062), tick(37)), Some(125_000));
    for none in [36, 30, 101] {
        assert_eq!(meter.sample(ms(1_062), tick(none)), None, "{none}");
    }
    // After a jump, what lies between was never sent, and what lay before is too old.
    meter.sent(tick(160), ms(1_100));
    assert_eq!(meter.sample(ms(1_110), tick(160)), Some(10_000));
    for none in [96, 101, 159] {
        assert_eq!(meter.sample(ms(1_110), tick(none)), None, "{none}");
    }
    assert_eq!(meter.sample(ms(1_110), tick(97)), Some(113_000));
}

/// CLOCK-12: both ends read their meter in milliseconds.
#[test]
fn both_ends_read_milliseconds() {
    let mut host = Host::new(tick(9));
    host.add_machine(NOW, machine(1));
    host.advance();
    host.sent(ms(1_000));
    assert_eq!(host.meter_ms(machine(1)), None);
    host.handle_heard(ms(1_062), machine(1), tick(10)).unwrap();
    assert_eq!(host.meter_ms(machine(1)), Some(62));
    // A tick no longer kept gives no sample to the meter, though one to the round trip.
    host.handle_heard(ms(9_000), machine(1), tick(3)).unwrap();
    assert_eq!(host.meter_ms(machine(1)), Some(62));

    let mut client = playing(10);
    client.sent(ms(1_000), tick(11));
    assert_eq!(client.handle_named(ms(1_040), tick(12)), None);
    assert_eq!(client.handle_named(ms(1_040), tick(11)), Some(40_000));
    assert_eq!(client.meter_ms(), Some(40));
}

/// CLOCK-15: two seconds of silence are a connection problem until the next message.
#[test]
fn two_seconds_of_silence_are_a_problem() {
    let hears: [fn(&mut Client, Moment); 4] = [
        |client, now| client.hear(now),
        |client, now| client.hear_stream(now, tick(1)),
        |client, now| {
            client.hear_datagram(now, tick(1));
        },
        |client, now| client.handle_update(now, 0, tick(1)),
    ];
    for hear in hears {
        let mut client = Client::new(ms(10));
        assert!(!client.has_problem(ms(2_009)));
        assert!(client.has_problem(ms(2_010)));
        hear(&mut client, ms(2_011));
        assert!(!client.has_problem(ms(2_011)));
        assert!(client.has_problem(ms(4_011)));
    }
}

/// CLOCK-16: a silence is told once, and anew once heard.
#[test]
fn a_silence_is_told_once() {
    let mut host = Host::new(tick(0));
    let only = MachineSet::only(machine(4));
    host.add_machine(ms(0), machine(4));
    assert_eq!(host.fallen_silent(ms(1_999)), MachineSet::NONE);
    assert_eq!(host.fallen_silent(ms(2_000)), only);
    assert_eq!(host.fallen_silent(ms(9_000)), MachineSet::NONE);
    host.hear(ms(9_000), machine(4)).unwrap();
    assert_eq!(host.fallen_silent(ms(10_999)), MachineSet::NONE);
    assert_eq!(host.fallen_silent(ms(11_000)), only);
    assert_eq!(host.hear(ms(9_000), machine(5)), Err(Error::UnknownMachine));
}

/// CLOCK-20: an update each tick of the first second, one a second after, for each machine from its own start.
#[test]
fn updates_go_often_at_first() {
    for start in [0, 65_500, i32::MAX - 900] {
        let mut host = Host::new(tick(start));
        host.add_machine(NOW, machine(1));
        let mut sent = [0; 2];
        let mut count = |host: &mut Host, ticks| {
            for _ in 0..ticks {
                host.advance();
                let due = host.updates_due();
                sent[0] += u32::from(due.contains(machine(1)));
                sent[1] += u32::from(due.contains(machine(2)));
            }
            sent
        };
        assert_eq!(count(&mut host, 300), [39, 0]);
        host.add_machine(NOW, machine(2));
        assert_eq!(count(&mut host, 300), [49, 39]);
        host.remove_machine(machine(1));
        assert_eq!(count(&mut host, 300), [49, 49]);
    }
}

/// CLOCK-20: a client fed an update every tick keeps the same clock as one fed one a second.
#[test]
fn a_client_takes_any_cadence() {
    let (mut often, mut seldom) = (playing(500), playing(500));
    for t in 501..=2_300 {
        often.handle_update(NOW, t, tick(t));
        if t % 30 == 21 {
            seldom.handle_update(NOW, t, tick(t));
        }
        assert_eq!((often.advance(), seldom.advance()), (Some(tick(t + 1)), Some(tick(t + 1))));
    }
}

/// CLOCK-19: nothing changes across 65 535, nor near the last tick there is, where the count of updates wraps.
#[test]
fn a_game_may_start_anywhere() {
    for start in [65_530, i32::MAX - 10, i32::MAX - 1] {
        let mut host = Host::new(tick(start));
        assert_eq!(host.update(), start);
        let mut client = playing(start);
        for _ in 0..20 {
            let time = host.advance();
            client.handle_update(NOW, host.update(), time);
            assert_eq!(client.advance(), Some(time.next()));
        }
        assert_eq!(
            client.next_update(),
            if start > 100_000 { (host.update() + 1) & i32::MAX } else { start + 21 }
        );
        assert!(host.update() >= 0);
    }
}

/// CLOCK-01: a client's ticks follow what it hears by a quarter of a tick: due a tick after that, and not before.
#[test]
fn a_pace_follows_the_hosts() {
    let mut pace = Pace::following(ms(100));
    let first = pace.next();
    assert_eq!(first.since(ms(100)) / 1_000, 41);
    assert_eq!(pace.due(Moment::from_micros(first.as_micros() - 1)), 0);
    assert_eq!(pace.due(first), 1);
}

proptest! {
    /// CLOCK-05: whatever is heard, own ticks strictly increase.
    #[test]
    fn own_ticks_strictly_increase(words in prop::collection::vec((0..4_u8, 0..100_000_i32, any::<i32>()), 1..10_000)) {
        let mut client = playing(50_000);
        let mut last = tick(50_000);
        for (by, time, update) in words {
            match by {
                0 => client.handle_update(NOW, update, tick(time)),
                1 => client.hear_stream(NOW, tick(time)),
                2 => {
                    client.hear_datagram(NOW, tick(time));
                }
                _ => client.begin(time as u16),
            }
            let next = client.advance().unwrap();
            prop_assert!(next > last && next >= client.heard());
            last = next;
        }
    }
}
