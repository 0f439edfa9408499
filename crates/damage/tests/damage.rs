//! The host's checks as scripts: reports that come, and exactly what is dealt. Knows no network.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "damage/dealt.rs"]
mod dealt;
#[path = "damage/flood.rs"]
mod flood;
#[path = "damage/form.rs"]
mod form;
#[path = "damage/had.rs"]
mod had;
#[path = "damage/scene.rs"]
mod scene;
#[path = "damage/then.rs"]
mod then;
