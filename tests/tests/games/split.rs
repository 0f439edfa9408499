//! Split screen: machines with four players each, and each of them as if it were alone (GLUE-24).

use std::f32::consts::FRAC_PI_2;

use mjolnir_tests::{Lab, Plan, Seating, Who, bot, go, still};
use mjolnir_wire::{Slot, Vec3};

/// Two clients of four players each, that network away.
fn lab(seed: u64, milliseconds: u64, loss: f32, hands: fn(u64) -> mjolnir_tests::Hand) -> Lab {
    let plan = Plan::new("flat", seed, 2).network(milliseconds, loss);
    let seating = |of: u64| Seating::of((0..4).map(|hand| hands(4 * of + hand)).collect());
    Lab::play_as(plan, Seating::of(Vec::new()), |place| seating(place as u64))
}

fn slots(lab: &Lab, place: usize) -> Vec<Slot> {
    let slots = lab.clients[place].net.own_slots().to_vec();
    assert_eq!(slots.len(), 4);
    slots
}

/// PRED-01, PRED-35, GLUE-24: at 200 ms each way each of four players runs its own way in the tick of its input.
#[test]
fn each_of_four_runs_at_once() {
    let mut lab = lab(610, 200, 0.0, |_| still());
    lab.run_ticks(60);
    let own = slots(&lab, 0);
    let from: Vec<Vec3> = own.iter().map(|slot| lab.clients[0].place(*slot)).collect();
    for hand in 0..4 {
        lab.clients[0].engine.take_over(hand, go(hand as f32 * FRAC_PI_2));
    }
    let mut ticked = false;
    lab.watch_ticks(4, |lab, who| {
        if who != Who::Client(0) || ticked {
            return;
        }
        ticked = true;
        for (hand, (slot, from)) in own.iter().zip(&from).enumerate() {
            let (sin, cos) = (hand as f32 * FRAC_PI_2).sin_cos();
            let moved = lab.clients[0].place(*slot) - *from;
            assert!(moved.dot(Vec3::new(cos, sin, 0.0)) >= 0.07, "{hand}: {moved:?}");
            assert!(lab.host.place(*slot).distance(*from) < 0.01, "{hand}");
        }
    });
    assert!(ticked);
}

/// PRED-16, PRED-27, PRED-35, GLUE-24: a minute of four bots on each of two machines at 100 ms with 2 % loss: nobody is
/// moved, nothing is refused, and each one's place is told and taken.
#[test]
fn nobody_of_four_is_corrected() {
    let mut lab = lab(611, 100, 2.0, |seed| bot(6110 + seed));
    lab.run_seconds(3.0);
    let before = lab.host.net.counters().taken;
    lab.run_ticks(1800);
    for seat in &lab.clients {
        assert_eq!(seat.engine.notes.own_moves, []);
    }
    let counters = lab.host.net.counters();
    for reason in ["past_tolerance", "past_bounds"] {
        assert_eq!(counters.refused.get(reason).copied().unwrap_or(0), 0, "{reason}");
    }
    // Eight players, 1 800 ticks; the bots do not die on this map, and 2 % of the datagrams are lost.
    let taken = counters.taken - before;
    assert!((13_800..=14_400).contains(&taken), "{taken}");
}

/// PRED-15, PRED-35, PRED-38, GLUE-24: the host has one of four 5 wu aside: that one is moved, once, and no other.
#[test]
fn one_of_four_is_corrected_alone() {
    let mut lab = lab(612, 100, 0.0, |of| go(of as f32 * FRAC_PI_2));
    lab.run_ticks(60);
    let own = slots(&lab, 1);
    let (from, unit) = (lab.host.place(own[2]), lab.host.engine.world().unit(own[2]).unwrap());
    lab.host.engine.world_mut().place(unit, from + Vec3::new(0.0, 5.0, 0.0), None, None);
    lab.run_ticks(90);
    let [moved] = lab.clients[1].engine.notes.own_moves[..] else {
        panic!("{:?}", lab.clients[1].engine.notes.own_moves)
    };
    assert_eq!(moved.slot, own[2]);
    assert!((moved.distance() - 5.0).abs() <= 0.3, "{}", moved.distance());
    assert_eq!(lab.clients[0].engine.notes.own_moves, []);
}

/// PRED-05, PRED-06, PRED-07, GLUE-24: each of four presses jump on its own, with a tenth of the datagrams lost: the host's
/// units jump as often as the players did.
#[test]
fn no_press_of_four_is_lost() {
    let mut lab = lab(613, 50, 10.0, |of| {
        let mut tick = of as u32;
        Box::new(move |_, _, _| {
            tick += 1;
            let jumps = tick % 60 < 1;
            let buttons = if jumps { mjolnir_wire::Buttons::JUMP } else { Default::default() };
            mjolnir_wire::Input { buttons, ..Default::default() }
        })
    });
    lab.run_ticks(1800);
    lab.stand_still();
    lab.run_ticks(60);
    for place in 0..2 {
        for slot in slots(&lab, place) {
            let pressed = lab.clients[place].engine.notes.jumps[slot.index()];
            assert!(pressed >= 29, "{pressed}");
            assert_eq!(lab.host.engine.notes.jumps[slot.index()], pressed, "{place} {slot:?}");
        }
    }
}
