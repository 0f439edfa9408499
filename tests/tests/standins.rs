//! Whole games on real sockets: stand-ins that were written from the format's facts alone, strangers that mean ill, and
//! both families of addresses. Each module shows one concern.
//!
//! A binary of its own, because of what it is made of: `games` is virtual time in one thread, while here hosts and
//! clients run in threads of their own, on loopback addresses, against bytes that none of our crates packed. What is
//! waited for is a message or a host's tick, stand-ins play on by what the host tells them, and a wait that a host's
//! clock or so many looks have outlived fails.
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

#[path = "standins/bytes.rs"]
mod bytes;
#[path = "standins/crowd.rs"]
mod crowd;
#[path = "standins/families.rs"]
mod families;
#[path = "standins/floods.rs"]
mod floods;
#[path = "standins/gathering.rs"]
mod gathering;
#[path = "standins/joining.rs"]
mod joining;
#[path = "standins/moved.rs"]
mod moved;
#[path = "standins/run.rs"]
mod run;
#[path = "standins/standin.rs"]
mod standin;
#[path = "standins/strangers.rs"]
mod strangers;
#[path = "standins/wire.rs"]
mod wire;
