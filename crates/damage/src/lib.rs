//! What the shooter saw hit, hits: a client's reports, the host's checks of them, and the damage dealt.
//!
//! Nothing of it is built yet: the crate holds its place in the arrows' table of `docs/architecture.md`.
#![no_std]
