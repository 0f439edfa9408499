//! Events under what a host and a network may do at their worst: about what is not here yet, more of them than a partition lets
//! through, and numbers that mean ill.

use mjolnir_coop::{EVENT_NAME_WAIT, EVENT_STREAM_WAIT, EVENT_WAIT, EventClient, EventHost, MOST_EVENTS};
use mjolnir_wire::events::{Action, Attachment, CoopEvent, Navigation, NavigationPoint};
use mjolnir_wire::{Kind, MachineSet, ObjectId, ObjectName, Outbox, Tag};

use super::{datagrams, machines, streamed, tick};

const ROCK: ObjectName = ObjectName::Named(4);

fn ship() -> ObjectName {
    ObjectName::Object(ObjectId::new(300, 7).unwrap(), Tag(5))
}

fn opens(unit: ObjectName) -> Action {
    Action::UnitOpen { unit, opens: true }
}

fn point(of: ObjectName, shows: bool) -> Action {
    let of = Navigation::TeamToObject(0, of);
    Action::NavigationPoint(NavigationPoint { kind: 0, of, shows, height: 0.5 })
}

fn hangs(parent: ObjectName, child: ObjectName) -> Action {
    let (parent_marker, child_marker) = (None, None);
    Action::Attachment(Attachment { attaches: true, parent, child, parent_marker, child_marker })
}

/// A client that was told, by the stream or by a datagram, of those actions, after a title by each.
struct Waits {
    client: EventClient,
    here: Vec<ObjectName>,
    now: i32,
    done: Vec<Action>,
}

impl Waits {
    /// One that has heard by the stream.
    fn streamed() -> Self {
        let mut this = Self::new();
        this.hear(true, 1, Action::ChapterTitle(1));
        assert_eq!(this.does_in(1), [Action::ChapterTitle(1)]);
        this
    }

    fn new() -> Self {
        Self { client: EventClient::new(), here: Vec::new(), now: 0, done: Vec::new() }
    }

    fn hear(&mut self, by_stream: bool, number: u16, action: Action) {
        let event = CoopEvent { number, action: Some(action) };
        self.client.handle_event(tick(self.now), by_stream, &event).unwrap();
    }

    fn does_in(&mut self, ticks: u32) -> Vec<Action> {
        self.done.clear();
        for _ in 0..ticks {
            let has = |object| self.here.contains(&object);
            self.client.before_tick(tick(self.now), |_| None, has, &mut Vec::new(), &mut self.done);
            self.now += 1;
        }
        self.done.clone()
    }
}

/// COOP-07, 14, NET-74: what is about an object that is not here waits for it, and what follows waits with it; it is done in the tick in
/// which the object is here, or in the second after the stream has brought the event, before which it brings the object.
#[test]
fn what_is_about_an_object_waits_for_it() {
    let next = Action::ChapterTitle(3);
    for comes in [true, false] {
        let mut waits = Waits::streamed();
        waits.hear(false, 2, opens(ship()));
        waits.hear(false, 3, next);
        assert_eq!(waits.does_in(100), []);
        if comes {
            waits.here.push(ship());
        } else {
            waits.hear(true, 2, opens(ship()));
            assert_eq!(waits.does_in(1), []);
        }
        assert_eq!(waits.does_in(1), [opens(ship()), next], "{comes}");
        // The rest of it is had.
        waits.hear(true, 2, opens(ship()));
        waits.hear(true, 3, next);
        assert_eq!(waits.does_in(400), []);
        assert_eq!(waits.client.lost(), 0);
    }
    // Of one that never comes nor does the stream: as long as anything waits for that.
    let mut waits = Waits::streamed();
    waits.hear(false, 2, opens(ship()));
    assert_eq!(waits.does_in(EVENT_STREAM_WAIT), []);
    assert_eq!(waits.does_in(1), [opens(ship())]);
    // Of a host that sends none by the stream.
    let mut waits = Waits::new();
    waits.hear(false, 1, opens(ship()));
    assert_eq!(waits.does_in(EVENT_WAIT), []);
    assert_eq!(waits.does_in(1), [opens(ship())]);
}

/// COOP-07, 21: what is about one of the level's names waits for that a second at most, though the stream has brought the event, since
/// names come by datagrams of their own.
#[test]
fn what_is_about_a_name_waits_a_second() {
    assert_eq!(EVENT_NAME_WAIT, 30);
    for comes in [true, false] {
        let mut waits = Waits::streamed();
        waits.hear(true, 2, opens(ROCK));
        assert_eq!(waits.does_in(EVENT_NAME_WAIT), []);
        if comes {
            waits.here.push(ROCK);
        }
        assert_eq!(waits.does_in(1), [opens(ROCK)], "{comes}");
    }
}

/// COOP-09, 07: both ends of what is attached have to be here; what a point that is removed marked need not.
#[test]
fn both_ends_have_to_be_here() {
    for (action, needs) in [
        (hangs(ROCK, ship()), &[ROCK, ship()][..]),
        (point(ship(), true), &[ship()]),
        (point(ship(), false), &[]),
        (Action::Reverted, &[]),
    ] {
        let mut waits = Waits::streamed();
        waits.hear(false, 2, action);
        for object in needs {
            assert_eq!(waits.does_in(1), [], "{action:?}");
            waits.here.push(*object);
        }
        assert_eq!(waits.does_in(1), [action]);
    }
}

/// COOP-07, 08, 65: given scripts that do as much as goes out, 40 things a tick, when nothing comes of it for up to 1.5 s, then all of it
/// is done once and in order, though the first datagrams after it are of events far ahead.
#[test]
fn more_than_a_step_may_be_lost_at_once() {
    for cut in [10, 24, 25, 26, 30, 45] {
        let (mut host, mut outbox) = (EventHost::new(), Outbox::new());
        let mut client = EventClient::new();
        let (mut done, mut stream, mut next) = (Vec::new(), Vec::new(), 0);
        for at in 0..150 {
            let actions: Vec<_> = (0..if at < 100 { 40 } else { 0 })
                .map(|_| {
                    next += 1;
                    Action::ChapterTitle(next)
                })
                .collect();
            outbox.begin(tick(at), 0);
            host.after_tick(machines(&[1]), MachineSet::NONE, &actions, &[], &mut outbox);
            let read = |m: &mjolnir_wire::Message<'_>| CoopEvent::read_all(m).map(Result::unwrap).collect();
            stream.extend(streamed(&outbox, 1, Kind::CoopEvents, read).into_iter().map(|event| (at, event)));
            let is_cut = (20..20 + cut).contains(&at);
            // The stream is behind for some ticks more.
            if !(20..23 + cut).contains(&at) {
                for (stamp, event) in stream.drain(..) {
                    client.handle_event(tick(stamp), true, &event).unwrap();
                }
            }
            if !is_cut {
                for event in datagrams(&outbox, 1, Kind::CoopEvents, read).concat() {
                    // Many may wait already, and the stream brings them.
                    let _ = client.handle_event(tick(at), false, &event);
                }
            }
            client.before_tick(tick(at), |_| None, |_| true, &mut Vec::new(), &mut done);
        }
        let all: Vec<_> = (1..=next).map(Action::ChapterTitle).collect();
        assert_eq!((host.dropped(), next, client.lost()), (0, 4000, 0), "{cut}");
        assert!(done == all, "{cut}: {} of {}", done.len(), all.len());
    }
}

/// COOP-08, NET-74: numbers that go on and on ahead, near one another, half way round and back, by either channel, from whoever, are
/// heard without harm: no more of them wait than may, and what a host says afterwards is done.
#[test]
fn numbers_that_creep_are_borne() {
    for (step, back) in [(1000, 0), (1024, 900), (700, 1024), (1024, 1024)] {
        let mut client = EventClient::new();
        let mut done = Vec::new();
        let title = |number| CoopEvent { number, action: Some(Action::ChapterTitle(number & 0x7FFF)) };
        let (mut number, mut at) = (2_000_u16, 0);
        for round in 0..400_u32 {
            let _ = client.handle_event(tick(at), false, &title(number));
            number = number.wrapping_add(step);
            if round % 40 == 39 {
                // The first by the stream, near where it began, or near the newest.
                let first = if round % 80 == 39 { 2_001_u16.wrapping_sub(back) } else { number };
                let _ = client.handle_event(tick(at), true, &title(first));
                at += 1;
                client.before_tick(tick(at), |_| None, |_| true, &mut Vec::new(), &mut done);
            }
        }
        assert!(done.len() <= MOST_EVENTS, "{}", done.len());
        for _ in 0..=EVENT_STREAM_WAIT {
            at += 1;
            client.before_tick(tick(at), |_| None, |_| true, &mut Vec::new(), &mut done);
        }
        done.clear();
        for number in 50_000..50_010 {
            at += 1;
            client.handle_event(tick(at), true, &title(number)).unwrap();
            client.handle_event(tick(at), false, &title(number)).unwrap();
            client.before_tick(tick(at), |_| None, |_| true, &mut Vec::new(), &mut done);
        }
        let told: Vec<_> = (50_001..50_010).map(|number| Action::ChapterTitle(number & 0x7FFF)).collect();
        assert!(done.ends_with(&told), "{step} {back}: {done:?}");
    }
}

/// COOP-08: one that waits as far ahead as a number may be, and a stream that begins one before where it seemed to.
#[test]
fn half_of_all_numbers_ahead_is_no_number() {
    let mut client = EventClient::new();
    let event = |number| CoopEvent { number, action: Some(Action::ChapterTitle(7)) };
    let ahead = (0..=31).map(|step| 2_000 + step * 1024).chain([34_744, 34_765, 34_766, 34_767]);
    ahead.for_each(|number| client.handle_event(tick(1), false, &event(number)).unwrap());
    client.handle_event(tick(1), true, &event(1_999)).unwrap();
    let mut done = Vec::new();
    (1..=EVENT_STREAM_WAIT as i32 + 2).for_each(|at| {
        client.before_tick(tick(at), |_| None, |_| true, &mut Vec::new(), &mut done);
    });
    assert_eq!((done.len(), client.lost()), (2, 0), "1999 and 2000; nothing of the rest ever came");
}
