//! What minds do: guards, rounds and attacks; whose turn it is; and that the same seed gives the same.

use mjolnir_skirmish::game::actors::mind::{EVERY, SIGHT};
use mjolnir_skirmish::game::actors::{ENEMIES, MARINES, MOST_ACTORS, PLAYERS};
use mjolnir_skirmish::game::{Bot, Map, Role, Tuning, World};
use mjolnir_wire::{Buttons, Machine, Tick, Vec3};

use crate::scene::{EAST, NORTH, actor, field, field_of, only, place, run, slot, step, units};

/// Whether an actor fires within so many ticks.
fn fires(world: &mut World, ticks: u32) -> bool {
    let unit = only(world);
    (0..ticks).any(|_| {
        step(world);
        actor(world, unit).control().input.buttons.contains(Buttons::PRIMARY_TRIGGER)
    })
}

/// A guard fires at a player that it sees, as far as it sees and its weapon hits, not through a wall and not at a friend.
#[test]
fn a_guard_fires_at_foes_that_it_sees() {
    let guard = |team: u8, weapon: &str| format!("squad a {team} guard {weapon} 0 0 0 90\nplaced a\n");
    for (lines, at, expected) in [
        (guard(ENEMIES, "rifle"), EAST * 8.0, true),
        (guard(ENEMIES, "rifle"), EAST * -(SIGHT - 0.5), true),
        (guard(ENEMIES, "rifle"), EAST * -(SIGHT + 0.5), false),
        (guard(ENEMIES, "shotgun"), EAST * 11.5, true),
        (guard(ENEMIES, "shotgun"), EAST * 12.5, false),
        (guard(ENEMIES, "rifle") + "box 4 -4 0 5 4 3", EAST * 8.0, false),
        (guard(MARINES, "rifle"), EAST * 8.0, false),
        (guard(PLAYERS, "rifle"), EAST * 8.0, false),
    ] {
        let mut world = field(&lines, &[at]);
        world.set_harm(false);
        assert_eq!(fires(&mut world, 90), expected, "{lines} {at:?}");
        assert!(place(&world, only(&world)).length() < 0.01, "it stays");
    }
}

/// Who is a foe follows the word on it, both ways, within a turn.
#[test]
fn minds_follow_the_word_on_friends() {
    let mut world = field("squad a 2 guard rifle 0 0 0 0\nplaced a", &[EAST * 6.0]);
    world.set_harm(false);
    assert!(!fires(&mut world, 60));
    assert!(world.set_allied(PLAYERS, MARINES, false) && fires(&mut world, 40));
    assert!(world.set_allied(MARINES, PLAYERS, true));
    run(&mut world, EVERY);
    assert!(!fires(&mut world, 60));
    assert!(!world.set_allied(PLAYERS, 16, true));
}

/// A guard that was moved goes back to its post.
#[test]
fn a_guard_goes_back_to_its_post() {
    let mut world = field("squad a 1 guard rifle 0 0 0 0\nplaced a", &[]);
    let unit = only(&world);
    world.place(unit, NORTH * 5.0, Some(Vec3::ZERO), None);
    run(&mut world, 120);
    assert!(place(&world, unit).length() < 1.0, "{:?}", place(&world, unit));
}

/// One on its rounds comes by each place of its squad in turn, round and round; around a box in its way too.
#[test]
fn a_patrol_comes_by_all_its_places() {
    let lines = "squad a 1 patrol rifle 0 0 0 0  10 0 0 0  10 10 0 0\nplaced a\nbox 4.6 -0.3 0 5 1 2";
    let mut world = field(lines, &[]);
    let units = units(&world);
    let stops: Vec<Vec3> = world.map().squads[0].starts.iter().map(|start| start.position).collect();
    let mut visits: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for _ in 0..1500 {
        step(&mut world);
        for (unit, seen) in units.iter().zip(&mut visits) {
            let at = stops.iter().position(|stop| stop.distance(place(&world, *unit)) < 0.6);
            if let Some(at) = at.filter(|at| seen.last() != Some(at)) {
                seen.push(at);
            }
        }
    }
    for seen in visits {
        assert!(seen.len() >= 6, "{seen:?}");
        assert!(seen.windows(2).all(|pair| pair[1] == (pair[0] + 1) % 3), "{seen:?}");
    }
}

/// One that attacks comes for a player from further than it sees, says so once as it sees it, strikes from near, and is lit as
/// one of rank while it fights.
#[test]
fn one_that_attacks_comes_near_and_strikes() {
    let mut world = field("squad a 1 attack plasma 0 0 0 0\nmajors a\nplaced a", &[EAST * 40.0]);
    world.set_harm(false);
    let unit = only(&world);
    run(&mut world, 20);
    assert_eq!((actor(&world, unit).showed().speeches, world.light(unit)), (0, Some(false)));
    run(&mut world, 500);
    let far = place(&world, unit).distance(world.position(slot(0)).unwrap());
    assert!(far < 8.0, "{far}");
    assert_eq!((actor(&world, unit).showed().speeches, world.light(unit)), (1, Some(true)));
    assert_eq!(actor(&world, unit).showed().impulses, 0);
    let beside = place(&world, unit) + EAST * 0.5;
    world.move_to(slot(0), beside);
    for _ in 0..60 {
        // It goes round its foe, which follows.
        let beside = place(&world, unit) + EAST * 0.5;
        world.move_to(slot(0), beside);
        step(&mut world);
    }
    let strikes = actor(&world, unit).showed().impulses;
    assert!((1..=3).contains(&strikes), "{strikes}");
}

/// Who is hurt from behind turns to where that came from.
#[test]
fn who_is_hurt_turns_round() {
    let mut world = field("squad a 1 guard plasma 0 0 0 0\nmajors a\nplaced a", &[EAST * -38.0]);
    let unit = only(&world);
    let before = world.aim_of(unit).unwrap().0;
    assert!(before.cos() > 0.3);
    let hit = mjolnir_wire::damage::Hit {
        object: unit,
        damage: mjolnir_wire::damage::Damage {
            effect: mjolnir_skirmish::game::effects::ROUND.tag,
            flags: 0,
            owner: Some(slot(0)),
            team: None,
            owner_object: world.unit(slot(0)),
            origin: EAST * -38.0,
            epicentre: EAST * -38.0,
            direction: EAST,
            scale: 1.0,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material: None,
        },
        target: Vec3::ZERO,
        normal: None,
        parts: mjolnir_wire::damage::Parts::default(),
    };
    world.deal_hit(&hit);
    run(&mut world, 25);
    assert!(world.aim_of(unit).unwrap().0.cos() < -0.5, "{:?}", world.aim_of(unit));
}

/// OBJ-33: minds think in turn, each once in so many ticks, and nobody thinks in a client's world, for 30 s.
#[test]
fn minds_think_in_turn_and_on_the_host_alone() {
    let mut world = World::new(&Map::named("outpost").unwrap(), 3, Tuning::default());
    world.set_role(Role::Host);
    world.step(Tick::ZERO.next());
    let mut most = 0;
    let first = world.decisions().thoughts;
    for _ in 0..2 * EVERY {
        let before = world.decisions().thoughts;
        step(&mut world);
        most = most.max(world.decisions().thoughts - before);
    }
    assert_eq!(world.decisions().thoughts - first, 2 * MOST_ACTORS as u64);
    assert_eq!(most, MOST_ACTORS as u64 / u64::from(EVERY));

    let lines = "squad a 1 patrol plasma\nmuster a -40 -40 40 40 10 5 0\nplaced a";
    let mut host = field(lines, &[]);
    let mut client = crate::scene::client(&host);
    assert_eq!(client.actors().count(), 50);
    let before = client.decisions();
    for _ in 0..900 {
        step(&mut host);
        step(&mut client);
    }
    assert!(host.decisions().thoughts > 50 * 100);
    assert_eq!(client.decisions(), before);
}

/// A fight on the garrison with two bots: the digest after each tick, and how many actors died.
fn fight(seed: u64) -> (Vec<u64>, usize) {
    let mut world = World::new(&Map::named("garrison").unwrap(), seed, Tuning::default());
    world.set_role(Role::Host);
    world.set_harm(true);
    let mut bots: Vec<_> = (0..2).map(|index| (slot(index), Bot::new(seed + u64::from(index)))).collect();
    for (slot, _) in &bots {
        world.join(*slot, "bot", Machine::HOST, None);
    }
    let mut hashes = Vec::new();
    let mut before = 0;
    for number in 1..1800 {
        let tick = Tick::new(number).unwrap();
        for (slot, bot) in &mut bots {
            let input = bot.input(&world, *slot, tick);
            world.drive(*slot, input);
        }
        world.step(tick);
        if number == 1 {
            let hunters = world.squad_named("hunters").unwrap();
            assert_eq!(world.place_squad(hunters), 2);
            before = world.actors().count();
        }
        hashes.push(world.state_hash());
        world.drain_events();
    }
    (hashes, before - world.actors().count())
}

/// The same seed gives the same minute, to the last bit, with fights and deaths in it; another seed another.
#[test]
fn the_same_seed_is_the_same() {
    let seed = 0xAC7;
    println!("seed {seed}");
    let (hashes, died) = fight(seed);
    assert!(died >= 1, "{died}");
    assert_eq!(fight(seed).0, hashes);
    assert_ne!(fight(seed + 1).0, hashes);
}

/// An actor's unit that falls out of the world is dead.
#[test]
fn who_falls_out_of_the_world_dies() {
    let mut world = field_of("squad a 1 guard plasma 0 0 0 0\nplaced a", &[], Machine::HOST, 5);
    let unit = only(&world);
    world.place(unit, Vec3::new(0.0, 0.0, -4.0), Some(Vec3::new(0.0, 0.0, -0.9)), None);
    run(&mut world, 30);
    assert!(world.actor(unit).is_none() && world.actors().count() == 0);
    assert!(!world.stands(unit));
}
