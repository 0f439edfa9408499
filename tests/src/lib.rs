//! Whole games in memory: a host and its clients in one thread, over a bad network, in virtual time.
//!
//! A [`Lab`] holds the machines. Each has a clock of its own: when it was started, how fast it goes, when its frames
//! fall. The lab runs whichever machine's next frame or tick comes first, so that a game of a minute takes as long as
//! it computes and the same seed plays the same game. The games stand in `tests/games.rs`, what a host's netcode
//! costs in `benches/host.rs`.

mod alike;
pub mod budget;
pub mod calibration;
pub mod campaign;
pub mod cheat;
mod clockwork;
pub mod deaths;
pub mod fuzz;
pub mod hits;
pub mod honest;
mod lab;
mod lately;
pub mod lawful;
mod link;
pub mod maps;
mod playback;
mod played;
mod rider;
mod scripted;
mod seat;
mod seen;
pub mod soak;
mod stir;

pub use alike::{Part, RESTS_WU, differences, unlike};
pub use cheat::Cheat;
pub use lab::{Lab, Plan, Who};
pub use lately::{Lately, Ways};
pub use link::{Fate, Link, Step, Trace, Traced};
pub use maps::{Files, Maps, made};
pub use playback::{Call, Tape};
pub use played::{
    Blow, Dealt, Ears, Flaw, Hand, HarmCounts, Harms, HeardVoice, Manners, Mark, Moved, Notes, Played,
    Replayed, Saw, VehicleMoved, bot, go, script, still,
};
pub use rider::{Errand, rider};
pub use scripted::Scripted;
pub use seat::{End, Seat, Seating};
pub use seen::{Passed, Way, each_packet, messages, packets, states};
pub use stir::{Stir, busy};
