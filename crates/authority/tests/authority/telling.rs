//! What the machines are told of players.

use super::*;

/// AUTH-04, 37, 42: each tick every machine is told of every player near its own, and of its own, dead or alive.
#[test]
fn every_machine_is_told_of_every_player_each_tick() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let mut outbox = Outbox::new();
    for now in 0..30 {
        let mut rows = [0, 1, 2, 3].map(|of| row(of, standing(east(f32::from(of)))));
        rows[2].state = dead(2, Some(0));
        outbox.begin(tick(now), now);
        host.after_tick(tick(now), GRAVITY, &mut rows, &[], &mut Vec::new());
        host.tell(tick(now), &rows, &places(&rows), &[], &mut outbox);
        let all = rows.map(|row| row.state);
        // The third is dead: everybody else is told of it now, and each sixth tick.
        let turn = now == 0 || (now + 2) % 6 == 0;
        for to in [1, 3] {
            let told = states(&outbox, machine(to));
            assert_eq!(
                told,
                all.into_iter().filter(|of| turn || of.slot != slot(2)).collect::<Vec<_>>(),
                "{now}"
            );
        }
        assert!(states(&outbox, machine(2)).contains(&all[2]));
    }
}

/// AUTH-04: a machine that has not loaded is told nothing, the host itself neither.
#[test]
fn only_loaded_machines_are_told() {
    let mut table = Table::at(0, Vec3::ZERO);
    table.host.set_clients([Machine::HOST, machine(2)].into_iter().collect());
    let mut told = 0;
    for _ in 0..4 {
        table.tick(None);
        assert!(states(&table.outbox, Machine::HOST).is_empty());
        assert!(states(&table.outbox, machine(1)).is_empty());
        told += states(&table.outbox, machine(2)).len();
    }
    // It has no player that could be near.
    assert_eq!(told, 1);
}

/// AUTH-37: one who left goes out as it changes, and to whoever loads later.
#[test]
fn who_left_is_told_of_as_it_changes() {
    let mut table = Table::at(0, Vec3::ZERO);
    let only = |index| MachineSet::only(machine(index));
    table.host.set_clients(only(1));
    table.row.left = true;
    let told = |table: &mut Table, to| {
        table.tick(None);
        states(&table.outbox, machine(to)).len()
    };
    assert_eq!(told(&mut table, 1), 1);
    assert_eq!(told(&mut table, 1), 0);
    table.row.state = dead(1, None);
    assert_eq!(told(&mut table, 1), 1);
    assert_eq!(told(&mut table, 1), 0);
    table.host.set_clients(only(1).union(only(2)));
    assert_eq!(told(&mut table, 2), 1);
    assert!(states(&table.outbox, machine(1)).is_empty());
    assert_eq!(told(&mut table, 2), 0);
}

/// AUTH-08, 42, 73: an input goes as the tick ran it, with three ticks' buttons, to all but its own machine; none
/// for the dead.
#[test]
fn an_input_is_relayed_to_the_others() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let mut outbox = Outbox::new();
    let mut rows = [row(0, standing(Vec3::ZERO)), row(1, standing(Vec3::ZERO)), row(2, standing(Vec3::ZERO))];
    rows[2].state = dead(2, None);
    let mut inputs = [input(0, None), input(1, Some(4)), input(2, Some(4))];
    inputs[1].input = Input { buttons: Buttons::JUMP, throttle: [1.0, -1.0], ..Input::default() };
    inputs[1].history = [Buttons::JUMP, Buttons::default(), Buttons::ACTION, Buttons::ACTION];
    outbox.begin(tick(9), 9);
    host.after_tick(tick(9), GRAVITY, &mut rows, &inputs, &mut Vec::new());
    host.tell(tick(9), &rows, &places(&rows), &inputs, &mut outbox);
    let of = |to| actions(&outbox, machine(to)).iter().map(|action| action.slot.get()).collect::<Vec<_>>();
    assert_eq!((of(1), of(2), of(3)), (vec![0], vec![0, 1], vec![0, 1]));
    let relayed = actions(&outbox, machine(2))[1];
    assert_eq!((relayed.input, relayed.history), (inputs[1].input, inputs[1].history));
}

/// AUTH-44 (in part: when and to whom; what is measured is the clock's): each sixty ticks, to all.
#[test]
fn round_trips_go_out_each_two_seconds() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let pings = [
        Ping { slot: slot(0), milliseconds: Some(0) },
        Ping { slot: slot(1), milliseconds: Some(214) },
        Ping { slot: slot(2), milliseconds: None },
    ];
    let mut outbox = Outbox::new();
    let mut messages = 0;
    for now in 1..=600 {
        outbox.begin(tick(now), now);
        host.pings(tick(now), &pings, &mut outbox);
        for to in [1, 3, 127] {
            parts(&outbox, machine(to), |part| {
                assert!(Ping::read_all(part).map(Result::unwrap).eq(pings));
                messages += 1;
            });
        }
    }
    assert_eq!(messages, 3 * 10);
}
