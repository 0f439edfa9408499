//! The client's promises as scripts over virtual time: what its host and its disk say, and exactly what it asks, orders and shows.
//! Knows no network: what is told is read from its bytes.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "client/asking.rs"]
mod asking;
#[path = "client/changing.rs"]
mod changing;
#[path = "client/downloading.rs"]
mod downloading;
#[path = "ends/maps.rs"]
mod maps;
#[path = "client/random.rs"]
mod random;
#[path = "ends/said.rs"]
mod said;
#[path = "client/scene.rs"]
mod scene;
#[path = "client/sources.rs"]
mod sources;
#[path = "client/together.rs"]
mod together;
