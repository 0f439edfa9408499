//! What a game's options say beside its type, from outside: friends, penalties, lives, and vehicles.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::world::{AT_HOME, RESPAWN_AFTER};
use mjolnir_skirmish::game::{FriendlyFire, GameType, Kind, Map, Role, Rules, Tuning, World};
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A host's world of those rules: players in teams of their own, or of two where teams play.
fn world(text: &str, rules: Rules, players: u8) -> World {
    let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
    world.set_rules(Some(rules));
    world.set_harm(true);
    for index in 0..players {
        let team = if rules.teams { index % 2 } else { index };
        world.join(slot(index), &format!("P{index}"), Machine::HOST, Some(team));
    }
    world.step(Tick::ZERO);
    world
}

const PLAIN: &str = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nspawn 0 0 0 0\nspawn 40 0 0 0";

fn teams() -> Rules {
    Rules::endless(GameType::Slayer, true)
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

/// The first player fires at who stands east of it as often as kills; what that has left, shield and body.
fn fire_at(world: &mut World, hit: u8) -> Option<(f32, f32)> {
    for index in 0..4 {
        let to = if index == 0 { 0.0 } else { 5.0 };
        let aside = if index == 0 || index == hit { 0.0 } else { 20.0 * f32::from(index) };
        assert!(world.move_to(slot(index), Vec3::new(to, aside, 0.0)));
    }
    world.give(slot(0), Kind::Pistol).unwrap();
    let firing = Kind::Pistol.firing().unwrap();
    let shots = (2.0 / firing.damage).ceil() as u32;
    let ticks = u32::from(firing.every) * (shots - 1) + 1;
    world.drive(slot(0), Input { buttons: Buttons::PRIMARY_TRIGGER, trigger: 1.0, ..Input::default() });
    run(world, ticks);
    world.drive(slot(0), Input::default());
    let vitality = world.vitality(world.unit(slot(hit))?)?;
    Some((vitality.shield, vitality.body))
}

/// GLUE-28: a friend is shot dead, not hurt, robbed of its shield alone, or not hurt for no shot explodes, as the
/// options say; a foe is shot dead by each of them.
#[test]
fn friends_are_hurt_as_the_options_say() {
    for (friendly_fire, left) in [
        (FriendlyFire::On, None),
        (FriendlyFire::Off, Some((1.0, 1.0))),
        (FriendlyFire::ShieldsOnly, Some((0.0, 1.0))),
        (FriendlyFire::ExplosivesOnly, Some((1.0, 1.0))),
    ] {
        let rules = Rules { friendly_fire, ..teams() };
        let mut game = world(PLAIN, rules, 4);
        assert_eq!(fire_at(&mut game, 2), left, "{friendly_fire:?}");
        let killer = game.player(slot(0)).unwrap();
        let betrays = i16::from(left.is_none());
        let of = killer.statistics;
        assert_eq!(
            (of.friendly_fire_kills, killer.score(), killer.kills()),
            (betrays, -i32::from(betrays), 0)
        );
        assert_eq!(fire_at(&mut world(PLAIN, rules, 4), 1), None, "{friendly_fire:?}");
        // Where no teams play nobody is a friend.
        let rules = Rules { teams: false, ..rules };
        assert_eq!(fire_at(&mut world(PLAIN, rules, 4), 2), None, "{friendly_fire:?}");
    }
}

/// Who killed friends is dead for so much longer for each, once.
#[test]
fn a_betrayal_is_paid_for_at_the_next_death() {
    let mut world = world(PLAIN, Rules { betrayal_penalty: 150, ..teams() }, 6);
    assert!(world.kill(slot(2), Some(slot(0))) && world.kill(slot(4), Some(slot(0))));
    assert!(world.kill(slot(1), Some(slot(0))));
    for wait in [u32::from(RESPAWN_AFTER) + 300, u32::from(RESPAWN_AFTER)] {
        assert!(world.kill(slot(0), Some(slot(1))));
        run(&mut world, wait);
        assert_eq!(world.unit(slot(0)), None, "{wait}");
        run(&mut world, 1);
        assert!(world.unit(slot(0)).is_some(), "{wait}");
    }
}

/// Who has had its lives does not come back, and when one side alone has any left the game is over.
#[test]
fn lives_end() {
    let rules = Rules { lives: 2, respawn: 30, ..Rules::endless(GameType::Slayer, false) };
    let mut world = world(PLAIN, rules, 3);
    for death in 1..=2 {
        assert!(world.kill(slot(0), Some(slot(2))));
        run(&mut world, 31);
        assert_eq!((world.unit(slot(0)).is_some(), world.is_out(slot(0))), (death < 2, death == 2));
    }
    run(&mut world, 600);
    assert_eq!((world.unit(slot(0)), world.post_game_phase()), (None, 0));
    world.kill(slot(1), Some(slot(2)));
    run(&mut world, 31);
    assert_eq!(world.post_game_phase(), 0);
    world.kill(slot(1), Some(slot(2)));
    run(&mut world, 1);
    let won = |index| world.player(slot(index)).unwrap().statistics.games_won;
    assert_eq!((world.post_game_phase(), [won(0), won(1), won(2)]), (1, [0, 0, 1]));
}

const GARAGE: &str = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nspawn 0 0 0 0\nitem car 10 0 0.2\n\
    item car 20 0 0.2\nitem car 30 0 0.2\nitem flyer 40 0 0.2\nitem rifle 50 0 0.2";

fn of_kind(world: &World, kind: Kind) -> Vec<ObjectId> {
    world.objects().filter(|object| world.kind(*object) == Some(kind)).collect()
}

/// AUTH-60: of the map's vehicles there are as many of each kind as the rules count, its first ones, by the same names in
/// the host's world and in a client's; other things stay, and none is laid out anew.
#[test]
fn a_vehicle_set_is_alike_everywhere() {
    let of = |vehicles, role| {
        let mut world = world(GARAGE, Rules { vehicles, ..teams() }, 0);
        world.set_role(role);
        run(&mut world, 2000);
        (
            of_kind(&world, Kind::Car),
            of_kind(&world, Kind::Flyer),
            of_kind(&world, Kind::Rifle),
            world.placing(),
        )
    };
    let (cars, flyers, rifles, _) = of(None, Role::Host);
    assert_eq!((cars.len(), flyers.len()), (3, 1));
    for (counts, left) in [([2, 0, 9, 0, 0, 0], (2, 0)), ([9; 6], (3, 1)), ([0; 6], (0, 0))] {
        let host = of(Some(counts), Role::Host);
        assert_eq!(host, of(Some(counts), Role::Client));
        assert_eq!((host.0.as_slice(), host.1.as_slice()), (&cars[..left.0], &flyers[..left.1]));
        assert_eq!((&host.2, host.3.count), (&rifles, left.0 + left.1 + 1));
    }
}

/// A vehicle that was left elsewhere is back after its time, the same one, and no sooner; one that somebody rides stays, and
/// where the rules name no time every one.
#[test]
fn a_vehicle_that_was_left_comes_back() {
    for (vehicle_respawn, comes) in [(300, true), (0, false)] {
        let mut world = world(GARAGE, Rules { vehicle_respawn, ..teams() }, 1);
        run(&mut world, 1);
        let cars = of_kind(&world, Kind::Car);
        let home = world.motion(cars[0]).unwrap().position;
        let at = |world: &World| world.motion(cars[0]).unwrap().position;
        let away = home + Vec3::new(0.0, AT_HOME + 20.0, 0.0);
        assert!(world.place(cars[0], away, Some(Vec3::ZERO), None));
        run(&mut world, 299);
        assert!(at(&world).distance(away) < 1.0);
        run(&mut world, 1);
        assert_eq!(at(&world).distance(home) < 0.5, comes, "{:?}", at(&world));
        assert_eq!(of_kind(&world, Kind::Car), cars);
        // With somebody in it.
        assert!(world.place(cars[0], away, Some(Vec3::ZERO), None));
        assert!(world.move_to(slot(0), away + Vec3::new(0.0, 1.2, 0.0)));
        world.drive(slot(0), Input { buttons: Buttons::ACTION, ..Input::default() });
        run(&mut world, 1);
        assert!(world.ride(world.unit(slot(0)).unwrap()).is_some());
        world.drive(slot(0), Input::default());
        run(&mut world, 600);
        assert!(at(&world).distance(home) > 10.0);
    }
}
