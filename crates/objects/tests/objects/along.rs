//! A client whose vehicles nobody drives: carried along from one of the host's words to the next.

use mjolnir_objects::{ALONG_HOLDS, Class, Client, Command, FADE_TICKS, ObjectRow};
use mjolnir_wire::objects::{Creation, ObjectChange, ObjectState};
use mjolnir_wire::{Machine, Outbox, Vec3};

use super::states::moving;
use super::{object, tick};

/// A client with one vehicle, and an engine that moves it by its velocity unless it is carried along.
struct Road {
    client: Client,
    row: ObjectRow,
    offset: Vec3,
    now: i32,
}

impl Road {
    fn new() -> Self {
        let mut client = Client::new();
        client.loaded(tick(0));
        let row = ObjectRow { class: Class::Vehicle, ..moving(7, 0.0) };
        Self { client, row, offset: Vec3::ZERO, now: 0 }
    }

    /// The host had it there after that tick, with that velocity.
    fn hears(&mut self, at: i32, x: f32, velocity: f32) {
        let mut state = ObjectState { at_rest: false, ..self.row.state };
        (state.motion.position.x, state.motion.velocity.x) = (x, velocity);
        self.client.handle_state(tick(at), &state).unwrap();
    }

    /// A tick; what it was carried along by, if it was.
    fn tick(&mut self) -> Option<f32> {
        let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
        self.client.tick(tick(self.now), &[self.row], &mut commands, &mut outbox);
        self.client.settle(&[self.row], &[], &mut commands);
        let mut along = None;
        for command in commands {
            let state = &mut self.row.state;
            match command {
                Command::Place { motion, at_rest, .. } => (state.motion, state.at_rest) = (motion, at_rest),
                Command::Offset { offset, .. } => self.offset = offset,
                Command::Along { object, step } => {
                    assert_eq!((object, along), (state.object, None), "once a tick");
                    along = Some(step);
                }
                other => panic!("{other:?}"),
            }
        }
        let motion = &mut self.row.state.motion;
        motion.position += along.unwrap_or(if self.row.state.at_rest { Vec3::ZERO } else { motion.velocity });
        self.now += 1;
        along.map(|step| step.x)
    }

    /// Where it is drawn.
    fn drawn(&self) -> f32 {
        self.row.state.motion.position.x + self.offset.x
    }
}

/// World units a tick of the host's path.
const SPEED: f32 = 0.3;

/// How far the vehicle is drawn off the host's path at most, told each fourth tick with a velocity that swings by half,
/// once two words have come and the first correction has faded.
fn furthest(driver: Option<Machine>) -> f32 {
    let mut road = Road::new();
    road.row.driver = driver;
    let mut furthest = 0.0_f32;
    for now in 0..200 {
        if now % 4 == 1 {
            let swing = if now % 8 == 1 { 1.5 } else { 0.5 };
            road.hears(now - 1, SPEED * (now - 1) as f32, SPEED * swing);
        }
        road.tick();
        if now > 5 + i32::from(FADE_TICKS) {
            furthest = furthest.max((road.drawn() - SPEED * now as f32).abs());
        }
    }
    furthest
}

/// PRED-30, OBJ-10: a creation is of no tick: in the first ticks of a game the word that follows begins a path, and leads
/// on from none; the next one is on it.
#[test]
fn a_creation_begins_no_path() {
    for at in [1, 6, 16] {
        let mut road = Road::new();
        road.row.state.motion.velocity = Vec3::ZERO;
        let at_begin = Creation::plain(road.row.state.object, road.row.tag, Vec3::new(0.3, 0.0, 0.0));
        road.client.handle_change(&ObjectChange::Create(at_begin)).unwrap();
        assert_eq!(road.tick(), None);
        road.hears(at, 1.0, 0.0);
        assert_eq!(road.tick(), None, "{at}");
        road.hears(at + 2, 1.5, 0.0);
        assert_eq!(road.tick(), Some(0.25), "{at}");
    }
}

/// PRED-30: along a straight path that is told each fourth tick with a velocity that swings by half, a copy is drawn off
/// it by less than 0.1 wu; moved by that velocity it would be off by more.
#[test]
fn a_copy_goes_along_the_hosts_path() {
    let off = furthest(None);
    assert!(off < 0.1, "{off}");
    let by_velocity = furthest(Machine::new(3));
    assert!(by_velocity > 0.3, "one that is driven is not carried: {by_velocity}");
}

/// PRED-31: a word further off than a step reaches puts the copy there, and no step is made of it.
#[test]
fn a_jump_carries_nothing() {
    let mut road = Road::new();
    for at in 0..4 {
        road.now = at + 1;
        road.hears(at, at as f32, 1.0);
        let along = road.tick();
        assert_eq!(along, (at > 0).then_some(1.0));
    }
    road.hears(4, 23.0, 1.0);
    assert_eq!(road.tick(), Some(0.0));
    assert_eq!(road.row.state.motion.position.x, 23.0);
    assert_eq!((road.tick(), road.drawn()), (Some(0.0), 23.0), "and is drawn there");
    road.hears(6, 24.0, 1.0);
    assert_eq!(road.tick(), Some(0.5), "of the path from there");
}

/// PRED-32: a step holds for the ticks of the last gap; then the copy stays, and is let go after a second.
#[test]
fn a_late_word_is_not_overshot() {
    let mut road = Road::new();
    road.now = 1;
    road.hears(0, 0.0, 2.0);
    (0..4).for_each(|_| assert_eq!(road.tick(), None));
    road.hears(4, 4.0, 2.0);
    let steps: Vec<_> = (0..6).map(|_| road.tick()).collect();
    assert_eq!(steps, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0].map(Some));
    assert_eq!(road.row.state.motion.position.x, 8.0);
    (2..ALONG_HOLDS).for_each(|_| assert_eq!(road.tick(), Some(0.0)));
    assert_eq!(road.tick(), None);
}

/// PRED-32: rest ends it, and so does whoever drives it or carries it, or another object in its place.
#[test]
fn rest_and_drivers_end_it() {
    let carried = || {
        let mut road = Road::new();
        road.now = 1;
        road.hears(0, 0.0, 0.5);
        road.tick();
        road.hears(1, 0.5, 0.5);
        assert_eq!(road.tick(), Some(0.5));
        road
    };
    let mut road = carried();
    let mut rests = ObjectState { at_rest: true, ..road.row.state };
    rests.motion.position.x = 0.8;
    road.client.handle_state(tick(2), &rests).unwrap();
    assert_eq!([road.tick(), road.tick()], [None, None]);
    assert_eq!((road.row.state.motion.position.x, road.row.state.at_rest), (0.8, true));

    let changes: [fn(&mut ObjectRow); 3] = [
        |row| row.driver = Some(Machine::HOST),
        |row| row.state.carried = true,
        |row| row.state.object = object(7, 2),
    ];
    for change in changes {
        let mut road = carried();
        let before = road.row;
        change(&mut road.row);
        assert_eq!(road.tick(), None);
        (road.row.driver, road.row.state.carried, road.row.state.object) = (None, false, before.state.object);
        assert_eq!(road.tick(), None, "nor is it gone on with");
    }
}

/// PRED-30: only vehicles are carried along, and a steady tick of many allocates nothing.
#[test]
fn only_vehicles_go_along() {
    let mut client = Client::new();
    client.loaded(tick(0));
    let class = |index| if index % 2 == 0 { Class::Vehicle } else { Class::Unit };
    let mut rows: Vec<_> =
        (0..64).map(|index| ObjectRow { class: class(index), ..moving(index, 0.0) }).collect();
    let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
    let mut run = |now: i32| {
        outbox.begin(tick(now), now);
        for row in &mut rows {
            row.state.motion.position.x = now as f32;
            client.handle_state(tick(now), &row.state).unwrap();
        }
        commands.clear();
        client.settle(&rows, &[], &mut commands);
        let along = |command: &&Command| matches!(command, Command::Along { .. });
        commands.iter().filter(along).count()
    };
    let counts: Vec<_> = (0..10).map(&mut run).collect();
    assert_eq!(counts, [0, 32, 32, 32, 32, 32, 32, 32, 32, 32]);
    let info = allocation_counter::measure(|| (10..100).for_each(|now| assert_eq!(run(now), 32)));
    assert_eq!(info.count_total, 0);
}
