//! The host's rules of conduct: clocks that run too fast, bans, kicks, votes and the identities they name.
//!
//! Nothing of it is built yet: the crate holds its place in the arrows' table of `docs/architecture.md`.
#![no_std]
