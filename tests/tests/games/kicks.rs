//! Whom the host kicks: who is told of it, who goes, who may come back, and what becomes of votes meanwhile.

use mjolnir_engine_glue::anticheat::command::Error;
use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::{client, host};
use mjolnir_tests::{Lab, Seating, Who, still};
use mjolnir_wire::Slot;
use mjolnir_wire::packets::Rejection;

use crate::guests::{
    Guest, all_said, come, come_back, console, forget, game, is_in, left, let_in, lobby, machine, plan,
    players, said, settle, status, tally, turned_away, vote, votes, why,
};

const BOB_IS_OUT: &str = "Bob was removed from the game by the host.";
const BOTH_ARE_OUT: &str = "Bob and Eve were removed from the game by the host.";

/// Ann, a machine of Bob and Eve, and Cid.
fn guests() -> [Guest; 3] {
    [Guest::of(0), Guest::of(1).and("Eve"), Guest::of(2)]
}

/// Nothing was written down, and nobody is kept out.
#[track_caller]
fn nobody_is_kept_out(lab: &Lab) {
    let manners = &lab.host.engine.manners;
    assert_eq!((manners.bans.as_str(), manners.cheaters.as_str()), ("", ""));
    let now = lab.host.now(lab.now());
    assert!(lab.host.net.conduct().votes().kept_out().is_empty(now));
}

/// CHEAT-29, 64: in the lobby, in a game and while its scores are shown, the host kicks one of two players of a machine:
/// both go, everybody is told once, with both names, the others stay, and nothing is written down. Where a game is joined, the
/// same machine is let in again at once.
#[test]
fn who_is_kicked_goes_whole_and_may_come_back() {
    for stage in ["lobby", "game", "scores"] {
        let mut lab =
            if stage == "lobby" { lobby(plan(9101), &guests()) } else { game(plan(9101), &guests()) };
        if stage == "scores" {
            lab.end();
            lab.run_seconds(0.5);
        }
        forget(&mut lab);
        assert_eq!(console(&mut lab, "kick eve"), Ok(()), "{stage}");
        lab.run_seconds(0.3);
        // Who goes is told too, before its stream ends.
        all_said(&lab, &[0, 1, 2], &[BOTH_ARE_OUT]);
        assert_eq!(why(&lab, 1), Some(Why::Rejected(Rejection::Blacklisted)), "{stage}");
        assert_eq!(
            (left(&lab), players(&lab)),
            (vec![Why::Kicked], ["P0-0", "Ann", "Cid"].map(String::from).into())
        );
        assert_eq!([0, 2].map(|place| why(&lab, place)), [None; 2], "{stage}");
        nobody_is_kept_out(&lab);
        if stage == "scores" {
            // Nobody joins there, but in the lobby afterwards.
            assert_eq!(turned_away(&mut lab, &guests()[1].clone().port(7)), Rejection::Closed);
            lab.to_lobby();
            lab.run_seconds(0.3);
        }
        let again = come_back(&mut lab, 1, &guests()[1]);
        lab.run_seconds(0.5);
        assert_eq!(lab.host.net.transport().players().count(), 5, "{stage}: it is in within half a second");
        let_in(&mut lab, again);
        if stage == "game" {
            settle(&mut lab);
        }
        nobody_is_kept_out(&lab);
    }
}

/// CHEAT-29, NET-30: who is kicked while it loads a game that is played, and while everybody loads, is told why by the end of its
/// stream; the others are told as ever, once, but those who load hear of nothing; and it may come back.
#[test]
fn who_loads_is_kicked_alike() {
    let mut lab = game(plan(9102), &[Guest::of(0), Guest::of(2)]);
    let loading = Guest::of(1).loads(20);
    let place = come(&mut lab, &loading);
    lab.run_until("it loads", 5, |lab| lab.clients[place].net.stage() == client::Stage::Loading);
    lab.run_seconds(1.0);
    forget(&mut lab);
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    lab.run_seconds(0.3);
    all_said(&lab, &[0, 1], &[BOB_IS_OUT]);
    assert_eq!(
        (said(&lab, Who::Client(place)).len(), why(&lab, place)),
        (0, Some(Why::Rejected(Rejection::Blacklisted)))
    );
    let again = come_back(&mut lab, place, &Guest::of(1));
    let_in(&mut lab, again);
    nobody_is_kept_out(&lab);

    // Everybody loads.
    let mut lab = Lab::open(plan(9103), Seating { load_micros: 3_000_000, ..Seating::of(vec![still()]) });
    for guest in guests() {
        come(&mut lab, &guest);
    }
    lab.gather();
    lab.begin();
    lab.run_seconds(1.0);
    assert_eq!(lab.host.net.stage(), host::Stage::Loading);
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    lab.run_seconds(0.3);
    assert_eq!(said(&lab, Who::Host), [BOTH_ARE_OUT]);
    assert_eq!(why(&lab, 1), Some(Why::Rejected(Rejection::Blacklisted)));
    lab.kill(1);
    settle(&mut lab);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Cid"]);
    let again = come(&mut lab, &guests()[1]);
    let_in(&mut lab, again);
    nobody_is_kept_out(&lab);
}

/// CHEAT-29: who is kicked in the moment in which the host begins the game does not load it, and the others play.
#[test]
fn a_kick_just_before_the_game_counts() {
    let mut lab = lobby(plan(9104), &guests());
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    lab.begin();
    lab.run_seconds(0.3);
    all_said(&lab, &[0, 2], &[BOTH_ARE_OUT]);
    assert_eq!(why(&lab, 1), Some(Why::Rejected(Rejection::Blacklisted)));
    lab.kill(1);
    lab.settle();
    assert_eq!(players(&lab), ["P0-0", "Ann", "Cid"]);
}

/// CHEAT-27, 29, 56, 67: a name that means nobody, several or the host's own player changes nothing, a vote neither; the host alone
/// is told why. So of `ban`.
#[test]
fn a_kick_that_means_nobody_changes_nothing() {
    let guests = [Guest::of(0), Guest::of(1), Guest::of(2).named("Bobby"), Guest::of(3)];
    let mut lab = game(plan(9105), &guests);
    votes(&mut lab, 0, "Bobby");
    assert_eq!(tally(&lab), Some((1, 3)));
    for verb in ["kick", "ban"] {
        for (name, error, text) in [
            ("Zoe", Error::NoPlayer, "No player's name begins so.".to_string()),
            ("bo", Error::Several, "Several players' names begin so: say more of it.".into()),
            ("p0", Error::Own, "That player plays on this machine.".into()),
            ("", Error::Usage, format!("{verb} NAME")),
        ] {
            forget(&mut lab);
            assert_eq!(console(&mut lab, &format!("{verb} {name}")), Err(error), "{verb} {name}");
            lab.run_seconds(0.2);
            assert_eq!(said(&lab, Who::Host), [text]);
            assert!((0..4).all(|place| said(&lab, Who::Client(place)).is_empty() && is_in(&lab, place)));
            assert_eq!(tally(&lab), Some((1, 3)));
        }
        // The scoreboard's: nobody is there.
        let (now, slot) = (lab.host.now(lab.now()), Slot::new(100).unwrap());
        let verb = mjolnir_engine_glue::anticheat::Command::of(verb).unwrap().verb;
        assert!(lab.host.net.act(now, verb, slot).is_err());
        let own = lab.host.slot();
        assert!(lab.host.net.act(now, verb, own).is_err());
    }
    lab.run_seconds(1.0);
    assert_eq!((players(&lab).len(), left(&lab).len(), tally(&lab)), (5, 0, Some((1, 3))));
    nobody_is_kept_out(&lab);
    // "Bob" is one whole name.
    assert_eq!(console(&mut lab, "kick bob"), Ok(()));
    lab.run_seconds(0.3);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Bobby", "Dora"]);
}

/// CHEAT-29: two are kicked in one moment, and one of them twice: each is told of once, and both are gone; the second word on one
/// who is on its way out means nobody.
#[test]
fn two_are_kicked_at_once() {
    for stage in ["lobby", "game"] {
        let guests = [0, 1, 2, 3].map(Guest::of);
        let mut lab = if stage == "lobby" { lobby(plan(9106), &guests) } else { game(plan(9106), &guests) };
        forget(&mut lab);
        assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
        assert_eq!(console(&mut lab, "kick Cid"), Ok(()));
        assert_eq!(console(&mut lab, "kick Bob"), Err(Error::NotJoined));
        assert_eq!(console(&mut lab, "ban Bob"), Err(Error::NotJoined));
        lab.run_seconds(0.3);
        let texts = [BOB_IS_OUT, "Cid was removed from the game by the host."];
        let not = "That player's machine has not joined the game.";
        assert_eq!(said(&lab, Who::Host), [texts[0], texts[1], not, not], "{stage}");
        for place in [0, 1, 2, 3] {
            assert_eq!(said(&lab, Who::Client(place)), texts, "{stage} {place}");
        }
        assert_eq!(
            (players(&lab), left(&lab).len()),
            (["P0-0", "Ann", "Dora"].map(String::from).into(), 2),
            "{stage}"
        );
        nobody_is_kept_out(&lab);
    }
}

/// CHEAT-29, 67: who is kicked in the very moment in which it leaves is gone once, and told of once; whoever comes then and is the
/// machine of that number next stays, whichever of the two the host heard first.
#[test]
fn who_leaves_as_it_is_kicked_is_gone_once() {
    for (stage, votes_run) in [("lobby", false), ("game", false), ("game", true)] {
        let guests = [0, 1, 2].map(Guest::of);
        let mut lab = if stage == "lobby" { lobby(plan(9107), &guests) } else { game(plan(9107), &guests) };
        if votes_run {
            votes(&mut lab, 0, "Bob");
        }
        forget(&mut lab);
        // Its leaving waits at the host, and so does the other's coming.
        let now = lab.now();
        lab.host.sleep_until(now + 30_000);
        lab.quit(1);
        let late = come(&mut lab, &Guest::of(3));
        lab.run_seconds(0.02);
        assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
        lab.run_seconds(0.5);
        all_said(&lab, &[0, 2], &[BOB_IS_OUT]);
        assert_eq!(left(&lab).len(), 1, "{stage}");
        let_in(&mut lab, late);
        lab.run_seconds(1.0);
        assert_eq!((why(&lab, late), left(&lab).len(), tally(&lab)), (None, 1, None), "{stage}");
        nobody_is_kept_out(&lab);
    }
}

/// CHEAT-29: a machine that is kicked, gone and followed by another within one tick of the host, which has its number then: the
/// other one stays.
#[test]
fn a_kick_is_not_its_successors() {
    let mut lab = game(plan(9108), &[0, 1, 2].map(Guest::of));
    let number = machine(&lab, 1);
    let mut met = 0;
    for round in 0..12 {
        let place = if round == 0 { 1 } else { lab.clients.len() - 1 };
        lab.run_ticks(1);
        assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
        // At any moment of the tick, its leaving and the next one's joining come before it is judged.
        lab.run_seconds(0.002 * f64::from(round % 4));
        forget(&mut lab);
        lab.kill(place);
        let next = come(&mut lab, &Guest::of(1).at(&format!("10.0.3.{}", round + 1)));
        lab.run_seconds(0.5);
        assert_eq!(why(&lab, next), None, "round {round}");
        let_in(&mut lab, next);
        met += u32::from(machine(&lab, next) == number);
    }
    assert!(met > 0, "no number was had again");
}

/// CHEAT-67, 29, 36: a kick of whom a vote is on ends the vote as neither passed nor failed: nobody is kept out, cooling or
/// protected, all are told that it is over, the machine comes back at once, and a new vote is refused at 29 s and begins at 30.
#[test]
fn a_kick_ends_the_vote_on_whom_it_kicks() {
    let mut lab = game(plan(9109), &[0, 1, 2, 3].map(Guest::of));
    votes(&mut lab, 0, "Bob");
    votes(&mut lab, 2, "Bob");
    assert_eq!(tally(&lab), Some((2, 3)));
    lab.run_seconds(1.0);
    forget(&mut lab);
    let kicked = lab.now();
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    lab.run_seconds(0.3);
    all_said(&lab, &[0, 2, 3], &[BOB_IS_OUT]);
    assert!(
        [Who::Host, Who::Client(0), Who::Client(2), Who::Client(3)]
            .iter()
            .all(|who| status(&lab, *who).is_none())
    );
    let again = come_back(&mut lab, 1, &Guest::of(1));
    let_in(&mut lab, again);
    nobody_is_kept_out(&lab);
    let votes_of = |lab: &Lab| {
        let (now, votes) = (lab.host.now(lab.now()), lab.host.net.conduct().votes());
        (votes.cooling().len(now), votes.protected().len(now))
    };
    assert_eq!(votes_of(&lab), (0, 0));
    let until = |lab: &mut Lab, seconds: f64| {
        let at = kicked + (seconds * 1e6) as u64;
        lab.run_seconds((at - lab.now()) as f64 / 1e6);
    };
    until(&mut lab, 28.9);
    forget(&mut lab);
    votes(&mut lab, 0, "Bob");
    assert_eq!(
        (said(&lab, Who::Client(0)), tally(&lab)),
        (vec!["The next vote can start in 2 seconds."], None)
    );
    until(&mut lab, 30.1);
    votes(&mut lab, 0, "Bob");
    assert_eq!(tally(&lab), Some((1, 3)));
    assert_eq!(said(&lab, Who::Client(0)).len(), 1);
}

/// CHEAT-67: a kick of another leaves the vote as it is, but for the other's vote in it; nobody is told that it is over.
#[test]
fn a_kick_leaves_the_vote_on_another() {
    let mut lab = game(plan(9110), &[0, 1, 2, 3, 4].map(Guest::of));
    votes(&mut lab, 0, "Cid");
    votes(&mut lab, 1, "Cid");
    assert_eq!(tally(&lab), Some((2, 4)));
    forget(&mut lab);
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    for _ in 0..20 {
        lab.run_seconds(0.1);
        assert!(status(&lab, Who::Client(0)).is_some_and(|status| status.slot.is_some()));
    }
    // Four homes are left with the target's and the host's: three votes are needed of five.
    assert_eq!(tally(&lab), Some((1, 3)));
    all_said(&lab, &[0, 2, 3, 4], &[BOB_IS_OUT]);
    nobody_is_kept_out(&lab);
    // Who is back has no vote in it, and it passes without.
    let again = come_back(&mut lab, 1, &Guest::of(1));
    let_in(&mut lab, again);
    forget(&mut lab);
    votes(&mut lab, again, "Cid");
    assert_eq!(
        said(&lab, Who::Client(again)),
        ["You had not played long enough to vote when this vote began."]
    );
    votes(&mut lab, 3, "Cid");
    votes(&mut lab, 4, "Cid");
    lab.run_seconds(0.3);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Dora", "Emil", "Bob"]);
}

/// CHEAT-63: the host's own `votekick` is a vote of those needed, and no kick.
#[test]
fn the_hosts_votekick_is_a_vote() {
    let mut lab = game(plan(9111), &[0, 1, 2].map(Guest::of));
    forget(&mut lab);
    assert_eq!(console(&mut lab, "votekick Bob"), Ok(()));
    lab.run_seconds(1.5);
    // A second one is not counted.
    assert_eq!(console(&mut lab, "votekick Bob"), Ok(()));
    lab.run_seconds(1.0);
    assert_eq!((tally(&lab), players(&lab).len()), (Some((1, 3)), 4));
    assert_eq!(
        (said(&lab, Who::Host), status(&lab, Who::Host).unwrap().you_voted),
        (vec!["You have voted."], true)
    );
    assert!((0..3).all(|place| said(&lab, Who::Client(place)).is_empty()));
    let statuses = [0, 1, 2].map(|place| status(&lab, Who::Client(place)).unwrap());
    assert_eq!(
        statuses.map(|of| (of.votes, of.needed, of.you_voted, of.you_may_vote)),
        [(1, 3, false, true), (1, 3, false, false), (1, 3, false, true),]
    );
    for place in [0, 2] {
        assert!(vote(&mut lab, place, "Bob"));
    }
    lab.run_seconds(0.3);
    assert_eq!(players(&lab), ["P0-0", "Ann", "Cid"]);
}
