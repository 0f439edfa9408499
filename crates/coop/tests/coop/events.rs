//! What happens once in a host's level, told to clients that lose what they like of its datagrams, and of its stream nothing.

use mjolnir_coop::{
    EVENT_QUEUE, EVENT_REPEAT_TICKS, EVENT_STEP, EVENT_STREAM_WAIT, EVENT_WAIT, Error, EventClient,
    EventHost, MOST_EVENTS,
};
use mjolnir_wire::events::{
    Action, Animation, Attachment, CoopEvent, EffectPlace, HudText, Navigation, NavigationPoint,
    PlayerEffect, Sound, SoundAction, Surface, SurfaceBroken,
};
use mjolnir_wire::{Kind, MachineSet, ObjectName, Outbox, Tag, Vec3};

use super::{datagrams, machine, machines, streamed, tick};

fn title(index: u16) -> Action {
    Action::ChapterTitle(index)
}

fn titles(numbers: impl IntoIterator<Item = u16>) -> Vec<Action> {
    numbers.into_iter().map(title).collect()
}

/// The event that is a title of its number.
fn event(number: u16) -> CoopEvent {
    CoopEvent { number, action: Some(title(number)) }
}

fn pane(index: u16) -> SurfaceBroken {
    SurfaceBroken { surface: Surface { structure_bsp: 0, index }, at: Vec3::ZERO }
}

fn point(flag: u16, kind: u16, shows: bool) -> Action {
    let of = Navigation::TeamToFlag(0, flag);
    Action::NavigationPoint(NavigationPoint { kind, of, shows, height: 0.5 })
}

fn sound() -> Action {
    Action::Sound(Sound { action: SoundAction::Impulse, sound: Tag(7), on: None, scale: 1.0 })
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

    fn tick(&mut self, actions: &[Action], broken: &[SurfaceBroken]) {
        self.ready(&[], actions, broken);
    }

    fn ready(&mut self, ready: &[u8], actions: &[Action], broken: &[SurfaceBroken]) {
        self.outbox.begin(tick(self.now), 0);
        self.host.after_tick(self.to, machines(ready), actions, broken, &mut self.outbox);
        self.now += 1;
    }

    /// What the tick's datagrams say, each for itself.
    fn datagrams(&self, to: u8) -> Vec<Vec<CoopEvent>> {
        datagrams(&self.outbox, to, Kind::CoopEvents, |m| {
            CoopEvent::read_all(m).map(Result::unwrap).collect()
        })
    }

    fn told(&self, to: u8) -> Vec<CoopEvent> {
        self.datagrams(to).concat()
    }

    fn streamed(&self, to: u8) -> Vec<CoopEvent> {
        streamed(&self.outbox, to, Kind::CoopEvents, |m| CoopEvent::read_all(m).map(Result::unwrap).collect())
    }
}

fn numbers(events: &[CoopEvent]) -> Vec<u16> {
    events.iter().map(|event| event.number).collect()
}

/// A client, and what it did, in order.
struct Copy {
    client: EventClient,
    done: Vec<Action>,
    broken: Vec<u16>,
    /// What is not here.
    lacks: Vec<ObjectName>,
    now: i32,
}

impl Copy {
    fn new() -> Self {
        let (done, broken, lacks) = Default::default();
        Self { client: EventClient::new(), done, broken, lacks, now: 0 }
    }

    fn hear(&mut self, stamp: i32, by_stream: bool, events: &[CoopEvent]) {
        for event in events {
            self.client.handle_event(tick(stamp), by_stream, event).unwrap();
        }
    }

    /// A datagram of those numbers.
    fn datagram(&mut self, stamp: i32, numbers: &[u16]) {
        self.hear(stamp, false, &numbers.iter().copied().map(event).collect::<Vec<_>>());
    }

    /// The stream brings those numbers.
    fn stream(&mut self, stamp: i32, numbers: &[u16]) {
        self.hear(stamp, true, &numbers.iter().copied().map(event).collect::<Vec<_>>());
    }

    fn tick(&mut self) {
        let mut breaks = Vec::new();
        let is_broken = |surface: Surface| Some(self.broken.contains(&surface.index));
        let has = |object: ObjectName| !self.lacks.contains(&object);
        self.client.before_tick(tick(self.now), is_broken, has, &mut breaks, &mut self.done);
        self.broken.extend(breaks.iter().map(|broken| broken.surface.index));
        self.now += 1;
    }

    /// What it does before so many ticks, all of which are titles.
    fn does(&mut self, ticks: u32) -> Vec<u16> {
        let before = self.done.len();
        (0..ticks).for_each(|_| self.tick());
        let number = |action: &Action| match action {
            Action::ChapterTitle(number) => *number,
            other => panic!("{other:?}"),
        };
        self.done[before..].iter().map(number).collect()
    }
}

/// COOP-65, 07: forty events of one tick are told in two parts, of 29 and of 11, in each of three ticks, and once by the stream; to
/// those machines and not to the host.
#[test]
fn forty_events_are_told_in_two_parts() {
    let mut scene = Scene::new(&[0, 1, 2]);
    let all: Vec<u16> = (1..=40).collect();
    scene.tick(&titles(all.clone()), &[]);
    assert_eq!(numbers(&scene.streamed(1)), all);
    assert_eq!(scene.streamed(2), scene.streamed(1));
    for _ in 0..EVENT_REPEAT_TICKS {
        let parts = scene.datagrams(1);
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [29, 11]);
        assert_eq!(numbers(&parts.concat()), all);
        assert!(parts.concat().iter().all(|told| *told == event(told.number)));
        assert_eq!(scene.datagrams(2), parts);
        assert_eq!((scene.told(0), scene.told(3), scene.streamed(0), scene.streamed(3)), Default::default());
        scene.tick(&[], &[]);
        assert_eq!(scene.streamed(1), []);
    }
    assert!(scene.outbox.is_empty());
}

/// COOP-65: 128 events wait at most, a further one is dropped and counted: both sides, in one tick and over three; and there is room
/// again once they were told in three ticks.
#[test]
fn more_than_can_wait_are_dropped() {
    for (count, dropped) in [(127, 0), (128, 0), (129, 1), (130, 2)] {
        let mut scene = Scene::new(&[1]);
        let mut told = Vec::new();
        for at in 0..5 {
            scene.tick(&titles(1..=if at == 0 { count } else { 0 }), &[]);
            told.extend(numbers(&scene.told(1)));
        }
        let sent: Vec<_> = (1..=count.min(EVENT_QUEUE as u16)).collect();
        assert_eq!((told, scene.host.dropped()), (sent.repeat(3), dropped));
    }
    let mut scene = Scene::new(&[1]);
    for (count, dropped) in [(100, 0), (28, 0), (1, 1), (100, 1), (29, 2), (1, 3), (101, 4)] {
        scene.tick(&titles(1..=count), &[]);
        assert_eq!(scene.host.dropped(), dropped, "{count}");
    }
}

/// COOP-65, OBJ-31: what breaks waits for what scripts do, and drops none of it: given 300 surfaces that broke and scripts that do 60
/// things meanwhile, then all is told, at most 128 in a tick, and what scripts did no later than room for it.
#[test]
fn what_breaks_drops_nothing_that_scripts_do() {
    let mut scene = Scene::new(&[1]);
    let mut copy = Copy::new();
    let panes: Vec<_> = (0..300).map(pane).collect();
    for at in 0..20_u16 {
        let actions = if at < 6 { titles(at * 10 + 1..=at * 10 + 10) } else { vec![] };
        scene.tick(&actions, if at == 0 { &panes } else { &[] });
        assert!(scene.told(1).len() <= EVENT_QUEUE);
        copy.hear(scene.now, false, &scene.told(1));
        copy.tick();
        // Those of the second tick wait for the room of the first's 118 surfaces, those of the fifth for 88 more.
        let due = [10, 10, 10, 40, 40, 40].get(usize::from(at)).copied().unwrap_or(60);
        assert_eq!(copy.done, titles(1..=due), "{at}");
    }
    assert_eq!((copy.broken, scene.host.dropped()), ((0..300).collect(), 0));
    // Scripts that do more than is told while it waits: what is told counts as what waits.
    let mut scene = Scene::new(&[1]);
    scene.tick(&[], &panes);
    scene.tick(&titles(0..129), &[]);
    assert_eq!(scene.host.dropped(), 1);
}

/// COOP-07: given 200 events, one a tick, when any two of each three successive ticks' datagrams are lost and nothing comes by the
/// stream, then each is done once and in order, and none is lost.
#[test]
fn two_of_three_may_be_lost() {
    for kept in 0..3 {
        let (mut scene, mut copy) = (Scene::new(&[1]), Copy::new());
        for at in 0..203_u16 {
            let all: Vec<u16> = (1..=200).collect();
            scene.tick(&titles(all.get(usize::from(at)).copied()), &[]);
            if at % 3 == kept {
                copy.hear(scene.now, false, &scene.told(1));
            }
            copy.tick();
        }
        (0..=EVENT_WAIT).for_each(|_| copy.tick());
        assert_eq!((&copy.done, copy.client.lost()), (&titles(1..=200), 0), "{kept}");
    }
}

/// COOP-07: given 200 events, when all three datagrams of one are lost, the first and the last too, then it comes by the stream, in
/// its order: what follows waits for it, and nothing before it does.
#[test]
fn one_that_is_lost_thrice_comes_by_the_stream() {
    const DELAY: u16 = 9;
    for lost in [1, 2, 100, 200] {
        let (mut scene, mut copy) = (Scene::new(&[1]), Copy::new());
        let mut stream = std::collections::VecDeque::new();
        for at in 1..=220_u16 {
            scene.tick(&if at <= 200 { titles([at]) } else { vec![] }, &[]);
            let mut told = scene.told(1);
            told.retain(|told| told.number != lost);
            copy.hear(scene.now, false, &told);
            stream.push_back((scene.now, scene.streamed(1)));
            if at > DELAY {
                let (stamp, events) = stream.pop_front().unwrap();
                copy.hear(stamp, true, &events);
            }
            copy.tick();
            let due = match at {
                // Of the first nobody knows before another is heard, and that one waits.
                _ if at < lost => at,
                _ if at < lost + DELAY => lost - 1,
                _ => at.min(200),
            };
            assert_eq!(copy.done, titles(1..=due), "{lost} {at}");
        }
        assert_eq!(copy.client.lost(), 0);
    }
}

/// COOP-07, 08: given 200 events in bursts, when 10 % of the datagrams are lost and the others late by up to 4 ticks and out of order,
/// and the stream stalls (seeds 1 to 40), then each is done once and in order, and none is lost; so it is at 60 % and where
/// every datagram is lost.
#[test]
fn at_any_loss_each_is_done_once_and_in_order() {
    for (seed, loss) in
        (1..=40).map(|seed| (seed, 10)).chain((41..=60).map(|seed| (seed, 60))).chain([(61, 100)])
    {
        let mut chance = Chance(seed);
        let (mut scene, mut copy) = (Scene::new(&[1]), Copy::new());
        let (mut on_the_way, mut stream) = (Vec::new(), Vec::new());
        let (mut next, mut stall, mut lost) = (1_u16, 0_u64, 0);
        for at in 0..900_u64 {
            let burst = if chance.of(100) < 5 { 40 } else { u64::from(chance.of(100) < 20) };
            let last = (u64::from(next) + burst - 1).min(200) as u16;
            scene.tick(&titles(next..=last), &[]);
            next = last + 1;
            for datagram in scene.datagrams(1) {
                if chance.of(100) < loss {
                    lost += 1;
                } else {
                    on_the_way.push((at + 2 + chance.of(5), scene.now, datagram));
                }
            }
            on_the_way.retain(|(due, stamp, datagram)| {
                if *due <= at {
                    copy.hear(*stamp, false, datagram);
                }
                *due > at
            });
            stream.push((at + 2, scene.now, scene.streamed(1)));
            stall = if chance.of(100) == 0 { 20 + chance.of(100) } else { stall.saturating_sub(1) };
            if stall == 0 {
                let come = stream.iter().take_while(|(due, ..)| *due <= at).count();
                stream.drain(..come).for_each(|(_, stamp, events)| copy.hear(stamp, true, &events));
            }
            copy.tick();
        }
        assert_eq!((next, lost > 0), (201, true), "seed {seed}");
        assert_eq!((&copy.done, copy.client.lost()), (&titles(1..=200), 0), "seed {seed} at {loss} %");
        assert_eq!(scene.host.dropped(), 0, "seed {seed}");
    }
}

/// A seed's numbers.
struct Chance(u64);

impl Chance {
    fn of(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// COOP-07: from a host that sends none by the stream a lost one is waited for half a second, and then it is lost and counted; what
/// was given up does nothing when it comes after all. Both sides.
#[test]
fn without_a_stream_a_lost_one_is_waited_for_a_little() {
    let mut copy = Copy::new();
    copy.datagram(1, &[1]);
    assert_eq!(copy.does(1), [1]);
    copy.datagram(5, &[3, 4]);
    assert_eq!(copy.does(EVENT_WAIT), []);
    copy.datagram(6, &[5]);
    assert_eq!((copy.does(1), copy.client.lost()), (vec![3, 4, 5], 1));
    copy.datagram(7, &[2]);
    copy.stream(7, &[2]);
    assert_eq!(copy.does(400), []);

    let mut copy = Copy::new();
    copy.datagram(1, &[1]);
    copy.datagram(5, &[3, 4]);
    assert_eq!(copy.does(EVENT_WAIT), [1]);
    copy.datagram(6, &[2]);
    assert_eq!((copy.does(1), copy.client.lost()), (vec![2, 3, 4], 0));
}

/// COOP-07: a later one by the stream shows that what did not come never will: nothing waits for it.
#[test]
fn a_later_one_by_the_stream_shows_a_gap() {
    let mut copy = Copy::new();
    copy.stream(1, &[1]);
    copy.datagram(4, &[4, 5, 7]);
    assert_eq!(copy.does(100), [1]);
    copy.stream(5, &[5]);
    assert_eq!((copy.does(1), copy.client.lost()), (vec![4, 5], 2));
    copy.stream(6, &[6]);
    assert_eq!((copy.does(1), copy.client.lost()), (vec![6, 7], 2));
}

/// COOP-08: a number counts once; 0 and 1 follow 65 535; an older one does nothing; the first that is heard is done whichever it is,
/// by the stream at once and by a datagram once no older can come.
#[test]
fn a_number_counts_once() {
    let mut copy = Copy::new();
    copy.datagram(1, &[1, 1, 2]);
    copy.stream(1, &[1, 2]);
    copy.datagram(2, &[1, 2]);
    assert_eq!(copy.does(2), [1, 2]);
    copy.datagram(3, &[1]);
    copy.stream(3, &[1]);
    assert_eq!(copy.does(2), []);

    for by_stream in [true, false] {
        let mut copy = Copy::new();
        let all = [65_535, 0, 1].map(event);
        copy.hear(1, by_stream, &all);
        copy.hear(2, false, &all);
        assert_eq!(copy.does(if by_stream { 1 } else { EVENT_WAIT + 1 }), [65_535, 0, 1]);
        copy.datagram(3, &[65_535, 65_534, 0]);
        copy.stream(3, &[65_535, 0]);
        assert_eq!(copy.does(400), []);
    }
    for first in [2, 40_000, 65_535, 0] {
        let mut copy = Copy::new();
        copy.stream(1, &[first]);
        assert_eq!(copy.does(1), [first]);
        let mut copy = Copy::new();
        copy.datagram(1, &[first]);
        copy.datagram(2, &[first.wrapping_sub(1)]);
        assert_eq!((copy.does(EVENT_WAIT), copy.does(1)), (vec![], vec![first]), "{first}");
        copy.datagram(3, &[first.wrapping_add(1)]);
        copy.stream(3, &[first.wrapping_sub(1), first.wrapping_add(1)]);
        assert_eq!((copy.does(1), copy.client.lost()), (vec![first.wrapping_add(1)], 0));
    }
}

/// COOP-07, 08: what the stream brings that was told before the first that a datagram brought comes before it, as when the first of
/// a burst's datagrams is late or lost; what was told to nobody here is not waited for once the stream has begun later.
#[test]
fn the_stream_says_where_it_begins() {
    let mut copy = Copy::new();
    copy.datagram(1, &[530, 531]);
    copy.tick();
    copy.datagram(1, &[501, 502]);
    copy.stream(1, &[501, 502, 503]);
    assert_eq!(copy.does(1), [501, 502, 503]);
    copy.stream(1, &(504..=531).collect::<Vec<_>>());
    assert_eq!(copy.does(1), (504..=531).collect::<Vec<_>>());

    // It is told of 7 and 8 by their later datagrams, and of 9 by the stream too.
    for first in [7, 9] {
        let mut copy = Copy::new();
        copy.datagram(1, &(first..=9).collect::<Vec<_>>());
        copy.stream(1, &[9]);
        assert_eq!(copy.does(1), (first..=9).collect::<Vec<_>>());
    }
}

/// COOP-07, 08: a stream that was last heard half of all numbers ago shows no gap that is to come.
#[test]
fn a_stream_that_is_far_behind_shows_nothing() {
    let mut copy = Copy::new();
    copy.stream(1, &[1]);
    for number in 2..=u16::MAX {
        copy.datagram(number.into(), &[number]);
        if number % 500 == 0 {
            copy.tick();
        }
    }
    copy.tick();
    assert_eq!(copy.done.len(), u16::MAX.into());
    copy.datagram(70_000, &[1]);
    assert_eq!(copy.does(EVENT_STREAM_WAIT), []);
    copy.stream(70_000, &[0]);
    assert_eq!(copy.does(1), [0, 1]);
}

/// COOP-07, NET-74: where the stream is heard, a damaged number within [`EVENT_STEP`] is done by nobody: it is forgotten in the end,
/// and meanwhile all that happens is done; so is none lost of what waited longer than that.
#[test]
fn a_damaged_number_is_forgotten() {
    let mut copy = Copy::new();
    copy.stream(1, &[1]);
    copy.datagram(2, &[2, 2 + EVENT_STEP]);
    assert_eq!(copy.does(1), [1, 2]);
    for number in 3..100 {
        copy.datagram(number.into(), &[number]);
        copy.stream(number.into(), &[number]);
        assert_eq!(copy.does(5), [number]);
    }
    // It has its turn like any other.
    for number in 100..=EVENT_STEP + 3 {
        copy.stream(number.into(), &[number]);
    }
    assert_eq!((copy.does(1), copy.client.lost()), ((100..=EVENT_STEP + 3).collect(), 0));

    for (ticks, at_once) in [(EVENT_STREAM_WAIT - 1, vec![2, 3]), (EVENT_STREAM_WAIT, vec![2])] {
        let mut copy = Copy::new();
        copy.stream(1, &[1]);
        copy.datagram(4, &[3]);
        assert_eq!(copy.does(ticks + 1), [1]);
        copy.stream(2, &[2]);
        assert_eq!(copy.does(1), at_once);
        copy.stream(3, &[3]);
        assert_eq!((copy.done.len() + copy.does(1).len(), copy.client.lost()), (3, 0));
    }
}

/// COOP-07: more than there can be by datagrams is refused, and by the stream twice as much, so that what waits for it leaves it
/// room; what is refused changes nothing.
#[test]
fn the_stream_has_room_of_its_own() {
    let most = MOST_EVENTS as u16;
    let mut copy = Copy::new();
    copy.stream(1, &[1]);
    copy.tick();
    copy.datagram(2, &(3..most + 3).collect::<Vec<_>>());
    copy.tick();
    let handle =
        |copy: &mut Copy, by_stream, number| copy.client.handle_event(tick(3), by_stream, &event(number));
    assert_eq!(handle(&mut copy, false, most + 3), Err(Error::TooManyEvents));
    for number in most + 3..2 * most + 3 {
        assert_eq!(handle(&mut copy, true, number), Ok(()), "{number}");
    }
    assert_eq!(handle(&mut copy, true, 2 * most + 3), Err(Error::TooManyEvents));
    assert_eq!((copy.does(1), copy.client.lost()), ((3..2 * most + 3).collect(), 1));
    copy.datagram(4, &[2 * most + 3]);
    assert_eq!(copy.does(1), [2 * most + 3]);
}

/// COOP-09: who becomes ready is told of the newest 64 points that are shown; of a 65th the oldest is told no more.
#[test]
fn so_many_points_are_told_anew() {
    let anew = |shown: u16| -> Vec<Action> {
        let mut scene = Scene::new(&[1]);
        (0..shown).for_each(|flag| scene.tick(&[point(flag, 1, true)], &[]));
        (0..3).for_each(|_| scene.tick(&[], &[]));
        scene.ready(&[1], &[], &[]);
        scene.told(1).iter().filter_map(|event| event.action).collect()
    };
    assert_eq!(anew(64), (0..64).map(|flag| point(flag, 1, true)).collect::<Vec<_>>());
    assert_eq!(anew(65), (1..65).map(|flag| point(flag, 1, true)).collect::<Vec<_>>());
}

/// COOP-09, 14: of units that opened and closed who becomes ready is told of those that are open.
#[test]
fn what_is_open_is_told_anew() {
    let door = |unit, opens| Action::UnitOpen { unit: ObjectName::Named(unit), opens };
    let mut scene = Scene::new(&[1]);
    for action in [door(1, true), door(2, true), door(3, false), door(1, false), door(4, true), door(4, true)]
    {
        scene.tick(&[action], &[]);
    }
    (0..3).for_each(|_| scene.tick(&[], &[]));
    scene.ready(&[1], &[], &[]);
    let anew: Vec<_> = scene.told(1).iter().filter_map(|event| event.action).collect();
    assert_eq!(anew, [door(2, true), door(4, true)]);
}

/// COOP-09: given 50 sounds and navigation points that are shown, changed and removed, when a machine joins, then it hears no sound
/// and is shown the points as they are, by new events that everybody gets; so it is with what broke.
#[test]
fn who_joins_late_is_shown_the_points() {
    let mut scene = Scene::new(&[1]);
    let mut old = Copy::new();
    let script = [
        point(1, 4, true),
        point(2, 4, true),
        point(3, 4, true),
        point(2, 5, true),
        point(1, 4, false),
        point(9, 4, false),
    ];
    for at in 0..56 {
        let done = if at < 50 { sound() } else { script[at - 50] };
        let breaks = if at == 3 { vec![pane(5)] } else { vec![] };
        scene.tick(&[done], &breaks);
        old.hear(scene.now, false, &scene.told(1));
        old.tick();
    }
    (0..3).for_each(|_| scene.tick(&[], &[]));
    old.done.clear();
    let mut late = Copy::new();
    scene.to.insert(machine(2));
    for at in 0..3 {
        scene.ready(if at == 1 { &[2] } else { &[] }, &[], &[]);
        for (to, copy) in [(1, &mut old), (2, &mut late)] {
            copy.hear(scene.now, true, &scene.streamed(to));
            copy.hear(scene.now, false, &scene.told(to));
            copy.tick();
        }
    }
    let shown = [point(3, 4, true), point(2, 5, true)];
    assert_eq!((&late.done[..], &late.broken[..]), (&shown[..], &[5][..]));
    assert_eq!(old.done, shown, "it has them so, and hears it again");
    // Told once: the next to join is told anew.
    scene.tick(&[point(3, 4, false)], &[]);
    assert_eq!(scene.streamed(1).len(), 1);
    (0..3).for_each(|_| scene.tick(&[], &[]));
    scene.ready(&[3], &[], &[]);
    let again: Vec<_> = scene.told(2).iter().filter_map(|event| event.action).collect();
    assert_eq!(again, [Action::SurfaceBroken(pane(5)), point(2, 5, true)]);
}

/// COOP-09, 65: points that are shown anew wait for what scripts do, and are dropped by none of it; one that is removed meanwhile is
/// shown to nobody.
#[test]
fn points_wait_for_what_scripts_do() {
    let mut scene = Scene::new(&[1]);
    scene.tick(&[point(1, 4, true), point(2, 4, true)], &[]);
    (0..3).for_each(|_| scene.tick(&[], &[]));
    scene.ready(&[1], &titles(0..EVENT_QUEUE as u16), &[]);
    assert_eq!(scene.told(1).len(), EVENT_QUEUE);
    assert!(scene.told(1).iter().all(|event| matches!(event.action, Some(Action::ChapterTitle(_)))));
    (0..2).for_each(|_| scene.tick(&[], &[]));
    scene.tick(&[point(1, 4, false)], &[]);
    let told: Vec<_> = scene.told(1).iter().filter_map(|event| event.action).collect();
    assert_eq!((told, scene.host.dropped()), (vec![point(1, 4, false), point(2, 4, true)], 0));
}

/// COOP-10, 13, 14: given one of each kind of event, done by a host's scripts, then a client does each once, as it was done, in
/// that order.
#[test]
fn every_kind_is_done_as_it_was() {
    let object = ObjectName::Named(8);
    let animation = Animation { object, graph: Tag(3), animation: 317, frame: 12, interpolate: true };
    let all = [
        sound(),
        title(2),
        Action::Hud(HudText::Help(3)),
        Action::Hud(HudText::Objective(4)),
        Action::Hud(HudText::FlashHelp(3)),
        Action::Hud(HudText::Clear),
        Action::Hud(HudText::Checkpoint { shows_help: true }),
        Action::PlayerEffect(PlayerEffect::Translation(Vec3::new(0.5, 0.0, 0.25))),
        Action::PlayerEffect(PlayerEffect::Start { strength: 1.0, seconds: 0.5 }),
        Action::PlayerEffect(PlayerEffect::Stop { seconds: 2.0 }),
        point(6, 1, true),
        Action::UnitAnimation(animation),
        Action::SceneryAnimation(animation),
        Action::Effect { effect: Tag(9), at: EffectPlace::Marker(object, 2) },
        Action::Attachment(Attachment {
            attaches: true,
            parent: object,
            child: ObjectName::Named(9),
            parent_marker: Some(1),
            child_marker: None,
        }),
        Action::Reverted,
        Action::UnitOpen { unit: object, opens: true },
        Action::UnitOpen { unit: object, opens: false },
    ];
    let (mut scene, mut copy) = (Scene::new(&[1]), Copy::new());
    for at in 0..6 {
        scene.tick(if at == 0 { &all } else { &[] }, &[]);
        copy.hear(scene.now, true, &scene.streamed(1));
        copy.hear(scene.now, false, &scene.told(1));
        copy.tick();
    }
    assert_eq!(copy.done, all);
}

/// COOP-07, NET-74: given any numbers at all, from whoever (seed 7), then a client holds no more of them than there can be, and
/// does what a host says afterwards, each once and in order.
#[test]
fn no_numbers_make_a_client_deaf() {
    let mut chance = Chance(7);
    let mut copy = Copy::new();
    let mut refused = 0;
    for at in 0..2_000 {
        for _ in 0..chance.of(200) {
            let number = if chance.of(2) == 0 { chance.of(65_536) } else { 500 + chance.of(900) } as u16;
            let stamp = tick(at + chance.of(40) as i32);
            let handled = copy.client.handle_event(stamp, chance.of(4) == 0, &event(number));
            refused += u32::from(handled.is_err());
        }
        copy.tick();
    }
    assert!(copy.done.len() > 1_000, "{}", copy.done.len());
    println!("{} done, {refused} refused, {} lost", copy.done.len(), copy.client.lost());
    copy.does(EVENT_STREAM_WAIT + 1);
    let numbers: Vec<_> = (30_000..30_010).collect();
    for stamp in 5_000..5_003 {
        copy.datagram(stamp, &numbers);
        copy.stream(stamp, &numbers);
    }
    let done = copy.does(EVENT_STREAM_WAIT + 1);
    assert_eq!(done[done.len() - 9..], numbers[1..], "{done:?}");
}

/// COOP-07: a steady tick allocates nothing, on either end: scripts that do ten things a tick, one of which every client loses
/// thrice.
#[test]
fn a_steady_tick_allocates_nothing() {
    let (mut scene, mut copy) = (Scene::new(&[1, 2]), Copy::new());
    let mut actions = titles(0..10);
    actions.push(point(1, 4, true));
    let mut run = |at: i32| {
        scene.tick(&actions, &[]);
        let first = (at - 1) as u16 * 11 + 1;
        for number in first..first + 11 {
            let event = event(number);
            if number != first + 5 {
                copy.client.handle_event(tick(at), false, &event).unwrap();
            }
            if at > 3 {
                let event = CoopEvent { number: number - 33, ..event };
                copy.client.handle_event(tick(at - 3), true, &event).unwrap();
            }
        }
        copy.done.clear();
        copy.tick();
        at < 4 || copy.done.len() == 11
    };
    assert!((1..100).all(&mut run));
    let allocated = allocation_counter::measure(|| assert!((100..200).all(&mut run)));
    assert_eq!(allocated.count_total, 0);
}
