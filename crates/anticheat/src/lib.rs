//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name.
#![no_std]

extern crate alloc;

pub mod hardware;
pub mod person;

pub mod aim;
pub mod rules;
pub mod teller;

pub use hardware::HardwareId;
pub use person::Person;

pub use aim::{AimClient, AimHost, Aiming, Scene, is_mouse_blocked};
pub use rules::{Camera, Class, Forbidden, Source, Standing, Values, enforce, may_run};
pub use teller::Teller;
