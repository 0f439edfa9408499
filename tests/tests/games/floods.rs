//! A machine that floods its host in the middle of a game, and a host that lies to a client: what they may not say is
//! refused and counted, the others play the very game that they would have, and nothing grows.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mjolnir_engine_glue::Counters;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::kinds::Kind as Thing;
use mjolnir_tests::{Lab, Plan, Seating, Stir, Who, busy, still};
use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::objects::{
    CarriedWeapon, Creation, Inventory, Motion, ObjectChange, ObjectState, VehiclePrediction,
};
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Buttons, Input, MessageType, ObjectId, Slot, Tag, Tick, Vec3};

/// Ticks of a flood: twenty seconds.
const TICKS: u32 = 600;
/// Asks for the objects, in each of them.
const ASKS: u32 = 100;
/// Ticks in which what was said last comes.
const AFTER: u32 = 45;
/// Bytes by which a flooded game may keep more than the same one without: buffers that hold a tick's flood, and lists that
/// double a little sooner for it. Over eighty seconds the two keep the same to 4 KiB.
const SLACK: i64 = 192 << 10;
/// A place whose bytes are found in an entry.
const ODD: f32 = 33.062_5;
/// Nothing stands there.
const NOWHERE: usize = 4000;

/// A distributed message, whatever it says.
pub(super) fn said(kind: u8, count: u8, tick: Tick, body: &[u8]) -> Vec<u8> {
    let word = mjolnir_wire::message::word(MessageType::Data, 8 + body.len()).unwrap();
    [&word[..], &[kind, count], &tick.get().to_le_bytes(), body].concat()
}

fn bytes_of(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

/// The same entry with what is no number for [`ODD`].
fn not_finite(mut entry: Vec<u8>) -> Vec<u8> {
    let at = entry.windows(4).position(|four| *four == ODD.to_le_bytes()).expect("its place is in it");
    entry[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    entry
}

fn id(index: usize, identifier: u16) -> ObjectId {
    ObjectId::new(index as u16, identifier).unwrap()
}

/// Another object's name at the same index.
fn renamed(object: ObjectId) -> ObjectId {
    id(object.index(), object.identifier().wrapping_add(1).max(1))
}

fn motion() -> Motion {
    let position = Vec3::new(ODD, 1.0, 2.0);
    Motion { position, axes: Axes::UPRIGHT, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
}

fn state(object: ObjectId) -> Vec<u8> {
    bytes_of(|bytes| ObjectState::moving(object, motion()).write(bytes))
}

fn creation(object: ObjectId, tag: Tag) -> Vec<u8> {
    let creation = Creation::plain(object, tag, motion().position);
    bytes_of(|bytes| ObjectChange::Create(creation).write(bytes))
}

fn deletion(object: ObjectId) -> Vec<u8> {
    bytes_of(|bytes| ObjectChange::Delete(object).write(bytes))
}

fn carries(unit: ObjectId, weapons: &[ObjectId]) -> Vec<u8> {
    let mut inventory = Inventory::empty(unit);
    for (slot, object) in inventory.weapons.iter_mut().zip(weapons) {
        *slot = Some(CarriedWeapon { object: *object, total: [9; 2], loaded: [3; 2], age: 0 });
    }
    bytes_of(|bytes| inventory.write(bytes))
}

fn place_of(slot: Slot, unit: ObjectId) -> Vec<u8> {
    let placement = Placement { position: motion().position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    let life = Life::Alive(LivingUnit::whole(unit, placement));
    bytes_of(|bytes| UnitState { slot, shield: ShieldFlags::default(), life }.write(bytes))
}

fn input_of(slot: Slot, tick: Tick) -> Vec<u8> {
    input_as(slot, tick, tick, Input::default())
}

/// A player's input of that tick, that names that tick of the host's.
fn input_as(slot: Slot, tick: Tick, host_tick: Tick, input: Input) -> Vec<u8> {
    let (structure_bsp, friendly_fire, history) = (None, false, [input.buttons; 4]);
    let input = PlayerInput { slot, structure_bsp, friendly_fire, tick, host_tick, input, history };
    bytes_of(|bytes| input.write(bytes))
}

/// A thing that nobody takes, where the map has it.
fn cart(world: &World) -> ObjectId {
    world.objects().find(|id| world.kind(*id) == Some(Thing::Cart)).unwrap()
}

/// What was counted more, of all that is refused or dropped.
fn more(before: &Counters, after: &Counters) -> BTreeMap<&'static str, u64> {
    let all = |counters: &Counters| {
        let mut all = counters.refused.clone();
        let dropped = counters.dropped;
        all.extend([("unknown kind", dropped.unknown_kind), ("undecodable", dropped.undecodable)]);
        all.extend([("far stamp", dropped.far_stamp), ("needless", counters.needless_deletions)]);
        all
    };
    let (before, mut after) = (all(before), all(after));
    for (reason, count) in &mut after {
        *count -= before.get(reason).copied().unwrap_or(0);
    }
    after
}

/// A game as it was played: every machine's world after each of its ticks, and what all of them kept in its second half.
#[derive(Debug)]
struct Game {
    lab: Lab,
    worlds: Vec<(Who, Tick, u64)>,
    kept: i64,
}

/// Plays a game of a host and three clients in which objects are made, moved and deleted, with something said besides
/// in each tick. Of the clients only the first does anything, if `quiet`.
fn play(quiet: bool, besides: impl FnMut(&mut Lab)) -> Game {
    play_from(0, quiet, besides)
}

/// The same, begun at that tick.
fn play_from(start: i32, quiet: bool, mut besides: impl FnMut(&mut Lab)) -> Game {
    let hand = |of: u64| Seating::of(vec![if quiet && of > 1 { still() } else { busy(81_000 + of) }]);
    let plan = Plan { start, ..Plan::new("yard", 81, 3).network(30, 0.0) };
    let mut lab = Lab::play_as(plan, hand(0), |of| hand(of as u64 + 1));
    lab.run_seconds(2.0);
    let (mut stir, mut worlds) = (Stir::new(81), Vec::with_capacity(8 * TICKS as usize));
    let mut half = |lab: &mut Lab, ticks: u32, besides: &mut dyn FnMut(&mut Lab)| {
        for tick in 0..ticks {
            besides(lab);
            if tick % 4 == 0 {
                stir.once(lab.host.engine.world_mut());
            }
            lab.watch_ticks(1, |lab, who| {
                let world = match who {
                    Who::Host => lab.host.engine.world(),
                    Who::Client(place) => lab.clients[place].engine.world(),
                };
                worlds.push((who, world.tick(), world.state_hash()));
            });
        }
    };
    half(&mut lab, TICKS / 2, &mut besides);
    let kept = allocation_counter::measure(|| half(&mut lab, TICKS / 2, &mut besides)).bytes_current;
    half(&mut lab, AFTER, &mut |_| {});
    Game { lab, worlds, kept }
}

/// That both were one game, to the bit, and that one kept no more than the other.
fn assert_alike(honest: &Game, flooded: &Game) {
    assert_eq!(honest.worlds.len(), flooded.worlds.len());
    let differs = honest.worlds.iter().zip(&flooded.worlds).find(|(a, b)| a != b);
    assert_eq!(differs, None);
    let more = flooded.kept - honest.kept;
    assert!(more < SLACK, "{} bytes kept, and {} without", flooded.kept, honest.kept);
}

/// OBJ-48, NET-46, 33, AUTH-71, 72: a machine that plays says besides, for twenty seconds, what a client may not, by its
/// stream and by datagrams: objects made, over living ones too, deleted, moved and carried, unknown kinds, what
/// belongs to the other channel, players that are not its own, other units, places that are none, and a hundred asks for
/// the objects a tick. Each is counted by its reason, and every machine plays the very game that it would have.
#[test]
fn a_flood_changes_no_ones_game() {
    let honest = play(false, |_| {});
    let mut before = None;
    let flooded = play(false, |lab| {
        before.get_or_insert_with(|| lab.host.net.counters());
        let world = lab.host.engine.world();
        let (cart, slots) = (cart(world), [lab.clients[0].slot(), lab.clients[1].slot()]);
        let (unit, rifle) = (id(NOWHERE, 77), Thing::Rifle.tag());
        let tick = lab.clients[0].net.clock().tick().unwrap();
        let link = &mut lab.clients[0].network;
        for ask in 0..ASKS {
            link.write_besides(&said(9, (ask % 2) as u8, tick, &[]));
        }
        let by_stream: [(u8, u8, &[u8]); 9] = [
            (9, 2, &[]),
            (5, 1, &creation(cart, rifle)),
            (5, 1, &deletion(cart)),
            (8, 0, &[]),
            (4, 1, &carries(unit, &[cart])),
            (20, 0, &[]),
            (255, 1, &[1, 2, 3]),
            (1, 1, &place_of(slots[0], unit)),
            (14, 1, &input_of(slots[0], tick)),
        ];
        for (kind, count, body) in by_stream {
            link.write_besides(&said(kind, count, tick, body));
        }
        let by_datagram: [(u8, u8, &[u8]); 10] = [
            (6, 1, &state(cart)),
            (4, 1, &carries(unit, &[cart])),
            (2, 1, &place_of(slots[1], unit)),
            (9, 0, &[]),
            (5, 1, &deletion(cart)),
            (0, 1, &[]),
            (1, 1, &not_finite(place_of(slots[0], unit))),
            (1, 1, &place_of(slots[0], unit)),
            (1, 1, &place_of(slots[1], unit)),
            (14, 1, &input_of(slots[1], tick)),
        ];
        for (kind, count, body) in by_datagram {
            link.send_besides(&said(kind, count, tick, body));
        }
    });
    assert_alike(&honest, &flooded);
    let after = flooded.lab.host.net.counters();
    let counted = more(&before.unwrap(), &after);
    let ticks = u64::from(TICKS);
    for (reason, times) in [
        ("wrong_sender", 8),
        ("wrong_channel", 3),
        ("unknown kind", 3),
        ("undecodable", 1),
        ("not_finite", 1),
        ("not_owned", 2),
    ] {
        assert_eq!(counted[reason], times * ticks, "{reason}: {counted:?}");
    }
    // One or two of its own crossed a death.
    assert!((ticks..ticks + 10).contains(&counted["wrong_unit"]), "{counted:?}");
    // In twenty seconds it may have two lists, each for what it asked in one tick.
    let asks = u64::from(ASKS) * ticks;
    assert!((asks - 3 * u64::from(ASKS)..asks).contains(&counted["too_soon"]), "{counted:?}");
    assert_eq!(counted["far stamp"], 0);
}

/// The tick at which a game begins of which messages are stamped as if of long before.
const START: i32 = 1000;
/// Inputs of one player in a tick.
const INPUTS: u32 = 500;

/// AUTH-72, NET-11, WIRE-09, 64, 72: a machine that plays says besides, for twenty seconds, inputs of its own player that are not
/// newer than its last, five hundred a tick and one of five ticks ago, with buttons and sticks of their own; messages that are
/// stamped more than 450 ticks ahead and behind; an aim and a vehicle's place that are no numbers. Each is counted by its reason,
/// and every machine plays the very game that it would have.
#[test]
fn bad_inputs_change_no_ones_game() {
    // So late that a stamp so far behind is a tick.
    let honest = play_from(START, false, |_| {});
    let mut before = None;
    let flooded = play_from(START, false, |lab| {
        before.get_or_insert_with(|| lab.host.net.counters());
        let (slot, clock) = (lab.clients[0].slot(), lab.clients[0].net.clock());
        let (tick, host) = (clock.tick().unwrap(), clock.heard());
        let link = &mut lab.clients[0].network;
        let runs = Input { throttle: [-1.0, 1.0], buttons: Buttons::JUMP, ..Input::default() };
        let again = input_as(slot, tick, host, runs);
        for _ in 0..INPUTS {
            link.send_besides(&said(14, 1, tick, &again));
        }
        // The newest that the host has is of this tick or of the one before or after it: off by 451 at least, by 453 at most.
        let (ahead, behind) = (tick.plus(452), tick.minus(452));
        let nowhere =
            VehiclePrediction { object: id(NOWHERE, 77), time: tick.get() as u16, motion: motion() };
        let drives = bytes_of(|bytes| nowhere.write(bytes));
        let aims = |yaw, pitch| not_finite(input_as(slot, tick.next(), host, Input { yaw, pitch, ..runs }));
        let bad: [(u8, Tick, Vec<u8>); 6] = [
            (14, tick, input_as(slot, tick.minus(5), host, runs)),
            (14, ahead, input_as(slot, ahead, host, runs)),
            (14, behind, input_as(slot, behind, host, runs)),
            (14, tick, aims(ODD, 0.0)),
            (14, tick, aims(0.0, ODD)),
            (12, tick, not_finite(drives)),
        ];
        for (kind, stamp, body) in bad {
            link.send_besides(&said(kind, 1, stamp, &body));
        }
    });
    assert_alike(&honest, &flooded);
    let counted = more(&before.unwrap(), &flooded.lab.host.net.counters());
    let ticks = u64::from(TICKS);
    let of_a_tick = [("not_newer", u64::from(INPUTS) + 1), ("far stamp", 2), ("not_finite", 3)];
    for (reason, times) in of_a_tick {
        assert_eq!(counted[reason], times * ticks, "{reason}: {counted:?}");
    }
}

/// OBJ-12, 40, 41, 51, NET-46: a host says besides to one client, for twenty seconds, what is wrong: objects made over
/// living ones of the same name, deleted or moved by another's name or where nothing stands, in the half that is the
/// machine's own, at places that are none, units that carry each other or themselves, what a client says, what belongs to
/// the other channel. Each is counted, and everybody plays the very game that they would have.
#[test]
fn a_lying_host_changes_no_game() {
    let honest = play(true, |_| {});
    let (mut before, mut number) = (None, 0_usize);
    let lies: Rc<RefCell<Vec<Vec<u8>>>> = Rc::default();
    let flooded = play(true, |lab| {
        if before.is_none() {
            before = Some(lab.clients[0].net.counters());
            let lies = Rc::clone(&lies);
            lab.clients[0].network.meddle_with_stream(move |message| {
                let mut heard = vec![message.to_vec()];
                heard.append(&mut lies.borrow_mut());
                heard
            });
        }
        let world = lab.host.engine.world();
        let [Some(one), Some(other)] = [1, 2].map(|place| world.unit(lab.clients[place].slot())) else {
            return;
        };
        number += 1;
        let units = [one, other];
        let (cart, slot) = (cart(world), lab.clients[1].slot());
        let (nothing, own) = (id(NOWHERE + number % 8, 77), id(5000, 77));
        assert!(world.describe(nothing).is_none());
        let tick = lab.clients[0].net.clock().heard();
        // One of another tag would be another object, which a host may say (OBJ-01).
        let again = [cart, units[0]].map(|object| creation(object, world.describe(object).unwrap().tag));
        let rifle = Thing::Rifle.tag();
        let mut undone = creation(cart, rifle);
        undone[0] = 7;
        let by_stream: [(u8, u8, &[u8]); 14] = [
            (5, 1, &again[0]),
            (5, 1, &again[1]),
            (5, 1, &deletion(renamed(cart))),
            (5, 1, &deletion(nothing)),
            (5, 1, &creation(own, rifle)),
            (5, 1, &deletion(own)),
            (5, 1, &not_finite(creation(nothing, rifle))),
            (5, 1, &undone),
            (6, 1, &state(cart)),
            (4, 1, &carries(units[0], &[])),
            (9, 0, &[]),
            (14, 1, &input_of(slot, tick)),
            (20, 0, &[]),
            (2, 1, &place_of(slot, units[0])),
        ];
        lies.borrow_mut().extend(by_stream.map(|(kind, count, body)| said(kind, count, tick, body)));
        let mut grenades = carries(units[0], &[]);
        grenades[4] = 17;
        let by_datagram: [(u8, u8, &[u8]); 13] = [
            (5, 1, &deletion(cart)),
            (8, 0, &[]),
            (6, 1, &state(nothing)),
            (6, 1, &state(renamed(cart))),
            (6, 1, &not_finite(state(cart))),
            (6, 1, &state(own)),
            (4, 1, &carries(nothing, &[])),
            (4, 1, &carries(units[0], &[units[1]])),
            (4, 1, &carries(units[1], &[units[0]])),
            (4, 1, &carries(units[0], &[units[0]])),
            (4, 1, &grenades),
            (1, 1, &place_of(slot, units[0])),
            (2, 1, &not_finite(place_of(slot, units[0]))),
        ];
        let (host, link) = (lab.host.network.address(), &mut lab.clients[0].network);
        for (kind, count, body) in by_datagram {
            link.forge(host, &said(kind, count, tick, body));
        }
    });
    assert_alike(&honest, &flooded);
    let counted = more(&before.unwrap(), &flooded.lab.clients[0].net.counters());
    let times = number as u64;
    assert!(times > 400, "said {times} times");
    for (reason, each) in [
        ("wrong_sender", 3),
        ("wrong_channel", 5),
        ("unknown kind", 1),
        ("not_finite", 3),
        ("not_the_hosts", 3),
        ("needless", 2),
        ("bad_flag", 1),
        ("carried_twice", 1),
        ("out_of_range", 1),
    ] {
        assert_eq!(counted[reason], each * times, "{reason}: {counted:?}");
    }
    // Of what two ticks say of one object the newer counts.
    for (reason, each) in [("unknown_object", 1), ("stale_object", 1), ("wrong_class", 2)] {
        let of = each * times;
        assert!((of * 9 / 10..=of).contains(&counted[reason]), "{reason}: {counted:?}");
    }
    assert_eq!((counted["undecodable"], counted["far stamp"]), (0, 0));
}
