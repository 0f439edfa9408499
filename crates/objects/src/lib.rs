//! Which units, vehicles, weapons and equipment there are: the host's, with equal index and identifier on every
//! machine; where they are, and what units carry of them.
//!
//! [`Host`] tells of each object that the engine makes and deletes, and lists all to a machine that asks; from its
//! list on, a machine is told of each change, in order. [`Client`] makes and deletes by that word alone: it finds
//! what the map placed alike, clears the place of what it is to make, deletes what the host never told of once the
//! list has ended, and asks again while something is missing. That is by stream, so nothing told is lost; a machine
//! that reads slowly is told the difference once it reads again, as is everybody when too much changes in one tick, and
//! what is kept for it meanwhile does not grow.
//!
//! Where objects are and what units carry goes by datagram, as often as it is worth to each machine: what moves by
//! distance, what comes to rest three times, what lies in turn, what a unit carries as it changes. A client puts its
//! copies there, carries a vehicle that nobody drives along from one place to the next, and lets its units carry the very
//! weapons that it has. The flinches and deaths that the host's game picked for units go the same way, in three ticks, and
//! are played once.
//!
//! A living unit that an actor drives, which thinks on the host alone, is told by what the actor has it do, with where it is;
//! as near as what moves. A client drives its unit by the latest word until none comes any more, and puts it right as it does
//! anything.
//!
//! It knows no connection, no clock and no engine: what the engine did and has comes in as events and rows, what it is
//! to do leaves as commands. Living players' units are told with the players, and are no object here but for what they
//! carry and where they look from. A vehicle that a player drives is told to that player's machine with the players too.
#![no_std]

extern crate alloc;

mod actors;
mod along;
mod asking;
mod behind;
mod by_index;
mod carrying;
mod client;
mod correcting;
mod error;
mod fading;
mod host;
mod late;
mod moving;
mod picking;
mod placing;
mod playing;
mod resting;
mod rows;
mod table;
mod waiting;

pub use actors::{ACTOR_SILENCE, DAMAGE_REPEATS, DAMAGE_TURN, DAMAGES_A_TICK};
pub use along::{ALONG_GAP, ALONG_HOLDS, ALONG_MORE, ALONG_STEP};
pub use asking::{ASK_AFTER_FAILURE, ASK_AFTER_FAILURE_MOST, ASK_AGAIN, ASK_AGAIN_MOST};
pub use behind::{CHANGES_A_TICK, LACK_BYTES};
pub use carrying::{CHANGE_REPEATS, LOOK_INTERVAL, LOOKS_A_TURN, looks};
pub use client::{Client, Command, Ignored};
pub use correcting::{AT_ONCE, OBJECT_LEAVE, PLATFORM_LEAVE, TURN_LEAVE, VEHICLE_AT_ONCE};
pub use error::Error;
pub use fading::{FADE_LIMIT, FADE_TICKS};
pub use host::{Event, Host, LIST_INTERVAL, Rows};
pub use late::{LATE_A_TICK, LATE_REPEAT_TICKS};
pub use moving::LADDER;
pub use picking::PICK_REPEAT_TICKS;
pub use playing::{MOST_PICKS, NUMBER_HOLDS};
pub use resting::{REST_REPEAT_TICKS, RESTING_A_TICK};
pub use rows::{ActorCommand, ActorRow, Begins, CarryRow, Class, ObjectRow, PickRow, Viewpoint};
pub use waiting::INVENTORY_WAITS;
