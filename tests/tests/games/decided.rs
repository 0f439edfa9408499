//! What the host alone decides: on a client that is cut off nothing of it happens, and what the host decides a client shows
//! within a round trip.

use mjolnir_skirmish::game::types::CARRIER_PACE;
use mjolnir_skirmish::game::{Rules, World};
use mjolnir_tests::{Lab, Plan, Who, go, still};
use mjolnir_wire::game_state::Body;
use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::{Slot, Vec3};

/// A hill at one place, a ball at another, and things to touch.
const GROUND: &str = "bounds -40 -40 -5 40 40 40
box -44 -44 -1 44 44 0
hill -4 -4 -0.2 4 4 3
ball 20 0 0.2
item vision 20 20 0.2
item overshield -20 20 0.2
spawns -30 30 30 36 4 2 0
nodes -30 -30 30 30 3 3 0
";

/// A game of that variant without an end, with players that stand.
fn idle(variant: &str, seed: u64, clients: usize, milliseconds: u64) -> Lab {
    let rules = Rules { score_limit: 0, ..Rules::named(variant).unwrap() };
    let plan = Plan { ground: Some(GROUND), rules: Some(rules), ..Plan::new("flat", seed, clients) };
    let mut lab = Lab::idle(plan.network(milliseconds, 0.0));
    lab.run_seconds(2.0);
    lab
}

/// What is decided of players and objects in a world: each player's statistics, powerups, hurts and what it carries,
/// and every object that stands.
fn decided(world: &World) -> String {
    let players: Vec<_> = world
        .players()
        .map(|(slot, player)| {
            let unit = world.unit(slot);
            let has = unit.and_then(|unit| world.inventory(unit));
            let vitality = unit.and_then(|unit| world.vitality(unit));
            // The host's clock counts them all the time.
            let statistics = Statistics { seconds_online: 0, ..player.statistics };
            (slot, statistics, unit, has, vitality.map(|of| (of.powerups, of.shield, of.body)))
        })
        .collect();
    format!("{players:?} {:?}", world.objects().collect::<Vec<_>>())
}

/// AUTH-01, AUTH-51: a client that is cut off puts its player upon things that are touched, into the zone that is
/// scored and onto the ball, for five seconds each: nothing is taken, nothing scored, no timer of a hill or a ball goes
/// on. On the host each is something.
#[test]
fn a_client_that_is_cut_off_takes_and_scores_nothing() {
    let spots = [("king", 0.0, 0.0), ("oddball", 20.0, 0.0), ("king", 20.0, 20.0), ("slayer", -20.0, 20.0)];
    for (variant, x, y) in spots {
        let at = Vec3::new(x, y, 0.0);
        let what = format!("{variant} at {x} {y}");
        let mut lab = idle(variant, 411, 1, 50);
        let slot = lab.clients[0].slot();
        lab.partition(0, true);
        // What was on its way has come.
        lab.run_ticks(Lab::ticks_of(50) + 4);
        let world = lab.clients[0].engine.world_mut();
        let before = (decided(world), world.game_state());
        let unit = world.unit(slot).unwrap();
        assert!(world.place(unit, at, Some(Vec3::ZERO), None));
        lab.run_seconds(5.0);
        let world = lab.clients[0].engine.world();
        assert!(world.position(slot).unwrap().across().distance(at) < 0.1, "{what}: it stands there");
        assert_eq!((decided(world), world.game_state()), before, "{what}");
        assert_eq!(world.decisions().total(), 0, "{what}");

        lab.partition(0, false);
        lab.run_seconds(1.0);
        // It is back where the host has it, which took no word of it meanwhile.
        assert!(lab.clients[0].place(slot).distance(at) > 5.0, "{what}");
        let before = decided(lab.host.engine.world());
        lab.run_seconds(2.0);
        assert_eq!(decided(lab.host.engine.world()), before, "{what}");
        assert!(lab.host.engine.world_mut().move_to(slot, at));
        lab.run_seconds(2.0);
        assert_ne!(decided(lab.host.engine.world()), before, "{what}: on the host it is something");
    }
}

/// AUTH-02, AUTH-01: the host hurts, kills and spawns a client's player and counts its killer's score at 50 ms each
/// way: each client has all of it within the round trip and two ticks; the statistics within 15 ticks besides (AUTH-45)
/// and the game's state within 12 (AUTH-47).
#[test]
fn what_the_host_decides_is_shown_within_a_round_trip() {
    let mut lab = idle("slayer", 412, 3, 50);
    let [slot, killer] = [0, 1].map(|place: usize| lab.clients[place].slot());
    let trip = Lab::ticks_of(100) as i32 + 2;
    let within = |lab: &mut Lab, what: &str, most: i32, holds: &dyn Fn(&World) -> bool| {
        let begun = lab.tick();
        assert!(holds(lab.host.engine.world()), "{what}: the host's");
        assert!(lab.clients.iter().all(|seat| !holds(seat.engine.world())), "{what}: before");
        lab.run_until(what, 3, |lab| lab.clients.iter().all(|seat| holds(seat.engine.world())));
        let after = lab.tick().since(begun);
        assert!(after <= most, "{what}: after {after} ticks of {most}");
    };
    assert!(lab.host.engine.world_mut().damage(slot, 1.4, Some(killer)));
    within(&mut lab, "the wound", trip, &|world| {
        let has = world.unit(slot).and_then(|unit| world.vitality(unit));
        has.is_some_and(|has| has.body < 0.9)
    });
    let unit = lab.host.engine.world().unit(slot);
    let score = |world: &World| match world.game_state().map(|state| state.body) {
        Some(Body::Slayer(state)) => state.player_score[killer.index()],
        _ => panic!("another game"),
    };
    assert!(lab.host.engine.world_mut().kill(slot, Some(killer)));
    within(&mut lab, "the death", trip, &|world| world.unit(slot).is_none());
    // Both ran from the death on, and less than that is left of either.
    lab.run_ticks(15);
    for seat in &lab.clients {
        let world = seat.engine.world();
        let kills = |world: &World| world.player(killer).unwrap().statistics.sort_key;
        assert_eq!((kills(world), score(world)), (1, 1));
        assert_eq!(kills(lab.host.engine.world()), 1);
    }
    lab.run_until("the host spawns it", 10, |lab| lab.host.engine.world().unit(slot).is_some());
    within(&mut lab, "the spawn", trip, &|world| world.unit(slot).is_some_and(|of| Some(of) != unit));
    assert!(lab.clients.iter().all(|seat| seat.engine.world().decisions().total() == 0));
}

/// How far a player went in its machine's last tick, along the ground, in wu.
fn speed(world: &World, slot: Slot) -> f32 {
    world.velocity(slot).map_or(0.0, |velocity| velocity.across().length())
}

/// AUTH-59: the host sets a pace of a half, then of 1.5, for a client's running player at 100 ms each way: from a round
/// trip and the state's 12 ticks on it runs at just that on its own machine, is moved by nobody and refused nothing;
/// and another client's player at its own.
#[test]
fn a_pace_of_the_games_is_predicted() {
    let mut lab = idle("slayer", 413, 2, 100);
    let slots = [0, 1].map(|place: usize| lab.clients[place].slot());
    let run = lab.host.engine.world().limits().run;
    for (pace, towards) in [(0.5, 0.0), (1.5, std::f32::consts::PI), (1.0, 0.0)] {
        for (slot, y) in slots.into_iter().zip([-10.0, -14.0]) {
            let x = if towards == 0.0 { -30.0 } else { 30.0 };
            assert!(lab.host.engine.world_mut().move_to(slot, Vec3::new(x, y, 0.0)));
        }
        lab.run_seconds(1.0);
        lab.clients.iter_mut().for_each(|seat| seat.engine.take_over(0, go(towards)));
        lab.run_seconds(1.0);
        assert!(lab.host.engine.world_mut().set_pace(slots[0], pace));
        assert!(!lab.clients[0].engine.world_mut().set_pace(slots[0], 3.0), "it is the host's to say");
        lab.run_ticks(Lab::ticks_of(200) + 2 + 12);
        let moved = [0, 1].map(|place: usize| lab.clients[place].engine.notes.own_moves.len());
        let refused = |lab: &Lab| {
            let counters = lab.host.net.counters();
            ["past_tolerance", "past_bounds"].map(|reason| counters.refused.get(reason).copied())
        };
        let before = refused(&lab);
        let mut ticks = 0;
        lab.watch_ticks(120, |lab, who| {
            let Who::Client(place) = who else { return };
            let due = if place == 0 { run * pace } else { run };
            let at = speed(lab.clients[place].engine.world(), slots[place]);
            assert!((at - due).abs() < 1e-3, "client {place} at {pace}: {at} of {due}");
            ticks += 1;
        });
        assert!(ticks >= 230);
        assert_eq!([0, 1].map(|place: usize| lab.clients[place].engine.notes.own_moves.len()), moved);
        assert_eq!(refused(&lab), before);
        lab.clients.iter_mut().for_each(|seat| seat.engine.take_over(0, still()));
        lab.run_seconds(0.5);
    }
    assert!(lab.apart().unwrap() < 0.01);
}

/// AUTH-51, AUTH-59: a client's player has the ball, and is cut off from the host: it goes on at a carrier's pace, and
/// neither its score nor its time with the ball grows there for five seconds, while the host's do; nor does a hill's
/// timer there.
#[test]
fn a_carrier_that_is_cut_off_is_slow_and_scores_nothing() {
    for variant in ["oddball", "king"] {
        let mut lab = idle(variant, 414, 1, 50);
        let slot = lab.clients[0].slot();
        let at = if variant == "king" { Vec3::new(-2.0, 0.0, 0.0) } else { Vec3::new(20.0, 0.0, 0.0) };
        assert!(lab.host.engine.world_mut().move_to(slot, at));
        lab.run_seconds(2.0);
        let has_it = |world: &World| world.goals().any(|goal| world.bearer(goal.flag) == Some(slot));
        assert_eq!(has_it(lab.clients[0].engine.world()), variant == "oddball");
        lab.partition(0, true);
        lab.run_ticks(Lab::ticks_of(50) + 4);
        let counted = |world: &World| {
            let state = world.game_state().unwrap();
            let (score, timer) = match &state.body {
                Body::King(king) => (king.score.iter().sum::<i32>(), king.timer),
                Body::Oddball(ball) => (ball.player_score.iter().sum(), ball.spawn_timer[0]),
                _ => panic!("another game"),
            };
            (score, timer, world.player(slot).unwrap().statistics)
        };
        let [there, here] = [lab.host.engine.world(), lab.clients[0].engine.world()].map(counted);
        assert!(here.0 > 0, "{variant}: it has scored");
        if variant == "oddball" {
            lab.clients[0].engine.take_over(0, go(std::f32::consts::FRAC_PI_2));
        }
        let mut ran = 0;
        lab.watch_ticks(150, |lab, who| {
            if who == Who::Host {
                return;
            }
            let world = lab.clients[0].engine.world();
            assert_eq!(counted(world), here, "{variant}");
            let at = speed(world, slot);
            if variant == "oddball" && at > 0.01 {
                ran += u32::from((at - world.limits().run * CARRIER_PACE).abs() < 1e-3);
            }
        });
        assert!(ran > 130 || variant == "king", "{ran}");
        let now = counted(lab.host.engine.world());
        assert!(now.0 >= there.0 + 140, "{variant}: the host's goes on: {} of {}", now.0, there.0);
        assert_eq!(lab.clients[0].engine.world().decisions().total(), 0);
    }
}

/// AUTH-14: an explosion throws a client's player on the host at 150 ms each way. Its machine, told of it a round
/// trip's half later, throws it too (so far by this test's hand, in place of the word on damage): the host takes its
/// arc, nothing is refused, its player is moved by no word, and both end in one place, where the throw led. Of a throw
/// that it is not told of nothing is left on either: its own word, which is within the tolerance, stands.
#[test]
fn a_throw_is_followed() {
    for throw in [Vec3::new(0.3, 0.0, 0.15), Vec3::new(0.1, 0.1, 0.1), Vec3::new(0.15, 0.05, 0.18)] {
        for told in [false, true] {
            let mut lab = idle("slayer", 415, 1, 150);
            let slot = lab.clients[0].slot();
            assert!(lab.host.engine.world_mut().move_to(slot, Vec3::new(-35.0, -20.0, 0.0)));
            lab.run_seconds(2.0);
            let refused = |lab: &Lab| lab.host.net.counters().refused;
            let (moved, before) = (lab.clients[0].engine.notes.own_moves.len(), refused(&lab));
            let unit = lab.host.engine.world().unit(slot).unwrap();
            let from = lab.host.place(slot);
            assert!(lab.host.engine.world_mut().throw(unit, throw));
            assert!(!lab.clients[0].engine.world_mut().throw(unit, throw), "it is the host's to decide");
            if told {
                lab.run_ticks(Lab::ticks_of(150) + 2);
                let world = lab.clients[0].engine.world_mut();
                let (place, velocity) = (world.position(slot).unwrap(), world.velocity(slot).unwrap());
                world.place(unit, place, Some(velocity + throw), None);
            }
            let mut most = 0.0_f32;
            lab.watch_ticks(180, |lab, _| most = most.max(lab.host.place(slot).distance(from)));
            let (here, there) = (lab.clients[0].place(slot), lab.host.place(slot));
            println!(
                "{throw:?}, told {told}: it went {} wu, {} apart",
                there.distance(from),
                here.distance(there)
            );
            assert!(here.distance(there) < 1.0, "{throw:?}, told {told}: {here:?} and {there:?}");
            assert_eq!(lab.clients[0].engine.notes.own_moves.len(), moved, "{throw:?}, told {told}");
            assert_eq!(refused(&lab), before, "{throw:?}, told {told}");
            if told {
                assert!(there.distance(from) > 5.0, "{throw:?}: {there:?}");
            } else {
                assert!(there.distance(from) < 0.1 && most < 1.0, "{throw:?}: {most} wu, {there:?}");
            }
        }
    }
}
