//! How votes end, and who is remembered for it.

use mjolnir_anticheat::votes::{End, Refusal, Settings};

use super::scene::{MINUTE, Scene, anyone, machine, person};

/// CHEAT-37: a vote without a majority fails at 45 s and not before.
#[test]
fn a_vote_fails_at_its_time() {
    let mut scene = Scene::new(5);
    scene.ask(1, 5).unwrap();
    scene.ask(2, 5).unwrap();
    scene.run(45.0);
    assert_eq!((scene.outcomes.len(), scene.status(1).seconds_left), (0, 0));
    let outcome = scene.step().unwrap();
    assert_eq!((outcome.end, outcome.machine, outcome.minutes), (End::Failed, machine(5), 0));
    assert_eq!((outcome.votes, outcome.needed), (2, 4));
    assert!(!scene.is_kept_out(&anyone(5)));
    // Not by a microsecond sooner.
    let mut scene = Scene::new(5);
    scene.ask(1, 5).unwrap();
    let begin = scene.now();
    assert_eq!(scene.votes.step(begin.plus(44_999_999)), None);
    assert_eq!(scene.votes.step(begin.plus(45_000_000)).unwrap().end, End::Failed);
    // The last vote in the last tick counts.
    let mut scene = Scene::new(2);
    scene.ask(0, 2).unwrap();
    scene.run(45.0);
    scene.ask(1, 2).unwrap();
    assert_eq!(scene.step().unwrap().end, End::Passed);
}

/// CHEAT-37: who started a vote that failed starts none for 300 s, and nobody one on its target for 600 s; others may, on others.
#[test]
fn a_failed_vote_cools_down_and_protects() {
    for (after, starter, on_target) in [
        (31.0, Err(Refusal::Cooling { seconds: 269 }), Err(Refusal::Protected)),
        (299.0, Err(Refusal::Cooling { seconds: 1 }), Err(Refusal::Protected)),
        (300.0, Ok(()), Err(Refusal::Protected)),
        (599.0, Ok(()), Err(Refusal::Protected)),
        (600.0, Ok(()), Ok(())),
    ] {
        let failed = || {
            let mut scene = Scene::new(5);
            scene.ask(1, 5).unwrap();
            scene.run(45.0);
            assert_eq!(scene.step().unwrap().end, End::Failed);
            scene.run(after);
            scene
        };
        assert_eq!(failed().ask(1, 3), starter, "{after}");
        assert_eq!(failed().ask(2, 5), on_target, "{after}");
        assert_eq!(failed().ask(2, 3), Ok(()), "{after}");
    }
}

/// CHEAT-37, 61: both hold by address and by hardware id, whatever machine they come back as, and the host cools as itself alone.
#[test]
fn a_failed_vote_is_remembered_by_person() {
    let failed = || {
        let mut scene = Scene::new(3);
        scene.guest(1).person = person("203.0.113.1", Some('a'));
        scene.guest(3).person = person("2001:db8:1:2::3", Some('c'));
        scene.ask(1, 3).unwrap();
        scene.leave(1);
        scene.run(45.0);
        assert_eq!(scene.step().unwrap().end, End::Failed);
        scene.run(31.0);
        scene
    };
    for (who, is_it) in [
        (person("203.0.113.1", None), true),
        (person("::ffff:203.0.113.1", Some('b')), true),
        (person("198.51.100.7", Some('A')), true),
        (person("198.51.100.7", Some('b')), false),
    ] {
        let mut scene = failed();
        scene.join(9, 9, who, 60 * MINUTE);
        assert_eq!(matches!(scene.ask(9, 2), Err(Refusal::Cooling { .. })), is_it, "{who:?}");
    }
    for (who, is_it) in [
        (person("2001:db8:1:2::ffff", None), true),
        (person("198.51.100.7", Some('c')), true),
        (person("2001:db8:1:3::3", None), false),
    ] {
        let mut scene = failed();
        scene.leave(3);
        scene.join(3, 3, who, 60 * MINUTE);
        assert_eq!(scene.ask(2, 3) == Err(Refusal::Protected), is_it, "{who:?}");
    }
    let mut scene = Scene::new(4);
    scene.ask(0, 3).unwrap();
    scene.run(77.0);
    assert!(matches!(scene.ask(0, 2), Err(Refusal::Cooling { .. })));
    assert_eq!(scene.ask(1, 2), Ok(()));
}

/// CHEAT-38: who was voted out is kept out by address, and by id at another address, for as long as the host wants.
#[test]
fn who_was_voted_out_is_kept_out() {
    for (ban_minutes, minutes) in [(10, 10), (1, 1), (0, 1), (1440, 1440), (2000, 1440)] {
        let mut scene = Scene::of(3, Settings { ban_minutes, ..Settings::default() });
        scene.guest(3).person = person("203.0.113.3", Some('c'));
        for from in 0..3 {
            scene.ask(from, 3).unwrap();
        }
        let outcome = scene.step().unwrap();
        assert_eq!((outcome.end, outcome.minutes), (End::Passed, minutes));
        assert_eq!(scene.leave(3), None, "it is over");
        let begin = scene.now();
        for (who, is_it) in [
            (person("203.0.113.3", None), true),
            (person("198.51.100.1", Some('c')), true),
            (person("198.51.100.1", Some('d')), false),
            (person("", None), false),
        ] {
            let end = begin.plus(u64::from(minutes) * 60_000_000);
            let before = begin.plus(u64::from(minutes) * 60_000_000 - 1);
            let kept = [begin, before, end].map(|now| scene.votes.is_kept_out(now, &who));
            assert_eq!(kept, [is_it, is_it, false], "{who:?} {ban_minutes}");
        }
    }
}

/// CHEAT-38: a vote that was settled keeps out as long as it said, whatever the host wants since.
#[test]
fn a_setting_changes_what_comes() {
    let mut scene = Scene::of(3, Settings { ban_minutes: 10, ..Settings::default() });
    scene.ask(0, 3).unwrap();
    scene.leave(3);
    let now = scene.now();
    scene.votes.set_settings(now, Settings { ban_minutes: 1, ..Settings::default() });
    assert!(scene.votes.is_kept_out(now.plus(599_999_999), &anyone(3)));
    assert!(!scene.votes.is_kept_out(now.plus(600_000_000), &anyone(3)));
    assert_eq!(scene.votes.settings().ban_minutes, 1);
}

/// CHEAT-38: the target that leaves is kept out as if it had been voted out; who has its slot and its index then is not meant.
#[test]
fn a_target_that_leaves_has_been_voted_out() {
    let mut scene = Scene::new(4);
    scene.ask(0, 3).unwrap();
    scene.run(10.0);
    let outcome = scene.leave(3).unwrap();
    assert_eq!((outcome.end, outcome.machine, outcome.minutes), (End::Left, machine(3), 30));
    scene.join(3, 3, person("198.51.100.9", None), 60 * MINUTE);
    assert_eq!((scene.status(1).slot, scene.votes.target()), (None, None));
    scene.run(60.0);
    assert_eq!(scene.outcomes.len(), 1, "the newcomer is not voted out");
    assert!(scene.is_kept_out(&anyone(3)) && !scene.is_kept_out(&person("198.51.100.9", None)));
    // Nor protected: it may be voted on.
    assert_eq!(scene.ask(1, 3), Ok(()));
}

/// CHEAT-60: the target may not join while the vote on it runs, by either of address and id; a vote that fails lets it.
#[test]
fn the_target_does_not_join_again_meanwhile() {
    let mut scene = Scene::new(4);
    scene.guest(3).person = person("203.0.113.3", Some('c'));
    let again = [person("203.0.113.3", None), person("198.51.100.1", Some('c'))];
    assert!(!again.iter().any(|who| scene.is_kept_out(who)));
    scene.ask(1, 3).unwrap();
    scene.run(20.0);
    assert!(again.iter().all(|who| scene.is_kept_out(who)));
    assert!(!scene.is_kept_out(&anyone(1)) && !scene.is_kept_out(&person("", None)));
    scene.run(25.0);
    scene.step().unwrap();
    assert!(!again.iter().any(|who| scene.is_kept_out(who)));
}

/// CHEAT-62: the next game ends a vote that failed nobody.
#[test]
fn the_next_game_ends_a_vote() {
    let mut scene = Scene::new(4);
    scene.ask(1, 3).unwrap();
    scene.run(5.0);
    let now = scene.now();
    scene.votes.new_game(now);
    scene.run(1.0);
    assert_eq!((scene.outcomes.len(), scene.status(2).slot), (0, None));
    assert_eq!(scene.told[&2].last().unwrap().1.slot, None);
    let votes = &scene.votes;
    assert_eq!([votes.kept_out(), votes.cooling(), votes.protected()].map(|list| list.len(now)), [0; 3]);
    scene.run(29.0);
    assert_eq!(scene.ask(1, 3), Ok(()));
    // Without one nothing begins: no pause, nothing told.
    let mut scene = Scene::new(4);
    let now = scene.now();
    scene.votes.new_game(now);
    scene.step();
    assert_eq!((scene.told.len(), scene.ask(1, 3)), (0, Ok(())));
}

/// CHEAT-67: the host's kick of the target is no vote passed: nobody is kept out, and the pause begins; its kick of another leaves
/// the vote as it is.
#[test]
fn a_kick_ends_the_vote_on_whom_it_kicks() {
    let mut scene = Scene::new(4);
    scene.ask(1, 2).unwrap();
    scene.run(5.0);
    let told = scene.told[&1].len();
    assert_eq!(scene.kick(2), None);
    scene.step();
    assert_eq!(scene.told[&1][told..].iter().map(|(_, status)| status.slot).collect::<Vec<_>>(), [None]);
    assert!(scene.votes.kept_out().is_empty(scene.now()) && !scene.is_kept_out(&anyone(2)));
    scene.join(2, 2, anyone(2), 60 * MINUTE);
    scene.run(29.0);
    assert_eq!(scene.ask(3, 2), Err(Refusal::Pause { seconds: 1 }));
    scene.run(1.0);
    assert_eq!(scene.ask(1, 2), Ok(()), "who started it does not cool down, and its target is not protected");

    let mut scene = Scene::new(4);
    scene.ask(1, 3).unwrap();
    scene.step();
    let told = scene.told.clone();
    scene.votes.kicked(scene.now(), machine(2));
    scene.step();
    assert_eq!((scene.told.clone(), scene.votes.target()), (told, Some(machine(3))));
    // Who may vote are fewer, which is told.
    assert_eq!(scene.leave(2), None);
    assert_eq!((scene.votes.target(), scene.status(1).votes), (Some(machine(3)), 1));
}

/// CHEAT-60: a leaver's vote goes along, and its place: what is needed is of those who are left.
#[test]
fn a_leavers_vote_goes_along() {
    let mut scene = Scene::new(5);
    scene.ask(1, 5).unwrap();
    scene.ask(2, 5).unwrap();
    assert_eq!(scene.stands(0), (2, 4, false, true));
    scene.step();
    let told = scene.told[&1].len();
    scene.leave(2);
    scene.step();
    let changed = scene.told[&1][told..].iter().map(|(_, status)| (status.votes, status.needed));
    assert_eq!(changed.collect::<Vec<_>>(), [(1, 3)], "told at once");
    assert_eq!((scene.stands(0), scene.stands(2)), ((1, 3, false, true), (1, 3, false, false)));
    // Who is back has none: it was not here as the vote began.
    scene.join(2, 2, anyone(2), 60 * MINUTE);
    assert_eq!((scene.ask(2, 5), scene.stands(0)), (Err(Refusal::TooLate), (1, 3, false, true)));
    scene.leave(1);
    assert_eq!(scene.stands(0), (0, 3, false, true));
    // Those who are left can make it enough.
    let mut scene = Scene::new(4);
    scene.ask(0, 4).unwrap();
    scene.ask(1, 4).unwrap();
    assert_eq!((scene.step(), scene.stands(0).1), (None, 3));
    scene.leave(2);
    scene.leave(3);
    assert_eq!(scene.step().unwrap().end, End::Passed);
}
