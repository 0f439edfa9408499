//! Playing the campaign together: what the host's level does by itself, brought to every machine.
//!
//! Only the host runs the level's scripts (COOP-03). What they show goes out each tick (kind 66); what they do once, and what
//! breaks, as numbered events, each had once and in order (71); which named objects there are (69), where scripts put objects
//! and how these look (72, 74) and the screen's effect (76) as a state that is told again, so that a lost message is made good
//! and who comes later is brought up to date.
//!
//! And its devices: doors, elevators, switches (68 and 77). The host tells what its groups are set to and where each device is;
//! a client's devices go there by themselves, and are put there exactly where they stopped or have drifted. A client sets none
//! itself: what its player uses is the action button, which the host's game takes as anybody's (COOP-16, 17).
//!
//! Devices and what breaks are the same in every network game that has some (OBJ-31, 47).
//!
//! It knows no level, no script and no unit: who stands on a device is the engine's to carry.
#![no_std]

extern crate alloc;

mod devices;
mod error;
mod events;
mod known;
mod names;
mod players;
mod presentation;
mod rows;
mod scripted;
mod telling;

pub use devices::client::{DEVICE_DRIFT_PART, DEVICE_DRIFT_WU, DeviceClient, MOST_HEARD};
pub use devices::host::{DEVICE_REPEAT_TICKS, DEVICE_ROUND, DeviceHost};
pub use error::Error;
pub use events::client::{
    EVENT_NAME_WAIT, EVENT_STEP, EVENT_STREAM_WAIT, EVENT_WAIT, EventClient, MOST_EVENTS,
};
pub use events::host::{EVENT_QUEUE, EVENT_REPEAT_TICKS, EventHost, MOST_LASTING, SURFACE_TURN};
pub use names::{NAMES_INTERVAL, NAMES_REPEAT_TICKS, NamesClient, NamesHost};
pub use players::{ScriptOrder, is_coop, script_order};
pub use presentation::{PresentationClient, tell_presentation};
pub use rows::{Command, DeviceRow, GroupRow, NameCommand};
pub use scripted::Scripted;
pub use scripted::client::{MOST_SCRIPTED, SCRIPTED_KEPT, ScriptedClient};
pub use scripted::host::{SCRIPTED_REPEAT_TICKS, SCRIPTED_ROUND, ScriptedHost};
