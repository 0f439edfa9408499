//! Whether a damage came from where the host had the player, or what it drove. Knows no tags.

use libm::ceilf;
use mjolnir_wire::damage::{Damage, Hit};
use mjolnir_wire::{ObjectId, Tick};

use crate::error::Error;
use crate::far::Far;
use crate::near::Near;
use crate::shape::{at_target, is_within};
use crate::tags::{Flight, Reach, Target};

/// Ticks before a report came, besides its machine's round trip, that the host looks back at most (DMG-18).
pub const LOOK_BACK: u32 = 30;
/// How much further than it reaches what flies may hit, wu (DMG-17).
pub const REACH_SLACK: f32 = 6.0;
/// How far from where the host had the striker a blow's head and body may be, wu (DMG-14).
pub const MELEE_SLACK: f32 = 4.0;
/// How far from where the host had the vehicle a collision's may be, besides its size, wu (DMG-15).
pub const COLLISION_SLACK: f32 = 4.0;
/// How much faster than the host had them the two of a collision may come together, wu a tick (ours): a vehicle gains as much
/// in the ticks that the host's copy is behind its driver's.
pub const CLOSING_SLACK: f32 = 0.05;

/// The tick that a report is taken to be made at where the host looks for its player: the one that it says, but no longer ago
/// than its machine's round trip, in ticks, and a second (DMG-18). Of a machine whose round trip is not known it is a second.
pub(crate) fn base(now: Tick, heard: Tick, round_trip: Option<f32>) -> Tick {
    let trip = ceilf(round_trip.unwrap_or_default()) as u32;
    heard.max(now.minus(LOOK_BACK.saturating_add(trip)))
}

/// DMG-17 to 19: whether what flew got there from where the player was since it could have been fired.
pub(crate) fn flight(far: &Far, base: Tick, damage: &Damage, flight: &Flight) -> Result<(), Error> {
    let Reach::Within(range) = flight.reach else { return Ok(()) };
    let reach = range + flight.sets_off + REACH_SLACK;
    let mut places = far.since(base.minus(flight.ticks));
    is_one(places.any(|place| is_within(damage.epicentre, place.at, reach + place.size)))
}

/// DMG-14: whether the striker's head and body are where the host had the player.
pub(crate) fn blow(far: &Far, base: Tick, damage: &Damage) -> Result<(), Error> {
    is_one(far.since(base).any(|place| {
        is_within(damage.origin, place.at, MELEE_SLACK) && is_within(damage.epicentre, place.at, MELEE_SLACK)
    }))
}

/// DMG-15: whether the vehicle is where the host had it since, or has it now (`stands`), and what it hit is within both sizes and
/// its push of it, and whether the two came together as fast as it was hard (DMG-12). A driver's machine is ahead of the host's
/// word, so all ticks since count.
pub(crate) fn collision(
    near: &Near,
    base: Tick,
    (vehicle, stands): (ObjectId, Option<Target>),
    (push, whole_at): (f32, f32),
    hit: &Hit,
    target: &Target,
) -> Result<(), Error> {
    let from = hit.damage.epicentre;
    let fastest = |object: ObjectId, now: f32| {
        let had = near.between(object, base, Tick::LAST).map(|row| row.velocity.length());
        had.fold(now, f32::max)
    };
    let had = near.between(vehicle, base, Tick::LAST).map(|row| (row.place, row.size));
    let sizes = stands
        .map(|now| (now.place, now.size))
        .into_iter()
        .chain(had)
        .filter(|(place, size)| is_within(from, *place, COLLISION_SLACK + size));
    let size = sizes.map(|(_, size)| size).reduce(f32::max).ok_or(Error::TooFar)?;
    if !is_within(from, hit.target, size + push + at_target(target)) {
        return Err(Error::NotAtTarget);
    }
    let wanted = hit.damage.scale * whole_at - CLOSING_SLACK;
    if wanted > 0.0 {
        let of_vehicle = fastest(vehicle, stands.map_or(0.0, |now| now.velocity.length()));
        // Most are hit by what comes, and their own history need not be looked through.
        if of_vehicle < wanted && of_vehicle + fastest(hit.object, target.velocity.length()) < wanted {
            return Err(Error::TooHard);
        }
    }
    Ok(())
}

fn is_one(within: bool) -> Result<(), Error> {
    if within { Ok(()) } else { Err(Error::TooFar) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// DMG-18: given a round trip of 6 ticks, when a report says that it is 80 ticks old, then the host looks back 36; what it
    /// says is taken up to there.
    #[test]
    fn no_further_back_than_a_round_trip_and_a_second() {
        let since = |heard: i32, trip: Option<f32>| 500 - base(tick(500), tick(heard), trip).get();
        assert_eq!(since(420, Some(6.0)), 36);
        assert_eq!(since(464, Some(6.0)), 36);
        assert_eq!(since(465, Some(6.0)), 35);
        assert_eq!(since(500, Some(6.0)), 0);
        assert_eq!(since(420, Some(6.1)), 37);
        assert_eq!(since(420, None), 30);
    }

    /// DMG-18: a round trip that is no number, less than nothing or past all bounds overflows nothing.
    #[test]
    fn any_round_trip_is_one() {
        for trip in [f32::NAN, -5.0, f32::NEG_INFINITY] {
            assert_eq!(base(tick(500), tick(420), Some(trip)), tick(470));
        }
        assert_eq!(base(tick(500), tick(420), Some(f32::INFINITY)), tick(420));
        assert_eq!(base(tick(5), tick(0), Some(1.0)), tick(0));
    }
}
