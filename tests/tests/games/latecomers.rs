//! What went wrong in others' joins (docs/failures.md): machines that come one after another, that load for long, or
//! whose network goes away in the middle of a join.

use mjolnir_engine_glue::client::Notice;
use mjolnir_skirmish::game::World;
use mjolnir_tests::{Lab, Plan, Seating, bot, still};
use mjolnir_wire::Vec3;

fn has_ended(lab: &Lab, place: usize) -> bool {
    lab.clients[place].notices.iter().any(|(_, notice)| matches!(notice, Notice::Closed { .. }))
}

/// PRED-15, OBJ-04: four machines come into a game five seconds apart, at 30 ms each way, and each one's player
/// is thrown aside as soon as it plays: within forty ticks of that every machine has everybody where the host has them,
/// and the same objects; ten games of ten.
#[test]
fn machines_that_come_one_after_another_agree() {
    for seed in 130..140 {
        let plan = Plan::new("flat", seed, 0).network(30, 0.0);
        let mut lab = Lab::play(plan);
        let mut thrown = 0;
        for place in 0..4 {
            lab.run_seconds(5.0);
            let late = lab.join(Seating::of(vec![bot(seed + place)]).with_faults(plan.faults));
            let lives = |lab: &Lab| {
                let slot = lab.clients[late].net.own_slots().first();
                let unit = |world: &World| slot.and_then(|slot| world.unit(*slot));
                let has_world = lab.clients[late].ticks > 0;
                has_world
                    && unit(lab.clients[late].engine.world()).is_some()
                    && unit(lab.host.engine.world()).is_some()
            };
            lab.run_until("it plays", 10, lives);
            let slot = lab.clients[late].slot();
            let (place, unit) = (lab.host.place(slot), lab.host.engine.world().unit(slot).unwrap());
            lab.host.engine.world_mut().place(unit, place + Vec3::new(0.0, 5.0, 0.0), None, None);
            lab.stand_still();
            // A player that is in the air has to land as well.
            lab.run_ticks(40);
            let apart = lab.apart().unwrap_or_else(|| panic!("seed {seed}, {late}: not everybody is there"));
            assert!(apart < 0.01, "seed {seed}, {late}: {apart} wu");
            thrown += lab.clients[late].engine.notes.own_moves.len();
            let objects = |world: &World| {
                let mut objects: Vec<_> = world.objects().collect();
                objects.sort_unstable();
                objects
            };
            let there = objects(lab.host.engine.world());
            for (at, seat) in lab.clients.iter_mut().enumerate() {
                assert_eq!(objects(seat.engine.world()), there, "seed {seed}, {late}: client {at}");
                seat.engine.take_over(0, bot(seed + at as u64));
            }
            lab.host.engine.take_over(0, bot(seed));
        }
        assert!(thrown >= 4, "seed {seed}: {thrown} were moved");
    }
}

/// NET-59, 29, 30: a machine of four players hosts, and one that loads for fifty seconds, ready long after the others,
/// is waited for; one that comes later loads for ninety. Nobody is dropped, and all play.
#[test]
fn long_loads_are_waited_for() {
    let plan = Plan::new("flat", 141, 0).network(30, 0.0);
    let mut lab = Lab::open(plan, Seating::of((0..4).map(|_| still()).collect()).with_faults(plan.faults));
    let load = |seconds: u64| Seating {
        load_micros: seconds * 1_000_000,
        ..Seating::of(vec![still()]).with_faults(plan.faults)
    };
    for seconds in [50, 1] {
        lab.join(load(seconds));
    }
    lab.gather();
    lab.begin();
    lab.run_until("all play", 55, |lab| lab.clients.iter().all(|seat| seat.ticks > 30));
    assert!(lab.now() >= 50_000_000);
    let begun = lab.now();
    let late = lab.join(load(90));
    lab.run_until("the late one plays", 95, |lab| lab.clients[late].ticks > 30);
    assert!(lab.now() - begun >= 90_000_000);
    assert!((0..3).all(|place| !has_ended(&lab, place)));
    lab.run_seconds(2.0);
    assert!(lab.apart().unwrap() < 0.01);
    assert_eq!(lab.host.engine.world().players().count(), 7);
}

/// NET-53, 22: at 40 ms each way a machine's network goes away for a second, at each twentieth of a second of its join
/// into a game: what was said is not lost, it is in once, and plays.
#[test]
fn a_join_survives_a_second_without_a_network() {
    let mut cut_off = 0;
    for step in 0..16 {
        let plan = Plan::new("flat", 142, 1).network(40, 0.0);
        let mut lab = Lab::play(plan);
        let late =
            lab.join(Seating { load_micros: 200_000, ..Seating::of(vec![still()]) }.with_faults(plan.faults));
        lab.run_seconds(f64::from(step) * 0.05);
        cut_off += u32::from(lab.clients[late].ticks == 0);
        lab.partition(late, true);
        lab.run_seconds(1.0);
        lab.partition(late, false);
        lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 30);
        lab.run_seconds(1.0);
        assert!(!has_ended(&lab, late), "step {step}: {:?}", lab.clients[late].notices);
        assert_eq!(lab.host.net.transport().machines().len(), 2, "step {step}");
        assert_eq!(lab.host.engine.world().players().count(), 3, "step {step}");
        lab.stand_still();
        lab.run_seconds(2.0);
        assert!(lab.apart().unwrap() < 0.01, "step {step}");
    }
    assert!(cut_off >= 8, "{cut_off} were cut off before they played");
}
