//! Damage: what was dealt (kind 10), what a client's player hit (11), the animations that the host picked (75); FACT
//! wire 3.9 to 3.12.
//!
//! It checks what the bytes alone can say. Whether a target has such a node, and whether a player can have dealt it, is
//! checked where the game is known.

mod layouts;

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::{ObjectId, Slot, Tag};
use crate::layout::Pad;
use crate::message::Message;
use crate::space::Vec3;
use crate::time::Tick;

pub use layouts::{
    ActorDamageEntry, Damage as DamageEntry, DamageAnimationEntry, DamageEventEntry, HitReportEntry,
};
pub(crate) use layouts::{BITS, VALUES};

/// Damage itself (WIRE-80).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// The damage effect.
    pub effect: Tag,
    /// As the game has them.
    pub flags: u32,
    /// The player who dealt it.
    pub owner: Option<Slot>,
    /// The team that dealt it.
    pub team: Option<u16>,
    /// The object that dealt it.
    pub owner_object: Option<ObjectId>,
    /// Where it came from, wu.
    pub origin: Vec3,
    /// Where it is greatest, wu.
    pub epicentre: Vec3,
    /// Where it goes.
    pub direction: Vec3,
    /// How much of the effect's damage it is, 1 all of it.
    pub scale: f32,
    /// What multiplies it.
    pub multiplier: f32,
    /// How much of its material effect shows.
    pub material_effect_scale: f32,
    /// The material it met.
    pub material: Option<u16>,
}

impl Damage {
    fn check(raw: &DamageEntry) -> Result<Self, Error> {
        Ok(Self {
            effect: Tag::read(raw.damage_effect_tag)?,
            flags: raw.flags,
            owner: Slot::read_or_none(raw.owner_player)?,
            team: index_or_none(raw.owner_team)?,
            owner_object: ObjectId::read_or_none(raw.owner_object)?,
            origin: Vec3::read_finite(raw.origin)?,
            epicentre: Vec3::read_finite(raw.epicentre)?,
            direction: Vec3::read_finite(raw.direction)?,
            scale: finite(raw.scale)?,
            multiplier: finite(raw.multiplier)?,
            material_effect_scale: finite(raw.material_effect_scale)?,
            material: index_or_none(raw.material_type)?,
        })
    }

    fn raw(&self) -> DamageEntry {
        DamageEntry {
            damage_effect_tag: self.effect.raw(),
            flags: self.flags,
            owner_player: Slot::byte_or_none(self.owner),
            pad_9: Pad,
            owner_team: raw_index(self.team),
            owner_object: ObjectId::raw_or_none(self.owner_object),
            origin: self.origin.to_array(),
            epicentre: self.epicentre.to_array(),
            direction: self.direction.to_array(),
            scale: self.scale,
            multiplier: self.multiplier,
            material_effect_scale: self.material_effect_scale,
            material_type: raw_index(self.material),
            pad_66: Pad,
        }
    }
}

/// Which of an object's parts was hit, by its model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The node.
    pub node: Option<u16>,
    /// The region.
    pub region: Option<u16>,
    /// The material.
    pub material: Option<u16>,
}

/// An object hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// What was hit.
    pub object: ObjectId,
    /// The damage.
    pub damage: Damage,
    /// Where the machine whose player hit it had it, wu.
    pub target: Vec3,
    /// The surface's direction, where there is one.
    pub normal: Option<Vec3>,
    /// Which part.
    pub parts: Parts,
}

/// What a client's player hit: an entry of kind 11 (WIRE-38).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitReport {
    /// The hit.
    pub hit: Hit,
    /// The latest host tick that the client had had as it was made (DMG-03).
    pub heard: Tick,
}

impl HitReport {
    /// Checks an entry that came: every number finite, every index one or none. A normal is one only where it says so.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = HitReportEntry::read(bytes)?;
        let normal = Vec3::read_finite(raw.object_normal)?;
        let hit = Hit {
            object: ObjectId::read(raw.object)?,
            damage: Damage::check(&raw.damage)?,
            target: Vec3::read_finite(raw.target_position)?,
            normal: (raw.has_normal != 0).then_some(normal),
            parts: parts(raw.node, raw.region, raw.material)?,
        };
        Ok(Self { hit, heard: Tick::read(raw.host_tick)? })
    }

    /// The entries of a kind 11 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Hit { object, damage, target, normal, parts } = &self.hit;
        let entry = HitReportEntry {
            object: object.raw(),
            damage: damage.raw(),
            target_position: target.to_array(),
            object_normal: normal.unwrap_or(Vec3::ZERO).to_array(),
            node: raw_index(parts.node),
            region: raw_index(parts.region),
            material: raw_index(parts.material),
            has_normal: u8::from(normal.is_some()),
            pad_103: Pad,
            host_tick: self.heard.get(),
        };
        entry.write(to);
    }
}

/// What kind of damage event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// What a player's screen shows: a flash, a shake.
    ScreenEffect,
    /// What damage that was dealt does besides the harm.
    Aftermath,
    /// It killed.
    KillingBlow,
    /// Scenery or a device was hit.
    Scenery,
}

impl EventKind {
    /// Every kind, by the number that travels.
    pub const ALL: [Self; 4] = [Self::ScreenEffect, Self::Aftermath, Self::KillingBlow, Self::Scenery];
}

/// How somebody was killed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KillFlags {
    /// By a friend.
    pub friendly_fire: bool,
    /// By a vehicle.
    pub by_vehicle: bool,
    /// By one who arrived where it stood.
    pub telefrag: bool,
}

/// Damage dealt: an entry of kind 10 (WIRE-39).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DamageEvent {
    /// Of which kind.
    pub kind: EventKind,
    /// The player it is about: whose screen, or whose unit was hurt.
    pub player: Option<Slot>,
    /// How it killed.
    pub kill: KillFlags,
    /// What was hurt; none for a screen effect of no object.
    pub object: Option<ObjectId>,
    /// The damage.
    pub damage: Damage,
    /// As the game has them.
    pub being_damaged_flags: u32,
    /// Taken from the shield.
    pub shield_damage: f32,
    /// Taken from the body.
    pub body_damage: f32,
    /// What multiplied the body's.
    pub body_multiplier: f32,
    /// Of both.
    pub total_damage: f32,
    /// The body part that was hit.
    pub body_part: Option<u16>,
    /// The parts of the model that were hit.
    pub parts: Parts,
    /// The killer's score after a killing blow; 0 of any other (WIRE-81).
    pub killer_score: i32,
}

impl DamageEvent {
    /// Checks an entry that came (WIRE-81).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = DamageEventEntry::read(bytes)?;
        let kind = *EventKind::ALL.get(usize::from(raw.kind)).ok_or(Error::BadFlag)?;
        let bit = |bit: u8| raw.kill_flags & (1 << bit) != 0;
        Ok(Self {
            kind,
            player: Slot::read_or_none(raw.player)?,
            kill: KillFlags { friendly_fire: bit(0), by_vehicle: bit(1), telefrag: bit(2) },
            object: ObjectId::read_or_none(raw.object)?,
            damage: Damage::check(&raw.damage)?,
            being_damaged_flags: raw.being_damaged_flags,
            shield_damage: finite(raw.shield_damage)?,
            body_damage: finite(raw.body_damage)?,
            body_multiplier: finite(raw.body_damage_multiplier)?,
            total_damage: finite(raw.total_damage)?,
            body_part: index_or_none(raw.body_part)?,
            parts: parts(raw.node, raw.region, raw.material)?,
            killer_score: if kind == EventKind::KillingBlow { raw.killer_score } else { 0 },
        })
    }

    /// The entries of a kind 10 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let KillFlags { friendly_fire, by_vehicle, telefrag } = self.kill;
        let entry = DamageEventEntry {
            kind: self.kind as u8,
            player: Slot::byte_or_none(self.player),
            kill_flags: u8::from(friendly_fire) | u8::from(by_vehicle) << 1 | u8::from(telefrag) << 2,
            pad_3: Pad,
            object: ObjectId::raw_or_none(self.object),
            damage: self.damage.raw(),
            being_damaged_flags: self.being_damaged_flags,
            shield_damage: self.shield_damage,
            body_damage: self.body_damage,
            body_damage_multiplier: self.body_multiplier,
            total_damage: self.total_damage,
            body_part: raw_index(self.body_part),
            node: raw_index(self.parts.node),
            region: raw_index(self.parts.region),
            material: raw_index(self.parts.material),
            killer_score: self.killer_score,
        };
        entry.write(to);
    }
}

/// What an animation that the host picked is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationKind {
    /// A light flinch.
    SoftPing,
    /// A heavy flinch.
    HardPing,
    /// A light death.
    SoftKill,
    /// A heavy death.
    HardKill,
}

impl AnimationKind {
    /// Every kind, by the number that travels.
    pub const ALL: [Self; 4] = [Self::SoftPing, Self::HardPing, Self::SoftKill, Self::HardKill];
}

/// A flinch or a death that the host picked: an entry of kind 75 (WIRE-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamageAnimation {
    /// The unit.
    pub unit: ObjectId,
    /// The animation's index in the unit's graph.
    pub animation: u16,
    /// What it is for.
    pub kind: AnimationKind,
    /// Wraps; applied once.
    pub number: u8,
}

impl DamageAnimation {
    /// Checks an entry that came.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = DamageAnimationEntry::read(bytes)?;
        Ok(Self {
            unit: ObjectId::read(raw.unit)?,
            animation: u16::try_from(raw.animation).map_err(|_| Error::BadIndex)?,
            kind: *AnimationKind::ALL.get(usize::from(raw.animation_type)).ok_or(Error::BadFlag)?,
            number: raw.number,
        })
    }

    /// The entries of a kind 75 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry. An index past 32767 goes as the last one that travels.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Self { unit, animation, kind, number } = *self;
        let animation = i16::try_from(animation).unwrap_or(i16::MAX);
        DamageAnimationEntry { unit: unit.raw(), animation, animation_type: kind as u8, number }.write(to);
    }
}

fn parts(node: i16, region: i16, material: i16) -> Result<Parts, Error> {
    Ok(Parts {
        node: index_or_none(node)?,
        region: index_or_none(region)?,
        material: index_or_none(material)?,
    })
}

/// An index of a model's or the game's; -1 is none.
fn index_or_none(raw: i16) -> Result<Option<u16>, Error> {
    match raw {
        -1 => Ok(None),
        raw => u16::try_from(raw).map(Some).map_err(|_| Error::BadIndex),
    }
}

fn raw_index(index: Option<u16>) -> i16 {
    index.and_then(|index| i16::try_from(index).ok()).unwrap_or(-1)
}

fn finite(value: f32) -> Result<f32, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite) }
}
