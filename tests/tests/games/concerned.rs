//! What clients are told of the damage that the host dealt, and what they show of it: each its own part, once.

use std::collections::BTreeMap;

use mjolnir_skirmish::game::effects::{BLOW, Effect, LANCE, ROCKET_BLAST, ROUND};
use mjolnir_skirmish::game::{Screen, Vitality};
use mjolnir_tests::deaths::Deaths;
use mjolnir_tests::{Hand, Lab, Who};
use mjolnir_wire::damage::{EventKind, Hit};
use mjolnir_wire::{Buttons, Input, Slot, Tick, Vec3};

use crate::blows::{Tap, hit, plain, runs, strike};

const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);

fn put(lab: &mut Lab, slot: Slot, far: f32) {
    assert!(lab.host.engine.world_mut().move_to(slot, EAST * far));
}

fn bare(lab: &mut Lab, slot: Slot) {
    let world = lab.host.engine.world_mut();
    let unit = world.unit(slot).unwrap();
    let whole = world.vitality(unit).unwrap();
    world.set_vitality(unit, Vitality { shield: 0.0, ..whole });
}

/// The host's game deals what a client's player hit, as if it had been reported.
fn deal(lab: &mut Lab, by: Slot, effect: &Effect, scale: f32, of: Slot) -> Hit {
    let hit = hit(lab.host.engine.world(), by, effect, scale, of);
    lab.host.engine.world_mut().deal_hit(&hit);
    hit
}

/// DMG-43, 44: what did not kill is told the victim's machine, that of who dealt it, and those that are sent the victim in that
/// very tick's datagrams, and nobody else; the victim's screen effect goes to its machine alone.
#[test]
fn a_wound_is_told_whom_it_concerns() {
    let mut lab = plain(430, 4, 20);
    let slots = [0, 1, 2, 3].map(|place: usize| lab.clients[place].slot());
    for (slot, far) in slots.into_iter().zip([0.0, 250.0, 8.0, -300.0]) {
        put(&mut lab, slot, far);
    }
    let host = lab.host.slot();
    put(&mut lab, host, 40.0);
    lab.run_ticks(60);
    let taps: Vec<_> = lab.clients.iter_mut().map(Tap::on).collect();
    lab.host.engine.harms.keeps = true;
    for _ in 0..60 {
        deal(&mut lab, slots[1], &ROUND, 0.01, slots[0]);
        lab.run_ticks(1);
    }
    lab.run_ticks(10);
    let dealt = &lab.host.engine.harms.events;
    let wounds: Vec<Tick> =
        dealt.iter().filter(|(_, event)| event.kind == EventKind::Aftermath).map(|(tick, _)| *tick).collect();
    assert_eq!(wounds.len(), 60);
    let mut without = 0;
    for (place, tap) in taps.iter().enumerate() {
        let (mut heard, mut is_told) = (BTreeMap::new(), BTreeMap::new());
        for (tick, event) in &*tap.datagrams.borrow() {
            *heard.entry((*tick, event.kind as u8)).or_insert(0) += 1;
        }
        for (tick, told) in &*tap.told.borrow() {
            *is_told.entry(*tick).or_insert(false) |= told.contains(&slots[0]);
        }
        for tick in &wounds {
            let is_due = place < 2 || is_told.get(tick).copied().unwrap_or(false);
            let count = |kind: EventKind| heard.get(&(*tick, kind as u8)).copied().unwrap_or(0);
            assert_eq!(count(EventKind::Aftermath), i32::from(is_due), "client {place}, {tick:?}");
            assert_eq!(count(EventKind::ScreenEffect), i32::from(place == 0), "client {place}, {tick:?}");
            without += u32::from(!is_due);
        }
        assert!(tap.stream.borrow().is_empty(), "client {place}");
    }
    assert!(without > 20, "{without}: one stands far off");
}

/// DMG-61: of 300 aftermaths and two killing blows of one tick 256 leave, both blows among them; the others are counted.
#[test]
fn blows_outlast_the_others() {
    let mut lab = plain(431, 2, 20);
    let [slot, other] = [0, 1].map(|place: usize| lab.clients[place].slot());
    let host = lab.host.slot();
    let tap = Tap::on(&mut lab.clients[0]);
    let mut deaths = Deaths::of(&mut lab);
    // Each is an aftermath and a screen effect.
    for _ in 0..150 {
        deal(&mut lab, other, &ROUND, 0.0001, slot);
    }
    let world = lab.host.engine.world_mut();
    assert!(world.kill(host, Some(slot)) && world.kill(other, Some(slot)));
    runs(&mut lab, &mut deaths, 20);
    let (datagrams, stream) = (tap.datagrams.borrow(), tap.stream.borrow());
    let blows = datagrams.iter().filter(|(_, event)| event.kind == EventKind::KillingBlow).count();
    assert_eq!((datagrams.len(), blows, stream.len()), (256, 2, 2));
    assert_eq!(lab.host.net.counters().damage_dropped, 46);
    assert_eq!((deaths.fault(&lab), deaths.dealt.len()), (None, 2));
}

/// DMG-38: who is hit through its scope is shown a flash, a shake, who did it, that it is stunned and out of its scope, and flinches
/// and is heard, each once; others see and hear its unit alone. No health is taken by it.
#[test]
fn each_effect_is_shown_once() {
    let mut lab = plain(432, 2, 50);
    let [slot, other] = [0, 1].map(|place: usize| lab.clients[place].slot());
    let host = lab.host.slot();
    for (slot, far) in [(slot, 0.0), (other, 6.0), (host, 1.0)] {
        put(&mut lab, slot, far);
    }
    bare(&mut lab, slot);
    let zooms: Hand = Box::new(|_, _, _| Input { zoom: Some(0), ..Input::default() });
    lab.clients[0].engine.take_over(0, zooms);
    lab.run_ticks(20);
    bare(&mut lab, slot);
    let mut deaths = Deaths::of(&mut lab);
    let screen = |lab: &Lab, place: usize, of: Slot| lab.clients[place].engine.world().screen(of);
    let before = [screen(&lab, 0, slot), screen(&lab, 1, slot), screen(&lab, 1, other)];
    assert_eq!(before, [Screen::default(); 3]);
    assert!(lab.clients[0].engine.world().scoped(slot));
    strike(&mut lab, &BLOW, 0.5, slot);
    runs(&mut lab, &mut deaths, 20);
    let expected = Screen {
        flashes: 1,
        shakes: 1,
        stuns: u32::from(BLOW.push * 0.5 >= 0.05),
        scopes_lost: 1,
        marks: 1,
        hit_by: Some(host),
        flinches: 1,
        pains: 1,
        ..Screen::default()
    };
    assert_eq!(screen(&lab, 0, slot), expected);
    assert_eq!(screen(&lab, 1, slot), Screen { flinches: 1, pains: 1, ..Screen::default() });
    assert_eq!(screen(&lab, 1, other), Screen::default());
    assert!(!lab.clients[0].engine.world().scoped(slot));
    assert_eq!(deaths.clients.iter().map(|seen| seen.harms).sum::<usize>(), 0);

    // A harder one stuns it as well.
    assert!(lab.host.engine.world_mut().set_health(slot, 1.0));
    strike(&mut lab, &BLOW, 1.0, slot);
    runs(&mut lab, &mut deaths, 20);
    assert_eq!((screen(&lab, 0, slot).stuns, screen(&lab, 0, slot).flinches), (1, 2));
    assert_eq!((deaths.fault(&lab), deaths.dealt.len()), (None, 0));
}

/// DMG-39: whatever kills a standing player, its body leaves on every client as it leaves on the host, and its killer is shown, with
/// the score that the host has.
#[test]
fn a_body_flies_as_the_hosts() {
    for (number, effect) in [BLOW, LANCE, ROCKET_BLAST].iter().enumerate() {
        let mut lab = plain(433 + number as u64, 2, 50);
        let (slot, host) = (lab.clients[0].slot(), lab.host.slot());
        assert!(lab.host.engine.world_mut().set_health(slot, 0.05));
        bare(&mut lab, slot);
        lab.run_ticks(6);
        let unit = lab.host.engine.world().unit(slot).unwrap();
        let mut deaths = Deaths::of(&mut lab);
        bare(&mut lab, slot);
        strike(&mut lab, effect, 1.0, slot);
        let flies = lab.host.engine.world().motion(unit).unwrap().velocity;
        assert!(flies.length() >= effect.push * 0.9 && flies.x > 0.0);
        runs(&mut lab, &mut deaths, 20);
        assert_eq!(deaths.fault(&lab), None);
        for (place, seen) in deaths.clients.iter().enumerate() {
            let [blow] = seen.blows[..] else { panic!("{:?}", seen.blows) };
            let here = blow.velocity.unwrap();
            assert!(here.distance(flies) <= flies.length() * 0.05, "client {place}: {here:?} and {flies:?}");
            assert_eq!((seen.announced[0], blow.score), ((slot, Some(host)), Some(1)));
        }
    }
}

/// DMG-45: a weapon's own shake is there in the tick of its shot where who fires plays, with its network cut; nobody is sent any.
#[test]
fn a_weapon_shakes_its_own_screen_at_once() {
    let mut lab = plain(436, 2, 100);
    let slot = lab.clients[0].slot();
    let taps: Vec<_> = lab.clients.iter_mut().map(Tap::on).collect();
    let shoots: Hand = Box::new(|_, _, tick| {
        let fires = tick.get() % 20 == 0;
        let buttons = if fires { Buttons::PRIMARY_TRIGGER } else { Buttons::default() };
        Input { buttons, pitch: 1.0, trigger: if fires { 1.0 } else { 0.0 }, ..Input::default() }
    });
    lab.clients[0].engine.take_over(0, shoots);
    let (mut shots, mut shakes, mut cut) = (0, 0, 0);
    let mut play = |lab: &mut Lab, is_cut: bool| {
        lab.watch_ticks(100, |lab, who| {
            if who == Who::Client(0) {
                let world = lab.clients[0].engine.world();
                shots += u32::from(world.fired(slot));
                cut += u32::from(world.fired(slot) && is_cut);
                shakes = world.screen(slot).shakes;
                assert_eq!(shakes, shots, "{:?}", world.tick());
            }
        });
    };
    play(&mut lab, false);
    lab.partition(0, true);
    play(&mut lab, true);
    lab.partition(0, false);
    play(&mut lab, false);
    assert!(shots >= 14 && cut >= 4, "{shots} shots, {cut} of them while cut off");
    assert!(taps.iter().all(|tap| tap.datagrams.borrow().is_empty() && tap.stream.borrow().is_empty()));
    assert_eq!(lab.clients[1].engine.world().screen(slot).shakes, 0);
}
