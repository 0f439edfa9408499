//! The swarm's promises as scripts over virtual time, and as games of several of them over a simulated network. Knows no socket and
//! no disk: files are bytes in memory.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "swarm/downloads.rs"]
mod downloads;
#[path = "swarm/frames.rs"]
mod frames;
#[path = "swarm/games.rs"]
mod games;
#[path = "swarm/liars.rs"]
mod liars;
#[path = "swarm/limits.rs"]
mod limits;
#[path = "swarm/memory.rs"]
mod memory;
#[path = "swarm/network.rs"]
mod network;
#[path = "swarm/script.rs"]
mod script;
#[path = "swarm/serving.rs"]
mod serving;
#[path = "swarm/station.rs"]
mod station;
