//! What a steady tick allocates: nothing.

use mjolnir_tests::{Call, Played, Tape};
use mjolnir_wire::{Slot, Tick};

/// Plays it again alone from what its network brought it, so that what the simulated network allocates is not counted: how many
/// frames and ticks there were from that tick on, those that allocated, and the game as it ended.
fn replayed(tape: &Tape, warm: u32) -> (usize, Vec<(Call, u64)>, Played) {
    let warm = Tick::ZERO.plus(warm);
    let (mut now, mut calls, mut allocations) = (Tick::ZERO, 0, Vec::new());
    let engine = tape.play(|call, make| {
        if let Call::Before(tick) = call {
            now = tick;
        }
        let counted = allocation_counter::measure(make);
        if now >= warm {
            calls += 1;
            if counted.count_total > 0 {
                allocations.push((call, counted.count_total));
            }
        }
    });
    (calls, allocations, engine)
}

/// Asserts that from five seconds on the netcode of each allocates nothing, in no frame and no tick, while so many walk.
fn assert_steady(tapes: &[(&Tape, &str)], walkers: usize) {
    for (tape, who) in tapes {
        let (calls, allocations, engine) = replayed(tape, 150);
        assert!(calls > 2500, "{who}: {calls} calls");
        assert_eq!(allocations, [], "{who}");
        // It was the game itself: everybody walked to its end.
        let world = engine.world();
        let walking = Slot::all().filter(|slot| world.velocity(*slot).is_some_and(|v| v.length() > 0.07));
        assert_eq!(walking.count(), walkers, "{who}");
    }
}

/// Architecture: with sixteen walking clients neither the host's netcode nor a client's allocates anything.
#[test]
fn a_steady_tick_allocates_nothing() {
    let [host, client] = Tape::record("flat", 16, 15.0);
    assert_steady(&[(&host, "host"), (&client, "client")], 16);
}

/// Architecture: nor does either with 64 on a field of 400 wu, where not everybody is sent in each tick.
#[test]
fn a_steady_tick_of_a_wide_game_allocates_nothing() {
    let [host, client] = Tape::record("field", 64, 15.0);
    assert_steady(&[(&host, "host"), (&client, "client")], 64);
}

/// Architecture: nor does the host in a fight of sixteen, with hits reported, held against the histories, dealt and told of all
/// the time. A client is told of all of it; what it allocates is not shown here.
#[test]
fn a_hosts_tick_of_a_fight_allocates_nothing() {
    let [host, client] = Tape::record_fight("flat", 16, 25.0);
    // What is hit and told of in a tick is as much as it gets by then, and buffers are as large.
    let (_, allocations, engine) = replayed(&host, 450);
    assert_eq!(allocations, []);
    assert!(engine.harms.counts.dealt > 50, "{} hits were dealt", engine.harms.counts.dealt);
    let told = client.play(|_, make| make()).harms.counts;
    assert!(told.replayed > 200, "{told:?}");
}

/// OBJ-35, 36: nor does the host with 1 024 actors about a large level, nor a client that drives them.
#[test]
fn a_tick_of_a_crowd_of_actors_allocates_nothing() {
    for (tape, who) in Tape::record("outpost", 7, 10.0).iter().zip(["host", "client"]) {
        let (calls, allocations, engine) = replayed(tape, 150);
        assert!(calls > 1200, "{who}: {calls} calls");
        assert_eq!(allocations, [], "{who}");
        assert_eq!(engine.world().actors().count(), 1024, "{who}");
    }
}
