//! What a player does in one tick: the input a client sends (kind 14) and the one the host relays (kind 15), FACT
//! wire 3.2 and 3.3. Knows no unit and not what a button does.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::Slot;
use crate::layout::{Bits, PackedField, Pad, layout};
use crate::limits::{GRENADE_KINDS, WEAPON_SLOTS};
use crate::message::Message;
use crate::space::{
    pack_angle, pack_share, pack_throttle, unpack_pitch, unpack_share, unpack_throttle, unpack_yaw,
};
use crate::time::Tick;

mod shown;

pub use shown::RelayedActionShown;

/// Buttons held in a tick, one bit each. All bits that came are kept, so that what was read is written again;
/// [`Buttons::known`] clears those without a meaning where an input is applied (WIRE-73).
///
/// A client's own tick (kind 14) carries 32 bits; a history and everything relayed carry the lower 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buttons(pub u32);

impl Buttons {
    /// The bits that have a meaning: 0 to 14.
    pub const KNOWN: Self = Self(0x7FFF);
    /// Crouches.
    pub const CROUCH: Self = Self(1 << 0);
    /// Jumps.
    pub const JUMP: Self = Self(1 << 1);
    /// The map's own, first.
    pub const USER_1: Self = Self(1 << 2);
    /// The map's own, second.
    pub const USER_2: Self = Self(1 << 3);
    /// Flashlight.
    pub const FLASHLIGHT: Self = Self(1 << 4);
    /// Faces exactly where it aims.
    pub const EXACT_FACING: Self = Self(1 << 5);
    /// Picks up, enters, uses.
    pub const ACTION: Self = Self(1 << 6);
    /// Strikes.
    pub const MELEE: Self = Self(1 << 7);
    /// Looks without turning.
    pub const LOOK_WITHOUT_TURNING: Self = Self(1 << 8);
    /// Stays alert.
    pub const FORCE_ALERT: Self = Self(1 << 9);
    /// Reloads.
    pub const RELOAD: Self = Self(1 << 10);
    /// Fires.
    pub const PRIMARY_TRIGGER: Self = Self(1 << 11);
    /// Fires the other way.
    pub const SECONDARY_TRIGGER: Self = Self(1 << 12);
    /// Throws.
    pub const THROW_GRENADE: Self = Self(1 << 13);
    /// Takes the other weapon.
    pub const SWAP_WEAPONS: Self = Self(1 << 14);

    /// Names by bit, for scripts and logs.
    pub const NAMES: [&'static str; 15] = [
        "crouch",
        "jump",
        "user_1",
        "user_2",
        "flashlight",
        "exact_facing",
        "action",
        "melee",
        "look_without_turning",
        "force_alert",
        "reload",
        "primary_trigger",
        "secondary_trigger",
        "throw_grenade",
        "swap_weapons",
    ];

    /// Whether all those are held.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those of either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those that mean something.
    #[must_use]
    pub const fn known(self) -> Self {
        Self(self.0 & Self::KNOWN.0)
    }

    /// The lower 16, which histories and relayed actions carry.
    pub const fn low16(self) -> u16 {
        self.0 as u16
    }

    /// Of those 16 bits.
    pub const fn from_low16(bits: u16) -> Self {
        Self(bits as u32)
    }
}

/// A player's whole input for one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// Buttons held.
    pub buttons: Buttons,
    /// Where it aims: radians, 0 to a turn, counter-clockwise from east.
    pub yaw: f32,
    /// Where it aims: radians, up positive.
    pub pitch: f32,
    /// How hard it moves: ahead and to its left, -1 to 1 each.
    pub throttle: [f32; 2],
    /// How far the trigger is pulled, 0 to 1.
    pub trigger: f32,
    /// The weapon it wants in hand, 0..4.
    pub weapon: Option<u8>,
    /// The grenade it wants to throw, 0..2.
    pub grenade: Option<u8>,
    /// How far it zooms, 0..32768; none when it does not. A relayed action carries no more than 127.
    pub zoom: Option<u16>,
}

/// Buttons of a tick and the three before it, newest first.
pub type History = [Buttons; 4];

/// Bit of [`PlayerInputEntry::friendly_fire`]: this player plays co-op with friendly fire. The document says that an
/// input tells it; where is ours (WIRE-29).
const FRIENDLY_FIRE: u8 = 1 << 0;

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[("player_input.friendly_fire", &[("on", FRIENDLY_FIRE as u32)])];

layout! {
    /// One entry of kind 14, as it travels (FACT wire 3.2; `friendly_fire` ours, WIRE-29).
    pub struct PlayerInputEntry = 52 {
        /// Whose input it is.
        player: u8 = 0,
        /// The structure BSP the client has loaded, 0xFF none.
        structure_bsp: u8 = 1,
        /// Bit 0: this player plays co-op with friendly fire.
        friendly_fire: u8 = 2,
        /// Nothing.
        pad_3: Pad<1> = 3,
        /// The client's tick.
        tick: i32 = 4,
        /// The latest host tick that the client has had.
        host_tick: i32 = 8,
        /// This tick's buttons.
        buttons: u32 = 12,
        /// Radians.
        yaw: f32 = 16,
        /// Radians.
        pitch: f32 = 20,
        /// Ahead and to the left.
        throttle: [f32; 2] = 24,
        /// 0 to 1.
        trigger: f32 = 32,
        /// -1 or 0..4.
        weapon: i16 = 36,
        /// -1 or 0..2.
        grenade: i16 = 38,
        /// -1 or more.
        zoom: i16 = 40,
        /// Nothing.
        pad_42: Pad<2> = 42,
        /// Buttons of this tick and the three before, newest first.
        history: [u16; 4] = 44,
    }
}

/// What a client says of one of its players each tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerInput {
    /// Whose input it is.
    pub slot: Slot,
    /// The structure BSP the client has loaded.
    pub structure_bsp: Option<u8>,
    /// Whether this player plays co-op with friendly fire.
    pub friendly_fire: bool,
    /// The client's tick.
    pub tick: Tick,
    /// The latest host tick that the client has had.
    pub host_tick: Tick,
    /// This tick's input.
    pub input: Input,
    /// Buttons of this tick and the three before.
    pub history: History,
}

fn choice(raw: i16, limit: i16) -> Result<Option<u8>, Error> {
    match raw {
        -1 => Ok(None),
        raw if (0..limit).contains(&raw) => Ok(Some(raw as u8)),
        _ => Err(Error::BadIndex),
    }
}

fn raw_choice(choice: Option<u8>) -> i16 {
    choice.map_or(-1, i16::from)
}

/// A zoom is any number from 0.
fn zoom(raw: i16) -> Result<Option<u16>, Error> {
    match raw {
        -1 => Ok(None),
        0.. => Ok(Some(raw as u16)),
        _ => Err(Error::BadIndex),
    }
}

/// The nearest zoom that travels where there is room up to `most`.
fn raw_zoom(zoom: Option<u16>, most: u16) -> i16 {
    zoom.map_or(-1, |zoom| zoom.min(most) as i16)
}

fn finite(value: f32) -> Result<f32, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite) }
}

impl PlayerInput {
    /// Checks an entry that came (WIRE-72): throttle and trigger are pinned, what is not finite is refused.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = PlayerInputEntry::read(bytes)?;
        Ok(Self {
            slot: Slot::read(raw.player)?,
            structure_bsp: (raw.structure_bsp != 0xFF).then_some(raw.structure_bsp),
            friendly_fire: raw.friendly_fire & FRIENDLY_FIRE != 0,
            tick: Tick::read(raw.tick)?,
            host_tick: Tick::read(raw.host_tick)?,
            input: Input {
                buttons: Buttons(raw.buttons),
                yaw: finite(raw.yaw)?,
                pitch: finite(raw.pitch)?,
                throttle: [
                    finite(raw.throttle[0])?.clamp(-1.0, 1.0),
                    finite(raw.throttle[1])?.clamp(-1.0, 1.0),
                ],
                trigger: finite(raw.trigger)?.clamp(0.0, 1.0),
                weapon: choice(raw.weapon, WEAPON_SLOTS as i16)?,
                grenade: choice(raw.grenade, GRENADE_KINDS as i16)?,
                zoom: zoom(raw.zoom)?,
            },
            history: raw.history.map(Buttons::from_low16),
        })
    }

    /// The entries of a kind 14 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        PlayerInputEntry {
            player: self.slot.get(),
            structure_bsp: self.structure_bsp.unwrap_or(0xFF),
            friendly_fire: if self.friendly_fire { FRIENDLY_FIRE } else { 0 },
            pad_3: Pad,
            tick: self.tick.get(),
            host_tick: self.host_tick.get(),
            buttons: self.input.buttons.0,
            yaw: self.input.yaw,
            pitch: self.input.pitch,
            throttle: self.input.throttle,
            trigger: self.input.trigger,
            weapon: raw_choice(self.input.weapon),
            grenade: raw_choice(self.input.grenade),
            zoom: raw_zoom(self.input.zoom, i16::MAX as u16),
            pad_42: Pad,
            history: self.history.map(Buttons::low16),
        }
        .write(to);
    }
}

/// One player's input as the host's tick ran it: an entry of kind 15, 14 to 20 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelayedAction {
    /// Whose input it is.
    pub slot: Slot,
    /// That tick's input; its angles, throttle and trigger as coarse as they travel.
    pub input: Input,
    /// Buttons of that tick and the three before.
    pub history: History,
}

/// The least bytes of a relayed action.
pub const RELAYED_ACTION_LEAST: usize = 14;
/// The most bytes of a relayed action.
pub const RELAYED_ACTION_MOST: usize = 20;

/// The parts, for the record.
pub(crate) const RELAYED_PARTS: Bits = (
    "relayed_action.parts",
    &[("one_tick_before", 1 << 0), ("two_ticks_before", 1 << 1), ("three_ticks_before", 1 << 2)],
);

/// The entry field by field, for the record.
pub(crate) const RELAYED_FIELDS: &[PackedField] = &[
    PackedField::new("player", "u8", 1),
    PackedField::new("parts", "u8", 1),
    PackedField::new("weapon", "i8", 1),
    PackedField::new("grenade", "i8", 1),
    PackedField::new("zoom", "i8", 1),
    PackedField::new("yaw", "u16/turn", 2),
    PackedField::new("pitch", "u16/turn", 2),
    PackedField::new("throttle_ahead", "i8/127", 1),
    PackedField::new("throttle_left", "i8/127", 1),
    PackedField::new("primary_trigger", "u8/255", 1),
    PackedField::new("buttons", "u16", 2),
    PackedField::new("buttons_one_tick_before", "u16", 2).parts(1 << 0),
    PackedField::new("buttons_two_ticks_before", "u16", 2).parts(1 << 1),
    PackedField::new("buttons_three_ticks_before", "u16", 2).parts(1 << 2),
];

const _: () = assert!(PackedField::total(RELAYED_FIELDS) == RELAYED_ACTION_MOST);

impl RelayedAction {
    /// Appends the entry: older buttons only where they differ from the next newer's (WIRE-28, 74). This tick's
    /// are the history's first.
    pub fn write(&self, to: &mut Vec<u8>) {
        let history = self.history.map(Buttons::low16);
        let mut parts = 0;
        for h in 1..4 {
            if history[h] != history[h - 1] {
                parts |= 1 << (h - 1);
            }
        }
        to.extend_from_slice(&[
            self.slot.get(),
            parts,
            raw_choice(self.input.weapon) as u8,
            raw_choice(self.input.grenade) as u8,
            raw_zoom(self.input.zoom, i8::MAX as u16) as u8,
        ]);
        to.extend_from_slice(&pack_angle(self.input.yaw).to_le_bytes());
        to.extend_from_slice(&pack_angle(self.input.pitch).to_le_bytes());
        to.extend(self.input.throttle.map(|part| pack_throttle(part) as u8));
        to.push(pack_share(self.input.trigger));
        to.extend_from_slice(&history[0].to_le_bytes());
        for h in 1..4 {
            if history[h] != history[h - 1] {
                to.extend_from_slice(&history[h].to_le_bytes());
            }
        }
    }

    /// Reads one from the front of `bytes`: the entry or why it was refused, and what follows it. None where the
    /// entry is cut short, so that nothing can follow.
    fn split(bytes: &[u8]) -> Option<(Result<Self, Error>, &[u8])> {
        let (fixed, mut rest) = bytes.split_first_chunk::<RELAYED_ACTION_LEAST>()?;
        let word = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let mut history = [Buttons::from_low16(word(12)); 4];
        for h in 1..4 {
            history[h] = history[h - 1];
            if fixed[1] >> (h - 1) & 1 != 0 {
                let (older, after) = rest.split_first_chunk()?;
                history[h] = Buttons::from_low16(u16::from_le_bytes(*older));
                rest = after;
            }
        }
        let entry = || {
            Ok(Self {
                slot: Slot::read(fixed[0])?,
                input: Input {
                    buttons: history[0],
                    yaw: unpack_yaw(word(5)),
                    pitch: unpack_pitch(word(7)),
                    throttle: [unpack_throttle(fixed[9] as i8), unpack_throttle(fixed[10] as i8)],
                    trigger: unpack_share(fixed[11]),
                    weapon: choice((fixed[2] as i8).into(), WEAPON_SLOTS as i16)?,
                    grenade: choice((fixed[3] as i8).into(), GRENADE_KINDS as i16)?,
                    zoom: zoom((fixed[4] as i8).into())?,
                },
                history,
            })
        };
        Some((entry(), rest))
    }
}

/// A kind 15 message: the host's count of its ticks' updates, then the entries.
#[derive(Clone, Copy, Debug)]
pub struct RelayedActions<'a> {
    /// The host's count of its ticks' updates.
    pub update: i32,
    left: &'a [u8],
    count: u8,
}

impl<'a> RelayedActions<'a> {
    /// Reads the part before the entries.
    pub fn read(message: &Message<'a>) -> Result<Self, Error> {
        let Some((update, left)) = message.body.split_first_chunk() else {
            return Err(Error::Truncated);
        };
        Ok(Self { update: i32::from_le_bytes(*update), left, count: message.count })
    }

    /// The bytes from the next entry on.
    pub const fn left(&self) -> &'a [u8] {
        self.left
    }
}

impl Iterator for RelayedActions<'_> {
    /// An entry, or why it was refused; one that is cut short is the last.
    type Item = Result<RelayedAction, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        match RelayedAction::split(self.left) {
            Some((entry, left)) => {
                self.left = left;
                Some(entry)
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

    /// WIRE-28, 74: whatever parts an entry has, it is as long as the fields that the record says stand in it, 14
    /// to 20 bytes, and one byte less is cut short.
    #[test]
    fn an_entry_is_as_long_as_the_record_says() {
        let mut bytes = [0; 32];
        for parts in 0..=u8::MAX {
            bytes[1] = parts;
            let length: usize = RELAYED_FIELDS.iter().map(|field| field.bytes_in(0, parts)).sum();
            assert!((RELAYED_ACTION_LEAST..=RELAYED_ACTION_MOST).contains(&length));
            let (_, left) = RelayedAction::split(&bytes).unwrap();
            assert_eq!(bytes.len() - left.len(), length, "{parts:08b}");
            assert!(RelayedAction::split(&bytes[..length - 1]).is_none());
        }
    }
}
