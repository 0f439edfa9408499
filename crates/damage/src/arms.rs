//! What each player carried, drove and gunned in the last ten seconds. Knows no damage.

use mjolnir_wire::{ObjectId, Tag, Tick};

use crate::rows::{PlayerRow, Riding};
use crate::tags::{Deals, Means, Tags};

/// Ticks for which what a player held, drove or gunned still deals damage of theirs (DMG-06, 07, 11): ten seconds.
pub(crate) const HELD_MEMORY: u32 = 300;

/// Weapons and vehicles that are remembered of a player. Whoever has had more in ten seconds loses the oldest.
const MOST: usize = 24;

/// What deals a player's damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Source {
    /// The weapon's tag, or the vehicle's.
    pub(crate) tag: Tag,
    /// How it deals it.
    pub(crate) deals: Deals,
    /// The vehicle, where it is one.
    pub(crate) vehicle: Option<ObjectId>,
}

/// Something that a player had.
#[derive(Clone, Copy, Debug)]
struct Had {
    tag: Tag,
    /// The vehicle, where it is one. Two of one kind are two.
    vehicle: Option<ObjectId>,
    /// When it was carried, driven or gunned last.
    last: Tick,
    /// When it was driven last.
    driven: Option<Tick>,
}

impl Had {
    /// How this deals it, by what the player did with it: a collision is of who drives alone (DMG-11).
    fn deals(&self, tick: Tick, effect: Tag, tags: &impl Tags) -> Option<Deals> {
        let deals = tags.deals(self.tag, effect)?;
        let collides = matches!(deals.means, Means::Collision { .. });
        let drove = self.driven.is_some_and(|driven| is_recent(tick, driven));
        (!collides || drove).then_some(deals)
    }
}

/// One player's: 576 bytes, 74 kB of 128.
#[derive(Debug, Default)]
pub(crate) struct Arms {
    /// The latest first.
    had: [Option<Had>; MOST],
}

impl Arms {
    /// It had nothing yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// After a tick: what the player has then. One who is dead has nothing, but what they had counts on (DMG-54).
    pub(crate) fn note(&mut self, tick: Tick, player: &PlayerRow) {
        if player.unit.is_none() {
            return;
        }
        if let Some(Riding { vehicle, tag, seat, .. }) = player.riding
            && (seat.drives || seat.guns)
        {
            self.put_first(tick, tag, Some(vehicle), seat.drives);
        }
        // The last is put first: so they are looked through in their own order.
        for tag in player.weapons.iter().rev().flatten() {
            self.put_first(tick, *tag, None, false);
        }
    }

    /// What of theirs deals that damage: what they have now before what they had, and of that the latest. None where
    /// nothing does.
    pub(crate) fn source(&self, tick: Tick, effect: Tag, tags: &impl Tags) -> Option<Source> {
        let mut recent = self.had.iter().flatten().take_while(|had| is_recent(tick, had.last));
        recent.find_map(|had| {
            let deals = had.deals(tick, effect, tags)?;
            Some(Source { tag: had.tag, deals, vehicle: had.vehicle })
        })
    }

    /// The vehicles that they drove in time and whose collision deals that damage, the latest first, each with its push and as
    /// fast as it deals the whole of it ([`Means::Collision`]).
    pub(crate) fn driven(
        &self,
        tick: Tick,
        effect: Tag,
        tags: &impl Tags,
    ) -> impl Iterator<Item = (ObjectId, (f32, f32))> {
        let recent = self.had.iter().flatten().take_while(move |had| is_recent(tick, had.last));
        recent.filter_map(move |had| match had.deals(tick, effect, tags)?.means {
            Means::Collision { push, whole_at } => Some((had.vehicle?, (push, whole_at))),
            Means::Flight(_) | Means::Melee { .. } => None,
        })
    }

    fn put_first(&mut self, tick: Tick, tag: Tag, vehicle: Option<ObjectId>, drives: bool) {
        let is_it = |had: &Option<Had>| had.is_none_or(|had| had.tag == tag && had.vehicle == vehicle);
        // Its own place, or the first that is free, or the oldest's.
        let at = self.had.iter().position(is_it).unwrap_or(MOST - 1);
        let before = self.had[at].filter(|had| had.tag == tag && had.vehicle == vehicle);
        let driven = if drives { Some(tick) } else { before.and_then(|had| had.driven) };
        self.had[..=at].rotate_right(1);
        self.had[0] = Some(Had { tag, vehicle, last: tick, driven });
    }
}

/// Whether something that was so at `then` still counts.
fn is_recent(tick: Tick, then: Tick) -> bool {
    then.plus(HELD_MEMORY) >= tick
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Machine, Slot, Vec3};

    use super::*;
    use crate::rows::Seat;
    use crate::tags::{Flight, Rate, Reach};

    const RIFLE: Tag = Tag(1);
    const PISTOL: Tag = Tag(2);
    const CAR: Tag = Tag(3);
    const BULLET: Tag = Tag(10);
    const ROUND: Tag = Tag(11);
    const SHELL: Tag = Tag(12);
    const CRASH: Tag = Tag(13);

    const PASSENGER: Seat = Seat { drives: false, guns: false };
    const DRIVER: Seat = Seat { drives: true, guns: false };
    const GUNNER: Seat = Seat { drives: false, guns: true };

    /// A rifle's bullets, a pistol's rounds, a car's shells and crashes.
    struct Game;

    impl Tags for Game {
        fn deals(&self, source: Tag, effect: Tag) -> Option<Deals> {
            let flight = Means::Flight(Flight { reach: Reach::Within(100.0), sets_off: 0.0, ticks: 0 });
            let means = match (source, effect) {
                (RIFLE, BULLET) | (PISTOL, ROUND) | (CAR, SHELL) => flight,
                (CAR, CRASH) => Means::Collision { push: 0.5, whole_at: 0.0 },
                // Any other weapon that is made up deals what has its number.
                (Tag(source), Tag(effect)) if source >= 100 && source == effect => flight,
                _ => return None,
            };
            Some(Deals { means, rate: Rate { per_second: 1.0, projectiles: 1 } })
        }
    }

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn car(index: u16) -> ObjectId {
        ObjectId::new(index, 1).unwrap()
    }

    fn on_foot(weapons: [Option<Tag>; 4]) -> PlayerRow {
        PlayerRow {
            slot: Slot::new(0).unwrap(),
            machine: Machine::new(1).unwrap(),
            unit: ObjectId::new(1, 1),
            place: Vec3::ZERO,
            riding: None,
            weapons,
            team: None,
            multiplier: 1.0,
        }
    }

    fn armed(weapon: Tag) -> PlayerRow {
        on_foot([Some(weapon), None, None, None])
    }

    fn in_car(index: u16, seat: Seat) -> PlayerRow {
        let riding = Riding { vehicle: car(index), tag: CAR, size: 1.5, seat };
        PlayerRow { riding: Some(riding), ..on_foot([None; 4]) }
    }

    /// DMG-06: a weapon's damage is of who holds it, or did within 300 ticks; no other weapon's is.
    #[test]
    fn a_weapon_counts_for_ten_seconds() {
        let mut arms = Arms::new();
        arms.note(tick(0), &armed(PISTOL));
        for now in 1..=400 {
            arms.note(tick(now), &armed(RIFLE));
        }
        let of = |now, effect| arms.source(tick(now), effect, &Game).map(|source| source.tag);
        assert_eq!(of(400, BULLET), Some(RIFLE));
        assert_eq!(of(270, ROUND), Some(PISTOL), "dropped 9 s ago");
        assert_eq!(of(300, ROUND), Some(PISTOL));
        assert_eq!(of(301, ROUND), None);
        assert_eq!(of(330, ROUND), None, "dropped 11 s ago");
        assert_eq!(of(400, SHELL), None);
    }

    /// DMG-06: each of the weapons carried, in hand or not.
    #[test]
    fn every_weapon_carried_counts() {
        let mut arms = Arms::new();
        arms.note(tick(5), &on_foot([None, Some(RIFLE), None, Some(PISTOL)]));
        for (effect, weapon) in [(BULLET, RIFLE), (ROUND, PISTOL)] {
            let source = arms.source(tick(6), effect, &Game).unwrap();
            assert_eq!((source.tag, source.vehicle), (weapon, None));
        }
    }

    /// DMG-07: a vehicle's weapon is of who drives or guns, now or within 300 ticks; a passenger's it is not.
    #[test]
    fn a_vehicles_gun_is_its_drivers_and_gunners() {
        for (seat, counts) in [(PASSENGER, false), (DRIVER, true), (GUNNER, true)] {
            let mut arms = Arms::new();
            arms.note(tick(0), &in_car(7, seat));
            for now in [0, 270, 300] {
                let vehicle = arms.source(tick(now), SHELL, &Game).map(|source| source.vehicle);
                assert_eq!(vehicle, counts.then_some(Some(car(7))), "{seat:?} at {now}");
            }
            assert_eq!(arms.source(tick(301), SHELL, &Game), None, "{seat:?}");
        }
    }

    /// DMG-11: a collision is of who drove the vehicle within 300 ticks, and of who guns it never.
    #[test]
    fn a_collision_is_the_drivers_alone() {
        let mut arms = Arms::new();
        arms.note(tick(0), &in_car(7, DRIVER));
        // From the wheel to the gun: what it shoots counts on, what it hits does not.
        for now in 1..=310 {
            arms.note(tick(now), &in_car(7, GUNNER));
        }
        for (now, counts) in [(270, true), (300, true), (301, false), (330, false)] {
            assert_eq!(arms.source(tick(now), CRASH, &Game).is_some(), counts, "{now}");
            assert!(arms.source(tick(now), SHELL, &Game).is_some(), "{now}");
        }
        let mut gunner = Arms::new();
        gunner.note(tick(0), &in_car(7, GUNNER));
        assert_eq!(gunner.source(tick(0), CRASH, &Game), None);
    }

    /// DMG-11: of two cars that a player drove it is the one it drives now; then the one it drove last.
    #[test]
    fn the_latest_vehicle_comes_first() {
        let mut arms = Arms::new();
        let which = |arms: &Arms, now| arms.source(tick(now), CRASH, &Game).and_then(|source| source.vehicle);
        for (now, index) in [(10, 7), (20, 8), (30, 7)] {
            arms.note(tick(now), &in_car(index, DRIVER));
            assert_eq!(which(&arms, now + 5), Some(car(index)), "{now}");
        }
        // At the gun of another, it is the driven one's still.
        arms.note(tick(40), &in_car(9, GUNNER));
        assert_eq!(which(&arms, 330), Some(car(7)));
        assert_eq!(which(&arms, 331), None);
    }

    /// DMG-54: what a dead player fired counts for ten seconds from its death, and what its row still names no longer.
    #[test]
    fn a_dead_players_shot_counts_for_ten_seconds() {
        let mut arms = Arms::new();
        arms.note(tick(0), &armed(RIFLE));
        for now in 1..=330 {
            arms.note(tick(now), &PlayerRow { unit: None, ..armed(RIFLE) });
        }
        for (now, counts) in [(60, true), (300, true), (301, false), (330, false)] {
            assert_eq!(arms.source(tick(now), BULLET, &Game).is_some(), counts, "{now}");
        }
    }

    /// DMG-06: of more weapons than are remembered the oldest goes, and none that is in hand.
    #[test]
    fn memory_is_bounded() {
        let mut arms = Arms::new();
        let most = MOST as u32;
        for number in 0..most {
            arms.note(tick(number as i32), &armed(Tag(100 + number)));
        }
        let counts = |arms: &Arms, number| arms.source(tick(40), Tag(100 + number), &Game).is_some();
        assert!((0..most).all(|number| counts(&arms, number)));
        arms.note(tick(30), &armed(Tag(100 + most)));
        assert!(!counts(&arms, 0));
        assert!((1..=most).all(|number| counts(&arms, number)));
    }
}
