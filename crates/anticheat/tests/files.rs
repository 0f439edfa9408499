//! The files on a real disk, and on one that fails where it is told to: what stands in them, whom they refuse, and what is said.
//! Knows no game; time is the scene's.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "files/editing.rs"]
mod editing;
#[path = "files/faults.rs"]
mod faults;
#[path = "files/joins.rs"]
mod joins;
#[path = "files/keeper.rs"]
mod keeper;
#[path = "files/scene.rs"]
mod scene;
#[path = "files/writing.rs"]
mod writing;
