//! What a host pays for votes among 128 machines: a tick while one runs, what each second is told, an ask, and a vote's beginning,
//! which settles who may vote.

use std::hint::black_box;
use std::net::Ipv4Addr;

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_anticheat::votes::{Refusal, STATUS_PERIOD, Settings, VOTE_PAUSE, VOTE_PERIOD, Votes, World};
use mjolnir_anticheat::{HardwareId, Person};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, MachineSet, Moment, Outbox, Slot, Tick};

/// A player on each of 128 machines, each at an address of its own, with an id of its own.
struct Game(Vec<(Slot, Machine, Name)>, Vec<Person>);

impl World for Game {
    fn machines(&self) -> MachineSet {
        MachineSet::CLIENTS.union(MachineSet::HOST)
    }

    fn person(&self, machine: Machine) -> Option<Person> {
        self.1.get(machine.index()).copied()
    }

    fn played(&self, _: Machine) -> u32 {
        u32::MAX
    }

    fn players(&self) -> impl Iterator<Item = (Slot, Machine, Name)> {
        self.0.iter().copied()
    }
}

fn votes(c: &mut Criterion) {
    let name = |slot: Slot| Name::cut(&format!("Player {}", slot.get()));
    let players: Vec<_> =
        Slot::all().zip(Machine::all()).map(|(slot, machine)| (slot, machine, name(slot))).collect();
    let person = |(_, machine, _): &(Slot, Machine, Name)| Person {
        address: Some(Ipv4Addr::new(203, 0, 113, machine.get()).into()),
        hardware: format!("{:032x}", machine.get()).as_bytes().try_into().ok().and_then(HardwareId::heard),
    };
    let persons = players.iter().map(person).collect();
    let game = Game(players, persons);
    let (_, voter, _) = game.0[7];
    let (target, ..) = game.0[127];
    let mut outbox = Outbox::new();
    // A vote that runs, half of the votes that it needs in.
    let mut running = Votes::new(Settings::default());
    for (_, machine, _) in &game.0[..32] {
        running.ask(Moment::START, *machine, target, &game).expect("it may vote");
    }
    let mut now = Moment::START;
    running.tell(now, MachineSet::CLIENTS, &game, &mut outbox);

    let mut idle = Votes::new(Settings::default());
    c.bench_function("tick/no_vote", |b| {
        b.iter(|| {
            outbox.begin(Tick::ZERO, 0);
            idle.tell(black_box(Moment::START), MachineSet::CLIENTS, &game, &mut outbox);
            idle.step(black_box(Moment::START)).is_some()
        });
    });
    c.bench_function("tick/vote_of_128", |b| {
        b.iter(|| {
            outbox.begin(Tick::ZERO, 0);
            running.tell(black_box(Moment::START), MachineSet::CLIENTS, &game, &mut outbox);
            running.step(black_box(Moment::START)).is_some()
        });
    });
    c.bench_function("tick/vote_of_128_told", |b| {
        b.iter(|| {
            now = now.plus(STATUS_PERIOD);
            outbox.begin(Tick::ZERO, 0);
            running.tell(now, MachineSet::CLIENTS, &game, &mut outbox);
            outbox.is_empty()
        });
    });
    c.bench_function("ask/voted_already", |b| {
        b.iter(|| {
            now = now.plus(VOTE_PERIOD);
            assert_eq!(running.ask(now, voter, target, &game), Err(Refusal::Voted));
        });
    });
    c.bench_function("ask/too_fast", |b| {
        b.iter(|| running.ask(black_box(Moment::START), voter, target, &game).is_err());
    });
    let mut votes = Votes::new(Settings::default());
    c.bench_function("ask/starts_a_vote_of_128", |b| {
        b.iter(|| {
            now = now.plus(VOTE_PAUSE);
            votes.ask(now, voter, target, &game).expect("none runs");
            votes.new_game(now);
        });
    });
    c.bench_function("is_kept_out/nobody", |b| {
        b.iter(|| votes.is_kept_out(black_box(now), &game.1[9]));
    });
}

criterion_group!(benches, votes);
criterion_main!(benches);
