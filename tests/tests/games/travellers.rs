//! Whoever rises, falls, drives, or is sent elsewhere is hit as its shooter saw it, and hits: whole fights over bad networks.

use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::hits::{Figures, Means, bad, driver, fighter, play, restock, walker};
use mjolnir_tests::{Hand, Plan};
use mjolnir_wire::{Buttons, Input, Vec3};

use crate::hits::ground;

/// Of six who fight for 20 s over 100 ms each way, every hit that was seen was dealt, but for those of the dead; so many at
/// least.
fn assert_all_hit(what: &str, figures: &Figures, least: usize) {
    assert!(figures.seen >= least, "{what}: {figures:?}");
    assert_eq!((figures.missed(), figures.false_hits), (0, 0), "{what}: {figures:?}");
    assert_eq!(figures.seen as u64, figures.dealt as u64 + figures.rejected, "{what}: {figures:?}");
}

/// A game of six of which every one has that kit, on the field with those lines.
fn six(seed: u64, lines: &str) -> Plan {
    let walls =
        "box -15 -15 0 -14 15 9\nbox 14 -15 0 15 15 9\nbox -15 -15 0 15 -14 9\nbox -15 14 0 15 15 9\n";
    Plan { ground: Some(ground(&format!("{walls}{lines}"))), ..bad(Plan::new("flat", seed, 6), 100) }
}

/// DMG-37: over 200 ms each way six strafe and shoot at each other: of the hits that their machines saw at least 99 of 100 are
/// dealt, and the others are of the dead.
#[test]
fn who_is_far_away_hits() {
    let hand = |place: usize| fighter(place as u64, Means::Rifle);
    let figures = play(six(829, "kit rifle").network(200, 0.0), 900, hand, |world, tick| {
        if tick.is_multiple_of(30) {
            restock(world, None);
        }
    });
    assert_all_hit("200 ms away", &figures, 300);
    assert!(figures.dealt * 100 >= figures.seen * 99, "{figures:?}");
}

/// DMG-21, 37: whoever stands on a platform that rises and sinks is hit as its shooter saw it, who rides too.
#[test]
fn riders_of_a_platform_are_hit() {
    let lift = "kit rifle\nplatform lift -13 -13 0 13 13 0.1 0 0 3 0.05 20";
    let hand = |place: usize| fighter(place as u64, Means::Rifle);
    let mut highest = 0.0_f32;
    let figures = play(six(820, lift), 600, hand, |world, tick| {
        let heights = world.players().filter_map(|(slot, _)| world.position(slot)).map(|at| at.z);
        highest = heights.fold(highest, f32::max);
        if tick.is_multiple_of(30) {
            restock(world, None);
        }
    });
    assert!(highest > 2.9, "nobody rode: {highest} wu");
    assert_all_hit("on a platform", &figures, 300);
}

/// DMG-21, 37: cars at full speed and who drives them are hit as their shooters saw them.
#[test]
fn who_drives_is_hit() {
    let cars = "kit rifle\nitems car -9 -9 9 9 2 2 0.3";
    let hand =
        |place: usize| if place < 3 { fighter(place as u64, Means::Rifle) } else { driver(place as u64) };
    let mut fastest = 0.0_f32;
    let figures = play(six(821, cars), 600, hand, |world, tick| {
        let driven = world.objects().filter(|id| world.driver(*id).is_some());
        let speeds = driven.filter_map(|id| Some(world.motion(id)?.velocity.length()));
        fastest = speeds.fold(fastest, f32::max);
        if tick.is_multiple_of(30) {
            restock(world, None);
        }
    });
    assert!(fastest > 0.35, "nobody drove: {fastest} wu a tick");
    assert_all_hit("in cars", &figures, 300);
}

/// DMG-14, 21, 37: players are sent elsewhere each second and a half by the host: what was hit, and who hit it, by shots and by
/// hand, counts where it was.
#[test]
fn who_is_sent_elsewhere_is_hit_where_it_was() {
    for (means, kit, least) in [(Means::Rifle, "kit rifle", 300), (Means::Blow, "", 20)] {
        let hand = |place: usize| fighter(place as u64, means);
        let mut random = Random::new(822);
        let figures = play(six(822, kit), 600, hand, |world, tick| {
            let slots: Vec<_> = world.players().map(|(slot, _)| slot).collect();
            for slot in slots {
                let near = if means == Means::Blow { 1.5 } else { 12.0 };
                let to = Vec3::new(random.signed() * near, random.signed() * near, 0.0);
                if (tick + 7 * u32::from(slot.get())).is_multiple_of(45) {
                    world.move_to(slot, to);
                }
            }
            if tick.is_multiple_of(30) {
                restock(world, None);
            }
        });
        assert_all_hit(means.name(), &figures, least);
    }
}

/// DMG-21, 37: who falls from a height is hit as its shooter saw it, who falls too.
#[test]
fn who_falls_is_hit() {
    let hand = |place: usize| fighter(place as u64, Means::Pistol);
    let (mut falls, mut random) = (0, Random::new(823));
    let figures = play(six(823, "kit pistol"), 900, hand, |world, tick| {
        let slots: Vec<_> = world.players().map(|(slot, _)| slot).collect();
        for slot in slots {
            let Some(place) = world.position(slot) else { continue };
            falls += usize::from(place.z > 0.5 && world.velocity(slot).unwrap_or_default().z < -0.03);
            if (tick + 11 * u32::from(slot.get())).is_multiple_of(60) {
                // Less than that its machine's own word would undo.
                let far = 10.0_f32.copysign(-place.x) + random.signed();
                world.move_to(slot, Vec3::new(place.x + far, place.y, 2.9));
            }
        }
        if tick.is_multiple_of(30) {
            restock(world, None);
        }
    });
    assert!(falls > 300, "they fell for {falls} ticks");
    assert_all_hit("in the air", &figures, 100);
}

/// DMG-07, 37: what a gunner fired just before it got out of its turret is dealt.
#[test]
fn who_has_left_its_gun_has_hit() {
    let turrets = "item turret -6 0 0.1\nitem turret 6 3 0.1\nitem turret 0 -6 0.1";
    let hand = |place: usize| -> Hand {
        // Of two who want one gun the later fires it on its own machine alone, until it is put out.
        if place > 0 {
            return walker(place as u64);
        }
        let (mut gunner, mut passed) = (fighter(place as u64, Means::Turret), 0_u32);
        Box::new(move |world, slot, tick| {
            passed += 1;
            let input = gunner(world, slot, tick);
            let leaves = passed.is_multiple_of(40);
            Input {
                buttons: if leaves { input.buttons.union(Buttons::ACTION) } else { input.buttons },
                ..input
            }
        })
    };
    let (mut was, mut left) = (0, 0);
    let figures = play(six(824, turrets), 900, hand, |world, _| {
        let now = world.objects().filter(|id| world.gunner(*id).is_some()).count();
        left += usize::from(now < was);
        was = now;
    });
    assert!(left >= 10, "{left} times");
    assert_all_hit("out of turrets", &figures, 100);
}
