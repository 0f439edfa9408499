//! The campaign at the seam: what a level's scripts show and do, and the host's word on it. Knows no message.

use mjolnir_engine_glue::Campaign;

use super::Game;

impl Campaign for Game {}
