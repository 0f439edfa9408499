//! Deaths in whole games over a bad network: each is announced once on every machine, with its killer and that killer's score,
//! and each body falls once.

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::{Kind, Player, Rules};
use mjolnir_tests::deaths::Deaths;
use mjolnir_tests::{Lab, Plan, Seating, Who, bot};
use mjolnir_wire::{Slot, Vec3};

/// What is given to whom, in turn.
const ARMS: [Kind; 6] =
    [Kind::Rifle, Kind::Pistol, Kind::Plasma, Kind::Shotgun, Kind::Sniper, Kind::Launcher];
/// Ticks from a unit's being said to be dead until it falls, at the latest, with two for a frame and a tick.
const FALLS_WITHIN: u32 = 15 + 2;

/// Two bots a machine.
fn pair(seed: u64, plan: Plan) -> Seating {
    Seating::of(vec![bot(seed), bot(seed + 1)]).with_faults(plan.faults)
}

/// What people do to a host's game: arms for everybody, a death by word each eight seconds, a fall of 20 wu in between.
fn meddle(lab: &mut Lab, tick: u32) {
    let world = lab.host.engine.world_mut();
    let living: Vec<Slot> = Slot::all().filter(|slot| world.unit(*slot).is_some()).collect();
    let Some(one) = living.get(tick as usize / 60 % living.len().max(1)).copied() else { return };
    if tick.is_multiple_of(60) {
        world.give(one, ARMS[tick as usize / 60 % ARMS.len()]);
    }
    match tick % 480 {
        120 => assert!(world.kill(one, None)),
        240 => assert!(world.kill(one, living.iter().copied().find(|other| *other != one))),
        360 => {
            let place = world.position(one).unwrap();
            assert!(world.move_to(one, place + Vec3::UP * 20.0));
        }
        _ => {}
    }
}

/// A game of bots on that map, with a machine that comes in its middle.
fn play(map: &'static str, variant: &str, seed: u64, seconds: u32, faults: Faults) {
    let what = format!("{map}, seed {seed}");
    let rules = Rules { score_limit: 0, time_limit: 0, ..Rules::named(variant).unwrap() };
    let plan = Plan { rules: Some(rules), harm: true, faults, ..Plan::new(map, seed, 3) };
    let mut lab = Lab::open(plan, pair(seed * 100, plan));
    for place in 0..3 {
        lab.join(pair(seed * 100 + 10 + place * 2, plan));
    }
    lab.gather();
    lab.begin();
    lab.settle();
    let mut deaths = Deaths::of(&mut lab);
    let mut tick = 0;
    let mut play = |lab: &mut Lab, deaths: &mut Deaths, ticks| {
        lab.watch_ticks(ticks, |lab, who| {
            deaths.watch(lab, who);
            if who == Who::Host {
                tick += 1;
                meddle(lab, tick);
            }
        });
    };
    play(&mut lab, &mut deaths, seconds * 15);
    let late = lab.join(pair(seed * 100 + 50, plan));
    while !lab.clients[late].net.transport().is_in_game() {
        play(&mut lab, &mut deaths, 1);
    }
    play(&mut lab, &mut deaths, 60);
    deaths.came(&mut lab, late);
    play(&mut lab, &mut deaths, seconds * 15);
    // Whatever is in the air comes down, and what is on its way arrives.
    lab.stand_still();
    lab.watch_ticks(150, |lab, who| deaths.watch(lab, who));
    lab.host.engine.game.set_harm(false);
    lab.watch_ticks(90, |lab, who| deaths.watch(lab, who));

    assert_eq!(deaths.fault(&lab), None, "{what}");
    assert!(deaths.dealt.len() > 20, "{what}: {}", deaths.dealt.len());
    let killed = deaths.dealt.iter().filter(|death| death.killer.is_some()).count();
    println!("{what}: {} deaths, {killed} by somebody", deaths.dealt.len());
    // Who has the ball scores by the tick, whatever else it does in it.
    assert!(deaths.wrong_scores == 0 || variant == "oddball", "{what}: {}", deaths.wrong_scores);
    for (place, seen) in deaths.clients.iter().enumerate() {
        let (most, silent) = (seen.most_unowned(), &seen.silent);
        assert!(most <= FALLS_WITHIN, "{what}, client {place}: {most} ticks nobody's");
        assert!(silent.is_empty(), "{what}, client {place}: {silent:?} fell silently");
    }
    let host = lab.host.engine.world();
    for (place, seat) in lab.clients.iter().enumerate() {
        let world = seat.engine.world();
        assert_eq!(world.decisions().total(), 0, "{what}, client {place}");
        for (slot, player) in host.players() {
            let here = world.player(slot).unwrap();
            // What is counted by the second is on its way for ever.
            let score = |of: &Player| if variant == "oddball" { 0 } else { of.score() };
            let numbers = |of: &Player| (of.deaths(), of.kills(), score(of));
            assert_eq!(numbers(here), numbers(player), "{what}, client {place}, {slot:?}");
            let dealt = deaths.dealt.iter().filter(|death| death.slot == slot).count();
            assert_eq!(usize::from(player.deaths()), dealt, "{what}, {slot:?}");
        }
    }
}

/// DMG-39, 42, 47, 48: bots with every weapon, falls and words, on several maps, at 20 % loss: each death is announced once
/// on each machine, with the host's killer and its score as of after the kill; each body falls once; nobody dies twice, stands on,
/// or is nobody's; no replay takes health. Who comes in the middle is told of each later one.
#[test]
fn every_death_is_the_same_everywhere() {
    let faults = Faults { latency_us: 50_000, jitter_us: 40_000, loss: 0.2, ..Faults::default() };
    for (map, variant, seed) in [
        ("arena", "slayer", 401),
        ("yard", "team_slayer", 402),
        ("two_bases", "ctf", 403),
        ("carpark", "slayer", 404),
        ("hill", "oddball", 405),
    ] {
        play(map, variant, seed, 120, faults);
    }
}
