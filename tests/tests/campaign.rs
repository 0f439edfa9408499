//! Levels of the campaign, played together to their end over a bad network.

use mjolnir_tests::Flaw;
use mjolnir_tests::campaign::{Course, Played, Tally, play};

/// Plays it, and says what was not as it must be.
fn plays(course: Course) -> Tally {
    let Played { tally, wrong } = play(course, |_| {});
    println!("{course:?}: {tally}");
    assert!(wrong.is_empty(), "{course:?}: {wrong:#?}");
    tally
}

/// COOP-03, 05, 07 to 10, 15, 18, 21, 66; OBJ-26, 33, 34: bots play the first level to its end with a host and one client, 50 ms each way and
/// one datagram in twenty lost: each event is had once and in order, and every ten seconds what is shown, devices, named objects,
/// allegiances, actors and objects are the host's within the rows' bounds.
#[test]
fn two_machines_play_a_level_to_its_end() {
    for seed in [1, 2] {
        let tally = plays(Course::new(seed, 2));
        assert!(tally.events > 25 && tally.had >= tally.events, "{tally}");
        assert!(tally.compared >= 8 && tally.actors > 20, "{tally}");
    }
}

/// The same of four machines.
#[test]
fn four_machines_play_a_level_to_its_end() {
    let tally = plays(Course::new(3, 4));
    assert!(tally.had >= 3 * tally.events, "{tally}");
}

/// The same of eight, of which one leaves, and one more joins in the middle: who joins has what happens from then on, and what
/// lasts; who leaves has had all that happened until then.
#[test]
fn eight_machines_of_which_some_come_and_go() {
    for seed in [4, 5] {
        let tally = plays(Course::new(seed, 8).with_guests());
        assert!(tally.had >= 6 * tally.events, "{tally}");
    }
}

/// What is wrong on a client is found: an action that is not done, named objects that are not made, actors that do nothing, what
/// scripts show that is not shown.
#[test]
fn what_is_wrong_is_found() {
    for (flaw, what) in [
        (Flaw::ForgetsActions, "showed"),
        (Flaw::KeepsItsNames, "named object"),
        (Flaw::IgnoresActors, "an actor's"),
        (Flaw::ShowsNothing, "shows Presentation"),
    ] {
        let Played { wrong, .. } = play(Course::new(6, 2), |lab| lab.clients[0].engine.flaw = Some(flaw));
        assert!(wrong.iter().any(|of| of.contains(what)), "{flaw:?}: {wrong:#?}");
    }
}
