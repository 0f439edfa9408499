//! What machines are told of a vote, when, and what it costs.

use mjolnir_anticheat::Ballot;
use mjolnir_anticheat::votes::Votes;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{MachineSet, Moment, Outbox, Tick};

use super::scene::{MINUTE, Scene, anyone, machine, slot};

/// CHEAT-39: each second and as it changes, to each client, and once that it is over; nothing without a vote.
#[test]
fn a_vote_is_told_each_second_and_as_it_changes() {
    let mut scene = Scene::new(5);
    scene.run(5.0);
    assert!(scene.told.is_empty());
    scene.ask(1, 5).unwrap();
    scene.run(3.5);
    scene.ask(2, 5).unwrap();
    scene.run(6.5);
    let now = scene.now();
    scene.votes.new_game(now);
    scene.run(20.0);
    assert_eq!(
        scene.told.keys().copied().collect::<Vec<_>>(),
        [1, 2, 3, 4, 5],
        "the host tells itself nothing"
    );
    for (index, told) in &scene.told {
        let times: Vec<_> = told.iter().map(|(at, _)| (at * 10.0).round() as u32).collect();
        assert_eq!(times, [50, 60, 70, 80, 85, 95, 105, 115, 125, 135, 145, 150], "{index}");
        let (_, last) = told.last().unwrap();
        assert_eq!(*last, VotekickStatus::default());
        for (at, status) in &told[..11] {
            let votes = if *at < 8.5 { 1 } else { 2 };
            let left = (50.0 - at).ceil() as u8;
            let you_voted = *index == 1 || *index == 2 && votes == 2;
            let expected = VotekickStatus {
                slot: Some(slot(5)),
                votes,
                needed: 4,
                seconds_left: left,
                you_voted,
                you_may_vote: *index != 5,
            };
            assert_eq!(*status, expected, "{index} at {at}");
        }
    }
}

/// CHEAT-39: a host whose ticks are long, or that stalled, tells no more often for it, and no less than each second's tick.
#[test]
fn a_stall_is_not_made_up_for() {
    let mut scene = Scene::new(3);
    scene.ask(1, 3).unwrap();
    let mut outbox = Outbox::new();
    let mut told = Vec::new();
    let begin = scene.now();
    for millis in [0, 990, 1010, 1990, 2005, 5500, 5530, 6490, 6510] {
        outbox.begin(Tick::ZERO, 0);
        scene.votes.tell(begin.plus(millis * 1000), MachineSet::CLIENTS, &scene.game, &mut outbox);
        if !outbox.is_empty() {
            told.push(millis);
        }
    }
    assert_eq!(told, [0, 1010, 2005, 5500, 6510]);
}

/// CHEAT-65: seconds rounded up, 45 to 0; the target and who is the same person may not vote, nor who played too short.
#[test]
fn a_status_is_each_machines_own() {
    let mut scene = Scene::new(5);
    scene.guest(2).played = MINUTE;
    scene.guest(3).person = anyone(5);
    scene.ask(1, 5).unwrap();
    let begin = scene.now();
    for (micros, seconds_left) in
        [(0, 45), (1, 45), (800_000, 45), (1_000_000, 44), (44_000_000, 1), (44_999_999, 1), (45_000_000, 0)]
    {
        let status = scene.votes.status(begin.plus(micros), machine(4), &scene.game);
        assert_eq!(status.seconds_left, seconds_left, "{micros}");
    }
    for (index, bits) in
        [(0, (false, true)), (1, (true, true)), (2, (false, false)), (3, (false, false)), (5, (false, false))]
    {
        let status = scene.status(index);
        assert_eq!((status.you_voted, status.you_may_vote), bits, "{index}");
    }
}

/// CHEAT-30, 39: both ends together: what a client asks starts the vote that it hears of, and that it forgets.
#[test]
fn both_ends_agree() {
    let mut scene = Scene::new(3);
    let mut ballot = Ballot::new();
    assert!(ballot.ask(scene.now(), slot(3)));
    let mut outbox = Outbox::new();
    outbox.begin(Tick::ZERO, 0);
    ballot.tell(&mut outbox);
    let mut bytes = Vec::new();
    outbox.gather_stream(mjolnir_wire::Machine::HOST, &mut bytes);
    let message = mjolnir_wire::Message::read(&bytes).unwrap();
    for vote in mjolnir_wire::votekick::Votekick::read_all(&message) {
        scene.ask(1, vote.unwrap().slot.get()).unwrap();
    }
    scene.step();
    let (_, status) = scene.told[&1][0];
    ballot.handle(scene.now(), status);
    assert_eq!(ballot.status(scene.now()), Some(scene.status(1)));
    assert!(status.you_voted && status.slot == Some(slot(3)));
    scene.leave(3);
    scene.step();
    let (_, status) = *scene.told[&1].last().unwrap();
    ballot.handle(scene.now(), status);
    assert_eq!(ballot.status(scene.now()), None);
}

/// A tick allocates nothing, with a vote that runs and without one, once the outbox has grown.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut scene = Scene::new(127);
    let mut outbox = Outbox::new();
    let mut tick = |votes: &mut Votes, game: &super::scene::Game, now: Moment| {
        outbox.begin(Tick::ZERO, 0);
        assert_eq!(votes.step(now), None);
        votes.tell(now, MachineSet::CLIENTS, game, &mut outbox);
        !outbox.is_empty()
    };
    for has_vote in [false, true] {
        if has_vote {
            scene.ask(0, 127).unwrap();
        }
        let begin = scene.now();
        tick(&mut scene.votes, &scene.game, begin);
        let mut told = 0;
        let info = allocation_counter::measure(|| {
            for number in 1..300 {
                let now = begin.plus(number * 33_333);
                told += usize::from(tick(&mut scene.votes, &scene.game, now));
            }
        });
        assert_eq!((info.count_total, told), (0, if has_vote { 9 } else { 0 }));
    }
}
