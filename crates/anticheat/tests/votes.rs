//! The votes to kick as scripts: who asks when, and exactly what comes of it, is told to whom and is remembered; and the commands
//! that name players. Knows no network: what the host tells is read from its bytes.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "votes/abuse.rs"]
mod abuse;
#[path = "votes/chance.rs"]
mod chance;
#[path = "votes/commands.rs"]
mod commands;
#[path = "votes/counting.rs"]
mod counting;
#[path = "votes/ending.rs"]
mod ending;
#[path = "votes/random.rs"]
mod random;
#[path = "votes/refusals.rs"]
mod refusals;
#[path = "votes/scene.rs"]
mod scene;
#[path = "votes/telling.rs"]
mod telling;
