//! Which machine is sent which player, and when: each rung, both sides of its bounds, and what goes at once.

use super::*;

/// What a test does to an input.
type Change = fn(&mut Input);

/// Ticks that a count is taken over: so many that each step divides them.
const COUNTED: i32 = 120;

/// What machine 1 is sent of the others: unit states and inputs, by slot, each with the ticks in which it came.
#[derive(Debug, Default)]
struct Sent {
    states: Vec<(u8, i32)>,
    actions: Vec<(u8, i32)>,
}

impl Sent {
    fn states_of(&self, slot: u8) -> Vec<i32> {
        self.states.iter().filter(|(of, _)| *of == slot).map(|(_, now)| *now).collect()
    }

    fn actions_of(&self, slot: u8) -> Vec<i32> {
        self.actions.iter().filter(|(of, _)| *of == slot).map(|(_, now)| *now).collect()
    }
}

/// A game of players that are where a test puts them: player 1 of machine 1 looks at the others.
struct Game {
    host: Host,
    now: i32,
    rows: Vec<UnitRow>,
    inputs: Vec<InputRow>,
    outbox: Outbox,
}

impl Game {
    /// Player 1 at the middle, and players from 2 on at those distances east. Ticks run until all of it is known.
    fn of(distances: &[f32]) -> Self {
        let mut host = Host::new();
        host.set_clients(MachineSet::CLIENTS);
        let mut rows = vec![row(1, standing(Vec3::ZERO))];
        rows.extend((2..).zip(distances).map(|(of, x)| row(of, standing(east(*x)))));
        let inputs = rows.iter().map(|row| input(row.state.slot.get(), None)).collect();
        let mut game = Self { host, now: 0, rows, inputs, outbox: Outbox::new() };
        game.run(20);
        game
    }

    fn tick(&mut self) {
        self.now += 1;
        self.outbox.begin(tick(self.now), self.now);
        self.host.after_tick(tick(self.now), GRAVITY, &mut self.rows, &self.inputs, &mut Vec::new());
        let places = places(&self.rows);
        self.host.tell(tick(self.now), &self.rows, &places, &self.inputs, &mut self.outbox);
    }

    /// What machine 1 is sent in so many ticks.
    fn run(&mut self, ticks: i32) -> Sent {
        self.run_to(1, ticks)
    }

    fn run_to(&mut self, to: u8, ticks: i32) -> Sent {
        let mut sent = Sent::default();
        for _ in 0..ticks {
            self.tick();
            let (now, to) = (self.now, machine(to));
            sent.states.extend(states(&self.outbox, to).iter().map(|state| (state.slot.get(), now)));
            sent.actions.extend(actions(&self.outbox, to).iter().map(|action| (action.slot.get(), now)));
        }
        sent
    }

    /// How often machine 1 is sent each player in [`COUNTED`] ticks, its own first.
    fn counts(&mut self) -> Vec<usize> {
        let sent = self.run(COUNTED);
        let slots: Vec<u8> = self.rows.iter().map(|row| row.state.slot.get()).collect();
        for slot in slots.iter().filter(|slot| **slot != 1) {
            assert_eq!(sent.states_of(*slot), sent.actions_of(*slot), "state and input go together");
        }
        assert!(sent.actions_of(1).is_empty());
        slots.iter().map(|slot| sent.states_of(*slot).len()).collect()
    }

    fn view(&mut self, at: usize) -> &mut View {
        &mut self.rows[at].view
    }

    fn put(&mut self, at: usize, position: Vec3) {
        let of = self.rows[at].state.slot.get();
        self.rows[at].state = alive(of, standing(position));
    }
}

/// Two clusters that do not see each other, and a third that both see.
fn two_rooms_on_a_corridor() -> VisibleSet {
    let mut set = VisibleSet::new();
    set.begin(3);
    set.insert(0, 2);
    set.insert(1, 2);
    set
}

/// AUTH-34, AUTH-42: over 120 ticks a player is sent 120, 60, 40 and 30 times, both sides of each bound; the machine's own
/// each tick, its input never.
#[test]
fn a_player_goes_by_distance() {
    let cases =
        [(0.0, 120), (24.0, 120), (26.0, 60), (59.0, 60), (61.0, 40), (119.0, 40), (121.0, 30), (400.0, 30)];
    let mut game = Game::of(&cases.map(|(distance, _)| distance));
    let expected: Vec<usize> = [120].into_iter().chain(cases.map(|(_, count)| count)).collect();
    assert_eq!(game.counts(), expected);
}

/// AUTH-34: the nearest of a machine's players counts, and they need not be its first.
#[test]
fn the_nearest_of_a_machines_players_counts() {
    let mut game = Game::of(&[200.0, 220.0, 270.0]);
    game.rows[1].machine = machine(1);
    game.inputs[1].machine = machine(1);
    let sent = game.run(COUNTED);
    assert_eq!([1, 2, 3, 4].map(|slot| sent.states_of(slot).len()), [120, 120, 120, 40]);
    assert_eq!([1, 2, 3, 4].map(|slot| sent.actions_of(slot).len()), [0, 0, 120, 40]);
}

/// AUTH-34: players of one step are not all sent in the same ticks.
#[test]
fn turns_are_spread_over_the_players() {
    let mut game = Game::of(&[200.0; 40]);
    for _ in 0..12 {
        assert_eq!(game.run(1).states.len(), 1 + 10);
    }
}

/// AUTH-35: hidden, a player goes 20 times in 120 ticks however near, and as far as it is where it may be seen: one cluster of
/// the machine's players is enough, and what is not known is seen.
#[test]
fn who_cannot_be_seen_goes_each_sixth_tick() {
    let mut game = Game::of(&[10.0, 10.0, 10.0, 100.0, 100.0]);
    game.host.set_visible(two_rooms_on_a_corridor());
    for (at, cluster) in [(0, Some(0)), (1, Some(1)), (2, Some(2)), (3, None), (4, Some(1)), (5, Some(3))] {
        game.view(at).cluster = cluster;
    }
    game.run(20);
    assert_eq!(game.counts(), [120, 20, 120, 120, 20, 40]);
    // Its other player stands in the corridor, far off.
    game.rows.push(row(9, standing(east(-500.0))));
    game.inputs.push(input(9, None));
    (game.rows[6].machine, game.inputs[6].machine) = (machine(1), machine(1));
    game.view(6).cluster = Some(2);
    game.run(20);
    let sent = game.run(COUNTED);
    assert_eq!([2, 3, 4, 5, 6].map(|slot| sent.states_of(slot).len()), [120, 120, 120, 40, 40]);
}

/// AUTH-35, AUTH-37: a dead player goes 20 times in 120 ticks, to its own machine each tick, and its input to nobody.
#[test]
fn the_dead_go_each_sixth_tick() {
    let mut game = Game::of(&[5.0, 5.0]);
    game.rows[1].state = dead(2, None);
    game.inputs[1].input.buttons = Buttons::JUMP;
    game.run(1);
    let sent = game.run(COUNTED);
    assert_eq!([1, 2, 3].map(|slot| sent.states_of(slot).len()), [120, 20, 120]);
    assert!(sent.actions_of(2).is_empty());
    let own = game.run_to(2, COUNTED);
    assert_eq!((own.states_of(2).len(), own.actions_of(2).len()), (120, 0));
}

/// AUTH-36: a machine whose players are all dead is sent the others as from where they last were alive, both of two; the
/// one that lives counts alone while it does.
#[test]
fn the_dead_see_from_where_they_lived() {
    let mut game = Game::of(&[300.0, 20.0, 320.0, 160.0]);
    game.rows[1].machine = machine(1);
    game.inputs[1].machine = machine(1);
    let rates = |game: &mut Game| {
        game.run(20);
        let sent = game.run(COUNTED);
        [3, 4, 5].map(|slot| sent.states_of(slot).len())
    };
    assert_eq!(rates(&mut game), [120, 120, 30]);
    game.rows[0].state = dead(1, None);
    assert_eq!(rates(&mut game), [30, 120, 30]);
    game.rows[1].state = dead(2, None);
    assert_eq!(rates(&mut game), [120, 120, 30]);
    // It spawns elsewhere.
    game.put(0, east(140.0));
    assert_eq!(rates(&mut game), [40, 30, 120]);
}

/// AUTH-36: it sees from the cluster in which it died too, and who never lived sees everything from afar.
#[test]
fn the_dead_see_no_further_than_they_did() {
    let mut game = Game::of(&[10.0, 10.0]);
    game.host.set_visible(two_rooms_on_a_corridor());
    for (at, cluster) in [(0, 0), (1, 1), (2, 2)] {
        game.view(at).cluster = Some(cluster);
    }
    game.run(20);
    game.rows[0].state = dead(1, None);
    game.view(0).cluster = None;
    game.run(20);
    let sent = game.run(COUNTED);
    assert_eq!([2, 3].map(|slot| sent.states_of(slot).len()), [20, 120]);
    let nobody = game.run_to(77, COUNTED);
    assert_eq!([1, 2, 3].map(|slot| nobody.states_of(slot).len()), [20, 30, 30]);
}

/// AUTH-37: no living player is unheard of for more than six ticks, wherever it and the others go and whatever can be seen;
/// nor for longer than where it is then allows.
#[test]
fn nobody_is_left_out() {
    for seed in 0..20_u32 {
        let mut random = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        let mut game = Game::of(&[0.0; 12]);
        game.host.set_visible(two_rooms_on_a_corridor());
        let mut last = [game.now; 16];
        for _ in 0..400 {
            for at in 0..game.rows.len() {
                if next(10) == 0 {
                    game.put(at, east(next(300) as f32));
                    game.view(at).cluster = [None, Some(0), Some(1), Some(2)][next(4) as usize];
                }
            }
            let sent = game.run(1);
            for (slot, now) in &sent.states {
                last[usize::from(*slot)] = *now;
            }
            let (own, set) = (game.rows[0], two_rooms_on_a_corridor());
            for row in &game.rows[1..] {
                let distance = position(&row.state).distance(position(&own.state));
                let is_seen = match (own.view.cluster, row.view.cluster) {
                    (Some(from), Some(to)) => set.sees(from, to),
                    _ => true,
                };
                let each = match distance {
                    _ if !is_seen => 6,
                    ..=25.0 => 1,
                    ..=60.0 => 2,
                    ..=120.0 => 3,
                    _ => 4,
                };
                let waits = game.now - last[row.state.slot.index()];
                assert!(waits < each, "seed {seed}: {waits} ticks at {distance}");
            }
        }
    }
}

/// AUTH-38: a death, a spawn, a change of seat and of unit go in their tick, to every machine, however far and hidden; then
/// the turns go on as they were.
#[test]
fn what_changes_a_player_goes_at_once() {
    let mut game = Game::of(&[400.0]);
    game.host.set_visible(two_rooms_on_a_corridor());
    (game.view(0).cluster, game.view(1).cluster) = (Some(0), Some(1));
    game.run(20);
    let ride = |game: &mut Game, seat| {
        let Life::Alive(unit) = &mut game.rows[1].state.life else { panic!("dead") };
        unit.ride = Some(Ride { vehicle: Some(super::unit(300)), seat });
    };
    let changes: [&dyn Fn(&mut Game); 6] = [
        &|game| ride(game, 0),
        &|game| ride(game, 1),
        &|game| game.put(1, east(400.0)),
        &|game| game.rows[1].state = dead(2, None),
        &|game| game.put(1, east(300.0)),
        &|game| {
            let Life::Alive(unit) = &mut game.rows[1].state.life else { panic!("dead") };
            unit.unit = super::unit(77);
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        // Each in the first tick after a turn.
        while game.run(1).states_of(2).is_empty() {}
        change(&mut game);
        game.tick();
        for to in [1, 3, 127] {
            let told = states(&game.outbox, machine(to));
            assert_eq!(told.iter().filter(|state| state.slot == slot(2)).count(), 1, "{number} to {to}");
        }
        let turns = game.run(12).states_of(2);
        let first = game.now - 11;
        assert_eq!(turns, [first + 4, first + 10], "{number}");
    }
}

/// AUTH-38: who comes into sight goes in that tick, whether it moved or the one who sees it.
#[test]
fn who_comes_into_sight_goes_at_once() {
    for mover in [0, 1] {
        for wait in 0..6 {
            let mut game = Game::of(&[200.0]);
            game.host.set_visible(two_rooms_on_a_corridor());
            (game.view(0).cluster, game.view(1).cluster) = (Some(0), Some(1));
            game.run(20 + wait);
            game.view(mover).cluster = Some(2);
            assert_eq!(game.run(1).states_of(2).len(), 1, "{mover} after {wait}");
            assert_eq!(game.run(8).states_of(2).len(), 2, "then each fourth");
        }
    }
}

/// AUTH-39: a hidden player's input goes in the tick in which a button or a choice of weapon changes and in the three
/// after, to everybody but its own machine, and then by its turn; its unit goes by its turn throughout.
#[test]
fn an_input_goes_while_it_changes() {
    let press = |input: &mut Input| input.buttons = Buttons::JUMP;
    let let_go = |input: &mut Input| input.buttons = Buttons::default();
    let weapon = |input: &mut Input| input.weapon = Some(1);
    let grenade = |input: &mut Input| input.grenade = Some(1);
    let run = |input: &mut Input| input.throttle = [1.0, 0.0];
    let changes: [(Change, bool); 5] =
        [(press, true), (let_go, true), (weapon, true), (grenade, true), (run, false)];
    let mut game = Game::of(&[10.0]);
    game.host.set_visible(two_rooms_on_a_corridor());
    (game.view(0).cluster, game.view(1).cluster) = (Some(0), Some(1));
    game.run(20);
    for (number, (change, goes)) in changes.into_iter().enumerate() {
        while game.run(1).states_of(2).is_empty() {}
        change(&mut game.inputs[1].input);
        let sent = game.run(12);
        let first = game.now - 11;
        let turns = [first + 5, first + 11];
        assert_eq!(sent.states_of(2), turns, "{number}");
        let expected: Vec<i32> = if goes { (first..first + 4).chain(turns).collect() } else { turns.into() };
        assert_eq!(sent.actions_of(2), expected, "{number}");
        assert!(game.run_to(2, 6).actions_of(2).is_empty());
    }
}

/// AUTH-40, AUTH-41: whom a player aims at within 35 degrees goes at least each second tick, within 20 through a scope each
/// tick; both sides of both, hidden too, and none less for it.
#[test]
fn who_is_aimed_at_goes_more_often() {
    for (distance, cluster, degrees, scoped, count) in [
        (200.0, None, 34.0, false, 60),
        (200.0, None, 36.0, false, 30),
        (200.0, None, 19.0, true, 120),
        (200.0, None, 21.0, true, 60),
        (200.0, None, 19.0, false, 60),
        (200.0, None, 36.0, true, 30),
        (200.0, Some(1), 34.0, false, 60),
        (200.0, Some(1), 36.0, false, 20),
        (200.0, Some(1), 19.0, true, 120),
        (20.0, None, 0.0, false, 120),
        (20.0, Some(1), 0.0, false, 60),
        (20.0, None, 90.0, false, 120),
        (100.0, None, 180.0, true, 40),
    ] {
        let mut game = Game::of(&[distance]);
        game.host.set_visible(two_rooms_on_a_corridor());
        let (sin, cos) = libm::sincosf(f32::to_radians(degrees));
        // How long the direction is does not matter.
        *game.view(0) = View { cluster: Some(0), aim: Vec3::new(cos, 0.0, sin) * 3.0, scoped };
        game.view(1).cluster = cluster;
        game.run(20);
        assert_eq!(game.counts(), [120, count], "{distance} {cluster:?} {degrees} {scoped}");
        // What is no direction aims nowhere, and neither do the dead.
        game.view(0).aim = Vec3::new(f32::NAN, 0.0, 0.0);
        let unraised = if cluster.is_some() {
            20
        } else if distance < 25.0 {
            120
        } else if distance < 120.0 {
            40
        } else {
            30
        };
        assert_eq!(game.counts(), [120, unraised]);
        game.view(0).aim = east(1.0);
        game.rows[0].state = dead(1, None);
        game.run(20);
        assert_eq!(game.run(COUNTED).states_of(2).len(), unraised);
    }
}

/// AUTH-34, OBJ-17: a rider is where its outermost vehicle is, by the place that is handed on with it; one whose place is not
/// known is where it last was.
#[test]
fn a_rider_is_where_its_vehicle_is() {
    let mut game = Game::of(&[10.0]);
    let Life::Alive(unit) = &mut game.rows[1].state.life else { panic!("dead") };
    (unit.placement, unit.ride) = (None, Some(Ride { vehicle: Some(super::unit(300)), seat: 0 }));
    let told = |game: &mut Game, place: Option<Vec3>| {
        let mut count = 0;
        for number in -20..COUNTED {
            game.now += 1;
            game.outbox.begin(tick(game.now), game.now);
            game.host.after_tick(tick(game.now), GRAVITY, &mut game.rows, &[], &mut Vec::new());
            game.host.tell(tick(game.now), &game.rows, &[Some(Vec3::ZERO), place], &[], &mut game.outbox);
            let told = states(&game.outbox, machine(1)).len() - 1;
            assert_eq!(told == 1, game.host.told(slot(2)).contains(machine(1)));
            count += if number < 0 { 0 } else { told };
        }
        count
    };
    let mut rate = |place| told(&mut game, place);
    assert_eq!(rate(None), 120, "where it got in");
    assert_eq!(rate(Some(east(50.0))), 60);
    assert_eq!(rate(None), 60, "where it was last");
    assert_eq!(rate(Some(east(500.0))), 30);
}

/// AUTH-37: a machine that loads is told of every player in the next tick, hidden and dead, and so is the next of its index.
#[test]
fn who_has_loaded_is_told_of_all() {
    let mut game = Game::of(&[200.0, 300.0, 400.0]);
    game.rows[3].state = dead(4, None);
    game.run(20);
    for _ in 0..2 {
        game.host.set_clients(MachineSet::CLIENTS.without(MachineSet::only(machine(1))));
        assert_eq!(game.run(3).states, []);
        game.host.set_clients(MachineSet::CLIENTS);
        assert_eq!(game.run(1).states.len(), 4);
    }
}

/// A steady tick of many players allocates nothing.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut game = Game::of(&core::array::from_fn::<f32, 100, _>(|at| at as f32 * 4.0));
    let mut set = VisibleSet::new();
    set.begin(40);
    game.host.set_visible(set);
    let step = |game: &mut Game| {
        for at in 0..game.rows.len() {
            game.view(at).cluster = Some(((at as i32 + game.now / 7) % 40) as u16);
        }
        game.now += 1;
        game.outbox.begin(tick(game.now), game.now);
        let places: [Option<Vec3>; 101] = core::array::from_fn(|at| Some(east(at as f32 * 4.0)));
        game.host.tell(tick(game.now), &game.rows, &places, &game.inputs, &mut game.outbox);
    };
    (0..100).for_each(|_| step(&mut game));
    let allocated = allocation_counter::measure(|| (0..100).for_each(|_| step(&mut game)));
    assert_eq!(allocated.count_total, 0);
}
