//! Damage at the seam: what the tags say, what a world's hits and blows become for the netcode, and its word carried out.
//! Knows no message.

use mjolnir_engine_glue::damage;
use mjolnir_engine_glue::engine::Harm;

use super::Game;

impl damage::Tags for Game {}

impl damage::World for Game {}

impl Harm for Game {}
