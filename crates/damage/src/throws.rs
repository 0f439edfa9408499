//! What each player threw in the last ten seconds, and what of it has gone off. Knows no grenade.
//!
//! A throw goes off once: with the first damage of it that has a radius. What else it deals (its shock wave, its other
//! targets) is of that same tick, as its player's machine had it; and each damage of it has one epicentre (DMG-09).

use alloc::vec::Vec;

use mjolnir_wire::{Tag, Tick, Vec3};

use crate::error::Error;
use crate::explosions::is_same_place;
use crate::tags::{Deals, Tags};

/// Ticks for which a throw can deal damage (DMG-08): ten seconds.
pub(crate) const THROW_MEMORY: u32 = 300;

/// Throws that are remembered of a player: three a second.
const MOST_THROWS: usize = 32;
/// Damages that a throw deals as it goes off: an explosion, a shock wave, and what a map may add.
const MOST_DAMAGES: usize = 4;
/// Kinds of grenade whose tags are asked once a look.
const KINDS: usize = 4;

/// A throw that a damage is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Thrown {
    /// Which.
    pub(crate) at: u32,
    /// Its kind's tag.
    pub(crate) grenade: Tag,
    /// How it deals it.
    pub(crate) deals: Deals,
    /// It goes off with this damage, which has a radius, at that place; any other hits on the way.
    explosion: Option<(Tag, Vec3)>,
}

/// When and where a throw went off.
#[derive(Clone, Copy, Debug)]
struct Off {
    heard: Tick,
    damages: [Option<(Tag, Vec3)>; MOST_DAMAGES],
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u32,
    grenade: Tag,
    at: Tick,
    off: Option<Off>,
}

/// How well a damage fits a throw, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It has dealt just that.
    Dealt,
    /// It went off there, with other damage.
    There,
    /// It went off in that tick, with other damage.
    Then,
    /// It has not gone off.
    Whole,
}

impl Entry {
    /// Whether a report of that tick can be of it, apart from its kind.
    fn fit(&self, tick: Tick, heard: Tick, explosion: Option<(Tag, Vec3)>) -> Option<Fit> {
        if self.at.plus(THROW_MEMORY) < tick {
            return None;
        }
        let Some(off) = self.off else { return Some(Fit::Whole) };
        if off.heard != heard {
            return None;
        }
        let Some((effect, epicentre)) = explosion else { return Some(Fit::Then) };
        let mut dealt = off.damages.iter().flatten();
        if let Some((_, place)) = dealt.clone().find(|(known, _)| *known == effect) {
            return is_same_place(*place, epicentre).then_some(Fit::Dealt);
        }
        let is_there = dealt.any(|(_, place)| is_same_place(*place, epicentre));
        // They fill up in order.
        let has_room = off.damages[MOST_DAMAGES - 1].is_none();
        has_room.then_some(if is_there { Fit::There } else { Fit::Then })
    }
}

/// One player's: 3 kB, taken at once and never more, 393 kB of 128.
#[derive(Debug)]
pub(crate) struct Throws {
    /// The oldest first.
    entries: Vec<Entry>,
    number: u32,
}

impl Throws {
    /// Nothing was thrown yet.
    pub(crate) fn new() -> Self {
        Self { entries: Vec::with_capacity(MOST_THROWS), number: 0 }
    }

    /// The player threw one in the host's own game.
    pub(crate) fn throw(&mut self, tick: Tick, grenade: Tag) {
        if self.entries.len() >= MOST_THROWS {
            // The oldest that can deal no more, or has gone off; else the oldest.
            let is_done = |entry: &Entry| entry.off.is_some() || entry.at.plus(THROW_MEMORY) < tick;
            let at = self.entries.iter().position(is_done).unwrap_or_default();
            self.entries.remove(at);
        }
        self.number = self.number.wrapping_add(1);
        self.entries.push(Entry { number: self.number, grenade, at: tick, off: None });
    }

    /// The throw that a damage reported of that tick, `heard`, at that epicentre is of: one of the last [`THROW_MEMORY`]
    /// that went off in that same tick and dealt it, or can have; else the oldest that has not gone off. `NotThrown` where
    /// there is none (any more), `NotHeld` where nothing that was thrown deals such damage at all.
    pub(crate) fn find(
        &self,
        tick: Tick,
        heard: Tick,
        effect: Tag,
        epicentre: Vec3,
        tags: &impl Tags,
    ) -> Result<Thrown, Error> {
        let has_reach = tags.effect(effect).is_some_and(|effect| effect.has_reach());
        let explosion = has_reach.then_some((effect, epicentre));
        let mut kinds = Kinds { asked: [None; KINDS] };
        let mut error = Error::NotHeld;
        let mut best: Option<(Fit, Thrown)> = None;
        for entry in &self.entries {
            let Some(deals) = kinds.deals(entry.grenade, effect, tags) else { continue };
            error = Error::NotThrown;
            let Some(fit) = entry.fit(tick, heard, explosion) else { continue };
            if best.is_none_or(|(known, _)| fit < known) {
                best = Some((fit, Thrown { at: entry.number, grenade: entry.grenade, deals, explosion }));
            }
        }
        best.map(|(_, thrown)| thrown).ok_or(error)
    }

    /// What was found is dealt: the throw has gone off, and with what. Damage without a radius does not make it go off.
    pub(crate) fn go_off(&mut self, thrown: &Thrown, heard: Tick) {
        let Some((effect, epicentre)) = thrown.explosion else { return };
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == thrown.at) else { return };
        let off = entry.off.get_or_insert(Off { heard, damages: [None; MOST_DAMAGES] });
        if off.damages.iter().flatten().any(|(known, _)| *known == effect) {
            return;
        }
        if let Some(free) = off.damages.iter_mut().find(|damage| damage.is_none()) {
            *free = Some((effect, epicentre));
        }
    }
}

/// What the tags said of a few kinds of grenade, each asked once.
struct Kinds {
    asked: [Option<(Tag, Option<Deals>)>; KINDS],
}

impl Kinds {
    fn deals(&mut self, grenade: Tag, effect: Tag, tags: &impl Tags) -> Option<Deals> {
        for asked in &mut self.asked {
            match asked {
                Some((known, deals)) if *known == grenade => return *deals,
                Some(_) => {}
                None => {
                    let deals = tags.deals(grenade, effect);
                    *asked = Some((grenade, deals));
                    return deals;
                }
            }
        }
        tags.deals(grenade, effect)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tags::{AreaForm, Effect, Flight, Means, Rate, Reach};

    const FRAG: Tag = Tag(1);
    const STICKY: Tag = Tag(2);
    const BLAST: Tag = Tag(10);
    const WAVE: Tag = Tag(11);
    const BUMP: Tag = Tag(12);
    const PLASMA: Tag = Tag(13);
    const BULLET: Tag = Tag(14);
    const ENDLESS: Tag = Tag(15);
    /// From here on a frag grenade deals all.
    const MORE: u32 = 100;

    const HERE: Vec3 = Vec3::new(1.0, 2.0, 3.0);
    const THERE: Vec3 = Vec3::new(9.0, 2.0, 3.0);

    /// A frag grenade with its explosion, its shock wave and its impact on the way; a sticky one with its explosion.
    struct Game;

    impl Tags for Game {
        fn effect(&self, effect: Tag) -> Option<Effect> {
            let radius = match effect {
                BLAST | WAVE | PLASMA => 3.0,
                ENDLESS => f32::NAN,
                Tag(MORE..) => 3.0,
                _ => 0.0,
            };
            Some(Effect { radius, falls_off: true, form: AreaForm::Area })
        }

        fn deals(&self, source: Tag, effect: Tag) -> Option<Deals> {
            let does = matches!(
                (source, effect),
                (FRAG, BLAST | WAVE | BUMP | ENDLESS | Tag(MORE..)) | (STICKY, PLASMA)
            );
            let means = Means::Flight(Flight { reach: Reach::Unbounded, sets_off: 0.0, ticks: 120 });
            does.then_some(Deals { means, rate: Rate { per_second: 1.0, projectiles: 1 } })
        }
    }

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// Deals a damage as the host does: which throw it is of.
    fn deal(throws: &mut Throws, now: i32, heard: i32, effect: Tag, place: Vec3) -> Result<u32, Error> {
        let thrown = throws.find(tick(now), tick(heard), effect, place, &Game)?;
        throws.go_off(&thrown, tick(heard));
        Ok(thrown.at)
    }

    /// One of that kind, thrown in that tick.
    fn thrown(at: i32, grenade: Tag) -> Throws {
        let mut throws = Throws::new();
        throws.throw(tick(at), grenade);
        throws
    }

    /// DMG-08: without a throw nothing is dealt; one of 300 ticks ago counts, an older one does not.
    #[test]
    fn a_throw_counts_for_ten_seconds() {
        for (age, result) in
            [(0, Ok(1)), (300, Ok(1)), (301, Err(Error::NotThrown)), (330, Err(Error::NotThrown))]
        {
            let mut throws = thrown(50, FRAG);
            assert_eq!(deal(&mut throws, 50 + age, 40 + age, BLAST, HERE), result, "{age}");
        }
        let found = thrown(50, STICKY).find(tick(60), tick(55), PLASMA, HERE, &Game).unwrap();
        assert_eq!((found.grenade, found.deals.rate.per_second), (STICKY, 1.0));
    }

    /// DMG-10: whatever grenades are held, none that was not thrown deals anything; nor does one of another kind, or of none.
    #[test]
    fn what_is_held_deals_nothing() {
        let mut throws = Throws::new();
        for report in 0..10 {
            assert_eq!(deal(&mut throws, 100 + report, 100, BLAST, HERE), Err(Error::NotHeld));
        }
        let mut throws = thrown(100, STICKY);
        assert_eq!(deal(&mut throws, 110, 105, BLAST, HERE), Err(Error::NotHeld));
        assert_eq!(deal(&mut throws, 110, 105, BULLET, HERE), Err(Error::NotHeld));
        assert_eq!(deal(&mut throws, 110, 105, PLASMA, HERE), Ok(1));
    }

    /// DMG-09: an explosion and its shock wave, on six targets each, are one throw's, in whichever order they come, late or
    /// early; of another tick nothing is.
    #[test]
    fn a_throw_goes_off_once_with_all_its_damage() {
        let in_turn = [BLAST, WAVE].repeat(6);
        let one_first = [[BLAST; 6], [WAVE; 6]].concat();
        let other_first = [[WAVE; 6], [BLAST; 6]].concat();
        for order in [in_turn, one_first, other_first] {
            let mut throws = thrown(100, FRAG);
            for (later, effect) in order.into_iter().enumerate() {
                let now = 170 + later as i32;
                assert_eq!(deal(&mut throws, now, 165, effect, HERE), Ok(1), "{effect:?} at {now}");
            }
            for heard in [164, 166] {
                for effect in [BLAST, WAVE] {
                    let refused = deal(&mut throws, 190, heard, effect, HERE);
                    assert_eq!(refused, Err(Error::NotThrown), "{effect:?} at {heard}");
                }
            }
        }
    }

    /// DMG-09: so many damages are taken of a throw that went off, and no fifth, there or elsewhere.
    #[test]
    fn a_throw_has_so_many_damages() {
        let mut throws = thrown(100, FRAG);
        for effect in 0..MOST_DAMAGES as u32 {
            assert_eq!(deal(&mut throws, 170, 165, Tag(MORE + effect), HERE), Ok(1), "{effect}");
        }
        for place in [HERE, THERE] {
            assert_eq!(deal(&mut throws, 170, 165, BLAST, place), Err(Error::NotThrown));
        }
        assert_eq!(deal(&mut throws, 170, 165, Tag(MORE), HERE), Ok(1));
    }

    /// DMG-09: the same explosion at another place is another throw's, in that tick too; its place may be a hundredth of a
    /// world unit off.
    #[test]
    fn a_throw_goes_off_in_one_place() {
        let mut throws = thrown(100, FRAG);
        assert_eq!(deal(&mut throws, 170, 165, BLAST, HERE), Ok(1));
        let beside = |off: f32| HERE + Vec3::new(off, 0.0, 0.0);
        assert_eq!(deal(&mut throws, 170, 165, BLAST, beside(0.009)), Ok(1));
        assert_eq!(deal(&mut throws, 170, 165, BLAST, beside(0.011)), Err(Error::NotThrown));
        assert_eq!(deal(&mut throws, 170, 165, BLAST, THERE), Err(Error::NotThrown));
    }

    /// DMG-09: two that go off in one tick, in two places, are two, each with its own shock wave.
    #[test]
    fn two_throws_go_off_in_one_tick() {
        let mut throws = thrown(100, FRAG);
        throws.throw(tick(101), FRAG);
        for (effect, place, which) in
            [(BLAST, HERE, 1), (BLAST, THERE, 2), (WAVE, THERE, 2), (WAVE, HERE, 1), (BLAST, HERE, 1)]
        {
            assert_eq!(deal(&mut throws, 170, 165, effect, place), Ok(which), "{effect:?}");
        }
        let third = HERE + Vec3::new(0.0, 5.0, 0.0);
        assert_eq!(deal(&mut throws, 170, 165, BLAST, third), Err(Error::NotThrown));
    }

    /// DMG-09: as many explosions are taken as there were throws, the oldest first, of whichever kinds.
    #[test]
    fn each_throw_is_taken_once() {
        let mut throws = thrown(100, FRAG);
        throws.throw(tick(110), STICKY);
        throws.throw(tick(120), FRAG);
        assert_eq!(deal(&mut throws, 180, 170, BLAST, HERE), Ok(1));
        assert_eq!(deal(&mut throws, 185, 175, BLAST, HERE), Ok(3));
        assert_eq!(deal(&mut throws, 190, 180, BLAST, HERE), Err(Error::NotThrown));
        assert_eq!(deal(&mut throws, 190, 180, PLASMA, HERE), Ok(2));
    }

    /// DMG-09: what a grenade hits on the way does not make it go off, and once it has, only that same tick hits.
    #[test]
    fn an_impact_is_no_explosion() {
        let mut throws = thrown(100, FRAG);
        assert_eq!(deal(&mut throws, 110, 105, BUMP, THERE), Ok(1));
        assert_eq!(deal(&mut throws, 112, 107, BUMP, THERE), Ok(1));
        assert_eq!(deal(&mut throws, 170, 165, BLAST, HERE), Ok(1));
        assert_eq!(deal(&mut throws, 170, 165, BUMP, THERE), Ok(1));
        assert_eq!(deal(&mut throws, 170, 166, BUMP, THERE), Err(Error::NotThrown));
    }

    /// DMG-09: a damage whose radius is no number makes a throw go off all the same.
    #[test]
    fn a_radius_of_no_number_goes_off() {
        let mut throws = thrown(100, FRAG);
        assert_eq!(deal(&mut throws, 170, 165, ENDLESS, HERE), Ok(1));
        assert_eq!(deal(&mut throws, 170, 166, BLAST, HERE), Err(Error::NotThrown));
    }

    /// DMG-09: looking alone makes nothing go off.
    #[test]
    fn looking_changes_nothing() {
        let mut throws = thrown(100, FRAG);
        assert!(throws.find(tick(170), tick(165), BLAST, HERE, &Game).is_ok());
        assert_eq!(deal(&mut throws, 170, 166, BLAST, HERE), Ok(1));
    }

    /// DMG-08, 09: of more throws than are remembered one that is too old goes first, then one that has gone off, then the
    /// oldest; nothing is allocated for it.
    #[test]
    fn memory_is_bounded() {
        let mut throws = Throws::new();
        let counted = allocation_counter::measure(|| {
            for number in 1..=MOST_THROWS as i32 {
                throws.throw(tick(number), if number == 6 { STICKY } else { FRAG });
            }
            assert_eq!(deal(&mut throws, 40, 35, PLASMA, HERE), Ok(6));
            let has = |throws: &Throws, number| throws.entries.iter().any(|entry| entry.number == number);
            throws.throw(tick(302), FRAG);
            assert!(!has(&throws, 1) && has(&throws, 2), "too old since a tick");
            throws.throw(tick(302), FRAG);
            assert!(!has(&throws, 6) && has(&throws, 2), "gone off");
            throws.throw(tick(302), FRAG);
            assert!(!has(&throws, 2) && has(&throws, 3), "the oldest");
            for number in (3..=35).filter(|number| *number != 6) {
                assert_eq!(deal(&mut throws, 302, 250 + number, BLAST, HERE), Ok(number as u32));
            }
            assert_eq!(deal(&mut throws, 302, 290, BLAST, HERE), Err(Error::NotThrown));
        });
        assert_eq!((counted.count_total, throws.entries.len()), (0, MOST_THROWS));
    }

    /// DMG-08, 09: no tick and no place panics, and a throw that is gone by the time it goes off changes nothing.
    #[test]
    fn any_report_has_an_answer() {
        let mut throws = thrown(i32::MAX, FRAG);
        let nowhere = Vec3::new(f32::NAN, f32::INFINITY, f32::MAX);
        assert_eq!(deal(&mut throws, 0, i32::MAX, BLAST, nowhere), Ok(1));
        assert_eq!(deal(&mut throws, i32::MAX, i32::MAX, BLAST, nowhere), Err(Error::NotThrown));
        let found = thrown(0, FRAG).find(Tick::ZERO, Tick::ZERO, BLAST, HERE, &Game).unwrap();
        let mut others = Throws::new();
        others.go_off(&found, Tick::ZERO);
        assert_eq!(others.entries.len(), 0);
    }

    proptest! {
        /// DMG-09: whatever is thrown and reported when and where, no damage goes off more often than there were throws.
        #[test]
        fn no_more_goes_off_than_was_thrown(
            steps in prop::collection::vec((0..3_i32, 0..4_u8, 0..4_i32, 0..3_u8), 0..200),
        ) {
            let mut throws = Throws::new();
            let (mut now, mut thrown) = (100, 0);
            let mut dealt = Vec::new();
            for (wait, what, late, place) in steps {
                now += wait;
                if what == 0 {
                    throws.throw(tick(now), FRAG);
                    thrown += 1;
                    continue;
                }
                let effect = if what == 1 { BLAST } else { WAVE };
                let place = HERE + Vec3::new(f32::from(place), 0.0, 0.0);
                let explosion = (effect, now - late, place);
                if deal(&mut throws, now, now - late, effect, place).is_ok() && !dealt.contains(&explosion) {
                    dealt.push(explosion);
                }
            }
            for effect in [BLAST, WAVE] {
                let off = dealt.iter().filter(|(known, ..)| *known == effect).count();
                prop_assert!(off <= thrown, "{off} of {thrown}");
            }
        }
    }
}
