//! Map sharing: a file's hash, the host's offer, the swarm of pieces and the part file on disk.
//!
//! Nothing of it is built yet: the crate holds its place in the arrows' table of `docs/architecture.md`.
#![no_std]
