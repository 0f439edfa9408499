//! A player's unit as it travels (kinds 1 and 2), packed by hand: parts that are their defaults are left out (FACT
//! wire 3.1). Knows no unit beyond its name.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::{ObjectId, Slot};
use crate::layout::{Bits, PackedField};
use crate::message::Message;
use crate::space::{
    Axes, PackedUnit, PackedVelocity, Vec3, pack_share, pack_vitality, unpack_share, unpack_vitality,
};

mod shown;

pub use shown::UnitStateShown;

/// The most bytes of a unit state.
pub const UNIT_STATE_MOST: usize = 64;

mod flag {
    pub(super) const ALIVE: u8 = 1 << 0;
    pub(super) const PLACED: u8 = 1 << 1;
    pub(super) const BY_FRIEND: u8 = 1 << 2;
    pub(super) const BY_VEHICLE: u8 = 1 << 3;
    pub(super) const DEPLETED: u8 = 1 << 4;
    pub(super) const CHARGING: u8 = 1 << 5;
    pub(super) const OVER_CHARGING: u8 = 1 << 6;
    pub(super) const PREDICTED: u8 = 1 << 7;
}

mod part {
    pub(super) const RIDES: u8 = 1 << 0;
    pub(super) const UP: u8 = 1 << 1;
    pub(super) const SHOWN: u8 = 1 << 2;
    pub(super) const POWERUPS: u8 = 1 << 3;
    pub(super) const CAMOUFLAGE: u8 = 1 << 4;
    pub(super) const KILLER: u8 = 1 << 5;
}

/// The flags, for the record.
pub(crate) const FLAGS: Bits = (
    "unit_state.flags",
    &[
        ("alive", flag::ALIVE as u32),
        ("placed", flag::PLACED as u32),
        ("killed_by_friend", flag::BY_FRIEND as u32),
        ("killed_by_empty_vehicle", flag::BY_VEHICLE as u32),
        ("shield_depleted", flag::DEPLETED as u32),
        ("shield_charging", flag::CHARGING as u32),
        ("shield_over_charging", flag::OVER_CHARGING as u32),
        ("predicted", flag::PREDICTED as u32),
    ],
);

/// The parts, for the record.
pub(crate) const PARTS: Bits = (
    "unit_state.parts",
    &[
        ("rides", part::RIDES as u32),
        ("up", part::UP as u32),
        ("shown_damage", part::SHOWN as u32),
        ("powerups", part::POWERUPS as u32),
        ("camouflage", part::CAMOUFLAGE as u32),
        ("killer", part::KILLER as u32),
    ],
);

/// The entry field by field, for the record.
pub(crate) const FIELDS: &[PackedField] = &[
    PackedField::new("player", "u8", 1),
    PackedField::new("flags", "u8", 1),
    PackedField::new("parts", "u8", 1),
    PackedField::new("unit", "i32", 4).flags(flag::ALIVE),
    PackedField::new("vehicle", "i32", 4).flags(flag::ALIVE).parts(part::RIDES),
    PackedField::new("seat", "i16", 2).flags(flag::ALIVE).parts(part::RIDES),
    PackedField::new("position", "f32[3]", 12).flags(flag::ALIVE | flag::PLACED),
    PackedField::new("velocity", "i16[3]/1024", 6).flags(flag::ALIVE | flag::PLACED),
    PackedField::new("forward", "i16[3]/32767", 6).flags(flag::ALIVE | flag::PLACED),
    PackedField::new("up", "i16[3]/32767", 6).flags(flag::ALIVE | flag::PLACED).parts(part::UP),
    PackedField::new("predicted_time", "i16", 2).flags(flag::ALIVE | flag::PREDICTED),
    PackedField::new("body_vitality", "u16/16384", 2).flags(flag::ALIVE),
    PackedField::new("shield_vitality", "u16/16384", 2).flags(flag::ALIVE),
    PackedField::new("current_body_damage", "u16/16384", 2).flags(flag::ALIVE).parts(part::SHOWN),
    PackedField::new("recent_body_damage", "u16/16384", 2).flags(flag::ALIVE).parts(part::SHOWN),
    PackedField::new("current_shield_damage", "u16/16384", 2).flags(flag::ALIVE).parts(part::SHOWN),
    PackedField::new("recent_shield_damage", "u16/16384", 2).flags(flag::ALIVE).parts(part::SHOWN),
    PackedField::new("camouflage_ticks", "i16", 2).flags(flag::ALIVE).parts(part::POWERUPS),
    PackedField::new("full_spectrum_vision_ticks", "i16", 2).flags(flag::ALIVE).parts(part::POWERUPS),
    PackedField::new("unit_flags", "u8", 1).flags(flag::ALIVE).parts(part::CAMOUFLAGE),
    PackedField::new("camouflage", "u8/255", 1).flags(flag::ALIVE).parts(part::CAMOUFLAGE),
    PackedField::new("killer_player", "u8", 1).not_flags(flag::ALIVE).parts(part::KILLER),
];

const _: () = assert!(PackedField::total(FIELDS) <= UNIT_STATE_MOST);

/// The bits of a unit's own flags, for the record.
pub(crate) const UNIT_FLAGS: Bits =
    ("unit_state.unit_flags", &[("camouflaged", 1), ("super_camouflaged", 2)]);

/// One player's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitState {
    /// Whose it is.
    pub slot: Slot,
    /// What its shield is doing.
    pub shield: ShieldFlags,
    /// Alive or dead, and what goes with it.
    pub life: Life,
}

/// What a shield is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShieldFlags {
    /// It is down.
    pub depleted: bool,
    /// It fills.
    pub charging: bool,
    /// It fills past its maximum.
    pub over_charging: bool,
}

/// Alive or dead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Life {
    /// The player has a unit.
    Alive(LivingUnit),
    /// The player waits to come back.
    Dead(Death),
}

/// How a player died.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Death {
    /// Who killed it.
    pub killer: Option<Slot>,
    /// A friend did.
    pub by_friend: bool,
    /// A vehicle that nobody drove did.
    pub by_vehicle: bool,
}

/// A living player's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LivingUnit {
    /// The unit.
    pub unit: ObjectId,
    /// The vehicle and seat it rides.
    pub ride: Option<Ride>,
    /// Where it is; none while it rides.
    pub placement: Option<Placement>,
    /// The low 16 bits of the client's tick at which the host has it; in its own machine's copy alone.
    pub predicted: Option<u16>,
    /// Health, 1 whole.
    pub body: f32,
    /// Shield, 1 whole, to 3 and a little more.
    pub shield: f32,
    /// The damage it shows.
    pub shown: ShownDamage,
    /// Ticks left of active camouflage and of full-spectrum vision.
    pub powerups: [i16; 2],
    /// Camouflaged or not, super or not (bits 0 and 1; the rest as they came).
    pub unit_flags: u8,
    /// How invisible it is, 0 to 1.
    pub camouflage: f32,
}

/// A vehicle and a seat of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ride {
    /// The vehicle.
    pub vehicle: Option<ObjectId>,
    /// The seat's index.
    pub seat: i16,
}

/// Where a unit is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// World units.
    pub position: Vec3,
    /// World units a tick.
    pub velocity: Vec3,
    /// Front and top.
    pub axes: Axes,
}

/// The damage that a unit's shield and body show, 0 to almost 4 each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShownDamage {
    /// Of the body, now.
    pub current_body: f32,
    /// Of the body, lately.
    pub recent_body: f32,
    /// Of the shield, now.
    pub current_shield: f32,
    /// Of the shield, lately.
    pub recent_shield: f32,
}

impl LivingUnit {
    /// A whole unit there, on foot, with everything else at its default.
    pub const fn whole(unit: ObjectId, placement: Placement) -> Self {
        Self {
            unit,
            ride: None,
            placement: Some(placement),
            predicted: None,
            body: 1.0,
            shield: 1.0,
            shown: ShownDamage {
                current_body: 0.0,
                recent_body: 0.0,
                current_shield: 0.0,
                recent_shield: 0.0,
            },
            powerups: [0; 2],
            unit_flags: 0,
            camouflage: 0.0,
        }
    }
}

impl UnitState {
    /// Appends the entry, at most [`UNIT_STATE_MOST`] bytes.
    pub fn write(&self, to: &mut Vec<u8>) {
        let at = to.len();
        to.extend_from_slice(&[self.slot.get(), 0, 0]);
        let (mut flags, mut parts) = (0, 0);
        let mut set = |bit: u8, on: bool| flags |= if on { bit } else { 0 };
        set(flag::DEPLETED, self.shield.depleted);
        set(flag::CHARGING, self.shield.charging);
        set(flag::OVER_CHARGING, self.shield.over_charging);
        match &self.life {
            Life::Dead(death) => {
                set(flag::BY_FRIEND, death.by_friend);
                set(flag::BY_VEHICLE, death.by_vehicle);
                if let Some(killer) = death.killer {
                    parts = part::KILLER;
                    to.push(killer.get());
                }
            }
            Life::Alive(unit) => {
                set(flag::ALIVE, true);
                set(flag::PLACED, unit.placement.is_some());
                set(flag::PREDICTED, unit.predicted.is_some());
                parts = unit.write(to);
            }
        }
        to[at + 1] = flags;
        to[at + 2] = parts;
    }

    /// The entries of a kind 1 or 2 message.
    pub const fn read_all<'a>(message: &Message<'a>) -> UnitStates<'a> {
        UnitStates { left: message.body, count: message.count }
    }

    /// Reads one from the front; None where it is cut short.
    fn split(bytes: &[u8]) -> Option<(Result<Self, Error>, &[u8])> {
        let mut from = Cursor(bytes);
        let [slot, flags, parts] = from.take()?;
        let shield = ShieldFlags {
            depleted: flags & flag::DEPLETED != 0,
            charging: flags & flag::CHARGING != 0,
            over_charging: flags & flag::OVER_CHARGING != 0,
        };
        let life = if flags & flag::ALIVE == 0 {
            let killer = if parts & part::KILLER != 0 { from.take::<1>()?[0] } else { 0xFF };
            Slot::read_or_none(killer).map(|killer| {
                Life::Dead(Death {
                    killer,
                    by_friend: flags & flag::BY_FRIEND != 0,
                    by_vehicle: flags & flag::BY_VEHICLE != 0,
                })
            })
        } else {
            LivingUnit::split(&mut from, flags, parts)?.map(Life::Alive)
        };
        let state = Slot::read(slot).and_then(|slot| Ok(Self { slot, shield, life: life? }));
        Some((state, from.0))
    }
}

impl LivingUnit {
    /// Appends all but the first three bytes; says which parts there are.
    fn write(&self, to: &mut Vec<u8>) -> u8 {
        let mut parts = 0;
        to.extend_from_slice(&self.unit.raw().to_le_bytes());
        if let Some(ride) = self.ride {
            parts |= part::RIDES;
            to.extend_from_slice(&ObjectId::raw_or_none(ride.vehicle).to_le_bytes());
            to.extend_from_slice(&ride.seat.to_le_bytes());
        }
        if let Some(placement) = self.placement {
            for part in placement.position.to_array() {
                to.extend_from_slice(&part.to_le_bytes());
            }
            words(to, PackedVelocity::pack(placement.velocity).0);
            words(to, PackedUnit::pack(placement.axes.forward).0);
            let up = PackedUnit::pack(placement.axes.up);
            if up != PackedUnit::UP {
                parts |= part::UP;
                words(to, up.0);
            }
        }
        if let Some(predicted) = self.predicted {
            to.extend_from_slice(&predicted.to_le_bytes());
        }
        words(to, [self.body, self.shield].map(|part| pack_vitality(part) as i16));
        let shown = [
            self.shown.current_body,
            self.shown.recent_body,
            self.shown.current_shield,
            self.shown.recent_shield,
        ]
        .map(|part| pack_vitality(part) as i16);
        if shown != [0; 4] {
            parts |= part::SHOWN;
            words(to, shown);
        }
        if self.powerups != [0; 2] {
            parts |= part::POWERUPS;
            words(to, self.powerups);
        }
        let camouflage = [self.unit_flags, pack_share(self.camouflage)];
        if camouflage != [0; 2] {
            parts |= part::CAMOUFLAGE;
            to.extend_from_slice(&camouflage);
        }
        parts
    }

    fn split(from: &mut Cursor<'_>, flags: u8, parts: u8) -> Option<Result<Self, Error>> {
        let unit = ObjectId::read(from.long()?);
        let mut ride = Ok(None);
        if parts & part::RIDES != 0 {
            let vehicle = ObjectId::read_or_none(from.long()?);
            let seat = from.word()?;
            ride = vehicle.map(|vehicle| Some(Ride { vehicle, seat }));
        }
        let mut placement = Ok(None);
        if flags & flag::PLACED != 0 {
            let position = [from.float()?, from.float()?, from.float()?];
            let velocity = PackedVelocity(from.three()?).unpack();
            let forward = PackedUnit(from.three()?).unpack();
            let up = if parts & part::UP != 0 { PackedUnit(from.three()?).unpack() } else { Vec3::UP };
            placement = Vec3::read_position(position).and_then(|position| {
                Ok(Some(Placement { position, velocity, axes: Axes::read(forward, up)? }))
            });
        }
        let predicted = if flags & flag::PREDICTED != 0 { Some(from.word()? as u16) } else { None };
        let mut vitality = || from.word().map(|raw| unpack_vitality(raw as u16));
        let (body, shield) = (vitality()?, vitality()?);
        let mut shown = ShownDamage::default();
        if parts & part::SHOWN != 0 {
            shown = ShownDamage {
                current_body: vitality()?,
                recent_body: vitality()?,
                current_shield: vitality()?,
                recent_shield: vitality()?,
            };
        }
        let powerups = if parts & part::POWERUPS != 0 { [from.word()?, from.word()?] } else { [0; 2] };
        let [unit_flags, camouflage] = if parts & part::CAMOUFLAGE != 0 { from.take()? } else { [0; 2] };
        Some((|| {
            Ok(Self {
                unit: unit?,
                ride: ride?,
                placement: placement?,
                predicted,
                body,
                shield,
                shown,
                powerups,
                unit_flags,
                camouflage: unpack_share(camouflage),
            })
        })())
    }
}

fn words<const N: usize>(to: &mut Vec<u8>, words: [i16; N]) {
    for word in words {
        to.extend_from_slice(&word.to_le_bytes());
    }
}

/// Bytes read from the front.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*front)
    }

    fn word(&mut self) -> Option<i16> {
        self.take().map(i16::from_le_bytes)
    }

    fn three(&mut self) -> Option<[i16; 3]> {
        Some([self.word()?, self.word()?, self.word()?])
    }

    fn long(&mut self) -> Option<i32> {
        self.take().map(i32::from_le_bytes)
    }

    fn float(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }
}

/// The entries of a kind 1 or 2 message.
#[derive(Clone, Copy, Debug)]
pub struct UnitStates<'a> {
    left: &'a [u8],
    count: u8,
}

impl<'a> UnitStates<'a> {
    /// The bytes from the next entry on.
    pub const fn left(&self) -> &'a [u8] {
        self.left
    }
}

impl Iterator for UnitStates<'_> {
    /// An entry, or why it was refused; one that is cut short is the last (WIRE-70).
    type Item = Result<UnitState, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        match UnitState::split(self.left) {
            Some((state, left)) => {
                self.left = left;
                Some(state)
            }
            None => {
                self.count = 0;
                Some(Err(Error::Truncated))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WIRE-69: whatever flags and parts an entry has, it is as long as the fields that the record says stand in
    /// it, and one byte less is cut short.
    #[test]
    fn an_entry_is_as_long_as_the_record_says() {
        let mut bytes = [0_u8; UNIT_STATE_MOST + 64];
        bytes[7] = 1;
        for flags in 0..=u8::MAX {
            for parts in 0..=u8::MAX {
                bytes[1..3].copy_from_slice(&[flags, parts]);
                let length: usize = FIELDS.iter().map(|field| field.bytes_in(flags, parts)).sum();
                assert!(length <= UNIT_STATE_MOST);
                let (_, left) = UnitState::split(&bytes).unwrap();
                assert_eq!(bytes.len() - left.len(), length, "flags {flags:08b}, parts {parts:08b}");
                assert!(UnitState::split(&bytes[..length - 1]).is_none());
            }
        }
    }
}
