//! The folder of map files, in memory and on a real disk: what is found and hashed, what a download writes, leaves and never
//! touches, whatever goes wrong. Knows no peer; time is the scene's.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "disk/crashes.rs"]
mod crashes;
#[path = "disk/downloading.rs"]
mod downloading;
#[path = "disk/hashing.rs"]
mod hashing;
#[path = "disk/looking.rs"]
mod looking;
#[path = "disk/placing.rs"]
mod placing;
#[path = "disk/real.rs"]
mod real;
#[path = "disk/scene.rs"]
mod scene;
#[path = "disk/script.rs"]
mod script;
#[path = "disk/shelf.rs"]
mod shelf;
