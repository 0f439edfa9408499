//! The client's side of movement.
#![no_std]
