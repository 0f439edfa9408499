//! A level's named objects: a host's, and a client whose engine has a list of its own.

use mjolnir_coop::{NAMES_INTERVAL, NAMES_REPEAT_TICKS, NameCommand, NamesClient, NamesHost};
use mjolnir_wire::scripted::ObjectNames;
use mjolnir_wire::{Kind, MachineSet, Outbox};

use super::{machine, machines, tick};

/// Of a level that has 100 names.
fn names(structure_bsp: u16, there: &[u16]) -> ObjectNames {
    let mut names = ObjectNames::none(Some(structure_bsp), 100);
    there.iter().for_each(|name| names.insert(*name));
    names
}

/// A host, and what it tells in each tick.
struct Scene {
    host: NamesHost,
    outbox: Outbox,
    to: MachineSet,
    now: i32,
}

impl Scene {
    fn new(to: &[u8]) -> Self {
        Self { host: NamesHost::new(), outbox: Outbox::new(), to: machines(to), now: 50 }
    }

    fn tick(&mut self, names: Option<&ObjectNames>) {
        self.outbox.begin(tick(self.now), 0);
        self.host.after_tick(tick(self.now), self.to, names, &mut self.outbox);
        self.now += 1;
    }

    fn told(&self, to: u8) -> Vec<ObjectNames> {
        super::told(&self.outbox, to, Kind::CoopObjectNames, |m| {
            ObjectNames::read_all(m).map(Result::unwrap).collect()
        })
    }
}

/// A client, and what its engine has.
struct Level {
    client: NamesClient,
    own: ObjectNames,
}

impl Level {
    fn new(own: ObjectNames) -> Self {
        Self { client: NamesClient::new(), own }
    }

    fn hear(&mut self, stamp: i32, names: &ObjectNames) {
        self.client.handle_names(tick(stamp), names).unwrap();
    }

    /// What the engine is to do, which does it.
    fn tick(&mut self) -> Vec<NameCommand> {
        let mut commands = Vec::new();
        self.client.before_tick(Some(&self.own), &mut commands);
        let mut own = ObjectNames::none(self.own.structure_bsp, self.own.count());
        let there = (0..own.count()).filter(|name| {
            let makes = commands.contains(&NameCommand::Make { name: *name });
            let deletes = commands.contains(&NameCommand::Delete { name: *name });
            makes || self.own.contains(*name) && !deletes
        });
        there.for_each(|name| own.insert(name));
        self.own = own;
        commands
    }
}

/// COOP-21: which names there are is told in each fifteenth tick, changed or not, to those who have loaded and not to the host; of
/// a level that names none, nothing.
#[test]
fn names_are_told_each_fifteen_ticks() {
    assert_eq!(NAMES_INTERVAL, 15);
    let mut scene = Scene::new(&[0, 1]);
    let all = names(0, &[3, 99]);
    // A newcomer is told in three ticks.
    (0..3).for_each(|_| scene.tick(Some(&all)));
    let mut told = Vec::new();
    for at in 3..100 {
        scene.tick(Some(&all));
        if !scene.told(1).is_empty() {
            assert_eq!(scene.told(1), [all]);
            told.push(at);
        }
        assert_eq!((scene.told(0), scene.told(2)), (vec![], vec![]));
    }
    assert_eq!(told, [15, 30, 45, 60, 75, 90]);
    for _ in 0..40 {
        scene.tick(None);
        assert_eq!(scene.told(1), []);
    }
    scene.tick(Some(&all));
    assert_eq!(scene.told(1), [all]);
}

/// COOP-21, 07: names that change are told in that tick and in two more, beside their turns.
#[test]
fn names_that_change_are_told_thrice() {
    let mut scene = Scene::new(&[1]);
    let (before, after) = (names(0, &[3]), names(0, &[3, 4]));
    (0..20).for_each(|_| scene.tick(Some(&before)));
    for at in 0..8 {
        scene.tick(Some(&after));
        let told = if at < NAMES_REPEAT_TICKS { vec![after] } else { vec![] };
        assert_eq!(scene.told(1), told, "{at}");
    }
    // Its turn is when it was: the thirtieth.
    scene.tick(Some(&after));
    assert_eq!(scene.told(1), []);
    scene.tick(Some(&after));
    scene.tick(Some(&after));
    assert_eq!(scene.told(1), [after]);
}

/// COOP-59: a machine that is new is told at once, as is one that comes again, and in two ticks more; nobody else is told for its
/// sake.
#[test]
fn a_newcomer_is_told_the_names_at_once() {
    let mut scene = Scene::new(&[1]);
    let all = names(0, &[3]);
    (0..5).for_each(|_| scene.tick(Some(&all)));
    for _ in 0..2 {
        scene.to.insert(machine(2));
        for at in 0..4 {
            scene.tick(Some(&all));
            assert_eq!(scene.told(2).len(), usize::from(at < 3), "{at}");
            assert_eq!(scene.told(1), []);
        }
        scene.to.remove(machine(2));
        scene.tick(Some(&all));
    }
}

/// COOP-21: given a script that creates three and deletes one, when a client hears of it, then it has the same, in that tick, and is
/// asked once; where one message is lost, in the next; where all of the change and one more are, within a second.
#[test]
fn created_and_deleted_names_are_the_same() {
    for (loses, within) in [(0, 0), (1, 1), (3, 14), (4, 29)] {
        let mut scene = Scene::new(&[1]);
        let mut level = Level::new(names(0, &[1, 2]));
        let (before, after) = (names(0, &[1, 2]), names(0, &[2, 40, 41, 99]));
        let (mut lost, mut done, mut same) = (0, Vec::new(), None);
        for at in 0..60 {
            scene.tick(Some(if at < 16 { &before } else { &after }));
            for heard in scene.told(1) {
                if at >= 16 && lost < loses {
                    lost += 1;
                } else {
                    level.hear(at, &heard);
                }
            }
            done.extend(level.tick());
            if level.own == after {
                same.get_or_insert(at - 16);
            }
        }
        let make = |name| NameCommand::Make { name };
        assert_eq!(done, [NameCommand::Delete { name: 1 }, make(40), make(41), make(99)]);
        // The fourteenth tick after the change is one of telling.
        assert_eq!(same, Some(within), "{loses}");
    }
}

/// COOP-21: an engine that does not as it is asked is asked again with the next message, and not before it.
#[test]
fn a_command_is_given_once_a_message() {
    let mut client = NamesClient::new();
    let own = names(0, &[1]);
    for stamp in [10, 25, 40] {
        client.handle_names(tick(stamp), &names(0, &[1, 2])).unwrap();
        for at in 0..15 {
            let mut commands = Vec::new();
            client.before_tick(Some(&own), &mut commands);
            let due = if at == 0 { vec![NameCommand::Make { name: 2 }] } else { vec![] };
            assert_eq!(commands, due, "{stamp} {at}");
        }
    }
    // An older one does nothing.
    client.handle_names(tick(39), &names(0, &[])).unwrap();
    let mut commands = Vec::new();
    client.before_tick(Some(&own), &mut commands);
    assert_eq!((commands, client.stale()), (vec![], 1));
}

/// COOP-68: names of another structure BSP than the loaded one delete and make nothing before the switch, and are applied once it
/// is loaded, also where none was loaded; a newer message takes their place.
#[test]
fn names_of_another_bsp_wait_for_the_switch() {
    let mut level = Level::new(names(0, &[1, 2]));
    level.hear(10, &names(1, &[5]));
    for _ in 0..100 {
        assert_eq!(level.tick(), []);
    }
    let mut none = Vec::new();
    level.client.before_tick(None, &mut none);
    level.client.before_tick(Some(&ObjectNames::none(None, 100)), &mut none);
    assert_eq!(none, []);
    level.own = names(1, &[1]);
    assert_eq!(level.tick(), [NameCommand::Delete { name: 1 }, NameCommand::Make { name: 5 }]);
    assert_eq!(level.tick(), []);

    level.hear(20, &names(0, &[7]));
    level.hear(21, &names(1, &[]));
    assert_eq!(level.tick(), [NameCommand::Delete { name: 5 }]);
    level.own = names(0, &[]);
    assert_eq!(level.tick(), [], "what was newer took its place");
    assert_eq!(level.client.unknown(), 0);
}

/// COOP-21, NET-09: a message of another count of names is of no such level: counted, and nothing is made or deleted; both sides,
/// and both ends of what there can be.
#[test]
fn names_of_another_level_do_nothing() {
    for (count, is_it) in [(99, false), (100, true), (101, false), (0, false), (512, false)] {
        let mut level = Level::new(names(0, &[1]));
        let mut heard = ObjectNames::none(Some(0), count);
        heard.insert(2);
        level.hear(1, &heard);
        let commands =
            if is_it { vec![NameCommand::Delete { name: 1 }, NameCommand::Make { name: 2 }] } else { vec![] };
        assert_eq!((level.tick(), level.client.unknown()), (commands, u64::from(!is_it)), "{count}");
        assert_eq!((level.tick(), level.client.unknown()), (vec![], u64::from(!is_it)));
    }
    let mut last = ObjectNames::none(Some(0), 512);
    last.insert(511);
    let mut level = Level::new(ObjectNames::none(Some(0), 512));
    level.hear(1, &last);
    assert_eq!(level.tick(), [NameCommand::Make { name: 511 }]);
}
