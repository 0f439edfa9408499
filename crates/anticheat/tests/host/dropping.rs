//! Who goes by the host's word or for its clock: what is written down, told and done of it, in this order; and who stays out.

use mjolnir_anticheat::command::{Error, Verb};
use mjolnir_anticheat::votes::Refusal;
use mjolnir_anticheat::{Host, Way};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::{Machine, MachineSet, Moment};

use super::scene::{Scene, anyone, machine, person, slot, tick};

const BOTH: &[Way] = &[Way::Stream, Way::Datagram];

/// CHEAT-29, 64: a kick is announced with all of the machine's players, then it goes, and nothing is written down or kept out.
#[test]
fn a_kick_is_announced_and_then_done() {
    let mut scene = Scene::new(3);
    scene.seat(2, 9, "Guest");
    scene.command("kick guest");
    assert_eq!(scene.done(), ["all: P2 and Guest were removed from the game by the host.", "drop 2"]);
    scene.leave(2);
    assert!(!scene.host.is_kept_out(scene.now(), &anyone(2)));
    scene.join(2, anyone(2));
    scene.run(1);
    assert_eq!(scene.done(), [""; 0]);
}

/// CHEAT-25, 29, 57: a ban is written down first, and announced as a kick is.
#[test]
fn a_ban_is_written_announced_and_done() {
    let mut scene = Scene::new(1);
    scene.join(2, person("2001:db8::5", Some('a')));
    scene.host.handle_identity(machine(2), Identity::new("77", "Zed"));
    scene.command("ban p2");
    let id = "a".repeat(32);
    assert_eq!(
        scene.done(),
        [
            &format!(
                "bans.txt ip=2001:db8::5\thwid={id}\tdiscord_username=Zed (self-reported)\tdiscord_id=77\t\
                 players=P2\treason=banned by the host"
            ),
            "all: P2 was removed from the game by the host.",
            "drop 2",
        ]
    );
}

/// CHEAT-12, 13, 17, 25: a clock too fast by the stream's word too stands in both files, is announced and goes, once.
#[test]
fn a_cheater_is_written_down_twice_announced_and_dropped() {
    let mut scene = Scene::new(2);
    scene.seat(1, 8, "Guest");
    scene.host.handle_identity(machine(1), Identity::new("77", "Zed"));
    scene.run(1);
    scene.speed_up(1, 2.0, BOTH);
    let mut refused_at = None;
    let done = loop {
        scene.tick();
        if scene.host.is_refused(machine(1)) {
            refused_at.get_or_insert(scene.at);
        }
        let done = scene.done();
        if !done.is_empty() {
            break done;
        }
        assert!(scene.at < 3_000 + 20 * 30, "it is never found");
    };
    // Refused at the first window, dropped at the fifth: eight seconds later.
    assert_eq!(refused_at.map(|at| scene.at - at), Some(8 * 30));
    let [bans, cheaters, announced, dropped] = done.as_slice() else { panic!("{done:#?}") };
    let body = bans.strip_prefix("bans.txt ").unwrap();
    assert_eq!(cheaters.strip_prefix("cheaters.txt "), Some(body));
    assert!(body.starts_with(
        "ip=203.0.113.1\thwid=none\tdiscord_username=Zed (self-reported)\tdiscord_id=77\t\
         players=P1, Guest\treason=speed hack ("
    ));
    let rate: f64 = body.split(['(', ' ']).nth_back(5).unwrap().parse().unwrap();
    assert!((1.9..=2.1).contains(&rate), "{rate} of {body}");
    assert_eq!(announced, "all: P1 and Guest were dropped for cheating: the game's clock was sped up.");
    assert_eq!(dropped, "drop 1");
    scene.run(20);
    assert_eq!(scene.done(), [""; 0], "once, though it is still there");
}

/// CHEAT-15, 16, 51: by datagrams alone it is written down once as unverified, and nobody is told or goes; by the stream's later
/// word it goes.
#[test]
fn datagrams_alone_are_written_down_and_no_more() {
    let mut scene = Scene::new(2);
    scene.run(1);
    scene.speed_up(1, 1.5, &[Way::Datagram]);
    scene.run(60);
    let done = scene.done();
    let [line] = done.as_slice() else { panic!("{done:#?}") };
    assert!(line.starts_with("cheaters.txt ip=203.0.113.1\t"), "{line}");
    assert!(line.contains("players=P1\treason=speed hack (") && line.ends_with(", unverified"), "{line}");
    assert!(scene.host.is_refused(machine(1)) && !scene.host.is_refused(machine(2)));
    assert!(!scene.host.is_kept_out(scene.now(), &anyone(1)));
    scene.speed_up(1, 2.0, BOTH);
    scene.run(12);
    let done = scene.done();
    let names: Vec<_> = done.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["bans.txt", "cheaters.txt", "all:", "drop"], "{done:#?}");
}

/// CHEAT-14: who was dropped for its clock is kept out by its address while the host runs, through games, with a hundred more
/// dropped since; another host lets it in.
#[test]
fn a_cheaters_address_stays_out() {
    let mut scene = Scene::new(0);
    for index in 1..=101 {
        scene.join(index, person(&format!("198.51.100.{index}"), Some('b')));
        scene.speed_up(index, 2.0, BOTH);
    }
    scene.run(14);
    let dropped = scene.done().iter().filter(|line| line.starts_with("drop ")).count();
    assert_eq!(dropped, 101);
    (1..=101).for_each(|index| scene.leave(index));
    scene.host.begin_game(scene.now());
    scene.run(3_600);
    for index in 1..=101 {
        let address = format!("198.51.100.{index}");
        assert!(scene.host.is_kept_out(scene.now(), &person(&address, None)), "{address}");
        assert!(!Host::new().is_kept_out(scene.now(), &person(&address, Some('b'))));
    }
    // By its address alone, whatever id it said.
    assert!(!scene.host.is_kept_out(scene.now(), &person("198.51.100.102", Some('b'))));
}

/// CHEAT-20: what a machine said of its user goes with it, and is not of who has its place next.
#[test]
fn an_identity_goes_with_its_machine() {
    let mut scene = Scene::new(1);
    scene.host.handle_identity(machine(1), Identity::new("7", "Zed"));
    scene.leave(1);
    scene.join(1, person("198.51.100.7", Some('c')));
    scene.command("ban P1");
    let done = scene.done();
    let id = "c".repeat(32);
    let begins = format!("bans.txt ip=198.51.100.7\thwid={id}\tdiscord_username=none\tdiscord_id=none\t");
    assert!(done[0].starts_with(&begins), "{done:#?}");
}

/// CHEAT-20, 31: who is to go is heard no more: neither who it is nor what it votes, and nobody is told why; nor is it voted on,
/// kicked again or banned.
#[test]
fn who_is_to_go_is_heard_no_more() {
    let mut scene = Scene::new(4);
    scene.run(301);
    scene.command("kick P1");
    assert_eq!(scene.done().last().map(String::as_str), Some("drop 1"));
    scene.host.handle_identity(machine(1), Identity::new("7", "Zed"));
    let now = scene.now();
    assert_eq!(scene.host.handle_vote(now, machine(1), slot(2)), Err(Refusal::UnknownAddress));
    assert_eq!(scene.done(), [""; 0]);
    for verb in [Verb::Kick, Verb::Ban] {
        assert_eq!(scene.host.act(now, verb, slot(1)), Err(Error::NotJoined));
    }
    assert_eq!(scene.host.handle_vote(now, machine(2), slot(1)), Err(Refusal::NoPlayer));
    assert_eq!(scene.host.votes().target(), None);
    scene.done();
    scene.leave(1);
    scene.run(1);
    // Had a vote on it begun, it would have left during that.
    assert_eq!(scene.done(), [""; 0]);
    assert!(!scene.host.is_kept_out(scene.now(), &anyone(1)));
}

/// CHEAT-12, 67: a clock that runs too fast from a machine that was kicked in the same tick drops nobody twice.
#[test]
fn who_is_kicked_is_not_dropped_again() {
    let mut scene = Scene::new(2);
    scene.speed_up(1, 2.0, BOTH);
    scene.run(9);
    scene.command("kick P1");
    assert_eq!(scene.done().len(), 2);
    scene.run(20);
    assert_eq!(scene.done(), [""; 0]);
}

/// CHEAT-27, 56: a command that means nobody tells the host why, and does nothing.
#[test]
fn a_command_that_means_nobody_says_why() {
    let mut scene = Scene::new(2);
    for (typed, text) in [
        ("kick", "0: kick NAME"),
        ("kick zed", "0: No player's name begins so."),
        ("ban p", "0: Several players' names begin so: say more of it."),
        ("ban host", "0: That player plays on this machine."),
    ] {
        scene.command(typed);
        assert_eq!(scene.done(), [text]);
    }
    let now = scene.now();
    assert_eq!(scene.host.act(now, Verb::Kick, slot(0)), Err(Error::Own));
    assert_eq!(scene.host.act(now, Verb::Kick, slot(5)), Err(Error::NoPlayer));
    assert_eq!(scene.done(), [""; 0]);
    assert!(Machine::all().all(|of| !scene.host.is_refused(of)));
}

/// CHEAT-08, 10: given a game that begins a minute after another, with an earlier tick, then who was refused in that one is not before it
/// is measured, and a clock half too fast is refused within two measures, whatever it or the host was ahead before; the others are not.
#[test]
fn a_second_game_is_measured_from_its_beginning() {
    let (mut host, fast, honest) = (Host::new(), machine(1), machine(2));
    let at = |millis: u64| Moment::from_millis(millis);
    [fast, honest].into_iter().for_each(|of| host.join(at(0), of, anyone(of.get()), None));
    for (game, begun) in [(0, 1_000), (1, 71_000)] {
        host.begin_game(at(begun));
        host.start_game(at(begun), tick(3_000));
        assert!(!host.is_refused(fast), "game {game}");
        let mut refused_at = None;
        for passed in 1..=300 {
            let now = at(begun + u64::from(passed) * 100 / 3);
            for (of, stamp) in [(fast, passed * 3 / 2), (honest, passed)] {
                host.note(now, tick(3_000 + passed), of, Way::Datagram, tick(3_000 + stamp));
            }
            host.step(now, MachineSet::CLIENTS);
            assert!(!host.is_refused(honest), "game {game}");
            refused_at = refused_at.or_else(|| host.is_refused(fast).then_some(passed));
        }
        assert!(refused_at.is_some_and(|ticks| ticks <= 121), "game {game}: {refused_at:?}");
        host.outside_game(at(begun + 10_100));
    }
}
