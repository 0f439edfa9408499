//! A client's prediction, as scripts: at this tick this is said, exactly that is done.

use mjolnir_prediction::{
    Client, Command, Error, GLIDE_TICKS, HostWord, OWN_PLAYER_TOLERANCE, OwnRow, PREDICTION_HISTORY,
    REMOTE_BLEND_DISTANCE, TELEPORT_SIZED, UnitRow, Why,
};
use mjolnir_wire::inputs::{PlayerInput, RelayedAction};
use mjolnir_wire::units::{Life, Placement, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Buttons, Input, Kind, Machine, Message, ObjectId, Outbox, Parts, Slot, Tick, Vec3,
};
use proptest::prelude::*;

const OWN: Slot = Slot::new(2).expect("a slot");
const OTHER: Slot = Slot::new(7).expect("a slot");

fn tick(number: i32) -> Tick {
    Tick::new(number).expect("a tick")
}

fn east(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

fn at(place: Vec3) -> Placement {
    Placement { position: place, velocity: Vec3::new(0.0, 0.5, 0.0), axes: Axes::UPRIGHT }
}

fn unit(index: u16) -> ObjectId {
    ObjectId::new(index, 1).expect("an object")
}

/// A client and the units that its engine has: an engine that stands still unless the script moves it.
struct Scene {
    client: Client,
    rows: Vec<UnitRow>,
    velocities: Vec<Option<Vec3>>,
    own: Vec<Slot>,
    tick: i32,
    heard: i32,
    /// The own tick's commands, and where each unit is drawn beside its place.
    commands: Vec<Command>,
    offsets: Vec<Vec3>,
    input: Input,
    outbox: Outbox,
}

impl Scene {
    /// Units of those slots, standing at 0, the first so many the machine's own.
    fn new(slots: &[Slot], own: usize, start: i32) -> Self {
        let mut client = Client::new();
        client.set_own(&slots[..own]);
        let rows = slots.iter().map(|slot| UnitRow {
            slot: *slot,
            unit: unit(slot.get().into()),
            placement: Some(at(Vec3::ZERO)),
            grounded: true,
        });
        Self {
            client,
            rows: rows.collect(),
            velocities: vec![None; slots.len()],
            own: slots[..own].to_vec(),
            tick: start,
            heard: 0,
            commands: Vec::new(),
            offsets: vec![Vec3::ZERO; slots.len()],
            input: Input::default(),
            outbox: Outbox::new(),
        }
    }

    fn own() -> Self {
        Self::new(&[OWN], 1, 99)
    }

    fn other() -> Self {
        Self::new(&[OTHER], 0, 99)
    }

    fn place(&self, row: usize) -> Vec3 {
        self.rows[row].placement.expect("it is on foot").position
    }

    fn put(&mut self, row: usize, place: Vec3) {
        self.rows[row].placement = Some(at(place));
    }

    /// The commands before the next tick, done.
    fn before(&mut self) {
        self.tick += 1;
        let local: Vec<_> = self.own.iter().map(|slot| (*slot, self.input)).collect();
        self.commands.clear();
        self.client.before_tick(tick(self.tick), &self.rows, &local, &mut self.commands);
        for command in &self.commands {
            match *command {
                Command::Move { unit, to, velocity, .. } => {
                    let row =
                        self.rows.iter().position(|row| row.unit == unit).expect("a unit that there is");
                    self.rows[row].placement = Some(at(to));
                    self.velocities[row] = velocity;
                }
                Command::Offset { unit, offset } => {
                    let row =
                        self.rows.iter().position(|row| row.unit == unit).expect("a unit that there is");
                    self.offsets[row] = offset;
                }
                Command::Drive { .. } => {}
            }
        }
    }

    /// After it; what is sent stays in the outbox.
    fn after(&mut self) {
        self.outbox.begin(tick(self.tick), 0);
        let own: Vec<_> = self
            .own
            .iter()
            .map(|slot| OwnRow { slot: *slot, structure_bsp: Some(3), friendly_fire: true })
            .collect();
        self.client.after_tick(tick(self.tick), tick(self.heard), &self.rows, &own, &mut self.outbox);
    }

    fn run(&mut self) {
        self.before();
        self.after();
    }

    /// A tick in which the first unit walks to there.
    fn walk_to(&mut self, place: Vec3) {
        self.before();
        self.put(0, place);
        self.after();
    }

    fn word(&mut self, slot: Slot, place: Vec3, predicted: Option<i32>) {
        let predicted = predicted.map(tick);
        let word = HostWord { tick: tick(self.tick), placement: at(place), predicted };
        self.client.handle_word(slot, word).expect("newer");
    }

    fn relay(&mut self, stamp: i32, input: Input) -> Result<(), Error> {
        let action = RelayedAction { slot: OTHER, input, history: [input.buttons; 4] };
        self.client.handle_relayed(tick(self.tick), tick(stamp), &action)
    }

    fn moves(&self) -> Vec<&Command> {
        self.commands.iter().filter(|command| matches!(command, Command::Move { .. })).collect()
    }

    fn driven(&self, slot: Slot) -> Option<Input> {
        self.commands.iter().find_map(|command| match command {
            Command::Drive { slot: of, input, .. } if *of == slot => Some(*input),
            _ => None,
        })
    }

    /// What was sent: the inputs, and the places.
    fn sent(&self) -> (Vec<PlayerInput>, Vec<UnitState>) {
        let (mut inputs, mut places) = (Vec::new(), Vec::new());
        self.outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |bytes| {
            for part in Parts::of(&Message::read(bytes).expect("a batch")) {
                let part = part.expect("a part");
                assert_eq!(part.tick, tick(self.tick));
                match part.kind {
                    Kind::PlayerInputs => {
                        inputs.extend(PlayerInput::read_all(&part).map(|i| i.expect("an input")));
                    }
                    Kind::PlayerPrediction => {
                        places.extend(UnitState::read_all(&part).map(|s| s.expect("a state")));
                    }
                    other => panic!("{other:?} is not a client's to send"),
                }
            }
        });
        (inputs, places)
    }
}

/// PRED-01: the own player is driven by its input in the same tick, before any word.
#[test]
fn an_own_player_is_driven_at_once() {
    let mut scene = Scene::own();
    scene.input = Input { throttle: [1.0, 0.0], yaw: 2.0, ..Input::default() };
    scene.before();
    assert_eq!(scene.commands, [Command::Drive { slot: OWN, unit: unit(2), input: scene.input }]);
}

/// PRED-01: a machine whose input was not read presses nothing and looks on.
#[test]
fn an_input_that_was_not_read_presses_nothing() {
    let mut scene = Scene::own();
    scene.input = Input { throttle: [1.0, 0.0], yaw: 2.0, buttons: Buttons::JUMP, ..Input::default() };
    scene.run();
    scene.commands.clear();
    scene.client.before_tick(tick(101), &scene.rows, &[], &mut scene.commands);
    assert_eq!(scene.driven(OWN), Some(Input { yaw: 2.0, ..Input::default() }));
}

/// PRED-03: a remote player is driven by the newest relayed input until a newer comes.
#[test]
fn a_remote_player_is_driven_by_what_is_relayed() {
    let mut scene = Scene::other();
    scene.run();
    assert_eq!(scene.driven(OTHER), None);
    let input = |yaw| Input { yaw, ..Input::default() };
    scene.relay(300, input(1.0)).unwrap();
    for _ in 0..5 {
        scene.run();
        assert_eq!(scene.driven(OTHER), Some(input(1.0)));
    }
    scene.relay(305, input(2.0)).unwrap();
    scene.run();
    assert_eq!(scene.driven(OTHER), Some(input(2.0)));
    assert_eq!(scene.relay(304, input(3.0)), Err(Error::NotNewer));
}

/// PRED-03: presses from while a player had no unit do not wait for its next.
#[test]
fn presses_of_the_dead_are_spent() {
    let mut scene = Scene::other();
    scene.relay(299, Input::default()).unwrap();
    scene.run();
    let row = scene.rows.pop().unwrap();
    scene.relay(300, Input { buttons: Buttons::JUMP, ..Input::default() }).unwrap();
    scene.run();
    scene.relay(301, Input::default()).unwrap();
    scene.run();
    scene.rows.push(row);
    scene.run();
    assert_eq!(scene.driven(OTHER), Some(Input::default()));
}

/// PRED-04, AUTH-73: a relayed input of an own player is refused and drives nothing.
#[test]
fn an_own_player_is_never_driven_by_what_is_relayed() {
    let mut scene = Scene::own();
    let input = Input { throttle: [-1.0, 0.0], ..Input::default() };
    let action = RelayedAction { slot: OWN, input, history: [Buttons(0); 4] };
    assert_eq!(scene.client.handle_relayed(tick(99), tick(99), &action), Err(Error::OwnSlot));
    scene.run();
    assert_eq!(scene.driven(OWN), Some(Input::default()));
    // Nor later, should the slot become another machine's.
    scene.client.set_own(&[]);
    scene.own.clear();
    scene.run();
    assert_eq!(scene.driven(OWN), None);
}

/// PRED-05, 06: each tick every own player's input goes to the host, with the three ticks' buttons before it.
#[test]
fn inputs_go_each_tick() {
    let slots: Vec<Slot> = Slot::all().take(5).collect();
    let mut scene = Scene::new(&slots, 4, 999);
    let buttons = |t: i32| Buttons(if t < 1_000 { 0 } else { 1 << (t % 15) });
    for t in 1_000..1_300 {
        scene.heard = t - 5;
        scene.input =
            Input { buttons: buttons(t), yaw: 1.5, trigger: 0.25, weapon: Some(1), ..Input::default() };
        scene.run();
        let (inputs, _) = scene.sent();
        assert_eq!(inputs.len(), 4);
        for (input, slot) in inputs.iter().zip(&slots) {
            let expected = PlayerInput {
                slot: *slot,
                structure_bsp: Some(3),
                friendly_fire: true,
                tick: tick(t),
                host_tick: tick(t - 5),
                input: scene.input,
                history: [0, 1, 2, 3].map(|back| buttons(t - back)),
            };
            assert_eq!(*input, expected);
        }
    }
}

/// PRED-27: on foot an own player's place after the tick goes with the input; riding or dead it does not, though
/// the input does.
#[test]
fn a_place_is_sent_on_foot_alone() {
    let mut scene = Scene::own();
    scene.walk_to(east(7.5));
    let (_, places) = scene.sent();
    let Life::Alive(living) = places[0].life else { panic!("it lives") };
    assert_eq!((places.len(), places[0].slot, living.unit), (1, OWN, unit(2)));
    assert_eq!(living.placement, Some(at(east(7.5))));
    assert_eq!((living.predicted, living.ride), (None, None));

    scene.rows[0].placement = None;
    scene.run();
    assert_eq!((scene.sent().0.len(), scene.sent().1.len()), (1, 0));
    assert!(scene.driven(OWN).is_some(), "what rides is driven");
    scene.rows.clear();
    scene.run();
    assert_eq!((scene.sent().0.len(), scene.sent().1.len()), (1, 0));
    assert_eq!(scene.driven(OWN), None);
}

/// PRED-11: a copy's error is halved each tick, however long no other word comes. With the word it is given the host's
/// velocity, and keeps its own after that.
#[test]
fn a_small_error_is_halved_each_tick() {
    let mut scene = Scene::other();
    scene.put(0, east(0.8));
    scene.word(OTHER, Vec3::ZERO, None);
    let mut said = Some(at(Vec3::ZERO).velocity);
    for left in [0.4, 0.2, 0.1, 0.05] {
        scene.run();
        assert!((scene.place(0).x - left).abs() < 1e-6);
        assert_eq!(scene.velocities[0], said.take());
    }
    for _ in 0..20 {
        scene.run();
    }
    assert!(scene.place(0).x < 0.001);
    assert!(scene.commands.is_empty(), "what has settled is left alone");
    assert_eq!(scene.client.corrected(), 0);
}

/// PRED-11: what is left is of the last word, and moves with the copy.
#[test]
fn an_error_moves_with_its_copy() {
    let mut scene = Scene::other();
    scene.word(OTHER, east(0.8), None);
    scene.walk_to(east(0.4 + 5.0));
    scene.before();
    assert!((scene.place(0).x - 5.6).abs() < 1e-5);
    scene.after();
    scene.word(OTHER, east(5.6), None);
    scene.run();
    assert!(scene.moves().is_empty(), "the newer word finds no error");
}

/// PRED-12 (in part: on foot), PRED-37: past a world unit the copy is put there at once, with the host's velocity, and has arrived.
#[test]
fn a_large_error_is_closed_at_once() {
    for (error, after, count) in
        [(REMOTE_BLEND_DISTANCE + 0.01, 0.0, 1), (REMOTE_BLEND_DISTANCE - 0.01, 0.495, 0), (1.0, 0.5, 0)]
    {
        let mut scene = Scene::other();
        scene.put(0, east(error));
        scene.word(OTHER, Vec3::ZERO, None);
        scene.run();
        assert!((scene.place(0).x - after).abs() < 1e-6, "{error}");
        assert_eq!(scene.client.corrected(), count);
        let there = at(Vec3::ZERO);
        if count == 1 {
            let put = Command::Move {
                unit: unit(7),
                to: there.position,
                velocity: Some(there.velocity),
                axes: Some(there.axes),
                why: Why::Teleport,
            };
            assert_eq!(scene.moves(), [&put]);
            scene.run();
            assert!(scene.moves().is_empty());
        }
    }
}

/// PRED-13: a correction is drawn gliding from where the copy was, and is over after six ticks.
#[test]
fn a_correction_is_drawn_gliding() {
    let mut scene = Scene::other();
    scene.word(OTHER, east(2.0), None);
    let mut drawn = 0.0;
    for after in 0..=GLIDE_TICKS {
        scene.run();
        let now = scene.place(0).x + scene.offsets[0].x;
        assert!((0.0..=1.1).contains(&(now - drawn)), "{after}: from {drawn} to {now}");
        assert_eq!(now == 2.0, after == GLIDE_TICKS);
        drawn = now;
    }
    assert_eq!(scene.offsets[0], Vec3::ZERO);
    scene.run();
    assert!(scene.commands.is_empty(), "it is drawn where it is, and that was said");
}

/// PRED-13: halves of halves glide too: what is drawn never moves more than the whole error in a tick, nor back.
#[test]
fn small_steps_glide_as_one() {
    let mut scene = Scene::other();
    let mut drawn = 0.0;
    for t in 0..30 {
        scene.word(OTHER, east(if t < 20 { 0.9 } else { 0.0 }), None);
        scene.run();
        let now = scene.place(0).x + scene.offsets[0].x;
        let ahead = if t < 20 { now - drawn } else { drawn - now };
        assert!((-1e-6..0.4).contains(&ahead), "{t}: from {drawn} to {now}");
        drawn = now;
    }
}

/// PRED-13: a move of a teleport's size is drawn as one; an offset from before it ends.
#[test]
fn a_teleport_is_not_drawn_gliding() {
    for (distance, glides) in [(TELEPORT_SIZED - 0.1, true), (TELEPORT_SIZED + 0.1, false)] {
        let mut scene = Scene::other();
        scene.word(OTHER, east(0.5), None);
        scene.run();
        assert!(scene.offsets[0].x < 0.0);
        let from = scene.place(0).x;
        scene.word(OTHER, east(from + distance), None);
        scene.run();
        assert_eq!(scene.offsets[0] != Vec3::ZERO, glides);
    }
}

/// PRED-13: what mounts in the middle of a glide is drawn where it is.
#[test]
fn a_rider_does_not_glide_on() {
    for (mut scene, slot) in [(Scene::own(), OWN), (Scene::other(), OTHER)] {
        scene.run();
        scene.word(slot, east(4.0), None);
        scene.run();
        assert!(scene.offsets[0] != Vec3::ZERO);
        scene.rows[0].placement = None;
        scene.run();
        assert_eq!(scene.offsets[0], Vec3::ZERO);
    }
}

/// PRED-15: the host's word is compared with where the player was at the tick that it names, and the player keeps
/// what it did since.
#[test]
fn an_own_player_is_moved_by_the_difference() {
    let mut scene = Scene::own();
    scene.walk_to(Vec3::ZERO);
    for x in [1.0, 2.0, 3.0] {
        scene.walk_to(east(x));
    }
    scene.word(OWN, east(4.0), Some(100));
    scene.before();
    let correct =
        Command::Move { unit: unit(2), to: east(7.0), velocity: None, axes: None, why: Why::Correct };
    assert_eq!(scene.moves(), [&correct]);
    assert!(matches!(scene.commands[1], Command::Drive { .. }), "it is driven from where it was moved to");
    assert_eq!(scene.client.own_corrections(), 1);
}

/// PRED-15: a player walking evenly, the echo late by any round trip: no correction; then one push at the host: one.
#[test]
fn a_late_echo_corrects_nothing() {
    for trip in 1..=16 {
        let mut scene = Scene::own();
        let walked = |t: i32| east(t as f32 * 0.6);
        for t in 100..200 {
            scene.before();
            let next = scene.place(0) + east(0.6);
            scene.put(0, if t == 100 { walked(100) } else { next });
            scene.after();
            if t >= 100 + trip {
                let pushed = if t >= 150 { Vec3::new(0.0, 3.5, 0.0) } else { Vec3::ZERO };
                scene.word(OWN, walked(t - trip) + pushed, Some(t - trip));
            }
        }
        assert_eq!(scene.client.own_corrections(), 1, "{trip} ticks late");
        assert!(scene.place(0).distance(walked(199) + Vec3::new(0.0, 3.5, 0.0)) < 0.01);
    }
}

/// PRED-16, 37, PRED-21 (in part: no elevator holds anybody yet): nothing moves within the tolerance, in any direction; past it all of the difference, and never
/// the velocity.
#[test]
fn within_the_tolerance_nothing_moves() {
    for direction in [east(1.0), Vec3::UP, -Vec3::UP, Vec3::new(0.0, 0.6, 0.8)] {
        for (off, moves) in [(2.9, false), (OWN_PLAYER_TOLERANCE, false), (3.1, true), (4.2, true)] {
            let mut scene = Scene::own();
            scene.run();
            // In the air as on the ground: without an elevator nothing protects.
            scene.rows[0].grounded = off < 4.0;
            scene.word(OWN, direction * off, Some(100));
            scene.run();
            assert_eq!(scene.moves().len(), usize::from(moves), "{off}");
            let expected = if moves { direction * off } else { Vec3::ZERO };
            assert!(scene.place(0).distance(expected) < 1e-5);
            assert_eq!(scene.velocities[0], None);
            assert_eq!(scene.client.own_corrections(), u64::from(moves));
        }
    }
}

/// PRED-18: of a tick no longer kept only a teleport-sized difference corrects.
#[test]
fn a_tick_no_longer_kept_hardly_corrects() {
    for (off, expected) in [(9.9, 0.0), (10.1, 10.1)] {
        let mut scene = Scene::own();
        for _ in 0..PREDICTION_HISTORY + 10 {
            scene.run();
        }
        scene.word(OWN, east(off), Some(100));
        scene.run();
        assert!((scene.place(0).x - expected).abs() < 1e-5);
    }
}

/// PRED-15: a word on a tick that is not simulated yet is compared with the newest.
#[test]
fn an_early_word_is_compared_with_the_newest() {
    let mut scene = Scene::own();
    scene.walk_to(east(1.0));
    scene.word(OWN, east(5.0), Some(103));
    scene.run();
    assert_eq!(scene.place(0), east(5.0));
}

/// PRED-15: across a jump of the clock, the ticks between are where the player was before it.
#[test]
fn a_jump_of_the_clock_corrects_nothing() {
    let mut scene = Scene::own();
    scene.walk_to(east(1.0));
    scene.tick += 500;
    scene.walk_to(east(1.1));
    scene.word(OWN, east(1.2), Some(103));
    scene.run();
    scene.word(OWN, east(1.1), Some(600));
    scene.run();
    assert_eq!(scene.client.own_corrections(), 0);
    scene.word(OWN, east(5.0), Some(103));
    scene.run();
    assert!((scene.place(0).x - 5.1).abs() < 1e-5);
}

/// PRED-19 (in part: the word's effect), PRED-40: a word that names no tick is compared with the present; past the tolerance the player is put there.
#[test]
fn a_word_without_a_tick_is_of_the_present() {
    for (host, put) in [(7.1, false), (6.9, true), (50.0, true)] {
        let mut scene = Scene::own();
        scene.walk_to(east(10.0));
        scene.word(OWN, east(host), None);
        scene.run();
        assert_eq!(scene.place(0).x, if put { host } else { 10.0 });
        assert_eq!(scene.velocities[0], put.then_some(at(Vec3::ZERO).velocity));
        assert_eq!(scene.client.own_corrections(), 0, "it was put, not corrected");
        // Its history begins anew.
        scene.word(OWN, Vec3::ZERO, Some(100));
        scene.run();
        let place = scene.place(0).x;
        assert_eq!(place, if put { host } else { 0.0 });
    }
}

/// PRED-40: a player running honestly while the host takes nothing is not moved for its lag.
#[test]
fn lag_alone_puts_nobody_back() {
    let mut scene = Scene::own();
    for t in 0..60 {
        scene.walk_to(east(t as f32 * 0.08));
        scene.word(OWN, east((t - 6) as f32 * 0.08), None);
    }
    assert!(scene.moves().is_empty());
}

/// PRED-38 (in part: on foot): a correction moves the history with it, so that echoes in flight correct nothing again.
#[test]
fn a_correction_moves_the_history() {
    let mut scene = Scene::own();
    scene.tick = 97;
    for x in [100.0, 101.0, 102.0] {
        scene.walk_to(east(x));
    }
    // It is at 102 after tick 100; the host had it 4 further on at 98.
    scene.word(OWN, east(104.0), Some(98));
    scene.run();
    assert_eq!(scene.place(0), east(106.0));
    for (named, place) in [(98, 104.0), (99, 105.0), (100, 106.0), (101, 106.0)] {
        scene.word(OWN, east(place), Some(named));
        scene.run();
    }
    assert_eq!(scene.place(0), east(106.0));
    assert_eq!(scene.client.own_corrections(), 1);
}

/// PRED-39: a teleport cuts the history: echoes of before it neither undo it nor make it twice.
#[test]
fn a_teleport_cuts_the_history() {
    let teleported = || {
        let mut scene = Scene::own();
        scene.tick = 59;
        for _ in 60..99 {
            scene.walk_to(Vec3::ZERO);
        }
        scene.before();
        scene.put(0, east(10.0));
        scene.client.handle_teleport(OWN);
        scene.after();
        assert_eq!(scene.tick, 99);
        scene
    };
    for (named, host) in [(98, 0.0), (98, 10.0), (98, 20.0), (60, 0.0), (7, 0.0)] {
        let mut scene = teleported();
        scene.word(OWN, east(host), Some(named));
        scene.run();
        assert_eq!(scene.place(0), east(10.0), "{named} at {host}");
    }
    let mut scene = teleported();
    scene.before();
    scene.put(0, east(11.0));
    scene.after();
    scene.word(OWN, east(14.0), Some(99));
    scene.run();
    assert_eq!(scene.place(0), east(15.0));
    scene.word(OWN, Vec3::ZERO, Some(98));
    scene.run();
    assert_eq!(scene.place(0), east(15.0));
    // Long after, when the ring has gone round, too.
    for _ in 0..PREDICTION_HISTORY + 5 {
        scene.run();
    }
    scene.word(OWN, Vec3::ZERO, Some(98));
    scene.run();
    assert_eq!(scene.place(0), east(15.0));
}

/// PRED-39: the host's teleport first: the player is put there, and an echo in flight changes nothing.
#[test]
fn the_hosts_teleport_cuts_the_history() {
    let mut scene = Scene::own();
    for _ in 0..5 {
        scene.run();
    }
    scene.word(OWN, east(10.0), None);
    scene.run();
    assert_eq!(scene.place(0), east(10.0));
    for place in [0.0, 10.0] {
        scene.word(OWN, east(place), Some(103));
        scene.run();
        assert_eq!(scene.place(0), east(10.0));
    }
}

/// PRED-39, PRED-38: an own player steps through a teleporter whose exit the host picks otherwise: whatever the
/// round trip, it goes from the exit that was guessed to the host's once, and no echo of before, of the guess or
/// of after sends it back.
#[test]
fn a_wrong_guess_of_an_exit_is_put_right_once() {
    for trip in 1..=20 {
        let mut scene = Scene::own();
        for _ in 0..30 {
            scene.run();
        }
        scene.before();
        scene.put(0, east(10.0));
        scene.client.handle_teleport(OWN);
        scene.after();
        let through = scene.tick;
        let mut places = Vec::new();
        for _ in 0..3 * trip + 20 {
            // The host's word is of the tick of a round trip ago; from the step on it has the player at its own exit.
            let named = scene.tick - trip;
            scene.word(OWN, if named < through { Vec3::ZERO } else { east(-10.0) }, Some(named));
            scene.run();
            places.push(scene.place(0).x);
        }
        let right = places.iter().position(|x| *x == -10.0).unwrap();
        assert!(places[..right].iter().all(|x| *x == 10.0), "{trip}: {places:?}");
        assert!(places[right..].iter().all(|x| *x == -10.0), "{trip}: {places:?}");
        assert_eq!((scene.client.own_corrections(), right as i32), (1, trip), "{trip}: {places:?}");
    }
}

/// PRED-33: an older state is refused; a second of the same tick is taken, of this player and of others.
#[test]
fn only_newer_states_move_a_copy() {
    let second = Slot::new(9).unwrap();
    let mut scene = Scene::new(&[OTHER, second], 0, 99);
    let word = |number, x| HostWord { tick: tick(number), placement: at(east(x)), predicted: None };
    assert_eq!(scene.client.handle_word(OTHER, word(102, 5.0)), Ok(()));
    assert_eq!(scene.client.handle_word(OTHER, word(101, 9.0)), Err(Error::NotNewer));
    assert_eq!(scene.client.handle_word(second, word(102, 6.0)), Ok(()));
    scene.run();
    assert_eq!((scene.place(0).x, scene.place(1).x), (5.0, 6.0));
    assert_eq!(scene.client.handle_word(OTHER, word(102, 7.0)), Ok(()));
    scene.run();
    assert_eq!(scene.place(0).x, 7.0);
}

/// PRED-35: each of a machine's players has its own history, input and corrections.
#[test]
fn players_of_one_machine_are_apart() {
    let second = Slot::new(3).unwrap();
    let mut scene = Scene::new(&[OWN, second], 2, 99);
    scene.put(1, east(50.0));
    scene.run();
    scene.word(OWN, east(4.0), Some(100));
    scene.word(second, east(50.5), Some(100));
    scene.run();
    assert_eq!((scene.place(0), scene.place(1)), (east(4.0), east(50.0)));
    assert_eq!(scene.sent().1.len(), 2);
    let left = Input { yaw: 1.0, ..Input::default() };
    let right = Input { yaw: 2.0, ..Input::default() };
    scene.commands.clear();
    scene.client.before_tick(tick(110), &scene.rows, &[(second, right), (OWN, left)], &mut scene.commands);
    assert_eq!((scene.driven(OWN), scene.driven(second)), (Some(left), Some(right)));
}

/// PRED-35: a player that joins beside another disturbs nothing of it.
#[test]
fn a_player_that_joins_disturbs_nobody() {
    let mut scene = Scene::own();
    scene.run();
    scene.client.set_own(&[Slot::new(3).unwrap(), OWN]);
    scene.word(OWN, east(4.0), Some(100));
    scene.run();
    assert_eq!(scene.place(0), east(4.0));
}

/// PRED-36: a new unit has no past: echoes of the last life, and of the dead, correct nothing.
#[test]
fn a_new_life_begins_a_new_history() {
    for dead_between in [true, false] {
        let mut scene = Scene::own();
        scene.run();
        let mut row = scene.rows.pop().unwrap();
        if dead_between {
            scene.word(OWN, east(30.0), Some(100));
            scene.run();
        }
        row.unit = unit(55);
        row.placement = Some(at(east(20.0)));
        scene.rows.push(row);
        scene.word(OWN, east(30.0), Some(100));
        scene.run();
        assert_eq!(scene.place(0), east(20.0));
        let first = scene.tick;
        scene.word(OWN, east(30.0), Some(first - 1));
        scene.run();
        assert_eq!(scene.place(0), east(20.0));
        scene.word(OWN, east(24.0), Some(first));
        scene.run();
        assert_eq!(scene.place(0), east(24.0));
    }
}

/// PRED-36: what was left of an error goes with the unit.
#[test]
fn a_new_copy_is_where_it_was_made() {
    let mut scene = Scene::other();
    scene.word(OTHER, east(0.9), None);
    scene.run();
    scene.rows[0].unit = unit(56);
    scene.put(0, east(40.0));
    scene.run();
    assert!(scene.commands.is_empty());
    assert_eq!(scene.place(0), east(40.0));
}

/// PRED-11: a slot that is forgotten is a stranger's.
#[test]
fn a_forgotten_slot_keeps_nothing() {
    let mut scene = Scene::other();
    scene.relay(500, Input { yaw: 1.0, ..Input::default() }).unwrap();
    scene.word(OTHER, east(0.9), None);
    scene.client.forget(OTHER);
    scene.run();
    assert!(scene.commands.is_empty());
    scene.relay(3, Input::default()).unwrap();
}

/// A steady tick allocates nothing.
#[test]
fn a_steady_tick_allocates_nothing() {
    let slots: Vec<Slot> = Slot::all().take(18).collect();
    let mut scene = Scene::new(&slots, 2, 99);
    let local = [(slots[0], Input::default()), (slots[1], Input::default())];
    let mut now = Tick::ZERO;
    let mut steady = |scene: &mut Scene| {
        now = now.next();
        for row in &mut scene.rows {
            let action = RelayedAction { slot: row.slot, input: Input::default(), history: [Buttons(0); 4] };
            let _ = scene.client.handle_relayed(now, now, &action);
            let off = if now.get() % 7 == 0 { 4.0 } else { 0.3 };
            let word = HostWord { tick: now, placement: at(east(off)), predicted: Some(now.minus(1)) };
            let _ = scene.client.handle_word(row.slot, word);
            row.placement = Some(at(Vec3::ZERO));
        }
        scene.commands.clear();
        scene.client.before_tick(now, &scene.rows, &local, &mut scene.commands);
        scene.outbox.begin(now, 0);
        scene.client.after_tick(now, now, &scene.rows, &[], &mut scene.outbox);
    };
    for _ in 0..20 {
        steady(&mut scene);
    }
    let measured = allocation_counter::measure(|| (0..200).for_each(|_| steady(&mut scene)));
    assert_eq!(measured.count_total, 0);
}

proptest! {
    /// PRED-16, 38: whatever the host says of any tick, an own player ends within the tolerance of it, is never
    /// moved for a word within it, and is never moved twice for one difference.
    #[test]
    fn a_word_corrects_once(named in 90..130_i32, off in -8.0..8.0_f32, steps in prop::collection::vec(-0.5..0.5_f32, 20)) {
        let mut scene = Scene::own();
        let mut place = 0.0;
        for step in &steps {
            place += step;
            scene.walk_to(east(place));
        }
        let known = |named: i32| steps[..((named - 99).clamp(0, 20) as usize)].iter().sum::<f32>();
        let host = east(known(named) + off);
        for _ in 0..3 {
            scene.word(OWN, host, Some(named));
            scene.run();
        }
        let corrected = named >= 100 && off.abs() > OWN_PLAYER_TOLERANCE + 0.001;
        let close = (off.abs() - OWN_PLAYER_TOLERANCE).abs() <= 0.001;
        prop_assert!(close || scene.client.own_corrections() == u64::from(corrected));
        let end = if corrected { place + off } else { place };
        prop_assert!(close || (scene.place(0).x - end).abs() < 0.001);
    }
}
