//! What shots do where they hurt, from outside: whom they hit, what stops them, who is said to have killed whom; and that
//! they hurt nobody where they shall not. What flies and what explodes stands in `guns`.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::effects::Shot;
use mjolnir_skirmish::game::{Bot, Event, GameType, Kind, Map, Role, Rules, Tuning, World};
use mjolnir_wire::damage::EventKind;
use mjolnir_wire::units::Death;
use mjolnir_wire::{Buttons, Input, Machine, Slot, Tick, Vec3};

const NOBODY: &str = "one that does not stand";

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// Ann with that weapon, Bob so far east of her, each in that team, and more lines of the map.
fn duel(lines: &str, weapon: Kind, apart: f32, teams: [Option<u8>; 2]) -> World {
    let text =
        format!("bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\n{lines}\nspawn 0 0 0 0\nspawn 40 0 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    world.set_harm(true);
    world.set_rules(Some(Rules::endless(GameType::Slayer, teams.iter().any(Option::is_some))));
    for (index, team) in (0..).zip(teams) {
        world.join(slot(index), "P", Machine::HOST, team);
    }
    world.step(Tick::new(1).unwrap());
    world.move_to(slot(0), Vec3::ZERO);
    world.move_to(slot(1), Vec3::new(apart, 0.0, 0.0));
    world.give(slot(0), weapon).unwrap();
    world.drain_events();
    world
}

/// So many ticks with the trigger held, aimed there; the shots that were fired.
fn fire(world: &mut World, ticks: u16, yaw: f32, pitch: f32) {
    let input = Input { buttons: Buttons::PRIMARY_TRIGGER, trigger: 1.0, yaw, pitch, ..Input::default() };
    world.drive(slot(0), input);
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

/// What Bob has left: shield and body.
fn left(world: &World) -> f32 {
    let vitality = world.vitality(world.unit(slot(1)).expect(NOBODY)).unwrap();
    vitality.shield + vitality.body
}

/// So many ticks without firing, for what flies to get there.
fn rest(world: &mut World, ticks: u16) {
    world.drive(slot(0), Input::default());
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

/// Ticks that a shot flies at most.
fn flight(kind: Kind) -> u16 {
    match kind.firing().unwrap().shot {
        Shot::AtOnce(_) => 0,
        Shot::Flies(flying) => (flying.reach().unwrap() / flying.speed) as u16 + 1,
    }
}

/// A weapon hurts by its effect, at its rate and to its range: both sides of each; the shield first.
#[test]
fn a_shot_hurts_at_its_rate_and_to_its_range() {
    for kind in [Kind::Rifle, Kind::Pistol, Kind::Plasma] {
        let firing = kind.firing().unwrap();
        let effect = match firing.shot {
            Shot::AtOnce(effect) => effect,
            Shot::Flies(flying) => flying.impact.unwrap(),
        };
        let each = effect.takes(effect.amount, 1.0, true).shield;
        let mut world = duel("", kind, 5.0, [None; 2]);
        fire(&mut world, u16::from(firing.every), 0.0, 0.0);
        rest(&mut world, flight(kind));
        assert!((left(&world) - (2.0 - each)).abs() < 1e-4, "{kind:?} {}", left(&world));
        let mut world = duel("", kind, 5.0, [None; 2]);
        fire(&mut world, u16::from(firing.every) + 1, 0.0, 0.0);
        rest(&mut world, flight(kind));
        assert!((left(&world) - (2.0 - 2.0 * each)).abs() < 1e-4, "{kind:?} {}", left(&world));
        for (apart, hits) in [(firing.range + 0.1, true), (firing.range + 0.3, false)] {
            let mut world = duel("", kind, apart, [None; 2]);
            fire(&mut world, 1, 0.0, 0.0);
            rest(&mut world, flight(kind));
            assert_eq!(left(&world) < 2.0, hits, "{kind:?} at {apart}");
        }
    }
}

/// A head takes more than a body, where no shield is before it: both sides of where it begins. Through a scope nothing
/// strays.
#[test]
fn a_head_takes_more() {
    for (pitch, body) in [(-0.012, -2.6), (-0.013, -0.2), (0.0, -2.6)] {
        let mut world = duel("", Kind::Sniper, 5.0, [None; 2]);
        assert!(world.damage(slot(1), 1.0, None));
        let input = Input { buttons: Buttons::PRIMARY_TRIGGER, pitch, zoom: Some(1), ..Input::default() };
        world.drive(slot(0), input);
        world.step(world.tick().next());
        assert_eq!((world.magnified(slot(0)), world.unit(slot(1))), (2, None));
        let mut dealt = Vec::new();
        world.take_dealt(&mut dealt);
        let blow = dealt.iter().find(|event| event.kind == EventKind::KillingBlow).unwrap();
        assert!((1.0 - blow.body_damage - body).abs() < 1e-4, "{pitch} {blow:?}");
    }
}

/// What stands stops a shot, a body does, and a shot that is aimed past hits nobody.
#[test]
fn what_stands_between_stops_a_shot() {
    let wall = |height: f32| format!("box 2 -1 0  2.2 1 {height}");
    for (lines, hits) in [(wall(0.5), true), (wall(0.7), false), (String::new(), true)] {
        let mut world = duel(&lines, Kind::Pistol, 5.0, [None; 2]);
        fire(&mut world, 1, 0.0, 0.0);
        assert_eq!(left(&world) < 2.0, hits, "{lines}");
    }
    for (yaw, pitch, hits) in [(0.03, 0.0, true), (0.05, 0.0, false), (0.0, -0.1, true), (0.0, 0.05, false)] {
        let mut world = duel("", Kind::Pistol, 5.0, [None; 2]);
        fire(&mut world, 1, yaw, pitch);
        assert_eq!(left(&world) < 2.0, hits, "{yaw} {pitch}");
    }
    let mut world = duel("", Kind::Pistol, 5.0, [None; 2]);
    world.join(slot(2), "Cid", Machine::HOST, None);
    world.step(world.tick().next());
    world.move_to(slot(2), Vec3::new(2.5, 0.0, 0.0));
    fire(&mut world, 1, 0.0, 0.0);
    assert_eq!(left(&world), 2.0, "Cid stands before");
}

/// AUTH-61: who is shot dead was killed by who shot, once, and that counts; a friend's hand is said to be one.
#[test]
fn a_kill_has_its_killer() {
    for (teams, by_friend) in [([None; 2], false), ([Some(1), Some(0)], false), ([Some(1); 2], true)] {
        let mut world = duel("", Kind::Rifle, 5.0, teams);
        fire(&mut world, 57, 0.0, 0.0);
        assert!(left(&world) > 0.0);
        fire(&mut world, 10, 0.0, 0.0);
        let deaths: Vec<_> =
            world.drain_events().filter(|event| matches!(event, Event::Died { .. })).collect();
        let death = Death { killer: Some(slot(0)), by_friend, ..Death::default() };
        assert_eq!(deaths, [Event::Died { slot: slot(1), death }]);
        let [ann, bob] = [0, 1].map(|index| world.player(slot(index)).unwrap());
        assert_eq!((ann.kills(), bob.deaths()), (u16::from(!by_friend), 1), "a friend is no kill");
    }
}

/// GLUE-17: where shots hurt nobody, and in a client's world, rounds are spent by the host alone and nobody is hurt.
#[test]
fn shots_hurt_where_they_shall_alone() {
    for (harms, role, spent) in [(false, Role::Host, true), (true, Role::Client, false)] {
        let mut world = duel("", Kind::Pistol, 5.0, [None; 2]);
        world.set_harm(harms);
        world.set_role(role);
        let before = world.decisions();
        fire(&mut world, 100, 0.0, 0.0);
        assert_eq!(left(&world), 2.0);
        let (_, rounds) = world.in_hand(world.unit(slot(0)).unwrap()).unwrap();
        assert_eq!(rounds < Kind::Pistol.firing().unwrap().rounds, spent);
        assert_eq!(world.decisions().damage, before.damage);
    }
}

/// TOOL-07: bots on the arena aim at whom they see and hit: in two minutes eight of them kill dozens, each death with its
/// killer; the same seed plays the same. Where shots hurt nobody nobody dies.
#[test]
fn bots_kill_whom_they_see() {
    let play = |harms: bool, seed: u64| {
        let mut world = World::new(&Map::named("arena").unwrap(), seed, Tuning::default());
        world.set_harm(harms);
        let mut bots: Vec<_> = (0..8_u8).map(|index| Bot::new(seed + u64::from(index))).collect();
        for index in 0..8 {
            world.join(slot(index), "B", Machine::HOST, Some(index));
        }
        let (mut deaths, mut picked) = (Vec::new(), 0);
        for tick in 1..=3600 {
            let tick = Tick::new(tick).unwrap();
            for (index, bot) in (0..).zip(&mut bots) {
                let input = bot.input(&world, slot(index), tick);
                world.drive(slot(index), input);
            }
            world.step(tick);
            for event in world.drain_events() {
                match event {
                    Event::Died { slot, death } => deaths.push((slot, death.killer)),
                    Event::PickedUp(_) => picked += 1,
                    _ => {}
                }
            }
        }
        let kills: u16 = world.players().map(|(_, player)| player.kills()).sum();
        (deaths, kills, picked, world.state_hash())
    };
    let (deaths, kills, picked, hash) = play(true, 5);
    println!("{} deaths, {kills} kills, {picked} pickups", deaths.len());
    // A grenade can be one's own.
    let own = deaths.iter().filter(|(slot, killer)| *killer == Some(*slot)).count();
    assert!(deaths.len() >= 24 && usize::from(kills) + own == deaths.len(), "{} {kills} {own}", deaths.len());
    assert!(deaths.iter().all(|(_, killer)| killer.is_some()) && own <= deaths.len() / 8, "{own}");
    assert!(picked > 20, "{picked}");
    assert_eq!(play(true, 5).3, hash);
    let (deaths, ..) = play(false, 5);
    assert_eq!(deaths, []);
}
