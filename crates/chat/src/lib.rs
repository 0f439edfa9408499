//! The text chat: lines, channels, mutes, links, and the host's settings for them.
//!
//! Nothing of it is built yet: the crate holds its place in the arrows' table of `docs/architecture.md`.
#![no_std]
