//! What votes to kick come to: who goes, who is kept out and for how long, whose votes count, and what ends one. How they are counted
//! is the fair-play crate's to show.

use mjolnir_engine_glue::anticheat::votes::Settings;
use mjolnir_engine_glue::client;
use mjolnir_engine_glue::transport::Why;
use mjolnir_tests::{Lab, Who};
use mjolnir_wire::packets::Rejection;

use crate::guests::{
    Guest, VOTES, all_said, come, come_back, console, forget, game, game_of, is_in, left, let_in, lobby,
    machine, plan, players, remembered, run_to, said, set, settle, status, tally, turned_away, vote, votes,
    why,
};

/// Nothing was written down.
#[track_caller]
fn nothing_is_written(lab: &Lab) {
    let manners = &lab.host.engine.manners;
    assert_eq!((manners.bans.as_str(), manners.cheaters.as_str()), ("", ""));
}

/// CHEAT-38, 34, 64: a vote that passes kicks the whole machine, once, with the words that name all its players, within a tick of
/// the vote that decides; it is kept out by address and by hardware id for the minutes that the host wants and not longer; nothing
/// is written down, and who plays on is let in again as ever.
#[test]
fn who_is_voted_out_is_kept_out() {
    for minutes in [1_u16, 10] {
        let guests = [Guest::of(0), Guest::of(1).and("Eve"), Guest::of(2), Guest::of(3)];
        let mut lab = game(plan(9305), &guests);
        set(&mut lab, Settings { ban_minutes: minutes, ..VOTES });
        forget(&mut lab);
        votes(&mut lab, 0, "Eve");
        votes(&mut lab, 2, "Bob");
        assert_eq!((tally(&lab), players(&lab).len()), (Some((2, 3)), 6));
        let passed = lab.now();
        votes(&mut lab, 3, "Eve");
        let text = if minutes == 1 {
            "Bob and Eve were kicked by vote, and may join again in 1 minute."
        } else {
            "Bob and Eve were kicked by vote, and may join again in 10 minutes."
        };
        all_said(&lab, &[0, 1, 2, 3], &[text]);
        assert_eq!(
            (why(&lab, 1), left(&lab)),
            (Some(Why::Rejected(Rejection::Blacklisted)), vec![Why::Kicked])
        );
        assert_eq!(
            (players(&lab), remembered(&lab)),
            (["P0-0", "Ann", "Cid", "Dora"].map(String::from).into(), [1, 0, 0])
        );
        lab.kill(1);
        let [again, by_address, by_id, new] = [
            Guest::of(1),
            Guest::of(1).id('d').named("Saint").port(6000),
            Guest::of(1).at("10.0.9.9"),
            Guest::of(1).at("10.0.9.9").id('d'),
        ];
        for at in [1.0, f64::from(minutes) * 60.0 - 1.0] {
            run_to(&mut lab, passed, at);
            for guest in [&again, &by_address, &by_id, &by_address.clone().at("::ffff:10.0.2.2")] {
                assert_eq!(turned_away(&mut lab, guest), Rejection::Blacklisted, "at {at}: {guest:?}");
            }
            let other = come(&mut lab, &new);
            let_in(&mut lab, other);
            lab.quit(other);
            lab.run_seconds(0.1);
            lab.kill(other);
            if at < 2.0 {
                lab.run_seconds(0.1);
            }
        }
        run_to(&mut lab, passed, f64::from(minutes) * 60.0 + 1.0);
        for guest in [&by_address.clone().id('f'), &by_id.clone().port(6000)] {
            let place = come(&mut lab, guest);
            let_in(&mut lab, place);
        }
        assert_eq!(remembered(&lab), [0; 3]);
        nothing_is_written(&lab);
    }
}

/// CHEAT-38, 60: the target that leaves ten seconds into the vote is kept out as if it had passed, and everybody is told; whoever
/// is that machine, or of that name, next plays on, and no vote is on it.
#[test]
fn a_target_that_leaves_is_kept_out() {
    for killed in [false, true] {
        let mut lab = game_of(9306, 3);
        let number = machine(&lab, 1);
        let began = lab.now();
        votes(&mut lab, 0, "Bob");
        run_to(&mut lab, began, 10.0);
        forget(&mut lab);
        if killed {
            lab.kill(1);
        } else {
            lab.quit(1);
        }
        lab.run_seconds(0.3);
        all_said(&lab, &[0, 2], &["Bob left during a vote to kick, and may join again in 1 minute."]);
        assert_eq!((tally(&lab), remembered(&lab)), (None, [1, 0, 0]));
        let other = come(&mut lab, &Guest::of(3).named("Bob"));
        let_in(&mut lab, other);
        assert_eq!(machine(&lab, other), number);
        lab.kill(1);
        for guest in [Guest::of(1), Guest::of(1).at("10.0.9.9"), Guest::of(1).id('d').named("Saint")] {
            assert_eq!(turned_away(&mut lab, &guest), Rejection::Blacklisted);
        }
        run_to(&mut lab, began, 69.0);
        assert_eq!(turned_away(&mut lab, &Guest::of(1)), Rejection::Blacklisted);
        assert_eq!((why(&lab, other), left(&lab).len(), is_in(&lab, other)), (None, 1, true));
        run_to(&mut lab, began, 71.0);
        let place = come(&mut lab, &Guest::of(1));
        let_in(&mut lab, place);
        nothing_is_written(&lab);
    }
}

/// CHEAT-38, 64: the vote that decides is heard in the very tick in which its target leaves, and another takes its place: whichever
/// is first, the target is kept out and told of once, and the other stays.
#[test]
fn a_vote_passes_as_its_target_leaves() {
    for target_first in [false, true] {
        let mut lab = game_of(9307, 3);
        votes(&mut lab, 0, "Bob");
        votes(&mut lab, 2, "Bob");
        forget(&mut lab);
        lab.host.sleep_until(lab.now() + 120_000);
        if target_first {
            lab.kill(1);
        }
        assert_eq!(console(&mut lab, "votekick Bob"), Ok(()));
        lab.kill(1);
        let other = come(&mut lab, &Guest::of(3));
        lab.run_seconds(0.5);
        assert_eq!((said(&lab, Who::Host).len(), left(&lab).len(), remembered(&lab)), (1, 1, [1, 0, 0]));
        all_said(&lab, &[0, 2], &[said(&lab, Who::Host)[0]]);
        let_in(&mut lab, other);
        lab.run_seconds(1.0);
        assert_eq!((why(&lab, other), left(&lab).len()), (None, 1));
        lab.kill(1);
        assert_eq!(turned_away(&mut lab, &Guest::of(1)), Rejection::Blacklisted);
    }
}

/// CHEAT-60: a leaver's vote goes along; back again it has none in this vote, and what is needed is of those who were there and stay.
#[test]
fn a_leavers_vote_goes_along() {
    let mut lab = game_of(9308, 5);
    votes(&mut lab, 0, "Bob");
    votes(&mut lab, 2, "Bob");
    votes(&mut lab, 3, "Bob");
    assert_eq!(tally(&lab), Some((3, 4)));
    // Of five homes three votes are enough, but its own goes with it.
    lab.quit(3);
    lab.run_seconds(0.3);
    assert_eq!(tally(&lab), Some((2, 3)));
    let again = come_back(&mut lab, 3, &Guest::of(3));
    let_in(&mut lab, again);
    lab.run_seconds(1.2);
    forget(&mut lab);
    votes(&mut lab, again, "Bob");
    assert_eq!(
        said(&lab, Who::Client(again)),
        ["You had not played long enough to vote when this vote began."]
    );
    assert_eq!(tally(&lab), Some((2, 3)));
    let shown = status(&lab, Who::Client(again)).unwrap();
    assert_eq!((shown.you_voted, shown.you_may_vote), (false, false));
    // The starter's leaving ends nothing.
    lab.quit(0);
    lab.run_seconds(0.3);
    assert_eq!(tally(&lab), Some((1, 3)));
    votes(&mut lab, 4, "Bob");
    assert_eq!(console(&mut lab, "votekick Bob"), Ok(()));
    lab.run_seconds(0.3);
    assert_eq!((tally(&lab), remembered(&lab)), (None, [1, 0, 0]));
    assert_eq!(players(&lab), ["P0-0", "Cid", "Emil", "Dora"]);
}

/// CHEAT-35, 60: friends that join while a vote runs neither vote in it nor make more votes needed, those that still load as little;
/// they are told how it stands once they are in.
#[test]
fn who_joins_during_a_vote_is_no_part_of_it() {
    let mut lab = game_of(9309, 3);
    votes(&mut lab, 0, "Bob");
    assert_eq!(tally(&lab), Some((1, 3)));
    let friends: Vec<_> =
        (3..7).map(|of| come(&mut lab, &Guest::of(of).loads(u64::from(of) % 2 * 2))).collect();
    for place in &friends {
        let_in(&mut lab, *place);
    }
    lab.run_seconds(1.2);
    forget(&mut lab);
    for place in &friends {
        let shown = status(&lab, Who::Client(*place)).unwrap();
        assert_eq!((shown.votes, shown.needed, shown.you_may_vote), (1, 3, false));
        assert!(vote(&mut lab, *place, "Bob"));
    }
    lab.run_seconds(0.3);
    assert_eq!(tally(&lab), Some((1, 3)));
    for place in friends {
        assert_eq!(
            said(&lab, Who::Client(place)),
            ["You had not played long enough to vote when this vote began."]
        );
    }
    votes(&mut lab, 2, "Bob");
    assert_eq!(console(&mut lab, "votekick Bob"), Ok(()));
    lab.run_seconds(0.3);
    assert_eq!(players(&lab).len(), 7);
    assert!(!players(&lab).contains(&"Bob".into()));
}

/// CHEAT-37, 36: a vote fails at 45 s; who started it starts none for 300 s, and nobody one on its target for 600, whatever they are
/// called and however often they come back, at another address by their hardware id, and with another id from their address.
#[test]
fn cool_downs_outlive_rejoining() {
    let mut lab = game_of(9310, 4);
    let began = lab.now();
    votes(&mut lab, 0, "Bob");
    run_to(&mut lab, began, 44.8);
    assert_eq!(tally(&lab), Some((1, 3)));
    run_to(&mut lab, began, 45.2);
    assert_eq!((tally(&lab), remembered(&lab), players(&lab).len()), (None, [0, 1, 1], 5));
    forget(&mut lab);
    run_to(&mut lab, began, 76.0);
    // Starter and target are others by what they say, and the same by what is known of them.
    lab.quit(0);
    lab.quit(1);
    lab.run_seconds(0.3);
    let starter = come_back(&mut lab, 0, &Guest::of(0).at("10.0.9.1").named("Zoe"));
    let target = come_back(&mut lab, 1, &Guest::of(1).id('f').named("Saint"));
    for place in [starter, target] {
        let_in(&mut lab, place);
    }
    forget(&mut lab);
    votes(&mut lab, starter, "Cid");
    votes(&mut lab, 3, "Saint");
    let texts = [
        "Your last vote failed: you can start another in",
        "A vote on that player failed a short while ago.",
    ];
    assert!(said(&lab, Who::Client(starter))[0].starts_with(texts[0]));
    assert_eq!((said(&lab, Who::Client(3)), tally(&lab)), (vec![texts[1]], None));
    // As often as an address may in one game, each by another name.
    let mut place = starter;
    for name in ["A", "B", "C", "D", "E", "F"] {
        lab.quit(place);
        lab.run_seconds(0.2);
        place = come_back(&mut lab, place, &Guest::of(0).id('f').named(name));
        let_in(&mut lab, place);
        votes(&mut lab, place, "Cid");
        assert_eq!(tally(&lab), None, "{name}");
    }
    run_to(&mut lab, began, 45.0 + 299.5);
    forget(&mut lab);
    votes(&mut lab, place, "Cid");
    assert_eq!(said(&lab, Who::Client(place)), ["Your last vote failed: you can start another in 1 second."]);
    run_to(&mut lab, began, 45.0 + 301.0);
    votes(&mut lab, place, "Cid");
    assert_eq!(tally(&lab).map(|(votes, _)| votes), Some(1));
    // Of that one nothing is left by then.
    assert_eq!(console(&mut lab, "kick Cid"), Ok(()));
    run_to(&mut lab, began, 45.0 + 599.0);
    forget(&mut lab);
    votes(&mut lab, 3, "Saint");
    assert_eq!((said(&lab, Who::Client(3)), tally(&lab)), (vec![texts[1]], None));
    run_to(&mut lab, began, 45.0 + 601.0);
    votes(&mut lab, 3, "Saint");
    assert_eq!(tally(&lab).map(|(votes, _)| votes), Some(1));
    nothing_is_written(&lab);
}

/// CHEAT-32, 33, 34: two machines behind one address have one vote together, and count once; another hardware id adds none, and one
/// that is copied from elsewhere only takes one away.
#[test]
fn a_household_has_one_vote() {
    let home = |name, port, id| Guest::new(name, "10.0.2.9").port(port).id(id);
    let guests = [
        home("Ann", 5151, 'a'),
        home("Fay", 5152, 'f'),
        Guest::of(1),
        Guest::of(2).id('d'),
        Guest::of(3).id('d'),
        Guest::of(4),
    ];
    let mut lab = game(plan(9311), &guests);
    forget(&mut lab);
    votes(&mut lab, 0, "Bob");
    // The host, the home, Bob, Cid, Dora and Emil.
    assert_eq!(tally(&lab), Some((1, 4)));
    votes(&mut lab, 1, "Bob");
    assert_eq!((said(&lab, Who::Client(1)), tally(&lab)), (vec!["You have voted."], Some((1, 4))));
    lab.run_seconds(1.0);
    assert!(status(&lab, Who::Client(1)).unwrap().you_voted);
    votes(&mut lab, 3, "Bob");
    votes(&mut lab, 4, "Bob");
    assert_eq!((said(&lab, Who::Client(4)), tally(&lab)), (vec!["You have voted."], Some((2, 4))));
    // The one who voted leaves the home: the other may, then.
    lab.quit(0);
    lab.run_seconds(1.2);
    assert_eq!(tally(&lab), Some((1, 4)));
    votes(&mut lab, 1, "Bob");
    assert_eq!(tally(&lab), Some((2, 4)));
    // One of a home cannot vote on another of it.
    lab.run_seconds(1.0);
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    lab.run_seconds(31.0);
    let again = come_back(&mut lab, 0, &guests[0]);
    let_in(&mut lab, again);
    forget(&mut lab);
    votes(&mut lab, 1, "Ann");
    assert_eq!(
        said(&lab, Who::Client(1)),
        ["You cannot vote on a player with your own address or machine id."]
    );
    assert_eq!(tally(&lab), None);
    // Voted out, it alone goes of the home; and neither of the home may come.
    for place in [3, 5] {
        votes(&mut lab, place, "Ann");
    }
    assert_eq!(console(&mut lab, "votekick Ann"), Ok(()));
    lab.run_seconds(0.3);
    assert_eq!(players(&lab), ["P0-0", "Fay", "Cid", "Dora", "Emil"]);
    lab.run_seconds(5.0);
    assert!(is_in(&lab, 1));
    lab.quit(1);
    lab.run_seconds(0.2);
    lab.kill(1);
    assert_eq!(turned_away(&mut lab, &guests[1]), Rejection::Blacklisted);
}

/// CHEAT-62, 36: the next round ends a vote that runs: nobody is kicked, cooling, protected or kept out, everybody hears that it is
/// over, and the next begins thirty seconds later. Played minutes and who is kept out go on.
#[test]
fn the_next_round_ends_a_vote() {
    let mut lab = game_of(9312, 4);
    votes(&mut lab, 0, "Bob");
    votes(&mut lab, 2, "Bob");
    assert_eq!(tally(&lab), Some((2, 3)));
    let record = *lab.host.net.transport().record();
    let start = lab.tick();
    forget(&mut lab);
    assert!(lab.begin_next(&record, start));
    let over = lab.now();
    lab.settle();
    lab.run_seconds(0.5);
    let everybody = [Who::Host, Who::Client(0), Who::Client(1), Who::Client(2), Who::Client(3)];
    assert!(everybody.iter().all(|who| status(&lab, *who).is_none()));
    assert_eq!((remembered(&lab), players(&lab).len(), left(&lab).len()), ([0; 3], 5, 0));
    all_said(&lab, &[0, 1, 2, 3], &[]);
    run_to(&mut lab, over, 28.5);
    votes(&mut lab, 0, "Bob");
    assert_eq!(said(&lab, Who::Client(0)), ["The next vote can start in 2 seconds."]);
    run_to(&mut lab, over, 30.1);
    votes(&mut lab, 0, "Bob");
    assert_eq!(tally(&lab), Some((1, 3)));
    for place in [2, 3] {
        votes(&mut lab, place, "Bob");
    }
    assert_eq!(remembered(&lab), [1, 0, 0]);
    lab.kill(1);
    let start = lab.tick();
    assert!(lab.begin_next(&record, start));
    lab.run_seconds(0.5);
    settle(&mut lab);
    assert_eq!(turned_away(&mut lab, &Guest::of(1)), Rejection::Blacklisted);
}

/// CHEAT-62: a game's end ends a vote without failing anyone, on its scores as in the lobby after it: who shares its target's address
/// may come, and the target may go.
#[test]
fn the_games_end_ends_a_vote() {
    for is_lobby in [false, true] {
        let mut lab = game_of(9319, 4);
        votes(&mut lab, 0, "Bob");
        assert_eq!(tally(&lab), Some((1, 3)));
        lab.end();
        forget(&mut lab);
        if is_lobby {
            lab.to_lobby();
        }
        lab.run_seconds(0.5);
        assert_eq!((tally(&lab), remembered(&lab)), (None, [0; 3]));
        lab.quit(1);
        lab.run_seconds(0.3);
        assert_eq!((remembered(&lab), said(&lab, Who::Host)), ([0; 3], vec![""; 0]));
        if is_lobby {
            let neighbour = come(&mut lab, &Guest::of(4).at("10.0.2.2").port(6000));
            let_in(&mut lab, neighbour);
            let again = come_back(&mut lab, 1, &Guest::of(1));
            let_in(&mut lab, again);
        }
    }
}

/// CHEAT-38, 64: a vote on a machine that still loads passes as any, and it goes without having played.
#[test]
fn who_loads_is_voted_out() {
    let mut lab = game_of(9315, 3);
    let place = come(&mut lab, &Guest::of(3).loads(60));
    lab.run_until("it loads", 5, |lab| lab.clients[place].net.stage() == client::Stage::Loading);
    lab.run_seconds(0.5);
    forget(&mut lab);
    for by in [0, 1, 2] {
        votes(&mut lab, by, "Dora");
    }
    // It counts as the target: five homes.
    all_said(&lab, &[0, 1, 2], &["Dora was kicked by vote, and may join again in 1 minute."]);
    assert_eq!((why(&lab, place), players(&lab).len()), (Some(Why::Rejected(Rejection::Blacklisted)), 4));
    lab.kill(place);
    assert_eq!(turned_away(&mut lab, &Guest::of(3)), Rejection::Blacklisted);
}

/// CHEAT-35: what starting takes is played in the host's own ticks since the machine joined: refused a moment before the minutes are
/// full, heard after; the lobby does not count, a round's time goes on into the next, and who comes again begins anew. Voting takes
/// two minutes where starting takes more.
#[test]
fn minutes_are_played() {
    for minutes in [1_u8, 5] {
        let mut lab = lobby(plan(9316), &[0, 1, 2].map(Guest::of));
        set(&mut lab, Settings { minutes, ..VOTES });
        lab.run_seconds(70.0);
        lab.begin();
        lab.settle();
        let full = u32::from(minutes) * 1800;
        let run_to_tick = |lab: &mut Lab, tick: u32| lab.run_ticks(tick - lab.host.ticks);
        run_to_tick(&mut lab, full / 2);
        // The pause between the rounds does not count.
        let record = *lab.host.net.transport().record();
        let start = lab.tick();
        assert!(lab.begin_next(&record, start));
        lab.settle();
        run_to_tick(&mut lab, full - 30);
        forget(&mut lab);
        votes(&mut lab, 0, "Bob");
        let plural = if minutes == 1 { "" } else { "s" };
        let text = format!("You can start a vote after {minutes} minute{plural} here.");
        assert_eq!((said(&lab, Who::Client(0)), tally(&lab)), (vec![text.as_str()], None));
        run_to_tick(&mut lab, full + 5);
        votes(&mut lab, 0, "Bob");
        assert_eq!(tally(&lab), Some((1, 3)));
        lab.quit(0);
        lab.run_seconds(0.3);
        assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
        let again = come_back(&mut lab, 0, &Guest::of(0));
        let_in(&mut lab, again);
        lab.run_seconds(31.0);
        forget(&mut lab);
        votes(&mut lab, again, "Cid");
        assert_eq!((said(&lab, Who::Client(again)), tally(&lab)), (vec![text.as_str()], None));
    }

    // Of those who came later one has played for 1:59 as the vote begins, and one for 2:01.
    let mut lab = game_of(9317, 2);
    set(&mut lab, Settings { minutes: 5, ..VOTES });
    lab.run_ticks(9000 - 3630);
    let longer = come(&mut lab, &Guest::of(2));
    lab.run_ticks(60);
    let shorter = come(&mut lab, &Guest::of(3));
    lab.run_ticks(3570);
    assert!(vote(&mut lab, 0, "Bob"));
    lab.run_ticks(35);
    assert_eq!(tally(&lab), Some((1, 3)));
    forget(&mut lab);
    votes(&mut lab, longer, "Bob");
    votes(&mut lab, shorter, "Bob");
    assert_eq!(tally(&lab), Some((2, 3)));
    assert_eq!(
        said(&lab, Who::Client(shorter)),
        ["You had not played long enough to vote when this vote began."]
    );
    assert_eq!(said(&lab, Who::Client(longer)), [""; 0]);
}
