//! Whether a target was where its client had it. Knows no damage.

use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::error::Error;
use crate::near::Near;
use crate::shape::is_within;
use crate::tags::Target;

/// How far from where the host had a target its client may have had it, wu (DMG-21).
pub const TARGET_SLACK: f32 = 2.0;
/// For how many ticks of its speed that is more (DMG-21).
pub const TARGET_TICKS: f32 = 2.0;
/// Ticks before and after the one heard that the host looks at (DMG-22).
pub const HEARD_WINDOW: u32 = 3;

/// DMG-21 to 23: whether the host has it there (`now`), or had about the tick that was heard.
pub(crate) fn was_there(
    near: &Near,
    heard: Tick,
    (object, now): (ObjectId, &Target),
    said: Vec3,
) -> Result<(), Error> {
    let is_there =
        |place: Vec3, velocity: Vec3| is_within(said, place, TARGET_SLACK + TARGET_TICKS * velocity.length());
    let mut then = near.around(object, heard, HEARD_WINDOW);
    if is_there(now.place, now.velocity) || then.any(|row| is_there(row.place, row.velocity)) {
        Ok(())
    } else {
        Err(Error::TargetElsewhere)
    }
}
