//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name; and a client that plays
//! by them.
//!
//! [`Host`] and [`Client`] are the two ends, assembled of one file a concern. Neither knows a stream, a file or an engine: what
//! came is handed to them, and what is to be done comes out. The feature `files` has the thread that keeps `bans.txt` and
//! `cheaters.txt`, and where a machine's id is read.
//!
//! A host says who is let in and who goes ([`Host::join`], [`Host::leave`]) and who plays ([`Host::set_players`]), of each message
//! when it was heard and what it is stamped ([`Host::note`]), and hands on votes and identities of streams alone. It asks
//! [`Host::is_kept_out`] and its ban list ([`bans::find`], or `files::Keeper`) of each who asks to be let in, and
//! [`Host::is_refused`] of each prediction. After each tick come [`Host::step`] and [`Host::tell`], and then each
//! [`Host::next_output`] is carried out, in order. A client hands on what it hears ([`Client::handle_policy`],
//! [`Client::handle_status`]) and writes with each tick ([`Client::tell`]); what its player may run and have set are two
//! functions, [`may_run`] and [`enforce`].
//!
//! It finds clocks that run fast and no other cheat: a changed client may aim, see through walls and have any id, and where
//! players stand is `authority`'s to judge. An id and a Discord user are what a machine says of itself.
#![no_std]

extern crate alloc;

pub mod aim;
pub mod ballot;
pub mod bans;
pub mod client;
pub mod clocks;
pub mod command;
#[cfg(feature = "files")]
pub mod files;
pub mod hardware;
pub mod host;
#[cfg(feature = "files")]
pub mod machine_id;
pub mod person;
pub mod record;
pub mod rules;
pub mod shutout;
pub mod smbios;
pub mod sources;
pub mod speed;
mod stood;
pub mod teller;
pub mod texts;
mod track;
pub mod votes;

pub use aim::{AimClient, AimHost, Aiming, Scene, is_mouse_blocked};
pub use ballot::Ballot;
pub use client::Client;
pub use clocks::Clocks;
pub use command::Command;
pub use hardware::HardwareId;
pub use host::{Asker, CLOCK_REFUSED, Host, Output, Player, Removal};
pub use person::Person;
pub use record::{File, LocalTime, Record};
pub use rules::{Camera, Class, Forbidden, Source, Standing, Values, enforce, may_run};
pub use shutout::ShutOut;
pub use speed::{Finding, Measure, Speed, Way};
pub use teller::Teller;
pub use votes::Votes;
