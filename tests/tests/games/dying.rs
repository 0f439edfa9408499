//! Deaths in the worst of moments: the killer or the victim leaves, both kill each other, the round ends, one rides, one arrives
//! where another stands.

use mjolnir_engine_glue::client;
use mjolnir_skirmish::game::effects::ROUND;
use mjolnir_skirmish::game::world::RIDERS_SHARE;
use mjolnir_skirmish::game::{GameType, Kind, Rules, World};
use mjolnir_skirmish::seam::level_of;
use mjolnir_tests::deaths::Deaths;
use mjolnir_tests::{Hand, Lab, Plan, go, still};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Buttons, Input, ObjectId, Slot, Tick, Vec3};

use crate::blows::{hit, hit_object, runs};
use crate::driving::ride;

/// A plain with a vehicle for four, two pads 80 wu apart, and nothing in anybody's way.
const GROUND: &str = "bounds -90 -90 -2 90 90 30\nbox -90 -90 -1 90 90 0\nkit rifle\n\
                      item transport 0 40 0.5\npad -40 0 0  40 0 0\nspawns -20 -60 20 -40 5 3 0";
const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);

/// A dedicated host and clients that stand.
fn open(seed: u64, clients: usize, milliseconds: u64) -> (Lab, Vec<Slot>) {
    let rules = Some(Rules::endless(GameType::Slayer, false));
    let plan = Plan { ground: Some(GROUND), rules, harm: true, ..Plan::new("flat", seed, clients) };
    let mut lab = Lab::idle(plan.network(milliseconds, 0.0));
    lab.run_ticks(60);
    let slots = lab.clients.iter().map(mjolnir_tests::Seat::slot).collect();
    (lab, slots)
}

/// One that fires once, looking east.
fn fires_once() -> Hand {
    let mut passed = 0;
    Box::new(move |_, _, _| {
        passed += 1;
        if passed == 2 {
            Input { buttons: Buttons::PRIMARY_TRIGGER, trigger: 1.0, ..Input::default() }
        } else {
            Input::default()
        }
    })
}

/// One that presses the action button once.
fn boards() -> Hand {
    let mut passed = 0;
    Box::new(move |_, _, _| {
        passed += 1;
        let buttons = if passed == 2 { Buttons::ACTION } else { Buttons::default() };
        Input { buttons, ..Input::default() }
    })
}

fn put(lab: &mut Lab, slot: Slot, place: Vec3) {
    assert!(lab.host.engine.world_mut().move_to(slot, place));
}

/// Hardly anything is left of a whole player.
fn weaken(lab: &mut Lab, slot: Slot) {
    assert!(lab.host.engine.world_mut().damage(slot, 1.95, None));
}

/// DMG-35, 36, 63: the rocket of who has left kills by the host's copy, by the name of who fired it, once on every machine; that of
/// who is still believed to play, whose machine is cut off, kills nobody.
#[test]
fn the_killer_leaves_with_its_shot_in_flight() {
    for leaves in [true, false] {
        let (mut lab, slots) = open(420, 3, 50);
        put(&mut lab, slots[0], Vec3::new(-30.0, -20.0, 0.0));
        put(&mut lab, slots[1], Vec3::new(10.0, -20.0, 0.0));
        assert!(lab.host.engine.world_mut().give(slots[0], Kind::Launcher).is_some());
        lab.run_ticks(20);
        let mut deaths = Deaths::of(&mut lab);
        lab.clients[0].engine.take_over(0, fires_once());
        runs(&mut lab, &mut deaths, 15);
        weaken(&mut lab, slots[1]);
        let flies = lab.host.engine.world().projectiles().count();
        assert_eq!(flies, 1, "it is in flight");
        deaths.leaves(0);
        if leaves {
            lab.quit(0);
        } else {
            lab.partition(0, true);
        }
        runs(&mut lab, &mut deaths, 75);
        assert_eq!((deaths.fault(&lab), lab.host.engine.world().projectiles().count()), (None, 0));
        let dealt: Vec<_> = deaths.dealt.iter().map(|death| (death.slot, death.killer)).collect();
        if leaves {
            assert_eq!(dealt, [(slots[1], Some(slots[0]))]);
            assert!(deaths.clients[1..].iter().all(|seen| seen.announced == dealt));
        } else {
            assert_eq!(dealt, []);
        }
    }
}

/// DMG-47: who dies and leaves in one tick, in either order, is announced as often as the host's game has it die, and its unit
/// stands on no machine.
#[test]
fn the_victim_leaves_in_the_tick() {
    for (quits_first, ticks) in [(true, 0), (true, 2), (false, 0), (false, 1), (false, 2)] {
        let (mut lab, slots) = open(421, 3, 30);
        let mut deaths = Deaths::of(&mut lab);
        let unit = lab.host.engine.world().unit(slots[0]).unwrap();
        let kill = |lab: &mut Lab| lab.host.engine.world_mut().kill(slots[0], Some(slots[1]));
        deaths.leaves(0);
        let is_dead = if quits_first {
            lab.quit(0);
            runs(&mut lab, &mut deaths, ticks);
            kill(&mut lab)
        } else {
            let is_dead = kill(&mut lab);
            runs(&mut lab, &mut deaths, ticks);
            lab.quit(0);
            is_dead
        };
        runs(&mut lab, &mut deaths, 60);
        let what = format!("quits first: {quits_first}, {ticks} ticks");
        assert_eq!(deaths.fault(&lab), None, "{what}");
        assert_eq!(deaths.dealt.len(), usize::from(is_dead), "{what}");
        assert!(is_dead || quits_first, "{what}");
        for seat in lab.clients.iter().filter(|seat| seat.runs) {
            let world = seat.engine.world();
            assert!(!world.stands(unit) && world.unit(slots[0]).is_none(), "{what}");
            assert!(world.player(slots[0]).unwrap().left, "{what}");
        }
        runs(&mut lab, &mut deaths, 150);
        assert_eq!(lab.host.engine.world().player(slots[0]).unwrap().deaths(), u16::from(is_dead));
    }
}

/// DMG-54: two clients' players who hit each other in one tick, each before it hears of the other's hit, kill each other: each is
/// announced once with its killer, and each killer has its point.
#[test]
fn both_kill_each_other_in_one_tick() {
    let (mut lab, slots) = open(422, 3, 50);
    put(&mut lab, slots[0], Vec3::new(0.0, -20.0, 0.0));
    put(&mut lab, slots[1], Vec3::new(6.0, -20.0, 0.0));
    lab.run_ticks(20);
    for slot in [slots[0], slots[1]] {
        weaken(&mut lab, slot);
    }
    lab.run_ticks(6);
    let mut deaths = Deaths::of(&mut lab);
    for (place, (by, of)) in [(slots[0], slots[1]), (slots[1], slots[0])].into_iter().enumerate() {
        let world = lab.clients[place].engine.world_mut();
        let hit = hit(world, by, &ROUND, 1.0, of);
        world.strike(hit);
    }
    runs(&mut lab, &mut deaths, 30);
    let hits = lab.host.net.counters().hits;
    assert_eq!(
        (hits.reported, hits.dealt, hits.rejected),
        (2, 2, 0),
        "{:?}",
        lab.host.net.counters().refused
    );
    assert_eq!(deaths.fault(&lab), None);
    let mut dealt: Vec<_> =
        deaths.dealt.iter().map(|death| (death.slot, death.killer, death.score)).collect();
    dealt.sort();
    assert_eq!(dealt, [(slots[0], Some(slots[1]), 1), (slots[1], Some(slots[0]), 1)]);
    assert!(deaths.dealt[1].tick.since(deaths.dealt[0].tick) <= 1);

    // Of one tick for certain, by word.
    runs(&mut lab, &mut deaths, 120);
    let world = lab.host.engine.world_mut();
    assert!(world.kill(slots[0], Some(slots[1])) && world.kill(slots[1], Some(slots[0])));
    runs(&mut lab, &mut deaths, 30);
    assert_eq!(deaths.fault(&lab), None);
    assert_eq!((deaths.dealt.len(), deaths.dealt[2].tick), (4, deaths.dealt[3].tick));
    for seat in &lab.clients {
        let score = |slot: Slot| seat.engine.world().player(slot).unwrap().score();
        assert_eq!((score(slots[0]), score(slots[1])), (2, 2));
    }
}

/// DMG-47: who dies as the round ends, or in the tick before, is announced once at most; in the next game, on which the
/// blow would come, nobody dies of it, and the next death is announced as ever.
#[test]
fn a_death_at_the_rounds_end() {
    let mut record = SettingsRecord::empty();
    record.map = Chars::new(&level_of("flat")).unwrap();
    record.max_players = 128;
    Rules::named("slayer").unwrap().write("lab", &mut record);
    for (ticks, ends) in [(0, true), (1, true), (0, false), (1, false), (2, false)] {
        let what = format!("{ticks} ticks before, ends: {ends}");
        let (mut lab, slots) = open(423, 2, 80);
        let mut deaths = Deaths::of(&mut lab);
        assert!(lab.host.engine.world_mut().kill(slots[0], Some(slots[1])));
        runs(&mut lab, &mut deaths, ticks);
        if ends {
            lab.end();
            lab.run_seconds(1.0);
            assert!(lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Over), "{what}");
        }
        let announced = |lab: &mut Lab| {
            lab.clients.iter_mut().for_each(|seat| seat.engine.harms.replayed.clear());
            let deaths = |seat: &mut mjolnir_tests::Seat<_>| {
                let all = seat.engine.game.happenings().take();
                all.iter().filter(|it| it.kind == mjolnir_skirmish::happenings::Kind::Death).count()
            };
            lab.clients.iter_mut().map(deaths).collect::<Vec<_>>()
        };
        if ends {
            assert!(announced(&mut lab).iter().all(|deaths| *deaths <= 1), "{what}");
        }
        assert!(lab.begin_next(&record, Tick::ZERO), "{what}");
        lab.settle();
        announced(&mut lab);
        lab.host.engine.harms.events.clear();
        let mut deaths = Deaths::of(&mut lab);
        runs(&mut lab, &mut deaths, 60);
        assert_eq!((deaths.fault(&lab), deaths.dealt.len()), (None, 0), "{what}");
        assert!(lab.agrees() && deaths.clients.iter().all(|seen| seen.announced.is_empty()), "{what}");
        let slot = lab.clients[1].slot();
        assert!(lab.host.engine.world_mut().kill(slot, None));
        runs(&mut lab, &mut deaths, 30);
        assert_eq!((deaths.fault(&lab), deaths.dealt.len()), (None, 1), "{what}");
    }
}

/// DMG-39: the kill that ends a game by its score is announced once on every machine, with the score that ended it, though the game
/// is over by then.
#[test]
fn the_kill_that_ends_a_game_is_announced() {
    let rules = Some(Rules { score_limit: 1, ..Rules::endless(GameType::Slayer, false) });
    let plan = Plan { ground: Some(GROUND), rules, harm: true, ..Plan::new("flat", 427, 3) };
    let mut lab = Lab::idle(plan.network(80, 20.0));
    lab.run_ticks(60);
    let [killer, victim] = [0, 1].map(|place: usize| lab.clients[place].slot());
    let mut deaths = Deaths::of(&mut lab);
    assert!(lab.host.engine.world_mut().kill(victim, Some(killer)));
    runs(&mut lab, &mut deaths, 40);
    assert_eq!(deaths.fault(&lab), None);
    assert_eq!((deaths.dealt.len(), deaths.dealt[0].score), (1, 1));
    assert!(lab.clients.iter().all(|seat| seat.engine.world().post_game_phase() > 0));
}

/// Four clients' players in the vehicle for four, in the order of its seats, and a fifth on foot; the vehicle.
fn ridden(seed: u64) -> (Lab, Vec<Slot>, ObjectId) {
    let (mut lab, slots) = open(seed, 5, 30);
    let world = lab.host.engine.world();
    let car = world.objects().find(|id| world.kind(*id) == Some(Kind::Transport)).unwrap();
    for (place, slot) in slots[..4].iter().enumerate() {
        let at = lab.host.engine.world().motion(car).unwrap().position;
        let side = lab.host.engine.world().craft(car).unwrap().radius + 0.6;
        put(&mut lab, *slot, at + Vec3::new(0.0, -side, 0.0));
        lab.run_ticks(20);
        lab.clients[place].engine.take_over(0, boards());
        lab.run_ticks(20);
        assert_eq!(ride(lab.host.engine.world(), *slot), Some((car, place as u8)));
    }
    (lab, slots, car)
}

/// DMG-39, 47: whoever dies in a seat, the driver's, the gunner's or another, falls out of it once on every machine, and the others
/// sit where they sat.
#[test]
fn a_death_while_riding() {
    let (mut lab, slots, car) = ridden(424);
    let mut deaths = Deaths::of(&mut lab);
    for seat in [1, 3, 0, 2] {
        let mut sit = lab.host.engine.world().riders(car).unwrap();
        let unit = sit[seat].take().unwrap();
        assert!(lab.host.engine.world_mut().kill(slots[seat], Some(slots[4])));
        runs(&mut lab, &mut deaths, 20);
        assert_eq!(deaths.fault(&lab), None, "seat {seat}");
        assert_eq!(deaths.dealt.last().map(|death| death.unit), Some(unit));
        let worlds = lab.clients.iter().map(|seat| seat.engine.world()).chain([lab.host.engine.world()]);
        for world in worlds {
            assert_eq!((world.riders(car).unwrap(), world.ride(unit)), (sit, None), "seat {seat}");
        }
    }
    assert_eq!(deaths.dealt.len(), 4);
    assert_eq!(deaths.dealt[3].score, 4);
}

/// DMG-59: a vehicle that a client's player hits hurts its riders on the host alone; clients have their health by the host's word,
/// and the one that hit it no sooner.
#[test]
fn a_hit_on_a_vehicle_hurts_its_riders() {
    let (mut lab, slots, car) = ridden(425);
    put(&mut lab, slots[4], Vec3::new(0.0, 30.0, 0.0));
    lab.run_ticks(20);
    let shield = |world: &World, slot| world.vitality(world.unit(slot).unwrap()).unwrap().shield;
    let world = lab.clients[4].engine.world_mut();
    let hit = hit_object(world, slots[4], &ROUND, 1.0, car);
    world.strike(hit);
    let all = |lab: &Lab, place: usize| {
        let world = lab.clients[place].engine.world();
        [0, 1, 2, 3].map(|of: usize| shield(world, slots[of]))
    };
    assert_eq!(all(&lab, 4), [1.0; 4]);
    lab.run_ticks(1);
    assert_eq!(all(&lab, 4), [1.0; 4], "the way there and back is two ticks and more");
    lab.run_ticks(10);
    let expected = 1.0 - ROUND.amount * ROUND.shield * RIDERS_SHARE;
    for slot in &slots[..4] {
        let there = shield(lab.host.engine.world(), *slot);
        assert!((there - expected).abs() < 1e-4, "{there} and {expected}");
    }
    for place in 0..5 {
        let here = all(&lab, place);
        assert!(here.iter().all(|here| (here - expected).abs() < 0.01), "client {place}: {here:?}");
        assert_eq!(lab.clients[place].engine.world().decisions().total(), 0);
    }
    let hits = lab.host.net.counters().hits;
    assert_eq!((hits.reported, hits.dealt), (1, 1));
}

/// DMG-40: who arrives on a pad where another stands kills it, by the host's word alone: on its own machine, which sent it there,
/// the other stands until then. It is announced once, everywhere.
#[test]
fn a_telefrag_is_the_hosts_word() {
    let (mut lab, slots) = open(426, 3, 100);
    put(&mut lab, slots[0], EAST * -43.0);
    put(&mut lab, slots[1], EAST * 40.0);
    lab.run_ticks(30);
    let mut deaths = Deaths::of(&mut lab);
    let unit = lab.host.engine.world().unit(slots[1]).unwrap();
    lab.clients[0].engine.take_over(0, go(0.0));
    let arrived = |lab: &Lab| lab.clients[0].place(slots[0]).x > 0.0;
    while !arrived(&lab) {
        runs(&mut lab, &mut deaths, 1);
    }
    lab.clients[0].engine.take_over(0, still());
    let stood = lab.clients[0].ticks;
    while lab.clients[0].engine.world().stands(unit) {
        runs(&mut lab, &mut deaths, 1);
    }
    let waited = lab.clients[0].ticks - stood;
    assert!((5..15).contains(&waited), "{waited} ticks, of 6 there and back");
    runs(&mut lab, &mut deaths, 30);
    assert_eq!(deaths.fault(&lab), None);
    let [death] = deaths.dealt[..] else { panic!("{:?}", deaths.dealt) };
    assert_eq!((death.slot, death.unit, death.killer), (slots[1], unit, Some(slots[0])));
    assert!(death.telefrag && lab.clients.iter().all(|seat| seat.engine.world().decisions().total() == 0));
}
