//! A host's surfaces that break, and a client whose level is a list of them; by datagrams alone, as another build's host tells
//! them.

use mjolnir_coop::{
    EVENT_QUEUE, EVENT_REPEAT_TICKS, EVENT_STEP, EVENT_WAIT, Error, EventClient, EventHost, MOST_EVENTS,
    SURFACE_TURN,
};
use mjolnir_wire::events::{Action, CoopEvent, Surface, SurfaceBroken};
use mjolnir_wire::{Kind, MachineSet, Outbox, Vec3};

use super::{machines, tick};

fn surface(index: u16) -> Surface {
    Surface { structure_bsp: 1, index }
}

fn broken(index: u16) -> SurfaceBroken {
    SurfaceBroken { surface: surface(index), at: Vec3::new(f32::from(index), 2.0, 1.0) }
}

fn event(number: u16, index: u16) -> CoopEvent {
    CoopEvent { number, action: Some(Action::SurfaceBroken(broken(index))) }
}

/// A host, and what it tells in each tick.
struct Scene {
    host: EventHost,
    outbox: Outbox,
    to: MachineSet,
    now: i32,
}

impl Scene {
    fn new(to: &[u8]) -> Self {
        Self { host: EventHost::new(), outbox: Outbox::new(), to: machines(to), now: 0 }
    }

    fn tick(&mut self, ready: &[u8], breaks: &[u16]) {
        let breaks: Vec<_> = breaks.iter().map(|index| broken(*index)).collect();
        self.outbox.begin(tick(self.now), 0);
        self.host.after_tick(self.to, machines(ready), &[], &breaks, &mut self.outbox);
        self.now += 1;
    }

    fn told(&self, to: u8) -> Vec<CoopEvent> {
        super::told(&self.outbox, to, Kind::CoopEvents, |m| {
            CoopEvent::read_all(m).map(Result::unwrap).collect()
        })
    }

    /// Number and surface of each that is told to the first machine.
    fn numbers(&mut self, ready: &[u8], breaks: &[u16]) -> Vec<(u16, u16)> {
        self.tick(ready, breaks);
        let of = |event: &CoopEvent| match event.action {
            Some(Action::SurfaceBroken(broken)) => (event.number, broken.surface.index),
            other => panic!("{other:?}"),
        };
        self.told(1).iter().map(of).collect()
    }
}

/// A client, what of its level is broken, and what it broke, in order.
struct Level {
    client: EventClient,
    broken: Vec<Surface>,
    breaks: Vec<u16>,
    now: i32,
}

impl Level {
    /// A level has 300 surfaces.
    const SURFACES: u16 = 300;

    fn new() -> Self {
        Self { client: EventClient::new(), broken: Vec::new(), breaks: Vec::new(), now: 0 }
    }

    fn hear(&mut self, stamp: i32, events: &[CoopEvent]) {
        for event in events {
            self.client.handle_event(tick(stamp), false, event).unwrap();
        }
    }

    fn tick(&mut self) {
        let mut breaks = Vec::new();
        let is_there = |surface: Surface| surface.structure_bsp == 1 && surface.index < Self::SURFACES;
        let is_broken = |surface| is_there(surface).then(|| self.broken.contains(&surface));
        let mut actions = Vec::new();
        self.client.before_tick(tick(self.now), is_broken, |_| false, &mut breaks, &mut actions);
        assert_eq!(actions, []);
        self.now += 1;
        self.broken.extend(breaks.iter().map(|what| what.surface));
        self.breaks.extend(breaks.iter().map(|what| what.surface.index));
    }

    /// Long enough that nothing that came waits for what did not.
    fn settle(&mut self) {
        (0..=EVENT_WAIT).for_each(|_| self.tick());
    }
}

/// OBJ-31: what broke is told in three successive ticks to those machines and not to the host, numbered from 1; a surface that
/// the engine names again is told no more.
#[test]
fn what_broke_is_told_in_three_ticks() {
    let mut scene = Scene::new(&[0, 1, 2]);
    assert_eq!(scene.numbers(&[], &[]), []);
    assert_eq!(scene.numbers(&[], &[40]), [(1, 40)]);
    assert_eq!(scene.told(2), [event(1, 40)]);
    assert_eq!((scene.told(0), scene.told(3)), (vec![], vec![]));
    assert_eq!(EVENT_REPEAT_TICKS, 3);
    assert_eq!(scene.numbers(&[], &[41, 40, 42]), [(1, 40), (2, 41), (3, 42)]);
    assert_eq!(scene.numbers(&[], &[41]), [(1, 40), (2, 41), (3, 42)]);
    assert_eq!(scene.numbers(&[], &[]), [(2, 41), (3, 42)]);
    assert_eq!(scene.numbers(&[], &[]), []);
}

/// OBJ-31: once a machine is ready everything that broke is told to all as new events, also what is told at that very time.
#[test]
fn who_becomes_ready_is_told_of_all() {
    let mut scene = Scene::new(&[1]);
    (0..4).for_each(|_| scene.tick(&[], &[]));
    scene.tick(&[], &[40]);
    scene.to = machines(&[1, 2]);
    assert_eq!(scene.numbers(&[2], &[41]), [(1, 40), (2, 40), (3, 41)]);
    assert_eq!(scene.told(2).len(), 3);
    assert_eq!(scene.numbers(&[], &[]), [(1, 40), (2, 40), (3, 41)]);
    assert_eq!(scene.numbers(&[1, 2], &[]), [(2, 40), (3, 41), (4, 40), (5, 41)]);
    (0..2).for_each(|_| scene.tick(&[], &[]));
    assert_eq!(scene.numbers(&[], &[]), []);
}

/// OBJ-31: at most 128 events are told in a tick; what broke besides waits, and none is lost.
#[test]
fn a_hundred_and_twenty_eight_are_told_at_once() {
    for number in [EVENT_QUEUE as u16, EVENT_QUEUE as u16 + 2] {
        let mut scene = Scene::new(&[1]);
        let all: Vec<u16> = (0..number).collect();
        let mut told = vec![0_u8; all.len()];
        let mut sizes = Vec::new();
        for at in 0..6 {
            let numbers = scene.numbers(&[], if at == 0 { &all } else { &[] });
            numbers.iter().for_each(|(_, index)| told[usize::from(*index)] += 1);
            sizes.push(numbers.len());
        }
        let more = all.len() - EVENT_QUEUE;
        assert_eq!(sizes, [128, 128, 128, more, more, more]);
        assert!(told.iter().all(|times| *times == EVENT_REPEAT_TICKS));
    }
}

/// OBJ-31: each second one of what broke is told anew, in turn, and so each is told again in as many seconds as there are.
#[test]
fn what_broke_is_told_anew_in_turn() {
    let mut scene = Scene::new(&[1]);
    assert_eq!(scene.numbers(&[], &[40, 41, 42]).len(), 3);
    let mut told = Vec::new();
    for at in 1..=4 * SURFACE_TURN {
        told.extend(scene.numbers(&[], &[]).into_iter().skip(if at < 3 { 3 } else { 0 }));
    }
    let turns = [(4, 41), (5, 42), (6, 40), (7, 41)].map(|event| [event; 3]);
    // The last turn has one tick more than was looked at.
    assert_eq!(told, turns.as_flattened()[..11]);
    // Of a level that is whole nothing is told.
    let mut scene = Scene::new(&[1]);
    (0..3 * SURFACE_TURN).for_each(|_| assert_eq!(scene.numbers(&[], &[]), []));
}

/// OBJ-31: at a loss of 30 % of single datagrams (seed 31) forty panes that break break once on a client, each; one that becomes
/// ready after all of it has them broken too.
#[test]
fn what_breaks_breaks_once() {
    let mut scene = Scene::new(&[1]);
    let mut level = Level::new();
    let (mut seed, mut lost) = (31_u32, 0);
    for at in 0..400_u16 {
        let breaks: &[u16] = &[at / 10];
        scene.tick(&[], if at % 10 == 0 { breaks } else { &[] });
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if seed >> 16 >= 65_536 * 3 / 10 {
            level.hear(at.into(), &scene.told(1));
        } else {
            lost += 1;
        }
        level.tick();
    }
    assert!((80..160).contains(&lost), "{lost}");
    // Who lost all three hears of it in its turn.
    for at in 400..400 + 41 * SURFACE_TURN as i32 {
        scene.tick(&[], &[]);
        level.hear(at, &scene.told(1));
        level.tick();
    }
    let mut once = level.breaks.clone();
    once.sort_unstable();
    assert_eq!(once, (0..40).collect::<Vec<_>>());
    assert_eq!(level.client.unknown(), 0);
    // Nothing but its readiness tells it.
    let mut late = Level::new();
    scene.tick(&[2], &[]);
    late.hear(9000, &scene.told(1));
    late.settle();
    assert_eq!(late.breaks, (0..40).collect::<Vec<_>>());
}

/// COOP-08, OBJ-31: an event counts once, by its number's signed difference from the newest of 16 bits: one that was had and one
/// older than what was done do nothing, over the wrap too; the first that is heard is where it begins, whichever.
#[test]
fn an_event_counts_once() {
    let mut level = Level::new();
    level.hear(1, &[event(40_000, 1), event(40_000, 2), event(39_999, 3), event(40_001, 4)]);
    level.settle();
    assert_eq!(level.breaks, [1, 4]);
    level.hear(2, &[event(40_001, 5), event(39_999, 6), event(7_234, 7), event(40_000, 8)]);
    level.settle();
    assert_eq!(level.breaks, [1, 4]);
    let mut level = Level::new();
    level.hear(1, &[event(65_535, 1), event(0, 2), event(1, 3), event(65_535, 4), event(0, 5), event(2, 6)]);
    level.settle();
    assert_eq!(level.breaks, [1, 2, 3, 6]);
    // Of another kind, or of nothing: its number counts.
    let nothing = |number| CoopEvent { number, action: None };
    level.hear(2, &[nothing(4), event(4, 7), event(3, 8), event(3, 9), event(5, 10)]);
    level.tick();
    assert_eq!(level.breaks, [1, 2, 3, 6, 8, 10]);
}

/// OBJ-31, NET-74: a number further off than [`EVENT_STEP`] is not believed before the next datagram agrees, so that a damaged one,
/// be it the first, makes no client deaf; one within it is.
#[test]
fn a_damaged_number_makes_nobody_deaf() {
    let at_step = [EVENT_STEP, EVENT_STEP + 1].map(|step| {
        let mut level = Level::new();
        level.hear(1, &[event(1, 1), event(1 + step, 2)]);
        level.settle();
        level.breaks
    });
    assert_eq!(at_step, [vec![1, 2], vec![1]]);
    for damaged in [20_000, 40_000, 60_000] {
        let mut level = Level::new();
        level.hear(1, &[event(1, 1), event(damaged, 2)]);
        level.hear(2, &[event(1, 1), event(2, 3)]);
        level.tick();
        assert_eq!(level.breaks, [1, 3], "{damaged}");
        let mut level = Level::new();
        level.hear(1, &[event(damaged, 2)]);
        // It cannot tell which of the two is right before it hears more.
        level.hear(2, &[event(1, 1), event(2, 3)]);
        level.hear(3, &[event(1, 1), event(2, 3), event(3, 4)]);
        level.tick();
        assert_eq!(level.breaks, [2, 1, 3, 4], "{damaged}");
    }
    // Somebody who heard nothing for so long goes on from there.
    let mut level = Level::new();
    level.hear(1, &[event(1, 1)]);
    for stamp in 2..4 {
        level.hear(stamp, &[event(9000, 5), event(9001, 6)]);
    }
    level.settle();
    assert_eq!(level.breaks, [1, 5, 6]);
}

/// OBJ-31: what the level does not have is counted and forgotten; what is broken is left, and what is named twice in one tick
/// breaks once.
#[test]
fn what_the_level_has_not_breaks_nothing() {
    let mut level = Level::new();
    level.broken.push(surface(7));
    let last = Level::SURFACES - 1;
    let elsewhere = Surface { structure_bsp: 0, index: 1 };
    let elsewhere = CoopEvent {
        number: 6,
        action: Some(Action::SurfaceBroken(SurfaceBroken { surface: elsewhere, ..broken(1) })),
    };
    level.hear(
        1,
        &[event(1, last), event(2, Level::SURFACES), event(3, 7), event(4, 8), event(5, 8), elsewhere],
    );
    level.tick();
    assert_eq!((&level.breaks[..], level.client.unknown()), (&[last, 8][..], 2));
    level.tick();
    assert_eq!(level.breaks.len(), 2);
}

/// OBJ-31: more breaks than there can be before a tick are refused, and may come again.
#[test]
fn more_than_there_can_be_is_refused() {
    let mut level = Level::new();
    for number in 1..=MOST_EVENTS as u16 {
        level.hear(1, &[event(number, number % Level::SURFACES)]);
    }
    let more = event(MOST_EVENTS as u16 + 1, 9);
    assert_eq!(level.client.handle_event(tick(1), false, &more), Err(Error::TooManyEvents));
    level.tick();
    assert_eq!(level.breaks.len(), usize::from(Level::SURFACES));
    (level.broken, level.breaks) = (Vec::new(), Vec::new());
    level.hear(2, &[more]);
    level.tick();
    assert_eq!(level.breaks, [9]);
}

/// OBJ-31: a steady tick allocates nothing, on either end, though surfaces are told of in turn.
#[test]
fn a_steady_tick_allocates_nothing() {
    let (mut host, mut outbox, mut client) = (EventHost::new(), Outbox::new(), EventClient::new());
    let all: Vec<_> = (0..50).map(broken).collect();
    let (mut breaks, mut actions) = (Vec::new(), Vec::new());
    let mut run = |at: i32| {
        outbox.begin(tick(at), 0);
        host.after_tick(machines(&[1, 2]), MachineSet::NONE, &[], &all, &mut outbox);
        client.handle_event(tick(at), false, &event(at as u16, 3)).unwrap();
        breaks.clear();
        client.before_tick(tick(at), |_| Some(false), |_| false, &mut breaks, &mut actions);
        assert_eq!(breaks.len(), 1);
    };
    (1..100).for_each(&mut run);
    let allocated = allocation_counter::measure(|| (100..200).for_each(&mut run));
    assert_eq!(allocated.count_total, 0);
}
