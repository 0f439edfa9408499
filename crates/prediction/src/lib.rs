//! Movement before the host's answer: a client's own players are driven at once by their own input, the others by
//! the inputs that the host relays, and the host's word on where they are becomes corrections that nobody sees as
//! jumps.
//!
//! [`HeldInputs`] turns inputs that come as datagrams do (late, twice, not at all) into one input a tick, the same
//! way on the host for its clients' players and on a client for everybody else's. [`Client`] is the rest of a
//! client's side: what it drives, what it remembers of its own players and the vehicles that they drive, what it corrects
//! and what it sends. Who rides is moved by the vehicle, that is by the game; the host's word on seats is carried out at
//! once for others' players, and for own ones once a round trip has passed. What nobody of this machine drives is not its
//! concern, but for what an own player got out of while it went.
//!
//! It knows no connection, no clock and no engine: facts come in as rows, what is to be done leaves as
//! [`Command`]s. It does not decide where anybody is: the host does.
#![no_std]

extern crate alloc;

mod client;
mod command;
mod compare;
mod counts;
mod error;
mod glide;
mod held;
mod history;
mod lag;
mod left;
mod moving;
mod own;
mod remote;
mod rows;
mod seat;
mod stamps;
mod taps;
mod untaken;
mod vehicle;

pub use client::Client;
pub use command::{Command, HostWord, VehicleWord, Why};
pub use compare::PLATFORM_HEIGHT;
pub use counts::keep_counts;
pub use error::Error;
pub use glide::{GLIDE_HALVES_PER_TICK, GLIDE_TICKS};
pub use held::{Driven, HeldInputs, INPUT_BUTTONS_RELEASED_AFTER, LATE_BUTTON_QUEUE};
pub use history::{PREDICTION_HISTORY, TELEPORT_LAG};
pub use left::{LEFT_LATE, LEFT_TOLERANCE};
pub use own::{OWN_PLAYER_TOLERANCE, TELEPORT_SIZED};
pub use remote::{PLATFORM_SETTLES, REMOTE_BLEND_DISTANCE, SETTLED_DISTANCE};
pub use rows::{OwnRow, Platform, Rows, UnitRow, VehicleRow};
pub use stamps::STAMP_STEP;
pub use taps::Taps;
pub use vehicle::OWN_VEHICLE_TOLERANCE;
