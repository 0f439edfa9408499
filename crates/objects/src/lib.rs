//! Which units, vehicles, weapons and equipment there are: the host's, with equal index and identifier on every
//! machine.
//!
//! [`Host`] tells of each object that the engine makes and deletes, and lists all to a machine that asks; from its
//! list on, a machine is told of each change, in order. [`Client`] makes and deletes by that word alone: it finds
//! what the map placed alike, clears the place of what it is to make, deletes what the host never told of once the
//! list has ended, and asks again while something is missing.
//!
//! Everything is by stream, so nothing told is lost. It knows no connection, no clock and no engine: what the
//! engine did and has comes in as events and names, what it is to do leaves as commands.
//!
//! Not yet here: what units carry, where objects are as they move, and a machine that reads slowly, whose changes
//! are to become a set that is listed again. Until then its stream queues them, and the transport ends a connection
//! that reads nothing.
#![no_std]

extern crate alloc;

mod asking;
mod client;
mod error;
mod host;

pub use asking::{ASK_AFTER_FAILURE, ASK_AFTER_FAILURE_MOST, ASK_AGAIN, ASK_AGAIN_MOST};
pub use client::{Client, Command};
pub use error::Error;
pub use host::{Event, Host, LIST_INTERVAL};
