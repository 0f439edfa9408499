//! Clients that are guests: their games are set as their host's is, their mice are as it says, and who plays there they say as it
//! changes.

use std::cell::RefCell;
use std::rc::Rc;

use mjolnir_engine_glue::anticheat::aim::Aiming;
use mjolnir_engine_glue::anticheat::command::{Command, Verb};
use mjolnir_engine_glue::anticheat::rules::{Camera, Values};
use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::{client, host};
use mjolnir_tests::{Lab, Passed, Plan, Played, Seating, Way, messages, still};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::{Kind, Message, MessageType};

use crate::floods::said;

/// A frame at 30 frames a second, in seconds.
const FRAME: f64 = 0.033;

/// What a player may tinker with, each by itself, and all of it.
fn tinkered() -> Vec<Values> {
    let honest = Values::HONEST;
    let each = [
        Values { speed: 2.0, ..honest },
        Values { speed: 0.5, ..honest },
        Values { speed: f32::NAN, ..honest },
        Values { speed: f32::INFINITY, ..honest },
        Values { cheats: 1, ..honest },
        Values { cheats: u32::MAX, ..honest },
        Values { autoaim: false, ..honest },
        Values { magnetism: false, ..honest },
        Values { rider_ejection: false, ..honest },
        Values { wireframe: true, ..honest },
        Values { debug_drawing: 3, ..honest },
        Values { environment: false, ..honest },
        Values { fog: false, ..honest },
        Values { grass: false, ..honest },
        Values { water: false, ..honest },
        Values { camera: Camera::Free, ..honest },
        Values { camera: Camera::Following, ..honest },
    ];
    let all = Values {
        speed: 3.0,
        cheats: 7,
        autoaim: false,
        magnetism: false,
        rider_ejection: false,
        wireframe: true,
        debug_drawing: 1,
        environment: false,
        fog: false,
        grass: false,
        water: false,
        camera: Camera::Free,
    };
    each.into_iter().chain([all]).collect()
}

/// Whether both are set alike; what is no number is alike if it is none in both.
fn alike(one: &Values, other: &Values) -> bool {
    let bits = |values: &Values| (values.speed.to_bits(), Values { speed: 1.0, ..*values });
    bits(one) == bits(other)
}

/// A host in its lobby, and so many clients that stand.
fn lobby(seed: u64, clients: usize) -> Lab {
    let mut lab = Lab::open(Plan::new("flat", seed, clients), Seating::of(vec![still()]));
    for _ in 0..clients {
        lab.join(Seating::of(vec![still()]));
    }
    lab.gather();
    lab
}

/// Each of what is tinkered with is put back within a frame, and honest values are left alone.
fn assert_is_held(lab: &mut Lab, stage: client::Stage) {
    for values in tinkered() {
        assert_eq!(lab.clients[0].net.stage(), stage);
        let manners = &mut lab.clients[0].engine.manners;
        let before = manners.put_back;
        manners.values = values;
        lab.run_seconds(FRAME);
        let manners = &lab.clients[0].engine.manners;
        assert!(alike(&manners.values, &Values::HONEST), "{stage:?}: {values:?} is {:?}", manners.values);
        assert_eq!(manners.put_back, before + 1, "{stage:?}: {values:?}");
    }
    lab.run_seconds(1.0);
    assert!(alike(&lab.clients[0].engine.manners.values, &Values::HONEST));
}

/// CHEAT-02, 03, 04, 05, 06: given a client that sets its game's speed (to no number too), cheats, autoaim, magnetism, rider ejection,
/// anything of what is drawn, or its camera, as it looks for a game, in the lobby, while it loads, in play and after, then each is put
/// back by the next frame, before the first tick; the host's own stay as the host set them, and once the session is
/// over the client's do.
#[test]
fn a_guest_plays_by_its_hosts_values() {
    let mut lab = Lab::open(Plan::new("flat", 4601, 1), Seating::of(vec![still()]));
    let own = tinkered();
    let hosts = *own.last().unwrap();
    lab.host.engine.manners.values = hosts;
    lab.join(Seating { load_micros: 4_000_000, ..Seating::of(vec![still()]) });
    // Set in the menu.
    lab.clients[0].engine.manners.values = hosts;
    lab.run_seconds(FRAME);
    assert!(alike(&lab.clients[0].engine.manners.values, &Values::HONEST));
    lab.gather();
    assert_is_held(&mut lab, client::Stage::Lobby);
    // Set again just before its game begins.
    lab.begin();
    lab.run_until("it loads", 2, |lab| lab.clients[0].net.stage() == client::Stage::Loading);
    assert_is_held(&mut lab, client::Stage::Loading);
    lab.clients[0].engine.manners.values = hosts;
    let mut ticks = 0;
    lab.settle();
    lab.watch_ticks(30, |lab, _| {
        ticks += u32::from(lab.clients[0].ticked.is_some());
        assert!(alike(&lab.clients[0].engine.manners.values, &Values::HONEST));
    });
    assert!(ticks >= 29, "{ticks}");
    assert_is_held(&mut lab, client::Stage::Playing);
    lab.end();
    lab.run_seconds(0.5);
    assert_is_held(&mut lab, client::Stage::Over);

    let host = &lab.host.engine.manners;
    assert!(alike(&host.values, &hosts) && host.put_back == 0);
    lab.quit_host();
    lab.run_until("its session ends", 3, |lab| lab.clients[0].net.stage() == client::Stage::Closed);
    for values in own {
        lab.clients[0].engine.manners.values = values;
        lab.run_seconds(FRAME);
        assert!(alike(&lab.clients[0].engine.manners.values, &values), "{values:?}");
    }
}

/// Whether a machine's mouse has no magnetism, as it was last said.
fn blocked(engine: &Played) -> bool {
    engine.manners.is_mouse_blocked.expect("it was said")
}

/// The same of the host and each client.
fn all_blocked(lab: &Lab) -> Vec<bool> {
    let clients = lab.clients.iter().map(|seat| blocked(&seat.engine));
    [blocked(&lab.host.engine)].into_iter().chain(clients).collect()
}

/// Lengths of the messages of that kind that came by the stream, with their frames, and how many came by datagrams.
fn came(passed: &[Passed], way: Way, kind: Kind) -> (Vec<usize>, usize) {
    let (mut reader, mut lengths) = (StreamReader::new(), Vec::new());
    let mut datagrams = 0;
    for passed in passed.iter().filter(|passed| passed.way == way) {
        if passed.is_datagram() {
            messages(std::slice::from_ref(passed), way, |_, message| {
                datagrams += usize::from(message.kind == kind);
            });
            continue;
        }
        reader.push(passed.bytes());
        while let Ok(Some((of, bytes))) = reader.next_message() {
            if of == MessageType::Data && Message::read(bytes).is_ok_and(|message| message.kind == kind) {
                lengths.push(bytes.len());
            }
        }
    }
    (lengths, datagrams)
}

/// CHEAT-45, 47: given BLOCK, then the mouse of the host and of both clients is blocked in the game, and of none in the lobby, while
/// loading and once it is over; each client hears of the policy as it becomes ready and at each of two changes, 12 bytes by
/// its stream each, and no more in a minute.
#[test]
fn a_policy_holds_on_every_machine() {
    let mut lab = Lab::open(Plan::new("flat", 4602, 2), Seating::of(vec![still()]));
    lab.host.net.set_aim_assist(AimAssistPolicy::Blocked);
    for _ in 0..2 {
        let place = lab.join(Seating { load_micros: 1_000_000, ..Seating::of(vec![still()]) });
        lab.clients[place].network.listen();
    }
    lab.gather();
    assert_eq!(all_blocked(&lab), [false; 3], "in the lobby");
    lab.begin();
    lab.run_seconds(0.5);
    assert_eq!(lab.clients[0].net.stage(), client::Stage::Loading);
    assert_eq!((lab.host.net.stage(), all_blocked(&lab)), (host::Stage::Loading, vec![false; 3]), "loading");
    lab.settle();
    lab.run_seconds(1.0);
    assert_eq!(all_blocked(&lab), [true; 3], "in play");
    for policy in [AimAssistPolicy::Allowed, AimAssistPolicy::Blocked] {
        lab.host.net.set_aim_assist(policy);
        lab.run_seconds(1.0);
        assert_eq!(all_blocked(&lab), [policy == AimAssistPolicy::Blocked; 3]);
    }
    lab.run_seconds(60.0);
    for seat in &lab.clients {
        let (lengths, datagrams) = came(seat.network.passed(), Way::In, Kind::AimAssistPolicy);
        assert_eq!((lengths, datagrams), (vec![12; 3], 0));
    }
    lab.end();
    lab.run_seconds(0.5);
    assert_eq!(all_blocked(&lab), [false; 3], "over");
}

/// CHEAT-46: given BLOCK, a mouse that aimed at 20 and a stick that did at 30, then it is not blocked; after the mouse at 40 it is, after
/// a touch at 50 not; nothing else that a game is set to changes by it. With ALLOWED it never is.
#[test]
fn what_aimed_last_counts() {
    let mut lab = lobby(4603, 1);
    lab.begin();
    lab.settle();
    let uses = [
        (Aiming::default(), true),
        (Aiming { mouse: Some(20), ..Aiming::default() }, true),
        (Aiming { mouse: Some(20), stick: Some(30), touch: None }, false),
        (Aiming { mouse: Some(40), stick: Some(30), touch: None }, true),
        (Aiming { mouse: Some(40), stick: Some(30), touch: Some(50) }, false),
        (Aiming { stick: Some(1), ..Aiming::default() }, false),
    ];
    for policy in [AimAssistPolicy::Blocked, AimAssistPolicy::Allowed] {
        lab.host.net.set_aim_assist(policy);
        lab.run_seconds(0.5);
        for (aiming, is_blocked) in uses {
            lab.host.engine.manners.aiming = aiming;
            lab.clients[0].engine.manners.aiming = aiming;
            lab.run_seconds(FRAME);
            let expected = is_blocked && policy == AimAssistPolicy::Blocked;
            assert_eq!(all_blocked(&lab), [expected; 2], "{policy:?} {aiming:?}");
            assert!(alike(&lab.clients[0].engine.manners.values, &Values::HONEST));
        }
    }
    assert_eq!(lab.clients[0].engine.manners.put_back, 0);
}

/// CHEAT-48: given a host that allows it and whose word is held back, then the client's mouse is blocked in play until it comes; given a
/// kind 90 by datagram, of 13 bytes, or of a 2, then that changes nothing; at the next host it is blocked again until told.
#[test]
fn a_mouse_is_blocked_until_its_host_says_otherwise() {
    let mut lab = lobby(4604, 1);
    let held: Rc<RefCell<(bool, Vec<Vec<u8>>)>> = Rc::default();
    let kept = Rc::clone(&held);
    lab.clients[0].network.meddle_with_stream(move |bytes| {
        let (is_open, waiting) = &mut *kept.borrow_mut();
        let is_policy = Message::read(bytes).is_ok_and(|message| message.kind == Kind::AimAssistPolicy);
        if is_policy && !*is_open {
            waiting.push(bytes.to_vec());
            return Vec::new();
        }
        let mut heard = if *is_open { std::mem::take(waiting) } else { Vec::new() };
        heard.push(bytes.to_vec());
        heard
    });
    lab.begin();
    lab.settle();
    lab.run_seconds(2.0);
    assert_eq!((held.borrow().1.len(), all_blocked(&lab)), (1, vec![false, true]));

    let policy = |lab: &Lab, body: &[u8]| said(Kind::AimAssistPolicy as u8, 1, lab.tick(), body);
    let host = lab.host.network.address();
    let allowed = policy(&lab, &[0; 4]);
    lab.clients[0].network.forge(host, &allowed);
    lab.run_seconds(0.5);
    assert!(blocked(&lab.clients[0].engine), "by datagram");
    for body in [&[0; 5][..], &[2, 0, 0, 0]] {
        let counted = |lab: &Lab| {
            let counters = lab.clients[0].net.counters();
            counters.refused.values().sum::<u64>() + counters.dropped.undecodable
        };
        let (wrong, before) = (policy(&lab, body), counted(&lab));
        held.borrow_mut().1.insert(0, wrong);
        let real = held.borrow_mut().1.split_off(1);
        held.borrow_mut().0 = true;
        // Whatever comes by the stream next has it with it.
        lab.host.net.set_aim_assist(AimAssistPolicy::Blocked);
        lab.run_seconds(1.0);
        assert!(blocked(&lab.clients[0].engine), "{body:?}");
        assert!(counted(&lab) > before, "{body:?}");
        assert_eq!(lab.clients[0].net.stage(), client::Stage::Playing, "{body:?}");
        *held.borrow_mut() = (false, real);
        lab.host.net.set_aim_assist(AimAssistPolicy::Allowed);
        lab.run_seconds(1.0);
    }
    // What waited comes.
    held.borrow_mut().0 = true;
    lab.host.net.set_aim_assist(AimAssistPolicy::Blocked);
    lab.run_seconds(0.1);
    lab.host.net.set_aim_assist(AimAssistPolicy::Allowed);
    lab.run_seconds(1.0);
    assert_eq!(all_blocked(&lab), [false; 2]);

    // Another session, of which the host has said nothing yet.
    lab.join_at(0, Seating { load_micros: 500_000, ..Seating::of(vec![still()]) });
    assert_eq!(lab.clients[0].net.aim_assist(), AimAssistPolicy::Blocked);
    let mut unblocked_before = 0;
    lab.run_until("it is told", 10, |lab| {
        let seat = &lab.clients[0];
        unblocked_before += u32::from(seat.ticks == 0 && seat.net.aim_assist() == AimAssistPolicy::Allowed);
        seat.ticks > 30 && seat.net.aim_assist() == AimAssistPolicy::Allowed
    });
    assert_eq!((unblocked_before, blocked(&lab.clients[0].engine)), (0, false));
}

/// CHEAT-19, 52: given who signs in before the join and another later, then the host is told by two messages on the stream, of nobody
/// by one of no id and no name, and of who stays the same for a minute and in a second game by none.
#[test]
fn a_client_says_who_plays_as_it_changes() {
    let mut lab = Lab::open(Plan::new("flat", 4605, 2), Seating::of(vec![still()]));
    for signed in [Identity::new("7", "ann"), Identity::NONE] {
        let place = lab.join(Seating::of(vec![still()]));
        lab.clients[place].engine.manners.discord = signed;
        lab.clients[place].network.listen();
    }
    lab.gather();
    lab.run_seconds(2.0);
    let told =
        |lab: &Lab, place: usize| came(lab.clients[place].network.passed(), Way::Out, Kind::ClientIdentity);
    assert_eq!([told(&lab, 0), told(&lab, 1)], [(vec![], 0), (vec![], 0)], "in the lobby");
    lab.begin();
    lab.settle();
    lab.run_seconds(60.0);
    assert_eq!([told(&lab, 0), told(&lab, 1)], [(vec![72], 0), (vec![72], 0)]);
    let mut nobody = Vec::new();
    messages(lab.clients[1].network.passed(), Way::Out, |_, message| {
        if message.kind == Kind::ClientIdentity {
            nobody.extend(Identity::read_all(message).map(Result::unwrap));
        }
    });
    assert_eq!(nobody, [Identity::NONE]);
    lab.clients[0].engine.manners.discord = Identity::new("8", "ann");
    lab.run_seconds(60.0);
    let (record, start): (SettingsRecord, _) = (*lab.host.net.transport().record(), lab.tick());
    assert!(lab.begin_next(&record, start));
    lab.settle();
    lab.run_seconds(10.0);
    assert_eq!([told(&lab, 0), told(&lab, 1)], [(vec![72; 2], 0), (vec![72], 0)]);
}

/// Bans the player of that name.
fn ban(lab: &mut Lab, name: &str) {
    let now = lab.host.now(lab.now());
    lab.host.net.command(now, &Command { verb: Verb::Ban, name }).unwrap();
    lab.run_seconds(1.0);
}

/// CHEAT-20: given who a client says it is by a datagram, in its name, then the host's record is as it was; given one that said it and
/// left, and another in its machine's place that has not, then that one's line names nobody.
#[test]
fn who_plays_is_its_streams_word_and_goes_with_the_machine() {
    let mut lab = lobby(4606, 2);
    let signed = Identity::new("77", "ann");
    lab.clients[0].engine.manners.discord = signed;
    lab.begin();
    lab.settle();
    lab.run_seconds(1.0);
    let first = lab.clients[0].net.transport().machine();
    // The other says nothing, and somebody else says it for it.
    let mut body = Vec::new();
    Identity::new("66", "eve").write(&mut body);
    let (from, forged) =
        (lab.clients[1].network.address(), said(Kind::ClientIdentity as u8, 1, lab.tick(), &body));
    lab.host.network.forge(from, &forged);
    lab.run_seconds(0.5);
    ban(&mut lab, "P2-0");
    let bans = &lab.host.engine.manners.bans;
    assert!(bans.contains("\tdiscord_username=none\tdiscord_id=none\tplayers=P2-0\t"), "{bans}");

    lab.quit(0);
    lab.run_seconds(1.0);
    let late = lab.join(Seating { load_micros: 5_000_000, ..Seating::of(vec![still()]) });
    lab.run_seconds(2.0);
    assert_eq!(lab.clients[late].net.transport().machine(), first, "it has the other's place");
    ban(&mut lab, "P3-0");
    let bans = &lab.host.engine.manners.bans;
    assert!(bans.contains("\tdiscord_id=none\tplayers=P3-0\t") && !bans.contains("77"), "{bans}");
    let why = |(_, notice): &(u64, host::Notice)| match notice {
        host::Notice::Left { why, .. } => Some(*why),
        _ => None,
    };
    let gone: Vec<_> = lab.host.notices.iter().filter_map(why).collect();
    assert_eq!(gone, [Why::Kicked, Why::Left, Why::Kicked]);
}
