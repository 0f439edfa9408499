//! What hands pick up, what powerups do and what shots do, on every machine: decided by the host, the same on all.

use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_skirmish::game::powerups::{CAMOUFLAGED, CAMOUFLAGED_FOR};
use mjolnir_skirmish::game::world::POWERUP_AFTER;
use mjolnir_skirmish::game::{Vitality, World};
use mjolnir_skirmish::happenings;
use mjolnir_tests::{Hand, Lab, Plan, Seating, bot, still, unlike};
use mjolnir_wire::{Buttons, Input, Slot, Vec3};

/// One way, in milliseconds.
const WAY: u64 = 50;

/// A hand that presses that once, in the next tick, with the others held all the time.
fn press(buttons: Buttons, held: Buttons) -> Hand {
    let mut left = 1;
    Box::new(move |_, _, _| {
        let buttons = if left > 0 { buttons.union(held) } else { held };
        left -= i32::from(left > 0);
        let trigger = if held.contains(Buttons::PRIMARY_TRIGGER) { 1.0 } else { 0.0 };
        Input { buttons, trigger, ..Input::default() }
    })
}

/// Ticks there and back, with what waits for a tick at each end.
fn there_and_back() -> u32 {
    2 * Lab::ticks_of(WAY) + 3 + 4
}

/// Every machine's world, the host's first.
fn worlds(lab: &Lab) -> Vec<&World> {
    let clients = lab.clients.iter().map(|seat| seat.engine.world());
    std::iter::once(lab.host.engine.world()).chain(clients).collect()
}

fn vitality(world: &World, slot: Slot) -> Vitality {
    world.vitality(world.unit(slot).unwrap()).unwrap()
}

/// AUTH-43, GLUE-17: a client's player takes three powerups on the host: on every machine it is camouflaged, its shield
/// is three and its powerups have as long left as the host has, but for the way; and all of it ends on all of them.
#[test]
fn powerups_are_alike_on_every_machine() {
    let mut lab = Lab::idle(Plan::new("flat", 201, 3).network(WAY, 0.0));
    let slot = lab.clients[0].slot();
    let place = lab.host.place(slot);
    for kind in [Kind::Camouflage, Kind::Vision, Kind::Overshield] {
        lab.host.engine.world_mut().spawn(kind, place).unwrap();
    }
    lab.run_seconds(3.0);
    let late = i16::try_from(Lab::ticks_of(WAY) + 3).unwrap();
    let of = |lab: &Lab| worlds(lab).into_iter().map(|world| vitality(world, slot)).collect::<Vec<_>>();
    let all = of(&lab);
    for (machine, has) in all.iter().enumerate() {
        assert_eq!((has.unit_flags, has.flags), (CAMOUFLAGED, all[0].flags), "machine {machine}");
        assert!((has.camouflage - 1.0).abs() < 0.01 && (has.shield - 3.0).abs() < 0.01, "{machine}: {has:?}");
        for (left, hosts) in has.powerups.into_iter().zip(all[0].powerups) {
            assert!(hosts > 0 && (hosts..=hosts + late).contains(&left), "{machine}: {left} of {hosts}");
        }
    }
    lab.run_seconds(f64::from(CAMOUFLAGED_FOR) / 30.0);
    for (machine, has) in of(&lab).iter().enumerate() {
        assert_eq!((has.powerups, has.unit_flags, has.camouflage), ([0, 0], 0, 0.0), "machine {machine}");
        assert!((has.shield - 3.0).abs() < 0.01, "machine {machine}");
    }
    assert!(lab.clients.iter().all(|seat| seat.engine.world().decisions().total() == 0));
}

/// GLUE-24, AUTH-43: each of four players of one machine takes a thing of its own on the host: their machine shows each
/// pickup once, with whose it is, and no other does; on every machine each of the four has what it took, and nobody
/// else has it.
#[test]
fn each_of_four_picks_up_its_own() {
    let plan = Plan::new("flat", 207, 2).network(WAY, 0.0);
    let four = |_| Seating::of((0..4).map(|_| still()).collect());
    let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), four);
    lab.run_seconds(1.0);
    let own = lab.clients[0].net.own_slots().to_vec();
    assert_eq!(own.len(), 4);
    let kinds = [Kind::Camouflage, Kind::Vision, Kind::Overshield, Kind::Grenades];
    for (at, (slot, kind)) in own.iter().zip(kinds).enumerate() {
        let world = lab.host.engine.world_mut();
        let place = Vec3::new(3.0 * at as f32, 0.0, 0.0);
        assert!(world.move_to(*slot, place) && world.spawn(kind, place).is_some());
    }
    lab.run_seconds(2.0);
    let shown = |lab: &Lab, place: usize| -> Vec<_> {
        let notes = &lab.clients[place].engine.notes.picked_up;
        let mut all: Vec<_> = notes.iter().map(|(_, of)| (of.slot, of.tag)).collect();
        all.sort_unstable_by_key(|(slot, _)| slot.get());
        all
    };
    let mut due: Vec<_> = own.iter().zip(kinds).map(|(slot, kind)| (*slot, kind.tag())).collect();
    due.sort_unstable_by_key(|(slot, _)| slot.get());
    assert_eq!([shown(&lab, 0), shown(&lab, 1)], [due, Vec::new()]);
    let has = |world: &World, slot: Slot| {
        let of = vitality(world, slot);
        let carries = world.inventory(world.unit(slot).unwrap()).unwrap();
        (of.unit_flags & CAMOUFLAGED != 0, of.powerups[1] > 0, of.shield > 2.5, carries.grenades[0] > 0)
    };
    let none = (false, false, false, false);
    for (machine, world) in worlds(&lab).into_iter().enumerate() {
        for (slot, _) in world.players() {
            let expected = match own.iter().position(|of| *of == slot) {
                Some(0) => (true, false, false, false),
                Some(1) => (false, true, false, false),
                Some(2) => (false, false, true, false),
                Some(_) => (false, false, false, true),
                None => none,
            };
            assert_eq!(has(world, slot), expected, "machine {machine}, {slot:?}");
        }
    }
}

/// GLUE-17: what a map lays out is taken by touch on the host, and gone on every machine within the way; a minute later
/// the host lays the next one out, the same object in the same place on every machine.
#[test]
fn a_maps_items_are_the_hosts() {
    let ground = "bounds -20 -20 -5 20 20 30\nbox -24 -24 -1 24 24 0\nitem vision 9 9 0.2\n\
        spawns -12 -12 12 12 4 2 0\nnodes -12 -12 12 12 2 2 0";
    let plan = Plan { ground: Some(ground), ..Plan::new("flat", 202, 2).network(WAY, 0.0) };
    let mut lab = Lab::idle(plan);
    let slot = lab.clients[0].slot();
    let lies = |world: &World| world.objects().find(|id| world.kind(*id) == Some(Kind::Vision));
    let first = lies(lab.host.engine.world());
    assert!(first.is_some() && worlds(&lab).into_iter().all(|world| lies(world) == first));
    lab.host.engine.world_mut().move_to(slot, Vec3::new(9.0, 9.0, 0.0));
    lab.run_ticks(there_and_back());
    assert!(worlds(&lab).into_iter().all(|world| lies(world).is_none()));
    assert!(worlds(&lab).into_iter().all(|world| vitality(world, slot).powerups[1] > 0));
    lab.host.engine.world_mut().move_to(slot, Vec3::ZERO);
    lab.run_ticks(u32::from(POWERUP_AFTER) - 2 * there_and_back());
    assert!(worlds(&lab).into_iter().all(|world| lies(world).is_none()));
    lab.run_ticks(3 * there_and_back());
    let next = lies(lab.host.engine.world());
    assert!(next.is_some() && next != first);
    for seat in &lab.clients {
        let world = seat.engine.world();
        assert_eq!(unlike(lab.host.engine.world(), world), None);
        assert_eq!((lies(world), world.decisions().total()), (next, 0));
    }
}

/// AUTH-58: a second weapon is picked up while the trigger is held: within the way there and back it is in hand on every
/// machine, and once the trigger is let go each has it in the same state.
#[test]
fn a_weapon_picked_up_while_firing_is_in_hand_on_every_machine() {
    let mut lab = Lab::idle(Plan::new("flat", 203, 2).network(WAY, 0.0));
    let slot = lab.clients[0].slot();
    let beside = lab.host.place(slot) + Vec3::new(0.3, 0.0, 0.2);
    let world = lab.host.engine.world_mut();
    let rifle = world.give(slot, Kind::Rifle).unwrap();
    let pistol = world.spawn(Kind::Pistol, beside).unwrap();
    lab.run_seconds(2.0);
    lab.clients[0].engine.take_over(0, press(Buttons::default(), Buttons::PRIMARY_TRIGGER));
    lab.run_ticks(there_and_back());
    let rounds = |world: &World| world.in_hand(world.unit(slot).unwrap()).unwrap();
    assert!(rounds(lab.host.engine.world()).1 < Kind::Rifle.firing().unwrap().rounds, "it fires");
    lab.clients[0].engine.take_over(0, press(Buttons::ACTION, Buttons::PRIMARY_TRIGGER));
    lab.run_ticks(there_and_back());
    for (machine, world) in worlds(&lab).into_iter().enumerate() {
        let has = world.inventory(world.unit(slot).unwrap()).unwrap();
        let carried = has.weapons.map(|weapon| weapon.map(|weapon| weapon.object));
        assert_eq!(
            (carried, has.in_hand),
            ([Some(rifle), Some(pistol), None, None], Some(1)),
            "machine {machine}"
        );
    }
    lab.clients[0].engine.take_over(0, still());
    // The host's counts are taken once it fires no more, and are told each second.
    lab.run_seconds(3.0);
    for seat in &lab.clients {
        assert_eq!(unlike(lab.host.engine.world(), seat.engine.world()), None);
        assert_eq!(rounds(seat.engine.world()), rounds(lab.host.engine.world()));
    }
}

/// AUTH-57: a client's player presses the action button where the host has nothing for it: the host has one line to log,
/// with where it has that player and the nearest thing; the host's own player's press is none.
#[test]
fn a_hand_that_finds_nothing_is_one_line() {
    let plan = Plan::new("flat", 204, 2).network(WAY, 0.0);
    let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), |_| Seating::of(vec![still()]));
    let slot = lab.clients[0].slot();
    let place = lab.host.place(slot);
    let lies = lab.host.engine.world_mut().spawn(Kind::Plasma, place + Vec3::new(2.0, 0.0, 0.0)).unwrap();
    lab.run_seconds(2.0);
    lab.clients[0].engine.take_over(0, press(Buttons::ACTION, Buttons::default()));
    lab.host.engine.take_over(0, press(Buttons::ACTION, Buttons::default()));
    lab.run_ticks(there_and_back());
    let logged = lab.host.engine.game.take_logged();
    let [line] = &logged[..] else { panic!("{logged:?}") };
    let at = format!("(slot {}) found nothing to pick up at {:.3} {:.3} ", slot.get(), place.x, place.y);
    assert!(line.contains(&at) && line.contains(&format!("plasma #{}, ", lies.index())), "{line}");
    assert!(lab.clients.iter_mut().all(|seat| seat.engine.game.take_logged().is_empty()));
}

/// AUTH-66: twenty players and the host's, nine of whom turn their lights on: every machine has those nine on and no other,
/// and so it is once four of them are off again.
#[test]
fn nine_lights_of_twenty_players_are_alike() {
    let plan = Plan::new("flat", 205, 5).network(WAY, 0.0);
    let four = |_| Seating::of((0..4).map(|_| still()).collect());
    let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), four);
    lab.run_seconds(3.0);
    let lit = |world: &World| -> Vec<(Slot, bool)> {
        world.players().map(|(slot, _)| (slot, world.light(world.unit(slot).unwrap()).unwrap())).collect()
    };
    for (pressed, count) in [(9, 9), (4, 5)] {
        for light in 0..pressed {
            let hand = press(Buttons::FLASHLIGHT, Buttons::default());
            lab.clients[light % 5].engine.take_over(light / 5, hand);
        }
        lab.run_ticks(there_and_back());
        let all: Vec<_> = worlds(&lab).into_iter().map(lit).collect();
        assert_eq!((all[0].len(), all[0].iter().filter(|(_, on)| *on).count()), (21, count));
        assert!(all.iter().all(|lights| *lights == all[0]), "{all:?}");
    }
}

/// AUTH-61, GLUE-17: half a minute of bots whose shots hurt, with loss: every death is the host's, has its killer, and is
/// known to every machine, which decides none of it.
#[test]
fn who_shot_whom_is_known_to_every_machine() {
    let plan = Plan::new("arena", 206, 4).network(WAY, 5.0);
    let mut lab = Lab::play_as(plan, Seating::of(vec![bot(1)]), |of| Seating::of(vec![bot(of as u64 + 2)]));
    lab.host.engine.game.set_harm(true);
    lab.clients.iter_mut().for_each(|seat| seat.engine.game.set_harm(true));
    lab.run_seconds(40.0);
    lab.stand_still();
    lab.host.engine.game.set_harm(false);
    lab.run_seconds(1.0);
    let deaths = |game: &mut mjolnir_skirmish::seam::Game| -> Vec<(Option<u8>, Option<u8>)> {
        let all = game.happenings().take();
        let all = all.into_iter().filter(|happening| happening.kind == happenings::Kind::Death);
        all.map(|happening| (happening.slot, happening.killer)).collect()
    };
    let hosts = deaths(&mut lab.host.engine.game);
    println!("{} deaths", hosts.len());
    assert!(
        hosts.len() >= 5 && hosts.iter().all(|(slot, killer)| killer.is_some() && killer != slot),
        "{hosts:?}"
    );
    for seat in &mut lab.clients {
        assert_eq!(deaths(&mut seat.engine.game), hosts);
        assert_eq!(seat.engine.world().decisions().total(), 0);
    }
}
