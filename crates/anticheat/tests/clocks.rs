//! What the host's measure finds of clocks: nothing of honest ones whatever befalls them, and of those that are too fast what is
//! to be found, when it is. Virtual time, and a model of two clocks and what lies between them.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "clocks/cheats.rs"]
mod cheats;
#[path = "clocks/forged.rs"]
mod forged;
#[path = "clocks/honest.rs"]
mod honest;
#[path = "clocks/model.rs"]
mod model;
#[path = "clocks/rows.rs"]
mod rows;
