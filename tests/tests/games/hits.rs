//! What the shooter saw hit, hits: clients' shots, grenades, blows and vehicles, over bad networks. What each means comes to
//! stands in `budget.txt`.

use mjolnir_engine_glue::{Counters, Hits};
use mjolnir_net_compare::Line;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::effects::LANCE;
use mjolnir_tests::hits::{Means, fighter, judge, restock, walker, watch};
use mjolnir_tests::{End, Hand, Lab, Plan, Seat, Seating, Way, Who, messages, still};
use mjolnir_wire::damage::{Hit, HitReport};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::{Buttons, Input, Kind as Message, MessageType, ObjectId, Slot, Tick, Vec3};

/// A field for two.
const FIELD: &str = "bounds -60 -60 -4 60 60 20\nbox -60 -60 -1 60 60 0\nspawns -4 -4 4 4 2 2 0\n";
/// So far east of who shoots the target stands, in wu.
pub(super) const APART: f32 = 8.0;

/// That field with these lines besides.
pub(super) fn ground(lines: &str) -> &'static str {
    String::leak(format!("{FIELD}{lines}\n"))
}

/// A game of the host's player, which is the target, and a client's, which stands 8 wu west of it.
pub(super) fn duel(plan: Plan, target: Hand) -> (Lab, Slot, Slot) {
    let plan = Plan { harm: true, ..plan };
    let mut lab = Lab::play_as(plan, Seating::of(vec![target]), |_| Seating::of(vec![still()]));
    let (own, other) = (lab.clients[0].slot(), lab.host.slot());
    let world = lab.host.engine.world_mut();
    assert!(world.move_to(own, Vec3::ZERO) && world.move_to(other, Vec3::new(APART, 0.0, 0.0)));
    lab.run_seconds(2.0);
    (lab, own, other)
}

/// A duel over so many milliseconds each way, with that kit.
pub(super) fn armed(seed: u64, latency: u64, kit: &str) -> (Lab, Slot, Slot) {
    let plan = Plan { ground: Some(ground(&format!("kit {kit}"))), ..Plan::new("flat", seed, 1) };
    duel(plan.network(latency, 0.0), still())
}

/// One that looks at the middle of that player and holds those buttons in the ticks that are asked for, from 1.
pub(super) fn at(target: Slot, buttons: Buttons, when: impl Fn(u32) -> bool + 'static) -> Hand {
    let mut passed = 0;
    Box::new(move |world, slot, _| {
        passed += 1;
        let eyes = world.eyes(slot).unwrap_or_default();
        let to = world.position(target).unwrap_or_default() + Vec3::UP * 0.4 - eyes;
        let pitch = libm::atan2f(to.z, to.across().length().max(0.1));
        let buttons = if when(passed) { buttons } else { Buttons::default() };
        let trigger = if buttons.contains(Buttons::PRIMARY_TRIGGER) { 1.0 } else { 0.0 };
        Input { buttons, trigger, yaw: World::yaw(to.across()), pitch, ..Input::default() }
    })
}

/// One that strafes north and south at full speed, turning each so many ticks.
fn strafes(every: u32) -> Hand {
    let mut passed = 0;
    Box::new(move |_, _, _| {
        passed += 1;
        let side = if (passed / every).is_multiple_of(2) { 1.0 } else { -1.0 };
        Input { throttle: [0.0, side], ..Input::default() }
    })
}

/// What is left of a player on a machine, its shield and its body.
pub(super) fn left(world: &World, slot: Slot) -> [f32; 2] {
    world.unit(slot).and_then(|unit| world.vitality(unit)).map_or([0.0; 2], |of| [of.shield, of.body])
}

fn refused(lab: &Lab, reason: &str) -> u64 {
    let Counters { refused, .. } = lab.host.net.counters();
    refused.get(reason).copied().unwrap_or(0)
}

/// The hits that the first client saw.
pub(super) fn seen(lab: &Lab) -> Vec<(Tick, Hit)> {
    let harms = &lab.clients[0].engine.harms;
    harms.hits.iter().map(|saw| (saw.tick, saw.hit)).collect()
}

/// The reports in what was written to a stream.
fn reports(writes: &[u8]) -> Vec<HitReport> {
    let mut reader = StreamReader::new();
    reader.push(writes);
    let mut reports = Vec::new();
    while let Ok(Some((of, bytes))) = reader.next_message() {
        if let (MessageType::Data, Ok(message)) = (of, mjolnir_wire::Message::read(bytes))
            && message.kind == Message::HitReports
        {
            reports.extend(HitReport::read_all(&message).map(Result::unwrap));
        }
    }
    reports
}

/// What a client wrote to its stream since it was told to keep it.
fn written(lab: &mut Lab, place: usize) -> Vec<u8> {
    lab.clients[place].network.take_writes().into_iter().flat_map(|(_, bytes)| bytes).collect()
}

/// A message of one report.
fn said(report: &HitReport, tick: Tick) -> Vec<u8> {
    let mut body = Vec::new();
    report.write(&mut body);
    let word = mjolnir_wire::message::word(MessageType::Data, 8 + body.len()).unwrap();
    [&word[..], &[Message::HitReports as u8, 1], &tick.get().to_le_bytes(), &body[..]].concat()
}

/// That report, as the client's machine says it now by its stream.
fn say(lab: &mut Lab, report: &HitReport) {
    let tick = lab.clients[0].net.clock().tick().unwrap();
    lab.clients[0].network.write_besides(&said(report, tick));
    lab.run_ticks(4);
}

/// A report that was dealt: of a single shot of a rifle's.
fn honest(lab: &mut Lab, other: Slot) -> HitReport {
    watch(lab);
    lab.clients[0].network.keep_writes();
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick == 1));
    lab.run_ticks(10);
    let reports = reports(&written(lab, 0));
    let [report] = reports[..] else { panic!("{reports:?}") };
    report
}

/// DMG-01: a client's player shoots for three seconds at somebody while its network is cut: its own game sees each shot hit and
/// takes nothing from anybody.
#[test]
fn a_client_deals_no_damage() {
    let (mut lab, _, other) = armed(800, 20, "rifle");
    let before = left(lab.clients[0].engine.world(), other);
    watch(&mut lab);
    lab.partition(0, true);
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |_| true));
    lab.watch_ticks(90, |lab, _| assert_eq!(left(lab.clients[0].engine.world(), other), before));
    assert!(seen(&lab).len() >= 25, "{} hits", seen(&lab).len());
    assert_eq!((before, left(lab.host.engine.world(), other)), ([1.0; 2], [1.0; 2]));
}

/// DMG-02, 03: of four kinds of sources each hit is one report, by the stream and in no datagram, with the tick of the host's that
/// the client's clock had heard of as it was made.
#[test]
fn each_hit_is_one_report() {
    for means in [Means::Rifle, Means::Frag, Means::Blow, Means::Car] {
        let plan = Plan { ground: Some(means.ground()), ..Plan::new("flat", 801, 3) };
        let mut lab = Lab::idle(Plan { harm: true, ..plan.network(60, 0.0) });
        for place in 0..3 {
            let walks = means.rides() && place == 2;
            let hand = if walks { walker(7) } else { fighter(place as u64, means) };
            lab.clients[place].engine.take_over(0, hand);
            lab.clients[place].network.keep_writes();
            lab.clients[place].network.listen();
        }
        watch(&mut lab);
        let mut heard = Vec::new();
        lab.watch_ticks(900, |lab, who| match who {
            Who::Client(place) => {
                let seat = &lab.clients[place];
                heard.push((place, seat.engine.world().tick(), seat.net.clock().heard()));
            }
            Who::Host if lab.host.ticks.is_multiple_of(30) => {
                restock(lab.host.engine.world_mut(), means.grenade());
            }
            Who::Host => {}
        });
        let mut all = 0;
        for place in 0..3 {
            let hits = &lab.clients[place].engine.harms.hits;
            let at = |tick: Tick| heard.iter().find(|of| (of.0, of.1) == (place, tick)).unwrap().2;
            let expected: Vec<_> =
                hits.iter().map(|saw| (saw.hit.object, saw.hit.target, at(saw.tick))).collect();
            let mut sent = 0;
            messages(lab.clients[place].network.passed(), Way::Out, |_, message| {
                sent +=
                    HitReport::read_all(message).count() * usize::from(message.kind == Message::HitReports);
            });
            let reports = reports(&written(&mut lab, place));
            let told: Vec<_> = reports.iter().map(|of| (of.hit.object, of.hit.target, of.heard)).collect();
            assert_eq!((told, sent), (expected.clone(), expected.len()), "{means:?}");
            all += sent;
        }
        assert!(all >= 4, "{means:?}: {all} hits");
    }
}

/// DMG-04: the bytes of a report that was dealt by the stream deal nothing in a datagram, and are counted once.
#[test]
fn a_report_in_a_datagram_counts_for_nothing() {
    let (mut lab, _, other) = armed(802, 0, "rifle");
    let report = honest(&mut lab, other);
    let (hurt, hits) = (left(lab.host.engine.world(), other), lab.host.net.counters().hits);
    assert!(hurt[0] < 1.0);
    let tick = lab.clients[0].net.clock().tick().unwrap();
    lab.clients[0].network.send_besides(&said(&report, tick));
    lab.run_ticks(4);
    assert_eq!((left(lab.host.engine.world(), other), refused(&lab, "wrong_channel")), (hurt, 1));
    assert_eq!(lab.host.net.counters().hits, hits);
    say(&mut lab, &report);
    assert!(left(lab.host.engine.world(), other)[0] < hurt[0], "by the stream it counts");
    assert_eq!(lab.host.net.counters().hits.dealt, hits.dealt + 1);
}

/// DMG-20: a wall that the host has and the client has not stands between them: what the client saw hit, hits.
#[test]
fn what_stands_between_is_not_asked_for() {
    let wall = ground("kit rifle\nbox 3 -5 0 4 5 5");
    let plan =
        Plan { ground: Some(wall), clients_ground: Some(ground("kit rifle")), ..Plan::new("flat", 803, 1) };
    let (mut lab, own, other) = duel(plan.network(40, 0.0), still());
    let before = watch(&mut lab);
    let world = lab.host.engine.world();
    assert!(!world.sees(world.eyes(own).unwrap(), world.eyes(other).unwrap()));
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick < 30));
    lab.run_seconds(2.0);
    let figures = judge(&lab, &before);
    assert!(figures.seen >= 8 && figures.dealt == figures.seen, "{figures:?}");
    assert!(left(lab.host.engine.world(), other)[0] < 0.3);
}

/// DMG-21: of a strafing target over 150 ms each way every hit is dealt; the same hit said to be 10 wu off is refused, and 1.9 wu
/// off is not.
#[test]
fn a_target_is_where_the_host_had_it() {
    let plan = Plan { ground: Some(ground("kit rifle")), ..Plan::new("flat", 804, 1) };
    let (mut lab, _, other) = duel(plan.network(150, 0.0), strafes(40));
    let before = watch(&mut lab);
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |_| true));
    lab.run_ticks(45);
    lab.clients[0].engine.take_over(0, still());
    lab.run_seconds(1.0);
    let figures = judge(&lab, &before);
    assert!(figures.seen >= 8 && figures.dealt == figures.seen, "{figures:?}");

    let (mut lab, _, other) = armed(805, 0, "rifle");
    let honest = honest(&mut lab, other);
    for (off, elsewhere) in [(1.9, 0), (2.1, 1), (10.0, 2)] {
        let by = Vec3::new(0.0, off, 0.0);
        let mut report = HitReport { heard: lab.clients[0].net.clock().heard(), ..honest };
        report.hit.target += by;
        report.hit.damage.origin += by;
        report.hit.damage.epicentre += by;
        say(&mut lab, &report);
        assert_eq!(refused(&lab, "hit_target_elsewhere"), elsewhere, "{off} wu off");
    }
    let hits = lab.host.net.counters().hits;
    assert_eq!((hits.dealt, hits.rejected), (2, 2));
}

/// DMG-23: what the host is sent is held back for 900 ms while a client's player fires at one that strafes: once it comes, every
/// hit is dealt.
#[test]
fn a_hit_that_comes_late_counts_as_of_its_tick() {
    let plan = Plan { ground: Some(ground("kit rifle")), ..Plan::new("flat", 806, 1) };
    let (mut lab, _, other) = duel(plan.network(50, 0.0), strafes(40));
    let before = watch(&mut lab);
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick <= 27));
    lab.impair(Who::Host).stall(true);
    lab.run_seconds(0.9);
    let (early, dealt) = (seen(&lab).len(), lab.host.net.counters().hits.dealt);
    lab.impair(Who::Host).stall(false);
    lab.run_seconds(1.0);
    let figures = judge(&lab, &before);
    assert!(early >= 8 && dealt == 0, "{early} seen and {dealt} dealt");
    assert!(figures.dealt == figures.seen && figures.missed() == 0, "{figures:?}");
}

/// DMG-24, 25: what the host is sent is held back for four seconds while a client's player fires: when it comes, hits of more
/// than three seconds ago are refused, and of the others no more are dealt at once than a second's fire and a quarter. Where
/// the client heard nothing either, all that it saw is too old.
#[test]
fn an_outage_is_no_burst() {
    for cut in [false, true] {
        let (mut lab, _, other) = armed(807, 30, "rifle");
        // It is not to die of it.
        let unit = lab.host.engine.world().unit(other).unwrap();
        let whole = lab.host.engine.world().vitality(unit).unwrap();
        let before = watch(&mut lab);
        lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick <= 120));
        for on in [true, false] {
            if cut {
                lab.partition(0, on);
            } else {
                lab.impair(Who::Host).stall(on);
            }
            if on {
                lab.run_seconds(4.0);
            }
        }
        lab.watch_ticks(60, |lab, who| {
            if who == Who::Host {
                lab.host.engine.world_mut().set_vitality(unit, whole);
            }
        });
        let figures = judge(&lab, &before);
        let of = |reason: &str| figures.reasons.get(reason).copied().unwrap_or(0);
        let (old, fast) = (of("hit_too_old"), of("hit_too_fast"));
        assert_eq!(figures.dealt as u64 + old + fast, figures.seen as u64, "{figures:?}");
        if cut {
            assert_eq!((old, figures.dealt), (figures.seen as u64, 0), "{figures:?}");
        } else {
            assert!(old >= 8 && fast >= 1 && (10..=13).contains(&figures.dealt), "{figures:?}");
        }
    }
}

/// DMG-35: a client's rocket bursts upon a wall that its machine alone has; the host's copy flies on and bursts upon the
/// target, which it takes nothing from.
#[test]
fn the_hosts_copy_of_a_clients_rocket_deals_nothing() {
    let wall = ground("kit launcher\nbox 4 -5 0 4.5 5 5");
    let plan = Plan {
        ground: Some(ground("kit launcher")),
        clients_ground: Some(wall),
        ..Plan::new("flat", 808, 1)
    };
    let (mut lab, own, other) = duel(plan.network(40, 0.0), still());
    let unit = lab.host.engine.world().unit(other);
    let before = watch(&mut lab);
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |tick| tick == 1));
    let (mut here, mut there) = (0, 0);
    lab.watch_ticks(40, |lab, who| {
        let world = if who == Who::Host { lab.host.engine.world() } else { lab.clients[0].engine.world() };
        let own = world.impacts().iter().filter(|impact| impact.owner == Some(own));
        *if who == Who::Host { &mut there } else { &mut here } +=
            own.filter(|impact| (impact.object == unit) == (who == Who::Host)).count();
    });
    assert_eq!((here, there), (1, 1), "each copy bursts, upon the wall and upon the target");
    let figures = judge(&lab, &before);
    assert_eq!((figures.seen, figures.dealt, figures.false_hits), (0, 0, 0));
    assert_eq!(left(lab.host.engine.world(), other), [1.0; 2]);
}

/// What is wrong with a report.
type Lie = fn(&mut HitReport);

/// DMG-55: reports that each break one rule: each is counted under its reason once, all as rejected, and none is dealt.
#[test]
fn each_refusal_has_its_reason() {
    let (mut lab, _, other) = armed(809, 0, "rifle");
    let honest = honest(&mut lab, other);
    let (dealt, hurt) = (lab.host.net.counters().hits.dealt, left(lab.host.engine.world(), other));
    let lies: [(&str, Lie); 6] = [
        ("hit_from_the_future", |report| report.heard = report.heard.plus(600)),
        ("hit_not_held", |report| report.hit.damage.effect = LANCE.tag),
        ("hit_too_hard", |report| report.hit.damage.scale = 1.6),
        ("hit_no_such_part", |report| report.hit.parts.node = Some(9)),
        ("hit_no_direction", |report| report.hit.damage.direction = Vec3::ZERO),
        ("hit_no_target", |report| report.hit.object = ObjectId::new(1500, 77).unwrap()),
    ];
    for (of, (reason, lie)) in lies.into_iter().enumerate() {
        let mut report = HitReport { heard: lab.clients[0].net.clock().heard(), ..honest };
        lie(&mut report);
        say(&mut lab, &report);
        let hits = lab.host.net.counters().hits;
        assert_eq!((refused(&lab, reason), hits.rejected, hits.dealt), (1, of as u64 + 1, dealt), "{reason}");
        assert_eq!(hits.reported, hits.dealt + hits.rejected);
    }
    lab.run_seconds(1.5);
    let line = &lab.host.recording.lines.last().unwrap().to_string();
    assert!(line.contains(&format!("hits {} dealt {dealt} rejected {}", dealt + 6, lies.len())), "{line}");
    assert_eq!(left(lab.host.engine.world(), other), hurt);
}

/// Everything that a line counts: messages, corrections, hits, objects.
fn counts(line: &Line) -> [u64; 11] {
    let (counts, hits, items) = (line.counts, line.hits, line.items);
    [
        counts.sent,
        counts.received,
        counts.corrected,
        hits.reported,
        hits.dealt,
        hits.rejected,
        hits.replayed,
        items.created,
        items.deleted,
        items.failed,
        items.removed,
    ]
}

/// The same as a machine's netcode and its game count it.
fn totals_of<N: End>(seat: &Seat<N>) -> [u64; 11] {
    let Counters { sent, received, hits, failed, removed, .. } = seat.net.counters();
    let of = seat.net.counters();
    let corrected = of.corrected + of.own_corrections + of.own_vehicle_corrections;
    let objects = seat.engine.world().made_and_deleted();
    let Hits { reported, dealt, rejected, replayed } = hits;
    let [created, deleted] = [objects.made, objects.deleted];
    let failed = objects.failed + failed;
    [sent, received, corrected, reported, dealt, rejected, replayed, created, deleted, failed, removed]
}

/// TOOL-66: in a game of a minute in which all fight no count in any machine's log falls, and its last line says of hits what the
/// netcode counts; on the host as many as its clients' lines together.
#[test]
fn no_count_in_a_log_falls() {
    let plan = Plan { ground: Some(Means::Rifle.ground()), harm: true, ..Plan::new("flat", 818, 3) };
    let mut lab = Lab::idle(plan.network(60, 2.0));
    for place in 0..3 {
        lab.clients[place].engine.take_over(0, fighter(place as u64, Means::Rifle));
    }
    let mut totals = vec![Vec::new(); 4];
    lab.watch_ticks(1800, |lab, who| {
        let (at, tick, lines, now) = match who {
            Who::Host => (0, lab.host.ticked, &lab.host.recording.lines, totals_of(&lab.host)),
            Who::Client(at) => {
                let seat = &lab.clients[at];
                (at + 1, seat.ticked, &seat.recording.lines, totals_of(seat))
            }
        };
        // In the very tick of a line they are the line's.
        if let Some((line, tick)) = lines.last().zip(tick)
            && line.tick == tick.get().unsigned_abs()
        {
            totals[at].push((line.tick, now));
        }
        if who == Who::Host && lab.host.ticks.is_multiple_of(30) {
            restock(lab.host.engine.world_mut(), None);
        }
    });
    let mut compared = 0;
    for (place, totals) in totals.iter().enumerate() {
        let lines = match place {
            0 => &lab.host.recording.lines,
            _ => &lab.clients[place - 1].recording.lines,
        };
        let of = |tick: u32| lines.iter().find(|line| line.tick == tick).map(counts).unwrap();
        let (first, before) = &totals[0];
        for (tick, now) in totals {
            // Messages are counted from the game's start on; the rest nobody had counted before it.
            let since: [u64; 11] = std::array::from_fn(|at| match at {
                0 | 1 => of(*first)[at] + now[at] - before[at],
                _ => now[at],
            });
            assert_eq!(of(*tick), since, "machine {place}, tick {tick}");
            compared += 1;
        }
    }
    assert!(compared > 4 * 55, "{compared}");
    lab.stand_still();
    lab.run_seconds(3.0);
    let hits = |line: &Line| [line.hits.reported, line.hits.dealt, line.hits.rejected, line.hits.replayed];
    let last = |what: &str, lines: &[Line], of: Counters| {
        assert!(lines.len() >= 60, "{what}: {}", lines.len());
        for count in 0..11 {
            assert!(lines.is_sorted_by_key(|line| counts(line)[count]), "{what}, count {count}");
        }
        let last = hits(lines.last().unwrap());
        let Hits { reported, dealt, rejected, replayed } = of.hits;
        assert_eq!(last, [reported, dealt, rejected, replayed], "{what}");
        last
    };
    let host = last("the host", &lab.host.recording.lines, lab.host.net.counters());
    let mut reported = 0;
    for (place, seat) in lab.clients.iter().enumerate() {
        let of = last(&format!("client {place}"), &seat.recording.lines, seat.net.counters());
        assert!(of[0] > 20 && of[3] > 20, "client {place}: {of:?}");
        reported += of[0];
    }
    assert_eq!((host[0], host[1] + host[2], host[3]), (reported, reported, 0));
}
