//! A client that hears what the host's actors have their units do.

use mjolnir_objects::{
    ACTOR_SILENCE, ActorCommand, Begins, Class, Client, Command, Error, Ignored, ObjectRow,
};
use mjolnir_wire::actors::{ActorDamage, ActorState, Impulse};
use mjolnir_wire::limits::MAX_ACTOR_UNITS;
use mjolnir_wire::objects::{Creation, ObjectChange, ObjectState};
use mjolnir_wire::units::Ride;
use mjolnir_wire::{MachineSet, ObjectId, Outbox, Tag, Vec3};
use proptest::prelude::*;

use super::actors::{Scene, actor, walker, whole};
use super::states::view;
use super::{object, row, tick};

/// A client with an engine that does what it is told, but for moving anything by itself.
struct Copy {
    client: Client,
    rows: Vec<ObjectRow>,
    living: Vec<ObjectId>,
    now: i32,
    /// What the last tick did, in order.
    did: Vec<Command>,
    drove: Vec<ActorCommand>,
    outbox: Outbox,
}

impl Copy {
    fn with(rows: &[ObjectRow]) -> Self {
        let mut client = Client::new();
        client.loaded(tick(0));
        let (did, drove, outbox) = (Vec::new(), Vec::new(), Outbox::new());
        Self { client, rows: rows.to_vec(), living: Vec::new(), now: 100, did, drove, outbox }
    }

    /// One whose list has ended: units 0 to so many stand at 0.
    fn of(units: u16) -> Self {
        let rows: Vec<_> = (0..units).map(|index| walker(index, 0.0)).collect();
        let mut copy = Self::with(&rows);
        for row in &rows {
            let creation = Creation::plain(row.state.object, row.tag, Vec3::ZERO);
            copy.client.handle_change(&ObjectChange::Create(creation)).unwrap();
        }
        copy.client.handle_synchronized();
        copy.tick();
        copy
    }

    fn tick(&mut self) {
        let (client, commands) = (&mut self.client, &mut self.did);
        commands.clear();
        self.outbox.begin(tick(self.now), 0);
        client.tick(tick(self.now), &self.rows, commands, &mut self.outbox);
        for command in commands.drain(..) {
            match command {
                Command::Make(Creation { object, tag, position, .. }) => {
                    // Its tag says here what it is.
                    let class = if tag.0 == 8 { Class::Weapon } else { Class::Unit };
                    let mut row = ObjectRow { class, tag, ..row(object) };
                    (row.state.motion.position, row.state.at_rest) = (position, false);
                    self.rows.push(row);
                }
                Command::Delete(object) => self.rows.retain(|row| row.state.object != object),
                other => panic!("{other:?}"),
            }
        }
        client.settle(&self.rows, &self.living, commands);
        for command in commands.iter() {
            match *command {
                Command::Place { object, motion, at_rest, dead } => {
                    let ObjectRow { state, .. } =
                        self.rows.iter_mut().find(|row| row.state.object == object).unwrap();
                    *state = ObjectState { motion, at_rest, dead, ..*state };
                }
                Command::Light { object, on } => {
                    let row = self.rows.iter_mut().find(|row| row.state.object == object).unwrap();
                    row.state.light = Some(on);
                }
                _ => {}
            }
        }
        self.drove.clear();
        client.drive_actors(&mut self.drove);
        self.now += 1;
    }

    fn hear(&mut self, stamp: i32, state: &ActorState) -> Result<(), Error> {
        self.client.handle_actor(tick(stamp), state)
    }

    /// A tick in which that is heard, stamped with it.
    fn hears(&mut self, states: &[ActorState]) {
        for state in states {
            self.hear(self.now, state).unwrap();
        }
        self.tick();
    }

    fn make(&mut self, object: ObjectId, tag: u32) {
        let creation = Creation::plain(object, Tag(tag), Vec3::ZERO);
        self.client.handle_change(&ObjectChange::Create(creation)).unwrap();
    }

    fn delete(&mut self, object: ObjectId) {
        self.client.handle_change(&ObjectChange::Delete(object)).unwrap();
    }

    /// The places at which the last tick put units.
    fn places(&self) -> Vec<f32> {
        let place = |command: &Command| match command {
            Command::Place { motion, .. } => Some(motion.position.x),
            _ => None,
        };
        self.did.iter().filter_map(place).collect()
    }

    /// What the last tick's words began.
    fn begun(&self) -> Vec<Begins> {
        let begins = |command: &ActorCommand| match command {
            ActorCommand::Drive { begins, .. } => Some(*begins),
            _ => None,
        };
        self.drove.iter().filter_map(begins).collect()
    }
}

fn walks(index: u16, x: f32) -> ActorState {
    actor(index, x).state
}

fn stops(index: u16) -> ActorCommand {
    ActorCommand::Stop { unit: object(index, 1) }
}

/// What that unit does n-th: an impulse, a word and an animation of its own.
fn nth(index: u16, number: u8) -> ActorState {
    let mut state = walks(index, 0.0);
    state.impulse = Impulse { kind: Some(14), number, alignment: None };
    (state.speech.sound, state.speech.number) = (Some(Tag(5)), number);
    (state.user_animation.graph, state.user_animation.number) = (Some(Tag(6)), number);
    state
}

const ALL: Begins = Begins { impulse: true, speech: true, animation: true };
const NONE: Begins = Begins { impulse: false, speech: false, animation: false };

/// OBJ-36: a unit is driven by the latest word on it until none came for 60 ticks, both sides; one that comes then drives it
/// again.
#[test]
fn a_unit_is_driven_until_nothing_is_heard_of_it() {
    assert_eq!(ACTOR_SILENCE, 60);
    let mut copy = Copy::of(2);
    let state = walks(0, 0.0);
    copy.hears(&[state]);
    assert_eq!(copy.drove, [ActorCommand::Drive { state, begins: NONE }]);
    for silent in 1..60 {
        copy.tick();
        assert_eq!((&copy.drove[..], copy.client.driven()), (&[][..], 1), "{silent} ticks");
    }
    let other = ActorState { trigger: 1.0, ..state };
    copy.hears(&[state, other]);
    assert_eq!(copy.drove, [ActorCommand::Drive { state: other, begins: NONE }]);
    (1..60).for_each(|_| copy.tick());
    assert_eq!(copy.drove, []);
    copy.tick();
    assert_eq!((&copy.drove[..], copy.client.driven()), (&[stops(0)][..], 0));
    copy.tick();
    assert_eq!(copy.drove, [], "once");
    copy.hears(&[state]);
    assert_eq!(copy.drove, [ActorCommand::Drive { state, begins: NONE }]);
}

/// OBJ-49: an impulse, a word and an animation begin once as their number changes: 7, 7, 8 are two after a 6; 255, then 0, too;
/// what there is none of does not begin.
#[test]
fn what_is_numbered_begins_once() {
    let mut copy = Copy::of(1);
    let mut plays = |numbers: &[u8]| -> Vec<Begins> {
        let begun = numbers.iter().flat_map(|number| {
            copy.hears(&[nth(0, *number)]);
            copy.begun()
        });
        begun.collect()
    };
    assert_eq!(plays(&[6, 7, 7, 8]), [NONE, ALL, NONE, ALL]);
    assert_eq!(plays(&[255, 255, 0, 0]), [ALL, NONE, ALL, NONE]);
    let mut other = nth(0, 1);
    (other.impulse.kind, other.user_animation.graph) = (None, None);
    copy.hears(&[other]);
    assert_eq!(copy.begun(), [Begins { speech: true, ..NONE }]);
    // Of two in one tick the last counts, and one that comes twice is one.
    copy.hears(&[nth(0, 2), nth(0, 3), nth(0, 3)]);
    assert_eq!(copy.begun(), [ALL]);
}

/// OBJ-49: the first word on a unit begins nothing, since that may be long ago; but in one that was made since everything was
/// listed all began since: 7, 7, 8 are two.
#[test]
fn what_began_before_the_first_word_does_not_begin_here() {
    let mut copy = Copy::of(0);
    copy.make(object(3, 1), 9);
    let begun = |copy: &mut Copy, number| {
        copy.hears(&[nth(3, number)]);
        copy.begun()
    };
    assert_eq!([7, 7, 8].map(|number| begun(&mut copy, number)), [[ALL], [NONE], [ALL]]);
    // Once nothing was heard of it for so long, what its numbers were is forgotten.
    (0..ACTOR_SILENCE).for_each(|_| copy.tick());
    assert_eq!(begun(&mut copy, 9), [NONE]);
    assert_eq!(begun(&mut copy, 10), [ALL]);

    let mut copy = Copy::with(&[]);
    copy.make(object(3, 1), 9);
    copy.client.handle_synchronized();
    assert_eq!([7, 7, 8].map(|number| begun(&mut copy, number)), [[NONE], [NONE], [ALL]]);
    // Nor does a second list make it anew.
    copy.make(object(3, 1), 9);
    copy.client.handle_synchronized();
    (0..ACTOR_SILENCE).for_each(|_| copy.tick());
    assert_eq!(begun(&mut copy, 9), [NONE]);
    // Another unit at its index is another.
    copy.delete(object(3, 1));
    copy.make(object(3, 2), 9);
    let other = ActorState { unit: object(3, 2), ..nth(3, 0) };
    copy.hears(&[other]);
    assert_eq!(copy.begun(), [NONE], "its numbers rise from 0");
}

/// OBJ-26, 36: a copy is put where its actor's state has the unit: past 1 wu at once and exactly, by half within, left within
/// 0.05 wu; as fast as there, and drawn fading from where it was; past 10 wu it is drawn there.
#[test]
fn a_driven_copy_is_put_right() {
    let mut copy = Copy::of(1);
    let velocity = Vec3::new(0.0, 0.07, 0.0);
    let mut goes = |to: f32| {
        let from = copy.rows[0].state.motion.position.x;
        copy.hears(&[ActorState { velocity, ..walks(0, from + to) }]);
        assert!(copy.places().len() <= 1);
        let place = copy.places().first().map(|x| ((x - from) * 1000.0).round() / 1000.0);
        let offset = copy.did.iter().find_map(|command| match command {
            Command::Offset { offset, .. } => Some(offset.x),
            _ => None,
        });
        (0..10).for_each(|_| copy.tick());
        (place, offset.map(|x| (x * 1000.0).round() / 1000.0))
    };
    assert_eq!(goes(0.8), (Some(0.4), Some(-0.4)));
    assert_eq!(goes(1.0), (Some(0.5), Some(-0.5)));
    assert_eq!(goes(1.01), (Some(1.01), Some(-1.01)));
    assert_eq!(goes(0.049), (None, None));
    assert_eq!(goes(0.051).0, Some(0.025).or(Some(0.026)));
    assert_eq!(goes(9.9), (Some(9.9), Some(-9.9)));
    assert_eq!(goes(10.1), (Some(10.1), None));
    assert_eq!(copy.rows[0].state.motion.velocity, velocity);
}

/// OBJ-36: a copy that stands, and that its engine calls at rest, is left where it is near: the host's actor's state says
/// nothing of that.
#[test]
fn a_copy_that_stands_is_left() {
    let mut copy = Copy::of(1);
    copy.rows[0].state.at_rest = true;
    copy.hears(&[walks(0, 0.04)]);
    assert_eq!((&copy.did[..], copy.drove.len()), (&[][..], 1));
    copy.hears(&[walks(0, 0.8)]);
    assert_eq!(copy.places(), [0.4], "as what moves");
}

/// OBJ-36: what rides has no place of its own, on the host or here; it is driven all the same.
#[test]
fn a_rider_is_where_its_vehicle_is() {
    let mut copy = Copy::of(2);
    let mut rides = walks(0, 5.0);
    rides.ride = Some(Ride { vehicle: Some(object(1, 1)), seat: 1 });
    copy.hears(&[rides]);
    assert_eq!(
        (&copy.did[..], &copy.drove[..]),
        (&[][..], &[ActorCommand::Drive { state: rides, begins: NONE }][..])
    );
    // It has got out on the host, and sits here still.
    copy.rows[0].state.carried = true;
    copy.hears(&[walks(0, 5.0)]);
    assert_eq!((copy.did.len(), copy.drove.len()), (0, 1));
    copy.rows[0].state.carried = false;
    copy.hears(&[walks(0, 5.0)]);
    assert_eq!(copy.places(), [5.0]);
    // Nor has an object's state of one that rides there.
    copy.hears(&[rides]);
    copy.client.handle_state(tick(copy.now), &walker(0, 50.0).state).unwrap();
    copy.tick();
    assert_eq!(copy.places(), []);
}

/// OBJ-40, 41, 51: a word on what is not there, on another object or on what is no unit does nothing, and counts; of the same
/// message the others are taken, and the next one is once the unit is there.
#[test]
fn a_word_is_for_a_unit_that_is_there() {
    let mut copy = Copy::of(1);
    copy.rows.push(row(object(2, 1)));
    let stale = ActorState { unit: object(3, 4), ..walks(3, 0.0) };
    copy.rows.push(walker(3, 0.0));
    let words = [walks(1, 0.0), walks(2, 0.0), stale, walks(0, 0.0)];
    for word in &words {
        let damage = ActorDamage { body: 0.5, ..whole(word.unit) };
        copy.client.handle_actor_damage(tick(copy.now), &damage).unwrap();
    }
    copy.rows[1].tag = Tag(8);
    for row in copy.rows.clone() {
        copy.make(row.state.object, row.tag.0);
    }
    copy.hears(&words);
    let shows = ActorCommand::Show(ActorDamage { body: 0.5, ..whole(object(0, 1)) });
    assert_eq!(copy.drove, [ActorCommand::Drive { state: words[3], begins: NONE }, shows]);
    let ignored = Ignored { unknown: 2, stale: 2, wrong_class: 2, no_animation: 0 };
    assert_eq!((copy.client.ignored(), copy.client.driven()), (ignored, 1));
    copy.tick();
    assert_eq!((copy.client.ignored(), &copy.drove[..]), (ignored, &[][..]), "each counts once");
    copy.make(object(1, 1), 9);
    copy.hears(&[words[0]]);
    assert_eq!((copy.begun().len(), copy.client.driven()), (1, 2));
}

/// OBJ-36, 41: a unit that is deleted is driven no more, and nothing of it is left to what takes its index; a late word on it
/// changes nothing there.
#[test]
fn the_next_unit_of_an_index_is_another() {
    let mut copy = Copy::of(1);
    copy.hears(&[nth(0, 9)]);
    copy.delete(object(0, 1));
    copy.tick();
    assert_eq!((&copy.drove[..], copy.client.driven()), (&[][..], 0));
    copy.make(object(0, 2), 9);
    let next = ActorState { unit: object(0, 2), ..nth(0, 1) };
    copy.hears(&[next]);
    assert_eq!((copy.begun(), copy.client.driven()), (vec![ALL], 1));
    assert_eq!(copy.hear(copy.now - 2, &nth(0, 9)), Err(Error::Old));
    assert_eq!(copy.client.handle_actor_damage(tick(copy.now), &whole(object(0, 2))), Ok(()));
    assert_eq!(copy.client.handle_actor_damage(tick(copy.now - 1), &whole(object(0, 1))), Err(Error::Old));
    copy.hears(&[next]);
    assert_eq!(copy.begun(), [NONE]);
    // The word on the next one may come before its creation: the one that stands there still is not driven by it.
    let third = ActorState { unit: object(0, 3), ..nth(0, 5) };
    copy.hears(&[third]);
    assert_eq!((&copy.drove[..], copy.client.ignored().stale), (&[][..], 1));
    copy.delete(object(0, 2));
    copy.make(object(0, 3), 9);
    copy.hears(&[third]);
    assert_eq!(copy.begun(), [ALL]);
}

/// OBJ-36, DMG-50: a unit that has become a player's, or that is dead on the host and waits for its blow, is let go of at once, is
/// driven by no word and put nowhere; no word of that is a fault. Once it is the actor's again it is driven.
#[test]
fn what_is_anothers_is_not_driven() {
    let mut copy = Copy::of(2);
    copy.living.push(object(1, 1));
    copy.hears(&[walks(0, 0.0), walks(1, 5.0)]);
    assert_eq!((copy.drove.len(), copy.client.driven(), copy.did.len()), (1, 1, 0));
    copy.living.push(object(0, 1));
    copy.hears(&[walks(0, 5.0)]);
    assert_eq!((&copy.drove[..], copy.did.len(), copy.client.driven()), (&[stops(0)][..], 0, 0));
    copy.client.handle_actor_damage(tick(copy.now), &whole(object(0, 1))).unwrap();
    copy.hears(&[walks(0, 5.0)]);
    assert_eq!((copy.drove.len(), copy.did.len(), copy.client.ignored()), (0, 0, Ignored::default()));
    copy.living.clear();
    copy.hears(&[walks(0, 5.0)]);
    assert_eq!((copy.begun().len(), copy.places()), (1, vec![5.0]));
}

/// OBJ-36, DMG-50: a unit that falls is driven no more, by no late word either, and is let lie: it needs no stop. Its states are
/// a body's from there.
#[test]
fn what_has_fallen_is_not_driven() {
    let mut copy = Copy::of(1);
    copy.hears(&[walks(0, 0.0)]);
    let dead = ObjectState { dead: true, ..walker(0, 3.0).state };
    // In one tick with a word on it of the tick before, and with one of the same: it lives no more.
    copy.client.handle_state(tick(copy.now), &dead).unwrap();
    copy.hear(copy.now - 1, &walks(0, 0.8)).unwrap();
    copy.tick();
    assert_eq!(copy.places(), [3.0]);
    assert!(copy.rows[0].state.dead);
    copy.hears(&[walks(0, 0.0)]);
    copy.client.handle_actor_damage(tick(copy.now), &whole(object(0, 1))).unwrap();
    copy.hears(&[walks(0, 0.0)]);
    assert_eq!((copy.places(), &copy.drove[..], copy.client.driven()), (vec![], &[][..], 0));
    assert_eq!(copy.client.ignored(), Ignored::default());
    copy.client.handle_state(tick(copy.now), &ObjectState { at_rest: true, ..dead }).unwrap();
    copy.tick();
    assert!(copy.rows[0].state.at_rest && copy.rows[0].state.dead);
}

/// OBJ-26, 28: of a driven unit the newest word says where it is, whichever kind brought it, once a tick; an object's state that
/// is no newer turns its light on or off all the same, and kills it if it says so.
#[test]
fn the_newest_word_says_where_a_unit_is() {
    let state = |x: f32| ObjectState { light: Some(true), ..walker(0, x).state };
    for (stamp, place, lit) in [(199, 2.0, true), (200, 2.0, true), (201, 3.0, true)] {
        for state_first in [false, true] {
            let mut copy = Copy::of(1);
            copy.now = 200;
            let hear_state = |copy: &mut Copy| copy.client.handle_state(tick(stamp), &state(3.0)).unwrap();
            if state_first {
                hear_state(&mut copy);
            }
            copy.hear(200, &walks(0, 2.0)).unwrap();
            if !state_first {
                hear_state(&mut copy);
            }
            copy.tick();
            assert_eq!((copy.places(), copy.drove.len()), (vec![place], 1), "{stamp}");
            assert_eq!(copy.rows[0].state.light == Some(true), lit, "{stamp}");
            // Nor does it in a later tick, where the actor's word has been carried out.
            let light = ObjectState { light: Some(false), ..state(3.0) };
            copy.client.handle_state(tick(stamp), &light).unwrap();
            copy.tick();
            assert_eq!(copy.rows[0].state.light, Some(false));
            assert_eq!(copy.rows[0].state.motion.position.x, place);
        }
    }
    // That it rests is nothing that a driven unit does.
    let mut copy = Copy::of(1);
    copy.hears(&[walks(0, 0.0)]);
    copy.client.handle_state(tick(copy.now), &ObjectState { at_rest: true, ..state(0.8) }).unwrap();
    copy.tick();
    assert_eq!((copy.places(), copy.rows[0].state.at_rest), (vec![0.4], false));
    // Without a word on its light it stays as it is.
    let mut copy = Copy::of(1);
    copy.rows[0].state.light = Some(true);
    copy.hears(&[walks(0, 0.0)]);
    copy.client.handle_state(tick(copy.now - 1), &walker(0, 0.0).state).unwrap();
    copy.tick();
    assert_eq!(copy.rows[0].state.light, Some(true));
}

/// NET-13, 74: a word that is older than the newest on its unit is refused, and one that is damaged and far ahead stales none;
/// words on other units have nothing to do with it.
#[test]
fn an_old_word_drives_nothing() {
    let mut copy = Copy::of(2);
    copy.hear(200, &nth(0, 5)).unwrap();
    assert_eq!(copy.hear(199, &nth(0, 4)), Err(Error::Old));
    copy.hear(199, &nth(1, 4)).unwrap();
    copy.hear(9000, &nth(0, 6)).unwrap();
    copy.hear(201, &nth(0, 7)).unwrap();
    assert_eq!(copy.hear(200, &nth(0, 6)), Err(Error::Old));
    copy.tick();
    let numbers: Vec<_> = copy
        .drove
        .iter()
        .map(|command| match command {
            ActorCommand::Drive { state, .. } => (state.unit.index(), state.speech.number),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(numbers, [(0, 7), (1, 4)]);
    // The same of damage.
    let damage = |body| ActorDamage { body, ..whole(object(0, 1)) };
    for (stamp, taken) in [(200, true), (199, false), (9000, true), (201, true), (200, false)] {
        let heard = copy.client.handle_actor_damage(tick(stamp), &damage(stamp as f32));
        assert_eq!(heard, if taken { Ok(()) } else { Err(Error::Old) }, "{stamp}");
    }
    copy.tick();
    assert_eq!(copy.drove, [ActorCommand::Show(damage(201.0))]);
    copy.tick();
    assert_eq!(copy.drove, []);
}

/// WIRE-40, OBJ-37: 1 056 units are driven; a word on the 1 057th is refused, and those go on; a unit that goes makes room. What
/// is not there takes none for longer than a tick.
#[test]
fn no_more_units_are_driven_than_there_can_be() {
    assert_eq!(MAX_ACTOR_UNITS, 1056);
    let mut copy = Copy::of(1058);
    let all: Vec<_> = (0..1056).map(|index| walks(index, 0.0)).collect();
    copy.hears(&all);
    assert_eq!((copy.client.driven(), copy.drove.len()), (1056, 1056));
    assert_eq!(copy.hear(copy.now, &walks(1056, 0.0)), Err(Error::TooManyActors));
    copy.hears(&all);
    assert_eq!((copy.client.driven(), copy.drove.len()), (1056, 1056));
    copy.delete(object(7, 1));
    copy.tick();
    copy.hears(&[walks(1056, 0.0)]);
    assert_eq!(copy.client.driven(), 1056);
    assert_eq!(copy.hear(copy.now, &walks(1057, 0.0)), Err(Error::TooManyActors));
    for index in 0..1056 {
        copy.client.handle_actor_damage(tick(copy.now), &whole(object(index, 1))).unwrap();
    }
    let more = copy.client.handle_actor_damage(tick(copy.now), &whole(object(1056, 1)));
    assert_eq!(more, Err(Error::TooManyActors));

    // A flood of words on what is not there.
    let mut copy = Copy::of(10);
    let refused = (10..4096).filter(|index| copy.hear(copy.now, &walks(*index, 0.0)).is_err()).count();
    assert_eq!(refused, 4086 - 1056);
    copy.tick();
    assert_eq!((copy.client.driven(), copy.client.ignored().unknown), (0, 1056));
    copy.hears(&[walks(0, 0.0)]);
    assert_eq!(copy.client.driven(), 1);
}

/// OBJ-12: nothing is told of a machine's own half.
#[test]
fn the_upper_half_has_no_actors() {
    let mut copy = Copy::of(1);
    for (index, heard) in [(4095, Ok(())), (4096, Err(Error::NotTheHosts)), (8191, Err(Error::NotTheHosts))] {
        assert_eq!(copy.hear(copy.now, &walks(index, 0.0)), heard);
        let damage = whole(object(index, 1));
        assert_eq!(copy.client.handle_actor_damage(tick(copy.now), &damage), heard);
    }
}

/// World units that the host's walk in a tick.
const PACE: f32 = 0.05;

/// OBJ-34 to 37, 28: the host's 1 056 actors over a large level move on a client that loses a third of all ticks' datagrams:
/// each walks as there, as lit as there, and none is ever let go; the dead lie.
#[test]
fn all_of_the_hosts_actors_move_here() {
    for seed in 1..=3_u64 {
        let mut scene = Scene::new(1);
        scene.views.push(view(1, object(3000, 1), 0.0, MachineSet::NONE));
        for index in 0..MAX_ACTOR_UNITS as u16 {
            scene.rows.push(walker(index, f32::from(index) * 0.3));
            scene.actors.push(actor(index, f32::from(index) * 0.3));
        }
        let mut copy = Copy::with(&scene.rows);
        let mut chance = seed;
        let mut random = || {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (chance >> 33) as usize
        };
        let (mut ages, mut oldest) = (vec![0; MAX_ACTOR_UNITS], 0);
        let mut paces = [0.0; MAX_ACTOR_UNITS];
        for number in 0..150 {
            for actor in &mut scene.actors {
                let row = &mut scene.rows[actor.state.unit.index()];
                row.state.motion.position.y += PACE;
                actor.state.position = row.state.motion.position;
            }
            if number == 60 {
                scene.rows[500].state.light = Some(true);
            }
            if number == 80 {
                scene.rows[700].state.dead = true;
                scene.actors.remove(700);
            }
            scene.tick();
            ages.iter_mut().for_each(|age| *age += 1);
            if !random().is_multiple_of(3) || number >= 140 {
                for state in scene.controls(1) {
                    copy.hear(scene.now, &state).unwrap();
                    ages[state.unit.index()] = 0;
                }
                for state in scene.states(1) {
                    copy.client.handle_state(tick(scene.now), &state).unwrap();
                }
            }
            copy.tick();
            for command in &copy.drove {
                match command {
                    ActorCommand::Drive { state, .. } => {
                        paces[state.unit.index()] = state.throttle[0] * PACE;
                    }
                    ActorCommand::Stop { unit } => panic!("seed {seed}: {unit:?} is let go"),
                    ActorCommand::Show(_) => {}
                }
            }
            for (row, pace) in copy.rows.iter_mut().zip(&paces).filter(|(row, _)| !row.state.dead) {
                row.state.motion.position.y += pace;
            }
            ages[700] = 0;
            oldest = ages.iter().copied().max().unwrap().max(oldest);
        }
        assert_eq!(copy.client.driven(), 1055, "seed {seed}");
        assert!((4..60).contains(&oldest), "seed {seed}: {oldest} ticks");
        for (own, host) in copy.rows.iter().zip(&scene.rows) {
            let (own, host) = (own.state, host.state);
            // What is left of the way to the first word is under what is put right, and a copy is up to a tick ahead.
            let off = own.motion.position.distance(host.motion.position);
            assert!(off < 0.16, "seed {seed}: {:?} is off by {off}", own.object);
            assert_eq!((own.dead, own.light), (host.dead, host.light), "seed {seed}: {:?}", own.object);
        }
    }
}

proptest! {
    /// Whatever comes, in whatever order: no panic, no more driven than may be, and a client that is told right is right again
    /// after it.
    #[test]
    fn anything_may_come(words in proptest::collection::vec((0..6_u8, 0..12_u16, 1..4_u16, -40..40_i32, any::<u8>()), 0..200)) {
        let mut copy = Copy::of(6);
        for (what, index, identifier, ago, number) in words {
            let unit = ObjectId::new(index, identifier).unwrap();
            let stamp = tick((copy.now + ago).max(0));
            let x = f32::from(number);
            match what {
                0 | 1 => {
                    let _ = copy.client.handle_actor(stamp, &ActorState { unit, ..nth(0, number) });
                }
                2 => {
                    let _ = copy.client.handle_actor_damage(stamp, &ActorDamage { body: x, ..whole(unit) });
                }
                3 => {
                    let state = ObjectState { object: unit, dead: number > 250, ..walker(index, x).state };
                    let _ = copy.client.handle_state(stamp, &state);
                }
                4 if number > 128 => copy.make(unit, 9),
                4 => copy.delete(unit),
                _ => copy.tick(),
            }
        }
        copy.tick();
        copy.make(object(20, 1), 9);
        copy.now += 100;
        let unit = object(20, 1);
        copy.hears(&[ActorState { unit, ..nth(0, 0) }]);
        let there = copy.rows.iter().filter(|row| !row.state.dead).count();
        prop_assert!(copy.client.driven() <= there);
        let is_its = |command: &ActorCommand| matches!(command, ActorCommand::Drive { state, .. } if state.unit == unit);
        let is_driven = copy.drove.iter().any(is_its);
        prop_assert!(is_driven);
        // Each is let go of in the end.
        (0..ACTOR_SILENCE).for_each(|_| copy.tick());
        prop_assert_eq!(copy.client.driven(), 0);
    }
}

/// A steady tick of a client allocates nothing: units that are driven and put right, lights, damage, and those that are let go and
/// driven again.
#[test]
fn a_steady_tick_of_driven_units_allocates_nothing() {
    let mut copy = Copy::of(300);
    let run = |copy: &mut Copy| {
        for index in 0..300 {
            if index % 7 == 0 && copy.now % 70 < 62 {
                continue;
            }
            let state = ActorState { speech: Default::default(), ..walks(index, (copy.now % 3) as f32) };
            copy.client.handle_actor(tick(copy.now), &state).unwrap();
            copy.client.handle_actor_damage(tick(copy.now), &whole(state.unit)).unwrap();
        }
        copy.tick();
        assert!(copy.drove.len() > 400 && copy.did.len() > 200);
    };
    (0..150).for_each(|_| run(&mut copy));
    let info = allocation_counter::measure(|| (0..150).for_each(|_| run(&mut copy)));
    assert_eq!(info.count_total, 0);
}
