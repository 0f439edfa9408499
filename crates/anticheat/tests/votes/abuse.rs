//! What somebody might try, and what it comes to.

use mjolnir_anticheat::votes::{End, REMEMBERED, Refusal, Settings};

use super::scene::{MINUTE, Scene, anyone, machine, person};

/// CHEAT-37: leaving and coming back under other names starts no more votes than staying does.
#[test]
fn coming_back_starts_no_more_votes() {
    let mut scene = Scene::of(5, Settings { minutes: 0, ..Settings::default() });
    let mut started = Vec::new();
    for round in 0..40 {
        let index = 20 + round;
        scene.join(index, index, person("198.51.100.66", None), 0);
        if scene.ask(index, 1 + round % 4).is_ok() {
            started.push(scene.seconds());
        }
        scene.run(1.0);
        scene.leave(index);
        scene.run(9.0);
    }
    // 400 s: at the beginning, and once its cool-down of 300 s from the end at 45 s is over.
    assert_eq!(started, [0.0, 350.0]);
}

/// CHEAT-32, 33: a crowd at one address, or with one id, has one vote together.
#[test]
fn a_crowd_of_one_person_has_one_vote() {
    for by_id in [false, true] {
        let mut scene = Scene::new(6);
        for index in 10..30 {
            let who = if by_id {
                person(&format!("198.51.100.{index}"), Some('a'))
            } else {
                person("198.51.100.1", None)
            };
            scene.join(index, index, who, 60 * MINUTE);
        }
        for index in 10..30 {
            let answer = if index == 10 { Ok(()) } else { Err(Refusal::Voted) };
            assert_eq!(scene.ask(index, 6), answer, "{by_id} {index}");
        }
        // 7 or 26 addresses beside the target's.
        assert_eq!(scene.stands(0).0, 1);
        assert_eq!(scene.stands(0).1, if by_id { 14 } else { 5 });
        scene.run(45.0);
        assert_eq!(scene.step().unwrap().end, End::Failed);
    }
}

/// CHEAT-60: one person's second machine takes no vote away either: it goes with the machine that gave it, and can then be
/// given by the other.
#[test]
fn a_persons_vote_is_one_machines() {
    let mut scene = Scene::new(5);
    scene.guest(2).person = anyone(1);
    scene.ask(1, 5).unwrap();
    assert_eq!(scene.ask(2, 5), Err(Refusal::Voted));
    scene.leave(2);
    assert_eq!(scene.stands(0).0, 1);
    scene.join(2, 2, anyone(1), 60 * MINUTE);
    scene.leave(1);
    assert_eq!(scene.stands(0).0, 0);

    let mut scene = Scene::new(5);
    scene.guest(2).person = anyone(1);
    scene.ask(1, 5).unwrap();
    scene.leave(1);
    assert_eq!((scene.ask(2, 5), scene.stands(0)), (Ok(()), (1, 3, false, true)));
}

/// CHEAT-33: the target that says others' ids takes their votes, and never lowers what is needed of the rest.
#[test]
fn a_target_with_anothers_id_is_not_safer_than_that() {
    let mut scene = Scene::new(6);
    scene.guest(1).person.hardware = person("", Some('a')).hardware;
    scene.guest(6).person.hardware = person("", Some('a')).hardware;
    for from in [0, 2, 3, 4] {
        scene.ask(from, 6).unwrap();
    }
    assert_eq!(scene.ask(1, 6), Err(Refusal::SamePerson));
    assert_eq!(scene.step().unwrap().end, End::Passed);
    // The other is in the game, and stays; only joining is refused who says that id.
    assert_eq!(scene.outcomes[0].1.machine, machine(6));
}

/// CHEAT-38, 64: who shares the address of one that is voted out stays in the game.
#[test]
fn who_shares_an_address_is_not_dropped() {
    let mut scene = Scene::new(7);
    for index in 5..=7 {
        scene.guest(index).person = person("198.51.100.1", None);
    }
    for from in 0..=3 {
        scene.ask(from, 6).unwrap();
        // Those beside it have no vote.
        assert!(!scene.status(5).you_may_vote && !scene.status(7).you_may_vote);
    }
    assert_eq!(scene.ask(5, 6), Err(Refusal::SamePerson));
    assert_eq!(scene.step().unwrap().machine, machine(6));
    scene.leave(6);
    scene.run(60.0);
    assert_eq!(scene.outcomes.len(), 1);
    assert!(scene.game.guests.contains_key(&5) && scene.game.guests.contains_key(&7));
}

/// CHEAT-59: nobody makes a vote on the host's players, be it in any slot.
#[test]
fn the_hosts_players_are_safe() {
    let mut scene = Scene::new(4);
    scene.seat(0, 50);
    for (from, on) in [(1, 0), (2, 50), (0, 0), (0, 50)] {
        assert_eq!(scene.ask(from, on), Err(Refusal::Host));
        scene.run(1.0);
    }
    assert_eq!((scene.votes.target(), scene.told.len()), (None, 0));
}

/// CHEAT-61: votes without end remember no more than they may: the newest of them.
#[test]
fn what_is_remembered_is_bounded() {
    let mut scene = Scene::of(1, Settings { ban_minutes: 1440, ..Settings::default() });
    for round in 0..40_u8 {
        scene.join(100, 100, person(&format!("198.51.100.{round}"), None), 60 * MINUTE);
        scene.ask(0, 100).unwrap();
        scene.leave(100).unwrap();
        scene.run(31.0);
    }
    let now = scene.now();
    assert_eq!(scene.votes.kept_out().len(now), REMEMBERED);
    let kept = (0..40).map(|round| scene.is_kept_out(&person(&format!("198.51.100.{round}"), None)));
    assert_eq!(kept.collect::<Vec<_>>(), (0..40).map(|round| round >= 8).collect::<Vec<_>>());
}
