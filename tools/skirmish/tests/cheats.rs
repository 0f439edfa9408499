//! What cheats do to a game, from outside: a player's own and nobody else's, and nothing in a client's world.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::{Cheats, GameType, Kind, Map, Role, Rules, Tuning, World};
use mjolnir_wire::{Buttons, Input, Machine, Slot, Tick, Vec3};

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// Ann with that weapon, Bob five wu east of her, and a hole to fall into.
fn duel(weapon: Kind) -> World {
    let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 60 94 0\nspawn 0 0 0 0\nspawn 40 0 0 0";
    let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
    world.set_harm(true);
    world.set_rules(Some(Rules::endless(GameType::Slayer, false)));
    for index in 0..2 {
        world.join(slot(index), "P", Machine::HOST, None);
    }
    world.step(Tick::new(1).unwrap());
    world.move_to(slot(0), Vec3::ZERO);
    world.move_to(slot(1), Vec3::new(5.0, 0.0, 0.0));
    world.give(slot(0), weapon).unwrap();
    world.drain_events();
    world
}

/// So many ticks in which Ann holds those buttons and looks east.
fn hold(world: &mut World, ticks: u32, buttons: Buttons) {
    let trigger = if buttons.contains(Buttons::PRIMARY_TRIGGER) { 1.0 } else { 0.0 };
    world.drive(slot(0), Input { buttons, trigger, ..Input::default() });
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

/// What that player has left: shield and body; 0 of one that is dead.
fn left(world: &World, index: u8) -> f32 {
    let vitality = world.unit(slot(index)).and_then(|unit| world.vitality(unit));
    vitality.map_or(0.0, |vitality| vitality.shield + vitality.body)
}

/// The rounds that Ann carries for what she has in hand, and its wear.
fn rounds(world: &World) -> (i16, i16, u16) {
    let carried = world.inventory(world.unit(slot(0)).unwrap()).unwrap();
    let weapon = carried.weapons[usize::from(carried.in_hand.unwrap())].unwrap();
    (weapon.total[0], weapon.loaded[0], weapon.age)
}

/// A god loses nothing to shots and falls, both sides: who is none does. What kills outright kills a god too: a word, and a fall
/// out of the map.
#[test]
fn a_god_takes_no_damage() {
    for is_god in [true, false] {
        let mut world = duel(Kind::Rifle);
        world.set_cheats(slot(1), Cheats::default().with(Cheats::GOD, is_god));
        hold(&mut world, 20, Buttons::PRIMARY_TRIGGER);
        assert_eq!(left(&world, 1) == 2.0, is_god, "shots: {}", left(&world, 1));
        hold(&mut world, 1, Buttons::default());
        world.set_health(slot(1), 1.0);
        world.move_to(slot(1), Vec3::new(20.0, 20.0, 12.0));
        let before = left(&world, 1);
        hold(&mut world, 90, Buttons::default());
        assert_eq!(left(&world, 1) >= before, is_god, "a fall: {before} and {}", left(&world, 1));
    }
    for ends in [false, true] {
        let mut world = duel(Kind::Rifle);
        world.set_cheats(slot(1), Cheats::GOD);
        if ends {
            world.kill(slot(1), None);
        } else {
            world.move_to(slot(1), Vec3::new(75.0, 0.0, 1.0));
            hold(&mut world, 60, Buttons::default());
        }
        assert_eq!(world.player(slot(1)).unwrap().deaths(), 1);
    }
}

/// With endless rounds firing takes none and wears nothing down, but still hurts and goes at its rate; loading still loads. The
/// other side: without, it does. Grenades alike.
#[test]
fn what_is_endless_is_not_used_up() {
    for is_endless in [true, false] {
        for kind in [Kind::Rifle, Kind::Plasma] {
            let mut world = duel(kind);
            world.set_cheats(slot(0), Cheats::default().with(Cheats::AMMO, is_endless));
            hold(&mut world, 1, Buttons::default());
            let before = rounds(&world);
            hold(&mut world, 40, Buttons::PRIMARY_TRIGGER);
            assert_eq!(rounds(&world) == before, is_endless, "{kind:?}: {:?}", rounds(&world));
            assert!(left(&world, 1) < 2.0, "{kind:?}");
        }
        let mut world = duel(Kind::Rifle);
        let unit = world.unit(slot(0)).unwrap();
        let carried = world.inventory(unit).unwrap();
        let weapon = carried.weapons[usize::from(carried.in_hand.unwrap())].unwrap().object;
        assert!(world.set_weapon(weapon, 100, 0, 0));
        world.set_cheats(slot(0), Cheats::default().with(Cheats::AMMO, is_endless));
        hold(&mut world, 2, Buttons::PRIMARY_TRIGGER);
        assert!(rounds(&world).1 > 0, "loaded: {:?}", rounds(&world));

        let mut world = duel(Kind::Rifle);
        let count = |world: &World| world.inventory(world.unit(slot(0)).unwrap()).unwrap().grenades[0];
        let mut has = world.inventory(world.unit(slot(0)).unwrap()).unwrap();
        has.grenades = [2, 2];
        world.set_inventory(&has);
        world.set_cheats(slot(0), Cheats::default().with(Cheats::GRENADES, is_endless));
        let before = count(&world);
        hold(&mut world, 1, Buttons::THROW_GRENADE);
        assert_eq!(before - count(&world), if is_endless { 0 } else { 1 });
        let mut throws = Vec::new();
        world.take_throws(&mut throws);
        assert_eq!(throws.len(), 1);
    }
}

/// A client's world gives nobody a cheat, and one that was given on a host before goes for nothing there.
#[test]
fn a_client_gives_no_cheats() {
    let mut world = duel(Kind::Rifle);
    world.set_role(Role::Client);
    world.set_local(slot(0), true);
    world.set_cheats(slot(0), Cheats::ALL);
    assert_eq!(world.player(slot(0)).unwrap().cheats, Cheats::default());
    let mut world = duel(Kind::Rifle);
    world.set_cheats(slot(0), Cheats::ALL);
    world.set_role(Role::Client);
    world.set_local(slot(0), true);
    let before = rounds(&world);
    hold(&mut world, 20, Buttons::PRIMARY_TRIGGER);
    assert!(rounds(&world).0 < before.0, "{:?}", rounds(&world));
}
