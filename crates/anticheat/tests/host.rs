//! The two assembled halves as scripts: what is heard, and exactly what is to be done of it, in which order. Knows no network and no
//! file: what is told is read from its bytes.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "votes/chance.rs"]
mod chance;
#[path = "host/client.rs"]
mod client;
#[path = "host/dropping.rs"]
mod dropping;
#[path = "host/random.rs"]
mod random;
#[path = "host/scene.rs"]
mod scene;
#[path = "host/telling.rs"]
mod telling;
#[path = "host/voting.rs"]
mod voting;
