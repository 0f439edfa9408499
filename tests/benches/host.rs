//! What a host costs.
fn main() {}
