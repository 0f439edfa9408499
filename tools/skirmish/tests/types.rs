//! Game types, from outside: what counts and what does not, what happens when nobody does anything, that a client's
//! world counts nothing, and that bots alone play each to its end.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::types::{
    CAPTURE, CARRIER_PACE, CONTESTED, CONTROLLED, HILL_STAYS, OVER_AFTER, PASSES, RESET_AFTER, RETURN_AFTER,
    SPREE, TOUCHES, UNCONTROLLED,
};
use mjolnir_skirmish::game::{Bot, Event, GameType, Kind, Map, News, Role, Rules, Tuning, World};
use mjolnir_wire::game_state::{Body, CtfState, GameState, KingState, OddballState, RaceState, SlayerState};
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

const NOBODY: u8 = 0xFF;

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A host's world of those rules with so many players: in teams the even slots against the odd ones.
fn world_on(map: &Map, rules: Rules, players: u8) -> World {
    let mut world = World::new(map, 7, Tuning::default());
    world.set_rules(Some(rules));
    for index in 0..players {
        let team = if rules.teams { index % 2 } else { index };
        world.join(slot(index), &format!("P{index}"), Machine::HOST, Some(team));
    }
    world.step(Tick::ZERO);
    world.drain_events();
    world
}

/// On a plain of 80 wu with stands, a ball, two hills and a race on it.
fn plain(of: GameType, teams: bool, players: u8) -> World {
    let text = "bounds -40 -40 -5 40 40 30\nbox -44 -44 -1 44 44 0\nspawn -20 -20 0 0\nspawn 20 20 0 0\n\
        stand 0 -20 0 0\nstand 1 20 0 0\nball 0 0 0\nhill -2 -2 -1 2 2 2\nhill 10 10 -1 12 12 2\n\
        mark 0 10 0\nmark 10 10 0\nmark 10 0 0";
    world_on(&Map::parse(text).unwrap(), Rules::endless(of, teams), players)
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

/// Puts a player somewhere and plays a tick.
fn put(world: &mut World, index: u8, x: f32, y: f32) {
    assert!(world.move_to(slot(index), Vec3::new(x, y, 0.0)));
    run(world, 1);
}

fn news(world: &mut World) -> Vec<News> {
    let news = |event| if let Event::News(news) = event { Some(news) } else { None };
    world.drain_events().filter_map(news).collect()
}

fn state(world: &World) -> GameState {
    world.game_state().unwrap()
}

fn ctf(world: &World) -> CtfState {
    let Body::Ctf(ctf) = state(world).body else { panic!("another game") };
    ctf
}

fn oddball(world: &World) -> OddballState {
    let Body::Oddball(oddball) = state(world).body else { panic!("another game") };
    oddball
}

fn king(world: &World) -> KingState {
    let Body::King(king) = state(world).body else { panic!("another game") };
    king
}

fn race(world: &World) -> RaceState {
    let Body::Race(race) = state(world).body else { panic!("another game") };
    race
}

fn slayer(world: &World) -> SlayerState {
    let Body::Slayer(slayer) = state(world).body else { panic!("another game") };
    slayer
}

fn flags(world: &World) -> [ObjectId; 2] {
    ctf(world).flag_weapon.map(|raw| ObjectId::read(raw).unwrap())
}

fn ball(world: &World) -> ObjectId {
    world.goals().next().unwrap().flag
}

fn numbers(world: &World, index: u8) -> (i16, [i16; 3]) {
    let statistics = world.player(slot(index)).unwrap().statistics;
    (statistics.sort_key, statistics.by_game_type)
}

/// Kills: one each, none for a suicide, which costs one as a friend does; kills in a row and shortly after each other.
#[test]
fn slayer_counts_kills() {
    let mut world = plain(GameType::Slayer, false, 3);
    assert!(world.kill(slot(1), Some(slot(0))));
    assert!(world.kill(slot(2), Some(slot(0))));
    assert!(world.kill(slot(0), None));
    let of = |world: &World, index| world.player(slot(index)).unwrap().statistics;
    let killer = of(&world, 0);
    assert_eq!(
        (killer.sort_key, killer.kills_by_kind, killer.suicides, killer.deaths),
        (1, [2, 0, 0, 0], 1, 1)
    );
    assert_eq!((killer.kills_in_a_row, killer.multiple_kills), (0, 0));
    assert_eq!((of(&world, 1).deaths, of(&world, 1).sort_key), (1, 0));
    assert_eq!(slayer(&world).player_score[..3], [1, 0, 0]);
    // Of several shortly after each other the next one comes in time, or not.
    for (pause, several) in [(SPREE as u32, 2), (SPREE as u32 + 1, 1)] {
        let mut world = plain(GameType::Slayer, false, 3);
        world.kill(slot(1), Some(slot(0)));
        run(&mut world, pause);
        world.kill(slot(2), Some(slot(0)));
        assert_eq!((of(&world, 0).kills_in_a_row, of(&world, 0).multiple_kills), (2, several), "{pause}");
    }
    let mut world = plain(GameType::Slayer, true, 4);
    world.kill(slot(1), Some(slot(0)));
    world.kill(slot(3), Some(slot(2)));
    world.kill(slot(2), Some(slot(0)));
    assert_eq!((slayer(&world).team_score[..2].to_vec(), slayer(&world).player_score[0]), (vec![1, 0], 0));
    let friendly = of(&world, 0);
    assert_eq!((friendly.friendly_fire_kills, friendly.killed_a_teammate, friendly.sort_key), (1, 1, 0));
}

/// A flag is taken by the other team's touch, captured at home, and then it is at home again; its carrier alone has it.
#[test]
fn a_flag_is_taken_and_captured() {
    let mut world = plain(GameType::Ctf, true, 2);
    let [own, other] = flags(&world);
    put(&mut world, 0, -20.0 + TOUCHES - 0.1, 0.0);
    assert_eq!((world.bearer(own), news(&mut world)), (None, vec![]), "one's own flag at home");
    put(&mut world, 0, 20.0 + TOUCHES + 0.1, 0.0);
    assert_eq!(world.bearer(other), None, "out of reach");
    put(&mut world, 0, 20.0 + TOUCHES - 0.1, 0.0);
    assert_eq!(world.bearer(other), Some(slot(0)));
    assert_eq!(news(&mut world), [News::Grabbed { team: 0, by: slot(0) }]);
    put(&mut world, 0, -20.0 + CAPTURE + 0.1, 0.0);
    run(&mut world, 1);
    assert_eq!(ctf(&world).score, [0, 0]);
    put(&mut world, 0, -20.0 + CAPTURE - 0.1, 0.0);
    run(&mut world, 1);
    assert_eq!(news(&mut world), [News::Captured { team: 0, by: slot(0) }]);
    run(&mut world, 60);
    let state = ctf(&world);
    assert_eq!((state.score, state.captures, state.grabs, state.returns), ([1, 0], [1, 0], [1, 0], [0, 0]));
    assert_eq!((state.capturer, state.grabber, state.returner), ([0, NOBODY], [0, NOBODY], [NOBODY; 2]));
    assert_eq!((world.bearer(other), flags(&world)), (None, [own, other]));
    let lies = world.motion(other).unwrap().position;
    assert!(lies.distance(Vec3::new(20.0, 0.0, 0.0)) < 0.3, "{lies:?}");
    assert_eq!(numbers(&world, 0), (1, [1, 0, 1]));
    assert_eq!(numbers(&world, 1), (0, [0; 3]));
}

/// With the own flag away nothing is captured; it is when that is back.
#[test]
fn nothing_is_captured_while_the_own_flag_is_away() {
    let mut world = plain(GameType::Ctf, true, 2);
    put(&mut world, 0, 20.0, 0.0);
    put(&mut world, 1, -20.0, 0.0);
    put(&mut world, 1, 0.0, 5.0);
    put(&mut world, 0, -20.0, 0.0);
    run(&mut world, 30);
    assert_eq!(ctf(&world).score, [0, 0]);
    world.kill(slot(1), None);
    run(&mut world, u32::from(RETURN_AFTER) + 60);
    assert_eq!((ctf(&world).score, ctf(&world).returns, ctf(&world).returner[0]), ([1, 0], [1, 0], NOBODY));
}

/// OBJ-46: a flag falls where its carrier dies, and is the same object: its team's touch brings it home, the other's takes
/// it again, and after its time it is back by itself.
#[test]
fn a_flag_that_fell_is_returned() {
    let lost = || {
        let mut world = plain(GameType::Ctf, true, 4);
        put(&mut world, 0, 20.0, 0.0);
        put(&mut world, 0, 5.0, 0.0);
        world.kill(slot(0), Some(slot(3)));
        run(&mut world, 60);
        news(&mut world);
        let flag = flags(&world)[1];
        let lies = world.motion(flag).unwrap().position;
        assert!(world.bearer(flag).is_none() && lies.distance(Vec3::new(5.0, 0.0, 0.0)) < 1.0, "{lies:?}");
        (world, flag, lies)
    };
    let (mut world, flag, lies) = lost();
    put(&mut world, 1, lies.x, lies.y);
    assert_eq!(news(&mut world), [News::Returned { team: 1, by: Some(slot(1)) }]);
    assert_eq!((ctf(&world).returns, ctf(&world).returner), ([0, 1], [NOBODY, 1]));
    assert_eq!(numbers(&world, 1).1, [0, 1, 0]);
    run(&mut world, 60);
    assert!(world.motion(flag).unwrap().position.distance(Vec3::new(20.0, 0.0, 0.0)) < 0.3);

    let (mut world, flag, lies) = lost();
    put(&mut world, 2, lies.x, lies.y);
    assert_eq!((world.bearer(flag), ctf(&world).grabs), (Some(slot(2)), [2, 0]));

    let (mut world, flag, _) = lost();
    run(&mut world, u32::from(RETURN_AFTER) - 62);
    assert_eq!(ctf(&world).returns, [0, 0]);
    run(&mut world, 2);
    assert_eq!(news(&mut world), [News::Returned { team: 1, by: None }]);
    // Out of the world it is at home at once, and was returned by nobody.
    put(&mut world, 0, 20.0, 0.0);
    put(&mut world, 0, 5.0, 0.0);
    world.kill(slot(0), None);
    news(&mut world);
    assert!(world.place(flag, Vec3::new(39.0, 39.0, -4.9), Some(Vec3::new(0.0, 0.0, -1.0)), None));
    run(&mut world, 3);
    assert_eq!(news(&mut world), [News::Returned { team: 1, by: None }]);
    assert_eq!(flags(&world)[1], flag);
}

/// Swapping weapons puts a flag down; who did takes it again no sooner than a second later. The action button takes none.
#[test]
fn a_flag_is_put_down() {
    let mut world = plain(GameType::Ctf, true, 2);
    let flag = flags(&world)[1];
    put(&mut world, 0, 20.0, 0.0);
    put(&mut world, 0, 0.0, 5.0);
    let press = |world: &mut World, buttons| {
        world.drive(slot(0), Input { buttons, ..Input::default() });
        run(world, 1);
        world.drive(slot(0), Input::default());
    };
    press(&mut world, Buttons::SWAP_WEAPONS);
    assert_eq!(world.bearer(flag), None);
    press(&mut world, Buttons::ACTION);
    assert_eq!(world.bearer(flag), None, "touched, not taken");
    run(&mut world, 10);
    let lies = world.motion(flag).unwrap().position;
    put(&mut world, 0, lies.x, lies.y);
    assert_eq!(world.bearer(flag), None);
    run(&mut world, 30);
    assert_eq!(world.bearer(flag), Some(slot(0)));
}

/// AUTH-59: whoever carries a flag or a ball is slower, wherever the world that it is in; others are not.
#[test]
fn a_carrier_is_slower() {
    for of in [GameType::Ctf, GameType::Oddball] {
        for role in [Role::Host, Role::Client] {
            let mut world = plain(of, of == GameType::Ctf, 2);
            let at = if of == GameType::Ctf { 20.0 } else { 0.0 };
            put(&mut world, 0, at, 0.0);
            put(&mut world, 0, 0.0, -10.0);
            put(&mut world, 1, 0.0, -20.0);
            world.set_role(role);
            for index in 0..2 {
                world.drive(slot(index), Input { throttle: [1.0, 0.0], ..Input::default() });
            }
            run(&mut world, 10);
            let speed = |index| world.velocity(slot(index)).unwrap().length();
            let run = world.limits().run;
            assert!((speed(0) - run * CARRIER_PACE).abs() < 1e-4, "{of:?} {role:?} {}", speed(0));
            assert!((speed(1) - run).abs() < 1e-4, "{of:?} {role:?} {}", speed(1));
        }
    }
    // Slayer says it of each.
    let mut world = plain(GameType::Slayer, false, 1);
    assert!(world.set_pace(slot(0), 0.5) && slayer(&world).speed[0] == 8192);
    world.drive(slot(0), Input { throttle: [1.0, 0.0], ..Input::default() });
    run(&mut world, 10);
    assert!((world.velocity(slot(0)).unwrap().length() - world.limits().run * 0.5).abs() < 1e-4);
    world.set_role(Role::Client);
    assert!(!world.set_pace(slot(0), 1.0));
}

/// A ball scores the time that it is held, for its team too.
#[test]
fn a_ball_scores_time() {
    for teams in [false, true] {
        let mut world = plain(GameType::Oddball, teams, 2);
        put(&mut world, 1, 0.0, 0.0);
        assert_eq!((world.bearer(ball(&world)), oddball(&world).owner[0]), (Some(slot(1)), 1));
        run(&mut world, 90);
        let state = oddball(&world);
        assert_eq!((state.player_score[1], state.player_score[0]), (90, 0));
        assert_eq!(state.team_score[1], if teams { 90 } else { 0 });
        assert_eq!(numbers(&world, 1), (3, [3, 0, 0]));
    }
}

/// A ball goes to its carrier's killer, and to nobody where there is none or a friend did it.
#[test]
fn a_ball_passes_to_its_carriers_killer() {
    let mut world = plain(GameType::Oddball, true, 4);
    let object = ball(&world);
    put(&mut world, 1, 0.0, 0.0);
    news(&mut world);
    world.kill(slot(1), Some(slot(0)));
    assert_eq!(world.bearer(object), Some(slot(0)));
    assert_eq!(news(&mut world), [News::Passed { to: slot(0) }]);
    let state = oddball(&world);
    assert_eq!((state.owner[0], state.transfers, state.transfer_player), (0, 1, 0));
    assert_eq!(numbers(&world, 0).1, [0, 1, 0]);
    world.kill(slot(3), Some(slot(0)));
    assert_eq!(numbers(&world, 0).1, [0, 1, 1]);
    world.kill(slot(0), Some(slot(2)));
    assert_eq!(
        (world.bearer(object), oddball(&world).transfers, oddball(&world).owner[0]),
        (None, 1, NOBODY)
    );
    assert_eq!(ball(&world), object);
}

/// A ball that lies is back after its time: one that somebody had, and one that nobody did.
#[test]
fn a_ball_resets() {
    let mut world = plain(GameType::Oddball, false, 2);
    let object = ball(&world);
    put(&mut world, 0, 0.0, 0.0);
    put(&mut world, 0, 10.0, 0.0);
    world.kill(slot(0), None);
    run(&mut world, u32::from(RESET_AFTER) - 1);
    let state = oddball(&world);
    assert_eq!((state.resets, state.touched_resets, state.spawn_timer[0]), (0, 0, 1));
    run(&mut world, 1);
    assert_eq!(news(&mut world), [News::Reset { touched: true }]);
    run(&mut world, 60);
    let home = world.motion(object).unwrap().position;
    assert!(home.distance(Vec3::ZERO) < 0.3, "{home:?}");
    assert!(world.place(object, Vec3::new(9.0, 9.0, 0.1), Some(Vec3::ZERO), None));
    run(&mut world, u32::from(RESET_AFTER));
    assert_eq!(news(&mut world), [News::Reset { touched: false }]);
    assert_eq!((oddball(&world).resets, oddball(&world).touched_resets), (1, 1));
}

/// Alone on the hill one scores, disputed nobody does; off it nobody.
#[test]
fn a_hill_is_controlled_or_contested() {
    let mut world = plain(GameType::King, false, 3);
    run(&mut world, 5);
    assert_eq!((king(&world).state, king(&world).score[..3].to_vec()), (UNCONTROLLED, vec![0; 3]));
    put(&mut world, 0, 2.1, 0.0);
    assert_eq!(king(&world).state, UNCONTROLLED);
    put(&mut world, 0, 1.9, 0.0);
    run(&mut world, 29);
    let state = king(&world);
    assert_eq!((state.state, state.score[0], state.on_hill[..2].to_vec()), (CONTROLLED, 30, vec![1, 0]));
    assert_eq!((state.previous_controller, state.controlled_count), (0, 30));
    assert_eq!(numbers(&world, 0), (1, [1, 0, 0]));
    put(&mut world, 1, -1.9, 0.0);
    run(&mut world, 9);
    assert_eq!((king(&world).state, king(&world).score[..2].to_vec()), (CONTESTED, vec![30, 0]));
    world.kill(slot(0), Some(slot(1)));
    run(&mut world, 10);
    assert_eq!((king(&world).state, king(&world).score[..2].to_vec()), (CONTROLLED, vec![30, 10]));
    assert_eq!(king(&world).previous_controller, 1);
    // Two of one team are one side.
    let mut world = plain(GameType::King, true, 3);
    put(&mut world, 0, 1.0, 0.0);
    put(&mut world, 2, -1.0, 0.0);
    run(&mut world, 8);
    assert_eq!((king(&world).state, king(&world).score[0]), (CONTROLLED, 10));
}

/// The hill moves after its time to the next and round again, and its outline with it.
#[test]
fn a_hill_moves() {
    let mut world = plain(GameType::King, false, 1);
    let first = king(&world);
    assert_eq!((first.hill, first.point_count, first.centre), (0, 4, [0.0, 0.0, -1.0]));
    put(&mut world, 0, 11.0, 11.0);
    let left = king(&world).timer as u32;
    run(&mut world, left - 1);
    assert_eq!((king(&world).hill, king(&world).timer), (0, 1));
    run(&mut world, 1);
    let second = king(&world);
    assert_eq!((second.hill, second.timer, second.centre), (1, HILL_STAYS, [11.0, 11.0, -1.0]));
    assert_eq!((second.hull[2], second.bottom, second.top), ([12.0, 12.0], -1.0, 2.0));
    run(&mut world, 5);
    assert_eq!((king(&world).score[0], world.waypoint(slot(0)).unwrap().place.x), (5, 11.0));
    run(&mut world, HILL_STAYS as u32);
    assert_eq!(king(&world).hill, 0);
}

/// Flags count in their order; a lap is from the first to the first again; the best is kept, and told where it is beaten.
#[test]
fn laps_are_run() {
    let mut world = plain(GameType::Race, false, 2);
    let corners = [(0.0, 10.0), (10.0, 10.0), (10.0, 0.0)];
    put(&mut world, 0, 10.0, 10.0);
    assert_eq!(race(&world).touches[0], 0, "not its turn");
    put(&mut world, 0, 0.0, 10.0 + PASSES + 0.1);
    assert_eq!(race(&world).touches[0], 0, "too far");
    let lap = |world: &mut World, pause: u32| {
        for (x, y) in corners {
            put(world, 0, x, y);
            run(world, pause);
        }
    };
    lap(&mut world, 99);
    assert_eq!((race(&world).lap_bits[0], race(&world).laps[0], race(&world).touches[0]), (0b111, 0, 3));
    lap(&mut world, 49);
    let state = race(&world);
    assert_eq!((state.laps[0], state.last_lap[0], state.best_lap[0], state.best_laps[0]), (1, 300, 300, 0));
    news(&mut world);
    lap(&mut world, 99);
    let told = news(&mut world);
    let touched = News::Touched { by: slot(0) };
    assert_eq!(told, [touched, News::Lap { by: slot(0) }, News::BestLap { by: slot(0) }, touched, touched]);
    put(&mut world, 0, 0.0, 10.0);
    let state = race(&world);
    assert_eq!(
        (state.laps_completed[0], state.last_lap[0], state.best_lap[0], state.best_laps[0]),
        (3, 300, 150, 1)
    );
    assert_eq!(numbers(&world, 0), (3, [300, 3, 150]));
    assert_eq!((numbers(&world, 1), race(&world).lap_completed_mask), ((0, [0; 3]), 0b111));
}

/// A score ends the game, and a time does: the phase rises once, then nothing counts, and after a while a host may end it.
#[test]
fn a_game_ends() {
    let map = Map::named("flat").unwrap();
    let rules = Rules { score_limit: 2, ..Rules::endless(GameType::Slayer, false) };
    let mut world = world_on(&map, rules, 3);
    world.kill(slot(1), Some(slot(0)));
    run(&mut world, 1);
    assert_eq!(world.post_game_phase(), 0);
    world.kill(slot(2), Some(slot(0)));
    run(&mut world, 1);
    assert_eq!(
        (world.post_game_phase(), world.is_played_out(), news(&mut world)),
        (1, false, vec![News::Over])
    );
    run(&mut world, u32::from(OVER_AFTER) - 1);
    assert!(!world.is_played_out());
    run(&mut world, 1);
    assert!(world.is_played_out() && state(&world).post_game_phase == 2);
    world.kill(slot(1), Some(slot(0)));
    run(&mut world, 5);
    let won = |index| {
        let of = world.player(slot(index)).unwrap().statistics;
        (of.games_played, of.games_won, of.sort_key)
    };
    assert_eq!([won(0), won(1)], [(1, 1, 2), (1, 0, 0)]);
    let rules = Rules { time_limit: 300, ..Rules::endless(GameType::Slayer, false) };
    let mut world = world_on(&map, rules, 1);
    run(&mut world, 298);
    assert_eq!(world.post_game_phase(), 0);
    run(&mut world, 1);
    assert_eq!(world.post_game_phase(), 1);
    assert_eq!(world.player(slot(0)).unwrap().statistics.seconds_online, 10);
}

/// A variant's respawn: its ticks, more with each death, more for a suicide.
#[test]
fn a_variant_says_when_one_comes_back() {
    let rules = Rules {
        respawn: 60,
        respawn_growth: 30,
        suicide_penalty: 100,
        ..Rules::endless(GameType::Slayer, false)
    };
    let mut world = world_on(&Map::named("flat").unwrap(), rules, 2);
    for (by, wait) in [(Some(slot(1)), 60), (Some(slot(1)), 90), (None, 220)] {
        world.kill(slot(0), by);
        run(&mut world, wait);
        assert_eq!(world.unit(slot(0)), None, "{wait}");
        run(&mut world, 1);
        assert!(world.unit(slot(0)).is_some(), "{wait}");
    }
}

/// Who comes to a slot that another had begins with nothing; what the other scored for its team stays the team's.
#[test]
fn a_slot_begins_anew() {
    let mut world = plain(GameType::Race, true, 2);
    for (x, y) in [(0.0, 10.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0), (10.0, 10.0)] {
        put(&mut world, 0, x, y);
    }
    assert_eq!((race(&world).laps_completed[0], race(&world).team_laps[0]), (1, 1));
    assert_ne!(race(&world).lap_bits[0], 0);
    world.leave(slot(0));
    assert_eq!(numbers(&world, 0).0, 1, "whoever left has it still");
    assert!(world.join(slot(0), "other", Machine::HOST, Some(0)));
    let state = race(&world);
    assert_eq!(
        (state.laps_completed[0], state.best_lap[0], state.lap_bits[0], state.team_laps[0]),
        (0, 0, 0, 1)
    );
    assert_eq!(numbers(&world, 0), (0, [0; 3]));
}

/// Teams begin at their own stands.
#[test]
fn teams_begin_at_home() {
    let rules = Rules::named("ctf").unwrap();
    let mut world = world_on(&Map::named("two_bases").unwrap(), rules, 16);
    for round in 0..4 {
        for index in 0..16 {
            let x = world.position(slot(index)).unwrap().x;
            assert_eq!(x < 0.0, index % 2 == 0, "{round} {index} {x}");
            world.kill(slot(index), None);
        }
        run(&mut world, 92);
    }
}

/// AUTH-51, GLUE-17: in a client's world of any type nothing is counted, whatever happens; it takes the host's word, of
/// its own type alone, and a phase that has risen does not fall.
#[test]
fn a_client_counts_nothing() {
    let map = Map::named("two_bases").unwrap();
    for name in Rules::NAMES {
        let rules = Rules { score_limit: 0, ..Rules::named(name).unwrap() };
        let mut world = world_on(&map, rules, 4);
        let bots = 4;
        let mut bots: Vec<Bot> = (0..bots).map(Bot::new).collect();
        world.set_role(Role::Client);
        let (before, decided) = (state(&world), world.decisions());
        for _ in 0..900 {
            let tick = world.tick().next();
            for (index, bot) in bots.iter_mut().enumerate() {
                let input = bot.input(&world, slot(index as u8), tick);
                world.drive(slot(index as u8), input);
            }
            world.step(tick);
        }
        assert_eq!(
            (state(&world), world.decisions(), news(&mut world)),
            (before.clone(), decided, vec![]),
            "{name}"
        );
        // A host's word.
        let mut host = world_on(&map, rules, 4);
        host.kill(slot(0), Some(slot(1)));
        run(&mut host, 30);
        let told = GameState { post_game_phase: 1, ..state(&host) };
        assert!(world.set_game_state(&told));
        assert!(world.set_game_state(&GameState { post_game_phase: 0, ..told.clone() }));
        assert_eq!(state(&world), told, "{name}");
        let other = if rules.of == GameType::Race { GameType::King } else { GameType::Race };
        let foreign = world_on(&map, Rules::endless(other, false), 0);
        assert!(!world.set_game_state(&state(&foreign)) && state(&world) == told);
    }
}

/// OBJ-10, OBJ-46: flags and balls have one name on every machine, and so a map's things have theirs with and without.
#[test]
fn what_a_game_is_about_has_one_name() {
    let map = Map::named("two_bases").unwrap();
    for (name, kind, count) in [("ctf", Kind::Flag, 2), ("oddball", Kind::Ball, 1)] {
        let rules = Rules::named(name).unwrap();
        let goals = |seed| {
            let mut world = World::new(&map, seed, Tuning::default());
            world.set_rules(Some(rules));
            let placing = world.placing();
            let goals: Vec<_> = world.goals().map(|goal| (goal.flag, goal.position)).collect();
            assert!(goals.iter().all(|(goal, _)| world.kind(*goal) == Some(kind)));
            (placing, goals)
        };
        assert_eq!(goals(1), goals(2));
        assert_eq!((goals(1).1.len(), goals(1).0.count), (count, count));
    }
    assert_eq!(World::new(&map, 1, Tuning::default()).goals().count(), 0);
}

/// What a game is played with: the variant, the map, players, a small limit, and the seconds that it may take.
const GAMES: [(&str, &str, u8, i32, u32); 9] = [
    ("ctf", "two_bases", 4, 2, 600),
    ("ctf", "two_bases", 8, 3, 600),
    ("oddball", "two_bases", 4, 20, 300),
    ("oddball", "hill", 6, 20, 300),
    ("king", "hill", 4, 20, 400),
    ("king", "two_bases", 3, 20, 400),
    ("race", "two_bases", 4, 2, 400),
    ("race", "hill", 4, 2, 400),
    ("race", "drive", 4, 2, 400),
];

/// Plays a game by bots alone to its end: the seconds that it took, and its digests on the way.
fn play(game: (&str, &str, u8, i32, u32), seed: u64) -> (Option<u32>, Vec<u64>) {
    let (name, map, players, score_limit, seconds) = game;
    let rules = Rules { score_limit, ..Rules::named(name).unwrap() };
    let mut world = world_on(&Map::named(map).unwrap(), rules, players);
    let mut bots: Vec<Bot> = (0..u64::from(players)).map(|index| Bot::new(seed * 100 + index)).collect();
    let mut digests = Vec::new();
    for passed in 0..seconds * 30 {
        let tick = world.tick().next();
        for (index, bot) in bots.iter_mut().enumerate() {
            let input = bot.input(&world, slot(index as u8), tick);
            world.drive(slot(index as u8), input);
        }
        world.step(tick);
        if passed % 300 == 0 {
            digests.push(world.state_hash());
        }
        if world.is_played_out() {
            let best = world.players().map(|(_, player)| player.score()).max().unwrap();
            assert!(best > 0, "{game:?}");
            digests.push(world.state_hash());
            return (Some(passed / 30), digests);
        }
    }
    (None, digests)
}

/// Every game type but slayer, which needs what hits, is played by bots alone to its score limit.
#[test]
fn bots_play_each_type_to_its_end() {
    let mut failed = false;
    for game in GAMES {
        for seed in [1, 2] {
            let (took, _) = play(game, seed);
            println!("{game:?} seed {seed}: {took:?} s");
            failed |= took.is_none();
        }
    }
    assert!(!failed);
}

/// The same seed plays the same game, in everything that counts.
#[test]
fn games_are_their_seeds() {
    for game in GAMES {
        assert_eq!(play(game, 3), play(game, 3), "{game:?}");
    }
}
