//! How many hits a player's weapon may still deal. Knows no weapon.

use alloc::vec::Vec;

use mjolnir_wire::{Tag, Tick};

use crate::error::Error;
use crate::tags::{Means, Rate};

#[derive(Debug)]
pub(crate) struct Rates(Vec<((Tag, Tag), Tick, f32)>);

impl Rates {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn charge(
        &mut self,
        tick: Tick,
        source: Tag,
        effect: Tag,
        _: &Means,
        rate: Rate,
    ) -> Result<(), Error> {
        let source = (source, effect);
        let second = rate.per_second * f32::from(rate.projectiles) * 1.25;
        if !self.0.iter().any(|bucket| bucket.0 == source) {
            self.0.push((source, tick, second.max(1.0)));
        }
        let Some(bucket) = self.0.iter_mut().find(|bucket| bucket.0 == source) else { return Ok(()) };
        bucket.2 = (bucket.2 + tick.since(bucket.1) as f32 * second / 30.0).min(second.max(1.0));
        bucket.1 = tick;
        if bucket.2 < 1.0 {
            return Err(Error::TooFast);
        }
        bucket.2 -= 1.0;
        Ok(())
    }
}
