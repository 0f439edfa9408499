//! Scores that a test counts in a host's game's place: what its engine says of statistics, of the game type's state and of
//! pickups. Knows no rule.

use mjolnir_engine_glue::authority::StatisticsRow;
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::pickups::Pickup;

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    /// Everybody's, by rising slot.
    pub statistics: Vec<StatisticsRow>,
    /// What the game type counts.
    pub state: Option<GameState>,
    /// What was picked up and is not told yet.
    pub pickups: Vec<Pickup>,
}
