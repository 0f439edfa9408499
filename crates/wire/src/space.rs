//! Places, directions and amounts, and how each travels (FACT wire 1.8). Knows no message.
//!
//! Every rounding is floor(x + 0.5) after clamping; every reader refuses what is not finite.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use libm::{floorf, sqrtf};

use crate::error::Error;
use crate::layout::Plain;
use crate::limits::POSITION_BOUND;
use crate::shown::Show;

/// Three parts: a place in world units, a velocity in world units a tick, or a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// East.
    pub x: f32,
    /// North.
    pub y: f32,
    /// Up.
    pub z: f32,
}

impl Vec3 {
    /// No length.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// Straight up, one long.
    pub const UP: Self = Self::new(0.0, 0.0, 1.0);

    /// Of those parts.
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// Its parts in the order in which they travel.
    pub const fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// The reverse of [`Vec3::to_array`].
    pub const fn from_array([x, y, z]: [f32; 3]) -> Self {
        Self { x, y, z }
    }

    /// The product of lengths and the cosine between.
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Length, squared.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// Length.
    pub fn length(self) -> f32 {
        sqrtf(self.length_squared())
    }

    /// How far to another place.
    pub fn distance(self, other: Self) -> f32 {
        (self - other).length()
    }

    /// Its part along the ground.
    #[must_use]
    pub const fn across(self) -> Self {
        Self::new(self.x, self.y, 0.0)
    }

    /// No part is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Reads parts that need only be finite.
    pub fn read_finite(parts: [f32; 3]) -> Result<Self, Error> {
        let this = Self::from_array(parts);
        if this.is_finite() { Ok(this) } else { Err(Error::NotFinite) }
    }

    /// Reads a place: finite, each part within +-32768 (WIRE-64).
    pub fn read_position(parts: [f32; 3]) -> Result<Self, Error> {
        let this = Self::read_finite(parts)?;
        if parts.iter().all(|part| part.abs() <= POSITION_BOUND) { Ok(this) } else { Err(Error::OutOfRange) }
    }
}

impl Add for Vec3 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl SubAssign for Vec3 {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<f32> for Vec3 {
    type Output = Self;
    fn mul(self, by: f32) -> Self {
        Self::new(self.x * by, self.y * by, self.z * by)
    }
}

impl Neg for Vec3 {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Plain for Vec3 {
    const SIZE: usize = 12;
    const ALIGN: usize = 4;

    fn type_name() -> alloc::string::String {
        <[f32; 3]>::type_name()
    }

    #[inline]
    fn get(from: &[u8]) -> Self {
        Self::from_array(<[f32; 3]>::get(from))
    }

    #[inline]
    fn put(&self, to: &mut [u8]) {
        self.to_array().put(to);
    }

    fn to_serde<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_array().to_serde(to)
    }

    fn from_serde<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <[f32; 3]>::from_serde(from).map(Self::from_array)
    }
}

impl Show for Vec3 {
    const IS_LIST: bool = true;

    fn show<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_array().show(to)
    }
}

/// A pair of directions that a thing has: where its front and where its top points, one long and at right angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Where the front points.
    pub forward: Vec3,
    /// Where the top points.
    pub up: Vec3,
}

/// How far from one a length, and from none a dot, may be that floats give a pair just made straight.
const STRAIGHT: f32 = 1e-6;

impl Axes {
    /// Facing east, upright.
    pub const UPRIGHT: Self = Self { forward: Vec3::new(1.0, 0.0, 0.0), up: Vec3::UP };

    /// Checks a pair that came (WIRE-63): each length within (0.5, 1.5), the dot's size below 0.1. What comes
    /// out is one long and at right angles: the up is turned, the forward kept.
    pub fn read(forward: Vec3, up: Vec3) -> Result<Self, Error> {
        if !forward.is_finite() || !up.is_finite() {
            return Err(Error::NotFinite);
        }
        let lengths = [forward.length(), up.length()];
        let dot = forward.dot(up).abs();
        if !lengths.iter().all(|length| 0.5 < *length && *length < 1.5) || dot >= 0.1 {
            return Err(Error::OutOfRange);
        }
        // What came out of here once comes out of here again, to the bit.
        if lengths.iter().all(|length| (length - 1.0).abs() <= STRAIGHT) && dot <= STRAIGHT {
            return Ok(Self { forward, up });
        }
        let forward = forward * (1.0 / lengths[0]);
        let up = up - forward * forward.dot(up);
        Ok(Self { forward, up: up * (1.0 / up.length()) })
    }
}

/// The nearest multiple, within the bounds. NaN is no amount at all: 0, or the bound nearest to it.
fn rounded(value: f32, scale: f32, least: f32, most: f32) -> f32 {
    let scaled = if value.is_nan() { 0.0 } else { floorf(value * scale + 0.5) };
    scaled.clamp(least, most)
}

macro_rules! packed_vector {
    ($(#[$meta:meta])* $name:ident, $scale:literal, $least:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name(pub [i16; 3]);

        impl $name {
            /// Units in one.
            pub const SCALE: f32 = $scale;

            /// The nearest that can travel.
            pub fn pack(vector: Vec3) -> Self {
                Self(vector.to_array().map(|part| rounded(part, $scale, $least, 32767.0) as i16))
            }

            /// What was meant, within half a unit.
            pub fn unpack(self) -> Vec3 {
                Vec3::from_array(self.0.map(|part| f32::from(part) / $scale))
            }
        }

        impl Plain for $name {
            const SIZE: usize = 6;
            const ALIGN: usize = 2;

            fn type_name() -> alloc::string::String {
                alloc::string::String::from(concat!("i16[3]/", stringify!($scale)))
            }

            #[inline]
            fn get(from: &[u8]) -> Self {
                Self(<[i16; 3]>::get(from))
            }

            #[inline]
            fn put(&self, to: &mut [u8]) {
                self.0.put(to);
            }

            fn to_serde<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                self.0.to_serde(to)
            }

            fn from_serde<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                <[i16; 3]>::from_serde(from).map(Self)
            }
        }

        impl Show for $name {
            const IS_LIST: bool = true;

            fn show<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                self.unpack().show(to)
            }
        }
    };
}

packed_vector! {
    /// A direction one long, 32767ths (WIRE-16).
    PackedUnit, 32767.0, -32767.0
}
packed_vector! {
    /// A velocity in 1024ths of a world unit a tick, to about 32 (WIRE-16).
    PackedVelocity, 1024.0, -32768.0
}
packed_vector! {
    /// An angular velocity in 4096ths of a radian a tick, to about 8 (WIRE-16).
    PackedAngular, 4096.0, -32768.0
}

impl PackedUnit {
    /// Straight up.
    pub const UP: Self = Self([0, 0, 32767]);
}

/// Shields, health and shown damage: 16384ths, 0 to almost 4 (WIRE-17).
pub fn pack_vitality(value: f32) -> u16 {
    rounded(value, 16384.0, 0.0, 65535.0) as u16
}

/// The reverse of [`pack_vitality`].
pub fn unpack_vitality(raw: u16) -> f32 {
    f32::from(raw) / 16384.0
}

/// A part of 1 in a byte: triggers, camouflage, colours (WIRE-62).
pub fn pack_share(value: f32) -> u8 {
    rounded(value, 255.0, 0.0, 255.0) as u8
}

/// The reverse of [`pack_share`].
pub fn unpack_share(raw: u8) -> f32 {
    f32::from(raw) / 255.0
}

/// A throttle in 127ths, -1 to 1 (WIRE-62).
pub fn pack_throttle(value: f32) -> i8 {
    rounded(value, 127.0, -127.0, 127.0) as i8
}

/// The reverse of [`pack_throttle`]; -128, which it never gives, is -1 too.
pub fn unpack_throttle(raw: i8) -> f32 {
    f32::from(raw.max(-127)) / 127.0
}

/// A part of 1 in 16 bits: a weapon's age (WIRE-62).
pub fn pack_age(value: f32) -> u16 {
    rounded(value, 65535.0, 0.0, 65535.0) as u16
}

/// The reverse of [`pack_age`].
pub fn unpack_age(raw: u16) -> f32 {
    f32::from(raw) / 65535.0
}

/// A camera's field of view in 10000ths of a radian, never none (WIRE-62).
pub fn pack_field_of_view(radians: f32) -> u16 {
    rounded(radians, 10000.0, 1.0, 65535.0) as u16
}

/// The reverse of [`pack_field_of_view`].
pub fn unpack_field_of_view(raw: u16) -> f32 {
    f32::from(raw) / 10000.0
}

/// A speed of slayer in 16384ths, 0 to almost 4 (WIRE-62).
pub fn pack_speed(speed: f32) -> u16 {
    rounded(speed, 16384.0, 0.0, 65535.0) as u16
}

/// The reverse of [`pack_speed`].
pub fn unpack_speed(raw: u16) -> f32 {
    f32::from(raw) / 16384.0
}

/// An angle in 65536ths of a turn (WIRE-62).
pub fn pack_angle(radians: f32) -> u16 {
    let turns = radians / core::f32::consts::TAU;
    let part = turns - floorf(turns);
    // A part that rounds to a whole turn is none.
    (floorf(part * 65536.0 + 0.5) as u32 & 0xFFFF) as u16
}

/// A yaw: 0 to a turn.
pub fn unpack_yaw(raw: u16) -> f32 {
    f32::from(raw) / 65536.0 * core::f32::consts::TAU
}

/// A pitch: half a turn down to half a turn up.
pub fn unpack_pitch(raw: u16) -> f32 {
    let angle = unpack_yaw(raw);
    if angle >= core::f32::consts::PI { angle - core::f32::consts::TAU } else { angle }
}
