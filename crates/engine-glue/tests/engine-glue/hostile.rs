//! Peers that say what they may not: counted, and nothing changed.

use mjolnir_engine_glue::authority::Command;
use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::kinds::Sender;
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Buttons, Input, Kind, MachineSet, Outbox, Slot, Tick, Vec3};

use super::foreign::{put_unheard, unheard};
use super::game::{Call, unit_of};
use super::table::{Table, slot};

fn input(slot: Slot, tick: Tick, heard: Tick) -> PlayerInput {
    PlayerInput {
        slot,
        structure_bsp: None,
        friendly_fire: false,
        tick,
        host_tick: heard,
        input: Input { buttons: Buttons::MELEE, throttle: [-1.0, 0.0], ..Input::default() },
        history: [Buttons::MELEE; 4],
    }
}

fn prediction(slot: Slot, of: Slot, position: Vec3) -> UnitState {
    let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    let life = Life::Alive(LivingUnit::whole(unit_of(of), placement));
    UnitState { slot, shield: ShieldFlags::default(), life }
}

fn put_input(outbox: &mut Outbox, entry: &PlayerInput) {
    outbox.entry(MachineSet::HOST, Kind::PlayerInputs, |bytes| entry.write(bytes)).unwrap();
}

fn put_prediction(outbox: &mut Outbox, entry: &UnitState) {
    outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| entry.write(bytes)).unwrap();
}

/// An honest client in slot 0, a raw one in slot 1, and two seconds of play.
pub(super) fn two() -> Table {
    let mut table = Table::playing(1_000);
    table.seat(1);
    table.run(1_000);
    table.raw();
    table.run(1_000);
    assert!(table.game.place(0).is_some() && table.game.place(1).is_some());
    table
}

pub(super) fn refused(table: &Table, reason: &str) -> u64 {
    table.host.counters().refused.get(reason).copied().unwrap_or(0)
}

/// Whether the host's game was ever driven so, and whether it was told to put that player anywhere.
fn touched(table: &Table, whose: Slot) -> (bool, bool) {
    let driven = |(_, slot, input): &(i32, Slot, Input)| *slot == whose && input.buttons == Buttons::MELEE;
    let placed = |call: &Call| {
        matches!(call, Call::State(Command::Place { slot, placement, .. })
            if *slot == whose && placement.position.x < -0.5)
    };
    (table.game.driven.iter().any(driven), table.game.calls.iter().any(placed))
}

/// AUTH-71, 72: what a machine says of another's player changes nothing and is counted, entry by entry; what it says
/// of its own in the same messages is taken.
#[test]
fn another_machines_slot_is_not_its_to_speak_for() {
    let mut table = two();
    let at = table.host.now_tick();
    let now = table.now;
    table.raws[0].say(now, at, |outbox| {
        for who in [0, 1, 77] {
            put_input(outbox, &input(slot(who), at, at));
            put_prediction(outbox, &prediction(slot(who), slot(who), Vec3::new(-1.0, 10.0, 0.0)));
        }
    });
    table.run(200);
    assert_eq!(refused(&table, "not_owned"), 4);
    assert_eq!(touched(&table, slot(0)), (false, false));
    assert_eq!(touched(&table, slot(1)), (true, true));
}

/// AUTH-71: a prediction of a unit that is not the player's is refused.
#[test]
fn another_unit_is_not_placed() {
    let mut table = two();
    let (now, at) = (table.now, table.host.now_tick());
    table.raws[0].say(now, at, |outbox| {
        put_prediction(outbox, &prediction(slot(1), slot(0), Vec3::new(-1.0, 0.0, 0.0)));
    });
    table.run(200);
    assert_eq!(refused(&table, "wrong_unit"), 1);
    assert_eq!([0, 1].map(|who| touched(&table, slot(who))), [(false, false); 2]);
}

/// AUTH-71, 72: a machine that is given the index of one that left does not speak for the player who still stands
/// there until its tick.
#[test]
fn an_index_given_anew_does_not_inherit_players() {
    let mut table = two();
    let gone = table.raws.remove(0);
    gone.leave(table.now);
    table.run(10);
    table.raw();
    table.run(600);
    assert_eq!(table.game.count(&Call::Remove(1)), 0, "it stands there still");
    let added = Call::Add { slot: 2, machine: 2, local: None, team: 2 };
    assert_eq!(table.game.count(&added), 1, "with the index of the one that left");
    let (now, at) = (table.now, table.host.now_tick());
    table.raws[0].say(now, at, |outbox| {
        put_input(outbox, &input(slot(1), at, at));
        put_prediction(outbox, &prediction(slot(1), slot(1), Vec3::new(-1.0, 10.0, 0.0)));
    });
    table.run(200);
    assert_eq!(refused(&table, "not_owned"), 2);
    assert_eq!(touched(&table, slot(1)), (false, false));
}

/// CLOCK-09: an input that names a host tick to come is no sample of the round trip; the input is taken.
#[test]
fn a_tick_to_come_is_not_heard() {
    let mut table = two();
    let (now, at) = (table.now, table.host.now_tick());
    table.raws[0].say(now, at, |outbox| put_input(outbox, &input(slot(1), Tick::LAST, Tick::LAST)));
    table.run(200);
    assert_eq!(refused(&table, "heard_ahead"), 1);
    assert_eq!(touched(&table, slot(1)), (true, false));
}

/// WIRE-09: an entry that is not finite is counted, and the others of its message count.
#[test]
fn a_bad_entry_costs_itself() {
    let mut table = two();
    let (now, at) = (table.now, table.host.now_tick());
    table.raws[0].say(now, at, |outbox| {
        let mut bad = input(slot(1), at, at);
        bad.input.yaw = f32::NAN;
        put_input(outbox, &bad);
        put_input(outbox, &input(slot(1), at, at));
    });
    table.run(200);
    assert_eq!(refused(&table, "not_finite"), 1);
    assert_eq!(touched(&table, slot(1)), (true, false));
}

/// GLUE-15: every kind that nothing hears yet comes to the netcode once, is counted once, and reaches no game.
#[test]
fn a_kind_that_nothing_hears_is_counted() {
    let mut table = two();
    let used = [
        Kind::PlayerPrediction,
        Kind::PlayerInputs,
        Kind::VehiclePrediction,
        Kind::ClientReady,
        Kind::HitReports,
        Kind::ClientIdentity,
        Kind::Votekick,
        Kind::ChatUp,
        Kind::MapShareRequest,
        Kind::MapShareProgress,
    ];
    let kinds = unheard(Sender::Client, &used);
    let number = kinds.0.len() + kinds.1.len();
    assert!(number >= 1, "{kinds:?}");
    let turns = table.game.turns();
    let (now, at) = (table.now, table.host.now_tick());
    let before = table.host.counters();
    table.raws[0].say(now, at, |outbox| put_unheard(outbox, MachineSet::HOST, &kinds));
    table.run(200);
    let after = table.host.counters();
    let sum = |counters: &mjolnir_engine_glue::Counters| counters.refused.values().sum::<u64>();
    assert_eq!(sum(&after) - sum(&before), number as u64);
    assert_eq!(after.refused.get("not_handled"), Some(&(number as u64)), "{after:?}");
    assert_eq!(table.game.turns(), turns);
}
