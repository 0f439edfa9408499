//! Votes in the assembled host: what their ends come to, and that a kick is none.

use mjolnir_anticheat::command::Verb;
use mjolnir_anticheat::votes::Refusal;
use mjolnir_wire::votekick::VotekickStatus;

use super::scene::{Scene, anyone, machine, slot};

/// Four guests who have played long enough.
fn scene() -> Scene {
    let mut scene = Scene::new(4);
    scene.run(301);
    scene.done();
    scene
}

/// CHEAT-30, 38, 64: a vote that passes is announced with its minutes, and its target goes and is kept out for as long.
#[test]
fn a_vote_that_passes_drops_its_target() {
    let mut scene = scene();
    scene.seat(4, 9, "Guest");
    for (from, done) in [(1, 0), (2, 0), (3, 2)] {
        scene.vote(from, 4);
        scene.tick();
        assert_eq!(scene.host.next_output().is_some(), done > 0, "{from}");
    }
    assert_eq!(scene.done(), ["drop 4"]);
    scene.leave(4);
    scene.run(30 * 60 - 1);
    assert!(scene.host.is_kept_out(scene.now(), &anyone(4)));
    scene.run(2);
    assert!(!scene.host.is_kept_out(scene.now(), &anyone(4)));
    assert_eq!(scene.done(), [""; 0]);
}

/// CHEAT-38: its announcement, and that of one whose target leaves, name all of the machine's players.
#[test]
fn ends_are_announced() {
    let mut scene = scene();
    (1..=3).for_each(|from| scene.vote(from, 4));
    scene.tick();
    assert_eq!(scene.done(), ["all: P4 was kicked by vote, and may join again in 30 minutes.", "drop 4"]);
    scene.leave(4);
    scene.run(31);
    scene.vote(1, 3);
    scene.leave(3);
    assert_eq!(scene.done(), ["all: P3 left during a vote to kick, and may join again in 30 minutes."]);
    assert!(scene.host.is_kept_out(scene.now(), &anyone(3)));
}

/// CHEAT-37: a vote that fails is announced to nobody, and its target stays.
#[test]
fn a_vote_that_fails_comes_to_nothing() {
    let mut scene = scene();
    scene.vote(1, 4);
    scene.run(46);
    assert_eq!((scene.done(), scene.host.votes().target()), (vec![], None));
    scene.vote(1, 3);
    assert_eq!(scene.done().len(), 1, "its starter cools down, and is told so");
}

/// CHEAT-58: why a vote is refused is for its asker alone.
#[test]
fn a_refusal_is_for_its_asker() {
    let mut scene = scene();
    scene.vote(1, 1);
    scene.vote(2, 0);
    scene.vote(3, 77);
    let done = scene.done();
    let to: Vec<_> = done.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(to, ["1", "2", "3"], "{done:#?}");
    // Within a second nobody is told.
    scene.vote(1, 1);
    assert_eq!(scene.done(), [""; 0]);
}

/// CHEAT-63, 41: the host's own vote counts as one, by its console and by its scoreboard.
#[test]
fn the_hosts_vote_is_one() {
    let mut scene = scene();
    scene.command("votekick p4");
    assert_eq!(scene.host.vote(scene.now()).votes, 1);
    let now = scene.now();
    scene.host.act(now, Verb::Votekick, slot(4)).unwrap();
    // Twice within a second: dropped without a word.
    assert_eq!((scene.host.vote(now).votes, scene.done()), (1, vec![]));
    (1..=2).for_each(|from| scene.vote(from, 4));
    scene.tick();
    assert_eq!(scene.done().last().map(String::as_str), Some("drop 4"));
}

/// CHEAT-35, 63: a host on which nobody plays votes all the same, and starts one at once: its vote is one of those needed.
#[test]
fn a_host_without_players_votes() {
    let mut scene = Scene::new(3);
    scene.players.retain(|player| player.machine != machine(0));
    scene.host.set_players(scene.players.iter().copied());
    scene.command("votekick P3");
    assert_eq!(scene.done(), [""; 0]);
    let VotekickStatus { votes, needed, you_voted, you_may_vote, .. } = scene.host.vote(scene.now());
    // Its guests have not played long enough: itself and the target.
    assert_eq!((votes, needed, you_voted, you_may_vote), (1, 2, true, true));
    // Where others begin it, it has no vote in it.
    let mut scene = self::scene();
    scene.players.retain(|player| player.machine != machine(0));
    scene.host.set_players(scene.players.iter().copied());
    scene.vote(1, 4);
    let VotekickStatus { votes, needed, you_voted, you_may_vote, .. } = scene.host.vote(scene.now());
    assert_eq!((votes, needed, you_voted, you_may_vote), (1, 3, false, false));
}

/// CHEAT-67, 29, 39: a kick of the target ends the vote first: one announcement, nobody is kept out, the end is told once, and the
/// next may begin after 30 seconds.
#[test]
fn a_kick_ends_the_vote_on_its_target() {
    let mut scene = scene();
    scene.vote(1, 2);
    scene.told_of_votes();
    scene.command("kick p2");
    assert_eq!(scene.done(), ["all: P2 was removed from the game by the host.", "drop 2"]);
    let ended_at = scene.at;
    scene.leave(2);
    scene.tick();
    let told = scene.told_of_votes();
    assert_eq!(told.keys().copied().collect::<Vec<_>>(), [1, 3, 4]);
    assert!(told.values().all(|told| told == &[VotekickStatus::default()]), "{told:?}");
    scene.tick();
    assert!(scene.told_of_votes().is_empty());
    assert!(scene.host.votes().kept_out().is_empty(scene.now()));
    assert!(!scene.host.is_kept_out(scene.now(), &anyone(2)));
    scene.join(2, anyone(2));
    scene.run(28);
    assert!(scene.at - ended_at < 30 * 30);
    let ask = |scene: &mut Scene| scene.host.handle_vote(scene.now(), machine(1), slot(3));
    assert_eq!(ask(&mut scene), Err(Refusal::Pause { seconds: 2 }));
    scene.run(2);
    assert_eq!(ask(&mut scene), Ok(()));
}

/// CHEAT-67: a kick of another leaves the vote as it is, and so does one that means nobody; a ban is as a kick.
#[test]
fn another_kick_leaves_the_vote_alone() {
    let mut scene = scene();
    scene.vote(1, 3);
    scene.told_of_votes();
    scene.command("kick zed");
    scene.command("kick p2");
    assert_eq!(scene.host.votes().target(), Some(machine(3)));
    assert_eq!(scene.host.vote(scene.now()).votes, 1);
    scene.leave(2);
    scene.command("ban p3");
    assert_eq!(scene.host.votes().target(), None);
    scene.leave(3);
    assert!(!scene.host.is_kept_out(scene.now(), &anyone(3)));
    let left = scene.done().into_iter().filter(|line| line.contains("left during"));
    assert_eq!(left.count(), 0);
}

/// CHEAT-67: a vote that has all its votes in the tick in which its target is found to cheat is over before it passes.
#[test]
fn a_cheater_is_dropped_once() {
    let mut scene = scene();
    scene.speed_up(4, 2.0, &[mjolnir_anticheat::Way::Stream, mjolnir_anticheat::Way::Datagram]);
    while !scene.host.is_refused(machine(4)) {
        scene.tick();
    }
    (0..8 * 30 - 1).for_each(|_| scene.tick());
    (1..=3).for_each(|from| scene.vote(from, 4));
    scene.tick();
    let done = scene.done();
    assert_eq!(done.iter().filter(|line| *line == "drop 4").count(), 1, "{done:#?}");
    assert!(done.iter().any(|line| line.contains("dropped for cheating")), "{done:#?}");
    assert!(!done.iter().any(|line| line.contains("by vote")), "{done:#?}");
    // Nor is it kept out by a vote that it would have fled.
    assert!(
        scene.host.votes().kept_out().is_empty(scene.now()) && scene.host.vote(scene.now()).slot.is_none()
    );
}

/// CHEAT-62: another game ends a vote, and nobody is the worse for it.
#[test]
fn another_game_ends_a_vote() {
    let mut scene = scene();
    scene.vote(1, 2);
    let now = scene.now();
    scene.host.begin_game(now);
    let votes = scene.host.votes();
    assert_eq!(votes.target(), None);
    assert!(
        votes.kept_out().is_empty(now) && votes.cooling().is_empty(now) && votes.protected().is_empty(now)
    );
    assert_eq!(scene.done(), [""; 0]);
}
