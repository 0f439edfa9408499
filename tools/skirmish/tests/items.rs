//! What lies about, is carried and is left behind, from outside: how it moves, who may take it, and that a client's
//! world has only its host's word for it.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::movement::{Body, RADIUS};
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::world::{BODY_STAYS, DROPPED_STAYS, FILLED_AFTER, MOST_GRENADES, REACH, TOUCH};
use mjolnir_skirmish::game::{Bot, Class, Event, Kind, Made, Map, Role, Tuning, World};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::units::Death;
use mjolnir_wire::{Axes, Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

const ANN: Slot = match Slot::new(0) {
    Some(slot) => slot,
    None => panic!("no slot"),
};
const BOB: Slot = match Slot::new(1) {
    Some(slot) => slot,
    None => panic!("no slot"),
};

fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

/// A host's world on a plain of 40 wu with more lines, and one player of that role's at its middle.
fn plain(lines: &str, role: Role) -> World {
    let text = format!("bounds -20 -20 -5 20 20 30\nbox -24 -24 -1 24 24 0\n{lines}\nspawn 0 0 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    world.join(ANN, "Ann", Machine::HOST, None);
    world.step(tick(0));
    world.set_role(role);
    world
}

fn run(world: &mut World, ticks: u16) {
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

/// Presses buttons for a tick and lets them go.
fn press(world: &mut World, buttons: Buttons) {
    world.drive(ANN, Input { buttons, ..Input::default() });
    run(world, 1);
    world.drive(ANN, Input::default());
    run(world, 1);
}

fn made(world: &World, id: ObjectId) -> Made {
    world.describe(id).unwrap()
}

fn unit(world: &World) -> ObjectId {
    world.unit(ANN).unwrap()
}

fn weapons(world: &World) -> Vec<ObjectId> {
    let inventory = world.inventory(unit(world)).unwrap();
    inventory.weapons.iter().flatten().map(|weapon| weapon.object).collect()
}

fn in_hand(world: &World) -> Option<ObjectId> {
    let inventory = world.inventory(unit(world)).unwrap();
    inventory.weapons[usize::from(inventory.in_hand?)].map(|weapon| weapon.object)
}

/// What is thrown falls, slides, comes to rest on the ground and lies there; a throw wakes it.
#[test]
fn what_is_loose_comes_to_rest_until_it_is_thrown() {
    for kind in [Kind::Rifle, Kind::Medkit, Kind::Cart] {
        let mut world = plain("", Role::Host);
        let id = world.spawn(kind, Vec3::new(5.0, 5.0, 4.0)).unwrap();
        assert!(!made(&world, id).at_rest);
        run(&mut world, 30);
        assert!(!made(&world, id).at_rest && made(&world, id).position.z > 1.0);
        run(&mut world, 60);
        let rests = made(&world, id);
        assert!(rests.at_rest && rests.velocity == Vec3::ZERO && rests.position.z.abs() < 1e-3, "{rests:?}");
        run(&mut world, 300);
        assert_eq!(made(&world, id), rests);
        assert!(world.throw(id, Vec3::new(0.1, 0.0, 0.1)));
        run(&mut world, 1);
        assert!(!made(&world, id).at_rest);
        run(&mut world, 150);
        let again = made(&world, id);
        assert!(again.at_rest && again.position.x > rests.position.x + 2.0, "{again:?}");
    }
}

/// Below the world nothing is kept by the one who decides; on a client it waits for the host's word.
#[test]
fn what_falls_out_of_the_world_is_deleted_by_the_host_alone() {
    for (role, stands) in [(Role::Host, false), (Role::Client, true)] {
        let text = "bounds -20 -20 -5 20 20 30\nbox -4 -4 -1 4 4 0\nspawn 0 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(role);
        let id = ObjectId::new(9, 4).unwrap();
        assert!(world.make_at(&Made::plain(id, Kind::Rifle.tag(), Vec3::new(10.0, 0.0, 1.0))));
        run(&mut world, 300);
        assert_eq!(world.describe(id).is_some(), stands);
        assert_eq!(world.drain_events().any(|event| event == Event::Deleted(id)), !stands);
    }
}

/// OBJ-10: what a map lays out is the same on every machine from the first tick, at rest and in no box; the yard has
/// more than 300 of it, and nobody is told.
#[test]
fn a_maps_things_lie_where_they_do_on_every_machine() {
    let map = Map::named("yard").unwrap();
    let lay = |role, seed| {
        let mut world = World::new(&map, seed, Tuning::default());
        world.set_role(role);
        assert_eq!(world.drain_events().count(), 0);
        world
    };
    let (host, client) = (lay(Role::Host, 1), lay(Role::Client, 2));
    let all = |world: &World| world.objects().map(|id| made(world, id)).collect::<Vec<_>>();
    assert!(all(&host).len() >= 300 && all(&host) == all(&client));
    for thing in all(&host) {
        assert!(
            thing.at_rest && thing.id.index() < FIRST_OWN_OBJECT && thing.position.z > -1e-3,
            "{thing:?}"
        );
        let radius = world_radius(&host, thing.id);
        let middle = thing.position + Vec3::UP * radius;
        for solid in 0..map.solids.len() {
            let near = map.solids.get(solid as u16).near(middle);
            assert!(near.distance > radius - 0.01, "{thing:?} is in box {solid}");
        }
    }
    let classes = |class| host.objects().filter(|id| host.class(*id) == Some(class)).count();
    assert!(classes(Class::Weapon) > 100 && classes(Class::Equipment) > 100 && classes(Class::Vehicle) >= 20);
}

fn world_radius(world: &World, id: ObjectId) -> f32 {
    world.kind(id).unwrap().radius()
}

/// A weapon in reach is picked up by a press and not by holding; the second fills the second place, the third takes
/// the place of the one in hand, which lies where the player is; with none in reach the one in hand is dropped.
#[test]
fn weapons_are_picked_up_swapped_and_dropped() {
    let mut world = plain("", Role::Host);
    let far = world.spawn(Kind::Plasma, Vec3::new(REACH + 0.05, 0.0, 0.0)).unwrap();
    run(&mut world, 30);
    press(&mut world, Buttons::ACTION);
    assert_eq!(weapons(&world), []);
    let rifle = world.spawn(Kind::Rifle, Vec3::new(REACH - 0.05, 0.0, 0.0)).unwrap();
    run(&mut world, 30);
    press(&mut world, Buttons::ACTION);
    assert_eq!((weapons(&world), in_hand(&world)), (vec![rifle], Some(rifle)));
    assert!(made(&world, rifle).carried && world.carrier(rifle) == Some(unit(&world)));

    let pistol = world.spawn(Kind::Pistol, Vec3::new(0.3, 0.0, 0.0)).unwrap();
    run(&mut world, 30);
    let hold = Input { buttons: Buttons::ACTION, ..Input::default() };
    world.drive(ANN, hold);
    run(&mut world, 90);
    world.drive(ANN, Input::default());
    run(&mut world, 1);
    assert_eq!((weapons(&world), in_hand(&world)), (vec![rifle, pistol], Some(pistol)));
    press(&mut world, Buttons::SWAP_WEAPONS);
    assert_eq!(in_hand(&world), Some(rifle));

    world.move_to(ANN, Vec3::new(REACH, 0.0, 0.0));
    press(&mut world, Buttons::ACTION);
    assert_eq!((weapons(&world), in_hand(&world)), (vec![far, pistol], Some(far)));
    assert!(!made(&world, rifle).carried);
    run(&mut world, 90);
    let lies = made(&world, rifle);
    assert!(lies.at_rest && lies.position.distance(Vec3::new(REACH, 0.0, 0.0)) < 1.5, "{lies:?}");

    world.move_to(ANN, Vec3::new(-10.0, 0.0, 0.0));
    press(&mut world, Buttons::ACTION);
    assert_eq!((weapons(&world), in_hand(&world)), (vec![pistol], Some(pistol)));
}

/// What is carried is where its carrier is, moves no other way, and cannot be put elsewhere.
#[test]
fn what_is_carried_is_where_its_carrier_is() {
    let mut world = plain("", Role::Host);
    let rifle = world.give(ANN, Kind::Rifle).unwrap();
    world.drive(ANN, Input { throttle: [1.0, 0.0], ..Input::default() });
    for _ in 0..60 {
        run(&mut world, 1);
        assert_eq!(Some(made(&world, rifle).position), world.position(ANN));
    }
    assert!(world.position(ANN).unwrap().x > 3.0);
    assert!(!world.shift(rifle, Vec3::ZERO));
    let body = Body::default();
    assert!(!world.set_motion(rifle, body, Axes::UPRIGHT, true, false));
    assert_eq!(Some(made(&world, rifle).position), world.position(ANN));
}

/// Of two who press in one tick beside one weapon one has it, whatever their places; a thousand times.
#[test]
fn a_weapon_has_one_owner() {
    let mut random = Random::new(41);
    for round in 0..1000 {
        let mut world = plain("", Role::Host);
        world.join(BOB, "Bob", Machine::HOST, None);
        run(&mut world, 1);
        let weapon = world.spawn(Kind::Rifle, Vec3::ZERO).unwrap();
        for slot in [ANN, BOB] {
            world.move_to(slot, Vec3::new(random.signed() * 0.6, random.signed() * 0.6, 0.0));
            world.drive(slot, Input { buttons: Buttons::ACTION, ..Input::default() });
        }
        run(&mut world, 1);
        let has = |slot| {
            let inventory = world.inventory(world.unit(slot).unwrap()).unwrap();
            inventory.weapons.iter().flatten().filter(|carried| carried.object == weapon).count()
        };
        assert_eq!(has(ANN) + has(BOB), 1, "seed 41, round {round}");
    }
}

/// A rifle fires ten rounds a second while its trigger is held, loads when it has none, and in the end has none; a
/// plasma weapon wears instead.
#[test]
fn rounds_and_wear_are_used_up() {
    let mut world = plain("", Role::Host);
    world.give(ANN, Kind::Rifle).unwrap();
    let fires = Input { buttons: Buttons::PRIMARY_TRIGGER, trigger: 1.0, ..Input::default() };
    let rounds = |world: &World| {
        let weapon = world.inventory(unit(world)).unwrap().weapons[0].unwrap();
        (weapon.total[0], weapon.loaded[0])
    };
    assert_eq!(rounds(&world), (128, 32));
    world.drive(ANN, fires);
    run(&mut world, 30);
    assert_eq!(rounds(&world), (118, 22));
    world.drive(ANN, Input::default());
    run(&mut world, 3);
    press(&mut world, Buttons::RELOAD);
    assert_eq!(rounds(&world), (118, 32));
    world.drive(ANN, fires);
    run(&mut world, 1200);
    assert_eq!(rounds(&world), (0, 0));

    world.drive(ANN, Input::default());
    let plasma = world.give(ANN, Kind::Plasma).unwrap();
    world.drive(ANN, fires);
    run(&mut world, 100);
    let worn = world.inventory(unit(&world)).unwrap().weapons[1].unwrap();
    assert_eq!((worn.object, worn.age), (plasma, 6550));
    run(&mut world, 1000);
    assert_eq!(world.inventory(unit(&world)).unwrap().weapons[1].unwrap().age, u16::MAX);
}

/// Equipment is used up by touch, where it is of use: grenades to the most one carries, a medkit where one is hurt.
#[test]
fn equipment_is_used_up_by_touch() {
    let mut world = plain("", Role::Host);
    let grenades = |world: &World| world.inventory(unit(world)).unwrap().grenades[0];
    let near = Vec3::new(TOUCH - 0.05, 0.0, 0.0);
    let out_of_reach = world.spawn(Kind::Grenades, Vec3::new(TOUCH + 0.05, 0.0, 0.0)).unwrap();
    for wanted in [2, MOST_GRENADES, MOST_GRENADES] {
        world.spawn(Kind::Grenades, near).unwrap();
        run(&mut world, 2);
        assert_eq!(grenades(&world), wanted);
    }
    let left = world.objects().filter(|id| world.kind(*id) == Some(Kind::Grenades)).count();
    assert!(left == 2 && world.describe(out_of_reach).is_some());
    press(&mut world, Buttons::THROW_GRENADE);
    // One is thrown, and there is room for what lies at its feet.
    assert_eq!(grenades(&world), MOST_GRENADES);
    assert_eq!(world.objects().filter(|id| world.kind(*id) == Some(Kind::Grenades)).count(), 1);

    let medkit = world.spawn(Kind::Medkit, near).unwrap();
    run(&mut world, 2);
    assert!(world.describe(medkit).is_some());
    world.set_health(ANN, 0.25);
    run(&mut world, 1);
    assert!(world.describe(medkit).is_none());
    assert_eq!(world.vitality(unit(&world)).unwrap().body, 1.0);
}

/// OBJ-24, 25: who dies in the air leaves a body that falls, lies limp where it rests, is limp no more while it is
/// thrown, and goes after four seconds; its weapons lie about for thirty.
#[test]
fn a_body_falls_lies_limp_and_goes() {
    let mut world = plain("", Role::Host);
    let dropped = [world.give(ANN, Kind::Rifle).unwrap(), world.give(ANN, Kind::Pistol).unwrap()];
    let body = unit(&world);
    world.move_to(ANN, Vec3::new(2.0, 3.0, 4.0));
    assert!(world.kill(ANN, None));
    let dies = made(&world, body);
    assert!(dies.dead && dies.slot.is_none() && dies.position.z == 4.0 && !world.is_limp(body));
    assert_eq!(world.inventory(body), Some(Inventory::empty(body)));
    run(&mut world, 70);
    let rests = made(&world, body);
    assert!(rests.at_rest && rests.position.z.abs() < 1e-3 && world.is_limp(body), "{rests:?}");
    assert!(world.throw(body, Vec3::UP * 0.02));
    run(&mut world, 1);
    assert!(!world.is_limp(body) && made(&world, body).dead);
    run(&mut world, 40);
    assert!(world.is_limp(body));
    world.drain_events();
    run(&mut world, BODY_STAYS - 112);
    assert!(world.describe(body).is_some());
    run(&mut world, 1);
    assert!(world.describe(body).is_none());
    assert!(world.drain_events().any(|event| event == Event::Deleted(body)));
    for id in dropped {
        assert!(made(&world, id).at_rest && !made(&world, id).carried);
    }
    // The player came back, but not to where they lie.
    world.move_to(ANN, Vec3::new(-15.0, 0.0, 0.0));
    run(&mut world, DROPPED_STAYS - BODY_STAYS - 1);
    assert!(dropped.iter().all(|id| world.describe(*id).is_some()));
    run(&mut world, 1);
    assert!(dropped.iter().all(|id| world.describe(*id).is_none()));
}

/// Twenty times a player leaves with a weapon and joins again: there is one of it all the time, until it lay too long.
#[test]
fn who_leaves_drops_what_it_carried() {
    let mut world = plain("", Role::Host);
    let rifle = world.give(ANN, Kind::Rifle).unwrap();
    for _ in 0..20 {
        world.leave(ANN);
        run(&mut world, 60);
        let rifles = || world.objects().filter(|id| world.kind(*id) == Some(Kind::Rifle));
        assert_eq!(rifles().collect::<Vec<_>>(), [rifle]);
        world.join(ANN, "Ann", Machine::HOST, None);
        run(&mut world, 1);
        world.move_to(ANN, made(&world, rifle).position);
        press(&mut world, Buttons::ACTION);
        assert_eq!(weapons(&world), [rifle]);
    }
}

/// A place whose thing was taken is filled after thirty seconds by the host, and by no client.
#[test]
fn a_place_is_filled_again_by_the_host_alone() {
    for role in [Role::Host, Role::Client] {
        let mut world = plain("item rifle 0.5 0 0.5", role);
        let placed = world.objects().find(|id| world.kind(*id) == Some(Kind::Rifle)).unwrap();
        let count = |world: &World| world.objects().filter(|id| world.kind(*id) == Some(Kind::Rifle)).count();
        world.drain_events();
        if role == Role::Host {
            press(&mut world, Buttons::ACTION);
            assert_eq!(weapons(&world), [placed]);
            run(&mut world, FILLED_AFTER - 3);
            assert_eq!(count(&world), 1);
            run(&mut world, 1);
            assert_eq!(count(&world), 2);
            let made = world.drain_events().filter(|event| !matches!(event, Event::PickedUp(_)));
            let events: Vec<_> = made.collect();
            assert!(matches!(events[..], [Event::Made(Made { at_rest: true, .. })]), "{events:?}");
        } else {
            assert!(world.delete(placed));
            run(&mut world, FILLED_AFTER + 10);
            assert_eq!((count(&world), world.drain_events().count()), (0, 0));
        }
    }
}

/// OBJ-14: a client's weapons move into and out of slots as the host says, the very objects; what is named nowhere
/// lies where the unit is. A unit or weapon that is missing, is none or is named twice changes nothing.
#[test]
fn an_inventory_moves_what_there_is() {
    let mut world = plain("item rifle 3 0 0.5\nitem pistol 4 0 0.5\nitem medkit 5 0 0.5", Role::Client);
    let [rifle, pistol, medkit] = [0, 1, 2].map(|index| world.object_at(index).unwrap());
    let unit = unit(&world);
    let carried = |object| Some(CarriedWeapon { object, total: [90, 0], loaded: [7, 0], age: 16_384 });
    let word = |weapons: [Option<ObjectId>; 4], in_hand| Inventory {
        grenades: [3, 0],
        in_hand,
        weapons: weapons.map(|weapon| weapon.and_then(carried)),
        ..Inventory::empty(unit)
    };
    let before = world.state_hash();
    let gone = ObjectId::new(7, 7).unwrap();
    for wrong in [
        word([Some(medkit), None, None, None], None),
        word([Some(gone), None, None, None], None),
        word([Some(rifle), Some(rifle), None, None], None),
        Inventory { unit: rifle, ..word([None; 4], None) },
        Inventory { unit: gone, ..word([None; 4], None) },
    ] {
        assert!(!world.set_inventory(&wrong));
        assert_eq!(world.state_hash(), before);
    }
    let count = world.object_count();
    let both = word([Some(pistol), None, None, Some(rifle)], Some(3));
    assert!(world.set_inventory(&both));
    assert_eq!((world.inventory(unit), in_hand(&world)), (Some(both), Some(rifle)));
    assert!(made(&world, rifle).carried && Some(made(&world, rifle).position) == world.position(ANN));

    let one = word([None, Some(rifle), None, None], Some(0));
    assert!(world.set_inventory(&one));
    // A slot in hand without a weapon is none.
    assert_eq!(world.inventory(unit), Some(Inventory { in_hand: None, ..one }));
    assert!(!made(&world, pistol).carried);
    run(&mut world, 120);
    let lies = made(&world, pistol);
    assert!(lies.at_rest && lies.position.distance(world.position(ANN).unwrap()) < 2.0, "{lies:?}");
    assert_eq!((world.object_count(), world.decisions().items), (count, 0));

    // OBJ-07, 08: the host's word deletes what is carried, and its slot is empty.
    assert!(world.delete(rifle));
    assert_eq!(world.inventory(unit).unwrap().weapons, [None; 4]);
}

/// OBJ-06, 15: whatever is pressed and however long, a client's world takes, drops, uses up, throws and clears away
/// nothing; a new unit has no grenades, though its map gives some.
#[test]
fn a_client_takes_drops_and_clears_nothing() {
    let mut client = plain("item rifle 0.3 0 0.5\nitem medkit 0.2 0 0.5\nkit rifle grenades", Role::Client);
    let new = ObjectId::new(90, 3).unwrap();
    assert!(client.make_at(&Made::plain(new, Kind::Biped.tag(), Vec3::ZERO)));
    assert!(client.own(ANN, new));
    assert_eq!(client.inventory(new), Some(Inventory::empty(new)));
    let dropped = ObjectId::new(91, 3).unwrap();
    assert!(client.make_at(&Made::plain(dropped, Kind::Pistol.tag(), Vec3::UP)));
    let mut random = Random::new(5);
    let before: Vec<ObjectId> = client.objects().collect();
    let decided = client.decisions();
    client.drain_events();
    for number in 0..1000 {
        let buttons = Buttons(random.bits() as u32 & (Buttons::KNOWN.0 & !Buttons::JUMP.0));
        client.drive(ANN, Input { buttons, ..Input::default() });
        run(&mut client, 1);
        assert_eq!(client.inventory(new), Some(Inventory::empty(new)), "seed 5, tick {number}");
    }
    assert!(client.objects().eq(before));
    assert_eq!((client.decisions(), client.drain_events().count()), (decided, 0));
    assert!(client.give(ANN, Kind::Rifle).is_none() && client.spawn(Kind::Cart, Vec3::ZERO).is_none());
    assert!(!client.erase(dropped) && !client.shift(dropped, Vec3::ZERO));
    assert!(!client.set_weapon(dropped, 1, 1, 1));
}

/// PRED-30: what is moved along by word goes by that much in the next tick and by nothing else, however fast it is; the
/// tick after, it moves by itself. What is carried or stands for a living player is not.
#[test]
fn what_is_moved_along_is_not_simulated() {
    let mut world = plain("item cart 3 0 0.5", Role::Client);
    let cart = world.object_at(0).unwrap();
    let up = Body { position: Vec3::new(1.0, 1.0, 4.0), velocity: Vec3::new(0.05, 0.0, 0.0) };
    assert!(world.set_motion(cart, up, Axes::UPRIGHT, false, false));
    let step = Vec3::new(0.0, 0.2, 0.0);
    for number in 1..=50_u8 {
        assert!(world.move_along(cart, step));
        run(&mut world, 1);
        let Made { position, velocity, at_rest, .. } = made(&world, cart);
        assert!((position - up.position - step * f32::from(number)).length() < 1e-4);
        assert_eq!((velocity, at_rest), (up.velocity, false));
    }
    let along = made(&world, cart).position;
    run(&mut world, 1);
    let by_itself = made(&world, cart).position;
    assert!(by_itself.x > along.x && by_itself.z < along.z, "{by_itself:?}");
    assert!(!world.move_along(unit(&world), step) && !world.move_along(cart, Vec3::UP * f32::NAN));
    assert_eq!(made(&world, cart).position, by_itself);
}

/// OBJ-23, 24, 25: where the host has it, at rest or not; a body that is moved is limp no more.
#[test]
fn a_place_by_word_rests_or_wakes() {
    let mut world = plain("item rifle 3 0 0.5", Role::Client);
    let rifle = world.object_at(0).unwrap();
    let up = Body { position: Vec3::new(1.0, 1.0, 4.0), velocity: Vec3::new(0.05, 0.0, 0.0) };
    assert!(world.set_motion(rifle, up, Axes::UPRIGHT, true, false));
    run(&mut world, 60);
    let hangs = made(&world, rifle);
    assert!(hangs.at_rest && hangs.position == up.position && hangs.velocity == Vec3::ZERO);
    assert!(world.set_motion(rifle, up, Axes::UPRIGHT, false, false));
    run(&mut world, 10);
    assert!(!made(&world, rifle).at_rest && made(&world, rifle).position.x > 1.4);

    let body = ObjectId::new(50, 2).unwrap();
    let dead = Made { dead: true, at_rest: true, ..Made::plain(body, Kind::Biped.tag(), up.position) };
    assert!(world.make_at(&dead) && world.is_limp(body));
    assert!(world.set_motion(body, up, Axes::UPRIGHT, false, true) && !world.is_limp(body));
    assert!(!world.set_motion(body, Body { position: Vec3::UP * f32::NAN, ..up }, Axes::UPRIGHT, true, true));
    run(&mut world, 120);
    assert!(world.is_limp(body) && made(&world, body).position.z < RADIUS);

    // A unit that was made as a player's, who was never given it, is a body as well as any.
    let other = ObjectId::new(51, 2).unwrap();
    let owned = Made { slot: Some(ANN), ..Made::plain(other, Kind::Biped.tag(), up.position) };
    assert!(world.make_at(&owned) && world.set_motion(other, up, Axes::UPRIGHT, true, true));
    assert!(world.is_limp(other) && made(&world, other).slot.is_none());

    // A player's unit dies with its player's death alone; one that died lives again where the host says that it does.
    let unit = unit(&world);
    assert!(world.set_motion(unit, up, Axes::UPRIGHT, true, true) && !made(&world, unit).dead);
    assert!(world.die(ANN, Death::default()) && made(&world, unit).dead);
    assert!(world.own(ANN, unit) && !made(&world, unit).dead);
    world.drive(ANN, Input { throttle: [1.0, 0.0], ..Input::default() });
    run(&mut world, 90);
    assert!(world.position(ANN).unwrap().x > up.position.x + 2.0);
}

/// One seed plays one game in the yard too, with weapons taken, fired and dropped, and no table that grows.
#[test]
fn one_seed_plays_one_game_in_the_yard() {
    let play = |seed: u64| {
        let mut world = World::new(&Map::named("yard").unwrap(), seed, Tuning::default());
        let mut bots: Vec<Bot> = (0..6).map(|index| Bot::new(seed + index)).collect();
        for index in 0..6 {
            world.join(Slot::new(index).unwrap(), "bot", Machine::HOST, None);
        }
        let (mut digests, mut most, mut carried) = (Vec::new(), 0, 0);
        for number in 0..3000 {
            for (index, bot) in (0..6).zip(&mut bots) {
                let slot = Slot::new(index).unwrap();
                let input = bot.input(&world, slot, tick(number));
                world.drive(slot, input);
            }
            if number % 250 == 249 {
                world.kill(Slot::new((number / 250 % 6) as u8).unwrap(), None);
            }
            world.step(tick(number));
            world.drain_events();
            most = most.max(world.object_count());
            carried = carried.max(world.objects().filter(|id| made(&world, *id).carried).count());
            if number % 300 == 0 {
                digests.push(world.state_hash());
            }
        }
        assert!(most < 400 && carried > 6, "{most} objects, {carried} carried");
        assert!(world.decisions().items > 500, "{:?}", world.decisions());
        digests
    };
    assert_eq!(play(9), play(9));
    assert_ne!(play(9), play(10));
}
