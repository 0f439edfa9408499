//! Lies about hits: what each is worth is bounded by what the rows say, and stands in `docs/security.md`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use mjolnir_skirmish::game::Kind;
use mjolnir_skirmish::game::effects::{AIRBORNE, BLOW, Effect, FRAG_BLAST, LANCE, ROUND};
use mjolnir_tests::cheat::hits::trial::{Trial, Worth, play, run, table};
use mjolnir_tests::cheat::hits::{Claim, Claims, Has, Lie, Parties, Scene, kit};
use mjolnir_tests::cheat::trial::LATENCIES;
use mjolnir_tests::{Lab, still};
use mjolnir_wire::damage::HitReport;
use mjolnir_wire::{Buttons, Input, ObjectId, Slot};

const PAGE: &str = include_str!("../../../docs/security.md");
/// The bystander shoots each half second.
const SHOTS: u64 = 110;

/// Every trial with what it came to.
fn tried() -> &'static [(Trial, [Worth; LATENCIES.len()])] {
    static TRIED: OnceLock<Vec<(Trial, [Worth; LATENCIES.len()])>> = OnceLock::new();
    TRIED.get_or_init(|| {
        let trials = kit();
        let worth = run(&trials);
        trials.into_iter().zip(worth).collect()
    })
}

/// A game in which nothing is lied about.
fn honest(milliseconds: u64) -> Worth {
    let mut trial = kit().swap_remove(0);
    trial.claim.times = 0;
    play(&trial, milliseconds)
}

/// DMG-04, 05, 06, 07, 08, 09, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 23, 24, 25, 26, 27, 32, 34: no lie about hits deals more in a minute than the
/// rows let it, at 0 and at 100 ms each way; nobody loses more than was dealt; and all that the rows allow is dealt.
#[test]
fn no_lie_about_hits_is_worth_more_than_the_rows_allow() {
    for (trial, worth) in tried() {
        let effects = &trial.claim.effects;
        let hardest = |effect: &&Effect| effect.amount * if effect.tag == BLOW.tag { AIRBORNE } else { 1.0 };
        let most = f64::from(effects.iter().map(hardest).fold(0.0, f32::max)) * trial.most;
        for (ms, worth) in LATENCIES.iter().zip(worth) {
            let (name, dealt) = (trial.name(), worth.dealt as f64);
            assert!(dealt <= trial.most, "{name}, {ms} ms: {dealt} of {}", trial.most);
            assert!(dealt >= trial.least, "{name}, {ms} ms: {dealt} of {}", trial.least);
            assert!(worth.harm <= most + 1e-3, "{name}, {ms} ms: {} of {most}", worth.harm);
            assert!(worth.lost <= worth.harm + 1e-2, "{name}, {ms} ms: {} of {}", worth.lost, worth.harm);
            // A rifle's rounds take of a shield what they say, and nothing else hurts here.
            let is_exact = effects[0].tag == ROUND.tag;
            assert!(!is_exact || (worth.lost - worth.harm).abs() < 1e-2, "{name}, {ms} ms: {}", worth.lost);
        }
    }
}

/// DMG-37: a perfect aim is no lie: all of it is dealt. Of every other trial something is refused.
#[test]
fn each_lie_about_hits_is_told() {
    for (at, (trial, worth)) in tried().iter().enumerate() {
        let is_true = trial.claim.lies == [Lie::Head];
        assert_eq!(is_true, at == 0);
        let late = trial.claim.lies == [Lie::Late(20)];
        assert!(worth.iter().all(|worth| late || (worth.refused == 0) == is_true), "{}", trial.name());
    }
}

/// DMG-25, 28: whatever a liar says, another client's hits are what they are without it, and each is dealt.
#[test]
fn a_bystanders_hits_are_not_touched() {
    for (of, ms) in LATENCIES.into_iter().enumerate() {
        let honest = honest(ms);
        let (reported, dealt) = honest.bystander;
        assert!(reported >= SHOTS && dealt == reported, "{dealt} of {reported}");
        assert_eq!((honest.dealt, honest.refused, honest.lost), (0, 0, 0.0));
        for (trial, worth) in tried() {
            assert_eq!(worth[of].bystander, honest.bystander, "{}, {ms} ms", trial.name());
        }
    }
}

/// The page says what the trials come to.
#[test]
fn the_page_has_what_hits_come_to() {
    let (trials, worth): (Vec<_>, Vec<_>) = tried().iter().cloned().unzip();
    let table = table(&trials, &worth);
    assert!(PAGE.contains(&table), "docs/security.md should have\n{table}");
}

/// One report of the last target of those, with that lie.
fn one(scene: &Scene, effect: &'static Effect, lies: &[Lie], target: Slot) -> HitReport {
    let claim = Claim { effects: vec![effect], every: 1, times: 1, lies: lies.to_vec() };
    let [liar, other] = scene.players;
    let seat = &scene.lab.clients[0];
    let parties = Parties { liar, other, targets: &[target] };
    let made = Claims::new(claim).after_tick(seat.engine.world(), seat.net.clock().heard(), &parties);
    made[0]
}

fn counted(lab: &Lab) -> BTreeMap<&'static str, u64> {
    lab.host.net.counters().refused
}

/// DMG-55: a client breaks each rule once: each reason is counted once, what was reported is what was dealt and what was
/// rejected, and the second's line has it.
#[test]
fn each_rule_is_broken_once() {
    let mut scene = Scene::set(Has::Keeps(Kind::Grenades), (20.0, 60.0), false, 20);
    let [liar, _] = scene.players;
    scene.lab.host.engine.world_mut().give(liar, Kind::Rifle).unwrap();
    let mut thrown = false;
    scene.lab.clients[0].engine.take_over(
        0,
        Box::new(move |_, _, _| {
            let throws = !std::mem::replace(&mut thrown, true);
            let buttons = if throws { Buttons::THROW_GRENADE } else { Buttons::default() };
            Input { buttons, grenade: Some(0), yaw: std::f32::consts::PI, pitch: 0.6, ..Input::default() }
        }),
    );
    scene.run(30);
    scene.lab.clients[0].engine.take_over(0, still());
    let (before, hits) = (counted(&scene.lab), scene.lab.host.net.counters().hits);
    let near = scene.targets[0];
    let far = scene.targets[1];
    let says = |scene: &mut Scene, reports: &[HitReport]| {
        scene.lab.clients[0].report(reports);
        scene.run(6);
    };

    for (effect, lie) in [
        (&ROUND, Lie::Anothers),
        (&ROUND, Lie::Heard(30)),
        (&ROUND, Lie::Heard(-91)),
        (&LANCE, Lie::Head),
        (&ROUND, Lie::Hard(1.01)),
        (&ROUND, Lie::Split(0.1)),
        (&ROUND, Lie::NoNode),
        (&ROUND, Lie::NoWay),
        (&ROUND, Lie::Above(2.0)),
        (&ROUND, Lie::Puts(2.1)),
        (&ROUND, Lie::NoNumber),
    ] {
        let report = one(&scene, effect, &[lie], near);
        says(&mut scene, &[report]);
    }
    // Too far, and nobody.
    let report = one(&scene, &ROUND, &[], far);
    says(&mut scene, &[report]);
    let mut report = one(&scene, &ROUND, &[], near);
    report.hit.object = ObjectId::new(4000, 7).unwrap();
    says(&mut scene, &[report]);
    // A grenade goes off once, and hits once.
    let report = one(&scene, &FRAG_BLAST, &[], near);
    says(&mut scene, &[report, report]);
    let report = one(&scene, &FRAG_BLAST, &[], near);
    says(&mut scene, &[report]);
    // A second's fire at once, and a shot more.
    scene.run(60);
    let report = one(&scene, &ROUND, &[], near);
    says(&mut scene, &[report; 12]);
    // By datagram nobody looks at it.
    let report = one(&scene, &ROUND, &[], near);
    scene.lab.clients[0].report_by_datagram(&[report]);
    scene.run(60);

    let mut more = counted(&scene.lab);
    more.iter_mut().for_each(|(reason, count)| *count -= before.get(reason).copied().unwrap_or(0));
    more.retain(|_, count| *count > 0);
    let once = [
        "hit_from_the_future",
        "hit_no_direction",
        "hit_no_such_part",
        "hit_no_target",
        "hit_not_at_target",
        "hit_not_held",
        "hit_not_owned",
        "hit_not_thrown",
        "hit_target_elsewhere",
        "hit_too_far",
        "hit_too_fast",
        "hit_too_hard",
        "hit_too_old",
        "hit_twice",
        "hit_wrong_shape",
        "not_finite",
        "wrong_channel",
    ];
    assert_eq!(more, once.into_iter().map(|reason| (reason, 1)).collect());
    let now = scene.lab.host.net.counters().hits;
    // All but the last came by the stream.
    let rejected = once.len() as u64 - 1;
    assert_eq!((now.dealt - hits.dealt, now.rejected - hits.rejected), (12, rejected));
    assert_eq!(now.reported, now.dealt + now.rejected);
    let line = scene.lab.host.recording.lines.last().unwrap().to_string();
    let words = format!(" | hits {} dealt {} rejected {} replayed", now.reported, now.dealt, now.rejected);
    assert!(line.contains(&words), "{line}");
}

/// Bytes that two games may keep more or less than each other: a list that has grown once more.
const SLACK: i64 = 64 * 1024;

/// What is kept of fifteen seconds of a game, a quarter of a minute after it began.
fn kept(times: u32) -> i64 {
    let mut scene = Scene::set(Has::Holds(Kind::Rifle), (20.0, 1.0), false, 20);
    // What the lab itself notes is not the host's.
    scene.lab.host.engine.harms.keeps = false;
    let [liar, other] = scene.players;
    let mut claims = Claims::new(Claim { effects: vec![&ROUND], every: 1, times, lies: Vec::new() });
    let targets = scene.targets.clone();
    let mut says = |lab: &mut Lab| {
        let parties = Parties { liar, other, targets: &targets };
        let seat = &mut lab.clients[0];
        let reports = claims.after_tick(seat.engine.world(), seat.net.clock().heard(), &parties);
        seat.report(&reports);
    };
    scene.watch(450, &mut says);
    let measured = allocation_counter::measure(|| scene.watch(450, &mut says));
    measured.bytes_current
}

/// DMG-28: ten thousand reports a second leave nothing behind.
#[test]
fn a_flood_of_hits_keeps_nothing() {
    let (quiet, flooded) = (kept(0), kept(111));
    assert!(flooded - quiet < SLACK, "{flooded} bytes kept, and {quiet} without");
}
