//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name.
#![no_std]

extern crate alloc;
#[cfg(feature = "files")]
extern crate std;

pub mod clocks;
pub mod hardware;
#[cfg(feature = "files")]
pub mod machine_id;
pub mod person;
pub mod shutout;
pub mod smbios;
pub mod sources;
pub mod speed;
mod track;

pub use clocks::Clocks;
pub use hardware::HardwareId;
pub use person::Person;
pub use shutout::ShutOut;
pub use speed::{Finding, Measure, Speed, Way};
