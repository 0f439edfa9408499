//! The host's side of players: what is true of their units, which of the clients' predictions are taken, what each
//! machine is told of them; and the client's applying of it.
//!
//! [`Host`] hears each client's word on where its players are and takes it after the engine's tick, within a
//! tolerance of its own copy and no further from an anchor than the player can have moved. So a client that lies
//! gains the tolerance and some ticks of jitter once, and an honest one on a bad line is never refused. What the
//! host's own ticks gave a player (an explosion's throw) its client may do a round trip later; higher than a jump and a
//! throw take it nobody is, nor longer in the air than a thing falls. It does the same with vehicles that clients
//! drive, and leaves the height of whoever rides an elevator to the host. It compares
//! the two machines' moves of the same tick ([`Drift`]) and writes the tick's unit states and relayed actions, to each
//! machine those of the players whom it needs: every tick who is near its own players or aimed at through a scope, every
//! sixth who is out of sight, and whatever changes what it sees at once. That is measured for all of them each tick, by
//! sets of machines; what it costs stands in `docs/testing.md`.
//! [`Client`] keeps the newest state of each player, tells the engine what changed, and hands places on.
//!
//! [`ScoresHost`] tells of statistics, the game type's state and pickups, [`ScoresClient`] has them and says what is to be
//! announced.
//!
//! It knows no connection, no clock and no engine: facts come as rows, orders leave as commands. It does not drive
//! units (that is prediction's) and makes no objects.
#![no_std]

extern crate alloc;

mod anchor;
mod bounds;
mod client;
mod crossing;
mod drift;
mod error;
mod eyes;
mod flight;
mod host;
mod ladder;
mod measure;
mod relay;
mod rows;
mod same;
mod scores;
mod stamps;
mod take;
mod thrown;
mod vehicle;
mod visible;

pub use anchor::{ANCHOR_JITTER, ANCHOR_RENEW, LEAD_REGAIN};
pub use bounds::{Bounds, HEIGHT_SLACK, MOST_A_TICK, OWN_SPEEDS, PLACE_SLACK};
pub use client::{Client, Word};
pub use crossing::FLOORS;
pub use drift::{DIVERGENCE_APART_DISTANCE, Drift};
pub use error::Error;
pub use eyes::{AIM_RAISE_HALF_ANGLE, LADDER, SCOPE_RAISE_HALF_ANGLE};
pub use flight::FLIGHT_TRIP_MOST;
pub use host::{Host, Takings};
pub use ladder::{CHANGE_SENT_FOR, HIDDEN_EACH};
pub use relay::PING_INTERVAL;
pub use rows::{
    Announcement, CarriedBy, Command, InputRow, MoveLimits, Platform, PlayerRow, Shaft, StatisticsRow,
    UnitRow, VehicleRow, View, Vitality, Why,
};
pub use scores::{
    MOST_ANNOUNCED, STATE_APART, STATE_LOOK, STATISTICS_EACH, STATISTICS_ROUND, STATISTICS_ROUND_OF,
    ScoresClient, ScoresHost, Told,
};
pub use stamps::STAMP_STEP;
pub use take::{HOST_BLEND_DISTANCE, TAKE_TOLERANCE, TELEPORT_REST, TICK_NAMED_FOR};
pub use thrown::{SENT_SPEED_MEMORY, Sent};
pub use vehicle::{
    VEHICLE_ANCHOR_KEPT, VEHICLE_BLEND_DISTANCE, VEHICLE_HEIGHT_SLACK, VEHICLE_LAUNCH_SLACK,
    VEHICLE_MOST_A_TICK, VEHICLE_NAMED_BACK, VEHICLE_PLACE_SLACK, VEHICLE_SPEEDS, VEHICLE_TAKE_TOLERANCE,
    VEHICLE_TOLD_EACH, VehicleBounds,
};
pub use visible::{MOST_CLUSTERS, VisibleSet};
