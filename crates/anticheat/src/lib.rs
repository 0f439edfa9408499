//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name.
#![no_std]

extern crate alloc;

pub mod hardware;
pub mod person;

pub mod ballot;
pub mod command;
pub mod texts;
pub mod votes;

pub use hardware::HardwareId;
pub use person::Person;

pub use ballot::Ballot;
pub use command::Command;
pub use votes::Votes;
