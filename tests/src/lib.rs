//! Whole games.
