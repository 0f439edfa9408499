//! Scores: when a host tells of them, to whom, and what a client makes of it.

use mjolnir_authority::{
    Announcement, MOST_ANNOUNCED, STATISTICS_ROUND_OF, ScoresClient, ScoresHost, StatisticsRow, Told,
};
use mjolnir_wire::Tag;
use mjolnir_wire::game_state::{Body, CtfState, GameState};
use mjolnir_wire::message::read_word;
use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::statistics::{PlayerStatistics, Statistics};

use super::*;

/// A game's counts, and its host, who tells machines 1 and 2.
struct Scene {
    host: ScoresHost,
    rows: Vec<StatisticsRow>,
    state: Option<GameState>,
    told: Told,
    outbox: Outbox,
    now: i32,
    /// How often the game was asked for its state.
    asked: u32,
}

impl Scene {
    /// Of that tick to come, with so many players, in a game of that type.
    fn new(now: i32, players: u8, game_type: u8) -> Self {
        let row = |of| StatisticsRow { slot: slot(of), statistics: Statistics::none() };
        Self {
            host: ScoresHost::new(),
            rows: (0..players).map(row).collect(),
            state: Body::begin(game_type).map(|body| GameState { post_game_phase: 0, body }),
            told: Told {
                loaded: [Machine::HOST, machine(1), machine(2)].into_iter().collect(),
                ready: MachineSet::NONE,
                behind: MachineSet::NONE,
            },
            outbox: Outbox::new(),
            now,
            asked: 0,
        }
    }

    fn tick(&mut self) {
        let at = tick(self.now);
        self.now += 1;
        self.outbox.begin(at, 0);
        let Self { host, rows, state, told, outbox, asked, .. } = self;
        host.after_tick(
            at,
            *told,
            rows,
            || {
                *asked += 1;
                state.clone()
            },
            outbox,
        );
    }

    /// A tick in which those machines become ready.
    fn ready(&mut self, machines: &[u8]) {
        self.told.ready = machines.iter().map(|index| machine(*index)).collect();
        self.tick();
        self.told.ready = MachineSet::NONE;
    }

    fn of(&mut self, who: u8) -> &mut Statistics {
        &mut self.rows[usize::from(who)].statistics
    }

    fn ctf(&mut self) -> &mut CtfState {
        let Some(GameState { body: Body::Ctf(ctf), .. }) = &mut self.state else { panic!("another game") };
        ctf
    }

    /// Whose statistics that machine was told by datagram.
    fn told(&self, to: u8) -> Vec<u8> {
        let mut slots = Vec::new();
        parts(&self.outbox, machine(to), |part| {
            assert_eq!(part.kind, Kind::PlayerStatistics);
            slots.extend(PlayerStatistics::read_all(part).map(|said| said.unwrap().slot.get()));
        });
        slots
    }

    /// What that machine was told by stream.
    fn streamed(&self, to: u8) -> Vec<(Kind, u8, Vec<u8>)> {
        let mut bytes = Vec::new();
        self.outbox.gather_stream(machine(to), &mut bytes);
        let mut messages = Vec::new();
        let mut left = &bytes[..];
        while !left.is_empty() {
            let (_, length) = read_word([left[0], left[1]]).unwrap();
            let message = Message::read(&left[..length]).unwrap();
            messages.push((message.kind, message.count, message.body.to_vec()));
            left = &left[length..];
        }
        messages
    }

    fn streamed_kinds(&self, to: u8) -> Vec<Kind> {
        self.streamed(to).iter().map(|(kind, ..)| *kind).collect()
    }
}

/// AUTH-45: what changed goes each fifteen ticks, to who has loaded, and nothing else but the round.
#[test]
fn what_changed_goes_each_fifteen_ticks() {
    let mut scene = Scene::new(0, 3, 1);
    scene.tick();
    assert_eq!(scene.told(1), [0, 1, 2], "what was never told is a change");
    for now in 1..=60 {
        if now % 4 == 1 {
            scene.of(1).shots_fired += 1;
        }
        scene.tick();
        let told = match now {
            15 | 45 => vec![1],
            // The changed one, and the others in turn.
            30 | 60 => vec![1, 0, 2],
            _ => vec![],
        };
        for to in [1, 2] {
            assert_eq!(sorted(scene.told(to)), sorted(told.clone()), "{now}");
            assert!(scene.streamed(to).is_empty());
        }
        assert!(scene.told(3).is_empty() && scene.told(0).is_empty());
    }
}

fn sorted(mut slots: Vec<u8>) -> Vec<u8> {
    slots.sort_unstable();
    slots
}

/// AUTH-45: a kill, a death, a suicide and a friend's death go in their tick, with whatever else changed; nothing else
/// does.
#[test]
fn a_kill_goes_at_once() {
    let kills: [fn(&mut Statistics); 5] = [
        |of| of.kills_by_kind[2] += 1,
        |of| of.friendly_fire_kills += 1,
        |of| of.deaths += 1,
        |of| of.suicides += 1,
        |of| of.shots_hit += 1,
    ];
    for (at, kill) in kills.iter().enumerate() {
        let mut scene = Scene::new(30, 3, 1);
        scene.tick();
        scene.tick();
        assert!(scene.told(1).is_empty());
        kill(scene.of(2));
        scene.of(0).shots_fired += 1;
        scene.tick();
        let is_kill = at < 4;
        assert_eq!(scene.told(1), if is_kill { vec![0, 2] } else { vec![] }, "{at}");
        scene.tick();
        assert!(scene.told(1).is_empty(), "once");
    }
}

/// AUTH-46: sixteen more a second, round them all: of 32 each goes each two seconds, changed or not; of fewer all each
/// second.
#[test]
fn sixteen_more_go_each_second() {
    for (players, seconds) in [(1, 1), (16, 1), (17, 2), (32, 2), (128, 8)] {
        let mut scene = Scene::new(0, players, 1);
        scene.tick();
        let mut last = vec![0; usize::from(players)];
        for now in 1..=30 * 24 {
            scene.of(players - 1).shots_fired += 1;
            scene.tick();
            let told = scene.told(1);
            assert!(told.len() <= STATISTICS_ROUND_OF + 1, "{now}: {told:?}");
            for slot in told {
                last[usize::from(slot)] = now;
            }
            let oldest = last.iter().map(|last| now - last).max().unwrap();
            assert!(oldest <= 30 * seconds, "{players}: {oldest} ticks");
        }
    }
}

/// AUTH-46: over 30 % loss each of 32 players' statistics are the host's on every client within twenty seconds of the last
/// change.
#[test]
fn what_is_lost_comes_again() {
    // A generator of its own, so that it is the same everywhere.
    let mut seed = 46_u64;
    let mut chance = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % 100
    };
    let mut scene = Scene::new(0, 32, 1);
    scene.told.loaded = MachineSet::CLIENTS;
    let mut clients: Vec<ScoresClient> = (0..31).map(|_| ScoresClient::new(1)).collect();
    let (mut lost, mut late) = (0, 0);
    for now in 0..30 * 40 {
        if now < 30 * 20 {
            let who = (chance() % 32) as u8;
            scene.of(who).shots_fired += 1;
            scene.of(who).kills_by_kind[0] += i16::from(now % 50 == 0);
        }
        scene.tick();
        for (client, to) in clients.iter_mut().zip(1..) {
            scene.outbox.gather_datagrams(machine(to), &mut BatchWriter::new(), |bytes| {
                if chance() < 30 {
                    lost += 1;
                    return;
                }
                let batch = Message::read(bytes).unwrap();
                for part in Parts::of(&batch).map(Result::unwrap) {
                    for said in PlayerStatistics::read_all(&part) {
                        client.handle_statistics(part.tick, &said.unwrap()).unwrap();
                    }
                }
            });
        }
        let differs = |client: &ScoresClient| {
            scene.rows.iter().any(|row| client.statistics(row.slot) != Some(&row.statistics))
        };
        if clients.iter().any(differs) {
            late = now;
        }
    }
    assert!(lost > 500 && late > 30 * 20, "{lost} lost, off until {late}");
    assert!(late < 30 * 40 - 1, "off until {late}");
}

/// AUTH-47: a state that changes in every tick for ten seconds goes 25 times (one more or less) by stream; one that does not
/// change never; and the game is asked for it only each six ticks.
#[test]
fn a_state_goes_each_twelve_ticks_at_most() {
    let mut scene = Scene::new(1, 2, 1);
    scene.ready(&[1, 2]);
    assert_eq!(scene.streamed_kinds(1), [Kind::PlayerStatistics, Kind::GameState]);
    (0..11).for_each(|_| scene.tick());
    let mut messages = [0; 2];
    let asked = scene.asked;
    for changes in [true, false] {
        for _ in 0..300 {
            if changes {
                scene.ctf().swap_timer += 1;
            }
            scene.tick();
            let streamed = scene.streamed(2);
            assert_eq!(streamed, scene.streamed(1));
            messages[usize::from(changes)] += streamed.len();
        }
        if changes {
            // The last change goes still.
            (0..12).for_each(|_| scene.tick());
        }
    }
    assert!((24..=26).contains(&messages[1]), "{messages:?}");
    assert_eq!(messages[0], 0);
    assert_eq!(scene.asked - asked, 612 / 6);
}

/// AUTH-47: a post-game phase that changes goes within six ticks, whatever was told just before; with it the statistics of
/// all, by stream, so that the last are lost to nobody.
#[test]
fn the_end_goes_within_six_ticks() {
    for ends in 0..12 {
        let mut scene = Scene::new(1, 2, 1);
        scene.ready(&[1, 2]);
        // It is told in the ticks 6 and 18.
        while scene.now <= 18 {
            scene.ctf().swap_timer += 1;
            scene.tick();
        }
        assert_eq!(scene.streamed_kinds(1), [Kind::GameState]);
        let told = (0..30).find(|after| {
            if *after == ends {
                scene.state.as_mut().unwrap().post_game_phase = 1;
            }
            scene.tick();
            !scene.streamed(1).is_empty()
        });
        let told = told.unwrap();
        assert!((ends..ends + 6).contains(&told), "{ends}: {told}");
        assert_eq!(scene.streamed_kinds(1), [Kind::PlayerStatistics, Kind::GameState]);
    }
}

/// AUTH-48, NET-69: who is ready is told all statistics and the state in that tick, by stream, the statistics first; nobody
/// else is, and before that a machine is told no state.
#[test]
fn who_is_ready_is_told_everything() {
    let mut scene = Scene::new(1, 128, 1);
    (0..30).for_each(|_| scene.tick());
    assert!(scene.streamed(1).is_empty());
    scene.of(77).deaths = 3;
    scene.ctf().score = [2, 1];
    scene.ready(&[1]);
    let streamed = scene.streamed(1);
    let kinds: Vec<_> = streamed.iter().map(|(kind, count, _)| (*kind, *count)).collect();
    let statistics = Kind::PlayerStatistics;
    assert_eq!(kinds, [(statistics, 63), (statistics, 63), (statistics, 2), (Kind::GameState, 0)]);
    let told: Vec<StatisticsRow> = streamed[..3]
        .iter()
        .flat_map(|(_, _, body)| body.chunks_exact(64))
        .map(|entry| PlayerStatistics::read(entry).unwrap())
        .map(|PlayerStatistics { slot, statistics }| StatisticsRow { slot, statistics })
        .collect();
    assert_eq!(told, scene.rows);
    assert_eq!(GameState::read(&streamed[3].2, 1).ok(), scene.state);
    assert!(scene.streamed(2).is_empty());
    scene.ready(&[2]);
    assert!(scene.streamed(1).is_empty() && scene.streamed(2).len() == 4);
    // Whoever has that index next has had nothing.
    scene.host.forget(machine(2));
    while scene.now % 12 != 1 {
        scene.ctf().swap_timer += 1;
        scene.tick();
    }
    assert_eq!((scene.streamed(1).len(), scene.streamed(2).len()), (1, 0));
}

/// AUTH-47: a machine that reads slowly is told no state meanwhile, and the newest once, as soon as it reads; of the end of a game
/// all statistics too.
#[test]
fn who_reads_slowly_is_told_the_newest() {
    for ends in [false, true] {
        let mut scene = Scene::new(1, 2, 1);
        scene.ready(&[1, 2]);
        scene.told.behind = MachineSet::only(machine(2));
        for _ in 0..60 {
            scene.ctf().swap_timer += 1;
            scene.tick();
            assert!(scene.streamed(2).is_empty());
        }
        scene.state.as_mut().unwrap().post_game_phase = i32::from(ends);
        (0..12).for_each(|_| scene.tick());
        scene.told.behind = MachineSet::NONE;
        scene.tick();
        let kinds = scene.streamed_kinds(2);
        let all = [Kind::PlayerStatistics, Kind::GameState];
        assert_eq!(kinds, if ends { &all[..] } else { &all[1..] });
        assert_eq!(GameState::read(&scene.streamed(2).pop().unwrap().2, 1).ok(), scene.state);
        scene.tick();
        assert!(scene.streamed(2).is_empty(), "once");
    }
}

/// WIRE-79: a state of the game's that means nothing is counted and not sent; a game without one tells of statistics alone.
#[test]
fn a_state_that_means_nothing_is_not_sent() {
    let mut scene = Scene::new(1, 1, 1);
    scene.ctf().capturer[0] = 128;
    scene.ready(&[1]);
    assert_eq!((scene.streamed_kinds(1), scene.host.unfit()), (vec![Kind::PlayerStatistics], 1));
    let mut none = Scene::new(1, 1, 0);
    none.ready(&[1]);
    assert_eq!((none.streamed_kinds(1), none.host.unfit()), (vec![Kind::PlayerStatistics], 0));
}

/// AUTH-48: who is ready in a tick in which there is no state, or one that means nothing, is told the next that does, once,
/// though that does not change.
#[test]
fn who_is_ready_without_a_state_is_told_the_next() {
    for is_none in [true, false] {
        let mut scene = Scene::new(3, 2, 4);
        let fit = scene.state.clone();
        scene.ready(&[1]);
        (0..50).for_each(|_| scene.tick());
        if is_none {
            scene.state = None;
        } else if let Some(GameState { body: Body::King(king), .. }) = &mut scene.state {
            king.top = f32::NAN;
        }
        scene.ready(&[2]);
        assert!(!scene.streamed_kinds(2).contains(&Kind::GameState), "{is_none}");
        scene.state = fit;
        let told = (0..50).filter(|_| {
            scene.tick();
            scene.streamed_kinds(2).contains(&Kind::GameState)
        });
        assert_eq!(told.count(), 1, "{is_none}");
        assert_eq!(scene.streamed_kinds(1), [], "it has it");
    }
}

fn pickup(of: u8) -> Pickup {
    Pickup { slot: slot(of), kind: PickupKind::Powerup, count: 1, tag: Tag(7) }
}

/// AUTH-43: what a player picks up is told its machine alone, by its stream, if that has loaded; and the host itself never.
#[test]
fn a_pickup_is_told_its_machine() {
    let mut scene = Scene::new(1, 1, 1);
    for (owner, told) in [(1, true), (2, true), (3, false), (0, false)] {
        scene.outbox.begin(tick(5), 0);
        scene.host.tell_pickup(machine(owner), scene.told.loaded, &pickup(9), &mut scene.outbox);
        for to in 0..4 {
            let streamed = scene.streamed(to);
            assert_eq!(streamed.len(), usize::from(told && to == owner), "{owner} {to}");
            if let Some((kind, count, body)) = streamed.first() {
                assert_eq!((*kind, *count, Pickup::read(body)), (Kind::Pickups, 1, Ok(pickup(9))));
            }
        }
    }
}

/// AUTH-43: a pickup of an own player is shown once; another machine's shows nothing.
#[test]
fn a_pickup_of_another_shows_nothing() {
    let mut client = ScoresClient::new(1);
    let own = [slot(3), slot(4)];
    assert_eq!(client.handle_pickup(&own, &pickup(4)), Ok(()));
    assert_eq!(client.handle_pickup(&own, &pickup(5)), Err(Error::NotLocal));
    assert_eq!(client.take_pickups().collect::<Vec<_>>(), [pickup(4)]);
    assert_eq!(client.take_pickups().count(), 0);
}

fn said(of: u8, deaths: i16) -> PlayerStatistics {
    PlayerStatistics { slot: slot(of), statistics: Statistics { deaths, ..Statistics::none() } }
}

/// WIRE-75, AUTH-45: statistics are given to the engine once, of the players that it has; of another once it has it. An older
/// one changes nothing.
#[test]
fn statistics_are_given_once() {
    let mut client = ScoresClient::new(1);
    client.handle_statistics(tick(500), &said(1, 4)).unwrap();
    client.handle_statistics(tick(500), &said(2, 5)).unwrap();
    assert_eq!(client.handle_statistics(tick(499), &said(1, 3)), Err(Error::Old));
    let given = |client: &mut ScoresClient, known: &[u8]| {
        let mut rows = Vec::new();
        client.take_statistics(known.iter().map(|of| slot(*of)), &mut rows);
        rows.iter().map(|row| (row.slot.get(), row.statistics.deaths)).collect::<Vec<_>>()
    };
    assert_eq!(given(&mut client, &[0, 1]), [(1, 4)]);
    assert_eq!(given(&mut client, &[0, 1]), []);
    client.handle_statistics(tick(515), &said(1, 4)).unwrap();
    assert_eq!(given(&mut client, &[0, 1, 2]), [(2, 5)], "the same is nothing new");
    assert_eq!(client.statistics(slot(1)).unwrap().deaths, 4);
    assert_eq!(client.statistics(slot(3)), None);
}

/// NET-74: a damaged stamp far ahead silences nobody's statistics, nor does a damaged first: each comes each eight seconds
/// in a full game, and one of two may be lost.
#[test]
fn a_damaged_stamp_silences_no_statistics() {
    let mut client = ScoresClient::new(1);
    for (stamp, deaths) in [(1_000, 1), (9_000, 2), (1_240, 3)] {
        assert_eq!(client.handle_statistics(tick(stamp), &said(1, deaths)), Ok(()));
    }
    for between in [15, 240, 480] {
        let mut client = ScoresClient::new(1);
        client.handle_statistics(tick(90_000), &said(1, 1)).unwrap();
        assert_eq!(client.handle_statistics(tick(1_000), &said(1, 2)), Err(Error::Old));
        assert_eq!(client.handle_statistics(tick(1_000 + between), &said(1, 3)), Ok(()), "{between}");
    }
}

fn ctf(change: impl FnOnce(&mut CtfState)) -> GameState {
    let Some(Body::Ctf(mut state)) = Body::begin(1) else { panic!("ctf") };
    change(&mut state);
    GameState { post_game_phase: 0, body: Body::Ctf(state) }
}

fn announced(client: &mut ScoresClient) -> Vec<Announcement> {
    client.take_announcements().collect()
}

/// AUTH-49: twenty captures are announced twenty times, in order, whatever the states they came in; 255 and then 1 is two.
#[test]
fn each_capture_is_announced_once() {
    let mut client = ScoresClient::new(1);
    client.handle_state(ctf(|_| {})).unwrap();
    let mut count = 0;
    for captures in [1, 1, 2, 5, 20] {
        let state = ctf(|state| (state.captures[1], state.capturer[1]) = (captures, captures));
        client.handle_state(state.clone()).unwrap();
        assert_eq!(client.take_state(), Some(&state));
        assert_eq!(client.take_state(), None, "each once");
        let events = announced(&mut client);
        count += events.len();
        let by = |of: &Announcement| match of {
            Announcement::FlagCaptured { team: 1, by } => *by,
            other => panic!("{other:?}"),
        };
        // Who captured last is named, and of those before nobody.
        if let Some((last, others)) = events.split_last() {
            assert_eq!(by(last), Some(slot(captures)));
            assert!(others.iter().all(|other| by(other).is_none()));
        }
        assert_eq!(count, usize::from(captures));
    }
    client.handle_state(ctf(|state| state.captures[1] = 255)).unwrap();
    assert_eq!(announced(&mut client).len(), 235);
    client.handle_state(ctf(|state| state.captures[1] = 1)).unwrap();
    assert_eq!(announced(&mut client), [Announcement::FlagCaptured { team: 1, by: None }; 2]);
}

/// AUTH-49: of what happened between two states a flag is taken before it is brought home, and that before its capture; the
/// end of the game is last, once.
#[test]
fn what_happened_is_announced_in_order() {
    let mut client = ScoresClient::new(1);
    client.handle_state(ctf(|_| {})).unwrap();
    let ended = GameState {
        post_game_phase: 1,
        ..ctf(|state| {
            (state.captures, state.capturer) = ([1, 0], [6, 0xFF]);
            (state.grabs, state.grabber) = ([1, 0], [6, 0xFF]);
            (state.returns, state.returner) = ([0, 1], [0xFF, 7]);
        })
    };
    client.handle_state(ended.clone()).unwrap();
    let six = Some(slot(6));
    let expected = [
        Announcement::FlagGrabbed { team: 0, by: six },
        Announcement::FlagCaptured { team: 0, by: six },
        Announcement::FlagReturned { team: 1, by: Some(slot(7)) },
        Announcement::GameOver,
    ];
    assert_eq!(announced(&mut client), expected);
    for phase in [2, 0, 1] {
        client.handle_state(GameState { post_game_phase: phase, ..ended.clone() }).unwrap();
        assert_eq!(announced(&mut client), [], "once");
    }
}

/// AUTH-49: of each other game type each counter has its announcement.
#[test]
fn each_counter_has_its_announcement() {
    let mut client = ScoresClient::new(3);
    let Some(Body::Oddball(mut state)) = Body::begin(3) else { panic!("oddball") };
    let oddball = |state| GameState { post_game_phase: 0, body: Body::Oddball(state) };
    client.handle_state(oddball(state)).unwrap();
    (state.resets, state.touched_resets, state.transfers, state.transfer_player) = (1, 2, 1, 9);
    client.handle_state(oddball(state)).unwrap();
    let (passed, reset) =
        (Announcement::BallPassed { to: Some(slot(9)) }, |touched| Announcement::BallReset { touched });
    assert_eq!(announced(&mut client), [passed, reset(true), reset(true), reset(false)]);

    let mut client = ScoresClient::new(5);
    let Some(Body::Race(mut state)) = Body::begin(5) else { panic!("race") };
    let race = |state| GameState { post_game_phase: 0, body: Body::Race(state) };
    client.handle_state(race(state)).unwrap();
    (state.touches[127], state.laps[127], state.best_laps[127], state.touches[2]) = (2, 1, 1, 1);
    client.handle_state(race(state)).unwrap();
    let (two, last) = (slot(2), slot(127));
    let touched = |by| Announcement::FlagTouched { by };
    let expected = [
        touched(two),
        touched(last),
        touched(last),
        Announcement::Lap { by: last },
        Announcement::BestLap { by: last },
    ];
    assert_eq!(announced(&mut client), expected);
}

/// AUTH-50: of the first state nothing is announced, not even that the game is over.
#[test]
fn the_first_state_is_taken_silently() {
    let mut client = ScoresClient::new(1);
    let first =
        GameState { post_game_phase: 2, ..ctf(|state| (state.captures, state.grabs) = ([5, 3], [9, 9])) };
    client.handle_state(first.clone()).unwrap();
    assert_eq!(client.take_state(), Some(&first));
    assert_eq!(announced(&mut client), []);
}

/// AUTH-49: a state of another game type changes nothing; one that counts more than a game can has an end.
#[test]
fn a_forged_state_is_bounded() {
    let mut client = ScoresClient::new(5);
    assert_eq!(client.handle_state(ctf(|_| {})), Err(Error::OtherGame));
    assert_eq!(client.take_state(), None);
    assert_eq!(client.state(), None);
    let Some(Body::Race(mut state)) = Body::begin(5) else { panic!("race") };
    let race = |state| GameState { post_game_phase: 0, body: Body::Race(state) };
    client.handle_state(race(state)).unwrap();
    state.laps = [4; 128];
    client.handle_state(race(state)).unwrap();
    assert_eq!((announced(&mut client).len(), client.unannounced()), (MOST_ANNOUNCED, 0));
    state.laps = [9; 128];
    client.handle_state(race(state)).unwrap();
    assert_eq!((announced(&mut client).len(), client.unannounced()), (MOST_ANNOUNCED, 128));
    for odd in [-1, 256, i32::MIN] {
        assert_eq!(ScoresClient::new(odd).game_type(), 0);
    }
}

/// Architecture: neither end allocates in a steady tick, with 128 players whose statistics and state change.
#[test]
fn a_steady_tick_of_scores_allocates_nothing() {
    let mut scene = Scene::new(0, 128, 5);
    scene.told.loaded = MachineSet::CLIENTS;
    let mut client = ScoresClient::new(5);
    let (mut rows, mut writer, mut stream) =
        (Vec::with_capacity(128), BatchWriter::new(), Vec::with_capacity(1 << 16));
    scene.ready(&[1]);
    let mut counted = 0;
    for now in 1..300 {
        for of in 0..128 {
            scene.of(of).shots_fired += 1;
        }
        let Some(GameState { body: Body::Race(race), .. }) = &mut scene.state else { panic!("race") };
        race.laps[now % 128] += 1;
        let measured = allocation_counter::measure(|| {
            scene.tick();
            scene.outbox.gather_datagrams(machine(1), &mut writer, |bytes| {
                let batch = Message::read(bytes).unwrap();
                for part in Parts::of(&batch).map(Result::unwrap) {
                    for said in PlayerStatistics::read_all(&part) {
                        client.handle_statistics(part.tick, &said.unwrap()).unwrap();
                    }
                }
            });
            stream.clear();
            scene.outbox.gather_stream(machine(1), &mut stream);
            if let Some(body) = stream.get(8..).filter(|_| stream.get(2) == Some(&7)) {
                client.handle_state(GameState::read(body, 5).unwrap()).unwrap();
            }
            rows.clear();
            client.take_statistics(Slot::all(), &mut rows);
            client.take_announcements().for_each(drop);
        });
        if now > 60 {
            counted += measured.count_total;
        }
    }
    assert_eq!(counted, 0);
    assert!(client.state().is_some() && client.statistics(slot(127)).unwrap().shots_fired > 200);
}

fn scored(of: u8, sort_key: i16) -> PlayerStatistics {
    PlayerStatistics { slot: slot(of), statistics: Statistics { sort_key, ..Statistics::none() } }
}

/// DMG-39: a blow's score counts until a later word: an older blow, and older statistics, take it back no more; one of the same tick
/// counts that has more. What was said before the blow and not given is given before it.
#[test]
fn no_older_word_takes_a_blows_score_back() {
    let at = |tick| Tick::ZERO.plus(tick);
    let mut client = ScoresClient::new(2);
    let given = |client: &mut ScoresClient| {
        let mut rows = Vec::new();
        client.take_statistics([slot(1), slot(2)], &mut rows);
        rows.iter().map(|row| (row.slot, row.statistics.sort_key)).collect::<Vec<_>>()
    };
    client.handle_statistics(at(99), &scored(1, 4)).unwrap();
    assert_eq!(client.take_older(at(99), slot(1)), None, "it is of that tick");
    assert_eq!(client.take_older(at(100), slot(2)), None);
    assert_eq!(client.take_older(at(100), slot(1)).unwrap().statistics.sort_key, 4);
    assert_eq!((client.take_older(at(100), slot(1)), given(&mut client)), (None, vec![]), "once");

    assert_eq!(client.handle_blow(at(100), slot(1), 5), 5);
    assert_eq!(client.handle_statistics(at(99), &scored(1, 3)), Err(Error::Old));
    assert_eq!(client.handle_blow(at(103), slot(1), 7), 7);
    assert_eq!(client.handle_blow(at(101), slot(1), 6), 7, "it came late");
    assert_eq!(client.handle_blow(at(103), slot(1), 6), 7, "two of one tick");
    assert_eq!(client.handle_blow(at(103), slot(1), 8), 8);
    assert_eq!(client.handle_blow(at(101), slot(2), 1), 1, "another's");

    client.handle_statistics(at(103), &scored(1, 8)).unwrap();
    client.handle_statistics(at(110), &scored(1, 7)).unwrap();
    assert_eq!(given(&mut client), [(slot(1), 7)]);
    assert_eq!(client.handle_blow(at(105), slot(1), 9), 7, "it has lost since");
    assert_eq!(client.handle_blow(at(110), slot(1), 6), 7);
    assert_eq!(client.handle_blow(at(111), slot(1), 8), 8);
}
