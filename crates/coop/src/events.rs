//! What happens once in a level, by number (kind 71). Knows no level.

pub(crate) mod client;
pub(crate) mod host;
