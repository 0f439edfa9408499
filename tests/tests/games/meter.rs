//! The latency meter, and what is said where nothing is heard.

use mjolnir_engine_glue::meter::CONNECTION_PROBLEM;
use mjolnir_engine_glue::{Reading, client, host};
use mjolnir_tests::{Fate, Lab, Plan, Seating, Way, Who, messages, still};
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::{Kind, Machine, MessageType, Moment, Slot};

fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

/// Everybody's meter, on or off.
fn set_meters(lab: &mut Lab, on: bool) {
    lab.host.net.set_meter(on);
    lab.clients.iter_mut().for_each(|seat| seat.net.set_meter(on));
}

/// What stands on a client's screen.
fn shown(lab: &Lab, place: usize) -> Option<String> {
    let seat = &lab.clients[place];
    seat.net.meter(seat.now(lab.now())).map(|reading| reading.to_string())
}

fn milliseconds(reading: Option<Reading>) -> u32 {
    match reading {
        Some(Reading::Milliseconds(milliseconds)) => milliseconds,
        other => panic!("{other:?}"),
    }
}

/// GLUE-03: off there is no text, on there is one in each frame, of every machine.
#[test]
fn the_meter_shows_where_it_is_on() {
    let mut lab = Lab::play(Plan::new("flat", 71, 2).network(25, 0.0));
    let slot = lab.clients[0].slot();
    for on in [false, true, false] {
        set_meters(&mut lab, on);
        for _ in 0..300 {
            lab.step();
            assert_eq!(lab.host.net.meter().is_some(), on);
            assert_eq!(lab.host.net.latency(slot).is_some(), on);
            for place in 0..2 {
                assert_eq!(shown(&lab, place).is_some(), on);
                assert_eq!(lab.clients[place].net.latency(slot).is_some(), on);
            }
        }
    }
}

/// GLUE-04, 05: at 25 ms each way both readings stay within 50 to 117 ms for ten seconds, half of the host's below 86:
/// the host's of each client by the host's tick that its inputs name, a client's own by its tick that its unit's states
/// name.
#[test]
fn both_ends_read_milliseconds() {
    let within = |reading| assert!((50..=117).contains(&milliseconds(reading)), "{reading:?}");
    let mut of_clients = Vec::new();
    for seed in 72..77 {
        let mut lab = Lab::play(Plan::new("flat", seed, 2).network(25, 0.0));
        set_meters(&mut lab, true);
        lab.run_seconds(1.0);
        let mut readings = 0;
        lab.watch_ticks(300, |lab, who| match who {
            Who::Host => {
                let clients: Vec<_> = lab.host.net.meter().unwrap().collect();
                assert_eq!(
                    clients.iter().map(|(client, _)| *client).collect::<Vec<_>>(),
                    [machine(1), machine(2)]
                );
                for (_, reading) in clients {
                    within(Some(reading));
                    of_clients.push(milliseconds(Some(reading)));
                }
                readings += 2;
            }
            Who::Client(place) => {
                let now = lab.clients[place].now(lab.now());
                within(lab.clients[place].net.meter(now));
                readings += 1;
            }
        });
        assert!(readings >= 1_190);
    }
    of_clients.sort_unstable();
    let median = of_clients[of_clients.len() / 2];
    assert!((50..=85).contains(&median), "median {median}");
}

/// GLUE-06: the same seed with the meter on and off: every machine sends the same bytes at the same moments.
#[test]
fn nothing_more_is_sent_for_it() {
    let play = |on: bool| {
        let mut lab = Lab::play(Plan::new("rooms", 77, 3).network(50, 5.0));
        set_meters(&mut lab, on);
        lab.host.network.listen();
        lab.clients.iter_mut().for_each(|seat| seat.network.listen());
        for _ in 0..12_000 {
            lab.step();
            let _ = (lab.host.net.meter().map(Iterator::count), shown(&lab, 0));
        }
        let clients = lab.clients.iter().map(|seat| seat.network.passed().to_vec());
        std::iter::once(lab.host.network.passed().to_vec()).chain(clients).collect::<Vec<_>>()
    };
    let (on, off) = (play(true), play(false));
    assert!(on.iter().all(|passed| passed.len() > 500));
    assert!(on == off);
}

/// GLUE-07, CLOCK-15: a host not heard for two seconds is "Connection problem" on its client's screen, told once, and
/// gone in the frame that hears it again; it is there whether the meter is on or off, and shown where it is on.
#[test]
fn a_silent_host_is_a_connection_problem() {
    let mut lab = Lab::play(Plan::new("flat", 78, 2).network(25, 0.0));
    set_meters(&mut lab, true);
    lab.run_seconds(1.0);
    let told = |lab: &Lab, silent: bool| {
        let is_it = |notice: &client::Notice| *notice == client::Notice::Problem { is_silent: silent };
        lab.clients[0].notices.iter().filter(|(_, notice)| is_it(notice)).count()
    };
    lab.partition(0, true);
    lab.run_seconds(1.95);
    assert_ne!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
    assert_eq!(told(&lab, true), 0);
    lab.run_seconds(0.15);
    assert_eq!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
    assert_ne!(shown(&lab, 1).unwrap(), CONNECTION_PROBLEM);
    assert_eq!((told(&lab, true), told(&lab, false)), (1, 0));

    lab.clients[0].network.listen();
    lab.partition(0, false);
    loop {
        let who = lab.step();
        let is_heard = lab.clients[0].network.passed().iter().any(|passed| passed.way == Way::In);
        if who == Who::Client(0) {
            assert_eq!(shown(&lab, 0).unwrap() == CONNECTION_PROBLEM, !is_heard);
        }
        if is_heard {
            break;
        }
    }
    lab.run_seconds(3.0);
    assert_eq!((told(&lab, true), told(&lab, false)), (1, 1));
}

/// GLUE-08, CLOCK-16: the host tells of a client that is silent so long, once, by its machine.
#[test]
fn a_silent_client_is_told_of() {
    let mut lab = Lab::play(Plan::new("flat", 79, 2).network(25, 0.0));
    let told = |lab: &Lab| {
        let silent = lab.host.notices.iter().filter_map(|(_, notice)| match notice {
            host::Notice::Silent { machine } => Some(*machine),
            _ => None,
        });
        silent.collect::<Vec<_>>()
    };
    lab.partition(1, true);
    lab.run_seconds(1.95);
    assert_eq!(told(&lab), []);
    lab.run_seconds(4.0);
    assert_eq!(told(&lab), [machine(2)]);
}

/// CLOCK-15, 16: anything counts as heard: of a client its own updates alone, of a host the updates of its stream.
#[test]
fn updates_alone_are_not_silence() {
    let mut lab = Lab::play(Plan::new("flat", 80, 1).network(25, 0.0));
    let of_the_game = |bytes: &[u8]| matches!(read_datagram(bytes), Ok((MessageType::Data, _)));
    let only_packets =
        move |_: Moment, bytes: &[u8]| if of_the_game(bytes) { Fate::Lost } else { Fate::Heard };
    lab.host.network.meddle(only_packets);
    lab.clients[0].network.meddle(only_packets);
    lab.run_seconds(4.5);
    let is_silence = |notice: &host::Notice| matches!(notice, host::Notice::Silent { .. });
    assert!(!lab.host.notices.iter().any(|(_, notice)| is_silence(notice)));
    let is_problem = |notice: &client::Notice| matches!(notice, client::Notice::Problem { .. });
    assert!(!lab.clients[0].notices.iter().any(|(_, notice)| is_problem(notice)));
}

/// GLUE-09: with the meter on the scoreboard has what this machine measures: of each client on the host, of its own
/// players on a client; of the others the host's figure, and of one that nobody has measured that it is unknown.
#[test]
fn the_scoreboard_has_a_latency_of_everybody() {
    let mut lab = Lab::play(Plan::new("flat", 81, 2).network(50, 0.0));
    set_meters(&mut lab, true);
    lab.run_seconds(5.0);
    let slots: Vec<Slot> =
        std::iter::once(lab.host.slot()).chain(lab.clients.iter().map(|c| c.slot())).collect();

    let host = &lab.host.net;
    assert_eq!(host.latency(slots[0]), Some(Reading::Milliseconds(0)));
    for place in [1, 2] {
        let measured = host.clock().meter_ms(machine(place)).map(Reading::Milliseconds);
        assert_eq!(host.latency(slots[usize::from(place)]), measured);
        assert!((100..=167).contains(&milliseconds(measured)));
    }
    for place in 0..2 {
        let client = &lab.clients[place].net;
        let (own, other) = (slots[1 + place], slots[2 - place]);
        assert_eq!(client.latency(own), client.clock().meter_ms().map(Reading::Milliseconds));
        assert!((100..=167).contains(&milliseconds(client.latency(own))));
        let figure = client.authority().ping(other).unwrap();
        assert_eq!(client.latency(other), Some(Reading::Milliseconds(figure.into())));
        assert_eq!(client.latency(slots[0]), Some(Reading::Milliseconds(0)));
        assert_eq!(client.latency(Slot::new(100).unwrap()), Some(Reading::Unknown));
    }

    // One that joins and loads is nobody's to measure yet.
    let late = lab.join(Seating { load_micros: 5_000_000, ..Seating::of(vec![still()]) });
    lab.run_seconds(3.0);
    let slot = Slot::new(3).unwrap();
    assert_eq!(lab.host.net.latency(slot), Some(Reading::Unknown));
    assert_eq!(lab.clients[0].net.latency(slot), Some(Reading::Unknown));
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 90);
    milliseconds(lab.host.net.latency(slot));
    milliseconds(lab.clients[0].net.latency(slot));
}

/// NET-11, NET-76: datagrams of a client that walks do not come for twenty seconds, longer than a stamp may be from the
/// latest; once they come again they are taken, none is too far, and the host has its player where it is.
#[test]
fn a_path_that_was_lost_for_long_is_taken_again() {
    let mut lab = Lab::play(Plan::new("flat", 84, 2).network(25, 0.0));
    lab.run_seconds(1.0);
    lab.host.network.meddle(|_, _| Fate::Lost);
    lab.run_seconds(20.0);
    lab.host.network.meddle_no_more();
    lab.run_seconds(2.0);
    assert_eq!(lab.host.net.counters().dropped.far_stamp, 0);
    lab.stand_still();
    lab.run_seconds(3.0);
    assert!(lab.apart().unwrap() < 0.01, "{:?}", lab.apart());
}

/// NET-76: all datagrams of one way are lost: five seconds on, the end that misses them says so, once; a client that
/// the host does not hear is told by its stream, its line in the game's own words; either way its meter shows a
/// connection problem until they come again, which is told once more; nobody is dropped for it.
#[test]
fn a_path_that_is_lost_is_told_on_both_ends() {
    let mut lab = Lab::play(Plan::new("flat", 82, 2).network(25, 0.0));
    set_meters(&mut lab, true);
    lab.run_seconds(1.0);
    let lost = |_: Moment, _: &[u8]| Fate::Lost;
    let hosts = |lab: &Lab, come: bool| {
        let is_it =
            |notice: &host::Notice| matches!(notice, host::Notice::Datagrams { come: c, .. } if *c == come);
        lab.host.notices.iter().filter(|(_, notice)| is_it(notice)).count()
    };
    let said = |lab: &Lab, place: usize| {
        let lines = lab.clients[place].notices.iter().filter_map(|(_, notice)| match notice {
            client::Notice::Said { text } => Some(text.clone()),
            _ => None,
        });
        lines.collect::<Vec<_>>()
    };
    let clients = |lab: &Lab, come: bool| {
        let is_it = |notice: &client::Notice| *notice == client::Notice::Datagrams { come };
        lab.clients[0].notices.iter().filter(|(_, notice)| is_it(notice)).count()
    };

    let problems = |lab: &Lab| [0, 1].map(|place| shown(lab, place).unwrap() == CONNECTION_PROBLEM);

    // To the host.
    lab.host.network.meddle(lost);
    lab.clients[0].network.listen();
    lab.run_seconds(4.8);
    assert_eq!((hosts(&lab, false), said(&lab, 0).len()), (0, 0));
    assert_eq!(problems(&lab), [false, false]);
    lab.run_seconds(0.5);
    assert_eq!(hosts(&lab, false), 2);
    for place in 0..2 {
        assert_eq!(said(&lab, place), ["The host hears nothing of this machine but its stream."]);
    }
    assert_eq!(problems(&lab), [true, true]);
    let mut by_stream = 0;
    messages(lab.clients[0].network.passed(), Way::In, |_, message| {
        by_stream += usize::from(message.kind == Kind::Notice);
    });
    assert_eq!(by_stream, 1);
    lab.run_seconds(20.0);
    assert_eq!((hosts(&lab, false), hosts(&lab, true)), (2, 0));
    assert_eq!(problems(&lab), [true, true]);
    assert!(
        lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Playing),
        "nobody is dropped for it"
    );
    lab.host.network.meddle_no_more();
    lab.run_seconds(0.5);
    assert_eq!((hosts(&lab, true), said(&lab, 0).len()), (2, 2));
    assert_eq!(said(&lab, 0)[1], "The host hears this machine again.");
    assert_eq!(problems(&lab), [false, false]);

    // From it.
    lab.clients[0].network.meddle(lost);
    lab.run_seconds(4.8);
    assert_eq!(clients(&lab, false), 0);
    assert_ne!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
    lab.run_seconds(0.5);
    assert_eq!((clients(&lab, false), shown(&lab, 0).unwrap().as_str()), (1, CONNECTION_PROBLEM));
    lab.run_seconds(20.0);
    assert_eq!((clients(&lab, false), clients(&lab, true)), (1, 0));
    assert_eq!(lab.clients[0].net.stage(), client::Stage::Playing);
    lab.clients[0].network.meddle_no_more();
    lab.run_seconds(0.5);
    assert_eq!(clients(&lab, true), 1);
    assert_ne!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
}

/// NET-76: a game's end takes its problem with it: outside play no client shows one, the next game begins without, and
/// one whose datagrams still do not come is told anew in it, five seconds after it has loaded.
#[test]
fn a_lost_path_is_told_anew_in_the_next_game() {
    let mut lab = Lab::play(Plan::new("flat", 83, 1).network(25, 0.0));
    set_meters(&mut lab, true);
    lab.host.network.meddle(|_, _| Fate::Lost);
    lab.run_seconds(5.5);
    assert_eq!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);

    let now = lab.host.now(lab.now());
    lab.host.net.to_lobby(now, &mut lab.host.engine);
    lab.run_until("the lobby", 5, |lab| lab.clients[0].net.stage() == client::Stage::Lobby);
    assert_ne!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
    lab.begin();
    lab.run_until("the next game", 10, |lab| lab.clients[0].net.stage() == client::Stage::Playing);
    lab.run_seconds(4.5);
    assert_ne!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
    lab.run_seconds(1.0);
    assert_eq!(shown(&lab, 0).unwrap(), CONNECTION_PROBLEM);
}
