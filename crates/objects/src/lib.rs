//! Which objects exist, the same on every machine.
#![no_std]
