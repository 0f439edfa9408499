//! The crate's promises as scripts: at this tick this comes in, exactly that goes out. `walk` has the walker and
//! the line by which honest and lying clients are played.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

mod walk;

use mjolnir_authority::{
    ANCHOR_JITTER, ANCHOR_RENEW, Client, Command, Drift, Error, Host, InputRow, MoveLimits, PlayerRow,
    UnitRow, Vitality, Why,
};
use mjolnir_wire::inputs::{History, RelayedAction, RelayedActions};
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, ShieldFlags, ShownDamage, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Buttons, Input, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Parts, Slot,
    Tick, Vec3,
};
use proptest::prelude::*;

pub(crate) const LIMITS: MoveLimits = MoveLimits { run: 0.08, jump: 0.07, crouch_lift: 0.2 };
pub(crate) const GRAVITY: f32 = 0.003_57;

pub(crate) fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn unit(index: u16) -> ObjectId {
    ObjectId::new(index, 1).unwrap()
}

fn east(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

fn up(z: f32) -> Vec3 {
    Vec3::new(0.0, 0.0, z)
}

pub(crate) fn standing(position: Vec3) -> Placement {
    Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT }
}

pub(crate) fn alive(of: u8, placement: Placement) -> UnitState {
    UnitState {
        slot: slot(of),
        shield: ShieldFlags::default(),
        life: Life::Alive(LivingUnit::whole(unit(of.into()), placement)),
    }
}

fn dead(of: u8, killer: Option<u8>) -> UnitState {
    let death = Death { killer: killer.map(slot), ..Death::default() };
    UnitState { slot: slot(of), shield: ShieldFlags::default(), life: Life::Dead(death) }
}

/// Player `of` on the machine of the same number.
pub(crate) fn row(of: u8, placement: Placement) -> UnitRow {
    UnitRow { machine: machine(of), state: alive(of, placement), limits: LIMITS, grounded: true, left: false }
}

fn input(of: u8, client: Option<i32>) -> InputRow {
    InputRow {
        slot: slot(of),
        machine: machine(of),
        input: Input::default(),
        history: History::default(),
        of: client.map(tick),
    }
}

fn position(state: &UnitState) -> Vec3 {
    match state.life {
        Life::Alive(unit) => unit.placement.unwrap().position,
        Life::Dead(_) => panic!("dead"),
    }
}

/// One host with one client's player, slot 1 of machine 1, whose copy stays where it was put.
struct Table {
    host: Host,
    now: i32,
    row: UnitRow,
    gravity: f32,
    commands: Vec<Command>,
    outbox: Outbox,
}

impl Table {
    fn at(now: i32, position: Vec3) -> Self {
        let mut table = Self {
            host: Host::new(),
            now: now - 1,
            row: row(1, standing(position)),
            gravity: GRAVITY,
            commands: Vec::new(),
            outbox: Outbox::new(),
        };
        table.host.set_clients(MachineSet::CLIENTS);
        table.tick(None);
        table
    }

    /// The next tick, driven with that client tick's input.
    fn tick(&mut self, of: Option<i32>) {
        self.now += 1;
        self.commands.clear();
        self.outbox.begin(tick(self.now), self.now);
        let rows = core::slice::from_mut(&mut self.row);
        let inputs = [input(1, of)];
        self.host.after_tick(
            tick(self.now),
            self.gravity,
            rows,
            &inputs,
            &mut self.commands,
            &mut self.outbox,
        );
    }

    fn ticks(&mut self, count: i32) {
        (0..count).for_each(|_| self.tick(None));
    }

    fn predict(&mut self, client: i32, position: Vec3) -> Result<(), Error> {
        self.host.handle_prediction(machine(1), tick(client), &alive(1, standing(position)))
    }

    /// A prediction and the tick that takes it; where the copy then is.
    fn take(&mut self, client: i32, position: Vec3) -> Vec3 {
        self.predict(client, position).unwrap();
        self.tick(Some(client));
        self.place()
    }

    fn place(&self) -> Vec3 {
        position(&self.row.state)
    }

    fn put(&mut self, placement: Placement) {
        self.row.state = alive(1, placement);
    }

    /// The client's tick that the state to the owner names.
    fn named(&self) -> Option<u16> {
        named_in(&self.outbox)
    }
}

/// The client's tick that the one state to machine 1 names.
pub(crate) fn named_in(outbox: &Outbox) -> Option<u16> {
    let states = states(outbox, machine(1));
    assert_eq!(states.len(), 1);
    match states[0].life {
        Life::Alive(unit) => unit.predicted,
        Life::Dead(_) => None,
    }
}

fn parts(outbox: &Outbox, to: Machine, mut each: impl FnMut(&Message<'_>)) {
    outbox.gather_datagrams(to, &mut BatchWriter::new(), |bytes| {
        let batch = Message::read(bytes).unwrap();
        Parts::of(&batch).for_each(|part| each(&part.unwrap()));
    });
}

fn states(outbox: &Outbox, to: Machine) -> Vec<UnitState> {
    let mut all = Vec::new();
    parts(outbox, to, |part| {
        if part.kind == Kind::UnitStates {
            all.extend(UnitState::read_all(part).map(Result::unwrap));
        }
    });
    all
}

fn actions(outbox: &Outbox, to: Machine) -> Vec<RelayedAction> {
    let mut all = Vec::new();
    parts(outbox, to, |part| {
        if part.kind == Kind::RelayedActions {
            all.extend(RelayedActions::read(part).unwrap().map(Result::unwrap));
        }
    });
    all
}

// Taking.

/// AUTH-09: of three predictions between ticks the newest is taken, once, whatever their order.
#[test]
fn the_newest_prediction_is_taken_at_the_next_tick() {
    let mut table = Table::at(10, Vec3::ZERO);
    table.predict(8, east(0.3)).unwrap();
    table.predict(10, east(0.5)).unwrap();
    assert_eq!(table.predict(9, east(0.4)), Err(Error::Old));
    table.predict(10, east(0.9)).unwrap();
    assert_eq!(table.place(), Vec3::ZERO);
    table.tick(None);
    assert_eq!(table.place(), east(0.5));
    assert_eq!(table.host.takings().taken, 1);
    table.tick(None);
    assert_eq!(table.host.takings().taken, 1);
}

/// AUTH-10 (in part: on foot): within the tolerance and the envelope taken; past either not, and the host's own copy
/// stands.
#[test]
fn a_prediction_is_taken_within_tolerance_and_envelope() {
    assert_eq!(Table::at(0, Vec3::ZERO).take(1, east(3.4)), east(3.4));
    assert_eq!(Table::at(0, Vec3::ZERO).take(1, east(3.6)), Vec3::ZERO);

    let mut table = Table::at(0, Vec3::ZERO);
    table.take(1, Vec3::ZERO);
    assert_eq!(table.take(2, east(0.9)), Vec3::ZERO);
    assert_eq!(table.host.takings().past_bounds, 1);
    assert!(table.commands.is_empty());
    table.put(standing(east(4.0)));
    table.ticks(20);
    assert_eq!(table.take(23, Vec3::ZERO), east(4.0));
    assert_eq!(table.host.takings().past_tolerance, 1);
}

/// AUTH-11 (in part: on foot): halfway to what is a little off, at once to what is further.
#[test]
fn the_copy_is_put_halfway_to_what_is_a_little_off() {
    for (off, put, why) in [(0.2, 0.1, Why::Blend), (0.25, 0.125, Why::Blend), (0.3, 0.3, Why::Take)] {
        let mut table = Table::at(0, Vec3::ZERO);
        assert_eq!(table.take(1, east(off)), east(put));
        let placement = standing(east(put));
        assert_eq!(table.commands, [Command::Place { slot: slot(1), unit: unit(1), placement, why }]);
    }
}

/// AUTH-11: a copy that is where the client has it is left alone.
#[test]
fn an_equal_prediction_moves_nothing() {
    let mut table = Table::at(0, Vec3::ZERO);
    table.take(1, Vec3::ZERO);
    assert!(table.commands.is_empty());
    assert_eq!(table.host.takings().taken, 1);
}

/// AUTH-13 (in part: twice its own speed; a throw's is not remembered yet): 25 ticks after the anchor 0.20 wu a tick
/// is taken and 0.22 is not.
#[test]
fn a_claim_is_measured_from_the_anchor() {
    for (speed, taken) in [(0.20, true), (0.22, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        table.put(standing(east(2.0)));
        table.ticks(24);
        table.take(115, east(speed * 25.0));
        assert_eq!(table.host.takings().taken == 2, taken, "{speed}");
    }
}

/// AUTH-13 (in part: twice its own speed), AUTH-17: a velocity is taken no faster than the player goes, without the slack; of another direction or
/// from rest alike.
#[test]
fn a_velocity_is_taken_no_faster_than_the_player_goes() {
    for (said, taken) in [(0.159, 0.159), (0.161, 0.16), (30.0, 0.16)] {
        let mut table = Table::at(0, Vec3::ZERO);
        let placement = Placement { velocity: east(said), ..standing(Vec3::ZERO) };
        table.host.handle_prediction(machine(1), tick(1), &alive(1, placement)).unwrap();
        table.tick(None);
        let Command::Place { placement, .. } = table.commands[0] else { panic!() };
        assert!((placement.velocity.x - taken).abs() < 1e-6, "{said}");
    }
}

/// AUTH-15: down from the highest of the flight as fast as a thing falls from there; no faster, and not from a
/// height it was not at.
#[test]
fn a_fall_is_taken_as_fast_as_it_falls() {
    for (peak, taken) in [(5.0, true), (3.0, false)] {
        let mut table = Table::at(0, up(peak));
        table.row.grounded = false;
        table.put(standing(up(3.0)));
        table.take(1, up(3.0));
        for _ in 0..7 {
            let lower = table.place() - up(0.37);
            table.put(standing(lower));
            table.tick(None);
        }
        let low = table.place() - up(0.37);
        table.put(standing(low));
        table.take(9, low);
        assert_eq!(table.host.takings().taken == 2, taken, "{peak}: {:?}", table.host.takings());
    }
}

/// AUTH-64: one older than was taken changes nothing; one far ahead may have moved for the host's ticks and jitter.
#[test]
fn a_client_tick_counts_as_far_as_the_host_counts() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    assert_eq!(table.predict(99, east(0.1)), Err(Error::Old));
    assert_eq!(table.predict(100, east(0.1)), Ok(()));
    table.tick(None);
    assert_eq!(table.place(), Vec3::ZERO);

    let most = 0.21 * (1 + ANCHOR_JITTER) as f32;
    for (claim, taken) in [(most - 0.01, true), (most + 0.01, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        table.take(140, east(claim));
        assert_eq!(table.host.takings().taken == 2, taken, "{claim}");
    }
}

/// NET-74, AUTH-64: one prediction whose stamp was damaged is taken as any other, names no tick, and neither refuses
/// those that follow nor takes the anchor with it; two that agree are the client's time.
#[test]
fn a_damaged_stamp_refuses_nobody() {
    for at in [103, 129, 130, 131] {
        let mut table = Table::at(99, Vec3::ZERO);
        for host in 100..200 {
            let place = east(0.08 * (host - 100) as f32);
            table.put(standing(place));
            let damaged = host == at;
            table.take(if damaged { host + 400 } else { host - 5 }, place);
            assert_eq!(table.named(), (!damaged).then_some(host as u16 - 5), "{host}");
        }
        assert_eq!(table.host.takings().taken, 100);
        table.take(900, table.place());
        table.take(901, table.place());
        assert_eq!(table.named(), Some(901));
        assert_eq!(table.predict(899, Vec3::ZERO), Err(Error::Old));
    }
}

/// AUTH-12, 64: ticks that never agree give nobody the tolerance again and again, in a new life neither.
#[test]
fn ticks_that_never_agree_gain_nothing() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    table.row.state = dead(1, None);
    table.tick(None);
    table.put(standing(Vec3::ZERO));
    table.tick(None);
    for tick in 1..60 {
        let claim = table.place() + east(3.4);
        table.take(if tick % 2 == 0 { 140 } else { 200 }, claim);
    }
    assert_eq!(table.place(), Vec3::ZERO);
}

/// AUTH-12, NET-74: who stands still with ticks that never agree, which renew no anchor, gains no more than an anchor's
/// time by it: not the way of all the ticks that it stood.
#[test]
fn an_old_anchor_is_no_leave_to_jump() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    for host in 102..402 {
        let place = table.place();
        table.take(if host % 2 == 0 { host + 40 } else { host + 120 }, place);
    }
    assert_eq!(table.host.takings().taken, 301, "standing still is taken whatever the tick");
    for host in 402..440 {
        let place = table.place() + east(3.4);
        table.take(if host % 2 == 0 { host + 40 } else { host + 120 }, place);
    }
    assert!(table.place().x <= 0.21 * (ANCHOR_RENEW + ANCHOR_JITTER) as f32, "{:?}", table.place());
}

/// AUTH-12: a client sleeps, its clock with it, while the host's copy goes on at a run with its last input; it wakes, is
/// put beside the copy, and walks on. Once nothing was taken for as long as an anchor stands, it is measured from the
/// host's own copy: only its first word is refused. One that slept a little less is refused until then, and no longer.
#[test]
fn whoever_slept_is_measured_from_the_hosts_copy() {
    for (slept, refused) in [(ANCHOR_RENEW as i32 + 30, 1), (ANCHOR_RENEW as i32 - 4, 4)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        for walked in 1..=slept {
            table.put(standing(east(0.08 * walked as f32)));
            table.tick(None);
        }
        let woke = table.place();
        for walked in 1..=30 {
            table.put(standing(woke + east(0.08 * walked as f32)));
            table.take(100 + walked, woke + east(0.08 * walked as f32));
        }
        let takings = table.host.takings();
        assert_eq!(takings.past_bounds, refused, "{slept}: {takings:?}");
        assert_eq!(takings.taken, 1 + 30 - refused, "{slept}: {takings:?}");
    }
}

/// AUTH-12: what is measured from the host's own copy gains nothing: a claim that runs away from it at four times a run,
/// refused for a minute, is never more than a second's ticks and the jitter ahead of it.
#[test]
fn a_refused_claim_gains_nothing_by_being_refused() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    let mut furthest = 0.0_f32;
    for walked in 1..=1800 {
        let place = table.place();
        table.take(100 + walked, place + east(0.32));
        furthest = furthest.max(table.place().x);
    }
    // Twice a run and the slack, each tick of the minute.
    assert!(furthest <= 0.21 * (1800 + ANCHOR_JITTER) as f32, "{furthest}");
    assert!(table.host.takings().past_bounds > 500, "{:?}", table.host.takings());
}

/// AUTH-71: another machine's player, the host's own, a dead or riding one, and last life's unit are refused; of an
/// entry only place, velocity and axes are used.
#[test]
fn a_prediction_is_of_the_senders_living_player_on_foot() {
    let mut table = Table::at(0, Vec3::ZERO);
    let there = alive(1, standing(east(0.1)));
    assert_eq!(table.host.handle_prediction(machine(2), tick(1), &there), Err(Error::NotOwned));
    assert_eq!(table.host.handle_prediction(Machine::HOST, tick(1), &there), Err(Error::NotOwned));
    let other = alive(9, standing(Vec3::ZERO));
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &other), Err(Error::NotOwned));
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &dead(1, None)), Err(Error::NotPlaced));
    let mut riding = there;
    let mut old = there;
    let mut boast = there;
    for (state, change) in [(&mut riding, 0), (&mut old, 1), (&mut boast, 2)] {
        let Life::Alive(living) = &mut state.life else { panic!() };
        match change {
            0 => living.placement = None,
            1 => living.unit = unit(77),
            _ => (living.shield, living.body) = (3.0, 3.0),
        }
    }
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &riding), Err(Error::NotPlaced));
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &old), Err(Error::WrongUnit));
    table.host.handle_prediction(machine(1), tick(1), &boast).unwrap();
    table.tick(None);
    assert_eq!(table.row.state, alive(1, standing(east(0.05))));
}

/// AUTH-71: a unit that dies, boards or changes in the tick between is not moved by what was said before.
#[test]
fn what_was_said_of_a_life_ends_with_it() {
    let mut table = Table::at(0, Vec3::ZERO);
    table.predict(1, east(0.3)).unwrap();
    table.row.state = dead(1, Some(2));
    table.tick(None);
    assert!(table.commands.is_empty());
    table.put(standing(Vec3::ZERO));
    table.tick(None);
    assert!(table.commands.is_empty(), "nor by a later life");
    assert_eq!(table.predict(1, east(0.3)), Ok(()), "it was never taken");
}

/// AUTH-71, 72, 37: a slot is its own machine's; a left player's machine may be another's by now.
#[test]
fn who_left_is_nobodys() {
    let mut table = Table::at(0, Vec3::ZERO);
    assert_eq!(table.host.check_owner(machine(1), slot(1)), Ok(()));
    assert_eq!(table.host.check_owner(machine(2), slot(1)), Err(Error::NotOwned));
    assert_eq!(table.host.check_owner(machine(1), slot(2)), Err(Error::NotOwned));
    table.row.left = true;
    table.tick(None);
    assert_eq!(table.predict(1, Vec3::ZERO), Err(Error::NotOwned));
}

/// AUTH-33: tick 97 taken at host tick 99: the states of 99 to 102 name 97 to 100, that of 103 none; only to the
/// owner's machine.
#[test]
fn the_owners_state_names_the_clients_tick() {
    let mut table = Table::at(98, Vec3::ZERO);
    assert_eq!(table.named(), None);
    table.take(97, Vec3::ZERO);
    for host in 99..=102 {
        assert_eq!((table.now, table.named()), (host, Some(host as u16 - 2)));
        let other = states(&table.outbox, machine(2));
        assert_eq!(other, [alive(1, standing(Vec3::ZERO))]);
        table.tick(None);
    }
    assert_eq!((table.now, table.named()), (103, None));
}

/// AUTH-33: with every second prediction lost each state still names a tick, one more each.
#[test]
fn a_lost_prediction_leaves_no_gap() {
    let mut table = Table::at(99, Vec3::ZERO);
    for host in 100..160 {
        if host % 2 == 0 {
            table.take(host - 6, Vec3::ZERO);
        } else {
            table.tick(None);
        }
        assert_eq!(table.named(), Some(host as u16 - 6));
    }
}

/// AUTH-22: a teleporter starts afresh: predictions of the old place do not bring the copy back, no tick is
/// named, the first of the new place is taken and named.
#[test]
fn a_teleporter_starts_afresh() {
    for told in [true, false] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(97, Vec3::ZERO);
        if told {
            table.host.placed_anew(slot(1));
        }
        table.put(standing(east(30.0)));
        table.predict(98, Vec3::ZERO).unwrap();
        table.tick(Some(98));
        assert_eq!((table.place(), table.named()), (east(30.0), None));
        for client in 99..109 {
            table.take(client, east(0.1));
            assert_eq!((table.place(), table.named()), (east(30.0), None));
        }
        assert_eq!(table.take(109, east(30.4)), east(30.4));
        assert_eq!(table.named(), Some(109));
    }
}

/// AUTH-22: a move that a unit makes in a tick is none of that; nor is where the host itself put it.
#[test]
fn a_move_of_a_tick_keeps_the_record() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(97, east(3.0));
    table.tick(None);
    assert_eq!(table.named(), Some(98));
    table.put(standing(east(5.0)));
    table.tick(None);
    assert_eq!(table.named(), Some(99));
    table.put(standing(east(7.1)));
    table.tick(None);
    assert_eq!(table.named(), None);
}

/// AUTH-22: a new life and leaving a vehicle start afresh, though the client's ticks go on.
#[test]
fn a_new_life_starts_afresh() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(97, Vec3::ZERO);
    table.row.state = dead(1, None);
    table.tick(None);
    table.put(standing(east(1.5)));
    table.tick(None);
    assert_eq!(table.named(), None);
    assert_eq!(table.predict(96, east(1.5)), Err(Error::Old));
    assert_eq!(table.take(98, east(3.0)), east(3.0));
}

// Drift.

/// AUTH-69: thirty comparable ticks of which three differ by a thousandth; a gap, an input held on and a foreign
/// input are not compared.
#[test]
fn moves_of_the_same_tick_are_compared() {
    let mut table = Table::at(100, Vec3::ZERO);
    let mut client = Vec3::ZERO;
    table.take(90, client);
    for moved in 1..=30 {
        let here = table.place();
        table.put(standing(here + Vec3::new(0.08, 0.0, 0.0)));
        client += Vec3::new(0.08, if moved % 10 == 0 { 0.001 } else { 0.0 }, 0.0);
        table.take(90 + moved, client);
    }
    let drift = table.host.take_drift();
    assert_eq!((drift.ticks, drift.apart), (30, 3));
    assert!((drift.mean - 0.0001).abs() < 1e-6 && (drift.largest - 0.001).abs() < 1e-6, "{drift:?}");
    assert_eq!(table.host.drift_of(slot(1)).ticks, 30);
    assert_eq!(table.host.take_drift(), Drift::default());

    table.take(122, client);
    assert_eq!(table.host.take_drift().ticks, 0, "a prediction is missing");
    table.tick(Some(123));
    table.take(124, client);
    assert_eq!(table.host.take_drift().ticks, 0, "a take is missing");
    table.predict(125, client).unwrap();
    table.tick(None);
    assert_eq!(table.host.take_drift().ticks, 0, "the input is missing");
    table.predict(126, client).unwrap();
    table.tick(Some(125));
    assert_eq!(table.host.take_drift().ticks, 0, "it is another tick's input");
    table.take(127, client);
    assert_eq!(table.host.take_drift().ticks, 1);
}

/// AUTH-70: an offset that fades by halves while both move alike is no drift.
#[test]
fn fading_an_offset_is_no_drift() {
    for offset in [0.2, 0.3] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        let mut client = Vec3::new(0.0, offset, 0.0);
        table.ticks(1);
        table.take(92, client);
        for moved in 1..=30 {
            let here = table.place();
            table.put(standing(here + east(0.08)));
            client += east(0.08);
            table.take(92 + moved, client);
        }
        let drift = table.host.take_drift();
        assert_eq!((drift.ticks, drift.apart), (30, 0), "{drift:?}");
        assert!(table.place().distance(client) < 1e-4);
    }
}

/// AUTH-69: a velocity and axes that came as coarse as they travel do not change a copy that has them exactly.
#[test]
fn what_travels_coarsely_does_not_coarsen_the_copy() {
    let mut table = Table::at(100, Vec3::ZERO);
    let exact = Placement {
        position: Vec3::ZERO,
        velocity: Vec3::new(0.051_234_5, -0.043_21, 0.0333),
        axes: Axes::read(Vec3::new(0.123_456, 0.95, 0.0), Vec3::UP).unwrap(),
    };
    table.put(exact);
    let mut bytes = vec![0; 0];
    let mut outbox = Outbox::new();
    outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |to| alive(1, exact).write(to)).unwrap();
    outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |datagram| bytes = datagram.to_vec());
    let batch = Message::read(&bytes).unwrap();
    let part = Parts::of(&batch).next().unwrap().unwrap();
    let came = UnitState::read_all(&part).next().unwrap().unwrap();
    assert_ne!(came, alive(1, exact));
    table.host.handle_prediction(machine(1), tick(90), &came).unwrap();
    table.tick(None);
    assert!(table.commands.is_empty());
    assert_eq!(table.row.state, alive(1, exact));
}

// What the machines are told.

/// AUTH-04, 37, 42: each tick every machine is told of every player, its own too; the dead go on.
#[test]
fn every_machine_is_told_of_every_player_each_tick() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let mut outbox = Outbox::new();
    for now in 0..30 {
        let mut rows =
            [row(0, standing(east(1.0))), row(1, standing(east(2.0))), row(2, standing(east(3.0)))];
        rows[2].state = dead(2, Some(0));
        outbox.begin(tick(now), now);
        host.after_tick(tick(now), GRAVITY, &mut rows, &[], &mut Vec::new(), &mut outbox);
        for to in [1, 2, 127] {
            let told = states(&outbox, machine(to));
            assert_eq!(told, rows.map(|row| row.state));
        }
    }
}

/// AUTH-04: a machine that has not loaded is told nothing, the host itself neither.
#[test]
fn only_loaded_machines_are_told() {
    let mut table = Table::at(0, Vec3::ZERO);
    table.host.set_clients([Machine::HOST, machine(2)].into_iter().collect());
    table.tick(None);
    assert!(states(&table.outbox, Machine::HOST).is_empty());
    assert!(states(&table.outbox, machine(1)).is_empty());
    assert_eq!(states(&table.outbox, machine(2)).len(), 1);
}

/// AUTH-37: one who left goes out as it changes, and to whoever loads later.
#[test]
fn who_left_is_told_of_as_it_changes() {
    let mut table = Table::at(0, Vec3::ZERO);
    let only = |index| MachineSet::only(machine(index));
    table.host.set_clients(only(1));
    table.row.left = true;
    let told = |table: &mut Table, to| {
        table.tick(None);
        states(&table.outbox, machine(to)).len()
    };
    assert_eq!(told(&mut table, 1), 1);
    assert_eq!(told(&mut table, 1), 0);
    table.row.state = dead(1, None);
    assert_eq!(told(&mut table, 1), 1);
    assert_eq!(told(&mut table, 1), 0);
    table.host.set_clients(only(1).union(only(2)));
    assert_eq!(told(&mut table, 2), 1);
    assert!(states(&table.outbox, machine(1)).is_empty());
    assert_eq!(told(&mut table, 2), 0);
}

/// AUTH-08, 42, 73: an input goes as the tick ran it, with three ticks' buttons, to all but its own machine; none
/// for the dead.
#[test]
fn an_input_is_relayed_to_the_others() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let mut outbox = Outbox::new();
    let mut rows = [row(0, standing(Vec3::ZERO)), row(1, standing(Vec3::ZERO)), row(2, standing(Vec3::ZERO))];
    rows[2].state = dead(2, None);
    let mut inputs = [input(0, None), input(1, Some(4)), input(2, Some(4))];
    inputs[1].input = Input { buttons: Buttons::JUMP, throttle: [1.0, -1.0], ..Input::default() };
    inputs[1].history = [Buttons::JUMP, Buttons::default(), Buttons::ACTION, Buttons::ACTION];
    outbox.begin(tick(9), 9);
    host.after_tick(tick(9), GRAVITY, &mut rows, &inputs, &mut Vec::new(), &mut outbox);
    let of = |to| actions(&outbox, machine(to)).iter().map(|action| action.slot.get()).collect::<Vec<_>>();
    assert_eq!((of(1), of(2), of(3)), (vec![0], vec![0, 1], vec![0, 1]));
    let relayed = actions(&outbox, machine(2))[1];
    assert_eq!((relayed.input, relayed.history), (inputs[1].input, inputs[1].history));
}

/// AUTH-44 (in part: when and to whom; what is measured is the clock's): each sixty ticks, to all.
#[test]
fn round_trips_go_out_each_two_seconds() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let pings = [
        Ping { slot: slot(0), milliseconds: Some(0) },
        Ping { slot: slot(1), milliseconds: Some(214) },
        Ping { slot: slot(2), milliseconds: None },
    ];
    let mut outbox = Outbox::new();
    let mut messages = 0;
    for now in 1..=600 {
        outbox.begin(tick(now), now);
        host.pings(tick(now), &pings, &mut outbox);
        for to in [1, 3, 127] {
            parts(&outbox, machine(to), |part| {
                assert!(Ping::read_all(part).map(Result::unwrap).eq(pings));
                messages += 1;
            });
        }
    }
    assert_eq!(messages, 3 * 10);
}

// The client.

fn told(of: u8) -> PlayerRow {
    PlayerRow { slot: slot(of), unit: None }
}

fn with(of: u8, unit: ObjectId) -> PlayerRow {
    PlayerRow { slot: slot(of), unit: Some(unit) }
}

fn before(client: &mut Client, rows: &[PlayerRow]) -> Vec<Command> {
    let mut commands = Vec::new();
    client.before_tick(rows, |_| true, &mut commands);
    commands
}

/// AUTH-52, 05: a player gets the unit that the host says, then what goes with it; nothing again unless it
/// changes; its place is handed on and moves nothing here.
#[test]
fn a_client_applies_what_changes() {
    let mut client = Client::new();
    let mut state = alive(1, standing(east(0.1)));
    client.handle_state(tick(5), &state).unwrap();
    let commands = before(&mut client, &[told(1)]);
    assert_eq!(commands[0], Command::Own { slot: slot(1), unit: unit(1) });
    assert!(matches!(commands[1], Command::Vitality { .. }));
    assert_eq!(commands.len(), 2);
    assert!(client.words().is_empty(), "the engine has not given it the unit yet");

    assert_eq!(before(&mut client, &[with(1, unit(1))]), []);
    let words = client.words();
    assert_eq!((words.len(), words[0].tick, words[0].placement), (1, tick(5), standing(east(0.1))));
    assert_eq!(before(&mut client, &[with(1, unit(1))]), []);
    assert!(client.words().is_empty(), "each state once");

    let Life::Alive(living) = &mut state.life else { panic!() };
    living.body = 0.5;
    living.predicted = Some(1234);
    client.handle_state(tick(6), &state).unwrap();
    let vitality = Vitality {
        body: 0.5,
        shield: 1.0,
        flags: ShieldFlags::default(),
        shown: ShownDamage::default(),
        powerups: [0; 2],
        unit_flags: 0,
        camouflage: 0.0,
    };
    let expected = [Command::Vitality { slot: slot(1), unit: unit(1), vitality }];
    assert_eq!(before(&mut client, &[with(1, unit(1))]), expected);
    assert_eq!(client.words()[0].predicted, Some(1234));
}

/// AUTH-52: a word that gives a player the unit of another, as damage makes one, waits until the other is without it.
#[test]
fn a_players_unit_is_not_given_to_another() {
    let mut client = Client::new();
    client.handle_state(tick(5), &alive(1, standing(east(1.0)))).unwrap();
    let mut damaged = alive(2, standing(east(2.0)));
    let Life::Alive(living) = &mut damaged.life else { panic!() };
    living.unit = unit(1);
    client.handle_state(tick(5), &damaged).unwrap();
    let told_of = |commands: &[Command], of: u8| {
        commands
            .iter()
            .any(|command| matches!(command, Command::Own { slot: named, .. } if *named == slot(of)))
    };
    let commands = before(&mut client, &[with(1, unit(1)), with(2, unit(2))]);
    assert!(!told_of(&commands, 2), "{commands:?}");
    assert!(client.words().iter().all(|word| word.slot == slot(1)));
    assert!(told_of(&before(&mut client, &[told(1), with(2, unit(2))]), 2));
}

/// AUTH-04, PRED-33: an older state changes nothing, one of the same tick is taken.
#[test]
fn an_older_state_is_not_applied() {
    let mut client = Client::new();
    client.handle_state(tick(5), &alive(1, standing(east(5.0)))).unwrap();
    assert_eq!(client.handle_state(tick(4), &alive(1, standing(east(4.0)))), Err(Error::Old));
    client.handle_state(tick(5), &alive(2, standing(east(2.0)))).unwrap();
    before(&mut client, &[with(1, unit(1)), with(2, unit(2))]);
    let places: Vec<_> = client.words().iter().map(|word| word.placement.position).collect();
    assert_eq!(places, [east(5.0), east(2.0)]);
    let ping = Ping { slot: slot(3), milliseconds: Some(80) };
    client.handle_ping(tick(60), &ping).unwrap();
    assert_eq!(client.handle_ping(tick(0), &Ping { milliseconds: None, ..ping }), Err(Error::Old));
    assert_eq!((client.ping(slot(3)), client.ping(slot(4))), (Some(80), None));
}

/// NET-74: a state whose stamp was damaged makes no later one an older one; nor does such a round trip.
#[test]
fn a_damaged_stamp_hides_no_state() {
    let mut client = Client::new();
    let at = |number, x| (tick(number), alive(1, standing(east(x))));
    for (stamp, state) in [at(5, 5.0), at(305, 9.0), at(6, 6.0)] {
        assert_eq!(client.handle_state(stamp, &state), Ok(()));
    }
    assert_eq!(client.newest(slot(1)).unwrap().0, tick(6));
    assert_eq!(client.handle_state(tick(5), &at(5, 5.0).1), Err(Error::Old));
    let ping = |milliseconds| Ping { slot: slot(3), milliseconds: Some(milliseconds) };
    for (stamp, milliseconds) in [(60, 1), (400, 2), (120, 3)] {
        assert_eq!(client.handle_ping(tick(stamp), &ping(milliseconds)), Ok(()));
    }
    assert_eq!(client.ping(slot(3)), Some(3));
}

/// AUTH-61: who killed a player is known from its state, once; also to one who comes after the kill.
#[test]
fn a_dead_players_killer_is_known() {
    let mut client = Client::new();
    client.handle_state(tick(5), &dead(1, Some(7))).unwrap();
    let death = Death { killer: Some(slot(7)), ..Death::default() };
    assert_eq!(before(&mut client, &[told(1)]), [Command::Die { slot: slot(1), death }]);
    client.handle_state(tick(6), &dead(1, Some(7))).unwrap();
    assert_eq!(before(&mut client, &[told(1)]), []);
    client.handle_state(tick(7), &alive(1, standing(Vec3::ZERO))).unwrap();
    assert_eq!(before(&mut client, &[told(1)]).len(), 2);
    client.handle_state(tick(8), &dead(1, Some(7))).unwrap();
    assert_eq!(before(&mut client, &[with(1, unit(1))]).len(), 1, "a second death is another");
}

/// OBJ-40: a state before its unit's creation waits for it and is applied when it is there; one of a player the
/// engine does not know waits likewise.
#[test]
fn a_state_waits_for_its_unit() {
    let mut client = Client::new();
    client.handle_state(tick(5), &alive(1, standing(Vec3::ZERO))).unwrap();
    let mut commands = Vec::new();
    client.before_tick(&[told(1)], |_| false, &mut commands);
    client.before_tick(&[], |_| true, &mut commands);
    assert!(commands.is_empty() && client.words().is_empty());
    assert_eq!(before(&mut client, &[told(1)]).len(), 2);
}

// Whole lives.

/// AUTH-12, 15: an honest player that runs, jumps and falls off ledges, over a line of 100 ms each way with 150 ms
/// of jitter in bunches: no prediction is refused in 60 s, and it is never as far off as to be corrected.
#[test]
fn an_honest_player_on_a_bad_line_is_never_refused() {
    let mut falls = 0;
    for seed in 1..=20 {
        for ramp in [8.0, 24.0] {
            let mut line = walk::Line::new(seed, 3, 5);
            line.ramp = ramp;
            let report = line.play(1800, |_, placement| placement);
            assert_eq!((report.takings.past_bounds, report.takings.past_tolerance), (0, 0), "seed {seed}");
            assert!(report.takings.taken > 300, "seed {seed}: {report:?}");
            assert!(report.largest_difference < 3.0, "seed {seed}: {report:?}");
            falls += report.falls;
        }
    }
    assert!(falls > 100, "{falls}");
}

/// AUTH-12: nor is it when its line becomes slower or faster by less than the jitter allowed.
#[test]
fn an_honest_player_on_a_changing_line_is_never_refused() {
    for seed in 1..=20 {
        for delays in [[3, 8, 3], [8, 3, 8]] {
            let mut line = walk::Line::new(seed, 3, 1);
            line.delays = delays;
            let report = line.play(1800, |_, placement| placement);
            assert_eq!((report.takings.past_bounds, report.takings.past_tolerance), (0, 0), "seed {seed}");
        }
    }
}

/// AUTH-69: two machines of one build on an even line move alike in every tick but few.
#[test]
fn machines_of_one_build_move_alike() {
    for seed in 1..=5 {
        let mut line = walk::Line::new(seed, 3, 1);
        let report = line.play(1800, |_, placement| placement);
        assert!(report.drift.ticks > 1700, "seed {seed}: {report:?}");
        assert!(report.drift.apart * 100 <= report.drift.ticks * 13, "seed {seed}: {report:?}");
    }
}

/// AUTH-69: a build whose players run a two-hundredth faster is apart in most ticks.
#[test]
fn machines_of_two_builds_move_apart() {
    let mut line = walk::Line::new(1, 3, 1);
    line.client_run *= 1.005;
    let report = line.play(1800, |_, placement| placement);
    assert!(report.drift.apart * 100 > report.drift.ticks * 60, "{report:?}");
}

/// AUTH-12: a client that adds 0.3 wu a tick to where it is gains the tolerance and the jitter once: after ten
/// seconds it is no further than twice a run, the slack and those.
#[test]
fn a_client_that_adds_to_each_tick_gains_little() {
    let mut line = walk::Line::new(1, 3, 1);
    let mut added = Vec3::ZERO;
    let report = line.play(300, |_, mut placement| {
        added += east(0.3);
        placement.position += added;
        placement
    });
    let most = 0.21 * (300.0 + ANCHOR_JITTER as f32) + mjolnir_authority::TAKE_TOLERANCE;
    assert!(report.takings.past_bounds + report.takings.past_tolerance > 100, "{report:?}");
    assert!(report.furthest < most, "{report:?}");

    // One that knows where the host has it claims no more than is taken, and so as far as there is; one that counts
    // two ticks for each of the host's has the jitter on top.
    let jitter = 0.21 * ANCHOR_JITTER as f32;
    for (pace, least, most) in [(1, -1.0, 0.3), (2, jitter - 1.0, jitter + 0.3)] {
        let mut table = Table::at(100, Vec3::ZERO);
        for moved in 1..=300 {
            let claim = table.place() + east(0.3);
            table.take(100 + pace * moved, claim);
        }
        let excess = table.place().x - 0.21 * 300.0;
        assert!((least..=most).contains(&excess), "{excess}");
        assert!(table.host.takings().past_bounds > 50);
    }
}

// Any client.

proptest! {
    /// AUTH-12: whatever a client claims of where and when it is, its copy, which stands still of its own, goes
    /// no further in ten seconds than its speed, the slack, one tolerance and the jitter let it.
    #[test]
    fn no_client_gains_more_than_tolerance_and_jitter(
        claims in prop::collection::vec((0..12_i32, 0.0..3.6_f32, prop::bool::weighted(0.9)), 300),
    ) {
        let mut table = Table::at(100, Vec3::ZERO);
        let mut client = 100;
        for (ahead, step, sent) in claims {
            client += ahead;
            if sent {
                let claim = table.place() + east(step);
                let _ = table.predict(client, claim);
            }
            table.tick(None);
        }
        let most = 0.21 * (300.0 + ANCHOR_JITTER as f32) + 3.5;
        prop_assert!(table.place().x <= most, "{:?}", table.place());
    }

    /// AUTH-71: random predictions never panic, and what is taken is a place and a velocity that can be.
    #[test]
    fn random_predictions_never_panic(
        claims in prop::collection::vec(
            (any::<i32>(), prop::array::uniform3(-4.0..4.0_f32), prop::array::uniform3(-32.0..32.0_f32), 0..4_u16),
            100,
        ),
        gravity in prop_oneof![Just(GRAVITY), Just(0.0), Just(-1.0)],
        start in prop_oneof![Just(0), Just(i32::MAX - 50)],
    ) {
        let mut table = Table::at(start, Vec3::ZERO);
        table.gravity = gravity;
        for (client, by, velocity, of) in claims {
            let position = table.place() + Vec3::from_array(by);
            let placement = Placement { velocity: Vec3::from_array(velocity), ..standing(position) };
            let mut state = alive(1, placement);
            if let Life::Alive(living) = &mut state.life
                && of == 0
            {
                living.unit = unit(2);
            }
            let _ = table.host.handle_prediction(machine(1), tick(client & i32::MAX), &state);
            if table.now < i32::MAX {
                table.tick(Some(client & i32::MAX));
            }
            for command in &table.commands {
                let Command::Place { placement, .. } = command else { panic!() };
                prop_assert!(placement.position.is_finite());
                prop_assert!(placement.velocity.length() <= 2.0 + 1e-5);
            }
        }
    }
}

/// A steady tick of 16 walking clients allocates nothing.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let mut rows: Vec<_> = (1..=16).map(|of| row(of, standing(east(f32::from(of) * 2.0)))).collect();
    let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
    let mut inputs: Vec<_> = (1..=16).map(|of| input(of, None)).collect();
    let mut run = |now: i32| {
        commands.clear();
        outbox.begin(tick(now), now);
        for row in &mut rows {
            let placement = standing(position(&row.state) + Vec3::new(0.0, 0.08, 0.0));
            let _ = host.handle_prediction(row.machine, tick(now), &alive(row.state.slot.get(), placement));
            inputs[usize::from(row.machine.get()) - 1].of = Some(tick(now));
        }
        host.after_tick(tick(now), GRAVITY, &mut rows, &inputs, &mut commands, &mut outbox);
        commands.len()
    };
    assert_eq!((run(0), run(1), run(2)), (0, 16, 16));
    let info = allocation_counter::measure(|| {
        (3..63).for_each(|now| assert_eq!(run(now), 16));
    });
    assert_eq!(info.count_total, 0);
}
