//! The one place that knows every crate: a host and a client assembled, the seam to a game, and the settings.
//!
//! It routes and decides nothing. A rule that needs arithmetic is a crate's; a meeting of two crates is a line
//! here. The game is met through rows and commands ([`engine`]) and never kept.

pub mod campaign;
pub mod client;
pub mod conduct;
pub mod counters;
mod departures;
pub mod engine;
pub mod host;
mod locals;
pub mod maps;
pub mod menu;
pub mod meter;
mod notices;
mod refusing;
pub mod rules;
pub mod settings;
pub mod sharing;
mod stilled;
pub mod talk;

pub use campaign::{Actors, Campaign};
pub use client::Client;
pub use conduct::Conduct;
pub use counters::{Counters, Hits};
pub use engine::{
    Devices, Engine, Harm, Objects, Player, Players, Rides, Role, Scoring, Seen, Session, Sight,
};
pub use host::Host;
pub use meter::Reading;
pub use notices::NOTICES_KEPT;
pub use rules::Rules;
pub use settings::Settings;
pub use sharing::Sharing;
pub use talk::Talk;

pub use mjolnir_anticheat as anticheat;
pub use mjolnir_authority as authority;
pub use mjolnir_chat as chat;
pub use mjolnir_clock as clock;
pub use mjolnir_coop as coop;
pub use mjolnir_damage as damage;
pub use mjolnir_mapshare as mapshare;
pub use mjolnir_objects as objects;
pub use mjolnir_prediction as prediction;
pub use mjolnir_transport as transport;
pub use mjolnir_voice as voice;
pub use mjolnir_wire as wire;

// PRED-16: a client is corrected before its host stops taking its word; between the two they would differ for good.
const _: () = assert!(prediction::OWN_PLAYER_TOLERANCE < authority::TAKE_TOLERANCE);
const _: () = assert!(prediction::OWN_VEHICLE_TOLERANCE < authority::VEHICLE_TAKE_TOLERANCE);
