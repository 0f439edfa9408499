//! A machine that reads slowly: what it is told once it reads again.

use mjolnir_objects::{CHANGES_A_TICK, LACK_BYTES, LIST_INTERVAL};
use mjolnir_wire::{MachineSet, ObjectId};
use proptest::prelude::*;

use super::{Copy, Sent, Side, deleted, machine, made, object, stream};

fn behind(side: &mut Side, is: bool) {
    side.host.set_behind(if is { MachineSet::only(machine(1)) } else { MachineSet::NONE });
}

/// Two machines with the list, on a host with objects 1 and 2.
fn two() -> Side {
    let mut side = Side::new();
    side.make(1, 1);
    side.make(2, 1);
    side.ask(1).unwrap();
    side.ask(2).unwrap();
    side.tick();
    side
}

/// Who is behind is told of nothing, the others of everything; once it reads again it is told what is no more and what
/// stands, each once, and then of changes as everybody.
#[test]
fn who_is_behind_is_told_the_difference() {
    let mut side = two();
    behind(&mut side, true);
    side.make(3, 1);
    side.delete(1, 1);
    assert_eq!(side.sends(1), []);
    assert_eq!(stream(&side.outbox, machine(2)), [made(3, 1), deleted(1, 1)]);
    side.make(4, 1);
    side.delete(4, 1);
    side.delete(2, 1);
    side.make(2, 2);
    assert_eq!(side.sends(1), []);
    behind(&mut side, false);
    side.make(5, 1);
    assert_eq!(side.sends(1), [deleted(1, 1), made(2, 2), made(3, 1), made(5, 1)]);
    assert_eq!(stream(&side.outbox, machine(2)), [made(5, 1)]);
    side.make(6, 1);
    assert_eq!(side.sends(1), [made(6, 1)]);
}

/// What it has at an index is what stood there as it fell behind, not what came and went since: that is deleted.
#[test]
fn what_came_and_went_hides_nothing() {
    let mut side = two();
    behind(&mut side, true);
    side.delete(1, 1);
    side.make(1, 2);
    side.tick();
    side.delete(1, 2);
    side.tick();
    behind(&mut side, false);
    assert_eq!(side.sends(1), [deleted(1, 1)]);
}

/// A machine that is behind again before it was told keeps what it lacks; one that leaves is forgotten; one that never
/// had the list lacks nothing.
#[test]
fn who_is_behind_again_lacks_what_it_lacked() {
    let mut side = two();
    behind(&mut side, true);
    side.make(3, 1);
    side.tick();
    behind(&mut side, false);
    behind(&mut side, true);
    side.make(4, 1);
    assert_eq!(side.sends(1), []);
    behind(&mut side, false);
    assert_eq!(side.sends(1), [made(3, 1), made(4, 1)]);
    behind(&mut side, true);
    side.make(5, 1);
    side.tick();
    side.host.forget(machine(1));
    behind(&mut side, false);
    assert_eq!(side.sends(1), []);
    assert_eq!(stream(&side.outbox, machine(2)), []);
}

/// OBJ-48: an ask of a machine that is behind waits; it is answered once it reads, after what it lacked.
#[test]
fn an_ask_waits_for_who_is_behind() {
    let mut side = two();
    behind(&mut side, true);
    side.delete(2, 1);
    side.make(3, 1);
    side.now = LIST_INTERVAL;
    side.ask(1).unwrap();
    assert_eq!(side.sends(1), []);
    assert_eq!(side.listed, MachineSet::NONE);
    behind(&mut side, false);
    assert_eq!(side.sends(1), [deleted(2, 1), made(1, 1), made(3, 1), Sent::ListEnds]);
}

/// As many changes in one tick as are told of each are, in their order; one more, and their difference is told in the
/// ticks from there, so many in each, all machines the same. Both sides.
#[test]
fn a_tick_of_too_many_changes_is_spread() {
    for more in [0, 1] {
        let mut side = two();
        let count = (CHANGES_A_TICK + more) as u16;
        (0..count).for_each(|number| side.make(100 + number, 1));
        let first = side.sends(1);
        assert_eq!(first.len(), CHANGES_A_TICK);
        assert_eq!(first, stream(&side.outbox, machine(2)));
        assert_eq!(side.sends(1).len(), more);
        assert_eq!(side.sends(1), []);
        side.make(4000, 1);
        assert_eq!(side.sends(1), [made(4000, 1)]);
    }
}

/// OBJ-01, 02, 03: every place of the host's half deleted and filled anew in one tick, which is more than a stream takes at
/// once: no tick tells a machine of more than a few, and all end with the host's objects within a second.
#[test]
fn everything_anew_in_one_tick_overruns_no_stream() {
    let mut side = Side::new();
    (0..4096).for_each(|index| side.make(index, 1));
    let mut copies = [Copy::loaded(&[]), Copy::loaded(&[])];
    (1..=2).for_each(|of| side.ask(of).unwrap());
    side.tick();
    for (of, copy) in (1..).zip(&mut copies) {
        copy.says(&stream(&side.outbox, machine(of)));
        assert_eq!(copy.has.len(), 4096);
    }
    (0..4096).for_each(|index| side.delete(index, 1));
    (0..4096).for_each(|index| side.make(index, 2));
    let mut ticks = 0;
    let equal = |copy: &Copy| copy.has.len() == 4096 && copy.has.iter().all(|has| has.identifier() == 2);
    while !copies.iter().all(equal) {
        side.tick();
        for (of, copy) in (1..).zip(&mut copies) {
            let mut bytes = Vec::new();
            side.outbox.gather_stream(machine(of), &mut bytes);
            assert!(bytes.len() <= CHANGES_A_TICK * 134, "{} bytes in a tick", bytes.len());
            copy.says(&stream(&side.outbox, machine(of)));
        }
        ticks += 1;
        assert!(ticks <= 30, "within a second");
    }
    assert_eq!(side.sends(1), []);
}

/// Machines that fell behind at different ticks had different objects in one place: each is told of its own.
#[test]
fn each_is_told_of_what_it_had() {
    let mut side = two();
    behind(&mut side, true);
    side.delete(1, 1);
    side.make(1, 2);
    assert_eq!(side.sends(1), []);
    side.host.set_behind([machine(1), machine(2)].into_iter().collect());
    side.delete(1, 2);
    side.delete(2, 1);
    side.tick();
    behind(&mut side, false);
    assert_eq!(side.sends(1), [deleted(1, 1), deleted(2, 1)]);
    assert_eq!(stream(&side.outbox, machine(2)), [deleted(1, 2), deleted(2, 1)]);
}

/// OBJ-48: an ask waits for everything that is no more to be told, since the list does not say it.
#[test]
fn a_list_follows_all_that_is_no_more() {
    let mut side = Side::new();
    (0..1000).for_each(|index| side.make(index, 1));
    side.ask(1).unwrap();
    let mut copy = Copy::loaded(&[]);
    copy.says(&side.sends(1));
    side.now = LIST_INTERVAL;
    (0..600).for_each(|index| side.delete(index, 1));
    side.make(0, 2);
    side.ask(1).unwrap();
    let counts: Vec<_> = (0..4)
        .map(|_| {
            let sent = side.sends(1);
            copy.says(&sent);
            (sent.len(), sent.contains(&Sent::ListEnds))
        })
        .collect();
    assert_eq!(counts, [(256, false), (256, false), (599 - 512 + 401 + 1, true), (0, false)]);
    assert_eq!(copy.has.len(), 401);
}

/// OBJ-01: whatever changes while what a machine lacks is told, some hundreds in a tick, it ends with the host's
/// objects, and no tick tells of more than it may.
#[test]
fn what_changes_while_it_is_told_is_told() {
    for seed in 1..=20_u64 {
        let mut chance = seed;
        let mut any = |most: u64| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (chance >> 33) % most
        };
        let mut side = Side::new();
        side.ask(1).unwrap();
        let mut copy = Copy::loaded(&[]);
        let mut stands = [0_u16; 700];
        let mut identifier = 1;
        for round in 0..60 {
            let changes = if round < 40 { [0, 20, 700][any(3) as usize] } else { 0 };
            for _ in 0..changes {
                let index = any(700) as u16;
                let place = &mut stands[usize::from(index)];
                if *place == 0 {
                    (*place, identifier) = (identifier, identifier + 1);
                    side.make(index, *place);
                } else {
                    side.delete(index, *place);
                    *place = 0;
                }
            }
            behind(&mut side, round < 40 && any(4) == 0);
            if round == 20 {
                side.now += LIST_INTERVAL;
                side.ask(1).unwrap();
            }
            let sent = side.sends(1);
            let is_list = sent.contains(&Sent::ListEnds);
            assert!(is_list || sent.len() <= CHANGES_A_TICK, "seed {seed}: {}", sent.len());
            copy.says(&sent);
        }
        let mut hosts: Vec<_> = side.has.iter().map(|has| has.object).collect();
        hosts.sort_unstable();
        copy.has.sort_unstable();
        assert_eq!(hosts, copy.has, "seed {seed}");
    }
}

/// Ten thousand changes while a machine is behind cost no more memory than one: [`LACK_BYTES`] and what is beside.
#[test]
fn what_is_kept_does_not_grow() {
    let mut side = two();
    let all = allocation_counter::measure(|| behind(&mut side, true)).bytes_total;
    assert!((8192..LACK_BYTES as u64 * 2).contains(&all), "{all}");
    let change = |side: &mut Side, number: u16| {
        side.make(number, 1);
        side.delete(number, 1);
        side.tick();
    };
    change(&mut side, 4000);
    let more = allocation_counter::measure(|| (10..4000).for_each(|number| change(&mut side, number)));
    assert_eq!(more.count_total, 0);
}

proptest! {
    /// Whatever changes, and whenever a machine falls behind and reads again, it ends with the host's objects.
    #[test]
    fn who_was_behind_ends_with_the_hosts_objects(
        steps in prop::collection::vec((0..6_u16, 0..8_u8), 0..150),
    ) {
        let mut side = Side::new();
        side.ask(1).unwrap();
        let mut copy = Copy::loaded(&[]);
        let mut next = 1;
        for (index, step) in steps.into_iter().chain([(0, 6), (0, 7)]) {
            let stands: Option<ObjectId> =
                side.has.iter().map(|has| has.object).find(|has| has.index() == usize::from(index));
            match (step, stands) {
                (0..=3, None) => {
                    side.make(index, next);
                    next += 1;
                }
                (0..=3, Some(has)) => side.delete(index, has.identifier()),
                (4, _) => {
                    side.now += LIST_INTERVAL;
                    side.ask(1).unwrap();
                }
                (5, _) => behind(&mut side, true),
                (6, _) => behind(&mut side, false),
                _ => {
                    let sent = side.sends(1);
                    copy.says(&sent);
                }
            }
        }
        let mut hosts: Vec<_> = side.has.iter().map(|has| has.object).collect();
        hosts.sort_unstable();
        copy.has.sort_unstable();
        prop_assert_eq!(hosts, copy.has);
        prop_assert!(!copy.client.exists(object(7, 1)));
    }
}
