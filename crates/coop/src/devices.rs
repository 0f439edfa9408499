//! A level's devices: doors, elevators, switches (kinds 68 and 77). Knows no level.

pub(crate) mod client;
pub(crate) mod host;
