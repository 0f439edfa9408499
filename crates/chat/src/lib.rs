//! The text chat: lines and whom they are for, mutes, links, and the host's settings for all of them.
//!
//! A client's line goes to the host ([`Client`]), which alone sends it on ([`Host`]): so every machine shows one order. What
//! the settings refuse is refused where it is typed, and by the host again. A mute for everyone is the host's, by the
//! player's name; a mute on one machine is that machine's and never sent. The host's `/mute` and `/unmute` are typed as lines
//! are and are none.
//!
//! It knows no game: who plays, on which team, in which vehicle it asks ([`World`]). It knows no stream either: whoever hands
//! it a line has it from the stream of the machine that it names (CHAT-02, 17).
#![no_std]

extern crate alloc;

mod audience;
mod budget;
mod client;
mod command;
mod error;
mod event;
mod here;
mod host;
mod links;
mod mutes;
mod texts;
mod world;

pub use budget::{LINE_PERIOD, LINES_AT_ONCE};
pub use client::{Client, Invite};
pub use error::Error;
pub use event::{Event, Hearers};
pub use host::{Host, SETTINGS_PERIOD};
pub use links::{TOP_LEVEL_DOMAINS, WORD_DOMAINS, has_link};
pub use mjolnir_wire::chat::{Channel, Down, Line, Settings, Text};
pub use mutes::{MUTE_DEFAULT_MINUTES, MUTE_MINUTES_MAX};
pub use world::{Player, World};
