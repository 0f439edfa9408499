//! The host's promises as scripts over virtual time: what is asked and said of maps, and exactly what each machine is told. Knows no
//! network: what is told is read from its bytes.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "host/answers.rs"]
mod answers;
#[path = "ends/maps.rs"]
mod maps;
#[path = "host/random.rs"]
mod random;
#[path = "ends/said.rs"]
mod said;
#[path = "host/scene.rs"]
mod scene;
#[path = "host/sources.rs"]
mod sources;
#[path = "host/standing.rs"]
mod standing;
