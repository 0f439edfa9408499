//! How many hits a player's weapon may still deal. Knows no weapon.
//!
//! A bucket for each damage of each source: what flies and what it sets off on the way are no more than the shots, each on
//! its own. It fills by the tick, in whole numbers, so that no length of a game makes it drift.

use mjolnir_wire::limits::TICKS_PER_SECOND;
use mjolnir_wire::{Tag, Tick};

use crate::error::Error;
use crate::tags::{Means, Rate};

/// As much faster than a weapon fires its hits may come, for good (DMG-25).
pub(crate) const RATE_MARGIN: f64 = 0.25;
/// Ticks of fire that may come at once, with the shot that ends them (DMG-25): so much later than a shot the one before it
/// may come, as when the stream held it up, and both are taken.
pub(crate) const RATE_BURST: u32 = TICKS_PER_SECOND;

/// Buckets of a player. Nobody empties as many at a time: a player has four weapons, two grenades and a vehicle, each with a
/// few damages.
const MOST: usize = 32;

/// What a tick fills in of a hit a second; a hit itself is [`HIT`]. Fine enough that what is cut off is
/// less than a hit in a century.
const PART: f64 = 4_294_967_296.0;
/// A hit.
const HIT: u64 = (TICKS_PER_SECOND as u64) << 32;

/// Which way a source deals: a weapon's blows are not its shots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Flight,
    Melee,
    Collision,
}

impl Way {
    const fn of(means: &Means) -> Self {
        match means {
            Means::Flight(_) => Self::Flight,
            Means::Melee { .. } => Self::Melee,
            Means::Collision { .. } => Self::Collision,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    source: Tag,
    effect: Tag,
    way: Way,
    /// What was missing at `at`.
    missing: u64,
    at: Tick,
    /// From when on nothing is missing.
    full: Tick,
}

/// One player's: 1 kB, 131 kB of 128.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    buckets: [Option<Bucket>; MOST],
}

impl Rates {
    /// Nothing was charged yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A hit by that source is paid for, or refused: it comes faster than the source deals that damage. A rate that is not
    /// over 0 deals none.
    pub(crate) fn charge(
        &mut self,
        tick: Tick,
        source: Tag,
        effect: Tag,
        means: &Means,
        rate: Rate,
    ) -> Result<(), Error> {
        let way = Way::of(means);
        let is_it = |bucket: &Bucket| (bucket.source, bucket.effect, bucket.way) == (source, effect, way);
        let at = self.buckets.iter().position(|bucket| bucket.as_ref().is_some_and(is_it));
        let missing = at.and_then(|at| self.buckets[at]).map_or(0, |bucket| missing_at(&bucket, tick, rate));
        let missing = missing.saturating_add(HIT);
        if missing > depth(rate) {
            return Err(Error::TooFast);
        }
        let at = at.unwrap_or_else(|| self.place(tick));
        let full = tick.plus(u32::try_from(missing.div_ceil(fill(rate).max(1))).unwrap_or(u32::MAX));
        self.buckets[at] = Some(Bucket { source, effect, way, missing, at: tick, full });
        Ok(())
    }

    /// A place for one more: a free one or a full bucket's, which is as good as none; else of the one that is full first.
    fn place(&self, tick: Tick) -> usize {
        let full = |bucket: &Option<Bucket>| bucket.map_or(Tick::ZERO, |bucket| bucket.full.max(tick));
        (0..MOST).min_by_key(|&at| full(&self.buckets[at])).unwrap_or_default()
    }
}

/// What a tick fills in.
fn fill(rate: Rate) -> u64 {
    // A cast from a float ends at the ends, and makes 0 of what is no number.
    (hits_a_second(rate) * (1.0 + RATE_MARGIN) * PART) as u64
}

/// What a bucket holds: [`RATE_BURST`] of fire and the shot that ends it. No hit of what fires nothing.
fn depth(rate: Rate) -> u64 {
    let hits = hits_a_second(rate);
    if hits.is_nan() || hits <= 0.0 {
        return 0;
    }
    let shot = u64::from(rate.projectiles.max(1)) * HIT;
    shot.saturating_add(((hits * PART) as u64).saturating_mul(u64::from(RATE_BURST)))
}

/// What does not fly is one a blow.
fn hits_a_second(rate: Rate) -> f64 {
    f64::from(rate.per_second) * f64::from(rate.projectiles.max(1))
}

/// What is missing now of what was.
fn missing_at(bucket: &Bucket, tick: Tick, rate: Rate) -> u64 {
    let ticks = u64::try_from(tick.since(bucket.at)).unwrap_or(0);
    bucket.missing.saturating_sub(fill(rate).saturating_mul(ticks))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::tags::{Flight, Reach};

    const WEAPON: Tag = Tag(1);
    const OTHER: Tag = Tag(2);
    const IMPACT: Tag = Tag(10);
    const BLAST: Tag = Tag(11);

    const SHOT: Means = Means::Flight(Flight { reach: Reach::Within(100.0), sets_off: 0.0, ticks: 0 });
    const BLOW: Means = Means::Melee { reach: 1.0 };

    const RIFLE: Rate = Rate { per_second: 12.0, projectiles: 1 };
    const SHOTGUN: Rate = Rate { per_second: 1.0, projectiles: 15 };
    const ROCKETS: Rate = Rate { per_second: 1.0, projectiles: 1 };

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// How many of so many hits that come in that tick are taken.
    fn taken(rates: &mut Rates, at: i32, rate: Rate, many: u32) -> u32 {
        let mut one = || rates.charge(tick(at), WEAPON, IMPACT, &SHOT, rate).is_ok();
        (0..many).map(|_| u32::from(one())).sum()
    }

    /// DMG-25: a shot's pellets come together; at once no more than a second's fire and the shot that ends it.
    #[test]
    fn a_seconds_fire_may_come_at_once() {
        let minigun = Rate { per_second: 30.0, projectiles: 1 };
        for (rate, most) in [(SHOTGUN, 30), (RIFLE, 13), (ROCKETS, 2), (minigun, 31)] {
            let mut rates = Rates::new();
            assert_eq!(taken(&mut rates, 100, rate, most), most, "{rate:?}");
            assert_eq!(taken(&mut rates, 100, rate, 1), 0, "{rate:?}");
            let refused = rates.charge(tick(100), WEAPON, IMPACT, &SHOT, rate);
            assert_eq!(refused, Err(Error::TooFast));
        }
        // The row's fifteen, each second.
        let mut rates = Rates::new();
        for second in 0..60 {
            assert_eq!(taken(&mut rates, second * 30, SHOTGUN, 15), 15, "{second}");
        }
    }

    /// DMG-25: twelve a second with a margin of a quarter are fifteen for good, and of sixteen one a second is refused.
    #[test]
    fn a_rate_is_held_with_a_quarter_more() {
        let in_a_minute = |a_second: i32| {
            let mut rates = Rates::new();
            let hits = (0..60 * a_second).map(|hit| taken(&mut rates, hit * 30 / a_second, RIFLE, 1));
            hits.sum::<u32>()
        };
        assert_eq!(in_a_minute(15), 900);
        let taken = in_a_minute(16);
        assert!((900..=913).contains(&taken), "of 960 {taken}");
        let taken = in_a_minute(300);
        assert!((900..=913).contains(&taken), "of 18000 {taken}");
    }

    /// DMG-25: of a shot that came up to a second late with the next one nothing is refused, however slow the weapon; two
    /// that late are one too many.
    #[test]
    fn what_the_stream_held_for_a_second_is_taken() {
        for rate in [SHOTGUN, RIFLE, ROCKETS, Rate { per_second: 0.5, projectiles: 1 }] {
            let a_shot = u32::from(rate.projectiles);
            let mut rates = Rates::new();
            let mut refused = 0;
            for shot in 0..200 {
                // Every fifth second the stream stands for one.
                let fired = (f64::from(shot) * 30.0 / f64::from(rate.per_second)) as i32;
                let came = if fired % 150 < 30 { fired / 150 * 150 + 30 } else { fired };
                refused += a_shot - taken(&mut rates, came, rate, a_shot);
            }
            assert_eq!(refused, 0, "{rate:?}");
        }
        let mut rates = Rates::new();
        assert_eq!(taken(&mut rates, 90, ROCKETS, 4), 2);
    }

    /// DMG-25: ten hours of fire at the very margin lose nothing and gain nothing.
    #[test]
    fn long_games_do_not_drift() {
        let mut rates = Rates::new();
        let third = Rate { per_second: 4.0 / 3.0, projectiles: 3 };
        // Five a second, which is a quarter more than four.
        let refused = (0..36_000 * 5).filter(|hit| taken(&mut rates, hit * 6, third, 1) == 0).count();
        assert_eq!(refused, 0);
        // All that is left is what was there at first: seven, of which one is always under way.
        assert!(taken(&mut rates, 36_000 * 30, third, 100) <= 7);
    }

    /// DMG-25: each damage of each source is held to its own rate: a rocket that hits costs its explosion nothing.
    #[test]
    fn every_damage_has_its_own() {
        let mut rates = Rates::new();
        assert_eq!(taken(&mut rates, 0, ROCKETS, 9), 2);
        for (source, effect, means) in [(WEAPON, BLAST, SHOT), (OTHER, IMPACT, SHOT), (WEAPON, IMPACT, BLOW)]
        {
            let hits = (0..9).filter(|_| rates.charge(tick(0), source, effect, &means, ROCKETS).is_ok());
            assert_eq!(hits.count(), 2, "{source:?} {effect:?} {means:?}");
        }
        assert_eq!(taken(&mut rates, 0, ROCKETS, 1), 0);
    }

    /// DMG-28: a thousand that are lies otherwise leave nothing for a valid one in that tick, and a second later all is
    /// there again.
    #[test]
    fn a_flood_costs_the_sender_its_hits() {
        let mut rates = Rates::new();
        assert_eq!(taken(&mut rates, 0, RIFLE, 1000), 13);
        assert_eq!(taken(&mut rates, 0, RIFLE, 1), 0);
        assert_eq!(taken(&mut rates, 25, RIFLE, 1000), 12);
        assert_eq!(taken(&mut rates, 55, RIFLE, 1000), 13);
    }

    /// DMG-25: what fires nothing hits nothing, and a rate without end none the less panics nowhere.
    #[test]
    fn any_rate_is_a_rate() {
        for per_second in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            let rate = Rate { per_second, projectiles: 1 };
            assert_eq!(taken(&mut Rates::new(), 0, rate, 5), 0, "{per_second}");
        }
        for per_second in [f32::INFINITY, f32::MAX] {
            let rate = Rate { per_second, projectiles: u16::MAX };
            let mut rates = Rates::new();
            assert_eq!(taken(&mut rates, 0, rate, 1000), 1000);
            assert_eq!(taken(&mut rates, i32::MAX, rate, 1000), 1000);
        }
        // One without projectiles is one a blow.
        let blows = Rate { per_second: 1.0, projectiles: 0 };
        assert_eq!(taken(&mut Rates::new(), 0, blows, 9), 2);
        // The least rate there is fills nothing in, and a tick that is earlier neither.
        let mut rates = Rates::new();
        assert_eq!(taken(&mut rates, 100, RIFLE, 20) + taken(&mut rates, 0, RIFLE, 20), 13);
        let least = Rate { per_second: f32::MIN_POSITIVE, projectiles: 1 };
        let mut rates = Rates::new();
        assert_eq!(taken(&mut rates, 100, least, 5), 1);
        assert_eq!(taken(&mut rates, 0, least, 5) + taken(&mut rates, i32::MAX, least, 5), 0);
    }

    /// DMG-25: of more than are remembered, the one that is full first makes room: a full one before any other.
    #[test]
    fn memory_is_bounded() {
        let mut rates = Rates::new();
        let slow = Rate { per_second: 0.1, projectiles: 1 };
        let mut charge = |at, source, rate| rates.charge(tick(at), Tag(source), IMPACT, &SHOT, rate);
        assert_eq!(charge(0, 0, ROCKETS), Ok(()));
        for source in 1..MOST as u32 {
            assert_eq!(charge(0, source, slow), Ok(()));
        }
        // The rocket's is full again in 24 ticks; the rest are empty still.
        assert_eq!(charge(24, 1000, slow), Ok(()));
        for source in (1..MOST as u32).chain([1000]) {
            assert_eq!(charge(24, source, slow), Err(Error::TooFast), "{source}");
        }
    }

    proptest! {
        /// DMG-25: whatever comes when, of whichever rate, no more is taken than the leave at first and what the ticks gave.
        #[test]
        fn no_more_is_taken_than_was_fired(
            bits in any::<u32>(),
            projectiles in any::<u16>(),
            waits in prop::collection::vec((0..200_i32, 0..40_u32), 1..60),
        ) {
            let rate = Rate { per_second: f32::from_bits(bits), projectiles };
            let mut rates = Rates::new();
            let (mut now, mut hits) = (0, 0);
            for (wait, many) in waits {
                now += wait;
                hits += taken(&mut rates, now, rate, many);
            }
            let shot = f64::from(projectiles.max(1));
            let fire = f64::from(rate.per_second) * shot * (1.0 + 1.25 * f64::from(now) / 30.0);
            let most = if rate.per_second > 0.0 { shot + fire } else { 0.0 };
            prop_assert!(f64::from(hits) <= most + 0.001, "{rate:?}: {hits} of {most}");
        }

        /// DMG-25: who fires no faster than the weapon, and whose stream holds hits for up to a second, loses none.
        #[test]
        fn honest_fire_is_never_refused(
            per_second in 0.2_f32..15.0,
            projectiles in 1_u16..20,
            shots in prop::collection::vec((0.0_f64..1.0, 0.0_f64..30.0), 1..120),
        ) {
            let rate = Rate { per_second, projectiles };
            let mut fired = 0.0;
            // In order, as a stream has them: none before the one that was fired earlier.
            let mut came = 0.0_f64;
            let mut arrivals = Vec::new();
            for (pause, held) in shots {
                fired += 30.0 / f64::from(per_second) + pause * 10.0;
                came = came.max(fired + held);
                arrivals.push(came as i32);
            }
            let mut rates = Rates::new();
            for at in arrivals {
                let hits = u32::from(projectiles);
                prop_assert_eq!(taken(&mut rates, at, rate, hits), hits, "at {}", at);
            }
        }
    }
}
