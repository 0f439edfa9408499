//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name.
#![no_std]

extern crate alloc;

pub mod hardware;
pub mod person;

pub use hardware::HardwareId;
pub use person::Person;
