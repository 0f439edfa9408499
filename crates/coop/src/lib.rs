//! Playing the campaign together: what the host's scripts do, told to every machine once.
//!
//! Nothing of it is built yet: the crate holds its place in the arrows' table of `docs/architecture.md`.
#![no_std]
