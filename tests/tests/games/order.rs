//! What comes after what in a tick, and what is counted.

use mjolnir_tests::{End, Lab, Plan, Seat, Seating, Step, Way, go, messages, packets};

/// The steps of one tick, each run of one kind once, from its last receive on.
fn tick(steps: &[Step]) -> Vec<Step> {
    let simulate = steps.iter().position(|step| *step == Step::Simulate).expect("a tick");
    let from = steps[..simulate].iter().rposition(|step| *step == Step::Receive).expect("heard before it");
    let mut tick = steps[from..].to_vec();
    tick.dedup();
    tick
}

/// GLUE-02: a host hears, gives every player its input, lets the engine run, takes what clients said of that tick,
/// and tells. The take comes after the run, unlike the row's order: the copy is moved on with the client's input
/// first, and then compared with where the client says that input took it.
#[test]
fn the_order_of_a_hosts_tick() {
    let mut lab = Lab::play(Plan::new("rooms", 81, 2).network(30, 0.0));
    lab.run_ticks(30);
    // Something to take: the copies are where the clients say, as long as both machines move alike.
    for place in 0..2 {
        let slot = lab.clients[place].slot();
        let world = lab.clients[place].engine.world_mut();
        let (unit, at) = (world.unit(slot).unwrap(), world.position(slot).unwrap());
        world.place(unit, at + mjolnir_wire::Vec3::new(0.1, 0.1, 0.0), None, None);
    }
    lab.run_ticks(4);
    let trace = lab.host.trace();
    lab.run_ticks(1);
    let ran = tick(&trace.borrow());
    use Step::{Control, Drive, Objects, Place, Read, Receive, Send, Simulate};
    assert_eq!(ran, [Receive, Read, Control, Drive, Simulate, Read, Place, Objects, Send]);
}

/// GLUE-02: a client hears, moves its copies and gives every player its input, lets the engine run, notes where its
/// own players are, and tells.
#[test]
fn the_order_of_a_clients_tick() {
    let mut lab = Lab::play(Plan::new("rooms", 82, 2).network(30, 5.0));
    lab.run_ticks(30);
    let trace = lab.clients[0].trace();
    let end = lab.clients[0].ticks + 1;
    lab.run_until("a tick", 1, |lab| lab.clients[0].ticks == end);
    let ran = tick(&trace.borrow());
    use Step::{Control, Drive, Place, Read, Receive, Send, Simulate};
    let without_moves: Vec<Step> = {
        let mut steps: Vec<_> = ran.iter().copied().filter(|step| *step != Place).collect();
        steps.dedup();
        steps
    };
    assert_eq!(without_moves, [Receive, Read, Control, Drive, Simulate, Read, Send]);
    let simulate = ran.iter().position(|step| *step == Simulate).unwrap();
    assert!(!ran[simulate..].contains(&Place));
}

/// GLUE-13: after ten seconds of play the counters are what passed: as many messages each way as went through the
/// machine's network.
#[test]
fn counters_are_what_passed() {
    fn counted<N: End>(seat: &Seat<N>) -> [u64; 3] {
        let counters = seat.net.counters();
        [counters.sent, counters.received, counters.refused.values().sum()]
    }
    fn passed<N: End>(seat: &Seat<N>) -> [u64; 3] {
        let count = |way| {
            let mut count = packets(seat.network.passed(), way).len() as u64;
            messages(seat.network.passed(), way, |_, _| count += 1);
            count
        };
        [count(Way::Out), count(Way::In), 0]
    }
    let mut lab = Lab::play(Plan::new("rooms", 83, 2));
    // What came is counted when a tick reads it: each machine is looked at as it has just done so.
    lab.run_until("a tick", 1, |lab| lab.host.ticked.is_some());
    lab.host.network.listen();
    let (host, taken) = (counted(&lab.host), lab.host.net.counters().taken);
    lab.run_until("a tick", 1, |lab| lab.clients[0].ticked.is_some());
    lab.clients[0].network.listen();
    let client = counted(&lab.clients[0]);
    lab.run_seconds(10.0);

    lab.run_until("a tick", 1, |lab| lab.host.ticked.is_some());
    let grown: [u64; 3] = std::array::from_fn(|at| counted(&lab.host)[at] - host[at]);
    assert_eq!(grown, passed(&lab.host));
    assert!(lab.host.net.counters().taken - taken > 2 * 290);
    lab.run_until("a tick", 1, |lab| lab.clients[0].ticked.is_some());
    let grown: [u64; 3] = std::array::from_fn(|at| counted(&lab.clients[0])[at] - client[at]);
    assert_eq!(grown, passed(&lab.clients[0]));
    assert!(grown[0] > 600);
}

/// GLUE-01: no machine waits for another's inputs: one that loads, one that is cut off and one that is dead hold up
/// neither the host nor each other.
#[test]
fn nobody_is_waited_for() {
    let mut lab = Lab::play(Plan::new("flat", 84, 3));
    lab.join(Seating { load_micros: 30_000_000, ..Seating::of(vec![go(0.0)]) });
    lab.partition(0, true);
    lab.clients[1].runs = false;
    let before = [lab.host.ticks, lab.clients[0].ticks, lab.clients[2].ticks];
    lab.run_seconds(5.0);
    let after = [lab.host.ticks, lab.clients[0].ticks, lab.clients[2].ticks];
    for (before, after) in before.into_iter().zip(after) {
        assert!((after - before).abs_diff(150) <= 1, "{}", after - before);
    }
}
