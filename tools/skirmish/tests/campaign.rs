//! The campaign's levels, played by bots in one world.

use mjolnir_skirmish::game::{Bot, Event, Map, Role, Tuning, World};
use mjolnir_wire::{Machine, Slot, Tick};

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A world of that level with so many players, played together.
fn world(level: &str, seed: u64, players: u8) -> World {
    let text = std::env::var("LEVEL").map(|path| std::fs::read_to_string(path).unwrap());
    let map = text.map_or_else(|_| Map::named(level).unwrap(), |text| Map::parse(&text).unwrap());
    let mut world = World::new(&map, seed, Tuning::default());
    world.set_rules(None);
    world.set_harm(true);
    for index in 0..players {
        world.join(slot(index), &format!("P{index}"), Machine::new(index % 4).unwrap(), Some(index));
    }
    world
}

struct Played {
    ticks: u32,
    showed: Vec<(u32, String)>,
    deaths: usize,
    hash: u64,
}

/// Bots play a level until it is won and that was seen, or for so long.
fn play(level: &str, seed: u64, players: u8, most: u32) -> Played {
    let mut world = world(level, seed, players);
    let mut bots: Vec<Bot> = (0..players).map(|bot| Bot::new(seed + u64::from(bot))).collect();
    let (mut showed, mut deaths, mut ticks) = (Vec::new(), 0, 0);
    while ticks < most && !world.is_played_out() {
        let tick = Tick::new(ticks as i32).unwrap();
        for (index, bot) in (0..).zip(&mut bots) {
            let input = bot.input(&world, slot(index), tick);
            world.drive(slot(index), input);
        }
        world.step(tick);
        let events: Vec<_> = world.drain_events().collect();
        for event in events {
            match event {
                Event::Showed(what) => showed.push((ticks, what.text(world.level().unwrap()))),
                Event::Died { .. } => deaths += 1,
                _ => {}
            }
        }
        ticks += 1;
        if std::env::var("TRACE").is_ok() && ticks % 300 == 0 {
            let x: Vec<_> = (0..players).map(|index| world.position(slot(index)).map_or(99, |p| p.x as i32 * 100 + p.y as i32)).collect();
            let foes = world.actors().filter(|(_, a)| a.team() == 1).count();
            let marines = world.actors().filter(|(_, a)| a.team() == 2).count();
            eprintln!("{ticks}: {x:?} goal {:?} foes {foes} marines {marines} deaths {deaths}", world.goal().map(|p| p.x));
        }
    }
    assert_eq!(world.role(), Role::Local);
    Played { ticks, showed, deaths, hash: world.state_hash() }
}

#[test]
fn look() {
    let one: Option<u8> = std::env::var("PLAYERS").ok().map(|p| p.parse().unwrap());
    for (seed, players) in [(1, 1), (2, 2), (3, 4), (4, 8)].into_iter().filter(|of| one.is_none_or(|one| of.1 == one)) {
        let now = std::time::Instant::now();
        let played = play("campaign1", seed, players, 18_000);
        eprintln!("{players} players: {} ticks, {} deaths, {:?}, {:x}", played.ticks, played.deaths, now.elapsed(), played.hash);
        if players == 2 || std::env::var("SHOW").is_ok() { for (tick, text) in &played.showed { eprintln!("  {tick} {text}"); } }
    }
}
