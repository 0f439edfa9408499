//! What a client sees of its own hits at once, what waits for the host's word, and how soon that comes; and what shots meet on
//! both ends.

use mjolnir_skirmish::game::effects::SLUG;
use mjolnir_skirmish::game::projectiles::Response;
use mjolnir_skirmish::game::{Kind, Vitality, World};
use mjolnir_tests::hits::{judge, restock, watch};
use mjolnir_tests::{Hand, Lab, Plan, Who, still};
use mjolnir_wire::{Buttons, Input, Vec3};

use crate::hits::{APART, armed, at, duel, ground, left, seen};

/// PRED-34: over 200 ms each way the trigger of a launcher is pulled: in that tick the rocket is there on the client, it has
/// fired, and its screen shakes; so is a grenade in the tick in which it is thrown.
#[test]
fn own_shots_are_there_in_their_tick() {
    for (kit, buttons) in [("launcher", Buttons::PRIMARY_TRIGGER), ("grenades", Buttons::THROW_GRENADE)] {
        let (mut lab, own, other) = armed(810, 200, kit);
        let shakes = lab.clients[0].engine.world().screen(own).shakes;
        lab.clients[0].engine.take_over(0, at(other, buttons, |tick| tick == 5));
        let mut first = None;
        lab.watch_ticks(20, |lab, who| {
            let world = lab.clients[0].engine.world();
            let is_pressed = world.player(own).unwrap().input.buttons.contains(buttons);
            if who == Who::Client(0) && is_pressed {
                let fired = kit == "grenades" || world.fired(own) && world.screen(own).shakes == shakes + 1;
                first = Some((world.projectiles().filter(|it| it.slot() == Some(own)).count(), fired));
                assert_eq!(lab.host.engine.world().projectiles().count(), 0, "the host has not heard of it");
            }
        });
        assert_eq!(first, Some((1, true)), "{kit}");
    }
}

/// DMG-60: over 200 ms each way a blow and a collision are seen on the client in their tick, and what they take of the target
/// is known there twelve ticks later at the earliest, by the host's word.
#[test]
fn a_blow_is_seen_at_once_and_harms_by_the_hosts_word() {
    for drives in [false, true] {
        let plan = Plan { ground: Some(ground("item car 30 30 0.2")), ..Plan::new("flat", 811, 1) };
        let (mut lab, own, other) = duel(plan.network(200, 0.0), still());
        let world = lab.host.engine.world_mut();
        let car = world.objects().find(|id| world.kind(*id) == Some(Kind::Car)).unwrap();
        if drives {
            let unit = world.unit(own).unwrap();
            assert!(world.shift(car, Vec3::new(0.0, 0.0, 0.3)) && world.set_seat(unit, Some((car, 0))));
        } else {
            assert!(world.move_to(own, Vec3::new(APART - 0.8, 0.0, 0.0)));
        }
        lab.run_seconds(2.0);
        watch(&mut lab);
        let hand: Hand = if drives {
            Box::new(|_, _, _| Input { throttle: [1.0, 0.0], ..Input::default() })
        } else {
            at(other, Buttons::MELEE, |tick| tick == 3)
        };
        lab.clients[0].engine.take_over(0, hand);
        let shown = |world: &World| world.screen(own).swings + world.screen(own).rams;
        let (mut struck, mut hurt) = (None, None);
        lab.watch_ticks(120, |lab, who| {
            let world = lab.clients[0].engine.world();
            if who == Who::Client(0) {
                if shown(world) > 0 {
                    struck = struck.or(Some(world.tick()));
                }
                if left(world, other) != [1.0; 2] {
                    hurt = hurt.or(Some(world.tick()));
                }
            }
        });
        let (struck, hurt) = (struck.expect("it is seen"), hurt.expect("it is dealt"));
        assert_eq!(seen(&lab)[0].0, struck, "the hit is of that tick");
        assert!((12..=16).contains(&hurt.since(struck)), "{} ticks", hurt.since(struck));
    }
}

/// A hit is confirmed within the round trip and three ticks at each end: from the tick of the shot to the one before which the
/// host's word of its damage is replayed, on good networks of 5 and 88 ms each way.
#[test]
fn a_hit_is_confirmed_within_the_round_trip() {
    for latency in [5, 88] {
        let (mut lab, _, other) = armed(812, latency, "rifle");
        let before = watch(&mut lab);
        lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick <= 45));
        lab.run_seconds(3.0);
        let figures = judge(&lab, &before);
        let answers = lab.clients[0].engine.harms.replayed.len();
        assert!(figures.seen >= 14 && figures.dealt == figures.seen && answers >= 14, "{figures:?}");
        let most = f64::from(Lab::ticks_of(2 * latency)) + 3.0;
        assert!(figures.answered[1] <= most, "{latency} ms: {:?} of {most} ticks", figures.answered);
    }
}

/// DMG-51: what a client's shot meets is by the shield that it has of the host: a shield of 0.05 takes the first round, with so
/// much left of it, and once the host's word of that is there the body takes the next.
#[test]
fn a_shot_meets_what_the_host_says_is_there() {
    let (mut lab, own, other) = armed(813, 40, "rifle");
    assert!(lab.host.engine.world_mut().damage(other, 0.95, None));
    lab.run_seconds(1.0);
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick % 20 == 1));
    let mut met = Vec::new();
    lab.watch_ticks(45, |lab, who| {
        if who == Who::Client(0) {
            let impacts = lab.clients[0].engine.world().impacts().iter();
            met.extend(impacts.filter(|impact| impact.owner == Some(own)).map(|of| (of.response, of.left)));
        }
    });
    let [(first, shield), (second, body), ..] = met[..] else { panic!("{met:?}") };
    assert_eq!((first, second), (Response::Shield, Response::Flesh));
    assert!((shield - 0.05).abs() < 0.005 && body < 1.0, "{met:?}");
}

/// DMG-52: a hundred bolts at a shield that is kept whole, and a hundred at a body whose shield is kept down: on the host each
/// response of its copies is what it was on the client.
#[test]
fn the_hosts_copies_respond_as_the_clients() {
    for (shield, expected) in [(1.0, Response::Shield), (0.0, Response::Flesh)] {
        let (mut lab, own, other) = armed(814, 40, "plasma");
        let world = lab.host.engine.world_mut();
        let unit = world.unit(other).unwrap();
        // It fills again where nothing has hurt it for long.
        assert!(world.damage(other, 0.5, None));
        let kept = Vitality { shield, ..world.vitality(unit).unwrap() };
        let mut met = [Vec::new(), Vec::new()];
        let mut passed = 0;
        lab.watch_ticks(1200, |lab, who| {
            let world =
                if who == Who::Host { lab.host.engine.world() } else { lab.clients[0].engine.world() };
            let impacts =
                world.impacts().iter().filter(|of| of.owner == Some(own) && of.object == Some(unit));
            met[usize::from(who == Who::Host)].extend(impacts.map(|of| of.response));
            if who == Who::Host {
                let world = lab.host.engine.world_mut();
                world.set_vitality(unit, kept);
                restock(world, None);
                passed += 1;
                if passed == 60 {
                    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |_| true));
                }
            }
        });
        for (machine, met) in ["client", "host"].into_iter().zip(&met) {
            let alike = met.iter().take(100).filter(|met| **met == expected).count();
            assert_eq!(alike, 100, "{machine}, {expected:?}: {alike} of {}", met.len());
        }
    }
}

/// DMG-53: a client's player shoots at a crate: it breaks on the host by its reports, and on every client by the host's word.
#[test]
fn a_crate_that_a_client_shoots_at_breaks_everywhere() {
    let plan = Plan { ground: Some(ground("kit rifle\ncrate 4 0 0.1")), ..Plan::new("flat", 815, 2) };
    let (mut lab, own, _) = duel(plan.network(60, 2.0), still());
    let world = lab.host.engine.world();
    let breaks = world.objects().find(|id| world.kind(*id) == Some(Kind::Crate)).unwrap();
    let way = Vec3::new(4.0, 0.0, 0.3) - world.eyes(own).unwrap();
    let input = Input {
        buttons: Buttons::PRIMARY_TRIGGER,
        trigger: 1.0,
        pitch: libm::atan2f(way.z, way.x),
        ..Input::default()
    };
    let before = watch(&mut lab);
    lab.clients[0].engine.take_over(0, Box::new(move |_, _, _| input));
    lab.run_seconds(3.0);
    lab.clients[0].engine.take_over(0, still());
    lab.run_seconds(2.0);
    let figures = judge(&lab, &before);
    assert!(figures.dealt >= 5 && figures.false_hits == 0, "{figures:?}");
    assert!(lab.host.engine.world().is_broken(breaks));
    assert!(lab.clients.iter().all(|seat| seat.engine.world().is_broken(breaks)));
}

/// AUTH-58: a client's player picks a pistol up while it fires: it is in hand there once the host's word of it came, and what
/// it hits with either, before and after, is dealt.
#[test]
fn a_weapon_picked_up_while_firing_hits() {
    let (mut lab, own, other) = armed(817, 100, "rifle");
    let world = lab.host.engine.world_mut();
    let unit = world.unit(other).unwrap();
    let whole = world.vitality(unit).unwrap();
    world.spawn(Kind::Pistol, Vec3::new(0.3, 0.0, 0.2)).unwrap();
    lab.run_seconds(1.0);
    let before = watch(&mut lab);
    let (mut fires, mut passed) = (at(other, Buttons::PRIMARY_TRIGGER, |tick| tick < 100), 0);
    let hand: Hand = Box::new(move |world, slot, tick| {
        passed += 1;
        let input = fires(world, slot, tick);
        let reaches = if passed == 30 { Buttons::ACTION } else { Buttons::default() };
        Input { buttons: input.buttons.union(reaches), ..input }
    });
    lab.clients[0].engine.take_over(0, hand);
    let has_pistol =
        |world: &World| world.in_hand(world.unit(own).unwrap()).is_some_and(|(kind, _)| kind == Kind::Pistol);
    let mut since = [None, None];
    lab.watch_ticks(140, |lab, who| {
        let world = if who == Who::Host { lab.host.engine.world() } else { lab.clients[0].engine.world() };
        let first = &mut since[usize::from(who == Who::Host)];
        if first.is_none() && has_pistol(world) {
            *first = Some(lab.now());
        }
        if who == Who::Host {
            lab.host.engine.world_mut().set_vitality(unit, whole);
        }
    });
    lab.run_seconds(1.0);
    let (here, there) = (since[0].expect("in hand"), since[1].expect("in hand"));
    assert!(here >= there && here - there <= 200_000, "{} ms later", (here - there) / 1000);
    let effects = seen(&lab).into_iter().map(|(_, hit)| hit.damage.effect);
    let of_pistol = effects.filter(|effect| *effect == SLUG.tag).count();
    let figures = judge(&lab, &before);
    assert!(of_pistol >= 4 && figures.seen - of_pistol >= 8, "{of_pistol} of {figures:?}");
    assert_eq!((figures.dealt, figures.false_hits), (figures.seen, 0), "{figures:?}");
}
