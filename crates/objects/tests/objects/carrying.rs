//! What units carry: when the host tells whom.

use mjolnir_objects::{CarryRow, Host, LOOK_INTERVAL, Rows, Viewpoint};
use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::{Kind, MachineSet, Message, Outbox, Slot};

use super::states::{datagrams, view};
use super::{machine, object, tick};

struct Scene {
    host: Host,
    carries: Vec<CarryRow>,
    views: Vec<Viewpoint>,
    outbox: Outbox,
    now: i32,
}

pub(super) fn weapon(index: u16) -> CarriedWeapon {
    CarriedWeapon { object: object(index, 1), total: [90, 0], loaded: [30, 0], age: 0 }
}

/// A unit with two weapons and two grenades.
pub(super) fn armed(unit: u16) -> Inventory {
    Inventory {
        grenades: [2, 0],
        in_hand: Some(0),
        weapons: [Some(weapon(unit + 100)), Some(weapon(unit + 200)), None, None],
        ..Inventory::empty(object(unit, 1))
    }
}

impl Scene {
    fn new(machines: u8, carries: &[Inventory]) -> Self {
        let carries = carries
            .iter()
            .zip(1..)
            .map(|(inventory, slot)| CarryRow { inventory: *inventory, slot: Slot::new(slot) });
        let mut scene = Self {
            host: Host::new(),
            carries: carries.collect(),
            views: Vec::new(),
            outbox: Outbox::new(),
            now: 0,
        };
        for number in 1..=machines {
            scene.host.handle_ready(tick(0), machine(number)).unwrap();
        }
        scene.tick();
        scene
    }

    fn tick(&mut self) {
        self.outbox.begin(tick(self.now), self.now);
        let rows = Rows { carries: &self.carries, views: &self.views, ..Rows::default() };
        self.host.after_tick(tick(self.now), &rows, |_| {}, &mut self.outbox);
        self.now += 1;
    }

    fn told(&self, to: u8) -> Vec<Inventory> {
        let read = |message: &Message<'_>| Inventory::read_all(message).map(Result::unwrap).collect();
        datagrams(&self.outbox, to, Kind::Inventories, read)
    }

    /// The ticks of the next ones in which each of three machines is told of the first unit.
    fn ticks(&mut self, ticks: i32) -> [Vec<i32>; 3] {
        let mut told = [const { Vec::new() }; 3];
        for _ in 0..ticks {
            let now = self.now;
            self.tick();
            for (to, told) in (1..).zip(&mut told) {
                let unit = self.carries[0].inventory.unit;
                told.extend(self.told(to).iter().filter(|said| said.unit == unit).map(|_| now));
            }
        }
        told
    }

    /// Until everything that was to be told was, and no turn is within the next 20 ticks.
    fn settle(&mut self) {
        self.ticks(30);
        while self.ticks(1)[0].is_empty() {}
    }
}

/// OBJ-13: what does not change goes once a second, units taking turns; ten messages of each in ten seconds.
#[test]
fn what_does_not_change_goes_once_a_second() {
    let units: Vec<_> = (0..20).map(armed).collect();
    let mut scene = Scene::new(1, &units);
    scene.settle();
    let mut counts = [0; 20];
    for _ in 0..300 {
        scene.tick();
        let told = scene.told(1);
        assert!(told.len() <= 2, "a tenth of them each look");
        for said in told {
            assert_eq!(said, units[said.unit.index()]);
            counts[said.unit.index()] += 1;
        }
    }
    assert_eq!(counts, [10; 20]);
}

/// OBJ-16: a change of weapons or grenades goes to everybody at the next look, in one tick, and at the two looks after;
/// at no other tick is anything looked at.
#[test]
fn a_change_of_weapons_goes_to_all_at_the_next_look() {
    let changes: [fn(&mut Inventory); 4] = [
        |of| of.in_hand = Some(1),
        |of| of.grenades[1] = 1,
        |of| of.weapons[1] = None,
        |of| of.weapons.swap(0, 1),
    ];
    for change in changes {
        for late in 0..3 {
            let mut scene = Scene::new(3, &[armed(0)]);
            scene.settle();
            scene.ticks(late);
            let at = scene.now;
            change(&mut scene.carries[0].inventory);
            let [first, second, third] = scene.ticks(12);
            assert_eq!(first.len(), 3);
            assert!(first[0] - at < LOOK_INTERVAL as i32 && first[0] % 3 == 0);
            assert_eq!([first[1] - first[0], first[2] - first[1]], [3, 3]);
            assert!(first == second && second == third, "whether it is told of that player or not");
        }
    }
}

/// OBJ-17: a change of rounds, or of a weapon's age, goes at the next look to the player's own machine and to those that
/// are sent the player in that tick; to another at the first look at which it is, or with the turn.
#[test]
fn a_change_of_rounds_goes_by_audience() {
    let mut scene = Scene::new(3, &[armed(0)]);
    let told = MachineSet::only(machine(2));
    scene.views = vec![view(1, object(0, 1), 0.0, told)];
    scene.settle();
    let at = scene.now;
    if let Some(weapon) = &mut scene.carries[0].inventory.weapons[0] {
        (weapon.loaded[0], weapon.age) = (29, 7);
    }
    let [own, near, far] = scene.ticks(6);
    assert_eq!((own.len(), near.len(), far), (1, 1, vec![]));
    assert!(own[0] - at < 3 && near == own);
    scene.views[0].told = MachineSet::only(machine(3));
    let [own, near, far] = scene.ticks(6);
    assert_eq!((own, near, far.len()), (vec![], vec![], 1), "it is sent the player now");
    // Not at looks, but between them: no later than that.
    for after in 1..3 {
        scene.views[0].told = MachineSet::NONE;
        scene.ticks(60);
        if let Some(weapon) = &mut scene.carries[0].inventory.weapons[0] {
            weapon.loaded[0] -= 1;
        }
        while !scene.now.unsigned_abs().is_multiple_of(LOOK_INTERVAL) {
            scene.tick();
        }
        (1..after).for_each(|_| scene.tick());
        scene.views[0].told = MachineSet::only(machine(3));
        let [_, near, far] = scene.ticks(1);
        assert_eq!((near.len(), far.len()), (0, 1), "{after} after a look");
    }
    // Everything that it missed goes with the turn.
    scene.views.clear();
    if let Some(weapon) = &mut scene.carries[0].inventory.weapons[0] {
        weapon.total[0] -= 1;
    }
    let [own, near, far] = scene.ticks(30);
    assert_eq!((own.len(), near.len(), far.len()), (1, 1, 1));
}

/// OBJ-13: who was just listed everything is told of every unit at the next look, and nobody else is; who has no list
/// is told of none; a new unit of an index is another's.
#[test]
fn who_is_listed_is_told_of_every_unit() {
    let mut scene = Scene::new(1, &[armed(0), armed(1), armed(2)]);
    scene.settle();
    scene.ticks(3);
    assert!(scene.ticks(3)[1].is_empty());
    scene.host.handle_ready(tick(scene.now), machine(2)).unwrap();
    scene.tick();
    let mut told = [0; 2];
    for _ in 0..3 {
        scene.tick();
        told[0] += scene.told(1).len();
        told[1] += scene.told(2).len();
    }
    assert_eq!(told, [0, 3]);
    scene.carries[0].inventory.unit = object(0, 2);
    let [first, ..] = scene.ticks(3);
    assert_eq!(first.len(), 1, "another unit");
    scene.carries[0].inventory.unit = object(4096, 1);
    assert_eq!(scene.ticks(40), [vec![], vec![], vec![]], "of a machine's own half");
}

/// OBJ-13: who was behind and has been told what it lacked is told of every unit at the next look, and nobody else is.
#[test]
fn who_has_caught_up_is_told_of_every_unit() {
    let mut scene = Scene::new(2, &[armed(0), armed(1), armed(2)]);
    scene.settle();
    scene.ticks(6);
    scene.host.set_behind(MachineSet::only(machine(2)));
    scene.tick();
    scene.host.set_behind(MachineSet::NONE);
    scene.tick();
    let mut told = [0; 2];
    for _ in 0..3 {
        scene.tick();
        told[0] += scene.told(1).len();
        told[1] += scene.told(2).len();
    }
    assert_eq!(told, [0, 3]);
}

/// A steady tick allocates nothing.
#[test]
fn a_steady_look_allocates_nothing() {
    let units: Vec<_> = (0..50).map(armed).collect();
    let mut scene = Scene::new(4, &units);
    let run = |scene: &mut Scene, now: i32| {
        for row in &mut scene.carries {
            row.inventory.grenades[0] = now as u8 % 5;
        }
        scene.tick();
    };
    (0..60).for_each(|now| run(&mut scene, now));
    let info = allocation_counter::measure(|| (60..120).for_each(|now| run(&mut scene, now)));
    assert_eq!(info.count_total, 0);
}
