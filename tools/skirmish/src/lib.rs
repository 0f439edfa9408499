//! A small headless shooter.
