//! The fault model, alone and around a simulated network.

use mjolnir_transport::impair::{Faults, HELD_PACKETS, Impair, Impaired, PACKET_BYTES, REORDER_TICKS};
use mjolnir_transport::simulated::SimulatedNetwork;
use mjolnir_transport::{NetEvent, Network, StreamId};
use mjolnir_wire::Moment;
use mjolnir_wire::time::TICK_MICROS;

use super::{Heard, address, ms, opened, receive, send, stream_bytes};

const STREAM: StreamId = StreamId(4);
const OTHER: StreamId = StreamId(5);
const DATAGRAMS: usize = 10_000;

fn datagram(number: u32) -> Vec<u8> {
    number.to_be_bytes().repeat(15)
}

fn push_datagram(impair: &mut Impair, now: Moment, number: u32) {
    impair.push(now, NetEvent::Datagram { from: address(2, 5151), bytes: &datagram(number) });
}

fn push_bytes(impair: &mut Impair, now: Moment, stream: StreamId, bytes: &[u8]) {
    impair.push(now, NetEvent::Bytes { stream, bytes });
}

fn pop(impair: &mut Impair, now: Moment) -> Vec<Heard> {
    let mut heard = Vec::new();
    impair.pop(now, &mut |event| heard.push(event.into()));
    heard
}

/// The numbers of undamaged datagrams, in the order in which they came.
fn numbers(heard: &[Heard]) -> Vec<u32> {
    let number = |heard: &Heard| match heard {
        Heard::Datagram(_, bytes) => Some(u32::from_be_bytes(*bytes.first_chunk().unwrap())),
        _ => None,
    };
    heard.iter().filter_map(number).collect()
}

fn at(micros: u64) -> Moment {
    Moment::from_micros(micros)
}

/// TOOL-21: datagrams and streams come after the latency and not a microsecond before, in their order.
#[test]
fn latency_holds_datagrams_and_streams_back() {
    let mut impair = Impair::new(1, Faults { latency_us: 100_000, ..Faults::default() });
    assert_eq!(impair.next_due(), None);
    impair.push(ms(0), NetEvent::Opened { stream: STREAM, address: address(2, 50_000) });
    push_bytes(&mut impair, ms(1), STREAM, b"first");
    push_datagram(&mut impair, ms(2), 1);
    push_datagram(&mut impair, ms(2), 2);
    push_bytes(&mut impair, ms(3), STREAM, b"second");
    assert_eq!(impair.next_due(), Some(ms(100)));
    assert_eq!(pop(&mut impair, at(99_999)), []);
    assert_eq!(pop(&mut impair, ms(100)), [Heard::Opened(STREAM, address(2, 50_000))]);
    assert_eq!(impair.next_due(), Some(ms(101)));
    let rest = pop(&mut impair, ms(103));
    assert_eq!(stream_bytes(&rest), b"firstsecond");
    assert_eq!(numbers(&rest), [1, 2]);
    assert!(matches!(rest[0], Heard::Bytes(..)) && matches!(rest[3], Heard::Bytes(..)));
    assert_eq!((impair.next_due(), impair.held()), (None, 0));
}

/// TOOL-21: a latency that falls overtakes nothing.
#[test]
fn a_lower_latency_keeps_the_order() {
    let mut impair = Impair::new(1, Faults { latency_us: 100_000, ..Faults::default() });
    push_datagram(&mut impair, ms(0), 1);
    push_bytes(&mut impair, ms(0), STREAM, b"1");
    impair.set_faults(Faults { latency_us: 1_000, ..Faults::default() });
    push_datagram(&mut impair, ms(1), 2);
    push_bytes(&mut impair, ms(1), STREAM, b"2");
    assert_eq!(pop(&mut impair, at(99_999)), []);
    let heard = pop(&mut impair, ms(100));
    assert_eq!((numbers(&heard), stream_bytes(&heard)), (vec![1, 2], b"12".to_vec()));
}

/// TOOL-21: a stream's end is not delayed, and nothing of the stream is lost for it; other streams wait.
#[test]
fn a_close_is_not_delayed_and_loses_nothing() {
    let mut impair = Impair::new(1, Faults { latency_us: 500_000, ..Faults::default() });
    push_bytes(&mut impair, ms(0), STREAM, b"why");
    push_bytes(&mut impair, ms(0), OTHER, b"on");
    push_bytes(&mut impair, ms(1), STREAM, b" not");
    impair.push(ms(2), NetEvent::Closed { stream: STREAM });
    let expected = [
        Heard::Bytes(STREAM, b"why".to_vec()),
        Heard::Bytes(STREAM, b" not".to_vec()),
        Heard::Closed(STREAM),
    ];
    assert_eq!(pop(&mut impair, ms(2)), expected);
    assert_eq!(pop(&mut impair, ms(500)), [Heard::Bytes(OTHER, b"on".to_vec())]);
}

/// TOOL-22: a fifth of the datagrams is lost, of the stream nothing.
#[test]
fn loss_takes_its_share_of_datagrams_only() {
    let mut impair = Impair::new(22, Faults { loss: 0.2, ..Faults::default() });
    let mut heard = Vec::new();
    for number in 0..DATAGRAMS {
        push_datagram(&mut impair, ms(0), number as u32);
        push_bytes(&mut impair, ms(0), STREAM, &[number as u8]);
        heard.extend(pop(&mut impair, ms(0)));
    }
    let came = numbers(&heard).len();
    assert!((8000 - 100..=8000 + 100).contains(&came), "{came}");
    assert_eq!(impair.counts().lost as usize, DATAGRAMS - came);
    assert!(stream_bytes(&heard).iter().enumerate().all(|(at, byte)| *byte == at as u8));
    assert_eq!(stream_bytes(&heard).len(), DATAGRAMS);
    assert!(numbers(&heard).is_sorted(), "loss reorders nothing");
}

/// TOOL-23: nearly a third is damaged and handed on, in each of the four ways; the stream is not.
#[test]
fn corruption_damages_its_share_in_four_ways() {
    let mut impair = Impair::new(23, Faults { corrupt: 0.3, ..Faults::default() });
    let mut damaged = 0;
    for number in 0..DATAGRAMS as u32 {
        push_datagram(&mut impair, ms(0), number);
        push_bytes(&mut impair, ms(0), STREAM, &[number as u8]);
        let heard = pop(&mut impair, ms(0));
        let whole = datagram(number);
        let Heard::Datagram(_, bytes) = &heard[0] else { panic!("{heard:?}") };
        damaged += u64::from(*bytes != whole);
        assert!(bytes.len() <= PACKET_BYTES);
        assert_eq!(stream_bytes(&heard), [number as u8]);
    }
    let counts = impair.counts();
    assert!((2850..=3150).contains(&damaged), "{damaged}");
    assert_eq!(counts.damaged(), damaged);
    for mode in [counts.changed, counts.cut_short, counts.stretched, counts.replaced] {
        assert!(mode > 500, "{counts:?}");
    }
}

/// TOOL-24: a damaged read is handed on, then the stream ends; nothing of it comes after, other streams go on.
#[test]
fn a_damaged_stream_is_closed() {
    let mut impair = Impair::new(24, Faults { corrupt_stream: 1.0, ..Faults::default() });
    push_bytes(&mut impair, ms(0), STREAM, b"good frame");
    impair.set_faults(Faults::default());
    push_bytes(&mut impair, ms(0), STREAM, b"later");
    push_bytes(&mut impair, ms(0), OTHER, b"well");
    let heard = pop(&mut impair, ms(0));
    assert!(matches!(&heard[0], Heard::Bytes(STREAM, bytes) if bytes != b"good frame"), "{heard:?}");
    assert_eq!(heard[1..], [Heard::Closed(STREAM), Heard::Bytes(OTHER, b"well".to_vec())]);
    assert_eq!(impair.counts().streams_cut, 1);
    assert_eq!(impair.next_close(), Some(STREAM));
    assert_eq!(impair.next_close(), None);
}

/// TOOL-24: an end that comes while the damaged read is still held is told once.
#[test]
fn a_damaged_stream_ends_once() {
    let mut impair = Impair::new(24, Faults { latency_us: 9_000, corrupt_stream: 1.0, ..Faults::default() });
    push_bytes(&mut impair, ms(0), STREAM, b"good frame");
    impair.push(ms(1), NetEvent::Closed { stream: STREAM });
    let heard = pop(&mut impair, ms(1));
    assert!(matches!(heard[..], [Heard::Bytes(STREAM, _), Heard::Closed(STREAM)]), "{heard:?}");
    assert_eq!(pop(&mut impair, ms(100)), []);
}

/// TOOL-24: a thousandth of the reads, over a real stream of the network below: both ends see it end.
#[test]
fn both_ends_of_a_damaged_stream_see_it_end() {
    let network = SimulatedNetwork::new(24);
    let (host_at, client_at) = (address(1, 5150), address(2, 5151));
    let host = network.listen(host_at);
    let mut client = network.connect(client_at, host_at);
    let mut host = Impaired::new(host, 24, Faults { corrupt_stream: 0.001, ..Faults::default() });
    let stream = opened(&receive(&mut client, ms(0))).unwrap();
    let mut reads = 0;
    'play: for tick in 0..100_000 {
        send(&mut client, ms(tick), |out| out.write(stream, b"a message"));
        for heard in receive(&mut host, ms(tick)) {
            match heard {
                Heard::Bytes(..) => reads += 1,
                Heard::Closed(_) => break 'play,
                _ => {}
            }
        }
    }
    assert_eq!(host.impair().counts().streams_cut, 1);
    assert!((1..20_000).contains(&reads), "{reads}");
    assert_eq!(receive(&mut client, ms(0)).last(), Some(&Heard::Closed(stream)));
    assert_eq!(receive(&mut host, ms(0)), []);
}

/// TOOL-25: nothing is damaged before the moment, everything from it on.
#[test]
fn corruption_begins_at_its_moment() {
    let faults =
        Faults { corrupt: 1.0, corrupt_stream: 1.0, corrupt_after_us: 10_000_000, ..Faults::default() };
    let mut impair = Impair::new(25, faults);
    for micros in [0, 9_900_000, 9_999_999] {
        push_datagram(&mut impair, at(micros), 1);
        push_bytes(&mut impair, at(micros), STREAM, b"x");
    }
    assert_eq!((impair.counts().damaged(), impair.counts().streams_cut), (0, 0));
    push_datagram(&mut impair, at(10_000_000), 1);
    push_bytes(&mut impair, at(10_000_000), STREAM, b"x");
    assert_eq!((impair.counts().damaged(), impair.counts().streams_cut), (1, 1));
}

/// TOOL-72: 4096 packets are held, the next is dropped and counted, the order is kept, and room comes back.
#[test]
fn so_many_packets_are_held_and_no_more() {
    let mut impair = Impair::new(72, Faults { latency_us: 50_000, ..Faults::default() });
    for number in 0..HELD_PACKETS as u32 {
        push_datagram(&mut impair, ms(0), number);
    }
    assert_eq!((impair.held(), impair.counts().overflowed), (4096, 0));
    push_datagram(&mut impair, ms(0), 4096);
    assert_eq!((impair.held(), impair.counts().overflowed), (4096, 1));
    let heard = numbers(&pop(&mut impair, ms(50)));
    assert!(heard.into_iter().eq(0..4096));
    push_datagram(&mut impair, ms(50), 5000);
    assert_eq!((impair.held(), impair.counts().overflowed), (1, 1));
}

/// TOOL-72: a packet has 1500 bytes: a longer datagram is dropped, a longer read counts as several.
#[test]
fn a_packet_has_its_size() {
    let mut impair = Impair::new(72, Faults { latency_us: 50_000, ..Faults::default() });
    for length in [PACKET_BYTES, PACKET_BYTES + 1] {
        impair.push(ms(0), NetEvent::Datagram { from: address(2, 5151), bytes: &vec![0; length] });
    }
    assert_eq!((impair.held(), impair.counts().overflowed), (1, 1));
    push_bytes(&mut impair, ms(0), STREAM, &[0; PACKET_BYTES]);
    assert_eq!(impair.held(), 2);
    push_bytes(&mut impair, ms(0), STREAM, &[0; PACKET_BYTES + 1]);
    assert_eq!(impair.held(), 4);
}

/// TOOL-72: a stream past the bound comes early rather than with a gap.
#[test]
fn a_stream_past_the_bound_has_no_gap() {
    let mut impair = Impair::new(72, Faults { latency_us: 50_000, ..Faults::default() });
    for number in 0..=HELD_PACKETS {
        push_bytes(&mut impair, ms(0), STREAM, &[number as u8]);
    }
    assert_eq!((impair.counts().hurried, impair.counts().overflowed), (1, 0));
    let bytes = stream_bytes(&pop(&mut impair, ms(0)));
    assert!(bytes.into_iter().eq((0..=HELD_PACKETS).map(|number| number as u8)));
}

/// TOOL-21: jitter comes on top of the latency, for datagrams alone, up to its bound.
#[test]
fn jitter_is_of_datagrams_and_bounded() {
    let mut impair = Impair::new(5, Faults { latency_us: 20_000, jitter_us: 10_000, ..Faults::default() });
    for number in 0..1000 {
        push_datagram(&mut impair, ms(0), number);
        push_bytes(&mut impair, ms(0), STREAM, &[number as u8]);
    }
    assert_eq!(pop(&mut impair, at(19_999)), []);
    let mut first = pop(&mut impair, ms(20));
    assert!(stream_bytes(&first).into_iter().eq((0..1000).map(|number| number as u8)));
    let middle = pop(&mut impair, ms(25));
    first.extend(middle.iter().cloned());
    assert!((400..600).contains(&numbers(&first).len()));
    assert!(!numbers(&first).is_sorted());
    first.extend(pop(&mut impair, ms(30)));
    assert_eq!(numbers(&first).len(), 1000);
    assert_eq!(impair.held(), 0);
}

/// NET-41: with a third reordered and a tenth doubled, every datagram comes once or twice and within the
/// bound, and the stream comes exactly once and in order.
#[test]
fn reordering_and_duplication_are_of_datagrams() {
    let mut impair = Impair::new(41, Faults { duplicate: 0.1, reorder: 0.3, ..Faults::default() });
    let mut heard = Vec::new();
    for number in 0..3000_u32 {
        let now = at(u64::from(number) * TICK_MICROS);
        push_datagram(&mut impair, now, number);
        push_bytes(&mut impair, now, STREAM, &[number as u8]);
        for came in numbers(&pop(&mut impair, now)) {
            assert!(u64::from(number - came) <= REORDER_TICKS, "{came} at {number}");
            heard.push(came);
        }
    }
    heard.extend(numbers(&pop(&mut impair, at(4000 * TICK_MICROS))));
    let counts = impair.counts();
    assert!((850..1150).contains(&counts.reordered), "{counts:?}");
    assert!((250..350).contains(&counts.duplicated), "{counts:?}");
    assert!(!heard.is_sorted());
    let mut times = vec![0; 3000];
    heard.iter().for_each(|number| times[*number as usize] += 1);
    assert!(times.iter().all(|times| matches!(times, 1 | 2)));
    assert_eq!(heard.len() as u64, 3000 + counts.duplicated);
}

/// A stall holds everything back and loses nothing; all of it comes when it ends.
#[test]
fn a_stall_loses_nothing() {
    let mut impair = Impair::new(31, Faults::default());
    impair.stall(true);
    for number in 0..30 {
        push_datagram(&mut impair, ms(u64::from(number) * 33), number);
        push_bytes(&mut impair, ms(u64::from(number) * 33), STREAM, &[number as u8]);
        assert_eq!((pop(&mut impair, ms(990)), impair.next_due()), (vec![], None));
    }
    impair.stall(false);
    let heard = pop(&mut impair, ms(1000));
    assert!(numbers(&heard).into_iter().eq(0..30));
    assert_eq!(stream_bytes(&heard).len(), 30);
}

/// A blackout loses datagrams, those on their way too; streams wait and come whole.
#[test]
fn a_blackout_loses_datagrams_and_holds_streams() {
    let mut impair = Impair::new(34, Faults { latency_us: 10_000, ..Faults::default() });
    push_datagram(&mut impair, ms(0), 1);
    push_bytes(&mut impair, ms(0), STREAM, b"kept ");
    impair.blackout(true);
    push_datagram(&mut impair, ms(5), 2);
    push_bytes(&mut impair, ms(5), STREAM, b"too");
    impair.push(ms(6), NetEvent::Closed { stream: STREAM });
    assert_eq!(pop(&mut impair, ms(50)), []);
    assert_eq!(impair.counts().lost, 2);
    impair.blackout(false);
    let heard = pop(&mut impair, ms(60));
    assert_eq!((numbers(&heard), stream_bytes(&heard)), (vec![], b"kept too".to_vec()));
    assert_eq!(heard.last(), Some(&Heard::Closed(STREAM)));
    push_datagram(&mut impair, ms(61), 3);
    assert_eq!(numbers(&pop(&mut impair, ms(71))), [3]);
}

/// The same seed gives the same faults to the byte, another gives others.
#[test]
fn faults_are_drawn_from_the_seed_alone() {
    let faults = Faults {
        latency_us: 40_000,
        jitter_us: 30_000,
        loss: 0.1,
        duplicate: 0.1,
        reorder: 0.1,
        corrupt: 0.1,
        corrupt_stream: 0.01,
        corrupt_after_us: 100_000,
    };
    let play = |seed| {
        let mut impair = Impair::new(seed, faults);
        let mut heard = Vec::new();
        for number in 0..500 {
            let now = ms(u64::from(number) * 10);
            push_datagram(&mut impair, now, number);
            push_bytes(&mut impair, now, STREAM, &datagram(number));
            heard.extend(pop(&mut impair, now).into_iter().map(|heard| (now, heard)));
        }
        (heard, impair.counts())
    };
    assert_eq!(play(7), play(7));
    assert_ne!(play(7), play(8));
}

/// Around a network, without a fault, everything passes as it is; with latency a round trip takes it twice when
/// it is set on both ends (TOOL-21).
#[test]
fn latency_on_both_ends_adds_up() {
    let network = SimulatedNetwork::new(1);
    let (host_at, client_at) = (address(1, 5150), address(2, 5151));
    let mut host = Impaired::new(network.listen(host_at), 1, Faults::default());
    let mut client = Impaired::new(network.connect(client_at, host_at), 2, Faults::default());
    send(&mut client, ms(0), |out| out.datagram(host_at, b"at once"));
    assert!(receive(&mut host, ms(0)).contains(&Heard::Datagram(client_at, b"at once".to_vec())));

    let faults = Faults { latency_us: 100_000, ..Faults::default() };
    host.impair().set_faults(faults);
    client.impair().set_faults(faults);
    send(&mut client, ms(0), |out| out.datagram(host_at, b"ping"));
    receive(&mut client, ms(0));
    let mut answered = None;
    for now in (0..=300).map(ms) {
        if receive(&mut host, now).iter().any(|heard| matches!(heard, Heard::Datagram(..))) {
            send(&mut host, now, |out| out.datagram(client_at, b"pong"));
        }
        if receive(&mut client, now).iter().any(|heard| matches!(heard, Heard::Datagram(..))) {
            answered = answered.or(Some(now));
        }
    }
    assert_eq!(answered, Some(ms(200)));
}

/// What a network tells of its own sending passes at once, whatever the latency.
#[test]
fn what_was_written_is_not_delayed() {
    let mut impair = Impair::new(1, Faults { latency_us: 100_000, ..Faults::default() });
    push_bytes(&mut impair, ms(0), STREAM, b"held");
    impair.push(ms(0), NetEvent::Written { stream: STREAM, bytes: 9 });
    assert_eq!(pop(&mut impair, ms(0)), [Heard::Written(STREAM, 9)]);
    let mut network = Impaired::new(SimulatedNetwork::new(1).listen(address(1, 1)), 1, Faults::default());
    network.receive(ms(0), &mut |event| panic!("{event:?}"));
}
