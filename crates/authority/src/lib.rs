//! The host's side of players.
#![no_std]
