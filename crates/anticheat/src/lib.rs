//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name.
#![no_std]

extern crate alloc;

pub mod hardware;
pub mod person;

pub mod bans;
#[cfg(feature = "files")]
pub mod files;
pub mod record;

pub use record::{File, LocalTime, Record};

pub use hardware::HardwareId;
pub use person::Person;
