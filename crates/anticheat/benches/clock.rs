//! What the measure of clocks costs a host: a message noted, and a tick of 127 clients' clocks, of which none or all end a window.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_anticheat::{Clocks, Finding, Way};
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Machine, Moment, Tick};

fn tick(number: u64) -> Tick {
    Tick::new(number as i32 & i32::MAX).unwrap_or_default()
}

/// Everybody is measured, and was heard at that tick: half of them honest, half twice as fast.
fn hear(clocks: &mut Clocks, number: u64) -> Moment {
    let now = Moment::from_micros(micros_of_ticks(number));
    for machine in Machine::all().skip(1) {
        let stamp = tick(number << (machine.get() & 1));
        clocks.note(now, machine, tick(number), stamp, Way::Datagram);
        clocks.note(now, machine, tick(number), stamp, Way::Stream);
    }
    now
}

fn clock(c: &mut Criterion) {
    let mut clocks = Clocks::new();
    Machine::all().skip(1).for_each(|machine| clocks.add(Moment::START, machine, Tick::ZERO));
    let machine = Machine::all().nth(7).unwrap_or(Machine::HOST);
    let mut number = 0;
    c.bench_function("note", |b| {
        b.iter(|| {
            number += 1;
            let now = Moment::from_micros(number * 33_333);
            clocks.note(now, machine, tick(number), black_box(tick(number)), Way::Stream);
        });
    });

    let mut clocks = Clocks::new();
    Machine::all().skip(1).for_each(|machine| clocks.add(Moment::START, machine, Tick::ZERO));
    let mut number = 0;
    c.bench_function("127_heard", |b| {
        b.iter(|| {
            number += 1;
            hear(&mut clocks, number)
        });
    });
    let mut clocks = Clocks::new();
    Machine::all().skip(1).for_each(|machine| clocks.add(Moment::START, machine, Tick::ZERO));
    hear(&mut clocks, 59);
    let now = Moment::from_micros(micros_of_ticks(59));
    c.bench_function("step/no_window_ends", |b| b.iter(|| clocks.step(black_box(now), |_, _| ())));
    let mut number = 59;
    let mut fast = 0_u64;
    c.bench_function("127_heard_and_step/all_windows_end", |b| {
        b.iter(|| {
            number += 60;
            let now = hear(&mut clocks, number);
            clocks.step(now, |_, found| fast += u64::from(found != Finding::Honest));
        });
    });
    assert!(fast > 0);
}

criterion_group!(benches, clock);
criterion_main!(benches);
