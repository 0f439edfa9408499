//! What a join costs against a long list of bans, and what a line of one costs to make. The list is in memory: reading it is
//! the disk's.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_anticheat::bans::{Search, find};
use mjolnir_anticheat::{HardwareId, LocalTime, Person, Record};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::player::Name;

/// Lines of the list, of the length that the host's own mostly have.
const LINES: u32 = 100_000;

fn bans(c: &mut Criterion) {
    let user = Identity::new("123456789012345678", "somebody");
    let names = || [Name::cut("Somebody"), Name::cut("Another")].into_iter();
    let time = LocalTime { year: 2026, month: 3, day: 7, hour: 9, minute: 5, second: 0 };
    let person = |number: u32| Person {
        address: Some(core::net::Ipv4Addr::from_bits(0x0A00_0000 + number).into()),
        hardware: HardwareId::heard(format!("{number:032x}").as_bytes().try_into().expect("32 digits")),
    };
    let mut list = Vec::new();
    for number in 0..LINES {
        list.extend_from_slice(Record::ban(&person(number), &user, names()).line(time).as_bytes());
        list.push(b'\n');
    }

    let mut group = c.benchmark_group("join/100_000_lines");
    group.throughput(Throughput::Bytes(list.len() as u64)).sample_size(20);
    let (stranger, last, first) = (person(LINES), person(LINES - 1), person(0));
    for (name, who, found) in
        [("nobody", stranger, None), ("last", last, Some(LINES)), ("first", first, Some(1))]
    {
        let id = who.hardware.as_ref();
        assert_eq!(find(&list, who.address, id), found.map(|line| line as usize));
        group.bench_function(name, |b| b.iter(|| find(black_box(&list), who.address, id)));
    }
    let six = "2001:db8::1".parse().ok();
    group.bench_function("nobody_ipv6", |b| {
        b.iter(|| find(black_box(&list), six, stranger.hardware.as_ref()));
    });
    group.bench_function("nobody_in_pieces", |b| {
        b.iter(|| {
            let mut search = Search::new(stranger.address, stranger.hardware);
            list.chunks(64 * 1024).for_each(|piece| search.feed(black_box(piece)));
            search.end()
        });
    });
    group.finish();

    let who = person(7);
    c.bench_function("record/made", |b| b.iter(|| Record::ban(black_box(&who), &user, names())));
    let record = Record::ban(&who, &user, names());
    c.bench_function("record/line", |b| b.iter(|| black_box(&record).line(time)));
}

criterion_group!(benches, bans);
criterion_main!(benches);
