//! What a level costs that does much by itself, told to 32 machines and followed by one: a tick of 64 devices, a tick in which
//! everything moves that scripts have, and a single event that is heard.

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_coop::{
    DeviceClient, DeviceHost, DeviceRow, EventClient, EventHost, GroupRow, NamesClient, NamesHost,
    PresentationClient, Scripted, ScriptedClient, ScriptedHost, tell_presentation,
};
use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::events::{Action, CoopEvent};
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::{Axes, Machine, MachineSet, ObjectName, Outbox, Tick, Vec3};

fn machines() -> MachineSet {
    (1..33).filter_map(Machine::new).collect()
}

fn devices(c: &mut Criterion) {
    let to = machines();
    let groups: Vec<_> =
        (0..64).map(|of| GroupRow { of: Setting::Group(of), value: 1.0, changed: 1, snaps: 0 }).collect();
    for (name, moving) in [("64_moving", true), ("64_at_rest", false)] {
        let row =
            |of| DeviceRow { device: ObjectName::Named(of), position: 0.5, power: 1.0, moving, travel: 9.0 };
        let rows: Vec<_> = (0..64).map(row).collect();
        let (mut host, mut outbox, mut tick) = (DeviceHost::new(), Outbox::new(), Tick::ZERO);
        c.bench_function(&format!("host_tick/{name}"), |b| {
            b.iter(|| {
                tick = tick.next();
                outbox.begin(tick, 0);
                host.after_tick(tick, to, &groups, &rows, &mut outbox);
            });
        });
        let (mut client, mut commands, mut tick) = (DeviceClient::new(), Vec::new(), Tick::ZERO);
        c.bench_function(&format!("client_tick/{name}"), |b| {
            b.iter(|| {
                tick = tick.next();
                for (group, row) in groups.iter().zip(&rows) {
                    let GroupRow { of, value, changed, snaps } = *group;
                    let group = DeviceGroup { of, value, snaps, changed };
                    client.handle_group(tick, &group).expect("not too many");
                    let DeviceRow { device, position, power, moving, .. } = *row;
                    let state = DeviceState { device, moving, position, power };
                    client.handle_state(tick, &state).expect("not too many");
                }
                commands.clear();
                client.before_tick(&groups, &rows, &mut commands);
            });
        });
    }
}

/// What scripts do once in each tick of the busy level.
const ACTIONS: u16 = 10;

fn change(scripted: &mut Scripted, x: f32) {
    let (position, regions) = (Vec3::new(x, 0.0, 0.0), [x as u8; 8]);
    scripted.clear();
    for object in (0..64).map(ObjectName::Named) {
        scripted.transforms.push(Transform { object, position, axes: Axes::UPRIGHT });
        scripted.looks.push(Look { object, regions, scale: 1.0 });
    }
    scripted.effect = Some(ScreenEffect { noise: x, ..ScreenEffect::default() });
}

fn scripts(c: &mut Criterion) {
    let to = machines();
    let actions: Vec<_> = (0..ACTIONS).map(Action::ChapterTitle).collect();
    let (shown, mut scripted) = (Presentation::default(), Scripted::default());
    let mut all = ObjectNames::none(Some(0), 512);
    (0..512).for_each(|name| all.insert(name));
    let next = |tick: Tick| if tick == Tick::LAST { Tick::ZERO } else { tick.next() };

    let (mut events, mut names, mut state) = (EventHost::new(), NamesHost::new(), ScriptedHost::new());
    let (mut outbox, mut tick) = (Outbox::new(), Tick::ZERO);
    c.bench_function("host_tick/everything_moves", |b| {
        b.iter(|| {
            tick = next(tick);
            change(&mut scripted, tick.get() as f32);
            outbox.begin(tick, 0);
            tell_presentation(to, &shown, &mut outbox);
            names.after_tick(tick, to, Some(&all), &mut outbox);
            events.after_tick(to, MachineSet::NONE, &actions, &[], &mut outbox);
            state.after_tick(tick, to, &scripted, &mut outbox);
        });
    });

    let (mut events, mut names, mut state) = (EventClient::new(), NamesClient::new(), ScriptedClient::new());
    let (mut presentation, mut applied) = (PresentationClient::new(), Scripted::default());
    let (mut breaks, mut done, mut commands) = (Vec::new(), Vec::new(), Vec::new());
    let (mut tick, mut number) = (Tick::ZERO, 0_u16);
    c.bench_function("client_tick/everything_moves", |b| {
        b.iter(|| {
            tick = next(tick);
            change(&mut scripted, tick.get() as f32);
            presentation.handle_presentation(tick, &shown).expect("none is refused");
            names.handle_names(tick, &all).expect("none is refused");
            for action in &actions {
                number = number.wrapping_add(1);
                let event = CoopEvent { number, action: Some(*action) };
                // By the stream, and in three ticks' datagrams.
                for by_stream in [true, false, false, false] {
                    events.handle_event(tick, by_stream, &event).expect("not too many");
                }
            }
            for (transform, look) in scripted.transforms.iter().zip(&scripted.looks) {
                state.handle_transform(tick, transform).expect("not too many");
                state.handle_look(tick, look).expect("not too many");
            }
            done.clear();
            applied.clear();
            names.before_tick(Some(&all), &mut commands);
            events.before_tick(tick, |_| Some(true), |_| true, &mut breaks, &mut done);
            state.before_tick(|_| true, &mut applied);
            presentation.before_tick()
        });
    });

    let (mut client, mut number) = (EventClient::new(), 0_u16);
    c.bench_function("client/an_event", |b| {
        b.iter(|| {
            number = number.wrapping_add(1);
            let event = CoopEvent { number, action: Some(Action::ChapterTitle(number)) };
            client.handle_event(tick, false, &event).expect("not too many");
            done.clear();
            client.before_tick(tick, |_| Some(true), |_| true, &mut breaks, &mut done);
        });
    });
}

criterion_group!(benches, devices, scripts);
criterion_main!(benches);
