//! What a report costs with the histories of 128 players and 64 vehicles full: one that is dealt, lies by what they are refused
//! for, a flood; and what a tick costs. It says how many reports each host refused of those that were to be dealt.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_damage::{
    AreaForm, Deals, Effect, Flight, Host, Means, PlayerRow, Rate, Reach, Riding, Seat, Tags, Target,
    TargetRow, World,
};
use mjolnir_wire::damage::{Damage, Hit, HitReport, Parts};
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Tick, Vec3};

const PLAYERS: u8 = 128;
const VEHICLES: u16 = 64;
/// A shot that hits at once, one that flies for nine seconds, a collision, and a shot whose weapon is slow.
const SHOT: Tag = Tag(101);
const ROCKET: Tag = Tag(102);
const RAM: Tag = Tag(103);
const SLOW: Tag = Tag(104);
const CAR: Tag = Tag(9);

struct Game(Vec<Target>);

impl Tags for Game {
    fn effect(&self, _: Tag) -> Option<Effect> {
        Some(Effect { radius: 0.0, falls_off: false, form: AreaForm::Direct })
    }

    fn deals(&self, source: Tag, effect: Tag) -> Option<Deals> {
        let ticks = if effect == ROCKET { 270 } else { 0 };
        let means = match effect {
            RAM if source == CAR => Means::Collision { push: 0.5, whole_at: 0.0 },
            SHOT | ROCKET | SLOW if source == Tag(4) => {
                Means::Flight(Flight { reach: Reach::Within(100.0), sets_off: 0.0, ticks })
            }
            _ => return None,
        };
        // So fast that none is refused for it but the slow.
        let rate = if effect == SLOW {
            Rate { per_second: 1.0, projectiles: 1 }
        } else {
            Rate { per_second: 1.0e6, projectiles: u16::MAX }
        };
        Some(Deals { means, rate })
    }
}

impl World for Game {
    fn target(&self, object: ObjectId) -> Option<Target> {
        self.0.get(object.index()).copied()
    }
}

fn object(index: u16) -> ObjectId {
    ObjectId::new(index, 7).expect("in range")
}

/// Each on a line of its own, 0.08 wu a tick.
fn place(index: u16, now: i32) -> Vec3 {
    Vec3::new((now % 1000) as f32 * 0.08, f32::from(index) * 0.1, 0.0)
}

/// The first 64 players drive a car each; all have four weapons, the last of which deals what is reported.
fn players(now: i32) -> Vec<PlayerRow> {
    let seat = Seat { drives: true, guns: false };
    (0..PLAYERS)
        .map(|index| PlayerRow {
            slot: Slot::new(index).expect("in range"),
            machine: Machine::new(index).expect("in range"),
            unit: Some(object(index.into())),
            place: place(index.into(), now),
            riding: (u16::from(index) < VEHICLES).then(|| Riding {
                vehicle: object(u16::from(index) + u16::from(PLAYERS)),
                tag: CAR,
                size: 2.0,
                seat,
            }),
            weapons: [Some(Tag(1)), Some(Tag(2)), Some(Tag(3)), Some(Tag(4))],
            team: None,
            multiplier: 1.0,
        })
        .collect()
}

fn targets(now: i32) -> Vec<TargetRow> {
    let all = u16::from(PLAYERS) + VEHICLES;
    let velocity = Vec3::new(0.08, 0.0, 0.0);
    (0..all)
        .map(|index| TargetRow { object: object(index), place: place(index, now), velocity, size: 2.0 })
        .collect()
}

fn game(now: i32) -> Game {
    let of = |row: &TargetRow| Target {
        place: row.place,
        velocity: row.velocity,
        size: row.size,
        centre: Vec3::ZERO,
        nodes: 19,
        regions: 3,
        materials: 2,
    };
    Game(targets(now).iter().map(of).collect())
}

/// Histories of thirteen seconds, and the last tick of them.
fn full() -> (Host, Tick) {
    let mut host = Host::new();
    for now in 0..=600 {
        host.after_tick(tick(now), &players(now), &targets(now), &[]);
    }
    (host, tick(600))
}

fn tick(now: i32) -> Tick {
    Tick::new(now).expect("in range")
}

/// Of the fifth player, which drives, on the hundredth, as it was ten ticks ago.
fn report(effect: Tag) -> HitReport {
    let at = place(100, 590);
    let damage = Damage {
        effect,
        flags: 0,
        owner: Slot::new(5),
        team: None,
        owner_object: None,
        origin: at,
        epicentre: at,
        direction: Vec3::UP,
        scale: 1.0,
        multiplier: 1.0,
        material_effect_scale: 1.0,
        material: None,
    };
    let hit = Hit { object: object(100), damage, target: at, normal: None, parts: Parts::default() };
    HitReport { hit, heard: tick(590) }
}

fn changed(effect: Tag, change: impl FnOnce(&mut HitReport)) -> HitReport {
    let mut report = report(effect);
    change(&mut report);
    report
}

fn a_report(c: &mut Criterion) {
    let mut group = c.benchmark_group("report");
    let game = game(600);
    let from = Machine::new(5).expect("in range");
    let ram = changed(RAM, |said| {
        let car = place(5 + u16::from(PLAYERS), 600);
        said.hit.object = object(127);
        said.hit.target = car;
        said.hit.damage.origin = car;
        said.hit.damage.epicentre = car;
    });
    // Beyond its reach everywhere in nine seconds, from which no place of the player is left out.
    let off = |said: &mut HitReport, by: f32| {
        said.hit.target += Vec3::UP * by;
        said.hit.damage.origin = said.hit.target;
        said.hit.damage.epicentre = said.hit.target;
    };
    let reports = [
        ("dealt", report(SHOT)),
        ("dealt_rocket", report(ROCKET)),
        ("lie_not_owned", changed(SHOT, |said| said.hit.damage.owner = Slot::new(6))),
        ("lie_too_hard", changed(SHOT, |said| said.hit.damage.scale = 2.0)),
        ("lie_not_held", report(Tag(999))),
        ("lie_too_fast", report(SLOW)),
        ("lie_wrong_shape", changed(SHOT, |said| said.hit.damage.origin = Vec3::ZERO)),
        ("lie_too_far_all_of_nine_seconds", changed(ROCKET, |said| off(said, 500.0))),
        ("lie_target_elsewhere", changed(SHOT, |said| off(said, 20.0))),
        ("ram", ram),
    ];
    for (name, report) in reports {
        let (mut host, now) = full();
        let before = host.counts();
        group.bench_function(name, |b| {
            b.iter(|| black_box(host.handle_report(now, from, Some(6.0), black_box(&report), &game)));
        });
        let counts = host.counts();
        println!("{name}: {} dealt, {} rejected", counts.dealt - before.dealt, counts.rejected);
    }
    group.finish();
}

fn after_tick(c: &mut Criterion) {
    c.bench_function("after_tick", |b| {
        let (mut host, mut now) = full();
        let (players, targets) = (players(600), targets(600));
        b.iter(|| {
            now = now.next();
            host.after_tick(now, black_box(&players), black_box(&targets), &[]);
        });
    });
}

criterion_group!(benches, a_report, after_tick);
criterion_main!(benches);
