//! Actors at the seam: what theirs do on the host, and the host's word on them. Knows no message and no mind.

use mjolnir_engine_glue::Actors;

use super::Game;

impl Actors for Game {}
