//! A host's devices, and a client whose engine is rows.

use mjolnir_coop::{
    Command, DEVICE_REPEAT_TICKS, DEVICE_ROUND, DeviceClient, DeviceHost, DeviceRow, Error, GroupRow,
    MOST_HEARD,
};
use mjolnir_wire::devices::{DeviceGroup, DeviceState, Role, Setting};
use mjolnir_wire::{Kind, Machine, MachineSet, ObjectId, ObjectName, Outbox, Tag};

use super::{machines, tick, told};

const LIFT: ObjectName = ObjectName::Named(3);
const CALL: Setting = Setting::Group(7);

fn lift(position: f32, moving: bool) -> DeviceRow {
    DeviceRow { device: LIFT, position, power: 1.0, moving, travel: 20.0 }
}

fn call(value: f32, changed: u8, snaps: u8) -> GroupRow {
    GroupRow { of: CALL, value, changed, snaps }
}

/// A host, and what it tells in each tick.
struct Scene {
    host: DeviceHost,
    outbox: Outbox,
    to: MachineSet,
    now: i32,
}

impl Scene {
    fn new(to: &[u8]) -> Self {
        Self { host: DeviceHost::new(), outbox: Outbox::new(), to: machines(to), now: 100 }
    }

    fn tick(&mut self, groups: &[GroupRow], devices: &[DeviceRow]) {
        self.outbox.begin(tick(self.now), self.now);
        self.host.after_tick(tick(self.now), self.to, groups, devices, &mut self.outbox);
        self.now += 1;
    }

    fn states(&self, to: u8) -> Vec<DeviceState> {
        told(&self.outbox, to, Kind::CoopDeviceStates, |m| {
            DeviceState::read_all(m).map(Result::unwrap).collect()
        })
    }

    fn groups(&self, to: u8) -> Vec<DeviceGroup> {
        told(&self.outbox, to, Kind::CoopDeviceGroups, |m| {
            DeviceGroup::read_all(m).map(Result::unwrap).collect()
        })
    }
}

/// COOP-18, 59: what a script does to a device in the level's very first tick is told, at once and to who joins a minute later; of
/// one that only stands where it began nobody is told.
#[test]
fn what_changes_in_the_first_tick_is_told() {
    let other = DeviceRow { device: ObjectName::Named(4), ..lift(0.25, false) };
    let mut scene = Scene::new(&[1]);
    scene.host.begin(&[lift(0.0, false), other]);
    let off = DeviceRow { power: 0.0, ..lift(0.0, false) };
    let state = DeviceState { device: LIFT, moving: false, position: 0.0, power: 0.0 };
    scene.tick(&[], &[off, other]);
    assert_eq!(scene.states(1), [state]);
    (0..1800).for_each(|_| scene.tick(&[], &[off, other]));
    scene.to = machines(&[1, 2]);
    scene.tick(&[], &[off, other]);
    assert_eq!(scene.states(2), [state]);
}

/// COOP-18: a device that never changed is never told of; one that moves 30 ticks is told of in each, three more times,
/// and then once a second.
#[test]
fn a_device_is_told_of_as_it_changes() {
    let mut scene = Scene::new(&[1]);
    for _ in 0..300 {
        scene.tick(&[call(0.0, 0, 0)], &[lift(0.0, false)]);
        assert_eq!((scene.states(1), scene.groups(1)), (vec![], vec![]));
    }
    let mut told = Vec::new();
    for at in 0..200 {
        let position = at.min(30) as f32 / 30.0;
        scene.tick(&[call(0.0, 0, 0)], &[lift(position, at < 30)]);
        for state in scene.states(1) {
            assert_eq!(state, DeviceState { device: LIFT, moving: at < 30, position, power: 1.0 });
            told.push(at);
        }
    }
    // Its position changes once more in the tick that says it has stopped.
    let rounds = (1..).map(|n| 30 + n * DEVICE_ROUND as usize).take_while(|at| *at < 200);
    let expected: Vec<usize> = (0..=30 + DEVICE_REPEAT_TICKS).chain(rounds).collect();
    assert_eq!(told, expected);
    assert_eq!(scene.states(0), []);
}

/// COOP-15: a group is told of as it changes, three ticks more, and once a second, with its counts; its power is told
/// of as a device's place is.
#[test]
fn a_group_is_told_of_as_it_changes() {
    let mut scene = Scene::new(&[1, 2]);
    scene.tick(&[call(0.0, 0, 0)], &[]);
    let mut told = Vec::new();
    for at in 0..100 {
        scene.tick(&[call(1.0, 1, 0)], &[]);
        assert_eq!(scene.groups(1), scene.groups(2));
        told.extend(scene.groups(2).into_iter().map(|group| (at, group)));
    }
    let group = DeviceGroup { of: CALL, value: 1.0, snaps: 0, changed: 1 };
    assert_eq!(told, [0, 1, 2, 3, 30, 60, 90].map(|at| (at, group)));
    // Set to what it was, at once: it changed all the same.
    scene.tick(&[call(1.0, 2, 1)], &[]);
    assert_eq!(scene.groups(1), [DeviceGroup { snaps: 1, changed: 2, ..group }]);
    scene.tick(&[], &[lift(0.0, false)]);
    scene.tick(&[], &[DeviceRow { power: 0.5, ..lift(0.0, false) }]);
    assert_eq!(scene.states(1)[0].power, 0.5);
}

/// COOP-59: who comes later is told at once of all that changed since the level began, and of nothing else.
#[test]
fn a_late_machine_is_told_at_once() {
    let mut scene = Scene::new(&[1]);
    let door = DeviceRow { device: ObjectName::Named(4), ..lift(0.0, false) };
    scene.tick(&[call(0.0, 0, 0)], &[lift(0.0, false), door]);
    let rows = |position, moving| [lift(position, moving), door];
    scene.tick(&[call(1.0, 1, 0)], &rows(0.5, true));
    for _ in 0..10 {
        scene.tick(&[call(1.0, 1, 0)], &rows(0.5, false));
    }
    assert_eq!((scene.states(1), scene.groups(1)), (vec![], vec![]));
    scene.to.insert(Machine::new(2).unwrap());
    for _ in 0..DEVICE_REPEAT_TICKS {
        scene.tick(&[call(1.0, 1, 0)], &rows(0.5, false));
        let names: Vec<_> = scene.states(2).iter().map(|state| state.device).collect();
        assert_eq!((names, scene.groups(2).len()), (vec![LIFT], 1));
        assert_eq!((scene.states(1), scene.groups(1)), (vec![], vec![]));
    }
    scene.tick(&[call(1.0, 1, 0)], &rows(0.5, false));
    assert_eq!((scene.states(2), scene.groups(2)), (vec![], vec![]));
    // One that left and came back is new.
    scene.to.remove(Machine::new(2).unwrap());
    scene.tick(&[call(1.0, 1, 0)], &rows(0.5, false));
    scene.to.insert(Machine::new(2).unwrap());
    scene.tick(&[call(1.0, 1, 0)], &rows(0.5, false));
    assert_eq!(scene.states(2).len(), 1);
}

/// What a client with that lift does on hearing those states, each of a tick of its own.
fn follow(row: DeviceRow, said: &[(i32, DeviceState)]) -> Vec<Command> {
    let mut client = DeviceClient::new();
    let mut commands = Vec::new();
    for (stamp, state) in said {
        client.handle_state(tick(*stamp), state).unwrap();
    }
    client.before_tick(&[], &[row], &mut commands);
    commands
}

fn said(position: f32, moving: bool) -> DeviceState {
    DeviceState { device: LIFT, moving, position, power: 1.0 }
}

fn put(position: f32, moving: bool) -> Vec<Command> {
    vec![Command::Put { device: LIFT, position, moving }]
}

/// COOP-19: one that stopped on the host is put exactly where it stopped, and held there; one that stands there already is
/// left.
#[test]
fn one_that_stopped_is_put_where_it_stopped() {
    for (row, commands) in [
        (lift(0.60, false), put(0.63, false)),
        (lift(0.60, true), put(0.63, false)),
        (lift(0.63, true), put(0.63, false)),
        (lift(0.629_999_9, false), put(0.63, false)),
        (lift(0.63, false), vec![]),
    ] {
        assert_eq!(follow(row, &[(9, said(0.63, false))]), commands, "{row:?}");
    }
}

/// COOP-20: one that moves is left while it is off by 0.05 of its travel and half a world unit, and put past either.
#[test]
fn one_that_moves_is_put_where_it_drifted() {
    for (travel, off, is_put) in [
        (5.0, 0.04, false),
        (5.0, 0.06, true),
        (5.0, -0.04, false),
        (5.0, -0.06, true),
        (20.0, 0.024, false),
        (20.0, 0.026, true),
    ] {
        let row = DeviceRow { travel, ..lift(0.5, true) };
        let expected = if is_put { put(0.5 + off, true) } else { vec![] };
        assert_eq!(follow(row, &[(9, said(0.5 + off, true))]), expected, "{travel} {off}");
    }
    // One that stands where the host's moves on is let go.
    assert_eq!(follow(lift(0.5, false), &[(9, said(0.51, true))]), put(0.5, true));
}

/// COOP-18: power is followed; the newest of several counts, an older one does not, and is counted.
#[test]
fn the_newest_state_counts() {
    let dark = DeviceState { power: 0.25, ..said(0.5, false) };
    let power = vec![Command::Power { device: LIFT, power: 0.25 }];
    assert_eq!(follow(lift(0.5, false), &[(9, dark)]), power);
    assert_eq!(follow(lift(0.5, false), &[(9, said(0.1, false)), (10, said(0.2, false))]), put(0.2, false));
    assert_eq!(follow(lift(0.5, false), &[(10, said(0.2, false)), (9, said(0.1, false))]), put(0.2, false));

    let mut client = DeviceClient::new();
    let mut commands = Vec::new();
    client.handle_state(tick(10), &said(0.2, false)).unwrap();
    client.before_tick(&[], &[lift(0.2, false)], &mut commands);
    client.handle_state(tick(9), &said(0.1, false)).unwrap();
    let other = ObjectName::Object(ObjectId::new(3, 1).unwrap(), Tag(1));
    client.handle_state(tick(11), &DeviceState { device: other, ..said(0.1, false) }).unwrap();
    client.before_tick(&[], &[lift(0.2, false)], &mut commands);
    assert_eq!((commands, client.stale(), client.unknown(), client.put()), (vec![], 1, 1, 0));
}

/// WIRE-84: a device is followed by its index and its tag, which are both its own, or by its level's name where it has no
/// index: with another tag or another index it is none, and neither name is no word at all. So it is with what a device by
/// itself is set to.
#[test]
fn a_device_is_known_by_index_and_tag_or_by_name() {
    let name = |index, tag| ObjectName::Object(ObjectId::new(index, 1).unwrap(), Tag(tag));
    let (door, gate) = (name(3, 1), ObjectName::Named(4));
    let rows = [door, gate].map(|device| DeviceRow { device, ..lift(0.5, false) });
    let sets =
        [door, gate].map(|device| GroupRow { of: Setting::Own(device, Role::Power), ..call(0.0, 0, 0) });
    for (device, is_it) in [
        (door, Some(door)),
        (gate, Some(gate)),
        (name(3, 2), None),
        (name(3, 0), None),
        (name(2, 1), None),
        (name(4, 1), None),
        (ObjectName::Named(3), None),
        (ObjectName::Named(5), None),
        (ObjectName::Named(0), None),
    ] {
        let (mut client, mut commands) = (DeviceClient::new(), Vec::new());
        client.handle_state(tick(9), &DeviceState { device, ..said(0.75, false) }).unwrap();
        let of = Setting::Own(device, Role::Power);
        client.handle_group(tick(9), &DeviceGroup { of, value: 1.0, snaps: 0, changed: 1 }).unwrap();
        client.before_tick(&sets, &rows, &mut commands);
        let due = is_it.map_or(vec![], |device| {
            let of = Setting::Own(device, Role::Power);
            vec![
                Command::Put { device, position: 0.75, moving: false },
                Command::Set { of, value: 1.0, at_once: false },
            ]
        });
        let unknown = if is_it.is_some() { 0 } else { 2 };
        assert_eq!((commands, client.unknown()), (due, unknown), "{device:?}");
    }
    // Neither an index nor a name that a level can have.
    for (named, reads) in [(4, true), (511, true), (512, false), (u16::MAX, false)] {
        let mut bytes = Vec::new();
        let device = ObjectName::Named(named);
        DeviceState { device, ..said(0.75, false) }.write(&mut bytes);
        assert_eq!(
            DeviceState::read(&bytes).map(|state| state.device).ok(),
            reads.then_some(device),
            "{named}"
        );
    }
}

/// COOP-67: a new count of changes sets a group, a new count of snaps sets it at once, the same counts do nothing; a
/// device's own role is a setting of its own.
#[test]
fn a_group_is_set_once() {
    let mut client = DeviceClient::new();
    let mut now = 0;
    let mut hear = |value: f32, group: DeviceGroup| {
        let mut commands = Vec::new();
        now += 1;
        client.handle_group(tick(now), &group).unwrap();
        let own = GroupRow { of: Setting::Own(LIFT, Role::Power), ..call(1.0, 0, 0) };
        client.before_tick(&[call(value, 0, 0), own], &[], &mut commands);
        commands
    };
    let group = DeviceGroup { of: CALL, value: 1.0, snaps: 0, changed: 1 };
    let set = |value, at_once| vec![Command::Set { of: CALL, value, at_once }];
    assert_eq!(hear(0.0, group), set(1.0, false));
    assert_eq!(hear(1.0, group), []);
    assert_eq!(hear(0.5, group), set(1.0, false), "it is as the host has it");
    assert_eq!(hear(1.0, DeviceGroup { snaps: 1, changed: 2, ..group }), set(1.0, true));
    assert_eq!(hear(1.0, DeviceGroup { snaps: 1, changed: 2, ..group }), []);
    assert_eq!(hear(1.0, DeviceGroup { snaps: 1, changed: 3, value: 0.0, ..group }), set(0.0, false));
    let of = Setting::Own(LIFT, Role::Power);
    assert_eq!(
        hear(0.0, DeviceGroup { of, value: 0.0, snaps: 0, changed: 1 }),
        [Command::Set { of, value: 0.0, at_once: false }]
    );
}

/// COOP-59: one that joins late hears all at once: a device is where the host has it, and a group set at once is so.
#[test]
fn a_late_client_catches_up_in_one_tick() {
    let mut client = DeviceClient::new();
    client.handle_group(tick(900), &DeviceGroup { of: CALL, value: 1.0, snaps: 2, changed: 9 }).unwrap();
    client.handle_state(tick(900), &said(1.0, false)).unwrap();
    let mut commands = Vec::new();
    client.before_tick(&[call(0.0, 0, 0)], &[lift(0.0, false)], &mut commands);
    let set = Command::Set { of: CALL, value: 1.0, at_once: true };
    assert_eq!(commands, [put(1.0, false), vec![set]].concat());
}

/// COOP-18: both sides of what is heard before a tick; what is too much is refused and changes nothing.
#[test]
fn more_than_a_level_has_is_refused() {
    let mut client = DeviceClient::new();
    let group = DeviceGroup { of: CALL, value: 1.0, snaps: 0, changed: 1 };
    for _ in 0..MOST_HEARD {
        client.handle_state(tick(1), &said(0.5, false)).unwrap();
        client.handle_group(tick(1), &group).unwrap();
    }
    assert_eq!(client.handle_state(tick(1), &said(0.9, false)), Err(Error::TooMany));
    assert_eq!(client.handle_group(tick(1), &group), Err(Error::TooMany));
    let mut commands = Vec::new();
    client.before_tick(&[call(1.0, 0, 0)], &[lift(0.0, false)], &mut commands);
    assert_eq!(commands.len(), 2);
    assert_eq!(client.handle_state(tick(1), &said(0.9, false)), Ok(()));
}

/// COOP-15, 18: neither end allocates in a steady tick of 64 devices that move.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut scene = Scene::new(&[1, 2, 3]);
    let mut client = DeviceClient::new();
    let mut commands = Vec::new();
    let rows = |at: i32| -> (Vec<GroupRow>, Vec<DeviceRow>) {
        let value = (at % 7) as f32 / 7.0;
        let groups = (0..64).map(|of| GroupRow { of: Setting::Group(of), ..call(value, at as u8, 0) });
        let devices = (0..64).map(|of| DeviceRow { device: ObjectName::Named(of), ..lift(value, true) });
        (groups.collect(), devices.collect())
    };
    let mut run = |at: i32| {
        let (groups, devices) = rows(at);
        let counted = allocation_counter::measure(|| {
            scene.tick(&groups, &devices);
            for (group, device) in groups.iter().zip(&devices) {
                let GroupRow { of, value, changed, snaps } = *group;
                client.handle_group(tick(at), &DeviceGroup { of, value, changed, snaps }).unwrap();
                let state = DeviceState { device: device.device, ..said(device.position, true) };
                client.handle_state(tick(at), &state).unwrap();
            }
            commands.clear();
            client.before_tick(&groups, &devices, &mut commands);
        });
        counted.count_total
    };
    (100..130).for_each(|at| {
        run(at);
    });
    assert_eq!((130..230).map(run).sum::<u64>(), 0);
}
