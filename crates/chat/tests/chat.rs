//! The crate's promises as scripts: what is typed where, and exactly what goes to whom and is shown in which views. Knows no
//! network: what one end tells is read from its bytes by the other.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "chat/commands.rs"]
mod commands;
#[path = "chat/hearing.rs"]
mod hearing;
#[path = "chat/lines.rs"]
mod lines;
#[path = "chat/mutes.rs"]
mod mutes;
#[path = "chat/scene.rs"]
mod scene;
#[path = "chat/settings.rs"]
mod settings;
#[path = "chat/table.rs"]
mod table;
