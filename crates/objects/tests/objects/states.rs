//! Where the host says objects are: to whom and when.

use mjolnir_objects::{Class, Event, Host, LATE_REPEAT_TICKS, ObjectRow, Rows, Viewpoint};
use mjolnir_wire::batch::{BatchWriter, Parts};
use mjolnir_wire::objects::{Creation, ObjectState};
use mjolnir_wire::{Kind, MachineSet, Message, ObjectId, Outbox, Slot, Tag, Vec3};

use super::{machine, object, row, tick};

/// What an outbox holds for a machine's datagrams of that kind, an entry each.
pub(super) fn datagrams<T>(
    outbox: &Outbox,
    to: u8,
    kind: Kind,
    read: impl Fn(&Message<'_>) -> Vec<T>,
) -> Vec<T> {
    let mut all = Vec::new();
    outbox.gather_datagrams(machine(to), &mut BatchWriter::new(), |bytes| {
        let batch = Message::read(bytes).unwrap();
        let parts = Parts::of(&batch).map(Result::unwrap).filter(|part| part.kind == kind);
        all.extend(parts.flat_map(|part| read(&part)));
    });
    all
}

pub(super) fn view(of: u8, unit: ObjectId, x: f32, told: MachineSet) -> Viewpoint {
    let position = Some(Vec3::new(x, 0.0, 0.0));
    Viewpoint { slot: Slot::new(of).unwrap(), machine: machine(of), unit, position, told }
}

/// A host with machines that have the list, and rows.
pub(super) struct Scene {
    pub(super) host: Host,
    pub(super) rows: Vec<ObjectRow>,
    pub(super) views: Vec<Viewpoint>,
    /// What the engine did since the last tick.
    pub(super) events: Vec<Event>,
    pub(super) outbox: Outbox,
    pub(super) now: i32,
}

impl Scene {
    pub(super) fn new(machines: u8) -> Self {
        let mut scene = Self {
            host: Host::new(),
            rows: Vec::new(),
            views: Vec::new(),
            events: Vec::new(),
            outbox: Outbox::new(),
            now: 0,
        };
        for number in 1..=machines {
            scene.host.handle_ready(tick(0), machine(number)).unwrap();
        }
        scene.tick();
        scene
    }

    pub(super) fn tick(&mut self) {
        self.outbox.begin(tick(self.now), self.now);
        let rows = Rows { objects: &self.rows, views: &self.views, events: &self.events, ..Rows::default() };
        self.host.after_tick(tick(self.now), &rows, |_| {}, &mut self.outbox);
        self.events.clear();
        self.now += 1;
    }

    pub(super) fn states(&self, to: u8) -> Vec<ObjectState> {
        let read = |message: &Message<'_>| ObjectState::read_all(message).map(Result::unwrap).collect();
        datagrams(&self.outbox, to, Kind::ObjectStates, read)
    }

    /// The indices that a machine is told of in the next tick.
    pub(super) fn told(&mut self, to: u8) -> Vec<usize> {
        self.tick();
        self.states(to).iter().map(|state| state.object.index()).collect()
    }

    /// How often each of four machines is told of that object in so many ticks.
    fn counts(&mut self, ticks: usize, of: ObjectId) -> [usize; 4] {
        let mut counts = [0; 4];
        for _ in 0..ticks {
            self.tick();
            for (to, count) in (1..).zip(&mut counts) {
                *count += self.states(to).iter().filter(|state| state.object == of).count();
            }
        }
        counts
    }
}

pub(super) fn moving(index: u16, x: f32) -> ObjectRow {
    let mut row = row(object(index, 1));
    row.state.motion.position = Vec3::new(x, 0.0, 0.0);
    row.state.motion.velocity = Vec3::new(0.1, 0.0, 0.0);
    row.state.at_rest = false;
    row
}

pub(super) fn at_rest(index: u16) -> ObjectRow {
    row(object(index, 1))
}

/// OBJ-20: a moving object goes to a client each tick within 25 wu, each second within 60, third within 120, fourth
/// beyond; one that is carried has no place, one in a machine's own half is not told of.
#[test]
fn a_moving_object_goes_by_distance() {
    let mut scene = Scene::new(4);
    for (number, x) in [(1, 24.0), (2, 59.0), (3, 119.0), (4, 121.0)] {
        scene.views.push(view(number, object(100 + u16::from(number), 1), x, MachineSet::NONE));
    }
    let mut carried = moving(8, 0.0);
    carried.state.carried = true;
    scene.rows = vec![moving(7, 0.0), carried, moving(4096, 0.0)];
    assert_eq!(scene.counts(120, object(7, 1)), [120, 60, 40, 30]);
    assert_eq!(scene.counts(120, object(8, 1)), [0; 4]);
    assert_eq!(scene.counts(120, object(4096, 1)), [0; 4]);
}

/// OBJ-20: the turns of objects differ, so that no tick is much fuller than another.
#[test]
fn far_objects_take_turns() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(200, 1), 0.0, MachineSet::NONE));
    scene.rows = (0..100).map(|index| moving(index, 130.0)).collect();
    for _ in 0..12 {
        assert_eq!(scene.told(1).len(), 25);
    }
}

/// NET-69: nobody is told where objects are before it was listed them, nor after it left.
#[test]
fn who_has_no_list_is_told_of_no_place() {
    let mut scene = Scene::new(0);
    scene.views.push(view(1, object(200, 1), 0.0, MachineSet::NONE));
    scene.rows = vec![moving(7, 0.0), at_rest(8)];
    assert_eq!(scene.told(1), []);
    scene.host.handle_ready(tick(scene.now), machine(1)).unwrap();
    assert_eq!(scene.told(1), [], "its list is of this tick");
    assert_eq!(scene.told(1), [7, 8]);
    scene.host.forget(machine(1));
    assert_eq!(scene.told(1), []);
}

/// A living player's unit goes with the players: of a row of it nothing is sent, until it is a body.
#[test]
fn a_living_players_unit_is_no_object_here() {
    let mut scene = Scene::new(1);
    let mut body = moving(7, 0.0);
    body.class = Class::Unit;
    scene.rows = vec![body];
    scene.views.push(view(1, object(7, 1), 0.0, MachineSet::NONE));
    assert_eq!(scene.told(1), []);
    body.state.at_rest = true;
    scene.rows = vec![body];
    assert_eq!(scene.told(1), [], "not in the turn of those at rest either");
    // It dies where it stood: it comes to rest as a body.
    scene.views.clear();
    body.state.dead = true;
    scene.rows = vec![body, at_rest(8), at_rest(9), at_rest(10), at_rest(11)];
    scene.tick();
    let [first, ..] = scene.states(1)[..] else { panic!("it came to rest") };
    assert!(first.dead && first.at_rest);
}

/// OBJ-21: as an object comes to rest everybody is told at that tick, 7 and 15 ticks later, however far; what is moved
/// at rest comes to rest anew; what was made at rest was told so by its creation.
#[test]
fn what_comes_to_rest_is_told_three_times() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(200, 1), 500.0, MachineSet::NONE));
    // Enough others at rest that its turn does not come in the time.
    scene.rows = (0..800).map(at_rest).collect();
    let mut last = moving(800, 0.0);
    scene.rows.push(last);
    // Its list is long since there.
    (0..=LATE_REPEAT_TICKS[3]).for_each(|_| scene.tick());
    let told_at = |scene: &mut Scene, row: ObjectRow, ticks| {
        *scene.rows.last_mut().unwrap() = row;
        let told = (0..ticks).filter(|_| scene.told(1).contains(&800));
        told.collect::<Vec<i32>>()
    };
    last.state.at_rest = true;
    assert_eq!(told_at(&mut scene, last, 40), [0, 7, 15]);
    last.state.motion.position.x += 0.01;
    assert_eq!(told_at(&mut scene, last, 16), [0, 7, 15]);
    last.state.at_rest = false;
    let far = told_at(&mut scene, last, 8);
    assert_eq!(far.len(), 2, "it moves, and is far");
    last.state.at_rest = true;
    assert_eq!(told_at(&mut scene, last, 10), [0, 7]);
    // A carried thing rests nowhere; laid down it comes to rest.
    last.state.carried = true;
    assert_eq!(told_at(&mut scene, last, 10), []);
    last.state.carried = false;
    assert_eq!(told_at(&mut scene, last, 16), [0, 7, 15]);
}

/// OBJ-02, 21: what lies at rest at the end of the tick in which it was made, but its creation says that it moves, lies
/// elsewhere or is carried, comes to rest in that tick; what its creation has as it lies is told no more until its turn.
#[test]
fn what_rests_in_the_tick_in_which_it_was_made_is_told() {
    let lies = at_rest(800).state.motion.position;
    let plain = Creation { at_rest: true, ..Creation::plain(object(800, 1), Tag(9), lies) };
    for (creation, told) in [
        (Creation { at_rest: false, velocity: Vec3::new(0.1, 0.0, 0.0), ..plain }, &[0, 7, 15][..]),
        (Creation { position: lies + Vec3::UP, ..plain }, &[0, 7, 15]),
        (Creation { carried: true, ..plain }, &[0, 7, 15]),
        (plain, &[]),
    ] {
        let mut scene = Scene::new(1);
        scene.rows = (0..800).map(at_rest).collect();
        (0..=LATE_REPEAT_TICKS[3]).for_each(|_| scene.tick());
        scene.events.push(Event::Made(creation));
        scene.rows.push(at_rest(800));
        let at: Vec<i32> = (0..40).filter(|_| scene.told(1).contains(&800)).collect();
        assert_eq!(at, told, "{creation:?}");
    }
}

/// OBJ-20, 21: who takes the index of a machine that left sees from nowhere until it has a player, and is told nothing
/// of what the other one learnt late.
#[test]
fn the_next_machine_of_an_index_sees_from_nowhere() {
    let mut scene = Scene::new(2);
    scene.views.push(view(1, object(200, 1), 0.0, MachineSet::NONE));
    scene.views.push(view(2, object(201, 1), 0.0, MachineSet::NONE));
    scene.rows = vec![moving(7, 0.0), moving(8, 0.0)];
    scene.tick();
    // It learns late still as it leaves.
    scene.host.forget(machine(1));
    scene.views.remove(0);
    scene.rows[1] = at_rest(8);
    assert_eq!(scene.counts(90, object(8, 1))[0], 0, "nobody is there");
    scene.host.handle_ready(tick(scene.now), machine(1)).unwrap();
    scene.tick();
    assert_eq!(scene.counts(120, object(7, 1))[..2], [30, 120]);
}

/// OBJ-20, 21, 22: the machine whose player drives a vehicle is told nothing of it, moving or at rest; once another
/// drives it or nobody, it is told as everybody is, of one at rest three times.
#[test]
fn whose_player_drives_is_told_nothing_of_the_vehicle() {
    let mut scene = Scene::new(2);
    scene.views.push(view(1, object(200, 1), 0.0, MachineSet::NONE));
    scene.views.push(view(2, object(201, 1), 0.0, MachineSet::NONE));
    let mut car = ObjectRow { class: Class::Vehicle, driver: Some(machine(1)), ..moving(7, 0.0) };
    (0..=LATE_REPEAT_TICKS[3]).for_each(|_| scene.tick());
    let mut counts = |car: ObjectRow, ticks| {
        scene.rows = vec![car];
        let [first, second, ..] = scene.counts(ticks, object(7, 1));
        [first, second]
    };
    assert_eq!(counts(car, 30), [0, 30]);
    car.state.at_rest = true;
    assert_eq!(counts(car, 90), [0, 90], "it rests, and its turn comes");
    car.driver = Some(machine(2));
    assert_eq!(counts(car, 1), [1, 0]);
    (car.driver, car.state.at_rest) = (Some(mjolnir_wire::Machine::HOST), false);
    assert_eq!(counts(car, 30), [30, 30]);
}

/// OBJ-21: one that its driver leaves at rest comes to rest anew for everybody, also where its turn is far off.
#[test]
fn a_vehicle_that_is_left_at_rest_is_told_three_times() {
    let mut scene = Scene::new(1);
    scene.rows = (0..800).map(at_rest).collect();
    scene.rows.push(ObjectRow { driver: Some(machine(1)), ..at_rest(800) });
    (0..=LATE_REPEAT_TICKS[3]).for_each(|_| scene.tick());
    scene.rows.last_mut().unwrap().driver = None;
    let told: Vec<i32> = (0..40).filter(|_| scene.told(1).contains(&800)).collect();
    assert_eq!(told, [0, 7, 15]);
}

/// OBJ-20: a rider whose vehicle the game does not name sees from where it last did, and is a living player still.
#[test]
fn who_has_no_place_sees_from_its_last() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(200, 1), 0.0, MachineSet::NONE));
    scene.rows = vec![moving(7, 0.0), moving(200, 0.0)];
    assert_eq!(scene.told(1), [7]);
    scene.views[0].position = None;
    assert_eq!([scene.told(1), scene.told(1)], [[7], [7]]);
}

/// OBJ-21: with any two of the three lost, the third says that it rests, and where.
#[test]
fn each_of_the_three_says_all() {
    let mut scene = Scene::new(1);
    scene.rows = vec![moving(3, 0.0)];
    scene.tick();
    scene.rows = vec![at_rest(3)];
    let mut said = Vec::new();
    for _ in 0..16 {
        scene.tick();
        said.extend(scene.states(1));
    }
    assert!(said.len() >= 3);
    assert!(said.iter().all(|state| state.at_rest && state.motion == at_rest(3).state.motion));
}

/// OBJ-20, OBJ-21: what is said to rest and is elsewhere in each tick, as on a lift, is told of as what moves, once as it
/// sets off; it comes to rest when it does.
#[test]
fn what_rests_on_a_lift_is_told_by_distance() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(200, 1), 500.0, MachineSet::NONE));
    scene.rows = (0..800).map(at_rest).collect();
    scene.rows.push(at_rest(800));
    scene.tick();
    let mut told = 0;
    for _ in 0..120 {
        scene.rows.last_mut().unwrap().state.motion.position.z += 0.01;
        told += usize::from(scene.told(1).contains(&800));
    }
    assert!((30..=32).contains(&told), "{told}");
    let still: Vec<_> = (0..16).filter(|_| scene.told(1).contains(&800)).collect();
    assert_eq!(still, [0, 7, 15]);
}

/// OBJ-22: four at rest a tick, round all of them: each of forty once in ten ticks.
#[test]
fn those_at_rest_take_turns() {
    let mut scene = Scene::new(2);
    scene.rows = (0..40).map(|index| at_rest(index * 100)).collect();
    scene.tick();
    for _ in 0..3 {
        let mut told: Vec<_> = (0..10).flat_map(|_| scene.told(2)).collect();
        told.sort_unstable();
        assert_eq!(told, (0..40).map(|index| index * 100).collect::<Vec<usize>>());
    }
    // Those that go and come do not stop the round.
    scene.rows.truncate(3);
    assert_eq!((scene.told(1).len(), scene.told(1).len()), (3, 3), "each at most once a tick");
    scene.rows.clear();
    assert_eq!(scene.told(1), []);
}

/// OBJ-45: 200 at rest cost a client four states of 44 bytes a tick, under 8 KiB a second with all headers.
#[test]
fn those_at_rest_cost_little() {
    let mut scene = Scene::new(1);
    scene.views.push(view(1, object(900, 1), 0.0, MachineSet::NONE));
    scene.rows = (0..200).map(at_rest).collect();
    scene.tick();
    let mut bytes = 0;
    for _ in 0..30 {
        scene.tick();
        scene
            .outbox
            .gather_datagrams(machine(1), &mut BatchWriter::new(), |datagram| bytes += datagram.len());
    }
    assert!((30 * 4 * 44..8 * 1024).contains(&bytes), "{bytes}");
}

/// A steady tick allocates nothing, whatever moves and rests.
#[test]
fn a_steady_tick_of_states_allocates_nothing() {
    let mut scene = Scene::new(4);
    for number in 1..=4 {
        scene.views.push(view(
            number,
            object(3000 + u16::from(number), 1),
            f32::from(number),
            MachineSet::NONE,
        ));
    }
    scene.rows = (0..200).map(|index| moving(index, f32::from(index))).collect();
    scene.rows.extend((200..400).map(at_rest));
    for _ in 0..60 {
        scene.tick();
    }
    let info = allocation_counter::measure(|| (0..60).for_each(|_| scene.tick()));
    assert_eq!(info.count_total, 0);
}
