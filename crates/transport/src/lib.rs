//! Sockets and sessions: who is in the game, which bytes go to whom by which channel, and whose word is believed.
//!
//! The session machines know no socket and no clock: bytes and times come in, bytes and events go out. Only
//! `net` touches the operating system.
#![no_std]

extern crate alloc;

pub mod client;
pub mod counters;
mod error;
mod gather;
pub mod host;
pub mod impair;
mod inbox;
pub mod lan;
pub mod limits;
pub mod net;
mod network;
mod random;
mod roster;
pub mod simulated;
mod stamps;
pub mod texts;
pub mod trace;
mod version;
mod why;

pub use client::{Client, ClientSettings};
pub use counters::{Counters, Dropped, Flow, Reasons, Traffic};
pub use error::Error;
pub use host::{Host, HostSettings};
pub use inbox::{Channel, INBOX_BYTES, MACHINE_INBOX_BYTES, Received};
pub use lan::{Broadcast, Browser};
pub use mjolnir_wire::address::{canonical, household};
pub use mjolnir_wire::names::own as own_name;
pub use network::{NetEvent, Network, PeerAddress, StreamId, Transmits};
pub use roster::{ADDED_PER_ADDRESS, Player};
pub use stamps::{STAMP_STEP, STAMP_WINDOW};
pub use version::{VersionRefusal, check_version};
pub use why::Why;
