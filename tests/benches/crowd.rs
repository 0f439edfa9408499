//! What 1 024 actors about a large level cost with seven clients: the netcode of the host and of a client a tick, with what the
//! engine does in its calls, which is told apart too; what a client is sent; and how old the oldest word on an actor is.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_engine_glue::objects::looks;
use mjolnir_engine_glue::{Actors as _, Harm as _, Objects as _, Players as _};
use mjolnir_tests::{Call, Played, Tape, Way, messages};
use mjolnir_wire::actors::ActorState;
use mjolnir_wire::{Kind, ObjectId, Tick};

const CLIENTS: usize = 7;
const SECONDS: f64 = 10.0;
/// Ticks of a game before it is steady.
const WARM_UP: i32 = 90;

/// The netcode's time in each steady tick, its frames' too.
fn ticks(tape: &Tape) -> Vec<Duration> {
    let (mut spent, mut tick, mut is_steady) = (Vec::new(), Duration::ZERO, false);
    tape.play(|call, make| {
        if let Call::Before(at) = call {
            is_steady = at.get() > WARM_UP;
        }
        let begun = Instant::now();
        make();
        tick += begun.elapsed();
        if matches!(call, Call::After(_)) {
            let all = std::mem::take(&mut tick);
            if is_steady {
                spent.push(all);
            }
        }
    });
    spent
}

/// What of a tick of the host's the engine's rows are: they are read that often.
fn rows(engine: &Played) -> Duration {
    const TIMES: u32 = 60;
    let (mut units, mut objects, mut actors) = (Vec::new(), Vec::new(), Vec::new());
    let (mut players, mut targets, mut carries) = (Vec::new(), Vec::new(), Vec::new());
    let mut begun = Instant::now();
    for number in 0..=TIMES {
        let tick = Tick::ZERO.plus(number);
        if number == 1 {
            // Buffers are as large by then as a tick leaves them.
            begun = Instant::now();
        }
        units.clear();
        objects.clear();
        actors.clear();
        players.clear();
        targets.clear();
        carries.clear();
        engine.read_units(&mut units);
        engine.read_object_rows(&mut objects);
        engine.read_actors(&mut actors);
        engine.read_harm(&mut players, &mut targets);
        if looks(tick) {
            engine.read_inventories(&mut carries);
        }
        black_box((&units, &objects, &actors, &players, &targets, &carries));
    }
    begun.elapsed() / TIMES
}

/// What a client was sent: bytes and datagrams a second, of which kinds, and how many ticks lay between two words on an actor.
fn tell(client: &Tape) {
    let (mut bytes, mut datagrams) = (0, 0);
    for passed in client.passed().iter().filter(|passed| passed.way == Way::In && passed.is_datagram()) {
        bytes += passed.bytes().len();
        datagrams += 1;
    }
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    let (mut newest, mut gaps) = (BTreeMap::<ObjectId, Tick>::new(), [0_usize; 16]);
    messages(client.passed(), Way::In, |_, message| {
        *kinds.entry(message.kind).or_default() += message.body.len();
        if message.kind == Kind::ActorStates {
            for state in ActorState::read_all(message).flatten() {
                if let Some(before) = newest.insert(state.unit, message.tick) {
                    gaps[message.tick.since(before).unsigned_abs().min(15) as usize] += 1;
                }
            }
        }
    });
    let second = |of: usize| of as f64 / SECONDS;
    println!("a client's second: {:.0} bytes in {:.1} datagrams", second(bytes), second(datagrams));
    println!("of these: {:?}", kinds.iter().map(|(kind, of)| (kind, second(*of) as u32)).collect::<Vec<_>>());
    println!("ticks from one word on an actor to the next, of {} actors: {gaps:?}", newest.len());
}

fn crowd(c: &mut Criterion) {
    let tapes = Tape::record("outpost", CLIENTS, SECONDS);
    tell(&tapes[1]);
    let mut group = c.benchmark_group("crowd");
    group.sample_size(10);
    for (tape, who) in tapes.iter().zip(["host", "client"]) {
        let mut spent = ticks(tape);
        spent.sort_unstable();
        let at = |of: usize| spent[(spent.len() - 1) * of / 100].as_secs_f64() * 1e6;
        println!("{who}: p50 {:.0} us, p99 {:.0} us, most {:.0} us a tick", at(50), at(99), at(100));
        group.bench_function(who, |b| {
            b.iter_custom(|wanted| {
                let spent = ticks(tape);
                spent.iter().sum::<Duration>() / spent.len() as u32 * wanted as u32
            });
        });
    }
    let engine = tapes[0].play(|_, make| make());
    println!("of the host's, the engine's rows: {:.0} us", rows(&engine).as_secs_f64() * 1e6);
    group.finish();
}

criterion_group!(benches, crowd);
criterion_main!(benches);
