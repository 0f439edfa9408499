//! What players read of fair play: each text a notice, within its length. Knows no language but this one: a port translates these
//! files.

pub mod announcements;
pub mod commands;
pub mod votes;
