//! Who is not let in: banned, kept out, without room or by another token; while the ban list is quick, slow, or never answers.

use mjolnir_engine_glue::anticheat::command::{Command, Error};
use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::{client, host};
use mjolnir_tests::{Lab, Seating, Way, Who, still};
use mjolnir_wire::Kind;
use mjolnir_wire::packets::{Rejection, SettingsRecord};

use crate::chat::{passed, refused};
use crate::guests::{
    Guest, all_said, come, come_back, console, forget, game, is_in, is_turned_away, let_in, lobby, machine,
    plan, players, said, settle, tally, turned_away, vote, votes, why,
};

const BOTH_ARE_OUT: &str = "Bob and Eve were removed from the game by the host.";

/// Ann, a machine of Bob and Eve, and Cid.
fn guests() -> [Guest; 3] {
    [Guest::of(0), Guest::of(1).and("Eve"), Guest::of(2)]
}

/// Bob's line in `bans.txt`.
fn line(address: &str, id: &str, players: &str) -> String {
    format!(
        "2026-11-30 12:00:00\tip={address}\thwid={id}\tdiscord_username=none\tdiscord_id=none\tplayers={players}\t\
         reason=banned by the host\n"
    )
}

/// CHEAT-25, 26, 29, 64, NET-55: in the lobby and in a game the host bans a player: its whole machine goes with the words of a kick,
/// and `bans.txt` has one line more. It comes back by no other port, name, address or hardware id; who shares neither does.
#[test]
fn who_is_banned_stays_out() {
    for stage in ["lobby", "game"] {
        let mut lab =
            if stage == "lobby" { lobby(plan(9201), &guests()) } else { game(plan(9201), &guests()) };
        forget(&mut lab);
        assert_eq!(console(&mut lab, "ban bob"), Ok(()));
        lab.run_seconds(0.3);
        all_said(&lab, &[0, 1, 2], &[BOTH_ARE_OUT]);
        assert_eq!(why(&lab, 1), Some(Why::Rejected(Rejection::Blacklisted)), "{stage}");
        let bans = line("10.0.2.2", &"b".repeat(32), "Bob, Eve");
        let manners = &lab.host.engine.manners;
        assert_eq!((&manners.bans, manners.cheaters.as_str()), (&bans, ""), "{stage}");
        lab.kill(1);
        let bob = Guest::of(1);
        for (guest, what) in [
            (bob.clone(), "again"),
            (bob.clone().port(40_000), "by another port"),
            (bob.clone().named("Saint"), "by another name"),
            (bob.clone().id('d'), "by another id"),
            (bob.clone().id('B'), "by an id in capitals"),
            (bob.clone().id('x'), "by what is no id"),
            (bob.clone().at("10.0.9.9"), "by another address"),
            (bob.clone().at("2001:db8::9"), "by an address of IPv6"),
            (bob.clone().at("::ffff:10.0.2.2").id('d'), "by the address mapped into IPv6"),
        ] {
            assert_eq!(turned_away(&mut lab, &guest), Rejection::Blacklisted, "{stage}: {what}");
        }
        assert_eq!(lab.host.engine.manners.bans, bans);
        // Beside it, on each side: other addresses, other ids.
        for (address, id) in [("10.0.2.20", 'd'), ("10.0.2.22", '0'), ("1.10.0.2", 'x'), ("2001:db8::2", 'e')]
        {
            let other = come(&mut lab, &bob.clone().at(address).id(id));
            let_in(&mut lab, other);
        }
        all_said(&lab, &[0, 2], &[BOTH_ARE_OUT]);
    }
}

/// CHEAT-26, 55: a ban of an address of IPv6 is of its household: not by another address of that /64, but by one of the next.
#[test]
fn a_household_of_ipv6_is_banned() {
    let six = Guest::of(1).at("2001:db8:1:2::5");
    let mut lab = game(plan(9202), &[Guest::of(0), six.clone()]);
    assert_eq!(console(&mut lab, "ban Bob"), Ok(()));
    lab.run_seconds(0.3);
    assert_eq!(lab.host.engine.manners.bans, line("2001:db8:1:2::5", &"b".repeat(32), "Bob"));
    lab.kill(1);
    let other = six.id('d');
    for (address, is_banned) in [
        ("2001:db8:1:2::5", true),
        ("2001:db8:1:2::6", true),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", true),
        ("2001:db8:1:3::5", false),
        ("2001:db8:1:1:ffff:ffff:ffff:ffff", false),
    ] {
        let guest = other.clone().at(address);
        if is_banned {
            assert_eq!(turned_away(&mut lab, &guest), Rejection::Blacklisted, "{address}");
        } else {
            let place = come(&mut lab, &guest);
            let_in(&mut lab, place);
        }
    }
}

/// CHEAT-28, 26: of two players behind one address one is banned: the other plays on, but once it has left neither is let in; by
/// a copied hardware id alike.
#[test]
fn two_behind_one_address_are_banned_alike() {
    let neighbour = Guest::of(2).at("10.0.2.2").port(6000);
    let copied = Guest::of(3).id('b');
    let mut lab = game(plan(9203), &[Guest::of(0), Guest::of(1), neighbour.clone(), copied.clone()]);
    assert_eq!(console(&mut lab, "ban Bob"), Ok(()));
    lab.run_seconds(5.0);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Cid", "Dora"]);
    lab.kill(1);
    settle(&mut lab);
    for (place, guest) in [(2, &neighbour), (3, &copied)] {
        lab.quit(place);
        lab.run_seconds(0.3);
        lab.kill(place);
        assert_eq!(turned_away(&mut lab, guest), Rejection::Blacklisted);
    }
    // What they have of their own alone is not banned.
    let place = come(&mut lab, &Guest::of(2));
    let_in(&mut lab, place);
}

/// CHEAT-26: the line taken out by hand lets it in at once, the host never the wiser; one that is written by hand keeps another out.
#[test]
fn the_file_is_read_at_each_join() {
    let mut lab = game(plan(9204), &[Guest::of(0), Guest::of(1)]);
    assert_eq!(console(&mut lab, "ban Bob"), Ok(()));
    lab.run_seconds(0.3);
    lab.kill(1);
    for round in 0..3 {
        assert_eq!(turned_away(&mut lab, &Guest::of(1)), Rejection::Blacklisted, "{round}");
        let lines = std::mem::replace(
            &mut lab.host.engine.manners.bans,
            "# ip=10.0.2.222\nby hand: ip=10.0.7.7 for ever\nhwid=none\n".into(),
        );
        assert_eq!(turned_away(&mut lab, &Guest::of(4).at("10.0.7.7")), Rejection::Blacklisted, "{round}");
        let place = come(&mut lab, &Guest::of(1));
        let_in(&mut lab, place);
        let nobodys = come(&mut lab, &Guest::new("Nemo", "10.0.2.22"));
        let_in(&mut lab, nobodys);
        for place in [place, nobodys] {
            lab.quit(place);
            lab.run_seconds(0.3);
            lab.kill(place);
        }
        lab.host.engine.manners.bans = lines;
    }
}

/// CHEAT-27: `kick` and `ban` on a client are refused there: nothing of them is sent, and nobody goes.
#[test]
fn a_client_bans_nobody() {
    let mut lab = game(plan(9205), &guests());
    lab.clients[0].network.keep_writes();
    for typed in ["ban Cid", "kick Cid", "ban P0-0", "kick Ann", "ban"] {
        let now = lab.clients[0].now(lab.now());
        assert_eq!(
            lab.clients[0].net.command(now, &Command::of(typed).unwrap()),
            Err(Error::NotHost),
            "{typed}"
        );
    }
    lab.clients[0].network.listen();
    lab.run_seconds(1.0);
    assert_eq!(passed(lab.clients[0].network.passed(), Way::Out, Kind::Votekick), [0, 0]);
    assert_eq!((players(&lab).len(), lab.host.engine.manners.bans.as_str(), tally(&lab)), (5, "", None));
}

/// NET-34, NET-55: a join is refused for its token, for room, for a game that loads or is over and for a ban: each reads its reason,
/// then its stream ends, and no player was added. The first that holds is told, and nobody else is told anything.
#[test]
fn a_refusal_says_why() {
    let mut lab = lobby(plan(9206), &guests());
    forget(&mut lab);
    let another = [7; 16];
    let stranger = Guest::of(5);
    let record = *lab.host.net.transport().record();
    let full = SettingsRecord { max_players: 5, ..record };
    // The game has five players: the host's, and four.
    assert!(lab.host.net.set_game(&full));
    assert_eq!(turned_away(&mut lab, &stranger), Rejection::Full);
    assert_eq!(turned_away(&mut lab, &stranger.clone().shows(another)), Rejection::BadToken);
    assert_eq!(console(&mut lab, "ban Cid"), Ok(()));
    lab.run_seconds(0.3);
    lab.kill(2);
    assert_eq!(turned_away(&mut lab, &Guest::of(2)), Rejection::Blacklisted);
    assert_eq!(turned_away(&mut lab, &Guest::of(2).shows(another)), Rejection::BadToken);
    // There is room for one again.
    let place = come(&mut lab, &stranger);
    let_in(&mut lab, place);
    assert_eq!(turned_away(&mut lab, &Guest::of(6)), Rejection::Full);
    assert_eq!(turned_away(&mut lab, &Guest::of(2)), Rejection::Blacklisted);
    lab.begin();
    lab.run_seconds(0.01);
    lab.settle();
    assert_eq!(turned_away(&mut lab, &Guest::of(6)), Rejection::Full);
    lab.end();
    lab.run_seconds(0.2);
    assert_eq!(turned_away(&mut lab, &Guest::of(6)), Rejection::Closed);
    assert_eq!(turned_away(&mut lab, &Guest::of(2)), Rejection::Blacklisted);
    assert!((0..2).all(|place| said(&lab, Who::Client(place)).len() == 1 && is_in_or_over(&lab, place)));

    let mut lab = Lab::open(plan(9207), Seating { load_micros: 2_000_000, ..Seating::of(vec![still()]) });
    lab.begin();
    lab.run_seconds(0.5);
    assert_eq!(lab.host.net.stage(), host::Stage::Loading);
    assert_eq!(turned_away(&mut lab, &stranger), Rejection::Closed);
    lab.run_seconds(2.0);
    let place = come(&mut lab, &stranger);
    let_in(&mut lab, place);
}

fn is_in_or_over(lab: &Lab, place: usize) -> bool {
    lab.clients[place].net.stage() == client::Stage::Over
}

/// A game of Ann and Bob whose ban list is slow, and one who waits for it; its place.
fn waiting(seed: u64, guest: &Guest) -> (Lab, usize) {
    let mut lab = game(plan(seed), &[0, 1, 3].map(Guest::of));
    lab.host.engine.manners.is_slow = true;
    let place = come(&mut lab, guest);
    lab.clients[place].network.listen();
    lab.run_seconds(3.0);
    assert_eq!(
        (lab.clients[place].net.stage(), !lab.clients[place].network.passed().is_empty()),
        (client::Stage::Joining, true)
    );
    assert_eq!(players(&lab).len(), 4);
    (lab, place)
}

/// NET-34, CHEAT-26: while the ban list takes its time the machine waits, and the game goes on; then it is let in, or refused, by
/// what the file says by then.
#[test]
fn who_is_asked_about_waits() {
    let (mut lab, place) = waiting(9211, &Guest::of(2));
    let ticks = lab.host.ticks;
    lab.run_seconds(1.0);
    assert!((29..=31).contains(&(lab.host.ticks - ticks)));
    lab.host.engine.manners.is_slow = false;
    lab.run_seconds(0.3);
    assert_eq!(players(&lab).last().unwrap(), "Cid");
    let_in(&mut lab, place);

    let (mut lab, place) = waiting(9212, &Guest::of(2));
    lab.host.engine.manners.bans = "ip=10.0.2.3\n".into();
    lab.host.engine.manners.is_slow = false;
    assert_eq!(is_turned_away(&mut lab, place), Rejection::Blacklisted);
    assert_eq!(turned_away(&mut lab, &Guest::of(2).id('d')), Rejection::Blacklisted);
}

/// NET-27, 34: one about whom the list never answers is closed ten seconds after it came, not before, while others are asked about
/// and join; the answer that comes after all is nobody's, and it may ask again.
#[test]
fn who_is_never_answered_is_closed() {
    let mut lab = game(plan(9213), &[Guest::of(0)]);
    lab.host.engine.manners.unanswered = Some("10.0.2.3".parse().unwrap());
    let (began, place) = (lab.now(), come(&mut lab, &Guest::of(2)));
    let run_to = |lab: &mut Lab, seconds: f64| lab.run_seconds(seconds - (lab.now() - began) as f64 / 1e6);
    run_to(&mut lab, 4.0);
    let other = come(&mut lab, &Guest::of(1));
    run_to(&mut lab, 6.0);
    assert!(is_in(&lab, other));
    // It would give up itself.
    lab.clients[place].sleep_until(began + 10_300_000);
    run_to(&mut lab, 9.9);
    assert_eq!(refused(&lab, Who::Host, "not_joined"), 0);
    run_to(&mut lab, 10.1);
    assert_eq!((players(&lab).len(), refused(&lab, Who::Host, "not_joined")), (3, 1));
    run_to(&mut lab, 10.4);
    let ended = (lab.clients[place].net.stage(), why(&lab, place));
    assert_eq!(ended, (client::Stage::Closed, Some(Why::NotJoined)));
    // A second one waits at the same address, and the answer comes: it is for the second alone.
    let again = come_back(&mut lab, place, &Guest::of(2));
    lab.run_seconds(1.0);
    assert_eq!(lab.clients[again].net.stage(), client::Stage::Joining);
    lab.host.engine.manners.unanswered = None;
    let_in(&mut lab, again);
    settle(&mut lab);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Bob", "Cid"]);
}

/// NET-34, CHEAT-26: the answer comes after the machine has gone, and when another is there in its place: nobody is let in or
/// turned away by it but whom it is about.
#[test]
fn an_answer_to_who_has_left_is_nobodys() {
    let (mut lab, place) = waiting(9214, &Guest::of(2));
    lab.kill(place);
    lab.run_seconds(0.3);
    lab.host.engine.manners.is_slow = false;
    lab.run_seconds(1.0);
    assert_eq!(players(&lab).len(), 4);

    // It has gone in the very frame of the answer, and another has come.
    let (mut lab, place) = waiting(9215, &Guest::of(2));
    lab.host.sleep_until(lab.now() + 30_000);
    let late = come_back(&mut lab, place, &Guest::of(4));
    lab.run_seconds(0.02);
    lab.host.engine.manners.bans = "ip=10.0.2.3\n".into();
    lab.host.engine.manners.is_slow = false;
    let_in(&mut lab, late);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Bob", "Dora", "Emil"]);
}

/// CHEAT-38, 26, 60: while one waits for the ban list a vote passes on who shares its address, or its hardware id, or the host bans
/// that: it is refused though the list does not have it. A kick, which keeps nobody out, changes nothing.
#[test]
fn what_was_decided_while_it_waited_counts() {
    let by_address = Guest::of(2).at("10.0.2.2").port(6000);
    let by_id = Guest::of(2).id('b');
    for (way, refused) in [("vote", true), ("ban", true), ("kick", false)] {
        for guest in [&by_address, &by_id] {
            let (mut lab, place) = waiting(9216, guest);
            match way {
                "vote" => {
                    for place in [0, 2] {
                        assert!(vote(&mut lab, place, "Bob"));
                    }
                    assert_eq!(console(&mut lab, "votekick Bob"), Ok(()));
                }
                _ => assert_eq!(console(&mut lab, &format!("{way} Bob")), Ok(())),
            }
            lab.run_seconds(0.5);
            assert_eq!(players(&lab), ["P0-0", "Ann", "Dora"], "{way}");
            assert_eq!(lab.clients[place].net.stage(), client::Stage::Joining);
            lab.host.engine.manners.is_slow = false;
            if refused {
                assert_eq!(is_turned_away(&mut lab, place), Rejection::Blacklisted, "{way}");
            } else {
                let_in(&mut lab, place);
            }
        }
    }
}

/// CHEAT-60: a vote is on while who shares its target's address asks: it is refused then, and let in once the vote has failed.
#[test]
fn the_targets_person_waits_for_the_vote() {
    let mut lab = game(plan(9217), &[0, 1, 3].map(Guest::of));
    votes(&mut lab, 0, "Bob");
    let neighbour = Guest::of(2).at("10.0.2.2").port(6000);
    assert_eq!(turned_away(&mut lab, &neighbour), Rejection::Blacklisted);
    assert_eq!(turned_away(&mut lab, &Guest::of(2).id('b')), Rejection::Blacklisted);
    lab.run_until("it fails", 46, |lab| tally(lab).is_none());
    let place = come(&mut lab, &neighbour);
    let_in(&mut lab, place);
    assert_ne!(machine(&lab, place), machine(&lab, 1));
}
