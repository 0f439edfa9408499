//! What a report and a tick cost.

use criterion::{Criterion, criterion_group, criterion_main};

fn damage(_: &mut Criterion) {}

criterion_group!(benches, damage);
criterion_main!(benches);
