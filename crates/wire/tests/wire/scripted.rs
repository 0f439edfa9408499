//! What scripts change of a level's objects and of the screen; how objects are named with it.

use mjolnir_wire::coop::{
    CoopObjectLookEntry, CoopObjectNamesEntry, CoopObjectTransformEntry, CoopScreenEffectEntry,
};
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::{Axes, Error, Kind, Message, ObjectId, ObjectName, Tag, Vec3};
use proptest::prelude::*;

use super::bytes::{message, object, sent, tick, written};
use super::units::axes;

const OBJECT: i32 = 0xE1A4_001E_u32 as i32;

fn named() -> ObjectName {
    ObjectName::Object(object(OBJECT), Tag(0xE174_0100))
}

fn moved() -> Transform {
    let axes = Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::UP };
    Transform { object: named(), position: Vec3::new(7.0, -8.5, 32768.0), axes }
}

fn look() -> Look {
    Look { object: named(), regions: [0, 1, 2, 3, 4, 5, 6, 0xFF], scale: 1.5 }
}

pub(crate) fn effect() -> ScreenEffect {
    ScreenEffect {
        has_control: true,
        initialised: true,
        video: true,
        desaturation_additive: true,
        light_mask: true,
        desaturation_mask: true,
        extra_passes: 8,
        convolution: 2,
        overbright: 1,
        tint: [1.0, 2.0, 3.0],
        noise: 4.0,
        convolution_radius: [5.0, 6.0],
        convolution_time: [7.0, 8.0],
        light: [9.0, 10.0],
        desaturation: [11.0, 12.0],
        filter_time: [13.0, 14.0],
        script_values: [15.0, 16.0, 17.0, 18.0],
        near_clip: 19.0,
    }
}

fn names(structure_bsp: Option<u16>, count: u16, there: &[u16]) -> ObjectNames {
    let mut names = ObjectNames::none(structure_bsp, count);
    there.iter().for_each(|name| names.insert(*name));
    names
}

/// The names that are there.
fn there(names: &ObjectNames) -> Vec<u16> {
    (0..=u16::MAX).filter(|name| names.contains(*name)).collect()
}

/// WIRE-45: an entry takes 68 bytes: the BSP, how many names the level has, a bit a name, the least significant first.
#[test]
fn names_stand_in_their_bytes() {
    let names = names(Some(0x0102), 512, &[0, 7, 8, 10, 511]);
    let mut expected = vec![2, 1, 0, 2];
    expected.extend([0; 64]);
    expected[4..6].copy_from_slice(&[0b1000_0001, 0b0000_0101]);
    expected[67] = 0b1000_0000;
    assert_eq!(written(|to| names.write(to)), expected);
    assert_eq!(ObjectNames::read(&expected), Ok(names));
    assert_eq!((there(&names), names.count()), (vec![0, 7, 8, 10, 511], 512));
    assert_eq!(ObjectNames::read(&expected[..67]), Err(Error::Truncated));
    let bytes = sent(Kind::CoopObjectNames, tick(74_565), 0, &[expected]);
    let read: Vec<_> = ObjectNames::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!((bytes.len(), read), (76, vec![Ok(names)]));
}

/// WIRE-45, 61: both ends of the count and of the BSP; a name past the count is never there, by whatever bits.
#[test]
fn names_end_at_their_count() {
    let read = |bsp: i16, count: i16| {
        let mut entry = CoopObjectNamesEntry { structure_bsp: bsp, name_count: count, bits: [0xFF; 64] };
        entry.bits[0] = 0b0101_0101;
        ObjectNames::read(&written(|to| entry.write(to)))
    };
    for count in [0, 1, 7, 8, 9, 511, 512] {
        let names = read(3, count).unwrap();
        let expected: Vec<u16> = (0..count as u16).filter(|name| *name >= 8 || name % 2 == 0).collect();
        assert_eq!((names.count(), there(&names)), (count as u16, expected));
        // Bits past the count are not kept: it is what was made of the same names.
        assert_eq!(names, self::names(Some(3), count as u16, &there(&names)));
    }
    assert_eq!([513, i16::MAX, -1, i16::MIN].map(|count| read(3, count)), [Err(Error::BadIndex); 4]);
    let bsp = |bsp| read(bsp, 9).map(|names| names.structure_bsp);
    assert_eq!([0, i16::MAX, -1].map(bsp), [Ok(Some(0)), Ok(Some(32_767)), Ok(None)]);
    assert_eq!([-2, i16::MIN].map(bsp), [Err(Error::BadIndex); 2]);
    // What does not fit is written as none, or as the most.
    let far = names(Some(32_768), 513, &[512, 511]);
    let again = ObjectNames::read(&written(|to| far.write(to))).unwrap();
    assert_eq!((again.structure_bsp, again.count(), there(&again)), (None, 512, vec![511]));
    let past = names(None, 9, &[8, 9, 600]);
    assert_eq!(there(&past), [8]);
}

/// WIRE-85: a transform takes 36 bytes, a look 24, a screen effect 88; each field stands where the table has it, all comes back to
/// the bit, and so it does in a message of three.
#[test]
fn what_scripts_change_stands_in_its_bytes() {
    let mut expected = vec![0xFF, 0xFF, 0, 0, 0x1E, 0, 0xA4, 0xE1, 0, 1, 0x74, 0xE1];
    let mut seen = expected.clone();
    [7.0_f32, -8.5, 32768.0].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    [0_i16, 32767, 0, 0, 0, 32767].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    assert_eq!((written(|to| moved().write(to)), expected.len()), (expected.clone(), 36));
    assert_eq!(Transform::read(&expected), Ok(moved()));
    assert_eq!(Transform::read(&expected[..35]), Err(Error::Truncated));
    let bytes = sent(Kind::CoopObjectTransforms, tick(5), 0, &vec![expected; 3]);
    let read: Vec<_> = Transform::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(read, [Ok(moved()); 3]);

    seen.extend([0, 1, 2, 3, 4, 5, 6, 0xFF]);
    seen.extend(1.5_f32.to_le_bytes());
    assert_eq!((written(|to| look().write(to)), seen.len()), (seen.clone(), 24));
    assert_eq!(Look::read(&seen), Ok(look()));
    assert_eq!(Look::read(&seen[..23]), Err(Error::Truncated));
    let bytes = sent(Kind::CoopObjectLooks, tick(5), 0, &vec![seen; 3]);
    let read: Vec<_> = Look::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(read, [Ok(look()); 3]);

    let mut screen = vec![1, 1, 1, 1, 1, 1, 8, 0, 2, 0, 1, 0];
    (1_u8..=19).for_each(|number| screen.extend(f32::from(number).to_le_bytes()));
    assert_eq!((written(|to| effect().write(to)), screen.len()), (screen.clone(), 88));
    assert_eq!(ScreenEffect::read(&screen), Ok(effect()));
    assert_eq!(ScreenEffect::read(&screen[..87]), Err(Error::Truncated));
    let bytes = sent(Kind::CoopScreenEffect, tick(5), 0, &[screen]);
    let read: Vec<_> = ScreenEffect::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(read, [Ok(effect())]);
}

/// WIRE-84, 61: an object is its index with its tag, also where it has a name beside them; where the index is none it is the level's
/// name; where both are none it is nothing, as with an index, a tag or a name that is none.
#[test]
fn an_object_is_named_by_itself_or_by_the_level() {
    let read = |name: i16, raw: i32, tag: i32| {
        let mut bytes = written(|to| moved().write(to));
        let mut entry = CoopObjectTransformEntry::read(&bytes).unwrap();
        (entry.object_name, entry.object, entry.definition_tag) = (name, raw, tag);
        bytes.clear();
        entry.write(&mut bytes);
        Transform::read(&bytes).map(|moved| moved.object)
    };
    let by_itself = Ok(ObjectName::Object(object(OBJECT), Tag(7)));
    assert_eq!(read(-1, OBJECT, 7), by_itself);
    assert_eq!([read(4, OBJECT, 7), read(-2, OBJECT, 7), read(600, OBJECT, 7)], [by_itself; 3]);
    assert_eq!(read(4, OBJECT, -1), Err(Error::BadIndex), "an index without a tag");
    assert_eq!([read(4, 5, 7), read(4, 0x0001_2000, 7)], [Err(Error::BadIndex); 2], "an index that is none");
    for (name, by_level) in [(0, Ok(0)), (4, Ok(4)), (511, Ok(511)), (512, Err(Error::BadIndex))] {
        assert_eq!(read(name, -1, 7), by_level.map(ObjectName::Named), "the tag says nothing");
    }
    assert_eq!([-1, -2, i16::MIN, i16::MAX].map(|name| read(name, -1, -1)), [Err(Error::BadIndex); 4]);
    // A name that the format does not have is written as none.
    for name in [511, 512, u16::MAX] {
        let bytes = written(|to| Look { object: ObjectName::Named(name), ..look() }.write(to));
        let expected = if name == 511 { Ok(ObjectName::Named(511)) } else { Err(Error::BadIndex) };
        assert_eq!(Look::read(&bytes).map(|look| look.object), expected, "{name}");
    }
}

/// WIRE-09, 63, 64: a transform's place and axes are some, both sides; pads are not read.
#[test]
fn a_transform_is_checked_field_by_field() {
    let with = |at: usize, bytes: &[u8]| {
        let mut entry = written(|to| moved().write(to));
        entry[at..at + bytes.len()].copy_from_slice(bytes);
        Transform::read(&entry)
    };
    for at in [12, 16, 20] {
        let part = |part: f32| with(at, &part.to_le_bytes()).map(|_| ());
        assert_eq!([part(32768.0), part(-32768.0)], [Ok(()); 2]);
        assert_eq!([part(32769.0), part(-32769.0)], [Err(Error::OutOfRange); 2]);
        let evil = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        assert_eq!(evil.map(part), [Err(Error::NotFinite); 3], "{at}");
    }
    let forward = |part: f32| {
        let part = ((part * 32767.0) as i16).to_le_bytes();
        with(24, &[0, 0, part[0], part[1], 0, 0]).map(|moved| moved.axes.forward)
    };
    assert_eq!([forward(0.51), forward(1.0)], [Ok(Vec3::new(0.0, 1.0, 0.0)); 2]);
    assert_eq!([forward(0.49), forward(0.0)], [Err(Error::OutOfRange); 2]);
    assert_eq!(with(30, &[0; 6]), Err(Error::OutOfRange));
    assert_eq!(with(2, &[0xAB, 0xCD]), Ok(moved()));
}

/// WIRE-85, 09: a scale is above 0 and below 100, both sides; regions are whatever they are.
#[test]
fn a_look_is_checked_field_by_field() {
    let with = |change: fn(&mut CoopObjectLookEntry)| {
        let mut entry = CoopObjectLookEntry::read(&written(|to| look().write(to))).unwrap();
        change(&mut entry);
        Look::read(&written(|to| entry.write(to)))
    };
    let scale =
        |scale: f32| Look::read(&written(|to| Look { scale, ..look() }.write(to))).map(|look| look.scale);
    assert_eq!([scale(0.01), scale(99.9)], [Ok(0.01), Ok(99.9)]);
    assert_eq!([scale(f32::MIN_POSITIVE), scale(99.999_99)], [Ok(f32::MIN_POSITIVE), Ok(99.999_99)]);
    assert_eq!([0.0, -0.0, -1.0, 100.0, f32::MAX].map(scale), [Err(Error::OutOfRange); 5]);
    let evil = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    assert_eq!(evil.map(scale), [Err(Error::NotFinite); 3]);
    assert_eq!(with(|look| look.region_permutations = [255; 8]).map(|look| look.regions), Ok([255; 8]));
    assert_eq!(with(|look| (look.object, look.object_name) = (-1, -1)), Err(Error::BadIndex));
}

/// WIRE-85, 09: passes end at 8, a convolution's type and the overbright at 2; every number is finite; what is neither 0 nor 1 is 1.
#[test]
fn a_screen_effect_is_checked_field_by_field() {
    let with = |change: &dyn Fn(&mut CoopScreenEffectEntry)| {
        let mut entry = CoopScreenEffectEntry::read(&written(|to| effect().write(to))).unwrap();
        change(&mut entry);
        ScreenEffect::read(&written(|to| entry.write(to)))
    };
    let passes = |raw| with(&|effect| effect.extra_passes = raw).map(|effect| effect.extra_passes);
    assert_eq!([0, 8].map(passes), [Ok(0), Ok(8)]);
    assert_eq!([9, -1, i16::MAX, i16::MIN].map(passes), [Err(Error::OutOfRange); 4]);
    let convolution = |raw| with(&|effect| effect.convolution_type = raw).map(|effect| effect.convolution);
    assert_eq!([0, 2].map(convolution), [Ok(0), Ok(2)]);
    assert_eq!([3, -1, i16::MAX, i16::MIN].map(convolution), [Err(Error::OutOfRange); 4]);
    let overbright = |raw| with(&|effect| effect.overbright = raw).map(|effect| effect.overbright);
    assert_eq!([0, 2].map(overbright), [Ok(0), Ok(2)]);
    assert_eq!([3, -1, i16::MAX, i16::MIN].map(overbright), [Err(Error::OutOfRange); 4]);
    for at in (12..88).step_by(4) {
        for evil in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut bytes = written(|to| effect().write(to));
            bytes[at..at + 4].copy_from_slice(&evil.to_le_bytes());
            assert_eq!(ScreenEffect::read(&bytes), Err(Error::NotFinite), "{at}");
        }
    }
    let bools = |effect: ScreenEffect| {
        let ScreenEffect { has_control, initialised, video, .. } = effect;
        let ScreenEffect { desaturation_additive, light_mask, desaturation_mask, .. } = effect;
        [has_control, initialised, video, desaturation_additive, light_mask, desaturation_mask]
    };
    for at in 0..6 {
        for raw in [0, 1, 2, 255] {
            let mut bytes = written(|to| effect().write(to));
            bytes[at] = raw;
            let mut expected = [true; 6];
            expected[at] = raw != 0;
            assert_eq!(ScreenEffect::read(&bytes).map(bools), Ok(expected), "{at}");
        }
    }
}

/// WIRE-60: a bad entry between two good ones is refused alone.
#[test]
fn a_bad_change_of_scripts_is_refused_alone() {
    let good = written(|to| moved().write(to));
    let bytes = message(72, 3, &[&good[..], &[0; 36], &good].concat());
    let read: Vec<_> = Transform::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(read, [Ok(moved()), Err(Error::BadIndex), Ok(moved())]);
    let good = written(|to| look().write(to));
    let bad = written(|to| Look { scale: 100.0, ..look() }.write(to));
    let bytes = message(74, 3, &[&good[..], &bad, &good].concat());
    let read: Vec<_> = Look::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!(read, [Ok(look()), Err(Error::OutOfRange), Ok(look())]);
}

/// An object by itself or by the level's name.
pub(crate) fn any_name() -> impl Strategy<Value = ObjectName> {
    prop_oneof![
        (0_u16..512).prop_map(ObjectName::Named),
        (0_u16..8192, 1_u16.., 0..u32::MAX).prop_map(|(index, identifier, tag)| ObjectName::Object(
            ObjectId::new(index, identifier).unwrap(),
            Tag(tag)
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// WIRE-45, 11: any names of any count come back.
    #[test]
    fn names_come_back(
        bsp in prop::option::of(0_u16..0x8000),
        count in prop_oneof![Just(1), Just(7), Just(8), Just(9), Just(512), 0_u16..=512],
        some in prop::collection::vec(0_u16..512, 0..64),
    ) {
        let names = names(bsp, count, &some);
        let bytes = written(|to| names.write(to));
        prop_assert_eq!(bytes.len(), 68);
        prop_assert_eq!(ObjectNames::read(&bytes), Ok(names));
        let mut expected: Vec<u16> = some.into_iter().filter(|name| *name < count).collect();
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(there(&names), expected);
    }

    /// WIRE-11, 84, 85: a transform comes back to the bit but for its axes, a look to the bit.
    #[test]
    fn what_scripts_change_comes_back(
        object in any_name(),
        position in prop::array::uniform3(-32768.0_f32..=32768.0),
        axes in axes(),
        regions in any::<[u8; 8]>(),
        scale in (0.0_f32..100.0).prop_filter("above 0", |scale| *scale > 0.0),
    ) {
        let moved = Transform { object, position: Vec3::from_array(position), axes };
        let read = Transform::read(&written(|to| moved.write(to))).unwrap();
        prop_assert!(read.axes.forward.distance(axes.forward) <= 1e-4 && read.axes.up.distance(axes.up) <= 1e-4);
        prop_assert_eq!(Transform { axes, ..read }, moved);
        let look = Look { object, regions, scale };
        prop_assert_eq!(Look::read(&written(|to| look.write(to))), Ok(look));
    }

    /// WIRE-11, 85: a screen effect comes back to the bit.
    #[test]
    fn a_screen_effect_comes_back(
        bools in any::<[bool; 6]>(),
        (extra_passes, convolution, overbright) in (0_i16..=8, 0_i16..=2, 0_i16..=2),
        numbers in prop::array::uniform19(prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL),
    ) {
        let [has_control, initialised, video, desaturation_additive, light_mask, desaturation_mask] = bools;
        let [r, g, b, noise, r0, r1, t0, t1, l0, l1, d0, d1, f0, f1, s0, s1, s2, s3, near_clip] = numbers;
        let effect = ScreenEffect {
            has_control,
            initialised,
            video,
            desaturation_additive,
            light_mask,
            desaturation_mask,
            extra_passes,
            convolution,
            overbright,
            tint: [r, g, b],
            noise,
            convolution_radius: [r0, r1],
            convolution_time: [t0, t1],
            light: [l0, l1],
            desaturation: [d0, d1],
            filter_time: [f0, f1],
            script_values: [s0, s1, s2, s3],
            near_clip,
        };
        prop_assert_eq!(ScreenEffect::read(&written(|to| effect.write(to))), Ok(effect));
    }

    /// WIRE-08: whatever a few bytes of an entry become, it is read or refused; what was read is written and reads the same.
    #[test]
    fn changed_changes_are_read(changes in prop::collection::vec((0..88_usize, any::<u8>()), 1..8)) {
        let changed = |mut bytes: Vec<u8>| {
            let length = bytes.len();
            changes.iter().for_each(|(at, byte)| bytes[at % length] = *byte);
            bytes
        };
        if let Ok(names) = ObjectNames::read(&changed(written(|to| names(Some(3), 400, &[3, 9, 399]).write(to)))) {
            prop_assert_eq!(ObjectNames::read(&written(|to| names.write(to))), Ok(names));
        }
        if let Ok(moved) = Transform::read(&changed(written(|to| moved().write(to)))) {
            let again = Transform::read(&written(|to| moved.write(to))).unwrap();
            prop_assert_eq!(Transform { axes: moved.axes, ..again }, moved);
        }
        if let Ok(look) = Look::read(&changed(written(|to| look().write(to)))) {
            prop_assert_eq!(Look::read(&written(|to| look.write(to))), Ok(look));
        }
        if let Ok(effect) = ScreenEffect::read(&changed(written(|to| effect().write(to)))) {
            prop_assert_eq!(ScreenEffect::read(&written(|to| effect.write(to))), Ok(effect));
        }
    }
}
