//! The host's side of players: what is true of their units, which of the clients' predictions are taken, what each
//! machine is told of them; and the client's applying of it.
//!
//! [`Host`] hears each client's word on where its players are and takes it after the engine's tick, within a
//! tolerance of its own copy and no further from an anchor than the player can have moved. So a client that lies
//! gains the tolerance and some ticks of jitter once, and an honest one on a bad line is never refused. It compares
//! the two machines' moves of the same tick ([`Drift`]) and writes the tick's unit states and relayed actions.
//! [`Client`] keeps the newest state of each player, tells the engine what changed, and hands places on.
//!
//! It knows no connection, no clock and no engine: facts come as rows, orders leave as commands. It does not drive
//! units (that is prediction's) and makes no objects.
//!
//! Not yet here: how high and how long a player may be in the air, what an explosion may add, elevators, vehicles,
//! seats, and sending less of those who are far.
#![no_std]

extern crate alloc;

mod anchor;
mod bounds;
mod client;
mod drift;
mod error;
mod host;
mod relay;
mod rows;
mod stamps;
mod take;

pub use anchor::{ANCHOR_JITTER, ANCHOR_RENEW, LEAD_REGAIN};
pub use bounds::{Bounds, MOST_A_TICK, OWN_SPEEDS, PLACE_SLACK};
pub use client::{Client, Word};
pub use drift::{DIVERGENCE_APART_DISTANCE, Drift};
pub use error::Error;
pub use host::{Host, Takings};
pub use relay::PING_INTERVAL;
pub use rows::{
    CarriedBy, Command, InputRow, MoveLimits, Platform, PlayerRow, UnitRow, VehicleRow, Vitality, Why,
};
pub use stamps::STAMP_STEP;
pub use take::{HOST_BLEND_DISTANCE, TAKE_TOLERANCE, TICK_NAMED_FOR};
