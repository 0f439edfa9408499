//! What a machine that downloads has, lacks and asks for, as scripts: what ends say and send goes in, wishes come out.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "download/blocks.rs"]
mod blocks;
#[path = "download/hashes.rs"]
mod hashes;
#[path = "download/kit.rs"]
mod kit;
#[path = "download/memory.rs"]
mod memory;
#[path = "download/model.rs"]
mod model;
#[path = "download/picking.rs"]
mod picking;
#[path = "download/resuming.rs"]
mod resuming;
#[path = "download/waiting.rs"]
mod waiting;
