//! Values that packets hold: choices, and the lists of actions. Knows no packet.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, Reader};
use serde::Serializer;
use serde::ser::SerializeMap;

use crate::error::Error;
use crate::limits::{MAX_LOCAL_PLAYERS, MAX_PLAYERS};
use crate::shown::{self, Fields, Show, Shown};

/// Why a host does not let a machine in (packet 5, WIRE-95).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The client is older than the host.
    TooOld,
    /// The client is newer than the host.
    TooNew,
    /// It does not have the join token.
    BadToken,
    /// It does not have the password.
    BadPassword,
    /// There is no room.
    Full,
    /// The game takes nobody now.
    Closed,
    /// It is banned or kept out.
    Blacklisted,
    /// A reason that this version does not know.
    Other(i16),
}

impl Rejection {
    const fn get(self) -> i16 {
        match self {
            Self::TooOld => 0,
            Self::TooNew => 1,
            Self::BadToken => 2,
            Self::BadPassword => 3,
            Self::Full => 4,
            Self::Closed => 5,
            Self::Blacklisted => 6,
            Self::Other(raw) => raw,
        }
    }
}

impl<'a> Field<'a> for Rejection {
    const SIZE: usize = 2;

    fn type_name() -> String {
        String::from("i16")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(match i16::read(from)? {
            0 => Self::TooOld,
            1 => Self::TooNew,
            2 => Self::BadToken,
            3 => Self::BadPassword,
            4 => Self::Full,
            5 => Self::Closed,
            6 => Self::Blacklisted,
            raw => Self::Other(raw),
        })
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.get().write(to);
    }
}

impl Show for Rejection {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i16(self.get())
    }
}

/// What a client asks about the countdown (packet 17, WIRE-96).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum StartRequest {
    /// A player left.
    PlayerLeft = 0,
    /// A player joined.
    PlayerJoined = 1,
    /// Stop it.
    Stop = 2,
    /// Start now.
    StartNow = 3,
}

impl<'a> Field<'a> for StartRequest {
    const SIZE: usize = 2;

    fn type_name() -> String {
        String::from("i16")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        match i16::read(from)? {
            0 => Ok(Self::PlayerLeft),
            1 => Ok(Self::PlayerJoined),
            2 => Ok(Self::Stop),
            3 => Ok(Self::StartNow),
            _ => Err(Error::BadFlag),
        }
    }

    fn write(&self, to: &mut Vec<u8>) {
        (*self as i16).write(to);
    }
}

impl Show for StartRequest {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i16(*self as i16)
    }
}

/// A player's action in the game's own updates, 30 bytes. This netcode reads none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Action {
    /// Buttons.
    pub flags: u32,
    /// Yaw, pitch, throttle forward and left, trigger.
    pub reals: [f32; 5],
    /// Weapon, grenade, zoom.
    pub choices: [i16; 3],
}

impl Action {
    const BYTES: usize = 30;
}

impl<'a> Field<'a> for Action {
    const SIZE: usize = Self::BYTES;

    fn type_name() -> String {
        String::from("Action")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        let mut action = Self { flags: u32::read(from)?, ..Self::default() };
        for real in &mut action.reals {
            *real = f32::read(from)?;
        }
        for choice in &mut action.choices {
            *choice = i16::read(from)?;
        }
        Ok(action)
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.flags.write(to);
        self.reals.iter().for_each(|real| real.write(to));
        self.choices.iter().for_each(|choice| choice.write(to));
    }
}

impl Fields for Action {
    fn fields<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        shown::field(to, "Action", "flags", &self.flags)?;
        shown::field(to, "Action", "reals", &self.reals)?;
        shown::field(to, "Action", "choices", &self.choices)
    }
}

impl Show for Action {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        shown::show_fields(self, to)
    }
}

/// A client's own players' actions: a count of at most four and as many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Actions {
    list: [Action; MAX_LOCAL_PLAYERS],
    count: u8,
}

impl Actions {
    /// Those actions; more than four are too many.
    pub fn new(actions: &[Action]) -> Result<Self, Error> {
        let mut list = Self::default();
        list.list.get_mut(..actions.len()).ok_or(Error::TooLong)?.copy_from_slice(actions);
        list.count = actions.len() as u8;
        Ok(list)
    }

    /// The actions.
    pub fn as_slice(&self) -> &[Action] {
        &self.list[..usize::from(self.count)]
    }
}

impl<'a> Field<'a> for Actions {
    const SIZE: usize = 1;

    fn type_name() -> String {
        String::from("u8 + Action[0..=4]")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        let count = u8::read(from)?;
        let mut actions = Self { count, ..Self::default() };
        for action in actions.list.get_mut(..usize::from(count)).ok_or(Error::TooLong)? {
            *action = Action::read(from)?;
        }
        Ok(actions)
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.count.write(to);
        self.as_slice().iter().for_each(|action| action.write(to));
    }
}

impl Show for Actions {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.as_slice().iter().map(Shown))
    }
}

/// A host's list of every player's action, which this netcode sends empty and reads over (WIRE-36).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkippedActions;

impl<'a> Field<'a> for SkippedActions {
    const SIZE: usize = 1;

    fn type_name() -> String {
        String::from("u8 + Action[0..=128]")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        let count = u8::read(from)?;
        if usize::from(count) > MAX_PLAYERS {
            return Err(Error::TooLong);
        }
        for _ in 0..count {
            from.array::<{ Action::BYTES }>()?;
        }
        Ok(Self)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.push(0);
    }
}

/// Nothing of it was kept.
impl Show for SkippedActions {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }
}
