//! Objects as they travel: made and deleted (kind 5), where they are (kind 6), where a client drives one (kind 12),
//! and what a unit carries (kind 4); FACT wire 3.5 to 3.7.
//!
//! It checks what the bytes alone can say. A tag's group, a flag's team, a region's count and whose an object is
//! are checked where the map and the game are known, and so is whether a slot's object is a weapon.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::{ObjectId, Slot, Tag};
use crate::layout::{Bits, Pad, Values, layout};
use crate::limits::{GRENADE_KINDS, MAX_PLAYERS, WEAPON_SLOTS};
use crate::message::Message;
use crate::space::{Axes, PackedAngular, PackedUnit, PackedVelocity, Vec3};

/// Bits of the flags of kinds 5 and 6 (FACT wire 3.7).
mod flag {
    pub(super) const CARRIED: u8 = 1 << 0;
    pub(super) const AT_REST: u8 = 1 << 1;
    pub(super) const DEAD: u8 = 1 << 2;
    pub(super) const PREDICTED: u8 = 1 << 3;
    pub(super) const LIGHT_SENT: u8 = 1 << 4;
    pub(super) const LIGHT_ON: u8 = 1 << 5;
}

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[
    (
        "object_change.flags",
        &[("carried", flag::CARRIED as u32), ("at_rest", flag::AT_REST as u32), ("dead", flag::DEAD as u32)],
    ),
    (
        "object_state.flags",
        &[
            ("carried", flag::CARRIED as u32),
            ("at_rest", flag::AT_REST as u32),
            ("dead", flag::DEAD as u32),
            ("predicted", flag::PREDICTED as u32),
            ("light_sent", flag::LIGHT_SENT as u32),
            ("light_on", flag::LIGHT_ON as u32),
        ],
    ),
];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] =
    &[("object_change.change", &[("create", CREATE as u32), ("delete", DELETE as u32)])];

const CREATE: u8 = 0;
const DELETE: u8 = 1;

layout! {
    /// What a unit carries: an entry of kind 4 (WIRE-31).
    pub struct InventoryEntry = 64 {
        /// The unit.
        unit: i32 = 0,
        /// Grenades of each kind, 0..=16.
        grenade_counts: [i8; 2] = 4,
        /// The slot of the weapon in hand, -1 none.
        weapon_in_hand: i8 = 6,
        /// Nothing.
        pad_7: Pad<1> = 7,
        /// The weapon in each slot, -1 none.
        weapons: [i32; 4] = 8,
        /// All rounds, by slot and magazine.
        rounds_total: [[i16; 2]; 4] = 24,
        /// Rounds loaded, by slot and magazine.
        rounds_loaded: [[i16; 2]; 4] = 40,
        /// How worn or drained each weapon is, in 65535ths.
        age: [u16; 4] = 56,
    }

    /// An object made or deleted: an entry of kind 5 (WIRE-33).
    pub struct ObjectChangeEntry = 132 {
        /// 0 made, 1 deleted.
        change: u8 = 0,
        /// Bit 0 carried, 1 at rest, 2 dead.
        flags: u8 = 1,
        /// The player it belongs to, 0xFF none.
        owner_player: u8 = 2,
        /// The bitmap that an actor's variant sets in its shaders; 0 when none was set.
        forced_shader_permutation: u8 = 3,
        /// The index to make it at.
        object: i32 = 4,
        /// What it is.
        definition_tag: i32 = 8,
        /// The team it belongs to, -1 none.
        owner_team: i16 = 12,
        /// Its variant.
        variant_number: i16 = 14,
        /// World units.
        position: Vec3 = 16,
        /// Where its front points.
        forward: Vec3 = 28,
        /// Where its top points.
        up: Vec3 = 40,
        /// World units a tick.
        velocity: Vec3 = 52,
        /// Radians a tick.
        angular_velocity: Vec3 = 64,
        /// Red, green and blue of each.
        change_colours: [[f32; 3]; 4] = 76,
        /// Which form each region has; 0xFF its own.
        region_permutations: [u8; 8] = 124,
    }

    /// Where an object is: an entry of kinds 6 and 12 (WIRE-32).
    pub struct ObjectStateEntry = 44 {
        /// The object.
        object: i32 = 0,
        /// Bit 0 carried, 1 at rest, 2 dead, 3 predicted, 4 light sent, 5 light on.
        flags: u8 = 4,
        /// Nothing.
        pad_5: Pad<1> = 5,
        /// The lower 16 bits of a client's tick.
        time: i16 = 6,
        /// World units.
        position: Vec3 = 8,
        /// Where its front points.
        forward: PackedUnit = 20,
        /// Where its top points.
        up: PackedUnit = 26,
        /// World units a tick.
        velocity: PackedVelocity = 32,
        /// Radians a tick.
        angular_velocity: PackedAngular = 38,
    }
}

/// The forced shader permutation of an object to which no actor variant gave one. The facts name no value for it
/// (WIRE-33).
pub const NO_FORCED_PERMUTATION: u8 = 0;

/// An object as it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Creation {
    /// The index to make it at.
    pub object: ObjectId,
    /// What it is.
    pub tag: Tag,
    /// The player it belongs to.
    pub owner: Option<Slot>,
    /// The team it belongs to, 0..128.
    pub team: Option<u8>,
    /// Its variant.
    pub variant: i16,
    /// [`NO_FORCED_PERMUTATION`], or the bitmap that an actor's variant sets in its shaders.
    pub shader_permutation: u8,
    /// It lies in an inventory.
    pub carried: bool,
    /// It does not move.
    pub at_rest: bool,
    /// It is a body.
    pub dead: bool,
    /// World units.
    pub position: Vec3,
    /// Front and top.
    pub axes: Axes,
    /// World units a tick.
    pub velocity: Vec3,
    /// Radians a tick.
    pub angular_velocity: Vec3,
    /// Red, green and blue of each of its changing colours, 0 to 1.
    pub colours: [[f32; 3]; 4],
    /// Which form each of its regions has; 0xFF its own.
    pub regions: [u8; 8],
}

impl Creation {
    /// That object standing there, unowned, white, with everything else at its default.
    pub const fn plain(object: ObjectId, tag: Tag, position: Vec3) -> Self {
        Self {
            object,
            tag,
            owner: None,
            team: None,
            variant: 0,
            shader_permutation: NO_FORCED_PERMUTATION,
            carried: false,
            at_rest: false,
            dead: false,
            position,
            axes: Axes::UPRIGHT,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            colours: [[1.0; 3]; 4],
            regions: [0; 8],
        }
    }

    fn check(raw: &ObjectChangeEntry) -> Result<Self, Error> {
        let team = match raw.owner_team {
            -1 => None,
            team if (0..MAX_PLAYERS as i16).contains(&team) => Some(team as u8),
            _ => return Err(Error::BadIndex),
        };
        if raw.change_colours.as_flattened().iter().any(|part| !part.is_finite()) {
            return Err(Error::NotFinite);
        }
        Ok(Self {
            object: ObjectId::read(raw.object)?,
            tag: Tag::read(raw.definition_tag)?,
            owner: Slot::read_or_none(raw.owner_player)?,
            team,
            variant: raw.variant_number,
            shader_permutation: raw.forced_shader_permutation,
            carried: raw.flags & flag::CARRIED != 0,
            at_rest: raw.flags & flag::AT_REST != 0,
            dead: raw.flags & flag::DEAD != 0,
            position: Vec3::read_position(raw.position.to_array())?,
            axes: Axes::read(raw.forward, raw.up)?,
            velocity: Vec3::read_finite(raw.velocity.to_array())?,
            angular_velocity: Vec3::read_finite(raw.angular_velocity.to_array())?,
            colours: raw.change_colours,
            regions: raw.region_permutations,
        })
    }

    fn raw(&self) -> ObjectChangeEntry {
        ObjectChangeEntry {
            change: CREATE,
            flags: bits(&[
                (flag::CARRIED, self.carried),
                (flag::AT_REST, self.at_rest),
                (flag::DEAD, self.dead),
            ]),
            owner_player: Slot::byte_or_none(self.owner),
            forced_shader_permutation: self.shader_permutation,
            object: self.object.raw(),
            definition_tag: self.tag.raw(),
            owner_team: self.team.map_or(-1, i16::from),
            variant_number: self.variant,
            position: self.position,
            forward: self.axes.forward,
            up: self.axes.up,
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            change_colours: self.colours,
            region_permutations: self.regions,
        }
    }
}

/// An entry of kind 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectChange {
    /// An object is made.
    Create(Creation),
    /// An object is no more.
    Delete(ObjectId),
}

impl ObjectChange {
    /// Checks an entry that came (WIRE-63, 64, 77): a team is none or 0..128, every number is finite.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ObjectChangeEntry::read(bytes)?;
        match raw.change {
            CREATE => Creation::check(&raw).map(Self::Create),
            DELETE => ObjectId::read(raw.object).map(Self::Delete),
            _ => Err(Error::BadFlag),
        }
    }

    /// The entries of a kind 5 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry; of a deletion everything but the object is zero.
    pub fn write(&self, to: &mut Vec<u8>) {
        match self {
            Self::Create(creation) => creation.raw().write(to),
            Self::Delete(object) => {
                let mut bytes = [0; ObjectChangeEntry::SIZE];
                bytes[0] = DELETE;
                bytes[4..8].copy_from_slice(&object.raw().to_le_bytes());
                to.extend_from_slice(&bytes);
            }
        }
    }
}

/// Where an object is and how it moves, as coarse as it travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// World units.
    pub position: Vec3,
    /// Front and top.
    pub axes: Axes,
    /// World units a tick.
    pub velocity: Vec3,
    /// Radians a tick.
    pub angular_velocity: Vec3,
}

impl Motion {
    fn check(raw: &ObjectStateEntry) -> Result<Self, Error> {
        Ok(Self {
            position: Vec3::read_position(raw.position.to_array())?,
            axes: Axes::read(raw.forward.unpack(), raw.up.unpack())?,
            velocity: raw.velocity.unpack(),
            angular_velocity: raw.angular_velocity.unpack(),
        })
    }

    fn raw(&self, object: ObjectId, flags: u8, time: u16) -> ObjectStateEntry {
        ObjectStateEntry {
            object: object.raw(),
            flags,
            pad_5: Pad,
            time: time as i16,
            position: self.position,
            forward: PackedUnit::pack(self.axes.forward),
            up: PackedUnit::pack(self.axes.up),
            velocity: PackedVelocity::pack(self.velocity),
            angular_velocity: PackedAngular::pack(self.angular_velocity),
        }
    }
}

/// An entry of kind 6: where the host has an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectState {
    /// The object.
    pub object: ObjectId,
    /// Where it is.
    pub motion: Motion,
    /// It lies in an inventory.
    pub carried: bool,
    /// It does not move.
    pub at_rest: bool,
    /// It is a body.
    pub dead: bool,
    /// The lower 16 bits of the client's tick at which the host took this vehicle; to its driver's machine alone.
    pub predicted: Option<u16>,
    /// Whether its light is on, where its light is told of.
    pub light: Option<bool>,
}

impl ObjectState {
    /// Of an object that moves so and lives, with no light.
    pub const fn moving(object: ObjectId, motion: Motion) -> Self {
        Self { object, motion, carried: false, at_rest: false, dead: false, predicted: None, light: None }
    }

    /// Checks an entry that came (WIRE-32, 63, 64).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ObjectStateEntry::read(bytes)?;
        Ok(Self {
            object: ObjectId::read(raw.object)?,
            motion: Motion::check(&raw)?,
            carried: raw.flags & flag::CARRIED != 0,
            at_rest: raw.flags & flag::AT_REST != 0,
            dead: raw.flags & flag::DEAD != 0,
            predicted: (raw.flags & flag::PREDICTED != 0).then_some(raw.time as u16),
            light: (raw.flags & flag::LIGHT_SENT != 0).then_some(raw.flags & flag::LIGHT_ON != 0),
        })
    }

    /// The entries of a kind 6 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry; a time without a meaning is zero.
    pub fn write(&self, to: &mut Vec<u8>) {
        let flags = bits(&[
            (flag::CARRIED, self.carried),
            (flag::AT_REST, self.at_rest),
            (flag::DEAD, self.dead),
            (flag::PREDICTED, self.predicted.is_some()),
            (flag::LIGHT_SENT, self.light.is_some()),
            (flag::LIGHT_ON, self.light == Some(true)),
        ]);
        self.motion.raw(self.object, flags, self.predicted.unwrap_or(0)).write(to);
    }
}

/// An entry of kind 12: where a client has the vehicle that one of its players drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehiclePrediction {
    /// The vehicle.
    pub object: ObjectId,
    /// The lower 16 bits of the client's tick.
    pub time: u16,
    /// Where it is.
    pub motion: Motion,
}

impl VehiclePrediction {
    /// Checks an entry that came (WIRE-63, 64); its flags mean nothing.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ObjectStateEntry::read(bytes)?;
        Ok(Self { object: ObjectId::read(raw.object)?, time: raw.time as u16, motion: Motion::check(&raw)? })
    }

    /// The entries of a kind 12 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        self.motion.raw(self.object, 0, self.time).write(to);
    }
}

/// Grenades of one kind that a unit carries at most.
pub const MOST_GRENADES: u8 = 16;

/// A weapon in a slot of a unit's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarriedWeapon {
    /// Which.
    pub object: ObjectId,
    /// All its rounds, by magazine.
    pub total: [i16; 2],
    /// Rounds loaded, by magazine.
    pub loaded: [i16; 2],
    /// How worn or drained it is, in 65535ths of 1: [`pack_age`](crate::space::pack_age) of it.
    pub age: u16,
}

/// An entry of kind 4: what a unit carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// The unit.
    pub unit: ObjectId,
    /// Grenades of each kind, 0..=[`MOST_GRENADES`]; more are written as that many.
    pub grenades: [u8; GRENADE_KINDS],
    /// The slot of the weapon in hand, 0..[`WEAPON_SLOTS`]; another is written as none.
    pub in_hand: Option<u8>,
    /// The weapon in each slot.
    pub weapons: [Option<CarriedWeapon>; WEAPON_SLOTS],
}

impl Inventory {
    /// Of a unit that carries nothing.
    pub const fn empty(unit: ObjectId) -> Self {
        Self { unit, grenades: [0; GRENADE_KINDS], in_hand: None, weapons: [None; WEAPON_SLOTS] }
    }

    /// Checks an entry that came (WIRE-31): the counts, the slot in hand, and that every object is one or none. What
    /// stands beside a slot without a weapon means nothing.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = InventoryEntry::read(bytes)?;
        let mut grenades = [0; GRENADE_KINDS];
        for (count, raw) in grenades.iter_mut().zip(raw.grenade_counts) {
            *count = u8::try_from(raw).ok().filter(|raw| *raw <= MOST_GRENADES).ok_or(Error::OutOfRange)?;
        }
        let in_hand = match raw.weapon_in_hand {
            -1 => None,
            slot if (0..WEAPON_SLOTS as i8).contains(&slot) => Some(slot as u8),
            _ => return Err(Error::BadIndex),
        };
        let mut weapons = [None; WEAPON_SLOTS];
        for (slot, weapon) in weapons.iter_mut().enumerate() {
            *weapon = ObjectId::read_or_none(raw.weapons[slot])?.map(|object| CarriedWeapon {
                object,
                total: raw.rounds_total[slot],
                loaded: raw.rounds_loaded[slot],
                age: raw.age[slot],
            });
        }
        Ok(Self { unit: ObjectId::read(raw.unit)?, grenades, in_hand, weapons })
    }

    /// The entries of a kind 4 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry; everything of a slot without a weapon is zero but its object, which is none.
    pub fn write(&self, to: &mut Vec<u8>) {
        let in_hand = self.in_hand.filter(|slot| usize::from(*slot) < WEAPON_SLOTS);
        let mut raw = InventoryEntry {
            unit: self.unit.raw(),
            grenade_counts: self.grenades.map(|count| count.min(MOST_GRENADES) as i8),
            weapon_in_hand: in_hand.map_or(-1, |slot| slot as i8),
            pad_7: Pad,
            weapons: [-1; WEAPON_SLOTS],
            rounds_total: [[0; 2]; WEAPON_SLOTS],
            rounds_loaded: [[0; 2]; WEAPON_SLOTS],
            age: [0; WEAPON_SLOTS],
        };
        for (slot, weapon) in self.weapons.iter().enumerate() {
            if let Some(weapon) = weapon {
                raw.weapons[slot] = weapon.object.raw();
                raw.rounds_total[slot] = weapon.total;
                raw.rounds_loaded[slot] = weapon.loaded;
                raw.age[slot] = weapon.age;
            }
        }
        raw.write(to);
    }
}

/// Those bits that are on.
fn bits(of: &[(u8, bool)]) -> u8 {
    of.iter().filter(|(_, on)| *on).fold(0, |all, (bit, _)| all | bit)
}
