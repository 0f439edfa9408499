//! What machines are told with a tick, and what a tick costs.

use mjolnir_anticheat::votes::Settings;
use mjolnir_anticheat::{Host, Player, Way};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot};

use super::scene::{Scene, anyone, machine, tick};

/// CHEAT-45, 47: the policy is told to who becomes ready and again as it changes, once each; votes are told of with it.
#[test]
fn the_policy_is_told() {
    let mut scene = Scene::new(2);
    let first = MachineSet::only(machine(1));
    let told = |scene: &mut Scene, ready| -> Vec<(u8, Kind, Vec<u8>)> {
        let told = scene.told(ready).into_iter();
        told.flat_map(|(of, told)| told.into_iter().map(move |(kind, body)| (of, kind, body))).collect()
    };
    assert_eq!(told(&mut scene, first), [(1, Kind::AimAssistPolicy, vec![0; 4])]);
    scene.host.set_aim_assist(AimAssistPolicy::Blocked);
    assert_eq!(scene.host.aim_assist(), AimAssistPolicy::Blocked);
    assert_eq!(told(&mut scene, MachineSet::NONE), [(1, Kind::AimAssistPolicy, vec![1, 0, 0, 0])]);
    assert_eq!(told(&mut scene, MachineSet::NONE), []);
    // In another game nobody is ready; a machine that left and another in its place become so anew.
    let now = scene.now();
    scene.host.begin_game(now);
    scene.host.set_aim_assist(AimAssistPolicy::Allowed);
    assert_eq!(told(&mut scene, MachineSet::NONE), []);
    assert_eq!(told(&mut scene, first), [(1, Kind::AimAssistPolicy, vec![0; 4])]);
    scene.leave(1);
    scene.join(1, anyone(1));
    scene.host.set_aim_assist(AimAssistPolicy::Blocked);
    assert_eq!(told(&mut scene, MachineSet::NONE), []);
}

/// CHEAT-08, 39: a tick of a game of 128 machines allocates nothing, what is noted of each by both ways among it: without a vote,
/// and while one runs.
#[test]
fn a_steady_tick_allocates_nothing() {
    let (mut host, mut outbox) = (Host::new(), Outbox::new());
    let at = |number: u32| Moment::from_micros(u64::from(number) * 33_333);
    host.set_votes(Moment::START, Settings { minutes: 0, ..Settings::default() });
    host.start_game(at(0), tick(0));
    for of in Machine::all().filter(|of| *of != Machine::HOST) {
        host.join(at(0), of, anyone(of.get()), Some(tick(0)));
    }
    let players = Slot::all().zip(Machine::all());
    host.set_players(players.map(|(slot, machine)| Player { slot, machine, name: Name::cut("Name") }));
    let mut run = |host: &mut Host, number: u32| {
        for of in Machine::all() {
            host.note(at(number), tick(number), of, Way::Stream, tick(number));
            host.note(at(number), tick(number), of, Way::Datagram, tick(number));
        }
        host.step(at(number), MachineSet::CLIENTS);
        outbox.begin(tick(number), 0);
        host.tell(at(number), MachineSet::CLIENTS, &mut outbox);
        assert!(host.next_output().is_none());
    };
    (1..150).for_each(|number| run(&mut host, number));
    let counted = allocation_counter::measure(|| (150..450).for_each(|number| run(&mut host, number)));
    assert_eq!(counted.count_total, 0);
    host.handle_vote(at(450), machine(1), Slot::new(9).unwrap()).unwrap();
    (450..600).for_each(|number| run(&mut host, number));
    let counted = allocation_counter::measure(|| (600..900).for_each(|number| run(&mut host, number)));
    assert_eq!(counted.count_total, 0, "while a vote runs");
    assert_eq!(host.votes().target(), Some(machine(9)));
}
