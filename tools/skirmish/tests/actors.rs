//! Actors from outside: where they are decided, and where they are told.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

#[path = "actors/harm.rs"]
mod harm;
#[path = "actors/minds.rs"]
mod minds;
#[path = "actors/pool.rs"]
mod pool;
#[path = "actors/scene.rs"]
mod scene;
#[path = "actors/told.rs"]
mod told;
