//! The judging of two logs.
