//! What a host's scripts change, and a client whose engine has some of the objects.

use mjolnir_coop::{
    Error, MOST_SCRIPTED, SCRIPTED_KEPT, SCRIPTED_REPEAT_TICKS, SCRIPTED_ROUND, Scripted, ScriptedClient,
    ScriptedHost,
};
use mjolnir_wire::scripted::{Look, ScreenEffect, Transform};
use mjolnir_wire::{Axes, Kind, MachineSet, ObjectId, ObjectName, Outbox, Tag, Vec3};

use super::{machine, machines, tick};

const CRATE: ObjectName = ObjectName::Named(3);

fn stands(name: u16, x: f32) -> Transform {
    Transform { object: ObjectName::Named(name), position: Vec3::new(x, 0.0, 0.0), axes: Axes::UPRIGHT }
}

fn looks(name: u16, form: u8) -> Look {
    let regions = [form, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
    Look { object: ObjectName::Named(name), regions, scale: 1.0 }
}

fn noisy(noise: f32) -> ScreenEffect {
    ScreenEffect { has_control: true, noise, ..ScreenEffect::default() }
}

fn rows(transforms: &[Transform], looks: &[Look], effect: Option<ScreenEffect>) -> Scripted {
    Scripted { transforms: transforms.to_vec(), looks: looks.to_vec(), effect }
}

/// A host, and what it tells in each tick.
struct Scene {
    host: ScriptedHost,
    outbox: Outbox,
    to: MachineSet,
    now: i32,
}

impl Scene {
    fn new(to: &[u8]) -> Self {
        Self { host: ScriptedHost::new(), outbox: Outbox::new(), to: machines(to), now: 70 }
    }

    fn tick(&mut self, rows: &Scripted) {
        self.outbox.begin(tick(self.now), 0);
        self.host.after_tick(tick(self.now), self.to, rows, &mut self.outbox);
        self.now += 1;
    }

    fn told(&self, to: u8) -> Scripted {
        let outbox = &self.outbox;
        let transforms = super::told(outbox, to, Kind::CoopObjectTransforms, |m| {
            Transform::read_all(m).map(Result::unwrap).collect()
        });
        let looks = super::told(outbox, to, Kind::CoopObjectLooks, |m| {
            Look::read_all(m).map(Result::unwrap).collect()
        });
        let effects = super::told(outbox, to, Kind::CoopScreenEffect, |m| {
            ScreenEffect::read_all(m).map(Result::unwrap).collect()
        });
        assert!(effects.len() <= 1);
        Scripted { transforms, looks, effect: effects.first().copied() }
    }
}

/// A client whose engine has objects of some names, and what it was to apply.
struct Level {
    client: ScriptedClient,
    has: Vec<ObjectName>,
}

impl Level {
    fn new(has: &[ObjectName]) -> Self {
        Self { client: ScriptedClient::new(), has: has.to_vec() }
    }

    fn hear(&mut self, stamp: i32, said: &Scripted) {
        let stamp = tick(stamp);
        said.transforms.iter().for_each(|row| self.client.handle_transform(stamp, row).unwrap());
        said.looks.iter().for_each(|row| self.client.handle_look(stamp, row).unwrap());
        said.effect.iter().for_each(|row| self.client.handle_screen_effect(stamp, row).unwrap());
    }

    fn tick(&mut self) -> Scripted {
        let mut applied = Scripted::default();
        self.client.before_tick(|name| self.has.contains(&name), &mut applied);
        applied
    }
}

/// COOP-66: what scripts change is told in three successive ticks and once a second while the level runs; what they never changed is
/// not; nothing goes to the host.
#[test]
fn what_scripts_change_is_told_thrice_and_each_second() {
    assert_eq!((SCRIPTED_REPEAT_TICKS, SCRIPTED_ROUND), (3, 30));
    let mut scene = Scene::new(&[0, 1]);
    for _ in 0..40 {
        scene.tick(&rows(&[], &[], None));
        assert!(scene.outbox.is_empty());
    }
    let (mut places, mut forms, mut effects) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..130 {
        // A look changes twice, 10 ticks apart.
        let all = rows(&[stands(3, 1.0)], &[looks(4, u8::from(at >= 10))], Some(noisy(0.5)));
        scene.tick(&all);
        let told = scene.told(1);
        assert!(told.transforms.iter().all(|row| *row == all.transforms[0]));
        assert!(told.looks.iter().all(|row| *row == all.looks[0]));
        assert!(told.effect.is_none_or(|row| row == noisy(0.5)));
        places.extend(told.transforms.first().map(|_| at));
        forms.extend(told.looks.first().map(|_| at));
        effects.extend(told.effect.map(|_| at));
        assert_eq!(scene.told(0), Scripted::default());
    }
    assert_eq!(places, [0, 1, 2, 30, 60, 90, 120]);
    assert_eq!(forms, [0, 1, 2, 10, 11, 12, 40, 70, 100]);
    assert_eq!(effects, places);
}

/// COOP-66: an object that a script moves is told of in each tick that it does, and twice more; what the engine names no more is told
/// of no more, and once it is named again it is told of as new.
#[test]
fn what_moves_is_told_each_tick() {
    let mut scene = Scene::new(&[1]);
    let mut told = Vec::new();
    for at in 0..45_u8 {
        scene.tick(&rows(&[stands(3, f32::from(at.min(9))), stands(9, 0.0)], &[], None));
        told.extend(scene.told(1).transforms.iter().filter(|row| row.object == CRATE).map(|_| at));
    }
    assert_eq!(told, (0..12).chain([39]).collect::<Vec<_>>());
    for _ in 0..60 {
        scene.tick(&rows(&[stands(9, 0.0)], &[], None));
        assert!(scene.told(1).transforms.iter().all(|row| row.object != CRATE));
    }
    scene.tick(&rows(&[stands(3, 9.0), stands(9, 0.0)], &[], None));
    assert!(scene.told(1).transforms.contains(&stands(3, 9.0)));
}

/// COOP-59, 66: a machine that is new is told at once of all that scripts ever changed, and nobody else is for its sake.
#[test]
fn a_newcomer_is_told_all_that_scripts_changed() {
    let mut scene = Scene::new(&[1]);
    let all = rows(&[stands(3, 1.0), stands(4, 2.0)], &[looks(4, 1)], Some(noisy(0.5)));
    (0..10).for_each(|_| scene.tick(&all));
    scene.to.insert(machine(2));
    for at in 0..4 {
        scene.tick(&all);
        assert_eq!(scene.told(2), if at < 3 { all.clone() } else { Scripted::default() });
        assert_eq!(scene.told(1), Scripted::default());
    }
}

/// COOP-66: given what a script changed, a client has the same in the tick that hears of it, and where the first three messages are
/// lost within a second.
#[test]
fn what_is_lost_thrice_comes_within_a_second() {
    for (lost, applied) in [(0, 0), (1, 1), (2, 2), (3, 30)] {
        let mut scene = Scene::new(&[1]);
        let mut level = Level::new(&[CRATE]);
        let all = rows(&[stands(3, 1.0)], &[looks(3, 7)], Some(noisy(0.5)));
        let mut first = None;
        for at in 0..40 {
            scene.tick(&all);
            if at >= lost {
                level.hear(scene.now, &scene.told(1));
            }
            let done = level.tick();
            if done != Scripted::default() {
                assert_eq!(done, all);
                first.get_or_insert(at);
            }
        }
        assert_eq!(first, Some(applied), "{lost}");
    }
}

/// COOP-66: the newest word counts, of each object and of each kind for itself; an older one does nothing and is counted; each is
/// applied once.
#[test]
fn the_newest_word_counts() {
    let mut level = Level::new(&[CRATE, ObjectName::Named(4)]);
    level.hear(10, &rows(&[stands(3, 1.0), stands(4, 1.0)], &[], Some(noisy(0.1))));
    level.hear(12, &rows(&[stands(3, 3.0)], &[looks(3, 1)], Some(noisy(0.3))));
    level.hear(11, &rows(&[stands(3, 2.0), stands(4, 2.0)], &[looks(3, 2), looks(4, 2)], Some(noisy(0.2))));
    let due = rows(&[stands(3, 3.0), stands(4, 2.0)], &[looks(3, 1), looks(4, 2)], Some(noisy(0.3)));
    assert_eq!((level.tick(), level.client.stale()), (due, 3));
    assert_eq!(level.tick(), Scripted::default());
    level.hear(12, &rows(&[stands(3, 3.0)], &[], None));
    assert_eq!(level.tick(), rows(&[stands(3, 3.0)], &[], None), "told again it is applied again");
}

/// COOP-66, WIRE-84: what is said of an object that is not there is applied once it is, the newest of it; where it never comes it
/// is forgotten three seconds after the last word and counted; both sides.
#[test]
fn a_word_waits_for_its_object() {
    let waits = SCRIPTED_KEPT as usize;
    for (ticks, is_applied) in [(0, true), (1, true), (waits, true), (waits + 1, false)] {
        let mut level = Level::new(&[]);
        level.hear(9, &rows(&[stands(3, 0.0)], &[looks(3, 0)], None));
        level.tick();
        let all = rows(&[stands(3, 1.0)], &[looks(3, 1)], None);
        level.hear(10, &all);
        (0..ticks).for_each(|_| assert_eq!(level.tick(), Scripted::default()));
        level.has.push(CRATE);
        let unknown = if is_applied { 0 } else { 2 };
        let due = if is_applied { all } else { Scripted::default() };
        assert_eq!((level.tick(), level.client.unknown()), (due, unknown), "{ticks}");
    }
    // A name is of one object: another index, or another tag, is another.
    let name = |index, tag| ObjectName::Object(ObjectId::new(index, 1).unwrap(), Tag(tag));
    let mut level = Level::new(&[name(5, 1)]);
    let said = [name(5, 1), name(5, 2), name(6, 1)].map(|object| Transform { object, ..stands(0, 1.0) });
    level.hear(1, &rows(&said, &[], None));
    assert_eq!(level.tick(), rows(&said[..1], &[], None));
}

/// COOP-66: more objects than there can be are refused and change nothing; those that are known are heard all the same; what the host
/// says no more makes room.
#[test]
fn more_objects_than_there_can_be_are_refused() {
    let object = |index: usize| ObjectName::Object(ObjectId::new(index as u16, 1).unwrap(), Tag(1));
    let all: Vec<_> = (0..=MOST_SCRIPTED).map(object).collect();
    let mut level = Level::new(&all);
    let place = |index: usize, x| Transform { object: all[index], ..stands(0, x) };
    let look = |index: usize| Look { object: all[index], ..looks(0, 1) };
    for index in 0..MOST_SCRIPTED {
        level.client.handle_transform(tick(1), &place(index, 1.0)).unwrap();
        level.client.handle_look(tick(1), &look(index)).unwrap();
    }
    assert_eq!(
        level.client.handle_transform(tick(1), &place(MOST_SCRIPTED, 1.0)),
        Err(Error::TooManyScripted)
    );
    assert_eq!(level.client.handle_look(tick(1), &look(MOST_SCRIPTED)), Err(Error::TooManyScripted));
    assert_eq!(Error::TooManyScripted.reason(), "too_many_scripted");
    level.client.handle_transform(tick(2), &place(7, 2.0)).unwrap();
    let done = level.tick();
    assert_eq!((done.transforms.len(), done.looks.len()), (MOST_SCRIPTED, MOST_SCRIPTED));
    assert_eq!(done.transforms[7], place(7, 2.0));
    for _ in 0..SCRIPTED_KEPT {
        level.tick();
    }
    level.client.handle_transform(tick(99), &place(MOST_SCRIPTED, 1.0)).unwrap();
    level.client.handle_look(tick(99), &look(MOST_SCRIPTED)).unwrap();
    let done = level.tick();
    assert_eq!((done.transforms.len(), done.looks.len(), level.client.unknown()), (1, 1, 0));
}

/// COOP-66: a steady tick allocates nothing, on either end: 64 objects that move, and their looks that change.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut scene = Scene::new(&[1, 2]);
    let has: Vec<_> = (0..64).map(ObjectName::Named).collect();
    let mut level = Level::new(&has);
    let (mut all, mut applied) = (Scripted::default(), Scripted::default());
    let mut run = |at: i32| {
        all.clear();
        all.transforms.extend((0..64).map(|name| stands(name, at as f32)));
        all.looks.extend((0..64).map(|name| looks(name, at as u8)));
        all.effect = Some(noisy(at as f32));
        scene.tick(&all);
        level.hear(at, &all);
        applied.clear();
        level.client.before_tick(|name| level.has.contains(&name), &mut applied);
        assert_eq!(applied, all);
    };
    (1..100).for_each(&mut run);
    let allocated = allocation_counter::measure(|| (100..200).for_each(&mut run));
    assert_eq!(allocated.count_total, 0);
}
