//! What each client is sent of the players, and when, beside what the rows ask for: worked out here anew from where the
//! host had everybody, by no code of the netcode's.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use mjolnir_engine_glue::host;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::seam::level_of;
use mjolnir_tests::{Hand, Lab, Plan, Seating, Way, Who, bot, messages, still};
use mjolnir_wire::inputs::RelayedActions;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::{Buttons, Input, Kind, Machine, ObjectId, Slot, Vec3};

/// Ticks that each step of the ladder divides.
const WINDOW: i32 = 120;

/// A living player as the host had it after a tick.
#[derive(Clone, Copy, Debug)]
struct Lives {
    at: Vec3,
    cluster: Option<u16>,
    /// Radians: yaw and pitch.
    aim: (f32, f32),
    scoped: bool,
    unit: ObjectId,
    rides: Option<(ObjectId, u8)>,
}

/// Buttons, weapon, grenade and zoom.
type Choices = (u16, Option<u8>, Option<u8>, Option<u16>);

/// A player as the host had it after a tick.
#[derive(Clone, Copy, Debug)]
struct Was {
    machine: Machine,
    left: bool,
    lives: Option<Lives>,
    /// What must not be missed of what drove it.
    choices: Option<Choices>,
}

/// Every player after one tick, by slot.
type Moment = BTreeMap<u8, Was>;

/// From where a machine sees, by tick; and whether who sees lives.
type Eyes = BTreeMap<i32, Vec<(Lives, bool)>>;

/// What was seen of a game in which all clients were listened to.
struct Seen {
    moments: BTreeMap<i32, Moment>,
    /// Which clusters see which, beside themselves.
    sees: BTreeSet<(u16, u16)>,
    /// By machine and slot the ticks in which a unit's state came, and an input.
    states: BTreeMap<(u8, u8), BTreeSet<i32>>,
    inputs: BTreeMap<(u8, u8), BTreeSet<i32>>,
    /// By machine the ticks of which anything came by datagram.
    heard: BTreeMap<u8, BTreeSet<i32>>,
}

fn moment(lab: &Lab) -> Moment {
    let world = lab.host.engine.world();
    let was = |slot: Slot| {
        let player = world.player(slot)?;
        let lives = world.unit(slot).and_then(|unit| {
            // Who rides is where the vehicle is.
            let ridden = world.ride(unit).and_then(|(vehicle, _)| Some(world.motion(vehicle)?.position));
            Some(Lives {
                at: ridden.or_else(|| world.position(slot))?,
                cluster: world.map().clusters.at(world.position(slot)?),
                aim: world.aim(slot)?,
                scoped: player.input.zoom.is_some(),
                unit,
                rides: world.ride(unit),
            })
        });
        let choices = lab.host.engine.notes.driven[slot.index()]
            .map(|input| (input.buttons.low16(), input.weapon, input.grenade, input.zoom));
        Some((slot.get(), Was { machine: player.machine, left: player.left, lives, choices }))
    };
    Slot::all().filter_map(was).collect()
}

impl Seen {
    /// Plays so many ticks, with all clients listened to; `meddle` is called before each tick, with its number in them.
    fn of(lab: &mut Lab, ticks: i32, mut meddle: impl FnMut(&mut Lab, i32)) -> Self {
        let before = lab.tick();
        let mut moments = BTreeMap::from([(before.get(), moment(lab))]);
        for seat in &mut lab.clients {
            seat.network.listen();
        }
        for number in 0..ticks {
            meddle(lab, number);
            lab.watch_ticks(1, |lab, who| {
                if who == Who::Host {
                    moments.insert(lab.tick().get(), moment(lab));
                }
            });
        }
        lab.run_ticks(4);
        let sees = &lab.host.engine.world().map().clusters.sees;
        let sees = sees.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]).collect();
        let mut seen =
            Self { moments, sees, states: BTreeMap::new(), inputs: BTreeMap::new(), heard: BTreeMap::new() };
        for (place, seat) in lab.clients.iter().enumerate() {
            seen.hear(place as u8 + 1, seat);
        }
        seen
    }

    fn hear(&mut self, machine: u8, seat: &mjolnir_tests::Seat<mjolnir_engine_glue::Client>) {
        messages(seat.network.passed(), Way::In, |_, message| {
            let tick = message.tick.get();
            match message.kind {
                Kind::UnitStates => UnitState::read_all(message).flatten().for_each(|state| {
                    let ticks = self.states.entry((machine, state.slot.get())).or_default();
                    assert!(ticks.insert(tick), "{:?} twice in tick {tick}", state.slot);
                }),
                Kind::RelayedActions => RelayedActions::read(message).unwrap().flatten().for_each(|action| {
                    let ticks = self.inputs.entry((machine, action.slot.get())).or_default();
                    assert!(ticks.insert(tick), "{:?} twice in tick {tick}", action.slot);
                }),
                _ => return,
            }
            self.heard.entry(machine).or_default().insert(tick);
        });
    }

    fn can_see(&self, from: Option<u16>, to: Option<u16>) -> bool {
        match (from, to) {
            (Some(from), Some(to)) => from == to || self.sees.contains(&(from, to)),
            _ => true,
        }
    }

    /// From where that machine sees after that tick: its living players, or where each of its own last lived.
    fn eyes(&self, machine: u8, tick: i32) -> Vec<(Lives, bool)> {
        let own = |moment: &Moment| -> Vec<(u8, Option<Lives>)> {
            let own = moment.iter().filter(|(_, was)| was.machine.get() == machine && !was.left);
            own.map(|(slot, was)| (*slot, was.lives)).collect()
        };
        let now = own(&self.moments[&tick]);
        let living: Vec<_> = now.iter().filter_map(|(_, lives)| lives.map(|lives| (lives, true))).collect();
        if !living.is_empty() {
            return living;
        }
        let last = |slot: u8| {
            let earlier = self.moments.range(..tick).rev();
            earlier.filter_map(|(_, moment)| moment.get(&slot)?.lives).next()
        };
        now.iter().filter_map(|(slot, _)| last(*slot).map(|lives| (lives, false))).collect()
    }

    /// Whether any of those eyes can see that player, by what the map says.
    fn in_sight(&self, eyes: &[(Lives, bool)], lives: &Lives) -> bool {
        eyes.is_empty() || eyes.iter().any(|(eye, _)| self.can_see(eye.cluster, lives.cluster))
    }

    /// Each how many ticks the rows want that player sent to that machine, as things were after that tick: none where a bound
    /// is so near that this cannot tell.
    fn each(&self, machine: u8, eyes: &Eyes, slot: u8, tick: i32) -> Option<i32> {
        let was = self.moments[&tick][&slot];
        if was.machine.get() == machine {
            return Some(1);
        }
        let Some(lives) = was.lives else { return Some(6) };
        let eyes = &eyes[&tick];
        let mut each = if self.in_sight(eyes, &lives) { 4 } else { 6 };
        let (mut aimed, mut scoped) = (false, false);
        let mut nearest = f64::INFINITY;
        for (eye, is_alive) in eyes {
            let [x, y, z] = (lives.at - eye.at).to_array().map(f64::from);
            let distance = (x * x + y * y + z * z).sqrt();
            nearest = nearest.min(distance);
            if !is_alive || distance == 0.0 {
                continue;
            }
            let (yaw, pitch) = (f64::from(eye.aim.0), f64::from(eye.aim.1));
            let along = x * yaw.cos() * pitch.cos() + y * yaw.sin() * pitch.cos() + z * pitch.sin();
            let degrees = (along / distance).clamp(-1.0, 1.0).acos().to_degrees();
            if (degrees - 35.0).abs() < 0.01 || (eye.scoped && (degrees - 20.0).abs() < 0.01) {
                return None;
            }
            aimed |= degrees < 35.0;
            scoped |= eye.scoped && degrees < 20.0;
        }
        if [25.0, 60.0, 120.0].iter().any(|bound| (nearest - bound).abs() < 0.001) {
            return None;
        }
        if each == 4 {
            each = match nearest {
                ..25.0 => 1,
                ..60.0 => 2,
                ..120.0 => 3,
                _ => 4,
            };
        }
        Some(if scoped {
            1
        } else if aimed {
            each.min(2)
        } else {
            each
        })
    }

    /// Whether something that others see of that player changed in that tick, or it came into that machine's sight.
    fn at_once(&self, eyes: &Eyes, slot: u8, tick: i32) -> bool {
        let Some(before) = self.moments.get(&(tick - 1)).map(|moment| moment.get(&slot)) else {
            return false;
        };
        let now = self.moments[&tick][&slot].lives;
        let Some(before) = before.map(|was| was.lives) else { return true };
        match (before, now) {
            (None, None) => false,
            (Some(before), Some(now)) => {
                let sees = |tick, lives| self.in_sight(&eyes[&tick], &lives);
                before.unit != now.unit
                    || before.rides != now.rides
                    || (sees(tick, now) && !sees(tick - 1, before))
            }
            _ => true,
        }
    }
}

/// What the comparison came to.
#[derive(Debug, Default)]
struct Compared {
    pairs: usize,
    /// Windows of a pair whose step never changed, by step.
    steady: BTreeMap<i32, usize>,
    at_once: usize,
    hidden_within_25: usize,
    states: usize,
}

/// Holds what every client was sent against the rows, for every machine and player.
fn compare(seen: &Seen) -> Compared {
    let mut compared = Compared::default();
    let first = *seen.moments.keys().next().unwrap() + 1;
    let last = *seen.moments.keys().last().unwrap();
    let nothing = BTreeSet::new();
    let slots: Vec<u8> = seen.moments[&last].keys().copied().collect();
    for (machine, heard) in &seen.heard {
        let is_gone = |tick: i32| {
            let moment: &Moment = &seen.moments[&tick];
            moment.values().all(|was| was.machine.get() != *machine || was.left)
        };
        let end = (first..=last).find(|tick| is_gone(*tick)).unwrap_or(last + 1);
        for tick in first..end.min(last + 1) {
            // Who leaves is told nothing from then on; that it left shows up to a second later.
            assert!(heard.contains(&tick) || end <= last, "machine {machine} heard nothing in tick {tick}");
        }
        if end <= last {
            continue;
        }
        let eyes: Eyes = (first - 1..=last).map(|tick| (tick, seen.eyes(*machine, tick))).collect();
        for slot in &slots {
            let of = |by: &BTreeMap<(u8, u8), BTreeSet<i32>>| {
                by.get(&(*machine, *slot)).unwrap_or(&nothing).clone()
            };
            let (states, inputs) = (of(&seen.states), of(&seen.inputs));
            compare_pair(seen, (*machine, &eyes), *slot, first..=last, (&states, &inputs), &mut compared);
        }
    }
    compared
}

fn compare_pair(
    seen: &Seen,
    (machine, eyes): (u8, &Eyes),
    slot: u8,
    ticks: RangeInclusive<i32>,
    (states, inputs): (&BTreeSet<i32>, &BTreeSet<i32>),
    compared: &mut Compared,
) {
    let of = format!("player {slot} to machine {machine}");
    let first = *ticks.start();
    compared.pairs += 1;
    let mut last = None;
    let mut steady = (0, 0, 0);
    let (mut earned, mut causes, mut came) = (0.0, 1, 0);
    let mut changed = (seen.moments[&(first - 1)].get(&slot).map(|was| was.choices), i32::MIN);
    for tick in ticks {
        let was = seen.moments[&tick][&slot];
        let is_sent = states.contains(&tick);
        if was.left {
            let before = seen.moments[&(tick - 1)][&slot];
            assert_eq!(is_sent, !before.left, "{of} in {tick}, which left");
            assert!(!inputs.contains(&tick), "{of}: an input of who left in {tick}");
            continue;
        }
        let (each, at_once) = (seen.each(machine, eyes, slot, tick), seen.at_once(eyes, slot, tick));
        compared.at_once += usize::from(at_once);
        assert!(is_sent || !at_once, "{of}: what changed in {tick} did not go then");
        if is_sent {
            (last, came) = (Some(tick), came + 1);
            compared.states += 1;
        }
        if let (Some(each), Some(last)) = (each, last.or(Some(first - 1).filter(|_| tick >= first + 6))) {
            assert!(tick - last < each, "{of}: {} ticks without, in {tick}, of {each}", tick - last);
        }
        // So often as the rows say, in every window in which they say the same.
        let key = each.unwrap_or(0);
        if at_once || key == 0 || key != steady.0 {
            // What came early moves no turn: it counts from one step's time on.
            steady = (key, -key, 0);
            causes += 1;
        } else {
            steady.1 += 1;
            steady.2 += i32::from(is_sent && steady.1 > 0);
            if steady.1 == WINDOW {
                assert_eq!(steady.2, WINDOW / key, "{of}: until {tick}");
                *compared.steady.entry(key).or_default() += 1;
                let near = |lives: &Lives| eyes[&tick].iter().any(|eye| eye.0.at.distance(lives.at) < 24.0);
                compared.hidden_within_25 += usize::from(key == 6 && was.lives.as_ref().is_some_and(near));
                (steady.1, steady.2) = (0, 0);
            }
        }
        earned += 1.0 / f64::from(each.unwrap_or(1));

        // An input goes with the state, and while it changes and for three ticks more; nobody's own, and no dead one's.
        if changed.0 != Some(was.choices) {
            changed = (Some(was.choices), tick);
        }
        let lately = (tick - 5..tick).any(|tick| {
            seen.moments.get(&tick).and_then(|moment| moment.get(&slot)).is_none_or(|was| was.lives.is_none())
        });
        if was.machine.get() == machine || was.lives.is_none() {
            assert!(!inputs.contains(&tick), "{of}: an input in {tick}");
        } else {
            let goes = is_sent || tick.saturating_sub(changed.1) < 4;
            // What drove it before its life is not noted here.
            assert!(lately || inputs.contains(&tick) == goes, "{of}: an input in {tick}: {goes}");
            assert!(!is_sent || inputs.contains(&tick), "{of}: no input in {tick}");
        }
    }
    assert!(f64::from(came) <= earned + f64::from(causes) + 1.0, "{of}: {came} for {earned:.1} and {causes}");
}

/// One that walks its rounds, looks far, and jumps now and then; each fourth looks through a scope.
fn walker(of: usize) -> Hand {
    Box::new(move |_: &World, _, tick| {
        let turn = (tick.get() as f32).mul_add(0.01, of as f32);
        let jumps = (tick.get() as usize + 13 * of) % 90 < 2;
        Input {
            yaw: turn.rem_euclid(std::f32::consts::TAU),
            throttle: if of.is_multiple_of(3) { [0.0; 2] } else { [1.0, 0.0] },
            buttons: if jumps { Buttons::JUMP } else { Buttons::default() },
            zoom: (of % 4 == 1).then_some(0),
            ..Input::default()
        }
    })
}

/// A field of 400 wu with so many players:
/// over 240 ticks, in which some die and come back and one leaves, every client is sent every player when the rows say,
/// and as often.
fn on_the_field(players: usize, seed: u64) -> Compared {
    let seating = |of: usize| Seating::of(vec![walker(of)]);
    let mut lab = Lab::play_as(Plan::new("field", seed, players - 1), seating(0), |of| seating(of + 1));
    lab.run_ticks(30);
    let victims = [0, 1, players as u8 / 2].map(|index| Slot::new(index).unwrap());
    let seen = Seen::of(&mut lab, 2 * WINDOW + 20, |lab, number| match number {
        20 => victims.iter().for_each(|slot| {
            lab.host.engine.world_mut().kill(*slot, None);
        }),
        60 => lab.quit(players - 2),
        _ => {}
    });
    let silent = |notice: &(u64, host::Notice)| matches!(notice.1, host::Notice::Silent { .. });
    assert!(!lab.host.notices.iter().any(silent));
    let compared = compare(&seen);
    assert_eq!(compared.pairs, (players - 2) * players);
    // The dead, the spawned, and perhaps who came into sight.
    assert!(compared.at_once >= 2 * 3 * (players - 2), "{compared:?}");
    for each in [1, 2, 4] {
        assert!(compared.steady.get(&each).is_some_and(|windows| *windows > players), "{compared:?}");
    }
    compared
}

/// AUTH-34, AUTH-36, AUTH-37, AUTH-38, AUTH-39, AUTH-40, AUTH-41, AUTH-42: see [`on_the_field`].
#[test]
fn sixteen_on_a_field_are_sent_by_the_ladder() {
    on_the_field(16, 341);
}

/// AUTH-34, AUTH-36, AUTH-37, AUTH-38, AUTH-39, AUTH-40, AUTH-41, AUTH-42: see [`on_the_field`].
#[test]
fn thirty_two_on_a_field_are_sent_by_the_ladder() {
    on_the_field(32, 342);
}

/// GLUE-24, AUTH-34, AUTH-38, AUTH-42: eight machines of four players each on that field: each machine is sent every
/// player by the nearest of its four, by what any of them aims at, and its own each tick; some die and come back
/// meanwhile.
#[test]
fn four_a_machine_are_sent_by_the_ladder() {
    let four = |of: usize| Seating::of((0..4).map(|hand| walker(4 * of + hand)).collect());
    let mut lab = Lab::play_as(Plan::new("field", 350, 7), four(0), |of| four(of + 1));
    lab.run_ticks(30);
    let victims = [4, 5, 6, 7, 13].map(|index| Slot::new(index).unwrap());
    let seen = Seen::of(&mut lab, 2 * WINDOW + 20, |lab, number| {
        if number == 20 {
            victims.iter().for_each(|slot| {
                lab.host.engine.world_mut().kill(*slot, None);
            });
        }
    });
    let compared = compare(&seen);
    assert_eq!(compared.pairs, 7 * 32);
    assert!(compared.at_once >= 2 * victims.len() * 7, "{compared:?}");
    // Its own four alone are two windows each.
    assert!(compared.steady.get(&1).is_some_and(|windows| *windows > 7 * 4 * 2), "{compared:?}");
    assert!([2, 4].iter().all(|each| compared.steady.contains_key(each)), "{compared:?}");
}

/// AUTH-34, AUTH-36, AUTH-37, AUTH-38, AUTH-39, AUTH-40, AUTH-41, AUTH-42: see [`on_the_field`].
#[test]
fn sixty_four_on_a_field_are_sent_by_the_ladder() {
    on_the_field(64, 343);
}

/// AUTH-34, AUTH-35, AUTH-36, AUTH-37, AUTH-38, AUTH-39, AUTH-40, AUTH-41, AUTH-42: see [`on_the_field`]; so many that some are in the bunker.
#[test]
fn a_hundred_and_twenty_eight_on_a_field_are_sent_by_the_ladder() {
    let compared = on_the_field(128, 344);
    assert!(compared.steady.get(&6).is_some_and(|windows| *windows > 100), "{compared:?}");
}

/// AUTH-35: in rooms of which none sees into another, players are within 25 wu of each other and sent each sixth tick.
#[test]
fn who_is_in_the_next_room_goes_each_sixth_tick() {
    let mut lab = Lab::idle(Plan::new("rooms", 345, 11));
    lab.run_ticks(20);
    let compared = compare(&Seen::of(&mut lab, WINDOW + 20, |_, _| {}));
    assert!(compared.hidden_within_25 >= 5, "{compared:?}");
    assert!(compared.steady[&1] > 20, "{compared:?}");
}

/// AUTH-35: the same in a second game, which follows one on a map that hides nobody.
#[test]
fn the_next_games_rooms_are_its_own() {
    let mut lab = Lab::idle(Plan::new("flat", 350, 11));
    lab.run_ticks(20);
    let before = compare(&Seen::of(&mut lab, WINDOW + 20, |_, _| {}));
    assert!(!before.steady.contains_key(&6), "{before:?}");
    let mut next = Box::new(*lab.host.net.transport().record());
    next.map = Chars::new(&level_of("rooms")).unwrap();
    let start = lab.tick();
    assert!(lab.begin_next(&next, start));
    lab.settle();
    lab.run_ticks(20);
    let compared = compare(&Seen::of(&mut lab, WINDOW + 20, |_, _| {}));
    assert!(compared.hidden_within_25 >= 5, "{compared:?}");
    assert!(compared.steady[&1] > 20, "{compared:?}");
}

/// AUTH-34, AUTH-38: players run from room to room and board cars: nothing that changes what a client sees comes late, and nobody
/// waits longer than where it is allows.
#[test]
fn what_changes_comes_in_its_tick() {
    for (map, seed, least) in [("rooms", 346, 100), ("carpark", 347, 20), ("drive", 348, 20)] {
        let bots = |of: u64| Seating::of(vec![bot(seed * 100 + of)]);
        let mut lab = Lab::play_as(Plan::new(map, seed, 7), bots(0), |of| bots(of as u64 + 1));
        let seen = Seen::of(&mut lab, 900, |lab, number| {
            if number % 150 == 100 {
                let slot = Slot::new((number / 150) as u8).unwrap();
                lab.host.engine.world_mut().kill(slot, None);
            }
        });
        let compared = compare(&seen);
        assert!(compared.at_once >= least, "{map}: {compared:?}");
    }
}

/// AUTH-39: of a player in another room, who is sent each sixth tick, every one of a thousand jumps is made once on the
/// host and on a copy, however short it is pressed and however soon the next follows.
#[test]
fn no_jump_of_a_hidden_player_is_missed() {
    let mut lab = Lab::idle(Plan::new("rooms", 349, 7));
    let cluster = |lab: &Lab, slot| {
        let world = lab.host.engine.world();
        world.map().clusters.at(world.position(slot).unwrap())
    };
    let slots: Vec<Slot> = lab.clients.iter().map(|seat| seat.slot()).collect();
    let parts: Vec<_> = slots.iter().map(|slot| cluster(&lab, *slot)).collect();
    let corridor = lab.host.engine.world().map().clusters.named("corridor");
    let (jumper, watcher) = (0..7)
        .flat_map(|one| (0..7).map(move |other| (one, other)))
        .find(|(one, other)| {
            parts[*one] != parts[*other] && ![parts[*one], parts[*other]].contains(&corridor)
        })
        .unwrap();
    let mut random = mjolnir_skirmish::game::random::Random::new(349);
    let (mut holds, mut waits) = (0, 10);
    lab.clients[jumper].engine.take_over(
        0,
        Box::new(move |_, _, _| {
            if waits > 0 {
                waits -= 1;
                if waits == 0 {
                    holds = 1 + random.below(4);
                }
                return Input::default();
            }
            holds -= 1;
            if holds == 0 {
                waits = 1 + random.below(20);
            }
            Input { buttons: Buttons::JUMP, ..Input::default() }
        }),
    );
    let jumps = |engine: &mjolnir_tests::Played| engine.notes.jumps[slots[jumper].index()];
    while jumps(&lab.clients[jumper].engine) < 1000 {
        lab.run_ticks(100);
    }
    lab.clients[jumper].engine.take_over(0, still());
    lab.run_ticks(30);
    let pressed = jumps(&lab.clients[jumper].engine);
    assert_eq!([jumps(&lab.host.engine), jumps(&lab.clients[watcher].engine)], [pressed; 2]);
}
