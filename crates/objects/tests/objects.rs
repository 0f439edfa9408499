//! The crate's promises as scripts: a host, its clients, and an engine that is a list of names.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

use mjolnir_objects::{
    ASK_AFTER_FAILURE, Class, Client, Command, Error, Event, Host, LIST_INTERVAL, ObjectRow, Rows,
};
use mjolnir_wire::objects::{Creation, Motion, ObjectChange, ObjectState};
use mjolnir_wire::{Axes, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Tag, Tick, Vec3};
use proptest::prelude::*;

#[path = "objects/actors.rs"]
mod actors;
#[path = "objects/along.rs"]
mod along;
#[path = "objects/behind.rs"]
mod behind;
#[path = "objects/carrying.rs"]
mod carrying;
#[path = "objects/counting.rs"]
mod counting;
#[path = "objects/driving.rs"]
mod driving;
#[path = "objects/late.rs"]
mod late;
#[path = "objects/picks.rs"]
mod picks;
#[path = "objects/placing.rs"]
mod placing;
#[path = "objects/states.rs"]
mod states;

fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

fn object(index: u16, identifier: u16) -> ObjectId {
    ObjectId::new(index, identifier).unwrap()
}

fn thing(index: u16, identifier: u16) -> Creation {
    Creation::plain(object(index, identifier), Tag(9), Vec3::new(f32::from(index), 0.0, 0.0))
}

/// An object as an engine has it: a weapon that lies at its index.
fn row(object: ObjectId) -> ObjectRow {
    let position = Vec3::new(object.index() as f32, 0.0, 0.0);
    let motion = Motion { position, axes: Axes::UPRIGHT, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO };
    ObjectRow {
        state: ObjectState { at_rest: true, ..ObjectState::moving(object, motion) },
        class: Class::Weapon,
        tag: Tag(9),
        driver: None,
        is_carried_along: false,
    }
}

fn rows(objects: &[ObjectId]) -> Vec<ObjectRow> {
    objects.iter().map(|object| row(*object)).collect()
}

/// What an outbox holds for a machine's stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sent {
    Change(ObjectChange),
    ListEnds,
    Ready(u8),
}

fn made(index: u16, identifier: u16) -> Sent {
    Sent::Change(ObjectChange::Create(thing(index, identifier)))
}

fn deleted(index: u16, identifier: u16) -> Sent {
    Sent::Change(ObjectChange::Delete(object(index, identifier)))
}

fn stream(outbox: &Outbox, to: Machine) -> Vec<Sent> {
    let mut bytes = Vec::new();
    outbox.gather_stream(to, &mut bytes);
    let mut sent = Vec::new();
    let mut left = &bytes[..];
    while let [a, b, ..] = *left {
        let length = usize::from(u16::from_be_bytes([a, b]) >> 4);
        let message = Message::read(&left[..length]).unwrap();
        match message.kind {
            Kind::ObjectChanges => {
                sent.extend(ObjectChange::read_all(&message).map(|change| Sent::Change(change.unwrap())));
            }
            Kind::ObjectsSynchronized => sent.push(Sent::ListEnds),
            Kind::ClientReady => sent.push(Sent::Ready(message.count)),
            other => panic!("{other:?}"),
        }
        left = &left[length..];
    }
    sent
}

/// The host with an engine: what it has is what it made.
struct Side {
    host: Host,
    has: Vec<Creation>,
    events: Vec<Event>,
    outbox: Outbox,
    now: i32,
    listed: MachineSet,
}

impl Side {
    fn new() -> Self {
        Self {
            host: Host::new(),
            has: Vec::new(),
            events: Vec::new(),
            outbox: Outbox::new(),
            now: 0,
            listed: MachineSet::NONE,
        }
    }

    fn make(&mut self, index: u16, identifier: u16) {
        self.has.push(thing(index, identifier));
        self.events.push(Event::Made(thing(index, identifier)));
    }

    fn delete(&mut self, index: u16, identifier: u16) {
        self.has.retain(|has| has.object != object(index, identifier));
        self.events.push(Event::Deleted(object(index, identifier)));
    }

    fn ask(&mut self, from: u8) -> Result<(), Error> {
        self.host.handle_ready(tick(self.now), machine(from))
    }

    fn tick(&mut self) {
        self.outbox.begin(tick(self.now), self.now);
        let list = |to: &mut Vec<Creation>| to.extend(&self.has);
        let rows = Rows { events: &self.events, ..Rows::default() };
        self.listed = self.host.after_tick(tick(self.now), &rows, list, &mut self.outbox);
        self.events.clear();
        self.now += 1;
    }

    /// What that machine is sent of the next tick.
    fn sends(&mut self, to: u8) -> Vec<Sent> {
        self.tick();
        stream(&self.outbox, machine(to))
    }
}

/// A client with an engine that makes what it is told, but for what it cannot.
struct Copy {
    client: Client,
    has: Vec<ObjectId>,
    cannot: Option<ObjectId>,
    now: i32,
    outbox: Outbox,
}

impl Copy {
    fn loaded(has: &[ObjectId]) -> Self {
        let mut client = Client::new();
        client.loaded(Tick::ZERO);
        Self { client, has: has.to_vec(), cannot: None, now: 0, outbox: Outbox::new() }
    }

    fn hear(&mut self, sent: &[Sent]) {
        for sent in sent {
            match sent {
                Sent::Change(change) => self.client.handle_change(change).unwrap(),
                Sent::ListEnds => self.client.handle_synchronized(),
                Sent::Ready(_) => panic!("a host does not ask"),
            }
        }
    }

    /// The next tick; what it did.
    fn tick(&mut self) -> Vec<Command> {
        self.outbox.begin(tick(self.now), 0);
        let mut commands = Vec::new();
        self.client.tick(tick(self.now), &rows(&self.has), &mut commands, &mut self.outbox);
        self.now += 1;
        for command in &commands {
            match command {
                Command::Make(creation) => {
                    let free = self.has.iter().all(|has| has.index() != creation.object.index());
                    assert!(free, "{:?} is taken", creation.object);
                    if self.cannot != Some(creation.object) {
                        self.has.push(creation.object);
                    }
                }
                Command::Delete(object) => {
                    assert!(self.has.contains(object), "{object:?} is not there");
                    self.has.retain(|has| has != object);
                }
                other => panic!("{other:?} comes later in a tick"),
            }
        }
        commands
    }

    fn says(&mut self, sent: &[Sent]) -> Vec<Command> {
        self.hear(sent);
        self.tick()
    }

    fn asked(&self) -> Vec<Sent> {
        stream(&self.outbox, Machine::HOST)
    }
}

/// OBJ-04, NET-40 and NET-69 (in part: objects and the list's end): a machine that asks, and no other, gets every object,
/// then the end of the list, in one tick; then whoever was listed is said, once.
#[test]
fn who_asks_is_listed_everything() {
    let mut side = Side::new();
    side.make(1, 11);
    side.make(2, 12);
    assert_eq!(side.sends(1), [], "nobody has asked");
    side.ask(1).unwrap();
    assert_eq!(side.sends(1), [made(1, 11), made(2, 12), Sent::ListEnds]);
    assert_eq!(side.listed, MachineSet::only(machine(1)));
    assert_eq!(stream(&side.outbox, machine(2)), []);
    assert_eq!(side.sends(1), []);
    assert_eq!(side.listed, MachineSet::NONE);
    assert_eq!(side.host.ready(), MachineSet::only(machine(1)));
}

/// OBJ-02, 03: who has the list is told of each object made and deleted, in the order in which it was.
#[test]
fn who_is_ready_is_told_of_changes_in_order() {
    let mut side = Side::new();
    side.ask(1).unwrap();
    side.tick();
    side.make(5, 1);
    side.delete(5, 1);
    side.make(5, 2);
    assert_eq!(side.sends(1), [made(5, 1), deleted(5, 1), made(5, 2)]);
}

/// OBJ-04: what is made and deleted in the tick of the list is in it, or not, and comes no second time; the next
/// tick's changes follow.
#[test]
fn a_change_in_the_tick_of_the_list_comes_once() {
    let mut side = Side::new();
    side.make(1, 1);
    side.tick();
    side.ask(1).unwrap();
    side.make(2, 1);
    side.delete(1, 1);
    assert_eq!(side.sends(1), [made(2, 1), Sent::ListEnds]);
    side.make(3, 1);
    assert_eq!(side.sends(1), [made(3, 1)]);
}

/// OBJ-48: a full list to one machine at most each ten seconds, both sides; who leaves and comes back has one at
/// once.
#[test]
fn a_machine_is_listed_everything_each_ten_seconds_at_most() {
    let mut side = Side::new();
    side.ask(1).unwrap();
    side.tick();
    assert_eq!(LIST_INTERVAL, 300);
    side.now = 299;
    assert_eq!(side.ask(1), Err(Error::TooSoon));
    assert_eq!(side.ask(2), Ok(()), "another machine has its own ten seconds");
    side.tick();
    assert_eq!(side.ask(1), Ok(()));
    assert_eq!(side.sends(1), [Sent::ListEnds]);
    side.host.forget(machine(1));
    assert!(!side.host.ready().contains(machine(1)));
    side.make(1, 1);
    assert_eq!(side.sends(1), []);
    assert_eq!(side.ask(1), Ok(()));
    assert_eq!(side.host.handle_ready(tick(0), Machine::HOST), Err(Error::NotTheHosts));
}

/// OBJ-48: a list that is long on its way is not given twice: an ask meanwhile is refused, and so is one in the ten
/// seconds from when the last of it left, both sides.
#[test]
fn a_list_that_is_on_its_way_is_not_given_again() {
    let mut side = Side::new();
    side.make(1, 1);
    side.ask(1).unwrap();
    side.tick();
    let on_its_way = MachineSet::only(machine(1));
    for _ in 0..LIST_INTERVAL + 100 {
        side.host.set_unsent(on_its_way);
        assert_eq!(side.ask(1), Err(Error::TooSoon), "{}", side.now);
        assert_eq!(side.sends(1), []);
    }
    let left = side.now - 1;
    side.host.set_unsent(MachineSet::NONE);
    side.tick();
    side.now = left + LIST_INTERVAL - 1;
    assert_eq!(side.ask(1), Err(Error::TooSoon));
    side.now = left + LIST_INTERVAL;
    // What else is on its way is no list.
    side.host.set_unsent(on_its_way);
    assert_eq!(side.ask(1), Ok(()));
    assert_eq!(side.sends(1), [made(1, 1), Sent::ListEnds]);
}

/// OBJ-04, 48: a machine that leaves leaves nothing to the one that takes its index: no ask that waits, and no list on its
/// way for which the next one's would be refused.
#[test]
fn the_next_machine_of_an_index_begins_anew() {
    let mut side = Side::new();
    side.make(1, 1);
    side.ask(1).unwrap();
    side.host.forget(machine(1));
    assert_eq!(side.sends(1), [], "the next one has not asked");
    assert_eq!(side.listed, MachineSet::NONE);
    side.ask(1).unwrap();
    assert_eq!(side.sends(1), [made(1, 1), Sent::ListEnds]);
    side.host.set_unsent(MachineSet::only(machine(1)));
    side.host.forget(machine(1));
    // Something is on its way to the next one too.
    for _ in 0..10 {
        assert_eq!(side.sends(1), []);
    }
    assert_eq!(side.ask(1), Ok(()));
    assert_eq!(side.sends(1), [made(1, 1), Sent::ListEnds]);
}

/// OBJ-48: a flood of asks is one list in ten seconds; all others but those that wait for that one are refused, each.
#[test]
fn a_flood_of_asks_is_one_list() {
    let mut side = Side::new();
    let (mut refused, mut lists) = (0, 0);
    for _ in 0..2 * LIST_INTERVAL {
        refused += (0..100).filter(|_| side.ask(1) == Err(Error::TooSoon)).count();
        lists += side.sends(1).iter().filter(|sent| **sent == Sent::ListEnds).count();
    }
    assert_eq!((lists, refused), (2, 100 * (2 * LIST_INTERVAL as usize - 2)));
}

/// OBJ-12: what the host makes in the half that is each machine's own is not told of, and counted, once however often
/// all is listed; a client refuses it. Both sides of 4096.
#[test]
fn the_upper_half_is_each_machines_own() {
    let mut side = Side::new();
    side.ask(1).unwrap();
    side.tick();
    side.make(4095, 1);
    side.make(4096, 1);
    assert_eq!(side.sends(1), [made(4095, 1)]);
    assert_eq!(side.host.misplaced(), 1);
    side.ask(2).unwrap();
    assert_eq!(side.sends(2), [made(4095, 1), Sent::ListEnds]);
    assert_eq!(side.host.misplaced(), 1);
    side.delete(4096, 1);
    assert_eq!(side.sends(1), [], "nobody was told of it");
    side.make(4096, 2);
    side.delete(4095, 1);
    assert_eq!(side.sends(1), [deleted(4095, 1)]);
    assert_eq!(side.host.misplaced(), 2, "another object of that index");

    let mut client = Client::new();
    assert_eq!(client.handle_change(&ObjectChange::Create(thing(4095, 1))), Ok(()));
    assert_eq!(client.handle_change(&ObjectChange::Create(thing(4096, 1))), Err(Error::NotTheHosts));
    assert_eq!(client.handle_change(&ObjectChange::Delete(object(8191, 1))), Err(Error::NotTheHosts));
}

/// OBJ-02, 03, 40, 41: a client makes and deletes by the host's word; only the very object exists.
#[test]
fn a_client_follows_the_hosts_word() {
    let mut copy = Copy::loaded(&[]);
    assert_eq!(copy.says(&[made(7, 3)]), [Command::Make(thing(7, 3))]);
    assert!(copy.client.exists(object(7, 3)));
    assert!(!copy.client.exists(object(7, 2)) && !copy.client.exists(object(8, 3)));
    assert_eq!(copy.tick(), []);
    assert_eq!(copy.says(&[deleted(7, 2)]), [], "another object of that index");
    assert_eq!(copy.client.needless_deletions(), 1);
    assert_eq!(copy.says(&[deleted(7, 3)]), [Command::Delete(object(7, 3))]);
    assert!(!copy.client.exists(object(7, 3)));
}

/// OBJ-10: what the map placed is found there, and no second is made.
#[test]
fn what_was_placed_at_load_is_found() {
    let placed: Vec<_> = (0..50).map(|index| object(index, 0x1000 + index)).collect();
    let mut copy = Copy::loaded(&placed);
    let list: Vec<_> = (0..50).map(|index| made(index, 0x1000 + index)).chain([Sent::ListEnds]).collect();
    assert_eq!(copy.says(&list), []);
    assert_eq!(copy.has, placed);
}

/// OBJ-01: what has the host's name and another tag is another object: deleted, made as the host has it, and counted,
/// whether the list or a creation says so; then it is the host's.
#[test]
fn another_tag_is_another_object() {
    let mut client = Client::new();
    client.loaded(tick(0));
    let (mut outbox, mut commands) = (Outbox::new(), Vec::new());
    let wrong = ObjectRow { tag: Tag(8), ..row(object(3, 1)) };
    let has = [row(object(2, 1)), wrong];
    let mut says = |client: &mut Client, has: &[ObjectRow], creations: &[Creation]| {
        for creation in creations {
            client.handle_change(&ObjectChange::Create(*creation)).unwrap();
        }
        client.handle_synchronized();
        commands.clear();
        client.tick(tick(0), has, &mut commands, &mut outbox);
        commands.clone()
    };
    let anew = [Command::Delete(object(3, 1)), Command::Make(thing(3, 1))];
    assert_eq!(says(&mut client, &has, &[thing(2, 1), thing(3, 1)]), anew);
    assert_eq!(client.mistaken(), 1);
    let has = [row(object(2, 1)), row(object(3, 1))];
    assert_eq!(says(&mut client, &has, &[thing(2, 1), thing(3, 1)]), []);
    let other = Creation { tag: Tag(7), ..thing(3, 1) };
    let twice = [Command::Delete(object(3, 1)), Command::Make(other)];
    assert_eq!(says(&mut client, &has, &[other, other]), twice, "once");
    assert_eq!((client.mistaken(), client.lacking()), (2, 0));
}

/// OBJ-11: an index taken by another object is cleared first, whether the host told of that or not; also as the
/// identifier wraps.
#[test]
fn a_taken_place_is_cleared_first() {
    let mut copy = Copy::loaded(&[object(3, 9)]);
    let clear_and_make = |old, new| [Command::Delete(object(3, old)), Command::Make(thing(3, new))];
    assert_eq!(copy.says(&[made(3, 10)]), clear_and_make(9, 10));
    assert_eq!(copy.says(&[made(3, 0xFFFF)]), clear_and_make(10, 0xFFFF));
    assert_eq!(copy.says(&[made(3, 1)]), clear_and_make(0xFFFF, 1));
    assert_eq!(copy.says(&[deleted(3, 0xFFFF)]), [], "a late deletion of what stood there before");
    assert_eq!(copy.has, [object(3, 1)]);
}

/// An index deleted and made anew in one tick, in either order and several times, ends with the last.
#[test]
fn an_index_is_used_again_in_one_tick() {
    let mut copy = Copy::loaded(&[]);
    copy.says(&[made(3, 1)]);
    copy.says(&[deleted(3, 1), made(3, 2), deleted(3, 2), made(3, 3)]);
    assert_eq!(copy.has, [object(3, 3)]);
    copy.says(&[made(3, 4), deleted(3, 3)]);
    assert_eq!(copy.has, [object(3, 4)]);
    copy.says(&[made(3, 5), deleted(3, 5)]);
    assert_eq!(copy.has, []);
}

/// OBJ-05: what the host never told of is kept until the list ends and deleted then; later too. A machine's own
/// half is left alone.
#[test]
fn what_the_host_never_told_of_goes_when_the_list_ends() {
    let mut copy = Copy::loaded(&[object(1, 1), object(2, 1), object(3, 1), object(4096, 1)]);
    assert_eq!(copy.says(&[made(2, 1)]), []);
    assert!(!copy.client.list_complete());
    let gone = |index| Command::Delete(object(index, 1));
    assert_eq!(copy.says(&[Sent::ListEnds]), [gone(1), gone(3)]);
    assert!(copy.client.list_complete());
    copy.has.push(object(9, 1));
    assert_eq!(copy.tick(), [gone(9)]);
    assert_eq!(copy.has, [object(2, 1), object(4096, 1)]);
}

/// OBJ-06 (in part: what an engine deletes of its own is not seen here): nothing but the host's word deletes: an object
/// told of stays through a list that is given again.
#[test]
fn what_the_host_told_of_stays() {
    let mut copy = Copy::loaded(&[]);
    copy.says(&[made(2, 1), Sent::ListEnds]);
    for _ in 0..900 {
        assert_eq!(copy.tick(), []);
    }
    assert_eq!(copy.says(&[made(2, 1), Sent::ListEnds]), []);
}

/// OBJ-04, 48: a client asks as it has loaded, and again until the list has ended.
#[test]
fn a_client_asks_until_it_is_listed() {
    let mut copy = Copy::loaded(&[]);
    let mut asked = Vec::new();
    for now in 0..360 {
        copy.tick();
        asked.extend(copy.asked().into_iter().map(|ask| (now, ask)));
    }
    assert_eq!(
        asked,
        [
            (0, Sent::Ready(0)),
            (30, Sent::Ready(1)),
            (90, Sent::Ready(1)),
            (210, Sent::Ready(1)),
            (330, Sent::Ready(1))
        ]
    );
    copy.hear(&[Sent::ListEnds]);
    for _ in 0..1000 {
        copy.tick();
        assert_eq!(copy.asked(), []);
    }
}

/// OBJ-48: an object that the engine could not make is asked for 11 s later, and made when the list comes again.
#[test]
fn what_could_not_be_made_is_asked_for() {
    let mut side = Side::new();
    side.make(5, 1);
    side.ask(1).unwrap();
    let list = side.sends(1);
    let mut copy = Copy::loaded(&[]);
    copy.cannot = Some(object(5, 1));
    assert_eq!(copy.says(&list).len(), 1);
    let mut waited = 0;
    while copy.asked() != [Sent::Ready(1)] {
        assert_eq!(copy.tick(), []);
        waited += 1;
        assert_eq!(copy.client.lacking(), 1);
    }
    assert_eq!(waited, ASK_AFTER_FAILURE + 1);
    side.now = copy.now;
    side.ask(1).unwrap();
    copy.cannot = None;
    assert_eq!(copy.says(&side.sends(1)), [Command::Make(thing(5, 1))]);
    copy.tick();
    assert_eq!((copy.client.lacking(), copy.has.len()), (0, 1));
}

/// OBJ-04, WIRE-65: a list of five hundred is many messages, and whole.
#[test]
fn a_long_list_comes_whole() {
    let mut side = Side::new();
    (0..500).for_each(|index| side.make(index, 7));
    side.ask(1).unwrap();
    side.tick();
    let mut bytes = Vec::new();
    side.outbox.gather_stream(machine(1), &mut bytes);
    assert!(bytes.len() > 500 * 132);
    let mut copy = Copy::loaded(&[]);
    copy.says(&stream(&side.outbox, machine(1)));
    assert_eq!(copy.has.len(), 500);
    assert!(copy.client.list_complete());
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Make(u16, u16),
    Delete(usize),
    Ask,
    Tick,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..12_u16, 1..4_u16).prop_map(|(index, identifier)| Step::Make(index, identifier)),
        4 => (0..12_usize).prop_map(Step::Delete),
        1 => Just(Step::Ask),
        4 => Just(Step::Tick),
    ];
    prop::collection::vec(step, 0..120)
}

proptest! {
    /// OBJ-01, 04, 05, 11: whatever the host makes and deletes, whenever it is asked, and whatever the client had, the
    /// client ends with the host's objects, and no index is ever taken twice.
    #[test]
    fn a_client_ends_with_the_hosts_objects(
        steps in steps(),
        had in prop::collection::btree_map(0..12_u16, 1..4_u16, 0..12),
    ) {
        let mut side = Side::new();
        let had: Vec<_> = had.into_iter().map(|(index, identifier)| object(index, identifier)).collect();
        let mut copy = Copy::loaded(&had);
        for step in steps.into_iter().chain([Step::Ask, Step::Tick]) {
            match step {
                Step::Make(index, identifier) => {
                    if side.has.iter().all(|has| has.object.index() != usize::from(index)) {
                        side.make(index, identifier);
                    }
                }
                Step::Delete(which) => {
                    if let Some(has) = side.has.get(which).copied() {
                        side.delete(has.object.index() as u16, has.object.identifier());
                    }
                }
                Step::Ask => drop(side.ask(1)),
                Step::Tick => {
                    let sent = side.sends(1);
                    copy.says(&sent);
                }
            }
        }
        let mut hosts: Vec<_> = side.has.iter().map(|has| has.object).collect();
        hosts.sort_unstable();
        copy.has.sort_unstable();
        prop_assert_eq!(hosts, copy.has);
    }

    /// OBJ-40, 41: any changes in any order neither panic nor make two of one index.
    #[test]
    fn any_changes_are_followed(
        changes in prop::collection::vec((any::<bool>(), 0..5000_u16, 1..4_u16, prop::bool::weighted(0.02)), 0..200),
    ) {
        let mut copy = Copy::loaded(&[]);
        for (make, index, identifier, ends) in changes {
            let index = if index < 2500 { index % 5 } else { index };
            let change = if make {
                ObjectChange::Create(thing(index, identifier))
            } else {
                ObjectChange::Delete(object(index, identifier))
            };
            prop_assert_eq!(copy.client.handle_change(&change).is_ok(), index < 4096);
            if ends {
                copy.client.handle_synchronized();
            }
            copy.tick();
        }
    }
}
