//! Platforms, switches and pads from outside: what a platform carries, who sets it going, who is sent where.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::world::{REMEMBERED, Under};
use mjolnir_skirmish::game::{Bot, Carriage, Event, Kind, Map, Role, Tuning, Vitality, World};
use mjolnir_wire::{Buttons, Input, Machine, Slot, Tick, Vec3};

/// A pit with a lift of 20 wu in it, a ferry, and two pads 30 wu apart.
const MAP: &str = "bounds -40 -40 -5 40 40 60\nbox -44 -44 -1 44 44 0\nspawn 0 -20 0 0\n\
    platform lift -2 -2 -0.3 2 2 0.1 0 0 20 0.1\nswitch lift -3 0 0\n\
    platform ferry 10 10 4.6 13 13 5 12 -9 3 0.06\n\
    platform shuttle 20 -20 -0.3 23 -17 0.1 0 0 4 0.1 10\n\
    pad -20 0 0 -20 30 0";

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A world on that map with a player put there.
fn world(place: Vec3) -> World {
    let mut world = World::new(&Map::parse(MAP).unwrap(), 1, Tuning::default());
    world.join(slot(0), "lone", Machine::HOST, None);
    world.step(Tick::ZERO);
    world.move_to(slot(0), place);
    run(&mut world, Input::default());
    world.drain_events();
    world
}

fn run(world: &mut World, input: Input) {
    world.drive(slot(0), input);
    world.step(world.tick().next());
}

fn place(world: &World) -> Vec3 {
    world.position(slot(0)).unwrap()
}

fn at(world: &World, device: usize) -> f32 {
    world.devices().nth(device).unwrap().position
}

fn carriage(world: &World) -> Option<Carriage> {
    world.carried_by(slot(0))
}

fn press(buttons: Buttons) -> Input {
    Input { buttons, ..Input::default() }
}

const ON_LIFT: Vec3 = Vec3::new(0.5, -0.5, 0.1);

/// GLUE-20, PRED-25: up, reversed in the shaft, shifted by phase corrections up and down, moving and at rest: the rider
/// and what lies beside it move in each tick by what the platform moves in that tick, and stand on it.
#[test]
fn a_rider_moves_by_what_its_platform_moves() {
    let mut world = world(ON_LIFT);
    let thing = world.spawn(Kind::Pistol, Vec3::new(-1.0, 1.0, 0.3)).unwrap();
    (0..60).for_each(|_| run(&mut world, Input::default()));
    assert!(world.describe(thing).unwrap().at_rest);
    let lies = |world: &World| world.describe(thing).unwrap().position;
    let mut moved = 0;
    for number in 0..420 {
        match number {
            5 => assert!(world.operate("lift", 1.0)),
            // Up and down by 1.6, 3 and 0.5 wu, while it moves and while it rests.
            60 => assert!(world.put_device(0, at(&world, 0) + 0.08, true)),
            100 => assert!(world.put_device(0, at(&world, 0) - 0.15, true)),
            140 => assert!(world.operate("lift", 0.2)),
            350 => assert!(world.put_device(0, 0.225, true)),
            _ => {}
        }
        let (before, lay, top) = (place(&world), lies(&world), world.top_of(0).unwrap());
        run(&mut world, Input::default());
        let d = world.top_of(0).unwrap() - top;
        assert!((place(&world).z - before.z - d).abs() < 2e-4, "{number}: {d} {before:?}");
        assert!((lies(&world).z - lay.z - d).abs() < 2e-4, "{number}: {d} {lay:?}");
        assert!(place(&world).across().distance(before.across()) < 1e-6);
        assert!((place(&world).z - world.top_of(0).unwrap()).abs() < 1e-3, "{number}");
        let Carriage { platform, moving, contact, floor } = carriage(&world).unwrap();
        assert_eq!((platform, moving, contact), (0, d != 0.0, true), "{number}: {d}");
        assert_eq!(floor, world.top_of(0).unwrap());
        assert!(world.describe(thing).unwrap().at_rest);
        assert_eq!(world.under(thing), Some(Under { platform: 0, moving: d != 0.0 }), "{number}");
        moved += u32::from(d != 0.0);
    }
    assert!(moved > 200, "{moved}");
}

/// GLUE-20: the same across and up at once, there and back.
#[test]
fn a_ferry_carries_across() {
    let mut world = world(Vec3::new(11.0, 12.0, 5.0));
    for end in [1.0, 0.0] {
        assert!(world.operate("ferry", end));
        for _ in 0..300 {
            let before = (place(&world), at(&world, 1));
            run(&mut world, Input::default());
            let d = Vec3::new(12.0, -9.0, 3.0) * (at(&world, 1) - before.1);
            assert!((place(&world) - before.0).distance(d) < 1e-4, "{d:?}");
        }
        assert_eq!(at(&world, 1), end);
    }
    assert!(place(&world).distance(Vec3::new(11.0, 12.0, 5.0)) < 1e-3);
}

/// GLUE-20: whoever walks, crouches and jumps on it, up and down, is never under its floor, and falls to it again.
#[test]
fn nobody_falls_through() {
    let mut world = world(ON_LIFT);
    let mut jumps = 0;
    for number in 0..2400_i32 {
        if number % 300 == 0 {
            assert!(world.operate("lift", if number % 600 == 0 { 1.0 } else { 0.0 }));
        }
        let mut buttons = Buttons::default();
        if number % 70 < 2 && number < 2250 {
            buttons = buttons.union(Buttons::JUMP);
        }
        if number % 90 < 30 {
            buttons = buttons.union(Buttons::CROUCH);
        }
        // About its middle.
        let yaw = if place(&world).across().length() > 1.0 {
            World::yaw(place(&world).across() * -1.0)
        } else {
            number as f32 * 0.12 % std::f32::consts::TAU
        };
        let input = Input { yaw, throttle: [1.0, 0.0], buttons, ..Input::default() };
        run(&mut world, input);
        // Its falls are no matter here.
        let whole = Vitality { body: 3.0, shield: 3.0, ..Vitality::WHOLE };
        world.set_vitality(world.unit(slot(0)).unwrap(), whole);
        let over = place(&world).z - world.top_of(0).unwrap();
        // A platform that goes down leaves who jumps behind.
        assert!((-1e-3..4.2).contains(&over), "{number}: {over} over the floor at {:?}", place(&world));
        jumps += u32::from(over > 0.2);
    }
    assert!(jumps > 50, "{jumps}");
    assert!((place(&world).z - world.top_of(0).unwrap()).abs() < 1e-3);
}

/// A copy placed with another's place and speed on a platform that is where the other's is continues as it does, to
/// the bit, standing, walking off and jumping.
#[test]
fn a_placed_copy_rides_as_the_original() {
    for settled in [0, 40, 120] {
        let mut one = world(ON_LIFT);
        one.operate("lift", 1.0);
        (0..settled).for_each(|_| run(&mut one, press(Buttons::JUMP)));
        let mut other = world(Vec3::new(5.0, 5.0, 0.0));
        other.set_group(0, 1.0, false);
        other.put_device(0, at(&one, 0), true);
        // Its platform is there after the tick that puts it, a tick of its way further.
        run(&mut one, Input::default());
        run(&mut other, Input::default());
        let unit = one.unit(slot(0)).unwrap();
        let placed = one.placement(unit).unwrap();
        other.place(other.unit(slot(0)).unwrap(), placed.position, Some(placed.velocity), Some(placed.axes));
        assert_eq!(at(&one, 0).to_bits(), at(&other, 0).to_bits());
        for number in 0..200 {
            let walks = Input { throttle: [0.3, 0.1], yaw: 1.0, ..Input::default() };
            let input = if number % 40 == 20 { press(Buttons::JUMP) } else { walks };
            run(&mut one, input);
            run(&mut other, input);
            let bits = |world: &World| place(world).to_array().map(f32::to_bits);
            assert_eq!(bits(&one), bits(&other), "{number} after {settled}");
        }
    }
}

/// Who jumps from a platform is of it for a while, and whether that moves is told; who steps off it or lands elsewhere is
/// not.
#[test]
fn a_platform_is_remembered_in_the_air() {
    let mut world = world(ON_LIFT);
    // A jump from one at rest.
    run(&mut world, press(Buttons::JUMP));
    let off = carriage(&world).unwrap();
    assert_eq!((off.moving, off.contact), (false, false));
    (0..60).for_each(|_| run(&mut world, Input::default()));
    assert!(carriage(&world).unwrap().contact);
    world.operate("lift", 1.0);
    (0..60).for_each(|_| run(&mut world, Input::default()));
    world.operate("lift", 0.0);
    (0..20).for_each(|_| run(&mut world, Input::default()));
    run(&mut world, press(Buttons::JUMP));
    let mut remembered = 0_u32;
    while carriage(&world).is_some_and(|carriage| !carriage.contact) {
        remembered += 1;
        run(&mut world, Input::default());
    }
    assert!(
        (60..u32::from(REMEMBERED)).contains(&remembered),
        "it falls as fast as the jump that long: {remembered}"
    );
    assert!(carriage(&world).unwrap().contact);
    // Off the edge onto the ground.
    (0..600).for_each(|_| run(&mut world, Input::default()));
    assert!(carriage(&world).unwrap().contact && !carriage(&world).unwrap().moving);
    (0..60).for_each(|_| run(&mut world, Input { throttle: [1.0, 0.0], ..Input::default() }));
    assert_eq!(carriage(&world), None);
    // In a jump past its rim, at rest and going up.
    for value in [0.0, 1.0] {
        world.move_to(slot(0), Vec3::new(1.7, 0.0, world.top_of(0).unwrap()));
        (0..20).for_each(|_| run(&mut world, Input::default()));
        world.operate("lift", value);
        (0..20).for_each(|_| run(&mut world, Input::default()));
        let jump = Input { throttle: [1.0, 0.0], ..press(Buttons::JUMP) };
        run(&mut world, jump);
        for _ in 0..20 {
            let is_over = place(&world).x < 2.2;
            assert_eq!(carriage(&world).is_some(), is_over, "{:?}", place(&world));
            run(&mut world, jump);
        }
        assert!(place(&world).x > 2.3);
    }
}

/// COOP-16, 17: the action button in reach of a switch toggles its group, both sides of the reach, once a press, where
/// it is decided alone.
#[test]
fn a_switch_toggles_its_group() {
    let value = |world: &World| world.groups().next().unwrap().value;
    for (x, reached) in [(-3.99, true), (-4.01, false)] {
        let mut world = world(Vec3::new(x, 0.0, 0.0));
        for _ in 0..20 {
            run(&mut world, press(Buttons::ACTION));
        }
        assert_eq!(value(&world) == 1.0, reached, "{x}");
        if reached {
            assert!(at(&world, 0) > 0.05);
            run(&mut world, Input::default());
            run(&mut world, press(Buttons::ACTION));
            assert_eq!(value(&world), 0.0);
            assert_eq!(world.groups().next().unwrap().changed, 2);
        }
    }
    let mut client = world(Vec3::new(-3.5, 0.0, 0.0));
    client.set_role(Role::Client);
    for number in 0..300 {
        let buttons = if number % 2 == 0 { Buttons::ACTION } else { Buttons::default() };
        run(&mut client, press(buttons));
    }
    assert!(!client.operate("lift", 1.0));
    assert!(client.devices().all(|device| device.position == 0.0), "a client sets none, nor does time");
}

/// COOP-19: a platform goes by itself after its rest; one that is held stays until it is let go; without power it
/// stands; it waits for whoever is under it.
#[test]
fn a_platform_goes_and_stands() {
    let mut world = world(Vec3::new(0.0, -20.0, 0.0));
    let shuttle = |world: &World| at(world, 2);
    let mut ends = Vec::new();
    for _ in 0..300 {
        run(&mut world, Input::default());
        if ends.last() != Some(&shuttle(&world)) && shuttle(&world).fract() == 0.0 {
            ends.push(shuttle(&world));
        }
    }
    assert!(ends.starts_with(&[0.0, 1.0, 0.0, 1.0]), "{ends:?}");

    world.operate("lift", 1.0);
    (0..50).for_each(|_| run(&mut world, Input::default()));
    world.put_device(0, 0.63, false);
    (0..50).for_each(|_| run(&mut world, Input::default()));
    assert_eq!(at(&world, 0), 0.63);
    world.put_device(0, 0.63, true);
    run(&mut world, Input::default());
    assert!(at(&world, 0) > 0.63);
    world.set_power(0, 0.0);
    let dark = at(&world, 0);
    (0..50).for_each(|_| run(&mut world, Input::default()));
    assert_eq!(at(&world, 0), dark);
    world.set_power(0, 1.0);
    world.set_group(0, 0.0, false);
    world.move_to(slot(0), Vec3::ZERO);
    (0..400).for_each(|_| run(&mut world, Input::default()));
    assert!((at(&world, 0) * 20.0 - 0.3 - 0.7).abs() < 0.11, "{}", at(&world, 0));
    world.move_to(slot(0), Vec3::new(5.0, 5.0, 0.0));
    (0..100).for_each(|_| run(&mut world, Input::default()));
    assert_eq!(at(&world, 0), 0.0);
}

/// PRED-14: who steps on a pad is on its fellow in that tick, and stays there until it has left that and steps on again; who
/// was put there by a word arrived there, and one that was shifted there did not.
#[test]
fn a_pad_sends_once() {
    let (near, far) = (Vec3::new(-20.0, 0.0, 0.0), Vec3::new(-20.0, 30.0, 0.0));
    let mut sent = Vec::new();
    let mut world = world(near + Vec3::new(2.0, 0.0, 0.0));
    let west = Input { yaw: std::f32::consts::PI, throttle: [1.0, 0.0], ..Input::default() };
    while place(&world).distance(near) < 5.0 {
        assert!(place(&world).distance(near) > 0.5);
        run(&mut world, west);
    }
    world.take_sent(&mut sent);
    assert_eq!((sent.len(), place(&world)), (1, far));
    (0..100).for_each(|_| run(&mut world, Input::default()));
    assert!(place(&world).distance(far) < 0.01);
    // Over its rim by less than half a wu, and on it again: there still. By more: back.
    let east = Input { yaw: 0.0, ..west };
    for (ticks, at) in [(12, far), (13, near)] {
        (0..ticks).for_each(|_| run(&mut world, east));
        assert!(place(&world).distance(far) > 0.5);
        (0..ticks).for_each(|_| run(&mut world, west));
        assert!(place(&world).distance(at) < 2.0, "{ticks}: {:?}", place(&world));
    }
    world.take_sent(&mut sent);
    assert_eq!(sent.len(), 2);

    let unit = world.unit(slot(0)).unwrap();
    world.set_role(Role::Client);
    world.place(unit, far + Vec3::new(0.0, 5.0, 0.0), Some(Vec3::ZERO), None);
    run(&mut world, Input::default());
    world.place(unit, far, Some(Vec3::ZERO), None);
    world.arrive(unit);
    (0..50).for_each(|_| run(&mut world, Input::default()));
    assert!(place(&world).distance(far) < 0.01, "it arrived");
    world.place(unit, far + Vec3::new(0.0, 5.0, 0.0), Some(Vec3::ZERO), None);
    run(&mut world, Input::default());
    world.place(unit, far, Some(Vec3::ZERO), None);
    run(&mut world, Input::default());
    assert!(place(&world).distance(near) < 0.01, "it stepped on");
}

/// AUTH-22: where the pad leads that a player is within a wu of is told, also of one that it was sent to, but not of one that a
/// word put it on. A pad takes it again once a word has put it further off than that; and none takes who rides a vehicle.
#[test]
fn a_pad_leads_on() {
    let (near, far) = (Vec3::new(-20.0, 0.0, 0.0), Vec3::new(-20.0, 30.0, 0.0));
    for (x, exit) in [(0.99, Some(far)), (1.01, None)] {
        let world = world(near + Vec3::new(x, 0.0, 0.0));
        assert_eq!(world.exit_near(slot(0)), exit, "{x}");
    }
    let mut sent = world(near + Vec3::new(0.55, 0.0, 0.0));
    run(&mut sent, Input { yaw: std::f32::consts::PI, throttle: [1.0, 0.0], ..Input::default() });
    assert_eq!((place(&sent), sent.exit_near(slot(0))), (far, Some(near)));
    let unit = sent.unit(slot(0)).unwrap();
    for (off, to) in [(0.99, far), (1.01, near)] {
        sent.place(unit, far + Vec3::new(off, 0.0, 0.0), Some(Vec3::ZERO), None);
        sent.arrive(unit);
        sent.place(unit, far, Some(Vec3::ZERO), None);
        run(&mut sent, Input::default());
        assert_eq!(place(&sent), to, "{off}");
    }
    for (by_pad, exit) in [(false, None), (true, Some(far))] {
        let mut put = world(near + Vec3::new(0.0, 3.0, 0.0));
        let unit = put.unit(slot(0)).unwrap();
        put.place(unit, near, Some(Vec3::ZERO), None);
        if by_pad {
            put.arrive_by_pad(unit);
        } else {
            put.arrive(unit);
        }
        assert_eq!(put.exit_near(slot(0)), exit);
    }

    let mut world = world(near + Vec3::new(0.0, 3.0, 0.0));
    let car = world.spawn(Kind::Car, near + Vec3::new(0.0, 0.0, 0.05)).unwrap();
    let unit = world.unit(slot(0)).unwrap();
    assert!(world.set_seat(unit, Some((car, 0))));
    (0..30).for_each(|_| run(&mut world, Input::default()));
    assert!(place(&world).distance(near) < 1.0 && world.exit_near(slot(0)).is_none());
    let mut took = Vec::new();
    world.take_sent(&mut took);
    assert_eq!(took, []);
}

/// GLUE-20: a car that stands on a platform, asleep or with its driver in it, moves in each tick by what that moves.
#[test]
fn a_platform_carries_a_car() {
    for drives in [false, true] {
        let mut world = world(Vec3::new(0.0, 8.0, 0.0));
        let car = world.spawn(Kind::Car, Vec3::new(0.5, -0.5, 0.2)).unwrap();
        if drives {
            let unit = world.unit(slot(0)).unwrap();
            assert!(world.set_seat(unit, Some((car, 0))));
        }
        (0..90).for_each(|_| run(&mut world, Input::default()));
        let stands = |world: &World| world.motion(car).unwrap().position;
        let mut moved = 0;
        for number in 0..420 {
            match number {
                5 => assert!(world.operate("lift", 1.0)),
                60 => assert!(world.put_device(0, at(&world, 0) + 0.08, true)),
                140 => assert!(world.operate("lift", 0.2)),
                _ => {}
            }
            let (before, top) = (stands(&world), world.top_of(0).unwrap());
            run(&mut world, Input::default());
            let (by, rise) = (stands(&world) - before, world.top_of(0).unwrap() - top);
            assert!((by - Vec3::UP * rise).length() < 2e-3, "{drives} {number}: {by:?} {rise}");
            moved += u32::from(rise != 0.0);
        }
        assert!(moved > 200, "{moved}");
    }
}

/// A throw adds to what a unit has, on the one who decides alone, and takes it off the ground.
#[test]
fn a_throw_adds_to_a_velocity() {
    let mut world = world(Vec3::new(5.0, 5.0, 0.0));
    let unit = world.unit(slot(0)).unwrap();
    assert!(world.throw(unit, Vec3::new(0.1, 0.0, 0.15)));
    run(&mut world, Input::default());
    assert!(!world.grounded(unit) && place(&world).x > 5.05);
    let velocity = world.velocity(slot(0)).unwrap();
    assert!(world.throw(unit, Vec3::new(0.0, 0.2, 0.0)));
    assert_eq!(world.velocity(slot(0)).unwrap(), velocity + Vec3::new(0.0, 0.2, 0.0));
    world.set_role(Role::Client);
    assert!(!world.throw(unit, Vec3::UP));
}

/// TOOL-07: on `tower` bots ride the elevators up and down and cross by the ferry, and seldom fall to death.
#[test]
fn bots_ride() {
    let mut world = World::new(&Map::named("tower").unwrap(), 4, Tuning::default());
    let mut bots: Vec<Bot> = (0..12).map(|index| Bot::new(400 + index)).collect();
    for index in 0..12 {
        world.join(slot(index), &format!("bot {index}"), Machine::HOST, None);
    }
    // Ticks ridden low and high by platform.
    let mut rides = [[0_u32; 2]; 3];
    let mut deaths = 0;
    for _ in 0..18_000 {
        play(&mut world, &mut bots);
        deaths += world.drain_events().filter(|event| matches!(event, Event::Died { .. })).count();
        for (slot, _) in world.players() {
            if let Some(Carriage { platform, moving: true, contact: true, .. }) = world.carried_by(slot) {
                let is_high = at(&world, usize::from(platform)) > 0.5;
                rides[usize::from(platform)][usize::from(is_high)] += 1;
            }
        }
    }
    eprintln!("ridden {rides:?}, died {deaths}");
    assert!(rides.as_flattened().iter().all(|ticks| *ticks > 100), "{rides:?}");
    assert!(deaths < 150, "{deaths}");
}

fn play(world: &mut World, bots: &mut [Bot]) {
    let now = world.tick().next();
    for (index, bot) in (0..).zip(bots) {
        let input = bot.input(world, slot(index), now);
        world.drive(slot(index), input);
    }
    world.step(now);
}

/// TOOL-07: a bot whose way leads over a pad goes on from its fellow.
#[test]
fn a_bot_goes_on_from_where_it_was_sent() {
    let text = format!(
        "{MAP}\nnode in -20 0 0\nnode out -20 30 0\nnode near -10 0 0\nnode far -10 30 0\n\
        link near in\nlink out far\ndrop in near\ndrop out far"
    );
    let mut world = World::new(&Map::parse(&text).unwrap(), 4, Tuning::default());
    world.join(slot(0), "bot", Machine::HOST, None);
    let (mut bots, mut sent) = ([Bot::new(3)], Vec::new());
    (0..9000).for_each(|_| play(&mut world, &mut bots));
    world.take_sent(&mut sent);
    assert!(sent.len() > 10, "{}", sent.len());
}
