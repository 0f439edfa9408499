//! The players' statistics, the game type's state and what is picked up, as the host tells of them and as a client has
//! them. Knows no game type's rules: a game counts, and announces on the host by itself.

mod announcing;
mod client;
mod host;
mod state;
mod statistics;

pub use client::{MOST_ANNOUNCED, ScoresClient};
pub use host::{ScoresHost, Told};
pub use state::{STATE_APART, STATE_LOOK};
pub use statistics::{STATISTICS_EACH, STATISTICS_ROUND, STATISTICS_ROUND_OF};
