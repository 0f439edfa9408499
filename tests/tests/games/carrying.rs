//! What units carry, on every machine; where things come to rest; what lies about costs.

use std::collections::BTreeSet;

use mjolnir_engine_glue::objects::{LOOK_INTERVAL, LOOKS_A_TURN};
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::world::DROPPED_STAYS;
use mjolnir_tests::{Hand, Lab, Plan, RESTS_WU, Seating, Way, Who, bot, messages, still, unlike};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::objects::Inventory;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::{Axes, Buttons, Input, Kind as Message, ObjectId, Tag, Vec3};

/// An object that no rule is about.
const CRATE: Tag = Tag(0xE175_0001);

/// A hand that presses that once, in the next tick, and then stands.
fn press(buttons: Buttons) -> Hand {
    let mut left = 1;
    Box::new(move |_, _, _| {
        let buttons = if left > 0 { buttons } else { Buttons::default() };
        left -= i32::from(left > 0);
        Input { buttons, ..Input::default() }
    })
}

/// Who carries a thing in a world: each unit that has it in a slot.
fn holders(world: &World, thing: ObjectId) -> Vec<ObjectId> {
    let carries = |unit: &ObjectId| {
        world.inventory(*unit).is_some_and(|has| has.weapons.iter().flatten().any(|w| w.object == thing))
    };
    world.objects().filter(carries).collect()
}

/// What no client has as the host has it.
fn all_alike(lab: &Lab) -> Result<(), String> {
    for (place, seat) in lab.clients.iter().enumerate().filter(|(_, seat)| seat.runs) {
        if let Some(what) = unlike(lab.host.engine.world(), seat.engine.world()) {
            return Err(format!("client {place} {what}"));
        }
    }
    Ok(())
}

/// OBJ-14, 16: a weapon is picked up, another taken into the hand, and dropped: within the way, a look and two ticks
/// it is the same object in the same slot on every machine, near or far, and lies in the world after.
#[test]
fn what_is_picked_up_and_dropped_is_on_every_machine() {
    let mut lab = Lab::idle(Plan::new("flat", 81, 3).network(50, 0.0));
    let slot = lab.clients[0].slot();
    let unit = lab.host.engine.world().unit(slot).unwrap();
    let beside = lab.host.place(slot) + Vec3::new(0.3, 0.0, 0.2);
    let rifle = lab.host.engine.world_mut().spawn(Kind::Rifle, beside).unwrap();
    lab.run_seconds(2.0);
    // Its input goes up, and what the host made of it comes down.
    let there_and_back = 2 * Lab::ticks_of(50) + 3 + 4;
    lab.clients[0].engine.take_over(0, press(Buttons::ACTION));
    lab.run_ticks(there_and_back);
    for world in std::iter::once(lab.host.engine.world()).chain(lab.clients.iter().map(|s| s.engine.world()))
    {
        assert_eq!(holders(world, rifle), [unit]);
        assert_eq!(world.inventory(unit).unwrap().in_hand, Some(0));
    }
    let plasma = lab.host.engine.world_mut().give(slot, Kind::Plasma).unwrap();
    lab.run_ticks(Lab::ticks_of(50) + 3 + 3);
    all_alike(&lab).unwrap();
    assert_eq!(holders(lab.clients[2].engine.world(), plasma), [unit]);
    lab.clients[0].engine.take_over(0, press(Buttons::SWAP_WEAPONS));
    lab.run_ticks(there_and_back);
    all_alike(&lab).unwrap();
    let in_hand = lab.clients[1].engine.world().inventory(unit).unwrap();
    let held = in_hand.in_hand.and_then(|slot| in_hand.weapons[usize::from(slot)]).unwrap().object;
    // Nothing is in reach: what is in hand falls.
    lab.clients[0].engine.take_over(0, press(Buttons::ACTION));
    lab.run_ticks(there_and_back);
    for seat in &lab.clients {
        assert_eq!(holders(seat.engine.world(), held), []);
        assert!(seat.engine.world().describe(held).is_some_and(|made| !made.carried));
    }
    lab.run_seconds(2.0);
    all_alike(&lab).unwrap();
}

/// OBJ-01, 14: two players reach for one weapon in the same tick, a hundred times, with 5 % lost: on every machine one
/// of them has it, and it is the same one.
#[test]
fn one_of_two_hands_gets_it() {
    let mut lab = Lab::idle(Plan::new("flat", 82, 2).network(40, 5.0));
    let mut won = [0; 2];
    for round in 0..100 {
        let slots = [0, 1].map(|place: usize| lab.clients[place].slot());
        let at = lab.host.place(slots[0]);
        let world = lab.host.engine.world_mut();
        world.move_to(slots[1], at + Vec3::new(0.6, 0.0, 0.0));
        let pistol = world.spawn(Kind::Pistol, at + Vec3::new(0.3, 0.0, 0.1)).unwrap();
        lab.run_ticks(30);
        // Both say so in the same tick of the host; who comes first in it gets it, and the other's empty hand drops
        // nothing that it has not.
        for place in [round % 2, 1 - round % 2] {
            lab.clients[place].engine.take_over(0, press(Buttons::ACTION));
        }
        lab.run_ticks(45);
        let [holder] = holders(lab.host.engine.world(), pistol)[..] else {
            panic!("round {round}: {:?}", holders(lab.host.engine.world(), pistol))
        };
        for seat in &lab.clients {
            assert_eq!(holders(seat.engine.world(), pistol), [holder], "round {round}");
        }
        let units = slots.map(|slot| lab.host.engine.world().unit(slot).unwrap());
        won[usize::from(holder == units[1])] += 1;
        lab.host.engine.world_mut().erase(pistol);
        lab.run_ticks(10);
    }
    assert!(won[0] + won[1] == 100, "{won:?}");
}

/// OBJ-01, 03: a player with the only weapon of its kind leaves, by a word or outright, twenty times: there is one of
/// it on every machine, lying where it fell.
#[test]
fn who_leaves_takes_nothing_and_leaves_nothing_twice() {
    let mut lab = Lab::idle(Plan::new("flat", 83, 2).network(30, 2.0));
    let first = lab.clients[0].slot();
    let at = lab.host.place(first) + Vec3::new(3.0, 0.0, 0.0);
    let mut plasma = None;
    for round in 0..20 {
        let late = lab.join(Seating::of(vec![still()]));
        lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 30);
        lab.run_ticks(30);
        let slot = lab.clients[late].slot();
        let world = lab.host.engine.world_mut();
        world.move_to(slot, at);
        match plasma {
            None => plasma = world.give(slot, Kind::Plasma),
            Some(weapon) => assert!(world.shift(weapon, at + Vec3::new(0.1, 0.0, 0.1))),
        }
        lab.run_ticks(30);
        if round > 0 {
            lab.clients[late].engine.take_over(0, press(Buttons::ACTION));
            lab.run_ticks(30);
        }
        let unit = lab.host.engine.world().unit(slot).unwrap();
        assert_eq!(holders(lab.clients[1].engine.world(), plasma.unwrap()), [unit], "round {round}");
        if round % 2 == 0 {
            lab.quit(late);
        } else {
            lab.kill(late);
        }
        lab.run_ticks(60);
        let kinds = |world: &World| {
            let all = world.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
            all.filter(|id| world.kind(*id) == Some(Kind::Plasma)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(lab.host.engine.world()), [plasma.unwrap()], "round {round}");
        for seat in lab.clients.iter().filter(|seat| seat.runs) {
            assert_eq!(kinds(seat.engine.world()), [plasma.unwrap()], "round {round}");
            assert_eq!(holders(seat.engine.world(), plasma.unwrap()), []);
        }
    }
}

/// OBJ-21, 22, 26, 27: fifty things fall onto slopes while a third of all datagrams is lost: a second after the last of
/// them rests on the host every client has each at rest in its place.
#[test]
fn what_falls_rests_in_one_place() {
    let mut lab = Lab::idle(Plan::new("hill", 84, 3).network(40, 33.0));
    let mut random = Random::new(84);
    let bodies = [Kind::Rifle, Kind::Medkit, Kind::Cart, Kind::Plasma];
    let things: Vec<ObjectId> = (0..50)
        .filter_map(|at| {
            let place = Vec3::new(12.0 * random.signed(), 12.0 * random.signed(), 8.0);
            let world = lab.host.engine.world_mut();
            let thing = world.spawn(bodies[at % bodies.len()], place)?;
            world.throw(thing, Vec3::new(0.1 * random.signed(), 0.1 * random.signed(), 0.0));
            Some(thing)
        })
        .collect();
    assert_eq!(things.len(), 50);
    lab.run_until("all rest on the host", 60, |lab| {
        let world = lab.host.engine.world();
        things.iter().all(|thing| world.describe(*thing).is_none_or(|made| made.at_rest))
    });
    lab.run_seconds(1.0);
    let mut rest = 0;
    for seat in &lab.clients {
        for thing in &things {
            let (there, here) =
                (lab.host.engine.world().describe(*thing), seat.engine.world().describe(*thing));
            let (Some(there), Some(here)) = (there, here) else {
                assert_eq!(there, here);
                continue;
            };
            let far = there.position.distance(here.position);
            assert!(here.at_rest && far <= RESTS_WU, "{far} wu: {here:?} and not {there:?}");
            rest += 1;
        }
    }
    assert!(rest >= 3 * 40, "{rest}");
}

/// OBJ-22, 45: what lies about a map of more than three hundred things costs a client four states a tick, and with
/// what units carry less than 8 KiB a second.
#[test]
fn what_lies_about_costs_four_states_a_tick() {
    let mut lab = Lab::idle(Plan::new("yard", 85, 2).network(20, 0.0));
    lab.run_seconds(3.0);
    let world = lab.host.engine.world();
    let lying =
        world.objects().filter_map(|id| world.describe(id)).filter(|made| made.at_rest && !made.carried);
    assert!(lying.count() >= 300);
    lab.clients[0].network.listen();
    lab.run_ticks(300);
    let (mut states, mut bytes) = (0, 0);
    messages(lab.clients[0].network.passed(), Way::In, |_, message| match message.kind {
        Message::ObjectStates => {
            states += u32::from(message.count);
            bytes += 6 + message.body.len();
        }
        Message::Inventories => bytes += 6 + message.body.len(),
        _ => {}
    });
    assert!((4 * 298..=4 * 302).contains(&states), "{states} states");
    assert!(bytes / 10 < 8192, "{bytes} bytes in ten seconds");
    all_alike(&lab).unwrap();
}

/// OBJ-41, 12: a place of the table is used until its identifiers are spent, which is told of by nobody being made
/// there; of seventy thousand creations none is named as another, and every client follows all of them.
#[test]
fn seventy_thousand_creations_in_one_place_are_told_apart() {
    let mut lab = Lab::idle(Plan::new("flat", 86, 1).network(20, 0.0));
    let mut full = Vec::new();
    let world = lab.host.engine.world_mut();
    while let Some(id) = world.make(CRATE, Vec3::ZERO, Axes::UPRIGHT, None) {
        full.push(id);
    }
    lab.run_seconds(3.0);
    all_alike(&lab).unwrap();
    let (mut here, place) = (full[0], full[0].index());
    let (mut made, mut refused) = (1, 0);
    for _ in 0..700 {
        for _ in 0..100 {
            let world = lab.host.engine.world_mut();
            assert_eq!(world.erase(here), refused == 0);
            match world.make(CRATE, Vec3::UP, Axes::UPRIGHT, None) {
                Some(next) => {
                    assert!(next.index() == place && next.identifier() > here.identifier(), "{next:?}");
                    here = next;
                    made += 1;
                }
                None => refused += 1,
            }
        }
        lab.run_ticks(1);
    }
    // Every identifier but 0 and the last.
    assert!(made > 65_000 && made + refused == 70_001, "{made} made, {refused} refused");
    lab.run_seconds(2.0);
    all_alike(&lab).unwrap();
    assert_eq!(lab.clients[0].engine.world().object_at(place), lab.host.engine.world().object_at(place));
}

/// OBJ-07, 14: the host deletes what a unit has in hand: it is gone from every machine, the hand is empty, and the other
/// weapon stays in its slot.
#[test]
fn what_is_in_hand_is_deleted_too() {
    let mut lab = Lab::idle(Plan::new("flat", 88, 2).network(50, 5.0));
    let slot = lab.clients[0].slot();
    let world = lab.host.engine.world_mut();
    let unit = world.unit(slot).unwrap();
    let kept = world.give(slot, Kind::Pistol).unwrap();
    let gone = world.give(slot, Kind::Plasma).unwrap();
    lab.run_ticks(40);
    for seat in &lab.clients {
        assert_eq!(holders(seat.engine.world(), gone), [unit]);
    }
    assert!(lab.host.engine.world_mut().erase(gone));
    lab.run_ticks(1 + Lab::ticks_of(50) + 2);
    for seat in &lab.clients {
        let world = seat.engine.world();
        assert!(world.describe(gone).is_none() && holders(world, gone).is_empty());
        assert_eq!(holders(world, kept), [unit]);
    }
    lab.run_ticks(33);
    all_alike(&lab).unwrap();
}

/// OBJ-06: what lies about stays on a client that hears nothing of the host, however long it would lie there.
#[test]
fn nothing_goes_by_itself_on_a_client() {
    let mut lab = Lab::play_as(Plan::new("flat", 87, 2), Seating::of(Vec::new()), |at| {
        Seating::of(vec![bot(at as u64)])
    });
    let slot = lab.clients[0].slot();
    let weapon = lab.host.engine.world_mut().give(slot, Kind::Rifle).unwrap();
    lab.run_ticks(30);
    lab.host.engine.world_mut().kill(slot, None);
    lab.run_ticks(30);
    let there = |lab: &Lab| lab.clients[0].engine.world().describe(weapon).is_some();
    assert!(there(&lab) && lab.host.engine.world().describe(weapon).is_some());
    lab.partition(0, true);
    // Its own engine goes on, and so does the host's, which deletes what was dropped.
    lab.run_seconds(14.0);
    let objects = lab.clients[0].engine.world().objects().count();
    assert!(there(&lab));
    assert_eq!(lab.clients[0].engine.world().decisions().total(), 0);
    lab.partition(0, false);
    lab.run_seconds(30.0);
    all_alike(&lab).unwrap();
    assert!(objects > 2);
}

/// OBJ-06: what was dropped and a body that the host keeps, past the time after which its rules would delete either, lie on
/// every client in each tick: no lifetime of a client's own ends them. Past that time the host deletes what it does not
/// keep, and so do they.
#[test]
fn what_the_host_keeps_no_client_deletes() {
    let mut lab = Lab::idle(Plan::new("flat", 86, 2).network(40, 0.0));
    let slot = lab.clients[0].slot();
    let world = lab.host.engine.world_mut();
    let unit = world.unit(slot).unwrap();
    let kept = world.give(slot, Kind::Rifle).unwrap();
    let dropped = world.give(slot, Kind::Pistol).unwrap();
    lab.run_ticks(30);
    let world = lab.host.engine.world_mut();
    world.kill(slot, None);
    assert!(world.keep(kept) && world.keep(unit));
    lab.run_ticks(30);
    let lies = |world: &World, id| world.describe(id).is_some();
    for tick in 30..u32::from(DROPPED_STAYS) + 300 {
        lab.run_ticks(1);
        for seat in &lab.clients {
            let world = seat.engine.world();
            assert!(lies(world, kept) && lies(world, unit), "tick {tick}");
        }
    }
    assert!(lab.clients.iter().all(|seat| !lies(seat.engine.world(), dropped)));
    assert!(lab.clients.iter().all(|seat| seat.engine.world().decisions().total() == 0));
    all_alike(&lab).unwrap();
}

/// OBJ-07, 08: a flag is carried on every machine, and a goal shown at it; the host deletes it: within the way and two
/// ticks it is out of its carrier's hands on every client, the other weapon is in them, and no goal is shown.
#[test]
fn a_flag_that_the_host_deletes_is_gone_with_its_goal() {
    let mut lab = Lab::idle(Plan::new("flat", 85, 3).network(50, 5.0));
    let slot = lab.clients[1].slot();
    let world = lab.host.engine.world_mut();
    let unit = world.unit(slot).unwrap();
    let kept = world.give(slot, Kind::Pistol).unwrap();
    let flag = world.give(slot, Kind::Flag).unwrap();
    lab.run_ticks(40);
    let in_hand = |world: &World| world.in_hand(unit).map(|(kind, _)| kind);
    for seat in &lab.clients {
        let world = seat.engine.world();
        let goals: Vec<_> = world.goals().map(|goal| (goal.flag, goal.carrier)).collect();
        assert_eq!(goals, [(flag, Some(unit))]);
        assert_eq!((holders(world, flag), in_hand(world)), (vec![unit], Some(Kind::Flag)));
    }
    assert!(lab.host.engine.world_mut().erase(flag));
    lab.run_ticks(1 + Lab::ticks_of(50) + 2);
    for seat in &lab.clients {
        let world = seat.engine.world();
        assert!(world.describe(flag).is_none() && world.goals().next().is_none());
        assert_eq!((holders(world, flag), holders(world, kept)), (vec![], vec![unit]));
        assert_eq!(in_hand(world), Some(Kind::Pistol));
        assert_eq!(world.inventory(unit).unwrap().weapons.iter().flatten().count(), 1);
    }
    lab.run_ticks(33);
    all_alike(&lab).unwrap();
}

/// Two who are 200 wu apart.
const FAR_APART: &str = "bounds -150 -20 -5 150 20 30
box -150 -20 -1 150 20 0
spawn -100 0 0 0
spawn 100 0 0 0
";

/// OBJ-17: a player fires for four seconds. Its own machine is told of its rounds at each look at which they are others, one
/// 200 wu off only in ticks in which it is sent the player, but for each second's turn.
#[test]
fn rounds_go_where_their_player_goes() {
    let mut lab = Lab::idle(Plan { ground: Some(FAR_APART), ..Plan::new("flat", 96, 2) });
    lab.run_ticks(30);
    let slot = lab.clients[0].slot();
    assert!(lab.host.engine.world_mut().give(slot, Kind::Rifle).is_some());
    let unit = lab.host.engine.world().unit(slot).unwrap();
    let places = [0, 1].map(|place: usize| lab.host.place(lab.clients[place].slot()));
    assert!((places[0].distance(places[1]) - 200.0).abs() < 5.0, "{places:?}");
    // Each looks away from the other, so that no aim raises how often it is sent.
    let away = |at: Vec3| if at.x > 0.0 { 0.0 } else { std::f32::consts::PI };
    for (place, at) in places.into_iter().enumerate() {
        let buttons = if place == 0 { Buttons::PRIMARY_TRIGGER } else { Buttons::default() };
        let hand: Hand = Box::new(move |_, _, _| Input { yaw: away(at), buttons, ..Input::default() });
        lab.clients[place].engine.take_over(0, hand);
    }
    lab.run_ticks(40);
    lab.clients.iter_mut().for_each(|seat| seat.network.listen());
    let rounds = |lab: &Lab| lab.host.engine.world().inventory(unit).unwrap();
    let (mut looked, mut changed, mut window) = (rounds(&lab), Vec::new(), None);
    lab.watch_ticks(120, |lab, who| {
        if who == Who::Host {
            let tick = lab.tick().get();
            window = Some(window.map_or((tick, tick), |(first, _)| (first, tick)));
            if tick % LOOK_INTERVAL as i32 == 0 {
                let now = rounds(lab);
                if now != std::mem::replace(&mut looked, now) {
                    changed.push(tick);
                }
            }
        }
    });
    lab.run_ticks(4);
    let (first, last) = window.unwrap();
    // The first look was compared with what had been before.
    changed.retain(|tick| *tick >= first + LOOK_INTERVAL as i32);
    let turn = |tick: i32| {
        tick % LOOK_INTERVAL as i32 == 0
            && (tick as u32 / LOOK_INTERVAL + unit.index() as u32).is_multiple_of(LOOKS_A_TURN)
    };
    let [own, far] = [0, 1].map(|place: usize| {
        let (mut told, mut sent) = (BTreeSet::new(), BTreeSet::new());
        messages(lab.clients[place].network.passed(), Way::In, |_, message| {
            let tick = message.tick.get();
            if !(first..=last).contains(&tick) {
                return;
            }
            let (told_now, sent_now) = match message.kind {
                Message::Inventories => {
                    (Inventory::read_all(message).flatten().any(|of| of.unit == unit), false)
                }
                Message::UnitStates => {
                    (false, UnitState::read_all(message).flatten().any(|of| of.slot == slot))
                }
                _ => (false, false),
            };
            told.extend(told_now.then_some(tick));
            sent.extend(sent_now.then_some(tick));
        });
        (told, sent)
    });
    assert!(changed.len() >= 20, "{changed:?}");
    let missed: Vec<_> = changed.iter().filter(|tick| !own.0.contains(tick)).collect();
    assert!(missed.is_empty(), "{missed:?} of {changed:?}");
    assert_eq!(far.1.len(), 30, "{:?}", far.1);
    let besides: Vec<_> = far.0.iter().filter(|tick| !far.1.contains(tick) && !turn(**tick)).collect();
    assert!(besides.is_empty(), "{besides:?} of {:?}, sent {:?}", far.0, far.1);
    let with: Vec<_> = far.0.iter().filter(|tick| far.1.contains(tick)).collect();
    assert!(with.len() >= 15, "{with:?}");
}
