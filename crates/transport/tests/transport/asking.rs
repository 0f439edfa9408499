//! A gated host: who asks waits for its answer, and what that costs the host meanwhile.

use std::net::{Ipv4Addr, SocketAddr};

use mjolnir_transport::limits::{ASKED_BYTES, UNJOINED};
use mjolnir_transport::trace::Fate;
use mjolnir_transport::{Error, HostSettings, NetEvent, PeerAddress, StreamId, Why, client, host};
use mjolnir_wire::packets::list::{self, JoinRequest};
use mjolnir_wire::packets::settings::MachineName;
use mjolnir_wire::packets::{Packet, Rejection};
use proptest::prelude::*;

use super::table::{
    Seen, Table, add_player, bytes_of, data, has_map, input, join_request, loaded, machine, record,
};

fn gated(mut table: Table) -> Table {
    table.host.set_gated(true);
    table
}

/// A machine that has asked.
fn asking(table: &mut Table, address: &str) -> usize {
    let peer = table.raw(address);
    table.say(peer, &Packet::JoinRequest(join_request()));
    peer
}

fn asks(table: &Table) -> usize {
    table.events.iter().filter(|event| matches!(event, host::Event::Asking { .. })).count()
}

/// The open stream of one that asks and was told nothing.
fn assert_waits(table: &Table, peer: usize) {
    assert!(!table.peers[peer].is_closed);
    assert_eq!(table.peers[peer].seen, []);
}

/// NET-34, 53: one that joins a gated host is told nothing and is of no game until it is answered; then its join goes on as
/// it always does. A host that is not gated asks nobody.
#[test]
fn who_asks_waits_for_its_answer() {
    let mut table = gated(Table::new());
    let a = table.client("10.0.0.2:5151", 2);
    let stream = table.peers[a].stream;
    let address = PeerAddress::direct(SocketAddr::new(Ipv4Addr::new(10, 0, 0, 2).into(), 40_000));
    let [asked] = table.events.as_slice() else { panic!("{:?}", table.events) };
    let told = host::Event::Asking { stream, address, name: MachineName::cut("Box"), hardware_id: [0; 32] };
    assert_eq!(*asked, told);
    table.wait_millis(9_900);
    assert_waits(&table, a);
    assert!(table.host.machines().is_empty());
    assert_eq!(table.answer(a, Ok(())), Ok(()));
    assert_eq!(table.packets(a), [4, 6, 6, 6, 6]);
    assert_eq!(table.peers[a].sent, [12, 15, 13, 13, 19].map(Seen::Packet));
    assert_eq!(table.host.players().count(), 2);
    assert_eq!(asks(&table), 1);

    let mut open = Table::new();
    open.client("10.0.0.2:5151", 1);
    assert_eq!((asks(&open), open.host.players().count()), (0, 1));
}

/// NET-34, 55, 26: which reason one hears, of several that there are: the token before all else, and without a question;
/// then who is kept out; then whether the game is open; then whether there is room. No player is added.
#[test]
fn a_rejection_is_the_first_that_holds() {
    let full = || {
        let mut record = record();
        record.max_players = 1;
        let mut table = Table::with(HostSettings::new(record), 0);
        table.joined("10.0.0.9:5151");
        table
    };
    let machines = || {
        let mut table = Table::with(HostSettings { machines: 2, ..HostSettings::new(record()) }, 0);
        table.joined("10.0.0.9:5151");
        table
    };
    let full_and_loading = || {
        let mut table = full();
        table.host.begin_game(table.now, table.tick);
        table.carry();
        table
    };
    let over = || {
        let mut table = Table::playing(0);
        table.host.end_game();
        table
    };
    let cases: [(&dyn Fn() -> Table, Option<Rejection>); 5] = [
        (&Table::new, None),
        (&full, Some(Rejection::Full)),
        (&machines, Some(Rejection::Full)),
        (&full_and_loading, Some(Rejection::Closed)),
        (&over, Some(Rejection::Closed)),
    ];
    for (place, (make, otherwise)) in cases.into_iter().enumerate() {
        for is_out in [false, true] {
            let mut table = gated(make());
            let players = table.host.players().count();
            let a = table.client("10.0.0.2:5151", 1);
            assert_eq!(table.answer(a, if is_out { Err(Rejection::Blacklisted) } else { Ok(()) }), Ok(()));
            let Some(reason) = Some(Rejection::Blacklisted).filter(|_| is_out).or(otherwise) else {
                assert_eq!(table.host.players().count(), players + 1);
                continue;
            };
            let why = Why::Rejected(reason);
            assert_eq!(table.peers[a].events, [client::Event::Closed { why }], "{place} {is_out}");
            assert!(table.peers[a].is_closed);
            assert_eq!(table.host.players().count(), players);
        }
        let mut table = gated(make());
        let a = table.raw("10.0.0.2:5151");
        table.say(a, &Packet::JoinRequest(JoinRequest { token: [0; 16], ..join_request() }));
        let rejected = list::Rejected { reason: Rejection::BadToken };
        assert_eq!(table.last_packet(a, 5), Packet::Rejected(rejected), "{place}");
        assert_eq!((asks(&table), table.answer(a, Ok(()))), (0, Err(Error::Unasked)));
    }
}

/// NET-26, 55: whether the game is open and has room is asked as of the answer, not of the question.
#[test]
fn room_is_that_of_the_answer() {
    // Open when it asked, loading when it is answered; and the other way round.
    let mut table = gated(Table::new());
    let [early, late] = ["10.0.0.2:5151", "10.0.0.3:5151"].map(|address| asking(&mut table, address));
    table.host.set_loading(table.now, true);
    table.host.begin_game(table.now, table.tick);
    assert_eq!(table.answer(early, Ok(())), Ok(()));
    assert_eq!(table.packets(early), [5]);
    assert_waits(&table, late);
    table.host.set_loading(table.now, false);
    table.carry();
    assert_eq!(table.answer(late, Ok(())), Ok(()));
    assert_eq!(table.packets(late), [4, 6, 6, 6, 6], "it joins the game in progress");

    // Two for one place: the first that is answered has it, and when it leaves, the next.
    let settings = HostSettings { machines: 2, ..HostSettings::new(record()) };
    let mut table = gated(Table::with(settings, 0));
    let [a, b, c] =
        ["10.0.0.2:5151", "10.0.0.3:5151", "10.0.0.4:5151"].map(|address| asking(&mut table, address));
    for (peer, packets) in [(b, [4, 6, 6, 6, 6].as_slice()), (a, &[5])] {
        assert_eq!(table.answer(peer, Ok(())), Ok(()));
        assert_eq!(table.packets(peer), packets);
    }
    table.drop_stream(b);
    assert_eq!(table.answer(c, Ok(())), Ok(()));
    assert_eq!(table.packets(c)[0], 4);
}

/// NET-34: an answer to whom nothing is asked of changes nothing: who has not asked, was answered, is in, has left, or never was.
#[test]
fn an_answer_is_to_who_asks() {
    let mut table = gated(Table::new());
    let silent = table.raw("10.0.0.2:5151");
    let half = table.raw("10.0.0.3:5151");
    let request = bytes_of(&Packet::JoinRequest(join_request()));
    table.say_bytes(half, &request[..request.len() - 1]);
    let gone = asking(&mut table, "10.0.0.4:5151");
    table.drop_stream(gone);
    let let_in = asking(&mut table, "10.0.0.5:5151");
    let rejected = asking(&mut table, "10.0.0.6:5151");
    let waiting = asking(&mut table, "10.0.0.7:5151");
    assert_eq!(table.answer(let_in, Ok(())), Ok(()));
    assert_eq!(table.answer(rejected, Err(Rejection::Blacklisted)), Ok(()));
    let before = (table.events.len(), table.host.machines(), table.host.counters().refused.total());
    let never = StreamId(1_000);
    let others = [silent, half, gone, let_in, rejected].map(|peer| table.peers[peer].stream);
    for stream in others.into_iter().chain([never]) {
        for answer in [Ok(()), Err(Rejection::Blacklisted)] {
            let done = table.host.answer(table.now, table.tick, stream, answer);
            assert_eq!(done, Err(Error::Unasked), "{stream:?}");
            assert!(table.host.transmits().is_empty());
        }
    }
    table.carry();
    assert_eq!((table.events.len(), table.host.machines(), table.host.counters().refused.total()), before);
    assert_waits(&table, waiting);
    assert!(!table.peers[silent].is_closed && !table.peers[let_in].is_closed);
    // The half one asks with its last byte, and each has its own answer.
    table.say_bytes(half, &request[request.len() - 1..]);
    assert_eq!(table.answer(half, Err(Rejection::Blacklisted)), Ok(()));
    assert_waits(&table, waiting);
    assert_eq!(table.answer(waiting, Ok(())), Ok(()));
    assert_eq!((table.packets(half), table.packets(waiting)[0]), (vec![5], 4));
}

/// NET-27: who asked is closed ten seconds after it came, as who did not; its question buys no time.
#[test]
fn a_question_waits_no_longer_than_a_stranger() {
    for answered in [true, false] {
        let mut table = gated(Table::new());
        let a = table.raw("10.0.0.2:5151");
        table.wait_millis(5_000);
        table.say(a, &Packet::JoinRequest(join_request()));
        table.wait_millis(4_900);
        assert_waits(&table, a);
        if answered {
            assert_eq!(table.answer(a, Ok(())), Ok(()));
        }
        table.wait_millis(100);
        assert_eq!(table.peers[a].is_closed, !answered);
        assert_eq!(table.refused("not_joined"), u64::from(!answered));
        assert_eq!(table.host.machines().len(), usize::from(answered));
        assert_eq!(table.answer(a, Ok(())), Err(Error::Unasked));
        assert_eq!(table.host.machines().len(), usize::from(answered));
        // From its answer on it has what every machine has to bring a player.
        table.wait_millis(14_800);
        assert_eq!(table.peers[a].is_closed, !answered);
        table.wait_millis(100);
        assert!(table.peers[a].is_closed);
    }
}

/// NET-62: who waits counts as one that has not joined, of its address and in all, until it is answered or gone.
#[test]
fn who_waits_is_a_stranger() {
    let mut table = gated(Table::new());
    let first = asking(&mut table, "10.0.0.2:5151");
    let second = asking(&mut table, "10.0.0.2:5151");
    let third = table.raw("10.0.0.2:5151");
    assert!(table.peers[third].is_closed);
    for peer in [first, second] {
        if peer == first {
            assert_eq!(table.answer(peer, Ok(())), Ok(()));
        } else {
            table.drop_stream(peer);
        }
        let next = asking(&mut table, "10.0.0.2:5151");
        assert_waits(&table, next);
        let more = table.raw("10.0.0.2:5151");
        assert!(table.peers[more].is_closed);
    }
}

/// NET-34, 53: what comes behind the request, in one piece with it or bit by bit, is read once it is in, up to a message's bytes;
/// one byte more ends its stream, and one that is rejected is read no further.
#[test]
fn what_comes_behind_a_request_is_read_once_it_is_in() {
    let request = bytes_of(&Packet::JoinRequest(join_request()));
    let mut behind = [bytes_of(&add_player("A", 0)), bytes_of(&add_player("B", 1))].concat();
    let rest = ASKED_BYTES - behind.len();
    behind.extend(data(9, 0, 0, &vec![0; rest - 8]));
    assert_eq!(behind.len(), ASKED_BYTES);
    for piece in [1, 7, 5_000] {
        for (more, answer) in [(0, Ok(())), (0, Err(Rejection::Blacklisted)), (1, Ok(()))] {
            let mut table = gated(Table::new());
            let a = table.raw("10.0.0.2:5151");
            let bytes = [&request[..], &behind, &vec![0; more]].concat();
            for piece in bytes.chunks(piece) {
                let stream = table.peers[a].stream;
                table.host.handle(table.now, table.tick, NetEvent::Bytes { stream, bytes: piece });
            }
            table.carry();
            let what = format!("in pieces of {piece}, {more} more, {answer:?}");
            assert_eq!(table.peers[a].is_closed, more == 1, "{what}");
            assert_eq!((table.refused("overrun"), table.host.players().count()), (more as u64, 0), "{what}");
            if more == 1 {
                assert_eq!(table.answer(a, answer), Err(Error::Unasked), "{what}");
                continue;
            }
            assert_eq!(table.answer(a, answer), Ok(()), "{what}");
            assert_eq!(table.host.players().count(), if answer.is_ok() { 2 } else { 0 }, "{what}");
            // Readiness is no word of the lobby.
            table.taken();
            assert_eq!(table.refused("not_in_game"), u64::from(answer.is_ok()), "{what}");
        }
    }
}

/// NET-32, 77: an impossible frame behind the request, and a second request, end the stream once the first is answered, and no
/// other stream.
#[test]
fn damage_behind_a_request_is_found_once_it_is_in() {
    let again = bytes_of(&Packet::JoinRequest(join_request()));
    for (behind, reason) in [([0, 0x89].as_slice(), "damaged"), (&again, "unexpected")] {
        let mut table = gated(Table::new());
        let a = asking(&mut table, "10.0.0.2:5151");
        let b = asking(&mut table, "10.0.0.3:5151");
        table.say_bytes(a, behind);
        assert_waits(&table, a);
        assert_eq!(asks(&table), 2);
        assert_eq!(table.answer(a, Ok(())), Ok(()));
        assert!(table.peers[a].is_closed);
        assert_eq!(table.refused(reason), 1);
        assert_eq!(table.answer(b, Ok(())), Ok(()));
        assert_eq!(table.host.machines().len(), 1);
    }
}

/// NET-62, 34: a thousand that ask, from as many addresses, each with as much behind its request as is kept: so many wait as may be
/// unjoined, in the bytes that these may have; a machine in play does not notice, and ten seconds later all are gone.
#[test]
fn a_thousand_that_ask_are_bounded() {
    let mut table = Table::playing(0);
    let bystander = table.in_game("10.9.0.2:5151");
    let mut table = gated(table);
    let bytes = [bytes_of(&Packet::JoinRequest(join_request())), vec![0xFF; ASKED_BYTES]].concat();
    let counted = allocation_counter::measure(|| {
        for place in 0..1_000_u32 {
            let stream = StreamId(1_000 + place);
            let address = Ipv4Addr::new(10, 1, (place / 250) as u8, (place % 250) as u8);
            let address = SocketAddr::new(address.into(), 40_000);
            table.host.handle(table.now, table.tick, NetEvent::Opened { stream, address });
            table.host.handle(table.now, table.tick, NetEvent::Bytes { stream, bytes: &bytes });
        }
    });
    let kept = UNJOINED * 2 * bytes.len() + (256 << 10);
    assert!(counted.bytes_current < kept as i64, "{} bytes are kept", counted.bytes_current);
    assert_eq!(table.host.transmits().closes().count(), 1_000 - UNJOINED);
    table.host.clear_transmits();
    let mut asked = 0;
    while let Some(event) = table.host.next_event() {
        asked += usize::from(matches!(event, host::Event::Asking { .. }));
    }
    assert_eq!(asked, UNJOINED);
    let tick = table.tick.get();
    table.datagram(bystander, &input(tick, 0));
    assert_eq!(table.taken().len(), 1);
    table.now = table.now.plus(10_000_000);
    table.host.poll(table.now, table.tick);
    assert_eq!(table.host.transmits().closes().count(), UNJOINED);
    assert_eq!(table.refused("not_joined"), UNJOINED as u64);
    table.host.clear_transmits();
    table.datagram(bystander, &input(tick, 0));
    let late = asking(&mut table, "10.9.0.3:5151");
    assert_eq!(table.answer(late, Ok(())), Ok(()));
    assert_eq!(table.host.machines().len(), 2);
}

/// NET-34: who asks and goes before anybody looked is not told of, however many do so in a tick; and none of the answers that may
/// be given for them is anybody's.
#[test]
fn who_has_gone_is_asked_about_no_more() {
    let mut table = gated(Table::new());
    let bytes = bytes_of(&Packet::JoinRequest(join_request()));
    let (now, tick) = (table.now, table.tick);
    let stays = |table: &mut Table, stream: u32, goes: bool| {
        let (stream, address) = (StreamId(stream), "10.0.0.2:40000".parse().unwrap());
        table.host.handle(now, tick, NetEvent::Opened { stream, address });
        table.host.handle(now, tick, NetEvent::Bytes { stream, bytes: &bytes });
        if goes {
            table.host.handle(now, tick, NetEvent::Closed { stream });
        }
    };
    stays(&mut table, 10, false);
    (100..1_100).for_each(|stream| stays(&mut table, stream, true));
    stays(&mut table, 20, false);
    let told: Vec<_> = core::iter::from_fn(|| table.host.next_event())
        .map(|event| if let host::Event::Asking { stream, .. } = event { stream.0 } else { 0 })
        .collect();
    assert_eq!(told, [10, 20]);
    for stream in 100..1_100 {
        assert_eq!(table.host.answer(now, tick, StreamId(stream), Ok(())), Err(Error::Unasked));
    }
    assert!(table.host.machines().is_empty());
}

/// NET-34: a host that is gated no more lets the next in at once, while who waits still has its answer; one that leaves ends the
/// streams of those who wait.
#[test]
fn who_waits_outlasts_the_gate() {
    let mut table = gated(Table::new());
    let a = asking(&mut table, "10.0.0.2:5151");
    let b = asking(&mut table, "10.0.0.3:5151");
    table.host.set_gated(false);
    let c = table.joined("10.0.0.4:5151");
    assert_eq!((asks(&table), table.packets(c)[0]), (2, 4));
    assert_waits(&table, a);
    assert_eq!(table.answer(a, Err(Rejection::Blacklisted)), Ok(()));
    assert_eq!(table.packets(a), [5]);
    table.host.leave();
    table.carry();
    assert!(table.peers[b].is_closed);
    assert_eq!(table.answer(b, Ok(())), Err(Error::Unasked));
}

/// NET-53: a request is traced once, with what became of it: of the machine that it made, or refused by its reason.
#[test]
fn a_question_is_traced_by_its_end() {
    let mut table = gated(Table::playing(0));
    table.host.begin_trace();
    let [let_in, rejected, gone, flood, late] =
        [2, 3, 4, 5, 6].map(|place| asking(&mut table, &format!("10.0.0.{place}:5151")));
    let mut traced = Vec::new();
    let mut take = |table: &mut Table| {
        traced.clear();
        table.host.take_traced(&mut traced);
        let joins = traced.iter().filter(|traced| traced.number == Some(12));
        joins.map(|traced| (traced.machine, traced.fate)).collect::<Vec<_>>()
    };
    assert_eq!(take(&mut table), []);
    assert_eq!(table.answer(let_in, Ok(())), Ok(()));
    table.say(let_in, &add_player("A", 0));
    table.say(let_in, &has_map());
    table.step(1);
    table.say(let_in, &loaded());
    assert_eq!(take(&mut table), [(Some(machine(1)), Fate::Received)]);
    assert_eq!(table.answer(rejected, Err(Rejection::Blacklisted)), Ok(()));
    table.drop_stream(gone);
    table.say_bytes(flood, &vec![0xFF; ASKED_BYTES + 1]);
    table.wait_millis(10_000);
    assert!(table.peers[late].is_closed);
    let refused = ["rejected", "gone", "overrun", "not_joined"].map(|reason| (None, Fate::Refused(reason)));
    assert_eq!(take(&mut table), refused);
}

/// What a test does to one of a few streams.
#[derive(Clone, Copy, Debug)]
enum Act {
    Open,
    SayHalf,
    SayRest,
    Answer(Result<(), Rejection>),
    Close,
    Wait,
}

/// Where a stream stands by the rules.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stands {
    Open { half: bool, seconds: u32 },
    Asks { seconds: u32 },
    In { seconds: u32 },
    Ended,
}

impl Stands {
    fn age(&mut self) {
        match self {
            Self::Open { seconds, .. } | Self::Asks { seconds } => {
                *seconds += 1;
                if *seconds == 10 {
                    *self = Self::Ended;
                }
            }
            Self::In { seconds } => {
                *seconds += 1;
                if *seconds == 15 {
                    *self = Self::Ended;
                }
            }
            Self::Ended => {}
        }
    }
}

proptest! {
    /// NET-27, 34, 55: whatever comes in which order, an answer is taken of who asks then and of nobody else, and each stream
    /// is open, in or ended as the rules have it.
    #[test]
    fn an_order_of_questions_and_answers_is_as_good_as_another(
        acts in prop::collection::vec((0..4_usize, prop_oneof![
            Just(Act::Open), Just(Act::SayHalf), Just(Act::SayRest), Just(Act::Close), Just(Act::Wait),
            Just(Act::Answer(Ok(()))), Just(Act::Answer(Err(Rejection::Blacklisted))),
        ]), 1..120),
    ) {
        let request = bytes_of(&Packet::JoinRequest(join_request()));
        let (half, rest) = request.split_at(50);
        let mut table = gated(Table::new());
        let mut stands = Vec::new();
        let mut peers: [Option<usize>; 4] = [None; 4];
        for (place, act) in acts {
            if let Act::Wait = act {
                table.wait_millis(1_000);
                stands.iter_mut().for_each(Stands::age);
            }
            if let (Act::Open, None) = (act, peers[place]) {
                peers[place] = Some(table.raw("127.0.0.1:5151"));
                stands.push(Stands::Open { half: false, seconds: 0 });
            }
            let Some(peer) = peers[place] else { continue };
            let stand: &mut Stands = &mut stands[peer];
            match (act, *stand) {
                (Act::SayHalf, Stands::Open { half: false, seconds }) => {
                    table.say_bytes(peer, half);
                    *stand = Stands::Open { half: true, seconds };
                }
                (Act::SayRest, Stands::Open { half: true, seconds }) => {
                    table.say_bytes(peer, rest);
                    *stand = Stands::Asks { seconds };
                }
                (Act::Answer(answer), Stands::Asks { .. }) => {
                    prop_assert_eq!(table.answer(peer, answer), Ok(()));
                    *stand = if answer.is_ok() { Stands::In { seconds: 0 } } else { Stands::Ended };
                }
                (Act::Answer(answer), _) => {
                    prop_assert_eq!(table.answer(peer, answer), Err(Error::Unasked));
                }
                (Act::Close, _) => {
                    table.drop_stream(peer);
                    *stand = Stands::Ended;
                    peers[place] = None;
                }
                _ => {}
            }
            for (peer, stand) in stands.iter().enumerate() {
                prop_assert_eq!(table.peers[peer].is_closed, *stand == Stands::Ended, "{}: {:?}", peer, stand);
            }
            let are_in = stands.iter().filter(|stand| matches!(stand, Stands::In { .. })).count();
            prop_assert_eq!(table.host.machines().len(), are_in);
        }
    }
}

/// NET-34: whether one waits for an answer is known of each stream: from its request to its answer, its leaving or its limit, and
/// of no stream that never asked.
#[test]
fn who_waits_is_known() {
    for way in 0..3 {
        let mut table = gated(Table::new());
        let silent = table.raw("10.0.0.2:5151");
        let a = asking(&mut table, "10.0.0.3:5151");
        let streams = [silent, a].map(|peer| table.peers[peer].stream);
        let waits = |table: &Table| streams.map(|stream| table.host.is_asking(stream));
        assert_eq!(waits(&table), [false, true]);
        table.wait_millis(5_000);
        assert_eq!(waits(&table), [false, true]);
        match way {
            0 => assert_eq!(table.answer(a, Ok(())), Ok(())),
            1 => table.drop_stream(a),
            _ => table.wait_millis(5_001),
        }
        assert_eq!(waits(&table), [false, false], "{way}");
    }
    assert!(!gated(Table::new()).host.is_asking(StreamId(u32::MAX)));
}
