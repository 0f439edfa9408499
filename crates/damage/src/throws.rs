//! The grenades that a player threw in the last ten seconds, and when each went off. Knows no damage.
