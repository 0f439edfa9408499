//! What players pick up by touch and by the action button, and what powerups do, from outside: the host's world decides,
//! a client's does not, and the game behind the netcode's traits tells each pickup once.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_engine_glue::engine::{Player, Role as Of, Scoring as _, Session as _};
use mjolnir_skirmish::game::powerups::{CAMOUFLAGED, CAMOUFLAGED_FOR, SEES_FOR, SHOWS};
use mjolnir_skirmish::game::world::{FILLED_AFTER, MOST_GRENADES, POWERUP_AFTER};
use mjolnir_skirmish::game::{Event, Kind, Map, Role, Tuning, Vitality, World};
use mjolnir_skirmish::happenings::{self, Happening, Sense};
use mjolnir_skirmish::seam::{Game, Setup, level_of};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

const ANN: Slot = match Slot::new(0) {
    Some(slot) => slot,
    None => panic!("no slot"),
};
/// Where nobody is.
const AWAY: Vec3 = Vec3 { x: 9.0, y: 9.0, z: 0.0 };

/// A host's world on a plain with more lines, and Ann of that machine in its middle.
fn plain(lines: &str, machine: u8) -> World {
    let text = format!("bounds -20 -20 -5 20 20 30\nbox -24 -24 -1 24 24 0\n{lines}\nspawn 0 0 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    world.set_role(Role::Host);
    world.join(ANN, "Ann", Machine::new(machine).unwrap(), None);
    run(&mut world, 1);
    world.drain_events();
    world
}

fn run(world: &mut World, ticks: u16) {
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

fn press(world: &mut World, buttons: Buttons) {
    for buttons in [buttons, Buttons::default()] {
        world.drive(ANN, Input { buttons, ..Input::default() });
        run(world, 1);
    }
}

fn unit(world: &World) -> ObjectId {
    world.unit(ANN).unwrap()
}

fn vitality(world: &World) -> Vitality {
    world.vitality(unit(world)).unwrap()
}

fn pickups(world: &mut World) -> Vec<(PickupKind, i16, Kind)> {
    let picked = |event| match event {
        Event::PickedUp(Pickup { slot, kind, count, tag }) => {
            assert_eq!(slot, ANN);
            Some((kind, count, Kind::of(tag).unwrap()))
        }
        _ => None,
    };
    world.drain_events().filter_map(picked).collect()
}

/// Rounds are taken by touch: as many as the carried one lacks; what is left lies on with the rest, and what has none left
/// is gone. Who carries no such weapon, or a full one, takes nothing.
#[test]
fn rounds_are_taken_by_touch() {
    let mut world = plain("", 0);
    let lies = world.spawn(Kind::Rifle, Vec3::new(0.3, 0.0, 0.2)).unwrap();
    run(&mut world, 60);
    assert_eq!(pickups(&mut world), [], "nothing to load it into");
    world.give(ANN, Kind::Pistol).unwrap();
    run(&mut world, 2);
    assert_eq!(pickups(&mut world), [], "another kind's");
    let own = world.give(ANN, Kind::Rifle).unwrap();
    run(&mut world, 2);
    assert_eq!(pickups(&mut world), [], "it is full");
    let most = Kind::Rifle.firing().unwrap().rounds;
    world.set_weapon(own, most - 28, 4, 0);
    run(&mut world, 1);
    assert_eq!(pickups(&mut world), [(PickupKind::Ammunition, 28, Kind::Rifle)]);
    assert_eq!(world.in_hand(unit(&world)), Some((Kind::Rifle, most)));
    assert!(world.describe(lies).is_some(), "it has rounds left");
    // What a client is told of loose things has no rounds: only this world knows them.
    world.set_weapon(own, 0, 0, 0);
    run(&mut world, 1);
    assert_eq!(pickups(&mut world), [(PickupKind::Ammunition, most - 28, Kind::Rifle)]);
    assert!(world.describe(lies).is_none(), "it is empty");
    // Both sides of a touch's reach.
    world.set_weapon(own, 0, 0, 0);
    for (x, taken) in [(0.51, false), (0.49, true)] {
        let lies = world.spawn(Kind::Rifle, Vec3::new(x, 0.0, 0.0)).unwrap();
        run(&mut world, 1);
        assert_eq!(world.describe(lies).is_none(), taken, "{x}");
        world.erase(lies);
    }
}

/// AUTH-43: what is taken into the hand, used up by touch, and what each was, is said once; what is of no use lies on.
#[test]
fn each_pickup_is_said_once() {
    let mut world = plain("", 0);
    world.spawn(Kind::Plasma, Vec3::new(0.4, 0.0, 0.1)).unwrap();
    world.spawn(Kind::Medkit, Vec3::new(0.0, 0.3, 0.1)).unwrap();
    run(&mut world, 60);
    assert_eq!(pickups(&mut world), [], "she is whole, and presses nothing");
    press(&mut world, Buttons::ACTION);
    assert_eq!(pickups(&mut world), [(PickupKind::Weapon, 1, Kind::Plasma)]);
    world.set_health(ANN, 0.5);
    run(&mut world, 3);
    assert_eq!(pickups(&mut world), [(PickupKind::Equipment, 1, Kind::Medkit)]);
    for (had, count) in [(0, 2), (2, 2)] {
        assert_eq!(world.inventory(unit(&world)).unwrap().grenades[0], had);
        world.spawn(Kind::Grenades, Vec3::ZERO).unwrap();
        run(&mut world, 3);
        assert_eq!(pickups(&mut world), [(PickupKind::Grenade, count, Kind::Grenades)]);
    }
    assert_eq!(world.inventory(unit(&world)).unwrap().grenades[0], MOST_GRENADES);
    press(&mut world, Buttons::THROW_GRENADE);
    world.spawn(Kind::Grenades, Vec3::ZERO).unwrap();
    run(&mut world, 3);
    assert_eq!(
        pickups(&mut world),
        [(PickupKind::Grenade, 1, Kind::Grenades)],
        "one more was all there was room for"
    );
    // What the console gives was not picked up.
    world.give(ANN, Kind::Rifle).unwrap();
    run(&mut world, 1);
    assert_eq!(pickups(&mut world), []);
}

/// AUTH-43: each powerup does what it does, for so long, and firing shows who is camouflaged.
#[test]
fn powerups_do_what_they_do() {
    let mut world = plain("", 0);
    world.give(ANN, Kind::Pistol).unwrap();
    for kind in [Kind::Camouflage, Kind::Vision, Kind::Overshield] {
        world.spawn(kind, Vec3::ZERO).unwrap();
        run(&mut world, 1);
        assert_eq!(pickups(&mut world), [(PickupKind::Powerup, 1, kind)]);
    }
    run(&mut world, 61);
    let has = vitality(&world);
    assert_eq!((has.unit_flags, has.camouflage, has.shield), (CAMOUFLAGED, 1.0, 3.0));
    let [camouflaged, sees] = has.powerups;
    assert!(camouflaged > CAMOUFLAGED_FOR - 70 && camouflaged < CAMOUFLAGED_FOR - 60, "{camouflaged}");
    assert!(sees > SEES_FOR - 70 && sees < SEES_FOR - 60, "{sees}");
    world.drive(ANN, Input { buttons: Buttons::PRIMARY_TRIGGER, ..Input::default() });
    run(&mut world, 1);
    let shown = vitality(&world).camouflage;
    assert!((SHOWS..SHOWS + 0.05).contains(&shown), "{shown}");
    world.drive(ANN, Input::default());
    run(&mut world, 30);
    assert_eq!(vitality(&world).camouflage, 1.0);
    run(&mut world, sees as u16);
    assert_eq!(vitality(&world).powerups[1], 0);
    run(&mut world, camouflaged as u16);
    let after = vitality(&world);
    assert_eq!((after.powerups, after.unit_flags, after.camouflage, after.shield), ([0, 0], 0, 0.0, 3.0));
    // A new life has none of it.
    world.spawn(Kind::Camouflage, Vec3::ZERO).unwrap();
    run(&mut world, 5);
    assert_eq!(vitality(&world).unit_flags, CAMOUFLAGED);
    world.kill(ANN, None);
    run(&mut world, 100);
    assert_eq!(vitality(&world), Vitality::WHOLE);
}

/// OBJ-10: what a map lays out comes back after its time, a powerup after a longer one, both to the tick, by the host.
#[test]
fn a_maps_powerup_comes_back_after_a_minute() {
    let mut world = plain("item vision 0 0 0.2\nitem grenades 0 0 0.2", 0);
    assert_eq!(world.object_count(), 1, "both are taken in the first tick");
    world.move_to(ANN, AWAY);
    run(&mut world, FILLED_AFTER - 2);
    assert_eq!(world.object_count(), 1);
    run(&mut world, 1);
    assert_eq!(world.object_count(), 2);
    run(&mut world, POWERUP_AFTER - FILLED_AFTER - 1);
    assert_eq!(world.object_count(), 2);
    run(&mut world, 1);
    assert_eq!(world.object_count(), 3);
    let kinds: Vec<_> = world.objects().filter_map(|id| world.kind(id)).collect();
    assert!(kinds.contains(&Kind::Vision) && kinds.contains(&Kind::Grenades), "{kinds:?}");
}

/// GLUE-17: a client's world takes nothing by touch, and counts no powerup down.
#[test]
fn a_client_picks_nothing_up() {
    let mut world = plain("", 0);
    world.spawn(Kind::Camouflage, Vec3::ZERO).unwrap();
    let kit = world.spawn(Kind::Medkit, AWAY).unwrap();
    run(&mut world, 1);
    let before = vitality(&world);
    assert_eq!(before.powerups[0], CAMOUFLAGED_FOR - 1);
    world.set_health(ANN, 0.5);
    world.move_to(ANN, AWAY);
    world.set_role(Role::Client);
    world.drain_events();
    let decided = world.decisions();
    press(&mut world, Buttons::ACTION);
    run(&mut world, 30);
    assert_eq!(pickups(&mut world), []);
    assert_eq!((vitality(&world).powerups, world.decisions()), (before.powerups, decided));
    assert!(world.describe(kit).is_some() && vitality(&world).body == 0.5);
}

/// AUTH-57: another machine's player that presses the action button where nothing can be taken is noted, with where it
/// is and the nearest thing; the host's own is not, nor one that takes something.
#[test]
fn a_hand_that_finds_nothing_is_noted() {
    for (machine, noted) in [(0, 0), (1, 1)] {
        let mut world = plain("", machine);
        let far = world.spawn(Kind::Rifle, Vec3::new(3.0, 4.0, 0.0)).unwrap();
        world.spawn(Kind::Pistol, Vec3::new(-9.0, 0.0, 0.0)).unwrap();
        run(&mut world, 60);
        world.drain_events();
        press(&mut world, Buttons::ACTION);
        let found: Vec<_> = world.drain_events().collect();
        assert_eq!(found.len(), noted, "{found:?}");
        if let [Event::FoundNothing { slot, place, nearest: Some((thing, distance)) }] = found[..] {
            assert_eq!((slot, place, thing), (ANN, Vec3::ZERO, far));
            assert!((distance - 5.0).abs() < 0.01, "{distance}");
        }
        world.move_to(ANN, Vec3::new(3.0, 3.5, 0.0));
        press(&mut world, Buttons::ACTION);
        assert_eq!(pickups(&mut world), [(PickupKind::Weapon, 1, Kind::Rifle)]);
    }
}

fn game(role: Of, local: Option<u8>, machine: u8) -> Game {
    let mut settings = SettingsRecord::empty();
    settings.map = Chars::new(&level_of("flat")).unwrap();
    let mut game = Game::new(Setup::default());
    game.load(&settings, role);
    let machine = Machine::new(machine).unwrap();
    game.add_player(&Player { slot: ANN, machine, team: 0, name: "Ann", local });
    game.admit_player(ANN);
    game.simulate(Tick::new(1).unwrap());
    game.happenings().take();
    game
}

fn shown(game: &mut Game) -> Vec<Happening> {
    let mut all = game.happenings().take();
    all.retain(|happening| happening.kind == happenings::Kind::Pickup);
    all
}

/// AUTH-43: the host tells the netcode of each pickup once and shows its own player's itself; a client shows what it is
/// told of its own player, and nothing of another machine's.
#[test]
fn a_pickup_is_told_once_and_shown_where_it_is_local() {
    for (local, machine) in [(Some(0), 0), (None, 1)] {
        let mut host = game(Of::Host, local, machine);
        let world = host.world_mut().unwrap();
        let place = world.position(ANN).unwrap();
        world.spawn(Kind::Overshield, place).unwrap();
        host.simulate(Tick::new(2).unwrap());
        host.simulate(Tick::new(3).unwrap());
        let mut told = Vec::new();
        host.take_pickups(&mut told);
        let tag = Kind::Overshield.tag();
        let pickup = Pickup { slot: ANN, kind: PickupKind::Powerup, count: 1, tag };
        assert_eq!(told, [pickup]);
        host.take_pickups(&mut told);
        assert_eq!(told.len(), 1, "once");
        assert_eq!(shown(&mut host).len(), usize::from(local.is_some()));

        let mut client = game(Of::Client, local, machine);
        client.show_pickup(&pickup);
        let shown = shown(&mut client);
        assert_eq!(shown.len(), usize::from(local.is_some()));
        if let [only] = &shown[..] {
            assert_eq!((only.slot, only.text.as_deref()), (Some(0), Some("picked up overshield")));
            assert_eq!(only.sense, Some(Sense { sound: "powerup", flash: true }));
        }
    }
}

/// AUTH-57: the host's line for its log has the player, its place, and the nearest thing; it is handed over once.
#[test]
fn a_hand_that_finds_nothing_has_a_line() {
    let mut host = game(Of::Host, None, 1);
    let world = host.world_mut().unwrap();
    world.move_to(ANN, Vec3::new(1.0, 2.0, 0.0));
    let lies = world.spawn(Kind::Rifle, Vec3::new(4.0, 6.0, 0.0)).unwrap();
    world.drive(ANN, Input { buttons: Buttons::ACTION, ..Input::default() });
    host.simulate(Tick::new(2).unwrap());
    let [line] = &host.take_logged()[..] else { panic!("one line") };
    let begins = "Ann (slot 0) found nothing to pick up at 1.000 2.000 0.000: the nearest is rifle #";
    assert!(line.starts_with(begins) && line.ends_with("5.000 wu away"), "{line}");
    assert!(line.contains(&format!("#{},", lies.index())), "{line}");
    assert_eq!(host.take_logged(), [""; 0]);
}
