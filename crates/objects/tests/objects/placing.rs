//! A client that hears where objects are and what units carry.

use mjolnir_objects::{Class, Client, Command, Error, FADE_TICKS, Ignored, ObjectRow};
use mjolnir_wire::objects::{CarriedWeapon, Creation, Inventory, ObjectChange, ObjectState};
use mjolnir_wire::{MachineSet, ObjectId, Outbox, Vec3};

use super::carrying::armed;
use super::states::{Scene, view};
use super::{object, row, thing, tick};

/// A client and the rows of an engine that does what it is told, but for moving anything by itself.
struct Copy {
    client: Client,
    rows: Vec<ObjectRow>,
    living: Vec<ObjectId>,
    now: i32,
}

impl Copy {
    fn with(rows: &[ObjectRow]) -> Self {
        let mut client = Client::new();
        client.loaded(tick(0));
        Self { client, rows: rows.to_vec(), living: Vec::new(), now: 0 }
    }

    fn row(&mut self, object: ObjectId) -> &mut ObjectRow {
        self.rows.iter_mut().find(|row| row.state.object == object).unwrap()
    }

    /// A tick; what it did after making and deleting.
    fn tick(&mut self) -> Vec<Command> {
        let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
        self.client.tick(tick(self.now), &self.rows, &mut commands, &mut outbox);
        for command in commands.drain(..) {
            match command {
                Command::Make(Creation { object, tag, .. }) => {
                    // Its tag says here what it is.
                    let class = if tag.0 == 1 { Class::Unit } else { Class::Weapon };
                    self.rows.push(ObjectRow { class, tag, ..row(object) });
                }
                Command::Delete(object) => self.rows.retain(|row| row.state.object != object),
                other => panic!("{other:?}"),
            }
        }
        self.client.settle(&self.rows, &self.living, &mut commands);
        for command in &commands {
            if let Command::Place { object, motion, at_rest, dead } = *command {
                let ObjectRow { state, .. } = self.row(object);
                *state = ObjectState { motion, at_rest, dead, ..*state };
            }
        }
        self.now += 1;
        commands
    }

    /// A tick in which the host tells of that object.
    fn is_told(&mut self, creation: Creation) -> Vec<Command> {
        self.client.handle_change(&ObjectChange::Create(creation)).unwrap();
        self.tick()
    }

    fn hears(&mut self, states: &[ObjectState]) -> Vec<Command> {
        for state in states {
            self.client.handle_state(tick(self.now), state).unwrap();
        }
        self.tick()
    }

    fn carries(&mut self, inventory: &Inventory) -> Vec<Command> {
        self.client.handle_inventory(tick(self.now), inventory).unwrap();
        self.tick()
    }

    fn make(&mut self, index: u16, tag: u32) {
        let mut creation = thing(index, 1);
        creation.tag.0 = tag;
        self.client.handle_change(&ObjectChange::Create(creation)).unwrap();
    }
}

fn moving(index: u16, x: f32) -> ObjectState {
    let mut state = row(object(index, 1)).state;
    state.motion.position.x += x;
    ObjectState { at_rest: false, ..state }
}

fn classed(index: u16, class: Class) -> ObjectRow {
    ObjectRow { class, ..row(object(index, 1)) }
}

fn places(commands: &[Command]) -> Vec<f32> {
    let place = |command: &Command| match command {
        Command::Place { motion, .. } => Some(motion.position.x),
        _ => None,
    };
    commands.iter().filter_map(place).collect()
}

/// OBJ-26, 42: a copy is put where the host has it, exactly and at once past 1 wu, and drawn from where it was; past
/// 10 wu it is drawn there.
#[test]
fn a_copy_is_put_right_and_drawn_fading() {
    let mut copy = Copy::with(&[row(object(0, 1))]);
    let commands = copy.hears(&[moving(0, 1.5)]);
    assert_eq!(places(&commands), [1.5]);
    let mut drawn = vec![0.0];
    let mut note = |commands: &[Command]| {
        for command in commands {
            if let Command::Offset { offset, .. } = command {
                drawn.push(1.5 + offset.x);
            }
        }
    };
    note(&commands);
    for _ in 0..10 {
        note(&copy.tick());
    }
    assert_eq!(drawn.len(), 2 + usize::from(FADE_TICKS));
    assert!(drawn.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.8), "{drawn:?}");
    assert_eq!(drawn.last(), Some(&1.5));

    let far = copy.hears(&[moving(0, 11.6)]);
    assert_eq!(places(&far), [11.6]);
    assert_eq!(far.len(), 1, "nothing fades");
}

/// OBJ-23, 24, 25: rest is taken where the place is left; a body that the host moves stops resting.
#[test]
fn rest_is_the_hosts() {
    let mut copy = Copy::with(&[classed(0, Class::Unit)]);
    copy.rows[0].state.dead = true;
    let body = ObjectState { dead: true, ..moving(0, 0.01) };
    let commands = copy.hears(&[body]);
    assert!(matches!(commands[..], [Command::Place { at_rest: false, dead: true, .. }]), "{commands:?}");
    assert_eq!(copy.rows[0].state.motion.position.x, 0.0);
    let commands = copy.hears(&[ObjectState { at_rest: true, ..body }]);
    assert!(matches!(commands[..], [Command::Place { at_rest: true, dead: true, .. }]), "{commands:?}");
    assert_eq!(copy.rows[0].state.motion.position.x, 0.0);
    assert_eq!(copy.hears(&[ObjectState { at_rest: true, ..body }]), []);
}

/// OBJ-40, 41: a state of what is not there, or of what stood there before, changes nothing and is counted; once it is
/// there the next one counts. In the tick of its creation it counts already.
#[test]
fn a_state_of_another_object_is_ignored() {
    let mut copy = Copy::with(&[row(object(7, 3))]);
    let stale = ObjectState { object: object(7, 2), ..moving(7, 5.0) };
    assert_eq!(copy.hears(&[stale, moving(9, 5.0)]), []);
    assert_eq!(copy.client.ignored(), Ignored { unknown: 1, stale: 1, ..Ignored::default() });
    assert_eq!(copy.rows, [row(object(7, 3))]);
    copy.make(9, 9);
    assert_eq!(places(&copy.hears(&[moving(9, 5.0)])), [14.0]);
    // A deletion that comes by stream before the last states that were sent.
    copy.client.handle_change(&ObjectChange::Delete(object(9, 1))).unwrap();
    let commands = copy.hears(&[moving(9, 6.0)]);
    assert_eq!(commands, [], "nor is what is gone drawn anywhere");
    assert_eq!(copy.client.ignored().unknown, 2);
}

/// OBJ-12, 18, NET-13, WIRE-76: a place in each machine's own half is refused, and so is what is older than the newest of its kind; of
/// several words on one object the last counts.
#[test]
fn what_is_old_or_not_the_hosts_is_refused() {
    let mut copy = Copy::with(&[row(object(0, 1)), classed(1, Class::Unit)]);
    copy.now = 100;
    assert_eq!(copy.client.handle_state(tick(100), &moving(4096, 0.0)), Err(Error::NotTheHosts));
    assert_eq!(places(&copy.hears(&[moving(0, 3.0), moving(0, 5.0)])), [5.0]);
    assert_eq!(copy.client.handle_state(tick(99), &moving(0, 3.0)), Err(Error::Old));
    let empty = Inventory::empty(object(1, 1));
    assert_eq!(copy.client.handle_inventory(tick(100), &empty), Ok(()));
    assert_eq!(copy.client.handle_inventory(tick(90), &empty), Err(Error::Old));
    let own = Inventory::empty(object(4096, 1));
    assert_eq!(copy.client.handle_inventory(tick(100), &own), Err(Error::NotTheHosts));
    let mut twice = armed(1);
    twice.weapons[1] = twice.weapons[0];
    assert_eq!(copy.client.handle_inventory(tick(100), &twice), Err(Error::CarriedTwice));
    twice.weapons = [None; 4];
    twice.weapons[3] = Some(CarriedWeapon { object: object(1, 1), total: [0; 2], loaded: [0; 2], age: 0 });
    assert_eq!(copy.client.handle_inventory(tick(100), &twice), Err(Error::CarriedTwice), "itself");
}

/// A state of what a unit carries, sent before it was picked up and come after, moves nothing; once it lies in the world
/// again the next one counts.
#[test]
fn what_is_carried_has_no_place() {
    let mut copy = Copy::with(&[row(object(0, 1))]);
    copy.rows[0].state.carried = true;
    assert_eq!(copy.hears(&[moving(0, 3.0)]), []);
    copy.rows[0].state.carried = false;
    assert_eq!(copy.hears(&[ObjectState { carried: true, ..moving(0, 3.0) }]), []);
    assert_eq!(places(&copy.hears(&[moving(0, 3.0)])), [3.0]);
    assert_eq!(copy.client.ignored(), Ignored::default());
}

/// A living player's unit is put and killed by no state of an object; the same unit as a body is.
#[test]
fn a_living_players_unit_is_left_to_the_players() {
    let mut copy = Copy::with(&[classed(0, Class::Unit)]);
    copy.living = vec![object(0, 1)];
    let dead = ObjectState { dead: true, ..moving(0, 3.0) };
    assert_eq!(copy.hears(&[dead]), []);
    copy.living.clear();
    assert_eq!(places(&copy.hears(&[dead])), [3.0]);
}

/// OBJ-28, 51: a unit's light is told as it changes; a state without one leaves it; no other thing has one.
#[test]
fn a_light_is_a_units() {
    let mut copy = Copy::with(&[classed(0, Class::Unit), classed(1, Class::Vehicle)]);
    let lit = |index, light| ObjectState { light, ..row(object(index, 1)).state };
    assert_eq!(copy.hears(&[lit(0, None)]), []);
    let on = Command::Light { object: object(0, 1), on: true };
    assert_eq!(copy.hears(&[lit(0, Some(true)), lit(1, Some(true))]), [on]);
    assert_eq!(copy.client.ignored(), Ignored { wrong_class: 1, ..Ignored::default() });
    copy.rows[0].state.light = Some(true);
    assert_eq!(copy.hears(&[lit(0, Some(true))]), []);
    assert_eq!(copy.hears(&[lit(0, Some(false))]), [Command::Light { object: object(0, 1), on: false }]);
}

/// OBJ-14: what a unit carries is carried out once the unit and all the weapons are there.
#[test]
fn a_unit_carries_what_the_hosts_does() {
    let rows = [classed(0, Class::Unit), row(object(100, 1)), row(object(200, 1))];
    let mut copy = Copy::with(&rows);
    assert_eq!(copy.carries(&armed(0)), [Command::Carry(armed(0))]);
    assert_eq!(copy.tick(), [], "once");
    let empty = Inventory::empty(object(0, 1));
    copy.client.handle_inventory(tick(copy.now), &armed(0)).unwrap();
    assert_eq!(copy.carries(&empty), [Command::Carry(empty)], "the newest");
}

/// OBJ-52: an inventory that comes before its creations is kept, and carried out in the tick in which the last is made.
#[test]
fn an_inventory_waits_for_its_objects() {
    let mut copy = Copy::with(&[]);
    assert_eq!(copy.carries(&armed(0)), []);
    copy.make(0, 1);
    copy.make(100, 9);
    assert_eq!(copy.tick(), []);
    assert_eq!(copy.tick(), []);
    copy.make(200, 9);
    assert_eq!(copy.tick(), [Command::Carry(armed(0))]);
    assert_eq!(copy.client.ignored(), Ignored::default());
}

/// OBJ-52: it goes with its unit, and with its time: what has its names later is another's. Both sides of ten seconds.
#[test]
fn an_inventory_goes_with_its_unit() {
    let mut copy = Copy::with(&[classed(0, Class::Unit), row(object(100, 1))]);
    copy.carries(&armed(0));
    copy.client.handle_change(&ObjectChange::Delete(object(0, 1))).unwrap();
    copy.tick();
    copy.make(0, 1);
    copy.make(200, 9);
    assert_eq!(copy.tick(), []);
    for (late, carried) in [(299, 1), (300, 0)] {
        let mut copy = Copy::with(&[classed(0, Class::Unit), row(object(100, 1))]);
        copy.client.handle_inventory(tick(0), &armed(0)).unwrap();
        for _ in 0..late {
            assert_eq!(copy.tick(), []);
        }
        copy.make(200, 9);
        assert_eq!(copy.tick().len(), carried, "{late}");
    }
}

/// OBJ-52: whatever the order in which units, weapons and what they carry come to be known, each unit carries in the end
/// what the host's does; a hundred orders.
#[test]
fn whatever_comes_first_each_carries_its_own() {
    for seed in 1..=100_u64 {
        let mut chance = seed;
        let mut copy = Copy::with(&[]);
        let made = (0..10_u16).flat_map(|unit| [(unit, 1), (unit + 100, 9), (unit + 200, 9)]);
        let mut left: Vec<_> = made.map(Some).chain([None]).collect();
        let mut carried = Vec::new();
        while !left.is_empty() {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match left.swap_remove((chance >> 33) as usize % left.len()) {
                Some((index, tag)) => copy.make(index, tag),
                None => {
                    for unit in 0..10 {
                        copy.client.handle_inventory(tick(copy.now), &armed(unit)).unwrap();
                    }
                }
            }
            carried.extend(copy.tick().into_iter().filter(|command| matches!(command, Command::Carry(_))));
        }
        carried.sort_by_key(|command| match command {
            Command::Carry(inventory) => inventory.unit,
            _ => unreachable!("they were filtered"),
        });
        let all: Vec<_> = (0..10).map(|unit| Command::Carry(armed(unit))).collect();
        assert_eq!(carried, all, "seed {seed}");
    }
}

/// NET-13: of states that overtake one another by up to 200 ms for ten minutes, a third of them late, none puts an object
/// back to where it was before.
#[test]
fn a_late_state_puts_nothing_back() {
    let mut copy = Copy::with(&[row(object(0, 1))]);
    let mut chance = 5_u64;
    let mut on_their_way: Vec<(i32, i32)> = Vec::new();
    let (mut last, mut late, mut taken) = (0.0, 0, 0);
    for sent in 1..18_000 {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let delay = if (chance >> 33).is_multiple_of(3) { (chance >> 40) as i32 % 7 } else { 0 };
        on_their_way.push((sent + delay, sent));
        for (_, of) in on_their_way.extract_if(.., |(due, _)| *due <= sent) {
            // Two world units a tick: each word is followed at once.
            match copy.client.handle_state(tick(of), &moving(0, 2.0 * of as f32)) {
                Ok(()) => taken += 1,
                Err(error) => {
                    assert_eq!(error, Error::Old);
                    late += 1;
                }
            }
        }
        copy.now = sent;
        copy.tick();
        let x = copy.rows[0].state.motion.position.x;
        assert!(x >= last, "seed 5, tick {sent}: from {last} to {x}");
        last = x;
    }
    assert!(late > 2_000 && taken > 12_000, "{late} {taken}");
}

/// OBJ-51, WIRE-76: an inventory of what is no unit, or with what is no weapon, is ignored and counted, and the others are taken.
#[test]
fn an_inventory_is_a_units_with_weapons() {
    let rows = [
        classed(0, Class::Unit),
        row(object(100, 1)),
        row(object(200, 1)),
        classed(1, Class::Vehicle),
        row(object(101, 1)),
        row(object(201, 1)),
        classed(2, Class::Unit),
        row(object(102, 1)),
        classed(202, Class::Equipment),
    ];
    let mut copy = Copy::with(&rows);
    for unit in [1, 2, 0] {
        copy.client.handle_inventory(tick(0), &armed(unit)).unwrap();
    }
    assert_eq!(copy.tick(), [Command::Carry(armed(0))]);
    assert_eq!(copy.client.ignored(), Ignored { wrong_class: 2, ..Ignored::default() });
    assert_eq!(copy.tick(), []);
}

/// OBJ-51: units that are said to carry one another, or in a ring, carry nothing: what is no weapon is in no hand. Each is
/// counted, and nothing changes. A creation names no object that owns it, so that none can close a ring.
#[test]
fn units_that_carry_one_another_carry_nothing() {
    let mut copy = Copy::with(&[0, 1, 2].map(|index| classed(index, Class::Unit)));
    for unit in 0..3_u16 {
        let mut inventory = Inventory::empty(object(unit, 1));
        inventory.weapons[0] =
            Some(CarriedWeapon { object: object((unit + 1) % 3, 1), total: [0; 2], loaded: [0; 2], age: 0 });
        copy.client.handle_inventory(tick(copy.now), &inventory).unwrap();
    }
    assert_eq!(copy.tick(), []);
    assert_eq!(copy.client.ignored(), Ignored { wrong_class: 3, ..Ignored::default() });
    assert_eq!(copy.tick(), []);
}

/// OBJ-41: 70 000 objects made and deleted in one place, with every identifier that there is used more than once: at each
/// the newest name matches, those before it do not, and what was said of them changes nothing.
#[test]
fn a_place_used_seventy_thousand_times_mistakes_nothing() {
    let mut copy = Copy::with(&[classed(0, Class::Unit)]);
    let name = |number: u32| object(9, (number % 0xFFFF) as u16 + 1);
    for number in 0..70_000 {
        let change = ObjectChange::Create(Creation { object: name(number), ..thing(9, 1) });
        copy.client.handle_change(&change).unwrap();
        let stale = ObjectState { object: name(number + 0xFFFE), ..moving(9, 4.0) };
        assert_eq!(copy.hears(&[stale]), [], "{number}");
        assert!(copy.client.exists(name(number)) && !copy.client.exists(stale.object));
        if number % 2 == 0 {
            copy.client.handle_change(&ObjectChange::Delete(name(number))).unwrap();
            copy.tick();
            assert!(!copy.client.exists(name(number)));
        }
    }
    assert_eq!(copy.rows.len(), 1 + usize::from(69_999 % 2 != 0));
    assert_eq!(copy.client.ignored().stale, 70_000);
}

/// A steady tick allocates nothing: states that move copies, offsets that fade, inventories that are carried out.
#[test]
fn a_steady_tick_of_a_client_allocates_nothing() {
    let rows: Vec<_> =
        (0..300).map(|index| classed(index, if index < 50 { Class::Unit } else { Class::Weapon })).collect();
    let mut client = Client::new();
    client.loaded(tick(0));
    let (mut outbox, mut commands) = (Outbox::new(), Vec::new());
    let mut run = |now: i32| {
        outbox.begin(tick(now), now);
        commands.clear();
        for object in rows.iter().map(|row| row.state.object) {
            client.handle_change(&ObjectChange::Create(thing(object.index() as u16, 1))).unwrap();
            let wobbles = moving(object.index() as u16, (now % 3) as f32);
            client.handle_state(tick(now), &wobbles).unwrap();
        }
        for unit in 0..50 {
            client.handle_inventory(tick(now), &armed(unit)).unwrap();
        }
        client.handle_synchronized();
        client.tick(tick(now), &rows, &mut commands, &mut outbox);
        assert!(commands.is_empty());
        client.settle(&rows, &[], &mut commands);
        assert!(commands.len() > 50);
    };
    (0..30).for_each(&mut run);
    let info = allocation_counter::measure(|| (30..90).for_each(&mut run));
    assert_eq!(info.count_total, 0);
}

/// OBJ-27: of twelve bodies that come to rest one after another while a third of all datagrams is lost, none hangs in the
/// air a second after it does: what its three words did not say its turn does.
#[test]
fn a_body_whose_word_of_rest_is_lost_does_not_hang() {
    for seed in 1..=20_u64 {
        let mut scene = Scene::new(1);
        scene.views.push(view(1, object(900, 1), 0.0, MachineSet::NONE));
        let body = |index: u16, at_rest| {
            let mut row = ObjectRow { state: moving(index, 0.0), ..classed(index, Class::Unit) };
            // In the air until it rests.
            row.state.motion.position.z = if at_rest { 0.0 } else { 20.0 };
            ObjectRow { state: ObjectState { at_rest, dead: true, ..row.state }, ..row }
        };
        scene.rows = (0..12).map(|index| body(index, false)).collect();
        let mut copy = Copy::with(&scene.rows);
        let mut chance = seed;
        let mut lost = 0;
        for now in 0..12 * 8 + 30_usize {
            if now % 8 == 0 && now / 8 < 12 {
                scene.rows[now / 8] = body((now / 8) as u16, true);
            }
            scene.tick();
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if (chance >> 33).is_multiple_of(3) {
                lost += 1;
                copy.tick();
            } else {
                copy.hears(&scene.states(1));
            }
            let long_since = now.saturating_sub(22) / 8;
            for (own, host) in copy.rows.iter().zip(&scene.rows).take(long_since) {
                assert_eq!(own.state, host.state, "seed {seed}, tick {now}");
            }
        }
        assert!(lost > 20, "seed {seed}: {lost} ticks were lost");
    }
}

/// Any numbers of the bytes' range leave places finite.
#[test]
fn far_places_stay_finite() {
    let mut copy = Copy::with(&[row(object(0, 1))]);
    for x in [32768.0, -32768.0, 0.0, f32::MIN_POSITIVE] {
        let mut state = moving(0, 0.0);
        state.motion.position = Vec3::new(x, -x, x);
        copy.hears(&[state]);
        assert!(copy.rows[0].state.motion.position.is_finite());
    }
}

/// OBJ-10, 26: what the map placed, and the host has elsewhere by the time it tells of it, is put there with that word:
/// what rests past 0.05 wu, what moves too, a body lies; not again by a second word, nor what a unit carries, nor a
/// living player's unit; and a state that is newer counts instead.
#[test]
fn what_was_moved_before_it_was_told_of_is_put_there() {
    let ids = [1, 2, 3, 4, 5].map(|index| object(index, 1));
    let mut copy = Copy::with(&ids.map(row));
    let at = |index: usize, x: f32| {
        let position = row(ids[index]).state.motion.position + Vec3::new(x, 0.0, 0.0);
        Creation { at_rest: true, position, ..thing(ids[index].index() as u16, 1) }
    };
    let placed = |commands: &[Command]| -> Vec<(ObjectId, Vec3)> {
        let place = |command: &Command| match *command {
            Command::Place { object, motion, .. } => Some((object, motion.position)),
            _ => None,
        };
        commands.iter().filter_map(place).collect()
    };
    copy.row(ids[0]).state.at_rest = true;
    assert_eq!(placed(&copy.is_told(at(0, 0.049))), []);
    assert_eq!(placed(&copy.is_told(at(0, 0.051))), [], "a second word is no news of its place");

    let far = at(1, 3.0);
    assert_eq!(placed(&copy.is_told(far)), [(ids[1], far.position)]);
    assert!(copy.row(ids[1]).state.at_rest);
    assert_eq!(placed(&copy.is_told(at(1, 6.0))), []);

    assert_eq!(placed(&copy.is_told(Creation { carried: true, ..at(2, 3.0) })), []);
    copy.living.push(ids[3]);
    copy.row(ids[3]).class = Class::Unit;
    assert_eq!(placed(&copy.is_told(at(3, 3.0))), []);

    let mut newer = row(ids[4]).state;
    newer.motion.position.x += 1.0;
    copy.client.handle_state(tick(copy.now), &newer).unwrap();
    assert_eq!(placed(&copy.is_told(at(4, 3.0))), [(ids[4], newer.motion.position)]);
    assert_eq!(copy.client.ignored(), Ignored::default());
}
