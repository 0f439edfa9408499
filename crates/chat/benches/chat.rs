//! What the chat costs its host: a line to 128 machines, a look for links in a whole line, and a tick with nothing to do.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_chat::{Channel, Host, LINE_PERIOD, Line, Player, Settings, Text, World, has_link};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, MachineSet, Moment, ObjectId, Outbox, Slot, Tick};

/// A player on each of 128 machines, in two teams, four to a vehicle.
struct Game(Vec<Player>);

impl World for Game {
    fn roster(&self) -> impl Iterator<Item = Player> {
        self.0.iter().copied()
    }

    fn own_machine(&self) -> Machine {
        Machine::HOST
    }

    fn team_of(&self, slot: Slot) -> Option<u8> {
        Some(slot.get() & 1)
    }

    fn vehicle_root(&self, slot: Slot) -> Option<ObjectId> {
        ObjectId::new(u16::from(slot.get() / 4), 7)
    }
}

fn chat(c: &mut Criterion) {
    let player = |(slot, machine): (Slot, Machine)| {
        let name = Name::cut(&format!("Player {}", slot.get()));
        Player { slot, machine, name }
    };
    let game = Game(Slot::all().zip(Machine::all()).map(player).collect());
    let speaker = game.0[7];
    let text = Text::new("the base is empty, push now and take the flag while they respawn");
    let mut outbox = Outbox::new();

    for channel in [Channel::All, Channel::Team, Channel::Vehicle] {
        let (mut host, mut now) = (Host::new(Settings::On), Moment::START);
        let line = Line { slot: speaker.slot, channel, text };
        c.bench_function(&format!("line_to_128/{channel:?}"), |b| {
            b.iter(|| {
                now = now.plus(LINE_PERIOD);
                outbox.begin(Tick::ZERO, 0);
                host.handle_line(now, speaker.machine, &line, &game).expect("it may be said");
                host.tell(now, MachineSet::CLIENTS, &mut outbox);
                host.events().count()
            });
        });
    }
    let mut host = Host::new(Settings::On);
    let line = Line { slot: speaker.slot, channel: Channel::All, text };
    for _ in 0..5 {
        host.handle_line(Moment::START, speaker.machine, &line, &game).expect("it may be said");
    }
    c.bench_function("line_refused/too_fast", |b| {
        b.iter(|| host.handle_line(Moment::START, speaker.machine, black_box(&line), &game).is_err());
    });

    for (name, text) in [
        ("words", "the base is empty, push now and take the flag while they respa."),
        ("dots", "a . b . c . d . e . f . g . h . i . j . k . l . m . n . o . p ."),
        ("link", "the base is empty, push now and look at this here: example(.)gg"),
    ] {
        assert_eq!((text.len(), has_link(text.as_bytes())), (63, name == "link"));
        c.bench_function(&format!("has_link/{name}"), |b| b.iter(|| has_link(black_box(text.as_bytes()))));
    }

    // A mute is in force, as it may be for hours.
    let mut host = Host::new(Settings::On);
    host.tell(Moment::START, MachineSet::CLIENTS, &mut outbox);
    host.mute(Moment::START, speaker.slot, &game).expect("it is there");
    host.tell(Moment::START, MachineSet::CLIENTS, &mut outbox);
    c.bench_function("tick/nothing_to_do", |b| {
        b.iter(|| host.tell(black_box(Moment::from_millis(1)), MachineSet::CLIENTS, &mut outbox));
    });
    let now = Moment::from_millis(1);
    c.bench_function("is_muted/128_players", |b| {
        b.iter(|| host.is_muted(black_box(now), speaker.machine, &game));
    });
}

criterion_group!(benches, chat);
criterion_main!(benches);
