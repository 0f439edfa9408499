//! How many hits a player's weapon may still deal. Knows no weapon.
