//! Damage as it travels: what was dealt, what a client hit, the animations that the host picked.

use mjolnir_wire::damage::{
    AnimationKind, Damage, DamageAnimation, DamageEvent, EventKind, Hit, HitReport, KillFlags, Parts,
};
use mjolnir_wire::{Error, Message, ObjectId, Tag, Vec3};
use proptest::prelude::*;

use super::bytes::{message, object, slot, tick, written};

const TARGET: i32 = 0xE1B0_0032_u32 as i32;
const OWNER: i32 = 0xE201_0011_u32 as i32;

fn damage() -> Damage {
    Damage {
        effect: Tag(0xE174_0123),
        flags: 0x0102_0304,
        owner: Some(slot(2)),
        team: Some(1),
        owner_object: Some(object(OWNER)),
        origin: Vec3::new(1.5, -2.0, 0.25),
        epicentre: Vec3::new(2.5, -3.0, 0.5),
        direction: Vec3::new(0.0, 1.0, 0.0),
        scale: 0.5,
        multiplier: 0.75,
        material_effect_scale: 0.125,
        material: Some(3),
    }
}

fn parts() -> Parts {
    Parts { node: Some(12), region: Some(4), material: Some(1) }
}

fn report() -> HitReport {
    let hit = Hit {
        object: object(TARGET),
        damage: damage(),
        target: Vec3::new(4.0, 5.0, 6.0),
        normal: Some(Vec3::UP),
        parts: parts(),
    };
    HitReport { hit, heard: tick(74565) }
}

fn event() -> DamageEvent {
    DamageEvent {
        kind: EventKind::KillingBlow,
        player: Some(slot(4)),
        kill: KillFlags::default(),
        object: Some(object(TARGET)),
        damage: damage(),
        being_damaged_flags: 0x0506_0708,
        shield_damage: 0.25,
        body_damage: 1.0,
        body_multiplier: 2.0,
        total_damage: 1.25,
        body_part: Some(5),
        parts: parts(),
        killer_score: 9,
    }
}

fn report_with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut entry = written(|to| report().write(to));
    entry[at..at + bytes.len()].copy_from_slice(bytes);
    entry
}

fn event_with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut entry = written(|to| event().write(to));
    entry[at..at + bytes.len()].copy_from_slice(bytes);
    entry
}

/// Bytes at an offset, and what they change.
type Field = (usize, &'static [u8], fn(&mut Damage));

/// The damage's fields, from where it begins.
const FIELDS: [Field; 12] = [
    (0, &[1, 2, 3, 4], |damage| damage.effect = Tag(0x0403_0201)),
    (4, &[0xFF, 0xFF, 0xFF, 0xFF], |damage| damage.flags = u32::MAX),
    (8, &[127], |damage| damage.owner = Some(slot(127))),
    (10, &[0xFF, 0x7F], |damage| damage.team = Some(32_767)),
    (12, &[0xFF, 0x1F, 1, 0], |damage| damage.owner_object = ObjectId::new(8191, 1)),
    (16, &[0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0], |damage| damage.origin = Vec3::new(1.0, 0.0, 0.0)),
    (32, &[0, 0, 0x80, 0x3F], |damage| damage.epicentre.y = 1.0),
    (48, &[0, 0, 0x80, 0xBF], |damage| damage.direction.z = -1.0),
    (52, &[0, 0, 0xC0, 0x3F], |damage| damage.scale = 1.5),
    (56, &[0, 0, 0, 0], |damage| damage.multiplier = 0.0),
    (60, &[0, 0, 0, 0x40], |damage| damage.material_effect_scale = 2.0),
    (64, &[0, 0], |damage| damage.material = Some(0)),
];

/// WIRE-80: each of a damage's 68 bytes' fields stands at its offset and moves no other, at 4 in a report and at 8 in an
/// event; its pads are not looked at.
#[test]
fn a_damage_holds_each_field_at_its_place() {
    for (at, bytes, change) in FIELDS {
        let mut reported = report();
        change(&mut reported.hit.damage);
        assert_eq!(written(|to| reported.write(to)), report_with(4 + at, bytes), "{at}");
        assert_eq!(HitReport::read(&report_with(4 + at, bytes)), Ok(reported), "{at}");
        let mut dealt = event();
        change(&mut dealt.damage);
        assert_eq!(written(|to| dealt.write(to)), event_with(8 + at, bytes), "{at}");
        assert_eq!(DamageEvent::read(&event_with(8 + at, bytes)), Ok(dealt), "{at}");
    }
    for (at, pad) in [(9, &[0xFF][..]), (66, &[0xFF, 0xFF])] {
        assert_eq!(HitReport::read(&report_with(4 + at, pad)), Ok(report()));
        assert_eq!(DamageEvent::read(&event_with(8 + at, pad)), Ok(event()));
    }
}

/// WIRE-80: owner, team, object and material may be none; what is neither none nor one is refused.
#[test]
fn a_damage_is_checked_as_far_as_bytes_say() {
    let none: [Field; 4] = [
        (8, &[0xFF], |damage| damage.owner = None),
        (10, &[0xFF, 0xFF], |damage| damage.team = None),
        (12, &[0xFF; 4], |damage| damage.owner_object = None),
        (64, &[0xFF, 0xFF], |damage| damage.material = None),
    ];
    for (at, bytes, change) in none {
        let mut expected = report();
        change(&mut expected.hit.damage);
        assert_eq!(HitReport::read(&report_with(4 + at, bytes)), Ok(expected), "{at}");
    }
    let bad: [(usize, &[u8]); 6] = [
        (0, &[0xFF; 4]),
        (8, &[128]),
        (10, &[0xFE, 0xFF]),
        (12, &[0, 0x20, 1, 0]),
        (12, &[0, 0, 0, 0]),
        (64, &[0, 0x80]),
    ];
    for (at, bytes) in bad {
        assert_eq!(HitReport::read(&report_with(4 + at, bytes)), Err(Error::BadIndex), "{at}");
        assert_eq!(DamageEvent::read(&event_with(8 + at, bytes)), Err(Error::BadIndex), "{at}");
    }
}

/// WIRE-09, 38, 39, 80, 81: every float that is not finite is refused, wherever it stands, and so is a normal that is not
/// used.
#[test]
fn no_float_that_is_not_finite_is_taken() {
    let within = || (16..64).step_by(4);
    let in_report = within().map(|at| 4 + at).chain((72..96).step_by(4));
    let in_event = within().map(|at| 8 + at).chain((80..96).step_by(4));
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(f32::to_le_bytes);
    for at in in_report {
        for bytes in bad {
            assert_eq!(HitReport::read(&report_with(at, &bytes)), Err(Error::NotFinite), "{at}");
        }
    }
    for at in in_event {
        for bytes in bad {
            assert_eq!(DamageEvent::read(&event_with(at, &bytes)), Err(Error::NotFinite), "{at}");
        }
    }
    let mut unused = report_with(102, &[0]);
    unused[84..88].copy_from_slice(&bad[0]);
    assert_eq!(HitReport::read(&unused), Err(Error::NotFinite));
}

/// WIRE-38: a report takes 108 bytes, each field at its place.
#[test]
fn a_report_holds_each_field_at_its_place() {
    assert_eq!(written(|to| report().write(to)).len(), 108);
    let place = |at: usize, bytes: &[u8], change: fn(&mut HitReport)| {
        let mut said = report();
        change(&mut said);
        assert_eq!(written(|to| said.write(to)), report_with(at, bytes), "{at}");
        assert_eq!(HitReport::read(&report_with(at, bytes)), Ok(said), "{at}");
    };
    place(0, &[0, 0, 1, 0], |said| said.hit.object = object(0x0001_0000));
    place(76, &1.0_f32.to_le_bytes(), |said| said.hit.target.y = 1.0);
    place(84, &0.5_f32.to_le_bytes(), |said| said.hit.normal = Some(Vec3::new(0.5, 0.0, 1.0)));
    place(96, &[0xFF, 0xFF], |said| said.hit.parts.node = None);
    place(96, &[0xFF, 0x7F], |said| said.hit.parts.node = Some(32_767));
    place(98, &[0, 0], |said| said.hit.parts.region = Some(0));
    place(98, &[0xFF, 0xFF], |said| said.hit.parts.region = None);
    place(100, &[0xFF, 0xFF], |said| said.hit.parts.material = None);
    place(104, &[0, 0, 0, 0], |said| said.heard = tick(0));
    place(104, &i32::MAX.to_le_bytes(), |said| said.heard = tick(i32::MAX));
    let error = |at: usize, bytes: &[u8]| HitReport::read(&report_with(at, bytes)).unwrap_err();
    assert_eq!(error(0, &[0xFF; 4]), Error::BadIndex, "something was hit");
    for at in [96, 98, 100] {
        assert_eq!(error(at, &[0xFE, 0xFF]), Error::BadIndex, "{at}");
    }
    assert_eq!(error(104, &(-1_i32).to_le_bytes()), Error::BadTick);
    assert_eq!(HitReport::read(&report_with(0, &[])[..107]), Err(Error::Truncated));
}

/// WIRE-38, DMG-62: a normal is one where the report says so, and nothing else of it is.
#[test]
fn a_normal_is_used_where_it_is_said() {
    let mut without = report();
    without.hit.normal = None;
    assert_eq!(HitReport::read(&report_with(102, &[0])), Ok(without));
    let bytes = written(|to| without.write(to));
    assert_eq!((&bytes[84..96], bytes[102]), (&[0; 12][..], 0));
    assert_eq!(HitReport::read(&report_with(102, &[0xFF])), Ok(report()));
}

/// WIRE-39, 81: an event takes 108 bytes of whichever kind, each field at its place; kind 4 is none.
#[test]
fn an_event_holds_each_field_at_its_place() {
    let place = |at: usize, bytes: &[u8], change: fn(&mut DamageEvent)| {
        let mut said = event();
        change(&mut said);
        assert_eq!(written(|to| said.write(to)), event_with(at, bytes), "{at}");
        assert_eq!(DamageEvent::read(&event_with(at, bytes)), Ok(said), "{at}");
    };
    place(1, &[0xFF], |said| said.player = None);
    place(1, &[127], |said| said.player = Some(slot(127)));
    place(2, &[1], |said| said.kill.friendly_fire = true);
    place(2, &[2], |said| said.kill.by_vehicle = true);
    place(2, &[4], |said| said.kill.telefrag = true);
    place(4, &[0xFF; 4], |said| said.object = None);
    place(76, &[0; 4], |said| said.being_damaged_flags = 0);
    place(80, &0.5_f32.to_le_bytes(), |said| said.shield_damage = 0.5);
    place(84, &0.5_f32.to_le_bytes(), |said| said.body_damage = 0.5);
    place(88, &0.5_f32.to_le_bytes(), |said| said.body_multiplier = 0.5);
    place(92, &0.5_f32.to_le_bytes(), |said| said.total_damage = 0.5);
    place(96, &[0xFF, 0xFF], |said| said.body_part = None);
    place(98, &[0xFF, 0xFF], |said| said.parts.node = None);
    place(100, &[0xFF, 0x7F], |said| said.parts.region = Some(32_767));
    place(102, &[0, 0], |said| said.parts.material = Some(0));
    place(104, &(-3_i32).to_le_bytes(), |said| said.killer_score = -3);
    for (number, kind) in (0..).zip(EventKind::ALL) {
        let said = DamageEvent { kind, killer_score: 0, ..event() };
        let bytes = written(|to| said.write(to));
        assert_eq!((bytes.len(), bytes[0]), (108, number));
        assert_eq!(DamageEvent::read(&bytes), Ok(said));
    }
    let error = |at: usize, bytes: &[u8]| DamageEvent::read(&event_with(at, bytes)).unwrap_err();
    assert_eq!(error(0, &[4]), Error::BadFlag);
    assert_eq!(error(1, &[128]), Error::BadIndex);
    assert_eq!(error(4, &[0; 4]), Error::BadIndex);
    for at in [96, 98, 100, 102] {
        assert_eq!(error(at, &[0xFE, 0xFF]), Error::BadIndex, "{at}");
    }
    assert_eq!(DamageEvent::read(&event_with(0, &[])[..107]), Err(Error::Truncated));
    assert_eq!(DamageEvent::read(&event_with(2, &[0xF8])), Ok(event()), "bits without a meaning");
    assert_eq!(DamageEvent::read(&event_with(3, &[0xFF])), Ok(event()), "a pad");
}

/// WIRE-39, 81: the killer's score is read of a killing blow, and of nothing else.
#[test]
fn a_score_is_a_killing_blows() {
    let score = |kind: u8| DamageEvent::read(&event_with(0, &[kind])).map(|event| event.killer_score);
    assert_eq!([0, 1, 2, 3].map(score), [Ok(0), Ok(0), Ok(9), Ok(0)]);
}

/// WIRE-41: a pick takes 8 bytes and keeps the animation that the host chose; type 4 is none, nor is an animation below 0.
#[test]
fn a_pick_is_the_hosts() {
    for (number, kind) in (0..).zip(AnimationKind::ALL) {
        let pick = DamageAnimation { unit: object(TARGET), animation: 317, kind, number: 255 };
        let bytes = written(|to| pick.write(to));
        assert_eq!(bytes, [0x32, 0, 0xB0, 0xE1, 61, 1, number, 255]);
        assert_eq!(DamageAnimation::read(&bytes), Ok(pick));
    }
    let read = |at: usize, with: &[u8]| {
        let pick = DamageAnimation {
            unit: object(TARGET),
            animation: 317,
            kind: AnimationKind::SoftPing,
            number: 0,
        };
        let mut bytes = written(|to| pick.write(to));
        bytes[at..at + with.len()].copy_from_slice(with);
        DamageAnimation::read(&bytes).map(|pick| pick.animation)
    };
    assert_eq!([read(4, &[0, 0]), read(4, &[0xFF, 0x7F])], [Ok(0), Ok(32_767)]);
    assert_eq!(read(4, &[0xFF, 0xFF]), Err(Error::BadIndex));
    assert_eq!(read(4, &[0, 0x80]), Err(Error::BadIndex));
    assert_eq!(read(6, &[3]), Ok(317));
    assert_eq!([read(6, &[4]), read(6, &[0xFF])], [Err(Error::BadFlag); 2]);
    assert_eq!([read(0, &[0xFF; 4]), read(0, &[0; 4])], [Err(Error::BadIndex); 2]);
    assert_eq!(DamageAnimation::read(&[0; 7]), Err(Error::Truncated));
}

/// WIRE-60: of three entries of each kind, the second of them bad, the others are taken.
#[test]
fn a_bad_entry_of_damage_is_refused_alone() {
    fn taken<T>(read: impl Iterator<Item = Result<T, Error>>) -> Vec<bool> {
        read.map(|read| read.is_ok()).collect()
    }
    let (good, bad) = (report_with(0, &[]), report_with(104, &[0xFF; 4]));
    let bytes = message(11, 3, &[&good[..], &bad, &good].concat());
    assert_eq!(taken(HitReport::read_all(&Message::read(&bytes).unwrap())), [true, false, true]);
    let (good, bad) = (event_with(0, &[]), event_with(0, &[4]));
    let bytes = message(10, 3, &[&good[..], &bad, &good].concat());
    assert_eq!(taken(DamageEvent::read_all(&Message::read(&bytes).unwrap())), [true, false, true]);
    let good = [0x32, 0, 0xB0, 0xE1, 61, 1, 3, 255];
    let bad = [0x32, 0, 0xB0, 0xE1, 61, 1, 4, 255];
    let bytes = message(75, 3, &[good, bad, good].concat());
    assert_eq!(taken(DamageAnimation::read_all(&Message::read(&bytes).unwrap())), [true, false, true]);
}

proptest! {
    /// WIRE-08, 11: whatever a few bytes of a report, an event or a pick become, it is read or refused, and what was read is
    /// written and reads the same.
    #[test]
    fn changed_damage_is_read(changes in prop::collection::vec((0..108_usize, any::<u8>()), 0..8)) {
        let mut entries = [
            written(|to| report().write(to)),
            written(|to| event().write(to)),
            vec![0x32, 0, 0xB0, 0xE1, 61, 1, 3, 255],
        ];
        for entry in &mut entries {
            let length = entry.len();
            changes.iter().for_each(|(at, byte)| entry[at % length] = *byte);
        }
        let [reported, dealt, picked] = entries;
        if let Ok(report) = HitReport::read(&reported) {
            prop_assert_eq!(HitReport::read(&written(|to| report.write(to))), Ok(report));
        }
        if let Ok(event) = DamageEvent::read(&dealt) {
            prop_assert_eq!(DamageEvent::read(&written(|to| event.write(to))), Ok(event));
        }
        if let Ok(pick) = DamageAnimation::read(&picked) {
            prop_assert_eq!(written(|to| pick.write(to)), picked);
        }
    }
}
