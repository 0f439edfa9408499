//! The bytes: every message's layout, its kind, its bounds, and the record that they are checked against.
//!
//! The layouts are those of the public format, network version 32, to the byte. Every decoder is total: any
//! bytes give a message or an [`Error`], never a panic, never an allocation that the bytes do not justify. What
//! can be built can be written, what was written can be read.
//!
//! It knows no connection, no clock, no game: whose a message is, whether it is late and what it does are other
//! crates' concerns.
#![no_std]

extern crate alloc;

pub mod batch;
mod error;
pub mod framing;
pub mod ids;
pub mod inputs;
pub mod kinds;
pub mod layout;
pub mod limits;
pub mod machines;
pub mod message;
pub mod outbox;
pub mod space;
pub mod time;
pub mod units;

pub use batch::{BatchWriter, Parts};
pub use error::Error;
pub use ids::{Machine, ObjectId, Slot, Tag};
pub use inputs::{Buttons, Input};
pub use kinds::Kind;
pub use machines::MachineSet;
pub use message::{Message, MessageType};
pub use outbox::Outbox;
pub use space::{Axes, Vec3};
pub use time::{Moment, Tick};
