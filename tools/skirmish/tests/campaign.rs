//! The campaign's levels, played by bots in one world, from their begin to their end.

#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::{Bot, Event, Map, News, Role, Tuning, World};
use mjolnir_wire::{Machine, Slot, Tick};

/// Ticks in which a level is to be played at most: ten minutes.
const MOST: u32 = 18_000;

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A level that is played together by so many.
fn world(level: &str, seed: u64, players: u8) -> World {
    let mut world = World::new(&Map::named(level).unwrap(), seed, Tuning::default());
    world.set_rules(None);
    world.set_harm(true);
    for index in 0..players {
        world.join(slot(index), &format!("P{index}"), Machine::new(index % 4).unwrap(), Some(index));
    }
    world
}

/// What came of a level that bots played.
struct Played {
    ticks: u32,
    showed: Vec<(u32, String)>,
    overs: usize,
    is_won: bool,
    hash: u64,
}

/// Bots play a level until it is won and everybody saw that.
fn play(level: &str, seed: u64, players: u8) -> Played {
    let mut world = world(level, seed, players);
    let mut bots: Vec<Bot> = (0..players).map(|bot| Bot::new(seed * 100 + u64::from(bot))).collect();
    let (mut showed, mut overs, mut ticks) = (Vec::new(), 0, 0);
    while ticks < MOST && !world.is_played_out() {
        let tick = Tick::ZERO.plus(ticks);
        for (index, bot) in (0..).zip(&mut bots) {
            let input = bot.input(&world, slot(index), tick);
            world.drive(slot(index), input);
        }
        world.step(tick);
        let level = world.map().campaign.clone();
        for event in world.drain_events() {
            match event {
                Event::Showed(what) => showed.push((ticks, what.text(&level))),
                Event::News(News::Over) => overs += 1,
                _ => {}
            }
        }
        ticks += 1;
    }
    Played { ticks, showed, overs, is_won: world.is_played_out(), hash: world.state_hash() }
}

/// COOP-03, 10, 14, 61: bots play the first level to its end, alone and many together, within the time that it is meant for: gate,
/// fight, lift, cutscene, dropship, hold, way out. What it shows comes in its order, the cutscene lasts its time, and it is won once.
#[test]
fn bots_play_the_first_level_to_its_end() {
    for (seed, players) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16)] {
        let Played { ticks, showed, overs, is_won, .. } = play("campaign1", seed, players);
        assert!(is_won && overs == 1, "seed {seed}, {players} players: {showed:?}");
        assert!((2400..MOST).contains(&ticks), "seed {seed}, {players} players: {ticks}");
        let at = |what: &str| {
            let found =
                showed.iter().find(|(_, text)| text == what || text.starts_with(&format!("{what} #")));
            found.unwrap_or_else(|| panic!("seed {seed}: no {what}: {showed:?}")).0
        };
        let order = [
            "title landing",
            "help walk",
            "objective open",
            "help gate-help",
            "sound gate on banner",
            "objective clear",
            "checkpoint",
            "objective up",
            "cinematic on",
            "title plateau",
            "cinematic off",
            "timer on",
            "timer off",
            "move beacon",
            "objective leave",
            "sound victory",
        ];
        let ticks: Vec<u32> = order.iter().map(|what| at(what)).collect();
        assert!(ticks.is_sorted(), "seed {seed}: {ticks:?}");
        assert_eq!(at("cinematic off") - at("cinematic on"), 165, "five and a half seconds");
        assert_eq!((at("input off"), at("input on")), (at("cinematic on"), at("cinematic off")));
        assert!(
            at("open") >= at("cinematic off") && at("close") > at("open") && at("create wreck") > at("close")
        );
        let times = |what: &str| showed.iter().filter(|(_, text)| text == what).count();
        assert_eq!((times("title landing"), times("title plateau"), times("screen on")), (1, 1, 1));
    }
}

/// A level is its seed and its players: the same again to the last bit, and another seed another.
#[test]
fn a_level_played_again_is_the_same() {
    let [one, again, other] = [7, 7, 8].map(|seed| play("campaign1", seed, 3));
    assert_eq!((one.hash, one.ticks, &one.showed), (again.hash, again.ticks, &again.showed));
    assert_ne!(one.hash, other.hash);
}

/// COOP-01: with a game type the level is a map as any other; none of its scripts runs, and nothing is shown.
#[test]
fn with_a_game_type_a_level_is_a_map() {
    let mut world = world("campaign1", 1, 4);
    world.set_rules(Some(mjolnir_skirmish::game::Rules::named("slayer").unwrap()));
    world.set_role(Role::Host);
    for tick in 0..300 {
        world.step(Tick::ZERO.plus(tick));
    }
    assert!(world.drain_events().all(|event| !matches!(event, Event::Showed(_))));
    assert_eq!((world.decisions().scripts, world.is_coop()), (0, false));
}
