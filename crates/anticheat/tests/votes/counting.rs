//! Who counts, and how many it takes.

use mjolnir_anticheat::Person;
use mjolnir_anticheat::votes::{End, Refusal, Settings};

use super::scene::{MINUTE, Scene, machine, person, slot};

/// CHEAT-34, 59: half of those who may vote and one, the target counted, at least two; the starter's own vote is the first.
#[test]
fn more_than_half_are_needed() {
    for (guests, needed) in [(1, 2), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (15, 9), (127, 65)] {
        let mut scene = Scene::new(guests);
        assert_eq!(scene.ask(0, guests), Ok(()));
        assert_eq!(scene.stands(0), (1, needed, true, true), "{guests} guests and the host");
        let mut votes = 1;
        for from in 1..guests {
            assert_eq!(scene.step(), None, "{votes} of {needed}");
            scene.ask(from, guests).unwrap();
            votes += 1;
            if votes == needed {
                let outcome = scene.step().unwrap();
                assert_eq!((outcome.end, outcome.machine), (End::Passed, machine(guests)));
                assert_eq!((outcome.votes, outcome.needed), (usize::from(needed), usize::from(needed)));
                break;
            }
        }
        assert_eq!(scene.outcomes.len(), usize::from(guests > 1), "{guests}");
    }
}

/// CHEAT-34: the table of the rule, with a target that may not vote yet: it counts all the same, once.
#[test]
fn the_target_is_counted_once() {
    for (may_vote, needed) in [(1, 2), (2, 2), (3, 3), (4, 3), (5, 4)] {
        // The host is one of them.
        let mut scene = Scene::new(may_vote - 1);
        scene.join(100, 100, person("198.51.100.1", None), 0);
        scene.ask(0, 100).unwrap();
        assert_eq!(scene.stands(0).1, needed, "{may_vote} and a newcomer");
        // At a voter's address it is no more than that voter already is.
        if may_vote > 1 {
            let mut scene = Scene::new(may_vote - 1);
            scene.join(100, 100, person("203.0.113.1", None), 0);
            scene.ask(0, 100).unwrap();
            assert_eq!(scene.stands(0).1, (may_vote / 2 + 1).max(2), "{may_vote}, one beside the newcomer");
        }
    }
    // One whose address nobody knows is one more.
    for (guests, needed) in [(1, 2), (2, 3), (3, 3)] {
        let mut scene = Scene::new(guests);
        scene.join(100, 100, Person::default(), MINUTE);
        scene.ask(0, 100).unwrap();
        assert_eq!(scene.stands(0).1, needed);
    }
}

/// CHEAT-32: one vote for an address however its machines are many, whichever form of it they come by, and one place among
/// those who may vote.
#[test]
fn an_address_has_one_vote() {
    for (one, other, is_one) in [
        ("203.0.113.1", "203.0.113.1", true),
        ("203.0.113.1", "::ffff:203.0.113.1", true),
        ("::ffff:203.0.113.1", "::ffff:203.0.113.2", false),
        ("2001:db8:1:2::5", "2001:db8:1:2::6", true),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", false),
        ("192.168.1.2", "192.168.1.3", false),
    ] {
        let mut scene = Scene::new(5);
        scene.guest(1).person = person(one, None);
        scene.guest(2).person = person(other, None);
        scene.ask(1, 5).unwrap();
        // The host, 1 and 2, 3, 4, and the target.
        assert_eq!(scene.stands(1), (1, if is_one { 3 } else { 4 }, true, true), "{one} {other}");
        assert_eq!(scene.stands(2).2, is_one, "whether the other is shown as one who has voted");
        let second = scene.ask(2, 5);
        assert_eq!(second, if is_one { Err(Refusal::Voted) } else { Ok(()) }, "{one} {other}");
        assert_eq!(scene.stands(2), (if is_one { 1 } else { 2 }, if is_one { 3 } else { 4 }, true, true));
    }
}

/// CHEAT-32: who has no address that is known neither votes nor starts one, nor counts.
#[test]
fn an_unknown_address_has_no_vote() {
    for id in [None, Some('a')] {
        let mut scene = Scene::new(4);
        scene.guest(1).person = person("", id);
        assert_eq!(scene.ask(1, 4), Err(Refusal::UnknownAddress));
        scene.ask(2, 4).unwrap();
        // The host, 2, 3, and the target.
        assert_eq!((scene.stands(1), scene.stands(2)), ((1, 3, false, false), (1, 3, true, true)));
        scene.run(1.0);
        assert_eq!(scene.ask(1, 4), Err(Refusal::UnknownAddress));
        assert_eq!(scene.stands(2), (1, 3, true, true));
    }
}

/// CHEAT-32: the host's machine is only itself. Guests at its own address have a vote and a place besides it, whoever they are
/// there, and can be voted on by it.
#[test]
fn the_host_is_only_itself() {
    // The scene's world fails a test that asks for the host's person at all.
    let mut scene = Scene::new(4);
    for index in 1..=2 {
        scene.guest(index).person = person("127.0.0.1", Some('a'));
    }
    scene.ask(0, 4).unwrap();
    scene.ask(1, 4).unwrap();
    // The host, 1 and 2, 3, the target.
    assert_eq!(scene.stands(0), (2, 3, true, true));
    assert_eq!(scene.ask(2, 4), Err(Refusal::Voted));
    // Nor is it the person whom it votes on there.
    let mut scene = Scene::new(3);
    scene.guest(3).person = person("127.0.0.1", None);
    assert_eq!((scene.ask(0, 3), scene.stands(0)), (Ok(()), (1, 3, true, true)));
}

/// CHEAT-33: a hardware id that several say takes votes away and makes none less needed.
#[test]
fn a_copied_id_only_takes_votes_away() {
    let with_ids = |ids: [Option<char>; 5]| {
        let mut scene = Scene::new(5);
        for (index, id) in (1..).zip(ids) {
            scene.guest(index).person.hardware = person("", id).hardware;
        }
        scene
    };
    for (ids, answers) in [
        ([Some('a'), Some('b'), Some('c'), Some('d'), Some('e')], [Ok(()), Ok(()), Ok(()), Ok(())]),
        ([None; 5], [Ok(()); 4]),
        (
            [Some('a'), Some('A'), None, Some('a'), Some('e')],
            [Ok(()), Err(Refusal::Voted), Ok(()), Err(Refusal::Voted)],
        ),
        // The target's own id, copied or its own other machine's: no vote.
        ([Some('a'), Some('e'), None, None, Some('e')], [Ok(()), Err(Refusal::SamePerson), Ok(()), Ok(())]),
    ] {
        let mut scene = with_ids(ids);
        let mut votes = 0;
        for (from, answer) in (1..).zip(answers) {
            assert_eq!(scene.ask(from, 5), answer, "{ids:?} {from}");
            votes += u8::from(answer.is_ok());
            // Six addresses, whatever the ids.
            assert_eq!((scene.status(0).votes, scene.status(0).needed), (votes, 4), "{ids:?} {from}");
        }
        let is_target = ids[1] == Some('e');
        assert_eq!(scene.stands(2).3, !is_target, "{ids:?}");
        assert_eq!((scene.stands(5).3, scene.stands(0).3), (false, true));
    }
}

/// CHEAT-35: what starting takes, in the host's ticks; the host needs none.
#[test]
fn starting_takes_minutes_of_play() {
    for (minutes, played, answer) in [
        (5, 5 * MINUTE - 1, Err(Refusal::NotPlayed { minutes: 5 })),
        (5, 5 * MINUTE, Ok(())),
        (1, MINUTE - 1, Err(Refusal::NotPlayed { minutes: 1 })),
        (1, MINUTE, Ok(())),
        (60, 60 * MINUTE - 1, Err(Refusal::NotPlayed { minutes: 60 })),
        (60, 60 * MINUTE, Ok(())),
        (61, 60 * MINUTE, Ok(())),
        (0, 0, Ok(())),
    ] {
        let mut scene = Scene::of(4, Settings { minutes, ..Settings::default() });
        scene.guest(1).played = played;
        assert_eq!(scene.ask(1, 4), answer, "{minutes} {played}");
        assert_eq!(scene.votes.target().is_some(), answer.is_ok());
        assert_eq!(scene.ask(0, 4), Ok(()), "{minutes} {played}");
    }
}

/// CHEAT-35, 65: what voting takes, as the vote begins; who has played less is not counted and is told so.
#[test]
fn voting_takes_two_minutes_of_play() {
    for (minutes, played, may) in [
        (5, 2 * MINUTE - 1, false),
        (5, 2 * MINUTE, true),
        (2, 2 * MINUTE - 1, false),
        (1, MINUTE - 1, false),
        (1, MINUTE, true),
        (0, 0, true),
    ] {
        let mut scene = Scene::of(4, Settings { minutes, ..Settings::default() });
        scene.guest(1).played = played;
        scene.ask(0, 4).unwrap();
        // The host, 1 if it counts, 2, 3, and the target.
        let needed = 3;
        assert_eq!(scene.stands(1), (1, needed, false, may), "{minutes} {played}");
        assert_eq!(scene.ask(1, 4), if may { Ok(()) } else { Err(Refusal::TooLate) }, "{minutes} {played}");
        assert_eq!(scene.stands(1), (1 + u8::from(may), needed, may, may), "{minutes} {played}");
    }
}

/// CHEAT-34, 35: who came since the vote began, or has played long enough only since, has no vote in it, and does not raise what
/// it needs.
#[test]
fn the_electorate_is_that_of_the_beginning() {
    for minutes in [5, 0] {
        let mut scene = Scene::of(4, Settings { minutes, ..Settings::default() });
        scene.guest(3).played = 2 * MINUTE - 30;
        scene.ask(0, 4).unwrap();
        let before = scene.stands(0);
        for index in 10..=12 {
            scene.join(index, index, person(&format!("198.51.100.{index}"), None), 0);
        }
        scene.run(5.0);
        assert_eq!(scene.stands(0), before, "{minutes}");
        for index in 10..=12 {
            assert_eq!(scene.ask(index, 4), Err(Refusal::TooLate), "{minutes}");
            assert!(!scene.status(index).you_may_vote);
        }
        assert_eq!(scene.ask(3, 4), if minutes == 0 { Ok(()) } else { Err(Refusal::TooLate) });
    }
}

/// CHEAT-59, 63: the host's vote is one of those needed, and no kick.
#[test]
fn the_hosts_vote_is_as_any() {
    let mut scene = Scene::new(3);
    scene.ask(0, 3).unwrap();
    scene.run(40.0);
    assert_eq!((scene.stands(0), scene.outcomes.len()), ((1, 3, true, true), 0));
    scene.ask(1, 3).unwrap();
    scene.ask(2, 3).unwrap();
    assert_eq!(scene.step().unwrap().end, End::Passed);
}

/// CHEAT-64: a vote on any of a machine's players is on the machine; another of them is shown once the first is gone, and never
/// who has its slot since.
#[test]
fn a_vote_is_on_a_whole_machine() {
    let mut scene = Scene::new(4);
    scene.seat(4, 20);
    scene.ask(1, 20).unwrap();
    scene.ask(2, 4).unwrap();
    assert_eq!((scene.status(3).votes, scene.status(3).slot), (2, Some(slot(20))));
    scene.game.players.retain(|(of, ..)| *of != slot(20));
    assert_eq!(scene.status(3).slot, Some(slot(4)));
    scene.seat(3, 20);
    assert_eq!(scene.status(3).slot, Some(slot(4)));
    scene.game.players.retain(|(of, ..)| *of != slot(4));
    assert_eq!(scene.status(3).slot, None);
    scene.ask(0, 20).unwrap_err();
    scene.seat(4, 21);
    assert_eq!(scene.status(3).slot, Some(slot(21)));
    scene.ask(3, 21).unwrap();
    assert_eq!(scene.step().unwrap().machine, machine(4));
}
