//! A player's explosions, told apart, and what each has hit. Knows no weapon.
