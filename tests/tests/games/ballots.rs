//! Votes to kick: how they travel, what they come to, whom they keep out, and what each machine is told of them. How they are
//! counted is the fair-play crate's to show.

use mjolnir_engine_glue::anticheat::votes::Settings;
use mjolnir_engine_glue::client;
use mjolnir_tests::{Fate, Lab, Way, Who, messages};
use mjolnir_wire::votekick::{Votekick, VotekickStatus};
use mjolnir_wire::{Kind, MessageType, Slot, Tick};

use crate::chat::{passed, refused};
use crate::floods::said as message;
use crate::guests::{
    Guest, VOTES, all_said, come, console, forget, game, game_of, let_in, plan, players, remembered, run_to,
    said, set, slot, status, tally, votes, why,
};

/// A vote on that slot as it goes up.
fn ballot(on: Slot) -> Vec<u8> {
    let mut entry = Vec::new();
    Votekick { slot: on }.write(&mut entry);
    message(Kind::Votekick as u8, 1, Tick::ZERO, &entry)
}

/// Each status that a client was told by datagrams since it was listened to, and none by its stream.
fn statuses(lab: &Lab, place: usize) -> Vec<VotekickStatus> {
    let log = lab.clients[place].network.passed();
    let mut heard = Vec::new();
    messages(log, Way::In, |_, message| {
        if message.kind == Kind::VotekickStatus {
            heard.extend(VotekickStatus::read_all(message).map(Result::unwrap));
        }
    });
    assert_eq!(passed(log, Way::In, Kind::VotekickStatus), [0, heard.len()]);
    heard
}

/// Everybody is listened to from now on.
fn listen(lab: &mut Lab) {
    lab.clients.iter_mut().for_each(|seat| seat.network.listen());
}

/// CHEAT-30, 59: a scoreboard's vote goes up its stream within a tick, once, with the player's slot, and counts; a second one
/// within the second is not asked, and forced up it is not counted and answered by nothing.
#[test]
fn a_vote_is_one_message_of_the_stream() {
    let mut lab = game_of(9301, 4);
    forget(&mut lab);
    listen(&mut lab);
    let [bob, cid] = ["Bob", "Cid"].map(|name| slot(&lab, name));
    let ask = |lab: &mut Lab, on| {
        let now = lab.clients[0].now(lab.now());
        lab.clients[0].net.ask_vote(now, on)
    };
    assert!(ask(&mut lab, bob) && !ask(&mut lab, bob) && !ask(&mut lab, cid));
    lab.run_seconds(0.034);
    assert_eq!(passed(lab.clients[0].network.passed(), Way::Out, Kind::Votekick), [1, 0]);
    lab.run_seconds(0.3);
    messages(lab.clients[0].network.passed(), Way::Out, |_, message| {
        if message.kind == Kind::Votekick {
            let votes: Vec<_> = Votekick::read_all(message).map(Result::unwrap).collect();
            assert_eq!(votes, [Votekick { slot: bob }]);
        }
    });
    assert_eq!(tally(&lab), Some((1, 3)));
    // Past its own client's word, for the same player and another.
    for on in [bob, cid] {
        lab.clients[0].network.write_besides(&ballot(on));
    }
    lab.run_seconds(0.3);
    assert_eq!((refused(&lab, Who::Host, "vote_too_fast"), tally(&lab)), (2, Some((1, 3))));
    all_said(&lab, &[0, 1, 2, 3], &[]);
    // After the second it is heard, and has its answer.
    lab.run_seconds(0.6);
    assert!(ask(&mut lab, cid));
    lab.run_seconds(0.3);
    assert_eq!(said(&lab, Who::Client(0)), ["A vote on another player is running: wait for its end."]);
    assert_eq!(passed(lab.clients[0].network.passed(), Way::Out, Kind::Votekick), [1 + 1, 0]);
    all_said(&lab, &[1, 2, 3], &[]);
}

/// CHEAT-31: the vote as a datagram, from the right address, begins none and counts in none: it is refused and counted. The same
/// by the stream counts. A status that a client writes, and one that comes by a stream, tell nobody anything.
#[test]
fn a_vote_by_datagram_is_none() {
    let mut lab = game_of(9302, 4);
    forget(&mut lab);
    listen(&mut lab);
    let bob = slot(&lab, "Bob");
    let before = refused(&lab, Who::Host, "wrong_channel");
    lab.clients[0].network.send_besides(&ballot(bob));
    let from = lab.clients[2].network.address();
    lab.host.network.forge(from, &ballot(bob));
    lab.run_seconds(1.5);
    assert_eq!((refused(&lab, Who::Host, "wrong_channel") - before, tally(&lab)), (2, None));
    assert!((0..4).all(|place| statuses(&lab, place).is_empty()));
    votes(&mut lab, 0, "Bob");
    let from = lab.clients[2].network.address();
    lab.host.network.forge(from, &ballot(bob));
    lab.run_seconds(0.3);
    assert_eq!((refused(&lab, Who::Host, "wrong_channel") - before, tally(&lab)), (3, Some((1, 3))));
    lab.clients[2].network.write_besides(&ballot(bob));
    lab.run_seconds(0.3);
    assert_eq!(tally(&lab), Some((2, 3)));

    let before = refused(&lab, Who::Host, "wrong_sender");
    let mut entry = Vec::new();
    VotekickStatus { slot: Some(bob), votes: 9, needed: 1, ..VotekickStatus::default() }.write(&mut entry);
    let told = message(Kind::VotekickStatus as u8, 1, Tick::ZERO, &entry);
    lab.clients[0].network.write_besides(&told);
    let mut slipped = Some(told);
    lab.clients[3].network.meddle_with_stream(move |message| {
        [Some(message.to_vec()), slipped.take()].into_iter().flatten().collect()
    });
    lab.run_seconds(4.0);
    assert_eq!(refused(&lab, Who::Host, "wrong_sender") - before, 1);
    assert_eq!(refused(&lab, Who::Client(3), "wrong_channel"), 1);
    assert!((0..4).all(|place| status(&lab, Who::Client(place)).is_some_and(|status| status.votes == 2)));
    all_said(&lab, &[0, 1, 2, 3], &[]);
}

/// CHEAT-39, 65: of a vote of ten seconds with two ballots each client is told ten to thirteen times, with its own bits, the last
/// time that it is over; and nothing before and after. Each shows what the host counts.
#[test]
fn a_vote_is_told_each_second_and_as_it_changes() {
    let mut lab = game_of(9303, 5);
    listen(&mut lab);
    lab.run_seconds(5.0);
    assert!((0..5).all(|place| statuses(&lab, place).is_empty()));
    let began = lab.now();
    votes(&mut lab, 0, "Bob");
    run_to(&mut lab, began, 4.5);
    votes(&mut lab, 2, "Bob");
    run_to(&mut lab, began, 9.9);
    for place in 0..5 {
        let shown = status(&lab, Who::Client(place)).unwrap();
        let VotekickStatus { seconds_left, .. } = shown;
        assert!((35..=37).contains(&seconds_left), "{seconds_left}");
        let own = VotekickStatus {
            slot: Some(slot(&lab, "Bob")),
            votes: 2,
            needed: 4,
            seconds_left,
            you_voted: [0, 2].contains(&place),
            you_may_vote: place != 1,
        };
        assert_eq!(shown, own, "client {place}");
    }
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    run_to(&mut lab, began, 15.0);
    for place in [0, 2, 3, 4] {
        let told = statuses(&lab, place);
        println!("client {place}: {} times", told.len());
        assert!((10..=13).contains(&told.len()), "client {place}: {}", told.len());
        let (last, before) = told.split_last().unwrap();
        assert_eq!((last.slot, status(&lab, Who::Client(place))), (None, None));
        assert!(before.iter().all(|status| status.slot.is_some()), "client {place}");
        assert!(before.is_sorted_by(|one, other| one.seconds_left >= other.seconds_left));
        assert_eq!((before[0].votes, before[0].needed, before[0].seconds_left), (1, 4, 45));
    }
}

/// CHEAT-39: of a vote whose end is lost on its way a client forgets what it was told three seconds later, and not before.
#[test]
fn what_is_not_told_again_is_forgotten() {
    let mut lab = game_of(9304, 3);
    votes(&mut lab, 0, "Bob");
    lab.run_seconds(2.0);
    let heard = lab.now();
    lab.clients[0].network.meddle(|_, _| Fate::Lost);
    assert_eq!(console(&mut lab, "kick Bob"), Ok(()));
    run_to(&mut lab, heard, 1.9);
    assert!(status(&lab, Who::Client(0)).is_some() && status(&lab, Who::Client(2)).is_none());
    run_to(&mut lab, heard, 3.1);
    assert_eq!(status(&lab, Who::Client(0)), None);
}

/// CHEAT-66, 58: where votes are off three requests have three texts, for the asker alone, and nobody is told of any vote; one that
/// runs as they are switched off is over.
#[test]
fn votes_can_be_off() {
    let mut lab = game_of(9313, 3);
    set(&mut lab, Settings { allowed: false, ..VOTES });
    forget(&mut lab);
    listen(&mut lab);
    for _ in 0..3 {
        votes(&mut lab, 0, "Bob");
        lab.run_seconds(1.0);
    }
    assert_eq!(said(&lab, Who::Client(0)), ["Votes to kick are off in this game."; 3]);
    all_said(&lab, &[1, 2], &[]);
    assert!((0..3).all(|place| statuses(&lab, place).is_empty()));
    set(&mut lab, VOTES);
    votes(&mut lab, 0, "Bob");
    assert_eq!(tally(&lab), Some((1, 3)));
    set(&mut lab, Settings { allowed: false, ..VOTES });
    lab.run_seconds(0.3);
    assert!((0..3).all(|place| status(&lab, Who::Client(place)).is_none()));
    assert_eq!(remembered(&lab), [0; 3]);
}

/// CHEAT-58, 59, 60, 65: each refusal's text goes to the machine that asked, and to no other, the host's own neither; and changes
/// nothing of a vote that runs.
#[test]
fn a_refusal_is_told_to_the_asker_alone() {
    let guests = [Guest::of(0).and("Abe"), Guest::of(1), Guest::of(2), Guest::of(3).port(9)];
    let mut lab = game(plan(9314), &guests);
    let twin = come(&mut lab, &Guest::new("Twin", "10.0.2.4"));
    let_in(&mut lab, twin);
    let (own, host) = (slot(&lab, "Abe"), lab.host.slot());
    let check = |lab: &mut Lab, by: usize, on: Slot, text: &str, reason: &str| {
        lab.run_seconds(1.0);
        forget(lab);
        let (before, counted) = (tally(lab), refused(lab, Who::Host, reason));
        let now = lab.clients[by].now(lab.now());
        assert!(lab.clients[by].net.ask_vote(now, on));
        lab.run_seconds(0.3);
        for who in [Who::Host].into_iter().chain((0..5).map(Who::Client)) {
            let told: &[&str] = if who == Who::Client(by) { &[text] } else { &[] };
            assert_eq!(said(lab, who), told, "{reason}: {who:?}");
        }
        assert_eq!((tally(lab), refused(lab, Who::Host, reason)), (before, counted + 1), "{reason}");
    };
    let [bob, cid, dora] = ["Bob", "Cid", "Dora"].map(|name| slot(&lab, name));
    let nobody = Slot::new(77).unwrap();
    check(&mut lab, 0, nobody, "There is no such player to vote on.", "vote_no_player");
    check(&mut lab, 0, host, "The host's players cannot be voted on.", "vote_host");
    check(&mut lab, 0, own, "That player plays on your own machine.", "vote_own");
    check(
        &mut lab,
        twin,
        dora,
        "You cannot vote on a player with your own address or machine id.",
        "vote_same_person",
    );
    set(&mut lab, Settings { minutes: 60, ..VOTES });
    check(&mut lab, 0, bob, "You can start a vote after 60 minutes here.", "vote_not_played");
    set(&mut lab, Settings { minutes: 1, ..VOTES });
    check(&mut lab, 0, bob, "You can start a vote after 1 minute here.", "vote_not_played");
    set(&mut lab, VOTES);
    lab.run_seconds(1.0);
    votes(&mut lab, 0, "Bob");
    check(&mut lab, 2, dora, "A vote on another player is running: wait for its end.", "vote_running");
    check(&mut lab, 0, bob, "You have voted.", "vote_voted");
    check(&mut lab, 1, bob, "That player plays on your own machine.", "vote_own");
    lab.run_until("it fails", 46, |lab| tally(lab).is_none());
    check(&mut lab, 2, cid, "That player plays on your own machine.", "vote_own");
    check(&mut lab, 2, dora, "The next vote can start in 28 seconds.", "vote_pause");
    lab.run_seconds(30.0);
    check(&mut lab, 2, bob, "A vote on that player failed a short while ago.", "vote_protected");
    let cooling = "Your last vote failed: you can start another in 266 seconds.";
    check(&mut lab, 0, cid, cooling, "vote_cooling");
    assert_eq!(players(&lab).len(), 7);
}

/// CHEAT-42: a build without votes, which knows neither kind, plays on while the others vote, and is where the host has it; its
/// version is no other.
#[test]
fn who_has_no_votes_plays_on() {
    let mut lab = game_of(9318, 4);
    let before = lab.clients[3].net.counters().dropped.unknown_kind;
    lab.clients[3].network.meddle(|_, datagram| {
        let mut bytes = datagram.to_vec();
        forget_votes(&mut bytes);
        Fate::Instead(bytes)
    });
    votes(&mut lab, 0, "Bob");
    lab.run_seconds(10.0);
    let mut vote = ballot(slot(&lab, "Cid"));
    vote[2] = UNKNOWN;
    let mut slipped = Some(vote);
    lab.clients[3].network.meddle_with_stream(move |message| {
        [Some(message.to_vec()), slipped.take()].into_iter().flatten().collect()
    });
    lab.run_seconds(5.0);
    assert_eq!((status(&lab, Who::Client(3)), tally(&lab)), (None, Some((1, 3))));
    let unknown = lab.clients[3].net.counters().dropped.unknown_kind - before;
    assert!((15..=18).contains(&unknown), "{unknown}");
    assert_eq!((lab.clients[3].net.stage(), why(&lab, 3)), (client::Stage::Playing, None));
    assert!(lab.apart().unwrap() < 0.01);
    // A host that does not know a vote: its kind is another that there is not.
    let before = lab.host.net.counters().dropped.unknown_kind;
    let mut vote = ballot(slot(&lab, "Bob"));
    vote[2] = UNKNOWN;
    lab.clients[2].network.write_besides(&vote);
    lab.run_seconds(0.5);
    assert_eq!((lab.host.net.counters().dropped.unknown_kind - before, tally(&lab)), (1, Some((1, 3))));
    assert_eq!(why(&lab, 2), None);
}

/// A kind that there is not.
const UNKNOWN: u8 = 200;

/// Each status of a datagram becomes of a kind that there is not, alone or in a batch.
fn forget_votes(bytes: &mut [u8]) {
    let of = |kind: u8| kind == Kind::VotekickStatus as u8;
    match mjolnir_wire::framing::read_datagram(bytes) {
        Ok((MessageType::Data, _)) => {}
        _ => return,
    }
    if of(bytes[2]) {
        bytes[2] = UNKNOWN;
    }
    if bytes[2] != Kind::Batch as u8 {
        return;
    }
    let mut at = 8;
    while at + 3 < bytes.len() {
        if of(bytes[at + 2]) {
            bytes[at + 2] = UNKNOWN;
        }
        at += 2 + usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    }
}
