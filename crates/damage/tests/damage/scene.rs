//! A game of two players and a car, by what its tags say, and reports of the first player's. Knows no rule.

use std::cell::Cell;

use mjolnir_damage::{
    AreaForm, Deals, Effect, Error, Flags, Flight, Host, Means, PlayerRow, Rate, Reach, Riding, Seat, Tags,
    Target, TargetRow, Throw, World,
};
use mjolnir_wire::damage::{Damage, Hit, HitReport, Parts};
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Tick, Vec3};

pub(crate) const RIFLE: Tag = Tag(1);
pub(crate) const SHOTGUN: Tag = Tag(2);
pub(crate) const LAUNCHER: Tag = Tag(3);
pub(crate) const PISTOL: Tag = Tag(4);
pub(crate) const CAR: Tag = Tag(5);
pub(crate) const FRAG: Tag = Tag(6);

/// The rifle's, at once, 100 wu, twelve a second.
pub(crate) const BULLET: Tag = Tag(101);
/// The shotgun's, fifteen at once, once a second.
pub(crate) const PELLET: Tag = Tag(102);
/// The launcher's explosion: 3 wu around, after a flight of 9 s at most, 100 wu; once a second. It falls off.
pub(crate) const BLAST: Tag = Tag(103);
/// Its shock wave: 6 wu around, as area damage or not. It does not fall off.
pub(crate) const WAVE: Tag = Tag(104);
/// What a shot of it that sticks deals to what it sticks to.
pub(crate) const STUCK: Tag = Tag(105);
/// What goes off up to 10 wu from where a shot of it ended.
pub(crate) const SPARK: Tag = Tag(106);
/// The pistol's, 50 wu.
pub(crate) const SLUG: Tag = Tag(107);
/// A blow with the rifle, 1 wu.
pub(crate) const PUNCH: Tag = Tag(108);
/// The car's collision, with a push of 0.5 wu.
pub(crate) const RAM: Tag = Tag(109);
/// The car's gun.
pub(crate) const SHELL: Tag = Tag(110);
/// The grenade's explosion, 5 wu around, wherever it rolled.
pub(crate) const FRAG_BLAST: Tag = Tag(111);
/// Its shock wave, 8 wu around.
pub(crate) const FRAG_WAVE: Tag = Tag(112);
/// A blow with the rifle that sweeps 2 wu around.
pub(crate) const SWEEP: Tag = Tag(113);
/// What the grenade deals by a fault of its tags: a radius that is no number.
pub(crate) const FAULT: Tag = Tag(114);

/// What a client's hit may have, the form that is both not among it; what says that a damage is area damage.
pub(crate) const CLIENT_FLAGS: u32 = 0b0111;
pub(crate) const AREA_FLAG: u32 = 0b1_0000;

pub(crate) fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn east(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

pub(crate) const fn object(index: u16) -> ObjectId {
    ObjectId::new(index, 7).expect("in range")
}

/// The first player's unit, the second's, and the car.
pub(crate) const STRIKER: ObjectId = object(1);
pub(crate) const VICTIM: ObjectId = object(2);
pub(crate) const VEHICLE: ObjectId = object(3);

/// What each source deals: by what, how often, and the effect itself.
fn known(effect: Tag) -> Option<(Tag, Means, f32, Effect)> {
    let flight = |reach, sets_off, ticks| Means::Flight(Flight { reach, sets_off, ticks });
    let shot = |range| flight(Reach::Within(range), 0.0, 0);
    let point = Effect { radius: 0.0, falls_off: true, form: AreaForm::Direct };
    let around = |radius, falls_off, form| Effect { radius, falls_off, form };
    Some(match effect {
        BULLET => (RIFLE, shot(100.0), 12.0, point),
        PELLET => (SHOTGUN, shot(20.0), 1.0, point),
        BLAST => {
            let rocket = flight(Reach::Within(100.0), 0.0, 270);
            (LAUNCHER, rocket, 1.0, around(3.0, true, AreaForm::Area))
        }
        WAVE => (LAUNCHER, shot(100.0), 1.0, around(6.0, false, AreaForm::Both)),
        STUCK => (LAUNCHER, flight(Reach::Unbounded, 0.0, 90), 1.0, point),
        SPARK => (LAUNCHER, flight(Reach::Within(100.0), 10.0, 0), 1.0, point),
        SLUG => (PISTOL, shot(50.0), 4.0, point),
        PUNCH => (RIFLE, Means::Melee { reach: 1.0 }, 2.0, point),
        SWEEP => (RIFLE, Means::Melee { reach: 1.0 }, 2.0, around(2.0, true, AreaForm::Direct)),
        FAULT => {
            let frag = flight(Reach::Unbounded, 0.0, 90);
            (FRAG, frag, 8.0, around(f32::NAN, false, AreaForm::Area))
        }
        RAM => (CAR, Means::Collision { push: 0.5, whole_at: 0.0 }, 4.0, point),
        SHELL => (CAR, shot(200.0), 4.0, point),
        FRAG_BLAST => (FRAG, flight(Reach::Unbounded, 0.0, 90), 2.0, around(5.0, true, AreaForm::Area)),
        FRAG_WAVE => (FRAG, flight(Reach::Unbounded, 0.0, 90), 2.0, around(8.0, true, AreaForm::Area)),
        _ => return None,
    })
}

/// The game that is asked.
pub(crate) struct Game {
    pub(crate) targets: Vec<(ObjectId, Target)>,
    /// How often it was asked for a target.
    pub(crate) asked: Cell<usize>,
    /// How much faster than they do its sources fire.
    pub(crate) haste: f32,
    pub(crate) flags: Flags,
    /// As fast as a collision deals all of its damage.
    pub(crate) whole_at: f32,
    /// What an explosion leaves at any distance, where it is no sound share.
    pub(crate) leaves: Option<f32>,
}

impl Tags for Game {
    fn effect(&self, effect: Tag) -> Option<Effect> {
        known(effect).map(|(.., effect)| effect)
    }

    fn deals(&self, source: Tag, effect: Tag) -> Option<Deals> {
        let (_, mut means, per_second, _) = known(effect).filter(|known| known.0 == source)?;
        if let Means::Collision { whole_at, .. } = &mut means {
            *whole_at = self.whole_at;
        }
        let projectiles = if effect == PELLET { 15 } else { 1 };
        Some(Deals { means, rate: Rate { per_second: per_second * self.haste, projectiles } })
    }

    fn fall_off(&self, effect: Tag, distance: f32) -> f32 {
        if let Some(leaves) = self.leaves {
            return leaves;
        }
        let radius = known(effect).map_or(1.0, |(.., effect)| effect.radius);
        (1.0 - distance / radius).max(0.0)
    }

    fn flags(&self) -> Flags {
        self.flags
    }
}

impl World for Game {
    fn target(&self, object: ObjectId) -> Option<Target> {
        self.asked.set(self.asked.get() + 1);
        self.targets.iter().find(|(of, _)| *of == object).map(|(_, target)| *target)
    }
}

/// A host, and what it is told after each tick.
pub(crate) struct Scene {
    pub(crate) host: Host,
    pub(crate) game: Game,
    pub(crate) now: Tick,
    pub(crate) players: Vec<PlayerRow>,
    /// What the host keeps a history of; the rest only stands there.
    pub(crate) targets: Vec<TargetRow>,
    pub(crate) round_trip: Option<f32>,
}

pub(crate) fn player(index: u8, unit: ObjectId, place: Vec3) -> PlayerRow {
    PlayerRow {
        slot: slot(index),
        machine: machine(index),
        unit: Some(unit),
        place,
        riding: None,
        weapons: [Some(RIFLE), Some(SHOTGUN), Some(LAUNCHER), None],
        team: Some(u16::from(index)),
        multiplier: 1.0,
    }
}

pub(crate) fn target(place: Vec3, size: f32) -> Target {
    let (velocity, centre) = (Vec3::ZERO, Vec3::ZERO);
    Target { place, velocity, size, centre, nodes: 19, regions: 3, materials: 2 }
}

impl Scene {
    /// The striker stands at the origin with rifle, shotgun and launcher, and its victim, 1 wu large, 10 wu east of it, since a
    /// hundred ticks.
    pub(crate) fn new() -> Self {
        let mut scene = Self {
            host: Host::new(),
            game: Game {
                targets: Vec::new(),
                asked: Cell::new(0),
                haste: 1.0,
                flags: Flags { client: CLIENT_FLAGS, area: AREA_FLAG },
                whole_at: 0.0,
                leaves: None,
            },
            now: tick(399),
            players: vec![player(1, STRIKER, Vec3::ZERO), player(2, VICTIM, east(10.0))],
            targets: Vec::new(),
            round_trip: Some(6.0),
        };
        scene.put(STRIKER, Vec3::ZERO, 1.0);
        scene.put(VICTIM, east(10.0), 1.0);
        scene.run(101);
        scene
    }

    /// As [`Scene::new`], and the striker's seat is that one of a car 2 wu large at the origin.
    pub(crate) fn riding(seat: Seat) -> Self {
        let mut scene = Self::new();
        scene.put(VEHICLE, Vec3::ZERO, 2.0);
        scene.players[0].riding = Some(Riding { vehicle: VEHICLE, tag: CAR, size: 2.0, seat });
        scene.run(10);
        scene
    }

    /// An object stands there, and the host keeps where it was.
    pub(crate) fn put(&mut self, object: ObjectId, place: Vec3, size: f32) {
        self.game.targets.retain(|(of, _)| *of != object);
        self.game.targets.push((object, target(place, size)));
        self.targets.retain(|row| row.object != object);
        self.targets.push(TargetRow { object, place, velocity: Vec3::ZERO, size });
    }

    pub(crate) fn run(&mut self, ticks: usize) {
        (0..ticks).for_each(|_| self.tick(&[]));
    }

    pub(crate) fn tick(&mut self, throws: &[Throw]) {
        self.now = self.now.next();
        self.host.after_tick(self.now, &self.players, &self.targets, throws);
    }

    /// What the striker's machine says as it hits the victim where that is now, with all that is right.
    pub(crate) fn report(&self, effect: Tag) -> HitReport {
        self.report_on(effect, VICTIM)
    }

    pub(crate) fn report_on(&self, effect: Tag, object: ObjectId) -> HitReport {
        let place = self.game.targets.iter().find(|(of, _)| *of == object).unwrap().1.place;
        let damage = Damage {
            effect,
            flags: 0,
            owner: Some(slot(1)),
            team: None,
            owner_object: None,
            origin: place,
            epicentre: place,
            direction: east(1.0),
            scale: 1.0,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material: None,
        };
        let hit = Hit { object, damage, target: place, normal: None, parts: Parts::default() };
        HitReport { hit, heard: self.now }
    }

    /// A report of the striker's machine comes.
    pub(crate) fn say(&mut self, report: &HitReport) -> Result<Hit, Error> {
        self.host.handle_report(self.now, machine(1), self.round_trip, report, &self.game)
    }

    /// What an honest report comes to, changed so.
    pub(crate) fn say_with(&mut self, effect: Tag, change: impl FnOnce(&mut HitReport)) -> Result<(), Error> {
        let mut report = self.report(effect);
        change(&mut report);
        self.say(&report).map(|_| ())
    }
}
