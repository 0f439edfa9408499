//! A machine that reads slowly: what it is told once it reads again.

use mjolnir_objects::{LACK_BYTES, LIST_INTERVAL};
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
    assert_eq!(side.sends(1), [deleted(1, 1), made(3, 1), made(2, 2), made(5, 1)]);
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
