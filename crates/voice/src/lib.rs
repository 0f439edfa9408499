//! Voice chat: the relay that never decodes, its keys, rates and routes; Opus in one file.
//!
//! Nothing of it is built yet: the crate holds its place in the arrows' table of `docs/architecture.md`.
#![no_std]
