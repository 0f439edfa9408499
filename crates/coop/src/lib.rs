//! Playing the campaign together: what the host's level does by itself, brought to every machine.
//!
//! So far its devices: doors, elevators, switches (kinds 68 and 77). They are the same in every network game that has
//! some (OBJ-47). The host tells what its groups are set to and where each device is; a client's devices go there by
//! themselves, and are put there exactly where they stopped or have drifted. A client sets none itself: what its player
//! uses is the action button, which the host's game takes as anybody's (COOP-16, 17).
//!
//! And the surfaces that break (kind 71, OBJ-31): the host tells of each as a numbered event, once more to who becomes ready,
//! and a client breaks what it has whole.
//!
//! It knows no level, no script and no unit: who stands on a device is the engine's to carry.
#![no_std]

extern crate alloc;

mod breaking;
mod client;
mod error;
mod host;
mod known;
mod rows;
mod surfaces;

pub use breaking::{EVENT_STEP, SurfaceClient};
pub use client::{DEVICE_DRIFT_PART, DEVICE_DRIFT_WU, DeviceClient, MOST_HEARD};
pub use error::Error;
pub use host::{DEVICE_REPEAT_TICKS, DEVICE_ROUND, DeviceHost};
pub use rows::{Command, DeviceRow, GroupRow, NameCommand};
pub use surfaces::{EVENT_QUEUE, EVENT_REPEAT_TICKS, SURFACE_TURN, SurfaceHost};
