//! What is refused, with which word, and that nothing comes of it.

use mjolnir_anticheat::texts;
use mjolnir_anticheat::votes::{Refusal, Settings};
use mjolnir_wire::session::Notice;

use super::scene::{MINUTE, Scene, person};

fn text(refusal: Refusal) -> String {
    texts::votes::refusal(refusal).as_ref().map_or("", Notice::as_str).to_owned()
}

/// CHEAT-58: each cause gives its refusal to the asker, and nothing to others: no status, no vote, no change of one.
#[test]
fn each_cause_has_its_refusal() {
    type Given = fn(&mut Scene);
    let failed: Given = |scene| {
        scene.ask(1, 4).unwrap();
        scene.run(45.0);
        scene.step().unwrap();
    };
    let causes: [(&str, Given, u8, u8, Refusal); 13] = [
        (
            "votes are off",
            |scene| {
                let now = scene.now();
                scene.votes.set_settings(now, Settings { allowed: false, ..Settings::default() });
            },
            1,
            4,
            Refusal::Off,
        ),
        ("no such player", |_| (), 1, 77, Refusal::NoPlayer),
        ("the host's player", |_| (), 1, 0, Refusal::Host),
        ("the host on its own", |_| (), 0, 0, Refusal::Host),
        ("a player of its own", |scene| scene.seat(1, 9), 1, 9, Refusal::Own),
        (
            "one at its address",
            |scene| scene.guest(4).person = scene.guest(1).person,
            1,
            4,
            Refusal::SamePerson,
        ),
        ("an address unknown", |scene| scene.guest(1).person.address = None, 1, 4, Refusal::UnknownAddress),
        ("another vote", |scene| scene.ask(2, 3).unwrap(), 1, 4, Refusal::Running),
        ("too little play", |scene| scene.guest(1).played = MINUTE, 1, 4, Refusal::NotPlayed { minutes: 5 }),
        ("a vote just over", failed, 2, 3, Refusal::Pause { seconds: 30 }),
        (
            "its vote failed",
            |scene| {
                scene.ask(1, 4).unwrap();
                scene.run(100.0);
            },
            1,
            3,
            // It ended at 45 s.
            Refusal::Cooling { seconds: 245 },
        ),
        (
            "a vote on it failed",
            |scene| {
                scene.ask(1, 4).unwrap();
                scene.run(100.0);
            },
            2,
            4,
            Refusal::Protected,
        ),
        (
            "its own vote is in",
            |scene| {
                scene.ask(1, 4).unwrap();
                scene.run(2.0);
            },
            1,
            4,
            Refusal::Voted,
        ),
    ];
    for (cause, given, from, on, refusal) in causes {
        let mut scene = Scene::new(4);
        given(&mut scene);
        scene.step();
        let before = (scene.status(0), scene.votes.target(), scene.told.clone());
        assert_eq!(scene.ask(from, on), Err(refusal), "{cause}");
        scene.step();
        assert_eq!((scene.status(0), scene.votes.target(), scene.told.clone()), before, "{cause}");
        assert!(!text(refusal).is_empty() && refusal.reason().starts_with("vote_"), "{cause}");
    }
}

/// CHEAT-58: where several causes hold, the one that cannot be waited for is told.
#[test]
fn the_first_cause_is_told() {
    let mut scene = Scene::new(4);
    scene.ask(2, 3).unwrap();
    scene.guest(1).person.address = None;
    scene.guest(1).played = 0;
    assert_eq!(scene.ask(1, 0), Err(Refusal::Host));
    scene.run(1.0);
    assert_eq!(scene.ask(1, 1), Err(Refusal::Own));
    scene.run(1.0);
    assert_eq!(scene.ask(1, 4), Err(Refusal::UnknownAddress));
    scene.guest(1).person = person("203.0.113.1", None);
    scene.run(1.0);
    assert_eq!(scene.ask(1, 4), Err(Refusal::Running));
    scene.run(60.0);
    assert_eq!(scene.ask(1, 4), Err(Refusal::NotPlayed { minutes: 5 }));
}

/// CHEAT-30: one vote a second is heard of a machine, and of the others nobody hears.
#[test]
fn one_vote_a_second_is_heard() {
    let mut scene = Scene::new(4);
    assert_eq!(scene.ask(1, 77), Err(Refusal::NoPlayer));
    assert_eq!(scene.ask(1, 4), Err(Refusal::TooFast));
    assert_eq!((scene.votes.target(), texts::votes::refusal(Refusal::TooFast)), (None, None));
    // Another machine's count is its own.
    assert_eq!(scene.ask(2, 77), Err(Refusal::NoPlayer));
    // The first may have been held up by a tenth: then the next is early, but two such are no three of two.
    for (seconds, answer) in [
        (26.0 / 30.0, Refusal::TooFast),
        (1.0 / 30.0, Refusal::NoPlayer),
        (29.0 / 30.0, Refusal::TooFast),
        (1.0 / 30.0, Refusal::NoPlayer),
    ] {
        scene.run(seconds);
        assert_eq!(scene.ask(1, 77), Err(answer), "{}", scene.seconds());
    }
    // Of any number in ten seconds as many as there are seconds.
    let mut heard = 0;
    for _ in 0..300 {
        scene.run(1.0 / 30.0);
        heard += usize::from(scene.ask(1, 77) != Err(Refusal::TooFast));
    }
    assert_eq!(heard, 10);
    // The next machine of its index begins anew.
    scene.leave(1);
    scene.join(1, 1, person("203.0.113.1", None), 60 * MINUTE);
    assert_eq!(scene.ask(1, 4), Ok(()));
}

/// CHEAT-36: 30 s from a vote's end to the next, however it ended, and N of the text rounds up.
#[test]
fn a_pause_follows_a_vote() {
    let mut scene = Scene::new(6);
    scene.ask(1, 6).unwrap();
    scene.ask(2, 6).unwrap();
    scene.ask(3, 6).unwrap();
    scene.ask(4, 6).unwrap();
    scene.step().unwrap();
    scene.leave(6);
    for (seconds, left) in [(0.1, 30), (0.9, 29), (28.0, 1), (0.9, 1)] {
        scene.run(seconds);
        assert_eq!(scene.ask(5, 2), Err(Refusal::Pause { seconds: left }), "{}", scene.seconds());
        scene.leave(5);
        scene.join(5, 5, person("198.51.100.5", None), 60 * MINUTE);
    }
    scene.run(0.1);
    assert_eq!(scene.ask(5, 2), Ok(()));
}

/// CHEAT-66: where votes are off every request has its text, one a second, and nobody is told of anything.
#[test]
fn votes_can_be_off() {
    let off = Settings { allowed: false, ..Settings::default() };
    let mut scene = Scene::of(3, off);
    for _ in 0..3 {
        assert_eq!(scene.ask(1, 2), Err(Refusal::Off));
        assert_eq!(scene.ask(1, 2), Err(Refusal::TooFast));
        scene.run(1.0);
    }
    assert_eq!((scene.told.len(), text(Refusal::Off).is_empty()), (0, false));
    // Turned off in a vote it ends, failing nobody.
    let mut scene = Scene::new(3);
    scene.ask(1, 2).unwrap();
    scene.run(5.0);
    let now = scene.now();
    scene.votes.set_settings(now, off);
    scene.run(2.0);
    assert_eq!((scene.votes.target(), scene.outcomes.len()), (None, 0));
    assert!(scene.votes.cooling().is_empty(now) && scene.votes.protected().is_empty(now));
    assert_eq!(scene.told[&1].last().unwrap().1.slot, None);
    assert!(!scene.is_kept_out(&scene.game.guests[&2].person));
}
