//! The bytes: every message's layout, its kind, its bounds, and the record that they are checked against.
//!
//! The layouts are those of the public format, network version 32, to the byte. Every decoder is total: any
//! bytes give a message or an [`Error`], never a panic, never an allocation that the bytes do not justify. What
//! can be built can be written, what was written can be read.
//!
//! It knows no connection, no clock, no game: whose a message is, what is done with one that is late and what one does
//! are other crates' concerns.
#![no_std]

extern crate alloc;

pub mod actors;
pub mod address;
pub mod batch;
pub mod chat;
pub mod cold;
pub mod coop;
pub mod damage;
pub mod devices;
mod error;
pub mod events;
pub mod format;
pub mod framing;
pub mod game_state;
pub mod identity;
pub mod ids;
pub mod inputs;
pub mod kinds;
pub mod layout;
pub mod limits;
pub mod machines;
pub mod mapshare;
pub mod message;
pub mod names;
pub mod object_name;
pub mod objects;
pub mod outbox;
pub mod packets;
pub mod pickups;
pub mod pings;
pub mod presentation;
pub mod rules;
pub mod scripted;
pub mod session;
pub mod shown;
pub mod space;
pub mod stamps;
pub mod statistics;
pub mod swarm;
pub mod time;
pub mod units;
pub mod voice;
pub mod votekick;

pub use batch::{BatchWriter, Parts};
pub use error::Error;
pub use ids::{Machine, ObjectId, Slot, Tag};
pub use inputs::{Buttons, Input};
pub use kinds::Kind;
pub use machines::MachineSet;
pub use message::{Message, MessageType};
pub use object_name::ObjectName;
pub use objects::{Creation, ObjectChange};
pub use outbox::Outbox;
pub use pings::Ping;
pub use space::{Axes, Vec3};
pub use time::{Moment, Tick};
