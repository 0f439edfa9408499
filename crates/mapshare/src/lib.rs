//! Map sharing: a client that lacks the game's custom map has it from the host and from the other players.
//!
//! Three parts, each a state machine that knows no socket, no file and no clock:
//! A host and a client speak over the game's stream, on the game's thread: what is lacked, what is offered, who else may have
//! it, how far a download is, who waits for it. The swarm moves the pieces, on a thread of its own: connections, hashes, requests,
//! blocks. What the first two want of a machine's files and of its swarm are [`Order`]s, what becomes of them is [`News`].
//! With the feature `disk` the folder of map files stands in `disk`: the part of this crate that knows the operating system.
#![no_std]

extern crate alloc;

mod addresses;
pub mod client;
#[cfg(feature = "disk")]
pub mod disk;
pub mod download;
mod error;
pub mod hash;
pub mod host;
pub mod index;
pub mod job;
pub mod names;
pub mod order;
mod random;
pub mod sharer;
pub mod simulated;
pub mod swarm;
mod texts;
mod words;

pub use addresses::{is_stand_in, may_be_named, may_connect};
pub use client::{Client, ClientSettings};
pub use error::Error;
pub use host::{Host, HostSettings, HostStanding};
pub use job::{Done, Job, Shelf, Taken};
pub use order::{Fault, Found, Game, News, Offered, Order, Place};
pub use sharer::{Command, Sharer};
pub use swarm::{Conn, Swarm};
