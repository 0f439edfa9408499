//! Bodies, and things that come and go faster than their news; what a join costs those who are there.

use std::cell::Cell;
use std::rc::Rc;

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_tests::{Lab, Plan, RESTS_WU, Seating, still, unlike};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Vec3};

/// Runs on, for at most so many ticks, until every client that runs has what the host has; in how many.
fn until_alike(lab: &mut Lab, ticks: u32) -> u32 {
    for ran in 0..=ticks {
        let clients = lab.clients.iter().enumerate().filter(|(_, seat)| seat.runs);
        let differs = clients
            .filter_map(|(place, seat)| Some((place, unlike(lab.host.engine.world(), seat.engine.world())?)))
            .next();
        let Some((place, what)) = differs else { return ran };
        assert!(ran < ticks, "after {ran} ticks client {place} {what}");
        lab.run_ticks(1);
    }
    unreachable!("the last is asserted")
}

fn hosts_objects(world: &World) -> usize {
    world.objects().filter(|id| id.index() < FIRST_OWN_OBJECT).count()
}

/// OBJ-21, 25, 26: a player dies high in the air: its body falls on every machine and lies limp where the host has it,
/// not where the player died.
#[test]
fn a_body_lies_where_it_falls() {
    let mut lab = Lab::idle(Plan::new("flat", 91, 3).network(75, 5.0));
    let slot = lab.clients[0].slot();
    let unit = lab.host.engine.world().unit(slot).unwrap();
    let high = lab.host.place(slot) + Vec3::UP * 6.0;
    assert!(lab.host.engine.world_mut().move_to(slot, high));
    lab.run_ticks(5);
    assert!(lab.host.engine.world_mut().kill(slot, None));
    assert!(high.z - lies(&mut lab, unit).z > 5.9);
}

/// OBJ-24, 25: a body that lies is blown away: it lies limp on no machine while it flies, and again where it comes to
/// rest.
#[test]
fn a_body_that_is_blown_away_lies_where_it_lands() {
    let mut lab = Lab::idle(Plan::new("flat", 97, 3).network(75, 5.0));
    let slot = lab.clients[0].slot();
    let unit = lab.host.engine.world().unit(slot).unwrap();
    assert!(lab.host.engine.world_mut().kill(slot, None));
    let first = lies(&mut lab, unit);
    assert!(lab.host.engine.world_mut().throw(unit, Vec3::new(0.05, 0.03, 0.08)));
    lab.run_ticks(Lab::ticks_of(75) + 4);
    assert!(lab.clients.iter().all(|seat| !seat.engine.world().is_limp(unit)));
    assert!(lies(&mut lab, unit).distance(first) > 1.0);
}

/// Runs until a body rests on the host and half a second more; where it lies, limp, on every machine.
fn lies(lab: &mut Lab, unit: ObjectId) -> Vec3 {
    lab.run_until("it lies", 10, |lab| {
        lab.host.engine.world().describe(unit).expect("it is not deleted yet").at_rest
    });
    lab.run_ticks(15 + Lab::ticks_of(75) + 2);
    let there = lab.host.engine.world().describe(unit).unwrap();
    assert!(there.dead && lab.host.engine.world().is_limp(unit), "{there:?}");
    for seat in &lab.clients {
        let here = seat.engine.world().describe(unit).unwrap();
        let far = here.position.distance(there.position);
        assert!(seat.engine.world().is_limp(unit) && far <= RESTS_WU, "{far} wu: {here:?} and not {there:?}");
    }
    there.position
}

/// OBJ-28: a player dies with its light on: within the way and a step of the ladder its body's is on, on every client, and
/// so it is for who comes when it lies, within the way and half a second from its list.
#[test]
fn a_bodys_light_is_on_everywhere() {
    let plan = Plan::new("flat", 98, 2).network(50, 0.0);
    let mut lab = Lab::idle(plan);
    let slot = lab.clients[0].slot();
    let unit = lab.host.engine.world().unit(slot).unwrap();
    lab.clients[0]
        .engine
        .take_over(0, Box::new(|_, _, _| Input { buttons: Buttons::FLASHLIGHT, ..Input::default() }));
    lab.run_ticks(20);
    let on = |world: &World| world.light(unit) == Some(true);
    assert!(on(lab.host.engine.world()));
    let world = lab.host.engine.world_mut();
    assert!(world.kill(slot, None) && world.keep(unit));
    lab.run_ticks(1 + Lab::ticks_of(50) + 2 + 4);
    assert!(lab.clients.iter().all(|seat| on(seat.engine.world())));
    lies(&mut lab, unit);
    // Hundreds of others lie there, so that its turn is far off.
    for number in 0..400 {
        let at = Vec3::new(f32::from(number as u16 % 20) - 10.0, (number / 20) as f32 - 10.0, 0.5);
        lab.host.engine.world_mut().spawn(Kind::Rifle, at);
    }
    lab.run_seconds(3.0);
    // Whenever its turn is.
    for _ in 0..4 {
        let late = lab.join(Seating::of(vec![still()]).with_faults(plan.faults));
        lab.run_until("it has the list", 10, |lab| lab.clients[late].net.objects().list_complete());
        lab.run_ticks(15 + Lab::ticks_of(50) + 2);
        assert!(on(lab.clients[late].engine.world()));
    }
    until_alike(&mut lab, 60);
}

/// OBJ-40, 02, 03: five hundred things that stand for a tick each, on a way of 60 ms: none is left on any machine, and
/// nothing is refused as what nobody said.
#[test]
fn what_stands_for_a_tick_leaves_nothing() {
    let mut lab = Lab::idle(Plan::new("flat", 92, 2).network(60, 5.0));
    let before = hosts_objects(lab.host.engine.world());
    for _ in 0..500 {
        let thing = lab.host.engine.world_mut().spawn(Kind::Medkit, Vec3::new(5.0, 5.0, 3.0)).unwrap();
        lab.run_ticks(1);
        assert!(lab.host.engine.world_mut().erase(thing));
    }
    lab.run_seconds(2.0);
    assert_eq!(hosts_objects(lab.host.engine.world()), before);
    for seat in &lab.clients {
        assert_eq!(hosts_objects(seat.engine.world()), before);
        assert_eq!(seat.net.objects().lacking(), 0);
    }
}

/// OBJ-16, 13: two hundred lives begin with something in hand while a tenth of the datagrams is lost: each time every
/// machine has what the unit carries within 45 ticks, nearly each time within ten.
#[test]
fn what_a_life_begins_with_is_known_at_once() {
    let mut lab = Lab::idle(Plan::new("flat", 93, 2).network(30, 10.0));
    let slot = lab.clients[0].slot();
    let mut late = 0;
    for round in 0..200 {
        lab.run_until("it lives", 20, |lab| lab.host.engine.world().unit(slot).is_some());
        let kind = [Kind::Rifle, Kind::Pistol, Kind::Plasma][round % 3];
        assert!(lab.host.engine.world_mut().give(slot, kind).is_some());
        // What it makes is told with the tick.
        lab.run_ticks(1);
        late += u32::from(until_alike(&mut lab, 45) > 10);
        assert!(lab.host.engine.world_mut().kill(slot, None));
    }
    assert!(late <= 20, "{late} of 200 later than ten ticks");
}

/// OBJ-40, 52: a client's stream stands for two seconds while datagrams come, in which two hundred things are made,
/// moved and given: what is said of things that it does not know yet is dropped, and once the stream goes on it has
/// each where it is, in the hand that it is in.
#[test]
fn a_stream_that_stands_loses_nothing() {
    let mut lab = Lab::idle(Plan::new("flat", 94, 2).network(30, 0.0));
    let slot = lab.clients[0].slot();
    let stands = Rc::new(Cell::new(true));
    let (still_stands, mut kept) = (Rc::clone(&stands), Vec::new());
    lab.clients[1].network.meddle_with_stream(move |message| {
        kept.push(message.to_vec());
        if still_stands.get() { Vec::new() } else { std::mem::take(&mut kept) }
    });
    let mut given = Vec::new();
    for number in 0..60 {
        let world = lab.host.engine.world_mut();
        for more in 0..3 {
            let at = Vec3::new(number as f32 * 0.2 - 6.0, more as f32, 1.0);
            assert!(world.spawn([Kind::Rifle, Kind::Medkit, Kind::Cart][more], at).is_some());
        }
        if number % 3 == 0 {
            given.extend(world.give(slot, Kind::Plasma));
        }
        lab.run_ticks(1);
    }
    let knows = |lab: &Lab, id: &ObjectId| lab.clients[1].engine.world().describe(*id).is_some();
    assert!(given.len() == 20 && !given.iter().any(|id| knows(&lab, id)));
    stands.set(false);
    // Updates come by it each few ticks.
    lab.run_ticks(15);
    assert!(given.iter().all(|id| knows(&lab, id)));
    let ran = until_alike(&mut lab, 60);
    assert!(ran <= 60, "{ran}");
}

/// OBJ-04, NET-60: a machine joins a game of more than three hundred things and several players: each who is there is
/// sent no more for it than the newcomer's player, less than 4 KiB in all beside what it is sent anyway.
#[test]
fn a_join_costs_the_others_next_to_nothing() {
    let mut lab = Lab::idle(Plan::new("yard", 95, 4).network(20, 0.0));
    lab.run_seconds(4.0);
    let sent = |lab: &Lab| -> Vec<u64> {
        let of = |place: usize| {
            let machine = lab.clients[place].net.transport().machine().unwrap();
            lab.host.net.transport().traffic(machine).unwrap().sent.bytes()
        };
        (0..4).map(of).collect()
    };
    let before = sent(&lab);
    lab.run_ticks(120);
    let alone = sent(&lab);
    let late = lab.join(Seating::of(vec![still()]));
    lab.run_ticks(120);
    assert_eq!(lab.clients[late].net.objects().lacking(), 0);
    let joined = sent(&lab);
    for place in 0..4 {
        let (usual, now) = (alone[place] - before[place], joined[place] - alone[place]);
        // A player more to be told of each tick is no cost of the join: 35 bytes of state and some input.
        let told = 120 * 60;
        assert!(now < usual + told + 4096, "client {place}: {now} bytes, before it {usual}");
    }
    let late = lab.clients[late].net.transport().machine().unwrap();
    let its = lab.host.net.transport().traffic(late).unwrap().sent.bytes();
    assert!(its > 300 * 40 && late != Machine::HOST, "{its} bytes to the one who joined");
}

/// OBJ-41, 05: two hundred things were made and are gone before a machine joins: it knows of none, and has what is made
/// in their places after.
#[test]
fn what_is_gone_is_no_ghost() {
    let mut lab = Lab::idle(Plan::new("flat", 96, 1).network(20, 0.0));
    let gone: Vec<ObjectId> = (0..200)
        .map(|at| {
            let place = Vec3::new(at as f32 * 0.1 - 10.0, 6.0, 1.0);
            lab.host.engine.world_mut().spawn(Kind::Rifle, place).unwrap()
        })
        .collect();
    lab.run_ticks(30);
    for id in &gone {
        assert!(lab.host.engine.world_mut().erase(*id));
    }
    lab.run_ticks(30);
    let late = lab.join(Seating::of(vec![still()]));
    lab.run_until("it plays", 10, |lab| lab.clients[late].net.objects().list_complete());
    assert!(gone.iter().all(|id| lab.clients[late].engine.world().describe(*id).is_none()));
    lab.run_ticks(30);
    until_alike(&mut lab, 10);
}
