//! The sharing thread's promises: orders and answers of the disk as scripts, and whole games of a host and clients whose files go by
//! a simulated network, in virtual time. Knows no socket and no folder.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "sharer/disk.rs"]
mod disk;
#[path = "sharer/game.rs"]
mod game;
#[path = "sharer/games.rs"]
mod games;
#[path = "sharer/orders.rs"]
mod orders;
#[path = "ends/said.rs"]
mod said;
