//! Units that the host's actors drive: who is told what of them, and when.

use mjolnir_objects::{
    ActorRow, Class, DAMAGE_REPEATS, DAMAGE_TURN, Event, Host, LATE_REPEAT_TICKS, ObjectRow, Rows, Viewpoint,
};
use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::limits::MAX_ACTOR_UNITS;
use mjolnir_wire::objects::{Creation, ObjectState};
use mjolnir_wire::units::Ride;
use mjolnir_wire::{Kind, MachineSet, Message, ObjectId, Outbox, Tag, Vec3};

use super::states::{at_rest, datagrams, moving, view};
use super::{machine, object, tick};

/// A unit that walks there, as its engine has it.
pub(super) fn walker(index: u16, x: f32) -> ObjectRow {
    ObjectRow { class: Class::Unit, ..moving(index, x) }
}

/// What an actor has that unit do, and what it shows.
pub(super) fn actor(index: u16, x: f32) -> ActorRow {
    let unit = object(index, 1);
    let state = ActorState { throttle: [1.0, 0.0, 0.0], ..ActorState::still(unit, Vec3::new(x, 0.0, 0.0)) };
    ActorRow { state, damage: whole(unit) }
}

pub(super) fn whole(unit: ObjectId) -> ActorDamage {
    ActorDamage { unit, shield: 0.0, recent_shield: 0.0, body: 1.0, recent_body: 0.0 }
}

/// A host with machines that have the list, and actors.
pub(super) struct Scene {
    pub(super) host: Host,
    pub(super) rows: Vec<ObjectRow>,
    pub(super) actors: Vec<ActorRow>,
    pub(super) views: Vec<Viewpoint>,
    events: Vec<Event>,
    pub(super) outbox: Outbox,
    pub(super) now: i32,
}

impl Scene {
    pub(super) fn new(machines: u8) -> Self {
        let mut scene = Self {
            host: Host::new(),
            rows: Vec::new(),
            actors: Vec::new(),
            views: Vec::new(),
            events: Vec::new(),
            outbox: Outbox::new(),
            now: 0,
        };
        for number in 1..=machines {
            scene.host.handle_ready(tick(0), machine(number)).unwrap();
        }
        // What is new to who has just been listed is told long since.
        (0..=LATE_REPEAT_TICKS[3] + 1).for_each(|_| scene.tick());
        scene
    }

    /// Four machines, a player each, at the four steps from what is at 0.
    fn at_each_step() -> Self {
        let mut scene = Self::new(4);
        for (number, x) in [(1, 24.0), (2, 59.0), (3, 119.0), (4, 121.0)] {
            scene.views.push(view(number, object(3000 + u16::from(number), 1), x, MachineSet::NONE));
        }
        scene
    }

    fn with(mut self, index: u16, x: f32) -> Self {
        self.rows.push(walker(index, x));
        self.actors.push(actor(index, x));
        self
    }

    pub(super) fn tick(&mut self) {
        self.outbox.begin(tick(self.now), self.now);
        let Self { rows, views, actors, events, .. } = self;
        let rows = Rows { objects: rows, views, actors, events, ..Rows::default() };
        self.host.after_tick(tick(self.now), &rows, |_| {}, &mut self.outbox);
        self.events.clear();
        self.now += 1;
    }

    /// So many ticks in which nobody looks.
    fn pass(&mut self, ticks: i32) {
        (0..ticks).for_each(|_| self.tick());
    }

    pub(super) fn controls(&self, to: u8) -> Vec<ActorState> {
        let read = |message: &Message<'_>| ActorState::read_all(message).map(Result::unwrap).collect();
        datagrams(&self.outbox, to, Kind::ActorStates, read)
    }

    pub(super) fn damages(&self, to: u8) -> Vec<ActorDamage> {
        let read = |message: &Message<'_>| ActorDamage::read_all(message).map(Result::unwrap).collect();
        datagrams(&self.outbox, to, Kind::ActorDamage, read)
    }

    pub(super) fn states(&self, to: u8) -> Vec<ObjectState> {
        let read = |message: &Message<'_>| ObjectState::read_all(message).map(Result::unwrap).collect();
        datagrams(&self.outbox, to, Kind::ObjectStates, read)
    }

    /// In how many of so many ticks each of four machines is told that.
    fn counts(&mut self, ticks: i32, told: impl Fn(&Self, u8) -> usize) -> [usize; 4] {
        let mut counts = [0; 4];
        for _ in 0..ticks {
            self.tick();
            for (to, count) in (1..).zip(&mut counts) {
                *count += told(self, to);
            }
        }
        counts
    }

    /// In which of the next ticks a machine is told that, from 0.
    fn when(&mut self, ticks: i32, told: impl Fn(&Self) -> bool) -> Vec<i32> {
        let mut all = Vec::new();
        for now in 0..ticks {
            self.tick();
            if told(self) {
                all.push(now);
            }
        }
        all
    }
}

/// OBJ-34, 35: what an actor has its unit do goes to a client each tick within 25 wu of its player, each second within 60,
/// third within 120, fourth beyond, with where the unit is; nothing of that as an object's state.
#[test]
fn control_goes_by_distance() {
    let mut scene = Scene::at_each_step().with(7, 0.0);
    assert_eq!(scene.counts(120, |scene, to| scene.controls(to).len()), [120, 60, 40, 30]);
    assert_eq!(scene.counts(120, |scene, to| scene.states(to).len()), [0; 4]);
    while scene.controls(4).is_empty() {
        scene.tick();
    }
    let said = scene.controls(4)[0];
    assert_eq!((said.unit, said.throttle), (object(7, 1), [1.0, 0.0, 0.0]));
    // The steps are the objects', both sides of each.
    for (x, counts) in [(-1.0, [120, 60, 40, 30]), (-1.1, [60, 40, 30, 30]), (1.0, [120, 60, 40, 40])] {
        let mut scene = Scene::at_each_step().with(7, x);
        assert_eq!(scene.counts(120, |scene, to| scene.controls(to).len()), counts, "{x}");
    }
}

/// OBJ-35: a rider is as far as its vehicle is, and as its own place says where its vehicle has no row.
#[test]
fn a_rider_is_where_its_vehicle_is() {
    for (vehicle, counts) in [(Some(object(9, 1)), [120, 60, 40, 30]), (Some(object(9, 2)), [30; 4])] {
        let mut scene = Scene::at_each_step().with(7, 900.0);
        scene.actors[0].state.ride = Some(Ride { vehicle, seat: 1 });
        scene.rows.push(ObjectRow { class: Class::Vehicle, ..moving(9, 0.0) });
        assert_eq!(scene.counts(120, |scene, to| scene.controls(to).len()), counts);
    }
}

/// OBJ-35: the turns of far actors differ, so that a tick's datagrams are as full as the next one's.
#[test]
fn far_actors_take_turns() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(3000, 1), 0.0, MachineSet::NONE));
    let mut scene = (0..100).fold(scene, |scene, index| scene.with(index, 130.0));
    for _ in 0..12 {
        scene.tick();
        assert_eq!(scene.controls(1).len(), 25);
    }
}

/// OBJ-34, NET-69: nobody is told of actors before it was listed their units, nor after it left.
#[test]
fn who_has_no_list_is_told_of_no_actor() {
    let mut scene = Scene::new(0).with(7, 0.0);
    let told = |scene: &mut Scene| {
        scene.tick();
        (scene.controls(1).len(), scene.damages(1).len())
    };
    scene.views.push(view(1, object(3000, 1), 0.0, MachineSet::NONE));
    assert_eq!(told(&mut scene), (0, 0));
    scene.host.handle_ready(tick(scene.now), machine(1)).unwrap();
    assert_eq!(told(&mut scene), (0, 0), "its list is of this tick");
    assert_eq!(told(&mut scene), (1, 1));
    scene.host.forget(machine(1));
    assert_eq!(told(&mut scene), (0, 0));
}

/// OBJ-34: an actor is of a living unit of the host's half that is no player's: of others' rows, and of one that the engine has
/// no object for, no control is told.
#[test]
fn an_actor_drives_a_living_unit() {
    let mut scene =
        Scene::new(1).with(1, 0.0).with(2, 0.0).with(3, 0.0).with(4, 0.0).with(5, 0.0).with(6, 0.0);
    scene.views.push(view(1, object(1, 1), 0.0, MachineSet::NONE));
    scene.rows[1].class = Class::Vehicle;
    scene.rows[2].state.dead = true;
    scene.actors[3].state.unit = object(4, 2);
    scene.rows.remove(4);
    let mut scene = scene.with(4096, 0.0);
    scene.tick();
    let units = |states: Vec<ActorState>| -> Vec<usize> { states.iter().map(|s| s.unit.index()).collect() };
    assert_eq!(units(scene.controls(1)), [6]);
    let mut told: Vec<_> = scene.states(1).iter().map(|state| state.object.index()).collect();
    told.sort_unstable();
    assert_eq!(told, [2, 3, 4], "they move by themselves");
    // The player has left its unit to an actor, and another one takes its.
    scene.views[0].unit = object(6, 1);
    scene.tick();
    assert_eq!(units(scene.controls(1)), [1]);
}

/// OBJ-37, WIRE-40: 1 056 units are told as actors'; the 1 057th moves by itself, and is counted.
#[test]
fn no_more_are_told_than_are_driven() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(3000, 1), 0.0, MachineSet::NONE));
    let mut scene = (0..MAX_ACTOR_UNITS as u16).fold(scene, |scene, index| scene.with(index, 0.0));
    scene.tick();
    assert_eq!((scene.controls(1).len(), scene.states(1).len()), (1056, 0));
    assert_eq!(scene.host.untold_actors(), 0);
    let mut scene = scene.with(1056, 0.0);
    scene.tick();
    assert_eq!((scene.controls(1).len(), scene.states(1).len()), (1056, 1));
    assert_eq!((scene.host.untold_actors(), scene.states(1)[0].object.index()), (1, 1056));
}

/// OBJ-28: as an actor's light goes on or off everybody is told, at that tick, 7 and 15 ticks later, however far; and in turn,
/// with what lies. One without a light, or made with it off, is none to tell of.
#[test]
fn a_light_is_told_as_it_changes() {
    let mut scene = Scene::new(1);
    // Enough others at rest that its turn does not come in the time.
    scene.rows = (0..800).map(at_rest).collect();
    let unit = object(800, 1);
    scene.events.push(Event::Made(Creation::plain(unit, Tag(9), Vec3::ZERO)));
    let mut scene = scene.with(800, 500.0);
    let lit = |scene: &Scene| scene.states(1).iter().any(|state| state.object == unit);
    let told = |scene: &mut Scene, light: Option<bool>| {
        scene.rows[800].state.light = light;
        // It walks on meanwhile, and its engine may call it at rest or not.
        scene.rows[800].state.motion.position.x += 1.0;
        scene.rows[800].state.at_rest ^= true;
        scene.when(40, lit)
    };
    assert_eq!(told(&mut scene, None), []);
    assert_eq!(told(&mut scene, Some(false)), [0, 7, 15], "it may be news");
    assert_eq!(told(&mut scene, Some(true)), [0, 7, 15]);
    assert_eq!(told(&mut scene, Some(true)), []);
    assert_eq!(told(&mut scene, Some(false)), [0, 7, 15]);
    // Its turn: four a tick.
    assert!((1..=2).contains(&scene.when(201, lit).len()));

    for (light, at) in [(Some(true), &[0, 7, 15][..]), (Some(false), &[])] {
        let mut scene = Scene::new(1);
        scene.rows = (0..800).map(at_rest).collect();
        scene.pass(1);
        scene.events.push(Event::Made(Creation::plain(unit, Tag(9), Vec3::ZERO)));
        let mut scene = scene.with(800, 500.0);
        scene.rows[800].state.light = light;
        assert_eq!(scene.when(40, lit), at, "{light:?}");
    }
}

/// OBJ-28: who learns late is told of a light that is on, three times and once more.
#[test]
fn who_comes_late_is_told_of_a_light() {
    let mut scene = Scene::new(1);
    scene.rows = (0..800).map(at_rest).collect();
    let mut scene = scene.with(800, 500.0);
    scene.rows[800].state.light = Some(true);
    scene.pass(60);
    scene.host.handle_ready(tick(scene.now), machine(2)).unwrap();
    scene.tick();
    let lit = |scene: &Scene| scene.states(2).iter().any(|state| state.light == Some(true));
    let told = scene.when(62, lit);
    assert!(LATE_REPEAT_TICKS.iter().all(|at| told.contains(at)), "{told:?}");
    assert!(told.len() <= LATE_REPEAT_TICKS.len() + 1, "{told:?}");
}

/// DMG-50: that an actor's unit has died is told by its object's state, to everybody, however far, in that tick, 7 and 15 ticks
/// later, as it falls or lies; then it is a body as any.
#[test]
fn a_death_is_told_at_once() {
    let unit = object(800, 1);
    let dead = |scene: &Scene| scene.states(1).iter().any(|state| state.object == unit && state.dead);
    for lies in [false, true] {
        let mut scene = Scene::new(1);
        scene.rows = (0..800).map(at_rest).collect();
        scene.views.push(view(1, object(3000, 1), 500.0, MachineSet::NONE));
        let mut scene = scene.with(800, 0.0);
        scene.rows[800].state.light = Some(false);
        scene.pass(40);
        scene.actors.clear();
        scene.rows[800].state.dead = true;
        scene.rows[800].state.at_rest = lies;
        let told = scene.when(30, dead);
        assert!(scene.controls(1).is_empty());
        if lies {
            assert_eq!(told, [0, 7, 15]);
            continue;
        }
        assert!([0, 7, 15].iter().all(|at| told.contains(at)), "{told:?}");
        assert!((8..=10).contains(&told.len()), "each fourth tick besides: {told:?}");
        scene.rows[800].state.at_rest = true;
        assert_eq!(scene.when(30, dead), [0, 7, 15]);
    }
}

/// OBJ-20, 21: a unit that its actor leaves alive is an object that moves.
#[test]
fn who_is_left_alive_moves_by_itself() {
    let mut scene = Scene::at_each_step().with(7, 0.0);
    scene.pass(10);
    scene.actors.clear();
    assert_eq!(scene.counts(120, |scene, to| scene.controls(to).len()), [0; 4]);
    assert_eq!(scene.counts(120, |scene, to| scene.states(to).len()), [120, 60, 40, 30]);

    // Where it stands as it is left, it comes to rest: whether it did before was told to nobody.
    let mut scene = Scene::new(1);
    scene.rows = (0..800).map(at_rest).collect();
    let mut scene = scene.with(800, 0.0);
    (scene.rows[800].state.at_rest, scene.rows[800].state.light) = (true, Some(false));
    scene.pass(40);
    scene.actors.clear();
    let told = |scene: &Scene| scene.states(1).iter().any(|state| state.object == object(800, 1));
    assert_eq!(scene.when(30, told), [0, 7, 15]);
}

/// OBJ-50: a change of what an actor's unit shows goes to each machine at its next three turns, and no more; what is no change
/// as it travels is none.
#[test]
fn damage_is_told_as_it_changes() {
    let mut scene = Scene::at_each_step().with(7, 0.0);
    scene.pass(2 * DAMAGE_TURN as i32);
    // Not in the tick in which everybody is told anyway.
    let quiet = |scene: &mut Scene| {
        while !(scene.now as usize).is_multiple_of(DAMAGE_TURN) {
            scene.tick();
        }
        scene.tick();
    };
    quiet(&mut scene);
    let told = |scene: &Scene, to| scene.damages(to).len();
    assert_eq!(scene.counts(29, told), [0; 4]);
    scene.tick();
    assert_eq!(scene.damages(4), [whole(object(7, 1))], "its round has come");

    scene.actors[0].damage.body = 0.5;
    let counts = scene.counts(4, told);
    assert!(counts[0] == 3 && counts[1] == 2 && counts[3] == 1, "{counts:?}");
    assert_eq!(scene.counts(8, told), [0, 1, 3 - counts[2], 2]);
    assert_eq!(scene.counts(17, told), [0; 4]);
    scene.tick();
    assert_eq!(scene.damages(1)[0].body, 0.5);

    scene.actors[0].damage.body = 0.5 + 0.4 / 16384.0;
    assert_eq!(scene.counts(29, told), [0; 4]);
    scene.tick();
    // It changes on and on: each turn tells of it.
    let mut counts = [0; 4];
    for _ in 0..24 {
        scene.actors[0].damage.recent_body += 0.01;
        let more = scene.counts(1, told);
        counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
    }
    assert_eq!(counts, [24, 12, 8, 6]);
    assert_eq!(DAMAGE_REPEATS, 3);
}

/// OBJ-50: within a step of the ladder each machine has been told of what is shown now, to a 16384th.
#[test]
fn damage_is_shown_within_a_step() {
    let mut scene = Scene::at_each_step().with(7, 0.0);
    let mut had: [Vec<ActorDamage>; 4] = Default::default();
    for number in 0..200 {
        scene.actors[0].damage.shield = 1.0 + (number as f32 * 0.7).sin();
        scene.tick();
        for (to, had) in (1..).zip(&mut had) {
            had.extend(scene.damages(to).last().copied());
            let Some(last) = had.last().filter(|_| number >= 4) else { continue };
            let host = (0..i32::from(to)).map(|ago| 1.0 + ((number - ago) as f32 * 0.7).sin());
            let off = host.map(|shield| (shield - last.shield).abs()).fold(f32::MAX, f32::min);
            assert!(off <= 1.0 / 16384.0, "machine {to}, tick {number}: {off}");
        }
    }
}

/// OBJ-50: who is listed the units later is owed what each shows, once that has left for it; who leaves is owed nothing.
#[test]
fn who_comes_late_is_told_what_units_show() {
    let scene = Scene::new(1);
    let mut scene = (0..200).fold(scene, |scene, index| scene.with(index, 0.0));
    for number in 1..=2 {
        scene.views.push(view(number, object(3000 + u16::from(number), 1), 0.0, MachineSet::NONE));
    }
    scene.pass(60);
    let two = MachineSet::only(machine(2));
    scene.host.handle_ready(tick(scene.now), machine(2)).unwrap();
    scene.tick();
    scene.host.set_unsent(two);
    scene.pass(5);
    assert!(scene.damages(2).len() <= 10, "the units are on their way");
    assert_eq!(scene.controls(2).len(), 200);
    scene.host.set_unsent(MachineSet::NONE);
    for _ in 0..DAMAGE_REPEATS {
        scene.tick();
        assert_eq!(scene.damages(2).len(), 200);
        assert!(scene.damages(1).len() <= 10);
    }
    scene.tick();
    assert!(scene.damages(2).len() <= 10);
    // Everybody is told of each in its round, four a tick.
    let mut told: Vec<_> = (0..50)
        .flat_map(|_| {
            scene.tick();
            scene.damages(1)
        })
        .map(|damage| damage.unit.index())
        .collect();
    assert!(told.len() <= 200);
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), 200);
}

/// OBJ-01, 50: what takes the place of an actor's unit is another's: it is told of anew.
#[test]
fn the_next_unit_of_an_index_begins_anew() {
    let mut scene = Scene::new(1).with(7, 0.0);
    scene.views.push(view(1, object(3000, 1), 0.0, MachineSet::NONE));
    scene.pass(40);
    while !(scene.now as usize + 29).is_multiple_of(DAMAGE_TURN) {
        scene.tick();
    }
    let next = object(7, 2);
    (scene.rows[0].state.object, scene.actors[0].state.unit) = (next, next);
    scene.actors[0].damage.unit = next;
    assert_eq!(scene.when(20, |scene| scene.damages(1) == [whole(next)]), [0, 1, 2]);
}

/// A steady tick of actors allocates nothing, whatever they show.
#[test]
fn a_steady_tick_of_actors_allocates_nothing() {
    let mut scene = (0..300).fold(Scene::at_each_step(), |scene, index| scene.with(index, f32::from(index)));
    let run = |scene: &mut Scene| {
        for (number, row) in scene.actors.iter_mut().enumerate().step_by(3) {
            row.damage.recent_body = ((scene.now as usize + number) % 5) as f32;
        }
        for row in scene.rows.iter_mut().step_by(5) {
            row.state.light = Some(scene.now % 40 < 20);
        }
        scene.tick();
    };
    (0..90).for_each(|_| run(&mut scene));
    let info = allocation_counter::measure(|| (0..90).for_each(|_| run(&mut scene)));
    assert_eq!(info.count_total, 0);
}
