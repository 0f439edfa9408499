//! Vehicles from outside: how each kind moves, who sits where, and that a tick of one follows from its motion and its
//! driver's input alone.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::movement::GRAVITY;
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::vehicle::{Craft, MOST_SEATS};
use mjolnir_skirmish::game::world::BOARDS_FROM;
use mjolnir_skirmish::game::{Bot, Event, Kind, Made, Map, Role, Tuning, World};
use mjolnir_wire::objects::Motion;
use mjolnir_wire::units::Death;
use mjolnir_wire::{Axes, Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

const RIDDEN: [Kind; 6] = [Kind::Car, Kind::Flyer, Kind::Boat, Kind::Turret, Kind::Transport, Kind::Dropship];

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

fn craft(kind: Kind) -> &'static Craft {
    Craft::of(kind).unwrap()
}

/// A host's world of 400 wu with more lines, and so many players at its middle.
fn field(lines: &str, players: u8) -> World {
    let text = format!("bounds -200 -200 -9 200 200 60\nbox -204 -204 -9 204 204 0\n{lines}\nspawn 0 0 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    for index in 0..players {
        world.join(slot(index), &format!("player {index}"), Machine::HOST, None);
    }
    world.set_role(Role::Host);
    world.step(Tick::new(0).unwrap());
    world
}

/// A vehicle that has come to rest on a field, or on water where it floats, with a driver where it has one's seat.
fn driven(kind: Kind, lines: &str, place: Vec3) -> (World, ObjectId) {
    let mut world = field(lines, 1);
    let vehicle = world.spawn(kind, place).unwrap();
    run(&mut world, 120);
    let unit = world.unit(slot(0)).unwrap();
    assert!(world.set_seat(unit, Some((vehicle, 0))));
    (world, vehicle)
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

fn hold(world: &mut World, input: Input, ticks: u32) {
    world.drive(slot(0), input);
    run(world, ticks);
}

fn press(world: &mut World, of: u8, buttons: Buttons) {
    world.drive(slot(of), Input { buttons, ..Input::default() });
    run(world, 1);
    world.drive(slot(of), Input::default());
    run(world, 1);
}

fn ahead(yaw: f32) -> Input {
    Input { yaw, throttle: [1.0, 0.0], ..Input::default() }
}

fn motion(world: &World, vehicle: ObjectId) -> Motion {
    world.motion(vehicle).unwrap()
}

fn rests(world: &World, vehicle: ObjectId) -> bool {
    world.describe(vehicle).unwrap().at_rest
}

const POOL: &str = "water -200 -200 200 200 1";

/// On level ground, on water and in the air none is faster than its kind's top speed, which it reaches, and
/// what is between 0.2 and 0.6 wu a tick; a turret turns and does not move.
#[test]
fn each_kind_keeps_its_top_speed() {
    for kind in RIDDEN.into_iter().filter(|kind| craft(*kind).seats[0].drives) {
        let lines = if kind == Kind::Boat { POOL } else { "" };
        let (mut world, vehicle) = driven(kind, lines, Vec3::new(5.0, 0.0, 1.0));
        let begin = motion(&world, vehicle).position;
        let top = craft(kind).top_speed;
        let mut random = Random::new(7);
        let (mut most, mut yaw) = (0.0_f32, 0.0);
        for _ in 0..200 {
            // Straight on, then bends of all kinds.
            hold(&mut world, ahead(yaw), 6);
            let Motion { velocity, position, .. } = motion(&world, vehicle);
            most = most.max(velocity.length());
            assert!(velocity.length() <= top + 1e-4, "{kind:?} {velocity:?}");
            assert!(kind == Kind::Turret || position.distance(begin) > 0.0);
            yaw = if random.once_in(5) { random.part() * 6.0 } else { yaw };
        }
        if kind == Kind::Turret {
            assert_eq!(motion(&world, vehicle).position, begin);
            hold(&mut world, ahead(2.0), 60);
            let forward = motion(&world, vehicle).axes.forward;
            assert!((libm::atan2f(forward.y, forward.x) - 2.0).abs() < 0.02, "{forward:?}");
            hold(&mut world, ahead(3.5), 1);
            let spin = motion(&world, vehicle).angular_velocity;
            assert!((spin.z - craft(kind).turns).abs() < 1e-4 && spin.across() == Vec3::ZERO, "{spin:?}");
        } else {
            assert!(most > top * 0.98 && (0.2..=0.6).contains(&top), "{kind:?} {most}");
        }
    }
}

/// A car that leaves a ramp falls as a thing thrown at that speed does, whatever its driver does: its height
/// after each tick is the fall's, and its speed across stays.
#[test]
fn a_ramp_jump_is_a_throw() {
    let (mut world, car) = driven(Kind::Car, "ramp 30 0 0 42 0 4 8 0.6", Vec3::new(5.0, 0.0, 0.0));
    let mut flight: Vec<Motion> = Vec::new();
    for tick in 0..400 {
        // In the air it steers and brakes, to no effect.
        let input = if flight.is_empty() {
            ahead(0.0)
        } else {
            Input { yaw: 2.0, throttle: [-1.0, 0.0], ..ahead(0.0) }
        };
        hold(&mut world, input, 1);
        let now = motion(&world, car);
        if !world.is_on_ground(car) && now.position.x > 40.0 {
            flight.push(now);
        } else if !flight.is_empty() {
            break;
        }
        assert!(tick < 399, "it never flew");
    }
    let first = flight[0];
    assert!(flight.len() > 40 && first.velocity.z > 0.05, "{} {first:?}", flight.len());
    for (ticks, now) in flight.iter().enumerate() {
        let passed = ticks as f32;
        let height = first.position.z + first.velocity.z * passed - 0.5 * GRAVITY * passed * passed;
        assert!((now.position.z - height).abs() < 0.02, "{ticks}: {now:?} and not {height}");
        assert_eq!(now.velocity.across(), first.velocity.across());
        assert_eq!(now.axes.up, first.axes.up);
    }
}

/// A boat lies in the water at its draught, driven or not, and beside it falls; a flyer keeps the height that it is at
/// and sinks without a driver; neither is carried by the ground.
#[test]
fn what_floats_and_flies_keeps_its_height() {
    let (mut world, boat) = driven(Kind::Boat, "water -200 -200 50 200 2", Vec3::new(5.0, 0.0, 4.0));
    for _ in 0..100 {
        hold(&mut world, ahead(0.0), 1);
        assert!((motion(&world, boat).position.z - 1.85).abs() < 0.05, "{:?}", motion(&world, boat));
    }
    assert!(motion(&world, boat).position.x > 15.0 && !world.is_on_ground(boat));
    hold(&mut world, ahead(0.0), 600);
    let Motion { position, velocity, .. } = motion(&world, boat);
    assert!(position.x > 50.0 && position.z.abs() < 0.01 && velocity == Vec3::ZERO, "{position:?}");

    let (mut world, flyer) = driven(Kind::Flyer, "", Vec3::new(5.0, 0.0, 0.0));
    hold(&mut world, Input { pitch: 0.6, ..ahead(0.0) }, 60);
    hold(&mut world, Input::default(), 60);
    let up = motion(&world, flyer);
    assert!(up.position.z > 8.0 && up.velocity == Vec3::ZERO && rests(&world, flyer), "{up:?}");
    hold(&mut world, Input::default(), 300);
    assert_eq!(motion(&world, flyer), up);
    press(&mut world, 0, Buttons::ACTION);
    run(&mut world, 60);
    assert!(motion(&world, flyer).position.z < up.position.z - 1.0);
    run(&mut world, 600);
    assert!(motion(&world, flyer).position.z.abs() < 1e-3 && rests(&world, flyer));
    let its_own = [Kind::Flyer, Kind::Boat, Kind::Turret, Kind::Dropship];
    for kind in RIDDEN {
        assert_eq!(craft(kind).keeps_its_height(), its_own.contains(&kind));
    }
}

/// Walls, posts and the world's sides stop a vehicle: however it is driven, its ball is in no box.
#[test]
fn walls_stop_it() {
    let wall = "box 20 -200 0  20.6 200 3\nbox 8 6 0 12 6.4 2 30";
    for kind in [Kind::Car, Kind::Transport, Kind::Flyer] {
        let (mut world, vehicle) = driven(kind, wall, Vec3::new(5.0, 0.0, 0.0));
        let map = world.map().clone();
        let mut random = Random::new(5);
        let mut met = false;
        for turn in 0..300 {
            let yaw = if turn < 12 { 0.0 } else { random.signed() * 3.0 };
            hold(&mut world, ahead(yaw), 10);
            let Motion { position, .. } = motion(&world, vehicle);
            met |= position.x > 20.0 - craft(kind).radius - 0.01;
            let middle = position + Vec3::UP * craft(kind).radius;
            for solid in 0..map.solids.len() {
                let near = map.solids.get(solid as u16).near(middle);
                assert!(near.distance > craft(kind).radius - 0.02, "{kind:?} {position:?} in box {solid}");
            }
            assert!(position.x < 20.0, "{kind:?} {position:?}");
        }
        assert!(met, "{kind:?}");
    }
}

/// A vehicle has no hidden state: one that is put where another is, moving as it does, and driven by the
/// same inputs, is after each of 600 ticks where that one is, to the last bit; asleep or not.
#[test]
fn a_copy_goes_on_to_the_last_bit() {
    const LINES: &str =
        "water -60 -60 60 60 0.5\nramp 10 0 0 18 0 2 6 0.6\nbox 30 -9 0 31 9 2 20\nbox -9 20 0 9 21 0.3";
    for kind in RIDDEN {
        let (mut world, vehicle) = driven(kind, LINES, Vec3::new(3.0, 0.0, 0.5));
        let mut random = Random::new(11);
        let mut input = Input::default();
        let mut inputs = |tick: u32| {
            if random.once_in(15) {
                let stick = [-1.0, 0.0, 0.0, 0.6, 1.0, 1.0][random.below(6) as usize];
                let (yaw, pitch) = (random.part() * 6.0, random.signed() * 0.5);
                let buttons = if random.once_in(4) { Buttons::JUMP } else { Buttons::default() };
                input = Input { yaw, pitch, throttle: [stick, random.signed()], buttons, ..Input::default() };
            }
            // And stands for a while, so that it comes to rest.
            if tick % 200 > 140 { Input { yaw: 1.0, ..Input::default() } } else { input }
        };
        for tick in 0..97 {
            hold(&mut world, inputs(tick), 1);
        }
        let (mut copy, there) = driven(kind, LINES, Vec3::new(-30.0, -30.0, 5.0));
        let mut rested = 0;
        for tick in 97..697 {
            // From any tick on, and again while it lies: what is woken there stays as it is.
            if tick == 97 || tick % 190 == 0 {
                assert!(copy.set_vehicle(there, &motion(&world, vehicle)));
                assert!(!rests(&copy, there));
            }
            let input = inputs(tick);
            hold(&mut world, input, 1);
            hold(&mut copy, input, 1);
            assert_eq!(motion(&copy, there), motion(&world, vehicle), "{kind:?} at {tick}");
            rested += u32::from(rests(&world, vehicle));
        }
        let moves = craft(kind).top_speed > 0.0 && craft(kind).seats[0].drives;
        assert!(rested > 30 && (rested < 500 || !moves), "{kind:?} rested {rested}");
    }
}

/// What rests is woken by a driver's stick, by a word and by who gets in, and rests again; a driver who only looks
/// about leaves a car asleep.
#[test]
fn rest_ends_by_driving_placing_and_getting_in() {
    let mut world = field("", 1);
    let car = world.spawn(Kind::Car, Vec3::new(1.2, 0.0, 2.0)).unwrap();
    assert!(!rests(&world, car));
    run(&mut world, 120);
    let lies = motion(&world, car);
    assert!(rests(&world, car) && lies.velocity == Vec3::ZERO && lies.position.z.abs() < 1e-3, "{lies:?}");
    world.drive(slot(0), Input { buttons: Buttons::ACTION, ..Input::default() });
    run(&mut world, 1);
    assert!(!rests(&world, car), "getting in wakes it");
    hold(&mut world, Input { yaw: 2.0, ..Input::default() }, 30);
    assert!(rests(&world, car));
    assert_eq!(motion(&world, car), lies);
    hold(&mut world, ahead(0.0), 1);
    assert!(!rests(&world, car));
    hold(&mut world, ahead(0.0), 30);
    hold(&mut world, Input::default(), 200);
    assert!(rests(&world, car));
    // Lifted by a word it falls.
    let lifted = Motion { position: motion(&world, car).position + Vec3::UP, ..motion(&world, car) };
    assert!(world.set_vehicle(car, &lifted));
    assert!(!rests(&world, car));
    run(&mut world, 3);
    assert!(!world.is_on_ground(car) && motion(&world, car).velocity.z < -0.01);
    run(&mut world, 60);
    assert!(rests(&world, car) && world.is_on_ground(car));
    assert!(!world.set_vehicle(world.unit(slot(0)).unwrap(), &lifted));
    let nowhere = Motion { angular_velocity: Vec3::UP * f32::NAN, ..lifted };
    assert!(!world.set_vehicle(car, &nowhere) && motion(&world, car).position != lifted.position);
}

/// One gets in from so near and no further, drives away with what one carries, and gets out beside it, where there is
/// room, to walk on; holding the button does it once.
#[test]
fn getting_in_and_out() {
    let reach = craft(Kind::Car).radius + BOARDS_FROM;
    for (far, gets_in) in [(reach - 0.01, true), (reach + 0.01, false)] {
        let mut world = field("", 1);
        let unit = world.unit(slot(0)).unwrap();
        let rifle = world.give(slot(0), Kind::Rifle).unwrap();
        let car = world.spawn(Kind::Car, Vec3::new(far, 0.0, 0.0)).unwrap();
        run(&mut world, 30);
        let inventory = world.inventory(unit).unwrap();
        hold(&mut world, Input { buttons: Buttons::ACTION, ..Input::default() }, 20);
        assert_eq!(world.ride(unit), gets_in.then_some((car, 0)), "from {far}");
        if !gets_in {
            // With no vehicle in reach the button is for weapons.
            assert_eq!(world.carrier(rifle), None);
            continue;
        }
        assert_eq!(
            (world.driver(car), world.riders(car)),
            (Some(slot(0)), Some([Some(unit), None, None, None]))
        );
        hold(&mut world, ahead(1.0), 90);
        let (place, seat) = (motion(&world, car), world.placement(unit).unwrap());
        assert!(place.position.length() > 15.0 && seat.position.distance(place.position) < 0.5);
        assert_eq!(seat.velocity, place.velocity);
        assert_eq!(world.inventory(unit), Some(inventory));
        assert_eq!(world.describe(rifle).unwrap().position, seat.position);
        // Nothing but its seat moves who rides.
        assert!(!world.place(unit, Vec3::ZERO, None, None));
        hold(&mut world, Input { buttons: Buttons::ACTION, ..ahead(1.0) }, 1);
        assert_eq!((world.ride(unit), world.driver(car)), (None, None));
        let out = world.placement(unit).unwrap();
        let beside = out.position.distance(motion(&world, car).position);
        assert!((0.5..1.0).contains(&beside) && out.velocity == Vec3::ZERO, "{beside}");
        hold(&mut world, ahead(1.0), 30);
        let walked = world.placement(unit).unwrap().position.distance(out.position);
        assert!((2.0..2.5).contains(&walked) && world.grounded(unit), "{walked}");
        assert_eq!(world.inventory(unit), Some(inventory));
    }
}

/// Who gets out does not stand in a wall, nor behind it: of the four sides the first that is free, and in a pit as
/// wide as the vehicle its own place.
#[test]
fn one_gets_out_where_there_is_room() {
    let left = "box 3 0.5 0 7 0.6 2";
    let right = "box 3 -0.6 0 7 -0.5 2";
    let behind = "box 4 -2 0 4.5 2 2";
    let before = "box 5.5 -2 0 6 2 2";
    for (walls, way) in [
        (vec![], Vec3::new(0.0, 1.0, 0.0)),
        (vec![left], Vec3::new(0.0, -1.0, 0.0)),
        (vec![left, right], Vec3::new(-1.0, 0.0, 0.0)),
        (vec![left, right, behind], Vec3::new(1.0, 0.0, 0.0)),
        (vec![left, right, behind, before], Vec3::ZERO),
    ] {
        let (mut world, car) = driven(Kind::Car, &walls.join("\n"), Vec3::new(5.0, 0.0, 0.0));
        let at = motion(&world, car).position;
        press(&mut world, 0, Buttons::ACTION);
        let out = world.position(slot(0)).unwrap() - at;
        assert!(out.across().distance(way * 0.75) < 0.1, "{walls:?}: {out:?}");
    }
}

/// A transport takes four, its driver first and one at the gun upon it, which aims where that one looks; a fifth finds
/// it full; each gets out, and a free driver's seat is taken first again.
#[test]
fn a_transport_takes_four() {
    let mut world = field("", 5);
    let transport = world.spawn(Kind::Transport, Vec3::new(0.5, 0.0, 0.0)).unwrap();
    run(&mut world, 30);
    assert_eq!(world.gun(transport), None);
    let units: Vec<ObjectId> = (0..5).map(|of| world.unit(slot(of)).unwrap()).collect();
    for of in 0..5 {
        press(&mut world, of, Buttons::ACTION);
    }
    let seats: Vec<_> = units.iter().map(|unit| world.ride(*unit)).collect();
    let expected = [0, 1, 2, 3].map(|seat| Some((transport, seat)));
    assert_eq!((&seats[..MOST_SEATS], seats[4]), (&expected[..], None));
    // The gun aims for itself; the driver drives for all.
    world.drive(slot(3), Input { yaw: 2.5, pitch: 0.3, throttle: [1.0, 1.0], ..Input::default() });
    hold(&mut world, ahead(0.0), 60);
    assert_eq!(world.gun(transport), Some((2.5, 0.3)));
    let there = motion(&world, transport).position;
    assert!(there.x > 8.0 && there.y.abs() < 0.1, "{there:?}");
    let places: Vec<Vec3> = units[..4].iter().map(|unit| world.placement(*unit).unwrap().position).collect();
    for (at, place) in places.iter().enumerate() {
        assert!(place.distance(there) < 1.2 && places[..at].iter().all(|other| other.distance(*place) > 0.3));
    }
    assert!(places[3].z > places[0].z + 0.3, "the gun is above the others");
    press(&mut world, 0, Buttons::ACTION);
    assert_eq!((world.driver(transport), world.ride(units[3])), (None, Some((transport, 3))));
    hold(&mut world, Input::default(), 120);
    press(&mut world, 0, Buttons::ACTION);
    // It has rolled out of reach, so the one who got out did not get in.
    world.move_to(slot(4), motion(&world, transport).position + Vec3::new(0.0, 1.0, 0.0));
    press(&mut world, 4, Buttons::ACTION);
    assert_eq!(world.driver(transport), Some(slot(4)));
}

/// A seat that the host gives is taken at once, whoever sat there gets out; no seat, no vehicle or a body are
/// refused, and who is to get out and sits nowhere stays.
#[test]
fn a_seat_is_given() {
    let mut world = field("", 2);
    world.set_role(Role::Client);
    let before = world.decisions();
    let (ann, bob) = (world.unit(slot(0)).unwrap(), world.unit(slot(1)).unwrap());
    let (car, other) = (ObjectId::new(40, 3).unwrap(), ObjectId::new(41, 3).unwrap());
    assert!(world.make_at(&Made::plain(car, Kind::Car.tag(), Vec3::new(30.0, 0.0, 0.0))));
    assert!(world.make_at(&Made::plain(other, Kind::Flyer.tag(), Vec3::new(60.0, 0.0, 9.0))));
    assert!(world.set_seat(ann, Some((car, 0))) && world.set_seat(bob, Some((car, 1))));
    assert_eq!(world.placement(ann).unwrap().position.distance(Vec3::new(30.0, 0.2, 0.3)), 0.0);
    assert!(world.set_seat(bob, Some((car, 0))) && world.set_seat(bob, Some((car, 0))));
    assert_eq!((world.ride(ann), world.riders(car).unwrap()), (None, [Some(bob), None, None, None]));
    assert!(world.placement(ann).unwrap().position.distance(Vec3::new(30.0, 0.0, 0.0)) < 1.0);
    assert!(world.set_seat(bob, Some((other, 0))));
    assert_eq!(world.riders(car), Some([None; MOST_SEATS]));
    for bad in [(car, 2), (car, 255), (ann, 0), (ObjectId::new(42, 1).unwrap(), 0)] {
        assert!(!world.set_seat(bob, Some(bad)), "{bad:?}");
        assert_eq!(world.ride(bob), Some((other, 0)));
    }
    assert!(!world.set_seat(ann, None) && world.set_seat(bob, None) && !world.set_seat(bob, None));
    world.die(slot(0), Death::default());
    assert!(!world.set_seat(ann, Some((car, 0))));
    assert_eq!(world.decisions(), before);
}

/// Whoever dies, leaves or is moved leaves its seat empty; a vehicle that is deleted, or falls out of the world, puts
/// out who rode it.
#[test]
fn seats_are_emptied() {
    let begin = || {
        let mut world = field("", 2);
        let transport = world.spawn(Kind::Transport, Vec3::new(0.5, 0.0, 0.0)).unwrap();
        run(&mut world, 30);
        let units = [0, 1].map(|of| world.unit(slot(of)).unwrap());
        for of in [0, 1] {
            press(&mut world, of, Buttons::ACTION);
        }
        hold(&mut world, ahead(0.0), 30);
        assert_eq!(world.ride(units[1]), Some((transport, 1)));
        (world, transport, units)
    };
    let (mut world, transport, units) = begin();
    let at = world.position(slot(1)).unwrap();
    assert!(world.kill(slot(1), None));
    let body = world.describe(units[1]).unwrap();
    assert!(body.dead && body.position == at && world.ride(units[1]).is_none());
    assert_eq!(world.riders(transport).unwrap()[1], None);
    run(&mut world, 30);
    assert!(world.describe(units[1]).unwrap().position.distance(motion(&world, transport).position) > 0.3);
    world.leave(slot(0));
    assert_eq!((world.riders(transport), world.describe(units[0])), (Some([None; MOST_SEATS]), None));

    let (mut world, transport, units) = begin();
    assert!(world.move_to(slot(0), Vec3::new(-20.0, 0.0, 0.0)));
    assert_eq!((world.ride(units[0]), world.position(slot(0))), (None, Some(Vec3::new(-20.0, 0.0, 0.0))));
    assert!(world.erase(transport));
    assert_eq!(world.ride(units[1]), None);
    run(&mut world, 60);
    assert!(world.grounded(units[1]) && world.vitality(units[1]).unwrap().body == 1.0);

    let mut world = World::new(
        &Map::parse("bounds -20 -20 -5 20 20 30\nbox -4 -4 -1 4 4 0\nspawn 0 0 0 0").unwrap(),
        1,
        Tuning::default(),
    );
    world.join(slot(0), "Ann", Machine::HOST, None);
    let car = world.spawn(Kind::Car, Vec3::new(1.0, 0.0, 0.0)).unwrap();
    run(&mut world, 2);
    press(&mut world, 0, Buttons::ACTION);
    hold(&mut world, ahead(0.0), 200);
    assert!(world.describe(car).is_none());
    let died = |event: Event| matches!(event, Event::Died { .. });
    assert!(world.drain_events().any(died), "who rode it fell too");
}

/// GLUE-17: in a client's world its own players get in and out and drive by their own input, as they walk; others' do
/// not, whatever their input, and nothing of it is a decision.
#[test]
fn a_clients_own_players_get_in_by_themselves() {
    let mut world = field("", 2);
    let car = world.spawn(Kind::Transport, Vec3::new(0.5, 0.0, 0.0)).unwrap();
    run(&mut world, 30);
    let before = world.decisions();
    world.set_role(Role::Client);
    world.set_local(slot(0), true);
    let (ann, bob) = (world.unit(slot(0)).unwrap(), world.unit(slot(1)).unwrap());
    for of in [0, 1] {
        press(&mut world, of, Buttons::ACTION);
    }
    assert_eq!((world.ride(ann), world.ride(bob)), (Some((car, 0)), None));
    hold(&mut world, ahead(0.0), 30);
    assert!(motion(&world, car).position.x > 2.0);
    press(&mut world, 0, Buttons::ACTION);
    assert_eq!((world.ride(ann), world.decisions()), (None, before));
    world.set_local(slot(0), false);
    press(&mut world, 0, Buttons::ACTION);
    assert_eq!(world.ride(ann), None);
}

/// A client knows the tick in which its own player last fired, reloaded or threw, and of nobody else's; an
/// empty weapon fires nothing.
#[test]
fn a_client_knows_when_its_player_acted() {
    let mut world = field("kit rifle grenades", 2);
    world.set_role(Role::Client);
    world.set_local(slot(0), true);
    assert_eq!(world.acted(slot(0)), None);
    let fire = Input { buttons: Buttons::PRIMARY_TRIGGER, trigger: 1.0, ..Input::default() };
    hold(&mut world, fire, 5);
    let last = world.tick();
    hold(&mut world, Input::default(), 5);
    assert_eq!(world.acted(slot(0)), Some(last));
    // It loads what it fired, and loaded it loads nothing.
    press(&mut world, 0, Buttons::RELOAD);
    let loaded = world.tick().minus(1);
    assert!(loaded > last && world.acted(slot(0)) == Some(loaded));
    run(&mut world, 40);
    press(&mut world, 0, Buttons::RELOAD);
    assert_eq!(world.acted(slot(0)), Some(loaded));
    press(&mut world, 0, Buttons::THROW_GRENADE);
    let threw = world.tick().minus(1);
    assert_eq!(world.acted(slot(0)), Some(threw));
    let unit = world.unit(slot(0)).unwrap();
    let mut inventory = world.inventory(unit).unwrap();
    let weapon = inventory.weapons[0].as_mut().unwrap();
    (weapon.total[0], weapon.loaded[0]) = (0, 0);
    inventory.grenades = [0; 2];
    assert!(world.set_inventory(&inventory));
    hold(&mut world, fire, 5);
    press(&mut world, 0, Buttons::THROW_GRENADE);
    assert_eq!(world.acted(slot(0)), Some(threw));
    // Rounds in store are loaded of themselves.
    inventory.weapons[0].as_mut().unwrap().total[0] = 32;
    assert!(world.set_inventory(&inventory));
    run(&mut world, 1);
    assert_eq!(world.acted(slot(0)), Some(world.tick()));
    world.drive(slot(1), fire);
    run(&mut world, 5);
    assert_eq!(world.acted(slot(1)), None);
}

/// A dropship goes its way on the host to a hundredth, while the velocity that it tells of swings by
/// half; it opens where it stands, and there alone one gets in and out. A client's does not go by itself.
#[test]
fn a_dropship_follows_its_path() {
    let lines = "path dropship 0.2 60  2 0 0  20 0 8  20 30 8";
    let mut world = field(lines, 1);
    let ship = world.objects().find(|id| world.kind(*id) == Some(Kind::Dropship)).unwrap();
    let unit = world.unit(slot(0)).unwrap();
    assert!(rests(&world, ship) && world.has_open_doors(ship));
    let mut client = field(lines, 1);
    client.set_role(Role::Client);
    press(&mut world, 0, Buttons::ACTION);
    assert_eq!((world.ride(unit), world.driver(ship)), (Some((ship, 0)), None));
    let mut before = motion(&world, ship);
    let (mut flew, mut swung) = (0, 0);
    for _ in 0..600 {
        press(&mut world, 0, Buttons::JUMP);
        let now = motion(&world, ship);
        let step = now.position.distance(before.position) / 2.0;
        assert!(step < 0.201, "{step}");
        assert_eq!(world.has_open_doors(ship), rests(&world, ship));
        if !rests(&world, ship) {
            flew += 1;
            swung += u32::from((now.velocity.length() - 0.2).abs() > 0.05);
        }
        // Closed doors let nobody out.
        let lands = world.tick().get() % 7 == 0 && !rests(&world, ship) && {
            hold(&mut world, Input { buttons: Buttons::ACTION, ..Input::default() }, 1);
            world.has_open_doors(ship)
        };
        assert!(lands || world.ride(unit) == Some((ship, 0)));
        if lands {
            assert!(world.set_seat(unit, Some((ship, 0))));
        }
        before = motion(&world, ship);
    }
    assert!(flew > 100 && swung > flew / 2, "{flew} {swung}");
    while !world.has_open_doors(ship) {
        run(&mut world, 1);
    }
    press(&mut world, 0, Buttons::ACTION);
    assert_eq!(world.ride(unit), None);
    let stood = motion(&client, ship);
    run(&mut client, 200);
    assert_eq!(motion(&client, ship), stood);
    // Told of a motion it goes on so, and out.
    let velocity = Vec3::new(0.2, 0.0, 0.0);
    assert!(client.set_vehicle(ship, &Motion { velocity, ..stood }));
    run(&mut client, 4);
    assert!((motion(&client, ship).position.x - stood.position.x - 0.8).abs() < 0.05);
    run(&mut client, 100);
    assert!(rests(&client, ship));
}

/// The sandbox's own: one seed plays one game on the maps with vehicles, on a host and on a client that gets its
/// inputs, units and seats; bots ride on both maps, get out again, and on the field keep apart.
#[test]
fn one_seed_drives_one_game() {
    for map in ["carpark", "drive"] {
        let play = |seed: u64| {
            let mut world = World::new(&Map::named(map).unwrap(), seed, Tuning::default());
            let mut bots: Vec<Bot> = (0..8).map(|of| Bot::new(seed * 100 + of)).collect();
            for of in 0..8 {
                world.join(slot(of), &format!("bot {of}"), Machine::HOST, None);
            }
            let mut digests = Vec::new();
            let (mut rode, mut ins, mut outs, mut far, mut near, mut shared) = (0, 0, 0, 0.0_f32, 0, 0);
            let mut rides = [None; 8];
            for number in 0..5400 {
                let tick = Tick::new(number).unwrap();
                for (of, bot) in bots.iter_mut().enumerate() {
                    let slot = slot(of as u8);
                    let input = bot.input(&world, slot, tick);
                    world.drive(slot, input);
                }
                world.step(tick);
                world.drain_events();
                let places: Vec<Vec3> = (0..8).filter_map(|of| world.position(slot(of))).collect();
                for (of, place) in places.iter().enumerate() {
                    near += places[..of].iter().filter(|other| other.distance(*place) < 3.0).count();
                }
                for of in 0..8 {
                    let ride = world.unit(slot(of)).and_then(|unit| world.ride(unit));
                    let before = std::mem::replace(&mut rides[usize::from(of)], ride);
                    rode += u32::from(ride.is_some());
                    shared += u32::from(ride.is_some_and(|(_, seat)| seat > 0));
                    ins += u32::from(before.is_none() && ride.is_some());
                    outs += u32::from(before.is_some() && ride.is_none());
                    far += world.velocity(slot(of)).filter(|_| ride.is_some()).map_or(0.0, Vec3::length);
                }
                if number % 300 == 0 {
                    digests.push(world.state_hash());
                }
            }
            (digests, rode, ins, outs, far, near, shared)
        };
        let (digests, rode, ins, outs, far, near, shared) = play(5);
        assert_eq!(digests, play(5).0, "{map}");
        assert_ne!(digests, play(6).0, "{map}");
        assert!(ins >= 16 && outs >= 8 && rode > 8_000 && far > 1_000.0, "{map} {ins} {outs} {rode} {far}");
        if map == "drive" {
            // Of 28 pairs in 5400 ticks; they pass through each other when they meet.
            assert!(shared == 0 && near < 1_500, "{shared} {near}");
        } else {
            assert!(shared > 0);
        }
    }
}

/// GLUE-17: a client's world that is driven by its host's inputs, each vehicle where the host has it before each tick,
/// has each after it where the host has it, to the last bit, and has decided nothing.
#[test]
fn a_clients_vehicles_are_its_hosts() {
    let map = Map::named("carpark").unwrap();
    let mut host = World::new(&map, 3, Tuning::default());
    host.set_role(Role::Host);
    let mut client = World::new(&map, 4, Tuning::default());
    client.set_role(Role::Client);
    let mut bots: Vec<Bot> = (0..6).map(|of| Bot::new(300 + of)).collect();
    for of in 0..6 {
        for world in [&mut host, &mut client] {
            world.join(slot(of), &format!("bot {of}"), Machine::HOST, None);
        }
    }
    let placed: Vec<ObjectId> = host.objects().filter(|id| host.craft(*id).is_some()).collect();
    let mut moved = 0;
    for number in 0..3600 {
        let tick = Tick::new(number).unwrap();
        for (of, bot) in bots.iter_mut().enumerate() {
            let slot = slot(of as u8);
            let input = bot.input(&host, slot, tick);
            host.drive(slot, input);
            client.drive(slot, input);
        }
        for of in 0..6 {
            let Some(unit) = host.unit(slot(of)) else { continue };
            client.make_at(&host.describe(unit).unwrap());
            client.own(slot(of), unit);
            if host.ride(unit) != client.ride(unit) {
                client.set_seat(unit, host.ride(unit));
            }
        }
        let before: Vec<_> = placed.iter().map(|id| host.motion(*id)).collect();
        for (id, motion) in placed.iter().zip(&before) {
            client.set_vehicle(*id, motion.as_ref().unwrap());
        }
        host.step(tick);
        client.step(tick);
        for (id, before) in placed.iter().zip(&before) {
            if host.kind(*id) == Some(Kind::Dropship) {
                continue;
            }
            assert_eq!(host.motion(*id), client.motion(*id), "{:?} at {number}", host.kind(*id));
            moved += u32::from(host.motion(*id) != *before);
        }
        host.drain_events();
        client.drain_events();
    }
    assert!(moved > 1_000 && client.decisions().total() == 0, "{moved}");
}

/// The axes of a vehicle are one long and at right angles, whatever it drove over: the wire takes no others.
#[test]
fn its_axes_can_be_sent() {
    let lines =
        "ramp 10 0 0 18 0 4 6 0.6\nbox 30 -9 0 31 9 0.3 20\nbox -9 20 0 9 21 0.3\nramp 0 10 0 0 18 5 6 0.6";
    for kind in [Kind::Car, Kind::Transport, Kind::Flyer] {
        let (mut world, vehicle) = driven(kind, lines, Vec3::new(3.0, 0.0, 0.5));
        let mut random = Random::new(3);
        for _ in 0..400 {
            hold(&mut world, Input { pitch: random.signed(), ..ahead(random.part() * 6.0) }, 7);
            let Axes { forward, up } = motion(&world, vehicle).axes;
            assert!((forward.length() - 1.0).abs() < 1e-5 && (up.length() - 1.0).abs() < 1e-5);
            assert!(forward.dot(up).abs() < 1e-5 && up.z > 0.3, "{forward:?} {up:?}");
            assert_eq!(Axes::read(forward, up), Ok(Axes { forward, up }));
        }
    }
}
