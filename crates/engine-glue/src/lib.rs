//! The one place that knows every crate.
