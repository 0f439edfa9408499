//! What a tick of the world costs, and a bot's decision in it.

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_skirmish::game::{Bot, Map, Tuning, World, levels, maps};
use mjolnir_wire::{Machine, Slot, Tick};

fn playing(map: &Map, players: u8) -> (World, Vec<(Slot, Bot)>, Tick) {
    let mut world = World::new(map, 1, Tuning::default());
    let mut bots: Vec<(Slot, Bot)> =
        (0..players).filter_map(|index| Some((Slot::new(index)?, Bot::new(u64::from(index))))).collect();
    for (slot, _) in &bots {
        world.join(*slot, "bot", Machine::HOST, None);
    }
    let mut tick = Tick::ZERO;
    for _ in 0..300 {
        advance(&mut world, &mut bots, &mut tick);
    }
    (world, bots, tick)
}

fn advance(world: &mut World, bots: &mut [(Slot, Bot)], tick: &mut Tick) {
    *tick = tick.next();
    for (slot, bot) in bots {
        let input = bot.input(world, *slot, *tick);
        world.drive(*slot, input);
    }
    world.step(*tick);
    world.drain_events();
}

fn benches(criterion: &mut Criterion) {
    for listing in maps() {
        let Some(map) = Map::named(listing.name) else { continue };
        let (mut world, _, mut tick) = playing(&map, 8);
        criterion.bench_function(&format!("step/{}/8", listing.name), |bencher| {
            bencher.iter(|| {
                tick = tick.next();
                world.step(tick);
            });
        });
        let (mut world, mut bots, mut tick) = playing(&map, 8);
        criterion.bench_function(&format!("step with bots/{}/8", listing.name), |bencher| {
            bencher.iter(|| advance(&mut world, &mut bots, &mut tick));
        });
    }
    for listing in levels() {
        let Some(map) = Map::named(listing.name) else { continue };
        for players in [0, 8] {
            let (mut world, mut bots, mut tick) = playing(&map, players);
            let actors = world.actors().count();
            let name = format!("level/{}/{actors} actors, {players} bots", listing.name);
            criterion.bench_function(&name, |bencher| {
                bencher.iter(|| advance(&mut world, &mut bots, &mut tick));
            });
        }
    }
    let Some(map) = Map::named("flat") else { return };
    let (world, ..) = playing(&map, 128);
    criterion.bench_function("state_hash/128", |bencher| bencher.iter(|| world.state_hash()));
}

criterion_group!(world, benches);
criterion_main!(world);
