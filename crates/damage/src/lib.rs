//! What the shooter saw hit, hits: a client's reports, the host's checks of them, and the damage dealt.
//!
//! A client deals nothing: it reports what its own players hit, with the host's tick that it had heard of ([`Client`]). The
//! host holds each report against what its player carries and throws, where it had player and target then, and what the
//! tags say ([`Host::handle_report`]); what passes is the game's to deal. What was dealt goes to whom it concerns, and a
//! client replays all of it but the harm.
//!
//! It knows no weapon and no map: what a damage can do it asks the game ([`Tags`], [`World`]).
#![no_std]

extern crate alloc;

mod arms;
mod client;
mod dealing;
mod error;
mod explosions;
mod far;
mod host;
mod near;
mod player;
mod rate;
mod reach;
mod rows;
mod shape;
mod tags;
mod target;
mod telling;
mod throws;

pub use client::{BLOW_WAIT, Client, Command, Here, Says};
pub use error::Error;
pub use far::{FAR_KEPT, FAR_STEP};
pub use host::{Counts, Host};
pub use near::NEAR_KEPT;
pub use reach::{CLOSING_SLACK, COLLISION_SLACK, LOOK_BACK, MELEE_SLACK, REACH_SLACK};
pub use rows::{PlayerRow, Riding, Seat, TargetRow, Throw};
pub use shape::{AIRBORNE_BLOW, AT_TARGET_SLACK, POINT_SLACK, REPORT_AGE, SCALE_MARGIN};
pub use tags::{AreaForm, Deals, Effect, Flags, Flight, Means, Rate, Reach, Tags, Target, World};
pub use target::{HEARD_WINDOW, TARGET_SLACK, TARGET_TICKS};
pub use telling::MOST_EVENTS;
