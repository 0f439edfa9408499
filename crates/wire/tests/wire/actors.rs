//! What actors have their units do, and what those show of damage.

use mjolnir_wire::actors::{ActorDamage, ActorState, ActorStateEntry, Impulse, Speech, UserAnimation};
use mjolnir_wire::space::{unpack_pitch, unpack_yaw};
use mjolnir_wire::units::{Ride, ShieldFlags};
use mjolnir_wire::{Axes, Error, Kind, Message, ObjectId, Tag, Vec3};
use proptest::prelude::*;

use super::bytes::{message, object, sent, tick, written};
use super::units::axes;

const UNIT: i32 = 0xE1A4_001E_u32 as i32;
const VEHICLE: i32 = 0xE201_0011_u32 as i32;

/// A unit in whose entry no field is what [`ActorState::still`] has there.
pub(crate) fn busy() -> ActorState {
    ActorState {
        unit: object(UNIT),
        ride: Some(Ride { vehicle: Some(object(VEHICLE)), seat: 3 }),
        shield_flags: ShieldFlags { depleted: true, charging: true, over_charging: true },
        camouflaged: true,
        super_camouflaged: true,
        camouflage: 1.0,
        runs_blindly: Some(unpack_yaw(0x4000)),
        impulse: Impulse { kind: Some(15), number: 200, alignment: Some(unpack_yaw(0x2000)) },
        animation_state: 6,
        aiming_speed: 1,
        trigger: 51.0 / 255.0,
        control: 0x7FFF,
        throttle: [1.0, -1.0, 64.0 / 127.0],
        team: Some(2),
        facing: [unpack_yaw(0x8001), unpack_pitch(0xC000)],
        aiming: [unpack_yaw(0x0001), unpack_pitch(0x4000)],
        looking: [unpack_yaw(0xFFFF), unpack_pitch(0x8000)],
        body: 0.5,
        shield: 65535.0 / 16384.0,
        speech: Speech { sound: Some(Tag(0xE174_0123)), number: 7 },
        user_animation: UserAnimation {
            graph: Some(Tag(0xE174_0456)),
            animation: -2,
            number: 255,
            interpolate: true,
        },
        position: Vec3::new(1.5, -20.0, 32768.0),
        velocity: Vec3::new(0.5, -32.0, 0.0),
        axes: Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::UP },
    }
}

fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut entry = written(|to| busy().write(to));
    entry[at..at + bytes.len()].copy_from_slice(bytes);
    entry
}

fn read(at: usize, bytes: &[u8]) -> Result<ActorState, Error> {
    ActorState::read(&with(at, bytes))
}

/// WIRE-40, 82: an entry takes 88 bytes, each field stands where the table has it, and it comes back to the bit.
#[test]
fn an_actor_stands_in_its_bytes() {
    let mut expected = Vec::new();
    expected.extend(UNIT.to_le_bytes());
    expected.extend(VEHICLE.to_le_bytes());
    expected.extend([3, 0, 0xFF, 200, 15, 6, 1, 51, 0xFF, 0x7F, 127, 0x81, 64, 255, 7, 2]);
    for angle in [0x8001_u16, 0xC000, 0x0001, 0x4000, 0xFFFF, 0x8000, 0x2000, 0x4000] {
        expected.extend(angle.to_le_bytes());
    }
    expected
        .extend([0, 0x20, 0xFF, 0xFF, 0x23, 0x01, 0x74, 0xE1, 0x56, 0x04, 0x74, 0xE1, 0xFE, 0xFF, 255, 1]);
    for part in [1.5_f32, -20.0, 32768.0] {
        expected.extend(part.to_le_bytes());
    }
    for part in [512_i16, -32768, 0, 0, 32767, 0, 0, 0, 32767, 0] {
        expected.extend(part.to_le_bytes());
    }
    assert_eq!(expected.len(), 88);
    assert_eq!(written(|to| busy().write(to)), expected);
    assert_eq!(ActorState::read(&expected), Ok(busy()));
    assert_eq!(ActorState::read(&expected[..87]), Err(Error::Truncated));
    assert_eq!(read(86, &[0xAB, 0xCD]), Ok(busy()), "a pad");
    // Three of them leave as one message, which reads as they were.
    let entries = vec![expected; 3];
    let bytes = sent(Kind::ActorStates, tick(74_565), 0, &entries);
    let states: Vec<_> = ActorState::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!((bytes.len(), states), (8 + 3 * 88, vec![Ok(busy()); 3]));
}

/// WIRE-40: a unit that does nothing: none is all ones, everything else zero but its health, its place and its axes.
#[test]
fn a_unit_that_does_nothing_is_none_and_zero() {
    let still = ActorState::still(object(UNIT), Vec3::new(1.0, 2.0, 3.0));
    let bytes = written(|to| still.write(to));
    assert_eq!(ActorState::read(&bytes), Ok(still));
    let ActorStateEntry { vehicle, flags, impulse, team, speech_sound_tag, .. } =
        ActorStateEntry::read(&bytes).unwrap();
    assert_eq!((vehicle, flags, impulse, team, speech_sound_tag), (-1, 0, 0xFF, 0xFF, -1));
    assert!(bytes[13..23].iter().chain(&bytes[24..40]).all(|byte| *byte == 0));
    assert_eq!(bytes[48..56], [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
}

/// A flag's bit, and what sets it.
type Set = (u8, fn(&mut ActorState));

/// WIRE-82: each flag is one bit and no other's.
#[test]
fn each_flag_of_an_actor_is_its_own_bit() {
    let still = ActorState::still(object(UNIT), Vec3::ZERO);
    let set: [Set; 8] = [
        (0, |actor| actor.ride = Some(Ride { vehicle: None, seat: 0 })),
        (1, |actor| actor.shield_flags.depleted = true),
        (2, |actor| actor.shield_flags.charging = true),
        (3, |actor| actor.shield_flags.over_charging = true),
        (4, |actor| actor.camouflaged = true),
        (5, |actor| actor.super_camouflaged = true),
        (6, |actor| actor.impulse.alignment = Some(0.0)),
        (7, |actor| actor.runs_blindly = Some(0.0)),
    ];
    for (bit, set) in set {
        let mut actor = still;
        set(&mut actor);
        let mut expected = written(|to| still.write(to));
        expected[10] = 1 << bit;
        assert_eq!(written(|to| actor.write(to)), expected, "{bit}");
        assert_eq!(ActorState::read(&expected), Ok(actor), "{bit}");
    }
    // An angle that no flag says is of one is not read.
    let mut bytes = written(|to| still.write(to));
    bytes[36..40].fill(0x11);
    assert_eq!(ActorState::read(&bytes), Ok(still));
}

/// WIRE-82, 61: both sides of each bound; a vehicle without the flag that it rides is refused, riding without one is not.
#[test]
fn an_actor_is_checked_field_by_field() {
    let error = |at: usize, bytes: &[u8]| read(at, bytes).unwrap_err();
    assert_eq!([error(0, &[0xFF; 4]), error(0, &[0; 4])], [Error::BadIndex; 2], "it is some unit");
    assert_eq!(error(0, &0x0001_2000_i32.to_le_bytes()), Error::BadIndex, "past the last index");
    assert_eq!(error(4, &[5, 0, 0, 0]), Error::BadIndex, "an identifier is never 0");
    assert_eq!(error(10, &[0xFE]), Error::BadIndex, "a vehicle without its flag");
    assert_eq!(read(4, &[0xFF; 4]).map(|actor| actor.ride), Ok(Some(Ride { vehicle: None, seat: 3 })));
    let mut afoot = with(4, &[0xFF; 4]);
    afoot[10] = 0xFE;
    assert_eq!(ActorState::read(&afoot).map(|actor| actor.ride), Ok(None));
    let impulse = |raw| read(12, &[raw]).map(|actor| actor.impulse.kind);
    assert_eq!([0, 13, 14, 15].map(impulse), [Ok(Some(0)), Ok(Some(13)), Ok(Some(14)), Ok(Some(15))]);
    assert_eq!([16, 0x7F, 0xFE].map(impulse), [Err(Error::OutOfRange); 3]);
    assert_eq!(impulse(0xFF), Ok(None));
    let state = |raw| read(13, &[raw]).map(|actor| actor.animation_state);
    assert_eq!([0, 6, 7, 255].map(state), [Ok(0), Ok(6), Err(Error::OutOfRange), Err(Error::OutOfRange)]);
    let speed = |raw| read(14, &[raw]).map(|actor| actor.aiming_speed);
    assert_eq!([0, 1, 2, 255].map(speed), [Ok(0), Ok(1), Err(Error::OutOfRange), Err(Error::OutOfRange)]);
    let control = |raw: u16| read(16, &raw.to_le_bytes()).map(|actor| actor.control);
    assert_eq!([0, 0x7FFF].map(control), [Ok(0), Ok(0x7FFF)]);
    assert_eq!([0x8000, 0xFFFF].map(control), [Err(Error::OutOfRange); 2]);
    let team = |raw| read(23, &[raw]).map(|actor| actor.team);
    assert_eq!([0, 254, 255].map(team), [Ok(Some(0)), Ok(Some(254)), Ok(None)]);
    assert_eq!(read(44, &[0xFF; 4]).map(|actor| actor.speech.sound), Ok(None));
    assert_eq!(read(48, &[0xFF; 4]).map(|actor| actor.user_animation.graph), Ok(None));
    let blends = |raw| read(55, &[raw]).map(|actor| actor.user_animation.interpolate);
    assert_eq!([0, 1, 2].map(blends), [Ok(false), Ok(true), Ok(true)]);
    assert_eq!(read(18, &[0x80]).map(|actor| actor.throttle[0]), Ok(-1.0));
}

/// WIRE-09, 63, 64, 82: a place is finite and within 32768, axes are axes, and come out as such.
#[test]
fn an_actor_stands_somewhere_upright() {
    for at in [56, 60, 64] {
        let part = |part: f32| read(at, &part.to_le_bytes()).map(|_| ());
        assert_eq!([part(32768.0), part(-32768.0)], [Ok(()); 2]);
        assert_eq!([part(32769.0), part(-32769.0), part(f32::MAX)], [Err(Error::OutOfRange); 3]);
        for evil in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(part(evil), Err(Error::NotFinite), "{at}");
        }
    }
    let axes = |forward: [f32; 3], up: [f32; 3]| {
        let raw = |parts: [f32; 3]| parts.map(|part| ((part * 32767.0) as i16).to_le_bytes()).concat();
        let bytes = [raw(forward), raw(up)].concat();
        read(74, &bytes).map(|actor| actor.axes)
    };
    assert!(axes([0.0, 0.51, 0.0], [0.0, 0.0, 1.0]).is_ok());
    assert_eq!(axes([0.0, 0.49, 0.0], [0.0, 0.0, 1.0]), Err(Error::OutOfRange));
    assert_eq!(axes([0.0, 1.0, 0.0], [0.0; 3]), Err(Error::OutOfRange));
    // Two parts of 1 and half of it more are longer than 1.5 together.
    assert!(axes([1.0, 0.99, 0.0], [0.0, 0.0, 1.0]).is_ok());
    assert_eq!(axes([1.0, 1.0, 0.55], [0.0, 0.0, 1.0]), Err(Error::OutOfRange));
    assert_eq!(axes([0.0, 1.0, 0.0], [0.0, 0.11, 1.0]), Err(Error::OutOfRange));
    let straight = axes([0.0, 1.0, 0.0], [0.0, 0.09, 1.0]).unwrap();
    assert!((straight.up.length() - 1.0).abs() <= 1e-6 && straight.forward.dot(straight.up).abs() <= 1e-6);
}

/// WIRE-17, 62, 82: what cannot travel is written as the nearest that can, or as nothing; what is no number as none.
#[test]
fn an_actor_is_written_within_its_bounds() {
    let wild = ActorState {
        camouflage: 2.0,
        runs_blindly: Some(f32::NAN),
        impulse: Impulse { kind: Some(16), number: 1, alignment: Some(f32::INFINITY) },
        animation_state: 7,
        aiming_speed: 2,
        trigger: f32::NAN,
        control: 0xFFFF,
        throttle: [1.5, -2.0, f32::NAN],
        team: Some(0xFF),
        facing: [f32::NAN, f32::NEG_INFINITY],
        body: -1.0,
        shield: 1e9,
        velocity: Vec3::new(1e9, -1e9, f32::NAN),
        ..busy()
    };
    let read = ActorState::read(&written(|to| wild.write(to))).unwrap();
    let most = 65535.0 / 16384.0;
    assert_eq!((read.camouflage, read.runs_blindly, read.trigger), (1.0, Some(0.0), 0.0));
    assert_eq!(read.impulse, Impulse { kind: None, number: 1, alignment: Some(0.0) });
    assert_eq!((read.animation_state, read.aiming_speed, read.control, read.team), (0, 0, 0x7FFF, None));
    assert_eq!((read.throttle, read.facing, read.body, read.shield), ([1.0, -1.0, 0.0], [0.0; 2], 0.0, most));
    assert_eq!(read.velocity, Vec3::new(32767.0 / 1024.0, -32.0, 0.0));
}

/// A unit's damage, in whose entry no two fields are the same.
fn hurt() -> ActorDamage {
    let unit = object(UNIT);
    ActorDamage { unit, shield: 0.5, recent_shield: 0.25, body: 65535.0 / 16384.0, recent_body: 1.0 }
}

/// FACT wire 3.12, DMG-50: what a unit shows of damage takes 12 bytes, shield first; each part is pinned to 0 and almost 4.
#[test]
fn damage_that_an_actor_shows_stands_in_its_bytes() {
    let bytes = written(|to| hurt().write(to));
    assert_eq!(bytes, [0x1E, 0, 0xA4, 0xE1, 0, 0x20, 0, 0x10, 0xFF, 0xFF, 0, 0x40]);
    assert_eq!(ActorDamage::read(&bytes), Ok(hurt()));
    assert_eq!(ActorDamage::read(&bytes[..11]), Err(Error::Truncated));
    for bad in [[0xFF; 4], [5, 0, 0, 0], [0, 0x20, 1, 0]] {
        assert_eq!(ActorDamage::read(&[&bad[..], &bytes[4..]].concat()), Err(Error::BadIndex));
    }
    let wild = ActorDamage {
        shield: 4.0,
        recent_shield: -0.5,
        body: f32::NAN,
        recent_body: f32::INFINITY,
        ..hurt()
    };
    let most = 65535.0 / 16384.0;
    let pinned = ActorDamage { shield: most, recent_shield: 0.0, body: 0.0, recent_body: most, ..hurt() };
    assert_eq!(ActorDamage::read(&written(|to| wild.write(to))), Ok(pinned));
}

/// WIRE-60: a bad entry between two good ones is refused alone, of either kind.
#[test]
fn a_bad_actor_is_refused_alone() {
    let good = written(|to| busy().write(to));
    let bytes = message(64, 3, &[&good[..], &with(13, &[7]), &good].concat());
    let states: Vec<_> = ActorState::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(states, [Ok(busy()), Err(Error::OutOfRange), Ok(busy())]);
    let good = written(|to| hurt().write(to));
    let bytes = message(73, 3, &[&good[..], &[0; 12], &good].concat());
    let shown: Vec<_> = ActorDamage::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(shown, [Ok(hurt()), Err(Error::BadIndex), Ok(hurt())]);
}

prop_compose! {
    fn impulse()(
        kind in prop::option::of(0_u8..16),
        number in any::<u8>(),
        alignment in prop::option::of(any::<u16>().prop_map(unpack_yaw)),
    ) -> Impulse {
        Impulse { kind, number, alignment }
    }
}

prop_compose! {
    /// Any state whose numbers are such as travel.
    fn actor()(
        (unit, ride) in (
            (0_u16..8192, 1_u16..),
            prop::option::of((prop::option::of((0_u16..8192, 1_u16..)), any::<i16>())),
        ),
        [depleted, charging, over_charging, camouflaged, super_camouflaged, interpolate] in any::<[bool; 6]>(),
        (runs_blindly, impulse) in (prop::option::of(any::<u16>().prop_map(unpack_yaw)), impulse()),
        (animation_state, aiming_speed, control) in (0_u8..7, 0_u8..2, 0_u16..0x8000),
        [camouflage, trigger] in any::<[u8; 2]>(),
        throttle in prop::array::uniform3(-127_i8..=127),
        team in prop::option::of(0_u8..255),
        angles in any::<[[u16; 2]; 3]>(),
        vitality in any::<[u16; 2]>(),
        (sound, graph) in (prop::option::of(0..u32::MAX), prop::option::of(0..u32::MAX)),
        (said, animation, begun) in any::<(u8, i16, u8)>(),
        (position, velocity) in (prop::array::uniform3(-32768.0_f32..=32768.0), any::<[i16; 3]>()),
        axes in axes(),
    ) -> ActorState {
        let id = |(index, identifier)| ObjectId::new(index, identifier).unwrap();
        let [facing, aiming, looking] = angles.map(|[yaw, pitch]| [unpack_yaw(yaw), unpack_pitch(pitch)]);
        ActorState {
            unit: id(unit),
            ride: ride.map(|(vehicle, seat)| Ride { vehicle: vehicle.map(id), seat }),
            shield_flags: ShieldFlags { depleted, charging, over_charging },
            camouflaged,
            super_camouflaged,
            camouflage: f32::from(camouflage) / 255.0,
            runs_blindly,
            impulse,
            animation_state,
            aiming_speed,
            trigger: f32::from(trigger) / 255.0,
            control,
            throttle: throttle.map(|part| f32::from(part) / 127.0),
            team,
            facing,
            aiming,
            looking,
            body: f32::from(vitality[0]) / 16384.0,
            shield: f32::from(vitality[1]) / 16384.0,
            speech: Speech { sound: sound.map(Tag), number: said },
            user_animation: UserAnimation { graph: graph.map(Tag), animation, number: begun, interpolate },
            position: Vec3::from_array(position),
            velocity: Vec3::from_array(velocity.map(|part| f32::from(part) / 1024.0)),
            axes,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// WIRE-11, 40: a state comes back to the bit, but for its axes, which come within what a rounded direction can be off.
    #[test]
    fn an_actor_comes_back(actor in actor()) {
        let bytes = written(|to| actor.write(to));
        prop_assert_eq!(bytes.len(), 88);
        let read = ActorState::read(&bytes).unwrap();
        prop_assert!(read.axes.forward.distance(actor.axes.forward) <= 1e-4);
        prop_assert!(read.axes.up.distance(actor.axes.up) <= 1e-4);
        prop_assert_eq!(ActorState { axes: actor.axes, ..read }, actor);
    }

    /// WIRE-08: whatever a few bytes of an entry become, it is read or refused; what was read is written and read again.
    #[test]
    fn a_changed_actor_is_read(changes in prop::collection::vec((0..88_usize, any::<u8>()), 1..8)) {
        let mut bytes = written(|to| busy().write(to));
        changes.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        if let Ok(once) = ActorState::read(&bytes) {
            let twice = ActorState::read(&written(|to| once.write(to))).unwrap();
            prop_assert!(twice.axes.forward.distance(once.axes.forward) <= 2e-4);
            prop_assert_eq!(ActorState { axes: once.axes, ..twice }, once);
        }
    }

    /// WIRE-11: what a unit shows of damage comes back to the bit, whatever its bytes.
    #[test]
    fn an_actors_damage_comes_back(unit in (0_u16..8192, 1_u16..), parts in any::<[u8; 8]>()) {
        let unit = ObjectId::new(unit.0, unit.1).unwrap().raw().to_le_bytes();
        let bytes = [&unit[..], &parts].concat();
        let shown = ActorDamage::read(&bytes).unwrap();
        prop_assert_eq!(written(|to| shown.write(to)), bytes);
    }
}
