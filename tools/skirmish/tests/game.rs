//! The game's world from outside: that it is the same everywhere, that it keeps its rules, and that bots play it.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::movement::{CROUCHED_RUN, GRAVITY, JUMP, RADIUS, RUN};
use mjolnir_skirmish::game::objects::BIPED;
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::world::RESPAWN_AFTER;
use mjolnir_skirmish::game::{Bot, Breakable, Event, Map, Role, Tuning, Vitality, World, maps};
use mjolnir_wire::units::{Death, ShieldFlags};
use mjolnir_wire::{Axes, Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

fn world(map: &str, seed: u64, players: u8) -> World {
    let mut world = World::new(&Map::named(map).unwrap(), seed, Tuning::default());
    for index in 0..players {
        assert!(world.join(slot(index), &format!("player {index}"), Machine::HOST, None));
    }
    world
}

/// A world on a small text of a map, with one player put at a place.
fn lone(text: &str, place: Vec3) -> World {
    let map = Map::parse(&format!("bounds -20 -20 -5 20 20 30\n{text}\nspawn 0 0 0 0")).unwrap();
    let mut world = World::new(&map, 1, Tuning::default());
    world.join(slot(0), "lone", Machine::HOST, None);
    world.step(tick(0));
    world.move_to(slot(0), place);
    world
}

const FLOOR: &str = "box -24 -24 -1 24 24 0";

fn hold(throttle: [f32; 2], buttons: Buttons) -> Input {
    Input { throttle, buttons, ..Input::default() }
}

fn run(world: &mut World, input: Input, ticks: i32) {
    for _ in 0..ticks {
        world.drive(slot(0), input);
        world.step(world.tick().next());
    }
}

fn position(world: &World) -> Vec3 {
    world.position(slot(0)).unwrap()
}

fn grounded(world: &World) -> bool {
    world.grounded(world.unit(slot(0)).unwrap())
}

fn stands_at(world: &World, height: f32) -> bool {
    grounded(world) && (position(world).z - height).abs() < 1e-5
}

/// Plays bots on a map; returns the digests of every 600th tick and of the last.
fn play(map: &str, seed: u64, players: u8, ticks: i32) -> Vec<u64> {
    let mut world = world(map, seed, players);
    let mut bots: Vec<Bot> = (0..players).map(|index| Bot::new(seed * 100 + u64::from(index))).collect();
    let mut digests = Vec::new();
    for number in 0..ticks {
        for (index, bot) in bots.iter_mut().enumerate() {
            let slot = slot(index as u8);
            let input = bot.input(&world, slot, tick(number));
            world.drive(slot, input);
        }
        world.step(tick(number));
        world.drain_events();
        if number % 600 == 0 || number == ticks - 1 {
            digests.push(world.state_hash());
        }
    }
    digests
}

/// The sandbox's own: one seed, three runs of 18 000 ticks with eight bots, one digest.
#[test]
fn one_seed_plays_one_game() {
    for map in ["rooms", "tower"] {
        let first = play(map, 5, 8, 18_000);
        assert_eq!(first, play(map, 5, 8, 18_000), "{map}");
        assert_eq!(first, play(map, 5, 8, 18_000), "{map}");
        assert_ne!(first, play(map, 6, 8, 18_000), "{map}");
    }
}

/// TOOL-07: one seed gives 10 000 ticks of the same input, another seed another.
#[test]
fn a_bot_is_its_seed() {
    let inputs = |seed: u64| {
        let mut world = world("hill", 1, 1);
        let mut bot = Bot::new(seed);
        let mut inputs = Vec::new();
        for number in 0..10_000 {
            let input = bot.input(&world, slot(0), tick(number));
            inputs.push(input);
            world.drive(slot(0), input);
            world.step(tick(number));
        }
        inputs
    };
    let first = inputs(3);
    assert_eq!(first, inputs(3));
    assert_ne!(first, inputs(4));
    let pressed = |button| first.iter().filter(|input| input.buttons.contains(button)).count();
    assert!(pressed(Buttons::JUMP) > 100 && pressed(Buttons::CROUCH) > 100);
    assert!(first.iter().any(|input| input.throttle[1].abs() > 0.5), "it never strafes");
}

/// A client's copies, placed before each tick where the host has them and driven by the same inputs, are after it
/// where the host has them, to the last bit: a biped has no hidden state. Who rides is where the vehicle is, which
/// `vehicles.rs` shows the same of.
#[test]
fn a_placed_copy_continues_as_the_original() {
    for map in maps().filter(|map| !Map::named(map.name).unwrap().has_vehicles()) {
        let mut host = world(map.name, 9, 8);
        let mut client = world(map.name, 77, 8);
        host.set_role(Role::Host);
        client.set_role(Role::Client);
        let mut bots: Vec<Bot> = (0..8).map(Bot::new).collect();
        let mut random = Random::new(4);
        for number in 0..3000 {
            for (index, bot) in bots.iter_mut().enumerate() {
                let slot = slot(index as u8);
                let input = bot.input(&host, slot, tick(number));
                host.drive(slot, input);
                client.drive(slot, input);
            }
            // Now and then one is thrown, so that fast flights are in it too.
            if number % 200 == 100 {
                let throw = Vec3::new(random.signed() * 0.4, random.signed() * 0.4, 0.3);
                host.unit(slot(0)).map(|unit| host.throw(unit, throw));
            }
            follow(&mut host, &mut client);
            for (slot, _) in host.players() {
                let Some(place) = host.unit(slot).and_then(|unit| host.placement(unit)) else { continue };
                client.place(
                    host.unit(slot).unwrap(),
                    place.position,
                    Some(place.velocity),
                    Some(place.axes),
                );
            }
            host.step(tick(number));
            client.step(tick(number));
            follow(&mut host, &mut client);
            for (slot, _) in host.players() {
                let (Some(at), Some(copy)) = (host.position(slot), client.position(slot)) else { continue };
                let bits = |place: Vec3| place.to_array().map(f32::to_bits);
                assert_eq!(bits(at), bits(copy), "{}: tick {number} of {slot:?}", map.name);
                assert_eq!(host.velocity(slot), client.velocity(slot));
            }
        }
        assert_eq!(client.decisions().total(), 0);
    }
}

/// Applies what a host's world made, deleted and gave to a client's.
fn follow(host: &mut World, client: &mut World) {
    let events: Vec<Event> = host.drain_events().collect();
    for event in events {
        match event {
            Event::Made(made) => assert!(client.make_at(&made)),
            Event::Deleted(id) => assert!(client.delete(id)),
            Event::Began { slot, unit } => assert!(client.own(slot, unit)),
            Event::Died { slot, death } => assert!(client.die(slot, death)),
            Event::Broke { what: Breakable::Pane(pane), at } => assert!(client.break_pane(pane, at)),
            Event::Broke { what: Breakable::Crate(id), .. } => assert!(client.break_crate(id)),
            Event::PickedUp(_) | Event::FoundNothing { .. } | Event::News(_) | Event::Showed(_) => {}
        }
    }
    let groups = || host.groups().zip(client.groups().collect::<Vec<_>>());
    for (set, _) in groups().filter(|(there, here)| there.value != here.value).collect::<Vec<_>>() {
        client.set_group(set.group, set.value, false);
    }
}

/// A client's world that follows its host's events and health has the host's digest without being placed at all.
#[test]
fn a_following_world_has_the_hosts_digest() {
    let mut host = world("tower", 2, 8);
    let mut client = world("tower", 0, 8);
    host.set_role(Role::Host);
    client.set_role(Role::Client);
    let mut bots: Vec<Bot> = (20..28).map(Bot::new).collect();
    let (mut deaths, mut compared) = (0, 0);
    for number in 0..6000 {
        for (index, bot) in bots.iter_mut().enumerate() {
            let slot = slot(index as u8);
            let input = bot.input(&host, slot, tick(number));
            host.drive(slot, input);
            client.drive(slot, input);
        }
        // A spawn is decided inside the host's tick and moves in it: the client takes it from after that tick.
        host.step(tick(number));
        client.step(tick(number));
        let spawned: Vec<ObjectId> = host.objects().filter(|id| client.describe(*id).is_none()).collect();
        follow(&mut host, &mut client);
        for id in spawned {
            let place = host.placement(id).unwrap();
            client.place(id, place.position, Some(place.velocity), Some(place.axes));
        }
        for index in 0..8 {
            let (id, player) = (slot(index), host.player(slot(index)).unwrap());
            client.set_statistics(id, player.statistics);
            if let Some(unit) = host.unit(id) {
                client.set_vitality(unit, host.vitality(unit).unwrap());
            }
            deaths = deaths.max(player.deaths());
        }
        // A unit made this tick looks where it was put until the next.
        if number % 100 == 99 && host.players().all(|(_, player)| player.wait < RESPAWN_AFTER - 5) {
            let aims = |world: &World| (0..8).map(|index| world.aim(slot(index))).collect::<Vec<_>>();
            if aims(&host) == aims(&client) {
                assert_eq!(host.shared_hash(), client.shared_hash(), "tick {number}");
                compared += 1;
            }
        }
    }
    assert!(deaths > 0, "nobody fell to death");
    assert!(compared > 40, "{compared}");
    assert_eq!(client.decisions().total(), 0);
    assert!(host.decisions().deaths > 0 && host.decisions().damage > 0 && host.decisions().spawns > 8);
}

/// GLUE-17, COOP-04: in a client's world nothing is decided for 30 s, whatever happens and whatever is asked; nobody gets a unit there.
#[test]
fn a_client_decides_nothing() {
    let mut client = lone(FLOOR, Vec3::ZERO);
    let unit = client.unit(slot(0)).unwrap();
    client.set_role(Role::Client);
    client.join(slot(1), "unspawned", Machine::HOST, None);
    let before = client.decisions();
    client.place(unit, Vec3::new(0.0, 0.0, 25.0), None, None);
    client.set_vitality(unit, Vitality { shield: 0.5, ..Vitality::WHOLE });
    for _ in 0..900 {
        run(&mut client, Input::default(), 1);
        assert!(!client.kill(slot(0), None) && !client.damage(slot(0), 9.0, None));
        assert!(!client.throw(unit, Vec3::UP) && !client.move_to(slot(0), Vec3::ZERO));
        assert!(!client.set_health(slot(0), 0.0));
    }
    assert!(position(&client).z < 0.01, "the lethal fall was not made");
    assert_eq!(client.decisions(), before);
    let vitality = client.vitality(unit).unwrap();
    assert_eq!((vitality.body, vitality.shield), (1.0, 0.5));
    assert_eq!(client.unit(slot(1)), None);
}

/// GLUE-18: 1000 creations by each stand in their halves.
#[test]
fn objects_stand_in_their_makers_half() {
    for (role, half) in [(Role::Host, 0..4096), (Role::Local, 0..4096), (Role::Client, 4096..8192)] {
        let mut world = world("flat", 1, 0);
        world.set_role(role);
        for _ in 0..1000 {
            let id = world.make(BIPED, Vec3::ZERO, Axes::UPRIGHT, None).unwrap();
            assert!(half.contains(&id.index()) && id.identifier() != 0);
        }
        assert_eq!(world.drain_events().count(), 1000);
    }
}

/// GLUE-19: the state is the same whether or not copies are drawn beside where they are.
#[test]
fn what_is_drawn_is_not_simulated() {
    let (mut plain, mut drawn) = (world("rooms", 3, 4), world("rooms", 3, 4));
    let mut bots: Vec<Bot> = (0..4).map(Bot::new).collect();
    for number in 0..600 {
        for index in 0..4 {
            let input = bots[usize::from(index)].input(&plain, slot(index), tick(number));
            plain.drive(slot(index), input);
            drawn.drive(slot(index), input);
            if let Some(unit) = drawn.unit(slot(index)) {
                drawn.set_offset(unit, Vec3::new(0.0, 1.0, number as f32));
                let apart = drawn.drawn(unit).unwrap() - drawn.position(slot(index)).unwrap();
                assert!((apart.z - number as f32).abs() < 0.01);
            }
        }
        plain.step(tick(number));
        drawn.step(tick(number));
        assert_eq!(plain.state_hash(), drawn.state_hash());
    }
}

/// PRED-01's measure: a press moves within its tick; a run is 0.08 wu a tick in every direction, half that crouched.
#[test]
fn a_press_moves_in_its_tick() {
    let mut world = lone(FLOOR, Vec3::ZERO);
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 1);
    assert!((position(&world).x - RUN).abs() < 1e-6);
    run(&mut world, hold([-1.0, -1.0], Buttons::default()), 10);
    assert!((world.velocity(slot(0)).unwrap().length() - RUN).abs() < 1e-6);
    run(&mut world, hold([0.0, 1.0], Buttons::CROUCH), 5);
    assert!((world.velocity(slot(0)).unwrap() - Vec3::new(0.0, CROUCHED_RUN, 0.0)).length() < 1e-6);
    assert!(world.crouched(world.unit(slot(0)).unwrap()));
    run(&mut world, Input::default(), 3);
    assert_eq!(world.velocity(slot(0)).unwrap(), Vec3::ZERO);
    assert_eq!(position(&world).z, 0.0);
}

/// Sandbox 2: a jump rises 0.69 wu and lasts 39 ticks; stopping in the air changes little of where it leads.
#[test]
fn a_jump_is_a_parabola() {
    let mut world = lone(FLOOR, Vec3::ZERO);
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 2);
    run(&mut world, hold([1.0, 0.0], Buttons::JUMP), 1);
    let (mut top, mut flight) = (0.0_f32, 1);
    while !grounded(&world) {
        run(&mut world, Input::default(), 1);
        top = top.max(position(&world).z);
        flight += 1;
        assert!(flight < 60);
    }
    assert!((top - JUMP * JUMP / (2.0 * GRAVITY)).abs() < 0.005, "{top}");
    assert!((39..=40).contains(&flight), "{flight}");
    assert!((position(&world).x - 0.08 * 42.0).abs() < 0.2);
    // Held, it jumps again in the tick after it lands.
    run(&mut world, hold([0.0, 0.0], Buttons::JUMP), 1);
    assert!(!grounded(&world));
}

/// Air control is modest: a full stick against a run takes a jump's whole flight to turn it.
#[test]
fn a_stick_in_the_air_changes_little() {
    let mut world = lone(FLOOR, Vec3::ZERO);
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 2);
    run(&mut world, hold([1.0, 0.0], Buttons::JUMP), 1);
    run(&mut world, hold([-1.0, 0.0], Buttons::default()), 10);
    let speed = world.velocity(slot(0)).unwrap().x;
    assert!((0.04..0.06).contains(&speed), "{speed}");
}

/// Sandbox 2: 0.2 wu is stepped up and down, 0.25 is a wall; a wall is slid along.
#[test]
fn steps_are_stepped_and_walls_are_slid_along() {
    for (speed, buttons) in [(1.0, Buttons::default()), (0.5, Buttons::default()), (1.0, Buttons::CROUCH)] {
        let mut world = lone(&format!("{FLOOR}\nbox 2 -2 0 4 2 0.2"), Vec3::ZERO);
        while position(&world).x < 3.0 {
            run(&mut world, hold([speed, 0.0], buttons), 1);
            assert!(grounded(&world) && world.tick() < tick(200));
        }
        assert!(stands_at(&world, 0.2), "{speed} {buttons:?}");
        run(&mut world, hold([1.0, 0.0], buttons), 80);
        assert!(position(&world).x > 4.3 && stands_at(&world, 0.0));

        let mut world = lone(&format!("{FLOOR}\nbox 2 -2 0 4 2 0.25"), Vec3::ZERO);
        run(&mut world, hold([speed, 0.0], buttons), 100);
        assert!((position(&world).x - (2.0 - RADIUS)).abs() < 0.001, "{:?}", position(&world));
        assert!(stands_at(&world, 0.0));
        run(&mut world, hold([speed, speed], buttons), 100);
        assert!(position(&world).y > 1.0);
    }
}

/// A crouch in the air lands on what a standing jump does not: 0.85 wu, not 0.95.
#[test]
fn a_crouched_jump_lands_higher() {
    let reaches = |height: f32, buttons: Buttons| {
        let mut world = lone(&format!("{FLOOR}\nbox 1 -2 0 4 2 {height}"), Vec3::new(0.75, 0.0, 0.0));
        run(&mut world, hold([1.0, 0.0], Buttons::JUMP), 1);
        run(&mut world, hold([1.0, 0.0], buttons), 50);
        stands_at(&world, height)
    };
    assert!(reaches(0.65, Buttons::default()) && reaches(0.85, Buttons::CROUCH));
    assert!(!reaches(0.86, Buttons::default()) && !reaches(0.95, Buttons::CROUCH));
}

/// Slopes to 45 degrees are walked, up and down, without leaving the ground; on one a player stands still.
#[test]
fn slopes_are_walked() {
    for rise in [1.0_f32, 2.0, 3.9] {
        let mut world = lone(&format!("{FLOOR}\nramp 2 0 0 6 0 {rise} 4 0.5"), Vec3::new(1.0, 0.0, 0.0));
        for _ in 0..50 {
            run(&mut world, hold([1.0, 0.0], Buttons::default()), 1);
            assert!(grounded(&world), "{rise}: {:?}", position(&world));
        }
        assert!((position(&world).x - 5.0).abs() < 1e-3);
        assert!(position(&world).z > rise * 0.7);
        let at = position(&world);
        run(&mut world, Input::default(), 1000);
        assert!(position(&world).distance(at) < 0.001, "{rise}: it creeps");
        for _ in 0..50 {
            run(&mut world, hold([-1.0, 0.0], Buttons::default()), 1);
            assert!(grounded(&world), "{rise}: {:?}", position(&world));
        }
        assert!(position(&world).z < 0.01);
    }
    // 56 degrees are too steep.
    let mut world = lone(&format!("{FLOOR}\nramp 2 0 0 6 0 6 4 0.5"), Vec3::new(1.0, 0.0, 0.0));
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 200);
    assert!(position(&world).z < 0.3 && position(&world).x < 2.4);
}

/// Off a ledge one falls; stairs are walked down.
#[test]
fn ledges_are_fallen_from_and_stairs_are_walked() {
    let mut world = lone(&format!("{FLOOR}\nbox -2 -2 0 2 2 1"), Vec3::new(0.0, 0.0, 1.0));
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 29);
    assert!(!grounded(&world));
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 30);
    assert!(stands_at(&world, 0.0), "{:?}", position(&world));

    let mut world = lone(&format!("{FLOOR}\nstairs 1 0 0 6 0 2 4 10"), Vec3::ZERO);
    for _ in 0..70 {
        run(&mut world, hold([1.0, 0.0], Buttons::default()), 1);
        assert!(grounded(&world), "{:?}", position(&world));
    }
    assert!(position(&world).z > 1.7);
    for _ in 0..60 {
        run(&mut world, hold([-1.0, 0.0], Buttons::default()), 1);
        assert!(grounded(&world), "{:?}", position(&world));
    }
    assert!(position(&world).z < 0.25);
}

/// Under a low ceiling one is crouched whatever the button, and stands again past it.
#[test]
fn a_low_ceiling_keeps_one_crouched() {
    let mut world = lone(&format!("{FLOOR}\nbox 2 -2 0.65 5 2 3"), Vec3::ZERO);
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 60);
    assert!(position(&world).x < 2.0);
    run(&mut world, hold([1.0, 0.0], Buttons::CROUCH), 60);
    assert!(position(&world).x > 3.0);
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 5);
    let unit = world.unit(slot(0)).unwrap();
    assert!(world.crouched(unit));
    run(&mut world, hold([1.0, 0.0], Buttons::default()), 80);
    assert!(position(&world).x > 5.3 && !world.crouched(unit));
}

/// The host alone: a long fall hurts, a longer one kills; the player comes back after 90 ticks, away from others.
#[test]
fn a_long_fall_kills_and_the_player_comes_back() {
    let mut world = lone(FLOOR, Vec3::new(0.0, 0.0, 2.5));
    run(&mut world, Input::default(), 60);
    let unit = world.unit(slot(0)).unwrap();
    assert_eq!(world.vitality(unit), Some(Vitality::WHOLE));
    world.move_to(slot(0), Vec3::new(0.0, 0.0, 5.0));
    run(&mut world, Input::default(), 60);
    let hurt = world.vitality(unit).unwrap();
    assert!(hurt.shield < 0.8 && hurt.body == 1.0);
    run(&mut world, Input::default(), 300);
    assert_eq!(world.vitality(unit), Some(Vitality::WHOLE));

    world.move_to(slot(0), Vec3::new(5.0, 0.0, 13.0));
    world.drain_events();
    let mut since = 0;
    while world.unit(slot(0)).is_some() {
        run(&mut world, Input::default(), 1);
        since += 1;
        assert!(since < 120);
    }
    let death = Event::Died { slot: slot(0), death: Death::default() };
    assert_eq!(world.drain_events().collect::<Vec<_>>(), [death]);
    run(&mut world, Input::default(), i32::from(RESPAWN_AFTER));
    assert_eq!(world.unit(slot(0)), None);
    run(&mut world, Input::default(), 1);
    let again = world.unit(slot(0)).unwrap();
    assert_ne!(again, unit);
    let made = world.describe(again).unwrap();
    assert_eq!((made.tag, made.slot), (BIPED, Some(slot(0))));
    assert_eq!(world.player(slot(0)).unwrap().deaths(), 1);
}

/// The console's own: kills count for the killer, health and places are set, who left has no unit.
#[test]
fn kills_health_and_places_by_word() {
    let mut world = world("flat", 1, 2);
    world.step(tick(0));
    let (first, second) = (slot(0), slot(1));
    assert!(world.kill(first, Some(second)) && !world.kill(first, Some(second)));
    let figures =
        |slot| world.player(slot).map(|player| (player.kills(), player.deaths(), player.score())).unwrap();
    assert_eq!((figures(first), figures(second)), ((0, 1, 0), (1, 0, 1)));
    assert!(world.set_health(second, 0.5));
    let unit = world.unit(second).unwrap();
    assert_eq!(world.vitality(unit).unwrap().body, 0.5);
    assert!(world.damage(second, 1.25, None));
    let hurt = world.vitality(unit).unwrap();
    assert_eq!((hurt.shield, hurt.body), (0.0, 0.25));
    assert_eq!(hurt.flags, ShieldFlags { depleted: true, ..ShieldFlags::default() });
    assert!(!world.damage(second, f32::NAN, None) && !world.damage(second, -1.0, None));
    assert!(world.move_to(second, Vec3::new(7.0, 8.0, 0.0)));
    assert!(!world.move_to(second, Vec3::new(f32::NAN, 8.0, 0.0)));
    assert_eq!(world.position(second), Some(Vec3::new(7.0, 8.0, 0.0)));
    assert_eq!(world.player_named("player 1"), Some(second));
    world.leave(second);
    assert_eq!((world.unit(second), world.player_named("player 1")), (None, None));
    assert!(!world.join(first, "other", Machine::HOST, None));
    assert!(world.join(second, "other", Machine::HOST, Some(1)));
    assert_eq!(world.free_slot(), Some(slot(2)));
}

/// AUTH-16's bound holds here too: nothing moves faster, whatever throws it; and it passes through no wall.
#[test]
fn a_throw_is_bounded_and_passes_no_wall() {
    let mut world = lone(&format!("{FLOOR}\nbox 3 -20 0 3.2 20 29.5"), Vec3::ZERO);
    let unit = world.unit(slot(0)).unwrap();
    assert!(world.throw(unit, Vec3::new(50.0, 0.0, 5.0)));
    for _ in 0..300 {
        let before = position(&world);
        run(&mut world, Input::default(), 1);
        if world.unit(slot(0)) != Some(unit) {
            break;
        }
        assert!(position(&world).distance(before) < 2.01);
        assert!(position(&world).x < 3.0);
    }
}

/// Where no correction may happen, bots keep more than 3 wu apart; and they go places.
#[test]
fn bots_on_the_flat_keep_apart() {
    for seed in [1, 2, 3] {
        let mut world = world("flat", seed, 8);
        let mut bots: Vec<Bot> = (0..8).map(|index| Bot::new(seed * 1000 + index)).collect();
        let mut walked = [0.0; 8];
        for number in 0..9000 {
            for index in 0..8 {
                let input = bots[usize::from(index)].input(&world, slot(index), tick(number));
                world.drive(slot(index), input);
            }
            let before: Vec<Option<Vec3>> = (0..8).map(|index| world.position(slot(index))).collect();
            world.step(tick(number));
            let places: Vec<Vec3> = (0..8).map(|index| world.position(slot(index)).unwrap()).collect();
            for (index, place) in places.iter().enumerate() {
                walked[index] += before[index].map_or(0.0, |before| before.distance(*place));
                for other in &places[..index] {
                    assert!(place.distance(*other) > 3.0, "seed {seed}, tick {number}: {place:?} {other:?}");
                }
            }
        }
        assert!(walked.iter().all(|walked| *walked > 250.0), "{walked:?}");
    }
}

/// On every map bots visit most places that it has for them, and stay in it.
#[test]
fn bots_find_their_way_on_every_map() {
    for map in maps() {
        let mut world = world(map.name, 8, 8);
        let mut bots: Vec<Bot> = (30..38).map(Bot::new).collect();
        let nodes: Vec<Vec3> = world.map().nodes.iter().map(|node| node.position).collect();
        let mut seen = vec![false; nodes.len()];
        for number in 0..18_000 {
            for index in 0..8 {
                let input = bots[usize::from(index)].input(&world, slot(index), tick(number));
                world.drive(slot(index), input);
            }
            world.step(tick(number));
            for place in (0..8).filter_map(|index| world.position(slot(index))) {
                for (node, seen) in nodes.iter().zip(&mut seen) {
                    *seen |= (*node - place).across().length() < 0.6 && (node.z - place.z).abs() < 1.0;
                }
            }
        }
        let visited = seen.iter().filter(|seen| **seen).count();
        let missed: Vec<&Vec3> =
            nodes.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|(node, _)| node).collect();
        assert!(
            visited * 10 >= nodes.len() * 8,
            "{}: {visited} of {}, not {missed:?}",
            map.name,
            nodes.len()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever is pressed and however one is thrown, for 2000 ticks on every map every biped stays inside it, is
    /// finite, and stands in no box.
    #[test]
    fn no_input_leads_out_of_a_map(seed in any::<u64>()) {
        for map in maps() {
            let mut world = world(map.name, seed, 4);
            let bounds = world.map().bounds;
            // In a pool one stands on its bottom.
            let bottom = if world.map().waters.is_empty() { -0.25 } else { -2.25 };
            let mut random = Random::new(seed);
            let mut inputs = [Input::default(); 4];
            for number in 0..2000 {
                for index in 0..4_u8 {
                    let input = &mut inputs[usize::from(index)];
                    if random.once_in(25) {
                        *input = Input {
                            buttons: Buttons((random.bits() as u16).into()),
                            yaw: random.part() * 7.0,
                            pitch: random.signed(),
                            throttle: [random.signed() * 1.5, random.signed() * 1.5],
                            ..Input::default()
                        };
                    }
                    world.drive(slot(index), *input);
                    if random.once_in(300) && let Some(unit) = world.unit(slot(index)) {
                        let throw = Vec3::new(random.signed(), random.signed(), random.part() * 0.5);
                        world.throw(unit, throw);
                    }
                }
                world.step(tick(number));
                world.drain_events();
                for index in 0..4_u8 {
                    let Some(place) = world.position(slot(index)) else { continue };
                    prop_assert!(place.is_finite() && world.velocity(slot(index)).unwrap().is_finite());
                    let inside = place.x >= bounds.least.x && place.x <= bounds.most.x
                        && place.y >= bounds.least.y && place.y <= bounds.most.y
                        && place.z >= bottom && place.z <= bounds.most.z;
                    prop_assert!(inside, "{}, tick {number}: {place:?}", map.name);
                    let middle = place + Vec3::UP * 0.35;
                    for solid in 0..world.map().solids.len() {
                        let near = world.map().solids.get(solid as u16).near(middle);
                        prop_assert!(near.distance > 0.05, "{}, tick {number}: {place:?} is in box {solid}", map.name);
                    }
                }
            }
        }
    }
}
