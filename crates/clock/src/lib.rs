//! Time.
#![no_std]
