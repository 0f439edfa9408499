//! How amounts travel: tables worked out from the formulas, both ends of every range.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use mjolnir_wire::space::{
    PackedAngular, PackedUnit, PackedVelocity, pack_age, pack_angle, pack_field_of_view, pack_share,
    pack_speed, pack_throttle, pack_vitality, unpack_age, unpack_field_of_view, unpack_pitch, unpack_share,
    unpack_speed, unpack_throttle, unpack_vitality, unpack_yaw,
};
use mjolnir_wire::{Axes, Error, Vec3};
use proptest::prelude::*;

/// WIRE-16: the three scales, rounded to the nearest, pinned at the ends.
#[test]
fn vectors_travel_in_sixteen_bits_a_part() {
    let vector = Vec3::new;
    assert_eq!(PackedUnit::pack(vector(1.0, -1.0, 0.5)).0, [32767, -32767, 16384]);
    assert_eq!(PackedUnit::pack(vector(2.0, -2.0, 0.00001)).0, [32767, -32767, 0]);
    assert_eq!(PackedVelocity::pack(vector(0.0625, -0.03125, 0.0)).0, [64, -32, 0]);
    assert_eq!(PackedVelocity::pack(vector(40.0, -40.0, 31.9)).0, [32767, -32768, 32666]);
    assert_eq!(PackedAngular::pack(vector(1.0, -1.0, 9.0)).0, [4096, -4096, 32767]);
    // A half is rounded up, below zero too.
    assert_eq!(PackedVelocity::pack(vector(0.5 / 1024.0, -0.5 / 1024.0, -1.5 / 1024.0)).0, [1, 0, -1]);
    // What is no number is nothing, what is infinite is the end.
    let odd = vector(f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
    assert_eq!(PackedVelocity::pack(odd).0, [0, 32767, -32768]);
    assert_eq!(PackedUnit::pack(odd).0, [0, 32767, -32767]);
}

/// WIRE-17: 16384ths, 0 to almost 4.
#[test]
fn vitality_travels_in_16384ths() {
    for (value, raw) in [(0.0, 0), (1.0, 16384), (3.0, 49152)] {
        assert_eq!(pack_vitality(value), raw);
        assert_eq!(unpack_vitality(raw), value);
    }
    for (value, raw) in [(4.5, 65535), (-1.0, 0), (f32::NAN, 0), (f32::INFINITY, 65535)] {
        assert_eq!(pack_vitality(value), raw);
    }
}

/// WIRE-62: five values each, both ends, below and past them, and a half.
#[test]
fn amounts_travel_as_the_formulas_say() {
    for (angle, raw) in [(0.0, 0), (FRAC_PI_2, 16384), (PI, 32768), (-FRAC_PI_2, 49152), (TAU, 0), (-TAU, 0)]
    {
        assert_eq!(pack_angle(angle), raw, "{angle}");
    }
    assert_eq!(pack_angle(TAU * 0.5 / 65536.0), 1);
    assert_eq!(pack_angle(TAU * 65535.6 / 65536.0), 0);
    assert_eq!([f32::NAN, f32::INFINITY].map(pack_angle), [0, 0]);
    assert!((unpack_pitch(pack_angle(-FRAC_PI_2)) + FRAC_PI_2).abs() <= TAU / 65536.0);
    assert!((unpack_yaw(pack_angle(-FRAC_PI_2)) - 1.5 * PI).abs() <= TAU / 65536.0);
    assert_eq!(unpack_pitch(32768), -PI);
    for (value, raw) in [(-1.0, -127), (1.0, 127), (0.0, 0), (-0.5, -63), (7.0, 127), (-7.0, -127)] {
        assert_eq!(pack_throttle(value), raw, "{value}");
    }
    assert_eq!([-128, -127, 0, 127].map(unpack_throttle), [-1.0, -1.0, 0.0, 1.0]);
    for (value, raw) in [(0.0, 0), (1.0, 255), (0.5, 128), (-3.0, 0), (3.0, 255)] {
        assert_eq!(pack_share(value), raw, "{value}");
    }
    for (value, raw) in [(0.0, 0), (1.0, 65535), (0.5, 32768), (-3.0, 0), (3.0, 65535)] {
        assert_eq!(pack_age(value), raw, "{value}");
    }
    for (value, raw) in [(1.2217, 12217), (0.0, 1), (-1.0, 1), (6.5535, 65535), (9.0, 65535), (f32::NAN, 1)] {
        assert_eq!(pack_field_of_view(value), raw, "{value}");
    }
    for (value, raw) in [(0.0, 0), (1.0, 16384), (0.5, 8192), (-1.0, 0), (9.0, 65535)] {
        assert_eq!(pack_speed(value), raw, "{value}");
    }
}

/// WIRE-11, 62: what came is what goes out again, for every value there is.
#[test]
fn every_amount_survives_being_read_and_written() {
    for raw in 0..=u16::MAX {
        assert_eq!(pack_vitality(unpack_vitality(raw)), raw);
        assert_eq!(pack_age(unpack_age(raw)), raw);
        assert_eq!(pack_speed(unpack_speed(raw)), raw);
        assert_eq!(pack_field_of_view(unpack_field_of_view(raw)), raw.max(1));
        assert_eq!(pack_angle(unpack_yaw(raw)), raw);
        assert_eq!(pack_angle(unpack_pitch(raw)), raw);
        let part = raw as i16;
        assert_eq!(PackedVelocity::pack(PackedVelocity([part; 3]).unpack()).0, [part; 3]);
        assert_eq!(PackedAngular::pack(PackedAngular([part; 3]).unpack()).0, [part; 3]);
        assert_eq!(PackedUnit::pack(PackedUnit([part; 3]).unpack()).0, [part.max(-32767); 3]);
    }
    for raw in 0..=u8::MAX {
        assert_eq!(pack_share(unpack_share(raw)), raw);
        assert_eq!(pack_throttle(unpack_throttle(raw as i8)), (raw as i8).max(-127));
    }
}

/// WIRE-63: both sides of each bound.
#[test]
fn a_pair_of_axes_is_nearly_straight_or_refused() {
    let pair = |length: f32, dot: f32| {
        Axes::read(Vec3::new(length, 0.0, 0.0), Vec3::new(dot, 0.0, (1.0 - dot * dot).sqrt()))
    };
    for good in [pair(0.51, 0.0), pair(1.49, 0.0), pair(1.0, 0.09), pair(1.0, -0.09)] {
        let axes = good.unwrap();
        assert!((axes.forward.length() - 1.0).abs() <= 1e-6);
        assert!((axes.up.length() - 1.0).abs() <= 1e-6);
        assert!(axes.forward.dot(axes.up).abs() <= 1e-6);
    }
    for bad in [pair(0.49, 0.0), pair(1.51, 0.0), pair(0.5, 0.0), pair(1.5, 0.0), pair(1.0, 0.11)] {
        assert_eq!(bad, Err(Error::OutOfRange));
    }
    assert_eq!(Axes::read(Vec3::ZERO, Vec3::UP), Err(Error::OutOfRange));
    assert_eq!(pair(f32::NAN, 0.0), Err(Error::NotFinite));
    assert_eq!(pair(f32::INFINITY, 0.0), Err(Error::NotFinite));
    assert_eq!(pair(1e30, 0.0), Err(Error::OutOfRange));
}

/// WIRE-64: the bound itself is taken, past it is refused, not pinned.
#[test]
fn a_place_is_finite_and_within_the_bound() {
    for part in [32768.0, -32768.0, 0.0, -0.0, f32::MIN_POSITIVE] {
        for parts in [[part, 0.0, 0.0], [0.0, part, 0.0], [0.0, 0.0, part]] {
            let place = Vec3::read_position(parts).unwrap();
            assert_eq!(place.to_array().map(f32::to_bits), parts.map(f32::to_bits));
        }
    }
    for (part, error) in [
        (32769.0, Error::OutOfRange),
        (-32768.004, Error::OutOfRange),
        (1e9, Error::OutOfRange),
        (f32::MAX, Error::OutOfRange),
        (f32::NAN, Error::NotFinite),
        (f32::INFINITY, Error::NotFinite),
        (f32::NEG_INFINITY, Error::NotFinite),
    ] {
        for parts in [[part, 0.0, 0.0], [0.0, part, 0.0], [0.0, 0.0, part]] {
            assert_eq!(Vec3::read_position(parts), Err(error), "{parts:?}");
        }
    }
}

proptest! {
    /// WIRE-63: every pair that is taken comes out straight, and comes out of the check again to the bit.
    #[test]
    fn what_came_out_straight_stays(parts in prop::array::uniform6(-1.6_f32..1.6)) {
        let [a, b, c, d, e, f] = parts;
        if let Ok(axes) = Axes::read(Vec3::new(a, b, c), Vec3::new(d, e, f)) {
            prop_assert!((axes.forward.length() - 1.0).abs() <= 1e-6);
            prop_assert!((axes.up.length() - 1.0).abs() <= 1e-6);
            prop_assert!(axes.forward.dot(axes.up).abs() <= 1e-6);
            prop_assert_eq!(Axes::read(axes.forward, axes.up), Ok(axes));
        }
    }

    /// WIRE-16: no part is further off than half a unit.
    #[test]
    fn a_vector_is_off_by_half_a_unit_at_most(parts in prop::array::uniform3(-1.0_f32..1.0)) {
        let vector = Vec3::from_array(parts);
        let off = |unpacked: Vec3, of: Vec3| {
            (unpacked - of).to_array().into_iter().fold(0.0_f32, |most, part| most.max(part.abs()))
        };
        prop_assert!(off(PackedUnit::pack(vector).unpack(), vector) <= 0.501 / 32767.0);
        prop_assert!(off(PackedVelocity::pack(vector * 31.0).unpack(), vector * 31.0) <= 0.501 / 1024.0);
        prop_assert!(off(PackedAngular::pack(vector * 7.9).unpack(), vector * 7.9) <= 0.501 / 4096.0);
    }
}
