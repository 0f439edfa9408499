//! A player's explosions, told apart, and what each has hit. Knows no weapon.
//!
//! An explosion is one damage, at one place, of one tick as its player's machine had it: each player's are told apart on
//! their own (DMG-27).

use alloc::vec::Vec;

use mjolnir_wire::{ObjectId, Tag, Tick, Vec3};

/// Ticks of the host's for which an explosion is remembered: a report that is older is refused anyway (DMG-24).
pub(crate) const EXPLOSION_MEMORY: u32 = 90;
/// No further apart two places are one, wu: what the shape of a report is held to (DMG-13).
pub(crate) const SAME_PLACE: f32 = 0.01;

/// Explosions that are remembered of a player: what twelve a second with all their leave come to.
const MOST_EXPLOSIONS: usize = 64;
/// Hits that are remembered of all of them.
const MOST_HITS: usize = 512;

/// What is known of a hit by an explosion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Neither of the hit nor of the explosion anything.
    New,
    /// The explosion, which was paid for, and not this hit by it.
    Known,
    /// This hit; or more hits than any player's are.
    Twice,
}

#[derive(Clone, Copy, Debug)]
struct Explosion {
    heard: Tick,
    effect: Tag,
    epicentre: Vec3,
    /// What its hits name it by.
    number: u32,
}

#[derive(Clone, Copy, Debug)]
struct HitBy {
    explosion: u32,
    object: ObjectId,
}

/// One player's: 5.6 kB, taken at once and never more, 721 kB of 128.
#[derive(Debug)]
pub(crate) struct Explosions {
    explosions: Vec<Explosion>,
    hits: Vec<HitBy>,
    /// The latest tick heard of, and the last explosion's number.
    newest: Tick,
    number: u32,
}

impl Explosions {
    /// Nothing exploded yet.
    pub(crate) fn new() -> Self {
        Self {
            explosions: Vec::with_capacity(MOST_EXPLOSIONS),
            hits: Vec::with_capacity(MOST_HITS),
            newest: Tick::ZERO,
            number: 0,
        }
    }

    /// What is known of a hit of that object by the explosion at that place, reported of that tick. Whoever has more
    /// explosions or hits in [`EXPLOSION_MEMORY`] than are remembered has no more: what would be forgotten for it could
    /// be dealt again.
    pub(crate) fn look(&self, heard: Tick, effect: Tag, epicentre: Vec3, object: ObjectId) -> Seen {
        let oldest = self.oldest(heard);
        if heard < oldest {
            return Seen::Twice;
        }
        let known = self.find(heard, effect, epicentre);
        let hit =
            |explosion: u32| self.hits.iter().any(|hit| hit.explosion == explosion && hit.object == object);
        if known.is_some_and(hit) || self.is_full(oldest, known.is_none()) {
            Seen::Twice
        } else if known.is_some() {
            Seen::Known
        } else {
            Seen::New
        }
    }

    /// It was paid for. What is too old is forgotten.
    pub(crate) fn note(&mut self, heard: Tick, effect: Tag, epicentre: Vec3, object: ObjectId) {
        self.newest = self.newest.max(heard);
        self.forget();
        if self.look(heard, effect, epicentre, object) == Seen::Twice {
            return;
        }
        let explosion = self.find(heard, effect, epicentre).unwrap_or_else(|| {
            self.number = self.number.wrapping_add(1);
            self.explosions.push(Explosion { heard, effect, epicentre, number: self.number });
            self.number
        });
        self.hits.push(HitBy { explosion, object });
    }

    fn find(&self, heard: Tick, effect: Tag, epicentre: Vec3) -> Option<u32> {
        let is_it = |known: &&Explosion| {
            known.heard == heard && known.effect == effect && is_same_place(known.epicentre, epicentre)
        };
        self.explosions.iter().find(is_it).map(|known| known.number)
    }

    /// The oldest tick that is remembered with one of that.
    fn oldest(&self, heard: Tick) -> Tick {
        self.newest.max(heard).minus(EXPLOSION_MEMORY)
    }

    /// Whether there is no room for one hit more, or one explosion, once what is older is forgotten.
    fn is_full(&self, oldest: Tick, is_new: bool) -> bool {
        let is_short = self.hits.len() >= MOST_HITS || is_new && self.explosions.len() >= MOST_EXPLOSIONS;
        // Nothing has to be forgotten for it: that is looked at no closer.
        is_short && !self.explosions.iter().any(|known| known.heard < oldest)
    }

    fn forget(&mut self) {
        let oldest = self.newest.minus(EXPLOSION_MEMORY);
        if !self.explosions.iter().any(|known| known.heard < oldest) {
            return;
        }
        self.explosions.retain(|known| known.heard >= oldest);
        let left = &self.explosions;
        self.hits.retain(|hit| left.iter().any(|known| known.number == hit.explosion));
    }
}

/// Whether two epicentres are one explosion's.
pub(crate) fn is_same_place(one: Vec3, other: Vec3) -> bool {
    one.distance(other) <= SAME_PLACE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BLAST: Tag = Tag(1);
    const WAVE: Tag = Tag(2);
    const PLACE: Vec3 = Vec3::new(10.0, -20.0, 3.0);

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn object(index: u16) -> ObjectId {
        ObjectId::new(index, 1).unwrap()
    }

    /// Notes a hit, and says what was known of it.
    fn hit(explosions: &mut Explosions, heard: i32, effect: Tag, place: Vec3, index: u16) -> Seen {
        let seen = explosions.look(tick(heard), effect, place, object(index));
        explosions.note(tick(heard), effect, place, object(index));
        seen
    }

    /// DMG-26: of five that a rocket hits only the first is a new explosion, which is what is paid for.
    #[test]
    fn five_targets_are_one_explosion() {
        let mut explosions = Explosions::new();
        let seen: Vec<_> = (0..5).map(|index| hit(&mut explosions, 100, BLAST, PLACE, index)).collect();
        assert_eq!(seen, [Seen::New, Seen::Known, Seen::Known, Seen::Known, Seen::Known]);
    }

    /// DMG-27: nothing is hit twice by one explosion; its other damage hits it once too.
    #[test]
    fn nothing_is_hit_twice_by_one_explosion() {
        let mut explosions = Explosions::new();
        for effect in [BLAST, WAVE] {
            assert_eq!(hit(&mut explosions, 100, effect, PLACE, 7), Seen::New, "{effect:?}");
            assert_eq!(hit(&mut explosions, 100, effect, PLACE, 7), Seen::Twice, "{effect:?}");
            assert_eq!(hit(&mut explosions, 100, effect, PLACE, 8), Seen::Known, "{effect:?}");
        }
        // Another object at the same index is another.
        let reborn = ObjectId::new(7, 2).unwrap();
        assert_eq!(explosions.look(tick(100), BLAST, PLACE, reborn), Seen::Known);
    }

    /// DMG-27: another tick or another place is another explosion; a place within a hundredth of a world unit is the same.
    #[test]
    fn explosions_are_told_apart() {
        let mut explosions = Explosions::new();
        assert_eq!(hit(&mut explosions, 100, BLAST, PLACE, 7), Seen::New);
        assert_eq!(hit(&mut explosions, 101, BLAST, PLACE, 7), Seen::New);
        let beside = |off: f32| PLACE + Vec3::new(0.0, 0.0, off);
        assert_eq!(hit(&mut explosions, 100, BLAST, beside(0.009), 7), Seen::Twice);
        assert_eq!(hit(&mut explosions, 100, BLAST, beside(0.011), 7), Seen::New);
    }

    /// DMG-27: each player's are told apart on their own.
    #[test]
    fn two_players_explosions_are_two() {
        let mut players = [Explosions::new(), Explosions::new()];
        for explosions in &mut players {
            assert_eq!(hit(explosions, 100, BLAST, PLACE, 7), Seen::New);
        }
    }

    /// DMG-27: what was looked at alone is not known.
    #[test]
    fn looking_notes_nothing() {
        let explosions = Explosions::new();
        for _ in 0..2 {
            assert_eq!(explosions.look(tick(0), BLAST, PLACE, object(1)), Seen::New);
        }
    }

    /// DMG-27: it is remembered for as long as a report of it is taken, 90 ticks, in whichever order reports come; an older
    /// one is no new one.
    #[test]
    fn an_explosion_is_remembered_for_ninety_ticks() {
        let mut explosions = Explosions::new();
        hit(&mut explosions, 100, BLAST, PLACE, 7);
        hit(&mut explosions, 190, BLAST, PLACE, 7);
        assert_eq!(hit(&mut explosions, 100, BLAST, PLACE, 7), Seen::Twice);
        assert_eq!(hit(&mut explosions, 100, BLAST, PLACE, 8), Seen::Known);
        assert_eq!(explosions.explosions.len(), 2);
        hit(&mut explosions, 191, WAVE, PLACE, 7);
        assert_eq!(explosions.explosions.len(), 2, "the first is forgotten");
        assert_eq!(explosions.hits.len(), 2);
        assert_eq!(hit(&mut explosions, 100, BLAST, PLACE, 9), Seen::Twice);
        assert_eq!(explosions.hits.len(), 2);
    }

    /// DMG-27: whoever has more explosions, or hits, in 90 ticks than are remembered has no more, rather than any anew; once
    /// the first are forgotten there is room again, and nothing was ever allocated for it.
    #[test]
    fn memory_is_bounded() {
        let mut explosions = Explosions::new();
        let mut many = Explosions::new();
        let counted = allocation_counter::measure(|| {
            let explosions = &mut explosions;
            for number in 0..MOST_EXPLOSIONS as i32 {
                assert_eq!(hit(explosions, number, BLAST, PLACE, 7), Seen::New, "{number}");
            }
            assert_eq!(hit(explosions, 64, BLAST, PLACE, 7), Seen::Twice);
            assert_eq!(
                hit(explosions, 63, BLAST, PLACE, 8),
                Seen::Known,
                "of one that is known there is more"
            );
            assert_eq!(hit(explosions, 90, BLAST, PLACE, 7), Seen::Twice);
            assert_eq!(hit(explosions, 91, BLAST, PLACE, 7), Seen::New, "the first is forgotten");

            for index in 0..MOST_HITS as u16 {
                let seen = hit(&mut many, 200, BLAST, PLACE, index);
                assert_eq!(seen, if index == 0 { Seen::New } else { Seen::Known }, "{index}");
            }
            assert_eq!(hit(&mut many, 200, BLAST, PLACE, 600), Seen::Twice);
            assert_eq!(hit(&mut many, 290, WAVE, PLACE, 600), Seen::Twice);
            assert_eq!(hit(&mut many, 291, WAVE, PLACE, 600), Seen::New);
        });
        assert_eq!(counted.count_total, 0);
        assert_eq!((explosions.explosions.len(), many.hits.len()), (MOST_EXPLOSIONS, 1));
    }

    /// DMG-27: a place of no number is never the same, and no tick is too early or too late to ask of.
    #[test]
    fn any_report_has_an_answer() {
        let mut explosions = Explosions::new();
        let nowhere = Vec3::new(f32::NAN, f32::INFINITY, f32::MAX);
        for heard in [0, i32::MAX, i32::MAX - 90] {
            for _ in 0..2 {
                assert_eq!(hit(&mut explosions, heard, BLAST, nowhere, 1), Seen::New, "{heard}");
            }
        }
        for heard in [0, i32::MAX - 91] {
            assert_eq!(hit(&mut explosions, heard, BLAST, nowhere, 1), Seen::Twice, "{heard}");
        }
        let far = Vec3::new(f32::MAX, f32::MIN, 0.0);
        assert_eq!(hit(&mut explosions, i32::MAX, BLAST, far, 1), Seen::New);
        assert_eq!(hit(&mut explosions, i32::MAX, BLAST, -far, 1), Seen::New);
        assert_eq!(hit(&mut explosions, i32::MAX, BLAST, far, 1), Seen::Twice);
    }

    proptest! {
        /// DMG-26, 27: in whichever order hits of the last 90 ticks come, each is new or known once, and each explosion new
        /// once.
        #[test]
        fn no_hit_counts_twice(
            hits in prop::collection::vec((0..90_i32, 0..2_u32, 0..2_u8, 0..4_u16), 0..60),
        ) {
            let mut explosions = Explosions::new();
            let (mut dealt, mut paid) = (Vec::new(), Vec::new());
            for (late, effect, place, index) in hits {
                let spot = PLACE + Vec3::new(f32::from(place), 0.0, 0.0);
                let explosion = (late, effect, place);
                match hit(&mut explosions, 500 - late, Tag(effect), spot, index) {
                    Seen::New => {
                        prop_assert!(!paid.contains(&explosion));
                        paid.push(explosion);
                    }
                    Seen::Known => prop_assert!(paid.contains(&explosion)),
                    Seen::Twice => {
                        prop_assert!(dealt.contains(&(explosion, index)));
                        continue;
                    }
                }
                prop_assert!(!dealt.contains(&(explosion, index)));
                dealt.push((explosion, index));
            }
        }
    }
}
